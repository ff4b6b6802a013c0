"""Verdicts kept from one run to the next, each good as long as nothing it rests on has changed.

A verdict rests on the mutant, on the tests its clauses cite and on every source and data file that
the trial read.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from tests.mutants.mutant import ROOT, Mutant
from tests.mutants.trial import Verdict

KEPT = ROOT / "build" / "mutants" / "verdicts.json"


class _Kept(msgspec.Struct):
    verdicts: dict[str, tuple[str, Verdict]] = {}
    files: dict[str, tuple[str, ...]] = {}


class Results:
    """The verdicts by mutant; ``path`` is where they are kept."""

    def __init__(self, path: Path = KEPT) -> None:
        self._path = path
        self._kept = _Kept()
        if path.is_file():
            try:
                self._kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
            except msgspec.DecodeError:
                self._kept = _Kept()

    def of(self, mutant: Mutant, tests: tuple[str, ...]) -> Verdict | None:
        """The verdict of an earlier run, if it still holds."""
        rests_on, verdict = self._kept.verdicts.get(mutant.digest, ("", None))
        if verdict is None:
            return None
        files = self._kept.files.get(verdict.files[0], ()) if verdict.files else ()
        return verdict if files and rests_on == _digest(files, tests) else None

    def keep(self, mutant: Mutant, tests: tuple[str, ...], verdict: Verdict) -> None:
        if verdict.trouble:
            return
        files = tuple(verdict.files)
        which = hashlib.sha256("\0".join(files).encode()).hexdigest()[:16]
        self._kept.files[which] = files
        kept = msgspec.structs.replace(verdict, files=(which,))
        self._kept.verdicts[mutant.digest] = (_digest(files, tests), kept)

    def forget_all_but(self, known: set[str]) -> None:
        """Forget the verdicts on mutants that are no more."""
        self._kept.verdicts = {d: v for d, v in self._kept.verdicts.items() if d in known}
        used = {verdict.files[0] for _, verdict in self._kept.verdicts.values()}
        self._kept.files = {name: f for name, f in self._kept.files.items() if name in used}

    def write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_bytes(msgspec.json.encode(self._kept))


def _digest(files: tuple[str, ...], tests: tuple[str, ...]) -> str:
    told = [*(f"{file} {_hash(file)}" for file in files), *tests]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()


@cache
def _hash(file: str) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "gone"
