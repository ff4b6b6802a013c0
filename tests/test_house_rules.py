"""The house rules: imports point inward, and the code stays tidy.

A rule is a small function from text to the problems in it; each is shown to bite.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "croupier"

# From the inside out: a room may import itself and the rooms before it, never one after it.
ROOMS = [
    "disk",
    "facts",
    "extras",
    "rulebook",
    "games",
    "submission",
    "table",
    "exact",
    "simulate",
    "bankroll",
    "paytables",
    "protection",
    "__init__",  # the public API
    "ledger",
    "audit",
    "documents",
    "practice",
    "server",
    "cli",
    "__main__",
]

IGNORED = [".git", *(ROOT / ".gitignore").read_text(encoding="utf-8").split()]

Rule = Callable[[str], list[str]]


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file of the project: all that .gitignore does not name."""
    for path in sorted(folder.iterdir()):
        if any(path.match(name) for name in IGNORED):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def python_files(folder: Path = ROOT) -> list[Path]:
    return [path for path in files(folder) if path.suffix == ".py"]


def scripts() -> list[Path]:
    found = [path for path in files() if path.suffix == ".js"]
    assert found
    return found


def findings(rule: Rule, paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in paths
        for problem in rule(path.read_text(encoding="utf-8", errors="ignore"))
    ]


def place_of(path: Path) -> str:
    """Where a file of the package stands in it, as in "table/settle.py"."""
    return path.relative_to(PACKAGE).as_posix()


def package_sources() -> dict[str, str]:
    return {place_of(path): path.read_text(encoding="utf-8") for path in python_files(PACKAGE)}


@cache
def parsed(source: str) -> ast.Module:
    """Parsed once for all rules."""
    return ast.parse(source)


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """Walked once for all rules."""
    return tuple(ast.walk(parsed(source)))


def test_the_rules_read_the_project() -> None:
    assert {Path(__file__), PACKAGE / "py.typed"} < set(files())


# Imports


LAZY = re.compile(r"croupier[.\w]+:\w+")  # a command named to be imported when it is asked for


def imported(place: str, source: str) -> set[str]:
    """What the module at this place imports of the package, as dotted names inside it."""
    names: set[str] = set()
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = absolute(place, node)
            names.update(f"{start}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and LAZY.fullmatch(node.value)
        ):
            names.add(node.value.replace(":", "."))
    ours = {name for name in names if f"{name}.".startswith("croupier.")}
    return {name.removeprefix("croupier").removeprefix(".") for name in ours}


def absolute(place: str, node: ast.ImportFrom) -> str:
    """The module that `from ..x import y`, standing at this place, imports from."""
    folders = ["croupier", *place.split("/")[:-1]]
    above = folders[: len(folders) + 1 - node.level] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def room_of_import(name: str) -> str:
    first = name.split(".")[0]
    return first if first in ROOMS else "__init__"


def outward_imports(place: str, source: str) -> list[str]:
    room = place.split("/")[0].removesuffix(".py")
    if room not in ROOMS:
        return [f"{place}: {room} has no place among the rooms"]
    return [
        f"{place}: imports {name}, which lies further out"
        for name in sorted(imported(place, source))
        if ROOMS.index(room_of_import(name)) > ROOMS.index(room)
    ]


def dead_modules(sources: dict[str, str]) -> list[str]:
    """Modules that no other imports; games are found by scanning their folder."""
    imports = {place: imported(place, source) for place, source in sources.items()}

    def is_used(place: str) -> bool:
        module = place.removesuffix(".py").replace("/", ".")
        others = (names for other, names in imports.items() if other != place)
        return any(f"{name}.".startswith(f"{module}.") for names in others for name in names)

    return [
        place
        for place in sources
        if not place.startswith("games/")
        and not place.endswith(("__init__.py", "__main__.py"))
        and not is_used(place)
    ]


def test_imports_point_inward() -> None:
    sources = package_sources().items()
    assert [problem for place, text in sources for problem in outward_imports(place, text)] == []


