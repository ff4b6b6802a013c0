"""What the page shows of a submission's text: its form, its findings and what it earns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from croupier.documents.returns import over_100
from croupier.facts.errors import Unreadable
from croupier.facts.toml_text import read_toml
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.server.desk.changes import OFFER, value_at
from croupier.server.desk.earnings import (
    NOT_COUNTED,
    NOT_YET,
    Earnings,
    PlayAssumptions,
    TableValue,
    earned,
    earnings,
    table_value,
)
from croupier.server.desk.form import FormSection, field_keys, field_of, sections
from croupier.server.pages.clause_explanation import explained
from croupier.submission.check import CheckedSubmission, check, shipped_text
from croupier.submission.finding import Finding, Severity, most_serious_first


class DeskFinding(msgspec.Struct, frozen=True):
    """A finding beside the field it is about; ``means`` is its clause in plain words.

    ``stray`` is a key that stands in the text and in no field, to be taken out.
    """

    severity: Severity
    sentence: str
    clause: str
    means: str
    ruling: int
    line: int
    field: str
    stray: str


class DeskState(msgspec.Struct, frozen=True):
    """A submission as it stands; it is ``valid`` where the check finds no error."""

    text: str
    valid: bool
    rulebook: str
    file: str
    sections: tuple[FormSection, ...]
    findings: tuple[DeskFinding, ...]
    earnings: Earnings


def desk_state(text: str, registry: Registry, assumed: PlayAssumptions) -> DeskState:
    """Everything the page shows, from the text alone."""
    checked = check(text, registry)
    document = read_toml(text) if checked.readable else {}
    book = registry.books.get(str(_in(document, "table").get("rulebook")))
    value = table_value(registry, book, _in(document, "paytables")) if book is not None else None
    said = checked.submission
    found = with_returns(checked, registry, value)
    if book is not None:
        found = most_serious_first([*found, *_names_as_shipped(checked, document, book)])
    form = tuple(sections(document, registry, earned(value, document) if value is not None else {}))
    if not checked.readable:
        form = ()
    return DeskState(
        text,
        said is not None,
        book.id if book is not None else "",
        f"{_file_stem(document)}.toml",
        form,
        tuple(_findings(found, form, document, registry)),
        _earnings(checked, registry, book, value, assumed),
    )


def _names_as_shipped(
    checked: CheckedSubmission, document: Mapping[str, Any], book: Rulebook
) -> Iterator[Finding]:
    """A warning for each name of a house that nobody has written yet."""
    shipped = read_toml(shipped_text(book.id))
    for name in ("name", "operator"):
        path = ("facility", name)
        if value_at(document, path) == value_at(shipped, path):
            sentence = "This is what comes with the rulebook; write who files"
            line = checked.lines.of(path)
            yield Finding("warning", sentence, None, line, ".".join(path))


def with_returns(
    checked: CheckedSubmission, registry: Registry, value: TableValue | None
) -> tuple[Finding, ...]:
    """The findings of the check, and those for which the game is counted, where it is."""
    if checked.submission is None or value is None:
        return checked.findings
    more = over_100(checked, checked.submission, registry, value.solution)
    return most_serious_first([*checked.findings, *more])


def _earnings(
    checked: CheckedSubmission,
    registry: Registry,
    book: Rulebook | None,
    value: TableValue | None,
    assumed: PlayAssumptions,
) -> Earnings:
    if checked.submission is None or book is None:
        return Earnings(NOT_YET)
    if value is None:
        return Earnings(NOT_COUNTED, counts=True)
    return earnings(value, checked.submission, registry, assumed)


def _findings(
    found: tuple[Finding, ...],
    form: tuple[FormSection, ...],
    document: Mapping[str, Any],
    registry: Registry,
) -> Iterator[DeskFinding]:
    fields = field_keys(form)
    for one in found:
        yield DeskFinding(
            one.severity,
            one.sentence,
            one.clause or "",
            _meaning(one.clause, registry),
            next(iter(one.rulings), 0),
            one.line or 0,
            _field(one.key, fields),
            one.key if _is_stray(one.key, document, fields) else "",
        )


def _is_stray(key: str, document: Mapping[str, Any], fields: list[str]) -> bool:
    path = tuple(key.split("."))
    return bool(key) and not field_of(key, fields) and value_at(document, path) is not None


def _field(key: str, fields: list[str]) -> str:
    """What the form has no field for stands by its wager; Envy goes with the Progressive."""
    beside = field_of(key, fields)
    table, _, rest = key.partition(".")
    if beside or table not in ("paytables", "limits", PROGRESSIVE):
        return beside
    name = rest.partition(".")[0]
    wager = PROGRESSIVE if table == PROGRESSIVE or name == ENVY else name
    return field_of(f"{OFFER}.{wager}", fields)


def _meaning(clause: str | None, registry: Registry) -> str:
    if clause is None:
        return ""
    try:
        return explained(registry, clause).means
    except Unreadable:
        return ""


def _in(document: Mapping[str, Any], table: str) -> dict[str, Any]:
    found = document.get(table)
    return found if isinstance(found, dict) else {}


def _file_stem(document: Mapping[str, Any]) -> str:
    """A name for the file, from that of the table."""
    named = str(_in(document, "table").get("id") or "")
    plain = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in named)
    return plain.strip("-").lower()[:60] or "submission"
