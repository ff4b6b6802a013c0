"""Another user of the machine, who may read a ledger and write nothing beside it."""

from __future__ import annotations

import os
import sys
from contextlib import closing

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Unavailable
from tests.ledger.lines import writing

NOBODY = 65534


def main(address: str, how: str) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        with closing(open_ledger(address, read_only=how == "read")) as ledger:
            if how == "write":
                ledger.append(writing("table 1", ledger.head("table 1").version, "stranger"))
            print(
                prove_chain(ledger), {head.stream: head.version for head in ledger.heads().values()}
            )
    except Unavailable as error:
        print(error)


if __name__ == "__main__":
    main(*sys.argv[1:])
