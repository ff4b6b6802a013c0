"""Somebody who follows a page to the letter, in a folder of their own."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path

from croupier.cli import main
from tests.docs import bring
from tests.docs.blocks import ROOT, Block, Step, blocks, steps
from tests.server.service import QUICK
from tests.submission.forms import with_line

SCREEN = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
PATIENCE_S = 120
PAGE_PORT = "8000"
BRING = ["python", "-m", bring.__name__]
TOOLS = ".venv/bin/"
EVERYBODY, HERE = "0.0.0.0", "127.0.0.1"  # a test opens no door to the network
# How a command ends is what its answer says, from the start of a line; 0 where it says none of it.
ENDINGS = {
    r"croupier: ": 2,
    r".* has \d+ errors?\b": 1,
    r".*\b(\d+ differences?|tests? failed)\b": 1,
}
# These run until the page ends.
SERVICES = re.compile(r"\bcroupier (serve\b|play(?! --terminal))|^dask (scheduler|worker)\b")
# What is another each time, and is read from here on where the page shows an example of it.
FLEETING = (
    r"setup code: (\S+)",
    r"(sit/\S+)",
    r"verifier key is (\S+)",
    r"(?:Scheduler at|Registered to):[ .]+(tcp://[0-9.]+:[0-9]+)",
)
# A command that only a shell understands is given to one; the others are called where we stand.
SHELL = re.compile(r"[|<>&;*$`]|\bcd\b")


class Reader:
    """Runs a page from the top; ``place`` is the empty folder it is read in."""

    def __init__(self, place: Path, *, slowly: bool = False) -> None:
        self._place, self._slowly = place, slowly
        self._port = _free_port()
        self._learned: dict[str, str] = {PAGE_PORT: self._port, EVERYBODY: HERE}
        self._names: dict[str, object] = {}
        self._running: list[subprocess.Popen[str]] = []
        self._environment = (
            os.environ
            | SCREEN
            | QUICK
            | {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "CROUPIER_PORT": self._port,
                "XDG_DATA_HOME": str(place / ".data"),
                "XDG_CONFIG_HOME": str(place / ".config"),
                "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
                "PWD": str(place.resolve()),
            }
        )

    def read(self, page: Path) -> int:
        """Everything on the page, in order; how many blocks were run."""
        done = 0
        with self._here():
            for block in blocks(page.read_text("utf-8")):
                if self._slowly or not block.slow:
                    try:
                        self._follow(block)
                    except AssertionError as error:
                        raise AssertionError(f"{page.name}, line {block.line}: {error}") from error
                    done += 1
        return done

    @contextlib.contextmanager
    def _here(self) -> Iterator[None]:
        before, self._place = Path.cwd(), self._place.resolve()
        kept = dict(os.environ)
        os.environ.update(self._environment)
        os.chdir(self._place)
        try:
            yield
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(kept)
            for service in self._running:
                service.send_signal(signal.SIGTERM)
                service.wait(PATIENCE_S)
            for thing in self._names.values():  # a database that the page started
                getattr(thing, "cleanup", lambda: None)()

    def _follow(self, block: Block) -> None:
        text = self._as_learned(block.text)
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(text + "\n", "utf-8")
        if block.edit:
            _edit(Path(block.edit), text)
        if block.language == "toml":
            tomllib.loads(text)
        elif block.language == "json":
            json.loads(text)
        elif block.language == "python" and not block.file:
            self._python(text)
        elif block.language in ("console", "sh"):
            for step in steps(block):
                self._run(step)

    def _python(self, text: str) -> None:
        if ">>>" in text:
            out = io.StringIO()
            test = doctest.DocTestParser().get_doctest(text, self._names, "page", None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            with warnings.catch_warnings():  # such as of a user without a runtime folder
                warnings.simplefilter("ignore")
                runner.run(test, out=out.write, clear_globs=False)
            self._names = test.globs
            assert not runner.failures, out.getvalue()
        else:
            exec(compile(text, "page", "exec"), self._names)

    def _run(self, step: Step) -> None:
        command, shown = self._as_learned(step.command), step.shown or ""
        if SERVICES.search(command):
            self._serve(command, shown)
            return
        code, came = self._ran(command)
        due = ending(shown)
        assert code == due, f"{command} ended with {code}, not {due}:\n{came}"
        self._learn(shown, came)
        if step.shown is not None:
            assert_fits(self._as_learned(shown), came, command)

    def _learn(self, shown: str, came: str) -> None:
        """What really came stands from here on where the page shows an example of it."""
        for words in FLEETING:
            example, found = (re.search(words, text) for text in (shown, came))
            if example and found and example[1] != "...":
                self._learned[example[1]] = found[1]

    def _ran(self, command: str) -> tuple[int, str]:
        """How it ended, and its answer; where it has none, what it complained of."""
        words = shlex.split(command, comments=True)
        if words[0] == "export":
            self._export(words[1:])
            return 0, ""
        if words[:3] == BRING:
            return bring.main(words[3:]), ""
        if words[0] == "make":
            return self._in_a_shell(shlex.join(_in_the_clone(words)))
        if words[0].startswith(TOOLS):
            return 0, _looked_up(words)
        if words[0] == "croupier" and not SHELL.search(command):
            out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(words[1:])
            return code, _said(out) or _said(err)
        return self._in_a_shell(command)

    def _in_a_shell(self, command: str) -> tuple[int, str]:
        ran = subprocess.run(
            ["bash", "-c", command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self._environment,
            text=True,
            timeout=PATIENCE_S,
        )
        return ran.returncode, ran.stdout or ran.stderr

    def _export(self, words: list[str]) -> None:
        """As in the shell that people keep open while they follow a page."""
        for word in words:
            name, _, value = word.partition("=")
            self._environment[name] = os.environ[name] = os.path.expandvars(value)

    def _serve(self, command: str, shown: str) -> None:
        """Until it has said what the page shows; it is stopped at the end of the page."""
        said = self._place / f"service-{len(self._running)}.txt"
        with said.open("w", encoding="utf-8") as out:
            service = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=self._environment,
                text=True,
            )
        self._running.append(service)
        until_s = time.monotonic() + PATIENCE_S
        while True:
            came = said.read_text("utf-8")
            self._learn(shown, came)
            if fits(self._as_learned(shown), came):
                return
            assert service.poll() is None, f"{command} ended:\n{came}"
            assert time.monotonic() < until_s, f"{command} never said\n{shown}but\n{came}"
            time.sleep(0.1)

    def _as_learned(self, text: str) -> str:
        for shown, real in self._learned.items():
            text = text.replace(shown, real)
        return text


def _in_the_clone(words: list[str]) -> list[str]:
    """A task of the project: `make play` is done, others are only looked up; nothing is set up."""
    make, *tasks = words
    how = [] if tasks == ["play"] else ["--dry-run"]
    return [make, "-C", str(ROOT), "--assume-old=.venv/ready", *how, *tasks]


def _looked_up(words: list[str]) -> str:
    """A tool of the project that takes its time: it is there, and so is what it is given."""
    assert shutil.which(words[0].removeprefix(TOOLS)), f"there is no {words[0]}"
    for word in words[1:]:
        assert word.startswith("-") or (ROOT / word).exists(), f"there is no {word}"
    return ""


def _edit(file: Path, lines: str) -> None:
    """Change these lines of the file, each in its table; a line with a new name is added."""
    written, table = file.read_text("utf-8"), ""
    for line in lines.splitlines():
        name, equals, value = line.partition(" = ")
        if equals:
            written = with_line(written, table, name, value)
        else:
            table = line.strip("[] ")
    file.write_text(written, "utf-8")


def ending(shown: str) -> int:
    """The exit status of a command by what the page shows of its answer."""
    said = [code for words, code in ENDINGS.items() if re.search(words, shown, re.MULTILINE)]
    return said[0] if said else 0


def fits(shown: str, came: str) -> bool:
    """``...`` on the page stands for anything; the white space at the end of a line for nothing."""
    parts = (re.escape(part) for part in _even(shown).split("..."))
    return re.fullmatch("(?s:.*?)".join(parts), _even(came)) is not None


def assert_fits(shown: str, came: str, command: str) -> None:
    assert fits(shown, came), f"{command} shows on the page\n{shown}\nbut said\n{came}"


def _said(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def _even(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _free_port() -> str:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return str(door.getsockname()[1])
