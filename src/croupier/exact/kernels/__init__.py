"""Compiled loops over cards as small integers: they count, and Python's integers multiply."""
