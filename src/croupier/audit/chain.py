"""The hash chain verified: every line is where and as it was written, and none is missing.

Without a checkpoint of the log the proof says that the lines belong together. With one that
somebody else kept it says that none was cut off the end, and that nobody wrote them all anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.audit.tree_proof import TreeProof
from croupier.ledger.store.line import Break, Broken, LedgerLine, followed
from croupier.ledger.store.migrations import broken_migration
from croupier.ledger.store.port import Damaged, Head, Ledger
from croupier.ledger.transparency.checkpoint import Checkpoint

BELOW_ALL = -(2**63)


def prove_chain(ledger: Ledger, *given: Checkpoint) -> Break | None:
    """The first difference, or nothing."""
    try:
        for _ in proved_lines(ledger, TreeProof(ledger, given)):
            pass
    except Broken as broken:
        return broken.first
    return None


def proved_lines(
    ledger: Ledger, tree: TreeProof, ends: Mapping[str, Head] | None = None
) -> Iterator[LedgerLine]:
    """Every line, stream by stream, each given when it is proved; Broken at the first difference.

    The ledger may go on being written: what is proved is what it held when the proof began, or
    when its streams had these ``ends``.
    """
    place = ("", 0)
    try:
        _raise(broken_migration(ledger.id, ledger.migrations()))
        commands = _Commands()
        ends = ledger.heads() if ends is None else ends
        for stream, end in ends.items():
            if not _is_text(stream):
                raise Broken(Break(stream, 0, "its name is not text"))
            place = (stream, 1)
            for line in tree.lines(stream, _stream_lines(ledger, stream, end)):
                commands.take(line)
                yield line
                place = (stream, line.version + 1)
        place = ("", 0)
        tree.close(ends)
        commands.close()
        _raise(next((Break("", 0, flaw) for flaw in ledger.flaws()), None))
    except Damaged as error:
        raise Broken(Break(*place, str(error))) from error


class _Commands:
    """One command, one answer: its first line holds the command, and no other line does."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._untold: dict[str, tuple[str, int]] = {}

    def take(self, line: LedgerLine) -> None:
        command_id, place = line.command_id, (line.stream, line.version)
        if not line.command:
            if command_id and command_id not in self._told:
                self._untold.setdefault(command_id, place)
            return
        if not command_id:
            raise Broken(Break(*place, "it holds a command that has no id"))
        if command_id in self._told:
            raise Broken(Break(*place, f"command {command_id} was answered before"))
        self._told.add(command_id)
        self._untold.pop(command_id, None)

    def close(self) -> None:
        for command_id, place in self._untold.items():
            raise Broken(Break(*place, f"it answers command {command_id}, which nobody gave"))


def _stream_lines(ledger: Ledger, stream: str, end: Head) -> Iterator[LedgerLine]:
    """From below the first version there can be, so that no line hides there, to the end."""
    version = 0
    for line in followed(ledger.id, stream, ledger.read(stream, after=BELOW_ALL)):
        yield line
        version = line.version
        if version == end.version:
            return
    raise Broken(Break(stream, version + 1, f"it cannot be found, though line {end.version} can"))


def _is_text(stream: object) -> bool:
    try:
        return isinstance(stream, str) and bool(stream.encode())
    except UnicodeEncodeError:
        return False


def _raise(found: Break | None) -> None:
    if found is not None:
        raise Broken(found)
