"""Commands on a terminal of their own, what each is asked, and the Ctrl-C of who sits before it."""

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
from contextlib import suppress
from pathlib import Path

from tests.audit.log.logs import good_log, written
from tests.audit.nights import the_night

LIMIT_S = 120  # a machine may be busy with other things
WORK_S = 1.0  # of the processor's time, which is the same however busy the machine is
TICKS = os.sysconf("SC_CLK_TCK")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
CTRL_C = b"\x03"


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
        self._worked_s = self._pressed_s = 0.0

    def until(self, sign: str, times: int = 1) -> None:
        """Wait until this was said so many times."""
        deadline = time.monotonic() + LIMIT_S
        while self.said.count(sign) < times:
            assert self.process.poll() is None, self.said[-500:]
            assert time.monotonic() < deadline, self.said[-500:]
            self.listen(0.1)

    def until_it_obeys(self) -> None:
        """Until the program has taken the signal; before that it is the interpreter that starts."""
        status, caught = Path(f"/proc/{self.process.pid}/status"), 1 << (signal.SIGINT - 1)
        deadline = time.monotonic() + LIMIT_S
        handled_by_python = 0
        while handled_by_python < 2 and self.process.poll() is None:
            masks = dict(line.split(":", 1) for line in status.read_text().splitlines())
            threads = int(masks["Threads"])
            handled_by_python = threads if int(masks["SigCgt"], 16) & caught else 0
            assert time.monotonic() < deadline

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def type_q(self) -> None:
        self.type("q")

    def press_ctrl_c(self) -> None:
        """To the whole group of processes, as the driver of a terminal does."""
        self._note_work()
        self._pressed_s = self._worked_s
        os.write(self._ours, CTRL_C)

    def signal(self) -> None:
        """To the process alone."""
        self._note_work()
        self._pressed_s = self._worked_s
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        deadline = time.monotonic() + LIMIT_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.said[-500:]
            self._note_work()
            self.listen(0.05)
        self.listen(0)
        return self.process.returncode

    @property
    def worked_on_s(self) -> float:
        """How long its threads were at work after the last Ctrl-C, until just before its end."""
        return self._worked_s - self._pressed_s

    def _note_work(self) -> None:
        with suppress(OSError):  # it is gone
            told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            self._worked_s = (int(told[11]) + int(told[12])) / TICKS

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def listen(self, seconds: float) -> None:
        while select.select([self._ours], [], [], seconds)[0]:
            try:
                heard = os.read(self._ours, 65536)
            except OSError:
                return  # nobody is at the other end any more
            if not heard:
                return
            self.said += CONTROL.sub("", heard.decode("utf-8", "replace"))
            seconds = 0


NIGHT, KEYS, LOG = "NIGHT", "KEYS", "LOG"

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
# Every game, every kernel at work, every pool, stopped wherever they happen to be.
MORE = {
    "solve four-card": "solve four-card --no-cache",
    "solve three-card": "solve three-card --no-cache",
    "solve casino-holdem": "solve casino-holdem --no-cache",
    "solve texas-holdem-bonus": "solve texas-holdem-bonus --no-cache",
    "simulate four-card": "simulate four-card --rounds 90,000,000,000",
    "simulate --hours": "simulate uth --rounds 900,000,000 --hours 4 --workers 2",
    "simulate texas-holdem-bonus": "simulate texas-holdem-bonus --rounds 90,000,000,000",
    "design blind": "design blind --edge 2.0..2.1 --top 500 --odds halves",
    "audit --statistics": f"audit {LOG} --statistics",
    "audit --as-played": f"audit {LOG} --as-played",
    "audit --screen": f"audit {LOG} --screen",
    "audit --self-test": f"audit {LOG} --self-test",
    "protect --shares": "protect uth --shares 3",
    "protect four-card": "protect four-card --knows dealer2",
    "play --terminal": "play --terminal --seed 5",
    "lab raw": "lab raw --bytes 90000000000 --out raw.bin",
}


def with_a_night(words: str, folder: Path) -> str:
    """The same with a copy of a kept night for the ledger that is asked about, or a long log."""
    if LOG in words:
        words = words.replace(LOG, str(written(folder / "log.jsonl", good_log("UTH-S", 500))))
    night = the_night()
    for called, file in ((NIGHT, night.file), (KEYS, night.keys)):
        if called in words:
            words = words.replace(called, str(shutil.copy2(file, folder)))
    return words
