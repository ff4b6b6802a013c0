"""The first administrator: made once, by who can read the console of the service."""

from __future__ import annotations

import secrets

from croupier.server.logins import NotAdmitted
from croupier.server.people import SYSTEM, People, Person


class Setup:
    """``code`` is shown on the console while there is nobody, and good for one person."""

    def __init__(self, people: People) -> None:
        self._people = people
        self.code = "" if people.known else secrets.token_urlsafe(12)

    def first_administrator(self, name: str, password: str, code: str) -> Person:
        if not self.code or self._people.known:
            raise NotAdmitted("this pit has its administrator; ask there for a login")
        if not secrets.compare_digest(code.encode(), self.code.encode()):
            raise NotAdmitted("this is not the code that the console shows")
        person = self._people.add(name, "administrator", password, by=SYSTEM)
        self.code = ""
        return person
