"""Exact values: every deal is counted, and every figure is a ratio of integers."""
