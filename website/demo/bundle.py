"""Python as the browser loads it: our modules and the library's, compiled, and data beside ours.

Only what a room imports is in it: the names are asked of the program itself. Compiled by the Python
that reads them, modules load in a tenth of the time; what is written in them for readers stays out.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path

from croupier.facts.errors import Unavailable
from website.demo.parts import ROOT

SOURCES = ROOT / "src"
OURS = ("croupier", "website")
PYODIDE = ("pyodide/", "_pyodide/", "encodings/")
WHEEL = ("msgspec", "typing_extensions")  # the second is taken where it is, and not needed
DATA = ("rulebook", "strategies", "submission", "examples")
NAMES = """
import sys
before = set(sys.modules)
sys.platform = "emscripten"
import website.demo.room
from croupier.games.registry import the_registry
the_registry()
print(*sys.modules)
print(*sys.modules.keys() - before)
"""
UNUSED = (
    *("_pyrepl", "doctest", "ensurepip", "ftplib", "idlelib", "imaplib", "lib2to3", "mailbox"),
    *("pdb", "pickletools", "poplib", "pydoc", "pydoc_data", "smtplib", "test", "turtle"),
    *("unittest", "venv", "webbrowser", "wsgiref", "xml", "xmlrpc", "_pydatetime", "_pydecimal"),
    *("_pyio", "cProfile", "profile", "pstats", "trace", "tkinter", "turtledemo", "curses"),
    *("argparse", "statistics", "http/server", "http/cookiejar", "logging/handlers"),
    *("bdb", "cmd", "colorsys", "compileall", "configparser", "filecmp", "fileinput", "getopt"),
    *("gettext", "modulefinder", "netrc", "optparse", "plistlib", "pty", "py_compile", "pyclbr"),
    *("rlcompleter", "sched", "shelve", "socketserver", "symtable", "tabnanny", "tarfile"),
    *("timeit", "wave", "zipapp", "antigravity", "this", "logging/config", "asyncio/tools"),
    *("asyncio/windows_events", "asyncio/windows_utils", "asyncio/proactor_events"),
    *(f"multiprocessing/{name}" for name in ("managers", "pool", "shared_memory", "heap")),
    *(f"multiprocessing/{name}" for name in ("forkserver", "spawn", "sharedctypes")),
    *(f"multiprocessing/{name}" for name in ("resource_tracker", "resource_sharer")),
    *("ctypes/_aix", "ctypes/macholib", "ctypes/wintypes"),
)
"""Modules of the library that nothing in a room can come to import."""
ENCODINGS = (
    *("__init__", "aliases", "ascii", "base64_codec", "charmap", "cp437", "hex_codec", "idna"),
    *("latin_1", "punycode", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_8"),
    *("utf_8_sig",),
)
COMPILE = """
import ast, importlib.util, marshal, pathlib
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

def is_text(line):
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)

for path in map(pathlib.Path("/sources").joinpath, NAMED):
    source = path.read_bytes()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and len(node.body) > 1 and is_text(node.body[0]):
            del node.body[0]
    code = compile(tree, path.relative_to("/sources").as_posix(), "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")  # no source to look at
    hashed = importlib.util.source_hash(source)
    path.with_suffix(".pyc").write_bytes(head + hashed + marshal.dumps(code))
"""
PROGRAM = """
import {{ loadPyodide }} from {pyodide};
const python = await loadPyodide();
python.mountNodeFS("/sources", {folder});
python.globals.set("NAMED", python.toPy({named}));
python.runPython({compile});
"""


def package(pyodide: Path) -> bytes:
    """Our modules that a room imports, and the data that they read."""
    made = dict(_ours())
    return _archive(made, [path for path in made if path.endswith(".py")], pyodide)


def library(pyodide: Path) -> bytes:
    """Python's own library without what only programs at a terminal or a network use; compiled
    where a room needs it, and as it is where it might."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as zipped:
        found = {
            name: zipped.read(name)
            for name in zipped.namelist()
            if not name.endswith("/") and _is_used(name)
        }
    wanted = {path for name in imported() for path in _paths(name)}
    early = [path for path in found if path in wanted or path.startswith(PYODIDE)]
    return _archive(found, early, pyodide)


@cache
def imported() -> tuple[str, ...]:
    """Every module that a room has imported once it is open, ours and the library's; Unavailable
    where it imports what the browser's Python has not got."""
    asked = (sys.executable, "-c", NAMES)
    told = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT)
    names, new = map(str.split, told.stdout.splitlines())
    found = {name.partition(".")[0] for name in new if not name.startswith("__")}
    if strange := found - {*sys.stdlib_module_names, *OURS, *WHEEL}:
        raise Unavailable(f"no browser has {', '.join(sorted(strange))}, which the room imports")
    return tuple(names)


def _paths(name: str) -> tuple[str, str]:
    place = name.replace(".", "/")
    return f"{place}/__init__.py", f"{place}.py"


def _is_used(name: str) -> bool:
    top, _, rest = name.partition("/")
    if top == "encodings":
        return rest.removesuffix(".py") in ENCODINGS
    module = name.removesuffix(".py")
    return not any(module == one or module.startswith(f"{one}/") for one in UNUSED)


def _ours() -> Iterator[tuple[str, bytes]]:
    for name in imported():
        for path, folder in product(_paths(name), (SOURCES, ROOT)):
            if name.partition(".")[0] in OURS and (folder / path).exists():
                yield path, (folder / path).read_bytes()
    for room in DATA:
        for file in sorted((SOURCES / "croupier" / room).rglob("*.toml")):
            yield file.relative_to(SOURCES).as_posix(), file.read_bytes()
    release = version("croupier")
    about = f"Metadata-Version: 2.4\nName: croupier\nVersion: {release}\n"
    yield f"croupier-{release}.dist-info/METADATA", about.encode()


def _archive(sources: dict[str, bytes], modules: list[str], pyodide: Path) -> bytes:
    """These files, with each named module compiled; the same bytes for the same files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in sources.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        _compile(folder, modules, pyodide)
        for path in modules:
            (folder / path).unlink()
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as zipped:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(folder).as_posix())
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    zipped.writestr(entry, file.read_bytes(), compresslevel=9)
        return made.getvalue()


def _compile(folder: Path, modules: list[str], pyodide: Path) -> None:
    program = PROGRAM.format(
        pyodide=json.dumps(str(pyodide / "pyodide.mjs")),
        folder=json.dumps(str(folder)),
        named=json.dumps(modules),
        compile=json.dumps(COMPILE),
    )
    node = ("node", "--input-type=module", "--eval", program)
    try:
        done = subprocess.run(node, capture_output=True, text=True)
    except FileNotFoundError:
        raise Unavailable("node is needed to compile for the browser's Python") from None
    if done.returncode:
        raise Unavailable(f"a module cannot be compiled: {done.stderr[-2000:]}")
