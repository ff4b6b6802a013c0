"""Spaced repetition over kinds of hands: what was missed comes back soon, what was right later.

A kind is a street and a class of hands, such as `flop, pair`. Each lies in one of several boxes
(Leitner's); a right answer moves it up, a wrong one back to the first. What lies in box N is due
again after 2^N further hands. Mistakes at the table put their kind into the first box.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

FIRST_GAP, MOST_BOX = 2, 6


class KindMemory(msgspec.Struct, frozen=True):
    """``box`` counts from 0; ``due`` is the number of the hand from which on it comes back."""

    box: int = 0
    due: int = 0
    right: int = 0
    wrong: int = 0


class DrillScore(msgspec.Struct, frozen=True):
    """How it went so far; ``seconds`` are those of all answers together."""

    hands: int = 0
    right: int = 0
    seconds: float = 0.0
    cost_antes: float = 0.0
    streak: int = 0


class DrillMemory(msgspec.Struct, frozen=True):
    """``kinds`` and ``scores`` by the name of a kind and of a street; names begin with the book."""

    hands: int = 0
    kinds: dict[str, KindMemory] = {}
    scores: dict[str, DrillScore] = {}

    def answered(
        self, street: str, kind: str, cost_antes: float, seconds: float, is_right: bool
    ) -> DrillMemory:
        hands = self.hands + 1
        old, score = self.kinds.get(kind, KindMemory()), self.scores.get(street, DrillScore())
        box = min(old.box + 1, MOST_BOX) if is_right else 0
        known = KindMemory(
            box=box,
            due=hands + FIRST_GAP * 2**box,
            right=old.right + is_right,
            wrong=old.wrong + (not is_right),
        )
        told = DrillScore(
            hands=score.hands + 1,
            right=score.right + is_right,
            seconds=score.seconds + seconds,
            cost_antes=score.cost_antes + cost_antes,
            streak=score.streak + 1 if is_right else 0,
        )
        return DrillMemory(hands, self.kinds | {kind: known}, self.scores | {street: told})

    def missed(self, kinds: Iterable[str]) -> DrillMemory:
        """Kinds that went wrong at the table and were never drilled are to be asked for."""
        new = {kind: KindMemory(due=self.hands) for kind in kinds if kind not in self.kinds}
        return msgspec.structs.replace(self, kinds=self.kinds | new)

    def due(self, street: str) -> str:
        """The kind of this street that waits longest, the weakest first; nothing if none does."""
        waiting = {
            kind: known
            for kind, known in self.of_street(street).items()
            if known.due <= self.hands and not (known.right and not known.wrong)
        }
        return min(waiting, key=lambda kind: (waiting[kind].box, waiting[kind].due), default="")

    def leaks(self, street: str) -> tuple[str, ...]:
        """Kinds of hands that went wrong and are not yet safe, the weakest first."""
        weak = {
            kind: known
            for kind, known in self.of_street(street).items()
            if known.box < MOST_BOX // 2 and (known.wrong or not known.right)
        }
        return tuple(sorted(weak, key=lambda kind: (weak[kind].box, -weak[kind].wrong)))

    def of_street(self, street: str) -> Mapping[str, KindMemory]:
        return {kind: known for kind, known in self.kinds.items() if kind.startswith(f"{street}, ")}
