"""``python -m tests.golden`` (or ``make golden``): write every golden round anew."""

from __future__ import annotations

from pathlib import Path

from tests.golden.scenarios import SCENARIOS

FOLDER = Path(__file__).parent


def main() -> None:
    for old in FOLDER.glob("*.txt"):
        if old.stem not in SCENARIOS:
            old.unlink()
    for name, scenario in SCENARIOS.items():
        (FOLDER / f"{name}.txt").write_text(scenario().text(), "utf-8")
    print(f"{len(SCENARIOS)} golden rounds written")


if __name__ == "__main__":
    main()
