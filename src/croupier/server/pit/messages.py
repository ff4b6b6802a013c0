"""JSON messages of the API: commands decoded, answers and refusals encoded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.facts.names import known_names
from croupier.ledger.kept_table import Answer, RefusedBefore, Stale
from croupier.ledger.store.port import Ledger, Moved, unplaced
from croupier.rulebook.book import Rulebook
from croupier.server.access.logins import CodeNeeded, Login, NotAdmitted, NotEnrolled
from croupier.server.access.people import NotTheSecond
from croupier.server.access.token_buckets import TooMany
from croupier.table import commands as do

MOST_BYTES = 64_000
MOST_ID = 100
MOST_VERSION = 2**53
RETRY_AFTER_S = 1
# What the service says of a command, and nobody else.
OURS = ("by", "role", *do.BROUGHT)


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with an id of the asker's own making, and the version of the table he saw.

    Who asks, and in which role, is known from the login and never said here.
    """

    id: str
    command: dict[str, Any]
    seen: Annotated[int, Meta(ge=0, le=MOST_VERSION)] | None = None


CommandOutcome = Literal[
    "done",
    "refused",
    "stale",
    "unreadable",
    "not admitted",
    "code needed",
    "not enrolled",
    "forbidden",
    "not found",
    "too many",
    "unavailable",
]


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a request. ``sentence`` says why not, ``clause`` by which rule.

    ``again``: this id was answered before, and this is that answer. ``repeat``: nothing is known
    to have come of it, and the same id may be sent again: it happens once. ``wait_s``: after how
    many seconds.
    """

    outcome: CommandOutcome
    id: str = ""
    version: int = 0
    again: bool = False
    sentence: str = ""
    clause: str = ""
    repeat: bool = False
    wait_s: int = 0


class NotHere(Unreadable):
    """What an address names is not there."""


class Forbidden(Exception):
    """Somebody with another duty may ask for this."""


STATUS: dict[CommandOutcome, int] = {
    "done": 200,
    "refused": 409,
    "stale": 409,
    "unreadable": 400,
    "not admitted": 401,
    "code needed": 401,
    "not enrolled": 401,
    "forbidden": 403,
    "not found": 404,
    "too many": 429,
    "unavailable": 503,
}


AGAIN: tuple[CommandOutcome, ...] = ("too many", "unavailable")
"""What says nothing of what was asked, but of the service."""


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


def as_command(ask: Ask, login: Login, book: Rulebook) -> do.Command:
    """The command, in the name and the role of who is logged in; wagers that the table's book does
    not have are no command at all."""
    role = login.access.table
    if role is None:
        raise Forbidden(f"the {login.role} gives no commands at a table")
    said = {key: value for key, value in ask.command.items() if key not in OURS}
    command = do.command_of({**said, "by": login.name, "role": role})
    known_names(do.wagers_named(command), [wager.name for wager in book.wagers], "wager")
    return command


def answered(answer: Answer, command_id: str) -> Reply:
    return Reply("done", command_id, answer.version, answer.again)


def excused(error: Exception, ledger: Ledger | None, command_id: str = "") -> Reply | None:
    """A no, word for word as the rules or the ledger say it, but for where the ledger is kept, if
    there is one; None for what is no no.
    """
    if isinstance(error, Refusal):
        again = isinstance(error, RefusedBefore)
        return Reply("refused", command_id, 0, again, error.sentence, error.clause)
    for kind, outcome in _NOES:
        if isinstance(error, kind):
            said = str(error) if ledger is None else unplaced(error, ledger)
            told = Reply(outcome, command_id, sentence=said)
            return later(told, error.wait_s if isinstance(error, TooMany) else 0)
    return None


def later(told: Reply, wait_s: int = 0) -> Reply:
    """Whether the same id may be sent again is said with each no that is no answer to it."""
    if told.outcome not in AGAIN:
        return told
    return msgspec.structs.replace(told, repeat=bool(told.id), wait_s=wait_s or RETRY_AFTER_S)


_NOES: tuple[tuple[type[Exception], CommandOutcome], ...] = (
    (Stale, "stale"),
    (NotEnrolled, "not enrolled"),
    (CodeNeeded, "code needed"),
    (NotAdmitted, "not admitted"),
    (TooMany, "too many"),
    (NotHere, "not found"),
    (NotTheSecond, "forbidden"),
    (Unreadable, "unreadable"),
    (Forbidden, "forbidden"),
    (Moved, "unavailable"),
    (Unavailable, "unavailable"),
)
