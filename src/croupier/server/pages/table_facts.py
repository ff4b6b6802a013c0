"""What a page must know of a table before it looks: wagers, streets, payouts, and where all lies.

Everything is read from the table's own Rules and from the plan of its felt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from croupier.documents.filing import Filing, filing_of
from croupier.documents.hand_examples import hand_examples
from croupier.documents.layout.plan import TITLES
from croupier.documents.layout.plan import plan as felt_plan
from croupier.documents.layout.svg import felt
from croupier.documents.layout.texts import payouts, statements
from croupier.documents.player_guide import idea, looks, on_screen, steps, who_wins
from croupier.documents.round_words import and_words
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE
from croupier.ledger.kept_table import LedgerTable
from croupier.ledger.replay import kept_submission
from croupier.practice.wager_keys import wager_keys
from croupier.rulebook.book import DealStep, Irregularity, Rulebook, Wager
from croupier.server.pages.renderer import as_data
from croupier.server.pages.training_steps import Handling, handling_of, held_after_counts
from croupier.submission.draft import either
from croupier.submission.submission import Submission
from croupier.table.feasibility import enough
from croupier.table.handlers.void import CAUSES
from croupier.table.narration import place_title
from croupier.table.terms import Terms

"""Keys of a player's page that are not for wagers: check, deal, fold, repeat and the like."""


class PayFacts(msgspec.Struct, frozen=True):
    title: str
    wager: str
    clause: str
    lines: tuple[tuple[str, str, str], ...]


class WagerFacts(msgspec.Struct, frozen=True):
    """Limits in cents; a wager that ``equals`` another follows it and has no key of its own.

    ``brings`` is the place whose cards are dealt for this wager alone.
    """

    name: str
    title: str
    clause: str
    key: str
    least: int
    most: int
    step: int
    optional: bool
    looks: str
    equals: str | None
    beside: str | None
    brings: str | None
    offered: bool


class StreetFacts(msgspec.Struct, frozen=True):
    """A question, and the wager that an answer with one of the sizes makes."""

    name: str
    wager: str
    otherwise: str
    sizes: tuple[int, ...]
    clause: str


class StepFacts(msgspec.Struct, frozen=True):
    """A step of a way of dealing, told to the dealer; the console says which boxes play."""

    to: str
    says: str


class AreaFacts(msgspec.Struct, frozen=True):
    """An area of the felt in millimeters, as the plan has it."""

    place: str
    kind: str
    box: int | None
    wager: str | None
    x: float
    y: float
    turn: float
    wide: float
    tall: float
    cards: tuple[tuple[float, float], ...]


class IrregularityFacts(msgspec.Struct, frozen=True):
    """An irregularity and what follows; ``finds`` a card in the shoe, ``calls`` the floorperson.

    ``again`` says what a second one does: what it is then called, and what follows.
    """

    happens: str
    remedy: str
    clause: str
    ruling: int
    finds: bool
    calls: bool
    again: tuple[tuple[str, str], ...]


class TableFacts(msgspec.Struct, frozen=True):
    """``opens``: sets of wagers of which any one opens a hand, the usual one first.

    ``idea``, ``steps`` and ``wins`` begin the player's guide: the game for who never saw it;
    ``ranking`` has its hands from the highest, ``examples`` with cards; ``needs`` is what must lie
    there before a wager; ``handling`` is about the deck of a table for ``training``. A table for
    guests at ``home`` says so. ``absence`` is the ruling that was filed for who leaves a round.
    """

    table: str
    title: str
    game: str
    rulebook: str
    edition: str
    facility: str
    idea: str
    steps: tuple[str, ...]
    wins: tuple[str, ...]
    ranking: tuple[str, ...]
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    needs: tuple[tuple[str, tuple[str, ...]], ...]
    boxes: int
    meters: tuple[str, ...]
    home: bool
    practice: bool
    training: bool
    opens: tuple[tuple[str, ...], ...]
    wagers: tuple[WagerFacts, ...]
    streets: tuple[StreetFacts, ...]
    deals: dict[str, tuple[StepFacts, ...]]
    pays: tuple[PayFacts, ...]
    says: tuple[tuple[str, str], ...]
    places: dict[str, str]
    hand: int
    absence: str
    areas: tuple[AreaFacts, ...]
    irregularities: dict[str, IrregularityFacts]
    causes: dict[str, str]
    handling: Handling | None


