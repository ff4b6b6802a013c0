"""Imports of the package from what the parent compiled, but for the file that is changed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutants.mutant import PACKAGE

_compiled: dict[str, CodeType] = {}


def compile_ahead(modules: Iterable[str]) -> None:
    """Compile these modules of the package once, for every child that is forked later."""
    for name in modules:
        path = PACKAGE.parent.joinpath(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path.is_file():
            place = path.relative_to(PACKAGE).as_posix()
            _compiled[place] = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)


def import_from(folder: Path, changed: str) -> None:
    """From now on the package is the one in this folder."""
    sys.path.insert(0, str(folder))
    sys.meta_path.insert(0, _Finder(folder, changed))


class _Finder(MetaPathFinder):
    def __init__(self, folder: Path, changed: str) -> None:
        self._folder, self._changed = folder, changed

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != PACKAGE.name:
            return None
        spec = PathFinder.find_spec(name, path or [str(self._folder)], target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            place = Path(spec.loader.path).relative_to(self._folder / PACKAGE.name).as_posix()
            if place != self._changed and place in _compiled:
                spec.loader = _Loader(name, spec.loader.path, _compiled[place])
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code
