"""JSON messages of the API: commands decoded, answers and refusals encoded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.kept_table import Answer, RefusedBefore, Stale
from croupier.ledger.store.port import Ledger, Moved, unplaced
from croupier.server.access.logins import Login, NotAdmitted, TooMany
from croupier.table import commands as do

MOST_BYTES = 64_000
MOST_ID = 100
MOST_VERSION = 2**53
# What the service says of a command, and nobody else.
OURS = ("by", "role", "at_s", "meters", "ahead", "here")


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with an id of the asker's own making, and the version of the table he saw.

    Who asks, and in which role, is known from the login and never said here.
    """

    id: str
    command: dict[str, Any]
    seen: Annotated[int, Meta(ge=0, le=MOST_VERSION)] | None = None


Outcome = Literal[
    "done",
    "refused",
    "stale",
    "unreadable",
    "not admitted",
    "forbidden",
    "not found",
    "too many",
    "unavailable",
]


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a request. ``sentence`` says why not, ``clause`` by which rule.

    ``again``: this id was answered before, and this is that answer.
    """

    outcome: Outcome
    id: str = ""
    version: int = 0
    again: bool = False
    sentence: str = ""
    clause: str = ""


class NotHere(Unreadable):
    """What an address names is not there."""


class Forbidden(Exception):
    """Somebody with another duty may ask for this."""


STATUS: dict[Outcome, int] = {
    "done": 200,
    "refused": 409,
    "stale": 409,
    "unreadable": 400,
    "not admitted": 401,
    "forbidden": 403,
    "not found": 404,
    "too many": 429,
    "unavailable": 503,
}


def read_ask(text: bytes | str) -> Ask:
    if not text:  # so a message of bytes arrives
        raise Unreadable("this cannot be read: send JSON, as text")
    try:
        ask = msgspec.json.decode(text, type=Ask)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(f"this cannot be read: {str(error)[:200]}") from None
    return known_id(ask)


def known_id(ask: Ask) -> Ask:
    """The same, where its id is one that can be kept."""
    if not 1 <= len(ask.id) <= MOST_ID:
        raise Unreadable(f"a command has an id of 1 to {MOST_ID} letters")
    return ask


def own_id(login: Login, ask: Ask) -> str:
    """How the ledger knows a command: ids are each person's own, so nobody uses up another's.

    No name has a slash in it.
    """
    return f"{login.name}/{ask.id}"


def as_command(ask: Ask, login: Login) -> do.Command:
    """The command, in the name and the role of who is logged in."""
    role = login.duties.table
    if role is None:
        raise Forbidden(f"the {login.role} gives no commands at a table")
    said = {key: value for key, value in ask.command.items() if key not in OURS}
    return do.command_of({**said, "by": login.name, "role": role})


def answered(answer: Answer, command_id: str) -> Reply:
    return Reply("done", command_id, answer.version, answer.again)


def excused(error: Exception, ledger: Ledger, command_id: str = "") -> Reply | None:
    """A no, word for word as the rules or the ledger say it, but for where the ledger is kept;
    None for what is no no.
    """
    if isinstance(error, Refusal):
        again = isinstance(error, RefusedBefore)
        return Reply("refused", command_id, 0, again, error.sentence, error.clause)
    for kind, outcome in _NOES:
        if isinstance(error, kind):
            return Reply(outcome, command_id, sentence=unplaced(error, ledger))
    return None


_NOES: tuple[tuple[type[Exception], Outcome], ...] = (
    (Stale, "stale"),
    (NotAdmitted, "not admitted"),
    (TooMany, "too many"),
    (NotHere, "not found"),
    (Unreadable, "unreadable"),
    (Forbidden, "forbidden"),
    (Moved, "unavailable"),
    (Unavailable, "unavailable"),
)
