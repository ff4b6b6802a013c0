"""Game protection: a game and a kind of knowledge in, what it is worth out."""

from __future__ import annotations

from croupier.exact.assumptions import refuse_base
from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import solved
from croupier.games.rules import Rules
from croupier.protection import uth
from croupier.protection.four_card import KnownFourCard
from croupier.protection.knowledge import Knowledge, knowledge
from croupier.protection.one_decision import KnownOneDecision
from croupier.protection.worth import KnowledgeWorth, PlayValue, StrategyLine

Found = tuple[PlayValue, tuple[StrategyLine, ...]]


def protect(
    rules: Rules, knows: str, progress: Progress = lambda what, done: None
) -> KnowledgeWorth:
    """What knowing these cards too early is worth under these Rules, played at its best."""
    kind = knowledge(rules, knows)
    refuse_base(rules)
    honest = solved(rules, progress)
    with compile_progress(progress):
        play, lines = _found(rules, kind, honest, progress)
    untouched = (
        side
        for side in honest.side_wagers
        if rules.book.wager(side.endings.wager).fold.outcome != "forfeit"
    )
    return KnowledgeWorth(
        rules.game.id,
        rules.book.id,
        rules.letters,
        kind,
        play,
        honest.ev,
        lines,
        tuple(untouched),
    )


def _found(rules: Rules, kind: Knowledge, honest: Solution, progress: Progress) -> Found:
    if rules.game.id == "uth":
        game, parts = uth.solved(rules, kind, progress)
        first = {hand.name: hand.best for hand in honest.hands}
        return uth.play(rules, game, parts), uth.lines(game, parts, first, kind)
    if rules.game.id == "four-card":
        return KnownFourCard(rules, progress=progress).solve(kind)
    return KnownOneDecision(rules).solve(kind, progress)
