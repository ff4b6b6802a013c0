"""Analyses for the analyst's page, each in a process of its own."""
