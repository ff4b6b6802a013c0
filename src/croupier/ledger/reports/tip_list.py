"""The tip report (NJ 13:69E-1.28P): what each box gave to the dealers, and what the tip box has."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.money import Cents, in_micros
from croupier.ledger.reports.sheet import Column, Report, Sheet, SumCheck
from croupier.ledger.reports.single_pass import Reading
from croupier.table.double_entry import TIPS

NAME, TITLE = "tips", "Tips"
_GIVEN = (
    Column("box", "Box", "count"),
    Column("player", "Player"),
    Column("tips", "Tips", "count"),
    Column("amount", "Amount", "cents"),
)
_METER = (
    Column("opening", "Opening", "micros"),
    Column("given", "Given", "micros"),
    Column("closing", "Closing", "micros"),
)


def tips(reading: Reading) -> Iterator[Report]:
    for table in reading.asked:
        given = sorted(table.tally.tips.items())
        rows = [(box, player, sums.tips, sums.tipped_cents) for (box, player), sums in given]
        total = sum(row[3] for row in rows)
        meter = table.books.accounts.of(TIPS)
        sheets = (
            Sheet(
                "By box",
                _GIVEN,
                (*rows, (None, "Total", sum(row[2] for row in rows), total)),
                total=True,
            ),
            Sheet("Tip meter", _METER, ((meter.opening, meter.into, meter.closing),)),
        )
        yield Report(
            NAME,
            reading.heading(TITLE, table),
            sheets if rows else (),
            (
                SumCheck(
                    "the tip meter moved by what was given", meter.net, in_micros(Cents(total))
                ),
            ),
            active=bool(rows),
        )
