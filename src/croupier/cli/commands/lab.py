"""``croupier lab``: statistical trials of the shuffle, judged together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from cyclopts import App, Parameter

from croupier.audit.lab.bits import battery, bits_of
from croupier.audit.lab.collect import (
    DIFFERENCES,
    SEEDING,
    KeyFile,
    dealt,
    key_files,
    raw_output,
    read_decks,
)
from croupier.audit.lab.deals import FEWEST_DECKS, trials_of_deals
from croupier.audit.lab.trials import Trial
from croupier.audit.lab.verdict import TrialLine, Verdict, judged
from croupier.cli.commands.collect_deals import collect_deals
from croupier.cli.commands.collect_raw import collect_raw
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.documents.blocks import Grid, Prose
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import Chance

DECKS = 100_000
MOST_DECKS = 100_000_000  # some gigabytes of cards, and hours of shuffling
RAW_BYTES = 4_000_000


class LabReport(msgspec.Struct, frozen=True):
    """What is printed with --json."""

    tested: str
    verdict: Verdict
    key_files: tuple[KeyFile, ...]
    differences: tuple[str, ...]
    seeding: str


def lab(
    file: Path | None = None,
    /,
    *,
    decks: int | None = None,
    raw: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
) -> int:
    """Test the shuffle as a test lab does, at 99% confidence.

    What it deals is judged together. Without a file, fresh decks from the shuffle that deals at the
    tables, and the raw output under it. Each trial tells its p-value and the smallest deviation
    that it would have found with 95% probability. The answer is no (exit status 1) when the trials
    together fail.

    For example:

        croupier lab

        croupier lab --decks 1000000 --json

        croupier lab deals.txt

        croupier lab raw.bin --raw

    Parameters
    ----------
    file
        A collection of croupier lab deals, in text or bytes.
    decks
        How many fresh decks, 100 million at most; without it 100,000. A million take some minutes.
    raw
        The file holds raw output, as croupier lab raw writes it.
    json_
        Print one JSON document.
    """
    if file is not None and decks is not None:
        raise Unreadable("name a file or a number of fresh decks, not both")
    if raw and file is None:
        raise Unreadable("name the file that holds the raw output")
    tested, trials = _fresh(DECKS if decks is None else decks) if file is None else _of(file, raw)
    report = LabReport(tested, judged(trials), key_files(), DIFFERENCES, SEEDING)
    if json_:
        print_json(msgspec.to_builtins(report))
    else:
        _print_report(report)
    return 0 if report.verdict.passed else 1


def _fresh(count: int) -> tuple[str, list[Trial]]:
    if count < FEWEST_DECKS:
        raise Unreadable(f"a verdict needs at least {FEWEST_DECKS:,} decks, not {count:,}")
    if count > MOST_DECKS:
        raise Unreadable(f"at most {MOST_DECKS:,} decks are tested at once, not {count:,}")
    chance = Chance()
    with counting("shuffling") as bar:
        decks = np.concatenate(list(dealt(count, chance, partial(bar.doing, "shuffling"))))
        raw = b"".join(raw_output(RAW_BYTES, chance))
        trials = trials_of_deals(decks, bar.doing)
        bar.doing("raw output", 1.0)
        trials += battery(bits_of(raw), "raw")
    return f"{count:,} fresh decks and {RAW_BYTES:,} bytes of raw output", trials


def _of(file: Path, raw: bool) -> tuple[str, list[Trial]]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise Unreadable(f"{file}: this file cannot be opened: {error.strerror}") from None
    try:
        with counting("testing") as bar:
            if raw:
                return f"{file}: {len(content):,} bytes of raw output", _raw_trials(content)
            decks = read_decks(content)
            return f"{file}: {len(decks):,} decks", trials_of_deals(decks, bar.doing)
    except Unreadable as error:
        raise Unreadable(f"{file}: {error}") from None


def _raw_trials(content: bytes) -> list[Trial]:
    if len(content) < FEWEST_DECKS:
        raise Unreadable(f"a verdict needs at least {FEWEST_DECKS:,} bytes, not {len(content):,}")
    return battery(bits_of(content), "raw")


def _print_report(report: LabReport) -> None:
    titles = ("trial", "statistic", "df", "outcomes", "p", "together", "would have found")
    rows = tuple(map(_row, report.verdict.lines))
    trials = Grid(titles, rows, "lrrrrrl", widths=(0, 0, 0, 0, 0, 0, 1))
    files = [Prose(f"{file.sha256}  {file.path}") for file in report.key_files]
    rest = map(Prose, (*report.differences, f"Seeding: {report.seeding}"))
    show([(Prose(report.tested),), (trials,), _sentences(report.verdict), files, rest], Screen())


def _row(line: TrialLine) -> tuple[str, ...]:
    return (
        line.name,
        f"{line.statistic:,.2f}",
        "" if line.degrees is None else f"{line.degrees:,}",
        f"{line.size:,}",
        f"{line.p:.4f}",
        f"{line.adjusted:.4f}",
        line.finds if line.passed else f"{line.finds}  FAILED",
    )


def _sentences(verdict: Verdict) -> Iterator[Prose]:
    count, failed = len(verdict.lines), len(verdict.failed)
    together = (
        f"all {count} trials passed together" if verdict.passed else f"{failed} of {count} FAILED"
    )
    tone = "pass" if verdict.passed else "fail"
    yield Prose(f"At {verdict.confidence:.0%} confidence {together}.", tone=tone)
    if verdict.maryland is not None:
        is_passed = verdict.maryland.passed
        answer = "passed" if is_passed else "not passed, as one fair sample in twenty is not"
        yield Prose(
            f"The chi-square of cards by place alone, at 95% (COMAR 36.05.02.17F): {answer}."
        )


lab_app = App(name="lab", default_command=lab)
"""The trials, with the collectors below them."""
lab_app.command(collect_deals, name="deals")
lab_app.command(collect_raw, name="raw")
