"""The Progressive: its size, the cards that count, who holds Envy, and every meter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps

from croupier.facts.errors import quoted
from croupier.facts.money import Cents, cents, dollars
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import ProgressiveRule, Rulebook
from croupier.submission.draft import SubmissionCheck, SubmissionDraft, either
from croupier.submission.finding import Finding
from croupier.submission.value_kinds import PPM, rate_text

METERS = ("progressive", "meters")
LIMIT_RULING = 43
SOURCE_RULING = 35


def terms_without_paytable(draft: SubmissionDraft) -> Iterator[Finding]:
    if draft.writes(PROGRESSIVE) and not draft.writes("paytables", PROGRESSIVE):
        rule, book = draft.book.progressive, draft.book
        yield draft.error(
            (PROGRESSIVE,),
            "[progressive] is written, but no Progressive is offered; choose "
            "paytables.progressive, or leave [progressive] out",
            book.wager(PROGRESSIVE).clause if rule is not None else book.refusals.wagers,
        )


def paytable_without_terms(draft: SubmissionDraft) -> Iterator[Finding]:
    rule = draft.book.progressive
    if rule is None or not draft.writes("paytables", PROGRESSIVE) or not draft.lacks(PROGRESSIVE):
        return
    yield draft.error(
        (PROGRESSIVE,),
        "[progressive] is missing, and a Progressive is offered; write it with the wager, the "
        "system and the meters",
        rule.rate_clause or rule.clause,
    )


def _with_terms(check: SubmissionCheck) -> SubmissionCheck:
    """Only where a Progressive is offered and its terms are written."""

    @wraps(check)
    def asked(draft: SubmissionDraft) -> Iterator[Finding]:
        written = draft.writes("paytables", PROGRESSIVE) and draft.writes(PROGRESSIVE)
        if draft.book.progressive is not None and written:
            yield from check(draft)

    return asked


def _rule(book: Rulebook) -> ProgressiveRule:
    assert book.progressive is not None
    return book.progressive


@_with_terms
def stake_not_allowed(draft: SubmissionDraft) -> Iterator[Finding]:
    rule, stake = _rule(draft.book), draft.amount(PROGRESSIVE, "wager")
    if draft.lacks(PROGRESSIVE, "wager"):
        said = "is missing"
    elif stake is not None and stake not in [cents(allowed) for allowed in rule.stakes]:
        said = f"is {dollars(stake)}"
    else:
        return
    yield draft.error(
        (PROGRESSIVE, "wager"),
        f"progressive.wager {said}; a Progressive wager is {either(rule.stakes)}, one size for "
        f"the table (ruling {rule.ruling})",
        rule.clause,
        rule.ruling,
    )


@_with_terms
def system_not_named(draft: SubmissionDraft) -> Iterator[Finding]:
    rule = _rule(draft.book)
    if rule.system is not None and draft.lacks(PROGRESSIVE, "system"):
        yield draft.error(
            (PROGRESSIVE, "system"),
            "progressive.system is missing; name the progressive system that accepts the wagers "
            "and locks them out",
            rule.system.clause,
        )


@_with_terms
def hand_not_chosen(draft: SubmissionDraft) -> Iterator[Finding]:
    """Ruling 18: no default, because the words and the paytables point to different cards."""
    rule, hand = _rule(draft.book), draft.text(PROGRESSIVE, "hand")
    clause = draft.book.wager(PROGRESSIVE).clause
    if not rule.hands:
        if draft.writes(PROGRESSIVE, "hand"):
            yield draft.error(
                (PROGRESSIVE, "hand"),
                f"progressive.hand has no choice under {draft.book.id}, where each paytable has "
                "its own cards; leave hand out",
                clause,
            )
    elif draft.lacks(PROGRESSIVE, "hand") or (hand is not None and hand not in rule.hands):
        said = "is missing" if hand is None else f"is {quoted(hand)}"
        choices = either([f'"{name}" ({cards})' for name, cards in rule.hands.items()])
        yield draft.error(
            (PROGRESSIVE, "hand"),
            f"progressive.hand {said}; say which cards make the hand, {choices} "
            f"(ruling {rule.hand_ruling})",
            clause,
            *([rule.hand_ruling] if rule.hand_ruling is not None else []),
        )


@_with_terms
def holder_of_envy(draft: SubmissionDraft) -> Iterator[Finding]:
    rule, bonus = _rule(draft.book).holder_must_wager, draft.book.envy_bonus
    key = (PROGRESSIVE, "holder_must_wager")
    if bonus is None:
        return
    if rule is None and draft.writes(*key):
        yield draft.error(
            key,
            f"{draft.book.id} leaves no choice whether the holder of an Envy hand must have made "
            "the Progressive wager (none is needed); leave holder_must_wager out",
            bonus.clause,
        )
    if rule is not None and draft.lacks(*key) and draft.writes("paytables", ENVY):
        yield draft.error(
            key,
            "progressive.holder_must_wager is missing; write true or false: whether the holder "
            "of an Envy hand must have made the Progressive wager",
            rule.clause,
        )


@_with_terms
def source_of_awards(draft: SubmissionDraft) -> Iterator[Finding]:
    """Where a book says what never comes out of the table inventory, nothing is left to choose."""
    if _rule(draft.book).paid_from is None and draft.writes(PROGRESSIVE, "paid_from"):
        by = draft.book.procedure
        yield draft.error(
            (PROGRESSIVE, "paid_from"),
            f"{draft.book.id} says itself which awards of a meter are not paid from the table "
            f"inventory; leave paid_from out (ruling {SOURCE_RULING})",
            by.off_table_clause or by.pay_clause,
            SOURCE_RULING,
        )


@_with_terms
def meters_of_the_paytable(draft: SubmissionDraft) -> Iterator[Finding]:
    """Every meter the paytable pays from, and no other."""
    table = draft.paytable(PROGRESSIVE)
    if table is None or METERS in draft.read.broken:
        return
    known = [meter.name for meter in table.meters]
    for name in draft.names(*METERS):
        if name not in known:
            yield draft.error(
                (*METERS, name),
                f"the Progressive paytable has no meter {quoted(name)}; it has {either(known)}",
                table.clause,
            )
    for meter in table.meters:
        if draft.lacks(*METERS, meter.name):
            yield draft.error(
                (*METERS, meter.name),
                f"the {meter.name} meter is missing; write {meter.name} = {{ initial = "
                f'"{meter.least}", reset = "{meter.least}", rate = "4%" }} under '
                "[progressive.meters]",
                meter.clause,
            )


@_with_terms
def meters_under_the_least(draft: SubmissionDraft) -> Iterator[Finding]:
    table = draft.paytable(PROGRESSIVE)
    for meter in table.meters if table is not None else ():
        for part in ("initial", "reset"):
            amount = draft.amount(*METERS, meter.name, part)
            if amount is not None and amount < cents(meter.least):
                yield draft.error(
                    (*METERS, meter.name, part),
                    f"the {part} amount of the {meter.name} meter is {dollars(amount)}; "
                    f"it must be at least {meter.least}",
                    meter.clause,
                )


@_with_terms
def meters_that_start_low(draft: SubmissionDraft) -> Iterator[Finding]:
    for name in _meters(draft):
        initial, reset = (draft.amount(*METERS, name, part) for part in ("initial", "reset"))
        if initial is not None and reset is not None and initial < reset:
            yield draft.warning(
                (*METERS, name, "initial"),
                f"the {name} meter starts at {dollars(initial)}, under the "
                f"{dollars(Cents(reset))} it is reset to; start it at the reset or above",
            )


@_with_terms
def limits_of_meters(draft: SubmissionDraft) -> Iterator[Finding]:
    """A meter at its limit from the start would never grow (ruling 43)."""
    for name in _meters(draft):
        amounts = {part: draft.amount(*METERS, name, part) for part in ("initial", "reset")}
        limit = draft.amount(*METERS, name, "limit")
        for part, amount in amounts.items():
            if limit is not None and amount is not None and limit <= amount:
                yield draft.error(
                    (*METERS, name, "limit"),
                    f"the limit of the {name} meter is {dollars(limit)}, and its {part} amount "
                    f"{dollars(amount)}; a limit stands above both (ruling {LIMIT_RULING})",
                    _rule(draft.book).rate_clause,
                    LIMIT_RULING,
                )
                break


@_with_terms
def rates_of_progression(draft: SubmissionDraft) -> Iterator[Finding]:
    clause = _rule(draft.book).rate_clause
    rates = {name: draft.count(*METERS, name, "rate") for name in _meters(draft)}
    for name, rate in rates.items():
        if rate == 0:
            yield draft.error(
                (*METERS, name, "rate"),
                f"the {name} meter has a rate of 0% and would never grow; write the "
                'share of each wager that goes to it, like "4%"',
                clause,
            )
    total = sum(rate for rate in rates.values() if rate is not None)
    if total > PPM:
        yield draft.error(
            METERS,
            f"the rates of the meters make {rate_text(total)} of each wager together; they cannot "
            "take more than 100%",
            clause,
        )


def _meters(draft: SubmissionDraft) -> list[str]:
    """The meters somebody wrote that the paytable knows."""
    table = draft.paytable(PROGRESSIVE)
    known = [meter.name for meter in table.meters] if table is not None else []
    return [name for name in known if draft.writes(*METERS, name)]


CHECKS: tuple[SubmissionCheck, ...] = (
    terms_without_paytable,
    paytable_without_terms,
    stake_not_allowed,
    system_not_named,
    hand_not_chosen,
    holder_of_envy,
    source_of_awards,
    meters_of_the_paytable,
    meters_under_the_least,
    meters_that_start_low,
    limits_of_meters,
    rates_of_progression,
)
