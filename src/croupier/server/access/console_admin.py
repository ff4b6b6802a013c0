"""A setup code on the console makes an administrator: the first, or where all are locked out.

Whoever can read the console of the service can do it, and nobody else.
"""

from __future__ import annotations

import secrets
import threading

from croupier.server.access.logins import NotAdmitted
from croupier.server.access.people import SYSTEM, People, Person, fit_name


class Setup:
    """``code`` is shown on the console while there is nobody, or where the service was started to
    show one ``again``; it is good for one person."""

    def __init__(self, people: People, *, again: bool = False) -> None:
        self._people, self._again = people, again
        self._desk = threading.Lock()  # passwords are hashed in threads of their own
        self.code = "" if people.known and not again else secrets.token_urlsafe(12)

    def first_administrator(self, name: str, password: str, code: str) -> Person:
        """Of requests that come together one has the code; it has it back where nobody was made."""
        taken = self._taken(code)
        try:
            person = self._made(name, password)
        except BaseException:
            self.code = taken
            raise
        self._again = False
        return person

    def _taken(self, code: str) -> str:
        with self._desk:
            if not self.code or (self._people.known and not self._again):
                raise NotAdmitted("this pit has its administrator; ask there for a login")
            if not secrets.compare_digest(code.encode(), self.code.encode()):
                raise NotAdmitted("this is not the code that the console shows")
            taken, self.code = self.code, ""
        return taken

    def _made(self, name: str, password: str) -> Person:
        known = self._people.known.get(name)
        if known is not None and known.role == "administrator":
            self._people.change_password(name, password, by=SYSTEM)
            self._people.forget_code(name, by=SYSTEM)
            self._people.bar(name, False, by=SYSTEM)
        else:
            self._people.add(name, "administrator", password, by=SYSTEM)
        return self._people.person(fit_name(name))
