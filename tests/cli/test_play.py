"""``croupier play``: a practice table, played from scripted lines."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable

import pytest

from croupier.cli import main
from croupier.cli import play as play_command
from croupier.cli.training import TrainingTable
from croupier.exact.advice import advise
from croupier.facts.cards import card, cards
from croupier.games.house import the_house
from croupier.games.rules import bind
from croupier.table.double_entry import entries

BOOKS = the_house().books
Played = Callable[..., str]


class _KeptTable(TrainingTable):
    last: TrainingTable

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        _KeptTable.last = self


@pytest.fixture
def played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setattr(play_command, "TrainingTable", _KeptTable)

    def run(typed: str, *arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["play", "--terminal", "--seed", "5", *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def accounts() -> Counter[str]:
    moved: Counter[str] = Counter()
    for happening in _KeptTable.last.happenings:
        for account, micros in entries(happening.event):
            moved[account] += micros
    return moved


def dollars(text: str) -> int:
    return round(100 * float(text.replace("$", "").replace(",", "").replace("even", "0")))


def results(told: str) -> list[tuple[int, int]]:
    """What each round brought and what one had after it, in cents."""
    found = re.findall(r"This round (\S+); you have (\S+)", told)
    return [(dollars(net), dollars(have)) for net, have in found]


def test_a_few_rounds_with_money_conserved(played: Played) -> None:
    told = played("a 20 t 5 r\n\n4\n\nc\n2\n\nc\nc\nf\n\n3\nq\n")
    rounds = results(told)
    assert len(rounds) == 4
    have = 1_000_00
    for net, after in rounds:
        have += net
        assert after == have
    moved = accounts()
    assert sum(moved.values()) == 0
    assert 1_000_00 + moved["purse 2"] // 10_000 == have
    assert not any(micros for account, micros in moved.items() if account.startswith("felt"))
    assert told.rstrip().endswith("less than you brought.") == (have < 1_000_00)


def test_the_table_and_the_receipt(played: Played) -> None:
    told = played("a 20 t 5\n\n4\n")
    for part in (
        "Your wagers for round 1; $955 in hand",
        "$10 to $500 in steps of $5",
        "Ultimate Texas Hold'em, UTH-S, round 1",
        ">  Box 2  You   T♣ 9♣   Ante $20, Blind $20, Trips $5",
        "4  Play 4x, $80",
        "Cleo plays $30. The dealer calls: “four of a kind,",
        "UTH-S 12.C(1)(f)",
        "This round -$100; you have $900",
        "Your wagers for round 2; $855 in hand",
        "You played 1 round and leave with $900, $100 less than you brought.",
    ):
        assert part in told, part


def test_no_card_is_seen_before_its_time(played: Played) -> None:
    """Until the dealer calls, only one's own two cards are on the screen."""
    before = played("\n4\n").partition("The dealer calls")[0]
    assert set(re.findall(r"[2-9TJQKA][♣♦♥♠]", before)) == {"T♣", "9♣"}


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_rulebook_with_any_number_of_boxes(book_id: str, played: Played) -> None:
    for seats in range(1, BOOKS[book_id].table.boxes.count + 1):
        told = played("\n1\nc\nc\n1\n1\n1\n\n", "--rulebook", book_id, "--seats", str(seats))
        assert "leave with" in told
        assert results(told)
        assert sum(accounts().values()) == 0


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("xyz\n", '"xyz" is no wager here; type a letter and dollars, like a 20.'),
        ("a twenty\n", '"twenty" is no wager here'),
        ("$\n", '"$" is no wager here'),
        ("a 7\n", "$7.00 is outside the posted $10.00 to $500.00 - UTH-S 7.F(1)."),
        ("a 11\n", "it goes up by $5.00 - UTH-S 7.F(1)."),
        ("s 5\n", "Six Card Bonus: first place Trips - UTH-S 7.F(4)(b)."),
        ("a 0\n", "Blind"),
        ("a 500 t 100\n", "That is $100 more than you have; wager less."),
        ("r 2\n", "it is $1.00, not $2.00"),
        ("\nx\n", '"x" is none of them; type 4, 3, c or q.'),
        ("\n\n", "An answer is needed; type 4, 3, c or q."),
        ("a 300\n\n4\n", "You have $400 left; choose something smaller."),
    ],
)
def test_nonsense_is_one_sentence_and_asked_again(
    typed: str, sentence: str, played: Played
) -> None:
    told = played(typed)
    assert sentence in " ".join(told.split())
    assert "leave with" in told
    assert sum(accounts().values()) == 0


def test_a_wager_is_taken_off_again(played: Played) -> None:
    told = played("t 5\nt 0\n")
    assert "$975 in hand" in told
    assert told.count("$980 in hand") == 2


def test_leaving_before_a_round_costs_nothing(played: Played) -> None:
    for typed in ("", "q\n", "quit\n"):
        assert "leave with $1,000, just what you brought." in played(typed)


def test_leaving_during_a_round(played: Played) -> None:
    """Play goes on by the disclosed default: check, check, fold."""
    for typed in ("\n", "\nq\n"):
        told = played(typed)
        assert "it is finished as the house rules say" in told
        assert "folded  UTH-S 11.F(2)" in told
        assert "leave with $980, $20 less than you brought." in told


def test_an_interrupt_is_a_way_to_leave(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert main(["play", "--terminal"]) == 0
    assert "leave with $1,000" in capsys.readouterr().out


def test_fresh_chips_when_all_are_gone(played: Played) -> None:
    """A fold of everything, twice: the next round finds chips again."""
    told = played("a 500\n\nc\nc\nf\n")
    assert "This round -$1,000; you have $0" in told
    assert "Your chips are gone; $1,000 more are brought." in told
    assert "Your wagers for round 2; $980 in hand" in told
    assert "leave with $1,000, $1,000 less than you brought." in told


def test_the_coach_tells_exact_values(played: Played) -> None:
    told = played("\n1\n", "--game", "four-card", "--coach", "--seats", "1")
    book = BOOKS["FCP-14"]
    rules = bind(the_house().game_of(book), book, {})
    own, up = _own_and_up(told)
    values = advise(rules, lambda: pytest.fail("no solution is needed"), cards(own), (), card(up))
    for action, value in values.items():
        assert re.search(rf"{action}.* {re.escape(f'{float(value):+.4f}')} Antes", told, re.I)
    between = (values["1x"] + values["3x"]) / 2
    assert f"{float(between):+.4f} Antes" in told
    assert told.count("best") == 1
    assert "Antes" not in played("\n1\n", "--game", "four-card", "--seats", "1")


def _own_and_up(told: str) -> tuple[str, str]:
    dealer = re.search(r"Dealer .*?(\S\S) +│", told)
    own = re.search(r"You +((?:\S\S ){5})", told)
    assert dealer is not None
    assert own is not None
    return own[1], dealer[1]


def test_an_example_round_ends_by_itself(played: Played) -> None:
    for game in the_house().games:
        told = played("never read", "--example", "--game", game)
        assert "You played 1 round and leave with" in told
        assert len(results(told)) == 1
        assert "Your wagers for round 2" not in told


def test_without_a_terminal_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "croupier: The browser table is still to come; "
        "croupier play --terminal plays here, from a pipe too\n"
    )


def test_at_a_keyboard_the_terminal_table_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard("q\n"))
    assert main(["play"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("The browser table is still to come; this is the one in the terminal\n")
    assert "leave with $1,000" in told
