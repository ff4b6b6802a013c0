"""A simulation as one JSON document and as CSV rows, for ``croupier simulate``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.facts.csv_text import csv_text
from croupier.facts.money import dollars, meter_dollars
from croupier.simulate.figures import BoxFigures, JointFigure, Spread, WagerFigure
from croupier.simulate.meters import MeterStory
from croupier.simulate.sessions import (
    BANDS,
    WHOLE,
    Band,
    Bands,
    BoxSessions,
    HouseDays,
    Sessions,
    band,
)
from croupier.simulate.simulation import Simulation

COLUMNS = (
    *("part", "name", "box", "strategy", "paytable", "note", "stake_cents", "unit", "count"),
    *("mean", "standard_error", "exact", "z", "hit_frequency", "exact_hit_frequency"),
    *(f"{percent}%" for percent in BANDS),
    *("least", "most", "rulebook"),
)
ReportRow = dict[str, object]


# JSON


def document_of(found: Simulation) -> dict[str, Any]:
    rules = found.plan.rules
    return {
        "game": rules.game.id,
        "rulebook": rules.book.id,
        "paytables": dict(rules.letters),
        "rounds": found.rounds,
        "seed": found.plan.seed,
        "boxes": [_box(box) for box in found.boxes],
        "table": {
            **_spread(found.table),
            "handle_cents": float(found.handle_cents),
            "theoretical_win": float(-found.table.mean_cents / found.handle_cents),
        },
        "meters": {story.meter.name: _meter(story) for story in found.meters},
        **({"sessions": _sessions(found.sessions)} if found.sessions else {}),
        **({"house": _house(found.house)} if found.house else {}),
    }


def _box(box: BoxFigures) -> dict[str, Any]:
    return {
        "box": box.box,
        "strategy": box.strategy,
        "actions": {name: float(share) for name, share in box.actions},
        "wagers": [_figure(figure) for figure in box.figures],
        **({"base_with_six_card_bonus": _together(box.with_six)} if box.with_six else {}),
        "net": _spread(box.net),
        "staked_cents": float(box.staked_cents),
    }


def _figure(figure: WagerFigure) -> dict[str, Any]:
    hits, exact_hits = figure.hit_frequency, figure.exact_hit_frequency
    return {
        "wager": figure.wager,
        "paytable": figure.paytable,
        "note": figure.note,
        "stake": dollars(figure.stake_cents),
        "mean": float(figure.mean),
        "mean_exact": str(figure.mean),
        "standard_error": figure.standard_error,
        "standard_deviation": figure.standard_deviation,
        "exact": float(figure.exact) if figure.exact is not None else None,
        "z": figure.z,
        "hit_frequency": float(hits) if hits is not None else None,
        "exact_hit_frequency": float(exact_hits) if exact_hits is not None else None,
        "outcomes": {
            hit.name: {
                "times": hit.times,
                "chance": float(hit.chance) if hit.chance is not None else None,
            }
            for hit in figure.hits
        },
    }


def _spread(spread: Spread) -> dict[str, Any]:
    document: dict[str, Any] = {
        "mean_cents": float(spread.mean_cents),
        "standard_error": spread.standard_error,
        "standard_deviation": spread.standard_deviation,
    }
    if spread.deviation_error is not None:
        document["standard_deviation_error"] = spread.deviation_error
    return document


def _together(both: JointFigure) -> dict[str, Any]:
    return {
        **_spread(both),
        "exact_mean_cents": float(both.exact_cents),
        "z": both.z,
        "covariance": float(both.covariance),
        "covariance_error": both.covariance_error,
        "correlation": both.correlation,
        "correlation_error": both.correlation_error,
    }


def _meter(story: MeterStory) -> dict[str, Any]:
    return {
        "initial": meter_dollars(story.meter.initial),
        "reset": meter_dollars(story.meter.reset),
        "awards": len(story.awards),
        "paid_cents": sum(award.paid_cents for award in story.awards),
        "last": meter_dollars(story.last),
        "reserve_cents": story.reserve_cents,
        "jackpot_cents": _band(band(story.jackpots_cents)),
        "rounds_between": _band(band(story.rounds_between)),
    }


def _band(found: Band | None, unit: int = 1) -> dict[str, Any] | None:
    if found is None:
        return None

    def scaled(value: int) -> int | float:
        return value if unit == 1 else value / unit

    return {
        "count": found.count,
        "mean": found.mean / unit,
        "at_most": {f"{percent}%": scaled(value) for percent, value in found.at_most},
        "least": scaled(found.least),
        "most": scaled(found.most),
    }


def _sessions(sessions: Sessions) -> dict[str, Any]:
    return {
        "rounds": sessions.rounds,
        "count": sessions.count,
        "bankroll_cents": sessions.bankroll_cents,
        "boxes": [_session(box, sessions.count) for box in sessions.boxes],
    }


def _session(box: BoxSessions, count: int) -> dict[str, Any]:
    document: dict[str, Any] = {
        "box": box.box,
        "result_cents": _band(box.result_cents),
        "won": box.won / count,
        "longest_drought": _band(box.drought),
    }
    if box.ruined is not None:
        document["risk_of_ruin"] = box.ruined / count
        document["ruined_after_rounds"] = _band(box.ruined_at)
    return document


def _house(house: HouseDays) -> dict[str, Any]:
    return {
        "rounds_a_day": house.rounds_a_day,
        "win_cents": {name: _band(found) for name, found in house.win_cents},
        "hold": _shares(house.hold),
        **({"hold_on_drop": _shares(house.drop_hold)} if house.drop_hold else {}),
    }


def _shares(bands: Bands) -> dict[str, Any]:
    """Shares as decimals: 0.0123 for 12,300 millionths."""
    return {name: _band(found, WHOLE) for name, found in bands}


# CSV


def to_csv(found: Simulation) -> str:
    """One line a wager and one a band; the first column tells what a line is about."""
    book = found.plan.rules.book.id
    rows = ({**row, "rulebook": book} for row in _rows(found))
    return csv_text((COLUMNS, *([row.get(name, "") for name in COLUMNS] for row in rows)))


def _rows(found: Simulation) -> Iterator[ReportRow]:
    for box in found.boxes:
        for figure in box.figures:
            yield _wager_row(box, figure)
    if found.sessions is not None:
        yield from _session_rows(found.sessions)
    if found.house is not None:
        yield from _house_rows(found.house)
    for story in found.meters:
        yield from _band_rows("jackpot", story.meter.name, "cents", band(story.jackpots_cents))
        yield from _band_rows(
            "rounds between", story.meter.name, "rounds", band(story.rounds_between)
        )


def _wager_row(box: BoxFigures, figure: WagerFigure) -> ReportRow:
    numbers = {
        "exact": figure.exact,
        "z": figure.z,
        "hit_frequency": figure.hit_frequency,
        "exact_hit_frequency": figure.exact_hit_frequency,
    }
    return {
        "part": "wager",
        "name": figure.wager,
        "box": box.box,
        "strategy": box.strategy,
        "paytable": figure.paytable,
        "note": figure.note,
        "stake_cents": figure.stake_cents,
        "unit": "stakes",
        "count": figure.rounds,
        "mean": float(figure.mean),
        "standard_error": figure.standard_error,
        **{name: float(number) for name, number in numbers.items() if number is not None},
    }


def _session_rows(sessions: Sessions) -> Iterator[ReportRow]:
    for box in sessions.boxes:
        for name, unit, found in (
            ("result", "cents", box.result_cents),
            ("longest drought", "rounds", box.drought),
            ("ruined after", "rounds", box.ruined_at),
        ):
            yield from _band_rows("session", name, unit, found, box=box.box)
        if box.ruined is not None:
            risk = box.ruined / sessions.count
            yield {"part": "session", "name": "risk of ruin", "box": box.box, "unit": "share",
                   "count": sessions.count, "mean": risk}  # fmt: skip


def _house_rows(house: HouseDays) -> Iterator[ReportRow]:
    for part, unit, bands in (
        ("win", "cents", house.win_cents),
        ("hold on handle", "share", house.hold),
        ("hold on drop", "share", house.drop_hold),
    ):
        for name, found in bands:
            yield from _band_rows(part, name, unit, found)


def _band_rows(
    part: str, name: str, unit: str, found: Band | None, **more: object
) -> Iterator[ReportRow]:
    if found is None:
        return
    parts = WHOLE if unit == "share" else 1
    values = {f"{percent}%": value for percent, value in found.at_most}
    values |= {"least": found.least, "most": found.most}
    shares = {name: value / parts if parts > 1 else value for name, value in values.items()}
    yield {"part": part, "name": name, "unit": unit, "count": found.count,
           "mean": found.mean / parts, **shares, **more}  # fmt: skip
