"""``make bench``: every benchmark, one after the other."""

from bench import audit, engine, exact, ledger, pit, proof, settlement, simulate

settlement.main()
engine.main()
ledger.main()
proof.main()
audit.main()
pit.main()
exact.main()
simulate.main()
