"""The trial of one mutant: the tests that its clauses cite, until each clause has one that fails.

It runs in a forked child that has pytest and the other libraries loaded, and neither the package
nor any test of it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pytest

from tests.mutants.imports import import_from
from tests.mutants.mutant import PACKAGE, ROOT, TRACE

OPTIONS = (
    *("-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:xdist", "--rootdir", str(ROOT)),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # of libraries that the parent loaded
    *("-p", "no:unraisableexception"),  # it goes through everything in memory, twice
)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """``killed`` names for each clause the test that failed; ``files`` are what the trial read."""

    killed: dict[str, str] = {}
    alive: tuple[str, ...] = ()
    trouble: str = ""
    ran: int = 0
    files: tuple[str, ...] = ()

    @property
    def is_killed(self) -> bool:
        return not self.alive and not self.trouble


class Trial:
    """A pytest plugin that runs only what can still convict, the most special tests first."""

    def __init__(self, cited: Mapping[str, Iterable[str]], breadth: Mapping[str, int]) -> None:
        self.cited = {clause: frozenset(tests) for clause, tests in cited.items()}
        self.breadth = breadth
        self.killed: dict[str, str] = {}
        self.trouble = ""
        self.ran = 0

    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.tbstyle = "native"  # nobody reads a failure here, and this is the quickest

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        wanted = frozenset[str]().union(*self.cited.values())
        items[:] = [item for item in items if item.nodeid in wanted]
        items.sort(key=lambda item: (self.breadth.get(item.nodeid, 0), item.path))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.trouble:
            self.trouble = f"{report.nodeid} cannot be collected: {str(report.longrepr)[-300:]}"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:  # a file that cannot be collected proves nothing
            return True
        for item in session.items:
            if any(item.nodeid in tests for tests in self._open().values()):
                session._setupstate.teardown_exact(item)
                # What is shared in a module stays set up: the next test may be of it too.
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=item.parent)
                self.ran += 1
        session._setupstate.teardown_exact(None)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            for clause, tests in self._open().items():
                if report.nodeid in tests:
                    self.killed[clause] = report.nodeid

    def _open(self) -> dict[str, frozenset[str]]:
        return {c: tests for c, tests in self.cited.items() if c not in self.killed}


def tried(
    folder: Path, changed: str, cited: Mapping[str, Iterable[str]], breadth: Mapping[str, int]
) -> Verdict:
    """Run the trial with the package that stands in this folder, with one file changed."""
    os.environ |= {
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        "CI": "1",  # property tests then search the same way every time
    }
    sys.dont_write_bytecode = True
    import_from(folder, changed)
    trial = Trial(cited, breadth)
    files = sorted({test.partition("::")[0] for tests in cited.values() for test in tests})
    with contextlib.chdir(ROOT):
        status = pytest.main([*OPTIONS, *files], plugins=[trial])
    trouble = trial.trouble
    if not trouble and status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        trouble = f"pytest ended with {status!r}"
    return Verdict(
        killed=trial.killed,
        alive=tuple(clause for clause in cited if clause not in trial.killed),
        trouble=trouble,
        ran=trial.ran,
        files=tuple(sorted(_files_read(folder))),
    )


def _files_read(folder: Path) -> set[str]:
    """Every source that was imported, and the data that lies beside those of the package."""
    read = set()
    for module in list(sys.modules.values()):
        place = getattr(module, "__file__", None) or ""
        if place.startswith(str(folder)):
            inside = Path(place).relative_to(folder / PACKAGE.name)
            read.add(f"src/croupier/{inside.as_posix()}")
            read.update(_data_beside(PACKAGE / inside))
        elif place.startswith(str(ROOT / "tests")) and not _is_of_the_pool(place):
            read.add(Path(place).relative_to(ROOT).as_posix())
    return read


def _is_of_the_pool(place: str) -> bool:
    """Whether it only plants and counts: what is found does not depend on it."""
    return Path(place).parent == Path(__file__).parent and place != __file__


def _data_beside(source: Path) -> Iterable[str]:
    room = PACKAGE / source.relative_to(PACKAGE).parts[0]
    if not room.is_dir():
        return ()
    data = (".toml", ".json", ".txt", ".typ", ".html", ".tsv")
    found = (path for path in room.rglob("*") if path.suffix in data)
    # The trace says which tests are run; those are looked at by name.
    return (path.relative_to(ROOT).as_posix() for path in found if TRACE not in path.parents)
