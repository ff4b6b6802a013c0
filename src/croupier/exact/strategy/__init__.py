"""Strategies as rules about features: read from files, told in charts, and valued exactly."""
