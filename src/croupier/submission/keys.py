"""Every key a submission may hold, as one table, and the reading of a document by it.

Nothing here knows a rule of the games: a key is known or not, there or not, and of its kind or not.
What a rulebook has to say about the values is asked in the checks.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.toml_lines import Path, TomlLines
from croupier.rulebook.book import Cited, Rulebook
from croupier.submission import value_kinds
from croupier.submission.finding import Finding
from croupier.submission.value_kinds import Reader

ABANDONED_POLICIES = ("lost", "default")
PaidFrom = Literal["table", "cage"]
PAID_FROM: tuple[PaidFrom, ...] = get_args(PaidFrom)
ClauseOf = Callable[[Rulebook], str | None]


@dataclass(frozen=True)
class SubmissionKey:
    """One key: its path, with a name in capitals where any name may stand, and its kind.

    ``form`` shows how it is written; ``clause`` is the rule that asks for it.
    """

    path: str
    read: Reader
    form: str
    required: bool = False
    clause: ClauseOf = lambda book: None

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.path.split("."))

    def cited(self, book: Rulebook, path: Path) -> str | None:
        """The rule that asks for it here; limits stand on the rule of the wager they limit."""
        named = str(path[1]) if self.parts[0] == "limits" else ""
        clause = book.wager(named).clause if book.has_wager(named) else self.clause(book)
        return book.cite(clause) if clause is not None else None


def _of(cited: Callable[[Rulebook], Cited | None]) -> ClauseOf:
    def clause(book: Rulebook) -> str | None:
        line = cited(book)
        return line.clause if line is not None else None

    return clause


def _meter(book: Rulebook) -> str | None:
    return book.progressive.reset_clause if book.progressive else None


def _rate(book: Rulebook) -> str | None:
    return book.progressive.rate_clause if book.progressive else None


_NAMED = _of(lambda book: book.table.operator_named)
_BOXES = _of(lambda book: book.table.boxes)

KEYS = (
    SubmissionKey("version", value_kinds.name, '"3"'),
    SubmissionKey("approved", value_kinds.date, "2026-01-31"),
    SubmissionKey("facility.name", value_kinds.name, '"Harbor Casino"', True, _NAMED),
    SubmissionKey("facility.operator", value_kinds.name, '"Harbor Gaming LLC"', True, _NAMED),
    SubmissionKey("facility.logo", value_kinds.name, '"logo.png"'),
    SubmissionKey("table.id", value_kinds.name, '"UTH-12"', True),
    SubmissionKey("table.rulebook", value_kinds.name, '"UTH-S"', True),
    SubmissionKey("table.boxes", value_kinds.count, "6", True, _BOXES),
    SubmissionKey("table.adjacent_boxes", value_kinds.count, "2"),
    SubmissionKey("table.electronic", value_kinds.flag, "false"),
    SubmissionKey("table.players_numbers", value_kinds.flag, "false"),
    SubmissionKey(
        "table.abandoned_wagers",
        value_kinds.one_of(*ABANDONED_POLICIES),
        " or ".join(f'"{policy}"' for policy in ABANDONED_POLICIES),
        True,
        lambda book: book.procedure.abandoned_clause,
    ),
    SubmissionKey("table.payout_limit", value_kinds.amount, '"$50,000"'),
    SubmissionKey("paytables.WAGER", value_kinds.name, '"A"'),
    SubmissionKey("limits.WAGER.minimum", value_kinds.stake, '"$10"', True),
    SubmissionKey("limits.WAGER.maximum", value_kinds.stake, '"$500"', True),
    SubmissionKey("limits.WAGER.increment", value_kinds.stake, '"$5"'),
    SubmissionKey("progressive.system", value_kinds.name, '"Harbor Link 2"'),
    SubmissionKey("progressive.wager", value_kinds.stake, '"$1"'),
    SubmissionKey("progressive.hand", value_kinds.name, '"flop"'),
    SubmissionKey("progressive.holder_must_wager", value_kinds.flag, "false"),
    SubmissionKey(
        "progressive.paid_from",
        value_kinds.one_of(*PAID_FROM),
        " or ".join(f'"{source}"' for source in PAID_FROM),
        False,
        _of(lambda book: book.progressive.paid_from if book.progressive else None),
    ),
    SubmissionKey(
        "progressive.meters.METER.initial", value_kinds.amount, '"$10,000"', True, _meter
    ),
    SubmissionKey("progressive.meters.METER.reset", value_kinds.amount, '"$10,000"', True, _meter),
    SubmissionKey("progressive.meters.METER.rate", value_kinds.rate_ppm, '"4%"', True, _rate),
    SubmissionKey("progressive.meters.METER.limit", value_kinds.amount, '"$50,000"', False, _rate),
    SubmissionKey(
        "dealing.method",
        value_kinds.name,
        '"shuffler"',
        True,
        lambda book: book.procedure.by_device_clause,
    ),
    SubmissionKey("dealing.fallbacks", value_kinds.names, '["shoe"]'),
    SubmissionKey("devices.shuffler", value_kinds.flag, "true"),
    SubmissionKey("devices.counts_to_52", value_kinds.flag, "true"),
    SubmissionKey("devices.loads_shoe", value_kinds.flag, "true"),
    SubmissionKey("devices.keeps_dealer_cards", value_kinds.flag, "true"),
    SubmissionKey("devices.automated_shoe", value_kinds.flag, "true"),
    SubmissionKey("devices.reshuffling_shoe", value_kinds.flag, "true"),
    SubmissionKey("decks.count", value_kinds.count, "1"),
    SubmissionKey("decks.backs", value_kinds.names, '["red", "blue"]'),
)

Tree = dict[str, Any]
ANY_NAME = ("WAGER", "METER")


def _tree() -> Tree:
    root: Tree = {}
    for key in KEYS:
        *above, last = key.parts
        node = root
        for part in above:
            node = node.setdefault(part, {})
        node[last] = key
    return root


TREE = _tree()


def key_at(path: Path) -> SubmissionKey | None:
    """The key that may stand at a path."""
    node: Tree | SubmissionKey | None = TREE
    for part in path:
        if not isinstance(node, dict):
            return None
        named = str(part) if part not in ANY_NAME else ""
        node = node.get(named) or next((node[any_] for any_ in ANY_NAME if any_ in node), None)
    return node if isinstance(node, SubmissionKey) else None


@dataclass
class Read:
    """What could be read of a document: values by path, and every path that is written at all."""

    values: dict[Path, Any] = field(default_factory=dict)
    written: dict[Path, None] = field(default_factory=dict)
    broken: set[Path] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    keys: dict[str, tuple[SubmissionKey, Path]] = field(default_factory=dict)

    def is_missing(self, path: Path) -> bool:
        """Whether nobody wrote it; what stands there unreadable is not missing."""
        above = (path[:length] for length in range(1, len(path) + 1))
        return path not in self.written and not any(part in self.broken for part in above)


def read_document(document: Mapping[str, Any], lines: TomlLines) -> Read:
    """Every value of its kind, and a finding for each that is not, or that nobody knows."""
    read = Read()
    _walk(document, TREE, (), lines, read)
    return read


def missing_keys(read: Read, lines: TomlLines, book: Rulebook | None) -> Iterator[Finding]:
    """The keys every submission needs and this one lacks."""
    for key in KEYS:
        for path in _places(key, read) if key.required else ():
            if read.is_missing(path):
                yield Finding(
                    "error",
                    f"{shown(path)} is missing; write {key.parts[-1]} = {key.form} "
                    f"under [{shown(path[:-1])}]",
                    key.cited(book, path) if book is not None else None,
                    lines.of(path),
                    shown(path),
                )


def with_clauses(read: Read, book: Rulebook | None) -> Iterator[Finding]:
    """What is unreadable, under the rule that asks for it, once it is known which rulebook says."""
    for found in read.findings:
        if book is None or found.key not in read.keys:
            yield found
            continue
        key, path = read.keys[found.key]
        yield replace(found, clause=key.cited(book, path))


def names_under(read: Read, *table: str) -> tuple[str, ...]:
    """The names somebody wrote in a table, in the order of the file."""
    depth = len(table)
    found = (path[depth] for path in read.written if len(path) > depth and path[:depth] == table)
    return tuple(dict.fromkeys(str(name) for name in found))


def shown(path: Path) -> str:
    """A key as it is written, with dots; names that need it stand in quotes, however long."""
    return ".".join(_bare(str(part)) for part in path)


def _bare(part: str) -> str:
    plain = part.replace("_", "").replace("-", "")
    return part if plain.isascii() and plain.isalnum() and len(part) <= 40 else quoted(part)


def _walk(table: Mapping[str, Any], tree: Tree, above: Path, lines: TomlLines, read: Read) -> None:
    for name, value in table.items():
        path = (*above, name)
        known = tree.get(name) or next((tree[any_] for any_ in ANY_NAME if any_ in tree), None)
        if known is None or name in ANY_NAME:
            read.findings.append(_unknown(path, tree, len(table), lines))
            continue
        read.written[path] = None
        if isinstance(known, SubmissionKey):
            _read_value(known, path, value, lines, read)
        elif isinstance(value, dict):
            _walk(value, known, path, lines, read)
        else:
            read.broken.add(path)
            inside = ", ".join(_forms(known))
            said = f"{shown(path)} must be a table; write [{shown(path)}] with {inside} below it"
            read.findings.append(Finding("error", said, None, lines.of(path), shown(path)))


def _read_value(
    key: SubmissionKey, path: Path, value: object, lines: TomlLines, read: Read
) -> None:
    try:
        read.values[path] = key.read(value)
    except Unreadable as error:
        read.broken.add(path)
        read.keys[shown(path)] = (key, path)
        said = str(error)
        told = f"{shown(path)} {said}" if said.startswith(("must", "is ")) else _at(path, said)
        read.findings.append(Finding("error", told, None, lines.of(path), shown(path)))


def _at(path: Path, said: str) -> str:
    return f"{shown(path)}: {said}"


def _unknown(path: Path, tree: Tree, how_many: int, lines: TomlLines) -> Finding:
    name, where = str(path[-1]), f"[{shown(path[:-1])}]" if path[:-1] else "a submission"
    known = [part for part in tree if part not in ANY_NAME]
    home = next((key for key in KEYS if key.parts[-1] == name and len(key.parts) > 1), None)
    near = difflib.get_close_matches(name[:40], known, n=1) if how_many < 100 else []
    if home is not None and home.parts[:-1] != path[:-1]:
        hint = f"{name} belongs under [{'.'.join(home.parts[:-1])}]"
    elif near:
        hint = f"did you mean {near[0]}?"
    else:
        hint = f"it has {', '.join(known)}"
    said = f"{where} has no key {quoted(name)}; {hint}"
    return Finding("error", said, None, lines.of(path), shown(path))


def _forms(tree: Tree) -> Iterator[str]:
    for name, known in tree.items():
        yield f"{name} = {known.form}" if isinstance(known, SubmissionKey) else f"{name}"


def _places(key: SubmissionKey, read: Read) -> list[Path]:
    """Where a key is looked for: once, or once below each name that somebody wrote."""
    wild = next((place for place, part in enumerate(key.parts) if part in ANY_NAME), None)
    if wild is None:
        return [key.parts]
    table, rest = key.parts[:wild], key.parts[wild + 1 :]
    return [(*table, name, *rest) for name in names_under(read, *table)]
