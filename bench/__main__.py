"""``make bench``: every benchmark, one after the other."""

from bench import engine, exact, settlement

settlement.main()
engine.main()
exact.main()
