"""The lines of a record held against the lines that were due, one wager at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.facts.money import dollars, meter_exactly
from croupier.facts.odds import PUSH, For, odds
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.table.events import Outcome, WagerSettled

LIMIT = "payout_limit"
OUTCOMES = {
    "win": "a win",
    "push": "a push",
    "lose": "a loss",
    "forfeit": "a forfeit",
    "returned": "a stake returned",
}
Key = tuple[int, str, int]


class Pair(NamedTuple):
    """One wager's line as it was written and as it was due; one of them may be missing."""

    told: rec.LineRecord | None
    due: WagerSettled | None

    @property
    def paid_cents(self) -> int:
        return self.told.paid_cents + self.told.returned_cents if self.told is not None else 0

    @property
    def due_cents(self) -> int:
        return self.due.paid_cents + self.due.returned_cents if self.due is not None else 0


def compared(case: RoundCase, due: list[WagerSettled], unsettled: set[int]) -> Iterator[LogFinding]:
    """Each difference; boxes that could not be settled again are left out."""
    told = [
        line
        for line in case.record.lines
        if line.box not in unsettled and not _is_envy_taken_back(case, line)
    ]
    due_keys, told_keys = [_key(line) for line in due], [_key(line) for line in told]
    in_order = _common(due_keys, told_keys) == _common(told_keys, due_keys)
    for key in dict.fromkeys((*due_keys, *told_keys)):
        written = [line for line in told if _key(line) == key]
        owed = [line for line in due if _key(line) == key]
        for pair in map(Pair._make, zip_longest(written, owed)):
            yield from _difference(case, pair, key, in_order=in_order)
    if not in_order:
        yield _out_of_order(case, due_keys, told_keys)


def _is_envy_taken_back(case: RoundCase, line: rec.LineRecord) -> bool:
    """Envy paid before it was found that its receiver's own wager was not accepted (ruling 36)."""
    box = case.boxes.get(line.box)
    unaccepted = box is not None and box.refused == "wager"
    return line.reversed and line.wager == ENVY and unaccepted


def _key(line: WagerSettled | rec.LineRecord) -> Key:
    return line.box, line.wager, line.holder or 0


def _common(keys: list[Key], others: list[Key]) -> list[Key]:
    """What both have, in the order of the first; what comes twice counts where it came first."""
    both = {*keys} & {*others}
    return [key for key in dict.fromkeys(keys) if key in both]


def _out_of_order(case: RoundCase, due: list[Key], told: list[Key]) -> LogFinding:
    pairs = zip(_common(due, told), _common(told, due), strict=True)
    (seat, wager, _), (box, other, _) = next(pair for pair in pairs if pair[0] != pair[1])
    sentence = (
        f"{case.title(other)} of box {box} is settled where {case.title(wager)} of box {seat} "
        "was due"
    )
    return case.finding("order", sentence, case.book.contest.order.clause, box=box, wager=other)


def _difference(case: RoundCase, pair: Pair, key: Key, *, in_order: bool) -> Iterator[LogFinding]:
    due, wrong = pair.due, _wrong(case, pair)
    if not wrong:
        return
    seat, wager, _ = key
    kind = _kind(case, pair, wager, in_order=in_order)
    clause = due.clause if due is not None else _clause_of(case, wager)
    yield case.finding(
        kind,
        f"{case.title(wager)}: {wrong}",
        clause,
        box=seat,
        wager=wager,
        paid_cents=pair.paid_cents,
        due_cents=pair.due_cents,
    )


def _wrong(case: RoundCase, pair: Pair) -> str:
    """What is wrong in one sentence; nothing where the line is as it must be."""
    told, due = pair
    if due is None:
        return "no such payment is due"
    if told is None:
        return f"not settled; it is {_why(due)}"
    if told.reversed:
        return "taken back, though the round stands"
    if told.stake_cents != due.stake_cents:
        return f"settled for {dollars(told.stake_cents)}, it lay at {dollars(due.stake_cents)}"
    if (told.paid_cents, told.returned_cents) != (due.paid_cents, due.returned_cents):
        return _money_wrong(told, due)
    if told.outcome != due.outcome:
        return f"it is {_why(due)}, not {OUTCOMES[told.outcome]}"
    return _words_wrong(told, due) or _meter_wrong(told, due) or _validation_wrong(case, told)


