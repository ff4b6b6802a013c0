"""Side wagers said otherwise: refused by name, or worth what dealing every deal out says.

Random changes are drawn over what a side wager looks at, what a fold does to it, whether it must
win, its paytable, the Progressive's hands and its Envy, in the base game of some variant. On a
small deck every deal is settled as it is played best; wagers that cards alone decide are counted by
every hand of a whole deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.exact import four_card, generic, holdem, holdem_bets
from croupier.exact.assumptions import kernel_of, refuse_base, refuse_sides
from croupier.exact.endings import Assumed, Endings, net_cents
from croupier.exact.enumeration import DealTable
from croupier.exact.kernels import holdem as holdem_kernel
from croupier.exact.kernels import holdem_bets as bets_kernel
from croupier.exact.kernels.showdowns import showdowns
from croupier.exact.side_wagers import ACES, WITHOUT_A_DEALER, SideTerms
from croupier.exact.solution import EnvyValue, SideValue
from croupier.exact.solve import SOLVERS, SolvedBase, _envy_values, _side_values
from croupier.facts.cards import DECK, Card, Rank, Suit, cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, TWO_CARD, Ranking
from croupier.facts.money import Cents, in_micros, money
from croupier.facts.showings import Showing, is_said_of
from croupier.games.registry import refuse_unfit, the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import (
    ENVY,
    PROGRESSIVE,
    ProgressiveTerms,
    Rules,
    bind,
    first_letters,
)
from croupier.games.shapes import GameShape, shape_of
from croupier.games.variants import varied
from croupier.rulebook.book import Paytable, Rulebook
from croupier.rulebook.loader import book_of, read_paytable
from croupier.table.settlement import settle_box
from tests.exact.plain_round import ANTE, Bets, Deal, Plain
from tests.exact.test_assumptions import document_of

PROVE = pytest.mark.prove
Document = dict[str, Any]
BOOKS = ("UTH-S", "UTH-14", "FCP-14", "TCP-1", "CH-1", "THB-1")
DECKS = {
    GameShape.HOLDEM: (
        "Ts Js Qs Ks Th 2d As Ah Ac",
        "2s 3s 4s 5s 2h 3h 9d 9c As",
        "Kc Kd Kh Qc Qd Ac Ad 2s 2h",
    ),
    GameShape.FOUR_CARD: ("2c3c4c5c 2d3d4d5d 2h3h 2s",),
    GameShape.OWN_CARDS: ("2c3c4c Qd 2d Ah Kh Qh",),
}
DECKS[GameShape.HOLDEM_BETS] = DECKS[GameShape.HOLDEM]
PHRASES = (
    *("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight"),
    *("three of a kind", "two pair", "pair", "pair of nines or better", "pair of aces"),
    *("four aces", "four kings or less", "anything else", "ace and king, same suit"),
    *("red aces", "super royal", "super royal of diamonds", "pair of tens or less"),
    *("player's and dealer's pairs of aces", "ace and queen or jack, different suits"),
)
ODDS = ("1 to 1", "3 to 2", "40 to 1", "3 for 1", "300 for 1", "$25", "push", "1 for 1")
STAKE = Cents(100)
BONUS = {
    "name": "bonus", "title": "Bonus", "judged_by": "final hand", "optional": True,
    "fold": {"outcome": "stays"},
}  # fmt: skip
METER = Cents(2_000_000)


# Changed books


def changed(book_id: str, chance: Random) -> tuple[Rulebook, dict[str, str]]:
    """A book with its side wagers said otherwise, one paytable each, and the base game varied."""
    document = document_of(book_id)
    if not any(wager.get("optional") for wager in document["wagers"]):
        clause = document["wagers"][0]["clause"]
        fold = {"outcome": "stays", "clause": clause}
        document["wagers"].append({**BONUS, "clause": clause, "fold": fold})
        document["paytables"]["bonus"] = {"A": {"clause": clause, "lines": []}}
    sides = [wager for wager in document["wagers"] if wager.get("optional")]
    likely = 0.6 / len(sides)
    letters = {wager["name"]: _other_wager(document, wager, chance, likely) for wager in sides}
    hands = document.get("progressive", {}).get("hands")
    if hands and chance.random() < 0.4:
        document["progressive"]["hands"] = {"final": chance.choice([*hands.values()])}
    if "envy_bonus" in document and chance.random() < 0.4:
        bonus, letter = document["envy_bonus"], letters[PROGRESSIVE]
        bonus["folded_holder"] = chance.choice(("never", "with an open wager"))
        stake = money(STAKE)
        of_letter = document["envy"][letter]
        of_letter[stake] = _other_table(of_letter[stake], chance, ("$300", "$1,000", "$25"))
    book, registry = book_of(document), the_registry()
    base = {"tie": chance.choice(("lose", "push", "win"))} if chance.random() < 0.5 else {}
    refuse_unfit(registry, book)
    return varied(registry, book, base), letters


def _other_wager(document: Document, wager: Document, chance: Random, likely: float) -> str:
    looks = the_registry().games[document["game"]].looks
    if chance.random() < likely and wager["name"] != PROGRESSIVE:
        wager["judged_by"] = chance.choice([*looks])
    if chance.random() < likely:
        wager["fold"] = {**wager["fold"], "outcome": chance.choice(("forfeit", "stays", "none"))}
    if chance.random() < likely:
        wager["must_win"] = {"clause": wager["clause"]}
    tables = document["paytables"][wager["name"]]
    letter: str = chance.choice([*tables])
    more = ("50% of meter", "100% of mega") if wager["name"] == PROGRESSIVE else ()
    if chance.random() < 0.7 or not tables[letter]["lines"]:
        tables[letter] = _other_table(tables[letter], chance, (*ODDS, *more))
    document["paytables"][wager["name"]] = {letter: tables[letter]}
    return letter


def _other_table(table: Document, chance: Random, odds: tuple[str, ...]) -> Document:
    lines = [
        {"for": phrase, "pays": chance.choice(odds), "clause": table["clause"]}
        for phrase in chance.sample(PHRASES, chance.randint(1, 9))
    ]
    drawn = {line["pays"].split(" of ")[1] for line in lines if " of " in line["pays"]}
    meters = sorted("main" if meter == "meter" else meter for meter in drawn)
    told = {key: value for key, value in table.items() if key not in ("lines", "meters")}
    held = {"meters": [{"name": m, "least": "$1,000", "clause": table["clause"]} for m in meters]}
    return {**told, "lines": lines, **(held if meters else {})}


def bound(book: Rulebook, letters: dict[str, str], reading: str | None) -> Rules:
    """The Rules of a table that offers every side wager of this book."""
    terms, chosen = None, {**first_letters(book), **letters}
    if PROGRESSIVE in letters:
        table = book.paytables[PROGRESSIVE][letters[PROGRESSIVE]]
        resets = tuple((meter.name, METER) for meter in table.meters)
        terms = ProgressiveTerms(STAKE, reading, resets=resets)
        chosen |= {ENVY: letters[PROGRESSIVE]} if letters[PROGRESSIVE] in book.envy else {}
    return bind(the_registry().games[book.game], book, chosen, progressive=terms)


# Every deal, settled


Settled = tuple[int, dict[str, int]]
"""What the base game wins or loses in a deal, in cents, and what each side wager does; none that
looks at cards of its own, which are dealt for it alone."""


class PlayedOut(Plain):
    """Every deal as it ends where the base game is played best, of equal ways the smallest."""

    def deals(self) -> Iterator[tuple[Deal, Bets]]:
        for own in combinations(self.deck, self.rules.book.place("box").cards):
            yield from self._ended(list(self._deals(own)), 0, ())[1]

    def _ended(self, deals: list[Deal], at: int, bets: Bets) -> tuple[int, list[tuple[Deal, Bets]]]:
        made = [wager for wager, _ in bets]
        while at < len(self.streets) and self._wager(at) in made:
            at += 1
        if at == len(self.streets):
            return sum(self._net(deal, bets) for deal in deals), [(deal, bets) for deal in deals]
        by_sight: dict[tuple[Card, ...], list[Deal]] = {}
        for deal in deals:
            by_sight.setdefault(sum(deal.seen[: at + 1], ()), []).append(deal)
        ended = [self._best_of(alike, at, bets) for alike in by_sight.values()]
        return sum(total for total, _ in ended), [leaf for _, leaves in ended for leaf in leaves]

    def _best_of(
        self, deals: list[Deal], at: int, bets: Bets
    ) -> tuple[int, list[tuple[Deal, Bets]]]:
        street, waits = self.streets[at], self.streets[at].otherwise == "check"
        sizes = sorted(street.multiples)
        if street.least_multiple is not None and street.most_multiple is not None:
            sizes = [street.least_multiple, street.most_multiple]
        ways = [self._ended(deals, at + 1 if waits else len(self.streets), bets)]
        ways += [self._ended(deals, at + 1, (*bets, (self._wager(at), size))) for size in sizes]
        return max(ways, key=lambda way: way[0])


def settled(rules: Rules, plain: PlayedOut) -> Iterator[Settled]:
    """What each deal brings; Envy is what another box gets for the hand of one that holds the
    Progressive and no other wager beside the base game."""
    sides = [w.name for w in rules.book.wagers if w.optional]
    offered = [name for name in sides if rules.judged_by(name) != "six cards"]
    table = rules.paytable(PROGRESSIVE) if PROGRESSIVE in offered else None
    meters = {m.name: in_micros(METER) for m in table.meters} if table is not None else {}
    beside = dict.fromkeys(offered, STAKE)
    other = FinishedBox(2, (), {PROGRESSIVE: STAKE})
    for deal, bets in plain.deals():
        staked = plain._staked(bets)
        box = FinishedBox(1, deal.own, {**staked, **beside})
        nets = dict.fromkeys([*offered, ENVY], 0)
        base = 0
        for line in settle_box(FinishedRound(rules, deal.lying, (box,)), box, dict(meters)):
            if line.wager in nets:
                nets[line.wager] += line.net_cents
            else:
                base += line.net_cents
        if rules.envy is not None:
            holder = FinishedBox(1, deal.own, {**staked, PROGRESSIVE: STAKE})
            round = FinishedRound(rules, deal.lying, (holder, other))
            lines = settle_box(round, holder, dict(meters))
            nets[ENVY] = sum(line.net_cents for line in lines if line.wager == ENVY)
        yield base, nets


# The solver on the same deck


def solved_on(rules: Rules, deck: str, patch: pytest.MonkeyPatch) -> SolvedBase:
    """What the solver of the game's shape gives, with every kernel told this deck."""
    whole = cards(deck)
    numbers = tuple(sorted(card.number for card in whole))
    for kernel in (holdem_kernel, bets_kernel):
        for name in ("decide", "count"):
            patch.setattr(kernel, name, _on_deck(getattr(kernel, name), numbers))
    for module in (holdem, holdem_bets):
        patch.setattr(module, "hand_values", lambda *asked: ())
    patch.setattr(holdem, "values_by_paytable", lambda solved: ())
    patch.setattr(holdem, "_add_first_two", lambda *asked: None)  # of a whole deck; see below
    small = np.array(numbers, dtype=np.uint8)
    patch.setattr(four_card, "showdowns", lambda progress: showdowns(small))
    patch.setattr(four_card, "hand_values", lambda *asked: ())
    solve_base = generic.solve_base
    patch.setattr(generic, "solve_base", lambda rules, progress: solve_base(rules, whole))
    patch.setattr(generic, "_table", lambda rules: DealTable(rules, tuple(sorted(whole))))
    holdem.forget()
    holdem_bets._DECIDED.clear()
    return SOLVERS[shape_of(rules)](rules, lambda what, done: None)


