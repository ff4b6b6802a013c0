"""The kernels' rounds held against the one settlement function, line by line."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.exact.hand_classes import lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.side_wagers import ACES, line_number
from croupier.facts.cards import DECK, Card, Rank, Suit, cards
from croupier.facts.hands import FIVE_CARD, TWO_CARD, Ranking
from croupier.facts.money import Cents, Micros, in_micros
from croupier.facts.showings import Showing
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE, ProgressiveTerms, Rules, bind
from croupier.rulebook.book import Paytable
from croupier.simulate.kernels.settlement import RoundArrays
from croupier.simulate.meters import Award, awards_of
from croupier.simulate.plan import BoxPlan, MeterPlan, PlayerStrategy, SimulationPlan
from croupier.simulate.rounds import KernelTables, ShardResult, look_at, prepared
from croupier.simulate.staked_rules import actions_of, base_stakes
from croupier.table.events import WagerSettled
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle

Cards = NDArray[np.int64]
BASE = ("ante", "blind", "play", "ante_bonus")
ANTE_ONLY = ("ante", "six_card_bonus")


def plan_of(rules: Rules, seats: Sequence[BoxPlan], seed: int = 1) -> SimulationPlan:
    """A plan whose meters stand at some reading that is no whole number of cents."""
    table = rules.paytable(PROGRESSIVE)
    names = [meter.name for meter in table.meters] if table is not None else []
    resets = dict(rules.progressive.resets) if rules.progressive is not None else {}
    meters = tuple(
        MeterPlan(name, Micros(12_345_678_901), in_micros(resets[name]), Micros(123_457))
        for name in names
    )
    return SimulationPlan(rules, tuple(seats), meters, seed)


def bound(book_id: str, letters: dict[str, str], stake: int = 100, **terms: object) -> Rules:
    """Rules with these paytables; the meters of the Progressive reset to their least."""
    registry = the_registry()
    book = registry.book(book_id)
    progressive = None
    if "progressive" in letters:
        table = book.paytables["progressive"][letters["progressive"]]
        resets = tuple((meter.name, Cents(1_000_000)) for meter in table.meters)
        progressive = ProgressiveTerms(Cents(stake), resets=resets)
        progressive = replace(progressive, **terms)  # type: ignore[arg-type]
    limit = Cents(5_000_000) if book.payout_limit is not None else None
    return bind(
        registry.game_of(book), book, letters, progressive=progressive, payout_limit_cents=limit
    )


def settled_rounds(plan: SimulationPlan, rules: Rules, dealt: Cards) -> Iterator[Receipt]:
    """Each row of cards played as the kernel plays it, and settled by the one function."""
    bets, noted = actions_of(plan.rules), look_at(plan, dealt)
    meters = {meter.name: meter.initial for meter in plan.meters}
    accepted = sum(bool(seat.stake(PROGRESSIVE)) for seat in plan.seats)
    for row, lies in enumerate(dealt):
        for meter in plan.meters:
            meters[meter.name] = Micros(meters[meter.name] + accepted * meter.growth)
        multiples = [bets[action][1] for action in noted.actions[row]]
        receipt = settle(_round(plan, rules, lies, multiples, dict(meters)))
        meters = dict(receipt.meters)
        yield receipt


def _round(
    plan: SimulationPlan,
    rules: Rules,
    dealt: Cards,
    multiples: list[int | None],
    meters: dict[str, Micros],
) -> FinishedRound:
    boxes = len(plan.seats)
    lies = [DECK[card] for card in dealt]
    if rules.game.id == "uth":
        places = {"board": lies[:5], "dealer": lies[5:7]}
        held, first = 2, 7
    else:
        places = {"dealer": lies[:6]}
        held, first = 5, 6
    if "six_card_bonus" in plan.sides:
        places["six_card_box"] = lies[first + held * boxes :]
    return FinishedRound(
        rules,
        {place: tuple(some) for place, some in places.items()},
        tuple(
            FinishedBox(
                box + 1,
                tuple(lies[first + held * box :][:held]),
                {**base_stakes(rules, seat, _antes(multiple)), **_sides(plan, seat)},
                f"player {seat.player}",
            )
            for box, (seat, multiple) in enumerate(zip(plan.seats, multiples, strict=True))
        ),
        meters,
    )


def _sides(plan: SimulationPlan, seat: BoxPlan) -> dict[str, Cents]:
    return {name: seat.stake(name) for name in plan.sides if seat.stake(name)}


def differences(plan: SimulationPlan, dealt: Cards, by: Rules | None = None) -> list[str]:
    """Every line in which the kernel and the settlement function, by these Rules, disagree."""
    table, noted = prepared(plan), look_at(plan, dealt)
    awards = _awards(plan, noted)
    wrong: list[str] = []
    for row, receipt in enumerate(settled_rounds(plan, by or plan.rules, dealt)):
        for box in range(len(plan.seats)):
            paid = [award for award in awards.get(row, []) if award.box == box]
            mine = _lines_of(plan, table, noted, row, box, paid)
            theirs = told(receipt.of(box + 1))
            if mine != theirs:
                wrong.append(f"round {row} box {box + 1}: {mine} is not {theirs}")
            net = int(noted.nets[row, box]) + sum(award.paid_cents for award in paid)
            if net != receipt.net_cents(box + 1):
                wrong.append(f"round {row} box {box + 1}: {net} {receipt.net_cents(box + 1)}")
    return wrong


def told(lines: Sequence[WagerSettled]) -> dict[str, int]:
    """What a receipt says of a box: by wager cents won or lost, the base game as one."""
    nets: dict[str, int] = {}
    for line in lines:
        name = "base" if line.wager in BASE else line.wager
        nets[name] = nets.get(name, 0) + line.net_cents
    return nets


def _lines_of(
    plan: SimulationPlan,
    table: KernelTables,
    noted: RoundArrays,
    row: int,
    box: int,
    awards: list[Award],
) -> dict[str, int]:
    """The same of the kernel's round."""
    staked, seat = table.staked, plan.seats[box]
    nets: dict[str, int] = {}
    if staked.decides[box]:
        nets["base"] = int(staked.case_nets[box, noted.cases[row, box]])
    for side, name in enumerate(plan.sides):
        if seat.stake(name):
            nets[name] = int(staked.nets[box, side, noted.lines[row, box, side]])
    if awards:
        nets[PROGRESSIVE] += sum(award.paid_cents for award in awards)
    if noted.cuts[row, box]:
        nets["payout_limit"] = -int(noted.cuts[row, box])
    if noted.envy[row, box]:
        nets["envy"] = int(noted.envy[row, box])
    return nets


