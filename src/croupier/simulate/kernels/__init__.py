"""The simulator's compiled core: cards from a counter, decisions from tables, lines from arrays."""
