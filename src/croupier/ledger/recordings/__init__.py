"""Recordings: an index over the rounds of a ledger, made from its lines."""
