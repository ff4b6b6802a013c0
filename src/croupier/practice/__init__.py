"""Practice: tables where the house works by itself and regulars play the other boxes."""
