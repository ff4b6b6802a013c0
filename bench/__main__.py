"""``make bench``: every benchmark, one after the other."""

from bench import settlement

settlement.main()
