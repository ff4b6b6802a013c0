"""What others made and the folder needs: CPython for browsers and one wheel, pinned by hashes.

npm and pip fetch them from the registries they are set up for, refuse other hashes, and run
nothing of what they fetch.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from croupier.facts.errors import Unavailable

ROOT = Path(__file__).parents[2]
PINNED = ROOT / "requirements" / "demo"
FETCHED = ROOT / "build" / "demo-parts"
PLATFORM = ("--python-version=3.14", "--abi=cp314", "--platform=pyemscripten_2026_0_wasm32")


def python_folder() -> Path:
    """Pyodide as its package has it, fetched if need be."""
    folder = FETCHED / "node_modules" / "pyodide"
    if not (folder / "pyodide.asm.wasm").exists():
        FETCHED.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PINNED / name, FETCHED)
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
        _run("npm", "ci", "--prefix", str(FETCHED), *quiet)
    return folder


def msgspec_wheel() -> Path:
    """The wheel of the release that everything else is tested with."""
    folder = FETCHED / "wheels"
    if not list(folder.glob("msgspec-*.whl")):
        wanted = FETCHED / "msgspec.txt"
        wanted.parent.mkdir(parents=True, exist_ok=True)
        wanted.write_text(_pin("msgspec"))
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")
        wheels = ("--no-deps", "--only-binary=:all:", "--require-hashes", *PLATFORM)
        _run(*pip, *wheels, "--dest", str(folder), "--requirement", str(wanted))
    (wheel,) = folder.glob("msgspec-*.whl")
    return wheel


def _pin(name: str) -> str:
    """The lines of a release and its hashes, as the package itself is pinned."""
    pinned = (ROOT / "requirements" / "run.txt").read_text("utf-8")
    found = re.search(rf"^{name}==(.+\\\n)+.+\n", pinned, re.MULTILINE)
    assert found is not None, f"{name} is pinned"
    return found[0]


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is needed to fetch what the folder is made of") from None
    except subprocess.CalledProcessError:
        raise Unavailable(f"{command[0]} could not fetch what the folder is made of") from None
