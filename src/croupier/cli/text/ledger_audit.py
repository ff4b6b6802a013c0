"""Report of an audited ledger, for a terminal and as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from croupier.audit.difference import Difference
from croupier.audit.ledger_audit import Audit
from croupier.audit.log.finding import counted
from croupier.audit.table_proof import PowerUses
from croupier.documents.blocks import AnyBlock, Fact, Facts, Heading, Prose
from croupier.facts.money import meter_dollars
from croupier.ledger.events import LINK, REFUSALS, TABLE
from croupier.table.double_entry import METER
from croupier.table.powers import RULES

NO_CHECKPOINT = "no checkpoint given: a ledger cut short or rewritten whole would not be noticed"
NO_KEY = "no --key: anybody could have signed it"
MOST_SHOWN = 20
MOST_RENEWALS = 5
KINDS = {
    "purse": "chips of the boxes",
    "kept": "chips kept for those who left",
    "felt": "on the felt",
    "outside": "paid from outside the table",
    "house": "table inventory",
    "meter": "put on meters, less awards",
    "reset": "given to restart meters",
    "drop": "drop box",
    "tips": "tips",
    "cash": "cash beyond the table",
}


class AuditRequest(NamedTuple):
    """Which table's differences are asked for, and the key that the checkpoint is signed with."""

    table: str | None = None
    key: str = ""

    def differences(self, audit: Audit) -> list[Difference]:
        """What differs at the table: in its own streams, its link, or the whole ledger."""
        if self.table is None:
            return audit.differences
        own = f"{TABLE}{self.table}"
        streams = {"", own, f"{REFUSALS}{self.table}", audit.proof.links.get(own, own)}
        return [each for each in audit.differences if each.stream in streams]


def ledger_audit_report(
    address: str, ledger_id: str, audit: Audit, asked: AuditRequest
) -> Iterator[AnyBlock]:
    yield Heading(f"{address}, ledger {ledger_id}")
    yield Facts(tuple(_proved(audit, asked)))
    yield from _books(audit)
    listed = asked.differences(audit)
    for difference in listed[:MOST_SHOWN]:
        yield Prose(str(difference), head=f"{difference.part:13}", tone="fail")
    more = len(listed) - MOST_SHOWN
    if more > 0:
        yield Prose(f"and {more:,} more, which --json lists")
    yield _verdict(audit, len(audit.differences) - len(listed))


def _proved(audit: Audit, asked: AuditRequest) -> Iterator[Fact]:
    proof = audit.proof
    yield Fact("lines", f"{audit.held:,} in {counted(audit.streams, 'stream')}")
    yield Fact("chain", _chain_words(audit))
    yield Fact("log", _log_words(audit, asked))
    yield Fact("rounds", f"{audit.rounds:,} at {counted(proof.tables, 'table')}, {_decided(audit)}")
    yield Fact("wagers", f"{proof.settled:,} settled again")
    yield Fact("shoes", f"every turned card held against its commitment; {_seals(audit)}")
    if proof.renewals:
        yield Fact("renewed", _renewal_words(audit))
    if proof.lost:
        yield Fact("lost", _lost_words(audit))
    for use, times in sorted(proof.powers.items()):
        yield Fact("powers", _power_words(use, times))
    if proof.refusals:
        yield Fact(
            "desk", f"{counted(proof.refusals, 'refusal')} beside the tables, not decided again"
        )
    for stream, edition in proof.editions.items():
        yield Fact(
            "edition", f"{stream}: {edition}: clauses were not compared, nor the words for hands"
        )


def _chain_words(audit: Audit) -> str:
    if not audit.followed_to_the_end:
        return f"it does not hold: it was followed through {audit.chained:,} lines and no further"
    return "it does not hold" if _is_broken(audit) else "every line follows from the one before it"


def _is_broken(audit: Audit) -> bool:
    return any(difference.part == "chain" for difference in audit.differences)


def _decided(audit: Audit) -> str:
    undecided = audit.proof.undecided
    if not undecided:
        return "every command decided again"
    return f"but {counted(undecided, 'command')} could not be decided again"


def _seals(audit: Audit) -> str:
    if not audit.opened_seals:
        return "no keys: no seal was opened"
    shut = audit.proof.unopened
    return f"{counted(shut, 'pack')} not opened" if shut else "every sealed pack was opened"


def _renewal_words(audit: Audit) -> str:
    """A pack that was put in the place of another is named, for somebody to ask why."""
    renewals = audit.proof.renewals
    named = [
        f"{each.line.stream}, line {each.line.version}, round {each.round}"
        for each in renewals[:MOST_RENEWALS]
    ]
    more = len(renewals) - len(named)
    return (
        f"{counted(len(renewals), 'pack')} replaced while bets were open, each said to be beyond "
        f"opening: {'; '.join(named)}{f'; and {more:,} more' if more else ''}"
    )


def _lost_words(audit: Audit) -> str:
    """A round that ended because nobody could open its cards is named, for somebody to ask why."""
    lost = audit.proof.lost
    named = [f"{one.line.stream}, line {one.line.version}" for one in lost[:MOST_RENEWALS]]
    more = len(lost) - len(named)
    return (
        f"{counted(len(lost), 'round')} void, wagers back, its cards beyond opening: "
        f"{'; '.join(named)}{f'; and {more:,} more' if more else ''}"
    )


