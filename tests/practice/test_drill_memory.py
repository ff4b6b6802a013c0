"""Drills that remember: what was missed comes back, soon and then later, and no hand twice."""

from __future__ import annotations

from croupier.practice.coach import Position, hard_hand, in_one_suit_order
from croupier.practice.drill_memory import FIRST_GAP, DrillMemory
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission

STREET, KIND = "UTH-S flop", "UTH-S flop, pair of sixes"


def answer(memory: DrillMemory, kind: str, *, is_right: bool) -> DrillMemory:
    return memory.answered(STREET, kind, 0.0 if is_right else 0.25, 2.0, is_right)


def test_what_was_missed_comes_back_later_and_later() -> None:
    memory = answer(DrillMemory(), KIND, is_right=False)
    waited = []
    for _ in range(3):
        pause = 0
        while memory.due(STREET) != KIND:
            memory = answer(memory, f"{STREET}, straight {pause}", is_right=True)
            pause += 1
        waited.append(pause)
        memory = answer(memory, KIND, is_right=True)
    assert waited == [FIRST_GAP, FIRST_GAP * 2, FIRST_GAP * 4]
    assert KIND not in memory.leaks(STREET)
    assert KIND in answer(memory, KIND, is_right=False).leaks(STREET)


def test_the_score_has_accuracy_and_speed() -> None:
    memory = DrillMemory()
    for is_right in (True, False, True, True):
        memory = answer(memory, KIND, is_right=is_right)
    score = memory.scores[STREET]
    assert (score.hands, score.right, score.streak, score.seconds) == (4, 3, 2, 8.0)
    assert score.cost_antes == 0.25


def test_a_mistake_at_the_table_is_due_at_once() -> None:
    memory = answer(DrillMemory(), f"{STREET}, flush", is_right=True).missed([KIND])
    assert memory.due(STREET) == KIND
    assert memory.due("UTH-S river") == ""


def test_a_set_has_no_duplicates_whatever_suits_are_called() -> None:
    one = Position("flop", ("As", "Kh"), ("2s", "3d", "9c"))
    same = Position("flop", ("Kc", "Ad"), ("3h", "2d", "9s"))
    other = Position("flop", ("As", "Ks"), ("2s", "3d", "9c"))
    assert in_one_suit_order(one) == in_one_suit_order(same) != in_one_suit_order(other)
    submission = write_submission(shipped_submission("TCP-1"))
    asked: set[Position] = set()
    for _ in range(4):
        position, _ = hard_hand(submission, "play", 5, asked=frozenset(asked))
        assert in_one_suit_order(position) not in asked
        asked.add(in_one_suit_order(position))


def test_a_wanted_class_is_dealt() -> None:
    submission = write_submission(shipped_submission("UTH-S"))
    position, kind = hard_hand(submission, "before the flop", 5, wanted="K5o")
    assert kind == "K5o"
    assert {name[0] for name in position.own} == {"K", "5"}
