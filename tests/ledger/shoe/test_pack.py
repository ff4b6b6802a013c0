"""The commitment: it binds the whole order, hides every card, and opens one at a time."""

from __future__ import annotations

import hashlib
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.card_tokens import is_token, place, token
from croupier.ledger.shoe.commitment import (
    CardOpening,
    Commitment,
    SealBinding,
    commitment,
    fits,
    opening,
)
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of

HERE = SealBinding("house-1", "table:UTH-1", 7)
PACK = fresh_pack(random.Random(7).getrandbits)
SEALED = commitment(PACK, HERE)
PLACES = range(len(PACK.cards))
replace = msgspec.structs.replace


def test_a_fresh_pack_is_a_deck_with_a_salt_a_card() -> None:
    pack = fresh_pack(Chance())
    assert sorted(pack.cards) == sorted(map(str, DECK))
    assert {len(salt) for salt in pack.salts} == {32}
    assert len({*pack.salts, *fresh_pack(Chance()).salts}) == 104


def test_every_card_opens_at_its_place_and_nowhere_else() -> None:
    for at in PLACES:
        shown = opening(PACK, at)
        assert fits(SEALED, shown, HERE)
        assert [p for p in PLACES if fits(SEALED, replace(shown, place=p), HERE)] == [at]
        others = (replace(shown, card=str(card)) for card in DECK)
        assert [other.card for other in others if fits(SEALED, other, HERE)] == [PACK.cards[at]]


ELSEWHERE = {
    "ledger": replace(HERE, ledger="house-2"),
    "stream": replace(HERE, stream="table:UTH-2"),
    "round": replace(HERE, round=8),
    "shifted text": SealBinding("house-1t", "able:UTH-1", 7),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_an_opening_fits_its_own_round_only(name: str) -> None:
    assert not fits(SEALED, opening(PACK, 3), ELSEWHERE[name])


@given(st.sampled_from(PLACES), st.integers(0, 255))
def test_one_bit_of_a_salt_or_leaf_or_root_breaks_it(at: int, bit: int) -> None:
    def flipped(text: str) -> str:
        return (int(text, 16) ^ 1 << bit).to_bytes(32, "big").hex()

    shown = opening(PACK, at)
    leaves = (*SEALED.leaves[:at], flipped(SEALED.leaves[at]), *SEALED.leaves[at + 1 :])
    assert not fits(SEALED, replace(shown, salt=flipped(shown.salt)), HERE)
    assert not fits(replace(SEALED, root=flipped(SEALED.root)), shown, HERE)
    assert not any(fits(replace(SEALED, leaves=leaves), opening(PACK, p), HERE) for p in (0, at))


@given(
    st.builds(CardOpening, place=st.integers(), card=st.text(), salt=st.text()),
    st.builds(Commitment, root=st.text(), leaves=st.lists(st.text()).map(tuple)),
)
def test_nonsense_does_not_fit(nonsense: CardOpening, committed: Commitment) -> None:
    assert not fits(SEALED, nonsense, HERE)
    assert not fits(committed, opening(PACK, 0), HERE)


def test_the_same_order_commits_to_something_else_each_time() -> None:
    """Nobody can try all cards against a leaf: without the salt every card gives another hash."""
    first = pack_of(PACK.cards, Chance())
    second = pack_of(PACK.cards, Chance())
    assert first.cards == second.cards == PACK.cards
    leaves = {*commitment(first, HERE).leaves, *commitment(second, HERE).leaves}
    assert len(leaves) == 104
    for card in map(str, DECK):
        assert hashlib.sha256(card.encode()).hexdigest() not in leaves


def test_a_script_comes_first_and_the_rest_is_shuffled() -> None:
    script = ["Ah", "Kd", "10c"]
    one, two = pack_of(script, Chance()), pack_of(script, Chance())
    assert one.cards[:3] == two.cards[:3] == ("Ah", "Kd", "Tc")
    assert sorted(one.cards) == sorted(two.cards) == sorted(map(str, DECK))
    assert one.cards != two.cards


def test_a_script_with_a_card_twice_or_no_card_is_refused() -> None:
    with pytest.raises(Unreadable, match="Ah: a pack holds every card once"):
        pack_of(["Ah", "Kd", "Ah"], Chance())
    with pytest.raises(Unreadable):
        pack_of(["Ax"], Chance())
    with pytest.raises(ValueError, match="every card once"):
        Pack(("Ah", "Ah"), (bytes(32), bytes(32)))
    with pytest.raises(ValueError, match="each with its salt"):
        Pack(("Ah",), ())


def test_what_is_published_is_json_in_hex() -> None:
    for thing in (SEALED, opening(PACK, 17)):
        assert msgspec.json.decode(msgspec.json.encode(thing), type=type(thing)) == thing
    assert len(bytes.fromhex(SEALED.root)) == 32
    assert len(bytes.fromhex(opening(PACK, 17).salt)) == 32
    assert msgspec.json.decode(msgspec.json.encode(PACK), type=Pack) == PACK


def test_no_card_is_told_by_looking_at_a_pack() -> None:
    told = f"{PACK!r} {PACK!s} {SEALED!r}"
    assert not any(card in told.split() or f"'{card}'" in told for card in PACK.cards)


def test_a_card_face_down_is_a_place() -> None:
    assert [place(token(at)) for at in PLACES] == list(PLACES)
    assert token(17) == "@17"
    assert all(is_token(token(at)) for at in PLACES)
    for text in ("Ah", "@", "@-1", "@01", "@1x", "17", "@٣", "@1\n", ""):
        assert not is_token(text)
        with pytest.raises(Unreadable, match="not a place in a pack"):
            place(text)
