"""Statistics of a log: a fair one passes, a loaded one does not, and decisions have their price."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import comb

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.audit.lab.trials import fit
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.log_corruption import mutants
from croupier.audit.log.statistics import fair
from croupier.audit.log.statistics.judgment import UNLISTED, Chances, judged_counts
from croupier.audit.log.statistics.skill import Skill, ValuedBox, ValuedBoxes, lost, skill_of
from croupier.audit.log.statistics.trials import RoundCounter, Statistics
from croupier.audit.records import schema as rec
from croupier.exact.hand_classes import best_five_counts
from croupier.exact.solution_cache import solved
from croupier.facts.cards import Card, card, cards
from croupier.facts.hands import FIVE_CARD, FOUR_CARD
from croupier.games.registry import games_in, open_registry
from croupier.games.rules import bind
from croupier.games.shapes import GameShape
from croupier.rulebook.loader import read_book
from croupier.submission.check import check, shipped_submission
from tests import toy
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import HOUSE
from tests.documents.test_third_game import BOOK, TABLE

SUBMISSION = shipped_submission("FCP-14")
ROUNDS = 700


@cache
def fair_log(rounds: int = ROUNDS) -> tuple[rec.RoundRecord, ...]:
    return tuple(LogMaker(SUBMISSION, HOUSE, seed=5, stacked=False).rounds(rounds))


def told(log: tuple[rec.RoundRecord, ...]) -> Statistics:
    counting = RoundCounter()
    audit = LogAudit(HOUSE, [SUBMISSION], witness=counting)
    assert list(audit.records(log)) == []
    return counting.judged()


def test_seven_cards_are_counted_exactly() -> None:
    """The counts of the 133,784,560 hands of seven cards, as published for Texas hold 'em."""
    assert fair.by_category(FIVE_CARD, best_five_counts(7)) == {
        "high card": 23_294_460,
        "pair": 58_627_800,
        "two pair": 31_433_400,
        "three of a kind": 6_461_620,
        "straight": 6_180_020,
        "flush": 4_047_644,
        "full house": 3_473_184,
        "four of a kind": 224_848,
        "straight flush": 37_260,
        "royal flush": 4_324,
    }
    assert fair.best_four_of_six_counts().sum() == comb(52, 6)
    assert set(fair.by_category(FOUR_CARD, fair.best_four_of_six_counts())) >= {"pair", "flush"}


@pytest.mark.parametrize("shape", [GameShape.HOLDEM, GameShape.FOUR_CARD])
def test_starting_hands_are_all_there_is(shape: GameShape) -> None:
    assert sum(fair.SHAPES[shape].starts().values()) == pytest.approx(1)


def test_a_fair_log_passes_and_says_what_it_would_have_found() -> None:
    statistics = told(fair_log())
    assert statistics.verdict is not None
    assert statistics.verdict.passed, statistics.verdict.failed
    names = {line.name for line in statistics.verdict.lines}
    assert {"FCP-14: cards dealt", "FCP-14: Aces Up", "FCP-14: dealer's hands"} <= names
    assert all(line.finds for line in statistics.verdict.lines)
    (group,) = statistics.groups
    assert (group.rounds, group.hidden, statistics.untested) == (ROUNDS, 0, ())
    base = group.results[0]
    edge = -float(solved(SUBMISSION.rules(HOUSE)).base.ev)
    assert base.theoretical_cents == pytest.approx(base.staked_cents * edge, abs=1)
    assert group.skill is not None
    assert group.skill.cost > 0.3
    assert sum(player.rounds for player in group.players) == 4 * ROUNDS


@pytest.mark.parametrize("book", ["UTH-S", "UTH-14", "FCP-14", "TCP-1"])
def test_every_payment_of_a_clean_log_is_on_a_line(book: str) -> None:
    """Stacked packs bring awards, meters and the payout limit."""
    submission, counting = shipped_submission(book), RoundCounter()
    log = LogMaker(submission, HOUSE, seed=8).rounds(300)
    assert list(LogAudit(HOUSE, [submission], witness=counting).records(log)) == []
    (gathered,) = counting.gathered
    counts, chances = gathered.counts(), Chances.of(gathered.rules, solved(gathered.rules))
    for name, ended in counts.sides.items():
        assert set(ended) <= set(chances.sides[name]), name
        assert sum(ended.values()) > 50


