"""Whose box it is: the boxes of a player, and the refusal of a box that is none or another's."""

from __future__ import annotations

from croupier.facts.errors import Refusal
from croupier.table.feasibility import refuse_seat
from croupier.table.handlers.handler import refusal_by
from croupier.table.state import State


def seats_of(state: State, player: str) -> list[int]:
    return [seat for seat, name in state.seats.items() if name == player]


def why_no_box(state: State, seat: int) -> Refusal | None:
    why = refusal_by(refuse_seat, state.book, seat)
    if why is None and seat > state.terms.boxes:
        return state.refusal(
            f"There is no box {seat} here; the boxes are 1 to {state.terms.boxes}",
            state.book.refusals.seats,
        )
    return why


def why_stranger(state: State, seat: int, player: str) -> Refusal | None:
    """Only who sits at a box plays it, and moves its chips."""
    if state.seats.get(seat) == player:
        return None
    not_his = state.refusal(f"Box {seat} is not yours", state.book.procedure.seated_clause)
    return why_no_box(state, seat) or not_his
