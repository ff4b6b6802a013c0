"""The static folder: our pages and modules as they are, Python, and what keeps them offline."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from croupier.games.registry import the_registry
from website.demo import bundle, parts
from website.demo.compiled_coach import compiled
from website.demo.pages import pages

HERE = Path(__file__).parent
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
PACKED = (".zip", ".gz")
CARRIER = b'export { listen, request } from "../../demo/worker_carrier.js";\n'


class Built(NamedTuple):
    files: int
    wire_bytes: int


def build(into: Path) -> Built:
    """Everything anew; what was there before is gone."""
    made = contents()
    shutil.rmtree(into, ignore_errors=True)
    for path, content in made.items():
        place = into / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return Built(len(made), sum(wire_size(path, content) for path, content in made.items()))


def contents() -> dict[str, bytes]:
    """Every file by its path."""
    made = {**_scripts(), **_python(), **pages(the_registry())}
    made["demo/coach.json"] = json.dumps(compiled(the_registry()), separators=(",", ":")).encode()
    version = hashlib.sha256()
    for path, content in sorted(made.items()):
        version.update(path.encode() + b"\0" + hashlib.sha256(content).digest())
    worker = (HERE / "static" / "service_worker.js").read_text("utf-8")
    kept = json.dumps(sorted(["./", *made]), indent=1)
    worker = worker.replace("{{ version }}", version.hexdigest()[:16])
    made["service_worker.js"] = worker.replace("{{ files }}", kept).encode()
    return made


def inputs_digest() -> str:
    """One hash of every file of the project that the folder is made from."""
    digest = hashlib.sha256()
    for room in ("src/croupier", "website/demo", "requirements/demo"):
        for path in sorted((parts.ROOT / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(parts.ROOT).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def wire_size(path: str, content: bytes) -> int:
    """What a host sends that compresses with gzip; archives go as they are."""
    return len(content) if path.endswith(PACKED) else len(gzip.compress(content, 9))


def _python() -> dict[str, bytes]:
    pyodide = parts.python_folder()
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    return {
        **{f"python/{name}": (pyodide / name).read_bytes() for name in PYTHON},
        "python/pyodide-lock.json": json.dumps(lock | {"packages": {}}).encode(),
        "python/msgspec.zip": parts.msgspec_wheel().read_bytes(),
        "python/library.zip": bundle.library(pyodide),
        "python/croupier.zip": bundle.package(pyodide),
    }


def _scripts() -> dict[str, bytes]:
    """The pages' own files, the documents' two styles, and those of the folder; its worker carries
    what a service's socket would."""
    found = {f"static/{path}": file.read_bytes() for path, file in _below("static")}
    for name in ("felt.css", "house.css"):
        found[f"static/{name}"] = (files("croupier.documents") / name).read_bytes()
    ours = (path for path in (HERE / "static").iterdir() if path.name != "service_worker.js")
    found |= {f"demo/{path.name}": path.read_bytes() for path in ours}
    return found | {"static/shared/carrier.js": CARRIER}


def _below(folder: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []

    def walk(at: Traversable, path: str) -> None:
        for entry in at.iterdir():
            if entry.is_dir():
                walk(entry, f"{path}{entry.name}/")
            else:
                found.append((f"{path}{entry.name}", entry))

    walk(files("croupier.server.pages") / folder, "")
    return [(path, file) for path, file in found if path not in LEFT_OUT]


LEFT_OUT = {f"pages/{name}.js" for name in ("administration", "analysis", "console", "floor")} | {
    *("pages/login.js", "pages/player.js", "pages/sign.js", "pages/surveillance.js"),
    *(f"analysis/{name}.js" for name in ("line_sliders", "paytable_choice", "plots")),
    *("style/analysis.css", "style/staff.css"),
    *(f"staff/{name}.js" for name in ("decks", "duties", "floor_call", "irregularities")),
}
"""Pages of people who work at a service."""