def _awards(plan: SimulationPlan, noted: RoundArrays) -> dict[int, list[Award]]:
    """What the replayed meters pay in these rounds."""
    table = prepared(plan)
    staked, hits = table.staked, []
    if staked.progressive < 0:
        return {}
    for row in range(len(noted.actions)):
        for box in staked.order:
            line = noted.lines[row, box, staked.progressive]
            if staked.shares[box, line]:
                hits.append((row, box, line, noted.nets[row, box], noted.nets[row].sum()))
    rows = np.array(hits, dtype=np.int64).reshape(-1, 5)
    by_round: dict[int, list[Award]] = {}
    for award in awards_of(plan, ShardResult(len(noted.actions), table.new_tally(), rows)):
        by_round.setdefault(award.round, []).append(award)
    return by_round


def lines_hit(plan: SimulationPlan, dealt: Cards) -> set[tuple[str, int]]:
    """Which lines of which paytables these rounds paid; Envy among them."""
    noted = look_at(plan, dealt)
    hit = {
        (name, int(line))
        for side, name in enumerate(plan.sides)
        for line in np.unique(noted.lines[:, :, side])
    }
    return hit | {("envy", int(line)) for line in np.unique(noted.given)}


def stacked(plan: SimulationPlan, rounds: int, chance: random.Random) -> Cards:
    """Rounds from stacked decks, half of them: few ranks or one suit come first, in any place."""
    table = prepared(plan)
    size = table.cards
    rows = []
    for number in range(rounds):
        deck = chance.sample(range(52), 52)
        if number % 2:
            deck = _stack(deck, size, chance)
        rows.append(deck[:size])
    return np.array(rows, dtype=np.int64)


def _stack(deck: list[int], size: int, chance: random.Random) -> list[int]:
    suits = chance.sample(range(4), chance.choice([1, 1, 2, 4]))
    lowest = chance.choice([0, 0, 3, 5, 7, 8, 9, 10, 11])
    ranks = range(lowest, min(13, lowest + chance.choice([2, 4, 5, 6, 13])))
    liked = [card for card in deck if card & 3 in suits and card >> 2 in ranks][: size - 1]
    rest = [card for card in deck if card not in liked]
    places = sorted(chance.sample(range(size), len(liked)))
    if chance.random() < 0.5:
        start = chance.randrange(size - len(liked) + 1)
        places = list(range(start, start + len(liked)))
    front = iter(liked)
    back = iter(rest)
    return [next(front) if place in places else next(back) for place in range(len(deck))]


def directed(plan: SimulationPlan, chance: random.Random, each: int = 4) -> Cards:
    """Rounds in which box 1 holds what each line of each paytable pays for."""
    table, rules = prepared(plan), plan.rules
    size = table.cards
    wanted = [(rules.judged_by(name), rules.paytable(name)) for name in plan.sides]
    if rules.envy is not None and rules.book.envy_bonus is not None:
        wanted.append((rules.chosen_hand(rules.book.envy_bonus.judged_by), rules.envy))
    rows = []
    for look, paytable in wanted:
        assert paytable is not None
        places = _places(rules, look, len(plan.seats), size)
        for found in _by_line(rules.game.ranking, look, paytable).values():
            for shown in chance.sample(found, min(each, len(found))):
                at = chance.sample(places, len(shown.cards))
                fixed = {p: c.number for p, c in zip(at, shown.cards, strict=True)}
                if shown.dealer_hand is not None:
                    fixed |= dict(zip((5, 6), _aces_left(shown.cards), strict=True))
                rows.append(_filled(fixed, size, chance))
    if rules.game.id == "uth":
        rows += [_filled(_meeting(text), size, chance) for text in _LOWER]
    return np.array(rows, dtype=np.int64)


