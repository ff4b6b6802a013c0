"""What happens to the money of a round that is void, or of which only a part can be saved.

Everything comes back, also what a fold gave up and what was already settled: corrections are new
lines, never changes to old ones (rulings 25, 30 and 32). No card is looked at, so that a round
whose cards nobody can read any more can still be ended (ruling 40).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros, in_micros
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Irregularity
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.events import Outcome
from croupier.table.handlers.handler import (
    FLOOR,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    power_used,
    readings,
)
from croupier.table.handlers.progressive import shrink
from croupier.table.powers import Actor, Power
from croupier.table.state import State, in_box, in_round, replace

CAUSES: Mapping[str, str] = {
    "cards-unreadable": "the sealed cards cannot be opened",
    "number-missing": "a player did not show the number that the shuffle waits for",
    "card-shown": "the system showed a card that lies face down",
    "power-lost": "power or network failed",
    "shuffle-ordered": "a shuffle was ordered after the betting had closed",
    "other-cause": "something else, said in words",
}


_RULINGS = {"shuffle-ordered": 45, "number-missing": 39}


def why_not_void(state: State, command: do.VoidRound) -> Refusal | None:
    clause = state.book.procedure.irregular_clause
    if state.round.stage == "betting" and (command.role != "device" or not state.round.boxes):
        return state.refusal("The betting is open: wagers may simply be taken back", clause)
    if state.round.stage == "void":
        return state.refusal("The round is void already", clause)
    if state.hold is not None and _waits(state, command):
        return state.refusal(f"Another matter is ruled on first: {state.hold.name}", clause)
    return None


def void_round(state: State, command: do.VoidRound) -> Iterator[ev.Event]:
    clause = state.book.procedure.irregular_clause
    if command.cause == "other-cause" and not command.reason:
        raise state.refusal("A cause that no list has is said in words", clause)
    if _waits(state, command):
        yield declared_void(state, clause, command.cause, command, command.reason)
        return
    yield from void_by_cause(state, clause, command.cause, command.reason, command.meters)
    yield power_used(state, PowerUse(void_power(command.role)), Actor(command.by, command.role))


def _waits(state: State, command: do.VoidRound) -> bool:
    """What the system ends while bets are open costs nobody anything: wagers simply go back."""
    is_open = state.round.stage == "betting"
    return not is_open and state.terms.policy.waits(void_power(command.role))


def void_power(role: str) -> Power:
    """What the service does when whoever runs it says that its cards are lost is a use of keys."""
    return "keys" if role == "device" else "void"


def _may_void(state: State, asker: Asker) -> Iterator[do.VoidRound]:
    yield do.VoidRound(**asker.signed, cause="power-lost")


def void_by_cause(
    state: State,
    clause: str,
    cause: str,
    reason: str,
    given: Mapping[str, int],
) -> Iterator[ev.Event]:
    """The round is void by a cause that no rulebook knows."""
    yield ev.RoundVoided(
        clauses=state.cites(clause),
        rulings=(_RULINGS.get(cause, 40),),
        name=cause,
        reason=reason,
    )
    yield from _everything_back(state, clause, given)


def declared_void(
    state: State,
    clause: str,
    cause: do.Cause,
    asked: do.Command,
    reason: str = "",
    rulings: tuple[int, ...] = (33, 40),
) -> ev.IrregularityDeclared:
    """What a second person confirms before the round is void, a manager one of the two."""
    return ev.IrregularityDeclared(
        clauses=state.cites(clause),
        rulings=rulings,
        name=cause,
        effect="void",
        waits=True,
        by=asked.by,
        role=asked.role,
        reason=reason,
    )


def cause_in_words(name: str, reason: str) -> str:
    """Why a round is void, for people: the cause of the list, and what was said beside it."""
    cause = CAUSES.get(name, name.replace("-", " "))
    if name == "other-cause":
        return reason
    return f"{cause}: {reason}" if reason else cause


def void(state: State, name: str, clause: str, given: Mapping[str, int]) -> Iterator[ev.Event]:
    """The round is void by an irregularity."""
    yield ev.RoundVoided(clauses=state.cites(clause), rulings=(30,), name=name)
    yield from _everything_back(state, clause, given, state.book.irregularity(name))


def _everything_back(
    state: State, clause: str, given: Mapping[str, int], rule: Irregularity | None = None
) -> Iterator[ev.Event]:
    """Settled lines are reversed, every wager goes back, and meters give up their growth."""
    standing = _standing(state, given)
    for line in reversed(state.round.lines):
        if _is_back(state, line):
            continue
        reversed_line = reversal(state, line, standing, (clause,), 32)
        if reversed_line.meter is not None:
            standing[reversed_line.meter] = Micros(reversed_line.reading_micros)
        yield reversed_line
    yield from give_back(state, clause, (), rule)
    if state.round.stage != "betting":
        returned = sum(box.accepted for box in state.round.boxes.values())
        yield from shrink(state, standing, returned)


def salvage(state: State, rule: Irregularity, given: Mapping[str, int]) -> Iterator[ev.Event]:
    """Some wagers are still settled, once the cards they look at are dealt; the rest goes back."""
    clause = rule.salvage_clause or rule.clause
    yield ev.RoundSalvaged(
        clauses=state.cites(rule.clause, clause),
        rulings=rule.rulings,
        name=rule.name,
        still_settles=rule.still_settles,
    )
    yield from give_back(state, rule.clause, rule.still_settles, rule)
    if PROGRESSIVE not in rule.still_settles:
        returned = sum(box.accepted for box in state.round.boxes.values())
        yield from shrink(state, _standing(state, given), returned)


def give_back(
    state: State, clause: str, kept: tuple[str, ...], rule: Irregularity | None = None
) -> Iterator[ev.Event]:
    """Every wager that is not kept; what the rule does not name goes back by our own reading."""
    named = rule.returns if rule is not None else ()
    unnamed = (rule.unnamed_ruling,) if rule is not None and rule.unnamed_ruling else ()
    for seat, box in sorted(state.round.boxes.items()):
        for wager, cents in box.stakes.items():
            if wager not in kept:
                given_up = (30,) if wager in box.forfeited else ()
                yield ev.WagerReturned(
                    clauses=state.cites(clause),
                    rulings=given_up if wager in named else (*unnamed, *given_up),
                    box=seat,
                    wager=wager,
                    cents=cents,
                    from_house=wager in box.forfeited,
                )


def _standing(state: State, given: Mapping[str, int]) -> dict[str, Micros]:
    """The readings are asked for only where some wager or award touched a meter; none does before
    bets are closed."""
    is_open = state.round.stage == "betting"
    touched = not is_open and any(box.accepted for box in state.round.boxes.values())
    return readings(state, given) if touched and state.terms.meters else {}


def _is_back(state: State, line: ev.WagerSettled) -> bool:
    """Whether the wager went back by itself and is off the felt; a settled one is still there."""
    return line.outcome == Outcome.RETURNED and not state.round.boxes[line.box].has(line.wager)


def reversal(
    state: State,
    line: ev.WagerSettled,
    standing: Mapping[str, Micros],
    clauses: tuple[str, ...],
    ruling: int,
) -> ev.LineReversed:
    """A settled line taken back, and its award put back on the meter it came from."""
    cents = line.paid_cents + line.returned_cents
    reading = 0
    if line.meter is not None:
        reading = standing[line.meter] + in_micros(Cents(cents - line.reset_cents))
    return ev.LineReversed(
        clauses=state.cites(*clauses),
        rulings=(ruling,),
        box=line.box,
        wager=line.wager,
        stake_cents=line.stake_cents,
        cents=cents,
        meter=line.meter,
        reading_micros=reading,
        reset_cents=line.reset_cents,
        swept=line.outcome != Outcome.FORFEIT,
        outside=line.outside,
    )


def _voided(state: State, event: ev.RoundVoided) -> State:
    was_waited_for = any(box.number_hash for box in state.round.boxes.values())
    missed = was_waited_for and event.name == do.UNREADABLE
    over = replace(state, hold=None, unopened=state.unopened + missed)
    return in_round(over, stage="void", won=None, paperwork=frozenset())


def _salvaged(state: State, event: ev.RoundSalvaged) -> State:
    return in_round(
        state,
        stage="salvage",
        still_settles=event.still_settles,
        salvaged_by=event.clauses[-1],
    )


def _line_reversed(state: State, event: ev.LineReversed) -> State:
    """Lines are reversed from the last to the first; what was returned before stays returned."""
    lines = list(state.round.lines)
    at = max(
        n
        for n, line in enumerate(lines)
        if (line.box, line.wager) == (event.box, event.wager) and not _is_back(state, line)
    )
    del lines[at]
    undone = in_round(state, lines=tuple(lines))
    if event.meter is None:
        return undone
    return replace(undone, meters={**state.meters, event.meter: Micros(event.reading_micros)})


def _returned(state: State, event: ev.WagerReturned) -> State:
    """A returned wager is a line of the receipt too, and leaves the felt."""
    if state.round.stage == "betting":
        return _taken_off(state, event)
    line = ev.WagerSettled(
        clause=event.clauses[0],
        rulings=event.rulings,
        box=event.box,
        wager=event.wager,
        stake_cents=event.cents,
        outcome=Outcome.RETURNED,
        returned_cents=event.cents,
    )
    return in_round(_taken_off(state, event), lines=(*state.round.lines, line))


def _taken_off(state: State, event: ev.WagerReturned) -> State:
    box = state.round.boxes[event.box]
    stakes = {name: cents for name, cents in box.stakes.items() if name != event.wager}
    if state.round.stage == "betting" and not stakes:
        boxes = {seat: one for seat, one in state.round.boxes.items() if seat != event.box}
        return in_round(state, boxes=boxes)
    return in_box(
        state,
        event.box,
        stakes=stakes,
        forfeited=tuple(name for name in box.forfeited if name != event.wager),
        accepted=box.accepted and event.wager != PROGRESSIVE,
        settled=box.settled or not stakes,
    )


DUTIES: Duties = (
    Duty(
        do.VoidRound,
        (*FLOOR, "device"),
        lambda by: by.irregular_clause,
        why_not_void,
        void_round,
        offers=_may_void,
        ruled=True,
    ),
)

FOLDS: Folds = {
    ev.RoundVoided: _voided,
    ev.RoundSalvaged: _salvaged,
    ev.LineReversed: _line_reversed,
    ev.WagerReturned: _returned,
}
