"""A round told afterwards shows nobody a card that the table did not show him."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.redaction import (
    cards_shown,
    lay_to_the_end,
    refuse_stranger,
    seen,
    sees_chips,
    shown_at_last,
    viewer_called,
    visible_actor,
)
from croupier.ledger.rounds import KeptRound, kept_rounds, tables_of
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.shoe.masked_cards import shown_cards
from croupier.ledger.store.address import open_ledger
from croupier.table import events as ev
from croupier.table.agenda import first_cards_are_out, phase
from croupier.table.narration import narrate as sentence_of
from croupier.table.views import BACK, PUBLIC, SURVEILLANCE, Viewer, view
from tests.audit.nights import the_night

VIEWERS = ("public", "dealer", "floorperson", "surveillance", "player:Ann", "player:Ben")
each_viewer = pytest.mark.parametrize("viewer", [*map(viewer_called, VIEWERS)], ids=VIEWERS)
NAMES = frozenset(map(str, DECK))
IN_WORDS = re.compile(r"[2-9TJQKA][♣♦♥♠]")
SYMBOLS = {card.symbol: str(card) for card in DECK}


def rounds(with_keys: bool = True) -> Iterator[KeptRound]:
    night = the_night()
    ring = read_ring(night.keys) if with_keys else None
    with closing(open_ledger(str(night.file), read_only=True)) as ledger:
        for table in tables_of(ledger):
            yield from kept_rounds(ledger, table, the_registry(), ring)


def open_to(kept: KeptRound, viewer: Viewer) -> Iterator[frozenset[str]]:
    """What a viewer has seen after each event, told without asking ``view``: what was turned, his
    own cards once the first were out, and for surveillance all that was dealt when it was over.
    """
    known: set[str] = set()
    for told in kept.told:
        known |= {*shown_cards(told.event)}
        after = told.after
        over = after.round.number != kept.number
        round = after.last if over else after.round
        assert round is not None
        if viewer.role == "player" and (over or first_cards_are_out(after)):
            known |= {c for b in round.boxes.values() if b.player == viewer.name for c in b.cards}
        if viewer.role == "surveillance" and (over or phase(after) in ("settling", "clearing")):
            known |= round.out
        yield frozenset(known & NAMES)


def named(event: ev.Event) -> set[str]:
    """Every card that is named anywhere in an event."""
    found: set[str] = set()

    def look(value: object) -> None:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple):
            for item in value:
                look(item)
        elif isinstance(value, str) and value in NAMES:
            found.add(value)

    look(msgspec.to_builtins(event))
    return found


@each_viewer
def test_nobody_is_told_a_card_that_he_was_not_shown(viewer: Viewer) -> None:
    told_cards = 0
    for kept in rounds():
        open_cards = dict(
            zip((t.line.version for t in kept.told), open_to(kept, viewer), strict=True)
        )
        for told in seen(kept, viewer):
            allowed = open_cards[told.line.version]
            words = {
                SYMBOLS[card] for card in IN_WORDS.findall(sentence_of(told.event, told.before))
            }
            assert words <= allowed
            assert named(told.event) <= allowed
            for state in (told.before, told.after):
                lying = [
                    *state.round.places.values(),
                    *(b.cards for b in state.round.boxes.values()),
                ]
                assert {card for cards in lying for card in cards} - {BACK} <= allowed
            told_cards += len(words)
    assert told_cards > 100


@each_viewer
def test_what_is_told_was_in_the_view(viewer: Viewer) -> None:
    """Each card of an event stands in the view after it, or stood in one before."""
    for kept in rounds():
        shown: set[str] = set()
        after = {told.line.version: told.after for told in kept.told}
        for told in seen(kept, viewer):
            now = view(after[told.line.version], viewer)
            lying = [*now.places.values(), *(box.cards for box in now.boxes), now.set_aside]
            shown |= {card for cards in lying for card in cards}
            assert named(told.event) <= shown


def test_everybody_is_told_what_was_turned() -> None:
    for kept in rounds(with_keys=False):
        turned = {card for told in kept.told for card in shown_cards(told.event)}
        assert cards_shown(kept, PUBLIC) == turned
        assert {card for told in seen(kept, PUBLIC) for card in named(told.event)} == turned


def test_surveillance_sees_what_stayed_face_down_only_when_it_is_over_and_with_the_keys() -> None:
    hidden = 0
    for kept, blind in zip(rounds(), rounds(with_keys=False), strict=True):
        down = dict(lay_to_the_end(kept, SURVEILLANCE))
        assert all((BACK in cards) is not kept.is_over for cards in down.values())
        assert all({*cards} == {BACK} for _, cards in lay_to_the_end(blind, SURVEILLANCE))
        hidden += len(down) if kept.is_over else 0
        if not kept.is_over and kept.told:
            assert shown_at_last(kept, SURVEILLANCE) == shown_at_last(kept, PUBLIC)
    assert hidden > 3


def test_chips_are_told_to_who_has_them_and_to_the_house() -> None:
    ann, ben = viewer_called("player:Ann"), viewer_called("player:Ben")
    first = next(rounds())
    bought = {
        viewer: [t.event.box for t in seen(first, viewer) if isinstance(t.event, ev.ChipsBought)]
        for viewer in (ann, ben, PUBLIC, SURVEILLANCE)
    }
    assert bought == {ann: [1], ben: [2], PUBLIC: [], SURVEILLANCE: [1, 2, 3]}
    for told in first.told:
        for viewer in bought:
            for box in view(told.after, viewer).boxes:
                if told.after.chips.get(box.seat) and told.after.seats.get(box.seat):
                    assert bool(box.chips_cents) is sees_chips(viewer, told.after, box.seat)


def test_lines_are_told_to_whose_box_it_is_and_to_the_house() -> None:
    first = next(rounds())
    for name, boxes in (("player:Ann", {1}), ("public", set()), ("floorperson", {1, 2, 3})):
        told = (each.event for each in seen(first, viewer_called(name)))
        assert {event.box for event in told if isinstance(event, ev.WagerSettled)} == boxes


def test_who_of_the_house_did_it_is_told_to_the_house_alone() -> None:
    line = next(each.line for each in next(rounds()).told if each.line.role == "dealer")
    signed = msgspec.structs.replace(line, actor="Dana")
    ann = viewer_called("player:Ann")
    assert [visible_actor(viewer, signed) for viewer in (PUBLIC, ann, SURVEILLANCE)] == [
        "dealer", "dealer", "Dana",
    ]  # fmt: skip
    wagered = msgspec.structs.replace(line, role="player", actor="Ben")
    assert visible_actor(ann, wagered) == "Ben"


def test_viewers_by_name() -> None:
    assert viewer_called("player:Ann") == Viewer(role="player", name="Ann")
    for wrong in ("nobody", "player", "player:", "", "Public"):
        with pytest.raises(Unreadable, match="there is no viewer"):
            viewer_called(wrong)
    with pytest.raises(
        Unreadable, match='round 1 has no player "Zed"; choose one of Ann, Ben, Cleo'
    ):
        refuse_stranger(viewer_called("player:Zed"), next(rounds()))
