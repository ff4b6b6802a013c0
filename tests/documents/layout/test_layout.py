"""The drawn layout: every table's drawing passes its check, fits, and is the same each time."""

from __future__ import annotations

import base64
import datetime
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from croupier.documents import svg
from croupier.documents.layout.check import check_plan
from croupier.documents.layout.letters import Letters, size_to_fit, width
from croupier.documents.layout.logo import Logo, read_logo
from croupier.documents.layout.plan import Area, Curved, LayoutPlan, Part, plan
from croupier.documents.layout.shapes import BettingSpot, Disk, Polygon, to_edge
from croupier.documents.layout.svg import drawn, felt
from croupier.facts.errors import Unreadable
from croupier.games.registry import open_registry, the_registry
from croupier.rulebook.loader import read_book
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Dealing, Devices, Submission
from tests.citing import cited
from tests.documents.layouts import (
    BOOKS,
    SVG,
    every_letter,
    every_offer,
    findings,
    layout,
    with_stake,
    without,
)
from tests.documents.svg_reader import DrawnArea, Text, read_felt
from tests.toy import showdown

TOY = Path(__file__).parents[2] / "toy" / "TOY-1.toml"

UTH_DRAWN = (
    *("2.A", "2.B", "2.B(1)", "2.B(2)", "2.B(3)", "2.B(4)", "2.B(5)", "2.B(6)", "2.B(7)"),
    *("2.B(8)(a)", "2.B(8)(b)", "2.B(8)(c)", "2.B(8)(d)", "2.D(1)", "2.D(2)", "2.E"),
)
FCP_DRAWN = (
    *("2.A(1)", "2.A(2)", "2.B", "2.B(1)", "2.B(2)", "2.B(3)", "2.B(4)", "2.B(5)"),
    *("2.D", "2.E", "2.F"),
)
each_book = pytest.mark.parametrize(
    "book",
    [
        pytest.param("UTH-S", marks=cited("UTH-S", *UTH_DRAWN)),
        pytest.param("UTH-14", marks=cited("UTH-14", *UTH_DRAWN)),
        pytest.param("FCP-14", marks=cited("FCP-14", *FCP_DRAWN)),
    ],
)


@each_book
def test_whatever_is_offered_the_layout_has_what_its_chapter_asks_for(book: str) -> None:
    tables = list(every_offer(book))
    assert len(tables) == {"UTH-S": 48, "UTH-14": 6, "FCP-14": 6}[book]
    for table in tables:
        assert findings(layout(table), table) == [], dict(table.paytables)


@pytest.mark.parametrize(
    "book", [pytest.param(b, marks=[pytest.mark.prove] * (b == "UTH-S")) for b in BOOKS]
)
def test_whichever_paytable_is_chosen_it_is_inscribed_and_fits(book: str) -> None:
    for table in every_letter(book):
        assert findings(layout(table), table) == [], dict(table.paytables)


@pytest.mark.parametrize("book", BOOKS)
def test_every_number_of_boxes_fits(book: str) -> None:
    most = the_registry().book(book).table.boxes.count
    for boxes in range(1, most + 1):
        table = replace(shipped_submission(book), boxes=boxes)
        assert findings(layout(table), table) == [], boxes


@pytest.mark.parametrize(
    ("operator", "facility"),
    [
        ("A" * 60, "W" * 100),
        ('Harbor Gaming & Co. <Maryland> "East"', "O'Hara's"),
        ("Ω Казино Балтика", "東京カジノ株式会社"),
        ("كازينو الشاطئ", "é" * 30 + "e\N{COMBINING ACUTE ACCENT}" * 30),
        ("I", "."),
    ],
)
@pytest.mark.parametrize("book", BOOKS)
def test_any_name_fits(book: str, operator: str, facility: str) -> None:
    for table in (shipped_submission(book), without(shipped_submission(book), "progressive")):
        named = replace(table, operator=operator, facility=facility)
        assert findings(layout(named), named) == []


