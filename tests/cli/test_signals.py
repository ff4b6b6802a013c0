"""Ctrl-C, as a terminal sends it: every command that takes long ends, with 130 and one sentence.

Real processes on a terminal of their own are asked to stop once they say that they are at work. How
long a test waits is only a limit for what never ends.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier import disk
from croupier.cli import COMMANDS, main
from croupier.cli.practice.terminal import GIVE_UP
from croupier.submission.check import shipped_text
from tests.audit.nights import the_night

LIMIT_S = 120  # a machine may be busy with other things
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
CTRL_C = b"\x03"
PROVE = pytest.mark.prove


class Terminal:
    """A command on a terminal: what it says there, and the Ctrl-C of who sits before it."""

    def __init__(self, words: list[str], folder: Path, cache: Path | None = None) -> None:
        self._ours, theirs = pty.openpty()
        self.said = ""
        home = dict(
            os.environ,
            XDG_DATA_HOME=str(folder),
            XDG_CONFIG_HOME=str(folder),
            TERM="xterm",
            COLUMNS="100",
            CROUPIER_SELF_CHECK="false",  # it has tests of its own
        )
        if cache is not None:
            home["CROUPIER_CACHE"] = str(cache)

        def take_the_terminal() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [sys.executable, "-m", "croupier", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=home,
            start_new_session=True,
            preexec_fn=take_the_terminal,
        )
        os.close(theirs)

    def until(self, sign: str, times: int = 1) -> None:
        """Wait until this was said so many times."""
        deadline = time.monotonic() + LIMIT_S
        while self.said.count(sign) < times:
            assert self.process.poll() is None, self.said[-500:]
            assert time.monotonic() < deadline, self.said[-500:]
            self._listen(0.1)

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def type_q(self) -> None:
        self.type("q")

    def press_ctrl_c(self) -> None:
        """To the whole group of processes, as the driver of a terminal does."""
        os.write(self._ours, CTRL_C)

    def signal(self) -> None:
        """To the process alone."""
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        deadline = time.monotonic() + LIMIT_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.said[-500:]
            self._listen(0.05)
        self._listen(0)
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _listen(self, seconds: float) -> None:
        while select.select([self._ours], [], [], seconds)[0]:
            try:
                heard = os.read(self._ours, 65536)
            except OSError:
                return  # nobody is at the other end any more
            if not heard:
                return
            self.said += CONTROL.sub("", heard.decode("utf-8", "replace"))
            seconds = 0


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


NIGHT, KEYS = "NIGHT", "KEYS"

# By command: what takes long, and the sign that it is at work. With an empty cache whatever is
# compiled is being compiled then.
LONG = {
    "solve": ("solve uth --no-cache", "compiles"),
    "simulate": ("simulate uth --rounds 90,000,000,000", "compiles"),
    "strategy": ("strategy uth-simple --no-cache", "compiles"),
    "advise": ("advise uth KdKc --no-cache", "compiles"),
    "protect": ("protect uth --knows dealers", "compiles"),
    "risk": ("risk uth --ante 25 --wager bad_beat=5", "compiles"),
    "print": ("print table.toml --out printed", "compiles"),
    "collect-deals": ("collect-deals --count 9000000 --out decks.txt", "shuffling"),
    "collect-raw": ("collect-raw --bytes 90000000000 --out raw.bin", "collecting"),
    "lab": ("lab --decks 3000000", "shuffling"),
    "play": ("play --no-browser --port 0", "Ctrl-C ends the evening"),
    "serve": ("serve --port 0 --ledger pit.db", "tables at"),
    "desk": ("desk --no-browser", "Ctrl-C closes it"),
}
# What is shown while a service is not there yet.
WAITED = {"play": "setting up the room", "serve": "opening the pit", "desk": "setting up the desk"}
# These answer soon, and are stopped wherever they happen to be.
SOON = {
    "audit": f"audit {NIGHT}",
    "books": f"books {NIGHT} --theory",
    "check": "check table.toml",
    "completion": "completion bash",
    "deal": "deal --round 900",
    "design": "design pair_plus --edge 2..3 --top 40",
    "export": f"export {NIGHT} --out night.jsonl",
    "exposure": "exposure uth",
    "find": f"find {NIGHT}",
    "keys": "keys new --file keys.json",
    "ledger": f"ledger backup {NIGHT} copy.db",
    "prove": f"prove {NIGHT} 1 --table 1 --keys {KEYS} --out round.round-proof",
    "replay": f"replay {NIGHT} 1 --table 1",
    "rules": "rules",
    "settle": "settle --example",
    "verify": f"verify {NIGHT} 1 --table 1",
}
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
@pytest.mark.parametrize("command", list(SOON))
def test_what_answers_soon_ends_at_once_or_is_done(
    command: str, moment_s: float, folder: Path
) -> None:
    """From the first moment on, while it is still being loaded."""
    night, words = the_night(), SOON[command]
    for called, file in ((NIGHT, night.file), (KEYS, night.keys)):
        words = words.replace(called, str(shutil.copy2(file, folder.parent)))
    terminal = Terminal(words.split(), folder)
    try:
        _until_it_obeys(terminal)
        time.sleep(moment_s)
        terminal.press_ctrl_c()
        status = terminal.ended()
    finally:
        terminal.close()
    assert status in (0, 1, 130), terminal.said[-500:]
    assert "Traceback" not in terminal.said, terminal.said[-500:]
    assert terminal.said.count("croupier: stopped") == (status == 130)
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
        _until_it_obeys(terminal)
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


def _until_it_obeys(terminal: Terminal) -> None:
    """Until the program has taken the signal; before that it is the interpreter that starts."""
    status, caught = Path(f"/proc/{terminal.process.pid}/status"), 1 << (signal.SIGINT - 1)
    deadline = time.monotonic() + LIMIT_S
    handled_by_python = 0
    while handled_by_python < 2 and terminal.process.poll() is None:
        masks = dict(line.split(":", 1) for line in status.read_text().splitlines())
        threads = int(masks["Threads"])
        handled_by_python = threads if int(masks["SigCgt"], 16) & caught else 0
        assert time.monotonic() < deadline


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
