"""The table: commands in, events out, what each viewer may see, and what a finished round pays."""
