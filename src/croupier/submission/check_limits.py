"""The posted limits of each wager, and the payout limit beside them."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from croupier.facts.hands import FIVE_CARD, Hand
from croupier.facts.money import Cents, cents, dollars
from croupier.facts.odds import For, Odds, StakeOdds, To
from croupier.facts.showings import Showing
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Rulebook, Wager
from croupier.submission.draft import SubmissionCheck, SubmissionDraft
from croupier.submission.finding import Finding
from croupier.submission.keys import shown
from croupier.submission.most_won import ROYAL, most_won

ANY_CENT = Cents(1)
ROUNDING_RULING = 4


def has_own_limits(wager: Wager) -> bool:
    """Whether a player chooses its size: not that of Play, of a bonus, or of the Progressive."""
    return wager.beside is None and wager.paid_on is None and wager.name != PROGRESSIVE


def limits_missing(draft: SubmissionDraft) -> Iterator[Finding]:
    for wager in draft.offered():
        if has_own_limits(wager) and wager.equals is None and draft.lacks("limits", wager.name):
            yield draft.error(
                ("limits", wager.name),
                f"limits.{wager.name} is missing, and {wager.title} is offered; write "
                f'{wager.name} = {{ minimum = "$10", maximum = "$500", increment = "$5" }} '
                "under [limits]",
                wager.clause,
            )


def limits_of_nothing(draft: SubmissionDraft) -> Iterator[Finding]:
    known = [wager.name for wager in draft.offered() if has_own_limits(wager)]
    for name in draft.names("limits"):
        if name not in known:
            yield draft.error(
                ("limits", name),
                f"{shown(('limits', name))} {_why(draft, name)}; "
                f"the wagers with limits here are {', '.join(known)}",
                draft.book.refusals.wagers,
            )


def _why(draft: SubmissionDraft, name: str) -> str:
    wager = _wagers(draft.book).get(name)
    if wager is None:
        return f"is no wager of {draft.book.id}"
    if name == PROGRESSIVE:
        return "has one size only, which stands in progressive.wager"
    if not has_own_limits(wager):
        return "follows from the Ante and has no limits of its own"
    return f"is not offered; choose paytables.{name} or leave its limits out"


def _wagers(book: Rulebook) -> dict[str, Wager]:
    return {wager.name: wager for wager in book.wagers}


def limits_the_wrong_way_round(draft: SubmissionDraft) -> Iterator[Finding]:
    for name in draft.names("limits"):
        least, most = (draft.amount("limits", name, end) for end in ("minimum", "maximum"))
        step = draft.amount("limits", name, "increment")
        if least is None or most is None:
            continue
        wager = _wagers(draft.book).get(name)
        clause = wager.clause if wager is not None else draft.book.refusals.wagers
        if least > most:
            yield draft.error(
                ("limits", name, "maximum"),
                f"limits.{name}: the maximum of {dollars(most)} is under the minimum of "
                f"{dollars(least)}; exchange them",
                clause,
            )
        elif step is not None and (most - least) % step:
            reached = most - (most - least) % step
            yield draft.error(
                ("limits", name, "increment"),
                f"limits.{name}: steps of {dollars(step)} from {dollars(least)} do not reach "
                f"{dollars(most)}; write a maximum of {dollars(reached)} or "
                f"{dollars(reached + step)}",
                clause,
            )


def limits_that_must_be_equal(draft: SubmissionDraft) -> Iterator[Finding]:
    for wager in draft.book.wagers:
        if wager.equals is None or not draft.writes("limits", wager.name):
            continue
        for part in ("minimum", "maximum", "increment"):
            own = draft.amount("limits", wager.name, part)
            other = draft.amount("limits", wager.equals, part)
            if own is not None and other is not None and own != other:
                yield draft.error(
                    ("limits", wager.name, part),
                    f"limits.{wager.name}.{part} is {dollars(own)}, but {wager.title} always "
                    f"equals {draft.book.wager(wager.equals).title}; write {dollars(other)} or "
                    f"leave limits.{wager.name} out",
                    wager.clause,
                )


def payouts_not_whole(draft: SubmissionDraft) -> Iterator[Finding]:
    """Ruling 4: 3 to 2 on an odd number of cents would be rounded up."""
    for wager in draft.offered():
        name = wager.equals or wager.beside or wager.name
        least, most = (draft.amount("limits", name, end) for end in ("minimum", "maximum"))
        if least is None or most is None:
            continue
        step = draft.amount("limits", name, "increment") or ANY_CENT
        common = gcd(least, step) if most > least else least
        for odds, clause in _odds(draft, wager):
            if isinstance(odds, To | For) and common * odds.gain % odds.stake:
                yield draft.warning(
                    ("limits", name, "increment"),
                    f"{wager.title} pays {odds}, which is not whole cents on every stake from "
                    f"{dollars(least)} in steps of {dollars(step)} and is then rounded up "
                    f"(ruling {ROUNDING_RULING}); write a minimum and an increment that are "
                    f"multiples of {dollars(odds.stake)}",
                    clause,
                    ROUNDING_RULING,
                )


def _odds(draft: SubmissionDraft, wager: Wager) -> Iterator[tuple[Odds, str]]:
    if wager.pays is not None:
        yield wager.pays.odds, wager.pays.clause
    table = draft.paytable(wager.name)
    for line in table.lines if table is not None else ():
        yield line.odds, line.clause


def payout_limit_not_known(draft: SubmissionDraft) -> Iterator[Finding]:
    if draft.writes("table", "payout_limit") and draft.book.payout_limit is None:
        yield draft.error(
            ("table", "payout_limit"),
            f"{draft.book.id} has no payout limit; leave payout_limit out",
            draft.book.refusals.no_such_option,
        )


def payout_limit_too_low(draft: SubmissionDraft) -> Iterator[Finding]:
    rule, limit = draft.book.payout_limit, draft.amount("table", "payout_limit")
    if rule is None or limit is None:
        return
    least, reason = cents(rule.least), "the least the rules allow"
    boxes = _boxes_of_a_player(draft)
    at_minimum = most_at_minimum(draft, boxes, least)
    if at_minimum > least:
        played = "one box" if boxes == 1 else f"{boxes} boxes"
        least = at_minimum
        reason = f"the most one player can win in a round on {played} at the minimum wagers"
    if limit < least:
        yield draft.error(
            ("table", "payout_limit"),
            f"table.payout_limit is {dollars(limit)}; write at least {dollars(least)}, {reason}",
            rule.least_clause,
        )


def _boxes_of_a_player(draft: SubmissionDraft) -> int:
    """How many boxes the submission lets one player play."""
    adjacent, boxes = (draft.count("table", key) for key in ("adjacent_boxes", "boxes"))
    return min(adjacent or 1, boxes or 1)


def most_at_minimum(draft: SubmissionDraft, boxes: int, least: Cents) -> Cents:
    """The most one player is paid in a round on the limited wagers at their minimum (ruling 7).

    Where even a royal flush in every box would pay no more than ``least``, that is enough to know.
    """
    rule = draft.book.payout_limit
    limited = [wager for wager in draft.offered() if rule is not None and wager.name in rule.wagers]
    stakes = {wager.name: _least_stake(draft, wager) for wager in limited}
    opens = draft.book.contest.opens

    def worth(hand: Hand, dealer: Hand | None) -> int:
        won = dealer is None or hand > dealer
        lets_ante = dealer is None or opens(FIVE_CARD, dealer)
        return sum(
            _paid(draft, wager, hand, won, lets_ante, stakes[wager.name]) for wager in limited
        )

    at_most = boxes * worth(ROYAL, None)
    return Cents(most_won(worth, boxes) if at_most > least else at_most)


def _paid(
    draft: SubmissionDraft, wager: Wager, hand: Hand, won: bool, opened: bool, stake: Cents | None
) -> Cents:
    """What one wager of a box is paid for its hand; nothing where its minimum cannot be read."""
    needs, contest = draft.book.contest.dealer_needs, wager.judged_by == "contest"
    pushes = needs is not None and not opened and wager.name in needs.pushes
    if stake is None or (contest and (pushes or not won)):
        return Cents(0)
    table = draft.paytable(wager.name)
    line = table.line_for(Showing(hand, hand.cards)) if table is not None else None
    odds = wager.pays.odds if wager.pays is not None else line.odds if line is not None else None
    return odds.pays_cents(stake) if isinstance(odds, StakeOdds) else Cents(0)


def _least_stake(draft: SubmissionDraft, wager: Wager) -> Cents | None:
    """The minimum of a wager; of Play its largest size beside the least Ante."""
    if wager.beside is None:
        return draft.minimum(wager)
    ante = draft.amount("limits", wager.beside, "minimum")
    return None if ante is None else Cents(ante * draft.book.largest_multiple(wager.name))


CHECKS: tuple[SubmissionCheck, ...] = (
    limits_missing,
    limits_of_nothing,
    limits_the_wrong_way_round,
    limits_that_must_be_equal,
    payouts_not_whole,
    payout_limit_not_known,
    payout_limit_too_low,
)
