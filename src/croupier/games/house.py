"""The house: every game and every rulebook on offer, found by looking into the folders."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from croupier import games
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.games.game import Game
from croupier.rulebook.book import Rulebook
from croupier.rulebook.shelf import shipped_books


@dataclass(frozen=True)
class House:
    games: Mapping[str, Game]
    books: Mapping[str, Rulebook]

    def book(self, book_id: str) -> Rulebook:
        if book_id not in self.books:
            known = ", ".join(self.books)
            raise Unreadable(f"there is no rulebook {quoted(book_id)}; choose one of {known}")
        return self.books[book_id]

    def game_of(self, book: Rulebook) -> Game:
        return self.games[book.game]


def open_house(games: Iterable[Game], books: Iterable[Rulebook]) -> House:
    """A house whose books fit its games: every wager is judged by something its game can see."""
    house = House({game.id: game for game in games}, {book.id: book for book in books})
    for book in house.books.values():
        game = house.games[book.game]
        known = {"contest", *game.looks, *_chosen_looks(book)}
        for wager in book.wagers:
            if wager.judged_by not in known:
                raise Refusal(
                    f'{game.name} cannot see "{wager.judged_by}" for {wager.title}',
                    book.cite(wager.clause),
                )
    return house


def _chosen_looks(book: Rulebook) -> set[str]:
    chosen = book.progressive is not None and book.progressive.hands
    return {"progressive hand"} if chosen else set()


@cache
def the_house() -> House:
    """The games and rulebooks that ship with the product."""
    modules = [
        importlib.import_module(f"{games.__name__}.{found.name}")
        for found in pkgutil.iter_modules(games.__path__)
    ]
    return open_house([m.GAME for m in modules if hasattr(m, "GAME")], shipped_books())
