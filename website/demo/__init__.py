"""A table without an install: the practice room as a static folder, its engine in the browser."""
