"""Each command, as somebody types it."""
