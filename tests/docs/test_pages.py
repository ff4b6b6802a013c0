"""Every block of code on every page is run, and every link leads somewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.docs.blocks import LANGUAGES, ROOT, blocks, pages
from tests.docs.reader import Reader, ending, fits
from tests.ledger.stores import in_memory
from website import reference, third_parties

MADE = {(ROOT / "docs" / address).resolve() for address in reference.addresses()}
PAGES = {str(page.relative_to(ROOT)): page for page in pages()}
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMAND = re.compile(r"^(\$ |(croupier|make|python|\.venv/bin/\w+) )", re.MULTILINE)
TASK = re.compile(r"`make ([a-z]+)")
TOOL = re.compile(r"`\.venv/bin/([^`]+)`")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


@pytest.fixture
def desk() -> Iterator[Path]:
    """An empty folder, which the user of a database may enter too; pytest's own are closed."""
    with TemporaryDirectory(prefix="desk-", dir=in_memory(), ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_followed(name: str, desk: Path) -> None:
    Reader(desk).read(PAGES[name])


SLOW = [
    name for name, page in PAGES.items() if any(b.slow for b in blocks(page.read_text("utf-8")))
]


@pytest.mark.prove
@pytest.mark.parametrize("name", SLOW)
def test_a_page_can_be_followed_to_its_slow_ends(name: str, desk: Path) -> None:
    Reader(desk, slowly=True).read(PAGES[name])


@pytest.mark.parametrize("name", PAGES)
def test_every_block_says_what_it_is(name: str) -> None:
    for block in blocks(PAGES[name].read_text("utf-8")):
        assert block.language in LANGUAGES, f"line {block.line}: say what this block is"
        is_command = COMMAND.search(block.text)
        assert block.language != "text" or not is_command, f"line {block.line}: this can be run"


@pytest.mark.parametrize("name", PAGES)
def test_the_source_of_a_page_hides_nothing(name: str) -> None:
    """But for the places that a program writes into."""
    for remark in re.findall(r"<!-- (.*?)(?:-->|$)", PAGES[name].read_text("utf-8"), re.MULTILINE):
        assert re.match(r"\w+, written by |end of \w+ $", remark), remark


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = PAGES[name]
    for link in links(page):
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists() or file in MADE, f"{link} leads nowhere"
        if anchor and file.suffix == ".md" and file not in MADE:
            assert anchor in anchors(file), f"{link} names no heading"


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_says_to_run_is_there(name: str) -> None:
    """In its sentences and tables too, where nothing is run."""
    text = PAGES[name].read_text("utf-8")
    tasks = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(TASK.findall(text)) <= set(tasks)
    for tool, *given in map(str.split, TOOL.findall(text)):
        assert (Path(sys.executable).parent / tool).exists(), f"there is no {tool}"
        for path in (each for each in given if "/" in each and not each.startswith("build/")):
            assert (ROOT / path).exists(), f"there is no {path}"


def links(page: Path) -> Iterator[str]:
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    yield from (link for link in LINK.findall(prose) if "://" not in link)


def anchors(page: Path) -> set[str]:
    """The headings of a page as a link names them."""
    plain = (
        re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading) for heading in HEADING.findall(_text(page))
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def _text(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize(
    ("shown", "came", "fit"),
    [
        ("one\ntwo\n", "one  \ntwo", True),
        ("one\n...\n", "one\ntwo\nthree\n", True),
        ("hash ...\nend\n", "hash 12ab\nend\n", True),
        ("one\n", "one\ntwo\n", False),
        ("one\n...\nfour\n", "one\ntwo\n", False),
    ],
)
def test_a_shortened_output_fits_what_it_shortens(shown: str, came: str, fit: bool) -> None:
    assert fits(shown, came) is fit


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ("croupier: there is no ledger at evening.db\n", 2),
        ("table-12.toml has 1 error, with 1 warning\n", 1),
        ("uth.jsonl: 3 differences\n", 1),
        ("table-12.toml is valid, with 1 warning\n", 0),
        ("Everything is proved.\n", 0),
        ("", 0),
    ],
)
def test_how_a_command_ends_is_what_its_answer_says(shown: str, status: int) -> None:
    assert ending(shown) == status


def test_the_page_of_licenses_is_fresh() -> None:
    assert third_parties.PAGE.read_text("utf-8") == third_parties.page(), "run `make pages`"


ENTRY = re.compile(r"^\| \*\*(.+?)\*\* \|.*\| (.+?) \|$", re.MULTILINE)


def test_the_glossary_says_where_its_words_live() -> None:
    """Each place exists, and what lies there speaks of the word."""
    entries = ENTRY.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))
    assert len(entries) > 40
    for word, places in entries:
        for place in re.findall(r"`([^`]+)`", places):
            found = sorted((ROOT / "src" / "croupier").glob(place))
            files = [file for one in found for file in ([one] if one.is_file() else one.rglob("*"))]
            text = " ".join(
                f"{file} {file.read_text('utf-8')}"
                for file in files
                if file.suffix in (".py", ".toml", ".js", ".html")
            )
            names = [name for name in re.split(r", |\.\.\.", word.lower()) if name]
            known = text.lower().replace("_", " ")
            assert all(name in known for name in names), f"{place} does not know {word}"
