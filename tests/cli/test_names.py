"""No command passes over a name that nobody knows: every option of every command, mechanically.

Each option that takes text stands in one of two tables below, so that a new one cannot be
forgotten: either it takes names, and a name nobody knows is refused with those that exist, or it
takes something that is no name, and the table says what.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.cli import COMMANDS
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents
from croupier.facts.names import known_name, nearest
from tests.audit.nights import the_night
from tests.cli.ledger_commands import run, sentence

GAMES = ("uth", "four-card", "three-card", "casino-holdem", "texas-holdem-bonus")
BOOKS = ("UTH-S", "UTH-14", "FCP-14", "TCP-1", "CH-1", "THB-1")
SIDES = ("trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board", "progressive")
TABLES = ("1", "2")
VARIED = ("qualifier", "tie")
LEDGER, RECORDS, KEYS = "LEDGER", "RECORDS", "KEYS"

# By option: what is written before and after it, the unknown name, and names that must be told.
# {} is where the name goes.
NAMES: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "check --new": [("check --new {}", "UTH-15", BOOKS)],
    "print --rulebook": [("print --out nowhere --rulebook {}", "UTH-15", BOOKS)],
    "print --only": [("print --out nowhere --shipped --only signs,{}", "layot", ("layout",))],
    "deal --game": [("deal --game {}", "uht", GAMES)],
    "deal --rulebook": [("deal --rulebook {}", "uth-s", BOOKS)],
    "deal --way": [("deal --way {}", "showe", ("shoe", "hand", "shuffler"))],
    "deal --irregularity": [("deal --irregularity {}", "shoe-jem", ("shoe-jam", "shuffler-jam"))],
    "play --game": [("play --terminal --game {}", "uht", GAMES)],
    "play --rulebook": [("play --terminal --rulebook {}", "UTH", BOOKS)],
    "serve --training": [("serve --training {}", "UHT-S", BOOKS)],
    "solve game": [("solve {}", "uht", GAMES)],
    "solve --rulebook": [("solve uth --rulebook {}", "uth-s", BOOKS)],
    "solve --paytable": [
        ("solve uth --paytable {}=A", "blnd", ("blind", *SIDES)),
        ("solve uth --paytable blind={}", "Z", ("A", "B")),
        ("solve four-card --paytable {}=own.toml", "aces", ("aces_up", "ante_bonus")),
    ],
    "solve --stake": [
        ("solve uth --stake {}=1", "typo", SIDES),
        ("solve uth --stake {}=1", "Trips", SIDES),
        ("solve four-card --stake {}=1", "trips", ("aces_up", "six_card_bonus", "progressive")),
    ],
    "solve --meter": [
        ("solve uth --meter {}=1", "typo", ("main", "mega")),
        ("solve uth --meter {}=1", "Mega", ("main", "mega")),
        ("solve four-card --meter {}=1", "mega", ("main",)),
    ],
    "advise game": [("advise {} KdKc", "uht", GAMES)],
    "advise --rulebook": [("advise uth KdKc --rulebook {}", "UTH-15", BOOKS)],
    "advise --paytable": [("advise uth KdKc --paytable {}=A", "blnd", ("blind",))],
    "strategy file": [("strategy {}", "uth-simpel", ("uth-simple", "four-card-simple"))],
    "strategy --rulebook": [("strategy uth-simple --rulebook {}", "UTH-15", BOOKS)],
    "strategy --paytable": [("strategy uth-simple --paytable {}=A", "blnd", ("blind",))],
    "simulate game": [("simulate {} --rounds 10", "uht", GAMES)],
    "simulate --strategy": [
        ("simulate uth --rounds 10 --strategy {}", "opitmal", ("optimal", "uth-simple"))
    ],
    "simulate --knows": [
        ("simulate uth --rounds 10 --knows {}", "delaer", ("dealer", "dealers", "burn"))
    ],
    "simulate --stake": [
        ("simulate uth --rounds 10 --stake {}=5", "trps", ("ante", *SIDES)),
        ("simulate uth --rounds 10 --stake {}=5", "play", ("ante", *SIDES)),
    ],
    "simulate --rulebook": [("simulate uth --rounds 10 --rulebook {}", "UTH-15", BOOKS)],
    "risk game": [("risk {} --ante 5", "uht", GAMES)],
    "risk --wager": [("risk uth --ante 25 --wager {}=5", "trps", SIDES)],
    "risk --meter": [
        ("risk uth --ante 25 --wager progressive=5 --meter {}=5", "mgea", ("mega", "major")),
        ("risk uth --ante 25 --wager progressive=5 --meter {}=5", "main", ("mega", "major")),
        ("risk four-card --ante 10 --wager progressive=5 --meter {}=5", "mega", ("main",)),
    ],
    "risk --rulebook": [("risk uth --ante 25 --rulebook {}", "UTH-15", BOOKS)],
    "risk --paytable": [("risk uth --ante 25 --paytable {}=A", "blnd", ("blind",))],
    "risk --vary": [("risk uth --ante 25 --vary {}=none", "qualifer", VARIED)],
    "exposure game": [("exposure {} ante=5", "uht", GAMES)],
    "exposure stakes": [("exposure uth ante=5 {}=5", "trps", ("ante", "blind", *SIDES))],
    "exposure --meter": [
        ("exposure uth ante=5 progressive=5 --meter {}=5", "mian", ("main",)),
        ("exposure four-card ante=5 progressive=5 --meter {}=5", "mega", ("main",)),
    ],
    "exposure --rulebook": [("exposure uth ante=5 --rulebook {}", "UTH-15", BOOKS)],
    "exposure --paytable": [("exposure uth ante=5 --paytable {}=A", "blnd", ("blind",))],
    "design wager": [("design {} --edge 1..2", "trps", ("trips", "blind", "pair_plus"))],
    "design --odds": [("design trips --edge 1..2 --odds {}", "hole", ("whole", "halves"))],
    "design --hits": [("design trips --edge 1..2 --hits {}", "same", ("as-is",))],
    "design --near": [("design trips --edge 1..2 --near {}", "Z", ("A", "B", "C"))],
    "design --game": [("design trips --edge 1..2 --game {}", "uht", GAMES)],
    "design --rulebook": [("design trips --edge 1..2 --rulebook {}", "UTH-15", BOOKS)],
    "design --vary": [("design trips --edge 1..2 --game uth --vary {}=none", "qualifer", VARIED)],
    "protect game": [("protect {} --knows dealer", "uht", GAMES)],
    "protect --knows": [
        ("protect uth --knows {}", "delaer", ("dealer", "dealers", "dealer+turn-or-river")),
        ("protect four-card --knows {}", "flop", ("dealer", "dealer2", "burn")),
        ("protect three-card --knows {}", "burn", ("dealer", "dealer2")),
    ],
    "protect --rulebook": [("protect uth --knows flop --rulebook {}", "UTH-15", BOOKS)],
    "protect --paytable": [("protect uth --knows flop --paytable {}=A", "blnd", ("blind",))],
    "solve --vary": [("solve uth --vary {}=none", "qualifer", VARIED)],
    "advise --vary": [("advise uth KdKc --vary {}=none", "qualifer", VARIED)],
    "strategy --vary": [("strategy uth-simple --vary {}=none", "qualifer", VARIED)],
    "simulate --vary": [
        ("simulate uth --rounds 10 --vary {}=none", "qualifer", ("qualifier", "tie"))
    ],
    "exposure --vary": [("exposure uth ante=5 --vary {}=none", "qualifer", VARIED)],
    "protect --vary": [
        ("protect uth --knows flop --vary {}=none", "qualifer", ("qualifier", "tie"))
    ],
    "solve --wager": [("solve uth --ante 5 --wager {}=5", "trps", SIDES)],
    "books --table": [(f"books {LEDGER} --table {{}}", "3", TABLES)],
    "books --kind": [(f"books {LEDGER} events --kind {{}}", "viod", ("void", "refused"))],
    "rules clause": [
        ("rules {}", "UTH-15", ("UTH-14",)),
        ("rules UTH-S {}", "11.H(99)", ("11.H(1)",)),
        ("rules --trace {}", "FCP-41", ("FCP-14",)),
    ],
    "audit --table": [(f"audit {LEDGER} --table {{}}", "3", TABLES)],
    "replay --table": [(f"replay {LEDGER} 1 --table {{}}", "3", TABLES)],
    "replay --viewer": [
        (f"replay {LEDGER} 1 --table 1 --viewer {{}}", "delaer", ("dealer", "surveillance")),
        (f"replay {LEDGER} 1 --table 1 --viewer player:{{}}", "Anne", ("Ann", "Ben")),
    ],
    "prove --table": [(f"prove {LEDGER} 1 --table {{}}", "3", TABLES)],
    "prove --viewer": [
        (f"prove {LEDGER} 1 --table 1 --as {{}}", "delaer", ("dealer", "surveillance")),
        (f"prove {LEDGER} 1 --table 1 --as player:{{}}", "Anne", ("Ann", "Ben")),
    ],
    "verify --table": [(f"verify {LEDGER} 1 --table {{}}", "3", TABLES)],
    "verify --viewer": [
        (f"verify {LEDGER} 1 --table 1 --viewer {{}}", "delaer", ("dealer", "surveillance")),
        (f"verify {LEDGER} 1 --table 1 --viewer player:{{}}", "Anne", ("Ann", "Ben")),
    ],
    "export --table": [
        (f"export {LEDGER} --table {{}}", "3", TABLES),
        (f"export {RECORDS} --table {{}}", "3", TABLES),
    ],
    "find --table": [(f"find {LEDGER} --table {{}}", "3", TABLES)],
    "find --player": [(f"find {LEDGER} --player {{}}", "Anne", ("Ann", "Ben", "Cleo"))],
    "find --hand": [(f"find {LEDGER} --hand {{}}", "fullhouse", ("full house",))],
    "find --wager": [(f"find {LEDGER} --wager {{}}", "trip", ("trips", "ante"))],
    "find --irregularity": [
        (f"find {LEDGER} --irregularity {{}}", "shoe-jem", ("shoe-jam", "dispute"))
    ],
    "find --outcome": [(f"find {LEDGER} --outcome {{}}", "wun", ("won", "lost", "void"))],
    "keys --key": [(f"keys retire --file {KEYS} --key {{}}", "0123", ())],
}
NO_NAMES = {
    "advise hand": "cards",
    "solve --ante": "an amount",
    "advise --board": "cards",
    "advise --upcard": "a card",
    "advise --dealer": "cards",
    "advise --dead": "cards",
    "simulate --rounds": "a number",
    "simulate --seed": "a number",
    "simulate --hours": "a number",
    "simulate --hours-a-day": "a number",
    "simulate --bankroll": "an amount",
    "simulate --cluster": "an address",
    "design --edge": "a range",
    "design --volatility": "a range",
    "design --rate": "a share",
    "design --stake": "an amount",
    "risk --ante": "an amount",
    "risk --rounds": "a number",
    "risk --bankroll": "an amount",
    "risk --goal": "an amount",
    "risk --risk": "a share",
    "risk --occupancy": "a share",
    "risk --hours": "a number",
    "risk --hours-a-day": "a number",
    "risk --simulated": "a number",
    "risk --seed": "a number",
    "serve --ledger": "an address",
    "serve --host": "an address",
    "books ledger": "an address",
    "books --from": "a time",
    "books --until": "a time",
    "books --day": "a day",
    "books --day-starts": "a time",
    "books --large": "an amount",
    "audit source": "an address",
    "audit --key": "a verifier key",
    "replay ledger": "an address",
    "prove ledger": "an address",
    "verify source": "an address",
    "verify --key": "a verifier key",
    "verify --number": "a number",
    "find ledger": "an address",
    "find --since": "a time",
    "find --until": "a time",
    "find --least": "an amount",
    "find --most": "an amount",
    "play --host": "an address",
    "export source": "an address",
    "export --rounds": "numbers",
    "ledger address": "an address",
    "ledger target": "an address",
}


def test_every_option_that_takes_text_is_known_here() -> None:
    assert sorted(_text_options()) == sorted([*NAMES, *NO_NAMES])


CASES = [(option, *case) for option, cases in NAMES.items() for case in cases]


@pytest.mark.parametrize(("option", "line", "name", "known"), CASES)
def test_a_name_nobody_knows_is_refused_with_those_that_exist(
    option: str, line: str, name: str, known: tuple[str, ...], tmp_path: Path
) -> None:
    said = sentence(run(*_words(line.format(name), tmp_path)))
    assert f'"{name}"' in said
    assert [each for each in known if each not in said] == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("solve uth --stake trips=5 --stake trips=10", '"trips" is named twice'),
        ("solve uth --meter main=5 --meter main=10", '"main" is named twice'),
        ("solve uth --paytable blind=A --paytable blind=B", '"blind" is named twice'),
        ("solve uth --stake six_card_bonus=0", "over \\$0"),
        ("solve uth --stake trips=5", "trips pays by odds alone here, so its stake changes"),
        ("risk uth --ante 25 --meter mega=5", "no meter (mega, major, minor) changes anything"),
        ("risk four-card --ante 10 --meter main=5", "no meter (main) changes anything where"),
        ("exposure uth ante=5 ante=10", '"ante" is named twice'),
        ("exposure uth ante=5 progressive=5 --meter main=5 --meter main=6", '"main" is named'),
        ("simulate uth --rounds 10 --stake trips=5 --stake trips=10", '"trips" is named twice'),
        (f"books {LEDGER} win --kind void", "--kind chooses among significant events"),
        ("print --out nowhere --shipped --rulebook UTH-S", "leave --rulebook out"),
        (f"replay {LEDGER} --table 1 --viewer dealer", "name its number"),
        (f"ledger show {LEDGER} --keys k.json", "--keys would do nothing here"),
        (f"ledger show {LEDGER} --out kept", "--out would do nothing here"),
        (f"ledger checkpoint {LEDGER} --json", "--json would do nothing here"),
        (f"export --schema {LEDGER}", "--schema prints the schema"),
        ("solve uth --stake progressive=3", "a Progressive wager is $1 or $5"),
        ("protect uth", "name what is known with --knows, or who shares with --shares"),
        ("protect uth --knows flop --shares 2", "name what is known with --knows, or who"),
        ("protect uth --knows flop --rounds 9", "--rounds is for --logs"),
        ("protect uth --knows flop --within 0.1", "--within and --seed are for --shares"),
        ("protect uth --shares 3 --before-wagers", "--before-wagers, --csv, --html and --pdf are"),
        ("protect uth --shares 7", "2 to 6 boxes can share their cards, not 7"),
        ("protect uth --shares 3 --within 2", "a standard error lies between 0 and 1 Ante"),
    ],
)
def test_what_would_be_passed_over_is_refused(line: str, why: str, tmp_path: Path) -> None:
    said = sentence(run(*_words(line, tmp_path)))
    assert why.replace("\\", "") in said


def test_functions_of_the_package_refuse_as_well() -> None:
    rules = croupier.rules("FCP-14")
    solution = croupier.solve(rules)
    hundred = Cents(100)
    with pytest.raises(Unreadable, match='FCP-14 has no side wager "trips"'):
        solution.assuming({"trips": hundred}, {})
    with pytest.raises(Unreadable, match='has no meter "Main" \\(did you mean main\\?\\)'):
        solution.assuming({}, {"Main": hundred})
    with pytest.raises(Unreadable, match="over \\$0"):
        solution.assuming({"aces_up": Cents(0)}, {})
    with pytest.raises(LookupError, match="only aces_up A"):
        solution.side("trips", "A")
    with pytest.raises(Refusal, match='has no paytable for "aces"'):
        croupier.rules("FCP-14", aces="A")
    with pytest.raises(Refusal, match='has no Aces Up paytable "Z"'):
        croupier.rules("FCP-14", aces_up="Z")
    with pytest.raises(Unreadable, match="no rulebook"):
        croupier.rules("FCP-15")
    with pytest.raises(Refusal, match='has no wager "trips"'):
        croupier.exposure(rules, {"ante": hundred, "trips": hundred})
    with pytest.raises(Refusal, match='no meter "typo"'):
        croupier.exposure(rules, {"ante": hundred}, meters={"typo": hundred})


def test_the_nearest_name_is_told() -> None:
    assert nearest("Mega", ["main", "mega"]) == "mega"
    assert nearest("roulette", ["main", "mega"]) is None
    assert nearest("x" * 10**6, ["main"]) is None
    assert known_name("main", ["main"], "meter") == "main"
    with pytest.raises(Unreadable, match='there is no meter "x"; there is none to choose'):
        known_name("x", [], "meter")


def _words(line: str, folder: Path) -> list[str]:
    places = {LEDGER: str(the_night().file), RECORDS: "", KEYS: str(folder / "keys.json")}
    if RECORDS in line:
        places[RECORDS] = str(folder / "night.jsonl")
        assert run("export", the_night().file, "--out", places[RECORDS]).status == 0
    if KEYS in line:
        assert run("keys", "new", "--file", places[KEYS]).status == 0
    if "own.toml" in line:
        own = folder / "own.toml"
        own.write_text('lines = [{ for = "flush", pays = "1 to 1" }]\n', "utf-8")
        line = line.replace("own.toml", str(own))
    return [places.get(word, word) for word in line.split()]


def _text_options() -> Iterator[str]:
    """Every parameter of every command that somebody can write any text for."""
    for command in COMMANDS:
        module, _, name = command.partition(":")
        function = getattr(importlib.import_module(module), name)
        hints = typing.get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            yield from _texts(name, parameter.name, hints[parameter.name], _is_option(parameter))


def _is_option(parameter: inspect.Parameter) -> bool:
    return parameter.kind is inspect.Parameter.KEYWORD_ONLY


def _texts(command: str, name: str, kind: object, is_option: bool) -> Iterator[str]:
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if name != "house":
            hints = typing.get_type_hints(kind, include_extras=True)
            for field in dataclasses.fields(kind):
                yield from _texts(command, field.name, hints[field.name], True)
    elif _takes_text(kind):
        written = name.rstrip("_").replace("_", "-")
        yield f"{command.replace('_', '-')} {'--' if is_option else ''}{written}"


def _takes_text(kind: object) -> bool:
    if kind is str:
        return True
    if typing.get_origin(kind) in (tuple, list, types.UnionType, typing.Union):
        return any(map(_takes_text, typing.get_args(kind)))
    return typing.get_origin(kind) is typing.Annotated and _takes_text(typing.get_args(kind)[0])
