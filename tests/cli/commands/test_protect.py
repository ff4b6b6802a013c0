"""``croupier protect``: its documents, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest

from croupier.cli import main

pytestmark = pytest.mark.prove
ASKED = ("protect", "three-card", "--knows", "dealer")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*ASKED, *words]) == 0
    return capsys.readouterr().out


def test_the_document_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "--json"))
    assert Fraction(told["ev_exact"]) - Fraction(told["honest_ev_exact"]) == Fraction(
        told["gain_exact"]
    )
    assert sum(map(Fraction, told["actions_exact"].values())) == 1
    assert round(told["standard_deviation"], 4) == 1.7417
    gains = [line["gain"] for line in told["changes"]]
    assert gains == sorted(gains, reverse=True)
    # All that knowing brings in a game of one decision, it brings by decisions that change.
    assert sum(gains) == pytest.approx(told["gain"])
    assert [line["known"] for line in told["by_known"]] == list("23456789TJQKA")
    (first, *_), rounds = told["telling"], [line["of_rounds"] for line in told["telling"]]
    assert (first["known"], first["hand"], first["best"]) == ("A", "king high", {"fold": 1})
    assert rounds == sorted(rounds, reverse=True)


def test_every_line_is_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--csv"))))
    assert sum(float(row["chance"]) for row in rows) == pytest.approx(1)
    assert {"known": "A", "hand": "king high", "best": "fold", "honest": "1x"}.items() <= next(
        row for row in rows if (row["known"], row["hand"]) == ("A", "king high")
    ).items()
