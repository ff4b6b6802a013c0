"""Terms: everything one table needs of the operator's submission, bound once and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros, in_micros
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import DealStep, Rulebook, WayOfDealing
from croupier.submission.check_dealing import OF_THE_SHUFFLER
from croupier.submission.keys import PAID_FROM, PaidFrom
from croupier.submission.submission import Submission, WagerLimit
from croupier.table.powers import CASINO, Policy

Absence = Literal["abandoned", "default"]
ABSENCES: tuple[Absence, ...] = get_args(Absence)
RATE_WHOLE = 1_000_000
HANDS = ("boxes", "dealer")


@dataclass(frozen=True)
class Terms:
    """``rates`` are what each Progressive wager adds to each meter, in millionths of the wager;
    ``meter_limits`` are where a meter stays until it is won, for those that have a limit;
    ``paid_from`` is what pays an award of a meter, where the rulebook leaves that to the house.

    With an ``electronic_shoe`` every round is a fresh sealed shuffle: opening, wash, cut, stub
    count and deck change do not apply (ruling 38); where it is ``sealed`` and real, no hand can
    turn a card either (ruling 42); where it ``takes_numbers`` the players' numbers shuffle the
    sealed cards once more (ruling 39). A table for ``training`` is worked like one of paper cards,
    whatever its cards come from. The ``policy`` says who may do what, and with whom. A table that
    ``keeps_chips`` knows what each box has, and takes no wager beyond it; at one for ``practice``
    no money is taken for them.
    """

    rules: Rules
    boxes: int
    way: str
    limits: tuple[tuple[str, WagerLimit], ...] = ()
    fallback_ways: tuple[str, ...] = ()
    adjacent_boxes: int = 1
    deck_colors: tuple[str, ...] = ("red",)
    shuffler: bool = False
    shuffler_counts: bool = False
    automated_shoe: bool = False
    reshuffling_shoe: bool = False
    electronic: bool = False
    electronic_shoe: bool = False
    sealed: bool = False
    takes_numbers: bool = False
    training: bool = False
    practice: bool = False
    keeps_chips: bool = False
    policy: Policy = CASINO
    absence: Absence = "default"
    rates: tuple[tuple[str, int], ...] = ()
    meter_limits: tuple[tuple[str, Micros], ...] = ()
    paid_from: PaidFrom = "table"

    def __post_init__(self) -> None:
        ways = {way.way for way in self.book.dealing}
        if not {self.way, *self.fallback_ways} <= ways:
            known = ", ".join(sorted(ways))
            raise Refusal(f"{self.book.id} deals by {known}", self.book.id)
        if not 1 <= self.boxes <= self.book.table.boxes.count:
            most = self.book.table.boxes
            raise Refusal(f"A table has 1 to {most.count} boxes", self.book.cite(most.clause))

    @cached_property
    def book(self) -> Rulebook:
        return self.rules.book

    @cached_property
    def limit_of(self) -> Mapping[str, WagerLimit]:
        return dict(self.limits)

    @cached_property
    def ways(self) -> Mapping[str, WayOfDealing]:
        return {name: self.book.way(name) for name in (self.way, *self.fallback_ways)}

    @cached_property
    def plans(self) -> Mapping[str, tuple[DealStep, ...]]:
        """The steps of each way, without the places of wagers this table does not offer."""
        return {
            name: tuple(step for step in way.steps if self._is_dealt(step))
            for name, way in self.ways.items()
        }

    def _is_dealt(self, step: DealStep) -> bool:
        return all(
            place.only_for is None or self.rules.offers(place.only_for)
            for place in self.book.places
            if place.name == step.to
        )

    @cached_property
    def offered(self) -> Mapping[str, tuple[str, ...]]:
        """The wagers open before the deal, by way: one that needs a place needs its cards."""
        offered = {}
        for name, plan in self.plans.items():
            dealt = {step.to for step in plan}
            lacking = {p.only_for for p in self.book.places if p.only_for and p.name not in dealt}
            offered[name] = tuple(
                wager.name
                for wager in self.book.wagers
                if wager.paid_on is None
                and wager.beside is None
                and self.rules.offers(wager.name)
                and wager.name not in lacking
            )
        return offered

    @cached_property
    def sizes(self) -> Mapping[str, dict[str, tuple[int, int, int]]]:
        """The least and the most of each open wager and the steps between, by way."""
        fixed = self.progressive_cents
        limits = {
            name: (one.minimum_cents, one.maximum_cents, one.increment_cents)
            for name, one in self.limits
        }
        if fixed is not None:
            limits[PROGRESSIVE] = (fixed, fixed, fixed)
        return {
            way: {name: limits[name] for name in offered if name in limits}
            for way, offered in self.offered.items()
        }

    @cached_property
    def hands_dealt(self) -> Mapping[str, int]:
        """How many steps it takes until every box and the dealer hold their cards, by way."""
        return {
            name: max((n for n, s in enumerate(plan, 1) if s.deal and s.to in HANDS), default=0)
            for name, plan in self.plans.items()
        }

    @cached_property
    def devices(self) -> tuple[str, ...]:
        """The devices that stand at this table; an electronic shoe is none that can jam."""
        owned = {
            "shuffler": self.shuffler,
            "automated_shoe": self.automated_shoe,
            "reshuffling_shoe": self.reshuffling_shoe,
        }
        return () if self.electronic_shoe else tuple(name for name in owned if owned[name])

    def machines(self, way: WayOfDealing) -> tuple[str, ...]:
        """The devices of this table that a way of dealing may use, each by its own name."""
        named = ("shuffler" if name in OF_THE_SHUFFLER else name for name in way.devices)
        return tuple(name for name in named if name in self.devices)

    @cached_property
    def first_steps(self) -> Mapping[str, int]:
        """How many steps come before the first question, by way."""
        return {
            name: next((n for n, step in enumerate(plan) if step.after is not None), len(plan))
            for name, plan in self.plans.items()
        }

    @cached_property
    def street_index(self) -> Mapping[str, int]:
        return {street.name: n for n, street in enumerate(self.book.streets)}

    @cached_property
    def first_card_of(self) -> Mapping[str, str]:
        """What is declared, where an irregularity is only what it becomes when it comes again."""
        return {
            name: first.name
            for first in self.book.irregularities
            for name in (first.second, first.second_late)
            if name is not None
        }

    @cached_property
    def play(self) -> tuple[str, str]:
        """The wager a decision makes and the wager it stands beside: Play and Ante."""
        wager = next(wager for wager in self.book.wagers if wager.decides is not None)
        return wager.name, wager.decides or ""

    @cached_property
    def keeps_cards(self) -> frozenset[str]:
        """Open wagers under which the cards of a folded box stay on the table."""
        return frozenset(w.name for w in self.book.wagers if w.keeps_folded_cards)

    @property
    def progressive_cents(self) -> Cents | None:
        terms = self.rules.progressive
        return terms.stake_cents if terms is not None else None

    @cached_property
    def meters(self) -> tuple[str, ...]:
        table = self.rules.paytable(PROGRESSIVE)
        return tuple(meter.name for meter in table.meters) if table is not None else ()

    @cached_property
    def limit_of_meter(self) -> Mapping[str, Micros]:
        return dict(self.meter_limits)

    @cached_property
    def overflows(self) -> tuple[str, ...]:
        """What is kept beside the meters that have a limit."""
        return tuple(overflow_of(name) for name, _ in self.meter_limits)

    @cached_property
    def growth(self) -> Mapping[str, Micros]:
        """What one accepted Progressive wager adds to each meter."""
        stake = in_micros(self.progressive_cents or Cents(0))
        return {name: Micros(stake * rate // RATE_WHOLE) for name, rate in self.rates}


def overflow_of(meter: str) -> str:
    """The name under which a link keeps what was wagered beyond the limit of a meter."""
    return f"{meter} overflow"


def terms_of(said: Submission, registry: Registry, *, electronic_shoe: bool) -> Terms:
    """What a table takes from a submission; the shoe it deals from is known where it is wired."""
    offer = said.progressive
    meters = offer.meters if offer is not None else ()
    return Terms(
        rules=said.rules(registry),
        boxes=said.boxes,
        way=said.dealing.method,
        limits=said.limits,
        fallback_ways=said.dealing.fallbacks,
        adjacent_boxes=said.adjacent_boxes,
        deck_colors=said.decks.backs or ("red",),
        shuffler=said.devices.shuffler,
        shuffler_counts=said.devices.counts_to_52,
        automated_shoe=said.devices.automated_shoe,
        reshuffling_shoe=said.devices.reshuffling_shoe,
        electronic=said.electronic,
        electronic_shoe=electronic_shoe,
        takes_numbers=electronic_shoe and said.players_numbers,
        absence="abandoned" if said.abandoned_wagers == "lost" else "default",
        rates=tuple((meter.name, meter.rate_ppm) for meter in meters),
        meter_limits=tuple(
            (meter.name, in_micros(meter.limit_cents))
            for meter in meters
            if meter.limit_cents is not None
        ),
        paid_from=(offer.paid_from if offer is not None else None) or PAID_FROM[0],
    )
