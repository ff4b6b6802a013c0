"""What must hold whatever goes wrong, looked at while it goes wrong and once more at the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from croupier.audit.ledger_audit import audited
from croupier.games.registry import Registry
from croupier.ledger.books import Interval, read_books
from croupier.ledger.events import LINK, REFUSALS, TABLE, CommandRefused, TableInstalled, read_kept
from croupier.ledger.link import readings_after
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import LedgerLine, genesis, read_entries
from croupier.ledger.store.port import Ledger
from croupier.table import events as ev
from croupier.table.powers import LARGE, RULES
from croupier.table.views import Viewer
from soak.eyes import Watched

FINAL = ("done", "refused")
NEVER = ("unreadable", "stale", "forbidden", "not admitted", "not found", "too many")


POWERFUL = (
    *("table-installed", "power-used", "chips-bought", "chips-cashed", "absence-ruled"),
    "kept-paid",
)


def _takes_two(event: Any, *, practice: bool) -> bool:
    """What is for practice is no money."""
    if isinstance(event, ev.ChipsBought | ev.ChipsCashed | ev.KeptPaid):
        return event.cents > LARGE and not practice
    return isinstance(event, ev.AbsenceRuled) and event.outcome == "abandoned"


class Failed(Exception):
    """An invariant does not hold; the sentence says which."""


@dataclass
class Asked:
    """A command somebody gave, however often it was sent, and what he was told."""

    table: str
    by: str
    id: str
    command: dict[str, Any]
    seen: int | None
    answer: tuple[Any, ...] | None = None
    in_doubt: bool = False
    noes: list[str] = field(default_factory=list)

    @property
    def kept_id(self) -> str:
        """As the ledger has it: everybody's ids are his own."""
        return f"{self.by}/{self.id}"


