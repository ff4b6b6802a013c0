"""Role-based access control: one table, so that no right is joined to another by accident.

Nobody can do everything: who deals changes no setting, who keeps accounts gives no command at a
table, who watches touches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from croupier.table.commands import Role as TableRole
from croupier.table.options import Viewing
from croupier.table.powers import RULES, AnyRole, PitRole

Right = Literal["recall", "people", "second", "access", "tables", "links", "program", "analyze"]
PIT_ROLES: tuple[PitRole, ...] = get_args(PitRole)


class RoleAccess(NamedTuple):
    """What a role is at a table, if anything, what it sees there, and its rights beside it."""

    table: TableRole | None
    sees: Viewing
    rights: frozenset[Right]


OF_THE_POLICY: Mapping[Right, tuple[AnyRole, ...]] = {
    "people": RULES["staff"].may,
    "second": RULES["staff"].second,
    "tables": RULES["table"].may,
    "links": RULES["link"].may,
    "program": RULES["program"].second,
}
"""Rights to what is an act of the policy of powers, which says whose they are."""


_AT_TABLES: Mapping[PitRole, tuple[TableRole | None, Viewing, tuple[Right, ...]]] = {
    "player": ("player", "player", ("recall",)),
    "dealer": ("dealer", "dealer", ("recall",)),
    "floorperson": ("floorperson", "floorperson", ("recall",)),
    "manager": ("manager", "manager", ("recall", "analyze")),
    "surveillance": (None, "surveillance", ("recall", "access")),
    "auditor": (None, "surveillance", ("recall", "access", "analyze")),
    "administrator": (None, "public", ("access",)),
}
ROLE_ACCESS: Mapping[PitRole, RoleAccess] = {
    role: RoleAccess(
        table,
        sees,
        frozenset(rights) | {right for right, whose in OF_THE_POLICY.items() if role in whose},
    )
    for role, (table, sees, rights) in _AT_TABLES.items()
}
