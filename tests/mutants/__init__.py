"""Every enforced clause, proved by breaking it: mutants of code and rulebooks, and who sees them.

``python -m tests.mutants`` (``make mutants``) breaks one thing at a time in a copy of the sources
and runs the tests that the trace cites for the clauses concerned: one of them has to fail.
"""
