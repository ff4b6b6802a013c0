"""Ctrl-C, as a terminal sends it: every command that takes long ends, with 130 and one sentence.

Real processes on a terminal of their own are asked to stop once they say that they are at work. How
long a test waits is only a limit for what never ends; what still computes is found by its work.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier import disk
from croupier.cli import COMMANDS, main
from croupier.cli.practice.terminal import GIVE_UP
from croupier.submission.check import shipped_text
from tests.cli.terminals import LONG, MORE, SOON, WAITED, WORK_S, Terminal, with_a_night

PROVE = pytest.mark.prove


@contextmanager
def at_work(words: str, sign: str, folder: Path, cache: Path | None = None) -> Iterator[Terminal]:
    terminal = Terminal(words.split(), folder, cache)
    try:
        terminal.until(sign)
        yield terminal
    finally:
        terminal.close()


def stopped(terminal: Terminal, press: Callable[[Terminal], None], moment_s: float = 0.0) -> None:
    """It ends with 130, one sentence and no story of what it was doing."""
    time.sleep(moment_s)
    begun = len(terminal.said)
    press(terminal)
    status = terminal.ended()
    told = terminal.said[begun:]
    assert "Traceback" not in told, told
    assert "Exception" not in told, told
    assert told.count("croupier: stopped") == 1, told
    assert status == 130, told
    assert terminal.worked_on_s < WORK_S, told


# There, or not at all.
WHOLE = {
    "export": "night.jsonl",
    "keys": "keys.json",
    "ledger": "copy.db",
    "prove": "round.round-proof",
}


def test_every_command_is_stopped_here() -> None:
    names = {command.partition(":")[2].replace("_", "-") for command in COMMANDS}
    assert {*LONG, *SOON} == names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "table.toml").write_text(shipped_text("UTH-S"), "utf-8")
    return place


def left_in(folder: Path, *meant: str) -> list[str]:
    """What a stopped command has left beside what was there and what it keeps on purpose."""
    kept = re.compile(r"table\.toml|croupier(/.*)?|pit\.db.*|printed")
    found = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")))
    return [name for name in found if not kept.fullmatch(name) and name not in meant]


# Every command at its terminal; by a signal to the process those that have children.
ALIKE = ("strategy", "advise", "risk", "print", "desk")  # they end as solve, protect and play do
PRESSED = [
    pytest.param(command, Terminal.press_ctrl_c, marks=[PROVE] * (command in ALIKE))
    for command in LONG
]
PRESSED += [
    pytest.param("simulate", Terminal.signal),
    pytest.param("serve", Terminal.signal, marks=PROVE),
]


@pytest.mark.parametrize(("command", "press"), PRESSED)
def test_what_takes_long_ends_at_once(
    command: str, press: Callable[[Terminal], None], folder: Path, tmp_path: Path
) -> None:
    words, sign = LONG[command]
    with at_work(words, sign, folder, tmp_path / "cache") as terminal:
        assert WAITED.get(command, "") in terminal.said
        stopped(terminal, press, 0.5)
    assert left_in(folder) == []
    assert [*(tmp_path / "cache").glob("*.npz.*")] == []


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("exposure uth", "looking for the dearest round"),
        ("deal --round 900", "dealing the rounds before"),
    ],
)
def test_a_wait_is_shown(words: str, sign: str, folder: Path) -> None:
    with at_work(words, sign, folder) as terminal:
        stopped(terminal, Terminal.press_ctrl_c)


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("simulate uth --rounds 90,000,000,000", "dealing "),
        pytest.param(
            *("simulate four-card --rounds 90,000,000,000 --csv out.csv --svg .", "dealing "),
            marks=PROVE,
        ),
        pytest.param(
            *("simulate uth --rounds 900,000,000 --hours 4 --workers 2", "dealing "),
            marks=PROVE,
        ),
    ],
)
def test_kernels_on_every_core_end_at_once(words: str, sign: str, folder: Path) -> None:
    with at_work(words, sign, folder) as terminal:
        stopped(terminal, Terminal.press_ctrl_c, 0.5)
    assert left_in(folder) == []


@pytest.mark.parametrize(
    "moment_s", [pytest.param(0.0, marks=PROVE), 0.2, pytest.param(0.7, marks=PROVE)]
)
@pytest.mark.parametrize("command", [*SOON, *(pytest.param(name, marks=PROVE) for name in MORE)])
def test_whatever_it_does_it_ends_at_once_or_is_done(
    command: str, moment_s: float, folder: Path
) -> None:
    """From the first moment on, while it is still being loaded."""
    terminal = Terminal(with_a_night((SOON | MORE)[command], folder.parent).split(), folder)
    try:
        terminal.until_it_obeys()
        time.sleep(moment_s)
        terminal.press_ctrl_c()
        status = terminal.ended()
    finally:
        terminal.close()
    assert status in (0, 1, 130), terminal.said[-500:]
    assert "Traceback" not in terminal.said, terminal.said[-500:]
    assert terminal.said.count("croupier: stopped") == (status == 130)
    assert status != 130 or terminal.worked_on_s < WORK_S
    assert left_in(folder, WHOLE.get(command, "")) == []


LAST_MOMENT = """
import os, signal, sys
from croupier.cli import main

