"""``make bench``: every benchmark, one after the other."""

from bench import (
    audit,
    engine,
    exact,
    ledger,
    links,
    meters,
    pit,
    proof,
    roster,
    settlement,
    simulate,
    sizes,
)

settlement.main()
engine.main()
ledger.main()
proof.main()
audit.main()
pit.main()
sizes.main()
links.main()
roster.main()
meters.main()
exact.main()
simulate.main()
