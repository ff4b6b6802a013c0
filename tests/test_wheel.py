"""The wheel: everything is in it, and it runs in an empty environment on each Python there is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.audit.log.log_files import the_files
from tests.test_house_rules import PACKAGE, ROOT, files

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
DOCUMENT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (built,) = WheelBuilder(str(ROOT)).build(
        directory=str(tmp_path_factory.mktemp("dist")), versions=["standard"]
    )
    return Path(built)


def test_every_file_of_the_package_is_in_the_wheel_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    about = {name for name in names if ".dist-info/" in name}
    assert names - about == {path.relative_to(ROOT / "src").as_posix() for path in files(PACKAGE)}
    assert {Path(name).name for name in about} == {
        *("METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE")
    }


def test_the_wheel_says_what_the_project_does(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        (place,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
        said = Parser().parsestr(opened.read(place).decode())
    project = DOCUMENT["project"]
    assert (said["Name"], said["Version"]) == (project["name"], project["version"])
    assert set(said.get_all("Provides-Extra", [])) == {*project["optional-dependencies"]}
    python = "Programming Language :: Python :: "
    told = [each for each in said.get_all("Classifier", []) if each.startswith(python)]
    assert told == [f"{python}{version}" for version in VERSIONS]


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = next(line for line in text.splitlines() if line.startswith("## "))
    assert first.removeprefix("## ").split(",")[0] == DOCUMENT["project"]["version"]


def test_outsiders_ci_tries_every_python_that_is_promised() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert f"python-version: {json.dumps(VERSIONS)}" in text


def pythons() -> list[str]:
    """Those that can be started here, the one that runs this among them."""
    own = Path.home() / ".pyenv" / "versions"
    named = [shutil.which(f"python{version}") or "" for version in VERSIONS]
    kept = [str(next(iter(own.glob(f"{v}*/bin/python")), "")) for v in VERSIONS if own.is_dir()]
    found: dict[str, str] = {}
    for python in (sys.executable, *named, *kept):
        if python and (version := _version(python)) in VERSIONS:
            found.setdefault(version, python)
    return list(found.values())


def _version(python: str) -> str:
    said = "import ensurepip, sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run(
        [python, "-c", said], capture_output=True, text=True, check=False
    ).stdout.strip()


@pytest.mark.prove
def test_the_wheel_runs_in_an_empty_environment_on_each_python(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "fcp.jsonl").write_bytes(the_files()["fcp.jsonl"])
    (tmp_path / "fcp.toml").write_bytes(the_files()["fcp.toml"])
    tried = pythons()
    assert tried
    for python in tried:
        croupier = installed(python, wheel, tmp_path / _version(python))
        for words, shown in {
            "--version": DOCUMENT["project"]["version"],
            "settle --example": "This round is written in",
            "solve uth": "kept, proved by",
            "advise uth AhKd --board 2c7dKs": "249973/118910",
            "play --terminal --example": "You played 1 round",
            "audit fcp.jsonl --submission fcp.toml": "Everything is as it must be.",
        }.items():
            ran = alone([str(croupier), *words.split()], tmp_path)
            assert (ran.returncode, ran.stderr) == (0, ""), (python, words, ran)
            assert shown in ran.stdout, (python, words, ran.stdout)
        ran = alone([str(croupier), "print", "--rulebook", "UTH-S", "--out", "p"], tmp_path)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert 'pip install "croupier[documents]"' in ran.stderr


def installed(python: str, wheel: Path, place: Path) -> Path:
    """The command of a fresh environment with the pinned core and the wheel."""
    subprocess.run([python, "-m", "venv", place], check=True)
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    pip: list[str | Path] = [scripts / "python", "-m", "pip", "install", "--quiet"]
    pins = ROOT / "requirements" / "run.txt"
    subprocess.run([*pip, "--only-binary", ":all:", "--require-hashes", "-r", pins], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    return scripts / "croupier"


def alone(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run in a folder that knows nothing of the project, with caches of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    homes = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=folder,
        env=kept | homes | {"COLUMNS": "120"},
        check=False,
    )


@pytest.mark.prove
def test_the_package_asks_nothing_that_windows_lacks(tmp_path: Path) -> None:
    """The type checker reads the standard library as it is there, on the oldest Python."""
    there = ["--platform", "win32", "--python-version", VERSIONS[0], "--cache-dir", str(tmp_path)]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *there, "src"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
