"""Solutions: published figures met to their printed digits, counts whole, everything exported."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from croupier.exact import holdem
from croupier.exact.endings import Assumed
from croupier.exact.kernels import holdem as kernel
from croupier.exact.solution import Solution
from croupier.exact.solve import readings, solve
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, with_paytable
from croupier.rulebook.loader import read_paytable
from tests.exact.conftest import rules_of
from tests.submission.forms import checked, edited

UTH_DEALS = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
FCP_DEALS = comb(52, 5) * 47 * comb(46, 5)


def printed(value: Fraction | float, digits: int) -> str:
    """A share as sources print it: percent with so many digits."""
    return f"{100 * float(value):.{digits}f}%"


# Wizard of Odds, quoted widely: house edge, element of risk, standard deviation, average wager.
def test_uth_base(uth_solution: Solution) -> None:
    base = uth_solution.base
    assert base.deals == UTH_DEALS == 27_813_810_024_000
    assert printed(-base.ev, 3) == "2.185%"
    assert printed(-base.ev / base.average_wager, 3) == "0.526%"
    assert f"{base.standard_deviation:.2f}" == "4.94"
    assert f"{float(base.average_wager):.3f}" == "4.152"
    assert base.ev == Fraction(-50643648973, 2317817502000)


def test_first_two_cards_are_told_apart_by_color(uth_solution: Solution) -> None:
    """One pair of aces of six is red, and of six pairs each leaves the dealer one of aces."""
    pairs = uth_solution.document()["side_wagers"]["ultimate_pairs"]
    dealers = comb(50, 2)
    found = {
        letter: {line: ended["ways"] for line, ended in table["outcomes"].items() if "aces" in line}
        for letter, table in pairs.items()
    }
    assert found["D"] == {"red aces": dealers, "pair of aces": 5 * dealers}
    assert found["B"] == {"player's and dealer's pairs of aces": 6, "pair of aces": 6 * dealers - 6}


# Wizard of Odds: any ace; K2s+, K5o+; Q6s+, Q8o+; J8s+, JTo; 33+: 500 of 1,326 hands.
def test_uth_before_the_flop(uth_solution: Solution) -> None:
    raised = {hand.name for hand in uth_solution.hands if hand.best == "4x"}
    ranks = "AKQJT98765432"
    expected = {f"A{low}{kind}" for low in ranks[1:] for kind in "so"}
    expected |= {f"K{low}s" for low in ranks[2:]} | {f"K{low}o" for low in "QJT98765"}
    expected |= {f"Q{low}s" for low in "JT9876"} | {f"Q{low}o" for low in "JT98"}
    expected |= {f"J{low}s" for low in "T98"} | {"JTo"}
    expected |= {rank * 2 for rank in ranks[:-1]}
    assert raised == expected
    base = uth_solution.base
    assert Fraction(base.action_ways()["4x"], base.deals) == Fraction(500, 1326)
    assert {hand.best for hand in uth_solution.hands} == {"4x", "check"}
    assert sum(hand.ways for hand in uth_solution.hands) == UTH_DEALS


def test_starting_hands_make_the_whole(uth_solution: Solution) -> None:
    best = sum(
        (hand.ways * max(value for _, value in hand.values) for hand in uth_solution.hands),
        Fraction(0),
    )
    assert best / UTH_DEALS == uth_solution.ev


# Wizard of Odds; discountgambling.net (2012) for Bad Beat, whose counts are out of the same deals
# divided by ten, since the flop is not told apart there.
def test_uth_side_wagers(uth_solution: Solution) -> None:
    trips = uth_solution.side("trips", "C")
    assert printed(-trips.ev, 2) == "3.50%"
    ways = {e.name: e.ways for e in uth_solution.side("bad_beat", "B").endings.endings}
    assert {name: count // 10 for name, count in ways.items() if name != "lose"} == {
        "straight flush": 10_300_592,
        "four of a kind": 471_040_512,
        "full house": 8_435_225_376,
        "flush": 19_434_208_592,
        "straight": 18_271_076_976,
        "three of a kind": 64_049_759_448,
    }
    assert sum(ways.values()) // 10 == 2_781_381_002_400


# A textbook's counts of the best five of seven cards, of 133,784,560.
def test_seven_card_hands(uth_solution: Solution) -> None:
    endings = uth_solution.side("trips", "A").endings
    sevens = {e.name: e.ways * comb(52, 7) // endings.total for e in endings.endings}
    assert sevens == {
        "royal flush": 4_324,
        "straight flush": 37_260,
        "four of a kind": 224_848,
        "full house": 3_473_184,
        "flush": 4_047_644,
        "straight": 6_180_020,
        "three of a kind": 6_461_620,
        "lose": 31_433_400 + 58_627_800 + 23_294_460,
    }


# Ruling 18: 54 to 59% on hole cards and flop, about 500% (A 559%) on the best of seven.
def test_both_readings_of_the_progressive(uth_solution: Solution) -> None:
    returns = {
        (letter, reading): 1 + float(uth_solution.side("progressive", letter, reading).ev)
        for letter in "ABCD"
        for reading in ("flop", "final")
    }
    assert all(0.53 < returns[letter, "flop"] < 0.59 for letter in "ABCD")
    assert printed(returns["A", "final"], 0) == "559%"
    assert all(4.9 < returns[letter, "final"] < 5.6 for letter in "ABCD")


@pytest.mark.parametrize("filed", ["flop", "final"])
def test_a_submission_is_counted_by_the_reading_it_files(filed: str) -> None:
    submission = checked(edited("UTH-S", progressive__hand=f'"{filed}"')).submission
    assert submission is not None
    rules = submission.rules(the_registry())
    progressive = rules.book.wager("progressive")
    looked_at = {"flop": "hole cards and flop", "final": "final hand"}[filed]
    for table in rules.book.paytables["progressive"].values():
        assert readings(rules, progressive, table) == [(filed, looked_at)]


# Wizard of Odds (base game); poker4card.com and virgincasino (Aces Up); enumeration (Six Card).
def test_four_card(fcp_solution: Solution) -> None:
    base = fcp_solution.base
    assert base.deals == FCP_DEALS == 167_439_136_344_480
    assert printed(-base.ev, 2) == "2.79%"
    assert printed(-base.ev / base.average_wager, 2) == "1.30%"
    assert printed(-fcp_solution.side("aces_up", "A").ev, 2) == "2.78%"
    assert printed(-fcp_solution.side("aces_up", "B").ev, 2) == "3.37%"
    assert printed(-fcp_solution.side("six_card_bonus", "A").ev, 4) == "10.2248%"
    assert printed(-fcp_solution.side("six_card_bonus", "D").ev, 4) == "15.2790%"
    assert printed(-fcp_solution.side("six_card_bonus", "C").ev, 4) == "8.5614%"


def test_every_paytable_of_the_rulebook_is_there(
    uth_solution: Solution, fcp_solution: Solution
) -> None:
    for solution in (uth_solution, fcp_solution):
        book = rules_of(solution.rulebook, **dict(solution.paytables)).book
        optional = {w.name for w in book.wagers if w.optional}
        expected = {(w, letter) for w in optional for letter in book.paytables[w]}
        found = {(s.endings.wager, s.endings.paytable) for s in solution.side_wagers}
        assert found == expected
        for side in solution.side_wagers:
            assert sum(side.endings.chance(e) for e in side.endings.endings) == 1


def test_super_royal_at_any_stake(uth_solution: Solution) -> None:
    """One of 20,358,520 hands is the Super Royal in diamonds; its million is one at any stake."""
    endings = uth_solution.side("six_card_bonus", "A").endings
    one, five = (endings.ev(Assumed(Cents(stake))) for stake in (100, 500))
    million_and_three = Fraction(1_000_000 + 3 * 100_000, comb(52, 6))
    assert one - five == million_and_three * (1 - Fraction(1, 5))


def test_progressive_lines(fcp_solution: Solution) -> None:
    side = fcp_solution.side("progressive", "A")
    assert side.fixed_part() + side.endings.slopes()["main"] * 5_000 == side.ev
    even = side.break_even_dollars()["main"]
    at_even = Assumed(Cents(100), (("main", Cents(int(even * 100))),))
    assert abs(side.endings.ev(at_even)) < Fraction(1, 10**6)


def test_an_even_wager_is_told_without_envy_and_with_it(uth_solution: Solution) -> None:
    """Paytable A by the flop: 4 royals take the meter, 36 straight flushes a tenth of it.

    Envy of five other boxes is 5 * (4 * 1,000 + 36 * 300) dollars in 2,598,960 hands.
    """
    side = uth_solution.side("progressive", "A", "flop")
    envy = uth_solution.envy_of(side)
    assert envy is not None
    added = 5 * envy.ev_each_box
    assert added == Fraction(5 * (4 * 1_000 + 36 * 300), 2_598_960)
    assert round(side.break_even_dollars()["main"]) == 150_716
    assert round(side.break_even_dollars(added)["main"]) == 140_979
    by_odds, by_resets = side.long_run()
    assert by_odds == 1 + side.fixed_part()
    assert by_resets == Fraction(4 * 10_000, 2_598_960)
    told = uth_solution.document()["side_wagers"]["progressive"]["A"]["progressive"]
    assert round(told["with_envy"]["break_even_meter"]["main"]) == 140_979
    assert told["with_envy"]["other_boxes"] == 5
    assert told["long_run_return"]["by_resets"] == float(by_resets)


def test_the_long_run_does_not_depend_on_what_stands_on_a_meter(uth_solution: Solution) -> None:
    side = uth_solution.side("progressive", "A", "flop")
    grown = side.assuming({}, {"main": Cents(20_000_000)})
    assert grown.ev > side.ev
    assert grown.long_run() == side.long_run()
    assert grown.break_even_dollars() == side.break_even_dollars()


def test_the_document_has_what_the_command_promises(uth_solution: Solution) -> None:
    document = uth_solution.document()
    for key in ("ev", "house_edge", "element_of_risk", "average_wager", "standard_deviation"):
        assert isinstance(document[key], float)
    assert document["ev_exact"] == "-50643648973/2317817502000"
    assert set(document["actions"]) == {"4x", "3x", "2x", "1x", "fold"}
    assert sum(document["distribution"].values()) == pytest.approx(1)
    assert set(document["side_wagers"]) == {
        *("trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board"),
        "progressive",
    }
    assert set(document["envy"]) == {"A", "B", "C", "D"}
    six = document["side_wagers"]["six_card_bonus"]["A"]
    assert six["assumes"] == {"stake": "$1.00", "boxes": 6}
    assert six["outcomes"]["super royal of diamonds"] == {
        "probability": 1 / comb(52, 6),
        "ways": 1,
        "odds": "$1,000,000",
    }
    progressive = document["side_wagers"]["progressive"]["C"]
    assert progressive["assumes"]["meters"] == {
        "mega": "$10,000.00",
        "major": "$1,000.00",
        "minor": "$250.00",
    }
    assert set(progressive["readings"]) == {"flop", "final"}


@pytest.mark.prove
def test_blind_b_costs_the_straights(uth_solution: Solution) -> None:
    """Paytable B pushes a winning straight, so it is worse, and every count still whole."""
    b = solve(rules_of("UTH-S", blind="B"))
    assert b.base_values == uth_solution.base_values
    assert {letter: ev for _, letter, ev in b.base_values} == {"A": uth_solution.ev, "B": b.ev}
    assert b.ev < uth_solution.ev
    assert b.base.deals == UTH_DEALS
    assert solve(rules_of("UTH-14", blind="A")).ev == uth_solution.ev


@pytest.mark.prove
def test_a_blind_of_ones_own_is_compared_with_those_of_the_book(uth_solution: Solution) -> None:
    own = read_paytable('lines = [{ for = "royal flush", pays = "500 to 1" }]', "own")
    found = solve(with_paytable(rules_of("UTH-S", blind="A"), "blind", "mine", own))
    values = {letter: ev for _, letter, ev in found.base_values}
    assert values == {letter: ev for _, letter, ev in uth_solution.base_values} | {"mine": found.ev}
    assert values["mine"] < values["B"]
    assert found.document()["base_paytables"]["blind"]["mine"]["ev_exact"] == str(found.ev)
    assert f"blind,mine,the base game under it,{float(found.ev)},{found.ev},," in found.to_csv()


def test_a_bonus_for_one_has_no_stake_to_lose() -> None:
    """Settlement pays "3 for 1" on the Ante beside the Ante itself; so does the solver."""
    bonus = read_paytable('lines = [{ for = "pair", pays = "3 for 1" }]', "own")
    base = solve(with_paytable(rules_of("FCP-14"), "ante_bonus", "own", bonus)).base
    assert base.wager_ends()["ante_bonus"].won > 0
    nets = {net for case in base.cases for name, _, net in case.wagers if name == "ante_bonus"}
    assert nets == {Fraction(3)}


def test_a_fold_forfeits_the_four_card_progressive() -> None:
    """Ruling 13: a high card is mostly folded, so a table that pays for it pays but seldom."""
    table = read_paytable('lines = [{ for = "high card", pays = "3 for 1" }]', "own")
    rules = with_paytable(rules_of("FCP-14"), "progressive", "own", table)
    solution = solve(rules)
    side = solution.side("progressive", "own")
    paid, lost = side.endings.endings
    folded = Fraction(solution.base.action_ways()["fold"], FCP_DEALS)
    assert 0 < side.endings.chance(paid) < Fraction(1, 100)
    assert side.endings.chance(lost) > folded
    assert side.base_with is not None
    assert sum(side.base_with) == solution.ev


def test_what_comes_beside_the_base_game_adds_up(uth_solution: Solution) -> None:
    for side in uth_solution.side_wagers:
        if side.base_with is not None:
            assert sum(side.base_with) == uth_solution.ev
            assert len(side.base_with) == len(side.endings.endings)


def test_a_wager_that_is_not_there(fcp_solution: Solution) -> None:
    with pytest.raises(LookupError, match="there is no aces_up Z here, only aces_up A"):
        fcp_solution.side("aces_up", "Z")


@pytest.mark.prove
def test_other_side_wagers_do_not_count_the_base_game_again(
    uth_solution: Solution, uth_rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(uth_rules)  # if it was not asked lately
    with monkeypatch.context() as patch:
        for work in ("decide", "count"):
            patch.delattr(kernel, work)
        again = solve(rules_of("UTH-S", blind="A", trips="B", bad_beat="A"))
        assert again.base == uth_solution.base
        holdem.forget()
        with pytest.raises(AttributeError, match="decide"):
            solve(uth_rules)
