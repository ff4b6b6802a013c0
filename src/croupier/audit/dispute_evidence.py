"""The evidence of a dispute as one file: the case, what was wagered, dealt, decided, due and paid
by clause, every event with its time and its line, and the proof of the round.

What was due is settled again from the cards that lie open, by the same function that the table
settles by; a card that nobody was shown stays as its back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from croupier.audit.records.replay_document import (
    BoxShown,
    iso_time,
    replay_document,
)
from croupier.audit.records.writer import round_record
from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger.events import TABLE, read_kept, tag_of
from croupier.ledger.redaction import seen, visible_actor
from croupier.ledger.rounds import KeptRound
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import NEWEST, Ledger
from croupier.table import events as ev
from croupier.table.finished_round import are_known, finished_box, finished_round
from croupier.table.narration import narrate
from croupier.table.settlement import settle_box
from croupier.table.state import Round, State, replace
from croupier.table.views import BACK, Viewer

FORMAT = "croupier dispute evidence 1"
SUFFIX = ".evidence.json"
OPENED = tag_of(ev.DisputeOpened)
CaseEvent = ev.DisputeOpened | ev.ShortfallPaid | ev.OverpaymentTaken | ev.DisputeEnded


class CaseShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """``state``: open, or by which outcome it ended; ``moved_cents`` what a correction moved, to
    the player where it is positive; ``seconded_by`` who stood behind that."""

    number: int
    round: int
    box: int
    player: str
    reason: str
    opened_by: str
    opened_at: str
    state: str
    wager: str = ""
    note: str = ""
    ended_by: str = ""
    ended_at: str = ""
    moved_cents: int = 0
    seconded_by: str = ""


class WagerEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wager of the box: ``due_cents`` by the rules, ``paid_cents`` as the ledger has it, the
    stake included where it went back; nothing is due that cannot be settled yet."""

    wager: str
    stake_cents: int
    shows: str
    outcome: str
    odds: str
    clause: str
    due_cents: int | None
    paid_cents: int | None


class EventEvidence(msgspec.Struct, frozen=True):
    """``line`` and ``hash`` are those of the table's stream in the ledger. The round's come first,
    then those of a case that was opened or ended when its round was over."""

    at: str
    by: str
    role: str
    event: str
    says: str
    clauses: tuple[str, ...]
    line: int
    hash: str


class DisputeEvidence(msgspec.Struct, frozen=True):
    """``cards`` by where they lie; ``proof`` is the round's, as ``croupier prove`` writes it, where
    the round is over."""

    format: str
    ledger: str
    table: str
    rulebook: str
    case: CaseShown
    box: BoxShown | None
    cards: dict[str, tuple[str, ...]]
    wagers: tuple[WagerEvidence, ...]
    events: tuple[EventEvidence, ...]
    proof: msgspec.Raw | None = None


def dispute_of(ledger: Ledger, table: str, number: int) -> ev.DisputeOpened:
    """The line that opened a case; Unreadable where there is none of this number."""
    return _opened(ledger, table, number)[1]


def dispute_evidence(
    ledger: Ledger, table: str, number: int, kept: KeptRound, viewer: Viewer, proof: bytes = b""
) -> DisputeEvidence:
    """All that a viewer may have of a case; ``kept`` is the round that it is about, over or not."""
    line, case = _opened(ledger, table, number)
    record = round_record(ledger.id, kept)
    told = replay_document(record, kept, viewer)
    of_case = list(_lines_of_case(ledger, table, line, number))
    return DisputeEvidence(
        format=FORMAT,
        ledger=ledger.id,
        table=table,
        rulebook=record.rulebook,
        case=_case(line, case, of_case),
        box=next((box for box in told.boxes if box.seat == case.box), None),
        cards=_cards(kept, case.box),
        wagers=tuple(wager_evidence(kept, case.box)),
        events=tuple(_events(kept, viewer, of_case)),
        proof=msgspec.Raw(proof.strip()) if proof else None,
    )


def written_evidence(evidence: DisputeEvidence) -> bytes:
    return msgspec.json.encode(evidence) + b"\n"


def wager_evidence(kept: KeptRound, seat: int) -> Iterator[WagerEvidence]:
    """Each wager of a box: what it is due by the rules, beside what was paid."""
    played = _played(kept)
    box = played.boxes.get(seat)
    if box is None:
        return
    paid = {line.wager: line for line in played.lines if line.box == seat}
    due = _due(kept, played, seat)
    for wager, stake in box.stakes.items():
        line = paid.get(wager) or due.get(wager)
        settled, owed = paid.get(wager), due.get(wager, paid.get(wager))
        yield WagerEvidence(
            wager=wager,
            stake_cents=stake,
            shows=line.shows if line else "",
            outcome=line.outcome if line else "",
            odds=(line.odds or "") if line else "",
            clause=line.clause if line else "",
            due_cents=owed.paid_cents + owed.returned_cents if owed else None,
            paid_cents=settled.paid_cents + settled.returned_cents if settled else None,
        )


