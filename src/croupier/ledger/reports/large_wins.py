"""Large wins (GLI-19 2.9.4): who won how much, on what, who validated it, who did the paperwork."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.money import dollars
from croupier.ledger.reports.sheet import Column, Report, Sheet
from croupier.ledger.reports.single_pass import Reading

NAME, TITLE = "large-wins", "Large wins"
_COLUMNS = (
    Column("at", "Time (UTC)", "time"),
    Column("round", "Round", "count"),
    Column("box", "Box", "count"),
    Column("player", "Player"),
    Column("wager", "Wager"),
    Column("level", "Level"),
    Column("shows", "Hand"),
    Column("amount", "Amount", "cents"),
    Column("meter", "Meter"),
    Column("status", "Status"),
    Column("validated_by", "Validated by"),
    Column("paperwork_by", "Paperwork by"),
)


def large_wins(reading: Reading) -> Iterator[Report]:
    """One row a line of a receipt; what was refused or reversed later stays, and says so."""
    for table in reading.asked:
        rows = tuple(
            (
                win.at_us,
                win.round,
                win.box,
                win.player,
                win.wager,
                win.level,
                win.shows,
                win.cents,
                win.meter,
                win.status,
                win.validated_by,
                win.paperwork_by,
            )
            for win in table.awards.wins
        )
        least = dollars(table.awards.large_cents)
        note = f"Listed: wins of {least} or more on one wager, and every award from a meter."
        yield Report(
            NAME,
            reading.heading(TITLE, table),
            (Sheet("Wins", _COLUMNS, rows),) if rows else (),
            notes=(note,),
            active=bool(rows),
        )
