"""The rulebooks as data, each line with its clause, and the trace from clause to code to test."""
