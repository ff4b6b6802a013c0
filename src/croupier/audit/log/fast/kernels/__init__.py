"""Kernels over the bytes of a log; they know no rule that they are not given in numbers."""
