"""Reports on a ledger: each reads the books and the events, and shows that the two agree."""
