"""Care for who plays: how long and for how much, a word after each hour, and limits of one's own.

What is reached is not played over until the player changes it himself: the practice room deals no
round, a live table takes no wager of his.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Protocol

import msgspec
from msgspec import Meta

from croupier.facts.errors import Unreadable
from croupier.facts.money import dollars

HOUR_S = 3600
CHANGE_IT = "under Time and limits you can change it"


class OwnLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player set himself, for one evening; 0 is no limit."""

    minutes: Annotated[int, Meta(ge=0, le=1440)] = 0
    loss_cents: Annotated[int, Meta(ge=0, le=10**9)] = 0


class CareShown(msgspec.Struct, frozen=True):
    """``reminder`` is said once an hour; ``reached`` says which limit of his own is."""

    minutes: int
    rounds: int
    staked_cents: int
    net_cents: int
    limits: OwnLimits
    reminder: str
    reached: str


class RoundMoney(Protocol):
    """A round, as far as it is a matter of money."""

    @property
    def net_cents(self) -> int: ...
    @property
    def staked_cents(self) -> int: ...


class Care:
    """One evening of one player, at all his tables; the clock counts from the first wager."""

    def __init__(self, limits: OwnLimits, now_s: Callable[[], float]) -> None:
        self.limits, self._now_s = limits, now_s
        self._began_s: float | None = None

    def begin(self) -> None:
        """The first round of the evening is dealt."""
        if self._began_s is None:
            self._began_s = self._now_s()

    def shown(self, rounds: Iterable[RoundMoney]) -> CareShown:
        seconds = self._now_s() - self._began_s if self._began_s is not None else 0.0
        return care_shown(self.limits, seconds, list(rounds))

    def refuse_beyond(self, rounds: Iterable[RoundMoney]) -> None:
        """No round is dealt over a limit that the player set himself."""
        reached = self.shown(rounds).reached
        if reached:
            raise Unreadable(f"{reached}; {CHANGE_IT}")


def care_shown(limits: OwnLimits, seconds: float, played: Sequence[RoundMoney]) -> CareShown:
    """An evening that has lasted so long, with these rounds in it."""
    net, minutes = sum(each.net_cents for each in played), int(seconds // 60)
    return CareShown(
        minutes=minutes,
        rounds=len(played),
        staked_cents=sum(each.staked_cents for each in played),
        net_cents=net,
        limits=limits,
        reminder=_reminder(int(seconds // HOUR_S), len(played), net),
        reached=_reached(limits, minutes, net),
    )


def _reached(limits: OwnLimits, minutes: int, net_cents: int) -> str:
    if limits.minutes and minutes >= limits.minutes:
        return f"you have played for {minutes} minutes, and set yourself {limits.minutes}"
    if limits.loss_cents and -net_cents >= limits.loss_cents:
        most = dollars(limits.loss_cents)
        return f"you have lost {dollars(-net_cents)}, and set yourself at most {most}"
    return ""


def _reminder(hours: int, rounds: int, net_cents: int) -> str:
    if not hours:
        return ""
    time = "an hour" if hours == 1 else f"{hours} hours"
    result = (
        "even" if not net_cents else f"{'+' if net_cents > 0 else '-'}{dollars(abs(net_cents))}"
    )
    played = "1 round" if rounds == 1 else f"{rounds} rounds"
    return f"You have played for {time}: {played}, result {result}. A break does good."
