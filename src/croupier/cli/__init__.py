"""The command line. Exit status 0: all is well; 1: the answer is no; 2: bad usage; 130: Ctrl-C.

What a command needs is loaded when it runs: a Ctrl-C is obeyed before anything is.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from croupier.cli.signals import STOP

if TYPE_CHECKING:
    from croupier.games.registry import Registry

ROLES: Mapping[str, tuple[str, ...]] = {
    "Play": (
        "croupier.cli.commands.play:play",
        "croupier.cli.commands.deal:deal",
        "croupier.cli.commands.rules:rules",
    ),
    "Run a table": (
        "croupier.cli.commands.desk:desk",
        "croupier.cli.commands.check:check",
        "croupier.cli.commands.print:print",
        "croupier.cli.commands.serve:serve",
        "croupier.cli.commands.books:books",
        "croupier.cli.commands.ledger:ledger",
        "croupier.cli.commands.keys:keys",
    ),
    "The mathematics": (
        "croupier.cli.commands.solve:solve",
        "croupier.cli.commands.advise:advise",
        "croupier.cli.commands.strategy:strategy",
        "croupier.cli.commands.simulate:simulate",
        "croupier.cli.commands.risk:risk",
        "croupier.cli.commands.exposure:exposure",
        "croupier.cli.commands.design:design",
        "croupier.cli.commands.protect:protect",
    ),
    "Prove": (
        "croupier.cli.commands.settle:settle",
        "croupier.cli.commands.audit:audit",
        "croupier.cli.commands.find:find",
        "croupier.cli.commands.replay:replay",
        "croupier.cli.commands.prove:prove",
        "croupier.cli.commands.verify:verify",
        "croupier.cli.commands.export:export",
        "croupier.cli.commands.lab:lab",
    ),
    "Croupier": ("croupier.cli.commands.completion:completion",),
}
"""Who needs which command, in the order in which the help lists them."""
UNLISTED = (
    "croupier.cli.commands.collect_deals:collect_deals",
    "croupier.cli.commands.collect_raw:collect_raw",
)
"""Longer names of ``croupier lab deals`` and ``croupier lab raw``, which scripts may know."""
COMMANDS = (*chain.from_iterable(ROLES.values()), *UNLISTED)
GC_THRESHOLDS = (5_000, 100, 10)
"""Garbage is collected less often than Python does: what is loaded and counted stays, and a search
of it finds nothing."""


def main(arguments: Sequence[str] | None = None, registry: Registry | None = None) -> int:
    """Run one command and give its exit status; without arguments as the program itself."""
    try:
        if arguments is None:
            STOP.obey()
            gc.set_threshold(*GC_THRESHOLDS)
        from croupier.cli.program import run

        status = run(arguments, registry)
        STOP.unwound()
    except KeyboardInterrupt:
        return STOP.end()
    except Exception:
        if STOP.is_asked:
            return STOP.end()
        raise
    return STOP.end() if STOP.is_asked else status
