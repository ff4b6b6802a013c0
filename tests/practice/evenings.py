"""Rounds that You play at a practice table, through the driver that pages and terminals use."""

from __future__ import annotations

from uuid import uuid4

from croupier.ledger.kept_table import KeptTable
from croupier.practice import regulars
from croupier.practice.driver import PracticeDriver
from croupier.practice.regulars import YOU
from croupier.table import commands as do


def play_rounds(table: KeptTable, answers: list[str]) -> None:
    """One round for each answer: the least wager, and this answer as long as it is asked for; a
    check where it is not open."""
    for answer in answers:
        driver = PracticeDriver(1)
        while True:
            step = driver.next(table)
            command = step.command if step is not None else _yours(table, driver, answer)
            if command is None:
                driver.deals = True
                continue
            table.give(command, str(uuid4()))
            if isinstance(command, do.ClearCards):
                break


def _yours(table: KeptTable, driver: PracticeDriver, answer: str) -> do.Command | None:
    state, seat = table.state, driver.seat(table.state)
    if state.round.stage != "betting":
        street = state.book.streets[state.round.boxes[seat].answered]
        sizes = [f"{size}x" for size in street.multiples]
        return regulars.answer(state, answer if answer in sizes else street.otherwise)
    if seat in state.round.boxes:
        return None
    needed = state.book.opening.all_of or state.book.opening.any_of[:1]
    stakes = {name: state.terms.limit_of[name].minimum_cents for name in needed}
    return do.PlaceWagers(by=YOU, role="player", box=seat, stakes={**stakes})
