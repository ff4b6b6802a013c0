"""``make bench``: every benchmark, one after the other."""

from bench import exact, settlement

settlement.main()
exact.main()
