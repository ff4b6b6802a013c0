"""``python -m tests.help_pages``: write what each command's ``--help`` says into docs/commands.md.

Every command and every option so has its line in the docs; a test says when the page is stale.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from croupier.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "commands.md"
HEAD = """# Commands

Written from the program itself by `make pages`. Exit status: 0 when all is well, 1 when the answer
is "no", 2 for bad usage, unreadable input or a round that could not have been.
"""


def page() -> str:
    names = sorted(command.partition(":")[2] for command in COMMANDS)
    parts = [HEAD, f"```\n{_help()}\n```\n"]
    parts += [f"## croupier {name}\n\n```\n{_help(name)}\n```\n" for name in names]
    return "\n".join(parts)


def _help(*command: str) -> str:
    asked = [sys.executable, "-m", "croupier", *command, "--help"]
    environment = os.environ | {"COLUMNS": "88", "NO_COLOR": "1", "TERM": "dumb"}
    ran = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment)
    return "\n".join(line.rstrip() for line in ran.stdout.strip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"{PAGE.relative_to(ROOT)}: written")
