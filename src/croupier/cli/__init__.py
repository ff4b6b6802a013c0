"""The command line. Exit status 0: all is well; 1: the answer is no; 2: unreadable or bad usage."""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Sequence
from importlib.resources import files

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console

from croupier.cli.screen import leave_quietly
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.games.house import House, the_house

app = App(
    name="croupier",
    help="Casino poker against the house, by the book.",
    help_epilogue="Croupier is not affiliated with the owners of any game's name.",
    default_parameter=Parameter(show_default=False, negative_iterable=()),
    result_action="return_value",
)
COMMANDS = (
    "croupier.cli.check:check",
    "croupier.cli.print:print",
    "croupier.cli.deal:deal",
    "croupier.cli.play:play",
    "croupier.cli.serve:serve",
    "croupier.cli.settle:settle",
    "croupier.cli.solve:solve",
    "croupier.cli.advise:advise",
    "croupier.cli.strategy:strategy",
    "croupier.cli.simulate:simulate",
    "croupier.cli.exposure:exposure",
    "croupier.cli.books:books",
    "croupier.cli.rules:rules",
    "croupier.cli.audit:audit",
    "croupier.cli.replay:replay",
    "croupier.cli.verify:verify",
    "croupier.cli.export:export",
    "croupier.cli.ledger:ledger",
    "croupier.cli.keys:keys",
    "croupier.cli.lab:lab",
    "croupier.cli.collect_deals:collect_deals",
    "croupier.cli.collect_raw:collect_raw",
)


def _told(command: str) -> str:
    """What a command's docstring tells, read without importing what the command needs."""
    name = command.partition(":")[2]
    source = (files("croupier.cli") / f"{name}.py").read_text("utf-8")
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    told = next(ast.get_docstring(node) or "" for node in functions if node.name == name)
    return told.partition("Parameters\n")[0].rstrip()


for command in COMMANDS:
    app.command(command, help=_told(command))


def main(arguments: Sequence[str] | None = None, house: House | None = None) -> int:
    """Run one command and give its exit status; what goes wrong is one sentence on stderr."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without card symbols shows ?
    try:
        status = _run(tokens, house)
        sys.stdout.flush()
        return status
    except (CycloptsError, Unreadable, Refusal, Unavailable) as error:
        return _sorry(str(error))
    except KeyboardInterrupt:
        return _sorry("stopped")
    except BrokenPipeError:
        leave_quietly()
    except OSError as error:
        return _sorry(f"the answer cannot be written: {error.strerror}")
    return 0


def _run(tokens: list[str], house: House | None) -> int:
    command, bound, unfilled = app.parse_args(tokens, exit_on_error=False, print_error=False)
    if "house" in unfilled:
        bound.arguments["house"] = house or the_house()
    status = command(*bound.args, **bound.kwargs)
    return status if isinstance(status, int) else 0


def _sorry(sentence: str) -> int:
    Console(stderr=True, soft_wrap=True).print(
        f"croupier: {' '.join(sentence.split())}", markup=False, highlight=False
    )
    return 2
