"""A link to hand on: as words, and as a QR code for the camera of a phone."""

from __future__ import annotations

import msgspec
import segno

SCALE, BORDER = 6, 4


class QrLink(msgspec.Struct, frozen=True):
    """``picture`` is the address of the code's picture, which holds it whole."""

    link: str
    picture: str


def qr_link(link: str) -> QrLink:
    drawn = segno.make_qr(link, error="l")
    picture = drawn.svg_data_uri(scale=SCALE, border=BORDER, dark="#000", light="#fff")
    return QrLink(link, picture)
