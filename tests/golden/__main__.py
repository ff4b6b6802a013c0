"""``python -m tests.golden`` (or ``make golden``): write every golden round anew.

With them goes docs/table.md, the list of what is said and what happens at a table.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden.page import PAGE, page
from tests.golden.scenarios import golden

FOLDER = Path(__file__).parent


def main() -> None:
    every = golden()
    for old in FOLDER.glob("*.txt"):
        if old.stem not in every:
            old.unlink()
    for name, scenario in every.items():
        (FOLDER / f"{name}.txt").write_text(scenario().text(), "utf-8")
    PAGE.write_text(page(), "utf-8")
    print(f"{len(every)} golden rounds written, and {PAGE.name}")


if __name__ == "__main__":
    main()
