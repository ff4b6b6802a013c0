"""What solving a game gives: the base game, its starting hands and every side wager, exactly.

A :class:`Solution` holds counts and fractions only; floats appear when it is printed or exported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from math import sqrt
from typing import Any

from croupier.exact.base_game import PAYOUT_LIMIT, BaseGame, LimitedAnte
from croupier.exact.endings import Assumed, Endings
from croupier.facts.csv_text import csv_text
from croupier.facts.money import Cents, dollars, money
from croupier.facts.names import known_names
from croupier.facts.odds import Share
from croupier.games.rules import ENVY, PROGRESSIVE, refuse_no_stake

COUNTED_NOW = "counted now"
_CSV_COLUMNS = ("wager", "paytable", "reading", "ev", "ev_exact", "hit_frequency", "sd")


@dataclass(frozen=True)
class HandValue:
    """What each action is worth with one kind of hand, in Antes, and the best of them."""

    name: str
    ways: int
    values: tuple[tuple[str, Fraction], ...]
    best: str


@dataclass(frozen=True)
class SideValue:
    """One wager under one paytable, and what its value assumes.

    ``reading`` names the cards that count where the rules leave that open (ruling 18).
    ``base_with`` says, ending by ending, what the deals that end so add to the mean of the base
    game; None where the two are not counted together. ``resets_cents`` is what each meter begins
    again with, whatever is assumed to stand on it.
    """

    endings: Endings
    assumed: Assumed
    reading: str | None = None
    base_with: tuple[Fraction, ...] | None = None
    resets_cents: tuple[tuple[str, Cents], ...] = ()

    @property
    def ev(self) -> Fraction:
        return self.endings.ev(self.assumed)

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.endings.variance(self.assumed))

    @property
    def depends_on_money(self) -> bool:
        """Whether some line pays dollars or from a meter."""
        return bool(self.endings.slopes()) or self.ev != self.endings.ev(
            Assumed(Cents(self.assumed.stake_cents + 1), self.assumed.meters_cents)
        )

    def assuming(self, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]) -> SideValue:
        """The same wager at another stake, or with other amounts on its meters."""
        stake = stakes.get(self.endings.wager, self.assumed.stake_cents)
        read = tuple((name, meters.get(name, held)) for name, held in self.assumed.meters_cents)
        return replace(self, assumed=Assumed(stake, read))

    def fixed_part(self) -> Fraction:
        """The value with every meter empty."""
        empty = tuple((name, Cents(0)) for name, _ in self.assumed.meters_cents)
        return self.endings.ev(Assumed(self.assumed.stake_cents, empty))

    def break_even_dollars(self, added: Fraction = Fraction(0)) -> dict[str, Fraction]:
        """By meter: what must stand on it for an even wager, the others as assumed.

        ``added`` is what the wager brings beside its own paytable: Envy.
        """
        slopes = self.endings.slopes(self.assumed)
        at = {name: Fraction(amount, 100) for name, amount in self.assumed.meters_cents}
        lacks = self.ev + added
        return {name: at[name] - lacks / slope for name, slope in slopes.items() if slope}

    def chance_to_empty(self, meter: str) -> Fraction:
        """The chance of the award that takes all of a meter."""
        whole, ends = Share(100, meter), self.endings
        return sum((ends.chance(end) for end in ends.endings if end.odds == whole), Fraction(0))

    def long_run(self) -> tuple[Fraction, Fraction]:
        """What a stake gives back over many rounds by its odds, and by what meters are reset to.

        Meters can pay only what was put into them: each reset, when a whole award calls for one,
        and the share of every wager by which they grow, which comes to this.
        """
        stake = self.assumed.stake_cents
        resets = (
            self.chance_to_empty(n) * Fraction(cents, stake) for n, cents in self.resets_cents
        )
        return 1 + self.fixed_part(), sum(resets, Fraction(0))


@dataclass(frozen=True)
class JointValue:
    """A wager that depends on play, when the player does what is best for it and the base game
    together: how it ends, its stake in Antes, and what the base game is worth then."""

    endings: Endings
    stake: Fraction
    base_ev: Fraction

    def document(self) -> dict[str, Any]:
        return _played_document(self.endings, self.stake, self.base_ev)


def _played_document(ends: Endings, stake: Fraction, base_ev: Fraction) -> dict[str, Any]:
    """What a wager and the base game are worth under one way of playing, apart and together."""
    values = {"ev": ends.ev(), "base_ev": base_ev, "together_ev": base_ev + stake * ends.ev()}
    return {
        **{name: float(value) for name, value in values.items()},
        **{f"{name}_exact": str(value) for name, value in values.items()},
        "hit_frequency": float(ends.hit_frequency()),
        "standard_deviation": sqrt(ends.variance()),
        "stake_in_antes": str(stake),
    }


@dataclass(frozen=True)
class EnvyValue:
    """What Envy adds to one Progressive wager, for each other box at the table."""

    paytable: str
    stake: str
    reading: str | None
    endings: Endings
    assumed: Assumed

    @property
    def ev_each_box(self) -> Fraction:
        """Envy has no stake of its own, so a box that shows nothing costs nothing."""
        paid = sum(
            (e.ways * e.net(self.assumed) for e in self.endings.endings if e.pays is not None),
            Fraction(0),
        )
        return paid / self.endings.total

    @property
    def cents_each_box(self) -> Fraction:
        return self.ev_each_box * self.assumed.stake_cents

    @property
    def chances_each_box(self) -> dict[Fraction, float]:
        """By what one other box brings, in cents, how likely that is."""
        ways: dict[Fraction, int] = {}
        for end in self.endings.endings:
            paid = end.net(self.assumed) * self.assumed.stake_cents if end.pays else Fraction(0)
            ways[paid] = ways.get(paid, 0) + end.ways
        return {paid: n / self.endings.total for paid, n in sorted(ways.items())}


NOT_JOINT = "not counted: the values are those under the best play of the base game alone"


@dataclass(frozen=True)
class Solution:
    """A whole game under one set of Rules: the base game under optimal play and all side wagers.

    ``provenance`` says whether it was counted now, or kept and by what that is proved. Of the side
    wagers that ``depend_on_play`` those in ``joint`` were played together with the base game too.
    """

    game: str
    rulebook: str
    paytables: tuple[tuple[str, str], ...]
    boxes: int
    base: BaseGame
    hands: tuple[HandValue, ...]
    side_wagers: tuple[SideValue, ...]
    envy: tuple[EnvyValue, ...]
    base_values: tuple[tuple[str, str, Fraction], ...] = ()
    limited: LimitedAnte | None = None
    beside: tuple[tuple[str, Fraction], ...] = ()
    joint: tuple[JointValue, ...] = ()
    depend_on_play: tuple[str, ...] = ()
    provenance: str = field(default=COUNTED_NOW, compare=False)

    @property
    def ev(self) -> Fraction:
        return self.base.ev

    def side(self, wager: str, paytable: str, reading: str | None = None) -> SideValue:
        """One side wager under one paytable; a LookupError says what there is."""
        for side in self.side_wagers:
            named = (side.endings.wager, side.endings.paytable) == (wager, paytable)
            if named and reading in (None, side.reading):
                return side
        known = dict.fromkeys(f"{s.endings.wager} {s.endings.paytable}" for s in self.side_wagers)
        raise LookupError(f"there is no {wager} {paytable} here, only {', '.join(known)}")

    def joint_of(self, side: SideValue) -> JointValue | None:
        """The same wager played together with the base game, where it depends on play."""
        named = (side.endings.wager, side.endings.paytable)
        joints = (j for j in self.joint if (j.endings.wager, j.endings.paytable) == named)
        return next(joints, None)

    def envy_of(self, side: SideValue) -> EnvyValue | None:
        """The Envy that goes with a Progressive wager: the chosen one, or where nothing is chosen
        the paytable of the same letter; None where there is none."""
        chosen = dict(self.paytables)
        same_letter = None if PROGRESSIVE in chosen else side.endings.paytable
        letter = chosen.get(ENVY, same_letter)
        for envy in self.envy:
            same_stake = envy.assumed.stake_cents == side.assumed.stake_cents
            if (envy.paytable, envy.reading) == (letter, side.reading) and same_stake:
                return envy
        return None

    def assuming(self, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]) -> Solution:
        """The same counts valued at other stakes and meters; a name nobody knows is refused."""
        sides = dict.fromkeys(side.endings.wager for side in self.side_wagers)
        named = (name for side in self.side_wagers for name, _ in side.assumed.meters_cents)
        known_names(stakes, sides, "side wager", where=self.rulebook)
        known_names(meters, dict.fromkeys(named), "meter", where=self.rulebook)
        refuse_no_stake(stakes)
        return replace(
            self, side_wagers=tuple(side.assuming(stakes, meters) for side in self.side_wagers)
        )

    def together(self, side: SideValue) -> float | None:
        """The standard deviation of one Ante's round and one stake of a side wager together."""
        if side.base_with is None:
            return None
        both = zip(side.endings.endings, side.base_with, strict=True)
        product = sum((end.net(side.assumed) * mean for end, mean in both), Fraction(0))
        covariance = product - self.base.ev * side.ev
        return sqrt(self.base.variance + side.endings.variance(side.assumed) + 2 * covariance)

    def to_json(self) -> str:
        """Everything, as one JSON document."""
        return json.dumps(self.document())

    def to_csv(self) -> str:
        """One line a wager and paytable: what a spreadsheet wants."""
        rows = ((*row, self.rulebook) for row in self._csv_rows())
        return csv_text(((*_CSV_COLUMNS, "rulebook"), *rows))

    def _csv_rows(self) -> Iterator[tuple[object, ...]]:
        base, said = self.base, self.limit_words()
        yield "base", "", said, float(base.ev), base.ev, "", base.standard_deviation
        for wager, letter, ev in self.base_values:
            yield wager, letter, "the base game under it", float(ev), ev, "", ""
        for side in self.side_wagers:
            found, hits = side.endings, float(side.endings.hit_frequency())
            values = (float(side.ev), side.ev, hits, side.standard_deviation)
            yield found.wager, found.paytable, side.reading or "", *values

    def __str__(self) -> str:
        edge, risk = -self.ev, -self.ev / self.base.average_wager
        return (
            f"{self.game} under {self.rulebook}: house edge {100 * float(edge):.4f}% of the Ante, "
            f"element of risk {100 * float(risk):.4f}%, "
            f"standard deviation {self.base.standard_deviation:.4f} Antes; exactly {self.ev}"
            + (f" ({self.limit_words()})" if self.limited is not None else "")
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the base game in a line, then every wager and paytable."""
        header = "".join(f"<th>{escape(name)}</th>" for name in _CSV_COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
            for row in self._csv_rows()
        )
        return f"<p>{escape(str(self))}</p><table><tr>{header}</tr>{body}</table>"

    def document(self) -> dict[str, Any]:
        """The solution as ``croupier solve --json`` prints it."""
        return {
            "game": self.game,
            "rulebook": self.rulebook,
            "paytables": dict(self.paytables),
            "provenance": self.provenance,
            **(self._limit_document() if self.limited is not None else {}),
            **base_document(self.base),
            "hands": {
                hand.name: {
                    "ways": hand.ways,
                    "best": hand.best,
                    "values": {action: float(value) for action, value in hand.values},
                    "values_exact": {action: str(value) for action, value in hand.values},
                }
                for hand in self.hands
            },
            "base_paytables": self._base_documents(),
            "side_wagers": self._side_documents(),
            "envy": self._envy_documents(),
        }

    def limit_words(self) -> str:
        """What the base game's values include, and what they assume, in a sentence; or nothing."""
        if self.limited is None:
            return ""
        ante, limit = (
            money(amount) for amount in (self.limited.ante_cents, self.limited.limit_cents)
        )
        beside = " and ".join(
            f"{money(stake) if stake else 'no'} {name.replace('_', ' ').capitalize()}"
            for name, stake in self.limited.beside
        )
        whose = "the shipped payout limit" if self.limited.shipped else "the payout limit"
        down = f", with {beside} beside it" if beside else ""
        return f"At an Ante of {ante}{down}, under {whose} of {limit} a hand"

    def _limit_document(self) -> dict[str, Any]:
        """At which Ante, under which limit, and how often and how deep it cuts."""
        assert self.limited is not None
        cut = self.base.wager_ends().get(PAYOUT_LIMIT)
        return {
            "payout_limit": {
                "ante": dollars(self.limited.ante_cents),
                "limit": dollars(self.limited.limit_cents),
                "shipped": self.limited.shipped,
                "beside": {name: dollars(stake) for name, stake in self.limited.beside},
                "cut_frequency": float(Fraction(cut.played, self.base.deals)) if cut else 0.0,
                "cut": float(-cut.ev) if cut else 0.0,
                "cut_exact": str(-cut.ev) if cut else "0",
                "says": self.limit_words(),
            }
        }

    def _base_documents(self) -> dict[str, dict[str, Any]]:
        """What the base game is worth under each paytable it may be played with."""
        documents: dict[str, dict[str, Any]] = {}
        for wager, letter, ev in self.base_values:
            value = {"ev": float(ev), "ev_exact": str(ev), "house_edge": float(-ev)}
            documents.setdefault(wager, {})[letter] = value
        return documents

    def _side_documents(self) -> dict[str, dict[str, Any]]:
        documents: dict[str, dict[str, Any]] = {}
        for side in self.side_wagers:
            wager, paytable = side.endings.wager, side.endings.paytable
            by_table = documents.setdefault(wager, {})
            document = self._side_document(side)
            if paytable not in by_table:
                by_table[paytable] = document
            if side.reading is not None:
                by_table[paytable].setdefault("readings", {})[side.reading] = {
                    name: value for name, value in document.items() if name != "readings"
                }
        return documents

    def _envy_documents(self) -> dict[str, dict[str, Any]]:
        """By paytable, then by stake and reading."""
        documents: dict[str, dict[str, Any]] = {}
        for envy in self.envy:
            name = f"{envy.stake} {envy.reading}" if envy.reading else envy.stake
            documents.setdefault(envy.paytable, {})[name] = self._envy_document(envy)
        return documents

    def _side_document(self, side: SideValue) -> dict[str, Any]:
        endings = side.endings
        document: dict[str, Any] = {
            "ev": float(side.ev),
            "ev_exact": str(side.ev),
            "house_edge": float(-side.ev),
            "hit_frequency": float(endings.hit_frequency()),
            "standard_deviation": side.standard_deviation,
            "outcomes": {
                ending.name: {
                    "probability": float(endings.chance(ending)),
                    "ways": ending.ways,
                    "odds": ending.pays,
                }
                for ending in endings.endings
            },
            "total": endings.total,
        }
        if (joint := self.joint_of(side)) is not None:
            document["base_optimal"] = _played_document(endings, joint.stake, self.base.ev)
            document["joint_optimal"] = joint.document()
        elif endings.wager in self.depend_on_play:
            document["joint_optimal"] = NOT_JOINT
        if (together := self.together(side)) is not None:
            document["with_base_standard_deviation"] = together
        if side.depends_on_money:
            document["assumes"] = self._assumes(side)
        if side.assumed.meters_cents:
            document["progressive"] = self._progressive_document(side)
        return document

    def _progressive_document(self, side: SideValue) -> dict[str, Any]:
        """``break_even_meter`` is without Envy; the long run is without what meters grow by."""
        endings, envy = side.endings, self.envy_of(side)
        by_odds, by_resets = side.long_run()
        document: dict[str, Any] = {
            "fixed_part": float(side.fixed_part()),
            "ev_each_meter_dollar": _floats(endings.slopes(side.assumed)),
            "break_even_meter": _floats(side.break_even_dollars()),
            "long_run_return": {"by_odds": float(by_odds), "by_resets": float(by_resets)},
            "rounds_between_hits": {
                ending.name: float(1 / endings.chance(ending))
                for ending in endings.endings
                if ending.pays is not None and ending.ways
            },
        }
        if envy is not None and self.boxes > 1:
            added = (self.boxes - 1) * envy.ev_each_box
            document["with_envy"] = {
                "paytable": envy.paytable,
                "other_boxes": self.boxes - 1,
                "adds": float(added),
                "break_even_meter": _floats(side.break_even_dollars(added)),
            }
        return document

    def _assumes(self, side: SideValue) -> dict[str, Any]:
        assumed: dict[str, Any] = {"stake": dollars(side.assumed.stake_cents), "boxes": self.boxes}
        if side.assumed.meters_cents:
            assumed["meters"] = {name: dollars(c) for name, c in side.assumed.meters_cents}
        if side.reading is not None:
            assumed["hand"] = side.reading
        return assumed

    def _envy_document(self, envy: EnvyValue) -> dict[str, Any]:
        each = envy.ev_each_box
        return {
            "ev_each_box": float(each),
            "ev_each_box_exact": str(each),
            "ev_by_other_boxes": {str(n): float(n * each) for n in range(1, self.boxes)},
            "chance_each_box": float(envy.endings.hit_frequency()),
            "assumes": {"stake": envy.stake, "hand": envy.reading},
        }


def base_document(base: BaseGame) -> dict[str, Any]:
    """What is reported of a base game, however it was played."""
    total = base.deals
    return {
        "deals": total,
        "ev": float(base.ev),
        "ev_exact": str(base.ev),
        "house_edge": float(-base.ev),
        "element_of_risk": float(-base.ev / base.average_wager),
        "average_wager": float(base.average_wager),
        "standard_deviation": base.standard_deviation,
        "skewness": base.skewness,
        "actions": {name: float(Fraction(w, total)) for name, w in base.action_ways().items()},
        "distribution": {
            net_label(net): float(Fraction(ways, total))
            for net, ways in base.distribution().items()
        },
        "wagers": {
            name: {
                "played": float(Fraction(ends.played, total)),
                "win": float(Fraction(ends.won, total)),
                "push": float(Fraction(ends.pushed, total)),
                "lose": float(Fraction(ends.lost, total)),
                "ev": float(ends.ev),
            }
            for name, ends in base.wager_ends().items()
        },
    }


def _floats(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}


def net_label(net: Fraction) -> str:
    """A net result in Antes as people write it: ``-2``, ``2.5``, or a fraction where it must be."""
    if net.denominator == 1:
        return str(net)
    decimal = float(net)
    return str(decimal) if Fraction(str(decimal)) == net else str(net)


def even_at(needed: Fraction | None) -> str:
    """What must stand on a meter for an even wager, in words."""
    if needed is None:
        return "never"
    return "always" if needed <= 0 else f"${float(needed):,.0f}"
