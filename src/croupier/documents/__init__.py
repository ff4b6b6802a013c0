"""What goes on paper: the felt, the signs, the submission, the mathematics and the two cards."""
