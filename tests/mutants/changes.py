"""The kept list of named changes of code, in ``changes/*.toml``, and how each is applied.

A change is addressed by a dotted name inside the package and a short text within it:

    [[change]]
    name = "anybody answers for any box"
    at = "table.handlers.decisions._why_not_asked"
    find = "why_stranger(state, command.box, command.by)"
    put = "None"
    clauses = ["UTH 11.A(1)"]

``at`` may be a function, a method, a class or a variable of a module, a whole module, or the path
of a data file. ``find`` has to stand there exactly once. ``UTH`` in a clause means both its books,
``all`` means all three.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutant import PACKAGE, Mutant, in_books

FOLDER = Path(__file__).parent / "changes"


class DoesNotApply(Exception):
    """A change whose text is not where it says, with what is known of where it went."""


@dataclass(frozen=True)
class Change:
    name: str
    at: str
    find: str
    put: str
    clauses: tuple[str, ...]

    def mutant(self) -> Mutant:
        """The file with this change made; raises DoesNotApply where it cannot be made."""
        try:
            path, start, end = _found(self.at)
        except DoesNotApply as why:
            raise DoesNotApply(f"{why}{_elsewhere(self)}") from None
        text = path.read_text("utf-8")
        within = text[start:end]
        times = within.count(self.find)
        if times != 1:
            raise DoesNotApply(f"{self.at} has its text {times} times{_elsewhere(self)}")
        changed = text[:start] + within.replace(self.find, self.put) + text[end:]
        if path.suffix == ".py":
            try:
                compile(changed, str(path), "exec")
            except SyntaxError as error:
                raise DoesNotApply(f"what it puts there is no Python: {error}") from None
        return Mutant(self.name, path.relative_to(PACKAGE).as_posix(), changed, self.clauses)


def kept_changes(folder: Path = FOLDER) -> list[Change]:
    return [
        Change(
            name=entry["name"],
            at=entry["at"],
            find=entry["find"],
            put=entry["put"],
            clauses=tuple(clause for said in entry["clauses"] for clause in in_books(said)),
        )
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["change"]
    ]


def mend() -> Iterator[str]:
    """Write a new address where the text of a change moved, with its function, to another file."""
    for change in kept_changes():
        try:
            change.mutant()
        except DoesNotApply as why:
            homes = _homes(change)
            if len(homes) != 1:
                yield f"{change.name}: {why}"
                continue
            for path in FOLDER.glob("*.toml"):
                text = path.read_text("utf-8")
                named = text.find(f'name = "{change.name}"\nat = "{change.at}"')
                if named >= 0:
                    moved = text[named:].replace(change.at, homes[0], 1)
                    path.write_text(text[:named] + moved, "utf-8")
                    yield f"{change.name}: moved to {homes[0]}"


def _found(at: str) -> tuple[Path, int, int]:
    """The file, and from where to where in it the thing with this name stands."""
    if at.endswith(".toml"):
        return _whole(PACKAGE / at)
    words = at.split(".")
    for count in range(len(words), 0, -1):
        path = PACKAGE.joinpath(*words[:count]).with_suffix(".py")
        if path.is_file():
            return _inside(path, words[count:], at)
    raise DoesNotApply(f"there is no module for {at}")


def _whole(path: Path) -> tuple[Path, int, int]:
    if not path.is_file():
        raise DoesNotApply(f"there is no {path.relative_to(PACKAGE)}")
    return path, 0, len(path.read_text("utf-8"))


def _inside(path: Path, names: list[str], at: str) -> tuple[Path, int, int]:
    if not names:
        return _whole(path)
    text = path.read_text("utf-8")
    node: ast.AST = ast.parse(text)
    for name in names:
        found = [each for each in getattr(node, "body", ()) if name in _names(each)]
        if not found:
            raise DoesNotApply(f"there is no {name} at {at}")
        node = found[0]
    assert isinstance(node, ast.stmt)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return path, starts[node.lineno - 1], starts[node.end_lineno or node.lineno]


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign):
        return [ast.unparse(target) for target in node.targets]
    if isinstance(node, ast.AnnAssign):
        return [ast.unparse(node.target)]
    return [getattr(node, "name", "")]


def _homes(change: Change) -> list[str]:
    """Where else a thing of this name has this text exactly once."""
    name = change.at.rpartition(".")[2]
    homes = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        try:
            home, start, end = _inside(path, [name], module)
        except DoesNotApply:
            continue
        if home.read_text("utf-8")[start:end].count(change.find) == 1:
            homes.append(f"{module}.{name}")
    return homes


def _elsewhere(change: Change) -> str:
    homes = _homes(change)
    return f"; it may be meant at {', '.join(homes)} (python -m tests.mutants --mend)" * bool(homes)
