"""Three Card Poker: one file and one TOML, by settlement, exact value, ledger and log."""

from __future__ import annotations

import re
from contextlib import closing
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import croupier
from croupier.audit.ledger_audit import audited
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.statistics.fair import by_category, fair_of, shows_dealer
from croupier.audit.log.statistics.trials import RoundCounter
from croupier.audit.records.reader import write_record
from croupier.cli import main
from croupier.exact import generic
from croupier.exact.advice import advise
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import solved
from croupier.exact.strategy.strategies import play
from croupier.exact.strategy.strategy_file import read_strategy, shipped
from croupier.facts.cards import DECK, cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.hands import THREE_CARD
from croupier.games.registry import games_in, open_registry, the_registry
from croupier.games.rules import Rules, bind
from croupier.ledger.store.address import open_ledger
from croupier.practice.coach import hard_hand
from croupier.rulebook.loader import books_in, read_book
from croupier.submission.check import shipped_submission, shipped_text
from croupier.table import events as ev
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle
from croupier.table.terms import terms_of
from tests.audit.log.logs import good_log
from tests.ledger.evenings import Evening
from tests.table.walks import walk

ROOT = Path(__file__).parents[2]
GAME = ROOT / "src" / "croupier" / "games" / "three_card.py"
BOOK = ROOT / "src" / "croupier" / "rulebook" / "books" / "TCP-1.toml"
HOUSE = the_registry()


def rules(letter: str = "A") -> Rules:
    return croupier.rules("TCP-1", pair_plus=letter)


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solved(rules())


# The seam


def test_nobody_else_knows_of_the_game() -> None:
    """A third game is a new file and a new TOML, nothing else; other games may be like it."""
    own = re.compile(r"three[_-]card|TCP-1|pair[_ ]plus", re.IGNORECASE)
    ranking = "THREE_CARD = Ranking("  # a fact about hands, like those of two, four and five
    naming = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "src").rglob("*"))
        if path.suffix in {".py", ".toml", ".html", ".js", ".css", ".typ", ".jinja"}
        and path.parent != BOOK.parent
        and "\nGAME = Game(" not in path.read_text("utf-8")
        and own.search(path.read_text("utf-8").replace(ranking, ""))
    ]
    assert naming == []


