"""Players of the simulator who know cards too early: what they do first, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.exact import holdem as exact_holdem
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.protection.first_decisions import first_decisions
from croupier.protection.knowledge import KNOWS, knowledge
from croupier.protection.protect import protect
from croupier.protection.worth import PlayValue
from croupier.simulate.plan import FirstActions, KnowingStrategy


@dataclass(frozen=True)
class KnowingPlayer(KnowingStrategy):
    """Somebody who knows these cards, named as ``croupier protect --knows`` names them."""

    knows: str = ""

    def first_actions(self, rules: Rules) -> FirstActions | None:
        if exact_holdem.asked(rules)[0] is None:
            return None
        found = first_decisions(rules, knowledge(rules, self.knows))
        return FirstActions(found.actions, found.best)

    def exact(self, rules: Rules, progress: Progress) -> PlayValue:
        return protect(rules, self.knows, progress).play


def knowing_player(rules: Rules, knows: str) -> KnowingPlayer:
    """The player for this kind of knowledge; a word nobody knows is answered with all."""
    kind = knowledge(rules, knows)
    counts = (kind.dealer, kind.flop, kind.late, kind.burn)
    return KnowingPlayer(f"{KNOWS}{kind.name}", None, None, *counts, knows=kind.name)