def test_long_names_are_set_in_smaller_letters() -> None:
    table = shipped_submission("UTH-S")
    short = {line.place: line.size for line in plan(table, the_registry()).lettering}
    long = plan(replace(table, facility="Harbor " * 9), the_registry())
    assert {line.place: line.size for line in long.lettering}["facility"] < short["facility"] / 2


def test_the_drawing_is_to_scale_and_the_same_each_time() -> None:
    table = shipped_submission("UTH-S")
    text = felt(table, the_registry())
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height")) == ("2244mm", "1208mm")
    assert (root.get("viewBox") or "").split()[2:] == ["2244", "1208"]
    assert text == felt(table, the_registry())
    tags = {part.tag.removeprefix(f"{{{SVG}}}") for part in root.iter()}
    assert "image" not in tags
    assert "script" not in tags


def tables_to_draw(book: str) -> Iterator[tuple[Submission, Logo | None]]:
    """All that can be drawn; the base game alone, with a logo; one box, and names to escape."""
    table = shipped_submission(book)
    optional = [w.name for w in the_registry().book(book).wagers if w.optional]
    yield table, None
    yield without(table, *optional), Logo("data:image/png;base64,")
    yield replace(table, boxes=1, operator="O'Hara & <Sons>", facility="Bay\u200b"), None


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("UTH-S", marks=cited("UTH-S", "2.B")),
        pytest.param("UTH-14", marks=cited("UTH-14", "2.B")),
        pytest.param("FCP-14", marks=cited("FCP-14", "2.B")),
        *("TCP-1", *(pytest.param(b, marks=pytest.mark.prove) for b in ("CH-1", "THB-1"))),
    ],
)
def test_the_drawing_is_its_plan(book: str) -> None:
    """What is checked on the plan holds for the drawing: each part, its words and its outline."""
    for table, logo in tables_to_draw(book):
        planned = plan(table, the_registry(), has_logo=logo is not None)
        assert_is_drawn(drawn(planned, logo), planned)


def assert_is_drawn(text: str, planned: LayoutPlan) -> None:
    seen = read_felt(text)
    assert seen.millimeters
    assert seen.title == svg.shown(planned.title)
    assert seen.has_logo == bool(planned.at("logo"))
    assert_same_outline(seen.cloth, planned.cloth.outline)
    assert_same_letters((seen.imprint,), (planned.imprint,), BettingSpot(0.0, 0.0))
    for shown, part in zip(seen.areas, planned.parts, strict=True):
        assert_same_part(shown, part)


def assert_same_part(shown: DrawnArea, part: Part) -> None:
    assert (shown.place, shown.box, shown.wager) == (part.place, part.box, part.wager)
    assert shown.clause == part.clause
    assert " ".join(text.text for text in shown.texts) == part.words
    assert_same_outline(shown.outline, part.outline)
    if isinstance(part, Area):
        assert (shown.cards, shown.has_light) == (len(part.cards), part.light is not None)
        assert_same_letters(shown.texts, part.letters, part.spot)
    elif isinstance(part, Curved):
        assert shown.statement == part.statement


def assert_same_letters(
    texts: tuple[Text, ...], letters: tuple[Letters, ...], at: BettingSpot
) -> None:
    for text, line in zip(texts, letters, strict=True):
        assert (text.text, text.payout) == (svg.shown(line.text), line.payout)
        assert_same_outline(text.strip, at(line.strip))