def test_the_command_judges_counts_and_nothing_else() -> None:
    counting = RoundCounter()
    assert list(LogAudit(HOUSE, [SUBMISSION], witness=counting).records(fair_log())) == []
    (gathered,) = counting.gathered
    chances = Chances.of(gathered.rules, solved(gathered.rules))
    assert counting.judged().verdict == judged_counts([(gathered.counts(), chances)])


def test_one_line_paid_short_is_found_by_its_money() -> None:
    """Whatever the log says of its odds: no line of the paytable pays so much."""
    log = list(fair_log())
    at, line = next(
        (at, line)
        for at, record in enumerate(log)
        for line in record.lines
        if (line.box, line.wager, line.odds) == (1, "aces_up", "9 to 1")
    )
    short = msgspec.structs.replace(line, paid_cents=line.paid_cents - line.stake_cents)
    lines = tuple(short if each is line else each for each in log[at].lines)
    log[at] = msgspec.structs.replace(log[at], lines=lines)
    counting = RoundCounter()
    assert list(LogAudit(HOUSE, [SUBMISSION], witness=counting).records(log))
    verdict = counting.judged().verdict
    assert verdict is not None
    assert [failed.name for failed in verdict.failed] == ["FCP-14: Aces Up"]
    assert verdict.failed[0].seen.startswith(f"{UNLISTED}: 1 seen, 0.0 due")


def test_a_log_that_leaves_out_bad_rounds_is_found_out() -> None:
    """Rounds in which the dealer holds an ace or a king are not written down."""
    kept = tuple(record for record in fair_log(1_500) if not _dealer_is_high(record))
    renumbered = tuple(
        msgspec.structs.replace(record, round=0, meters=(), deck=None, stub_count=None)
        for record in kept
    )
    verdict = told(renumbered).verdict
    assert verdict is not None
    assert not verdict.passed
    assert "FCP-14: cards dealt" in {line.name for line in verdict.failed}


def _dealer_is_high(record: rec.RoundRecord) -> bool:
    return any(c.place == "dealer" and c.card[0] in "AK" for c in record.cards)


@pytest.mark.parametrize("shape", [GameShape.HOLDEM, GameShape.FOUR_CARD])
@pytest.mark.parametrize("size", [300, 2_000])
def test_what_a_log_would_have_shown_it_shows_so_often(shape: GameShape, size: int) -> None:
    """Logs in which the commonest starting hand is just so far off; a fair one is not accused."""
    level, chance = 0.002, np.random.default_rng(size)
    due = np.array([*fair.SHAPES[shape].starts().values()])
    off = fit("starts", chance.multinomial(size, due), due, "{}").smallest(level)
    top = int(due.argmax())
    loaded = due * (1 - due[top] * (1 + off)) / (1 - due[top])
    loaded[top] = due[top] * (1 + off)

    def found(chances: NDArray[np.float64]) -> float:
        logs = chance.multinomial(size, chances, 400)
        return float(np.mean([fit("starts", log, due, "{}").p < level for log in logs]))

    assert 0.91 < found(loaded) < 0.99
    assert found(due) < 0.02


def test_a_game_without_kernels_is_audited_and_counted_by_the_readable_code() -> None:
    registry = open_registry(
        games_in(toy.__name__, toy.__path__), [read_book(BOOK.read_text("utf-8"))]
    )
    submission = check(TABLE, registry).submission
    assert submission is not None
    maker, counting = LogMaker(submission, registry, seed=3), RoundCounter()
    log: list[rec.AnyRecord] = [maker.table(), *maker.rounds(30)]
    audit = LogAudit(registry, [submission], witness=counting, fast_path_from=0)
    assert list(audit.records(log)) == []
    statistics = counting.judged()
    assert statistics.untested == ("TOY-1: fewer than 200 rounds",)
    assert fair.fair_of(submission.rules(registry)) is not None
    assert statistics.passed
    for mutant in mutants(log, registry, seed=1):
        kinds = {each.kind for each in LogAudit(registry, [submission]).records(mutant.log)}
        assert kinds & {*mutant.kinds}, mutant.name


def test_hands_that_are_too_many_for_the_readable_code_are_not_counted() -> None:
    text = (files("croupier.rulebook") / "books" / "FCP-14.toml").read_text("utf-8")
    book = read_book(text.replace('game = "four-card"', 'game = "other"'))
    game = replace(HOUSE.games["four-card"], id="other", ranking=FIVE_CARD)
    assert fair.fair_of(bind(game, book, {})) is None


