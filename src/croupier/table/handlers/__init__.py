"""Command handlers: for each command of the table who may give it, why not now, and its events."""
