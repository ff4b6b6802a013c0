"""Two bearer links of an evening at home: one lets guests in by a name, the other is the host's.

Both come from the keys of the pit, so that they stay good when the service is started anew, and are
the same at every process that shares it. Nobody of the house has a password to remember either.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from contextlib import suppress
from hashlib import sha256

from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.server.access.people import SYSTEM, People
from croupier.table.powers import PitRole

DOMAIN = b"croupier home 1 "
CODE_LETTERS, PASSWORD_LETTERS = 13, 40
HOST, DEALER = "Host", "Dealer"
HOUSE: dict[str, PitRole] = {HOST: "manager", DEALER: "dealer"}
"""Whom the host's link lets in: him who looks after guests, and him who deals."""


class HomeLinks:
    def __init__(self, ring: KeyRing) -> None:
        # The oldest key: rings that were rotated since still have it in common.
        self._secret = ring.keys[0].secret
        self.guest_code = self._derived("guest", CODE_LETTERS)
        self.host_code = self._derived("host", CODE_LETTERS)

    def return_code(self, name: str, kept: str) -> str:
        """For a guest who lost what his browser kept: good until his password, whose hash is
        ``kept``, is another one."""
        return self._derived(f"return of {name}, {kept}", CODE_LETTERS)

    def password(self, name: str) -> str:
        """Of somebody of the house, who comes in by the host's link."""
        return self._derived(f"password of {name}", PASSWORD_LETTERS)

    def hire(self, people: People) -> None:
        """The house of a home is there from the first start on, at whichever process that is."""
        for name, role in HOUSE.items():
            if name not in people.known:
                with suppress(Unreadable):
                    people.add(name, role, self.password(name), SYSTEM)

    def _derived(self, what: str, letters: int) -> str:
        made = hmac.digest(self._secret, DOMAIN + what.encode(), sha256)
        return b32encode(made).decode().lower()[:letters]


def is_code(said: str, code: str) -> bool:
    return secrets.compare_digest(said.encode(), code.encode())
