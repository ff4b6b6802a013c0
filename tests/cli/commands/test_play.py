"""``croupier play``: a practice table, played from scripted lines."""

from __future__ import annotations

import io
import re
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from croupier.audit.proof import prove
from croupier.cli import main
from croupier.cli.service import listening
from croupier.exact.advice import advise
from croupier.facts.cards import card, cards
from croupier.games.registry import the_registry
from croupier.games.rules import bind
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import read_entries
from croupier.practice.table import SeededOrder, practice_table
from croupier.submission.check import shipped_submission
from tests.ledger.evenings import Evening

BOOKS = the_registry().books
Played = Callable[..., str]
Accounts = Callable[[], Counter[str]]


@pytest.fixture
def ledger_file(tmp_path: Path) -> Path:
    return tmp_path / "practice.db"


@pytest.fixture
def played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ledger_file: Path
) -> Played:
    def run(typed: str, *arguments: str, fresh: bool = True) -> str:
        for file in ledger_file.parent.glob("practice.db*") if fresh else ():
            file.unlink()
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        kept = ("--seed", "5", "--ledger", str(ledger_file))
        assert main(["play", "--terminal", *kept, *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


@pytest.fixture
def accounts(ledger_file: Path) -> Callable[[], Counter[str]]:
    """What the ledger's entries sum to, account by account, once it is proved."""

    def summed() -> Counter[str]:
        moved: Counter[str] = Counter()
        with closing(open_ledger(str(ledger_file), read_only=True)) as ledger:
            assert prove(ledger, the_registry()).differences == []
            for stream in ledger.heads():
                for line in ledger.read(stream):
                    for account, micros in read_entries(line.entries):
                        moved[account] += micros
        return moved

    return summed


def dollars(text: str) -> int:
    return round(100 * float(text.replace("$", "").replace(",", "").replace("even", "0")))


def results(told: str) -> list[tuple[int, int]]:
    """What each round brought and what one had after it, in cents."""
    found = re.findall(r"This round (\S+); you have (\S+)", told)
    return [(dollars(net), dollars(have)) for net, have in found]


def test_help_and_the_keys_of_the_browser(played: Played) -> None:
    told = played("?\na 20\n+\nd\n?\nc\nc\nf\nq\n", "--seats", "1")
    assert told.count("put $20 on the wager with that letter") == 2
    assert "$1,000 more are brought" in told
    assert "You played 1 round" in told


def test_a_few_rounds_with_money_conserved(played: Played, accounts: Accounts) -> None:
    told = played("a 20 t 5 o\n\n4\n\nc\n2\n\nc\nc\nf\n\n3\nq\n", "--seats", "1")
    rounds = results(told)
    assert len(rounds) == 4
    have = 1_000_00
    for net, after in rounds:
        have += net
        assert after == have
    moved = accounts()
    assert sum(moved.values()) == 0
    assert moved["cash"] == 10_000 * (have - 1_000_00)
    assert not any(micros for account, micros in moved.items() if account.startswith("purse"))
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
        "Cleo folds. The dealer calls: “four of a kind, aces”.",
        "UTH-S 12.C(1)",
        "This round -$125; you have $875",
        "Your wagers for round 2; $830 in hand",
        "You played 1 round and leave with $875, $125 less than you brought.",
    ):
        assert part in told, part


def test_a_wager_has_the_word_of_its_book(played: Played) -> None:
    """What others put down, and what your chips do not cover: at Casino Hold'em it is the Call."""
    told = played("a 400\n\n", "--rulebook", "CH-1", "--seats", "6")
    assert re.search(r"\w+: Call \$\d", told)
    assert "Call takes more than the $600 you have in chips." in " ".join(told.split())
    assert not re.search(r"\bplays \$|\bPlay\b", told)


def test_no_card_is_seen_before_its_time(played: Played) -> None:
    """Until the dealer calls, only one's own two cards are on the screen."""
    before = played("\n4\n").partition("The dealer calls")[0]
    assert set(re.findall(r"[2-9TJQKA][♣♦♥♠]", before)) == {"T♣", "9♣"}


KIN = ("UTH-14", "CH-1", "THB-1")  # played as others here are


@pytest.mark.parametrize(
    "book_id", [pytest.param(b, marks=[pytest.mark.prove] * (b in KIN)) for b in BOOKS]
)
def test_every_rulebook_with_any_number_of_boxes(
    book_id: str, played: Played, accounts: Accounts
) -> None:
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
        ("a 500 t 100\n", "Box 2 has $1,000.00 in chips; this takes $1,100.00 - UTH-S 7.A."),
        ("o 2\n", "it is $1.00, not $2.00"),
        ("\nx\n", '"x" is none of them; type 4, 3, c or q.'),
        ("\n\n", "An answer is needed; type 4, 3, c or q."),
        ("a 300\n\n4\n", "Play takes more than the $400 you have in chips."),
        ("a 300\n\n4\n", '"4" is none of them; type c or q.'),
    ],
)
def test_nonsense_is_one_sentence_and_asked_again(
    typed: str, sentence: str, played: Played, accounts: Accounts
) -> None:
    told = played(typed)
    assert sentence in " ".join(told.split())
    assert "leave with" in told
    assert sum(accounts().values()) == 0


