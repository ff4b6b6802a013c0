"""A pit with everything that can go wrong, in one thread and in told time: a seed decides all."""
