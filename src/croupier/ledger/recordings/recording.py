"""What a box did in a round, as it is looked for: who, where, when, how much, and what came of it.

Only what lay face up is in it: a hand that nobody was shown is found by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.facts.hands import Category, Ranking
from croupier.ledger.rounds import KeptRound
from croupier.table import events as ev
from croupier.table.state import Round

DISPUTE, PLAYER_LEFT = "dispute", "player-left"
OUTCOMES = ("won", "lost", "even", "void")


class Recording(msgspec.Struct, frozen=True):
    """``wagers`` with their outcomes, ``trips win``; ``irregularities`` by their names, a dispute
    among them; ``amount_cents`` the larger of what was wagered and what was won or lost."""

    at_us: int
    table_name: str
    round: int
    box: int
    player: str
    amount_cents: int
    staked_cents: int
    net_cents: int
    outcome: str
    hand: str
    wagers: tuple[str, ...]
    irregularities: tuple[str, ...]


class LaterDispute(msgspec.Struct, frozen=True):
    """A dispute about a round that was over when it was opened."""

    table_name: str
    round: int
    box: int


def recordings_of(kept: KeptRound) -> Iterator[Recording]:
    """One for each box of a round that is over; it is dated by its first wager."""
    after = kept.after
    played = after.last if after.last is not None and after.last.number == kept.number else None
    if played is None:
        return
    began = (told.line.at_us for told in kept.told if isinstance(told.event, ev.WagerPlaced))
    at_us = next(began, kept.chapters[0].lines[0].at_us)
    events = [told.event for told in kept.told]
    hands = {e.box: e.hand for e in events if isinstance(e, ev.BoxTurned)}
    ranking = kept.before.terms.rules.game.ranking
    for seat, box in sorted(played.boxes.items()):
        lines = [line for line in played.lines if line.box == seat]
        staked = sum(line.stake_cents for line in lines) or sum(box.stakes.values())
        net = sum(line.net_cents for line in lines)
        yield Recording(
            at_us=at_us,
            table_name=kept.installed.table,
            round=kept.number,
            box=seat,
            player=box.player,
            amount_cents=max(staked, abs(net)),
            staked_cents=staked,
            net_cents=net,
            outcome=_outcome(played, net),
            hand=_category(ranking, hands.get(seat, "")),
            wagers=tuple(f"{line.wager} {line.outcome}" for line in lines),
            irregularities=tuple(dict.fromkeys(_irregular(events, kept.number, seat))),
        )


def later_disputes(kept: KeptRound) -> Iterator[LaterDispute]:
    for event in (told.event for told in kept.told):
        if isinstance(event, ev.DisputeOpened) and event.round != kept.number:
            yield LaterDispute(kept.installed.table, event.round, event.box)


def _outcome(played: Round, net_cents: int) -> str:
    if played.stage == "void":
        return "void"
    return "won" if net_cents > 0 else "lost" if net_cents < 0 else "even"


def _irregular(events: list[ev.Event], number: int, seat: int) -> Iterator[str]:
    for event in events:
        if isinstance(event, ev.IrregularityDeclared | ev.RoundVoided):
            yield event.name
        elif isinstance(event, ev.DisputeOpened) and (event.round, event.box) == (number, seat):
            yield DISPUTE
        elif isinstance(event, ev.PlayerLeft) and event.box == seat:
            yield PLAYER_LEFT


def _category(ranking: Ranking, called: str) -> str:
    """The category of a hand by what the dealer called it; of the longest name where two fit."""
    fitting = [name for name in map(str, ranking.order) if called.startswith(name)]
    if called.endswith(" high") and not fitting:
        return str(Category.HIGH_CARD)
    return max(fitting, key=len, default="")
