"""README and docs, run as a reader would run them."""
