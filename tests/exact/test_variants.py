"""Variants of the rules, solved: as plain enumeration through settlement on a small deck.

Random variants are drawn over everything that may be varied. Each is refused by name, or its base
game, and Trips together with it, are worth what dealing every deal out says.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest

from croupier.exact import generic, holdem, holdem_bets
from croupier.exact.assumptions import refuse_base
from croupier.exact.kernels import holdem as kernel
from croupier.exact.kernels import holdem_bets as bets_kernel
from croupier.exact.side_wagers import SideTerms, endings
from croupier.exact.solution_file import rules_digest
from croupier.exact.solve import solve
from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, bind, first_letters
from croupier.games.shapes import shape_of
from croupier.games.variants import book_over, variations_of, varied
from croupier.submission.fingerprint import money_hash, rules_hash
from tests.exact.plain_round import ANTE, Bets, Plain, holdem_deals
from tests.exact.test_assumptions import DECKS as SMALL
from tests.exact.test_assumptions import kernel_ev

DECKS = ("Ts Js Qs Ks Th 2d As Ah Ac", "2s 3s 4s 5s 2h 3h 9d 9c As", "Kc Kd Kh Qc Qd Ac Ad 2s 2h")
QUALIFIERS = ("none", "ace high", "king high", "pair", "pair of fours", "two pairs", "straight")
SIZES = ("none", "1", "2", "3,1", "5,4,3")
SPACE: dict[str, tuple[str, ...]] = {
    "qualifier": QUALIFIERS,
    "preflop": SIZES,
    "flop": SIZES,
    "river": SIZES,
    "tie": ("lose", "push", "win"),
    "ante.unqualified": ("push", "win"),
}


PROVE = pytest.mark.prove


def rules_with(chosen: Mapping[str, str], book_id: str = "UTH-S", **letters: str) -> Rules:
    registry = the_registry()
    book = varied(registry, registry.book(book_id), chosen)
    return bind(registry.game_of(book), book, {**first_letters(book), **letters})


def drawn(number: int) -> dict[str, str]:
    """A variant with about half of what may be varied; the same for the same number."""
    chance = Random(number)
    chosen = {
        name: chance.choice(values) for name, values in SPACE.items() if chance.random() < 0.6
    }
    if chosen.get("qualifier") == "none":
        chosen.pop("ante.unqualified", None)
    return chosen


def counted_ev(rules: Rules, deck: str) -> Fraction:
    """One Ante on a small deck, from every deal counted under the best decisions."""
    numbers = tuple(sorted(card.number for card in cards(deck)))
    game, partitions = holdem.kernel_game(rules)
    best = kernel.decide(game, numbers)
    counts = kernel.count(game, best.strategy, deck=numbers)
    return holdem.SolvedHoldem(rules, holdem.actions(rules), partitions, counts, best).base.ev


def check(number: int) -> bool:
    chosen, deck = drawn(number), DECKS[number % len(DECKS)]
    rules = rules_with(chosen)
    if not any(street.multiples for street in rules.book.streets):
        with pytest.raises(Refusal, match=r"streets\.sizes"):
            refuse_base(rules)
        return False
    assert counted_ev(rules, deck) == Plain(rules, cards(deck)).ev, chosen
    return True


@pytest.mark.prove
def test_random_variants_equal_plain_enumeration() -> None:
    assert sum(map(check, range(2))) >= 1


@pytest.mark.prove
def test_many_random_variants_equal_plain_enumeration() -> None:
    assert sum(map(check, range(2, 302))) > 250


KIN: dict[str, dict[str, tuple[str, ...]]] = {
    "CH-1": {
        "qualifier": QUALIFIERS[1:],
        "flop": ("1", "2", "3,1", "5,4,3"),
        "tie": ("lose", "push", "win"),
        "ante.unqualified": ("push", "win"),
    },
    "THB-1": {
        "qualifier": QUALIFIERS,
        "preflop": ("1", "2", "3"),
        "flop": ("none", "1", "2"),
        "turn": ("none", "1", "3"),
        "tie": ("lose", "push", "win"),
    },
}


ONE_DECISION: dict[str, dict[str, tuple[str, ...]]] = {
    "TCP-1": {
        "qualifier": ("none", "ace high", "king high", "pair", "pair of fours", "straight"),
        "play": ("1", "2", "3,1", "5,4,3"),
        "tie": ("lose", "push", "win"),
        "ante.unqualified": ("push", "win"),
    },
    "FCP-14": {"tie": ("lose", "push", "win")},
}
SPACES = {**KIN, **ONE_DECISION}


def drawn_of(book_id: str, number: int) -> dict[str, str]:
    """A variant of a book, the same for the same number."""
    chance, space = Random(number), SPACES[book_id].items()
    chosen = {name: chance.choice(values) for name, values in space if chance.random() < 0.6}
    if chosen.get("qualifier") == "none":
        chosen.pop("ante.unqualified", None)
    return chosen


@pytest.mark.parametrize("book_id", ONE_DECISION)
def test_random_variants_of_one_decision_equal_plain_enumeration(book_id: str) -> None:
    variants = {tuple(drawn_of(book_id, number).items()) for number in range(8)}
    assert len(variants) > 2
    for chosen in variants:
        rules = rules_with(dict(chosen), book_id)
        deck = cards(SMALL[shape_of(rules)])
        assert kernel_ev(rules) == Plain(rules, deck).ev, chosen


@pytest.mark.prove
@pytest.mark.parametrize("book_id", KIN)
def test_random_variants_of_kin_equal_plain_enumeration(book_id: str) -> None:
    for number in range(20):
        chosen, deck = drawn_of(book_id, number), DECKS[number % len(DECKS)]
        rules, numbers = rules_with(chosen, book_id), [card.number for card in cards(deck)]
        if book_id == "CH-1":
            found = counted_ev(rules, deck)
        else:
            game, _ = holdem_bets.kernel_game(rules)
            best = bets_kernel.decide(game, tuple(sorted(numbers))).start_values.max(axis=1)
            deals = game.denominator * 2 * holdem_deals(len(numbers))
            found = Fraction(sum(map(int, best)), deals)
        assert found == Plain(rules, cards(deck)).ev, chosen


def plain_with_trips(rules: Rules, deck: str, stake: int) -> Fraction:
    """What one Ante and a Trips beside it win together at their best, every deal dealt out."""

    class WithTrips(Plain):
        def _staked(self, bets: Bets) -> dict[str, Cents]:
            return {**super()._staked(bets), "trips": Cents(stake * ANTE)}

    return WithTrips(rules, cards(deck)).ev


def joint_ev(rules: Rules, deck: str, stake: int, monkeypatch: pytest.MonkeyPatch) -> Fraction:
    """The same from the counts of both under the kernel's decisions."""
    numbers = tuple(sorted(card.number for card in cards(deck)))
    decide, count = kernel.decide, kernel.count
    monkeypatch.setattr(
        kernel, "decide", lambda game, progress, also: decide(game, numbers, also=also)
    )
    monkeypatch.setattr(
        kernel, "count", lambda game, best, side, progress: count(game, best, side, numbers)
    )
    holdem.forget()
    terms, table = SideTerms.of(rules.book.wager("trips")), rules.paytable("trips")
    assert table is not None
    beside = holdem.WagerBeside(terms, table, Fraction(stake))
    both = holdem.solve_jointly(rules, beside, lambda what, done: None)
    holdem.forget()
    ends = endings("trips", "A", table, holdem.by_final(both, terms))
    assert ends.total == both.base.deals
    return both.base.ev + stake * ends.ev()


