"""Rounds followed one after the other: what meters paid in them, and how a bankroll fares."""

from __future__ import annotations

from croupier.exact.kernels.array_types import Int64s
from croupier.simulate.kernels.compiled import part


@part
def add_awards(nets: Int64s, start: int, awards: Int64s, first: int) -> None:
    """Add what meters paid to the nets of the rounds from ``start`` on; awards are in order."""
    at = first
    while at < len(awards) and awards[at, 0] < start + len(nets):
        nets[awards[at, 0] - start, awards[at, 1]] += awards[at, 2]
        at += 1


@part
def follow_sessions(nets: Int64s, length: int, bankroll: int, needed: Int64s, ends: Int64s) -> None:
    """Each session of so many rounds: its result, when it was ruined, its longest drought.

    A box that has less than it ``needed`` to sit through a round stops; -1 where it never did.
    Without a bankroll, a negative one, nobody stops. A drought is a run of rounds without a win.
    """
    for session in range(len(ends)):
        for box in range(nets.shape[1]):
            result, ruined, drought, longest = 0, -1, 0, 0
            for round in range(length):
                if bankroll >= 0 and bankroll + result < needed[box]:
                    ruined = round
                    break
                net = nets[session * length + round, box]
                result += net
                drought = 0 if net > 0 else drought + 1
                longest = max(longest, drought)
            ends[session, box, 0] = result
            ends[session, box, 1] = ruined
            ends[session, box, 2] = longest
