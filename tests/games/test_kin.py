"""Kin of Hold'em without a kernel of their own: one file and one TOML each, from deal to audit."""

from __future__ import annotations

import json
import re
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import croupier
from croupier.audit.ledger_audit import audited
from croupier.cli import main
from croupier.exact import holdem, holdem_bets
from croupier.exact.advice import advise
from croupier.exact.hand_partitions import Partitions
from croupier.exact.kernels import holdem_bets as kernel
from croupier.exact.kernels.holdem_counts import HoldemCounts
from croupier.exact.many_decisions import PositionRows, Valuer
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import solved
from croupier.facts.cards import DECK, cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.ledger.store.address import open_ledger
from croupier.submission.check import shipped_submission
from croupier.table import events as ev
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle
from croupier.table.terms import terms_of
from tests.docs.blocks import blocks
from tests.documents.layouts import findings, layout
from tests.exact.plain_round import Plain
from tests.ledger.evenings import Evening
from tests.table.walks import walk

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "croupier" / "games"
BOOKS = ROOT / "src" / "croupier" / "rulebook" / "books"
KIN = {"CH-1": "casino_holdem.py", "THB-1": "texas_holdem_bonus.py"}
HOUSE = the_registry()


def rules(book_id: str) -> Rules:
    return croupier.rules(book_id, ante="A")


# The seam


def test_the_page_shows_what_ships() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    shown = list(blocks(text))
    (module,) = [block.text for block in shown if block.file == KIN["CH-1"]]
    assert module + "\n" == (GAMES / KIN["CH-1"]).read_text("utf-8")
    book = (BOOKS / "CH-1.toml").read_text("utf-8")
    places = [book.index(block.text) for block in shown if block.language == "toml"]
    assert places == sorted(places)
    assert len(places) > 4
    assert len(text.splitlines()) < 250


@pytest.mark.parametrize("book_id", KIN)
def test_a_kin_is_a_short_file_and_a_short_book(book_id: str) -> None:
    assert len((GAMES / KIN[book_id]).read_text("utf-8").splitlines()) <= 60
    assert len((BOOKS / f"{book_id}.toml").read_text("utf-8").splitlines()) <= 150


def test_nobody_else_knows_of_the_games() -> None:
    own = re.compile(r"casino[_ -]hold|texas hold'?em bonus|texas-holdem|\bCH-1|THB-1", re.I)
    naming = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "src").rglob("*"))
        if path.suffix in {".py", ".toml", ".html", ".js", ".css", ".typ", ".jinja"}
        and path.parent != BOOKS
        and path.name not in KIN.values()
        and own.search(path.read_text("utf-8"))
    ]
    assert naming == []


# Settlement


def settled(book_id: str, own: str, dealer: str, **wagers: str) -> Receipt:
    staked = ", ".join(f'{name} = "{amount}"' for name, amount in wagers.items())
    return settle(
        croupier.read_round(
            f'rulebook = "{book_id}"\npaytables = {{ ante = "A" }}\n'
            f'cards = {{ board = "9h 8h 2c Th Kd", dealer = "{dealer}" }}\n'
            f'box = [{{ seat = 1, cards = "{own}", {staked} }}]\n'
        )
    )


