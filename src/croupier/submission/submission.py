"""The Rules Submission of one table, as frozen data: what the operator chose, every choice made.

``Submission.rules`` binds what decides money and order; limits, devices and names stay here for
the table, the documents and the people.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from fractions import Fraction

from croupier.facts.money import Cents, dollars
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, ProgressiveTerms, Rules, bind
from croupier.submission.check_limits import ANY_CENT, has_own_limits
from croupier.submission.draft import SubmissionDraft
from croupier.submission.keys import PaidFrom
from croupier.submission.value_kinds import PPM


@dataclass(frozen=True)
class WagerLimit:
    """What a player may stake on one wager: from the minimum in steps up to the maximum."""

    minimum_cents: Cents
    maximum_cents: Cents
    increment_cents: Cents = ANY_CENT

    def __str__(self) -> str:
        ends = f"{dollars(self.minimum_cents)} to {dollars(self.maximum_cents)}"
        return f"{ends} in steps of {dollars(self.increment_cents)}"

    def allows(self, stake_cents: int) -> bool:
        return self.is_between(stake_cents) and self.is_on_a_step(stake_cents)

    def is_between(self, stake_cents: int) -> bool:
        return self.minimum_cents <= stake_cents <= self.maximum_cents

    def is_on_a_step(self, stake_cents: int) -> bool:
        return (stake_cents - self.minimum_cents) % self.increment_cents == 0


@dataclass(frozen=True)
class MeterOffer:
    """Where a meter starts, what it falls back to, and its share of each wager in millionths.

    At its ``limit_cents``, where it has any, it stays until it is won (ruling 43).
    """

    name: str
    initial_cents: Cents
    reset_cents: Cents
    rate_ppm: int
    limit_cents: Cents | None = None


@dataclass(frozen=True)
class ProgressiveOffer:
    """The Progressive; ``hand`` and ``holder_must_wager`` are None where a book has no choice.

    ``paid_from`` is what pays an award of a meter; None where the book says it, or nobody does.
    """

    stake_cents: Cents
    system: str
    meters: tuple[MeterOffer, ...]
    hand: str | None = None
    holder_must_wager: bool | None = None
    paid_from: PaidFrom | None = None

    @property
    def growth(self) -> Fraction:
        """The share of every wager that all meters together grow by."""
        return Fraction(sum(meter.rate_ppm for meter in self.meters), PPM)


@dataclass(frozen=True)
class Devices:
    """What stands at the table; the second to fourth say what its shuffler can do."""

    shuffler: bool = False
    counts_to_52: bool = False
    loads_shoe: bool = False
    keeps_dealer_cards: bool = False
    automated_shoe: bool = False
    reshuffling_shoe: bool = False


@dataclass(frozen=True)
class Dealing:
    """A way of dealing by its id in the rulebook, and those for when a device is out of order."""

    method: str
    fallbacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decks:
    count: int = 1
    backs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Submission:
    facility: str
    operator: str
    table: str
    rulebook: str
    boxes: int
    adjacent_boxes: int
    abandoned_wagers: str
    paytables: tuple[tuple[str, str], ...]
    limits: tuple[tuple[str, WagerLimit], ...]
    dealing: Dealing
    devices: Devices = Devices()
    decks: Decks = Decks()
    progressive: ProgressiveOffer | None = None
    payout_limit_cents: Cents | None = None
    electronic: bool = False
    players_numbers: bool = False
    version: str | None = None
    approved: datetime.date | None = None
    logo: str | None = None

    def limit(self, wager: str) -> WagerLimit | None:
        """The limit of a wager whose size a player chooses."""
        return dict(self.limits).get(wager)

    def rules(self, registry: Registry) -> Rules:
        """What the engine and the mathematician need of all this."""
        book = registry.book(self.rulebook)
        return bind(
            registry.game_of(book),
            book,
            dict(self.paytables),
            progressive=self._terms(),
            payout_limit_cents=self.payout_limit_cents,
        )

    def _terms(self) -> ProgressiveTerms | None:
        offer = self.progressive
        if offer is None:
            return None
        resets = tuple((meter.name, meter.reset_cents) for meter in offer.meters)
        holder = bool(offer.holder_must_wager)
        return ProgressiveTerms(offer.stake_cents, offer.hand, holder, resets)


def built(draft: SubmissionDraft) -> Submission:
    """The submission a draft without errors makes."""
    return Submission(
        facility=draft.text("facility", "name") or "",
        operator=draft.text("facility", "operator") or "",
        table=draft.text("table", "id") or "",
        rulebook=draft.book.id,
        boxes=draft.count("table", "boxes") or 1,
        adjacent_boxes=draft.count("table", "adjacent_boxes") or 1,
        abandoned_wagers=draft.text("table", "abandoned_wagers") or "",
        paytables=tuple(
            (name, draft.text("paytables", name) or "") for name in draft.names("paytables")
        ),
        limits=tuple(_limits(draft)),
        dealing=Dealing(draft.text("dealing", "method") or "", draft.texts("dealing", "fallbacks")),
        devices=Devices(**{name: draft.flag("devices", name) for name in draft.names("devices")}),
        decks=Decks(draft.count("decks", "count") or 1, draft.texts("decks", "backs")),
        progressive=_progressive(draft),
        payout_limit_cents=draft.amount("table", "payout_limit"),
        electronic=draft.flag("table", "electronic"),
        players_numbers=draft.flag("table", "players_numbers"),
        version=draft.text("version"),
        approved=draft.read.values.get(("approved",)),
        logo=draft.text("facility", "logo"),
    )


def _limits(draft: SubmissionDraft) -> list[tuple[str, WagerLimit]]:
    found = []
    for wager in draft.offered():
        table = ("limits", wager.equals or wager.name)
        least, most = draft.amount(*table, "minimum"), draft.amount(*table, "maximum")
        if has_own_limits(wager) and least is not None and most is not None:
            step = draft.amount(*table, "increment") or ANY_CENT
            found.append((wager.name, WagerLimit(least, most, step)))
    return found


def _progressive(draft: SubmissionDraft) -> ProgressiveOffer | None:
    table = draft.paytable(PROGRESSIVE)
    if table is None:
        return None
    meters = []
    for meter in table.meters:
        path = (PROGRESSIVE, "meters", meter.name)
        initial, reset = draft.amount(*path, "initial"), draft.amount(*path, "reset")
        rate = draft.count(*path, "rate") or 0
        limit = draft.amount(*path, "limit")
        meters.append(MeterOffer(meter.name, initial or Cents(0), reset or Cents(0), rate, limit))
    return ProgressiveOffer(
        stake_cents=draft.amount(PROGRESSIVE, "wager") or Cents(0),
        system=draft.text(PROGRESSIVE, "system") or "",
        meters=tuple(meters),
        hand=draft.text(PROGRESSIVE, "hand"),
        holder_must_wager=(
            draft.flag(PROGRESSIVE, "holder_must_wager")
            if draft.writes(PROGRESSIVE, "holder_must_wager")
            else None
        ),
        paid_from=draft.read.values.get((PROGRESSIVE, "paid_from")),
    )
