"""The one policy of powers: for each act who may, who seconds it, and above which amount.

The engine asks it of what is done at a table, the service of keys, staff, where they work, tables,
links, the program and the clock.
Under the ``casino`` preset two people stand behind every such act; under ``home`` one of those who
may is enough, and the act is marked as done alone. Which of the two holds is written down when a
pit is set up, and so is whether staff give a one-time code beside the password.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, get_args

from croupier.facts.money import Cents, dollars
from croupier.table.commands import Role

Power = Literal[
    "irregularity", "void", "refuse-win", "abandon", "buy-in", "cash-out", "pay-kept", "free-box",
    "count-drop", "lock", "unlock", "correct", "keys", "program", "clock", "table", "link", "staff",
]  # fmt: skip
PitRole = Literal[
    "player", "dealer", "floorperson", "manager", "surveillance", "auditor", "administrator"
]
AnyRole = Role | PitRole
Preset = Literal["casino", "home"]
PRESETS: tuple[Preset, ...] = get_args(Preset)

_PLAYER: tuple[AnyRole, ...] = ("player",)
_FLOOR: tuple[AnyRole, ...] = ("floorperson", "manager")
_STAFF: tuple[AnyRole, ...] = ("dealer", *_FLOOR)
_OFFICE: tuple[AnyRole, ...] = ("manager", "administrator")
LARGE = Cents(10_000_00)


class Assigned(Protocol):
    """Somebody with a role, and the tables that he works at; all of them where none is named."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> PitRole: ...

    @property
    def tables(self) -> tuple[str, ...] | None: ...


class Actor(NamedTuple):
    """Somebody who does his part of an act."""

    name: str
    role: AnyRole


@dataclass(frozen=True)
class PowerRule:
    """``may``: who does it or begins it. ``second``: who confirms it, nobody where one is enough.

    ``manager``: one of the two has to be a manager. ``above_cents``: up to this sum, counted
    together for one person until somebody seconds or the drop is counted, one is enough.
    """

    title: str
    may: tuple[AnyRole, ...]
    second: tuple[AnyRole, ...] = ()
    manager: bool = False
    above_cents: Cents = Cents(0)

    def reaches(self, cents: int) -> bool:
        """Whether a sum is one that the rule is about."""
        return not self.above_cents or cents > self.above_cents


RULES: Mapping[Power, PowerRule] = {
    "irregularity": PowerRule("Declare an irregularity that moves money", _STAFF, _FLOOR),
    "void": PowerRule("Void a round that cannot go on", _FLOOR, _FLOOR, manager=True),
    "refuse-win": PowerRule("Refuse a Progressive win", _FLOOR, ("manager",)),
    "abandon": PowerRule("Rule a hand abandoned: every wager lost", _FLOOR, _FLOOR),
    "buy-in": PowerRule("Sell chips to a player", _STAFF, _FLOOR, above_cents=LARGE),
    "cash-out": PowerRule("Cash chips out", _PLAYER, _FLOOR, above_cents=LARGE),
    "pay-kept": PowerRule("Pay out chips that are kept for somebody", _FLOOR, _FLOOR),
    "free-box": PowerRule("Free the box of a player who is gone, his chips kept", _FLOOR),
    "count-drop": PowerRule("Count the drop box", _FLOOR, _FLOOR),
    "lock": PowerRule("Lock a table for a dispute", _FLOOR),
    "unlock": PowerRule("Unlock a table after a dispute", _FLOOR, _FLOOR),
    "correct": PowerRule("End a dispute by a correction", _FLOOR, _FLOOR),
    "keys": PowerRule(
        "Seal with a new key, or end a round whose keys are lost", ("device",), ("manager",)
    ),
    "program": PowerRule("Play on with a changed program", ("device",), ("manager",)),
    "clock": PowerRule("Play on after the clock ran ahead", ("device",), ("manager",)),
    "table": PowerRule("Bring in a table, and open its link", _OFFICE, _OFFICE),
    "link": PowerRule("Close a link, or open it again", ("manager",), _OFFICE),
    "staff": PowerRule(
        "Let staff in, or give them another role, other tables, a new password or device",
        ("administrator",),
        _OFFICE,
    ),
}


@dataclass(frozen=True)
class Policy:
    """A preset over the rules; ``one_is_enough``: whoever may begin or second may do it alone.
    ``codes``: staff give a one-time code beside the password when they come in.
    """

    name: Preset
    one_is_enough: bool
    rules: Mapping[Power, PowerRule]
    codes: bool = False

    def waits(self, power: Power, cents: int = 0) -> bool:
        """Whether an act that somebody began has to be seconded before it happens."""
        rule = self.rules[power]
        return bool(rule.second) and rule.reaches(cents) and not self.one_is_enough

    def is_marked(self, power: Power, cents: int = 0) -> bool:
        """Whether it is written down who did it, and with whom or alone."""
        return self.rules[power].reaches(cents)

    def why_not_second(self, power: Power, first: Actor, second: Actor) -> str:
        """Why these two are not the two who may; nothing where they are."""
        rule = self.rules[power]
        if second.role not in (*rule.second, *(rule.may if self.one_is_enough else ())):
            return f"That is for {' or '.join(rule.second)}, not {second.role}"
        if self.one_is_enough:
            return ""
        if second.name == first.name:
            return f"{second.name} began it; a second person confirms it"
        if rule.manager and "manager" not in (first.role, second.role):
            return "One of the two has to be a manager"
        return ""

    def asks_code(self, role: PitRole) -> bool:
        return self.codes and is_staff(role)

    @staticmethod
    def why_not_here(who: Assigned, table: str) -> str:
        """Why somebody has no business at a table; nothing where he has. Players go where they
        like, and staff where they work."""
        if who.tables is None or table in who.tables or not is_staff(who.role):
            return ""
        return f"{who.name} does not work at table {table}"


def is_staff(role: AnyRole) -> bool:
    return role != "player"


CASINO = Policy("casino", one_is_enough=False, rules=RULES)
HOME = Policy("home", one_is_enough=True, rules=RULES)
POLICIES: Mapping[Preset, Policy] = {"casino": CASINO, "home": HOME}


class PowerLine(NamedTuple):
    """One act of a policy, in the words that pages and docs print."""

    act: str
    may: str
    second: str
    above: str


def in_words(policy: Policy) -> tuple[PowerLine, ...]:
    """The whole policy, line by line."""
    lines = []
    for rule in policy.rules.values():
        alone = "nobody; the act is marked" if rule.second else "nobody"
        second = alone if policy.one_is_enough or not rule.second else _listed(rule.second)
        if rule.manager and not policy.one_is_enough:
            second += ", a manager among the two"
        above = dollars(rule.above_cents) if rule.above_cents else ""
        lines.append(PowerLine(rule.title, _listed(rule.may), second, above))
    return tuple(lines)


def _listed(roles: tuple[AnyRole, ...]) -> str:
    names = ["the service" if role == "device" else role for role in roles]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
