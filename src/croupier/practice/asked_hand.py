"""A hand that somebody asks about: cards put where they lie, and the question they belong to."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.facts.cards import cards
from croupier.facts.errors import Unreadable
from croupier.practice.coach import Position, Worth
from croupier.practice.explanation import Explanation
from croupier.rulebook.book import Rulebook

MOST_DEAD = 12


class CardPlace(msgspec.Struct, frozen=True):
    """``counts`` are the numbers of cards that may lie there, the least first."""

    name: str
    title: str
    counts: tuple[int, ...]


class AskedHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``known`` are cards of the dealer that lie face down, ``dead`` those out of play."""

    own: tuple[str, ...]
    board: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()


class HandAnswer(msgspec.Struct, frozen=True):
    """``street`` is the question that is put with these cards in sight."""

    street: str
    worths: tuple[Worth, ...]
    why: Explanation | None


def card_places(book: Rulebook) -> tuple[CardPlace, ...]:
    """Where cards can be put to ask about a hand of this book; only what it has is there."""
    return tuple(place for place in _places(book) if place.counts != (0,))


def _places(book: Rulebook) -> Iterator[CardPlace]:
    shown = [book.dealing[0].face_up(street.name) for street in book.streets]
    ups = tuple(sorted({each["dealer"] for each in shown}))
    down = book.place("dealer").cards - max(ups)
    yield CardPlace("own", "Your cards", (book.place("box").cards,))
    yield CardPlace("board", "Board", tuple(sorted({each["board"] for each in shown})))
    yield CardPlace("up", "Dealer shows", ups)
    yield CardPlace("known", "Dealer's, known", tuple(range(down + 1)))
    yield CardPlace("dead", "Out of play", tuple(range(MOST_DEAD + 1)))


def position_of(book: Rulebook, asked: AskedHand) -> Position:
    """The question that is put with these cards in sight; Unreadable where there is none."""
    lying = {name: _names(getattr(asked, name)) for name in ("own", "board", "up", "known", "dead")}
    own, board, up, known, dead = lying.values()
    if len({*own, *board, *up, *known, *dead}) < sum(map(len, lying.values())):
        raise Unreadable("a card is there twice; a deck has one of each")
    for place in card_places(book):
        if len(lying.pop(place.name)) not in place.counts:
            said = " or ".join(map(str, place.counts)) if len(place.counts) < 4 else "fewer"
            raise Unreadable(f"{place.title}: {said} cards can lie there")
    if any(lying.values()):
        raise Unreadable("this game has no such place for cards")
    for street in book.streets:
        shown = book.dealing[0].face_up(street.name)
        if (shown["board"], shown["dealer"]) == (len(board), len(up)):
            return Position(street.name, own, board, "".join(up), known, dead)
    raise Unreadable("nothing is asked with so many cards in sight")


def _names(written: tuple[str, ...]) -> tuple[str, ...]:
    """As a deck has them, however they were written."""
    return tuple(map(str, cards(" ".join(written))))
