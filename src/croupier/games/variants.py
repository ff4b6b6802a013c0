"""Variants of a rulebook: one of its rules said otherwise, by ``KEY=VALUE`` or in a file over it.

A variant's id is its book's, then in brackets what is varied, so that whatever prints or hashes a
rulebook names the variant. What it changes cites no clause. A value that the book has already makes
no variant of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from msgspec.structs import replace

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, cents, dollars, money
from croupier.facts.names import known_name
from croupier.facts.toml_text import read_toml
from croupier.games.game import Game, least_hands
from croupier.games.registry import Registry, refuse_unfit
from croupier.rulebook.book import (
    MOST_MULTIPLE,
    VARIED,
    Cited,
    DealerNeeds,
    Rulebook,
    Street,
    Wager,
)
from croupier.rulebook.loader import book_of, read_document, shipped_volumes, write_out_lines
from croupier.rulebook.overlay import overlaid, where_written

LEAST_LIMIT, MOST_LIMIT = 1_00, 1_000_000_000_00
_LIMITS = f"dollars, from {dollars(LEAST_LIMIT)} to {dollars(MOST_LIMIT)}"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_WAYS_TO_SAY = {"two pairs": "two pair", "high card": "none"}
RuleChange = Callable[[Rulebook, str], tuple[str, Rulebook]]
"""A book and a value as it was written; the value as it is kept, and the book with it."""


@dataclass(frozen=True)
class Variation:
    """One rule that may be varied: its name, what it means, and the values it may have."""

    name: str
    means: str
    values: str
    change: RuleChange


def variations_of(game: Game, book: Rulebook) -> dict[str, Variation]:
    """By name: everything that may be varied in a book, in the order in which ids list it."""
    ante = _decided(book)
    found = [
        Variation(
            "qualifier",
            "the least hand with which the dealer opens",
            "none, a card (ace high), a pair (pair of fours) or a kind of hand (two pairs)",
            lambda book, value: _qualifier(game, book, value),
        ),
        *(_street(book, street) for street in book.streets if street.least_multiple is None),
        Variation(
            "tie",
            "what equal hands do to the wagers against the dealer",
            "lose, push or win",
            _tie,
        ),
    ]
    if ante is not None:
        found.append(
            Variation(
                f"{ante.name}.unqualified",
                f"what a dealer who does not open does to the {ante.title}",
                "push or win",
                lambda book, value: _unqualified(book, ante.name, value),
            )
        )
    for wager in book.wagers:
        found += _side(wager) if wager.optional else ()
    if book.payout_limit is not None:
        found.append(
            Variation(
                "payout_limit",
                "the most that one hand is paid, for an Ante in dollars",
                _LIMITS,
                _payout_limit,
            )
        )
    return {variation.name: variation for variation in found}


def varied(registry: Registry, book: Rulebook, chosen: Mapping[str, str]) -> Rulebook:
    """The book with these rules said otherwise; a name or a value nobody knows is refused."""
    known = variations_of(registry.game_of(book), book)
    for name in chosen:
        known_name(name, known, "rule to vary", where=book.id)
    told = [book.id[len(book.shelf_id) + 1 : -1]] if book.is_variant else []
    for name, variation in known.items():
        if name in chosen:
            value, changed = variation.change(book, chosen[name].strip())
            told += [f"{name}={value}"] if _differ(changed, book) else []
            book = changed
    if not told:
        return book
    book = replace(book, id=f"{book.shelf_id}[{'; '.join(told)}]")
    refuse_unfit(registry, book)
    return book


def _differ(one: Rulebook, other: Rulebook) -> bool:
    """Books are compared by identity, so their rules are compared here."""
    return any(getattr(one, name) != getattr(other, name) for name in one.__struct_fields__)


def book_over(registry: Registry, text: str, where: str) -> Rulebook:
    """The variant that a file writes over the shipped book it names as its ``base``."""
    document = read_toml(text)
    base_id, name = document.pop("base", None), document.pop("name", where)
    if not isinstance(base_id, str):
        raise Unreadable('a book over another names that one first, like base = "UTH-S"')
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Unreadable(
            f"{quoted(name)} is no name for a variant; write name with up to 40 letters"
        )
    base = registry.book(base_id)
    for key in ("id", "game", "trace", "comes_with", "regulated", "shelf_place"):
        if key in document:
            raise Unreadable(f"a book over {base.id} has its {key} from there; leave it out")
    write_out_lines(document, VARIED)
    volume = next(v for v in shipped_volumes() if read_toml(v.text).get("id") == base.id)
    printed = read_document(volume.text)
    merged = overlaid(printed, document, VARIED)
    _keep_rulings(merged, printed)
    if merged == printed:
        raise Unreadable(f"nothing here differs from {base.id}")
    merged["id"] = f"{base.id}[{name}]"
    if "trace" in merged:
        merged["trace"][VARIED] = {"status": "enforced", "means": "What the variant changes."}
    try:
        book = book_of(merged, volume.trace)
    except Unreadable as error:
        raise Unreadable(where_written(str(error), merged, document)) from None
    refuse_unfit(registry, book)
    return book


def _keep_rulings(merged: dict[str, Any], printed: Mapping[str, Any]) -> None:
    """A rule that our reading explains as a whole is still explained by it when it is varied."""
    for key, rule in printed.items():
        if isinstance(rule, dict) and "ruling" in rule and isinstance(merged.get(key), dict):
            merged[key].setdefault("ruling", rule["ruling"])


def varied_limit_cents(book: Rulebook) -> Cents | None:
    """The payout limit of a variant that has one of its own."""
    rule = book.payout_limit
    return cents(rule.least) if rule is not None and rule.least_clause == VARIED else None


def chosen_variations(written: Iterable[str]) -> dict[str, str]:
    """Every KEY=VALUE as people type it; a key that stands there twice is refused."""
    chosen: dict[str, str] = {}
    for choice in written:
        name, equals, value = choice.partition("=")
        if not equals or not name.strip():
            raise Unreadable(f"{quoted(choice)} varies nothing; write it like tie=lose")
        if name.strip() in chosen:
            raise Unreadable(f"{quoted(name.strip())} is varied twice; write it once")
        chosen[name.strip()] = value
    return chosen


def _refuse(name: str, value: str, values: str) -> Unreadable:
    return Unreadable(f"{name} cannot be {quoted(value)}; write {values}")


def _decided(book: Rulebook) -> Wager | None:
    """The wager that every decision is about, if it is judged against the dealer."""
    name = next((wager.decides for wager in book.wagers if wager.decides is not None), None)
    return book.wager(name) if name is not None and book.has_wager(name) else None


def _qualifier(game: Game, book: Rulebook, value: str) -> tuple[str, Rulebook]:
    said = " ".join(value.lower().split())
    hand, contest = _WAYS_TO_SAY.get(said, said), book.contest
    if hand == "none":
        return hand, replace(book, contest=replace(contest, dealer_needs=None))
    try:
        game.ranking.least(hand)
    except ValueError:
        raise _refuse("qualifier", value, f"none, {least_hands(game)}") from None
    if contest.dealer_needs is not None and contest.dealer_needs.hand == hand:
        return hand, book
    ante = _decided(book)
    needs = contest.dealer_needs or DealerNeeds(
        clause=VARIED, hand=hand, pushes=(ante.name,) if ante is not None else ()
    )
    needs = replace(needs, hand=hand, clause=VARIED, ruling=None)
    return hand, replace(book, contest=replace(contest, dealer_needs=needs))


def _street(book: Rulebook, street: Street) -> Variation:
    bet = book.played_on(street).title

    def change(book: Rulebook, value: str) -> tuple[str, Rulebook]:
        multiples = _multiples(street.key, value)
        said = ",".join(map(str, multiples)) or "none"
        if {*multiples} == {*street.multiples}:
            return said, book
        other = replace(street, multiples=tuple(reversed(multiples)), clause=VARIED)
        streets = tuple(other if each.name == street.name else each for each in book.streets)
        return said, replace(book, streets=streets)

    return Variation(
        street.key,
        f"the sizes of {bet} on this street",
        f"multiples of the Ante (5,4,3), from 1 to {MOST_MULTIPLE}, or none",
        change,
    )


def _multiples(name: str, value: str) -> tuple[int, ...]:
    """From the largest to the smallest."""
    words = [word.strip() for word in value.split(",")] if value not in ("", "none") else []
    if not all(word.isascii() and word.isdigit() for word in words):
        raise _refuse(name, value, "whole multiples of the Ante, like 5,4,3, or none")
    found = [int(word) if len(word) < 9 else MOST_MULTIPLE + 1 for word in words]
    if not all(1 <= each <= MOST_MULTIPLE for each in found):
        raise _refuse(name, value, f"multiples of the Ante from 1 to {MOST_MULTIPLE}, like 5,4,3")
    if len({*found}) < len(found):
        raise _refuse(name, value, "each multiple once, like 5,4,3")
    return tuple(sorted(found, reverse=True))


def _tie(book: Rulebook, value: str) -> tuple[str, Rulebook]:
    if value not in ("lose", "push", "win"):
        raise _refuse("tie", value, "lose, push or win")
    tie = book.contest.tie
    if tie.outcome == value:
        return value, book
    outcome = cast(Literal["win", "push", "lose"], value)
    other = replace(tie, outcome=outcome, clause=VARIED, ruling=None)
    return value, replace(book, contest=replace(book.contest, tie=other))


def _unqualified(book: Rulebook, ante: str, value: str) -> tuple[str, Rulebook]:
    if value not in ("push", "win"):
        raise _refuse(f"{ante}.unqualified", value, "push or win")
    needs = book.contest.dealer_needs
    if needs is None:
        raise Unreadable(
            f"the dealer of {book.id} always opens, so {ante}.unqualified decides nothing; "
            "vary the qualifier too, or leave it out"
        )
    pushes = tuple(name for name in needs.pushes if name != ante)
    wins = tuple(name for name in needs.wins if name != ante)
    if value == "push":
        pushes = (ante, *pushes)
    else:
        wins = (ante, *wins)
    if ({*pushes}, {*wins}) == ({*needs.pushes}, {*needs.wins}):
        return value, book
    other = replace(needs, pushes=pushes, wins=wins, clause=VARIED, ruling=None)
    return value, replace(book, contest=replace(book.contest, dealer_needs=other))


def _side(wager: Wager) -> tuple[Variation, ...]:
    def with_wager(book: Rulebook, other: Wager) -> Rulebook:
        wagers = (other if each.name == wager.name else each for each in book.wagers)
        return replace(book, wagers=tuple(wagers))

    def fold(book: Rulebook, value: str) -> tuple[str, Rulebook]:
        if value not in ("forfeit", "stays"):
            raise _refuse(f"{wager.name}.fold", value, "forfeit or stays")
        now = book.wager(wager.name)
        if now.fold.outcome == value:
            return value, book
        outcome = cast(Literal["forfeit", "stays"], value)
        rule = replace(now.fold, outcome=outcome, clause=VARIED, ruling=None)
        return value, with_wager(book, replace(now, fold=rule))

    def needs(book: Rulebook, value: str) -> tuple[str, Rulebook]:
        if value not in ("win", "nothing"):
            raise _refuse(f"{wager.name}.needs", value, "win or nothing")
        now = book.wager(wager.name)
        must_win = Cited(VARIED) if value == "win" else None
        if (now.must_win is None) is (must_win is None):
            return value, book
        return value, with_wager(book, replace(now, must_win=must_win))

    return (
        Variation(
            f"{wager.name}.fold", f"what a fold does to {wager.title}", "forfeit or stays", fold
        ),
        Variation(
            f"{wager.name}.needs",
            f"what {wager.title} needs beside its hand: win is paid only when it beats the "
            "dealer's, and a tie pushes",
            "win or nothing",
            needs,
        ),
    )


def _payout_limit(book: Rulebook, value: str) -> tuple[str, Rulebook]:
    assert book.payout_limit is not None, "only a book with a payout limit lists it"
    try:
        limit = cents(value if value.startswith("$") else f"${value}")
    except ValueError:
        limit = Cents(0)
    if not LEAST_LIMIT <= limit <= MOST_LIMIT:
        raise _refuse("payout_limit", value, f"{_LIMITS}, like 50000")
    said = money(limit)
    rule = replace(book.payout_limit, least=said, clause=VARIED, least_clause=VARIED)
    return said.replace(",", "").removeprefix("$"), replace(book, payout_limit=rule)