def test_an_outward_import_is_found() -> None:
    assert outward_imports("facts/cards.py", "from croupier.table import settle")
    assert outward_imports("facts/cards.py", "from ..table.settle import settle")
    assert outward_imports("facts/cards.py", "from .. import table")
    assert outward_imports("facts/cards.py", "import croupier")
    assert outward_imports("rulebook/load.py", "import croupier.games.uth")
    assert outward_imports("server/pages.py", "from croupier.cli import main")
    assert outward_imports("__init__.py", "from .ledger import Ledger")
    assert outward_imports("attic/box.py", "")


def test_an_inward_import_is_welcome() -> None:
    assert not outward_imports("facts/hands.py", "from .cards import Card\nimport re")
    assert not outward_imports("games/uth.py", "from ..rulebook import load")
    assert not outward_imports("__init__.py", "from .exact import solve")
    assert not outward_imports("__main__.py", "from croupier.cli import main")


def test_no_module_is_dead() -> None:
    assert dead_modules(package_sources()) == []


def test_a_dead_module_is_found() -> None:
    lonely = {"facts/cards.py": "from croupier.facts.cards import Card", "games/uth.py": ""}
    assert dead_modules(lonely) == ["facts/cards.py"]
    assert dead_modules(lonely | {"facts/__init__.py": "from . import cards"}) == []


# Size


def long_functions(source: str) -> list[str]:
    return [
        f"{node.name} has {lines} lines, more than 70"
        for node in nodes_of(source)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > 70
    ]


# A function or a block of a script, opened at the end of its line and closed at its own indent.
OPENED = re.compile(r" *(?:export |async |static |const |function )*[\w$\"-].*(?:\)|=>) \{")


def long_script_functions(text: str) -> list[str]:
    lines = text.splitlines()
    found = []
    for n, line in enumerate(lines):
        if not OPENED.fullmatch(line):
            continue
        closing = line[: len(line) - len(line.lstrip())] + "}"
        closed = (m for m in range(n + 1, len(lines)) if lines[m].startswith(closing))
        if (many := next(closed, len(lines)) - n + 1) > 70:
            found.append(f"{line.strip()} has {many} lines, more than 70")
    return found


def long_lines(text: str) -> list[str]:
    lines = enumerate(text.splitlines(), 1)
    return [
        f"line {n} has {len(line)} characters, more than 100"
        for n, line in lines
        if len(line) > 100
    ]


def long_file(text: str) -> list[str]:
    lines = text.count("\n")
    return [f"{lines} lines, more than 650"] if lines > 650 else []


def test_functions_fit_a_screen() -> None:
    assert findings(long_functions, python_files()) == []


def test_a_long_function_is_found() -> None:
    assert long_functions("def f():\n" + "    pass\n" * 70)
    assert not long_functions("def f():\n" + "    pass\n" * 69)


def test_functions_of_scripts_fit_a_screen() -> None:
    assert findings(long_script_functions, scripts()) == []


def test_a_long_function_of_a_script_is_found() -> None:
    for opened in ("function f() {", "  async f(a, b) {", "export const f = (a) => {"):
        indent = opened[: len(opened) - len(opened.lstrip())]
        assert long_script_functions(f"{opened}\n" + "    go();\n" * 69 + f"{indent}}}\n")
        assert not long_script_functions(f"{opened}\n" + "    go();\n" * 68 + f"{indent}}}\n")


WAITS = re.compile(r"^(?:export )?(?:(?:const|let) .*= )?await ", re.MULTILINE)


def late_modules(text: str) -> list[str]:
    """A page that imports such a module hears its forms and buttons only after it was shown."""
    return [f"it waits while it is imported: {found[0]}" for found in WAITS.finditer(text)]


def test_no_module_that_pages_share_waits_while_it_is_imported() -> None:
    shared = [path for path in scripts() if path.parent.name != "pages"]
    assert findings(late_modules, shared) == []


