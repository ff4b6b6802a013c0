"""What is wrong with a submission, or worth a second look: one sentence an operator can act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]
_GRAVITY: dict[str, int] = {"error": 0, "warning": 1}


@dataclass(frozen=True)
class Finding:
    """``clause`` is the rule that is the reason, where one is; ``key`` and ``line`` say where.

    The line of something missing is that of the table it belongs to.
    """

    severity: Severity
    sentence: str
    clause: str | None = None
    line: int | None = None
    key: str = ""
    rulings: tuple[int, ...] = ()  # the readings that the sentence names

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line is not None else ""
        return f"{where}{self.sentence}{f' - {self.clause}' if self.clause else ''}"


def findings_json(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as commands print them; the rulings stand in the sentences."""
    keys = ("severity", "sentence", "clause", "line", "key")
    return [{key: getattr(found, key) for key in keys} for found in findings]


def most_serious_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors before warnings, each in the order of the file, none said twice."""
    return tuple(
        sorted(
            dict.fromkeys(findings), key=lambda found: (_GRAVITY[found.severity], found.line or 0)
        )
    )
