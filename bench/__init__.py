"""Benchmarks: commands that print what they measured, never tests that assert a time."""
