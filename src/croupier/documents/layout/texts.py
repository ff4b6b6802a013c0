"""What a table tells its players in writing: the payouts, and the rules in a few words.

Every number and every phrase is read from the Rules; the felt inscribes it and a sign can carry
it instead, so both say the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.documents.round_words import and_words, hand_named, hand_words, unopened
from croupier.facts.money import money
from croupier.facts.odds import PUSH
from croupier.games.rules import ENVY, Rules
from croupier.rulebook.book import Paytable, Street, Wager

CLOSED, NOT_OFFERED = "closed", "not offered"
"""The area of a wager that every layout must have and this table does not offer, and its mark."""


class Payout(msgspec.Struct, frozen=True):
    """One posted line: what is shown and what it pays, and the clause that says so."""

    phrase: str
    odds: str
    clause: str


class Payouts(msgspec.Struct, frozen=True):
    """A posted paytable; ``at_each_box`` where players of every box have it before them."""

    wager: str
    title: str
    lines: tuple[Payout, ...]
    clause: str
    at_each_box: bool


class Statement(msgspec.Struct, frozen=True):
    """A rule in one short sentence without its full stop."""

    name: str
    text: str
    clause: str


def payouts(rules: Rules) -> tuple[Payouts, ...]:
    """Every paytable that is offered, in the order in which a box is settled."""
    book = rules.book
    found = [
        _posted(wager.name, f"{wager.title} pays", table, not wager.optional or _always(wager))
        for wager in book.wagers
        if (table := rules.paytable(wager.name)) is not None
    ]
    if rules.envy is not None:
        found.append(_posted(ENVY, "Envy bonus pays", rules.envy, False))
    return tuple(found)


def _always(wager: Wager) -> bool:
    return wager.layout_clause is not None


def _posted(wager: str, title: str, table: Paytable, at_each_box: bool) -> Payouts:
    lines = tuple(Payout(hand_words(t, table), str(t.odds), t.clause) for t in table.lines)
    return Payouts(wager, title, lines, table.clause, at_each_box)


def statements(rules: Rules) -> tuple[Statement, ...]:
    """What the layout has to say in words, as far as this table's Rules have it."""
    return (
        *_dealer_needs(rules),
        *_least_paid(rules),
        *_play_sizes(rules),
        *_even_money(rules),
        *_paid_anyway(rules),
        *_tie(rules),
        *_payout_limit(rules),
    )


def _dealer_needs(rules: Rules) -> Iterator[Statement]:
    needs, cited = rules.book.contest.dealer_needs, rules.book.table.layout.dealer_needs
    if needs is not None:
        told = unopened(rules.book, needs)
        text = f"{told} if the dealer has less than {hand_named(needs.hand)}"
        yield Statement("dealer_needs", text, cited.clause if cited else needs.clause)


def _least_paid(rules: Rules) -> Iterator[Statement]:
    """A wager of the contest whose paytable ends in a push does so below its last paid hand."""
    cited = rules.book.table.layout.least_paid
    for wager in rules.book.wagers:
        table = rules.paytable(wager.name)
        if wager.judged_by != "contest" or table is None:
            continue
        *paid, last = table.lines
        if last.odds == PUSH and paid:
            text = (
                f"{wager.title} pushes if the winning hand is below {hand_named(paid[-1].phrase)}"
            )
            yield Statement("least_paid", text, cited.clause if cited else last.clause)


def _play_sizes(rules: Rules) -> Iterator[Statement]:
    book = rules.book
    for wager in book.wagers:
        if wager.beside is None:
            continue
        asked, cited = book.streets_of(wager.name), book.table.layout.play_sizes
        first, *rest = asked
        beside = book.wager(wager.beside).title
        head = f"{times(first)} the {beside}{_when(first, len(book.streets))}"
        parts = [head, *(f"{times(street)}{_when(street, len(asked))}" for street in rest)]
        if len(book.streets) == 1 and first.multiples == (1,):
            parts = [f"equals the {beside}"]
        clause = cited.clause if cited else first.clause
        yield Statement("play_sizes", f"{wager.title} {', '.join(parts)}", clause)


def times(street: Street) -> str:
    """How large Play may be on a street: ``3 or 4 times``, ``1 to 3 times``, ``1 time``."""
    if street.least_multiple is not None and street.most_multiple is not None:
        return f"{street.least_multiple} to {street.most_multiple} times"
    said = " or ".join(str(multiple) for multiple in street.multiples)
    return f"{said} time" if street.multiples == (1,) else f"{said} times"


def _when(street: Street, streets: int) -> str:
    if streets == 1:
        return ""
    return f" {street.name}" if " " in street.name else f" on the {street.name}"


def _even_money(rules: Rules) -> Iterator[Statement]:
    by_odds: dict[str, list[Wager]] = {}
    for wager in rules.book.wagers:
        if wager.pays is not None:
            by_odds.setdefault(str(wager.pays.odds), []).append(wager)
    cited = rules.book.table.layout.payouts
    for odds, wagers in by_odds.items():
        titles = [wager.title for wager in wagers]
        clause = cited.clause if cited else wagers[0].clause
        verb = "pays" if len(titles) == 1 else "pay"
        yield Statement("even_money", f"{and_words(titles)} {verb} {odds}", clause)


def _paid_anyway(rules: Rules) -> Iterator[Statement]:
    """A bonus on another wager, where it is paid whoever wins."""
    for wager in rules.book.wagers:
        if wager.paid_on is not None and rules.offers(wager.name):
            needed = and_words([rules.book.wager(name).title for name in wager.needs])
            text = f"{wager.title} is paid win or lose once {needed} is made"
            yield Statement("paid_anyway", text, wager.clause)


_TIES = {"win": "A tie wins", "push": "A tie pushes", "lose": "A tie loses"}


def _tie(rules: Rules) -> Iterator[Statement]:
    tie = rules.book.contest.tie
    yield Statement("tie", _TIES[tie.outcome], tie.clause)


def _payout_limit(rules: Rules) -> Iterator[Statement]:
    limit, cited = rules.book.payout_limit, rules.book.table.layout.payout_limit
    if limit is None or rules.payout_limit_cents is None:
        return
    titles = [rules.book.wager(name).title for name in limit.wagers if rules.offers(name)]
    amount = money(rules.payout_limit_cents)
    text = f"Payout limit {amount} a hand for {and_words(titles)} together"
    yield Statement("payout_limit", text, cited.clause if cited else limit.clause)
