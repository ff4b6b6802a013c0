"""Cards: each one once, and as many at each place as the rules deal there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.records.reader import BOX
from croupier.facts.errors import Refusal
from croupier.games.round import FinishedRound
from croupier.table.feasibility import refuse_impossible


def cards_found(case: RoundCase) -> Iterator[LogFinding]:
    yield from _twice(case)
    yield from _beyond_the_deck(case)


def _twice(case: RoundCase) -> Iterator[LogFinding]:
    """Burnt and set-aside cards come from the same deck."""
    lies: dict[str, list[str]] = {}
    for dealt in case.record.cards:
        lies.setdefault(dealt.card, []).append(_where(dealt.place, dealt.box))
    for name, places in lies.items():
        if len(places) > 1:
            sentence = f"{name} lies at {' and at '.join(places)}; a round is dealt from one deck"
            yield case.finding("card-twice", sentence, case.book.refusals.one_deck)
    packs = Counter(dealt.pack for dealt in case.record.cards if dealt.pack is not None)
    for place, times in packs.items():
        if times > 1:
            sentence = f"{times} cards come from place {place} of the pack"
            yield case.finding("card-twice", sentence, case.book.refusals.one_deck)


def _beyond_the_deck(case: RoundCase) -> Iterator[LogFinding]:
    dealt = len(case.record.cards) + sum(hidden.count for hidden in case.record.hidden)
    most = case.book.deck.cards
    if dealt > most.count:
        yield case.finding("card-count", f"{dealt} cards of {most.count} were dealt", most.clause)


def _where(place: str, box: int) -> str:
    return f"box {box}" if place == BOX else place.replace("_", " ")


def impossible(case: RoundCase, round: FinishedRound) -> LogFinding | None:
    """What the rules say no to in a round whose wagers were looked at before.

    A wager that could not be made is found there and is settled as it lies; here the boxes hold
    only what opens them, so that seats, players, places and meters are what can be wrong.
    """
    try:
        refuse_impossible(round)
    except Refusal as refusal:
        book = case.book
        kinds = {
            book.cite(book.refusals.one_deck): "card-twice",
            book.cite(book.refusals.wrong_count): "card-count",
            book.cite(book.refusals.seats): "seats",
            book.cite(book.table.boxes_a_player.clause): "seats",
            **{book.cite(place.clause): "card-count" for place in book.places},
        }
        paid = sum(line.paid_cents + line.returned_cents for line in case.record.lines)
        kind = kinds.get(refusal.clause, "meter")
        return case.finding(kind, refusal.sentence, refusal.clause, paid_cents=paid)
    return None