def _money_wrong(told: rec.LineRecord, due: WagerSettled) -> str:
    if _keeps_stake(due) and told.returned_cents and told.paid_cents == due.paid_cents:
        return f"{due.odds} keeps the stake, which was given back as well"
    if due.outcome is Outcome.PUSH and told.paid_cents:
        return f"paid on {_why(due)}"
    return f"it is {_why(due)}"


def _keeps_stake(due: WagerSettled) -> bool:
    return due.odds is not None and isinstance(odds(due.odds), For)


def _why(due: WagerSettled) -> str:
    at = f" at {due.odds}" if due.odds is not None and due.odds != str(PUSH) else ""
    return f"{OUTCOMES[due.outcome]}{at}{f' ({due.shows})' if due.shows else ''}"


def _words_wrong(told: rec.LineRecord, due: WagerSettled) -> str:
    """Odds and clause are compared where the record says them."""
    if told.odds is not None and told.odds != due.odds:
        return f"the odds are {due.odds or 'none'}, not {told.odds}"
    if told.clause and told.clause != due.clause:
        return f"it stands on {due.clause}, not on {told.clause}"
    return ""


def _meter_wrong(told: rec.LineRecord, due: WagerSettled) -> str:
    if due.meter is None:
        return f"no award from the {told.meter} meter is due" if told.meter else ""
    if told.meter != due.meter:
        return f"the award comes from the {due.meter} meter"
    readings = (told.meter_before_micros, told.meter_after_micros, told.reset_cents)
    if readings != (due.meter_before_micros, due.meter_after_micros, due.reset_cents):
        return (
            f"the {due.meter} meter stands at {meter_exactly(due.meter_before_micros)} and goes to "
            f"{meter_exactly(due.meter_after_micros)}, not from "
            f"{meter_exactly(told.meter_before_micros)} to {meter_exactly(told.meter_after_micros)}"
        )
    return ""


def _validation_wrong(case: RoundCase, told: rec.LineRecord) -> str:
    """A refusal is said of its line and of its box, and two people made it (ruling 36)."""
    if told.wager != PROGRESSIVE:
        return ""
    box = case.boxes.get(told.box)
    refused = box is not None and box.refused != ""
    if told.validation and refused != (told.validation == "refused"):
        return "its line and its box do not say the same of a refusal"
    if refused and told.refusal_by and told.refusal_by == told.validated_by:
        return f"{told.refusal_by} refused the win alone"
    return ""


def _kind(case: RoundCase, pair: Pair, wager: str, *, in_order: bool) -> str:
    """The first that fits."""
    kinds: dict[str, Callable[[], bool]] = {
        "envy-holder": lambda: wager == ENVY and _own_hand(case, pair.told),
        "envy-missed": lambda: wager == ENVY and pair.told is None,
        "envy": lambda: wager == ENVY,
        "payout-limit": lambda: wager == LIMIT or _cut_to_limit(case, pair),
        "order": lambda: not in_order and pair.due is not None and pair.due.meter is not None,
        "paid-on-push": lambda: (
            pair.told is not None
            and pair.due is not None
            and pair.due.outcome is Outcome.PUSH
            and pair.told.paid_cents > 0
        ),
        "for-as-to": lambda: (
            pair.told is not None
            and pair.due is not None
            and _keeps_stake(pair.due)
            and pair.told.returned_cents > 0
            and pair.told.paid_cents == pair.due.paid_cents
        ),
    }
    return next((kind for kind, fits in kinds.items() if fits()), "payout")


def _own_hand(case: RoundCase, told: rec.LineRecord | None) -> bool:
    if told is None or told.holder is None:
        return False
    own, holder = case.boxes.get(told.box), case.boxes.get(told.holder)
    same = own is not None and holder is not None and own.player == holder.player != ""
    return told.box == told.holder or same


def _cut_to_limit(case: RoundCase, pair: Pair) -> bool:
    """A single line cut at the payout limit; the cut is one line of its own (ruling 7)."""
    limit = case.rules.payout_limit_cents
    if limit is None or pair.told is None or pair.due is None:
        return False
    return pair.told.paid_cents == limit < pair.due.paid_cents


def _clause_of(case: RoundCase, wager: str) -> str:
    book = case.book
    if wager == ENVY and book.envy_bonus is not None:
        return book.envy_bonus.clause
    if wager == LIMIT:
        rule = book.payout_limit
        return rule.clause if rule is not None else book.refusals.no_such_option
    return book.wager(wager).clause if book.has_wager(wager) else book.refusals.wagers
