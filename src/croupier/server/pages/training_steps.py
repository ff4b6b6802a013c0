"""What the hands of a dealer in training need to know of the deck, told before they do it.

Only a training table has a deck to handle; at the others a sealed shuffle is spared all of this
(ruling 38, and ``checklist``).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.rulebook.book import WayOfDealing
from croupier.table.handlers.opening import opening_stages
from croupier.table.handlers.stub_count import MISDEALT, NOT_WHOLE
from croupier.table.state import DeckStage
from croupier.table.terms import Terms


class OpeningStep(msgspec.Struct, frozen=True):
    """A stage of the opening, by what is done to reach it, and by what clause."""

    says: str
    clause: str


class CountFacts(msgspec.Struct, frozen=True):
    """The stub counted in one way of dealing: ``rounds`` is how often it falls due, 0 for never;
    then the clauses of a right count, of cards that lie wrong, and of a wrong number."""

    rounds: int
    clause: str
    right: str
    misdealt: str
    wrong: str


class Handling(msgspec.Struct, frozen=True):
    """``cut`` are the fewest and the most cards from the top; ``hours`` how long a deck is used,
    by way of dealing; ``finds`` and ``two_decks`` the clauses about a shuffler that finds a wrong
    number, and about decks that need one."""

    cards: int
    opening: tuple[OpeningStep, ...]
    cut: tuple[int, int]
    cut_clause: str
    counts: dict[str, CountFacts]
    hours: dict[str, tuple[int, str]]
    finds: str
    two_decks: str


class Held(msgspec.Struct, frozen=True):
    """What waits for the floorperson after a count that is not right."""

    happens: str
    remedy: str
    clause: str


def handling_of(terms: Terms) -> Handling | None:
    """Nothing where no hand is near a card."""
    if terms.electronic_shoe:
        return None
    book, rule = terms.book, terms.book.shuffle
    return Handling(
        cards=book.deck.cards.count,
        opening=tuple(_opening(terms)),
        cut=(rule.cut_least.count, rule.cut_most.count),
        cut_clause=book.cite(rule.cut_least.clause),
        counts={name: _count(terms, way) for name, way in terms.ways.items()},
        hours={name: _hours(terms, way) for name, way in terms.ways.items()},
        finds=book.cite(rule.counting_shuffler_finds_wrong_count.clause),
        two_decks=book.cite(book.deck.decks_with_shuffler.clause),
    )


def held_after_counts(terms: Terms) -> dict[str, Held]:
    """Each by the name under which it waits."""
    cards, by = terms.book.deck.cards.count, terms.ways[terms.way].procedure
    cite = terms.book.cite
    gone = "the round is void, every wager goes back, and the deck leaves the table"
    lies = f"the count found all {cards} cards, but not where they belong"
    back = "the round is void, and every wager goes back"
    return {
        MISDEALT: Held(lies, back, cite(by.stub_misdealt_clause)),
        NOT_WHOLE: Held(f"the count did not find {cards} cards", gone, cite(by.stub_wrong_clause)),
    }


def _opening(terms: Terms) -> Iterator[OpeningStep]:
    book, by = terms.book, terms.book.procedure
    covers = book.deck.cover_cards.count
    alike = f"Dealer: inspect it, all cards alike, {covers} cover card{'s' if covers > 1 else ''}"
    by_hand = "shuffled" in opening_stages(terms)
    last = ("Cut it", by.must_cut_clause)
    said: dict[DeckStage, tuple[str, str]] = {
        "received": ("A deck is received", by.inspect_clause),
        "inspected": (alike, by.alike_clause),
        "verified": ("Floorperson: verify the inspection", by.inspect_clause),
        "spread": ("Spread it face up for the first player", by.spread_clause),
        "washed": ("Turn it face down and wash it", by.wash_clause),
        "stacked": ("Stack it", by.stack_clause),
        "shuffled": ("Shuffle it", by.first_shuffle_clause),
        "ready": last if by_hand else ("The device shuffles it", by.by_device_clause),
    }
    for stage in opening_stages(terms):
        says, clause = said[stage]
        yield OpeningStep(says, book.cite(clause))


def _count(terms: Terms, way: WayOfDealing) -> CountFacts:
    cite, by, rule = terms.book.cite, way.procedure, way.stub_count
    counted = terms.shuffler_counts and bool(terms.machines(way))
    return CountFacts(
        rounds=rule.rounds if rule is not None and not counted else 0,
        clause=cite(rule.clause if rule is not None else by.stub_right_clause),
        right=cite(by.stub_right_clause),
        misdealt=cite(by.stub_misdealt_clause),
        wrong=cite(by.stub_wrong_clause),
    )


def _hours(terms: Terms, way: WayOfDealing) -> tuple[int, str]:
    deck = terms.book.deck
    rule = deck.change_hours_by_hand if way.held_in == "hand" else deck.change_hours_otherwise
    return rule.count, terms.book.cite(rule.clause)
