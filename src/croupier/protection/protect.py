"""Game protection: a game and a kind of knowledge in, what it is worth out."""

from __future__ import annotations

from croupier.exact.assumptions import refuse_base
from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import kept_answer, solved
from croupier.facts.errors import Unavailable
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection import holdem
from croupier.protection.detectability import detectability_of
from croupier.protection.first_decisions import first_decisions
from croupier.protection.four_card import KnownFourCard
from croupier.protection.knowledge import Knowledge, knowledge
from croupier.protection.one_decision import KnownOneDecision
from croupier.protection.side_wagers import sides_of
from croupier.protection.simple_holdem import simple_holdem
from croupier.protection.simple_strategy import simple_text
from croupier.protection.source_hash import protection_code
from croupier.protection.worth import Forfeited, KnowledgeWorth, PlayValue, StrategyLine


def protect(
    rules: Rules,
    knows: str,
    progress: Progress = lambda what, done: None,
    *,
    before_wagers: bool = False,
    afresh: bool = False,
) -> KnowledgeWorth:
    """What knowing these cards too early is worth under these Rules, played at its best.

    With ``before_wagers`` they are known when wagers are made: a side wager is then made only where
    it is worth something. An answer is kept on this machine; ``afresh`` counts.
    """
    kind = knowledge(rules, knows)
    refuse_base(rules)
    if afresh:
        return _counted(rules, kind, before_wagers, progress)
    asked = _question(rules, kind, before_wagers)
    return kept_answer(
        rules, asked, KnowledgeWorth, lambda: _counted(rules, kind, before_wagers, progress)
    )


def kept_worth(rules: Rules, kind: Knowledge, otherwise: str) -> KnowledgeWorth:
    """The answer that was counted before; where there is none, this sentence is raised."""

    def none() -> KnowledgeWorth:
        raise Unavailable(otherwise)

    return kept_answer(rules, _question(rules, kind, before_wagers=False), KnowledgeWorth, none)


def _question(rules: Rules, kind: Knowledge, before_wagers: bool) -> tuple[object, ...]:
    """What an answer is kept under, beside the Rules and the solver's code."""
    return "protect", kind, before_wagers, simple_text(rules), protection_code()


def _counted(
    rules: Rules, kind: Knowledge, before_wagers: bool, progress: Progress
) -> KnowledgeWorth:
    honest = solved(rules, progress)
    with compile_progress(progress):
        play, lines, forfeited = _found(rules, kind, honest, progress)
        sides = sides_of(rules, kind, honest.side_wagers, before_wagers, progress, forfeited)
    counted = {side.endings.wager for side in sides}
    asked = dict.fromkeys(side.endings.wager for side in honest.side_wagers)
    missing = tuple(name for name in asked if name not in counted)
    named = (rules.game.id, rules.book.id, rules.letters, kind)
    return KnowledgeWorth(*named, play, honest.ev, lines, sides, missing, detectability_of(lines))


def _found(
    rules: Rules, kind: Knowledge, honest: Solution, progress: Progress
) -> tuple[PlayValue, tuple[StrategyLine, ...], Forfeited | None]:
    if shape_of(rules) is GameShape.HOLDEM:
        game, parts = holdem.solved(rules, kind, progress)
        if game.early > 1:
            first_decisions(rules, kind, find=lambda: parts)  # kept for players who know
        first = {hand.name: hand.best for hand in honest.hands}
        lines = holdem.lines(game, parts, first, kind, simple_holdem(rules, game))
        return holdem.play(rules, game, parts), lines, None
    if shape_of(rules) is GameShape.FOUR_CARD:
        return KnownFourCard(rules, progress=progress).solve(kind)
    return *KnownOneDecision(rules).solve(kind, progress), None