def test_a_late_module_is_found() -> None:
    for late in ("await begin();", 'const carrier = await import("./a.js");'):
        assert late_modules(f"begin();\n{late}\n")
    assert not late_modules("async function begin() {\n  await ready();\n}\n")


def test_lines_fit_a_screen() -> None:
    assert findings(long_lines, [*python_files(), *scripts()]) == []


def test_a_long_line_is_found() -> None:
    assert long_lines("#" * 101)
    assert not long_lines("#" * 100)


# What a script takes without knowing its kind: what comes as JSON, what Pyodide and a worker give.
BORDERS = {"connection.js", "counting.js", "files.js", "look_up.js", "worker_carrier.js"}
SHUT_UP = r"@ts-(?:ignore|nocheck|expect-error)"
ANY = r"(?:/\*\*|^ *\*).*[{<(,|=:] ?any(?=[\]})>,|;\[]| [|}])"
LOOSE = re.compile(f"{SHUT_UP}|{ANY}")


def loose_types(text: str) -> list[str]:
    lines = enumerate(text.splitlines(), 1)
    return [f"line {n} says no type: {line.strip()}" for n, line in lines if LOOSE.search(line)]


def test_scripts_say_their_types() -> None:
    assert findings(loose_types, [path for path in scripts() if path.name not in BORDERS]) == []


def test_a_loose_type_is_found() -> None:
    for loose in ("/** @type {any} */", "/** @type {Map<string, any>} */", "// @ts-ignore"):
        assert loose_types(loose)
    assert not loose_types("/** @param {Server.TableFacts} facts of any table */")


def test_files_tell_one_story() -> None:
    assert findings(long_file, python_files(PACKAGE)) == []


def test_a_long_file_is_found() -> None:
    assert long_file("\n" * 651)
    assert not long_file("\n" * 650)


CROWDED = ("cli/commands",)  # one module a command, however many there are


def crowded_folders(places: Iterable[str]) -> list[str]:
    """Folders whose modules want subfolders; ``__init__`` says what a folder is and is none."""
    modules = [Path(place) for place in places if not place.endswith("__init__.py")]
    folders = Counter(module.parent.as_posix() for module in modules)
    return [
        f"{folder} has {count} modules, more than 30"
        for folder, count in sorted(folders.items())
        if count > 30 and folder not in CROWDED
    ]


def test_a_folder_is_a_room_not_a_hall() -> None:
    assert crowded_folders(package_sources()) == []


def test_a_crowded_folder_is_found() -> None:
    def hall(folder: str, size: int) -> list[str]:
        return [f"{folder}/{name}.py" for name in ("__init__", *map(str, range(size)))]

    assert crowded_folders(hall("exact", 31))
    assert not crowded_folders([*hall("exact", 30), *hall("exact/kernels", 30)])
    assert not crowded_folders(hall("cli/commands", 31))


# Names


GENERICS = {"tuple", "dict", "list", "set", "frozenset", "type"}


def shared_type_names(sources: dict[str, str]) -> list[str]:
    """Names of more than one type: classes in whatever scope, and aliases of a module."""
    places: dict[str, list[str]] = {}
    for place, source in sources.items():
        tree = parsed(source)
        classes = [node.name for node in nodes_of(source) if isinstance(node, ast.ClassDef)]
        for name in [*classes, *type_aliases(tree)]:
            places.setdefault(name, []).append(place)
    return [f"{name}: {', '.join(at)}" for name, at in sorted(places.items()) if len(at) > 1]


def type_aliases(module: ast.Module) -> Iterator[str]:
    """Names such as Cards, which a module gives to a type made of others."""
    for node in module.body:
        if isinstance(node, ast.Assign) and is_type(node.value):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            yield from (name for name in names if not name.isupper() and name[0] != "_")