def _power_words(use: PowerUses, times: int) -> str:
    title = next((rule.title for power, rule in RULES.items() if power == use.act), use.act)
    who = f"{use.by} and {use.second}" if use.second else f"{use.by} alone"
    return f"{title}: {who}{f', {times:,} times' if times > 1 else ''}"


def _log_words(audit: Audit, asked: AuditRequest) -> str:
    given, held = audit.given, f"{counted(audit.logged, 'line')} in it"
    if given is None:
        return f"{held}; {NO_CHECKPOINT}"
    if not audit.followed_to_the_end:
        return f"{held}; not compared: the chain does not reach the checkpoint"
    reach = "the checkpoint reaches to the last line"
    if _is_broken(audit):
        reach = "the checkpoint does not hold"
    elif audit.unsigned:
        after = f"{counted(audit.unsigned, 'line')} after it {_is(audit.unsigned)} not protected"
        reach = f"the checkpoint holds {given.size:,} of them; {after}"
    return f"{held}; {reach}{'' if asked.key else f'; {NO_KEY}'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _books(audit: Audit) -> Iterator[Prose]:
    kinds = _by_kind(audit)
    amounts = [(KINDS.get(kind, kind), _signed_dollars(micros)) for kind, micros in kinds.items()]
    amounts.append(("sum", _signed_dollars(sum(kinds.values()))))
    readings = [(f"meter {name} reads", meter_dollars(micros)) for name, micros in _readings(audit)]
    yield Prose("  books", tone="note")
    for name, amount in (*amounts, *readings):
        yield Prose(f"    {name:30}{amount:>18}")


def _signed_dollars(micros: int) -> str:
    return f"{'-' if micros < 0 else ''}{meter_dollars(abs(micros))}"


def _by_kind(audit: Audit) -> dict[str, int]:
    """The accounts of the tables together; a link only repeats what they did to its meters."""
    totals: dict[str, int] = {}
    for stream, accounts in audit.proof.accounts.items():
        for account, micros in accounts.items():
            kind = account.partition(" ")[0]
            if stream.startswith(TABLE):
                totals[kind] = totals.get(kind, 0) + micros
    return {kind: totals[kind] for kind in (*KINDS, *totals) if kind in totals}


def _readings(audit: Audit) -> Iterator[tuple[str, int]]:
    for stream, accounts in audit.proof.accounts.items():
        for account, micros in accounts.items():
            if stream.startswith(LINK) and account.startswith(METER):
                yield f"{account.removeprefix(METER)} of {stream.removeprefix(LINK)}", micros


def _verdict(audit: Audit, elsewhere: int) -> Prose:
    count, shut = len(audit.differences), audit.proof.unopened
    if count:
        where = f", {elsewhere:,} of them elsewhere" if elsewhere < count else " elsewhere"
        return Prose(f"{counted(count, 'difference')}{where if elsewhere else ''}", tone="fail")
    if audit.proof.lost:
        void = f"{counted(len(audit.proof.lost), 'round')} whose cards could not be opened"
        return Prose(f"Everything is proved; void for it: {void}.", tone="caution")
    if audit.opened_seals and shut:
        kept_shut = f"{counted(shut, 'pack')} that the keys do not open"
        return Prose(f"Everything is proved but {kept_shut}.", tone="caution")
    without = ["a checkpoint"] if audit.given is None else []
    without += [] if audit.opened_seals else ["the keys"]
    if without:
        said = f"Proved, as far as it can be without {' and '.join(without)}."
        return Prose(said, tone="caution")
    return Prose("Everything is proved.", tone="pass")


# As JSON


def ledger_audit_document(
    address: str, ledger_id: str, audit: Audit, asked: AuditRequest
) -> dict[str, Any]:
    proof, given, listed = audit.proof, audit.given, asked.differences(audit)
    return {
        "address": address,
        "ledger": ledger_id,
        "proved": not audit.differences,
        "lines": audit.held,
        "chained": audit.chained,
        "streams": audit.streams,
        "rounds": audit.rounds,
        "tables": proof.tables,
        "wagers_settled": proof.settled,
        "commands_undecided": proof.undecided,
        "refusals": proof.refusals,
        "editions": proof.editions,
        "accounts_micros": _by_kind(audit),
        "meters_micros": dict(_readings(audit)),
        "seals_opened": audit.opened_seals,
        "seals_unopened": proof.unopened,
        "lost_rounds": [
            {"stream": each.line.stream, "version": each.line.version, "reason": each.reason}
            for each in proof.lost
        ],
        "powers": [
            {"act": use.act, "by": use.by, "second": use.second, "times": times}
            for use, times in sorted(proof.powers.items())
        ],
        "renewals": [
            {
                "stream": each.line.stream,
                "version": each.line.version,
                "round": each.round,
                "reason": each.reason,
            }
            for each in proof.renewals
        ],
        "logged": audit.logged,
        "checkpoint": None
        if given is None
        else {
            "size": given.size,
            "key": asked.key or None,
            "compared": audit.followed_to_the_end,
            "lines_after": audit.unsigned,
        },
        "differences": [msgspec.to_builtins(each) for each in listed],
        "differences_elsewhere": len(audit.differences) - len(listed),
    }
