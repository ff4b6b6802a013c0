"""Each event as one plain sentence, for the golden rounds: everything it holds, hidden cards too.

Kept apart from what the commands say, so that better words there leave the golden rounds alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.facts.money import dollars, meter_dollars
from croupier.rulebook.book import Rulebook
from croupier.table import events as ev
from croupier.table.handlers.void import CAUSES, cause_in_words


def tell(event: ev.Event, book: Rulebook) -> str:
    """What happened, in one sentence."""
    said = _SENTENCES[type(event)]
    return said(event, book)


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(cards)


def _where(place: str) -> str:
    return {"six_card_box": "the bonus box", "burn": "the burnt cards"}.get(place, f"the {place}")


def title(book: Rulebook, wager: str) -> str:
    if book.has_wager(wager):
        return book.wager(wager).title
    return wager.replace("_", " ").capitalize()


def _dealt(event: ev.CardsDealt, book: Rulebook) -> str:
    face = "up" if event.face_up else "down"
    lies = [
        f"{f'box {lie.box}' if lie.box else _where(lie.place)} {_cards(lie.cards)}"
        for lie in event.lies
    ]
    return f"Dealt face {face}: {', '.join(lies)}"


def _placed(event: ev.WagerPlaced, book: Rulebook) -> str:
    now = f"Box {event.box} has {dollars(event.cents)} on {title(book, event.wager)}"
    return f"{now}, {dollars(event.before_cents)} before" if event.before_cents else now


def _settled(event: ev.WagerSettled, book: Rulebook) -> str:
    stake = f" {dollars(event.stake_cents)}" if event.stake_cents else ""
    parts = [f"Box {event.box}, {title(book, event.wager)}{stake}: {event.outcome}"]
    if event.odds:
        parts.append(f"at {event.odds}")
    if event.paid_cents:
        parts.append(f"{dollars(event.paid_cents)} paid")
    if event.returned_cents:
        parts.append(f"{dollars(event.returned_cents)} back")
    if event.meter is not None:
        parts.append(
            f"{event.meter} meter {meter_dollars(event.meter_before_micros)} "
            f"to {meter_dollars(event.meter_after_micros)}"
        )
    if event.outside:
        parts.append("not from the table inventory")
    told = ", ".join(parts)
    return f"{told} ({event.shows})" if event.shows else told


def _stub(event: ev.StubCounted, book: Rulebook) -> str:
    verdict = "right" if event.right else "wrong"
    held = "".join(f", box {box} held {cards}" for box, cards in event.hands.items())
    return f"The stub is counted: {event.stub} and {event.on_table} on the table{held}, {verdict}"


def _declared(event: ev.IrregularityDeclared, book: Rulebook) -> str:
    rule = book.irregularity(event.name)
    happens = rule.happens if rule is not None else event.name.replace("-", " ").capitalize()
    named = event.reason or _cards((*event.cards, *event.exposed))
    waits = "; everything waits for the floorperson" if event.waits else ""
    return f"{happens}{f': {named}' if named else ''}{waits}"


def _voided(event: ev.RoundVoided, book: Rulebook) -> str:
    why = f": {cause_in_words(event.name, event.reason)}" if event.name in CAUSES else ""
    return f"The round is void{why}"


def _returned(event: ev.WagerReturned, book: Rulebook) -> str:
    source = ", given up before" if event.from_house else ""
    return f"Box {event.box} gets {title(book, event.wager)} {dollars(event.cents)} back{source}"


def _reversed(event: ev.LineReversed, book: Rulebook) -> str:
    told = f"Box {event.box}, {title(book, event.wager)}: what was settled is undone"
    return f"{told}, {dollars(event.cents)} taken back" if event.cents else told


def _won(event: ev.ProgressiveWon, book: Rulebook) -> str:
    told = f"Box {event.box} has won the Progressive {dollars(event.stake_cents)} at {event.odds}"
    meter = ""
    if event.meter is not None:
        meter = f", {event.meter} meter {meter_dollars(event.reading_micros)}"
    return f"{told}: {dollars(event.cents)}{meter} ({event.shows}); it waits for the floorperson"


def _refused(event: ev.ProgressiveRefused, book: Rulebook) -> str:
    told = f"{event.by} confirms the refusal to box {event.box}, proposed by {event.proposed_by}"
    return f"{told}: the {event.reason}"


def _grew(event: ev.MeterGrew, book: Rulebook) -> str:
    return f"The {event.meter} meter grows to {meter_dollars(event.reading_micros)}"


def _shrank(event: ev.MeterShrank, book: Rulebook) -> str:
    told = f"The {event.meter} meter gives the growth back, {meter_dollars(event.by_micros)}"
    borne = f"; the house bears {meter_dollars(event.borne_micros)}" if event.borne_micros else ""
    return told + borne


def _folded(event: ev.Folded, book: Rulebook) -> str:
    cards = "its cards stay under its open wagers" if event.keeps_cards else "its cards are taken"
    if not event.keeps_cards and book.procedure.collected_together_clause is not None:
        cards += " when all have decided"
    return f"Box {event.box} folds{_by_default(event)}; {cards}"


def _by_default(event: ev.Folded | ev.Checked) -> str:
    return " by default" if event.defaulted else ""


def _shuffled(event: ev.DeckShuffled, book: Rulebook) -> str:
    how = "by the device" if event.by_device else "by hand"
    found = f", {event.found} cards counted" if event.found is not None else ""
    return f"The {event.color} deck is shuffled {how}{found}"


def _way(event: ev.WayChanged, book: Rulebook) -> str:
    lost = ", ".join(title(book, wager) for wager in event.suspended)
    suspended = f"; suspended: {lost}" if lost else ""
    return f"The cards are dealt {book.way(event.way).title} from now on{suspended}"


Sentence = Callable[[Any, Rulebook], str]

_SENTENCES: Mapping[type[ev.Event], Sentence] = {
    ev.TableOpened: lambda e, b: "The table opens; what concerns paper cards does not apply",
    ev.DeckReceived: lambda e, b: (
        f"A {e.color} deck comes to the table{', preshuffled' if e.preshuffled else ''}"
    ),
    ev.DeckInspected: lambda e, b: (
        f"The dealer inspects the {e.color} deck: alike, {e.cover_cards} cover card(s)"
    ),
    ev.InspectionVerified: lambda e, b: f"{e.by} verifies the inspection of the {e.color} deck",
    ev.DeckSpread: lambda e, b: f"The {e.color} deck is spread face up for the first player",
    ev.DeckWashed: lambda e, b: f"The {e.color} deck is turned face down and washed",
    ev.DeckStacked: lambda e, b: f"The {e.color} deck is stacked",
    ev.DeckRemoved: lambda e, b: f"The {e.color} deck leaves the table: {e.why}",
    ev.DeckShuffled: _shuffled,
    ev.ShuffleOrdered: lambda e, b: f"A shuffle of the {e.color} deck is ordered",
    ev.DeckCut: lambda e, b: f"The {e.color} deck is cut {e.cards} cards from the top",
    ev.RecutOrdered: lambda e, b: f"{e.by} has the {e.color} deck cut again",
    ev.TableIdle: lambda e, b: (
        f"Nobody plays: the cards are spread face {'up' if e.face_up else 'down'}"
    ),
    ev.BoxTaken: lambda e, b: f"{e.player} takes box {e.box}",
    ev.BoxLeft: lambda e, b: f"Box {e.box} is left",
    ev.ChipsBought: lambda e, b: f"Box {e.box} buys chips for {dollars(e.cents)}",
    ev.ChipsCashed: lambda e, b: f"Box {e.box} cashes out {dollars(e.cents)}",
    ev.TipGiven: lambda e, b: f"Box {e.box} tips {dollars(e.cents)}",
    ev.WagerPlaced: _placed,
    ev.WagerWithdrawn: lambda e, b: (
        f"Box {e.box} takes {title(b, e.wager)} {dollars(e.cents)} back"
    ),
    ev.ProgressiveAccepted: lambda e, b: f"The light of box {e.box} is on",
    ev.BetsClosed: lambda e, b: (
        f'"No more bets": round {e.round}, boxes {", ".join(map(str, e.boxes))}, '
        f"{b.way(e.way).title}"
    ),
    ev.MeterGrew: _grew,
    ev.ChipReturned: lambda e, b: f"Box {e.box} gets its Progressive chip back",
    ev.AcceptanceCancelled: lambda e, b: f"The acceptance at box {e.box} is cancelled",
    ev.ProgressiveCollected: lambda e, b: (
        f"Progressive chips of boxes {', '.join(map(str, e.boxes))} match and are collected"
    ),
    ev.CardsDealt: _dealt,
    ev.CardsTurned: lambda e, b: f"Turned at {_where(e.place)}: {_cards(e.cards)}",
    ev.Checked: lambda e, b: f"Box {e.box} checks{_by_default(e)}",
    ev.Played: lambda e, b: f"Box {e.box} plays {dollars(e.cents)}",
    ev.Folded: _folded,
    ev.WagerForfeited: lambda e, b: f"Box {e.box} gives up {title(b, e.wager)} {dollars(e.cents)}",
    ev.StubCounted: _stub,
    ev.DealerRevealed: lambda e, b: f"The dealer shows {_cards(e.cards)}: {e.hand}",
    ev.PlaceTurned: lambda e, b: f"Turned at {_where(e.place)}: {_cards(e.cards)}",
    ev.BoxTurned: lambda e, b: f"Box {e.box} shows {_cards(e.cards)}: {e.hand}",
    ev.WagerSettled: _settled,
    ev.BoxSettled: lambda e, b: f"Box {e.box} is settled: {dollars(e.net_cents)}",
    ev.ProgressiveWon: _won,
    ev.ProgressiveValidated: lambda e, b: f"{e.by} validates the win of box {e.box}",
    ev.RefusalProposed: lambda e, b: f"{e.by} proposes to refuse box {e.box}: the {e.reason}",
    ev.RefusalSentBack: lambda e, b: f"{e.by} sends the refusal of box {e.box} back",
    ev.ProgressiveRefused: _refused,
    ev.PaperworkRecorded: lambda e, b: f"{e.by} records the paperwork of box {e.box}",
    ev.CardsCleared: lambda e, b: f"Round {e.round} is over; the cards go into the discard rack",
    ev.IrregularityDeclared: _declared,
    ev.IrregularityConfirmed: lambda e, b: f"{e.by} confirms",
    ev.IrregularityDismissed: lambda e, b: f"{e.by} finds nothing wrong; the round goes on",
    ev.FloorCalled: lambda e, b: f"{e.by} calls the floor{f': {e.reason}' if e.reason else ''}",
    ev.FloorAnswered: lambda e, b: f"{e.by} comes to the table",
    ev.RoundVoided: _voided,
    ev.RoundSalvaged: lambda e, b: (
        f"Only {', '.join(title(b, wager) for wager in e.still_settles)} is still settled"
    ),
    ev.LineReversed: _reversed,
    ev.WagerReturned: _returned,
    ev.MeterShrank: _shrank,
    ev.PlayerLeft: lambda e, b: f"The player of box {e.box} left the table",
    ev.AbsenceRuled: lambda e, b: f"{e.by} rules on box {e.box}: {e.outcome}",
    ev.NumberCommitted: lambda e, b: f"Box {e.box} commits itself to a number for the shuffle",
    ev.NumberShown: lambda e, b: f"Box {e.box} shows its number",
    ev.NumberMissing: lambda e, b: f"The number of box {e.box} ({e.player}) is missing",
    ev.ReadySaid: lambda e, b: f"Box {e.box} is ready",
    ev.ChipsAsked: lambda e, b: f"Box {e.box} asks for {dollars(e.cents)} in chips",
    ev.ChipsDeclined: lambda e, b: f"{e.by} sells nothing to box {e.box} for that",
    ev.ChipsAcknowledged: lambda e, b: (
        f"Box {e.box} has {dollars(e.bought_cents)} bought and {dollars(e.cashed_cents)} cashed"
    ),
    ev.DisputeOpened: lambda e, b: (
        f"{e.by} opens dispute {e.number} on box {e.box} ({e.player}), round {e.round}: {e.reason}"
    ),
    ev.ShortfallPaid: lambda e, b: f"{dollars(e.cents)} more to box {e.box}, dispute {e.number}",
    ev.OverpaymentTaken: lambda e, b: (
        f"{dollars(e.cents)} back from box {e.box}, dispute {e.number}"
    ),
    ev.DisputeEnded: lambda e, b: f"{e.by} ends dispute {e.number}: {e.outcome}, {e.note}",
    ev.ChipsKept: lambda e, b: f"{dollars(e.cents)} of box {e.box} are kept for {e.player}",
    ev.KeptReturned: lambda e, b: f"{e.player} has {dollars(e.cents)} again that were kept",
    ev.KeptPaid: lambda e, b: f"{dollars(e.cents)} kept for {e.player} are paid out",
    ev.DropCounted: lambda e, b: f"{e.by} counts the drop: {e.found}, and {e.due} is due",
    ev.SecondAsked: lambda e, b: (
        f"{e.began.by} asks for a second person: {e.act}, box {e.box}, {dollars(e.cents)}"
    ),
    ev.SecondDenied: lambda e, b: f"{e.by} does not second it: {e.act}, box {e.box}",
    ev.PowerUsed: lambda e, b: (
        f"A power is used, {e.act}: by {e.by} {f'and {e.second}' if e.second else 'alone'}"
    ),
    ev.TableLocked: lambda e, b: f"{e.by} locks the table: {e.reason}",
    ev.TableUnlocked: lambda e, b: f"The table is unlocked: {e.reason}",
    ev.DeviceFailed: lambda e, b: f"The {e.device.replace('_', ' ')} is out of order",
    ev.DeviceCovered: lambda e, b: f"The {e.device.replace('_', ' ')} is {e.how}",
    ev.DeviceRestored: lambda e, b: f"The {e.device.replace('_', ' ')} works again",
    ev.WayChanged: _way,
}
