"""The practice table in the terminal and in the browser."""
