"""The program: parses the arguments, runs one command, turns errors into an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib.resources import files
from inspect import cleandoc

from cyclopts import App, CycloptsError, Group, Parameter
from rich.console import Console

from croupier.cli import COMMANDS, ROLES
from croupier.cli.screen import Screen, leave_quietly
from croupier.cli.signals import STOP
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.games.registry import Registry, the_registry

app = App(
    name="croupier",
    help="Casino poker against the house, by the book.",
    help_epilogue="Croupier is not affiliated with the owners of any game's name.",
    default_parameter=Parameter(show_default=False, negative_iterable=()),
    result_action="return_value",
)


def _help_of(name: str) -> str:
    """Help text of a command: its docstring, read without importing what the command needs."""
    source = (files("croupier.cli.commands") / f"{name}.py").read_text("utf-8")
    _, _, function = source.partition(f"\ndef {name}(")
    docstring = cleandoc(function.split('"""')[1])
    return docstring.partition("Parameters\n")[0].rstrip()


def _arrange() -> None:
    """Every command in the panel of its role, in the order of :data:`ROLES`."""
    panels = {role: Group.create_ordered(role) for role in ROLES}
    groups = {command: panels[role] for role, commands in ROLES.items() for command in commands}
    for place, command in enumerate(COMMANDS):
        name = command.partition(":")[2]
        app.command(
            f"{command}_app" if name == "lab" else command,
            name=name.replace("_", "-"),
            help=_help_of(name),
            group=groups.get(command),
            sort_key=place,
            show=command in groups,
        )
    for flag in (*app.help_flags, *app.version_flags):
        app[flag].group = (panels["Croupier"],)
        app[flag].sort_key = len(COMMANDS)


_arrange()


def run(arguments: Sequence[str] | None, registry: Registry | None) -> int:
    """The exit status of one command; what goes wrong is one sentence on stderr."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without card symbols shows ?
    try:
        status = _called(tokens, registry)
        sys.stdout.flush()
        return status
    except (CycloptsError, Unreadable, Refusal, Unavailable) as error:
        return _sorry(str(error))
    except BrokenPipeError:
        leave_quietly()
    except OSError as error:
        return _sorry(f"the answer cannot be written: {error.strerror}")
    return 0


def _called(tokens: list[str], registry: Registry | None) -> int:
    app.console = Screen()  # as wide as the terminal is now
    command, bound, unfilled = app.parse_args(tokens, exit_on_error=False, print_error=False)
    if "registry" in unfilled:
        bound.arguments["registry"] = registry or the_registry()
    if command.__module__.startswith("croupier."):  # help and version are told in any case
        _refuse_misspelt()
    status = command(*bound.args, **bound.kwargs)
    return status if isinstance(status, int) else 0


def _refuse_misspelt() -> None:
    """The settings, and what they are made of, are loaded where there may be one."""
    if any(name.startswith("CROUPIER_") for name in os.environ):
        from croupier.server.settings import refuse_misspelt

        refuse_misspelt()


def _sorry(sentence: str) -> int:
    if STOP.is_asked:  # whatever went wrong then went wrong because of it
        raise KeyboardInterrupt
    Console(stderr=True, soft_wrap=True).print(
        f"croupier: {' '.join(sentence.split())}", markup=False, highlight=False
    )
    return 2
