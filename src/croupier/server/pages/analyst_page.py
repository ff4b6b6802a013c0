"""The analyst's pages: every game and paytable on offer, to choose from and to write over, and
what known cards are worth there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.response import Redirect

from croupier.facts.money import cents
from croupier.facts.odds import Share, Sum
from croupier.facts.showings import SAYINGS
from croupier.games.registry import Registry
from croupier.games.shapes import shape_of_book
from croupier.games.variants import variations_of
from croupier.protection.knowledge import KINDS
from croupier.rulebook.book import Paytable, Rulebook, Wager
from croupier.server.access.logins import NotAdmitted
from croupier.server.http.admin_routes import analyst_of
from croupier.server.http.api import AnyRequest, pit_of
from croupier.server.pages.renderer import SORRY, as_data, page
from croupier.submission.check import shipped_submission


class WagerWorth(msgspec.Struct, frozen=True):
    """A wager and its paytables, each a list of what is paid for and the odds.

    ``chosen``: the base game is counted with one of them; of the others all are counted at once.
    ``meters``, by paytable, have what they are reset to; ``staked`` are the paytables whose value
    depends on the stake, as they pay dollars or from a meter. ``least_ante`` is in cents, where an
    Ante may be named because a payout limit may cut what it wins.
    """

    name: str
    title: str
    chosen: bool
    side: bool
    tables: dict[str, tuple[tuple[str, str], ...]]
    meters: dict[str, dict[str, int]]
    staked: tuple[str, ...]
    least_ante: int | None


class RuleChoice(msgspec.Struct, frozen=True):
    """A rule that may be said otherwise, what it means, and the values that it may have."""

    name: str
    means: str
    values: str


class KnowledgeChoice(msgspec.Struct, frozen=True):
    """Cards that can be known too early."""

    name: str
    says: str


class BookWorth(msgspec.Struct, frozen=True):
    """A rulebook, its wagers that pay by paytables, the words that their lines may use, the rules
    that may be varied, and what can be known too early."""

    title: str
    wagers: tuple[WagerWorth, ...]
    phrases: tuple[str, ...]
    rules: tuple[RuleChoice, ...]
    knows: tuple[KnowledgeChoice, ...]


@get("/analysis", include_in_schema=False, exception_handlers=SORRY)
async def analysis_page(request: AnyRequest) -> Response[Any]:
    """A choice in the address is kept on the way through the login."""
    return _page(request, "analysis")


@get("/protection", include_in_schema=False, exception_handlers=SORRY)
async def protection_page(request: AnyRequest) -> Response[Any]:
    return _page(request, "protection")


def _page(request: AnyRequest, name: str) -> Response[Any]:
    pit = pit_of(request)
    try:
        login = analyst_of(request)
    except NotAdmitted:
        if pit.analyses.open_to_all:
            raise
        asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return Redirect(f"/login?to={quote(asked)}")
    registry = pit.registry
    books = {book.id: _book(book, registry) for book in registry.books.values()}
    return page(name, me=login, practice=pit.analyses.open_to_all, data=as_data(books))


def _book(book: Rulebook, registry: Registry) -> BookWorth:
    wagers = tuple(
        _wager(book, wager, book.paytables[wager.name])
        for wager in book.wagers
        if wager.name in book.paytables
    )
    used = [phrase for wager in wagers for lines in wager.tables.values() for phrase, _ in lines]
    game = registry.game_of(book)
    known = dict.fromkeys((*used, *SAYINGS, *game.sayings))
    rules = variations_of(game, book).values()
    choices = (RuleChoice(rule.name, rule.means, rule.values) for rule in rules)
    kinds = KINDS.get(shape_of_book(game, book), ())
    knows = (KnowledgeChoice(kind.name, kind.says) for kind in kinds)
    return BookWorth(book.title, wagers, tuple(known), tuple(choices), tuple(knows))


def _wager(book: Rulebook, wager: Wager, tables: Mapping[str, Paytable]) -> WagerWorth:
    chosen = not wager.optional and wager.paid_on is None
    return WagerWorth(
        name=wager.name,
        title=wager.title,
        chosen=chosen,
        side=wager.optional,
        tables={
            letter: tuple((line.phrase, str(line.odds)) for line in table.lines)
            for letter, table in tables.items()
        },
        meters={
            letter: {meter.name: cents(meter.least) for meter in table.meters}
            for letter, table in tables.items()
        },
        staked=tuple(
            letter
            for letter, table in tables.items()
            if wager.optional and any(isinstance(line.odds, Sum | Share) for line in table.lines)
        ),
        least_ante=_least_ante(book) if chosen else None,
    )


def _least_ante(book: Rulebook) -> int | None:
    """Of the shipped table, in cents; None where no payout limit makes its size matter."""
    limit = shipped_submission(book.id).limit("ante") if book.payout_limit is not None else None
    return limit.minimum_cents if limit is not None else None
