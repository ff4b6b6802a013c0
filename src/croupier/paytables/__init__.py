"""Paytables found by their targets, and how much each line matters."""
