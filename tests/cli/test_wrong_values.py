"""A wrong name or value of a wager, meter, paytable or stake: one sentence, and exit status 2."""

from __future__ import annotations

import pytest

from croupier.cli import main

HAND = ("Kd 5c", "--board", "Kh 8s 2d 7c 4h")
COMMANDS = {
    "solve": ("solve", "uth"),
    "advise": ("advise", "uth", *HAND),
    "strategy": ("strategy", "uth"),
    "simulate": ("simulate", "uth", "--rounds", "1"),
    "exposure": ("exposure", "uth"),
    "protect": ("protect", "uth", "--knows", "dealer"),
    "shares": ("protect", "uth", "--shares", "3"),
    "risk": ("risk", "uth", "--ante", "10"),
    "design": ("design", "trips", "--edge", "1.8..2.2"),
}
NO_AMOUNT = "is not an amount; write dollars like"
WRONG = [
    ("--paytable", "tripz=A", ("solve", "exposure", "protect", "risk"), "did you mean trips?"),
    ("--paytable", "trips=Z", ("solve", "exposure", "protect", "risk"), "choose one of A, B"),
    ("--paytable", "blind", ("solve", "advise", "strategy", "protect"), "write it like blind=B"),
    ("--paytable", "blind=none.toml", ("advise",), "none.toml: there is no such file"),
    ("--paytable", "blind=Z", ("strategy", "shares"), "choose one of A, B"),
    ("--stake", "tripz=5", ("solve", "simulate"), "did you mean trips?"),
    ("--stake", "trips", ("simulate",), "names no amount"),
    ("--stake", "trips=x", ("solve", "simulate"), NO_AMOUNT),
    ("--stake", "trips=5", ("solve",), "its stake changes nothing"),
    ("--stake", "progressive=3", ("solve",), "a Progressive wager is $1 or $5"),
    ("--stake", "x", ("design",), NO_AMOUNT),
    ("--stake", "0", ("design",), "write an amount over $0"),
    ("--wager", "tripz=1", ("solve", "risk"), "did you mean trips?"),
    ("--wager", "trips", ("solve", "risk"), "names no amount"),
    ("--wager", "trips=x", ("solve", "risk"), NO_AMOUNT),
    ("--wager", "trips=0", ("solve", "risk"), "write an amount over $0"),
    ("--wager", "trips=-1", ("solve",), NO_AMOUNT),
    ("--wager", "play=1", ("solve", "risk"), 'no side wager "play"'),
    ("--meter", "mege=1", ("exposure", "risk"), "did you mean mega?"),
    ("--meter", "mega", ("exposure", "risk"), "names no amount"),
    ("--meter", "mega=-1", ("exposure", "risk"), NO_AMOUNT),
    ("--ante", "1e3", ("solve",), "is no Ante; write it in dollars"),
    ("--rulebook", "FCP-14", ("solve", "simulate", "protect"), "is not a rulebook of uth"),
    ("--within", "nan", ("shares",), "lies between 0 and 1 Ante"),
    ("--vary", "river=1.5", tuple(COMMANDS), "write whole multiples of the Ante"),
    ("--book", "none.toml", tuple(COMMANDS), "none.toml: there is no such file"),
]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param((*COMMANDS[command], option, value), says, id=f"{command} {option} {value}")
        for option, value, commands, says in WRONG
        for command in commands
    ],
)
def test_a_wrong_name_or_value_is_refused_in_one_sentence(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err
