"""``croupier risk``: its document against numbers found otherwise, its charts, what it refuses."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from tests.cli.ledger_commands import run, sentence

ASKED = "risk three-card --ante 25 --wager pair_plus=5 --rounds 40 --bankroll 300 --goal 500"
Document = dict[str, Any]


@pytest.fixture(scope="module")
def told() -> Document:
    ran = run(*f"{ASKED} --risk 5% --occupancy 50% --simulated 40,000 --json".split())
    assert ran.status == 0, ran
    found: Document = json.loads(ran.out)
    return found


def test_the_total_is_that_of_rounds_added_one_by_one(told: Document) -> None:
    """Amounts in dollars, by convolution in plain arithmetic."""
    one = {round(float(net) * 100): chance for net, chance in told["round"]["distribution"].items()}
    assert sum(one.values()) == pytest.approx(1)
    sums = {0: 1.0}
    for _ in range(told["rounds"]):
        more: dict[int, float] = {}
        for so_far, chance in sums.items():
            for net, each in one.items():
                more[so_far + net] = more.get(so_far + net, 0.0) + chance * each
        sums = more
    mean = sum(net * chance for net, chance in sums.items())
    square = sum((net - mean) ** 2 * chance for net, chance in sums.items())
    third = sum((net - mean) ** 3 * chance for net, chance in sums.items())
    total = told["total"]
    assert total["mean"] == pytest.approx(mean / 100)
    assert total["standard_deviation"] == pytest.approx(square**0.5 / 100)
    assert total["skewness"] == pytest.approx(third / square**1.5)
    assert total["ahead"] == pytest.approx(sum(c for net, c in sums.items() if net > 0), abs=1e-7)
    for share, amount in total["quantiles"].items():
        below = sum(c for net, c in sums.items() if net < round(amount * 100))
        assert below <= float(share[:-1]) / 100 + 1e-8
        assert below + sums[round(amount * 100)] >= float(share[:-1]) / 100 - 1e-8


def test_its_mean_is_what_the_wagers_are_worth(told: Document) -> None:
    solution = croupier.solve(croupier.rules("TCP-1"))
    worth = solution.ev * 2_500 + solution.side("pair_plus", "A").ev * 500
    assert Fraction(told["round"]["mean_exact_cents"]) == worth


def test_what_was_dealt_lies_within_its_error(told: Document) -> None:
    dealt, total, ruin = told["simulated"], told["total"], told["ruin"]
    exact = {
        "mean": told["round"]["mean"],
        "standard_deviation": told["round"]["standard_deviation"],
        "total_mean": total["mean"],
        "total_standard_deviation": total["standard_deviation"],
        "ahead": total["ahead"],
        "ruin": ruin["within"],
        "ruin_first": ruin["first"]["ruin"],
        "goal_first": ruin["first"]["goal"],
    }
    for name, value in exact.items():
        assert abs(dealt[name]["value"] - value) < 4 * dealt[name]["error"], name
    for share, amount in total["quantiles"].items():
        found = dealt["quantiles"][share]
        assert abs(found["value"] - amount) < 4 * found["error"], share


def test_the_bankroll_for_a_risk_is_the_least(told: Document) -> None:
    def ruined(bankroll: float) -> float:
        words = (
            f"risk three-card --ante 25 --wager pair_plus=5 --rounds 40 --bankroll {bankroll:.2f}"
        )
        found: Document = json.loads(run(*words.split(), "--simulated", "0", "--json").out)
        within: float = found["ruin"]["within"]
        return within

    safe, step = told["bankroll"]["within"], told["total"]["step"]
    assert told["bankroll"]["for_ever"] is None
    assert ruined(safe) <= 0.05 < ruined(safe - step)
    assert told["ruin"]["for_ever"] == 1.0


def test_the_house_wins_what_players_lose(told: Document) -> None:
    shift, month = told["house"]["shift"], told["house"]["month"]
    assert shift["box_rounds"] == 8 * 40 * 7 // 2
    assert shift["mean"] == pytest.approx(-told["round"]["mean"] * shift["box_rounds"])
    assert month["box_rounds"] == 30 * 16 * 40 * 7 // 2
    assert shift["wider_at_one_dealer"]["value"] > 1
    assert 0 < month["chance_to_lose"] < shift["chance_to_lose"] < 0.5


def test_more_antes_needed_are_ruined_sooner(told: Document) -> None:
    found = json.loads(run(*ASKED.split(), "--funded", "6", "--simulated", "0", "--json").out)
    assert found["round"]["needed"] == 6 * 25 + 5
    assert told["round"]["needed"] == 30
    assert found["ruin"]["within"] > told["ruin"]["within"]


def test_it_is_told_and_drawn(tmp_path: Path) -> None:
    ran = run(*f"{ASKED} --risk 5% --tables 2 --simulated 0 --svg {tmp_path / 'charts'}".split())
    assert ran.status == 0
    assert re.search(r"Ruin before the goal +in 40 rounds +\d+\.\d{4}%", ran.out)
    assert "The house wins" in ran.out
    assert "Covariances in square dollars" in ran.out
    drawn = {path.name: path.read_text("utf-8") for path in (tmp_path / "charts").iterdir()}
    assert sorted(drawn) == ["course.svg", "ruin.svg", "total.svg"]
    assert all(text.startswith("<svg") for text in drawn.values())


def test_from_python_it_is_the_same(told: Document) -> None:
    from croupier.facts.money import Cents

    rules = croupier.shipped_submission("TCP-1").rules(croupier.the_registry())
    asked = croupier.RiskQuestion(rules, Cents(2_500), (("pair_plus", Cents(500)),), rounds=40)
    found = croupier.risk(asked).document()
    assert found["total"] == told["total"]
    assert "ruin" not in found
    assert "simulated" not in found


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--goal 200 --bankroll 300", "a goal of $200.00 is reached already with $300.00"),
        ("--goal 200", "name it with --bankroll"),
        ("--bankroll 20", "does not begin one round, which needs $25.00"),
        ("--funded 0", "a round needs 1 to 100 Antes"),
        ("--risk 0%", "between 0% and 100%"),
        ("--risk much", '"much" is no risk; write it in percent'),
        ("--occupancy 120%", "at most 100%"),
        ("--rounds 0", "1 to 1,000,000 rounds"),
        ("--tables 0", "1 to 1,000 tables"),
        ("--wager pair_plus=0", "nothing is staked on pair_plus"),
        ("--wager pair_plus=7", "not within this table's limits"),
        ("--simulated 1,000,000,000", "croupier simulate deals more"),
        ("--hours 30", "too few or too many"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: str, why: str) -> None:
    line = f"risk three-card --ante 25 {words}"
    assert why in sentence(run(*line.split()))


def test_a_wager_with_cards_of_its_own_is_counted_with_the_rest() -> None:
    """Four Card Poker with a bonus box: the covariance matrix has it, and Envy stands beside."""
    asked = "risk four-card --ante 25 --wager aces_up=5 --wager six_card_bonus=5"
    ran = run(*asked.split(), *["--wager", "progressive=1", "--simulated", "0", "--json"])
    assert ran.status == 0, ran
    told: Document = json.loads(ran.out)
    covariances = told["round"]["covariances"]
    assert {*covariances} == {*covariances["six_card_bonus"]} >= {"ante", "aces_up", "progressive"}
    assert covariances["six_card_bonus"]["aces_up"] > 0
    envy = told["envy"]
    mean = sum(float(paid) * chance for paid, chance in envy["distribution"].items())
    assert envy["each_box"] == pytest.approx(mean)
