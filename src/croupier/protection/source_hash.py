"""The hash of this room's sources: an answer found by other code is not taken for one of these."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def protection_code() -> str:
    """A hash of every source of this room."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(here.rglob("*.py")):
        name = path.relative_to(here).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
