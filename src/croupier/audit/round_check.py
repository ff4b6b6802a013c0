"""One round checked against its commitment, from what one viewer may know of it.

Turned cards are open to everybody. What stayed face down is opened with the keys, and only to who
may see it; the rest of a finished pack is checked for surveillance without being told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from croupier.audit.difference import Difference, at
from croupier.audit.numbers_proof import shown_numbers
from croupier.audit.shoe_proof import NEEDLESS, RecordedCut, ShoeProof, cut_after
from croupier.ledger.events import CardsOpened
from croupier.ledger.redaction import cards_shown
from croupier.ledger.replay import ReplayedLines
from croupier.ledger.rounds import KeptRound
from croupier.ledger.shoe.card_tokens import is_token, place
from croupier.ledger.shoe.commitment import CardOpening, SealBinding, fits, opening
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev
from croupier.table.views import Viewer


class CardCheck(msgspec.Struct, frozen=True):
    """``card`` and ``fits`` are empty where the viewer has no opening of it.

    ``line`` is where the ledger opened it to everybody; 0 where the keys did.
    """

    pack: int
    where: str
    card: str = ""
    fits: bool | None = None
    line: int = 0


class RoundCheck(msgspec.Struct, frozen=True):
    """``undealt`` cards stayed in the pack; ``undealt_fit`` says whether they were checked too.

    ``cut`` cards were moved from its top to its bottom, at a training table; ``numbers`` are the
    boxes whose players' numbers made the order with the house; ``renewed_lines`` are where another
    pack took the place of one, while bets were open.
    """

    root: str
    committed_line: int
    committed_at_us: int
    closed_line: int
    closed_at_us: int
    cards: tuple[CardCheck, ...]
    undealt: int
    undealt_fit: bool | None
    cut: int
    numbers: tuple[int, ...]
    renewed_lines: tuple[int, ...]
    differences: tuple[Difference, ...]


def check_round(
    kept: KeptRound, ledger_id: str, viewer: Viewer, ring: KeyRing | None = None
) -> RoundCheck:
    chapter = kept.chapters[-1]
    assert chapter.committed is not None
    first, committed = chapter.lines[0], chapter.committed.commitment
    closed = kept.closed.line if kept.closed is not None else None
    bound = SealBinding(ledger_id, kept.stream, kept.number)
    cards = tuple(_cards(kept, chapter, bound, viewer))
    undealt = len(committed.leaves) - len(cards)
    pack = kept.packs[-1]
    sees_rest = viewer.role == "surveillance" and kept.is_over and pack is not None
    rest_fits = None
    if sees_rest and pack is not None:
        rest = {*range(len(committed.leaves))} - {card.pack for card in cards}
        rest_fits = all(fits(committed, opening(pack, at_place), bound) for at_place in rest)
    return RoundCheck(
        root=committed.root,
        committed_line=first.version,
        committed_at_us=first.at_us,
        closed_line=closed.version if closed is not None else 0,
        closed_at_us=closed.at_us if closed is not None else 0,
        cards=cards,
        undealt=undealt,
        undealt_fit=rest_fits,
        cut=cut_after(
            (event for each in kept.chapters for event in each.events), RecordedCut(kept.number)
        ).cards,
        numbers=tuple(sorted(shown_numbers(chapter.events))),
        renewed_lines=tuple(each.lines[0].version for each in kept.chapters[1:]),
        differences=(
            *_differences(kept, chapter, ledger_id, cards, first, closed),
            *_renewals(kept, ShoeProof(ledger_id, kept.stream, ring)),
        ),
    )


def _cards(
    kept: KeptRound, chapter: ReplayedLines, bound: SealBinding, viewer: Viewer
) -> Iterator[CardCheck]:
    """The cards that left the pack, from the top."""
    assert chapter.committed is not None
    commitment, pack = chapter.committed.commitment, kept.packs[-1]
    by_place, by_card = _opened(chapter)
    shown = cards_shown(kept, viewer)
    for written, where in _dealt(chapter):
        lay = place(written) if is_token(written) else by_card.get(written, -1)
        opened, line = by_place.get(lay, (None, 0))
        if opened is None and pack is not None and 0 <= lay < len(pack.cards):
            opened = opening(pack, lay) if pack.cards[lay] in shown else None
        if opened is None:
            yield CardCheck(lay, where)
        else:
            yield CardCheck(lay, where, opened.card, fits(commitment, opened, bound), line)


def _opened(chapter: ReplayedLines) -> tuple[dict[int, tuple[CardOpening, int]], dict[str, int]]:
    by_place: dict[int, tuple[CardOpening, int]] = {}
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        for each in event.openings if isinstance(event, CardsOpened) else ():
            by_place.setdefault(each.place, (each, line.version))
    return by_place, {each.card: lay for lay, (each, _) in by_place.items()}


def _dealt(chapter: ReplayedLines) -> Iterator[tuple[str, str]]:
    """What left the pack, and where it went; a card that was found and dismissed went back."""
    dealt: list[tuple[str, str]] = []
    found = 0
    for event in chapter.events:
        if isinstance(event, ev.IrregularityDeclared):
            dealt += ((card, "set aside") for card in event.cards)
            found = len(event.cards)
        elif isinstance(event, ev.IrregularityDismissed):
            del dealt[len(dealt) - found :]
        elif isinstance(event, ev.CardsDealt):
            for lie in event.lies:
                where = f"box {lie.box}" if lie.box else lie.place.replace("_", " ")
                dealt += ((card, where) for card in lie.cards)
    yield from dealt


def _differences(
    kept: KeptRound,
    chapter: ReplayedLines,
    ledger_id: str,
    cards: tuple[CardCheck, ...],
    first: LedgerLine,
    closed: LedgerLine | None,
) -> Iterator[Difference]:
    number = kept.number
    if closed is not None and (closed.version, closed.at_us) < (first.version, first.at_us):
        yield at(first, "shoe", "the order was committed after wagers had closed", number)
    proof = ShoeProof(ledger_id, kept.stream, None)
    for replaced in kept.chapters[:-1]:
        deque(proof.prove(replaced), maxlen=0)  # told by _renewals; how it was cut counts here
    yield from proof.prove(chapter)
    for card in cards:
        if card.fits is False and not card.line:
            yield at(first, "shoe", f"{card.card} was not at place {card.pack}", number)


def _renewals(kept: KeptRound, shoe: ShoeProof) -> Iterator[Difference]:
    """A pack is renewed when nobody can open it, or the deck is to be shuffled again; any other
    that can be opened was in nobody's way."""
    for replaced, chapter in pairwise(kept.chapters):
        yield from shoe.prove(replaced)
        if shoe.was_opened and not _orders_anew(replaced, chapter.lines[0].command_id):
            yield at(chapter.lines[0], "shoe", NEEDLESS, kept.number)


def _orders_anew(replaced: ReplayedLines, command_id: str) -> bool:
    """Whether the command that brought the next pack put an end to the order of this one."""
    told = zip(replaced.lines, replaced.events, strict=True)
    by_it = (event for line, event in told if line.command_id == command_id)
    return any(isinstance(event, ev.EndsOrder) for event in by_it)
