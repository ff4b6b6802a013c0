"""Pages of the reference, each written from what the program itself reads and obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from croupier.games.registry import the_registry
from croupier.rulebook.book import Paytable, Rulebook, Wager
from croupier.rulebook.loader import Ruling, rulings
from croupier.rulebook.trace import STATUSES, Row, totals
from website.formats import api_page, formats_page, settings_page
from website.http_api import http_page
from website.writing import MADE, table

CODE = "src/croupier/"


def addresses() -> dict[str, Callable[[], str]]:
    """Every page of the reference that is made, by its address, and what makes it."""
    made = {
        "reference/rulings.md": _rulings_page,
        "reference/settings.md": settings_page,
        "reference/formats.md": formats_page,
        "reference/python.md": api_page,
        "reference/http.md": http_page,
    }
    for book in the_registry().books.values():
        made[f"reference/rulebook-{book.id}.md"] = partial(_book_page, book)
        if book.trace:
            made[f"reference/trace-{book.id}.md"] = partial(_trace_page, book)
    return made


def book_pages() -> dict[str, str]:
    """The pages that each rulebook brings, by address, with their names in the menu."""
    books = the_registry().books.values()
    rules = {f"reference/rulebook-{book.id}.md": f"Rulebook {book.id}" for book in books}
    traces = {
        f"reference/trace-{book.id}.md": f"Clauses of {book.id}" for book in books if book.trace
    }
    return rules | traces


def _book_page(book: Rulebook) -> str:
    return "\n".join(
        (
            f"# {book.id}: {book.title}\n",
            f"The rulebook as data: {book.edition}. {MADE} The clause of each line is in its last"
            " column; the words are ours, never the regulation's.\n",
            "## Wagers\n",
            table(
                ("wager", "judged by", "pays", "after a fold", "clause"),
                (_wager_row(book, wager) for wager in book.wagers),
            ),
            "## Decisions\n",
            table(
                ("street", "Play may be", "or", "clause"),
                (
                    (each.name, _multiples(each.sizes_of(1_00)), each.otherwise, each.clause)
                    for each in book.streets
                ),
            ),
            "## Paytables\n",
            *(_paytables(title, tables) for title, tables in _all_paytables(book)),
            "## Ways of dealing\n",
            table(
                ("way", "what it is", "needs", "clause"),
                ((way.way, way.title, ", ".join(way.devices), way.clause) for way in book.dealing),
            ),
            "## Irregularities\n",
            table(
                ("name", "what happened", "what is done", "clause", "ruling"),
                (
                    (
                        each.name,
                        each.happens,
                        each.remedy,
                        each.clause,
                        ", ".join(map(_ruling_link, each.rulings)),
                    )
                    for each in book.irregularities
                ),
            ),
        )
    )


def _wager_row(book: Rulebook, wager: Wager) -> tuple[str, ...]:
    tables = ", ".join(book.paytables.get(wager.name, {}))
    pays = str(wager.pays.odds) if wager.pays else f"paytable {tables}"
    also = f", optional; needs {' and '.join(wager.needs)}" if wager.needs else ""
    return (wager.title + also, wager.judged_by, pays, wager.fold.outcome, wager.clause)


def _multiples(sizes: str) -> str:
    """Sizes beside an Ante of one dollar, as multiples of it."""
    return sizes.replace("$", "").replace(".00", "x")


def _all_paytables(book: Rulebook) -> Iterator[tuple[str, Mapping[str, Paytable]]]:
    for name, tables in book.paytables.items():
        yield book.wager(name).title, tables
    for name, tables in book.envy.items():
        yield f"Envy beside {name.replace('_', ' ')}", tables


def _paytables(title: str, tables: Mapping[str, Paytable]) -> str:
    """All paytables of a wager side by side: a line each, a column for each table."""
    phrases = dict.fromkeys(line.phrase for each in tables.values() for line in each.lines)
    paid = {
        name: {line.phrase: f"{line.odds} ({line.clause})" for line in each.lines}
        for name, each in tables.items()
    }
    rows = ((phrase, *(paid[name].get(phrase, "") for name in tables)) for phrase in phrases)
    return f"### {title}\n\n{table(('hand', *tables), rows)}"


def _ruling_link(number: int | None) -> str:
    return f"[{number}](rulings.md#ruling-{number})" if number else ""


def _rulings_page() -> str:
    head = f"# Rulings\n\nHow Croupier reads the text where it is unclear. {MADE}\n"
    return "\n".join((head, *(_ruling(each) for each in rulings().values())))


def _ruling(ruling: Ruling) -> str:
    read = f"\n*It reads {', '.join(ruling.clauses)}.*\n" if ruling.clauses else ""
    name = f"## {ruling.number}. {ruling.title} {{ #ruling-{ruling.number} }}"
    return f"{name}\n\n{ruling.says}\n{read}"


def _trace_page(book: Rulebook) -> str:
    counted = totals(book.trace.values())
    return "\n".join(
        (
            f"# {book.id}, clause by clause\n",
            f"How each clause is treated, where, and proved by how many tests. {MADE}"
            " `croupier rules --trace --json` names every test.\n",
            table(STATUSES, [[f"{counted[status]:,}" for status in STATUSES]]),
            table(
                ("clause", "how", "in our words", "where", "tests"),
                (_trace_row(clause, row) for clause, row in book.trace.items()),
            ),
        )
    )


def _trace_row(clause: str, row: Row) -> tuple[str, ...]:
    where = ", ".join(dict.fromkeys(f"`{place.partition(':')[0]}`" for place in row.code))
    means = f"{row.means} Only people can: {row.reason}" if row.reason else row.means
    if row.acts:
        label = "Follows from" if row.status == "implied" else "Said in"
        means += f" {label}: {', '.join(f'`{act}`' for act in row.acts)}."
    return (clause, row.status, means, where.replace(CODE, ""), str(len(row.tests) or ""))
