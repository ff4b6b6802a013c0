"""A book that a solver was not written for is refused by name, or its figure is right.

Every key of every shipped book that can decide a figure is changed, one by one. The changed book
cannot be read, or is refused with the key, or is solved as plain enumeration through settlement
solves it on a small deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np
import pytest

from croupier.exact import four_card, generic, holdem, holdem_bets
from croupier.exact.advice import advise
from croupier.exact.assumptions import base_facts, kernel_of, refuse_base, refuse_sides, side_facts
from croupier.exact.kernels import four_card as four_card_kernel
from croupier.exact.kernels import holdem as holdem_kernel
from croupier.exact.kernels import holdem_bets as bets_kernel
from croupier.exact.kernels.showdowns import showdowns
from croupier.exact.solve import solve
from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.names import known_entry
from croupier.games.registry import open_registry, the_registry
from croupier.games.rules import Rules, bind, first_letters
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Rulebook
from croupier.rulebook.loader import book_of, read_book, read_document
from tests.exact.plain_round import Plain, holdem_deals

FARES = ("unread", "refused", "the same", "solved")
Document = dict[str, Any]
Path = tuple[str | int, ...]
BOOKS = ("UTH-S", "UTH-14", "FCP-14", "TCP-1", "CH-1", "THB-1")
DECKS = {
    GameShape.HOLDEM: "Ts Js Qs Ks Th 2d As Ah Ac",
    GameShape.HOLDEM_BETS: "Ts Js Qs Ks Th 2d As Ah Ac",
    GameShape.FOUR_CARD: "2c3c4c5c 2d3d4d5d 2h3h 2s",
    GameShape.OWN_CARDS: "2c3c4c Qd 2d Ah Kh Qh",
}

# Keys of a rulebook by whether they can decide a figure; a new one has to be put somewhere.
DECIDE = {"deck", "places", "streets", "opening", "contest", "wagers", "dealing", "paytables"}
ASIDE = {"progressive", "envy_bonus", "envy"}  # of wagers beside the base game
NEVER = {
    "id", "game", "title", "edition", "table", "shuffle", "irregularities", "refusals", "procedure",
    "payout_limit", "own_trace", "trace_text", "shelf_place", "regulated", "comes_with",
}  # fmt: skip
# Words that name a rule, a person or a thing and decide nothing
NAMES = (
    "clause", "ruling", "title", "way", "held_in", "procedure", "devices", "shuffler", "reshuffles",
    "stub_count", "cover_cards", "decks_with_shuffler", "change_hours_by_hand", "order",
    "change_hours_otherwise", "judged_ruling", "wins_clause", "loses",
)  # fmt: skip
OTHERS: dict[str, tuple[object, ...]] = {
    "outcome": ("win", "push", "lose", "forfeit", "stays", "none"),
    "otherwise": ("check", "fold"),
    "hand": ("ace high", "queen high", "high card", "pair", "two pair", "rubbish"),
    "judged_by": ("contest", "board", "five cards", "four-card hand", "final hand", "three cards"),
    "odds": ("2 to 1", "3 to 2", "3 for 1", "$5", "push"),
    "pays": ("2 to 1", "3 to 2", "3 for 1", "$5", "push"),
    "for": ("pair", "super royal", "royal flush"),
    "face": ("up", "down"),
    "to": ("boxes", "dealer", "board", "burn"),
    "decides": ("ante", "blind", "trips"),
    "equals": ("ante", "play"),
    "paid_on": ("ante", "play"),
    "only_for": ("trips", "six_card_bonus", "aces_up"),
    "name": ("other",),
    "after": ("before the flop", "flop", "play"),
}


ADDED: dict[str, dict[str | int, tuple[object, ...]]] = {
    "optional": {"wagers": (True,)},
    "equals": {"wagers": ("ante", "play")},
    "decides": {"wagers": ("ante",)},
    "adds_to": {"wagers": ("ante",)},
    "paid_on": {"wagers": ("ante", "play")},
    "needs": {"wagers": (["play"], ["ante"])},
    "needs_any": {"wagers": (["ante"],)},
    "pays": {"wagers": ({"odds": "2 to 1", "clause": "x"},)},
    "only_for": {"places": ("six_card_bonus",)},
    "multiples": {"streets": ([2],)},
    "least_multiple": {"streets": (1,)},
    "most_multiple": {"streets": (2,)},
    "wins": {"contest": (["play"],)},
}


def rules_of(document: Document) -> Rules:
    """The Rules of a book as it would be opened in a house."""
    book = book_of(document)
    game = known_entry(book.game, the_registry().games, "game")
    return bind(open_registry([game], [book]).games[book.game], book, first_letters(book))


def document_of(book_id: str) -> Document:
    text = (files("croupier.rulebook") / "books" / f"{book_id}.toml").read_text("utf-8")
    return read_document(text)


def changed(document: Document, path: Path, value: object) -> Document:
    """A copy in which another value stands at this path; None where nothing stands."""
    copy = msgspec.json.decode(msgspec.json.encode(document))
    at: Any = copy
    for part in path[:-1]:
        at = at[part]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return copy  # type: ignore[no-any-return]


def mutants(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    """Each way in which something at or below this path can be another."""
    last = next((part for part in reversed(path) if isinstance(part, str)), "")
    if last in NAMES or last.endswith("_clause"):
        return
    if isinstance(value, dict):
        yield from mutants_of_table(value, path)
    elif isinstance(value, list):
        yield from mutants_of_list(value, path)
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield from ((path, value + step) for step in (-1, 1))
    else:
        others = OTHERS.get(last, ()) if isinstance(value, str) or value is None else ()
        yield from ((path, other) for other in others if other != value)


def mutants_of_table(table: Document, path: Path) -> Iterator[tuple[Path, object]]:
    for key, more in ADDED.items():
        if key not in table and len(path) == 2 and path[0] in more:
            yield from (((*path, key), other) for other in more[path[0]])
    for key, below in table.items():
        yield from mutants(below, (*path, key))
        if key not in NAMES and not key.endswith("_clause"):
            yield (*path, key), None


def mutants_of_list(values: list[Any], path: Path) -> Iterator[tuple[Path, object]]:
    for number, below in enumerate(values):
        yield from mutants(below, (*path, number))
        yield (*path, number), None
    if values and all(isinstance(each, str) for each in values):
        yield from ((path, [*values, more]) for more in ("play", "ante") if more not in values)
    if values and all(isinstance(each, int) for each in values):
        yield path, [*values, max(values) + 1]


def every_mutant(book_id: str) -> list[tuple[Path, object]]:
    document = document_of(book_id)
    base = {wager["name"] for wager in document["wagers"] if not wager.get("optional")}
    found = [mutant for key in DECIDE for mutant in mutants(document[key], (key,))]
    return sorted(
        (
            (path, value)
            for path, value in found
            if path[0] != "paytables" or (len(path) > 1 and path[1] in base)
        ),
        key=repr,
    )


def kernel_ev(rules: Rules) -> Fraction:
    """What the solver of the game says of one Ante on the small deck."""
    shape = shape_of(rules)
    deck = cards(DECKS[shape])
    numbers = tuple(sorted(card.number for card in deck))
    if shape is GameShape.HOLDEM_BETS:
        bets, _ = holdem_bets.kernel_game(rules)
        sums = bets_kernel.decide(bets, numbers).start_values.max(axis=1)
        return Fraction(sum(map(int, sums)), bets.denominator * 2 * holdem_deals(len(deck)))
    if shape is GameShape.HOLDEM:
        game, _ = holdem.kernel_game(rules)
        best = holdem_kernel.decide(game, numbers).start_values.max(axis=1)
        return Fraction(sum(map(int, best)), game.denominator * holdem_deals(len(deck)))
    if shape is GameShape.FOUR_CARD:
        shown = showdowns(np.array(numbers, dtype=np.uint8))
        actions = four_card_kernel.best_actions(shown, four_card.stakes_of(rules))
        return four_card.played(rules, shown, actions).ev
    return generic.solve_base(rules, deck).base.ev


def judged(document: Document, path: Path, value: object) -> str:
    """How a changed book fares; a wrong figure fails here."""
    try:
        rules = rules_of(changed(document, path, value))
    except (Unreadable, Refusal) as error:  # any other is the reader's fault, and fails here
        return "unread" if names_key(str(error), path) else f"{path} = {value}: {error}"
    try:
        refuse_base(rules)
    except Refusal as refusal:
        return "refused" if kernel_of(rules).name in refusal.sentence else str(refusal)
    try:
        refuse_sides(rules)
    except Refusal:
        return "refused"
    if unchanged(rules, document):
        return "the same"
    plain = Plain(rules, cards(DECKS[shape_of(rules)])).ev
    counted = kernel_ev(rules)
    return "solved" if counted == plain else f"{path} = {value}: {counted} counted, truly {plain}"


def names_key(sentence: str, path: Path) -> bool:
    """Whether a sentence says where a book is wrong: by a key on the path, or by a clause."""
    keys = [str(key) for key in path if isinstance(key, str)]
    return any(key in sentence for key in keys) or any(book in sentence for book in BOOKS)


def what_is_wrong(document: Document) -> str | None:
    try:
        rules_of(document)
    except (Unreadable, Refusal) as error:
        return str(error)
    return None


def test_a_book_that_cannot_be_read_says_so_in_one_sentence() -> None:
    """Every fifth change of every book, as ``make prove`` reads them all; what is paid on nothing
    is refused as well."""
    for book_id in BOOKS:
        document = document_of(book_id)
        for path, value in every_mutant(book_id)[::5]:
            sentence = what_is_wrong(changed(document, path, value))
            assert sentence is None or names_key(sentence, path), (path, value, sentence)
            assert sentence is None or "\n" not in sentence
        for path, value in (
            (("wagers", number), None) for number in range(len(document["wagers"]))
        ):
            sentence = what_is_wrong(changed(document, path, value))
            assert sentence is None or names_key(sentence, path), (path, sentence)
    for text in ("not toml =", 'id = "X"\n', ""):
        with pytest.raises(Unreadable):
            read_book(text)


def unchanged(rules: Rules, document: Document) -> bool:
    """Whether nothing of the base game is other than in the shipped book."""
    shipped = rules_of(document)
    told = [
        (
            rules.book.places,
            [msgspec.structs.replace(s, name="") for s in rules.book.streets],
            rules.book.contest,
            [wager for wager in rules.book.wagers if not wager.optional],
            rules.paytables,
        )
        for rules in (rules, shipped)
    ]
    return told[0] == told[1]


def test_every_key_of_a_rulebook_is_known_here() -> None:
    keys = {field.name for field in msgspec.structs.fields(Rulebook)}
    assert keys == DECIDE | ASIDE | NEVER


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_figure_of_a_changed_book_is_right_or_refused(book_id: str) -> None:
    """A sample of all changes, the same each time; ``make prove`` tries every one."""
    check_mutants(book_id, lambda number: number % 27 == 4)


@pytest.mark.prove
@pytest.mark.parametrize("book_id", BOOKS)
def test_every_change_of_every_book(book_id: str) -> None:
    check_mutants(book_id, lambda number: True)


def check_mutants(book_id: str, wanted: Callable[[int], bool]) -> None:
    document, every = document_of(book_id), every_mutant(book_id)
    chosen = [each for number, each in enumerate(every) if wanted(number)]
    fared = [judged(document, path, value) for path, value in chosen]
    assert [each for each in fared if each not in FARES] == []
    assert len(chosen) > 7
    assert fared.count("refused") > 1


REFUSED: list[tuple[str, Path, object, str]] = [
    ("UTH-S", ("contest", "dealer_needs", "pushes"), ["trips"], 'pushes is "trips"'),
    ("UTH-S", ("streets", 0, "otherwise"), "fold", 'streets.1.otherwise is "fold"'),
    ("UTH-S", ("streets", 2, "otherwise"), "check", 'streets.3.otherwise is "check"'),
    ("UTH-S", ("streets", 0, "multiples"), [0, 4], 'streets.1.sizes is "no such sizes"'),
    ("UTH-S", ("streets", 2), None, 'streets.2.otherwise is "check"'),
    ("UTH-S", ("deck", "cards", "count"), 53, 'deck.cards is "53"'),
    ("UTH-S", ("places", 2, "cards"), 4, 'places.board.cards is "4"'),
    ("UTH-S", ("wagers", 0, "fold", "outcome"), "stays", 'wagers.ante.fold.outcome is "stays"'),
    ("UTH-S", ("wagers", 0, "pays", "odds"), "$5", 'wagers.ante.pays.odds is "$5'),
    ("UTH-S", ("wagers", 1, "equals"), None, 'wagers.blind.equals is "none"'),
    ("UTH-S", ("wagers", 6, "fold", "outcome"), "forfeit", 'bad_beat.fold.outcome is "forfeit"'),
    ("UTH-S", ("wagers", 3, "judged_by"), "six cards", 'trips.judged_by is "six cards, dealt for'),
    ("UTH-S", ("wagers", 3, "needs"), ["play"], 'wagers.trips.needs is "play"'),
    ("UTH-S", ("envy_bonus", "folded_holder"), "never", 'envy_bonus.folded_holder is "never"'),
    (
        *("FCP-14", ("envy_bonus", "folded_holder"), "with an open wager"),
        'folded_holder is "with an open wager, which the Progressive is not"',
    ),
    ("FCP-14", ("wagers", 1, "pays", "odds"), "2 to 1", 'wagers.play.pays.odds is "2 to 1"'),
    ("FCP-14", ("wagers", 2, "needs"), [], 'wagers.ante_bonus.needs is "none"'),
    ("FCP-14", ("wagers", 2, "paid_on"), "play", 'wagers.ante_bonus.paid_on is "play"'),
    ("FCP-14", ("wagers", 2, "judged_by"), "five cards", 'ante_bonus.judged_by is "five cards"'),
    ("FCP-14", ("wagers", 4, "fold", "outcome"), "forfeit", 'bonus.fold.outcome is "forfeit"'),
    ("FCP-14", ("streets", 0, "otherwise"), "check", 'streets.1.otherwise is "check"'),
    ("TCP-1", ("streets", 0, "otherwise"), "check", 'streets.1.otherwise is "check"'),
    ("TCP-1", ("wagers", 3, "fold", "outcome"), "forfeit", 'pair_plus.fold.outcome is "forfeit"'),
    ("TCP-1", ("contest", "dealer_needs", "pushes"), ["paly"], 'pushes is "paly"'),
    ("CH-1", ("streets", 0, "otherwise"), "check", 'streets.1.otherwise is "check"'),
    ("CH-1", ("places", 2, "only_for"), "bonus", 'places is "2 cards, where a hand has 5"'),
    ("THB-1", ("streets", 0, "multiples"), [2, 3], 'streets.1.sizes is "two sizes"'),
    ("THB-1", ("streets", 1, "otherwise"), "fold", 'streets.2.otherwise is "fold"'),
]


@pytest.mark.parametrize(("book_id", "path", "value", "says"), REFUSED)
def test_what_a_solver_does_not_know_is_refused_by_name(
    book_id: str, path: Path, value: object, says: str
) -> None:
    rules = rules_of(changed(document_of(book_id), path, value))
    with pytest.raises(Refusal) as refused:
        solve(rules)
    assert says in refused.value.sentence
    assert "knows only" in refused.value.sentence
    assert refused.value.clause.startswith(book_id)


def test_advice_is_refused_as_the_solution_is() -> None:
    path = ("contest", "dealer_needs", "pushes")
    rules = rules_of(changed(document_of("UTH-S"), path, ["trips"]))
    with pytest.raises(Refusal, match="trips"):
        advise(rules, lambda: solve(rules), cards("Kd 5c"), cards("Kh 8s 2d"))


@pytest.mark.parametrize("book_id", BOOKS)
def test_shipped_books_are_known(book_id: str) -> None:
    rules = rules_of(document_of(book_id))
    refuse_base(rules)
    refuse_sides(rules)
    assert [*base_facts(rules)]
    assert bool([*side_facts(rules)]) is any(wager.optional for wager in rules.book.wagers)
