"""The ledger: every event kept, in order, chained, with both sides of every movement of money."""