def nets(receipt: Receipt) -> dict[str, int]:
    return {line.wager: line.net_cents // 100 for line in receipt.lines}


@pytest.mark.clause("CH-1 3.A", "CH-1 3.B", "CH-1 5.B", "CH-1 5.D", "CH-1 5.E", "CH-1 5.F")
@pytest.mark.clause("CH-1 6.A", "CH-1 6.B")
@pytest.mark.parametrize(
    ("own", "dealer", "ante", "call"),
    [
        ("Ah 4h", "4s 4d", 20, 20),  # a flush against a dealer who opens
        ("Ah 4h", "3s 3d", 20, 0),  # and who does not
        ("As 4c", "3s 3d", 10, 0),  # whoever is higher
        ("As 4c", "4s 4d", -10, -20),
        ("Ks 4c", "Kc 3d", 0, 0),  # equal hands
        ("Jh Qc", "Ks 3d", 10, 20),  # a straight pays even money
    ],
)
def test_a_call_is_settled(own: str, dealer: str, ante: int, call: int) -> None:
    assert nets(settled("CH-1", own, dealer, ante="$10", call="$20")) == {
        "ante": ante,
        "call": call,
    }
    assert nets(settled("CH-1", own, dealer, ante="$10")) == {"ante": -10}


@pytest.mark.clause("THB-1 3.A", "THB-1 3.B", "THB-1 3.C", "THB-1 3.D", "THB-1 5.B", "THB-1 5.C")
@pytest.mark.clause("THB-1 5.D", "THB-1 5.E", "THB-1 6.A", "THB-1 6.B")
@pytest.mark.parametrize(
    ("own", "dealer", "ante", "way"),
    [
        ("Jh Qc", "As Ad", 10, 1),  # a straight pays the Ante too
        ("Ks 4c", "As Qd", 0, 1),  # a pair does not
        ("Ks 4c", "Ac Kc", -10, -1),
        ("Ks 4c", "Kc 3d", 0, 0),
    ],
)
def test_bets_add_up(own: str, dealer: str, ante: int, way: int) -> None:
    whole = nets(settled("THB-1", own, dealer, ante="$10", flop="$20", turn="$10", river="$10"))
    assert whole == {"ante": ante, "flop": 20 * way, "turn": 10 * way, "river": 10 * way}
    late = nets(settled("THB-1", own, dealer, ante="$10", flop="$20", river="$10"))
    assert late == {"ante": ante, "flop": 20 * way, "river": 10 * way}
    assert nets(settled("THB-1", own, dealer, ante="$10")) == {"ante": -10}
    with pytest.raises(Refusal, match=r"Turn Bet: needs Flop Bet beside it.*THB-1 3\.C"):
        settled("THB-1", own, dealer, ante="$10", turn="$10")
    with pytest.raises(Refusal, match=r"\(turn \$10\.00\).*THB-1 3\.D"):
        settled("THB-1", own, dealer, ante="$10", flop="$20", river="$20")


@pytest.mark.parametrize("book_id", KIN)
def test_the_felt_has_room_for_all_it_must_show(book_id: str) -> None:
    table = shipped_submission(book_id)
    assert findings(layout(table), table) == []


# Exact values


# M. Shackleford, wizardofodds.com/games/casino-hold-em: 2.16% of the Ante, 82% of hands called.
def test_casino_holdem_is_worth_what_is_published() -> None:
    solution = solved(rules("CH-1"))
    assert f"{-100 * float(solution.ev):.2f}" == "2.16"
    assert solution.ev == Fraction(-1363917077, 63213204600)
    shares = solution.base.action_ways()
    assert f"{shares['2x'] / solution.base.deals:.2f}" == "0.82"


# M. Shackleford, wizardofodds.com/texasholdembonus, Las Vegas rules: 2.037% of the Ante, 3.8181
# Antes wagered on average, and what the first bet is worth with the weakest hands.
PUBLISHED = {
    "32o": "-1.155927",
    "42o": "-1.091604",
    "52o": "-1.019987",
    "62o": "-1.046723",
    "72o": "-1.031301",
    "82o": "-0.896002",
}


def test_texas_holdem_bonus_is_worth_what_is_published() -> None:
    solution = solved(rules("THB-1"))
    assert f"{-100 * float(solution.ev):.3f}" == "2.037"
    assert f"{float(solution.base.average_wager):.4f}" == "3.8181"
    known = {hand.name: hand for hand in solution.hands}
    assert {name: f"{float(dict(known[name].values)['2x']):.6f}" for name in PUBLISHED} == PUBLISHED
    assert {name for name, hand in known.items() if hand.best == "fold"} == {*PUBLISHED} - {"82o"}


@pytest.mark.prove
@pytest.mark.parametrize(
    "deck", ["Ts Js Qs Ks Th 2d As Ah Ac", "2s 3s 4s 5s 2h 3h 9d 9c As", "KcKdKhQcQdAcAd2s2h7h"]
)
def test_every_deal_of_a_small_deck_is_counted(deck: str) -> None:
    bonus, numbers = rules("THB-1"), tuple(sorted(card.number for card in cards(deck)))
    game, final = holdem_bets.kernel_game(bonus)
    best = kernel.decide(game, numbers)
    counts = kernel.count(game, best.strategy, numbers)
    none = np.zeros((0, *counts.shape[1:]), dtype=np.int64)
    cells = Partitions(final, final, final, final)
    counted = holdem.SolvedHoldem(
        bonus,
        holdem_bets.actions(bonus),
        cells,
        HoldemCounts(counts, *[none] * 5),
        None,
    ).base
    assert counted.ev == Plain(bonus, cards(deck)).ev
    assert counted.ev == Fraction(
        sum(map(int, best.start_values.max(axis=1))), game.denominator * counted.deals
    )


# Advice


def no_need() -> Solution:
    raise AssertionError("the cards in sight are enough")


def test_advice_on_the_streets_that_are_asked() -> None:
    called = advise(rules("CH-1"), no_need, cards("Kd 5c"), cards("Kh 8s 2d"))
    assert list(called) == ["2x", "fold"]
    assert called["fold"] == -1
    with pytest.raises(Unreadable, match="a board has 3 cards in sight, not 5"):
        advise(rules("CH-1"), no_need, cards("Kd 5c"), cards("Kh 8s 2d 3c 4d"))
    raised = advise(rules("THB-1"), no_need, cards("Kd 5c"), cards("Kh 8s 2d 3c"))
    assert list(raised) == ["1x", "check"]
    with pytest.raises(Unreadable, match="a board has 0, 3 or 4 cards in sight, not 5"):
        advise(rules("THB-1"), no_need, cards("Kd 5c"), cards("Kh 8s 2d 3c 4d"))


@pytest.mark.prove
@pytest.mark.parametrize("board", ["Kh 8s 2d", "9c 8c 7d", "Kh 8s 2d 3c", "9c 8c 7d 6d"])
def test_advice_by_the_kernels_sums(board: str) -> None:
    bonus, shown = rules("THB-1"), cards(board)
    chance = Random(board)
    left = [card for card in DECK if card not in shown]
    holes = [tuple(chance.sample(left, 2)) for _ in range(3)]
    own = np.array([[card.number for card in hole] for hole in holes], dtype=np.uint8)
    rows = np.array([[card.number for card in shown]] * 3, dtype=np.uint8)
    none = np.zeros((3, 0), dtype=np.uint8)
    valued = Valuer(bonus, solved(bonus)).values(PositionRows(own, rows, none))
    for at, hole in enumerate(holes):
        exact = advise(bonus, no_need, hole, shown)
        assert {name: value[at] for name, value in valued.items()} == pytest.approx(
            {name: float(value) for name, value in exact.items()}, rel=1e-12
        )


# Simulation


@pytest.mark.prove
@pytest.mark.parametrize("book_id", KIN)
def test_rounds_dealt_by_the_million_agree_with_the_solution(
    book_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = HOUSE.book(book_id).game
    assert main(["simulate", game, "--rounds", "4000000", "--seed", "7", "--json"]) == 0
    (box,) = json.loads(capsys.readouterr().out)["boxes"]
    (base,) = box["wagers"]
    assert abs(base["z"]) < 4


# The table, the ledger, the log


@pytest.mark.parametrize("book_id", KIN)
def test_whatever_is_done_at_its_table_the_engine_holds(book_id: str) -> None:
    terms = terms_of(shipped_submission(book_id), HOUSE, electronic_shoe=False)
    walked = [walk(Random(seed), 200, terms) for seed in range(6)]
    happened = {type(event) for table in walked for event in table.events}
    assert {ev.CardsDealt, ev.Played, ev.Folded, ev.DealerRevealed} <= happened


@pytest.mark.clause("THB-1 5.A")
@pytest.mark.parametrize("book_id", KIN)
def test_an_evening_is_kept_proved_exported_and_audited(
    book_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "evening.db"
    with closing(open_ledger(str(place), create=True)) as ledger:
        evening = Evening(7)
        table = evening.install(ledger, book_id)
        evening.sit(table, 3)
        evening.play(table, 5)
        found = audited(ledger, HOUSE, ring=evening.ring)
        assert (found.differences, found.rounds) == ([], 5)
    records = tmp_path / "evening.jsonl"
    assert main(["export", str(place), "--out", str(records)]) == 0
    assert main(["audit", str(records)]) == 0
    assert "Everything is as it must be." in capsys.readouterr().out
    lines = records.read_text("utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if '"decisions"' in line)
    told = json.loads(lines[at])
    last = told["boxes"][0]["decisions"][-1]
    last.update(action="play", cents=30_00)  # of another size, or never laid
    lines[at] = json.dumps(told)
    records.write_text("\n".join(lines) + "\n", "utf-8")
    assert main(["audit", str(records)]) == 1
    assert "CH-1 3.B" in (said := capsys.readouterr().out) or "THB-1 3.D" in said
