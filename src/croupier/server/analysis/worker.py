"""The process an analysis is counted in: a design comes in, progress and the answer go out.

It is started as ``python -m croupier.server.analysis.worker``, with the design on standard input.
The service itself never loads the solver: it is imported only when there is something to solve.
"""

from __future__ import annotations

import sys
import time

import msgspec

from croupier.exact.base_game import LimitedAnte
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.protection.knowledge import Knowledge
from croupier.server.analysis.designs import NewAnalysis, knowledge_of, limited_of, rules_of

LEAST_PAUSE_S = 0.2


class Word(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line that a counting process says: how far it is, its answer, or why there is none.

    ``json`` and ``csv`` are, byte for byte, what ``croupier solve`` prints with these options, or
    ``croupier protect``; ``paid`` is how often each line of a wager of the base game is paid.
    """

    doing: str = ""
    done: float = 0.0
    json: str = ""
    csv: str = ""
    paid: dict[str, dict[str, float]] = {}
    no: str = ""


def main() -> None:
    try:
        asked = msgspec.json.decode(sys.stdin.buffer.read(), type=NewAnalysis)
        rules = rules_of(asked, the_registry())
        kind = knowledge_of(asked, rules)
        limited = limited_of(asked, rules, the_registry())
        _say(_known(asked, rules, kind) if kind else _counted(asked, rules, limited))
    except (Refusal, Unreadable, Unavailable) as error:
        _say(Word(no=str(error)))


def _counted(asked: NewAnalysis, rules: Rules, limited: LimitedAnte | None) -> Word:
    _say(Word(doing="getting ready"))
    from croupier.exact.solution_cache import solved
    from croupier.paytables.base_wager import chances_of_lines

    stakes = {name: Cents(amount) for name, amount in asked.stakes_cents.items()}
    meters = {name: Cents(amount) for name, amount in asked.meters_cents.items()}
    solution = solved(rules, _ProgressWriter(), limited=limited).assuming(stakes, meters)
    paid = chances_of_lines(rules, solution.base) if limited is None else {}
    return Word(
        json=f"{solution.to_json()}\n",
        csv=solution.to_csv(),
        paid={
            wager: {line: float(chance) for line, chance in lines.items()}
            for wager, lines in paid.items()
        },
    )


def _known(asked: NewAnalysis, rules: Rules, kind: Knowledge) -> Word:
    """What known cards are worth; what takes minutes is not counted for a page, only looked up."""
    _say(Word(doing="getting ready"))
    from croupier.protection.protect import kept_worth, protect

    if kind.minutes:
        worth = kept_worth(
            rules, kind,
            f"This takes minutes. {_command(asked, rules)} counts it on the service's machine and "
            "keeps the answer; then ask again.",
        )  # fmt: skip
    else:
        worth = protect(rules, kind.name, _ProgressWriter())
    return Word(json=f"{worth.to_json()}\n", csv=worth.to_csv())


def _command(asked: NewAnalysis, rules: Rules) -> str:
    """The words that ask the same on the command line; lines of one's own are in a file there."""
    letters = {name: letter for name, letter in asked.paytables.items() if name not in asked.lines}
    files = {name: f"{name}.toml" for name in asked.lines}
    options = [f"--rulebook {rules.book.id.partition('+')[0]}", f"--knows {asked.knows}"]
    options += [f"--paytable {name}={table}" for name, table in (letters | files).items()]
    options += [f'--vary "{name}={value}"' for name, value in asked.vary.items()]
    return " ".join(("croupier protect", rules.game.id, *options))


class _ProgressWriter:
    """Writes every new step, and within a step no more often than somebody could read."""

    def __init__(self) -> None:
        self._doing, self._at = "", 0.0

    def __call__(self, doing: str, done: float) -> None:
        now = time.monotonic()
        if doing != self._doing or now - self._at >= LEAST_PAUSE_S:
            self._doing, self._at = doing, now
            _say(Word(doing=doing, done=done))


def _say(word: Word) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(word) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
