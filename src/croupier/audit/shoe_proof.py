"""The sealed shoe of one round proved: committed in time, dealt in order, opened as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple

from croupier.audit.difference import Difference, at
from croupier.audit.numbers_proof import PART, numbers_differences, shown_numbers
from croupier.facts.cards import DECK
from croupier.ledger.events import CardsOpened, Kept, TableInstalled
from croupier.ledger.replay import ReplayedLines
from croupier.ledger.shoe.card_tokens import is_token, place
from croupier.ledger.shoe.commitment import CardOpening, SealBinding, is_leaf, is_under_root
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.masked_cards import opened_after, shown_cards
from croupier.ledger.shoe.seal import BrokenSeal, LostKey, opened
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev
from croupier.table.shoe import order_of

NEEDLESS = "the pack that it replaces can be opened: nothing called for another"
_NAMES = tuple(str(card) for card in DECK)


class ShoeProof:
    """The chapters of a table, one after the other.

    ``unopened`` packs have a key that is not at hand; ``was_opened`` says whether the last one
    could be opened; ``stand_ins`` are a card for every place of it: the shown ones as they are,
    any other for the rest; ``cut`` is how far it was turned before its cards came.
    """

    def __init__(self, ledger_id: str, stream: str, ring: KeyRing | None) -> None:
        self._ledger_id, self._stream, self._ring = ledger_id, stream, ring
        self.unopened = 0
        self.was_opened = False
        self.stand_ins: dict[int, str] = {}
        self.cut = RecordedCut(0)

    def prove(self, chapter: ReplayedLines) -> Iterator[Difference]:
        bound = SealBinding(self._ledger_id, self._stream, chapter.round)
        pairs = list(_shown_and_opened(chapter))
        known = _known(pairs)
        yield from _whole(chapter, bound)
        yield from self._seal(chapter, bound)
        yield from _in_place(chapter)
        yield from _openings(chapter, pairs, bound)
        yield from numbers_differences(chapter)
        # A pack that took another's place in the same round is dealt as that one was cut, unless
        # it was shuffled again since.
        before = self.cut if self.cut.round == chapter.round else RecordedCut(chapter.round)
        yield from _in_order(chapter, known, before)
        self.cut = cut_after(chapter.events, before)
        free = iter([name for name in _NAMES if name not in known.values()])
        self.stand_ins = {lay: known.get(lay) or next(free, "") for lay in range(len(_NAMES))}

    def _seal(self, chapter: ReplayedLines, bound: SealBinding) -> Iterator[Difference]:
        """A pack whose key the auditor does not have proves nothing, and accuses nobody."""
        committed = chapter.committed
        assert committed is not None
        self.was_opened = False
        if self._ring is None:
            return
        try:
            pack = opened(self._ring, committed.sealed, bound, committed.commitment.root)
        except LostKey:
            self.unopened += 1
        except BrokenSeal as broken:
            yield at(chapter.lines[0], PART, str(broken), chapter.round)
        else:
            self.was_opened = True
            if sorted(pack.cards) != sorted(_NAMES):
                why = "the sealed pack is not the whole deck"
                yield at(chapter.lines[0], PART, why, chapter.round)


def _whole(chapter: ReplayedLines, bound: SealBinding) -> Iterator[Difference]:
    """A hash for every card of the deck, under the root that they give in this very round."""
    committed = chapter.committed
    assert committed is not None
    order = committed.commitment
    if len(order.leaves) != len(DECK) or not is_under_root(order, bound):
        yield at(chapter.lines[0], PART, "the commitment is not one to this round", chapter.round)


def _in_place(chapter: ReplayedLines) -> Iterator[Difference]:
    """Bets close on a pack that everybody holds the house to, and that no shuffle followed."""
    before: list[Kept] = []
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        if isinstance(event, ev.BetsClosed) and event.round != chapter.round:
            why = f"bets close on round {event.round} and no pack is committed to for it"
            yield at(line, PART, why, event.round)
        elif isinstance(event, ev.BetsClosed):
            if any(ev.ends_order(each, event.color) for each in before):
                why = "the deck was to be shuffled again, and no new order is committed to"
                yield at(line, PART, why, chapter.round)
        elif isinstance(event, TableInstalled):
            yield at(line, PART, "a table is installed once", chapter.round)
        before.append(event)


def _openings(
    chapter: ReplayedLines, pairs: list[ShownPair], bound: SealBinding
) -> Iterator[Difference]:
    """Every card that is shown is opened in the next line, and no other is ever opened."""
    committed = chapter.committed
    assert committed is not None
    for shown, opened_in in pairs:
        openings = opened_in.openings
        wrong = [one for one in openings if not is_leaf(committed.commitment, one, bound)]
        for opening in wrong:
            why = f"{opening.card} did not lie at place {opening.place} of the pack"
            yield at(opened_in.line, PART, why, chapter.round)
        if not wrong and tuple(one.card for one in openings) != shown.cards:
            said, due = " ".join(one.card for one in openings), " ".join(shown.cards)
            why = f"{due or 'no card'} is shown where {said or 'none'} is opened"
            yield at(shown.line, PART, why, chapter.round)
        elif openings and opened_in.event != opened_after(shown.event, chapter.round, openings):
            yield at(opened_in.line, PART, "it opens cards of another event", chapter.round)


class RecordedCut(NamedTuple):
    """How far the deck of this color was turned in a round; it stands once bets are closed."""

    round: int
    cards: int = 0
    color: str = ""
    is_closed: bool = False

    def after(self, event: Kept) -> RecordedCut:
        """A cut adds to the one before; a deck that is to be shuffled again forgets them."""
        if isinstance(event, ev.DeckCut):
            cards = (self.cards + event.cards) % len(DECK)
            return self._replace(cards=cards, color=event.color)
        if isinstance(event, ev.BetsClosed):
            return self._replace(is_closed=True)
        forgets = not self.is_closed and ev.ends_order(event, self.color)
        return self._replace(cards=0) if forgets else self


def cut_after(events: Iterable[Kept], before: RecordedCut) -> RecordedCut:
    """How far a pack is turned after its cuts."""
    return reduce(RecordedCut.after, events, before)


class ShownCards(NamedTuple):
    line: LedgerLine
    event: Kept
    cards: tuple[str, ...]


class OpenedCards(NamedTuple):
    line: LedgerLine
    event: Kept
    openings: tuple[CardOpening, ...]


ShownPair = tuple[ShownCards, OpenedCards]


def _shown_and_opened(chapter: ReplayedLines) -> Iterator[ShownPair]:
    """Where cards are shown or opened, each beside what the other line says."""
    pairs = list(zip(chapter.lines, chapter.events, strict=True))
    waiting: ShownCards | None = None
    for line, event in pairs:
        if isinstance(event, CardsOpened):
            yield waiting or ShownCards(line, event, ()), OpenedCards(line, event, event.openings)
            waiting = None
            continue
        if waiting is not None:
            yield waiting, OpenedCards(waiting.line, waiting.event, ())
        cards = shown_cards(event)
        waiting = ShownCards(line, event, cards) if cards else None
    if waiting is not None:
        yield waiting, OpenedCards(waiting.line, waiting.event, ())


def _known(pairs: list[ShownPair]) -> dict[int, str]:
    """What a round shows, place by place: as the events say it, opened there or not."""
    known: dict[int, str] = {}
    for shown, opened_in in pairs:
        for card, opening in zip(shown.cards, opened_in.openings, strict=False):
            known[opening.place] = card
    return known


def _in_order(
    chapter: ReplayedLines, known: dict[int, str], cut: RecordedCut
) -> Iterator[Difference]:
    """Cards leave the pack from the top; what was found and dismissed lies on the top again.

    A cut makes another place the top, and what is out already is passed over. Where players gave
    numbers, the places come in the order that these make.
    """
    places = {card: lay for lay, card in known.items()}
    top, out, found = cut.cards, list[int](), 0
    order = order_of(chapter.round, shown_numbers(chapter.events))
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        cards: tuple[str, ...] = ()
        turned, cut = cut, cut.after(event)
        if cut.cards != turned.cards:
            top = cut.cards
        elif isinstance(event, ev.IrregularityDeclared):
            cards, found = event.cards, len(event.cards)
        elif isinstance(event, ev.IrregularityDismissed):
            del out[len(out) - found :]
            top = cut.cards
        elif isinstance(event, ev.CardsDealt):
            cards = tuple(card for lie in event.lies for card in lie.cards)
        secret = isinstance(event, ev.CardsDealt) and not event.face_up
        if secret and not all(map(is_token, cards)):
            yield at(line, PART, "a card that lies face down is told", chapter.round)
        for card in cards:
            top = next((n for n in range(top, top + len(DECK)) if n % len(DECK) not in out), top)
            due = order[top % len(DECK)]
            if (place(card) if is_token(card) else places.get(card)) != due:
                why = f"the card at place {due} comes next, not {card}"
                yield at(line, PART, why, chapter.round)
            out.append(top % len(DECK))
