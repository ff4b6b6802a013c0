"""The seam: a third game is one file and one TOML; the same code loads, settles and traces it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.facts.errors import Refusal
from croupier.facts.showings import Showing
from croupier.games.game import Game
from croupier.games.registry import Registry, games_in, open_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.rulebook.citations import lines_citing
from croupier.rulebook.loader import books_in, read_book
from croupier.table.receipt import Receipt
from croupier.table.round_file import read_round, write_round
from croupier.table.settlement import settle
from tests import toy
from tests.toy import showdown

BOOK = Path(__file__).parent.parent / "toy" / "TOY-1.toml"


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """Found the way shipped games are: by looking into folders that hold one file and one TOML."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "books").mkdir()
    (folder / "trace").mkdir()
    (folder / "books" / BOOK.name).write_text(BOOK.read_text("utf-8"), "utf-8")
    return open_registry(games_in(toy.__name__, toy.__path__), books_in(folder))


def toy_round(dealer: str, box: str, wagers: str = 'ante = "$10"\nplay = "$10"') -> str:
    return f"""
rulebook = "TOY-1"
[paytables]
pair_side = "A"
[cards]
dealer = "{dealer}"
[[box]]
seat = 1
cards = "{box}"
{wagers}
"""


def settled(registry: Registry, dealer: str, box: str, **wagers: str) -> Receipt:
    written = "\n".join(f'{name} = "{amount}"' for name, amount in wagers.items())
    return settle(read_round(toy_round(dealer, box, written), registry))


def paid(receipt: Receipt) -> dict[str, tuple[str, int, int]]:
    return {
        line.wager: (str(line.outcome), line.paid_cents, line.returned_cents)
        for line in receipt.lines
    }


def test_a_win(registry: Registry) -> None:
    receipt = settled(registry, "2c 2d", "3c 3d", ante="$10", play="$10")
    assert paid(receipt) == {"ante": ("win", 1000, 1000), "play": ("win", 1200, 1000)}


def test_a_dealer_without_a_pair(registry: Registry) -> None:
    receipt = settled(registry, "Ac Kd", "3c 3d", ante="$10", play="$10")
    assert paid(receipt) == {"ante": ("win", 1000, 1000), "play": ("push", 0, 1000)}


@pytest.mark.clause("TOY-1 2.D")
def test_a_tie_loses(registry: Registry) -> None:
    receipt = settled(registry, "2c 2d", "2h 2s", ante="$10", play="$10")
    assert paid(receipt) == {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}


@pytest.mark.clause("TOY-1 3.B(1)")
def test_pair_side(registry: Registry) -> None:
    aces = settled(registry, "2c 2d", "Ah As", ante="$10", pair_side="$5")
    assert paid(aces) == {"ante": ("forfeit", 0, 0), "pair_side": ("win", 10000, 500)}
    fours = settled(registry, "2c 2d", "4h 4s", ante="$10", pair_side="$5")
    assert paid(fours)["pair_side"] == ("win", 5500, 0)


def test_boxes_are_settled_from_the_side_the_book_says(registry: Registry) -> None:
    text = toy_round("2c 2d", "3c 3d") + '[[box]]\nseat = 3\ncards = "4c 4d"\nante = "$1"\n'
    assert [line.box for line in settle(read_round(text, registry)).lines] == [1, 1, 3]


def test_it_refuses_with_its_own_clauses(registry: Registry) -> None:
    with pytest.raises(Refusal) as refused:
        settled(registry, "2c 2d", "3c 3d", ante="$10", play="$20")
    assert refused.value.clause == "TOY-1 2.B"


def test_written_and_read_back(registry: Registry) -> None:
    round = read_round(toy_round("2c 2d", "3c 3d"), registry)
    assert read_round(write_round(round), registry) == round


def test_it_is_traced(registry: Registry) -> None:
    book = registry.book("TOY-1")
    assert book.trace["2.D"].tests == ("tests/games/test_seam.py::test_a_tie_loses",)
    assert list(lines_citing(book, "3.B(1)")) == [
        "paytables pair side A: pair of aces pays 20 to 1"
    ]


def test_the_command_line_knows_it(
    registry: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round.toml"
    file.write_text(toy_round("2c 2d", "3c 3d"), "utf-8")
    assert main(["settle", str(file), "--json"], registry) == 0
    assert json.loads(capsys.readouterr().out)["boxes"][0]["net_cents"] == 2200
    assert main(["rules", "--trace", "--json"], registry) == 0
    assert set(json.loads(capsys.readouterr().out)["TOY-1"]) >= {"2.D", "3.B(1)"}
    assert main(["rules", "TOY-1", "2.D"], registry) == 0
    assert "A tie loses." in capsys.readouterr().out


def test_a_book_its_game_cannot_see_is_refused() -> None:
    blind = read_book(BOOK.read_text("utf-8").replace('"two cards"', '"tea leaves"'))
    with pytest.raises(Refusal, match="cannot see"):
        open_registry([showdown.GAME], [blind])


def test_a_phrase_nobody_understands_is_refused() -> None:
    odd = read_book(BOOK.read_text("utf-8").replace('"pair of aces"', '"three jokers"'))
    with pytest.raises(Refusal, match="three jokers"):
        open_registry([showdown.GAME], [odd])


def test_a_game_may_have_sayings_of_its_own(registry: Registry) -> None:
    """Black aces: no phrase of the facts, only this game's look knows it."""
    text = BOOK.read_text("utf-8").replace('"pair of aces"', '"black aces"')

    def look(round: FinishedRound, box: FinishedBox) -> Showing:
        black = {str(card) for card in box.cards} == {"Ac", "As"}
        also = frozenset({"black aces"}) if black else frozenset()
        return replace(showdown.two_cards(round, box), also=also)

    game = Game(
        id="toy",
        name="Toy Showdown",
        ranking=showdown.GAME.ranking,
        player=showdown.two_cards,
        dealer=showdown.dealer_hand,
        looks={"two cards": look},
        sayings=("black aces",),
    )
    own = open_registry([game], [read_book(text)])
    black = settled(own, "2c 2d", "Ac As", ante="$10", pair_side="$5")
    red = settled(own, "2c 2d", "Ah Ad", ante="$10", pair_side="$5")
    assert paid(black)["pair_side"] == ("win", 10000, 500)
    assert paid(red)["pair_side"] == ("win", 5500, 0)
