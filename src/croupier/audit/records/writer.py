"""A round of a ledger as a record: what happened to whom, when, and what was paid.

A card is named when it was turned, or when the keys are there and surveillance may see it; the
others are counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, TypeVar

import msgspec

from croupier.audit.records import schema as rec
from croupier.audit.records.money import box_money, chip_moves, lines, meters, returns
from croupier.audit.records.reader import terms_of_rules
from croupier.games.round import Refused
from croupier.games.rules import PROGRESSIVE
from croupier.ledger.envelope import MICROS_A_SECOND
from croupier.ledger.events import TableInstalled
from croupier.ledger.redaction import shown_at_last
from croupier.ledger.rounds import KeptRound, RoundEvent
from croupier.ledger.shoe.card_tokens import is_token
from croupier.ledger.shoe.masked_cards import all_cards, opened_cards, shown_cards
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev
from croupier.table.views import SURVEILLANCE

E = TypeVar("E", bound=ev.Event)
DECIDED = (ev.Checked, ev.Played, ev.Folded)
_ACTIONS: dict[type[ev.Event], Literal["check", "play", "fold"]] = {
    ev.Checked: "check",
    ev.Played: "play",
    ev.Folded: "fold",
}
TAKEN_BACK = (ev.WagerPlaced, ev.WagerWithdrawn, ev.WagerReturned)


class _Do(msgspec.Struct, frozen=True):
    do: str


def table_record(ledger_id: str, installed: TableInstalled, first: LedgerLine) -> rec.TableRecord:
    return rec.TableRecord(
        format=rec.FORMAT,
        ledger=ledger_id,
        table=installed.table,
        rulebook=installed.rulebook,
        submission=installed.submission,
        submission_hash=submission_hash(installed),
        rules_hash=installed.rules_hash,
        link=installed.link,
        practice=installed.practice,
        training=installed.training is True,
        at_us=first.at_us,
    )


def round_record(ledger_id: str, kept: KeptRound) -> rec.RoundRecord:
    cards, hidden = _cards(kept)
    void = _void(kept)
    _, wagered_us = _first(kept, ev.WagerPlaced)
    closed, closed_us = _first(kept, ev.BetsClosed)
    salvaged, _ = _first(kept, ev.RoundSalvaged)
    cleared, cleared_us = _first(kept, ev.CardsCleared)
    return rec.RoundRecord(
        format=rec.FORMAT,
        ledger=ledger_id,
        table=kept.installed.table,
        round=kept.number,
        rulebook=kept.installed.rulebook,
        terms=terms_of_rules(kept.before.terms.rules),
        submission_hash=submission_hash(kept.installed),
        rules_hash=kept.installed.rules_hash,
        practice=kept.installed.practice,
        training=kept.installed.training is True,
        status="void" if void else "complete" if cleared else "in progress",
        way=closed.way if closed else "",
        began_at_us=wagered_us,
        closed_at_us=closed_us,
        ended_at_us=cleared_us,
        first_line=kept.chapters[0].lines[0].version,
        last_line=kept.chapters[-1].lines[-1].version,
        shoe=_shoe(kept),
        deck=_deck(kept),
        stub_count=_stub_count(kept),
        boxes=tuple(_boxes(kept)),
        cards=cards,
        hidden=hidden,
        lines=lines(kept),
        returns=returns(kept),
        still_settles=salvaged.still_settles if salvaged else (),
        meters=meters(kept),
        chips=chip_moves(kept),
        irregularities=_irregularities(kept),
        void=void,
        commands=tuple(_asked(kept)),
    )


def submission_hash(installed: TableInstalled) -> str:
    return hashlib.sha256(installed.submission.encode()).hexdigest()


# Boxes


def _boxes(kept: KeptRound) -> Iterator[rec.BoxRecord]:
    at = kept.closed or (kept.told[-1] if kept.told else None)
    if at is None:
        return
    for seat, box in sorted(at.after.round.boxes.items()):
        laid = _laid(kept, seat)
        wagers = tuple(
            rec.WagerRecord(wager=name, cents=event.cents, at_us=_at(told))
            for name, (told, event) in laid.items()
        )
        first = min((told for told, _ in laid.values()), key=_line_of, default=None)
        yield rec.BoxRecord(
            seat=seat,
            player=box.player,
            wagers=wagers,
            decisions=tuple(_decisions(kept, seat)),
            absent=_absent(kept, seat),
            refused=_refused(kept, seat),
            contributed_micros=_contributed(kept, seat),
            cancelled=_is_cancelled(kept, seat),
            **box_money(kept, seat, first, sum(wager.cents for wager in wagers)),
        )


def _absent(kept: KeptRound, seat: int) -> Literal["", "left", "default", "abandoned"]:
    """What became of a player who left during the round."""
    absent: Any = ""
    for event in (told.event for told in kept.told):
        if isinstance(event, ev.PlayerLeft) and event.box == seat:
            absent = "left"
        elif isinstance(event, ev.AbsenceRuled) and event.box == seat:
            absent = "" if event.outcome == "back" else event.outcome
    return absent  # type: ignore[no-any-return]


def _refused(kept: KeptRound, seat: int) -> Refused:
    """Why the Progressive win of a box was not validated."""
    for event in (told.event for told in kept.told):
        if isinstance(event, ev.ProgressiveRefused) and event.box == seat:
            return event.reason
    return ""


def _laid(kept: KeptRound, seat: int) -> dict[str, tuple[RoundEvent, ev.WagerPlaced | ev.Played]]:
    """What laid each wager on the box that was there before anything was settled or given back."""
    laid: dict[str, tuple[RoundEvent, ev.WagerPlaced | ev.Played]] = {}
    for told in kept.told:
        event: Any = told.event
        if getattr(event, "box", 0) != seat:
            continue
        if isinstance(event, ev.WagerPlaced | ev.Played) and event.cents:
            laid[event.wager] = told, event
        elif isinstance(event, TAKEN_BACK) and told.before.round.stage == "betting":
            laid.pop(event.wager, None)
        elif isinstance(event, ev.ChipReturned):
            laid.pop(PROGRESSIVE, None)
    return laid


def _line_of(told: RoundEvent) -> int:
    return told.line.version


def _decisions(kept: KeptRound, seat: int) -> Iterator[rec.DecisionRecord]:
    for told in kept.told:
        event = told.event
        if isinstance(event, DECIDED) and event.box == seat:
            yield rec.DecisionRecord(
                street=event.street,
                action=_ACTIONS[type(event)],
                wager=event.wager if isinstance(event, ev.Played) else "",
                cents=event.cents if isinstance(event, ev.Played) else 0,
                at_us=_at(told),
                by=told.line.actor,
                defaulted=not isinstance(event, ev.Played) and event.defaulted,
            )


def _contributed(kept: KeptRound, seat: int) -> dict[str, int]:
    """What the Progressive wager of a box put on the meters when bets were closed (R17), whatever
    was taken out again.
    """
    closed = kept.closed
    if closed is None or not closed.before.round.boxes[seat].accepted:
        return {}
    return {name: int(micros) for name, micros in kept.before.terms.growth.items()}


def _is_cancelled(kept: KeptRound, seat: int) -> bool:
    """Whether an acceptance had no chip; one that was refused later leaves with the cards."""
    return any(
        isinstance(told.event, ev.AcceptanceCancelled)
        and told.event.box == seat
        and not told.before.round.was_dealt
        for told in kept.told
    )


# Cards


def _cards(kept: KeptRound) -> tuple[tuple[rec.DealtCardRecord, ...], tuple[rec.HiddenRecord, ...]]:
    at_place: dict[int, str] = {}
    for chapter, pack in zip(kept.chapters, kept.packs, strict=True):
        at_place = opened_cards(chapter.events) | (all_cards(pack) if pack is not None else {})
    named = {*opened_cards(kept.chapters[-1].events).values()} | shown_at_last(kept, SURVEILLANCE)
    pack_of = {card: at for at, card in at_place.items()}
    turned = _turned(kept)
    dealt: list[rec.DealtCardRecord] = []
    hidden: Counter[tuple[str, int]] = Counter()
    for told, lie, face_up in _lies(kept):
        for card in lie.cards:
            if is_token(card) or card not in named:
                hidden[lie.place, lie.box] += 1
                continue
            dealt.append(
                rec.DealtCardRecord(
                    card=card,
                    place=lie.place,
                    box=lie.box,
                    pack=pack_of.get(card),
                    at_us=_at(told),
                    face_up=face_up,
                    turned_at_us=turned.get(card, 0),
                )
            )
    counted = (
        rec.HiddenRecord(place=where, box=box, count=count)
        for (where, box), count in hidden.items()
    )
    return tuple(dealt), tuple(counted)


def _lies(kept: KeptRound) -> Iterator[tuple[RoundEvent, ev.Lie, bool]]:
    for told in kept.told:
        if isinstance(told.event, ev.CardsDealt):
            for lie in told.event.lies:
                yield told, lie, told.event.face_up
        elif isinstance(told.event, ev.IrregularityDeclared) and told.event.cards:
            yield told, ev.Lie(place="set aside", cards=told.event.cards), True


def _turned(kept: KeptRound) -> dict[str, int]:
    """When each card was first turned, or seen."""
    turned: dict[str, int] = {}
    for told in kept.told:
        for card in shown_cards(told.event):
            turned.setdefault(card, _at(told))
    return turned


def _shoe(kept: KeptRound) -> rec.ShoeRecord | None:
    chapter = kept.chapters[-1]
    if chapter.committed is None:
        return None
    first = chapter.lines[0]
    return rec.ShoeRecord(
        root=chapter.committed.commitment.root, at_us=first.at_us, line=first.version
    )


def _deck(kept: KeptRound) -> rec.DeckRecord | None:
    """The deck that a training table dealt from, or closed its bets on."""
    first = next((told for told in kept.told if isinstance(told.event, ev.CardsDealt)), kept.closed)
    deck = first.before.deck if first is not None else None
    if first is None or deck is None:
        return None
    earlier = [told for told in kept.told if _line_of(told) < _line_of(first)]
    counted = [told.event for told in earlier if isinstance(told.event, ev.StubCounted)]
    by_hand = [count.stub + count.on_table for count in counted if count.right]
    return rec.DeckRecord(
        opened_at_us=deck.opened_s * MICROS_A_SECOND,
        color=deck.color,
        found=by_hand[-1] if by_hand else deck.found,
        fresh=not all(state.decks for state in (kept.before, *(told.after for told in earlier))),
    )


def _stub_count(kept: KeptRound) -> rec.StubCountRecord | None:
    """One made between two rounds counts a whole deck, and stands with the deck."""
    for told in reversed(kept.told):
        if isinstance(told.event, ev.StubCounted) and told.before.round.stage != "betting":
            counted = told.event
            return rec.StubCountRecord(
                stub=counted.stub, on_table=counted.on_table, at_us=_at(told)
            )
    return None


# What went wrong, and who did what


def _irregularities(kept: KeptRound) -> tuple[rec.IrregularityRecord, ...]:
    found: list[rec.IrregularityRecord] = []
    for told in kept.told:
        event = told.event
        if isinstance(event, ev.IrregularityDeclared):
            found.append(
                rec.IrregularityRecord(
                    name=event.name,
                    clause=event.clauses[0],
                    effect=event.effect,
                    cards=event.cards,
                    exposed=event.exposed,
                    at_us=_at(told),
                    by=told.line.actor,
                    ruling="waiting" if event.waits else "",
                )
            )
        elif isinstance(event, ev.IrregularityConfirmed | ev.IrregularityDismissed) and found:
            upheld = isinstance(event, ev.IrregularityConfirmed)
            found[-1] = msgspec.structs.replace(
                found[-1],
                ruling="upheld" if upheld else "dismissed",
                ruled_by=event.by,
                ruled_at_us=_at(told),
            )
    return tuple(found)


def _void(kept: KeptRound) -> rec.VoidRecord | None:
    event, at_us = _first(kept, ev.RoundVoided)
    if event is None:
        return None
    return rec.VoidRecord(
        name=event.name, reason=event.reason, clause=event.clauses[0], at_us=at_us
    )


def _asked(kept: KeptRound) -> Iterator[rec.AskedRecord]:
    for line in (line for chapter in kept.chapters for line in chapter.lines if line.command):
        yield rec.AskedRecord(
            do=msgspec.json.decode(line.command, type=_Do).do,
            by=line.actor,
            role=line.role,
            at_us=line.at_us,
            id=line.command_id,
            line=line.version,
        )


def _first(kept: KeptRound, kind: type[E]) -> tuple[E | None, int]:
    """The first event of a kind, and when."""
    for told in kept.told:
        if isinstance(told.event, kind):
            return told.event, _at(told)
    return None, 0


def _at(told: RoundEvent) -> int:
    return told.line.at_us
