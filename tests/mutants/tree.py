"""A copy of the package with one file changed: links to the rest, so it costs a moment."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.mutants.mutant import PACKAGE, Mutant

LEFT_OUT = "__pycache__"


def plant(mutant: Mutant, folder: Path) -> None:
    """Write the mutated package into a folder that comes first on the path of imports."""
    shutil.rmtree(folder, ignore_errors=True)
    at, source = folder / PACKAGE.name, PACKAGE
    at.mkdir(parents=True)
    for step in Path(mutant.place).parts:
        for entry in source.iterdir():
            if entry.name not in (step, LEFT_OUT):
                (at / entry.name).symlink_to(entry)
        at, source = at / step, source / step
        if source.is_dir():
            at.mkdir()
    at.write_text(mutant.text, "utf-8")
