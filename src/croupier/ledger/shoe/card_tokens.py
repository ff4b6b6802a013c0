"""How a card that nobody may see yet stands in the ledger: by its place in the pack, as ``@17``."""

from __future__ import annotations

import re

from croupier.facts.errors import Unreadable, quoted

_TOKEN = re.compile(r"@(0|[1-9][0-9]{0,2})", re.ASCII)


def token(place: int) -> str:
    return f"@{place}"


def is_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def place(token: str) -> int:
    """Places count from 0, the top of the pack."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise Unreadable(f"{quoted(token)} is not a place in a pack; it is written like @17")
    return int(match[1])
