"""The operator's logo: an SVG or PNG file, read once and carried inside the drawing."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from struct import pack, unpack
from xml.etree import ElementTree
from zlib import crc32

import msgspec

from croupier.facts.errors import Unreadable, quoted

PNG = b"\x89PNG\r\n\x1a\n"
MOST_BYTES = 4_000_000


class Logo(msgspec.Struct, frozen=True):
    """An image as a ``data:`` address, so that the drawing needs no file beside it."""

    uri: str


def read_logo(path: Path) -> Logo:
    """The logo in a file, or one sentence on why it is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise Unreadable(f"the logo {quoted(path)} cannot be read: {reason}") from None
    return logo_of(content, str(path))


def logo_of(content: bytes, name: str) -> Logo:
    """The logo in these bytes, by the name of the file that held them."""
    if len(content) > MOST_BYTES:
        raise Unreadable(f"the logo {quoted(name)} is over {MOST_BYTES // 1_000_000} MB")
    if _is_png(content):
        return _carried("image/png", content)
    if _is_svg(content):
        if foreign := _foreign(content):
            raise Unreadable(f"the logo {quoted(name)} has {foreign}; give a drawing without it")
        return _carried("image/svg+xml", content)
    raise Unreadable(f"the logo {quoted(name)} is no picture; give an SVG or PNG file")


def _is_png(content: bytes) -> bool:
    """Every chunk is there and unharmed, from the header to the end."""
    kinds, place = [], len(PNG)
    while content.startswith(PNG) and place + 12 <= len(content):
        (length,) = unpack(">I", content[place : place + 4])
        kind, body = content[place + 4 : place + 8], content[place + 4 : place + 8 + length]
        if content[place + 8 + length : place + 12 + length] != pack(">I", crc32(body)):
            return False
        kinds.append(kind)
        place += 12 + length
    return kinds[:1] == [b"IHDR"] and b"IDAT" in kinds and kinds[-1] == b"IEND"


def _is_svg(content: bytes) -> bool:
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError):
        return False
    return root.tag == "{http://www.w3.org/2000/svg}svg"


def _foreign(content: bytes) -> str | None:
    """What a drawing must not bring along: anything that runs, or lies elsewhere."""
    for part in ElementTree.fromstring(content).iter():
        tag = part.tag.rpartition("}")[2].lower() if isinstance(part.tag, str) else ""
        if tag in ("script", "foreignobject", "iframe"):
            return f"a {tag} inside"
        if tag == "style" and re.search(r"@import|url\(\s*['\"]?(?!#)", part.text or ""):
            return "a style that fetches something"
        for name, value in part.attrib.items():
            key = name.rpartition("}")[2].lower()
            if key.startswith("on"):
                return f"a script under {key}"
            if key in ("href", "src") and not value.startswith(("#", "data:image/")):
                return f"a link to {quoted(value)}"
    return None


def _carried(kind: str, content: bytes) -> Logo:
    return Logo(f"data:{kind};base64,{b64encode(content).decode()}")
