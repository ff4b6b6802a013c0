"""Who may do what in the pit: one table, so that no right is joined to another by accident.

Nobody can do everything: who deals changes no setting, who keeps accounts gives no command at a
table, who watches touches nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from croupier.table.commands import Role as TableRole
from croupier.table.options import Viewing
from croupier.table.powers import PitRole

Right = Literal["recall", "people", "second", "access", "tables", "links", "program", "analyze"]
PIT_ROLES: tuple[PitRole, ...] = get_args(PitRole)


class RoleAccess(NamedTuple):
    """What a role is at a table, if anything, what it sees there, and its rights beside it."""

    table: TableRole | None
    sees: Viewing
    rights: frozenset[Right]


def _access(table: TableRole | None, sees: Viewing, *rights: Right) -> RoleAccess:
    return RoleAccess(table, sees, frozenset(rights))


ROLE_ACCESS: Mapping[PitRole, RoleAccess] = {
    "player": _access("player", "player", "recall"),
    "dealer": _access("dealer", "dealer", "recall"),
    "floorperson": _access("floorperson", "floorperson", "recall"),
    "manager": _access(
        "manager", "manager", "recall", "second", "tables", "links", "program", "analyze"
    ),
    "surveillance": _access(None, "surveillance", "recall", "access"),
    "auditor": _access(None, "surveillance", "recall", "access", "analyze"),
    "administrator": _access(None, "public", "people", "second", "access", "tables"),
}
