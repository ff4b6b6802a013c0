"""The trial balance: every account with what it had, what moved and what it has; it sums to zero.

A table's own trial balance has the meters as that table moved them; a link's has them whole, and
each table as the other side.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ledger.books import CHART, RESET, Accounts, Movement, account_title
from croupier.ledger.reports.sheet import Column, Report, Sheet, SumCheck
from croupier.ledger.reports.single_pass import Reading, TableReading
from croupier.table.double_entry import METER

NAME, TITLE = "trial", "Trial balance"
COLUMNS = (
    Column("account", "Account"),
    Column("title", "What it is"),
    Column("opening", "Opening", "micros"),
    Column("into", "In", "micros"),
    Column("out_of", "Out", "micros"),
    Column("closing", "Closing", "micros"),
)


def trial(reading: Reading) -> Iterator[Report]:
    """Each table, each link, and the whole house where there is more than one table."""
    for table in reading.asked:
        accounts = table.books.accounts
        heading = reading.heading(TITLE, table)
        yield Report(NAME, heading, *_balanced(accounts), active=accounts.moved)
    for link in reading.books.links.values():
        heading = reading.link_heading(f"{TITLE}, link {link.name}", link)
        yield Report(NAME, heading, *_balanced(link.accounts), active=link.accounts.moved)
    for practice in (False, True):
        tables = [each for each in reading.asked if each.books.installed.practice is practice]
        if len(tables) > 1:
            yield _whole(reading, tables, practice)


def _whole(reading: Reading, tables: list[TableReading], practice: bool) -> Report:
    """All tables together, by kind of account; practice is never among others (NY 5319.58)."""
    together = Accounts()
    links = {each.books.installed.link for each in tables} & set(reading.books.links)
    for kind in CHART:
        on_links = kind in (METER, RESET)
        for accounts in (
            [reading.books.links[name].accounts for name in links]
            if on_links
            else [table.books.accounts for table in tables]
        ):
            _add(together.by_name, kind, accounts.all_of(kind))
    together.moved = any(table.books.accounts.moved for table in tables)
    heading = reading.house_heading(f"{TITLE}, all tables", tables, practice)
    return Report(NAME, heading, *_balanced(together), active=together.moved)


def _add(into: dict[str, Movement], kind: str, moved: Movement) -> None:
    if moved == Movement():
        return
    known = into.setdefault(kind, Movement())
    known.opening += moved.opening
    known.into += moved.into
    known.out_of += moved.out_of


def _balanced(accounts: Accounts) -> tuple[tuple[Sheet, ...], tuple[SumCheck, ...]]:
    rows = [
        (name.strip(), account_title(name), each.opening, each.into, each.out_of, each.closing)
        for name, each in accounts.in_order()
    ]
    sums = [sum(row[at] for row in rows) for at in range(2, 6)]  # type: ignore[misc]
    if not rows:
        return (), ()
    sheet = Sheet(TITLE, COLUMNS, (*rows, ("", "Total", *sums)), total=True)
    checks = (
        SumCheck("opening balances sum to zero", sums[0], 0),
        SumCheck("what came in is what went out", sums[1], sums[2]),
        SumCheck("closing balances sum to zero", sums[3], 0),
    )
    return (sheet,), checks
