"""Meter reconciliation: all that a meter took in is paid or displayed (GLI-19 A.6.5(d)).

The movements come from the entries of every table on the link; what is paid from the awards
followed one by one; what is displayed from the link's own stream. All three have to agree. A win
that waits to be validated is still displayed: nothing is drawn before.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.ledger.books import RESET, LinkBooks, Movement
from croupier.ledger.reports.awards import AT_TABLE, OUTSIDE
from croupier.ledger.reports.sheet import Column, Report, Sheet, SheetCell, SumCheck
from croupier.ledger.reports.single_pass import Reading
from croupier.table.double_entry import METER

NAME, TITLE = "meters", "Meter reconciliation"
WAITING = "A win that waits for a floorperson stands on its meter until it is validated."
NO_POOL = f"No meter here has a limit, so nothing overflows. {WAITING}"
POOL = (
    "At its limit a meter stays until it is won; what is wagered beyond it waits in its overflow "
    f"and fills it up again (ruling 43). {WAITING}"
)
MIXED = "A practice table moves the meters of this link, and other tables do too (NY 5319.58)."
_COLUMNS = (
    Column("meter", "Meter"),
    Column("opening", "At the start", "micros"),
    Column("start", "First funded", "micros"),
    Column("taken", "Increments", "micros"),
    Column("given_back", "Given back", "micros"),
    Column("reset", "Resets funded", "micros"),
    Column("drawn", "Won", "micros"),
    Column("put_back", "Put back", "micros"),
    Column("displayed", "Displayed", "micros"),
    Column("hits", "Hits", "count"),
    Column("at_table", "Paid at table", "micros"),
    Column("outside", "Paid outside", "micros"),
)
_PARAMETERS = (
    Column("meter", "Meter"),
    Column("start", "Starts at", "micros"),
    Column("reset", "Resets to", "cents"),
    Column("rate", "Of each wager", "share"),
)
PPM = 1_000_000


def meters(reading: Reading) -> Iterator[Report]:
    for link in reading.books.links.values():
        rows = tuple(_row(reading, link, meter) for meter in link.meters)
        checks = tuple(check for name in link.meters for check in _checks(reading, link, name))
        mixed = len({each.practice for each in link.tables}) > 1
        yield Report(
            NAME,
            reading.link_heading(f"{TITLE}, link {link.name}", link),
            (Sheet("Meters", _COLUMNS, rows), _parameters(link)) if rows else (),
            checks,
            (POOL if _has_pool(link) else NO_POOL, *((MIXED,) if mixed else ())),
            active=link.accounts.moved,
        )


def _has_pool(link: LinkBooks) -> bool:
    return link.opened is not None and {*link.opened.meters} != {*link.opened.resets_cents}


def _parameters(link: LinkBooks) -> Sheet:
    """What every table on the link agreed to when it joined (NJ 13:69E-1.39A)."""
    opened = link.opened
    rows = (
        (
            name,
            micros,
            opened.resets_cents.get(name, 0),
            Fraction(opened.rates_ppm.get(name, 0), PPM),
        )
        for name, micros in (opened.meters.items() if opened is not None else ())
        if opened is not None
    )
    return Sheet("Parameters", _PARAMETERS, tuple(rows))


def _row(reading: Reading, link: LinkBooks, meter: str) -> tuple[SheetCell, ...]:
    account = link.accounts.of(f"{METER}{meter}")
    return (
        meter,
        account.opening,
        link.cause(meter, "start").net,
        link.cause(meter, "taken").net,
        link.cause(meter, "given_back").net,
        link.cause(meter, "reset").net + link.cause(meter, "reset_back").net,
        link.cause(meter, "drawn").net,
        link.cause(meter, "put_back").net,
        account.closing,
        link.hits.get(meter, 0),
        _followed(reading, link, meter, AT_TABLE).net,
        _followed(reading, link, meter, OUTSIDE).net,
    )


def _checks(reading: Reading, link: LinkBooks, meter: str) -> Iterator[SumCheck]:
    account = link.accounts.of(f"{METER}{meter}")
    paid = sum(_followed(reading, link, meter, where).net for where in (AT_TABLE, OUTSIDE))
    came = sum(
        link.cause(meter, why).net
        for why in ("start", "taken", "given_back", "reset", "reset_back")
    )
    yield SumCheck(
        f"{meter}: start and increments are paid and displayed",
        account.opening + came,
        paid + account.closing,
    )
    yield SumCheck(
        f"{meter}: the link displays what the books have",
        account.closing,
        link.readings.get(meter, 0),
    )
    funded = ("start", "reset", "reset_back")
    yield SumCheck(
        f"{meter}: the reset fund gave what the meter was funded with",
        -link.accounts.of(f"{RESET}{meter}").net,
        sum(link.cause(meter, why).net for why in funded),
    )


def _followed(reading: Reading, link: LinkBooks, meter: str, where: str) -> Movement:
    """The awards of all tables on the link, at one place on their way."""
    found = [reading.tables[each.table].awards.of(meter, where) for each in link.tables]
    return Movement(
        sum(each.opening for each in found),
        sum(each.into for each in found),
        sum(each.out_of for each in found),
    )
