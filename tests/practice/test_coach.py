"""Hands that somebody asks about, and the drill for surveillance: what a flashed card changes."""

from __future__ import annotations

import msgspec
import pytest

from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.practice import coach
from croupier.practice.asked_hand import AskedHand, card_places, position_of
from croupier.practice.coach import flashed_hand, worths
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission


@pytest.mark.parametrize(("book", "street"), [("UTH-S", "river"), ("TCP-1", "play")])
def test_a_flashed_card_changes_what_is_best(book: str, street: str) -> None:
    submission = write_submission(shipped_submission(book))
    seen = flashed_hand(submission, street, seed=7)
    assert not {*seen.known} & {*seen.own, *seen.board}
    honest = msgspec.structs.replace(seen, known=())
    assert worths(submission, seen)[0].action != worths(submission, honest)[0].action


@pytest.mark.parametrize("book", ["UTH-S", "FCP-14", "TCP-1", "CH-1", "THB-1"])
def test_a_hand_is_asked_about_with_the_cards_of_its_street(book: str) -> None:
    """Every game says which places it has, and each street is found by what lies there."""
    rules = the_registry().books[book]
    deck = [str(card) for card in DECK]
    places = {place.name: place for place in card_places(rules)}
    own = places["own"].counts[0]
    for street in rules.streets:
        shown = rules.dealing[0].face_up(street.name)
        board, up = deck[own : own + shown["board"]], deck[40 : 40 + shown["dealer"]]
        asked = AskedHand(tuple(deck[:own]), tuple(board), tuple(up))
        assert position_of(rules, asked).street == street.name
    with pytest.raises(Unreadable, match="Your cards"):
        position_of(rules, AskedHand(("Ah",)))


def test_dead_cards_count() -> None:
    """With three aces out of play the fourth gives nobody a pair: king high is worth more."""
    submission = write_submission(shipped_submission("TCP-1"))
    plain = coach.Position("play", ("Kd", "5c", "3h"))
    knowing = coach.Position("play", ("Kd", "5c", "3h"), dead=("As", "Ah", "Ac"))
    worth = [
        next(each.antes for each in coach.explained(submission, position)[0] if each.action == "1x")
        for position in (plain, knowing)
    ]
    assert worth[1] > worth[0]
