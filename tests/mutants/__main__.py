"""``python -m tests.mutants``: break every enforced clause, and see a test that it cites fail."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.mutants.changes import FOLDER, DoesNotApply, kept_changes, mend
from tests.mutants.figures import figures, is_equivalent
from tests.mutants.mutant import Mutant, enforced
from tests.mutants.pool import verdicts, warm_up
from tests.mutants.results import Results
from tests.mutants.trial import Verdict


def every_mutant(changes: Path = FOLDER) -> list[Mutant]:
    """The kept changes, then the figures of the books; raises DoesNotApply for one that is lost."""
    kept = [change.mutant() for change in kept_changes(changes)]
    return kept + [mutant for mutant in figures() if not is_equivalent(mutant)]


def without_mutant(mutants: list[Mutant]) -> list[str]:
    broken = {clause for mutant in mutants for clause in mutant.clauses}
    return [clause for clause in enforced() if clause not in broken]


def main(arguments: list[str]) -> int:
    """The exit status is 1 where a mutant lives, or an enforced clause has none."""
    asked = _asked().parse_args(arguments)
    if asked.mend:
        for line in mend():
            print(line)
        return 0
    try:
        mutants = every_mutant(asked.changes)
    except DoesNotApply as lost:
        sys.exit(f"a kept change does not apply: {lost}")
    lacking = without_mutant(mutants)
    chosen = [mutant for mutant in mutants if _is_chosen(mutant, asked)]
    if not chosen:
        sys.exit("no mutant is chosen; --list names them all")
    if asked.list:
        for mutant in chosen:
            print(f"{mutant.name}  [{', '.join(mutant.clauses)}]")
        return 0
    if asked.sample:
        chosen = random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen)))
    results = Results()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to tidy up in either case
    try:
        found = _tried(chosen, results, asked)
    except KeyboardInterrupt:
        sys.exit("ended; what was found so far is kept")
    finally:
        results.forget_all_but({mutant.digest for mutant in mutants})
        results.write()
    narrowed = bool(asked.clause or asked.name or asked.sample)
    return _told(found, [] if narrowed else lacking, len(enforced()))


def _tried(
    chosen: list[Mutant], results: Results, asked: argparse.Namespace
) -> list[tuple[Mutant, Verdict]]:
    breadth = Counter(test for tests in enforced().values() for test in tests)
    found: list[tuple[Mutant, Verdict]] = []
    todo = []
    for mutant in chosen:
        kept = None if asked.no_cache else results.of(mutant, _tests(mutant))
        if kept is None:
            todo.append(mutant)
        else:
            found.append((mutant, kept))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with (
        tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as temporary,
        Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as bar,
    ):
        task = bar.add_task("mutants", total=len(chosen), completed=len(found))
        folder, alive = Path(temporary), 0
        if todo:
            warm_up(sorted({t.partition("::")[0] for m in todo for t in _tests(m)}), folder)
        for mutant, verdict in verdicts(
            todo, enforced().__getitem__, dict(breadth), folder, asked.jobs
        ):
            found.append((mutant, verdict))
            results.keep(mutant, _tests(mutant), verdict)
            if len(found) % 50 == 0:
                results.write()
            alive += not verdict.is_killed
            bar.update(task, advance=1, description=f"mutants, {alive} alive")
            bar.refresh()
    return found


def _tests(mutant: Mutant) -> tuple[str, ...]:
    return tuple(sorted({test for clause in mutant.clauses for test in enforced()[clause]}))


def _is_chosen(mutant: Mutant, asked: argparse.Namespace) -> bool:
    named = not asked.name or asked.name.lower() in mutant.name.lower()
    under = (asked.clause, f"{asked.clause}(", f"{asked.clause}.")
    about = not asked.clause or any(
        clause == under[0] or clause.startswith(under[1:]) for clause in mutant.clauses
    )
    return named and about


def _told_alive(mutant: Mutant, verdict: Verdict) -> str:
    why = verdict.trouble or f"{verdict.ran} tests let it live"
    return f"LIVES  {mutant.name}  [{', '.join(verdict.alive)}]  {why}"


def _told(found: list[tuple[Mutant, Verdict]], lacking: list[str], clauses: int) -> int:
    alive = [(mutant, verdict) for mutant, verdict in found if not verdict.is_killed]
    proved = {clause for _, verdict in found for clause in verdict.killed}
    for mutant, verdict in sorted(alive, key=lambda each: each[0].name):
        print(_told_alive(mutant, verdict))
    for clause in lacking:
        print(f"NO MUTANT  {clause}")
    print(
        f"{len(found):,} mutants: {len(found) - len(alive):,} killed, {len(alive):,} alive; "
        f"{len(proved):,} of {clauses:,} enforced clauses broken and seen, "
        f"{len(lacking):,} without a mutant"
    )
    return 1 if alive or lacking else 0


def _asked() -> argparse.ArgumentParser:
    said = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    said.add_argument("--clause", default="", help='one clause, and those below: "UTH-S 11.A"')
    said.add_argument("--name", default="", help="mutants with this text in their name")
    said.add_argument("--sample", type=int, default=0, help="only so many, chosen by --seed")
    said.add_argument("--seed", default="1", help="of --sample")
    said.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at the same time")
    said.add_argument("--no-cache", action="store_true", help="try what was tried before too")
    said.add_argument("--list", action="store_true", help="name the mutants and try none")
    said.add_argument("--changes", type=Path, default=FOLDER, help="another list of changes")
    said.add_argument("--mend", action="store_true", help="follow changes to where they moved")
    return said


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