def test_a_short_log_is_not_tested() -> None:
    statistics = told(fair_log()[:50])
    assert statistics.verdict is None
    assert statistics.untested == ("FCP-14: fewer than 200 rounds",)


def test_cards_that_nobody_saw_leave_hands_untested() -> None:
    """A log without the folded hands shows too many good ones; that is no fault of the deck."""
    hidden = []
    for record in fair_log()[:300]:
        folded = {b.seat for b in record.boxes if {w.wager for w in b.wagers} == {"ante"}}
        cards_seen = tuple(c for c in record.cards if c.place != "box" or c.box not in folded)
        unseen = tuple(rec.HiddenRecord(place="box", box=seat, count=5) for seat in sorted(folded))
        hidden.append(msgspec.structs.replace(record, cards=cards_seen, hidden=unseen))
    statistics = told(tuple(hidden))
    assert statistics.verdict is not None
    assert statistics.untested
    assert not any("starting" in line.name for line in statistics.verdict.lines)


@pytest.mark.parametrize(
    ("action", "cents", "is_best"),
    [("play", 30_00, True), ("play", 10_00, False), ("fold", 0, False), ("play", 20_00, False)],
)
def test_a_decision_costs_what_the_best_one_is_worth_more(
    action: str, cents: int, is_best: bool
) -> None:
    rules = SUBMISSION.rules(HOUSE)
    decision = rec.DecisionRecord("play", action, cents=cents)  # type: ignore[arg-type]
    choice = ValuedBox(cards("AhAdAcKs2d"), (), card("7c"), (decision,), 10_00)
    cost = lost(rules, solved(rules), choice)
    assert (cost == 0) is is_best
    assert cost >= 0


@pytest.mark.parametrize(
    ("book", "own", "up", "action", "cents", "chips", "is_best"),
    [
        # Ante $400 of $895: at Ultimate Texas Hold'em nothing was offered but Check, then Fold.
        ("UTH-S", "AhAd", None, "check", 0, 95_00, True),
        ("UTH-S", "AhAd", None, "check", 0, 1_200_00, False),
        ("UTH-S", "AhAd", None, "play", 1_200_00, 1_200_00, True),
        ("UTH-S", "AhAd", None, "play", 1_200_00, 1_600_00, False),
        ("UTH-S", "AhAd", None, "play", 1_200_00, None, False),
        ("FCP-14", "AhAdAcKs2d", "7c", "fold", 0, 399_99, True),
        ("FCP-14", "AhAdAcKs2d", "7c", "fold", 0, 400_00, False),
        ("FCP-14", "AhAdAcKs2d", "7c", "play", 1_000_00, 1_000_00, True),
        ("FCP-14", "AhAdAcKs2d", "7c", "play", 1_000_00, 1_000_01, False),
    ],
)
def test_what_chips_do_not_cover_is_nobodys_mistake(
    book: str,
    own: str,
    up: str | None,
    action: str,
    cents: int,
    chips: int | None,
    is_best: bool,
) -> None:
    rules = shipped_submission(book).rules(HOUSE)
    street = rules.book.streets[0].name
    decision = rec.DecisionRecord(street, action, cents=cents)  # type: ignore[arg-type]
    shown = card(up) if up else None
    choice = ValuedBox(cards(own), (), shown, (decision,), 400_00, (chips,))
    choices = ValuedBoxes()
    choices.add(choice, len(rules.book.streets))
    (fast,) = choices.losses(rules, solved(rules))
    slow = lost(rules, solved(rules), choice)
    assert fast == pytest.approx(float(slow), abs=1e-12)
    assert (slow == 0) is is_best


def test_the_chips_of_a_decision_are_read_from_the_log() -> None:
    """What it had before, less its wagers, with what it bought and gave until then."""
    counting = RoundCounter()
    audit = LogAudit(HOUSE, [SUBMISSION], witness=counting)
    assert list(audit.records(poor(record) for record in fair_log()[:40]))  # it paid otherwise
    skill = counting.judged().groups[0].skill
    assert skill is not None
    assert (skill.cost, skill.perfect) == (0, 1)


