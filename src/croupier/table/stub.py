"""The stub counted: when it is right, and what a wrong count does to deck and round (ruling 26)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import cards_still_to_come
from croupier.table.handling import DEALER, Duties, Duty, Folds
from croupier.table.opening import refuse_electronic
from croupier.table.state import State, in_round, replace

MISDEALT = "stub-misdealt"
NOT_WHOLE = "stub-not-whole"


def count_stub(state: State, command: do.CountStub) -> Iterator[ev.Event]:
    refuse_electronic(state)
    way, rule = state.dealing.procedure, state.dealing.stub_count
    clause = rule.clause if rule is not None else way.stub_right_clause
    if state.round.stage == "void":
        raise state.refusal("The round is void already", clause)
    if state.round.stage != "betting" and cards_still_to_come(state):
        raise state.refusal("The stub is counted once the last card is dealt", clause)
    if state.deck is None:
        raise state.refusal("There is no deck to count", clause)
    whole, out = state.book.deck.cards.count, len(state.round.out)
    right = (command.stub, command.on_table) == (whole - out, out)
    total_is_right = command.stub + command.on_table == whole
    verdict = way.stub_right_clause
    if not right:
        verdict = way.stub_misdealt_clause if total_is_right else way.stub_wrong_clause
    yield ev.StubCounted(
        clauses=state.cites(clause, verdict),
        rulings=(26,),
        stub=command.stub,
        on_table=command.on_table,
        right=right,
    )
    if right:
        return
    if state.round.stage == "betting":
        why = f"{command.stub + command.on_table} cards were counted"
        yield ev.DeckRemoved(clauses=state.cites(verdict), color=state.color, why=why)
        return
    yield ev.IrregularityDeclared(
        clauses=state.cites(verdict),
        rulings=(26, 33),
        name=MISDEALT if total_is_right else NOT_WHOLE,
        effect="void",
        waits=True,
    )


def _counted(state: State, event: ev.StubCounted) -> State:
    return replace(in_round(state, counted=event.right), uncounted=0)


DUTIES: Duties = {do.CountStub: Duty(count_stub, DEALER, "single_stack_clause")}

FOLDS: Folds = {ev.StubCounted: _counted}
