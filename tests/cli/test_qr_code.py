"""A link as a QR code on the terminal."""

from __future__ import annotations

import io

import segno

from croupier.cli.qr_code import BORDER, qr_code, show_qr_code
from croupier.cli.screen import Screen

LINK = "http://192.168.1.20:43117/sit/abcdefghijklmnopqrstuv"
UPPER, LOWER = "█▀", "█▄"  # what is light in the upper and in the lower half


def test_every_module_of_the_code_is_drawn() -> None:
    lines = qr_code(LINK)
    rows = [[sign not in half for sign in line] for line in lines for half in (UPPER, LOWER)]
    code = segno.make_qr(LINK, error="l")
    wanted = [[bool(dark) for dark in row] for row in code.matrix_iter(border=BORDER)]
    assert rows[: len(wanted)] == wanted
    assert all(all(row) for row in rows[len(wanted) :])


def shown(width: int, *, is_terminal: bool = True, encoding: str = "utf-8") -> str:
    written = io.BytesIO()
    file = io.TextIOWrapper(written, encoding=encoding, write_through=True)
    show_qr_code(Screen(file=file, force_terminal=is_terminal, width=width), LINK)
    return written.getvalue().decode(encoding)


def test_it_is_shown_whole_or_not_at_all() -> None:
    wide = len(qr_code(LINK)[0])
    for line in qr_code(LINK):
        assert line in shown(wide)
    assert shown(wide - 1) == shown(80, is_terminal=False) == shown(80, encoding="ascii") == ""