def facts_of(kept: LedgerTable, registry: Registry, *, at_home: bool = False) -> TableFacts:
    """The facts of an installed table; ``at_home`` nobody runs out of time."""
    filed = kept_submission(kept.installed, registry)
    filing, terms, book = filing_of(filed, registry), kept.state.terms, kept.state.book
    return TableFacts(
        table=kept.name,
        title=book.title.partition(",")[0],
        game=book.game,
        rulebook=book.id,
        edition=book.edition,
        facility=filed.facility,
        idea=idea(filing),
        steps=tuple(_rule_sentences(filing, at_home=at_home)),
        wins=tuple(f"{said}." for said in who_wins(filing)),
        ranking=tuple(str(category) for category in reversed(filing.rules.game.ranking.order)),
        examples=hand_examples(filing.rules.game.ranking),
        needs=tuple(_needs(filing, terms)),
        boxes=terms.boxes,
        meters=tuple(terms.meters),
        home=kept.installed.policy == "home",
        practice=kept.installed.practice,
        training=terms.training,
        opens=enough(book.opening),
        wagers=tuple(_wagers(filing, terms)),
        streets=tuple(_streets(terms)),
        deals={way: tuple(_steps(book, plan)) for way, plan in terms.plans.items()},
        pays=tuple(_pays(filing)),
        says=tuple((said.text, book.cite(said.clause)) for said in statements(filing.rules)),
        places={place.name: TITLES.get(place.name, place.name) for place in book.places},
        hand=book.place("box").cards,
        absence=terms.absence,
        areas=tuple(_areas(filed, registry)),
        irregularities={rule.name: _irregularity(book, rule) for rule in book.irregularities}
        | _held(terms),
        causes=dict(CAUSES),
        handling=handling_of(terms),
    )


class PageFacts(NamedTuple):
    """The facts of a table, the same as data for a script, and its felt."""

    facts: TableFacts
    data: Markup
    felt: Markup


def page_facts(kept: LedgerTable, registry: Registry, *, at_home: bool = False) -> PageFacts:
    facts = facts_of(kept, registry, at_home=at_home)
    return PageFacts(facts, as_data(facts), drawing_of(kept, registry))


def drawing_of(kept: LedgerTable, registry: Registry) -> Markup:
    """The felt of a table, to stand in a page; its style comes with the page."""
    return Markup(felt(kept_submission(kept.installed, registry), registry, in_page=True))


def _irregularity(book: Rulebook, rule: Irregularity) -> IrregularityFacts:
    seconds = [book.irregularity(name) for name in (rule.second, rule.second_late) if name]
    return IrregularityFacts(
        happens=rule.happens,
        remedy=rule.remedy,
        clause=book.cite(rule.clause),
        ruling=rule.ruling or 0,
        finds=rule.effect == "set aside",
        calls=rule.effect in ("void", "salvage", "return and reshuffle"),
        again=tuple((one.happens, one.remedy) for one in seconds if one is not None),
    )


def _held(terms: Terms) -> dict[str, IrregularityFacts]:
    """What no list declares, because a count at a training table does."""
    if terms.electronic_shoe:
        return {}
    return {
        name: IrregularityFacts(held.happens, held.remedy, held.clause, 26, False, True, ())
        for name, held in held_after_counts(terms).items()
    }


