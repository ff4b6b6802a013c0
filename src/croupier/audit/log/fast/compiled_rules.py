"""From the Rules and the submission of a table to the arrays that the kernel checks by.

No payout is written here: each line of a paytable and each way two hands can meet is shown to the
one settlement function, and what its receipt says becomes a verdict. A table whose rules do not fit
the arrays has no felt, and every round of it goes to the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.audit.log.fast.grammar import Shapes, the_shapes
from croupier.audit.log.fast.kernels import check, gather, run
from croupier.audit.log.times import shown_after
from croupier.audit.records import schema as rec
from croupier.exact.hand_classes import lines_of_classes, samples
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.poker_rank import tables
from croupier.exact.side_wagers import ACES, line_number
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.hands import FIVE_CARD, SUPER_ROYAL_RANKS, TWO_CARD, Category, Hand, Ranking
from croupier.facts.money import Cents, in_micros
from croupier.facts.odds import For, Odds, Push, Share, Sum, To
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Rulebook, Wager
from croupier.submission.submission import Submission
from croupier.table.handlers.progressive import PROGRESSIVE
from croupier.table.receipt import ReceiptLine
from croupier.table.settlement import settle_box
from croupier.table.terms import RATE_WHOLE

LOOKS = {
    "uth": (
        "final hand",
        "hole cards and flop",
        "first two cards",
        "board",
        "six cards",
        "lower hand",
    ),
    "four-card": ("four-card hand", "five cards", "six cards"),
}
COLUMNS = run.TIED + 1
ANY_STAKE = 10**13
NO_LIMIT = 1 << 60
STAKE = Cents(6_00)
_SIX = tuple(sorted(SUPER_ROYAL_RANKS))


class NotCompilable(Exception):
    """The rules of this table do not fit the arrays."""


class RulesCompiler:
    """Verdicts are numbered as they are met; equal ones have one number."""

    def __init__(self, rules: Rules, shapes: Shapes) -> None:
        if rules.game.id not in LOOKS:
            raise NotCompilable
        self.rules, self.shapes, self.wagers = rules, shapes, rules.book.wagers
        self.looks = LOOKS[rules.game.id]
        self._verdicts: dict[tuple[int, ...], int] = {}
        self._outcomes = {w: n for n, w in enumerate(shapes.words(rec.LineRecord, "outcome"))}
        nothing = self._numbered((0, 0, 0, 0, 1, 0, 0, check.NOTHING))
        assert nothing == 0

    # Verdicts

    def _numbered(self, verdict: tuple[int, ...]) -> int:
        return self._verdicts.setdefault(verdict, len(self._verdicts))

    def _verdict(self, line: ReceiptLine | None) -> int:
        if line is None:
            return 0
        odds = line.odds
        gain, per, add, kind = 0, 1, 0, check.MONEY
        if isinstance(odds, To | For):
            gain, per = odds.gain, odds.stake
        elif isinstance(odds, Sum):
            add = odds.sum_cents
        elif isinstance(odds, Share):
            kind = check.SHARE
        elif odds is not None and not isinstance(odds, Push):
            raise NotCompilable
        back = int(odds is not None and odds.returns_stake and bool(line.stake_cents))
        words = (self._outcomes[str(line.outcome)], self._odds(odds), self.shapes.hash(line.clause))
        return self._numbered((*words, gain, per, add, back, kind))

    def _odds(self, odds: Odds | None) -> int:
        return self.shapes.hash(str(odds)) if odds is not None else gather.UNSAID

    def verdicts(self) -> NDArray[np.int64]:
        return np.array([*self._verdicts], dtype=np.int64)

    # Paytables

    def by_look(self, wager: Wager) -> NDArray[np.int64]:
        """By look: the verdict of a wager that a paytable judges."""
        table = self._table(wager)
        look = self.rules.judged_by(wager.name)
        lines = self.lines(table, look)
        found = np.zeros(COLUMNS, dtype=np.int64)
        for line in np.unique(lines).tolist():
            column = int(np.flatnonzero(lines == line)[0])
            verdict = self._shown(wager, table, line, look, column)
            found[lines == line] = verdict
        return found

    def _shown(self, wager: Wager, table: Paytable, line: int, look: str, column: int) -> int:
        if line < len(table.lines) and isinstance(table.lines[line].odds, Share):
            return self._numbered((0, 0, 0, 0, 1, 0, 0, check.SHARE))
        stakes = {wager.name: STAKE}
        if wager.paid_on is not None:
            stakes = {wager.paid_on: STAKE, **dict.fromkeys(wager.needs, STAKE)}
        any_hand = samples(self.rules.game.ranking)[0]
        settled = self._settled(stakes, any_hand, any_hand, self._showing(look, column))
        return self._verdict(next((x for x in settled if x.wager == wager.name), None))

    def lines(self, table: Paytable, look: str) -> NDArray[np.int64]:
        """By look: the line of the paytable that pays for it, one past the last for a loss."""
        lines = np.full(COLUMNS, len(table.lines), dtype=np.int64)
        if look == "first two cards":
            for column in range(2 * len(DECK) * (len(DECK) - 1) // 2):
                showing = self._showing(look, column)
                assert showing is not None
                lines[column] = line_number(table, showing)
            return lines
        by_class = lines_of_classes(table, self._ranking(look))
        lines[: len(by_class)] = by_class
        for suit in Suit if look == "six cards" else ():
            lines[run.SUPER_ROYALS + suit] = line_number(table, _super_royal(suit))
        return lines

    def _ranking(self, look: str) -> Ranking:
        return self.rules.game.ranking if look == "four-card hand" else FIVE_CARD

    def _showing(self, look: str, column: int) -> Showing | None:
        if look == "first two cards":
            two = _HOLES[column // 2]
            return Showing(TWO_CARD.hand(two), two, ACES if column % 2 else None)
        if look == "lower hand" and column == run.TIED:
            return None
        if look == "six cards" and run.SUPER_ROYALS <= column < run.TIED:
            return _super_royal(Suit(column - run.SUPER_ROYALS))
        hands = samples(self._ranking(look))
        hand = hands[min(column, len(hands) - 1)]
        return Showing(hand, hand.cards)

    def _table(self, wager: Wager) -> Paytable:
        table = self.rules.paytable(wager.name)
        if table is None:
            raise NotCompilable
        return table

    # Against the dealer

    def own_line(self, wager: Wager) -> NDArray[np.int64]:
        """By class of the player's hand: the line of the wager's own paytable, where it has one."""
        lines = np.zeros(COLUMNS, dtype=np.int64)
        table = self.rules.paytable(wager.name)
        if table is not None and wager.pays is None:
            by_class = lines_of_classes(table, self.rules.game.ranking)
            lines[: len(by_class)] = by_class
        return lines

    def against(self, wager: Wager, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """[outcome and opening, own line]: the verdict; -1 for what cannot happen."""
        hands = samples(self.rules.game.ranking)
        found = np.full((6, int(lines.max()) + 1), -1, dtype=np.int64)
        for case, line, own, dealer in self._meetings(lines[: len(hands)]):
            stakes = self._base(wager)
            shown = Showing(hands[own], hands[own].cards)
            settled = self._settled(stakes, hands[own], hands[dealer], shown)
            verdict = self._verdict(next(x for x in settled if x.wager == wager.name))
            found[case, line] = verdict
        return found

    def _meetings(self, lines: NDArray[np.int64]) -> Iterator[tuple[int, int, int, int]]:
        """Two classes that meet in each way: outcome and opening, line, player's and dealer's."""
        opening, best = self.first_opening(), len(lines) - 1
        for line in np.unique(lines).tolist():
            members = np.flatnonzero(lines == line)
            least, most = int(members[0]), int(members[-1])
            for opens, weakest, strongest in ((1, opening, best), (0, 0, opening - 1)):
                tied = members[(members >= weakest) & (members <= strongest)]
                if weakest <= strongest and weakest < most:
                    yield opens, line, most, weakest
                if len(tied):
                    yield 2 + opens, line, int(tied[0]), int(tied[0])
                if weakest <= strongest and strongest > least:
                    yield 4 + opens, line, least, strongest

    def first_opening(self) -> int:
        needs, ranking = self.rules.book.contest.dealer_needs, self.rules.game.ranking
        least = ranking.order.index(Category(needs.hand)) if needs is not None else 0
        return next(n for n, hand in enumerate(samples(ranking)) if hand.strength >= least)

    def _base(self, wager: Wager) -> dict[str, Cents]:
        """The wager beside all that stands against the dealer, so that nobody has folded."""
        return {w.name: STAKE for w in self.wagers if w.judged_by == "contest"}

    def forfeit(self, wager: Wager) -> int:
        """The verdict of a fold; 0 where a fold takes nothing."""
        if wager.fold.outcome != "forfeit":
            return 0
        play = next(w for w in self.wagers if w.decides is not None)
        any_hand = samples(self.rules.game.ranking)[0]
        stakes = {play.decides or "": STAKE, wager.name: STAKE}
        settled = self._settled(stakes, any_hand, any_hand, Showing(any_hand, any_hand.cards))
        return self._verdict(next(x for x in settled if x.wager == wager.name))

    def _settled(
        self, stakes: dict[str, Cents], player: Hand, dealer: Hand, shown: Showing | None
    ) -> tuple[ReceiptLine, ...]:
        """The receipt of one box where these hands are held and this is shown."""
        game = replace(
            self.rules.game,
            player=lambda round, box: Showing(player, player.cards),
            dealer=lambda round: dealer,
            looks={look: lambda round, box: shown for look in self.rules.game.looks},
        )
        bare = replace(self.rules, game=game, payout_limit_cents=None, envy=None)
        box = FinishedBox(1, (), stakes)
        return settle_box(FinishedRound(bare, {}, (box,)), box, {})


_HOLES = [(DECK[low], DECK[high]) for high in range(len(DECK)) for low in range(high)]


def _super_royal(suit: Suit) -> Showing:
    six = tuple(Card(Rank(rank), suit) for rank in _SIX)
    return Showing(FIVE_CARD.best(six), six)


@lru_cache(maxsize=100)
def felt_of(rules: Rules, submission: Submission | None, linked: bool) -> check.CheckRules:
    """The arrays of a table; NoFelt where its rules do not fit them."""
    shapes = the_shapes()
    book, made = rules.book, RulesCompiler(rules, shapes)
    wagers = book.wagers
    number = {wager.name: n for n, wager in enumerate(wagers)}
    contest = [wager.judged_by == "contest" for wager in wagers]
    offered = [rules.offers(wager.name) for wager in wagers]
    own = [made.own_line(wager) for wager in wagers]
    against = [
        made.against(w, own[n]) if contest[n] else np.zeros((6, 1), dtype=np.int64)
        for n, w in enumerate(wagers)
    ]
    lines = [
        made.by_look(w) if offered[n] and not contest[n] else np.zeros(COLUMNS, dtype=np.int64)
        for n, w in enumerate(wagers)
    ]
    forfeit = np.array([made.forfeit(wager) for wager in wagers], dtype=np.int64)
    play = next(wager for wager in wagers if wager.decides is not None)
    return check.CheckRules(
        names=_numbers(shapes.hash(wager.name) for wager in wagers),
        stakable=np.array([n and w.paid_on is None for n, w in zip(offered, wagers, strict=True)]),
        needs=_numbers(_bits(number, wager.needs) for wager in wagers),
        needs_any=_numbers(_bits(number, wager.needs_any) for wager in wagers),
        equals=_numbers(number.get(wager.equals or "", -1) for wager in wagers),
        **_limits(rules, submission),
        opening_all=_bits(number, book.opening.all_of),
        opening_any=_bits(number, book.opening.any_of),
        play=number[play.name],
        ante=number[play.decides or ""],
        paid_on=_numbers(number.get(wager.paid_on or "", -1) for wager in wagers),
        forfeits=np.array([wager.fold.outcome == "forfeit" for wager in wagers]),
        stays=_bits(number, (w.name for w in wagers if w.fold.outcome == "stays")),
        contest=np.array(contest),
        looks=_numbers(
            made.looks.index(rules.judged_by(w.name)) if offered[n] and not contest[n] else 0
            for n, w in enumerate(wagers)
        ),
        lines=np.stack(lines),
        against=_stacked(against),
        own_line=np.stack(own),
        forfeit=forfeit,
        first_opening=made.first_opening(),
        verdicts=made.verdicts(),
        limited=_bits(number, book.payout_limit.wagers if book.payout_limit else ()),
        limit=NO_LIMIT if rules.payout_limit_cents is None else rules.payout_limit_cents,
        **_envy(rules, made),
        progressive=number.get(PROGRESSIVE, -1),
        **_table(rules, submission, linked, number),
    )


def _numbers(values: Iterable[int]) -> NDArray[np.int64]:
    return np.array([*values], dtype=np.int64)


def _bits(number: dict[str, int], names: Iterable[str]) -> int:
    return sum(1 << number[name] for name in names)


def _stacked(several: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    most = max(array.shape[1] for array in several)
    together = np.full((len(several), 6, most), -1, dtype=np.int64)
    for at, array in enumerate(several):
        together[at, :, : array.shape[1]] = array
    return together


def _limits(rules: Rules, submission: Submission | None) -> dict[str, Any]:
    """By wager: the least, the most and the steps of a stake."""
    rows: list[tuple[int, int, int]] = []
    for wager in rules.book.wagers:
        limit = submission.limit(wager.name) if submission is not None else None
        if wager.name == PROGRESSIVE and rules.progressive is not None:
            stake = rules.progressive.stake_cents
            rows.append((stake, stake, 0))
        elif limit is not None:
            rows.append((limit.minimum_cents, limit.maximum_cents, limit.increment_cents))
        else:
            rows.append((1, ANY_STAKE, 0))
    least, most, step = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return {"least": least, "most": most, "step": step}


def _envy(rules: Rules, made: RulesCompiler) -> dict[str, Any]:
    bonus, table, terms = rules.book.envy_bonus, rules.envy, rules.progressive
    told: dict[str, Any] = {
        "envy_look": -1,
        "envy_pays": np.zeros(COLUMNS, dtype=np.bool_),
        "holder_wagers": terms is not None and terms.holder_must_wager,
        "folded_holds": bonus is not None and bonus.folded_holder == "with an open wager",
    }
    if bonus is not None and table is not None:
        look = rules.chosen_hand(bonus.judged_by)
        told["envy_look"] = made.looks.index(look)
        told["envy_pays"] = made.lines(table, look) < len(table.lines)
    return told


def _table(
    rules: Rules, submission: Submission | None, linked: bool, number: dict[str, int]
) -> dict[str, Any]:
    """Streets, places, seats, ways and meters."""
    book, shapes = rules.book, the_shapes()
    streets = []
    actions = {word: n for n, word in enumerate(shapes.words(rec.DecisionRecord, "action"))}
    for street in book.streets:
        sizes = street.multiples or (street.least_multiple or 0, street.most_multiple or 0)
        if len(street.multiples) > 2:
            raise NotCompilable
        ends = bool(street.multiples)
        otherwise = actions[street.otherwise]
        streets.append((shapes.hash(street.name), otherwise, min(sizes), max(sizes), ends))
    boxes_first = sorted(book.places, key=lambda place: place.name != "box")
    places = [
        (
            shapes.hash(place.name),
            place.cards,
            number.get(place.only_for or "", -1),
            place.only_for is None or rules.offers(place.only_for),
        )
        for place in boxes_first
    ]
    offer = submission.progressive if submission is not None else None
    table = rules.paytable(PROGRESSIVE)
    meters = [meter.name for meter in table.meters] if table is not None else []
    growth = {}
    if offer is not None:
        stake = in_micros(offer.stake_cents)
        growth = {
            meter.name: stake * meter.rate_ppm // RATE_WHOLE
            for meter in offer.meters
            if meter.limit_cents is None
        }
    dealing = submission.dealing if submission is not None else None
    ways = (dealing.method, *dealing.fallbacks) if dealing else [way.way for way in book.dealing]
    validation = shapes.words(rec.LineRecord, "validation")
    return {
        "streets": np.array(streets, dtype=np.int64),
        "actions": _numbers(actions[word] for word in ("check", "play", "fold")),
        "places": np.array(places, dtype=np.int64),
        "shows": _shows(book, [place.name for place in boxes_first]),
        "asked_backward": book.contest.order.asked_from != book.contest.order.settled_from,
        "aside": _numbers(map(shapes.hash, ("burn", "set aside"))),
        "seats": min(book.table.boxes.count, submission.boxes if submission else 10**6),
        "from_right": book.contest.order.settled_from == "right",
        "ways": _numbers(map(shapes.hash, ways)),
        "meters": _numbers(map(shapes.hash, meters)),
        "growth": _numbers(growth.get(name, -1) for name in meters),
        "linked": linked,
        "complete": shapes.words(rec.RoundRecord, "status").index("complete"),
        "present": shapes.words(rec.BoxRecord, "absent").index(""),
        "validated": _numbers(validation.index(word) for word in ("", "paid")),
        "none": shapes.hash(""),
    }


def _shows(book: Rulebook, places: list[str]) -> NDArray[np.int64]:
    """By place and card there: the street it is shown after, the same however it is dealt."""
    first, *others = (shown_after(book, way.way) for way in book.dealing)
    if any(other != first for other in others) or len(book.streets) > check.STREETS:
        raise NotCompilable
    shows = np.full((len(places), check.MOST_IN_PLACE), gather.UNSAID, dtype=np.int64)
    for (place, at), street in first.items():
        shows[places.index(place), at] = street
    return shows


def hands_of(rules: Rules) -> run.RankTable:
    names = [place.name for place in sorted(rules.book.places, key=lambda p: p.name != "box")]

    def at(name: str) -> int:
        return names.index(name) if name in names else -1

    return run.RankTable(
        five=tables(5),
        six=tables(6),
        seven=tables(7),
        four=four_card_rank.tables(),
        bits=four_card_rank.tables().bits,
        game=run.UTH if rules.game.id == "uth" else run.FOUR_CARD,
        board=at("board"),
        dealer=at("dealer"),
        six_box=at("six_card_box"),
    )
