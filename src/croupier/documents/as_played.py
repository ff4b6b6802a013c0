"""Edge as played, told: by table, player and street, with the costliest mistakes; and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.audit.log.finding import counted, plain
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.csv_text import csv_text
from croupier.facts.money import dollars
from croupier.ledger.reports.sheet import plain as spreadsheet_cell

if TYPE_CHECKING:
    from croupier.audit.log.statistics.as_played import AsPlayed, PlayedFigures, StreetPlayed

MOST_MISTAKES = 8
FIGURES = ("Boxes", "Antes", "Table won", "In theory", "As played", "Edge as played")
CSV_COLUMNS = (
    "rulebook", "kind", "of", "boxes", "decisions", "mistakes", "antes", "table_won",
    "theoretical_win_best_play", "given_away", "standard_error", "theoretical_win_as_played",
    "edge_best_play", "edge_as_played", "edge_standard_error",
)  # fmt: skip


def as_played_blocks(
    found: Sequence[AsPlayed], passed_over: Mapping[str, str], most_players: int
) -> Iterator[AnyBlock]:
    for played in found:
        yield from _blocks(played, most_players)
    for game, sentence in passed_over.items():
        yield Prose(f"{game} is not valued as played: {sentence}", tone="note")
    if not found and not passed_over:
        yield Prose("Nobody decided anything in it that could be valued.", tone="note")


def _blocks(played: AsPlayed, most_players: int) -> Iterator[AnyBlock]:
    yield Heading(f"As played, {played.rulebook}", level=2)
    rows = [_row("all together", played.whole)]
    if len(played.tables) > 1:
        rows += [_row(f"table {table.of}", table) for table in played.tables]
    rows += [_row(player.of, player) for player in played.players[:most_players]]
    yield Grid(("", *FIGURES), tuple(rows), "lrrrrrr")
    more = len(played.players) - most_players
    if more > 0:
        yield Prose(f"and {counted(more, 'player')} more", tone="note")
    streets = tuple(_street_row(street, played.whole.ante_cents) for street in played.streets)
    names = ("Street", "Decisions", "Mistakes", "Gave away", "Of the Antes")
    yield Grid(names, streets, "lrrrr")
    mistakes = tuple(
        (
            f"{one.street}: {one.done} where {one.best} is best",
            f"{one.times:,}",
            _money(one.given_away_cents),
        )
        for one in played.mistakes[:MOST_MISTAKES]
    )
    if mistakes:
        yield Grid(("Costliest mistakes", "Times", "Gave away"), mistakes, "lrr")
    yield Prose(
        f"The base game earns {played.optimal_edge:.3%} of the Antes against the best play (in "
        "theory); every decision was valued exactly, and what it gave away comes on top (as "
        "played), with the standard error of what the same players would give over many rounds.",
        tone="note",
    )
    if played.unseen:
        boxes = counted(played.unseen, "box", "boxes")
        yield Prose(
            f"{boxes} more decided by cards that are not named, and are in no figure; where only "
            "folded hands are not named, folding is missing.",
            tone="caution",
        )


def _row(name: str, one: PlayedFigures) -> tuple[str, ...]:
    error = "" if one.error is None else f" +/- {one.error:.3%}"
    return (
        plain(name)[:24],
        f"{one.boxes:,}",
        dollars(one.ante_cents),
        dollars(one.won_cents),
        _money(one.optimal_cents),
        _money(one.as_played_cents),
        f"{one.edge:.3%}{error}",
    )


def _street_row(street: StreetPlayed, ante_cents: int) -> tuple[str, ...]:
    error = "" if street.error_cents is None else f" +/- {street.error_cents / ante_cents:.3%}"
    return (
        street.street,
        f"{street.decisions:,}",
        f"{street.mistakes:,}",
        _money(street.given_away_cents),
        f"{street.given_away_cents / ante_cents:.3%}{error}",
    )


def _money(amount_cents: float) -> str:
    return dollars(round(amount_cents))


def as_played_document(found: Sequence[AsPlayed], passed_over: Mapping[str, str]) -> dict[str, Any]:
    return {
        "rulebooks": [msgspec.to_builtins(played) for played in found],
        "not_valued": dict(passed_over),
    }


def as_played_csv(found: Sequence[AsPlayed]) -> str:
    """A line for all, each table, player and street; money in dollars, edges as shares of Antes."""
    return csv_text((CSV_COLUMNS, *_csv_rows(found)))


def _csv_rows(found: Sequence[AsPlayed]) -> Iterator[tuple[object, ...]]:
    for played in found:
        kinds = (("all", (played.whole,)), ("table", played.tables), ("player", played.players))
        for kind, groups in kinds:
            for one in groups:
                yield played.rulebook, kind, *_csv_cells(one, played.optimal_edge)
        antes = played.whole.ante_cents
        for street in played.streets:
            money = _csv_money(street.given_away_cents, street.error_cents)
            edges = _csv_shares(street.given_away_cents, street.error_cents, antes)
            counts = ("", street.decisions, street.mistakes, f"{antes / 100:.2f}", "", "")
            yield played.rulebook, "street", street.street, *counts, *money, "", "", *edges


def _csv_cells(one: PlayedFigures, optimal: float) -> tuple[object, ...]:
    return (
        spreadsheet_cell(one.of, "text"),
        one.boxes,
        one.decisions,
        one.mistakes,
        f"{one.ante_cents / 100:.2f}",
        f"{one.won_cents / 100:.2f}",
        f"{one.optimal_cents / 100:.4f}",
        *_csv_money(one.given_away_cents, one.error_cents),
        f"{one.as_played_cents / 100:.4f}",
        f"{optimal:.8f}",
        *_csv_shares(one.as_played_cents, one.error_cents, one.ante_cents),
    )


def _csv_money(given_cents: float, error_cents: float | None) -> tuple[str, str]:
    return f"{given_cents / 100:.4f}", "" if error_cents is None else f"{error_cents / 100:.4f}"


def _csv_shares(cents: float, error_cents: float | None, antes: int) -> tuple[str, str]:
    return f"{cents / antes:.8f}", "" if error_cents is None else f"{error_cents / antes:.8f}"
