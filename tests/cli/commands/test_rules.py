"""``croupier rules``: any clause looked up, the matrix with totals."""

from __future__ import annotations

import json

import pytest

from croupier.cli import main
from croupier.games.registry import the_registry


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_one_clause(capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(capsys, "UTH-S", "11.H(1)")
    assert told.startswith("UTH-S 11.H(1)  enforced")
    assert "--trace names them" in told
    assert told == asked(capsys, "uth-s 11.h(1)")
    assert "tests/table/settlement" in asked(capsys, "UTH-S 11.H(1)", "--trace")


def test_a_clause_whose_words_name_a_ruling_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Ruling 31: Jams and broken devices" in asked(capsys, "UTH-S", "13.H(2)")


def test_a_clause_and_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(asked(capsys, "UTH-S", "12.B(1)", "--json"))["UTH-S"]
    assert list(told) == ["12.B(1)", *(f"12.B(1)({letter})" for letter in "abcdefg")]
    assert told["12.B(1)(a)"]["says"] == ["paytables blind A: royal flush pays 500 to 1"]


def test_a_clause_of_every_book(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(json.loads(asked(capsys, "12.A", "--json"))) == ["UTH-S", "UTH-14", "FCP-14"]


def test_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    matrix = json.loads(asked(capsys, "--trace", "--json"))
    assert {book: len(rows) for book, rows in matrix.items()} == {
        "UTH-S": 535,
        "UTH-14": 357,
        "FCP-14": 407,
    }
    row = matrix["UTH-S"]["11.H(1)"]
    assert row["status"] == "enforced"
    assert row["code"]
    assert row["tests"]
    told = asked(capsys, "--trace").splitlines()
    assert told[-1].split() == ["clauses", "535", "357", "407", "1,299"]


def test_a_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    assert "flop" in asked(capsys, "ruling", "18")
    assert "18  The Ultimate Progressive hand" in asked(capsys, "rulings")
    assert len(json.loads(asked(capsys, "rulings", "--json"))) == 49


def test_a_book(capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(capsys, "uth-14")
    assert "12.B(2)" in told
    assert "3 to 2" in told
    assert [book["id"] for book in json.loads(asked(capsys, "--json"))] == list(
        the_registry().books
    )


def test_house_rules_are_told_as_such_and_traced_only_when_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "Three Card Poker, house rules, not regulated" in asked(capsys)
    assert asked(capsys, "TCP-1", "--trace").splitlines()[-1].split()[0] == "clauses"
    assert "TCP-1" not in asked(capsys, "--trace")


def test_a_paytable_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(capsys, "UTH-S", "blind", "B")
    assert [line.split() for line in told.splitlines()[1:4]] == [
        ["B", "12.B(2)"],
        ["royal", "flush", "500", "to", "1"],
        ["straight", "flush", "50", "to", "1"],
    ]
    assert "Who gets envy" in asked(capsys, "envy")
    assert main(["rules", "UTH-S", "blind", "Q"]) == 2
    assert "has no paytable q" in capsys.readouterr().err


def test_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(capsys, "lock-out")
    assert "UTH-S 2.C(2)" in told


def test_a_clause_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "UTH-S", "11.Q(1)"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert main(["rules", "UTH-S", "12.B(2)(g)"]) == 2
    assert "12.B(2) goes from 12.B(2)(a) to 12.B(2)(f)" in capsys.readouterr().err
    assert main(["rules", "18"]) == 2
    assert "croupier rules ruling 18" in capsys.readouterr().err
    assert main(["rules", "ruling", "50"]) == 2
    assert "1 to 49" in capsys.readouterr().err


def test_a_clause_of_conduct_names_the_act_and_no_number_of_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = asked(capsys, "UTH-S 3.B(3)")
    assert "procedure (stored)" in told
    assert "percent" not in told
    assert "%" not in told
    assert "from 100% of a meter" in asked(capsys, "FCP-14 11.D(10)(d)(i)")
    assert "order" in asked(capsys, "UTH-S 13.I(2)")
