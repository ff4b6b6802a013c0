"""``croupier design``: what it prints and what it refuses."""

from __future__ import annotations

import json

import pytest

from tests.cli.ledger_commands import run, sentence

ASKED = "design pair_plus --edge 2.2..2.4 --top 40"


def test_a_row_each_under_what_each_line_does() -> None:
    ran = run(*ASKED.split(), "--most", "3")
    assert ran.status == 0
    assert "paytables meet the targets, the nearest to pair_plus A of TCP-1 first" in ran.out
    assert "2.3167%  25.61%  2.911     0.000  40    30  6  4  1" in ran.out
    assert len(ran.out.splitlines()) == 1 + 1 + 6 + 1 + 4


def test_the_document_has_all_of_them() -> None:
    told = json.loads(run(*ASKED.split(), "--json").out)
    assert told["there_are"] == len(told["paytables"])
    assert told["paytables"][0]["lines"]["pair"] == "1 to 1"
    assert told["sensitivity"]["pair"]["edge"] == -told["sensitivity"]["pair"]["chance"]


def test_where_nothing_meets_the_targets_the_answer_is_no() -> None:
    asked = "design pair_plus --edge 2.2..2.2000001 --top 40 --hits as-is"
    ran = run(*asked.split())
    assert ran.status == 1
    assert ran.out.startswith("0 paytables meet the targets")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--edge 3..2", '"3..2" is not an edge; write it from low to high, like 1.8..2.2'),
        ("--edge two", '"two" is not an edge'),
        ("--edge 1..2 --volatility x", '"x" is not a volatility'),
        ("--edge 1..2 --top 0", "a line pays 1 to 100,000 for one, not 0"),
        ("--edge 1..2 --most 0", "can be shown, not 0"),
        ("--edge 1..2 --stake 0", "nothing is staked"),
        ("--edge 1..2 --rate x", '"x" is no rate'),
        ("--edge 1..2 --seats 9", "a table has 1 to 7 boxes, not 9"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: str, why: str) -> None:
    assert why in sentence(run("design", "pair_plus", *words.split()))
