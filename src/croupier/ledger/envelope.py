"""The envelope of a line: actor, role, time, idempotency id and the command as JSON.

The words of a command are kept as they were asked, without what the keeper brings to them: the
time, the readings of the meters, and any card. So no words in a ledger tell a card.
"""

from __future__ import annotations

import hashlib

import msgspec

from croupier.facts.errors import Unreadable
from croupier.ledger.events import tag_of, write_kept
from croupier.ledger.link import movements
from croupier.ledger.store.line import LineDraft
from croupier.table import commands as do
from croupier.table import events as ev

MICROS_A_SECOND = 1_000_000
SYSTEM = "croupier"
LONGEST = 100
A_CARD = "?"
HASHED = "sha256:"


class InstallTable(do.Command, frozen=True, tag="install-table"):
    """A table comes into the pit with its submission."""

    table: do.Name


class RenewShoe(do.Command, frozen=True, tag="renew-shoe"):
    """The keeper's own: the pack of a round whose bets are still open cannot be opened."""

    reason: do.Name


class Envelope(msgspec.Struct, frozen=True):
    """Whose hand writes, when, and in answer to what words."""

    command: do.Command
    command_id: str
    words: str
    at_us: int

    def draft(self, event: ev.Event) -> LineDraft:
        return LineDraft(
            kind=tag_of(event),
            body=write_kept(event),
            at_us=self.at_us,
            actor=self.command.by,
            role=self.command.role,
            command_id=self.command_id,
            command=self.words,
            entries=movements(event),
        )

    def with_hash(self) -> Envelope:
        """For a refusal: its words are of no use but to know them again, however many there are."""
        return msgspec.structs.replace(self, words=words_hash(self.words))

    def without_words(self) -> Envelope:
        """For the other lines of the answer: the words stand once."""
        return msgspec.structs.replace(self, words="")


def own_envelope(command: do.Command, command_id: str, at_us: int) -> Envelope:
    """For what no command of a table asks: the keeper's own doings."""
    return Envelope(command, command_id, msgspec.json.encode(command).decode(), at_us)


def words(command: do.Command) -> str:
    """A command as it is kept, and as it can be read again."""
    try:
        return msgspec.json.encode(bare(command)).decode()
    except UnicodeError:
        raise Unreadable("this is no command: a character in it cannot be written") from None


def words_hash(asked: str) -> str:
    """What is kept of a command that was refused, in place of its words."""
    return f"{HASHED}{hashlib.sha256(asked.encode()).hexdigest()}"


def bare(command: do.Command) -> do.Command:
    """The words alone: the time, the cards and the readings come from here, and never twice."""
    fields = command.__struct_fields__
    brought = {name: empty for name, empty in do.BROUGHT.items() if name in fields}
    if isinstance(command, do.Deal):
        brought["cards"] = ()
    if isinstance(command, do.Declare):
        brought["cards"] = (A_CARD,) * len(command.cards)
    return msgspec.structs.replace(command, **brought)
