"""What an audit of a log finds: one difference, where it stands, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.facts.money import dollars

MOST_SHOWN = 600
KINDS = {
    "unreadable": "line that cannot be read",
    "terms": "not played by the submission",
    "payout": "wrong payout",
    "paid-on-push": "paid on a push",
    "for-as-to": '"for" paid as "to"',
    "order": "wrong order of settlement",
    "envy-missed": "envy missed",
    "envy-holder": "envy paid to the holder",
    "envy": "wrong envy",
    "payout-limit": "payout limit misapplied",
    "play-size": "Play of the wrong size",
    "late-wager": 'wager after "no more bets"',
    "needs": "wager without the one it needs",
    "wager": "wager that could not be made",
    "limits": "wager outside the posted limits",
    "decision": "decision that could not be made",
    "late-decision": "decision after the cards",
    "card-twice": "card twice",
    "card-count": "wrong number of cards",
    "stub-count": "stub count",
    "deck-change": "deck change overdue",
    "meter": "meter does not add up",
    "box-money": "money of a box does not add up",
    "void": "void round not given back",
    "status": "round hidden by its status",
    "sequence": "round out of sequence",
    "seats": "seat or player that could not be",
}


def plain(text: str) -> str:
    """Words of a log fit to be shown: what moves a cursor or turns letters round stands as its
    number, and what is longer than a few lines is cut.
    """
    shown = (
        text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}... ({len(text):,} characters)"
    )
    if shown.isprintable():
        return shown
    return "".join(each if each.isprintable() else _escaped(each) for each in shown)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def counted(count: int, what: str, several: str = "") -> str:
    return f"{count:,} {what if count == 1 else several or f'{what}s'}"


class LogFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference. ``line`` is that of the file.

    ``paid_cents`` and ``due_cents`` are all that came to the box for the wager and all that should
    have, stakes that go back included; they are left out where no money is compared.
    """

    line: int
    kind: str
    sentence: str
    table: str = ""
    round: int = 0
    box: int = 0
    wager: str = ""
    clause: str = ""
    paid_cents: int | None = None
    due_cents: int | None = None

    @property
    def over_cents(self) -> int:
        """What was paid too much; negative where too little was paid."""
        if self.paid_cents is None or self.due_cents is None:
            return 0
        return self.paid_cents - self.due_cents

    def __str__(self) -> str:
        where = [f"line {self.line}"]
        where += [f"table {self.table}"] if self.table else []
        where += [f"round {self.round}"] if self.round else []
        where += [f"box {self.box}"] if self.box else []
        money = ""
        if self.paid_cents is not None and self.due_cents is not None:
            money = f"; paid {dollars(self.paid_cents)}, due {dollars(self.due_cents)}"
        clause = f" - {self.clause}" if self.clause else ""
        return plain(f"{', '.join(where)}: {self.sentence}{money}{clause}")


class Total(msgspec.Struct):
    """How often one kind was found, and the money: paid too much, and too little."""

    count: int = 0
    over_cents: int = 0
    under_cents: int = 0

    def add(self, finding: LogFinding) -> None:
        self.count += 1
        self.over_cents += max(0, finding.over_cents)
        self.under_cents += max(0, -finding.over_cents)


def totals(findings: Iterable[LogFinding]) -> dict[str, Total]:
    """By kind, in the order of :data:`KINDS`."""
    found: dict[str, Total] = {}
    for finding in findings:
        found.setdefault(finding.kind, Total()).add(finding)
    return in_order(found)


def in_order(found: dict[str, Total]) -> dict[str, Total]:
    return {kind: found[kind] for kind in KINDS if kind in found}
