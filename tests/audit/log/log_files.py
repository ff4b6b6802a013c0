"""Logs as files: good ones, a wrong one, a fair one, and one with lines that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import croupier
from croupier.audit.log.log_corruption import mutants
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import write_record
from croupier.submission.check import shipped_submission, shipped_text
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import HOUSE, good_log

BOOKS = {"UTH-S": "uth", "FCP-14": "fcp"}


def bring_the_logs(folder: Path = Path()) -> None:
    """All of them, for a page to tell of."""
    for name, content in the_files().items():
        (folder / name).write_bytes(content)
    bad_lines(folder)


@cache
def the_files() -> dict[str, bytes]:
    logs: dict[str, Sequence[rec.AnyRecord]] = {
        "uth.jsonl": good_log("UTH-S", 260, seed=4),
        "fcp.jsonl": good_log("FCP-14", 260, seed=4),
        "wrong.jsonl": wrong_log(),
        "fair.jsonl": fair_log(),
    }
    made = {name: b"".join(write_record(r) + b"\n" for r in log) for name, log in logs.items()}
    made |= {f"{name}.toml": shipped_text(book).encode() for book, name in BOOKS.items()}
    made["tonight.toml"] = croupier.example("uth").encode()
    return made


@cache
def fair_log() -> tuple[rec.AnyRecord, ...]:
    maker = LogMaker(shipped_submission("FCP-14"), HOUSE, seed=5, stacked=False)
    return (maker.table(), *maker.rounds(600))


def wrong_log() -> list[rec.AnyRecord]:
    """Several corruptions in one log."""
    log = list(good_log("UTH-S", 260, seed=4))
    for mutant in mutants(log, HOUSE, seed=2):
        log[mutant.at] = mutant.log[mutant.at]
    return log


def bad_lines(folder: Path) -> None:
    """A log with a line of each kind that cannot be read."""
    lines = (folder / "fcp.jsonl").read_bytes().splitlines()[:12]
    lines[2] = lines[2].replace(b"croupier-record-1", b"croupier-record-9")
    lines[3] = lines[3].replace(b"Player 1", b"Andr\xe9")
    lines[4] = lines[4].decode().encode("utf-16")
    lines[5] = lines[5][:700]
    lines[6] = b"x" * 17_000_000
    (folder / "bad.jsonl").write_bytes(b"\n".join(lines) + b"\n")
