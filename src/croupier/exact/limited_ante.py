"""Validation of the Ante asked about under a payout limit; nothing is counted.

So the service can refuse an Ante before a process begins to count.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.exact.base_game import LimitedAnte, is_limited
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents, dollars
from croupier.games.rules import Rules
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission


def limited_ante(
    rules: Rules, table: Submission | None, ante_cents: Cents, stakes: Mapping[str, Cents]
) -> LimitedAnte:
    """An Ante of this table under its payout limit, with the stakes that the limit counts too.

    Where no table or no limit is named, it is that of the shipped submission.
    """
    refuse_without_limit(rules)
    shipped = shipped_submission(rules.book.shelf_id)
    side = (wager.name for wager in rules.book.wagers if wager.optional)
    beside = {name: stakes.get(name, Cents(0)) for name in side if is_limited(rules, name)}
    for name, stake_cents in {"ante": ante_cents, **beside}.items():
        if stake_cents or name == "ante":
            _refuse_beyond(rules, table or shipped, name, stake_cents)
    filed = table.payout_limit_cents if table is not None else None
    limit_cents = rules.payout_limit_cents or filed
    assert shipped.payout_limit_cents is not None, "a book with a payout limit ships with one"
    return LimitedAnte(
        ante_cents,
        limit_cents or shipped.payout_limit_cents,
        tuple(beside.items()),
        shipped=limit_cents is None,
    )


def refuse_without_limit(rules: Rules) -> None:
    if rules.book.payout_limit is None:
        raise Refusal(
            f"{rules.book.id} has no payout limit, so what an Ante is worth does not depend "
            "on its size; leave it out",
            rules.book.cite(rules.book.refusals.no_such_option),
        )


def _refuse_beyond(rules: Rules, table: Submission, wager: str, stake_cents: Cents) -> None:
    title, limit = rules.book.wager(wager).title, table.limit(wager)
    if limit is None or (rules.paytable(wager) is None and rules.book.wager(wager).optional):
        raise Unreadable(f"which paytable pays {title} is not said; choose one for {wager}")
    if not limit.allows(stake_cents):
        raise Unreadable(
            f"{title} {dollars(stake_cents)} is no wager of table {table.table}; there it is "
            f"{dollars(limit.minimum_cents)} to {dollars(limit.maximum_cents)} in steps of "
            f"{dollars(limit.increment_cents)}"
        )
