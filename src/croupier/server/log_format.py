"""Log lines of the service: one an event, as text or as JSON, on standard error.

Only the fields named here are ever written, so no password, token, command or card gets in.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import msgspec

FIELDS = (
    "who",
    "role",
    "table",
    "do",
    "outcome",
    "address",
    "method",
    "path",
    "status",
    "ms",
    "why",
)


class LogFormatter(logging.Formatter):
    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": printable(record.getMessage()),
        }
        known = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        said |= {
            name: printable(value) if isinstance(value, str) else value
            for name, value in known.items()
        }
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        trace = "\n".join(map(printable, trace.split("\n")))
        if self._as_json:
            return msgspec.json.encode(said | ({"trace": trace} if trace else {})).decode()
        rest = " ".join(f"{name}={said[name]}" for name in FIELDS if name in said)
        line = f"{said['time']} {said['level']} {said['event']} {rest}".rstrip()
        return f"{line}\n{trace}" if trace else line


def printable(text: str) -> str:
    """No character that a terminal obeys, and none that ends a line: each is told by its number."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def set_up_logs(*, as_json: bool) -> None:
    """As JSON everything is told, for who collects it; as text only what somebody should see."""
    handler = logging.StreamHandler()
    handler.setFormatter(LogFormatter(as_json=as_json))
    for name, level in (
        ("croupier", logging.INFO if as_json else logging.WARNING),
        ("uvicorn", logging.WARNING),
        ("litestar", logging.ERROR),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
