"""Where the lines are kept: one port, SQLite and PostgreSQL behind it, locks and migrations."""