def _played(kept: KeptRound) -> Round:
    after = kept.after
    last = after.last
    return last if last is not None and last.number == kept.number else after.round


def _due(kept: KeptRound, played: Round, seat: int) -> Mapping[str, ev.WagerSettled]:
    """Settled again. A void round, an abandoned hand and a meter that has moved on since are as the
    table ruled them; before both hands lie open nothing is due."""
    box, terms = played.boxes[seat], kept.before.terms
    cards = (*box.cards, *(card for lying in played.places.values() for card in lying))
    if played.stage == "void" or box.absent == "abandoned" or played.still_settles:
        return {}
    if not played.revealed or not played.up.issuperset(box.cards) or not are_known(cards):
        return {}
    try:
        finished = finished_round(terms, played, kept.after.meters)
        lines = settle_box(finished, finished_box(box), dict(kept.after.meters))
    except (Refusal, KeyError):
        return {}
    return {line.wager: line for line in lines if line.meter is None}


def _opened(ledger: Ledger, table: str, number: int) -> tuple[LedgerLine, ev.DisputeOpened]:
    """Cases are numbered as they are opened: looked for from the newest back."""
    stream, until = f"{TABLE}{table}", NEWEST
    while (line := ledger.last_of(stream, OPENED, until)) is not None:
        event = read_kept(line.body)
        assert isinstance(event, ev.DisputeOpened)
        if event.number == number:
            return line, event
        until = line.version - 1
    raise Unreadable(f"table {table} has no dispute {number}")


def _lines_of_case(
    ledger: Ledger, table: str, opening: LedgerLine, number: int
) -> Iterator[tuple[LedgerLine, CaseEvent]]:
    """From its opening to its end, whatever else happened at the table meanwhile."""
    for line in ledger.read(f"{TABLE}{table}", after=opening.version - 1):
        event = read_kept(line.body)
        if isinstance(event, CaseEvent) and event.number == number:
            yield line, event
            if isinstance(event, ev.DisputeEnded):
                return


def _case(
    line: LedgerLine, case: ev.DisputeOpened, told: list[tuple[LedgerLine, CaseEvent]]
) -> CaseShown:
    shown = CaseShown(
        number=case.number,
        round=case.round,
        box=case.box,
        player=case.player,
        reason=case.reason,
        opened_by=case.by,
        opened_at=iso_time(line.at_us),
        state="open",
        wager=case.wager,
    )
    for each, event in told:
        if isinstance(event, ev.ShortfallPaid):
            shown = replace(shown, moved_cents=event.cents)
        elif isinstance(event, ev.OverpaymentTaken):
            shown = replace(shown, moved_cents=-event.cents)
        elif isinstance(event, ev.DisputeEnded):
            by, at = event.by, iso_time(each.at_us)
            second = each.actor if each.actor != by else ""
            ended = {"state": event.outcome, "note": event.note, "ended_by": by, "ended_at": at}
            return replace(shown, seconded_by=second, **ended)
    return shown


def _cards(kept: KeptRound, seat: int) -> dict[str, tuple[str, ...]]:
    """The cards of the box and of the table, as far as they were turned."""
    played = _played(kept)
    box = played.boxes.get(seat)
    lying = {**({f"box {seat}": box.cards} if box is not None else {}), **played.places}
    return {
        where: tuple(card if card in played.up else BACK for card in cards)
        for where, cards in lying.items()
    }


def _events(
    kept: KeptRound, viewer: Viewer, of_case: list[tuple[LedgerLine, CaseEvent]]
) -> Iterator[EventEvidence]:
    """The round's, and what was said of the case when its round was over already."""
    for told in seen(kept, viewer):
        yield _shown(told.line, told.event, told.before, viewer)
    within = {told.line.version for told in kept.told}
    for line, event in of_case:
        if line.version not in within:
            yield _shown(line, event, kept.after, viewer)


def _shown(line: LedgerLine, event: ev.Event, before: State, viewer: Viewer) -> EventEvidence:
    return EventEvidence(
        at=iso_time(line.at_us),
        by=visible_actor(viewer, line),
        role=line.role,
        event=tag_of(type(event)),
        says=narrate(event, before),
        clauses=event.clauses,
        line=line.version,
        hash=line.hash.hex(),
    )
