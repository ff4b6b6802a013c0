"""A writer who reads again whenever somebody was quicker; also as a process of its own."""

from __future__ import annotations

import sys
from contextlib import closing

from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger, Moved, Writing
from tests.ledger.lines import answer


def append_until(ledger: Ledger, name: str, count: int, streams: tuple[str, ...]) -> None:
    done = 0
    while done < count:
        drafts = zip(streams, answer(f"{name} {done}", len(streams)), strict=True)
        try:
            ledger.append(*(Writing(s, ledger.head(s).version, (draft,)) for s, draft in drafts))
        except Moved:
            continue
        done += 1


def main(address: str, name: str, count: str, *streams: str) -> None:
    with closing(open_ledger(address)) as ledger:
        append_until(ledger, name, int(count), streams)


if __name__ == "__main__":
    main(*sys.argv[1:])
