"""What an analyst designs: a game of a rulebook with paytables chosen, and lines of his own.

Nothing here counts anything, so that the service can say what is wrong with a design before a
process begins to count it; the lines are read by the reader of paytable files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from croupier.exact.base_game import LimitedAnte
from croupier.exact.limited_ante import limited_ante
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents
from croupier.facts.names import known_entry, known_name
from croupier.facts.odds import Share, odds
from croupier.games.registry import Registry
from croupier.games.rules import (
    MOST_LINES,
    Rules,
    bind,
    first_letters,
    refuse_strange_amounts,
    with_paytable,
)
from croupier.games.variants import varied, varied_limit_cents
from croupier.protection.knowledge import Knowledge, knowledge
from croupier.rulebook.book import LeastMeter, PayLine, Paytable, Rulebook
from croupier.rulebook.loader import read_paytable
from croupier.submission.check import check
from croupier.submission.submission import Submission

WrittenText = Annotated[str, Meta(max_length=200)]
StakeCents = Annotated[Cents, Meta(ge=1, le=100_000_000)]
MeterCents = Annotated[Cents, Meta(ge=0, le=100_000_000_000)]


class WrittenLine(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"phrase": "for"}
):
    """One line of a paytable as somebody writes it, right or wrong."""

    phrase: WrittenText
    pays: WrittenText


WrittenLines = Annotated[tuple[WrittenLine, ...], Meta(max_length=2 * MOST_LINES)]


class NewAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a rulebook with these paytables, or a submission as an operator files it.

    With an Ante the base game is played and paid under the payout limit of the submission, or of
    the shipped one; a stake of Trips then counts under it too.

    ``vary`` says rules of the book otherwise, by the names of ``croupier rules --variants``.
    ``lines`` stand instead of those of the paytable that is chosen for their wager. Stakes and
    meters are for side wagers that pay dollars or from a meter: what is not named is $1, and what
    a meter is reset to. With ``knows`` it is asked what these cards, known too early, are worth.
    """

    rulebook: str = ""
    paytables: dict[str, str] = {}
    lines: dict[str, WrittenLines] = {}
    stakes_cents: dict[str, StakeCents] = {}
    meters_cents: dict[str, MeterCents] = {}
    submission: str = ""
    ante_cents: StakeCents | None = None
    vary: dict[str, WrittenText] = {}
    knows: WrittenText = ""


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a paytable: with one of its lines, counted from 1, or with all of it."""

    wager: str
    line: int | None
    sentence: str


class Design(msgspec.Struct, frozen=True):
    """What is wrong, and where nothing is, each own paytable as the file ``croupier solve`` takes;
    the name of a file is that of its paytable.
    """

    faults: tuple[Fault, ...]
    files: dict[str, dict[str, str]]


class _Own(NamedTuple):
    """A paytable of one's own: the one it began as lends it its meters and its cards."""

    wager: str
    name: str
    began_as: Paytable
    lines: Sequence[WrittenLine]

    def file(self) -> str:
        head = {"judged_by": self.began_as.judged_by} if self.began_as.judged_by else {}
        told = [f"{key} = {_text(value)}" for key, value in head.items()]
        told += _rows("lines", [{"for": line.phrase, "pays": line.pays} for line in self.lines])
        drawn = [{"name": meter.name, "least": meter.least} for meter in self._meters()]
        return "\n".join([*told, *(_rows("meters", drawn) if drawn else []), ""])

    def read(self) -> Paytable:
        return read_paytable(self.file(), f"{self.name}.toml")

    def alone(self, line: WrittenLine) -> Paytable:
        """This line as a whole paytable: what is wrong with that is wrong with the line."""
        where = f"{self.name}.toml"
        read = PayLine(line.phrase, odds(line.pays), where)
        return Paytable(where, (read,), self._replace(lines=[line])._meters())

    def _meters(self) -> tuple[LeastMeter, ...]:
        """Those that are still paid from."""
        read = [odds(line.pays) for line in self.lines]
        drawn = {each.meter for each in read if isinstance(each, Share)}
        return tuple(meter for meter in self.began_as.meters if meter.name in drawn)