def assert_same_outline(one: Polygon, other: Polygon) -> None:
    """Lengths are drawn to a hundredth of a millimeter, and arcs have corners of their own."""
    for point, polygon in [(p, other) for p in one] + [(p, one) for p in other]:
        assert to_edge(point, polygon) < 0.1, point


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('width="2244mm"', 'width="22mm"'),
        ('r="32"', 'r="32.5"'),
        (">ANTE<", ">PLAY<"),
        ('data-box="2"', 'data-box="3"'),
        ("rotate(65.83)", "rotate(66.83)"),
        ('data-light="progressive"', ""),
    ],
)
def test_a_drawing_that_is_not_its_plan_is_seen(old: str, new: str) -> None:
    planned = plan(shipped_submission("UTH-S"), the_registry())
    text = drawn(planned)
    assert old in text
    with pytest.raises(AssertionError):
        assert_is_drawn(text.replace(old, new, 1), planned)


def test_every_color_is_a_class_of_the_style() -> None:
    """So a page can dye the felt; one that forbids styles inside itself links them instead."""
    text = felt(shipped_submission("UTH-S"), the_registry(), in_page=True)
    root = ElementTree.fromstring(text)
    assert root.find(f"{{{SVG}}}style") is None
    assert not {"width", "height"} & {*root.attrib}
    assert (root.get("id"), root.get("aria-hidden")) == ("felt", "true")
    styled = (files("croupier.documents") / "felt.css").read_text("utf-8")
    for part in root.iter():
        assert not {"style", "stroke", "stop-color"} & {*part.attrib}
        assert part.get("fill") in (None, "none")
        for name in (part.get("class") or "").split():
            assert name in ("felt", "felt-area") or f".{name} " in styled, name


def test_the_plan_is_where_a_page_lays_cards_and_chips() -> None:
    drawn = plan(shipped_submission("UTH-S"), the_registry())
    first, last = drawn.area("wager", 1, "ante"), drawn.area("wager", 6, "ante")
    assert first is not None
    assert last is not None
    assert first.spot.x > 0 > last.spot.x, "box 1 is farthest to the dealer's left, our right"
    hands = [drawn.area("box", box) for box in (1, 6)]
    assert [round(hand.spot.turn) for hand in hands if hand is not None] == [-66, 66]
    assert isinstance(first.shape, Disk)
    assert first.shape.size > (60, 60), "a chip is 39 mm wide"
    board = drawn.area("board")
    assert board is not None
    assert len(board.cards) == 5
    assert drawn.area("wager", 7, "ante") is None


@pytest.mark.parametrize(
    ("devices", "word"),
    [
        (Devices(shuffler=True), "SHUFFLER"),
        (Devices(automated_shoe=True), "SHOE"),
        (Devices(reshuffling_shoe=True), "SHOE"),
    ],
)
def test_a_device_has_its_place(devices: Devices, word: str) -> None:
    table = replace(shipped_submission("UTH-S"), devices=devices)
    drawn = plan(table, the_registry()).area("device")
    assert drawn is not None
    assert word in [letters.text for letters in drawn.letters]


def test_no_device_no_place() -> None:
    table = replace(shipped_submission("UTH-S"), devices=Devices())
    assert plan(table, the_registry()).area("device") is None
    assert findings(layout(table), table) == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_of_every_layout_keeps_its_area(book: str) -> None:
    """2.B(2) asks for Trips and Aces Up areas whether they are offered or not."""
    optional = [w.name for w in the_registry().book(book).wagers if w.optional]
    table = without(shipped_submission(book), *optional)
    side = "aces_up" if book == "FCP-14" else "trips"
    area = plan(table, the_registry()).area("closed", 1, side)
    assert area is not None
    assert [letters.text for letters in area.letters][-2:] == ["NOT", "OFFERED"]
    assert area.clause == f"{book} 2.B(2)"


def test_a_manual_shoe_has_its_place() -> None:
    table = replace(shipped_submission("UTH-S"), dealing=Dealing("shoe"))
    drawn = plan(table, the_registry()).area("shoe")
    assert drawn is not None
    assert drawn.clause == "UTH-S 8.A"
    assert findings(layout(table), table) == []
    assert plan(shipped_submission("UTH-S"), the_registry()).area("shoe") is None


