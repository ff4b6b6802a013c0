"""The most one player can win at the minimum wagers, held against rounds that are settled."""

from __future__ import annotations

from random import Random

import pytest

from croupier.facts.cards import DECK, cards
from croupier.facts.money import Cents, cents
from croupier.facts.toml_lines import TomlLines
from croupier.facts.toml_text import read_toml
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import bind
from croupier.submission.check_limits import most_at_minimum
from croupier.submission.draft import SubmissionDraft
from croupier.submission.keys import read_document
from croupier.table.settlement import settle
from tests.submission.forms import edited

ANTE, TRIPS = "$10", "$5"
LETTERS = [("A", "A"), ("B", "E"), ("A", "D"), ("B", "C")]


def draft(blind: str, trips: str) -> SubmissionDraft:
    lines = {
        "limits__ante": f'{{ minimum = "{ANTE}", maximum = "$500", increment = "$10" }}',
        "limits__trips": f'{{ minimum = "{TRIPS}", maximum = "$500", increment = "$5" }}',
    }
    text = edited("UTH-S", paytables__blind=f'"{blind}"', paytables__trips=f'"{trips}"', **lines)
    registry, where = the_registry(), TomlLines(text)
    return SubmissionDraft(
        read_document(read_toml(text), where), where, registry, registry.book("UTH-S")
    )


def paid(blind: str, trips: str, board: str, dealer: str, *holes: str) -> int:
    """What these boxes are paid under the payout limit's wagers, by the settlement."""
    registry = the_registry()
    book = registry.book("UTH-S")
    rules = bind(registry.game_of(book), book, {"blind": blind, "trips": trips})
    ante, side = cents(ANTE), cents(TRIPS)
    stakes = {"ante": ante, "blind": ante, "trips": side, "play": Cents(4 * ante)}
    boxes = tuple(FinishedBox(n, cards(hole), stakes) for n, hole in enumerate(holes, start=1))
    lying = {"board": cards(board), "dealer": cards(dealer)}
    return sum(line.paid_cents for line in settle(FinishedRound(rules, lying, boxes)).lines)


@pytest.mark.parametrize(("blind", "trips"), LETTERS)
def test_settled_rounds_reach_it_and_the_last_box_by_box(blind: str, trips: str) -> None:
    said = draft(blind, trips)
    two = ("Ks Qs Js Ts 4h", "4d 5c", "As 2d", "9s 2c")
    three = ("Ks Qs Js Ts Kh", "4d 5c", "As 2d", "9s 2c", "Kd Kc")
    four = ("Qs Js Ts Qh Jh", "4d 5c", "As Ks", "9s 8s", "Qd Qc", "Jd Jc")
    for board, dealer, *holes in (two, three, four):
        most = most_at_minimum(said, len(holes), cents("$0"))
        assert paid(blind, trips, board, dealer, *holes) == most


@pytest.mark.clause("UTH-S 12.F(1)")
@pytest.mark.parametrize(("blind", "trips"), LETTERS)
def test_no_round_that_is_dealt_pays_more(blind: str, trips: str) -> None:
    """Boards with much of a royal flush, where the boxes take the cards next to it."""
    chance = Random(7)
    royal, near = cards("As Ks Qs Js Ts"), cards("9s 8s 7s Qh Qd Qc Jh Jd Jc Th Td Tc Kh Kd Kc Ah")
    most = most_at_minimum(draft(blind, trips), 4, cents("$0"))
    found = set()
    for _ in range(400):
        on_board = tuple(chance.sample(royal, chance.choice((3, 3, 4, 5))))
        rest = [card for card in (*royal, *near) if card not in on_board]
        chance.shuffle(rest)
        lacking = sorted((c for c in rest if c in royal), key=lambda _: chance.random())
        other = [card for card in rest if card not in lacking]
        dealt = [*on_board, *other[: 5 - len(on_board)], *lacking, *other[5 - len(on_board) :]]
        low = [card for card in DECK if card not in dealt][:2]
        holes = [" ".join(map(str, dealt[at : at + 2])) for at in range(5, 13, 2)]
        board, dealer = " ".join(map(str, dealt[:5])), " ".join(map(str, low))
        found.add(paid(blind, trips, board, dealer, *holes))
    assert max(found) <= most
    assert len(found) > 20
