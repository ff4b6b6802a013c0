"""What happened at a table, each event in a sentence, as an instructor would tell it.

Cards are written with their suit symbols; :func:`written_for` makes them fit a plain terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from croupier.facts.cards import SUIT_LETTERS, SUIT_SYMBOLS, card
from croupier.facts.money import dollars, meter_dollars
from croupier.table import events as ev
from croupier.table.events import Outcome
from croupier.table.handlers.dispute_cases import ENDED as DISPUTE_ENDED
from croupier.table.handlers.void import CAUSES, cause_in_words
from croupier.table.powers import RULES
from croupier.table.state import State
from croupier.table.views import BACK

DOWN = "▒▒"
EMPTIED = ("shuffler-jam", "shoe-jam")
_PLAIN = str.maketrans(f"{SUIT_SYMBOLS}“”▒", f'{SUIT_LETTERS}""#')


def narrate(event: ev.Event, before: State) -> str:
    """The event in a sentence, told by the table as it stood just before."""
    return _SENTENCES[type(event)](event, before)


def written_for(text: str, shows_suits: bool) -> str:
    return text if shows_suits else text.translate(_PLAIN)


def in_symbols(names: Iterable[str]) -> str:
    """Cards with the symbols of their suits; one that is not for this reader shows its back."""
    return " ".join(DOWN if name == BACK else card(name).symbol for name in names)


def money(amount_cents: int) -> str:
    return dollars(amount_cents).removesuffix(".00")


def wager_title(state: State, name: str) -> str:
    known = state.book.has_wager(name)
    return state.book.wager(name).title if known else name.replace("_", " ").capitalize()


def listed(things: Iterable[str]) -> str:
    """``one``, ``one and two``, ``one, two and three``."""
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def boxes_listed(boxes: Iterable[int]) -> str:
    numbers = list(map(str, boxes))
    return f"{'box' if len(numbers) == 1 else 'boxes'} {listed(numbers)}"


def place_title(name: str) -> str:
    titles = {"six_card_box": "the Six Card box", "boxes": "the boxes"}
    return titles.get(name, f"the {name.replace('_', ' ')}")


# The deal and the end of a round


def _bets_closed(event: ev.BetsClosed, state: State) -> str:
    deck = (
        f"the {event.color} deck lies ready" if event.color else "a fresh sealed shuffle is ready"
    )
    locked = "; the Progressive is locked" if state.terms.meters else ""
    return f"“No more bets!” Round {event.round}, {boxes_listed(event.boxes)}; {deck}{locked}."


def _dealt(event: ev.CardsDealt, state: State) -> str:
    face = "face up" if event.face_up else "face down"
    if event.lies[0].box:
        each = [f"box {lie.box} {in_symbols(lie.cards)}" for lie in event.lies]
        one = len(event.lies[0].cards) == 1
        return f"{'A card' if one else 'A stack'} to each box, {face}: {', '.join(each)}."
    (lie,) = event.lies
    if lie.place == "burn":
        return f"One card is burnt, {face}: {in_symbols(lie.cards)}."
    return f"To {place_title(lie.place)}, {face}: {in_symbols(lie.cards)}."


def _counted(event: ev.StubCounted, state: State) -> str:
    total, whole = event.stub + event.on_table, state.book.deck.cards.count
    counts = f"{event.stub} in the stub and {event.on_table} on the table make {total}"
    if event.right:
        return f"The stub is counted, face down: {counts}. The deck is whole."
    whose = {0: "the dealer"}
    hands = sorted(event.hands.items())
    held = " and ".join(f"{whose.get(box, f'box {box}')} held {cards}" for box, cards in hands)
    wrong = (held or "they lie wrong") if total == whole else f"a deck has {whole}"
    return f"The stub is counted, face down: {counts}, but {wrong}."


def _folded(event: ev.Folded, state: State) -> str:
    cards = "the cards stay under an open wager" if event.keeps_cards else "the cards are collected"
    if not event.keeps_cards and state.book.procedure.collected_together_clause is not None:
        cards += " when all have decided"
    return f"{_asked(state, event.box)} folds{_by_default(event.defaulted)}; {cards}."


def _played(event: ev.Played, state: State) -> str:
    ante = state.round.boxes[event.box].stakes[state.terms.play[1]]
    times = f" ({event.cents // ante}x)" if event.cents % ante == 0 else ""
    title = wager_title(state, event.wager)
    return f"{_asked(state, event.box)} makes the {title} wager: {money(event.cents)}{times}."


def _asked(state: State, seat: int) -> str:
    """A box with the cards its player looks at, where the reader may see any of them."""
    cards = state.round.boxes[seat].cards
    hidden = all(name == BACK for name in cards)
    return f"Box {seat}" if hidden else f"Box {seat}, holding {in_symbols(cards)},"


def _by_default(defaulted: bool) -> str:
    return " by the disclosed default" if defaulted else ""


def settled_together(lines: Sequence[ev.WagerSettled], state: State) -> str:
    """Lines of one box that ended alike, for the same reason."""
    event = lines[0]
    shows = f"; {event.shows}" if event.shows else ""
    if event.outcome == Outcome.FORFEIT:
        shows = ""
    if event.wager == "payout_limit":
        return f"Box {event.box}: the payout limit takes back {money(-event.paid_cents)}{shows}."
    names = listed(_with_stake(line, state) for line in lines)
    ends = _how_it_ended(event, sum(line.paid_cents for line in lines), many=len(lines) > 1)
    return f"Box {event.box}: {names} {ends}{shows}."


def _with_stake(line: ev.WagerSettled, state: State) -> str:
    stake = f" {money(line.stake_cents)}" if line.stake_cents else ""
    return f"{wager_title(state, line.wager)}{stake}"


def _how_it_ended(event: ev.WagerSettled, paid_cents: int, *, many: bool) -> str:
    if event.outcome == Outcome.WIN:
        goes = event.stake_cents and not event.returned_cents
        stake = ", and the stake is not returned" if goes else ""
        source = ", not from the table inventory" if event.outside else ""
        return f"{'win' if many else 'wins'} {money(paid_cents)} at {event.odds}{stake}{source}"
    one, several = _ENDINGS[Outcome(event.outcome)]
    return several if many else one


_ENDINGS = {
    Outcome.PUSH: ("is a push", "are a push"),
    Outcome.LOSE: ("loses", "lose"),
    Outcome.FORFEIT: ("was given up with the fold", "were given up with the fold"),
    Outcome.RETURNED: ("was returned", "were returned"),
}


def _net(event: ev.BoxSettled, state: State) -> str:
    if event.net_cents == 0:
        return f"Box {event.box} ends even."
    ends = "wins" if event.net_cents > 0 else "loses"
    return f"Box {event.box} {ends} {money(abs(event.net_cents))}."


def _cleared(event: ev.CardsCleared, state: State) -> str:
    other = event.next_color and event.next_color != state.round.color
    follows = f"; the {event.next_color} deck is next" if other else ""
    return f"All cards go to the discard rack; round {event.round} is over{follows}."


# When things go wrong


def _declared(event: ev.IrregularityDeclared, state: State) -> str:
    rule = state.book.irregularity(event.name)
    found = (
        f" ({in_symbols((*event.cards, *event.exposed))})" if event.cards or event.exposed else ""
    )
    waits = " The floorperson is called before any money moves." if event.waits else ""
    if event.name in CAUSES:
        why = cause_in_words(event.name, event.reason)
        return f"The round cannot go on ({why}). A manager is called to confirm it."
    if rule is None:
        return f"The count does not come out.{waits}"
    idle = rule.effect == "return and reshuffle" and not event.waits
    alone = "empty the device and reshuffle the cards; no wager hangs on this deck"
    remedy = alone if idle else rule.remedy
    return f"{rule.happens}{found}. The rule: {remedy}.{waits}"


def _voided(event: ev.RoundVoided, state: State) -> str:
    if event.name in CAUSES:
        why = cause_in_words(event.name, event.reason)
        return f"The round cannot be finished ({why}): it is void; every wager goes back."
    rule = state.book.irregularity(event.name)
    cards = ", and the cards are to be reshuffled" if rule is not None else ""
    return f"The round is void; every wager goes back{cards}."


def _confirmed(event: ev.IrregularityConfirmed, state: State) -> str:
    emptied = "; the device is emptied" if event.name in EMPTIED else ""
    return f"The irregularity is confirmed{emptied}."


def _salvaged(event: ev.RoundSalvaged, state: State) -> str:
    kept = listed(wager_title(state, name) for name in event.still_settles)
    return f"The round is void but for {kept}; the cards it looks at are still dealt."


def _shuffled(event: ev.DeckShuffled, state: State) -> str:
    how = "by the device" if event.by_device else "by hand"
    found = f"; the device counts {event.found} cards" if event.found is not None else ""
    then = "; it must be cut" if event.needs_cut else ""
    return f"The {event.color} deck is shuffled {how} and stacked{found}{then}."


def _removed(event: ev.DeckRemoved, state: State) -> str:
    return f"The {event.color} deck leaves the table: {event.why}."


def _way_changed(event: ev.WayChanged, state: State) -> str:
    lost = listed(wager_title(state, name) for name in event.suspended) if event.suspended else ""
    suspended = f"; {lost} is suspended" if lost else ""
    return f"The cards are now dealt {state.terms.ways[event.way].title}{suspended}."


_RULED = {
    "default": "is played by the default",
    "abandoned": "is lost",
    "back": "is played by its player again",
}


def _act(act: str) -> str:
    return next((rule.title for power, rule in RULES.items() if power == act), act)


def _of_box(event: ev.BoxEvent) -> str:
    return f", box {event.box}" if event.box else ""


def _drop_counted(event: ev.DropCounted, state: State) -> str:
    found, due = sum(event.found.values()), sum(event.due.values())
    beside = "as much as was taken" if event.found == event.due else f"{money(due)} were taken"
    return f"The drop is counted: {money(found)}, {beside}."


def _acknowledged(event: ev.ChipsAcknowledged, state: State) -> str:
    bought = f"{money(event.bought_cents)} in chips" if event.bought_cents else ""
    cashed = f"{money(event.cashed_cents)} paid out" if event.cashed_cents else ""
    return f"Box {event.box} has {listed(list(filter(None, (bought, cashed))))}."


def _disputed(event: ev.DisputeOpened, state: State) -> str:
    wager = f", {wager_title(state, event.wager)}" if event.wager else ""
    return (
        f"Dispute {event.number:,} is opened: box {event.box}, round {event.round:,}{wager}. "
        f"{event.reason}"
    )


def _device(name: str) -> str:
    return f"The {name.replace('_', ' ')}"


def _called(event: ev.FloorCalled, state: State) -> str:
    return f"The floorperson is called{f': {event.reason}' if event.reason else ''}."


# Money on the felt


def _wager(
    event: ev.WagerPlaced | ev.WagerWithdrawn | ev.WagerForfeited | ev.WagerReturned, state: State
) -> str:
    return f"Box {event.box}: {wager_title(state, event.wager)} {money(event.cents)}"


def _grew(event: ev.MeterGrew, state: State) -> str:
    by, reading = meter_dollars(event.by_micros), meter_dollars(event.reading_micros)
    return f"The {event.meter} meter grows by {by} to {reading}."


def _shrank(event: ev.MeterShrank, state: State) -> str:
    by, reading = meter_dollars(event.by_micros), meter_dollars(event.reading_micros)
    borne = f"; the house bears {meter_dollars(event.borne_micros)}" if event.borne_micros else ""
    return f"The {event.meter} meter gives back {by} and stands at {reading}{borne}."


def _reversed(event: ev.LineReversed, state: State) -> str:
    what = f"{money(event.cents)} comes back" if event.cents else "its stake is on the felt again"
    return f"Box {event.box}: {wager_title(state, event.wager)} is no longer settled; {what}."


def _won(event: ev.ProgressiveWon, state: State) -> str:
    return (
        f"Box {event.box} has won {money(event.cents)} on the Progressive at {event.odds} "
        f"({event.shows}); its light is on. Nothing else is settled until the floorperson has "
        "validated it."
    )


_NOT_VALIDATED = {"hand": "the hand does not qualify", "wager": "the wager was not accepted"}


def _proposed(event: ev.RefusalProposed, state: State) -> str:
    why = _NOT_VALIDATED[event.reason]
    return f"{event.by} will not validate the win of box {event.box}: {why}. A manager decides."


def _refused(event: ev.ProgressiveRefused, state: State) -> str:
    why = _NOT_VALIDATED[event.reason]
    return (
        f"{event.by} confirms what {event.proposed_by} proposed: the Progressive win of box "
        f"{event.box} is refused, {why}. The meters stay as they are."
    )


_SENTENCES: Mapping[type[ev.Event], Callable[[Any, State], str]] = {
    ev.TableOpened: lambda event, state: (
        "The table opens with an electronic shoe: inspection, wash and cut do not apply."
    ),
    ev.DeckReceived: lambda event, state: (
        f"A{' preshuffled' if event.preshuffled else ''} {event.color} deck comes to the table."
    ),
    ev.DeckInspected: lambda event, state: f"The {event.color} deck is inspected for defects.",
    ev.InspectionVerified: lambda event, state: (
        f"The inspection of the {event.color} deck is verified."
    ),
    ev.DeckWashed: lambda event, state: f"The {event.color} deck is turned face down and washed.",
    ev.DeckStacked: lambda event, state: f"The {event.color} deck is stacked.",
    ev.DeckRemoved: _removed,
    ev.ShuffleOrdered: lambda event, state: f"The {event.color} deck is to be shuffled again.",
    ev.RecutOrdered: lambda event, state: f"The {event.color} deck is to be cut again.",
    ev.TableIdle: lambda event, state: (
        f"Nobody plays: the cards are spread face {'up' if event.face_up else 'down'}."
    ),
    ev.BoxTaken: lambda event, state: f"{event.player} took box {event.box}.",
    ev.BoxLeft: lambda event, state: f"{state.seats[event.box]} left box {event.box}.",
    ev.ChipsBought: lambda event, state: f"Box {event.box} buys {money(event.cents)} in chips.",
    ev.ChipsCashed: lambda event, state: f"Box {event.box} cashes out {money(event.cents)}.",
    ev.ChipsAsked: lambda event, state: f"Box {event.box} asks for {money(event.cents)} in chips.",
    ev.ReadySaid: lambda event, state: f"Box {event.box} is ready.",
    ev.ChipsDeclined: lambda event, state: f"No chips are sold to box {event.box} for that.",
    ev.ChipsAcknowledged: _acknowledged,
    ev.ChipsKept: lambda event, state: (
        f"{money(event.cents)} in chips at box {event.box} are kept for {event.player}."
    ),
    ev.KeptReturned: lambda event, state: (
        f"{event.player} has the {money(event.cents)} again that were kept."
    ),
    ev.KeptPaid: lambda event, state: (
        f"{money(event.cents)} that were kept for {event.player} are paid out."
    ),
    ev.DropCounted: _drop_counted,
    ev.TipGiven: lambda event, state: f"Box {event.box} tips the dealers {money(event.cents)}.",
    ev.WagerPlaced: lambda event, state: f"{_wager(event, state)}.",
    ev.NumberCommitted: lambda event, state: (
        f"Box {event.box} commits itself to a number for the shuffle."
    ),
    ev.NumberShown: lambda event, state: f"Box {event.box} shows its number for the shuffle.",
    ev.NumberMissing: lambda event, state: (
        f"Box {event.box} ({event.player}) did not show its number in time."
    ),
    ev.WagerWithdrawn: lambda event, state: f"{_wager(event, state)} is taken back.",
    ev.WagerForfeited: lambda event, state: f"{_wager(event, state)} is collected.",
    ev.WagerReturned: lambda event, state: f"{_wager(event, state)} is returned.",
    ev.MeterGrew: _grew,
    ev.MeterShrank: _shrank,
    ev.LineReversed: _reversed,
    ev.ChipReturned: lambda event, state: (
        f"The Progressive chip of box {event.box}, {money(event.cents)}, goes back to its player."
    ),
    ev.AcceptanceCancelled: lambda event, state: (
        f"The acceptance without a chip at box {event.box} is taken out of the system."
    ),
    ev.ProgressiveWon: _won,
    ev.ProgressiveValidated: lambda event, state: (
        f"{event.by} validates the Progressive win of box {event.box}."
    ),
    ev.RefusalProposed: _proposed,
    ev.RefusalSentBack: lambda event, state: (
        f"{event.by} does not refuse the win of box {event.box}; it waits for the floorperson."
    ),
    ev.ProgressiveRefused: _refused,
    ev.PaperworkRecorded: lambda event, state: (
        f"The paperwork for box {event.box} is recorded; its cards may go."
    ),
    ev.IrregularityConfirmed: _confirmed,
    ev.IrregularityDismissed: lambda event, state: "It is not upheld; the round goes on.",
    ev.FloorCalled: _called,
    ev.FloorAnswered: lambda event, state: "The floorperson is at the table.",
    ev.PlayerLeft: lambda event, state: (
        f"{state.seats[event.box]} has left box {event.box} during the round."
    ),
    ev.AbsenceRuled: lambda event, state: f"Box {event.box} {_RULED[event.outcome]}.",
    ev.SecondAsked: lambda event, state: (
        f"{event.began.by} asks for a second person: {_act(event.act)}{_of_box(event)}."
    ),
    ev.SecondDenied: lambda event, state: (
        f"{event.by} does not confirm it: {_act(event.act)}{_of_box(event)}."
    ),
    ev.PowerUsed: lambda event, state: (
        f"{_act(event.act)}{_of_box(event)}: {event.by}"
        f"{f' and {event.second}' if event.second else ', alone'}."
    ),
    ev.TableLocked: lambda event, state: f"The table is locked for a dispute: {event.reason}.",
    ev.TableUnlocked: lambda event, state: f"The table is unlocked: {event.reason}.",
    ev.DisputeOpened: _disputed,
    ev.ShortfallPaid: lambda event, state: (
        f"Dispute {event.number:,}: {money(event.cents)} more are paid to box {event.box}."
    ),
    ev.OverpaymentTaken: lambda event, state: (
        f"Dispute {event.number:,}: {money(event.cents)} go back from box {event.box}."
    ),
    ev.DisputeEnded: lambda event, state: (
        f"Dispute {event.number:,} is ended: {DISPUTE_ENDED[event.outcome]}. {event.note}"
    ),
    ev.DeviceFailed: lambda event, state: f"{_device(event.device)} is out of order.",
    ev.DeviceCovered: lambda event, state: f"{_device(event.device)} is {event.how}.",
    ev.DeviceRestored: lambda event, state: f"{_device(event.device)} works again.",
    ev.WayChanged: _way_changed,
    ev.DeckSpread: lambda event, state: (
        f"The {event.color} deck is spread face up, by suit and in sequence, for the first player."
    ),
    ev.DeckShuffled: _shuffled,
    ev.DeckCut: lambda event, state: (
        f"The cover card goes in {event.cards} cards from the top; what lies above it goes to the "
        "bottom."
    ),
    ev.ProgressiveAccepted: lambda event, state: (
        f"The Progressive wager of box {event.box} is accepted; its light is on."
    ),
    ev.BetsClosed: _bets_closed,
    ev.ProgressiveCollected: lambda event, state: (
        f"Progressive chips and lights match at {boxes_listed(event.boxes)}; the chips go into "
        "the table inventory."
    ),
    ev.CardsDealt: _dealt,
    ev.CardsTurned: lambda event, state: (
        f"Turned up on {place_title(event.place)}: {in_symbols(event.cards)}."
    ),
    ev.Checked: lambda event, state: (
        f"{_asked(state, event.box)} checks{_by_default(event.defaulted)}."
    ),
    ev.Played: _played,
    ev.Folded: _folded,
    ev.StubCounted: _counted,
    ev.DealerRevealed: lambda event, state: (
        f"The dealer turns {in_symbols(event.cards)} and calls: “{event.hand}”."
    ),
    ev.PlaceTurned: lambda event, state: (
        f"Turned up in {place_title(event.place)}: {in_symbols(event.cards)}."
    ),
    ev.BoxTurned: lambda event, state: (
        f"Box {event.box} is turned, {in_symbols(event.cards)}, and called: “{event.hand}”."
    ),
    ev.WagerSettled: lambda event, state: settled_together([event], state),
    ev.BoxSettled: _net,
    ev.CardsCleared: _cleared,
    ev.IrregularityDeclared: _declared,
    ev.RoundVoided: _voided,
    ev.RoundSalvaged: _salvaged,
}
