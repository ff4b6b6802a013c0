"""The coach's kernel of the table without an install, in Chromium, beside the solver."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from croupier.facts.cards import DECK, cards
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.practice import coach, showdown_counts
from croupier.practice.asked_hand import MOST_DEAD
from croupier.submission.check import shipped_submission
from croupier.submission.fingerprint import rules_hash
from tests.browser.static_host import StaticHost
from website.demo import compiled_coach

KERNEL = Path(compiled_coach.__file__).parent / "static" / "kernel.js"
BOOKS = list(the_registry().books)
COUNTED = """async (asked) => {
  const { Kernel } = await import("./kernel.js");
  const kernel = new Kernel(await (await fetch("coach.json")).json());
  return asked.map(([hash, position]) => ({
    values: kernel.values(hash, position),
    odds: kernel.odds(hash, position),
    beaten: position.board.length === 5 ? kernel.beaten(position) : {},
  }));
}"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    """The kernel and what it is told of the shipped Rules, without the rest of the folder."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(KERNEL, folder)
    (folder / "coach.json").write_text(json.dumps(compiled_coach.compiled(the_registry())))
    (folder / "index.html").write_text('<!doctype html><link rel="icon" href="data:,">')
    with StaticHost(folder) as host:
        yield host


@pytest.fixture(scope="module")
def page(chromium: Browser, host: StaticHost) -> Iterator[Page]:
    page = chromium.new_page()
    page.set_default_timeout(0)
    page.goto(f"{host.url}/index.html")
    yield page
    page.close()


def shipped(book: str) -> Rules:
    return shipped_submission(book).rules(the_registry())


def positions(rules: Rules, most: int, chance: Random) -> Iterator[coach.Position]:
    """Random positions of every street."""
    for street in rules.book.streets:
        yield from coach.dealt(rules, street.name, chance, -(-most // len(rules.book.streets)))


def knowing(rules: Rules, most: int, chance: Random) -> Iterator[coach.Position]:
    """The same with cards of the dealer known, cards out of play, or both; before a flop some other
    test asks."""
    house = rules.book.place("dealer").cards
    for position in positions(rules, most, chance):
        seen = {*position.own, *position.board, position.up}
        rest = chance.sample([card for card in map(str, DECK) if card not in seen], 20)
        known = chance.randint(0, house - bool(position.up))
        dead = chance.randint(not known, MOST_DEAD)
        if position.board or rules.book.place("box").cards > 2:
            yield msgspec.structs.replace(
                position, known=tuple(rest[:known]), dead=tuple(rest[known : known + dead])
            )


def disagreements(page: Page, rules: Rules, asked: list[coach.Position]) -> list[str]:
    """Where the kernel of the browser does not say what the solver says, to the last digit."""
    plain = [(rules_hash(rules), msgspec.to_builtins(position)) for position in asked]
    wrong = []
    for position, told in zip(asked, page.evaluate(COUNTED, plain), strict=True):
        wanted = solvers(rules, position)
        if {part: told[part] for part in wanted} != wanted:
            wrong.append(f"{position}: {told}, not {wanted}")
    return wrong


def solvers(rules: Rules, position: coach.Position) -> dict[str, Any]:
    """What the solver counts of a position and, of who sees no more than he should, its reasons."""
    values = coach.counted(None, rules, position)
    valued = {"values": {name: str(value) for name, value in values.items()}}
    if position.known or position.dead:
        return valued
    own, board = cards(" ".join(position.own)), cards(" ".join(position.board))
    odds = showdown_counts.odds(rules, own, board, cards(position.up))
    beaten = showdown_counts.beaten_by(own, board) if len(board) == 5 else {}
    return {
        **valued,
        "odds": list(odds) if odds is not None else None,
        "beaten": {str(category): ways for category, ways in beaten.items()},
    }


@pytest.mark.parametrize("book", BOOKS)
def test_the_kernel_counts_as_the_solver_does(book: str, page: Page) -> None:
    rules = shipped(book)
    assert disagreements(page, rules, list(positions(rules, 3, Random(1)))) == []


@pytest.mark.parametrize("book", BOOKS)
def test_the_kernel_counts_with_known_cards_as_the_solver_does(book: str, page: Page) -> None:
    rules = shipped(book)
    assert disagreements(page, rules, list(knowing(rules, 6, Random(1)))) == []


@pytest.mark.prove
@pytest.mark.parametrize("book", BOOKS)
def test_the_kernel_counts_ten_thousand_positions_as_the_solver_does(book: str, page: Page) -> None:
    rules = shipped(book)
    for part in range(100):
        assert disagreements(page, rules, list(positions(rules, 100, Random(part)))) == []


@pytest.mark.prove
@pytest.mark.parametrize("book", BOOKS)
def test_the_kernel_counts_ten_thousand_positions_with_known_cards_as_the_solver_does(
    book: str, page: Page
) -> None:
    rules, counted = shipped(book), 0
    for part in range(200):
        asked = list(knowing(rules, 100, Random(part)))
        counted += len(asked)
        assert disagreements(page, rules, asked) == []
        if counted >= 10_000:
            return
    raise AssertionError("too few positions")


def before_the_flop(page: Page, book: str, known: str, dead: str) -> dict[str, str]:
    position = first_position(book, known, dead)
    plain = [(rules_hash(shipped(book)), msgspec.to_builtins(position))]
    found: dict[str, str] = page.evaluate(COUNTED, plain)[0]["values"]
    return found


def first_position(book: str, known: str, dead: str) -> coach.Position:
    street = shipped(book).book.streets[0].name
    hole, known_cards, dead_cards = (tuple(each.split()) for each in ("Kd 5c", known, dead))
    return coach.Position(street, hole, known=known_cards, dead=dead_cards)


@pytest.mark.prove
@pytest.mark.parametrize("known", ["9h", "Ad Ac"])
@pytest.mark.parametrize("book", ["UTH-S", "UTH-14"])
def test_before_the_flop_a_card_of_the_dealer_is_counted(book: str, known: str, page: Page) -> None:
    """The solver leaves out a raise that lies between two others in everything."""
    told = before_the_flop(page, book, known, "2c 7s")
    wanted = coach.counted(None, shipped(book), first_position(book, known, "2c 7s"))
    assert {name: told[name] for name in wanted} == {n: str(value) for n, value in wanted.items()}
    assert told.keys() - wanted.keys() <= {"3x"}


def test_before_the_flop_what_is_not_counted_is_said(page: Page) -> None:
    assert "croupier advise" in before_the_flop(page, "UTH-S", "", "2c")["error"]
    assert "not counted in this game" in before_the_flop(page, "THB-1", "2c", "")["error"]