@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=PROVE) for n in range(1, 60))])
def test_trips_and_the_base_game_together(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, deck = Random(number), DECKS[number % len(DECKS)]
    chosen = {**drawn(number), "flop": "2", "trips.fold": chance.choice(("forfeit", "stays"))}
    chosen |= {"trips.needs": "win"} if number % 3 != 1 else {}
    rules, stake = rules_with(chosen, trips="A"), chance.choice((1, 5))
    expected = plain_with_trips(rules, deck, stake)
    assert joint_ev(rules, deck, stake, monkeypatch) == expected, chosen


def test_every_name_of_the_space_is_drawn_or_of_a_side_wager() -> None:
    registry = the_registry()
    book = registry.book("UTH-S")
    names = set(variations_of(registry.game_of(book), book))
    sides = {f"{w.name}.{of}" for w in book.wagers if w.optional for of in ("fold", "needs")}
    assert names == {*SPACE, *sides, "payout_limit"}


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({"tie": "lose", "qualifier": "none"}, "UTH-S[qualifier=none; tie=lose]"),
        ({"qualifier": "Two  Pairs"}, "UTH-S[qualifier=two pair]"),
        ({"preflop": "3, 5,4"}, "UTH-S[preflop=5,4,3]"),
        ({"river": ""}, "UTH-S[river=none]"),
        ({"payout_limit": "$60,000"}, "UTH-S[payout_limit=60000]"),
        ({"tie": "push", "preflop": "4,3"}, "UTH-S"),
    ],
)
def test_a_variant_is_named_by_what_it_varies(chosen: dict[str, str], name: str) -> None:
    assert rules_with(chosen).book.id == name