def _wagers(filing: Filing, terms: Terms) -> Iterator[WagerFacts]:
    keys = wager_keys(terms)
    brought = {place.only_for: place.name for place in terms.book.places}
    for wager in filing.offered():
        least, most, step = _limits(terms, wager)
        yield WagerFacts(
            name=wager.name,
            title=wager.title,
            clause=terms.book.cite(wager.clause),
            key=keys.get(wager.name, ""),
            least=least,
            most=most,
            step=step,
            optional=wager.optional,
            looks=looks(filing, wager) if wager.judged_by != "contest" else "",
            equals=wager.equals,
            beside=wager.beside,
            brings=brought.get(wager.name),
            offered=wager.name in terms.offered[terms.way],
        )


def _rule_sentences(filing: Filing, at_home: bool) -> Iterator[str]:
    """How a round goes, and at every table of a pit what a late answer does."""
    yield from (step.text for step in steps(filing))
    if not at_home:
        yield from on_screen(filing)


def _needs(filing: Filing, terms: Terms) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Wagers that need the same share a sentence, each with its clause behind it."""
    alike: dict[str, list[Wager]] = {}
    for name in terms.offered[terms.way]:
        wager = filing.book.wager(name)
        for names, joined in ((wager.needs, and_words), (wager.needs_any, either)):
            if names:
                titles = joined([filing.book.wager(needed).title for needed in names])
                alike.setdefault(titles, []).append(wager)
    for titles, wagers in alike.items():
        need = "needs" if len(wagers) == 1 else "need"
        clauses = tuple(filing.book.cite(wager.clause) for wager in wagers)
        yield f"{and_words([wager.title for wager in wagers])} {need} {titles}", clauses


def _limits(terms: Terms, wager: Wager) -> tuple[int, int, int]:
    if wager.name == PROGRESSIVE:
        stake = terms.progressive_cents or 0
        return stake, stake, stake
    limit = terms.limit_of.get(wager.name)
    if limit is None:
        return 0, 0, 0
    return limit.minimum_cents, limit.maximum_cents, limit.increment_cents


def _streets(terms: Terms) -> Iterator[StreetFacts]:
    for street in terms.book.streets:
        clause = terms.book.cite(street.ask_clause)
        wager = terms.book.played_on(street).name
        largest_first = tuple(sorted(street.sizes, reverse=True))
        yield StreetFacts(street.name, wager, street.otherwise, largest_first, clause)


def _steps(book: Rulebook, plan: tuple[DealStep, ...]) -> Iterator[StepFacts]:
    """What is turned or dealt up after a street has the name of the street that it opens."""
    streets = [street.name for street in book.streets]
    opened = ""
    for step in plan:
        if step.after is not None:
            opened = next(iter(streets[streets.index(step.after) + 1 :]), "")
        yield StepFacts(step.to, _said(step, opened))


def _said(step: DealStep, opened: str) -> str:
    if step.to == "burn":
        return "Burn a card"
    count = step.deal or step.turn
    cards = f"{count} card{'s' if count > 1 else ''}"
    if opened and step.to != "boxes":
        does = "Turn" if step.turn else "Deal"
        return f"{does} the {opened}: {cards} of {place_title(step.to)}"
    if step.turn:
        return f"Turn {cards} of {place_title(step.to)}"
    face = " face up" if step.face == "up" else ""
    return f"Deal {cards}{face} to {place_title(step.to)}"


def _pays(filing: Filing) -> Iterator[PayFacts]:
    for table in payouts(filing.rules):
        lines = tuple(
            (line.phrase, line.odds, filing.book.cite(line.clause)) for line in table.lines
        )
        yield PayFacts(table.title, table.wager, filing.book.cite(table.clause), lines)


def _areas(filed: Submission, registry: Registry) -> Iterator[AreaFacts]:
    for area in felt_plan(filed, registry).areas:
        if area.place in ("wager", "box") or area.kind == "cards":
            wide, tall = area.shape.size
            yield AreaFacts(
                place=area.place,
                kind=area.kind,
                box=area.box,
                wager=area.wager,
                x=round(area.spot.x, 2),
                y=round(area.spot.y, 2),
                turn=round(area.spot.turn, 2),
                wide=wide,
                tall=tall,
                cards=area.cards,
            )