def _places(rules: Rules, look: str, boxes: int, size: int) -> list[int]:
    """Where the cards of a look of box 1 may lie, as kernels order the cards."""
    if rules.game.id == "uth":
        hole, six = [7, 8], list(range(7 + 2 * boxes, size))
        return {
            "final hand": [*hole, 0, 1, 2, 3, 4],
            "hole cards and flop": [*hole, 0, 1, 2],
            "first two cards": hole,
            "board": [0, 1, 2, 3, 4],
            "six cards": [*hole, *six],
            "lower hand": [],
        }[look]
    own = list(range(6, 11))
    return [*own, size - 1] if look == "six cards" else own


@cache
def _by_line(ranking: Ranking, look: str, table: Paytable) -> dict[int, list[Showing]]:
    """By line of a paytable: what a look may see that is paid so, in as few cards as make it."""
    found: dict[int, list[Showing]] = {}
    if look == "lower hand":
        return found
    if look == "first two cards":
        for two in combinations(DECK, 2):
            hand = TWO_CARD.hand(two)
            for shown in (
                Showing(hand, two),
                *([Showing(hand, two, ACES)] if hand == ACES else []),
            ):
                found.setdefault(line_number(table, shown), []).append(shown)
        return found
    own = ranking if look == "four-card hand" else FIVE_CARD
    for hand, line in zip(samples(own), lines_of_classes(table, own), strict=True):
        found.setdefault(int(line), []).append(Showing(hand, hand.cards))
    if look == "six cards":
        for suit in Suit:
            six = tuple(card for card in DECK if card.suit is suit and card.rank >= Rank.NINE)
            shown = Showing(FIVE_CARD.best(six), six)
            found.setdefault(line_number(table, shown), []).append(shown)
    return found


def _aces_left(cards: tuple[Card, ...]) -> list[int]:
    return [card.number for card in DECK if card.rank is Rank.ACE and card not in cards][:2]


_LOWER = (  # the board, the dealer's two, the player's two: both hold the category, one lower
    "Th Jh Qh 2c 3d 8h 9h Kh Ah",
    "8h 8d Kh Kd 2c 8s 8c Ks Kc",
    "8h 8d 3c Kd Jd 3h 3d Kh Ks",
    "2h 7h 9h Kd Jc Qh 3h Ah 4h",
    "5c 6d 7h Kd 2s 8c 9c 3c 4d",
    "5c 6d 7h Kd Ks Kc 2d Kh 9d",
)


def _meeting(text: str) -> dict[int, int]:
    return {place: card.number for place, card in enumerate(cards(text))}


def _filled(fixed: dict[int, int], size: int, chance: random.Random) -> list[int]:
    """The rest of the cards dealt at random around the fixed ones."""
    rest = iter(chance.sample([card for card in range(52) if card not in fixed.values()], size))
    return [fixed[place] if place in fixed else next(rest) for place in range(size)]


def letters_of(book_id: str, number: int) -> dict[str, str]:
    """The paytables of a rulebook, walked through together: every letter comes up."""
    book = the_registry().book(book_id)
    chosen = {}
    for wager in book.wagers:
        letters = [*book.paytables.get(wager.name, {})]
        if letters and wager.paid_on is None:
            chosen[wager.name] = letters[number % len(letters)]
    if book.envy:
        chosen["envy"] = [*book.envy][number % len(book.envy)]
    return chosen


def seat_of(
    rules: Rules, chance: random.Random, player: int, mind: PlayerStrategy, often: float
) -> BoxPlan:
    """A box with its wagers made so often, in sizes that do not divide evenly."""
    stakes: dict[str, int] = {}
    for wager in rules.book.wagers:
        needs = all(need in stakes or need in ("blind",) for need in wager.needs)
        needs &= not wager.needs_any or any(need in stakes for need in wager.needs_any)
        if wager.name == PROGRESSIVE and rules.progressive is not None:
            if needs and chance.random() < often:
                stakes[wager.name] = rules.progressive.stake_cents
        elif wager.name == "ante" or (wager.optional and needs and chance.random() < often):
            stakes[wager.name] = chance.choice([500, 1_001, 2_500, 20_000])
    if "aces_up" in stakes and chance.random() > often:
        stakes = {name: cents for name, cents in stakes.items() if name not in ANTE_ONLY}
    return BoxPlan(tuple((name, Cents(cents)) for name, cents in stakes.items()), mind, player)


def _antes(multiple: int | None) -> Fraction | None:
    return None if multiple is None else Fraction(multiple)
