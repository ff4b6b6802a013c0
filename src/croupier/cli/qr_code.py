"""A link as a QR code on the terminal, for the camera of a phone."""

from __future__ import annotations

import segno

from croupier.cli.screen import Screen

BORDER = 2  # light modules around the code, without which a camera does not find it
HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # a dark module is left out


def show_qr_code(console: Screen, link: str) -> None:
    """Print the code of a link; nothing where nobody looks, or where it cannot be drawn whole."""
    drawn = qr_code(link)
    if console.is_terminal and console.shows_suits and len(drawn[0]) <= console.width:
        for line in drawn:
            console.print(line, style="white on black", markup=False, highlight=False)


def qr_code(link: str) -> list[str]:
    """Two rows of modules in each line of text: light ones are drawn, dark ones are not."""
    rows = [list(row) for row in segno.make_qr(link, error="l").matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([1] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(HALVES[pair] for pair in zip(*both, strict=True)) for both in pairs]
