"""Files people name on the command line, read whole or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

from croupier.facts.errors import Unreadable

MOST_BYTES = 4_000_000


def text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise Unreadable(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise Unreadable(f"{path}: this is a folder; name a file in it") from None
    except (OSError, ValueError):
        raise Unreadable(f"{path}: this file cannot be opened") from None
    if len(content) > MOST_BYTES:
        raise Unreadable(f"{path}: this file is larger than {MOST_BYTES:,} bytes; it is no page")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: this file is not text in UTF-8") from None
