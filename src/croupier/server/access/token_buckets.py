"""Token buckets: how much one person and one address may ask for, however many logins they have.

A bucket refills at a steady rate up to a few seconds' worth. Buckets of many keys are an LRU: who
has not asked for long has a full one, and nothing need be remembered of him.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from functools import lru_cache

from croupier.facts.errors import Unavailable
from croupier.ledger.kept_table import Clock
from croupier.server.settings import Settings

SECOND = 1_000_000
BURST_S = 2.0  # seconds' worth that may come at once
MINUTE_S = 60.0
HOUR_S = 3600.0
REQUESTS_A_COMMAND = 5  # looks and files beside each command that somebody may give
MOST_KEYS = 10_000
HOME_BITS = 64  # of an IPv6 address: one household has all that follow


class TooMany(Unavailable):
    """Somebody asks faster than anybody can; nothing was done. ``wait_s``: when there is more."""

    def __init__(self, sentence: str, wait_s: float = 1.0) -> None:
        super().__init__(sentence)
        self.wait_s = max(1, math.ceil(wait_s))


class TokenBuckets:
    """One bucket for each key, with ``a_second`` tokens a second and ``burst_s`` seconds' worth."""

    def __init__(self, clock: Clock, a_second: float, burst_s: float = BURST_S) -> None:
        self._clock, self._a_second, self._most = clock, a_second, max(1.0, a_second * burst_s)
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def wait_s(self, key: str) -> float:
        """How long until there is a token for this key; 0 where there is one."""
        return max(0.0, (1 - self._now(key)) / self._a_second)

    def take(self, key: str) -> None:
        self._left[key] = self._now(key) - 1, self._clock()
        self._left.move_to_end(key)
        while len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)

    def _now(self, key: str) -> float:
        left, at_us = self._left.get(key, (self._most, 0))
        earned = max(0, self._clock() - at_us) / SECOND * self._a_second
        return min(self._most, left + earned)


class Budgets:
    """What everybody may ask of one process."""

    def __init__(self, chosen: Settings, clock: Clock) -> None:
        rate = chosen.commands_a_second
        crowd = chosen.people_an_address
        self._commands = TokenBuckets(clock, rate)
        self._commands_at = TokenBuckets(clock, rate * crowd)
        self._requests = TokenBuckets(clock, rate * REQUESTS_A_COMMAND)
        self._requests_at = TokenBuckets(clock, rate * REQUESTS_A_COMMAND * crowd)
        self._anonymous = TokenBuckets(clock, chosen.anonymous_requests_a_second)
        self._passwords = TokenBuckets(clock, chosen.logins_a_minute / MINUTE_S, MINUTE_S)
        self._refusals = TokenBuckets(clock, chosen.refusals_an_hour / HOUR_S, HOUR_S)

    def command(self, name: str, address: str) -> None:
        """One command of a person, from an address."""
        _spend("commands", (self._commands, name), (self._commands_at, network(address)))

    def request(self, name: str, address: str) -> None:
        """Whatever else is asked for, by somebody who is logged in or by nobody."""
        if not name:
            self.anonymous(address)
            return
        _spend("requests", (self._requests, name), (self._requests_at, network(address)))

    def anonymous(self, address: str) -> None:
        """A request, or a message on a socket, of somebody without a login."""
        _spend("requests", (self._anonymous, network(address)))

    def password(self, address: str) -> None:
        """A password to check."""
        _spend("passwords", (self._passwords, network(address)))

    def refusal(self, name: str) -> None:
        """A refused command that is written down."""
        _spend("refused commands", (self._refusals, name))


@lru_cache(MOST_KEYS)
def network(address: str) -> str:
    """Whose address this is: of IPv6 the part that one household or host is given."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOME_BITS), strict=False))


def _spend(what: str, *taken: tuple[TokenBuckets, str]) -> None:
    """A token of each bucket, or of none."""
    wait_s = max(bucket.wait_s(key) for bucket, key in taken)
    if wait_s:
        raise TooMany(f"too many {what} at once; wait a moment", wait_s)
    for bucket, key in taken:
        bucket.take(key)
