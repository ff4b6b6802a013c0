"""The command line. Exit status 0: all is well; 1: the answer is no; 2: unreadable or bad usage."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError
from rich.console import Console

from croupier.cli.rules import rules
from croupier.cli.settle import settle
from croupier.cli.solve import solve
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.house import House, the_house

app = App(
    name="croupier",
    help="Casino poker against the house, by the book.",
    help_epilogue="Croupier is not affiliated with the owners of any game's name.",
    result_action="return_value",
)
app.command(settle)
app.command(solve)
app.command(rules)


def main(arguments: Sequence[str] | None = None, house: House | None = None) -> int:
    """Run one command and give its exit status; what goes wrong is one sentence on stderr."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(tokens, house)
    except (CycloptsError, Unreadable, Refusal) as error:
        return _sorry(str(error))
    except KeyboardInterrupt:
        return _sorry("stopped")
    except BrokenPipeError:
        # The reader of a pipe went away; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