def _on_deck(counted: Callable[..., Any], numbers: tuple[int, ...]) -> Callable[..., Any]:
    return lambda *asked, **named: counted(*asked, **{**named, "deck": numbers})


def by_net(ends: Endings) -> dict[int, Fraction]:
    """What a stake wins or loses in cents, and how often."""
    meters = {m: in_micros(METER) for m in ("main", "major", "minor", "mega")}
    chances: Counter[int] = Counter()
    for end in ends.endings:
        chances[net_cents(end.odds, STAKE, meters)] += end.ways
    return {net: Fraction(ways, ends.total) for net, ways in chances.items() if ways}


def check(book_id: str, number: int, patch: pytest.MonkeyPatch) -> str:
    chance = Random(f"{book_id} {number}")
    try:
        book, letters = changed(book_id, chance)
        readings = [*book.progressive.hands] if book.progressive is not None else []
        said = chance.choice(readings) if readings else None
        rules = bound(book, letters, said)
    except (Unreadable, Refusal):
        return "unread"
    try:
        refuse_base(rules)
        refuse_sides(rules)
    except Refusal as refusal:
        return "refused" if kernel_of(rules).name in refusal.sentence else refusal.sentence
    deck = DECKS[shape_of(rules)][number % len(DECKS[shape_of(rules)])]
    with patch.context() as small:
        compare(rules, said, deck, small)
    return "solved"


