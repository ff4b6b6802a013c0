"""Every page of the folder, made by the service's own templates, with links that need no host."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import msgspec
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

import croupier
from croupier.documents.filing import filing_of
from croupier.documents.help_line import HELP
from croupier.documents.html import page as printed
from croupier.documents.layout.svg import felt
from croupier.documents.mathematics.charts import strategy as strategy_chart
from croupier.documents.player_guide import player_guide
from croupier.exact.solution_cache import solved
from croupier.facts.money import money
from croupier.games.registry import Registry
from croupier.practice import coach
from croupier.practice.asked_hand import card_places
from croupier.practice.driver import BROUGHT_CENTS, PACES
from croupier.practice.regulars import STYLES
from croupier.rulebook.book import Rulebook
from croupier.server.pages.practice_room import PracticeSettings
from croupier.server.pages.practice_routes import LEVELS
from croupier.server.pages.renderer import as_data
from croupier.server.pages.rules_page import LINKED
from croupier.server.pages.table_facts import PageFacts, page_facts
from croupier.submission.check import shipped_submission, shipped_text
from croupier.submission.toml_writer import write_submission
from website.demo.room import Room

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; form-action 'self'; "
    "base-uri 'none'"
)
FILES = re.compile(r"/(static|demo)/|\.svg$")
LINK = re.compile(r'\b(href|src)="(/[^"]*)"')
KEPT_LINK = re.compile(r'href="[^"]*" download')  # made by the worker, wherever the page lies
LOOK_UPS = {
    "hand": (
        "Ask about any hand",
        "What each choice is worth, everything unseen counted: the cards as As, Td, 9c, 2h.",
        "",
        "Count",
    ),
    "settle": (
        "Settle a round file",
        "What a finished round should have paid, each wager with its clause.",
        "The round, as TOML",
        "Settle",
    ),
    "check": (
        "Check a rules submission",
        "Everything that is wrong with what an operator filed, with its clause and line.",
        "The submission, as TOML",
        "Check",
    ),
    "verify": (
        "Verify a round proof",
        "Signature, place in the log, every turned card, and the money, from the file alone.",
        "The proof, as it was saved",
        "Verify",
    ),
}


def pages(registry: Registry) -> dict[str, bytes]:
    """Every page and picture by its path."""
    made: dict[str, bytes] = {}
    templates = _templates()
    books = list(registry.books.values())
    with tempfile.TemporaryDirectory() as folder:
        about, firsts = asyncio.run(_tables(Path(folder) / "practice.db", registry))
    for path, text in _texts(registry, templates, books, about):
        made[f"{path}/index.html".removeprefix("/")] = _placed(text, path).encode()
    for name, first in firsts.items():
        made[f"practice/{name}/first.json"] = first
        filed = shipped_submission(about[name].facts.rulebook)
        made[f"tables/{name}/small.svg"] = felt(filed, registry).encode()
        chart = coach.chart(write_submission(filed))
        made[f"practice/{name}/chart.json"] = msgspec.json.encode(chart)
    _refuse_dead_links(made)
    return made


async def _tables(file: Path, registry: Registry) -> tuple[dict[str, PageFacts], dict[str, bytes]]:
    """What pages know of each table, and the frame that they show while Python loads: the house
    has seated everybody and waits for wagers."""
    room = Room(str(file), NoKernel(), _nothing)
    about, firsts = {}, {}
    for book in registry.books:
        name = f"practice-{book}-1"
        runner = await room.seated(name)
        about[name] = page_facts(runner.actor.kept, registry, at_home=True)
        firsts[name] = runner.frame()
    room.close()
    return about, firsts


async def _nothing() -> None: ...


class NoKernel:
    """Nobody is asked while pages are made."""

    def values(self, rules: str, position: str, /) -> str:
        return "{}"

    def odds(self, rules: str, position: str, /) -> str:
        return "null"

    def beaten(self, position: str, /) -> str:
        return "{}"

    def sides(self, rules: str, /) -> str:
        return "{}"


def _texts(
    registry: Registry, templates: Environment, books: list[Rulebook], about: dict[str, PageFacts]
) -> Iterator[tuple[str, str]]:
    def made(template: str, **facts: object) -> str:
        return templates.get_template(f"{template}.html").render(**facts)

    chips = money(BROUGHT_CENTS)
    tables = [each.facts for each in about.values()]
    here = {"tables": tables, "waits": dict.fromkeys(about), "books": books}
    yield "", made("start", **here, chips=chips, help=HELP, phone="", analysis=False)
    head = made("head_extra")
    settings = PracticeSettings()
    for name, known in about.items():
        facts = {**known._asdict(), "settings": settings, "paces": list(PACES), "styles": STYLES}
        yield f"practice/{name}", made("practice", **facts, levels=LEVELS, help=HELP)
        shown = {"facts": known.facts, "data": known.data}
        places = as_data(card_places(registry.book(known.facts.rulebook)))
        yield f"practice/{name}/ask", made("ask", **shown, places=places)
        yield f"practice/{name}/drill", made("drill", **shown)
        yield f"record/{name}", made("round", **shown, number=0)
        filing = filing_of(shipped_submission(known.facts.rulebook), registry)
        back = f'<p><a href="/practice/{name}">Back to the table</a></p>'
        yield f"tables/{name}/rules", printed(player_guide(filing), head + LINKED, back)
    for what in LOOK_UPS:
        words = _words(what)
        yield f"look-up/{what}", made("look_up", **words, books=books, example=_example(what))
    for book in books:
        yield f"charts/{book.id}", made("sheet", **_chart(book, registry))
        if book.trace:
            yield f"clauses/{book.id}", made("sheet", **_clauses(book))
    yield "ledger", made("ledger", title="Your ledger")
    about_here = made("about", title="What works here")
    yield from ((path, about_here) for path in ("about", "analysis", "protection"))
    yield "record", made("record")


def _words(what: str) -> dict[str, str]:
    title, lead, field, button = LOOK_UPS[what]
    return {"what": what, "title": title, "lead": lead, "field": field, "button": button}


def _example(what: str) -> str:
    if what == "settle":
        return croupier.example("uth")
    return shipped_text("UTH-S") if what == "check" else ""


def _chart(book: Rulebook, registry: Registry) -> dict[str, object]:
    rules = shipped_submission(book.id).rules(registry)
    solution = solved(rules)
    drawn = strategy_chart(solution.hands)
    rows = "".join(
        f"<tr><th scope=row>{escape(hand.name)}</th><td>{escape(hand.best)}</td>"
        f"<td>{float(dict(hand.values)[hand.best]):+.4f}</td></tr>"
        for hand in solution.hands
    )
    chart = f'<div class="chart">{drawn[0]}</div><p>{escape(drawn[1])}</p>' if drawn else ""
    head = "<tr><th>Hand</th><th>Best</th><th>Worth, in Antes</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else ""
    edge = f"The house edge is {-100 * float(solution.base.ev):.4f}% of the Ante."
    return {
        "title": f"{book.title}: best play",
        "lead": f"{book.id}, {book.edition}. {edge}",
        "content": Markup(chart + table),
    }


def _clauses(book: Rulebook) -> dict[str, object]:
    rows = "".join(
        f"<tr><th scope=row>{escape(book.cite(clause))}</th><td>{escape(row.means)}</td></tr>"
        for clause, row in book.trace.items()
    )
    return {
        "title": f"{book.id}, clause by clause",
        "lead": f"{book.title}, {book.edition}: each clause in our own words.",
        "content": Markup(f"<table><tbody>{rows}</tbody></table>"),
    }


# Where things lie


def _templates() -> Environment:
    """The service's, which include ``head_extra`` and ``start_extra`` where they are there."""
    templates = Environment(
        loader=ChoiceLoader(
            [FileSystemLoader(HERE / "templates"), PackageLoader("croupier.server.pages")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["policy"] = Markup(POLICY)
    return templates


def _placed(text: str, path: str) -> str:
    """The page with links that lead from where it lies.

    A service has a root and its pages name addresses from there; a folder that may lie anywhere
    has none, so each link is written anew.
    """
    up = "../" * (path.count("/") + 1) if path else "./"
    made, at = [], 0

    def led(link: re.Match[str]) -> str:
        return f'{link[1]}="{up}{_file_at(link[2])}"'

    for kept in KEPT_LINK.finditer(text):
        made += [LINK.sub(led, text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join((*made, LINK.sub(led, text[at:])))


def _file_at(address: str) -> str:
    path, hash_sign, anchor = address.partition("#")
    if FILES.search(path):
        return path[1:]
    named = path.strip("/")
    place = "" if named in ("", "practice") else f"{named}/"
    return f"{place}index.html{hash_sign}{anchor}"


def _refuse_dead_links(made: dict[str, bytes]) -> None:
    """A page that leads to another that was not made is a mistake of this file."""
    for path, content in made.items():
        if not path.endswith(".html"):
            continue
        for link in re.findall(r'href="((?:\.\./|\./)[^"#]*)', content.decode()):
            found = (Path("/") / path).parent.joinpath(link).resolve().relative_to("/").as_posix()
            if not FILES.search(f"/{found}") and found not in made:
                raise ValueError(f"{path} leads to {found}, which is not there")
