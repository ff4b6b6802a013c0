"""Golden rounds: what a table says and shows, event by event, kept as text a person can read."""