def test_two_files_in_empty_folders_are_a_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found as the shipped ones are; a house with nothing but this game settles and deals it."""
    for folder in ("newgames", "books", "trace"):
        (tmp_path / folder).mkdir()
    (tmp_path / "newgames" / GAME.name).write_bytes(GAME.read_bytes())
    (tmp_path / "books" / BOOK.name).write_bytes(BOOK.read_bytes())
    monkeypatch.syspath_prepend(tmp_path)
    registry = open_registry(games_in("newgames", [str(tmp_path / "newgames")]), books_in(tmp_path))
    assert (list(registry.games), list(registry.books)) == (["three-card"], ["TCP-1"])
    round_file = tmp_path / "round.toml"
    round_file.write_text(registry.book("TCP-1").comes_with.round, "utf-8")
    assert main(["settle", str(round_file)], registry) == 0
    assert "The table loses $75.00" in capsys.readouterr().out
    assert main(["rules", "TCP-1", "5.F"], registry) == 0
    assert "queen high or better" in " ".join(capsys.readouterr().out.split())


def test_what_the_dealer_needs_must_be_a_hand() -> None:
    odd = read_book(BOOK.read_text("utf-8").replace('hand = "queen high"', 'hand = "full boat"'))
    with pytest.raises(Refusal, match=r'no hand called "full boat".*TCP-1 5\.F'):
        open_registry([HOUSE.games["three-card"]], [odd])


# Settlement


def settled(dealer: str, own: str, **wagers: str) -> Receipt:
    staked = "\n".join(f'{name} = "{amount}"' for name, amount in wagers.items())
    return settle(
        croupier.read_round(
            f'rulebook = "TCP-1"\n[paytables]\npair_plus = "A"\n[cards]\ndealer = "{dealer}"\n'
            f'[[box]]\nseat = 1\ncards = "{own}"\n{staked}\n'
        )
    )


def paid(receipt: Receipt) -> dict[str, tuple[str, int, int]]:
    return {
        line.wager: (str(line.outcome), line.paid_cents, line.returned_cents)
        for line in receipt.lines
    }


EVEN, BACK, GONE = ("win", 1000, 1000), ("push", 0, 1000), ("lose", 0, 0)


@pytest.mark.clause("TCP-1 5.D", "TCP-1 5.E", "TCP-1 5.F", "TCP-1 6.A")
@pytest.mark.parametrize(
    ("dealer", "own", "ante", "play"),
    [
        ("Qc 3d 2h", "Qs 4d 2c", EVEN, EVEN),  # queen high is enough
        ("Qc 4d 2h", "Qs 3d 2c", GONE, GONE),
        ("Qc 4d 2h", "Qs 4h 2c", BACK, BACK),  # equal hands
        ("Jc Td 8h", "Qs 4d 2c", EVEN, BACK),  # the dealer does not open
        ("Jc Td 8h", "5s 4d 2c", EVEN, BACK),  # and so loses to a lower hand
        ("2c 2d 3h", "As Kd 9h", GONE, GONE),
        ("Ac Kc 3c", "2s 3d 4h", EVEN, EVEN),  # a straight beats a flush
        ("Qc Kd Ah", "As 2d 3h", GONE, GONE),  # A-2-3 is the lowest straight
        ("Kc Ad 2h", "2s 2d 3c", EVEN, EVEN),  # K-A-2 is none
    ],
)
def test_the_contest(
    dealer: str, own: str, ante: tuple[str, int, int], play: tuple[str, int, int]
) -> None:
    found = paid(settled(dealer, own, ante="$10", play="$10"))
    assert (found["ante"], found["play"]) == (ante, play)


@pytest.mark.clause("TCP-1 3.C", "TCP-1 6.B")
@pytest.mark.parametrize(
    ("own", "bonus"),
    [("4h 5h 6h", 5000), ("9c 9d 9h", 4000), ("Ah 2d 3c", 1000), ("Ah Jh 3h", None)],
)
def test_the_bonus_is_paid_even_when_the_ante_loses(own: str, bonus: int | None) -> None:
    found = paid(settled("As Ks Qs", own, ante="$10", play="$10"))
    assert found["ante"] == GONE
    assert found.get("ante_bonus") == (None if bonus is None else ("win", bonus, 0))
    assert "ante_bonus" not in paid(settled("As Ks Qs", own, ante="$10"))


@pytest.mark.clause("TCP-1 3.A", "TCP-1 3.B", "TCP-1 3.D", "TCP-1 5.B", "TCP-1 5.C")
def test_pair_plus_stays_when_its_box_folds_or_has_no_ante() -> None:
    folded = paid(settled("As Ks Qs", "8h 8d 2c", ante="$10", pair_plus="$5"))
    assert folded == {"ante": ("forfeit", 0, 0), "pair_plus": ("win", 500, 500)}
    alone = paid(settled("As Ks Qs", "8h 7d 2c", pair_plus="$5"))
    assert alone == {"pair_plus": ("lose", 0, 0)}
    with pytest.raises(Refusal, match=r"TCP-1 3\.B"):
        settled("As Ks Qs", "8h 8d 2c", ante="$10", play="$20")


# Exact values


# M. Shackleford, wizardofodds.com/games/three-card-poker: the game 3.37% of the Ante and 2.01% of
# all money wagered; Pair Plus 1-4-6-30-40 2.32%, 1-4-6-25-40 3.49%, 1-4-5-30-40 5.57% and
# 1-3-6-30-40 7.28%; raise with Q-6-4 or better.
def test_published_figures(solution: Solution) -> None:
    assert f"{-100 * float(solution.ev):.2f}" == "3.37"
    assert f"{-100 * float(solution.ev / solution.base.average_wager):.2f}" == "2.01"
    edges = {s.endings.paytable: f"{-100 * float(s.ev):.2f}" for s in solution.side_wagers}
    assert edges == {"A": "2.32", "B": "3.49", "C": "5.57", "D": "7.28"}
    best = {hand.name: hand.best for hand in solution.hands}
    assert best["king high"] == "1x"
    assert best["queen high, six and four or better"] == "1x"
    assert best["queen high, six and three or less"] == "fold"
    assert best["jack high"] == "fold"


def test_exact_figures(solution: Solution) -> None:
    assert solution.base.deals == comb(52, 3) * comb(49, 3)
    assert solution.ev == Fraction(-686689, 20358520)
    assert solution.side("pair_plus", "A").ev == Fraction(-128, 5525)


def strengths(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number a hand, by arithmetic on ranks and suits alone; nothing of the product."""
    ranks, suits = np.sort(hands // 4, axis=1)[:, ::-1], hands % 4
    high, middle, low = ranks.T
    flush = (suits == suits[:, :1]).all(axis=1)
    wheel = (high == 12) & (middle == 1) & (low == 0)
    straight = (high - low == 2) & (high != middle) & (middle != low) | wheel
    three = (high == middle) & (middle == low)
    pair = ((high == middle) | (middle == low)) & ~three
    kind = np.select([straight & flush, three, straight, flush, pair], [5, 4, 3, 2, 1], 0)
    of_pair = middle * 169 + np.where(high == middle, low, high)
    tops = np.where(wheel, 1, high) * 169
    ranked = high * 169 + middle * 13 + low
    within = np.select([kind == 1, straight], [of_pair, tops], ranked)
    found: NDArray[np.int64] = kind * 13**4 + within
    return found


def dealt_out() -> tuple[Fraction, set[int]]:
    """The value of every hand against all others that share no card, and the hands that play."""
    hands = np.array(list(combinations(range(52), 3)))
    strength, bits = strengths(hands), (np.int64(1) << hands).sum(axis=1)
    opens = strength >= 10 * 169  # queen high
    bonus = np.select([strength // 13**4 == k for k in (5, 4, 3)], [5, 4, 1], 0)
    won, plays = 0, set()
    for number, (own, held) in enumerate(zip(strength, bits, strict=True)):
        apart = bits & held == 0
        against = np.sign(own - strength[apart])
        net = np.where(opens[apart], 2 * against, 1).sum() + apart.sum() * bonus[number]
        fold = -int(apart.sum())
        won += max(int(net), fold)
        if net > fold:
            plays.add(number)
    return Fraction(won, len(hands) * comb(49, 3)), plays


@pytest.mark.prove
def test_every_deal_by_plain_arithmetic(solution: Solution) -> None:
    value, plays = dealt_out()
    assert value == solution.ev
    found = generic.solve_base(rules()).decisions
    deck = sorted(DECK)
    assert plays == {
        number for number, own in enumerate(combinations(deck, 3)) if found[own, ()].best == "1x"
    }


def test_the_strategy_that_comes_with_the_book_costs_nothing(solution: Solution) -> None:
    strategy = read_strategy(shipped()["three-card-simple"], "three-card-simple")
    played = play(rules(), strategy, lambda what, done: None)
    assert (played.base.ev, played.idle) == (solution.ev, ())


def test_advice() -> None:
    def no_need() -> Solution:
        raise AssertionError("the cards in sight are enough")

    def best(hand: str) -> str:
        return next(iter(advise(rules(), no_need, cards(hand))))

    assert [best(hand) for hand in ("Qs6c4d", "Qs6c3d", "AcKcQc")] == ["1x", "fold", "1x"]
    values = advise(rules(), no_need, cards("Qs6c4d"))
    assert values == {"1x": Fraction(-9151, 9212), "fold": Fraction(-1)}
    with pytest.raises(Unreadable, match="with 3 cards of one's own and 0 face up, not with 2"):
        advise(rules(), no_need, cards("Qs6c"))
    with pytest.raises(Unreadable, match="not with 3 and 1"):
        advise(rules(), no_need, cards("Qs6c4d"), (), cards("2c")[0])


def test_drills_find_hands_that_are_hard() -> None:
    position, _ = hard_hand(shipped_text("TCP-1"), "play", seed=3)
    assert (len(position.own), position.board, position.up) == (3, (), "")


def test_a_solver_of_their_own_is_not_needed_to_choose_paytables() -> None:
    game, book = HOUSE.games["three-card"], HOUSE.book("TCP-1")
    with pytest.raises(Refusal, match="choose one of A, B, C, D"):
        bind(game, book, {"pair_plus": "Z"})


# The table


def test_whatever_is_done_at_its_table_the_engine_holds() -> None:
    """Random walks as at the other games: nothing but refusals, and every payment settled again."""
    terms = terms_of(shipped_submission("TCP-1"), HOUSE, electronic_shoe=False)
    walked = [walk(Random(seed), 250, terms) for seed in range(4)]
    happened = {type(event) for table in walked for event in table.events}
    assert {ev.CardsDealt, ev.Played, ev.Folded, ev.DealerRevealed, ev.RoundVoided} <= happened


# Ledger, export, log


def test_an_evening_is_kept_proved_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "evening.db"
    with closing(open_ledger(str(place), create=True)) as ledger:
        evening = Evening(7)
        table = evening.install(ledger, "TCP-1")
        evening.sit(table, 5)
        evening.play(table, 8)
        found = audited(ledger, HOUSE, ring=evening.ring)
        assert (found.differences, found.rounds) == ([], 8)
    records = tmp_path / "evening.jsonl"
    assert main(["export", str(place), "--out", str(records)]) == 0
    capsys.readouterr()
    assert main(["audit", str(records)]) == 0
    assert "Everything is as it must be." in capsys.readouterr().out


@pytest.mark.parametrize("fast", [False, True])
def test_a_log_of_another_system_is_judged(tmp_path: Path, fast: bool) -> None:
    records = list(good_log("TCP-1", 60))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(write_record(record) + b"\n" for record in records))
    judged = LogAudit(HOUSE, (), fast_path_from=0 if fast else 1 << 60)
    assert list(judged.file(path)) == []
    text = path.read_text("utf-8")
    paid_wrong = text.replace('"paid_cents":1000', '"paid_cents":1100', 1)
    assert paid_wrong != text
    path.write_text(paid_wrong, "utf-8")
    assert list(LogAudit(HOUSE, (), fast_path_from=0 if fast else 1 << 60).file(path)) != []


# Statistics


def test_statistics_of_a_game_without_kernels() -> None:
    due = fair_of(rules())
    assert due is not None
    counted = by_category(rules().game.ranking, due.players())
    assert counted == by_category(rules().game.ranking, due.dealers())
    assert counted == dict(
        zip(map(str, THREE_CARD.order), (16_440, 3_744, 1_096, 720, 52, 48), strict=True)
    )
    assert due.starts() == {name: count / comb(52, 3) for name, count in counted.items()}
    assert (due.start(cards("2c 2d 9h")), shows_dealer(rules())) == ("pair", False)


def test_a_log_is_tested_against_what_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(write_record(record) + b"\n" for record in good_log("TCP-1", 220)))
    counting = RoundCounter()
    assert list(LogAudit(HOUSE, (), witness=counting).file(path)) == []
    told = counting.judged()
    assert told.untested == ()
    assert told.verdict is not None
    assert {line.name for line in told.verdict.lines} >= {
        *(f"TCP-1: {what}" for what in ("starting hands", "dealer's hands", "dealer qualifies"))
    }
    (group,) = told.groups
    assert group.skill is not None
    assert [result.wager for result in group.results] == ["Base game, by its Ante", "Pair Plus"]
