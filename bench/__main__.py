"""``make bench``: every benchmark, one after the other."""

from bench import (
    audit,
    demo,
    engine,
    exact,
    ledger,
    links,
    meters,
    pit,
    proof,
    roster,
    search,
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
search.main()
demo.main()
