"""What is true of any round: money and meters are conserved, and order and suits do not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import ceil, floor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.facts.cards import Card, Suit
from croupier.facts.money import Cents, Micros
from croupier.games.registry import the_registry
from croupier.games.round import REASONS, FinishedBox, FinishedRound
from croupier.table.events import WagerSettled
from croupier.table.receipt import Receipt, as_document
from croupier.table.round_file import read_round, write_round
from croupier.table.settlement import settle
from tests.table.settlement.strategies import BOOKS, rounds

MICROS_A_CENT = 10_000
UNSTAKED = {"envy", "ante_bonus", "payout_limit"}
EACH_BOOK = pytest.mark.parametrize("book", BOOKS)
SUIT_MAPS = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]


@EACH_BOOK
@given(data=st.data())
def test_every_wager_has_one_line_with_its_stake(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    receipt = settle(round)
    for box in round.boxes:
        lines = [line for line in receipt.of(box.seat) if line.wager not in UNSTAKED]
        assert Counter(line.wager for line in lines) == Counter([*box.stakes])
        assert {line.wager: line.stake_cents for line in lines} == box.stakes
    unstaked = [line for line in receipt.lines if line.wager in UNSTAKED]
    assert all(line.stake_cents == 0 for line in unstaked)
    assert {line.box for line in receipt.lines} == {box.seat for box in round.boxes}


@EACH_BOOK
@given(data=st.data())
def test_money_is_conserved_to_the_cent(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    receipt = settle(round)
    house_cents = 0
    for line in receipt.lines:
        kept_cents, given_cents = house_side(round, line)
        house_cents += kept_cents - given_cents
    staked_cents = sum(sum(box.stakes.values()) for box in round.boxes)
    received_cents = sum(line.paid_cents + line.returned_cents for line in receipt.lines)
    nets = [receipt.net_cents(box.seat) for box in round.boxes]
    assert sum(nets) == received_cents - staked_cents == -house_cents
    assert [box["net_cents"] for box in as_document(receipt)["boxes"]] == [
        receipt.net_cents(box.seat) for box in sorted(round.boxes, key=lambda box: -box.seat)
    ]


def house_side(round: FinishedRound, line: WagerSettled) -> tuple[int, int]:
    """What the house keeps of the stake and what it gives, read off outcome and odds alone."""
    outcome, odds = str(line.outcome), str(line.odds)
    if line.wager == "payout_limit":
        assert line.paid_cents < 0
        return -line.paid_cents, 0
    assert line.paid_cents >= 0
    if outcome in ("lose", "forfeit"):
        assert line.paid_cents == line.returned_cents == 0
        return line.stake_cents, 0
    if outcome == "push":
        assert (line.paid_cents, line.returned_cents) == (0, line.stake_cents)
        return 0, 0
    assert outcome == "win"
    keeps = " for " in odds or "%" in odds
    assert line.returned_cents == (0 if keeps else line.stake_cents)
    given_cents = winnings_cents(round, line)
    assert line.paid_cents == given_cents
    return line.stake_cents if keeps else 0, given_cents


def winnings_cents(round: FinishedRound, line: WagerSettled) -> int:
    odds = str(line.odds)
    if odds.startswith("$"):
        return int(odds[1:].replace(",", "")) * 100
    if "%" in odds:
        assert line.meter is not None
        share = Fraction(int(odds.partition("%")[0]), 100)
        return floor(share * line.meter_before_micros / MICROS_A_CENT)
    gain, _, per = odds.replace(",", "").split()
    stake_cents = line.stake_cents
    if line.wager == "ante_bonus":
        stake_cents = next(box for box in round.boxes if box.seat == line.box).stakes["ante"]
    return ceil(Fraction(int(gain), int(per)) * stake_cents)


def wins_of(round: FinishedRound) -> list[int]:
    won = (line for line in settle(round).lines if line.wager == "progressive")
    return [line.box for line in won if str(line.outcome) == "win"]


@EACH_BOOK
@settings(max_examples=15, suppress_health_check=[HealthCheck.filter_too_much])  # wins are rare
@given(data=st.data())
def test_a_refused_win_is_a_lost_wager_or_none(book: str, data: st.DataObject) -> None:
    """As if it had been lost, or never made; written and read it is the same round."""
    round = data.draw(rounds(book).filter(wins_of))
    seat, reason = data.draw(st.sampled_from(wins_of(round))), data.draw(st.sampled_from(REASONS))

    def said(box: FinishedBox) -> FinishedBox:
        return replace(box, refused=reason) if box.seat == seat else box

    refused = replace(round, boxes=tuple(map(said, round.boxes)))
    assert read_round(write_round(refused), the_registry()) == refused
    receipt = settle(refused)
    (line,) = [x for x in receipt.of(seat) if x.wager == "progressive"]
    assert line.paid_cents == 0
    assert line.meter is None
    assert line.returned_cents == (line.stake_cents if reason == "wager" else 0)
    rest = [x for x in receipt.lines if x is not line]
    if reason == "wager":
        bare = [b for b in round.boxes if b.seat != seat]
        own = next(b for b in round.boxes if b.seat == seat)
        stakes = {name: cents for name, cents in own.stakes.items() if name != "progressive"}
        none = replace(round, boxes=(*bare, replace(own, stakes=stakes)))
        assert rest == list(settle(none).lines)
    else:
        assert not [x for x in rest if x.holder == seat]


@EACH_BOOK
@given(data=st.data())
def test_meters_are_conserved_to_the_micro(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    receipt = settle(round)
    terms = round.rules.progressive
    standing = dict(round.meters)
    for line in receipt.lines:
        is_share = "%" in str(line.odds)
        assert (line.meter is not None) == is_share
        if line.meter is None:
            continue
        assert terms is not None
        percent = int(str(line.odds).partition("%")[0])
        reset_cents = dict(terms.resets)[line.meter] if percent == 100 else 0
        assert line.meter_before_micros == standing[line.meter]
        assert line.reset_cents == reset_cents
        paid_micros = line.paid_cents * MICROS_A_CENT
        left = standing[line.meter] - paid_micros
        assert left >= 0
        assert percent != 100 or left < MICROS_A_CENT
        assert line.meter_after_micros == left + reset_cents * MICROS_A_CENT
        standing[line.meter] = Micros(line.meter_after_micros)
    assert receipt.meters == standing


@given(rounds("UTH-S") | rounds("UTH-14"))
def test_no_box_is_paid_more_than_the_limit(round: FinishedRound) -> None:
    receipt, limit_cents = settle(round), round.rules.payout_limit_cents
    capped = {"ante", "blind", "play", "trips", "payout_limit"}
    for box in round.boxes:
        lines = [line for line in receipt.of(box.seat) if line.wager in capped]
        paid_cents = sum(line.paid_cents for line in lines)
        cuts = [line for line in lines if line.wager == "payout_limit"]
        if limit_cents is None:
            assert not cuts
        elif cuts:
            assert paid_cents == limit_cents
            assert len(cuts) == 1
        else:
            assert paid_cents <= limit_cents


@given(rounds("FCP-14"))
def test_four_card_poker_has_no_payout_limit(round: FinishedRound) -> None:
    assert all(line.wager != "payout_limit" for line in settle(round).lines)


@EACH_BOOK
@given(data=st.data())
def test_envy_goes_from_one_player_to_another(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    boxes = {box.seat: box for box in round.boxes}
    pairs = [(line.box, line.holder) for line in settle(round).lines if line.wager == "envy"]
    assert len(set(pairs)) == len(pairs)
    for seat, holder in pairs:
        assert holder is not None
        assert "progressive" in boxes[seat].stakes
        assert seat != holder
        player = boxes[seat].player
        assert player is None or player != boxes[holder].player


@EACH_BOOK
@given(data=st.data())
def test_the_order_boxes_are_written_in_does_not_matter(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    other = replace(round, boxes=tuple(data.draw(st.permutations(round.boxes))))
    one, two = settle(round), settle(other)
    assert one.lines == two.lines
    assert one.meters == two.meters
    assert as_document(one) == as_document(two)


@EACH_BOOK
@given(data=st.data())
def test_writing_and_reading_back_is_the_identity(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    read = read_round(write_round(round), the_registry())
    assert read == round
    assert read_round(write_round(read), the_registry()) == read


@pytest.mark.parametrize(
    "name",
    ["Zoë", "\N{SLIGHTLY SMILING FACE}", '"', "\\", "'", "o'Neil", "=#[]"],
)
def test_any_name_survives_writing_and_reading(name: str) -> None:
    text = """
    rulebook = "FCP-14"
    paytables = {}
    cards = { dealer = "2c 4d 6h 8s Tc Qd" }
    box = [{ seat = 1, player = "Ann", cards = "As Ad Kh 9c 3d", ante = "$10" }]
    """
    plain = read_round(text, the_registry())
    named = replace(plain, boxes=(replace(plain.boxes[0], player=name),))
    assert read_round(write_round(named), the_registry()) == named


@given(rounds())
def test_settling_twice_gives_the_same(round: FinishedRound) -> None:
    meters = dict(round.meters)
    assert settle(round) == settle(round)
    assert round.meters == meters


@given(rounds())
def test_boxes_are_settled_from_the_dealers_right(round: FinishedRound) -> None:
    lines = settle(round).lines
    # Envy is paid in the holder's turn, whoever receives it.
    turns = [line.box if line.holder is None else line.holder for line in lines]
    assert turns == sorted(turns, reverse=True)


@EACH_BOOK
@given(data=st.data())
def test_suits_have_no_rank(book: str, data: st.DataObject) -> None:
    round = data.draw(rounds(book))
    other = relabelled(round, data.draw(st.sampled_from(SUIT_MAPS)))
    one, two = list(money_lines(settle(round))), list(money_lines(settle(other)))
    assert [line[:2] for line in one] == [line[:2] for line in two]
    for before, after in zip(one, two, strict=True):
        if not (names_a_suit(before) or names_a_suit(after)):
            assert before == after


def relabelled(round: FinishedRound, suits: dict[Suit, Suit]) -> FinishedRound:
    def other(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(card.rank, suits[card.suit]) for card in cards)

    return replace(
        round,
        cards={place: other(cards) for place, cards in round.cards.items()},
        boxes=tuple(replace(box, cards=other(box.cards)) for box in round.boxes),
    )


def money_lines(receipt: Receipt) -> Iterator[tuple[object, ...]]:
    for line in receipt.lines:
        yield (
            line.box,
            line.wager,
            str(line.odds),
            str(line.outcome),
            line.paid_cents,
            line.returned_cents,
            line.clause,
            line.holder,
        )


def names_a_suit(line: tuple[object, ...]) -> bool:
    """Whether a line is the Super Royal of diamonds, or the red aces of Ultimate Pairs D and E."""
    _, wager, odds, *_ = line
    return (wager, odds) in {
        ("six_card_bonus", "$1,000,000"),
        ("ultimate_pairs", "100 to 1"),
        ("ultimate_pairs", "50 to 1"),
    }


@EACH_BOOK
@given(data=st.data(), factor=st.integers(2, 50))
def test_higher_stakes_are_paid_in_proportion(book: str, data: st.DataObject, factor: int) -> None:
    drawn = data.draw(rounds(book))
    unlimited = replace(drawn, rules=replace(drawn.rules, payout_limit_cents=None))
    # Twice any stake is even, so that 3 to 2 is never rounded.
    once, raised = settle(scaled(unlimited, 200)), settle(scaled(unlimited, 200 * factor))
    for low, high in zip(once.lines, raised.lines, strict=True):
        assert (low.box, low.wager, low.outcome) == (high.box, high.wager, high.outcome)
        if low.wager in ("progressive", "envy"):
            assert low == high
            continue
        assert high.stake_cents == factor * low.stake_cents
        assert high.returned_cents == factor * low.returned_cents
        is_sum = str(low.odds).startswith("$")
        assert high.paid_cents == (low.paid_cents if is_sum else factor * low.paid_cents)


def scaled(round: FinishedRound, factor: int) -> FinishedRound:
    def stake(name: str, stake_cents: int) -> Cents:
        return Cents(stake_cents if name == "progressive" else factor * stake_cents)

    return replace(
        round,
        boxes=tuple(
            replace(box, stakes={name: stake(name, cents) for name, cents in box.stakes.items()})
            for box in round.boxes
        ),
    )


@pytest.mark.prove
def test_the_generator_reaches_the_rare_lines() -> None:
    """A property is worth something only if its rounds hold what is rare."""
    seen: set[str] = set()

    @settings(max_examples=400, derandomize=True)
    @given(rounds())
    def look(round: FinishedRound) -> None:
        lines = settle(round).lines
        seen.update(line.wager for line in lines if line.paid_cents)
        seen.update("share" for line in lines if line.meter is not None)

    look()
    rare = {"share", "envy", "ante_bonus", "payout_limit", "bad_beat", "six_card_bonus"}
    assert rare <= seen
