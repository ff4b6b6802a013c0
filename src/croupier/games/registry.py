"""The registry of games and rulebooks, found by looking into their folders."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from croupier import games
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.names import known_entry, known_names
from croupier.games.game import Game, least_hands, refuse_unsaid
from croupier.rulebook.book import Rulebook
from croupier.rulebook.loader import read_volume, shipped_volumes
from croupier.rulebook.volume import BookFault, Volume


@dataclass(frozen=True)
class Registry:
    """``faults`` are the books that cannot be read: whoever needs one is told why."""

    games: Mapping[str, Game]
    books: Mapping[str, Rulebook]
    faults: Mapping[str, BookFault] = field(default_factory=dict)

    def book(self, book_id: str) -> Rulebook:
        if book_id in self.faults:
            raise Unreadable(self.faults[book_id].why)
        return known_entry(book_id, self.books, "rulebook")

    def newest(self, game_id: str | None = None) -> Rulebook:
        """The first book on the shelf, of a game where one is named."""
        books = list(self.books.values()) if game_id is None else self.books_of(game_id)
        for fault in self.faults.values():
            is_of_it = game_id in (None, fault.game) or fault.game not in self.games
            if is_of_it and (not books or fault.shelf_place < books[0].shelf_place):
                raise Unreadable(fault.why)
        if not books:
            raise Unreadable(f"there is no rulebook for the game {quoted(game_id)}")
        return books[0]

    def books_of(self, game_id: str) -> list[Rulebook]:
        """The rulebooks of a game, the newest first."""
        game = known_entry(game_id, self.games, "game")
        return [book for book in self.books.values() if book.game == game.id]

    def game_of(self, book: Rulebook) -> Game:
        return self.games[book.game]


def open_registry(games: Iterable[Game], books: Iterable[Rulebook]) -> Registry:
    """A registry whose books fit its games, or a refusal that says what does not."""
    registry = Registry({game.id: game for game in games}, {book.id: book for book in books})
    for book in registry.books.values():
        refuse_unfit(registry, book)
    return registry


def readable_registry(games: Iterable[Game], volumes: Iterable[Volume]) -> Registry:
    """A registry with the books that can be read, and what is wrong with the others."""
    bookless = Registry({game.id: game for game in games}, {})
    books, faults = [], {}
    for volume in volumes:
        try:
            book = read_volume(volume)
            refuse_unfit(bookless, book)
            books.append(book)
        except (Unreadable, Refusal) as error:
            fault = volume.fault(error)
            faults[fault.book] = fault
    books.sort(key=lambda book: book.shelf_place)
    return Registry(bookless.games, {book.id: book for book in books}, faults)


def refuse_unfit(registry: Registry, book: Rulebook) -> None:
    """Refuse a book that its game cannot be played by."""
    if book.game not in registry.games:
        raise Refusal(f'no game is called "{book.game}"', book.id)
    _refuse_without_paytable(book)
    _refuse_unmade(book)
    _refuse_unseen(registry.game_of(book), book)
    _refuse_unranked(registry.game_of(book), book)
    for tables in book.paytables.values():
        for table in tables.values():
            refuse_unsaid(registry.game_of(book), table, book.cite(table.clause))


def _refuse_without_paytable(book: Rulebook) -> None:
    """What is paid on another wager needs a table of its own, and a list of tables has one.

    Tables of a wager that is none would pay nobody.
    """
    known_names(book.paytables, [wager.name for wager in book.wagers], "wager", where=book.id)
    for wager in book.wagers:
        tables = book.paytables.get(wager.name)
        if tables == {} or (tables is None and wager.paid_on is not None):
            raise Refusal(
                f"{wager.title} has no table under paytables.{wager.name} that it is paid by",
                book.cite(wager.paytables_clause or wager.clause),
            )


def _refuse_unmade(book: Rulebook) -> None:
    """What a street makes is a wager of the book, and what adds to another is made on a street."""
    made = {street.wager for street in book.streets if street.wager is not None}
    plays = {wager.name for wager in book.plays}
    for street in book.streets:
        if street.wager is not None and street.wager not in plays:
            raise Refusal(
                f"{street.name} makes {quoted(street.wager)}, which decides or adds to no wager",
                book.cite(street.clause),
            )
    for wager in book.plays:
        if wager.adds_to is not None and (wager.decides is not None or wager.name not in made):
            raise Refusal(
                f"{wager.title} adds to {quoted(wager.adds_to)}, but no street makes it",
                book.cite(wager.clause),
            )


def _refuse_unseen(game: Game, book: Rulebook) -> None:
    """Every wager must be judged by something its game can see."""
    chosen = book.progressive is not None and book.progressive.hands
    known = {"contest", *game.looks, *({"progressive hand"} if chosen else ())}
    for wager in book.wagers:
        if wager.judged_by not in known:
            raise Refusal(
                f'{game.name} cannot see "{wager.judged_by}" for {wager.title}',
                book.cite(wager.clause),
            )


def _refuse_unranked(game: Game, book: Rulebook) -> None:
    """What the dealer needs must be a hand of the game, in words that a dealer would use."""
    needs = book.contest.dealer_needs
    if needs is None:
        return
    try:
        game.ranking.least(needs.hand)
    except ValueError:
        raise Refusal(
            f'{game.name} knows no hand called "{needs.hand}"; write {least_hands(game)}',
            book.cite(needs.clause),
        ) from None


@cache
def the_registry() -> Registry:
    """The games and rulebooks that ship with the product."""
    return readable_registry(games_in(games.__name__, games.__path__), shipped_volumes())


def games_in(package: str, folders: Iterable[str]) -> list[Game]:
    """Every game in a package: the ``GAME`` of each module that has one."""
    modules = [
        importlib.import_module(f"{package}.{found.name}")
        for found in pkgutil.iter_modules(list(folders))
    ]
    return [module.GAME for module in modules if hasattr(module, "GAME")]
