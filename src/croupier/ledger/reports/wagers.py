"""Totals by wager and paytable, with the return that was and the one that was to be expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.facts.money import Cents, in_micros
from croupier.games.registry import Registry
from croupier.ledger.books import RESET
from croupier.ledger.reports.sheet import Column, Report, Sheet, SheetCell, SumCheck
from croupier.ledger.reports.single_pass import Reading, TableReading
from croupier.ledger.reports.table_win import HOLD
from croupier.ledger.reports.tally import Sums
from croupier.ledger.reports.theory import BASE, Solutions, theory_of
from croupier.table.double_entry import DROP, HOUSE, METER

NAME, TITLE = "wagers", "Totals by wager and paytable"
EXPECTED = (
    "In theory: the base game at its best play and on all money wagered, side wagers at their "
    "least stake, the Progressive with its meters at their resets and without Envy."
)
UNKNOWN = "No exact value of this game is at hand; --theory computes it, which can take minutes."
_ROUNDS = (
    Column("rounds", "Rounds", "count"),
    Column("voids", "Void", "count"),
    Column("hands", "Hands", "count"),
    Column("available", "In play since (UTC)", "time"),
)
_TOTALS = (
    Column("wager", "Wager"),
    Column("paytable", "Paytable"),
    Column("wagers", "Wagers", "count"),
    Column("wagered", "Wagered", "cents"),
    Column("wins", "Wins", "count"),
    Column("paid", "Paid", "cents"),
    Column("returned", "Stakes back", "cents"),
    Column("jackpots", "Jackpots", "count"),
    Column("jackpot", "From meters", "cents"),
    Column("voids", "Voids", "count"),
    Column("voided", "Voided", "cents"),
    Column("refused", "Refused", "count"),
    Column("actual", "Return", "share"),
    Column("theory", "In theory", "share"),
)


def wagers(reading: Reading, registry: Registry, solutions: Solutions) -> Iterator[Report]:
    for table in reading.asked:
        tally = table.tally
        active = bool(tally.rounds or tally.wagers)
        theory = theory_of(table.submission, registry, solutions) if active else {}
        counted = (tally.rounds, tally.voids, tally.hands, table.books.installed_us)
        rounds = Sheet("Rounds", _ROUNDS, (counted,))
        notes = (EXPECTED if theory else UNKNOWN, HOLD)
        yield Report(
            NAME,
            reading.heading(TITLE, table),
            (rounds, _totals(table, registry, theory)) if active else (),
            (_check(table),),
            notes if active else (),
            active=active,
        )


def _totals(table: TableReading, registry: Registry, theory: Mapping[str, Fraction]) -> Sheet:
    """In the order of the rulebook; lines without a wager of their own, like Envy, come last."""
    book, letters = registry.book(table.submission.rulebook), dict(table.submission.paytables)
    sums = table.tally.by_wager()
    titles = {wager.name: wager.title for wager in book.wagers}
    base = {wager.name for wager in book.wagers if not wager.optional}
    rows: list[tuple[SheetCell, ...]] = []
    together = Sums()
    for name in (*titles, *sorted(set(sums) - set(titles))):
        if name not in sums:
            continue
        title = titles.get(name, name.replace("_", " ").capitalize())
        rows.append(_row(title, letters.get(name, ""), sums[name], theory.get(name)))
        if name in base or name == "payout_limit":
            together.add(sums[name])
    rows.append(_row("Base game", "", together, theory.get(BASE)))
    rows.append(_row("All wagers", "", table.tally.total(), None))
    return Sheet("Wagers", _TOTALS, tuple(rows), total=True)


def _row(title: str, letter: str, sums: Sums, theory: Fraction | None) -> tuple[SheetCell, ...]:
    actual = Fraction(sums.back_cents, sums.wagered_cents) if sums.wagered_cents > 0 else None
    return (
        title,
        letter,
        sums.wagers,
        sums.wagered_cents,
        sums.wins,
        sums.paid_cents,
        sums.returned_cents,
        sums.jackpots,
        sums.jackpot_cents,
        sums.voids,
        sums.voided_cents,
        sums.refused,
        actual,
        theory,
    )


def _check(table: TableReading) -> SumCheck:
    """Wagers that stayed with the house, less all winnings and what disputes gave, are its win and
    what meters got."""
    accounts, total = table.books.accounts, table.tally.total()
    back_cents = total.back_cents + table.tally.corrected_cents
    moved = [accounts.of(DROP), accounts.of(HOUSE), accounts.all_of(METER), accounts.all_of(RESET)]
    return SumCheck(
        "wagers less all that went back are win, and growth of the meters",
        in_micros(Cents(total.wagered_cents - back_cents)),
        sum(each.net for each in moved),
    )
