"""What settled rounds pay, stated amount by amount from the regulations themselves."""