def test_hashes_tell_variants_apart() -> None:
    """The same said in another order or in other words is the same."""
    book, one, same, other = (
        rules_with(chosen)
        for chosen in (
            {},
            {"tie": "lose", "flop": "3,2"},
            {"flop": "2,3", "tie": "lose"},
            {"tie": "win"},
        )
    )
    for digest in (rules_digest, rules_hash, money_hash):
        assert digest(one) == digest(same)
        assert len({digest(book), digest(one), digest(other)}) == 3


def test_what_a_variant_changes_cites_no_clause_of_its_book() -> None:
    rules = rules_with(
        {
            "qualifier": "ace high",
            "tie": "lose",
            "flop": "3",
            "trips.fold": "forfeit",
            "trips.needs": "win",
            "payout_limit": "1000",
        }
    )
    book, trips = rules.book, rules.book.wager("trips")
    assert book.contest.dealer_needs is not None
    assert trips.must_win is not None
    assert book.payout_limit is not None
    for rule in (
        *(book.contest.dealer_needs, book.contest.tie, book.streets[1], trips.fold),
        *(trips.must_win, book.payout_limit),
    ):
        assert book.cite(rule.clause) == f"{book.id} varied"
    assert book.cite(book.streets[0].clause) == "UTH-S 11.B(1)"


WRONG = [
    ({"tie": "maybe"}, 'tie cannot be "maybe"; write lose, push or win'),
    ({"ties": "lose"}, "did you mean tie?"),
    ({"qualifier": "pear"}, 'qualifier cannot be "pear"'),
    ({"preflop": "4,x"}, "whole multiples"),
    ({"preflop": "4,4"}, "each multiple once"),
    ({"flop": "0"}, "from 1 to 100"),
    ({"flop": "101"}, "from 1 to 100"),
    ({"flop": "9999"}, 'flop cannot be "9999"; write multiples of the Ante from 1 to 100'),
    ({"flop": "9" * 5000}, "from 1 to 100"),
    ({"ante.unqualified": "lose"}, "push or win"),
    ({"qualifier": "none", "ante.unqualified": "win"}, "always opens"),
    ({"trips.fold": "none"}, "forfeit or stays"),
    ({"trips.needs": "luck"}, "win or nothing"),
    ({"payout_limit": "much"}, "write dollars, from $1.00 to $1,000,000,000.00, like 50000"),
    ({"blind.fold": "stays"}, "has no rule to vary"),
]


@pytest.mark.parametrize(("chosen", "says"), WRONG)
def test_a_wrong_name_or_value_is_refused_in_one_sentence(
    chosen: dict[str, str], says: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        rules_with(chosen)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("book", "chosen", "key"),
    [
        ("UTH-S", {"bad_beat.fold": "forfeit"}, "wagers.bad_beat.fold.outcome"),
        ("UTH-S", {"progressive.needs": "win"}, "wagers.progressive.must_win"),
        ("UTH-S", {"preflop": "", "flop": "", "river": ""}, "streets.sizes"),
        ("FCP-14", {"qualifier": "pair"}, "contest.dealer_needs"),
        ("TCP-1", {"pair_plus.fold": "forfeit"}, "wagers.pair_plus.fold.outcome"),
        ("TCP-1", {"play": ""}, "streets.sizes"),
    ],
)
def test_a_variant_that_no_solver_knows_is_refused_by_its_key(
    book: str, chosen: dict[str, str], key: str
) -> None:
    rules = rules_with(chosen, book)
    with pytest.raises(Refusal, match=key.replace(".", r"\.")) as refused:
        solve(rules)
    assert rules.book.id in refused.value.sentence


def test_three_card_variants_are_solved() -> None:
    deck = cards("2c3c4c Qd 2d Ah Kh Qh")
    chosen = {"qualifier": "ace high", "tie": "lose", "play": "3,1", "ante.unqualified": "push"}
    rules = rules_with(chosen, "TCP-1")
    assert generic.solve_base(rules, deck).base.ev == Plain(rules, deck).ev


