"""Tables with other options, their layouts, and hands that tamper with a finished drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from croupier.documents.layout.check import check_felt
from croupier.documents.layout.drawing import felt
from croupier.facts.money import cents
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.finding import Finding
from croupier.submission.submission import MeterOffer, ProgressiveOffer, Submission

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
SVG = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", SVG)


def layout(submission: Submission) -> str:
    return felt(submission, the_registry())


def findings(text: str, submission: Submission) -> list[tuple[str | None, str]]:
    found: tuple[Finding, ...] = check_felt(text, submission, the_registry())
    return [(finding.clause, finding.sentence) for finding in found]


def without(submission: Submission, *wagers: str) -> Submission:
    """The same table with some optional wagers not offered; Envy goes with the Progressive."""
    gone = {*wagers, *(["envy"] if "progressive" in wagers else [])}
    return replace(
        submission,
        paytables=tuple(
            (name, letter) for name, letter in submission.paytables if name not in gone
        ),
        limits=tuple((name, limit) for name, limit in submission.limits if name not in gone),
        progressive=None if "progressive" in gone else submission.progressive,
    )


def with_letter(submission: Submission, wager: str, letter: str) -> Submission:
    """The same table with another paytable, and the meters that one pays from."""
    letters = {**dict(submission.paytables), wager: letter}
    offer = submission.progressive
    if wager == "progressive" and offer is not None:
        table = the_registry().book(submission.rulebook).paytables[wager][letter]
        meters = tuple(
            MeterOffer(meter.name, cents(meter.least), cents(meter.least), 40_000)
            for meter in table.meters
        )
        offer = replace(offer, meters=meters)
    return replace(submission, paytables=tuple(letters.items()), progressive=offer)


def with_stake(submission: Submission, stake: str) -> Submission:
    offer = submission.progressive
    assert isinstance(offer, ProgressiveOffer)
    return replace(submission, progressive=replace(offer, stake_cents=cents(stake)))


def every_offer(book_id: str) -> Iterator[Submission]:
    """A table for every set of optional wagers that can be offered together."""
    table, book = shipped_submission(book_id), the_registry().book(book_id)
    optional = [wager.name for wager in book.wagers if wager.optional]
    needs = {wager.name: {*wager.needs} & {*optional} for wager in book.wagers}
    sets = chain.from_iterable(combinations(optional, n) for n in range(len(optional) + 1))
    for offered in map(set, sets):
        if all(needs[name] <= offered for name in offered):
            yield without(table, *(name for name in optional if name not in offered))


def every_letter(book_id: str) -> Iterator[Submission]:
    """A table for every paytable that can be chosen for some wager."""
    table, book = shipped_submission(book_id), the_registry().book(book_id)
    for wager in book.wagers:
        if wager.paid_on is None:
            for letter in book.paytables.get(wager.name, {}):
                yield with_letter(table, wager.name, letter)
    for letter in book.envy:
        yield with_stake(with_letter(table, "envy", letter), "$5")


class Tampered:
    """A drawing that is changed and written again; areas are found as the checker finds them."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)

    def area(self, place: str, **named: str) -> Element:
        wanted = {"data-place": place, **{f"data-{name}": value for name, value in named.items()}}
        return next(
            group
            for group in self.root.iter(f"{{{SVG}}}g")
            if all(group.get(name) == value for name, value in wanted.items())
        )

    def removed(self, place: str, **named: str) -> str:
        self.root.remove(self.area(place, **named))
        return self.text

    def moved(self, place: str, x: float, y: float, **named: str) -> str:
        area = self.area(place, **named)
        area.set("transform", f"translate({x} {y}) {area.get('transform')}")
        old = (area.get("transform") or "").split("translate(")[2]
        old_x, old_y = old.split(")")[0].split()
        turn = old.split(")", 1)[1]
        area.set("transform", f"translate({float(old_x) + x} {float(old_y) + y}){turn}")
        return self.text

    def swapped(self, one: Element, other: Element) -> str:
        """Two areas change places."""
        first, second = one.get("transform") or "", other.get("transform") or ""
        one.set("transform", second)
        other.set("transform", first)
        return self.text

    def reworded(self, old: str, new: str, place: str, **named: str) -> str:
        area = self.area(place, **named)
        part = next(part for part in area.iter() if (part.text or "") == old)
        part.text = new
        return self.text

    @property
    def text(self) -> str:
        return ElementTree.tostring(self.root, encoding="unicode")
