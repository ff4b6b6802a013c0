"""Optional packages: what runs without them, and the one sentence of what does not."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from croupier.extras import CLUSTER, DOCUMENTS, EXTRAS, KERNELS, POSTGRESQL, Extra, require
from croupier.facts.errors import Unavailable
from tests.audit.log.log_files import the_files
from tests.audit.nights import the_night
from tests.cli.ledger_commands import Ran, run, sentence

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
POSTGRES = "postgresql://nobody@127.0.0.1:1/pit"
# The modules that import an optional package as they begin; who imports them has required it.
BEHIND = [
    "croupier.ledger.recordings.postgres_index",
    *(f"croupier.ledger.store.{name}" for name in ("postgres", "shared_postgres", "timeouts")),
]


def without_extras(commands: list[list[object]]) -> tuple[list[Ran], list[str]]:
    told = subprocess.run(
        [sys.executable, "-m", "tests.without_extras"],
        input=json.dumps(commands, default=str),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    answer: dict[str, Any] = json.loads(told.stdout)
    return [Ran(*each) for each in answer["ran"]], answer["unimportable"]


def test_the_core_plays_settles_solves_and_audits(tmp_path: Path) -> None:
    for name, content in the_files().items():
        (tmp_path / name).write_bytes(content)
    night: list[object] = ["audit", tmp_path / "wrong.jsonl", "--submission", tmp_path / "uth.toml"]
    commands: list[list[object]] = [
        ["settle", "--example"],
        ["solve", "uth"],
        ["solve", "four-card", "--json"],
        ["advise", "uth", "Ah Kd"],
        ["advise", "uth", "Ah Kd", "--board", "2c 7d Ks"],
        ["play", "--terminal", "--example"],
        ["audit", tmp_path / "fcp.jsonl", "--submission", tmp_path / "fcp.toml"],
        ["print", "--help"],
        [*night, "--json"],
    ]
    ran, unimportable = without_extras(commands)
    assert [each.status for each in ran] == [0, 0, 0, 0, 0, 0, 0, 0, 1], ran
    assert "kept, proved by" in ran[1].out
    assert "Everything is as it must be." in ran[6].out
    assert ran[-1].document["findings"] == run(*night, "--json").document["findings"]
    assert unimportable == BEHIND


def test_what_needs_a_package_names_it_in_one_sentence(tmp_path: Path) -> None:
    for name, content in the_files().items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "own.keys").write_text("", "utf-8")
    needing: list[tuple[Extra, list[object]]] = [
        (KERNELS, ["simulate", "uth", "--rounds", "1000"]),
        (KERNELS, ["solve", "uth", "--no-cache"]),
        (KERNELS, ["strategy", "uth-simple"]),
        (KERNELS, ["risk", "uth", "--ante", "10"]),
        (KERNELS, ["advise", "uth", "Kd Kc", "--dead", "2c"]),
        (KERNELS, ["protect", "uth", "--knows", "flop"]),
        (KERNELS, ["audit", tmp_path / "fcp.jsonl", "--screen"]),
        (DOCUMENTS, ["print", "--rulebook", "UTH-S", "--out", tmp_path / "documents"]),
        (DOCUMENTS, ["audit", tmp_path / "fcp.jsonl", "--pdf", tmp_path / "audit.pdf"]),
        (POSTGRESQL, ["audit", POSTGRES]),
        (POSTGRESQL, ["serve", "--ledger", POSTGRES, "--keys", tmp_path / "own.keys"]),
        (POSTGRESQL, ["ledger", "show", POSTGRES]),
        (POSTGRESQL, ["ledger", "restore", the_night().file, POSTGRES]),
    ]
    ran, _ = without_extras([command for _, command in needing])
    for each, (extra, command) in zip(ran, needing, strict=True):
        assert sentence(each) == missing(extra), command
    assert not (tmp_path / "audit.pdf").exists()


def missing(extra: Extra) -> str:
    install = f'pip install "croupier[{extra.name}]", or make extras in the project\'s folder'
    return f"{extra.needs}, which is not installed: {install}"


def test_a_cluster_is_named_before_anything_is_dealt() -> None:
    asked = ["simulate", "uth", "--rounds", "1000", "--cluster", "tcp://127.0.0.1:1"]
    told = subprocess.run(
        [sys.executable, "-m", "tests.without_extras", CLUSTER.module],
        input=json.dumps([asked]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert sentence(Ran(*json.loads(told.stdout)["ran"][0])) == missing(CLUSTER)


def test_a_package_that_is_there_and_does_not_load_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_package.py").write_text("raise ImportError('libpq is missing')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    broken = Extra("postgresql", "half_a_package", "a ledger on PostgreSQL needs psycopg")
    with pytest.raises(Unavailable, match=r"does not load here \(libpq is missing\): pip install"):
        require(broken)


def test_every_extra_can_be_installed_and_none_is_in_the_core() -> None:
    offered = PROJECT["optional-dependencies"]
    assert {*offered} == {extra.name for extra in EXTRAS} | {"all"}
    for extra in EXTRAS:
        assert any(need.startswith(extra.module) for need in offered[extra.name])
        assert not any(need.startswith(extra.module) for need in PROJECT["dependencies"])
        assert extra.name in offered["all"][0]
        assert f"\n{extra.module}==" not in pins("run.txt")
        assert f"\n{extra.module}==" in pins("extras.txt")


def pins(file: str) -> str:
    return (ROOT / "requirements" / file).read_text("utf-8")
