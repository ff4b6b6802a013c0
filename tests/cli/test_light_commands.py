"""What commands load that answer at once: whoever adds to these lists makes them all slower."""

from __future__ import annotations

import json
import subprocess
import sys

from croupier.cli import GC_THRESHOLDS

PACKAGES = {"attr", "attrs", "croupier", "cyclopts", "msgspec", "numpy", "rich"} | {
    "typing_extensions"
}
ROOMS = {"cli", "documents", "exact", "facts", "games", "rulebook", "submission"}
DEAR = {"asyncio", "http", "multiprocessing", "rich.progress", "sqlite3", "ssl"}
COMMANDS = (
    ("advise", "uth", "Kd 5c", "--board", "Qh 8s 2d", "--json"),
    ("advise", "four-card", "Ah Kd 9c 7s 2d", "--upcard", "3c", "--json"),
    ("rules", "uth", "--json"),
)
RUN = f"""
import json, sys
before = set(sys.modules)
from croupier.cli import main
for command in {COMMANDS!r}:
    assert main(command) == 0
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_light_commands_load_what_is_listed_here_and_nothing_else() -> None:
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    packages = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert {name for name in packages if not name.startswith("_")} <= PACKAGES
    rooms = {name.split(".")[1] for name in loaded if name.startswith("croupier.")}
    assert rooms - {"disk", "extras"} <= ROOMS
    assert loaded & DEAR == set()


def test_the_program_collects_garbage_less_often_than_python_does() -> None:
    run = (
        "import gc, sys; sys.argv = ['croupier', '--version']; from croupier.cli import main; "
        "status = main(); print(gc.get_threshold()); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == str(GC_THRESHOLDS)