def test_the_drawing_says_whether_it_is_a_draft() -> None:
    table = shipped_submission("UTH-S")
    assert "version 1. Draft: not yet approved" in felt(table, the_registry())
    approved = replace(table, approved=datetime.date(2026, 1, 31))
    assert "Approved January 31, 2026" in felt(approved, the_registry())


def test_the_stake_stands_on_the_acceptor() -> None:
    drawn = plan(with_stake(shipped_submission("UTH-S"), "$5"), the_registry())
    acceptor = drawn.area("wager", 3, "progressive")
    assert acceptor is not None
    assert [letters.text for letters in acceptor.letters] == ["PROGRESSIVE", "$5"]


def test_letters_are_measured() -> None:
    assert width("", 10) == 0
    assert width("ii", 10) < width("WW", 10)
    assert width("WW", 20) == 2 * width("WW", 10)
    assert width("e\N{COMBINING ACUTE ACCENT}", 10) == width("e", 10)
    assert size_to_fit(["Harbor"], 1000, 12) == 12
    assert width("Harbor", size_to_fit(["Harbor"], 20, 12)) == pytest.approx(20)


def test_a_third_game_has_a_layout_without_a_line_of_code() -> None:
    registry = open_registry([showdown.GAME], [read_book(TOY.read_text("utf-8"))])
    table = Submission(
        facility="Harbor",
        operator="Harbor Gaming",
        table="T-1",
        rulebook="TOY-1",
        boxes=3,
        adjacent_boxes=1,
        abandoned_wagers="lost",
        paytables=(("pair_side", "A"),),
        limits=(),
        dealing=Dealing("shoe"),
    )
    assert check_plan(plan(table, registry), table, registry) == ()
    side = plan(table, registry).area("wager", 2, "pair_side")
    assert side is not None
    assert side.clause == "TOY-1 2.A"


# Logos


def png(body: bytes = b"\x00\xff\x00\x00\xff") -> bytes:
    """A picture of one pixel, written by hand."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    header = struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


DRAWN = f'<svg xmlns="{SVG}" viewBox="0 0 2 1"><rect width="2" height="1"/></svg>'.encode()


@pytest.mark.parametrize(("content", "kind"), [(png(), "image/png"), (DRAWN, "image/svg+xml")])
def test_a_logo_is_carried_inside_the_drawing(tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / "logo"
    path.write_bytes(content)
    table = shipped_submission("UTH-S")
    text = felt(table, the_registry(), read_logo(path))
    image = ElementTree.fromstring(text).find(f".//{{{SVG}}}image")
    assert image is not None
    said, _, body = (image.get("href") or "").partition(";base64,")
    assert (said, base64.b64decode(body)) == (f"data:{kind}", content)
    named = replace(table, operator="Somebody else")
    with_logo = plan(table, the_registry(), has_logo=True)
    assert findings(with_logo, named) == [], "a logo is enough"
    assert findings(plan(table, the_registry()), named) != []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no picture; give an SVG or PNG file"),
        (b"GIF89a", "is no picture"),
        (b"<html></html>", "is no picture"),
        (b"<svg", "is no picture"),
        (png()[:40], "is no picture"),
        (png()[:-20] + b"\x00" * 20, "is no picture"),
        (b"\x89PNG\r\n\x1a\n", "is no picture"),
        (b" " * 5_000_000, "is over 4 MB"),
        (DRAWN.replace(b"<rect", b"<script/><rect"), "has a script inside"),
        (DRAWN.replace(b"<rect", b'<rect onload="x()"'), "has a script under onload"),
        (DRAWN.replace(b"<rect", b'<image href="http://x/y.png"/><rect'), "has a link to"),
    ],
)
def test_what_is_no_logo_is_said_in_one_sentence(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=sentence):
        read_logo(path)


def test_a_logo_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read: no such file or directory"):
        read_logo(tmp_path / "logo.svg")
    with pytest.raises(Unreadable, match="cannot be read: is a directory"):
        read_logo(tmp_path)
