"""Build the folder: `python -m website.demo [FOLDER]`, without one into build/demo."""

from __future__ import annotations

import sys
from pathlib import Path

from croupier.facts.errors import Unavailable
from website.demo.folder import build
from website.demo.parts import ROOT

if __name__ == "__main__":
    into = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "demo"
    try:
        made = build(into)
    except Unavailable as error:
        sys.exit(f"croupier: {error}")
    print(f"{into}: {made.files} files, {made.wire_bytes / 1e6:.2f} MB over the wire with gzip")