class Last:
    def __del__(self, kill=os.kill, who=os.getpid(), what=signal.SIGINT):
        kill(who, what)

last = Last()
sys.argv = ["croupier", "rules"]
sys.exit(main())
"""


def test_what_has_answered_is_not_stopped_any_more() -> None:
    """When the interpreter takes itself apart, the handlers of signals are gone already."""
    done = subprocess.run([sys.executable, "-c", LAST_MOMENT], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("moment_s", [0.5, *(pytest.param(s, marks=PROVE) for s in (2.0, 4.0))])
def test_documents_are_whole_whenever_it_ends(moment_s: float, folder: Path) -> None:
    """While figures are read, charts drawn, pages set and files written."""
    terminal = Terminal(
        ["print", "table.toml", "--out", "printed", "--only", "mathematics"], folder
    )
    try:
        terminal.until_it_obeys()
        time.sleep(moment_s)
        terminal.press_ctrl_c()
        status = terminal.ended()
    finally:
        terminal.close()
    assert status in (0, 130), terminal.said[-500:]
    assert "Traceback" not in terminal.said, terminal.said[-500:]
    printed = {path.name for path in (folder / "printed").glob("*")}
    assert {Path(name).suffix for name in printed} <= {".pdf", ".html", ".svg"}
    assert [name for name in printed if name.startswith(".")] == []


def test_a_prompt_ends_at_once(folder: Path) -> None:
    """Who leaves in the middle of a round has it finished by the house, and is told."""
    with at_work("play --terminal --seed 5", "Enter deals", folder) as terminal:
        stopped(terminal, Terminal.press_ctrl_c)
    assert "leave with $1,000" in terminal.said


@pytest.mark.parametrize("gives_up", ["y", "Ctrl-C"])
def test_a_hand_is_not_given_up_unasked(gives_up: str, folder: Path) -> None:
    with at_work("play --terminal --seed 5 --seats 1", "Enter deals", folder) as terminal:
        for times, press in enumerate((Terminal.press_ctrl_c, Terminal.type_q), 1):
            # The wagers the first time, then this very question.
            terminal.type("")
            terminal.until("\n> ", 2 * times)
            press(terminal)
            terminal.until("\n> ", 2 * times + 1)
        assert terminal.said.count(GIVE_UP) == 2
        if gives_up == "y":
            terminal.type("y")
            assert terminal.ended() == 0
        else:
            stopped(terminal, Terminal.press_ctrl_c)
    assert "You leave during a round" in terminal.said


def test_a_second_ctrl_c_changes_nothing(folder: Path, tmp_path: Path) -> None:
    with at_work("solve uth --no-cache", "compiles", folder, tmp_path / "cache") as terminal:

        def twice(terminal: Terminal) -> None:
            terminal.press_ctrl_c()
            time.sleep(0.05)
            terminal.press_ctrl_c()

        stopped(terminal, twice, 0.5)


def test_being_asked_to_end_is_success(folder: Path) -> None:
    """A service that its supervisor ends has not failed."""
    with at_work("serve --port 0 --ledger pit.db", "tables at", folder) as terminal:
        terminal.process.terminate()
        assert terminal.ended() == 0
    assert "stopped" not in terminal.said


# Files


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"

    def half() -> None:
        with disk.whole_file(out) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert [*tmp_path.iterdir()] == []
    out.write_bytes(b"before")
    out.chmod(0o600)
    with disk.whole_file(out) as file:
        file.write(b"whole")
        assert out.read_bytes() == b"before"
    assert (out.read_bytes(), out.stat().st_mode & 0o777) == (b"whole", 0o600)
    assert [*tmp_path.iterdir()] == [out]


def test_a_new_file_takes_nobodys_place(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    with disk.whole_file(out, is_new=True) as file:
        file.write(b"mine")
    with pytest.raises(FileExistsError), disk.whole_file(out, is_new=True):
        pass
    late = tmp_path / "late.txt"
    with pytest.raises(FileExistsError), disk.whole_file(late, is_new=True):
        late.write_bytes(b"somebody was faster")
    assert late.read_bytes() == b"somebody was faster"
    assert sorted(tmp_path.iterdir()) == [late, out]


def test_a_link_and_a_pipe_stay_what_they_are(tmp_path: Path) -> None:
    out, link, pipe = tmp_path / "out.txt", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(out)
    with disk.whole_file(link) as file:
        file.write(b"through")
    assert (link.is_symlink(), out.read_bytes()) == (True, b"through")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with disk.whole_file(pipe) as file:
        file.write(b"flows")
    assert os.read(reader, 9) == b"flows"
    os.close(reader)


def test_what_is_unfinished_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").write_bytes(b"")
    with disk.unfinished(folder), disk.whole_file(tmp_path / "out") as file:
        file.write(b"half")
        disk.remove_unfinished()
        assert [*tmp_path.iterdir()] == []
        Path(file.name).write_bytes(b"for the end of the block, which gives it its name")


def test_an_interrupt_of_a_caller_is_his_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever calls a command from Python keeps his process."""
    before = signal.getsignal(signal.SIGINT)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.cli.program._called", interrupted)
    assert main(["rules"]) == 130
    assert capsys.readouterr().err == "croupier: stopped\n"
    assert signal.getsignal(signal.SIGINT) is before
