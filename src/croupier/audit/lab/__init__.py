"""What a test lab asks of a shuffle: collections of its output, and a verdict on what was dealt."""
