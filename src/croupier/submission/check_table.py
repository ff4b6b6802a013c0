"""The table itself: its boxes, how many of them one player may take, and whether it is a screen."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rulebook.book import Rulebook
from croupier.submission.draft import SubmissionCheck, SubmissionDraft
from croupier.submission.finding import Finding


def too_many_boxes(draft: SubmissionDraft) -> Iterator[Finding]:
    boxes, rule = draft.count("table", "boxes"), draft.book.table.boxes
    if boxes is not None and boxes > rule.count:
        yield draft.error(
            ("table", "boxes"),
            f"table.boxes is {boxes}; a table of {draft.book.id} has at most {rule.count}",
            rule.clause,
        )


def adjacent_boxes_not_said(draft: SubmissionDraft) -> Iterator[Finding]:
    rule = draft.book.table.boxes_a_player
    if rule.rule == "adjacent" and draft.lacks("table", "adjacent_boxes"):
        yield draft.error(
            ("table", "adjacent_boxes"),
            "table.adjacent_boxes is missing; write adjacent_boxes = 1, or how many boxes side by "
            "side one player may take, under [table]",
            rule.clause,
        )


def too_many_adjacent_boxes(draft: SubmissionDraft) -> Iterator[Finding]:
    rule, adjacent = draft.book.table.boxes_a_player, draft.count("table", "adjacent_boxes")
    boxes = draft.count("table", "boxes") or draft.book.table.boxes.count
    most = 1 if rule.rule == "one" else boxes
    if adjacent is not None and adjacent > most:
        reason = "a player has one box" if rule.rule == "one" else f"the table has {boxes} boxes"
        yield draft.error(
            ("table", "adjacent_boxes"),
            f"table.adjacent_boxes is {adjacent}, but {reason} under {draft.book.id}; "
            f"write at most {most}",
            rule.clause,
        )


def electronic_not_provided_for(draft: SubmissionDraft) -> Iterator[Finding]:
    if draft.flag("table", "electronic") and draft.book.table.electronic is None:
        where = draft.elsewhere(_electronic)
        only = f" (only {where} is)" if where else ""
        yield draft.error(
            ("table", "electronic"),
            f"table.electronic is true, but {draft.book.id} is not provided for on a "
            f"dealer-controlled electronic table{only}; write electronic = false",
            where,
        )


def _electronic(book: Rulebook) -> str | None:
    return book.table.electronic.clause if book.table.electronic is not None else None


CHECKS: tuple[SubmissionCheck, ...] = (
    too_many_boxes,
    adjacent_boxes_not_said,
    too_many_adjacent_boxes,
    electronic_not_provided_for,
)
