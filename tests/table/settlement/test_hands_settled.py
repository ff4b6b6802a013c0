"""Every card that a hand may be made of counts: hands that only the last of them completes."""

from __future__ import annotations

import pytest

from tests.citing import each_book, in_book, in_uth
from tests.table.settlement.rounds import Scalar, paid_to, round_text, settled

UTH_TABLES = {"blind": "A", "trips": "A"}
HOLD_EM: dict[str, Scalar] = {
    "seat": 1,
    "ante": "$10",
    "blind": "$10",
    "play": "$10",
    "trips": "$5",
}
FOUR_CARD: dict[str, Scalar] = {"seat": 1, "ante": "$10", "play": "$10"}


@each_book(*in_uth("11.G(2)"))
@pytest.mark.parametrize("board", ["Kh 9s 4d 7c 2h", "9s 4d 7c Kh 2h", "9s 4d 7c 2h Kh"])
def test_the_dealer_uses_every_card_of_the_board(book: str, board: str) -> None:
    """A pair of kings, wherever the second king lies, beats a pair of queens in the hand."""
    text = round_text(
        book,
        UTH_TABLES,
        {"board": board, "dealer": "Kc 3s"},
        [{"cards": "Qc Qd", **HOLD_EM}],
    )
    (play,) = paid_to(settled(text), 1, "play")
    assert play.outcome == "lose"


@each_book(*in_uth("11.I(1)"), "UTH-S 11.H(2)(b)", "UTH-14 11.H(2)(ii)")
@pytest.mark.parametrize("board", ["Qh 9s 4d 7c 2h", "9s 4d 7c Qh 2h", "9s 4d 7c 2h Qh"])
def test_trips_uses_every_card_of_the_board(book: str, board: str) -> None:
    text = round_text(
        book,
        UTH_TABLES,
        {"board": board, "dealer": "Kc 3s"},
        [{"cards": "Qc Qd", **HOLD_EM}],
    )
    (trips,) = paid_to(settled(text), 1, "trips")
    assert (trips.outcome, trips.odds) == ("win", "3 to 1")


@pytest.mark.clause(*in_book("FCP-14", "11.D(3)"))
@pytest.mark.parametrize("dealer", ["Kc Kd 2h 4s 7c 9d", "Kc 2h 4s 7c 9d Kd", "2h 4s 7c 9d Kc Kd"])
def test_the_four_card_dealer_uses_all_six_cards(dealer: str) -> None:
    text = round_text("FCP-14", {}, {"dealer": dealer}, [{"cards": "Qc Qd 3h 5s 8c", **FOUR_CARD}])
    (play,) = paid_to(settled(text), 1, "play")
    assert play.outcome == "lose"


@pytest.mark.clause(*in_book("FCP-14", "11.D(4)(b)"))
@pytest.mark.parametrize("box", ["Kc Kd 3h 5s 8c", "Kc 3h 5s 8c Kd", "3h 5s 8c Kc Kd"])
def test_the_four_card_player_uses_all_five_cards(box: str) -> None:
    text = round_text("FCP-14", {}, {"dealer": "Qc Qd 2h 4s 7c 9d"}, [{"cards": box, **FOUR_CARD}])
    (play,) = paid_to(settled(text), 1, "play")
    assert play.outcome == "win"
