"""A table in one line, as everybody may know it."""

from __future__ import annotations

import msgspec

from croupier.ledger.kept_table import KeptTable


class TableSummary(msgspec.Struct, frozen=True):
    """``seats`` by box; ``waiting``: players who look on and have no box; ``home``: for guests at
    home; ``practice``: nothing here is real; ``training``: it is worked by hand."""

    name: str
    rulebook: str
    game: str
    round: int
    seats: dict[str, str]
    waiting: tuple[str, ...]
    boxes: int
    link: str
    home: bool
    practice: bool
    training: bool


def shown_table(kept: KeptTable) -> TableSummary:
    return TableSummary(
        name=kept.name,
        rulebook=kept.state.book.id,
        game=kept.state.book.game,
        round=kept.state.round.number,
        seats={str(box): player for box, player in kept.state.seats.items()},
        waiting=tuple(sorted((kept.beyond().here or frozenset()) - set(kept.state.seats.values()))),
        boxes=kept.state.terms.boxes,
        link=kept.installed.link,
        home=kept.installed.policy == "home",
        practice=kept.installed.practice,
        training=kept.state.terms.training,
    )