def is_type(node: ast.expr) -> bool:
    """Whether an expression is written like a type: tuple[str, ...], Literal["a"], A | B."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts = (node.left, node.right)
        named = (ast.Name, ast.Attribute, ast.Constant)
        return all(is_type(part) or isinstance(part, named) for part in parts)
    if not isinstance(node, ast.Subscript):
        return False
    name = ast.unparse(node.value).split(".")[-1]
    return name[0].isupper() or name in GENERICS


def test_a_type_name_means_one_type() -> None:
    assert shared_type_names(package_sources()) == []


def test_a_shared_type_name_is_found() -> None:
    one, other = "class Box: ...", "def f():\n    class Box: ..."
    assert shared_type_names({"facts/a.py": one, "table/b.py": other})
    assert shared_type_names({"facts/a.py": f"{one}\n{one}"})
    assert not shared_type_names({"facts/a.py": one, "table/b.py": "from a import Box"})
    for alias in ("tuple[int, int]", "Callable[[int], None]", "Seat | None", "np.Array[int]"):
        assert shared_type_names({"facts/a.py": one, "table/b.py": f"Box = {alias}"})
    assert not shared_type_names({"facts/a.py": one, "table/b.py": "Box = seats[1]"})


# What ends so and is a thing all the same; ``dealing`` is what submissions call that section.
NOUNS = {"dealing", "evening", "filing", "finding", "opening", "recording", "ring", "screening"}


def participles(places: Iterable[str]) -> list[str]:
    """Modules that are named by what happens in them, not by what is there."""
    words = {place: Path(place).stem.rpartition("_")[2] for place in places}
    return [place for place, word in words.items() if word.endswith("ing") and word not in NOUNS]


def test_modules_are_named_by_nouns() -> None:
    assert participles(package_sources()) == []


def test_a_participle_is_found() -> None:
    assert participles(["ledger/restoring.py", "audit/log/line_reading.py"])
    assert not participles(["ledger/replay.py", "ledger/shoe/key_ring.py"])


# References


REFERENCE = re.compile(r":(?:mod|class|func|data|meth|attr):`~?([\w.]+)`")


def dead_references(sources: dict[str, str]) -> list[str]:
    """What docstrings and comments refer to and nothing of the package is called any more."""
    defined = {place: defined_names(parsed(source)) for place, source in sources.items()}
    known = {*map(module_at, sources)}
    known |= {f"{module_at(place)}.{name}" for place, names in defined.items() for name in names}
    return [
        f"{place}: {reference} is nowhere"
        for place, source in sources.items()
        for reference in REFERENCE.findall(source)
        if reference not in defined[place] and meant(place, reference) not in known
    ]


def module_at(place: str) -> str:
    return f"croupier.{place.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")


def meant(place: str, reference: str) -> str:
    """The whole name of ``.other``, said in the module at this place."""
    above = module_at(place).rpartition(".")[0]
    return f"{above}{reference}" if reference.startswith(".") else reference


def defined_names(tree: ast.Module) -> set[str]:
    """Whatever has a name in a module: functions, classes, what is assigned, what is imported."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


def test_references_lead_somewhere() -> None:
    assert dead_references(package_sources()) == []


def test_a_dead_reference_is_found() -> None:
    box = {"facts/box.py": "class Box:\n    size: int", "facts/__init__.py": ""}
    for name in ("Seat", ".seat", "croupier.facts.box.Seat", "croupier.facts.seat"):
        assert dead_references({**box, "facts/seats.py": f'""":class:`{name}`"""'})
    for name in (".box", "croupier.facts.box", "~croupier.facts.box.Box", "croupier.facts"):
        assert not dead_references({**box, "facts/seats.py": f'""":class:`{name}`"""'})
    for name in ("Box", "size"):
        assert not dead_references({"facts/box.py": f"{box['facts/box.py']}  # :attr:`{name}`"})


# Subclasses


