"""What the wagers of a submission give back, and a finding for each that gives back too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.exact.endings import Assumed
from croupier.exact.solution import Solution
from croupier.facts.money import dollars
from croupier.games.game import Game
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE, Rules, bind, first_letters
from croupier.rulebook.book import Rulebook, Wager
from croupier.submission.check import CheckedSubmission
from croupier.submission.finding import Finding
from croupier.submission.submission import Submission


def base_rules(registry: Registry, book: Rulebook, letters: Mapping[str, str]) -> Rules:
    """The base game alone under these paytables; its answer is shared by all its submissions."""
    return _base(registry.game_of(book), book, letters)


def base_of(rules: Rules) -> Rules:
    """The same of a table's Rules, whatever its side wagers and limits are."""
    return _base(rules.game, rules.book, dict(rules.letters))


def _base(game: Game, book: Rulebook, letters: Mapping[str, str]) -> Rules:
    base = {w.name: letters[w.name] for w in book.wagers if not w.optional and w.name in letters}
    return bind(game, book, {**first_letters(book), **base})


def over_100(
    checked: CheckedSubmission, submission: Submission, registry: Registry, solution: Solution
) -> Iterator[Finding]:
    """A warning for each wager that gives back more than is staked on it, with the figure."""
    book, letters = registry.book(submission.rulebook), dict(submission.paytables)
    for wager in (w for w in book.wagers if w.optional and w.name in letters):
        key = ("paytables", wager.name)
        for returned, how in returns(solution, submission, wager.name):
            if returned > 1:
                yield Finding(
                    "warning",
                    f"{wager.title} paytable {letters[wager.name]} returns "
                    f"{100 * float(returned):.2f}% of what players stake on it, {how}; choose "
                    f"{_another(wager)}, unless this is meant",
                    book.cite(book.paytables[wager.name][letters[wager.name]].clause),
                    checked.lines.of(key),
                    ".".join(key),
                )
                break


def _another(wager: Wager) -> str:
    if wager.judged_by == "progressive hand":
        return "another progressive.hand or paytable"
    return "another paytable"


def returns(
    solution: Solution, submission: Submission, wager: str
) -> Iterator[tuple[Fraction, str]]:
    """What one stake gets back on average, at the stakes and meters of the submission."""
    letters, offer = dict(submission.paytables), submission.progressive
    hand = offer.hand if offer is not None and wager == PROGRESSIVE else None
    side = solution.side(wager, letters[wager], hand)
    limit = submission.limit(wager)
    if limit is not None:
        side = replace(side, assumed=Assumed(limit.minimum_cents))
        yield 1 + side.ev, f"at the minimum of {dollars(limit.minimum_cents)}"
    elif offer is not None:
        meters = tuple((meter.name, meter.reset_cents) for meter in offer.meters)
        side = replace(side, assumed=Assumed(offer.stake_cents, meters))
        how = f"with the meters at their resets{f' and hand = {hand!r}' if hand else ''}"
        yield 1 + side.ev, how
        others, envy = submission.boxes - 1, envy_each_box(solution, submission)
        yield 1 + side.ev + others * envy, f"{how}, and Envy from {others} other boxes"


def envy_each_box(solution: Solution, submission: Submission) -> Fraction:
    """What Envy adds to one Progressive wager for each other box."""
    offer, letter = submission.progressive, dict(submission.paytables).get(ENVY)
    return next(
        (
            envy.ev_each_box
            for envy in solution.envy
            if offer is not None
            and envy.paytable == letter
            and envy.assumed.stake_cents == offer.stake_cents
            and envy.reading in (None, offer.hand)
        ),
        Fraction(0),
    )