def test_a_wager_is_taken_off_again(played: Played) -> None:
    told = played("t 5\nt 0\n")
    assert "$975 in hand" in told
    assert told.count("$980 in hand") == 2


def test_wagers_are_undone_taken_back_and_put_down_again(
    played: Played, accounts: Accounts
) -> None:
    """What is in hand after each: nothing to undo, Trips, Z, all back, Z, all back, the last."""
    told = played("z\nt 5\nz\nx\nd\nz\nx\n+\nr\nd\n4\n", "--seats", "1")
    assert "Nothing was changed since the betting opened." in told
    assert "Nothing lies in your box; put a wager there, or type r" in told
    in_hand = re.findall(r"wagers for round 1; (\S+) in hand", told)
    least, trips, none, more = "$980", "$975", "$1,000", "$2,000"
    assert in_hand == [least, trips, least, none, least, none, more, "$1,980"]
    assert "Your chips are gone" not in told
    assert len(results(told)) == 1
    assert sum(accounts().values()) == 0


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
    assert main(["play", "--terminal", "--seed", "5"]) == 130
    out, err = capsys.readouterr()
    assert "leave with $1,000" in out
    assert err.endswith("croupier: stopped\n")


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
    rules = bind(the_registry().game_of(book), book, {})
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
    for game in the_registry().games:
        told = played("never read", "--example", "--game", game)
        assert "You played 1 round and leave with" in told
        assert len(results(told)) == 1
        assert "Your wagers for round 2" not in told


