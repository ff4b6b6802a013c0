"""The stub counted: when it is right, and what a wrong count does to deck and round (ruling 26)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.rulebook.book import StubCountRule
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import cards_still_to_come
from croupier.table.events import Outcome
from croupier.table.handlers.handler import DEALER, Asker, Duties, Duty, Folds
from croupier.table.handlers.opening import why_electronic
from croupier.table.options import Option
from croupier.table.state import State, in_round, replace

MISDEALT = "stub-misdealt"
NOT_WHOLE = "stub-not-whole"
THE_DEALER = 0  # among the hands of a count, where boxes are numbered from 1


def count_stub(state: State, command: do.CountStub) -> Iterator[ev.Event]:
    way, clause, color = state.dealing.procedure, _clause(state), deck_to_count(state)
    whole, out = state.book.deck.cards.count, len(state.round.out)
    total_is_right = command.stub + command.on_table == whole
    hands = _misdealt_hands(state, command)
    in_place = state.round.stage == "betting" or (command.on_table == out and not hands)
    right = total_is_right and in_place
    if not right and not hands:
        _refuse_unsaid_hands(state, command)
    verdict = way.stub_right_clause
    if not right:
        verdict = way.stub_misdealt_clause if total_is_right else way.stub_wrong_clause
    yield ev.StubCounted(
        clauses=state.cites(clause, way.stub_counting_clause, verdict),
        rulings=(26,) if right or state.round.stage == "betting" else (26, 46),
        stub=command.stub,
        on_table=command.on_table,
        right=right,
        color=color,
        hands=hands,
    )
    if right:
        return
    if state.round.stage == "betting":
        found = f"{command.stub + command.on_table} cards were counted"
        yield ev.DeckRemoved(clauses=state.cites(verdict), color=color, why=found)
        return
    yield ev.IrregularityDeclared(
        clauses=state.cites(verdict),
        rulings=(26, 33),
        name=MISDEALT if total_is_right else NOT_WHOLE,
        effect="void",
        waits=True,
        by=command.by,
        role=command.role,
    )


def _misdealt_hands(state: State, command: do.CountStub) -> dict[int, int]:
    """The boxes that held more or fewer cards than the rules give them, as the dealer says it:
    six and four are a misdeal, though their sum is right (ruling 46)."""
    held = hands_dealt(state)
    for seat in command.hands:
        if seat not in held:
            raise state.refusal(f"Box {seat} is not in the round", _clause(state))
    if sum(command.hands.values()) > command.on_table:
        raise state.refusal(
            f"Hands of {sum(command.hands.values())} cards do not fit into {command.on_table} on "
            "the table; count again",
            _clause(state),
        )
    return {seat: n for seat, n in command.hands.items() if n != held[seat]}


def _refuse_unsaid_hands(state: State, command: do.CountStub) -> None:
    """A wrong count voids a round only when it is said what every hand held (ruling 46)."""
    unsaid = [seat for seat in _hands_to_say(state) if seat not in command.hands]
    if unsaid:
        whose = ", ".join(f"box {seat}" if seat != THE_DEALER else "the dealer" for seat in unsaid)
        raise state.refusal(
            f"The count is not right: say first how many cards each hand held; missing: {whose}",
            state.dealing.procedure.stub_misdealt_clause,
        )


def hands_dealt(state: State) -> dict[int, int]:
    """By box how many cards the rules gave it in this round, and the dealer."""
    if state.round.stage == "betting":
        return {}
    held = {seat: len(box.cards) for seat, box in state.round.boxes.items()}
    return {**held, THE_DEALER: len(state.round.places.get("dealer", ()))}


def _hands_to_say(state: State) -> dict[int, int]:
    return {seat: n for seat, n in hands_dealt(state).items() if n}


def _may_count(state: State, asker: Asker) -> Iterator[do.CountStub]:
    """As many as there should be: what is left of the deck, and what lies on the table."""
    out = len(state.round.out)
    rest = state.book.deck.cards.count - out
    yield do.CountStub(**asker.signed, stub=rest, on_table=out)


def _stubs(state: State, asker: Asker, commands: Sequence[do.CountStub]) -> Iterator[Option]:
    for _ in commands:
        color, due = deck_to_count(state), stub_is_due(state)
        yield Option(do="count-stub", color=color, due=due, hands=_hands_to_say(state))


def _count_is_due(state: State, command: do.CountStub) -> bool:
    return stub_is_due(state)


def why_not_count(state: State, command: do.CountStub) -> Refusal | None:
    """A stub is counted once, when the last card is dealt and before the first box is settled."""
    if state.terms.electronic_shoe:
        return why_electronic(state)
    round = state.round
    settling = any(line.outcome != Outcome.RETURNED for line in round.lines)
    reasons = {
        "There is no deck to count": not deck_to_count(state),
        "The round is void already": round.stage == "void",
        "No round was dealt since the cards were counted last": (
            round.stage == "betting" and not state.uncounted
        ),
        "The stub is counted once the last card is dealt": (
            round.stage in ("play", "salvage") and cards_still_to_come(state)
        ),
        "The stub of this round is counted": round.counted,
        "The stub is counted before the first box is settled": settling,
    }
    sentence = next((sentence for sentence, holds in reasons.items() if holds), None)
    return state.refusal(sentence, _clause(state)) if sentence is not None else None


def stub_rule(state: State) -> StubCountRule | None:
    """The duty to count the stub; a device that counts at every shuffle never lets it fall due."""
    return None if state.terms.electronic_shoe else state.dealing.stub_count


def stub_is_due(state: State) -> bool:
    rule = stub_rule(state)
    return rule is not None and state.uncounted >= rule.rounds


def why_not_before_count(state: State) -> Refusal | None:
    """A count that fell due in a round belongs to it: nothing is revealed or settled before."""
    if not stub_is_due(state) or state.round.counted:
        return None
    return state.refusal(
        f"The stub is counted first: {state.uncounted} rounds were dealt since the last count",
        _clause(state),
    )


def _clause(state: State) -> str:
    rule = state.dealing.stub_count
    return rule.clause if rule is not None else state.dealing.procedure.stub_right_clause


def deck_to_count(state: State) -> str:
    """The deck of the round, or between two rounds the one that was dealt from last."""
    if state.round.stage != "betting":
        return state.round.color
    last = state.last.color if state.last is not None else ""
    return last if any(deck.color == last for deck in state.decks) else state.color


def _counted(state: State, event: ev.StubCounted) -> State:
    whole = event.stub + event.on_table == state.book.deck.cards.count
    after = in_round(state, counted=event.right)
    return replace(after, uncounted=0) if whole else after


DUTIES: Duties = (
    Duty(
        do.CountStub,
        DEALER,
        lambda by: by.single_stack_clause,
        why_not_count,
        count_stub,
        offers=_may_count,
        shown=_stubs,
        automatic="dealer",
        works_in=("betting", "revealing", "settling"),
        due=_count_is_due,
    ),
)

FOLDS: Folds = {ev.StubCounted: _counted}