def poor(record: rec.RoundRecord) -> rec.RoundRecord:
    """Every box had just what it laid, whatever it bought after the round; so it had to fold."""
    boxes = []
    for box in record.boxes:
        wagers = tuple(wager for wager in box.wagers if wager.wager != "play")
        laid = sum(wager.cents for wager in wagers)
        folds = tuple(
            msgspec.structs.replace(one, action="fold", wager="", cents=0) for one in box.decisions
        )
        changes = {"wagers": wagers, "decisions": folds, "chips_before_cents": laid}
        boxes.append(msgspec.structs.replace(box, **changes))
    late = max((one.at_us for box in boxes for one in box.decisions), default=0) + 1
    bought = tuple(
        rec.ChipMoveRecord(box=box.seat, kind="buy-in", cents=10_000_00, at_us=late)
        for box in boxes
    )
    return msgspec.structs.replace(record, boxes=tuple(boxes), chips=bought)


def test_without_decisions_there_is_no_skill() -> None:
    rules = SUBMISSION.rules(HOUSE)
    assert skill_of(ValuedBoxes(), rules, solved(rules)) is None


def decided(book: str, rounds: int, seed: int) -> list[ValuedBox]:
    """What the boxes of a made log held, saw and did."""
    submission = shipped_submission(book)
    rules = submission.rules(HOUSE)
    shows = fair.shows_dealer(rules)
    found = []
    for record in LogMaker(submission, HOUSE, seed, stacked=False).rounds(rounds):
        lying: dict[tuple[str, int], list[Card]] = {}
        for dealt in record.cards:
            lying.setdefault((dealt.place, dealt.box), []).append(card(dealt.card))
        for box in record.boxes:
            if box.decisions:
                up = lying["dealer", 0][-1] if shows else None
                ante = next(w.cents for w in box.wagers if w.wager == "ante")
                own, board = lying["box", box.seat], lying.get(("board", 0), [])
                found.append(ValuedBox(tuple(own), tuple(board), up, box.decisions, ante))
    return found


@pytest.mark.parametrize(("book", "rounds"), [("UTH-S", 6), ("FCP-14", 8), ("TCP-1", 4)])
def test_many_decisions_are_valued_as_one_by_one(book: str, rounds: int) -> None:
    """The tables of the solver against everything unseen dealt out for each decision."""
    rules = shipped_submission(book).rules(HOUSE)
    made, choices = decided(book, rounds, seed=4), ValuedBoxes()
    for choice in made:
        choices.add(choice, len(rules.book.streets))
    fast = choices.losses(rules, solved(rules))
    slow = [float(lost(rules, solved(rules), choice)) for choice in made]
    assert len(fast) == len(made) > 8
    assert fast == pytest.approx(slow, abs=1e-12)
    assert [bool(loss) for loss in fast] == [bool(loss) for loss in slow]


def sampled(made: list[ValuedBox], most: int, seed: int) -> Skill:
    choices, rules = ValuedBoxes(most, seed), SUBMISSION.rules(HOUSE)
    for choice in made:
        choices.add(choice, 1)
    found = skill_of(choices, rules, solved(rules))
    assert found is not None
    return found


def test_a_sample_says_that_it_is_one() -> None:
    made = decided("FCP-14", 12, seed=6)
    whole, drawn = sampled(made, len(made), 1), sampled(made, 20, 1)
    assert (whole.valued, whole.decided, whole.error) == (len(made), len(made), None)
    assert f"every decision of {len(made):,} boxes was valued exactly" in whole.summary
    assert drawn.valued == 20
    assert drawn.error
    assert "standard error" in drawn.summary


@pytest.mark.prove
def test_a_sample_says_how_far_it_may_be_off() -> None:
    made = decided("FCP-14", 100, seed=6)
    whole, drawn = sampled(made, len(made), 1), [sampled(made, 60, n) for n in range(1, 13)]
    off = [(one.cost - whole.cost) / one.error for one in drawn if one.error]
    assert len(off) == 12
    assert 0.6 < float(np.std(off)) < 1.5


def test_boxes_with_cards_that_nobody_saw_are_told_apart() -> None:
    choices = ValuedBoxes()
    for choice in decided("FCP-14", 3, seed=2):
        choices.add(choice, 1)
    choices.unseen += 2
    rules = SUBMISSION.rules(HOUSE)
    found = skill_of(choices, rules, solved(rules))
    assert found is not None
    assert found.summary.endswith("; 2 boxes more decided with cards that the log does not name")