def test_the_example_is_a_story_by_the_coach(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--example"]) == 0
    told = capsys.readouterr().out
    asked = re.findall(r"^ (\S).*Antes  best", told, re.MULTILINE)
    answers = re.findall(r"^> (\S)", told, re.MULTILINE)
    assert asked == answers == ["c", "2"]
    assert "3 to 2" in told  # the Blind


def test_a_port_that_is_taken_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["play", "--seed", "5", "--no-browser", "--port", str(port)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"croupier: port {port} cannot be used: Address already in use\n"


# Kept rounds


def test_the_next_evening_goes_on_at_the_same_table(played: Played, accounts: Accounts) -> None:
    played("\n1\nc\nc\n1\n", "--seats", "1")
    told = played("\n", "--seats", "1", fresh=False)
    assert "Your wagers for round 2; $980 in hand" in told
    assert sum(accounts().values()) == 0


def cut_off(ledger_file: Path) -> None:
    """A table whose process is killed while the player is asked."""
    script = [sys.executable, "-m", "croupier", "play", "--terminal", "--seed", "5"]
    with subprocess.Popen(
        [*script, "--ledger", str(ledger_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"a 20\n\n")
        child.stdin.flush()
        while b"Leave the table" not in child.stdout.readline():
            pass
        child.kill()


def test_a_table_cut_off_in_the_middle_of_a_round_goes_on(
    ledger_file: Path, played: Played, accounts: Accounts
) -> None:
    cut_off(ledger_file)
    told = played("4\nq\n", fresh=False)
    assert "You were in the middle of a round; it goes on." in told
    assert "4  Play 4x, $80" in told
    assert len(results(told)) == 1
    assert sum(accounts().values()) == 0


def test_whoever_leaves_during_a_round_takes_his_chips_with_him(
    played: Played, accounts: Accounts
) -> None:
    played("\nq\n", "--seats", "2")
    moved = accounts()
    assert not any(micros for account, micros in moved.items() if account.startswith("purse"))
    told = played("q\n", "--seats", "2", fresh=False)
    assert "Your wagers for round 2; $980 in hand" in told
    assert "leave with $1,000, just what you brought." in told


def test_a_round_whose_key_is_lost_is_void_and_play_goes_on(
    ledger_file: Path, played: Played, accounts: Accounts
) -> None:
    cut_off(ledger_file)
    ledger_file.with_name(f"{ledger_file.name}.keys").unlink()
    told = played("\n4\nq\n", fresh=False)
    assert "leave with" in told
    assert sum(accounts().values()) == 0
    played("q\n", fresh=False)


def test_a_play_that_the_chips_do_not_cover_is_not_offered_and_never_the_best(
    played: Played,
) -> None:
    """Of $1,000 an Ante of $190 and its Blind leave $620: three times the Ante, but not four."""
    told = played("a 190\n\nc\n", "--coach", "--seats", "1", "--game", "uth")
    first = told[: told.index("> c")]
    assert "3  Play 3x, $570" in first
    assert "Play 4x" not in first
    assert first.count(" best") == 1
    told = played("a 400\n\nc\n", "--coach", "--seats", "1", "--game", "uth")
    assert "Play takes more than the $200 you have in chips." in told
    assert " best" not in told


def test_a_ledger_that_is_played_on_is_not_shared(
    ledger_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filed = shipped_submission("UTH-S")
    with practice_table(filed, the_registry(), ledger_file, None):
        assert main(["play", "--terminal", "--ledger", str(ledger_file)]) == 2
    assert "somebody plays on this ledger now" in capsys.readouterr().err


def test_without_a_name_the_ledger_is_in_the_players_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert main(["play", "--terminal"]) == 0
    assert "leave with $1,000" in capsys.readouterr().out
    assert {file.name for file in (tmp_path / "data" / "croupier").iterdir()} >= {
        "practice.db",
        "practice.db.keys",
    }


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_place_that_cannot_hold_a_ledger(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("this is no ledger")
    target = tmp_path / "file" if place == "file" else tmp_path
    assert main(["play", "--terminal", "--ledger", str(target)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_an_address_or_a_pit_is_no_place_to_practice(
    tmp_path: Path, ledger_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--terminal", "--ledger", "postgresql://host/pit"]) == 2
    assert "keeps its rounds in a file" in capsys.readouterr().err
    with closing(open_ledger(str(ledger_file), create=True)) as ledger:
        Evening().install(ledger)
    assert main(["play", "--terminal", "--ledger", str(ledger_file)]) == 2
    assert "keeps live tables; practice in another file" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.lock"))


def test_a_seed_gives_the_same_cards_under_other_salts() -> None:
    one, two = (fresh_pack(SeededOrder(7)) for _ in range(2))
    assert one.cards == two.cards
    assert not {*one.salts} & {*two.salts}


def test_who_follows_the_link_at_once_is_not_turned_away() -> None:
    """The link is told while the room still starts: its port takes whoever comes."""
    with listening(0) as door, socket.create_connection(door.getsockname(), timeout=5):
        pass


def test_a_practice_file_of_another_version_names_itself_and_the_way_out(
    ledger_file: Path, played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played("\nq\n")
    with closing(sqlite3.connect(ledger_file)) as raw:
        for (name,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute('UPDATE lines SET body = \'{"event":"rain"}\' WHERE version = 4')
        raw.commit()
    assert main(["play", "--terminal", "--example", "--ledger", str(ledger_file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f'croupier: {ledger_file}, "table/practice-UTH-S-1", line 4: ')
    assert told.endswith("move the file away to begin anew, or name another one with --ledger\n")