def rules_of(asked: NewAnalysis, registry: Registry) -> Rules:
    """The Rules of a design, or the first thing that is wrong with it."""
    if asked.submission:
        if asked.rulebook or asked.paytables or asked.lines or asked.vary:
            raise Unreadable("a submission names its rulebook and paytables itself")
        rules = _filed(asked.submission, registry).rules(registry)
        refuse_strange_amounts(rules, asked.stakes_cents, asked.meters_cents)
        return rules
    rules = _bound(asked, registry)
    refuse_strange_amounts(rules, asked.stakes_cents, asked.meters_cents)
    if asked.ante_cents is None and varied_limit_cents(rules.book) is not None:
        raise Unreadable("payout_limit changes nothing without an Ante in dollars; name one")
    for fault in _faults(asked, rules):
        where = f", line {fault.line}" if fault.line is not None else ""
        title = rules.book.wager(fault.wager).title
        raise Unreadable(f"{title}{where}: {fault.sentence}")
    for own in _own_tables(asked, rules.book):
        rules = with_paytable(rules, own.wager, own.name, own.read())
    return rules


def limited_of(asked: NewAnalysis, rules: Rules, registry: Registry) -> LimitedAnte | None:
    """The Ante that is asked about, under the payout limit of its table."""
    if asked.ante_cents is None:
        return None
    table = _filed(asked.submission, registry) if asked.submission else None
    return limited_ante(rules, table, Cents(asked.ante_cents), asked.stakes_cents)


def knowledge_of(asked: NewAnalysis, rules: Rules) -> Knowledge | None:
    """The cards that are known, if that is what is asked about."""
    if not asked.knows:
        return None
    if asked.ante_cents is not None:
        raise Unreadable("with known cards values are for each Ante, whatever its size")
    return knowledge(rules, asked.knows)


def _filed(text: str, registry: Registry) -> Submission:
    checked = check(text, registry)
    if checked.submission is None:
        raise Unreadable(f"the submission cannot be used: {checked.errors[0]}")
    return checked.submission


def looked_over(asked: NewAnalysis, registry: Registry) -> Design:
    """Everything that is wrong with a design, for who is still writing it."""
    rules = _bound(asked, registry)
    faults = tuple(_faults(asked, rules))
    wrong = {fault.wager for fault in faults}
    files = {
        own.wager: {f"{own.name}.toml": own.file()}
        for own in _own_tables(asked, rules.book)
        if own.wager not in wrong
    }
    return Design(faults, files)


def _bound(asked: NewAnalysis, registry: Registry) -> Rules:
    """The Rules without the lines of one's own."""
    book = varied(registry, registry.book(asked.rulebook), asked.vary)
    for wager, letter in asked.paytables.items():
        tables = known_entry(wager, book.paytables, "paytable of", where=book.id)
        known_name(letter, tables, f"{wager} paytable", where=book.id)
    chosen = {wager: let for wager, let in asked.paytables.items() if wager not in asked.lines}
    fixed = [wager.name for wager in book.wagers if wager.paid_on is not None]
    letters = {wager: letter for wager, letter in chosen.items() if wager not in fixed}
    return bind(
        registry.game_of(book),
        book,
        {**first_letters(book), **letters},
        payout_limit_cents=varied_limit_cents(book),
    )


def _own_tables(asked: NewAnalysis, book: Rulebook) -> Iterator[_Own]:
    for wager, lines in asked.lines.items():
        tables = known_entry(wager, book.paytables, "paytable of", where=book.id)
        letter = asked.paytables.get(wager, next(iter(tables)))
        yield _Own(wager, f"{letter} edited", tables[letter], lines)


def _faults(asked: NewAnalysis, rules: Rules) -> Iterator[Fault]:
    for own in _own_tables(asked, rules.book):
        found = [Fault(own.wager, n, said) for n, said in _wrong_lines(own, rules)]
        yield from found
        if not found and (said := _said(own, rules)):
            yield Fault(own.wager, None, said)


def _wrong_lines(own: _Own, rules: Rules) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(own.lines, start=1):
        try:
            with_paytable(rules, own.wager, own.name, own.alone(line))
        except Refusal as error:
            yield number, error.sentence
        except ValueError as error:
            yield number, str(error)


def _said(own: _Own, rules: Rules) -> str:
    """What is wrong with a paytable of which every line can be read, or nothing."""
    try:
        with_paytable(rules, own.wager, own.name, own.read())
    except Refusal as error:
        return error.sentence
    except Unreadable as error:
        return str(error)
    return ""


def _rows(name: str, rows: Sequence[dict[str, str]]) -> list[str]:
    told = [", ".join(f"{key} = {_text(value)}" for key, value in row.items()) for row in rows]
    return [f"{name} = [", *(f"  {{ {row} }}," for row in told), "]"]


def _text(value: str) -> str:
    """A string as TOML and JSON both write it."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
