"""Cross-check by simulation: z-scores of a seeded run against the exact figures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from croupier.documents.blocks import AnyBlock, CommandLine, Grid, Heading, Prose
from croupier.documents.filing import Filing
from croupier.exact.endings import LOST
from croupier.exact.solution_cache import kept_answer
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.progress import Progress
from croupier.simulate import simulation
from croupier.simulate.figures import Hit, WagerFigure
from croupier.simulate.plan import PlayerStrategy, SimulationPlan, seated
from croupier.simulate.simulation import simulate

ROUNDS = 1_000_000
WIDE = 4.0  # standard errors that one figure in 15,000 passes by chance
LINES = ("Name", "Organization", "Verified, and how", "Signature", "Date")


class CrossCheck(NamedTuple):
    """Rounds that were dealt from a seed and settled: what came, beside what was counted."""

    seed: int
    rounds: int
    figures: tuple[WagerFigure, ...]

    @property
    def widest(self) -> float:
        return max(abs(figure.z) for figure in self.figures if figure.z is not None)


def cross_check(filing: Filing, progress: Progress) -> CrossCheck | None:
    """One box at the least stakes, best play; the seed is that of the Rules, so nobody chose it.

    Dealt before by this very program, or dealt now and kept; None where the game cannot be
    simulated so.
    """
    seed = int(filing.imprint("").digest[:8], 16)
    try:
        plan = seated(filing.submission, filing.rules, {}, (PlayerStrategy(),), seed)
        asked = ("cross-check", plan.digest, ROUNDS, _simulator_digest())
        return kept_answer(filing.rules, asked, CrossCheck, lambda: _dealt(plan, progress))
    except (Refusal, Unreadable):
        return None


def _dealt(plan: SimulationPlan, progress: Progress) -> CrossCheck:
    (box,) = simulate(plan, ROUNDS, workers=1, progress=progress).boxes
    known = (figure for figure in box.figures if figure.z is not None)
    return CrossCheck(plan.seed, ROUNDS, tuple(known))


@cache
def _simulator_digest() -> str:
    """One hash of the simulator's sources; those of the solver are in the answer's name anyway."""
    folder = Path(simulation.__file__).parent
    sources = (path.read_bytes() for path in sorted(folder.rglob("*.py")))
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def verification(check: CrossCheck | None, filing: Filing) -> Iterator[AnyBlock]:
    yield Heading("Verification")
    if check is not None:
        yield from _second_method(check, filing)
    yield Prose(
        "Whoever verifies this report says here who they are and what they did. Nothing that is "
        "printed on these pages certifies it."
    )
    yield Grid(("", ""), tuple((line, "") for line in LINES), "ll", widths=(1, 3))


def _second_method(check: CrossCheck, filing: Filing) -> Iterator[AnyBlock]:
    said = "agrees" if check.widest < WIDE else "DIFFERS"
    yield Prose(
        f"A second method {said}: {check.rounds:,} rounds of one box were dealt from seed "
        f"{check.seed} (the first digits of the hash of the Rules), decided by the best strategy "
        "and settled one by one. z is how many standard errors lie between what came and what was "
        f"counted; the widest is {check.widest:.2f}.",
        tone="plain" if check.widest < WIDE else "fail",
    )
    rows = tuple(
        (
            _title(figure, filing),
            f"{float(figure.mean):+.5f}",
            f"{figure.standard_error:.5f}",
            f"{float(figure.exact or 0):+.5f}",
            f"{figure.z:+.2f}",
        )
        for figure in check.figures
    )
    yield Grid(("Wager", "Simulated", "Error", "Exact", "z"), rows, "lrrrr", "Means, in stakes")
    hits = tuple(row for figure in check.figures for row in _hits(figure, filing))
    if hits:
        names = ("Line", "Came", "Due", "z")
        yield Grid(names, hits, "lrrr", "How often the lines of each wager came")
    yield CommandLine(
        f"croupier simulate {filing.rules.game.id} --submission submission.toml "
        f"--rounds {check.rounds} --seed {check.seed} --json"
    )


def _hits(figure: WagerFigure, filing: Filing) -> Iterator[tuple[str, ...]]:
    for hit in figure.hits:
        if hit.name != LOST and hit.chance:
            due = float(hit.chance) * figure.rounds
            yield (
                f"{_title(figure, filing)}: {hit.name}",
                f"{hit.times:,}",
                f"{due:,.1f}",
                _z(hit, figure.rounds),
            )


def _z(hit: Hit, rounds: int) -> str:
    """A bell curve says little of what is due only a few times."""
    chance = float(hit.chance or 0)
    due = chance * rounds
    return f"{(hit.times - due) / (due * (1 - chance)) ** 0.5:+.2f}" if due >= 10 else ""


def _title(figure: WagerFigure, filing: Filing) -> str:
    book = filing.book
    title = book.wager(figure.wager).title if book.has_wager(figure.wager) else "Base game"
    return f"{title}, {figure.note}" if figure.note else title