def skipped_constructors(sources: dict[str, str]) -> list[str]:
    """Classes with a constructor of their own that leaves that of a parent here out."""
    nodes = [node for text in sources.values() for node in nodes_of(text)]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    made = {name: text for name, node in classes.items() if (text := constructor(node))}
    return [
        f"{name} skips the constructor of {base.id}"
        for name, text in made.items()
        for base in classes[name].bases
        if isinstance(base, ast.Name) and base.id in made and "super().__init__(" not in text
    ]


def constructor(node: ast.ClassDef) -> str:
    functions = (part for part in node.body if isinstance(part, ast.FunctionDef))
    return "".join(ast.unparse(part) for part in functions if part.name == "__init__")


def test_a_subclass_is_made_as_its_parent_is() -> None:
    assert skipped_constructors(package_sources()) == []


def test_a_skipped_constructor_is_found() -> None:
    parent = "class A:\n    def __init__(self): ...\n"
    child = "class B(A):\n    def __init__(self): "
    assert skipped_constructors({"a.py": parent, "b.py": f"{child}self.x = 1"})
    assert not skipped_constructors({"a.py": parent, "b.py": f"{child}super().__init__()"})


# Words that must not appear


def forbid(pattern: str) -> Rule:
    """In a pattern one letter stands in brackets where the pattern would otherwise find itself."""
    return lambda text: [
        f"line {text.count(chr(10), 0, match.start()) + 1} says {match[0]}"
        for match in re.finditer(pattern, text)
    ]


leftovers = forbid(r"\b(TOD[O]|FIXM[E]|XX[X])\b")
skipped_tests = forbid(r"\b(pytest|mark|unittest)\.(ski[p]|xfai[l]|importorski[p])")
machine_paths = forbid(r"(?<![\w.])/(wor[k]|hom[e]|roo[t]|User[s])/")
foreign_urls = forbid(r"https?://(?!www\.w3\.org/)[^\s\"']*")


def floats(source: str) -> list[str]:
    return [
        f"line {node.lineno}: {ast.unparse(node)} is a float"
        for node in nodes_of(source)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "float")
    ]


def test_nothing_is_left_over() -> None:
    assert findings(leftovers, list(files())) == []


def test_a_leftover_is_found() -> None:
    assert leftovers("# TO" + "DO: later")
    assert not leftovers("todo: a word like another")


MAY_SKIP = ROOT / "tests" / "browser" / "conftest.py"  # pages need a browser; CI has one


def test_no_test_is_skipped() -> None:
    tests = [path for path in python_files(ROOT / "tests") if path != MAY_SKIP]
    assert findings(skipped_tests, tests) == []
    assert len(skipped_tests(MAY_SKIP.read_text("utf-8"))) == 1


def test_a_skipped_test_is_found() -> None:
    assert skipped_tests("@pytest.mark." + "skipif(True)")
    assert skipped_tests("pytest." + "skip('not today')")


def test_no_path_of_a_machine() -> None:
    assert findings(machine_paths, list(files())) == []


def test_a_path_of_a_machine_is_found() -> None:
    assert machine_paths("open('/" + "home/ann/rounds.toml')")
    assert not machine_paths("rounds/" + "home/ann.toml")


def test_pages_and_pins_name_no_foreign_host() -> None:
    pages = [path for path in files(PACKAGE) if path.suffix in {".html", ".css", ".js", ".svg"}]
    assert findings(foreign_urls, [*pages, *files(ROOT / "requirements")]) == []


def test_a_foreign_host_is_found() -> None:
    assert foreign_urls('<script src="https://example.com/a.js">')
    assert not foreign_urls('<svg xmlns="http://www.w3.org/2000/svg">')


def test_no_float_comes_near_money() -> None:
    near_money = ("facts/money.py", "facts/odds.py", "submission/", "table/")
    paths = [path for path in python_files(PACKAGE) if place_of(path).startswith(near_money)]
    assert findings(floats, paths) == []


def test_a_float_is_found() -> None:
    assert floats("half = 0.5")
    assert floats("cents = float(text)")
    assert not floats("def f(odds: Fraction) -> int: return 5 * odds.numerator")
