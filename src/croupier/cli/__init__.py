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
from croupier.games.registry import Registry, the_registry

app = App(
    name="croupier",
    help="Casino poker against the house, by the book.",
    help_epilogue="Croupier is not affiliated with the owners of any game's name.",
    default_parameter=Parameter(show_default=False, negative_iterable=()),
    result_action="return_value",
)
COMMANDS = (
    "croupier.cli.commands.check:check",
    "croupier.cli.commands.print:print",
    "croupier.cli.commands.deal:deal",
    "croupier.cli.commands.play:play",
    "croupier.cli.commands.serve:serve",
    "croupier.cli.commands.settle:settle",
    "croupier.cli.commands.solve:solve",
    "croupier.cli.commands.advise:advise",
    "croupier.cli.commands.strategy:strategy",
    "croupier.cli.commands.simulate:simulate",
    "croupier.cli.commands.exposure:exposure",
    "croupier.cli.commands.books:books",
    "croupier.cli.commands.rules:rules",
    "croupier.cli.commands.audit:audit",
    "croupier.cli.commands.replay:replay",
    "croupier.cli.commands.verify:verify",
    "croupier.cli.commands.export:export",
    "croupier.cli.commands.ledger:ledger",
    "croupier.cli.commands.keys:keys",
    "croupier.cli.commands.lab:lab",
    "croupier.cli.commands.collect_deals:collect_deals",
    "croupier.cli.commands.collect_raw:collect_raw",
)


def _told(command: str) -> str:
    """What a command's docstring tells, read without importing what the command needs."""
    name = command.partition(":")[2]
    source = (files("croupier.cli.commands") / f"{name}.py").read_text("utf-8")
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    told = next(ast.get_docstring(node) or "" for node in functions if node.name == name)
    return told.partition("Parameters\n")[0].rstrip()


for command in COMMANDS:
    app.command(command, help=_told(command))


def main(arguments: Sequence[str] | None = None, registry: Registry | None = None) -> int:
    """Run one command and give its exit status; what goes wrong is one sentence on stderr."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without card symbols shows ?
    try:
        status = _run(tokens, registry)
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


def _run(tokens: list[str], registry: Registry | None) -> int:
    command, bound, unfilled = app.parse_args(tokens, exit_on_error=False, print_error=False)
    if "registry" in unfilled:
        bound.arguments["registry"] = registry or the_registry()
    status = command(*bound.args, **bound.kwargs)
    return status if isinstance(status, int) else 0


def _sorry(sentence: str) -> int:
    Console(stderr=True, soft_wrap=True).print(
        f"croupier: {' '.join(sentence.split())}", markup=False, highlight=False
    )
    return 2