class Judge:
    """Reads the ledger by itself, line by line as it grows, and hears all that people are told."""

    def __init__(
        self,
        ledger: Ledger,
        registry: Registry,
        ring: KeyRing,
        tables: Iterable[str],
        patience_s: float,
    ) -> None:
        self._ledger, self._registry, self._ring = ledger, registry, ring
        self._ends: dict[str, tuple[int, bytes]] = {}
        self._last_us: dict[str, int] = {}
        self._commands: dict[str, tuple[str, int]] = {}
        self._unchecked: list[Asked] = []
        self._asked: dict[str, Asked] = {}
        self._watched = {name: Watched(name, registry, ring, patience_s) for name in tables}
        self._balances: dict[str, int] = {}
        self._owed: dict[str, LedgerLine] = {}
        self._practice: set[str] = set()
        self.readings: dict[str, dict[str, int]] = {}
        self.lines = 0
        self.checks: Counter[str] = Counter()
        self.awards = 0

    # What people say and hear

    def asked(self, asked: Asked) -> None:
        self._asked[asked.id] = asked

    def doubted(self, command_id: str) -> None:
        """Nobody answered: it may have happened."""
        self._asked[command_id].in_doubt = True

    def answered(self, command_id: str, told: dict[str, Any]) -> None:
        """The same id has one answer, for ever."""
        asked, outcome = self._asked.get(command_id), told["outcome"]
        if asked is None:
            raise Failed(f"an answer came to command {command_id}, which nobody gave")
        if outcome not in FINAL:
            if outcome in NEVER:
                asked.noes.append(outcome)
            else:
                asked.in_doubt = True
            return
        answer = (outcome, told.get("version", 0), told.get("sentence"), told.get("clause"))
        if asked.answer is None:
            asked.answer = answer
            self._unchecked.append(asked)
        elif asked.answer != answer:
            raise Failed(f"command {command_id} was answered {asked.answer}, then {answer}")

    def shown(self, table: str, viewer: Viewer, version: int, now: str, text: str) -> None:
        self.checks["texts searched for cards that their reader may not know"] += 1
        self._watched[table].shown(viewer, version, now, text)

    def told(self, table: str, viewer: Viewer, since: int, version: int, text: str) -> None:
        self.checks["texts searched for cards that their reader may not know"] += 1
        self._watched[table].told(viewer, since, version, text)

    def wrote(self, line: LedgerLine, at_s: float) -> None:
        """When a line was written, in told time."""
        table = line.stream.removeprefix(TABLE)
        if table in self._watched:
            self._watched[table].written_s[line.version] = at_s

    # What the ledger says

    def look(self) -> None:
        """Everything since the last look."""
        heads = self._ledger.heads()
        for stream, (version, _) in self._ends.items():
            if stream not in heads or heads[stream].version < version:
                raise Failed(f"{stream} lost lines after {version}")
        for stream in sorted(heads):
            if heads[stream].version != self._ends.get(stream, (0, b""))[0]:
                self._follow(stream)
        for asked in self._unchecked:
            self._kept(asked)
        self._unchecked.clear()
        for watched in self._watched.values():
            for wrong in watched.wrongs(self._ledger):
                raise Failed(wrong)

    def last_look(self) -> None:
        """The whole ledger as an auditor takes it, and what was never answered."""
        self.look()
        for asked in self._asked.values():
            self._never(asked)
        self.checks["whole ledgers audited, with books at zero"] += 1
        found = audited(self._ledger, self._registry, ring=self._ring)
        for difference in found.differences:
            raise Failed(f"the audit differs: {difference}")
        books = read_books(self._ledger, Interval())
        for name, one in books.tables.items():
            total = sum(each.closing for each in one.accounts.by_name.values())
            if total:
                raise Failed(f"the books of {name} are {total} micros off zero")
        for name, link in books.links.items():
            for meter, reading in link.readings.items():
                account = link.accounts.of(f"meter {meter}").closing
                if account != reading:
                    raise Failed(f"meter {meter} of {name} shows {reading}, the books {account}")

    def version(self, table: str) -> int:
        return self._ledger.head(f"{TABLE}{table}").version

    def _follow(self, stream: str) -> None:
        """Each line fits the one before, balances by itself, and answers nothing twice."""
        start = (0, genesis(self._ledger.id, stream))
        version, previous = self._ends.get(stream, start)
        for line in self._ledger.read(stream, after=version):
            if line.version != version + 1 or line.previous != previous:
                raise Failed(f"{stream}, line {line.version}: the chain is broken")
            if line.hash != line.digest():
                raise Failed(f"{stream}, line {line.version}: its hash is not its own")
            self._balance(line)
            self._once(line)
            self._by_two(line)
            self.checks["lines that follow, balance, and answer nothing twice"] += 1
            version, previous = line.version, line.hash
            self.lines += 1
        self._ends[stream] = (version, previous)

    def _balance(self, line: LedgerLine) -> None:
        entries = read_entries(line.entries)
        if sum(micros for _, micros in entries):
            raise Failed(f"{line.stream}, line {line.version}: its entries do not sum to zero")
        for account, micros in entries:
            name = f"{line.stream} {account}"
            self._balances[name] = self._balances.get(name, 0) + micros
            if account.startswith("purse") and self._balances[name] < 0:
                raise Failed(f"{name} is below zero after line {line.version}")
        if line.stream.startswith(TABLE):
            if line.at_us < self._last_us.get(line.stream, 0):
                raise Failed(f"{line.stream}, line {line.version}: time goes back")
            self._last_us[line.stream] = line.at_us
        if line.stream.startswith(LINK):
            self._meters(line)

    def _meters(self, line: LedgerLine) -> None:
        """A reading is what stood there, moved by what the line says."""
        event: Any = read_kept(line.body)
        before = self.readings.get(line.stream, {})
        after = readings_after(before, event)
        by = getattr(event, "by_micros", None)
        if by is not None:
            if after[event.meter] != before[event.meter] + by:
                raise Failed(
                    f"{line.stream}, line {line.version}: the meter was not at its reading"
                )
            self.awards += event.why == "wager-settled" and by < 0
        self.readings[line.stream] = after

    def _once(self, line: LedgerLine) -> None:
        if not line.command:
            return
        place = (line.stream, line.version)
        if line.command_id in self._commands:
            raise Failed(f"command {line.command_id} is answered twice, also at {place}")
        self._commands[line.command_id] = place

    def _by_two(self, line: LedgerLine) -> None:
        """Whatever takes two people was done by two; its line names them, in the same command."""
        if not line.stream.startswith(TABLE):
            return
        owed = self._owed.pop(line.stream, None)
        event = read_kept(line.body) if line.kind in POWERFUL else None
        if isinstance(event, ev.PowerUsed):
            takes_two = any(power == event.act and rule.second for power, rule in RULES.items())
            if takes_two and event.second in ("", event.by):
                raise Failed(f"{line.stream}, line {line.version}: {event.by} did it alone")
            self.checks["acts of power that two people stand behind"] += takes_two
        elif owed is not None and owed.command_id != line.command_id:
            raise Failed(
                f"{owed.stream}, line {owed.version}: {owed.kind}, and nobody says by whom"
            )
        elif isinstance(event, TableInstalled):
            self._practice |= {line.stream} if event.practice else set()
        elif owed is not None or _takes_two(event, practice=line.stream in self._practice):
            self._owed[line.stream] = owed or line

    def _kept(self, asked: Asked) -> None:
        """What somebody was told is in the ledger, word for word."""
        assert asked.answer is not None
        self.checks["answers found in the ledger, word for word"] += 1
        outcome, version, sentence, clause = asked.answer
        streams = (f"{TABLE}{asked.table}", f"{REFUSALS}{asked.table}")
        own = [line for line in self._ledger.answered(asked.kept_id) if line.stream in streams]
        if not own:
            raise Failed(f"command {asked.id} was acknowledged ({outcome}), and is not there")
        event = read_kept(own[0].body)
        if not isinstance(event, CommandRefused):  # of those only the hash is kept
            said = json.loads(own[0].command)
            if said["do"] != asked.command["do"] or said["by"] != asked.by:
                raise Failed(f"command {asked.id} of {asked.by} stands there as {said}")
        if isinstance(event, CommandRefused) != (outcome == "refused"):
            raise Failed(f"command {asked.id} was {outcome}, and stands there as {own[0].kind}")
        if own[0].actor != asked.by:
            raise Failed(f"command {asked.id} of {asked.by} stands there as {own[0].actor}'s")
        if isinstance(event, CommandRefused):
            if (event.sentence, event.clause) != (sentence, clause):
                raise Failed(f"command {asked.id} was refused with other words than are kept")
        elif (said := json.loads(own[0].command))["do"] != asked.command["do"]:
            raise Failed(f"command {asked.id} of {asked.by} stands there as {said}")
        elif own[-1].version != version:
            raise Failed(f"command {asked.id} ends at {own[-1].version}, and {version} was told")

    def _never(self, asked: Asked) -> None:
        """Where every answer was a no that nothing is written for, nothing is written."""
        only_noes = asked.answer is None and asked.noes and not asked.in_doubt
        self.checks["noes that left nothing in the ledger"] += bool(only_noes)
        if only_noes and asked.kept_id in self._commands:
            raise Failed(f"command {asked.id} was told {asked.noes}, and is in the ledger")