def compare(rules: Rules, said: str | None, deck: str, patch: pytest.MonkeyPatch) -> None:
    found = list(settled(rules, PlayedOut(rules, cards(deck))))
    solved = solved_on(rules, deck, patch)
    for value in _side_values(rules, solved, None):
        name = value.endings.wager
        if value.reading in (None, said) and name in found[0][1]:
            check_side(rules, solved, value, [(base, nets[name]) for base, nets in found])
    for envy in _envy_values(rules, solved):
        asked = (dict(rules.letters).get(ENVY), money(STAKE))
        if (envy.paytable, envy.stake) == asked and envy.reading in (None, said):
            check_envy(rules, solved, envy, [nets[ENVY] for _, nets in found])


def counts_a_whole_deck(rules: Rules, solved: SolvedBase, look: str, terms: SideTerms) -> bool:
    """Of what cards alone decide, every hand of a whole deck is counted; see below."""
    return solved.counting(look, terms) is WITHOUT_A_DEALER.get(look)


def check_side(
    rules: Rules, solved: SolvedBase, value: SideValue, nets: list[tuple[int, int]]
) -> None:
    wager, deals = value.endings.wager, len(nets)
    look, about = rules.judged_by(wager), (rules.book.id, value.endings)
    if not counts_a_whole_deck(rules, solved, look, SideTerms.of(rules.book.wager(wager))):
        chances = Counter(net for _, net in nets)
        assert by_net(value.endings) == {n: Fraction(w, deals) for n, w in chances.items()}, about
    if value.base_with is not None and look != "first two cards":
        meters = tuple((name, METER) for name, _ in value.assumed.meters_cents)
        both = zip(value.endings.endings, value.base_with, strict=True)
        assumed = Assumed(STAKE, meters)
        counted = sum((end.net(assumed) * mean for end, mean in both), Fraction(0))
        dealt = Fraction(sum(base * net for base, net in nets), deals * ANTE * STAKE)
        assert counted == dealt, about


