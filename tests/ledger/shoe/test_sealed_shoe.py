"""The shoe of a live table: the sealed pack, card after card, and on again after a restart."""

from __future__ import annotations

import random

import pytest

from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.shoe.sealed_shoe import SealedShoe
from croupier.table.shoe import EmptyShoe, Shoe

PACK = fresh_pack(random.Random(11).getrandbits)


def test_cards_come_in_the_order_of_the_pack() -> None:
    shoe: Shoe = SealedShoe(PACK)
    assert shoe.draw(0) == ()
    assert [card for _ in range(4) for card in shoe.draw(13)] == list(PACK.cards)
    with pytest.raises(EmptyShoe, match="1 cards were asked for, 0 are left"):
        shoe.draw(1)


def test_a_shoe_goes_on_where_it_stood() -> None:
    for drawn in range(53):
        shoe = SealedShoe(PACK)
        before = shoe.draw(drawn)
        again = SealedShoe(PACK, before)
        assert before + again.draw(52 - drawn) == PACK.cards
        assert again.drawn == 52


def test_a_draw_that_cannot_be_takes_nothing() -> None:
    shoe = SealedShoe(PACK, PACK.cards[:50])
    for count in (3, -1):
        with pytest.raises(EmptyShoe):
            shoe.draw(count)
    assert (shoe.drawn, shoe.draw(2)) == (50, PACK.cards[50:])
    with pytest.raises(EmptyShoe, match="did not come out of this pack"):
        SealedShoe(PACK, ("Zz",))


def test_a_cut_pack_goes_round_and_passes_over_what_is_out() -> None:
    found = SealedShoe(PACK, cut=26).draw(1)
    assert found == (PACK.cards[26],)
    again = SealedShoe(PACK, found, cut=(26 + 40) % 52)
    turned = (*PACK.cards[14:26], *PACK.cards[27:], *PACK.cards[:14])
    assert again.draw(51) == turned


def test_every_card_has_its_place_drawn_or_not() -> None:
    shoe = SealedShoe(PACK, PACK.cards[:20])
    assert [PACK.cards[shoe.place_of(card)] for card in PACK.cards] == list(PACK.cards)
    with pytest.raises(Unreadable, match="not a card of this pack"):
        shoe.place_of("Zz")


def test_the_shoe_does_not_tell_what_is_to_come() -> None:
    assert repr(SealedShoe(PACK, PACK.cards[:3])) == "SealedShoe(3 of 52 cards drawn)"
