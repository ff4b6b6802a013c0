"""A round as one file: its lines as the log has them, with their proofs under one checkpoint.

The file holds what one viewer may have: every line of the round as its entry in the log, which is
the same for everybody, and beside it the hidden parts that are his to know. No field of the file
stands for itself: each is proved by the signature, so whoever changes a byte is found out.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator

import msgspec

from croupier.facts.errors import Unavailable, Unreadable
from croupier.facts.names import known_name
from croupier.ledger.events import TABLE, ShoeCommitted, tag_of
from croupier.ledger.replay import read_line
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.entry import PRIVATE_KINDS, PartOpening, entry_of, openings
from croupier.ledger.transparency.tree import inclusion
from croupier.table import events as ev
from croupier.table.redaction import OWN
from croupier.table.views import HOUSE, Viewer

FORMAT = "croupier round proof 1"
SUFFIX = ".round-proof"
COMMITTED, TAKEN = tag_of(ShoeCommitted), tag_of(ev.BoxTaken)
CLEARED = tag_of(ev.CardsCleared)
OWN_KINDS = frozenset(tag_of(kind) for kind in OWN)
WAGERED = tag_of(ev.WagerPlaced)
SEALED, NAME, REASON = "body.sealed", "body.player", "body.reason"
LATER = "its lines are not under a checkpoint yet; one is made every minute, so ask again then"


class ProofLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``entry`` is the leaf's text; ``path`` its siblings up to the root, in base64."""

    entry: str
    index: int
    path: tuple[str, ...]
    openings: tuple[PartOpening, ...] = ()


class RoundProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line is the table's own first, with its rules; the others are the round's."""

    format: str
    key: str
    checkpoint: str
    lines: tuple[ProofLine, ...]

    def text(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def round_proof(ledger: Ledger, table: str, number: int, viewer: Viewer) -> RoundProof:
    """Unreadable where there is no such round, or it is not the viewer's; Unavailable while it is
    not over, or under no checkpoint yet.
    """
    stream = f"{TABLE}{table}"
    lines = (*ledger.read(stream, most=1), *round_lines(ledger, stream, number))
    opens = _Opener(ledger, lines, viewer, number)
    log = ledger.log
    places = {1: log.places(stream, 1, 1).get(1)}
    places |= log.places(stream, lines[1].version, lines[-1].version)
    highest = max((place for place in places.values() if place is not None), default=-1)
    newest = log.checkpoint_of(least=highest + 1)
    if newest is None or any(places.get(line.version) is None for line in lines):
        raise Unavailable(f"round {number}: {LATER}")
    of = log.subtrees()
    proved = []
    for line in lines:
        place = places[line.version]
        assert place is not None
        path = inclusion(of, place, newest.size)
        proved.append(
            ProofLine(
                entry=entry_of(line, log.blinding).text().decode(),
                index=place,
                path=tuple(base64.b64encode(sibling).decode() for sibling in path),
                openings=opens.of(line, log.blinding),
            )
        )
    return RoundProof(FORMAT, newest.key, newest.note, tuple(proved))


def round_lines(ledger: Ledger, stream: str, number: int) -> tuple[LedgerLine, ...]:
    """From the first pack committed to for a round up to where its cards were cleared; packs are
    looked for by halves, for a table may have had a million lines.
    """
    before, last = 0, ledger.head(stream).version
    while before < last:  # the last version before which only earlier rounds are committed to
        middle = (before + last + 1) // 2
        if _round_at(ledger, stream, middle) < number:
            before = middle
        else:
            last = middle - 1
    found: list[LedgerLine] = []
    for line in ledger.read(stream, after=before):
        event = read_line(line)
        if not found and not (isinstance(event, ShoeCommitted) and event.round == number):
            break
        found.append(line)
        if isinstance(event, ev.CardsCleared):
            return tuple(found)
    if not found or not any(line.kind == WAGERED for line in found):
        raise Unreadable(f"{stream.removeprefix(TABLE)} has no round {number} that was played")
    raise Unavailable(
        f"round {number} is not over yet; its proof is made when its cards are cleared"
    )


def _round_at(ledger: Ledger, stream: str, version: int) -> int:
    """The round that a pack was committed to for last, up to this version."""
    line = ledger.last_of(stream, COMMITTED, version)
    event = read_line(line) if line is not None else None
    return event.round if isinstance(event, ShoeCommitted) else 0


class _Opener:
    """Which hidden parts of a line a viewer is given: his own, and what the house alone knows to
    the house. Nobody is given a seal.
    """

    def __init__(
        self, ledger: Ledger, lines: tuple[LedgerLine, ...], viewer: Viewer, number: int
    ) -> None:
        self._viewer = viewer
        self._boxes: frozenset[int] = frozenset()
        if viewer.role == "player":
            seats = dict(_seats(ledger, lines))
            name = known_name(
                viewer.name, sorted(seats.values()), "player", where=f"round {number}"
            )
            self._boxes = frozenset(box for box, who in seats.items() if who == name)

    def of(self, line: LedgerLine, blinding: bytes) -> tuple[PartOpening, ...]:
        if self._viewer.role in HOUSE:
            given = openings(line, blinding, ("actor", "body", "entries"))
            return tuple(each for each in given if each.part != SEALED)
        if line.kind in PRIVATE_KINDS:
            if line.kind not in OWN_KINDS or _box(line) not in self._boxes:
                return ()
            return openings(line, blinding, ("body", "entries"))
        given = openings(line, blinding, ("actor", "body"))
        return tuple(each for each in given if self._is_his(line, each))

    def _is_his(self, line: LedgerLine, part: PartOpening) -> bool:
        """His own name, and what was said aloud; not who of the house said it."""
        if part.part == "actor":
            return bool(self._viewer.name) and part.value == self._viewer.name
        if part.part == NAME:
            return part.value == msgspec.json.encode(self._viewer.name).decode()
        return part.part == REASON and line.kind != tag_of(ev.FloorCalled)


def _seats(ledger: Ledger, lines: tuple[LedgerLine, ...]) -> Iterator[tuple[int, str]]:
    """Who had each box that wagered: whoever took it last before the round was over."""
    wanted = {_box(line) for line in lines if line.kind == WAGERED}
    until = lines[-1].version
    while wanted:
        line = ledger.last_of(lines[-1].stream, TAKEN, until)
        event = read_line(line) if line is not None else None
        if line is None or not isinstance(event, ev.BoxTaken):
            return
        until = line.version - 1
        if event.box in wanted:
            wanted.discard(event.box)
            yield event.box, event.player


def _box(line: LedgerLine) -> int:
    event = read_line(line)
    return event.box if isinstance(event, ev.BoxEvent) else 0
