"""Design: a wager and its targets in, the paytables that meet them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.exact.endings import Assumed
from croupier.exact.solution_cache import solved
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents, dollars
from croupier.facts.names import known_name
from croupier.facts.progress import Progress
from croupier.games.rules import PROGRESSIVE, Rules, with_paytable
from croupier.paytables.base_wager import solved_tables
from croupier.paytables.progressive import ProgressiveDesign, design_progressive
from croupier.paytables.search import PricedTable, Target, priced, search

AT_ONCE = 5  # paytables of a base game that are solved where nobody says how many


@dataclass(frozen=True)
class Designed:
    """One paytable that meets the target, and its edge; of a base game under its own best play."""

    table: PricedTable
    edge: Fraction


@dataclass(frozen=True)
class PaytableDesign:
    """What was found for a wager: ``near`` is the given paytable, the others stand by distance.

    ``there_are`` is how many meet the target; of a base game only how many may, and ``solved`` of
    them were solved; ``margin`` is the most that their own best play can take off an edge.
    """

    rulebook: str
    wager: str
    letter: str
    near: PricedTable
    found: tuple[Designed, ...]
    there_are: int
    solved: int | None = None
    margin: Fraction = Fraction(0)
    progressive: ProgressiveDesign | None = field(default=None)

    def document(self) -> dict[str, Any]:
        """What ``croupier design --json`` prints; edges are shares of the stake."""
        found: dict[str, Any] = {
            "rulebook": self.rulebook,
            "wager": self.wager,
            "near": self.letter,
        }
        if self.progressive is not None:
            return {**found, **_progressive_document(self.progressive)}
        found["there_are"] = self.there_are
        if self.solved is not None:
            found["solved"], found["margin"] = self.solved, float(self.margin)
        found["sensitivity"] = {
            effect.name: {
                "chance": float(effect.chance),
                "edge": float(effect.edge),
                **({} if self.solved is not None else {"standard_deviation": effect.deviation}),
            }
            for effect in self.near.effects()
        }
        found["paytables"] = [self._table_document(designed) for designed in self.found]
        return found

    def _table_document(self, designed: Designed) -> dict[str, Any]:
        table = designed.table
        document: dict[str, Any] = {
            "edge": float(designed.edge),
            "edge_exact": str(designed.edge),
            "distance": table.distance,
            "lines": {line.name: str(line.odds) for line in table.lines},
        }
        if self.solved is None:
            document["standard_deviation"] = table.standard_deviation
            document["hit_frequency"] = float(table.hit_frequency)
        return document


def _progressive_document(found: ProgressiveDesign) -> dict[str, Any]:
    return {
        "stake": dollars(found.stake_cents),
        "shares": dict(found.shares),
        "envy": {str(others): float(adds) for others, adds in found.envy},
        "break_even_meter": {
            str(others): {name: float(amount) for name, amount in meters}
            for others, meters in found.break_even
        },
        "plans": [
            {
                "resets": {name: dollars(cents) for name, cents in plan.resets_cents},
                "rate": float(plan.rate),
                "edge": float(plan.edge),
                "edge_exact": str(plan.edge),
                "returns": dict(
                    zip(("odds", "resets", "rate", "envy"), map(float, plan.returns), strict=True)
                ),
            }
            for plan in found.plans
        ],
    }


def design(
    rules: Rules,
    wager: str,
    target: Target,
    *,
    near: str | None = None,
    stake_cents: Cents = Cents(100),
    seats: int | None = None,
    rate: Fraction | None = None,
    most: int | None = None,
    progress: Progress = lambda what, done: None,
) -> PaytableDesign:
    """Every paytable of a wager that meets a target, ordered by distance from a given one."""
    if not target.edge[0] <= target.edge[1]:
        raise Unreadable("an edge goes from the lower to the higher, like 1.8..2.2")
    book = rules.book
    known_name(wager, book.paytables, "wager with a paytable", where=book.id)
    tables = book.paytables[wager]
    letter = near or dict(rules.letters).get(wager) or next(iter(tables))
    known_name(letter, dict.fromkeys((*tables, *dict(rules.letters).values())), "paytable")
    if not book.wager(wager).optional:
        if letter in tables:
            rules = with_paytable(rules, wager, letter, tables[letter])
        return _base_design(rules, wager, letter, target, most or AT_ONCE, progress)
    solution = solved(rules, progress)
    side = solution.side(wager, letter).assuming({wager: stake_cents}, {})
    if wager == PROGRESSIVE:
        boxes = seats or solution.boxes
        envy = solution.envy_of(side)
        progressive = design_progressive(side, envy, boxes, target.edge, rate)
        near_table = priced(side.endings, side.assumed)
        plans = len(progressive.plans)
        return PaytableDesign(
            book.id, wager, letter, near_table, (), plans, None, Fraction(0), progressive
        )
    table = priced(side.endings, Assumed(stake_cents, side.assumed.meters_cents))
    found = search(table, target)
    shown = found if most is None else found[:most]
    designed = tuple(Designed(each, each.edge) for each in shown)
    return PaytableDesign(book.id, wager, letter, table, designed, len(found))


def _base_design(
    rules: Rules, wager: str, letter: str, target: Target, most: int, progress: Progress
) -> PaytableDesign:
    looked = solved_tables(rules, wager, target, most, progress)
    designed = tuple(Designed(each.table, each.edge) for each in looked.found)
    return PaytableDesign(
        rules.book.id, wager, letter, looked.near, designed, looked.there_are, looked.solved,
        looked.margin,
    )  # fmt: skip