OVER = """
base = "UTH-S"
name = "house"

[contest]
tie = { outcome = "lose" }
dealer_needs = "none"

[[streets]]
name = "river"
multiples = [1, 2]

[[wagers]]
name = "trips"
fold = { outcome = "forfeit" }

[paytables.trips.A]
lines = [{ for = "flush", pays = "7 to 1" }]
"""


def test_a_file_says_only_what_differs() -> None:
    registry = the_registry()
    book, shipped = book_over(registry, OVER, "mine"), registry.book("UTH-S")
    assert book.id == "UTH-S[house]"
    assert (book.contest.tie.outcome, book.contest.dealer_needs) == ("lose", None)
    assert (book.contest.tie.clause, book.contest.wins) == ("varied", shipped.contest.wins)
    assert book.streets[:2] == shipped.streets[:2]
    assert (book.streets[2].multiples, book.streets[2].clause) == ((1, 2), "varied")
    assert book.streets[2].ask_clause == shipped.streets[2].ask_clause
    assert book.wager("trips").fold.clause == "varied"
    assert [line.clause for line in book.paytables["trips"]["A"].lines] == ["varied"]
    short = OVER.replace('{ for = "flush", pays = "7 to 1" }', '"flush: 7 to 1"')
    assert book_over(registry, short, "mine").paytables["trips"] == book.paytables["trips"]
    more = book_over(registry, short.replace("trips.A", "trips.Z"), "mine").paytables["trips"]
    assert more == {**shipped.paytables["trips"], "Z": more["Z"]}
    assert (more["Z"].clause, more["Z"].lines[0].clause) == ("varied", "varied")
    assert book.paytables["blind"] == shipped.paytables["blind"]
    rules = bind(registry.game_of(book), book, first_letters(book))
    same = rules_with({"tie": "lose", "qualifier": "none", "river": "1,2"})
    assert counted_ev(rules, DECKS[0]) == counted_ev(same, DECKS[0])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tie = 3", "names that one first"),
        ('base = "UTH-S"', "nothing here differs"),
        ('base = "UTH-X"\n[contest]', "UTH-X"),
        ('base = "UTH-S"\nid = "X"', "leave it out"),
        ('base = "UTH-S"\nname = "[x]"\n[contest]', "no name for a variant"),
        ('base = "UTH-S"\n[contest]\ntie = { outcome = "push" }', "nothing here differs"),
        ('base = "UTH-S"\n[contest]\nties = 1', "`ties` - at `$.contest`; did you mean tie?"),
        (
            'base = "UTH-S"\n[contest]\ntie = { outcome = "lost" }',
            'at `$.contest.tie.outcome`; write "lose" or "push" or "win"',
        ),
        (
            'base = "UTH-S"\n[contest]\ndealer_needs = { hand = "pear" }',
            'no hand called "pear"; write ace high, pair of fours, pair, two pair',
        ),
        ('base = "UTH-S"\n[[streets]]\nmultiples = [1]', "says with name which one"),
        (
            'base = "UTH-S"\n[[streets]]\nname = "rivers"\nmultiples = [2]',
            'no entry of streets called "rivers" (did you mean river?); choose one of before the',
        ),
        (
            'base = "UTH-S"\n[[wagers]]\nname = "tirps"\nfold = { outcome = "forfeit" }',
            'no entry of wagers called "tirps" (did you mean trips?); choose one of ante, blind',
        ),
        (
            'base = "UTH-S"\n[[dealing]]\nway = "shufler"\ntitle = "other"',
            'no entry of dealing called "shufler" (did you mean shuffler?)',
        ),
        (
            'base = "UTH-S"\n[paytables.tripz.A]\nlines = ["flush: 7 to 1"]',
            'has no wager "tripz" (did you mean trips?)',
        ),
        (
            'base = "UTH-S"\n' + 2 * '[[streets]]\nname = "river"\nmultiples = [2]\n',
            '"river" stands twice in streets; write it once',
        ),
        ('base = "UTH-S"\n[[streets]]\nname = "river"\nmultiples = [101]', "and 100 is the most"),
    ],
)
def test_a_file_that_cannot_be_laid_over_says_why(text: str, says: str) -> None:
    with pytest.raises((Unreadable, Refusal)) as refused:
        book_over(the_registry(), text, "mine")
    assert says in str(refused.value)
