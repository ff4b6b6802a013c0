"""``croupier settle``: what finished rounds should have paid."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from croupier.cli.files import text_of
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.receipt import receipt_report
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.table.receipt import as_document
from croupier.table.round_file import read_round
from croupier.table.settlement import settle as settle_round

EXAMPLE = "uth.toml"


def settle(
    *rounds: Path,
    json_: AsJson = False,
    example: Annotated[bool, Parameter(negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell what a finished round should have paid, with clauses.

    Every wager has its line. A round that could not have happened is refused with its clause; the
    others are still settled, and the exit status is 2.

    For example:

        croupier settle tonight.toml

        croupier settle round-*.toml --json

        croupier settle --example

    Parameters
    ----------
    rounds
        Round files: one finished round each, in TOML, as a person would write it down.
    json_
        Print one JSON document a line, in the order given.
    example
        Settle a round that ships with Croupier, and say where its file is.
    """
    if not rounds and not example:
        raise Unreadable("name a round file, or try: croupier settle --example")
    if example:
        with as_file(files("croupier") / "examples" / EXAMPLE) as path:
            rounds = (path, *rounds)
    console = Screen()
    return max([_settle_one(registry, path, console, json_, example) for path in rounds])


def _settle_one(
    registry: Registry, path: Path, console: Screen, as_json: bool, says_where: bool
) -> int:
    try:
        receipt = settle_round(read_round(text_of(path), registry))
    except (Unreadable, Refusal) as error:
        _report(path, error, as_json)
        return 2
    if as_json:
        print_json(as_document(receipt) | {"file": str(path)})
    else:
        show(receipt_report(receipt), console)
        console.print()
        if says_where:
            console.print(f"[dim]This round is written in {path}[/dim]", soft_wrap=True)
    return 0


def _report(path: Path, error: Unreadable | Refusal, as_json: bool) -> None:
    if as_json:
        clause = error.clause if isinstance(error, Refusal) else None
        sentence = error.sentence if isinstance(error, Refusal) else str(error)
        print_json({"error": sentence, "clause": clause, "file": str(path)})
        return
    Console(stderr=True, soft_wrap=True).print(
        f"croupier: {path}: {error}", markup=False, highlight=False
    )
