"""Practice: tables with an automatic dealer, where regulars play the other boxes."""