def check_envy(rules: Rules, solved: SolvedBase, envy: EnvyValue, nets: list[int]) -> None:
    bonus = rules.book.envy_bonus
    assert bonus is not None
    terms = SideTerms(forfeits=bonus.folded_holder == "never")
    if not counts_a_whole_deck(rules, solved, rules.chosen_hand(bonus.judged_by), terms):
        assert envy.ev_each_box == Fraction(sum(nets), len(nets) * STAKE), rules.book.id


@pytest.mark.prove
@pytest.mark.parametrize("book_id", BOOKS)
def test_changed_side_wagers_equal_plain_enumeration(
    book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fared = Counter(check(book_id, number, monkeypatch) for number in range(40))
    assert {*fared} <= {"unread", "refused", "solved"}
    assert fared["solved"] > 9, fared


# What cards alone decide, by every hand of a whole deck


def hands(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """One of all sets of so many cards that differ in what their suits are called, and how many
    these are."""
    held = [[ranks for ranks in range(1 << 13) if ranks.bit_count() == n] for n in range(size + 1)]
    for counts in product(range(size + 1), repeat=4):
        if sum(counts) == size and list(counts) == sorted(counts, reverse=True):
            for ranks in product(*(held[count] for count in counts)):
                alike = [ranks[i] >= ranks[i + 1] for i in range(3) if counts[i] == counts[i + 1]]
                if all(alike):
                    same = prod(factorial(n) for n in Counter(ranks).values())
                    yield _of_suits(ranks), factorial(4) // same


def _of_suits(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(
        card for suit, held in zip(Suit, ranks, strict=True)
        for card in DECK if card.suit is suit and held >> (card.rank - 2) & 1
    )  # fmt: skip


@cache
def showings(look: str) -> list[tuple[Showing, int]]:
    """What a wager can see, one of all that no phrase tells apart, and how often it is seen."""
    found: Counter[object] = Counter()
    first: dict[object, Showing] = {}
    for showing, ways in SEEN[look]():
        said = tuple(is_said_of(phrase, showing) for phrase in PHRASES)
        found[said] += ways
        first.setdefault(said, showing)
    return [(first[said], ways) for said, ways in found.items()]


def _ranked(size: int, ranking: Ranking) -> Iterator[tuple[Showing, int]]:
    """A super royal has another name in each suit; nothing else that so many cards show has."""
    for own, ways in hands(size):
        royal = is_said_of("super royal", Showing(ranking.best(own), own))
        for six in _renamed(own) if royal else [own]:
            yield Showing(ranking.best(six), six), 1 if royal else ways


def _renamed(own: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    return [tuple(Card(card.rank, suit) for card in own) for suit in Suit]


def _two_cards() -> Iterator[tuple[Showing, int]]:
    for own in combinations(DECK, 2):
        aces = comb(sum(card.rank is Rank.ACE for card in DECK if card not in own), 2)
        hand = TWO_CARD.hand(own)
        yield Showing(hand, own, ACES), aces
        yield Showing(hand, own), comb(50, 2) - aces


SEEN: dict[str, Callable[[], Iterator[tuple[Showing, int]]]] = {
    "hole cards and flop": lambda: _ranked(5, FIVE_CARD),
    "four-card hand": lambda: _ranked(5, FOUR_CARD),
    "first two cards": _two_cards,
    "six cards": lambda: _ranked(6, FIVE_CARD),
}
ALIKE = {"board": "hole cards and flop", "five cards": "hole cards and flop"}


def drawn_table(number: int) -> Paytable:
    chance = Random(number)
    lines = "".join(
        f'{{ for = "{phrase}", pays = "{chance.choice(ODDS)}" }}, '
        for phrase in chance.sample(PHRASES, chance.randint(1, 12))
    )
    return read_paytable(f"lines = [{lines}]", f"table {number}")


@pytest.mark.prove
@pytest.mark.parametrize("look", WITHOUT_A_DEALER)
def test_any_paytable_on_cards_alone_is_counted_as_every_hand_shows(look: str) -> None:
    seen = showings(ALIKE.get(look, look))
    for number in range(300):
        table = drawn_table(number)
        dealt: Counter[int] = Counter()
        for showing, ways in seen:
            line = table.line_for(showing)
            dealt[len(table.lines) if line is None else table.lines.index(line)] += ways
        assert +WITHOUT_A_DEALER[look](table) == +dealt, (look, table)
