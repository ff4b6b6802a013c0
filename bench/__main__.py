"""``make bench``: every benchmark, one after the other."""

from bench import engine, exact, ledger, settlement

settlement.main()
engine.main()
ledger.main()
exact.main()
