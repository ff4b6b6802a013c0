"""Short ways to write a command as the people at the table give it."""

from __future__ import annotations

from croupier.table import commands as do


def dealer(kind: type[do.Command], **values: object) -> do.Command:
    return kind(by="Dee", role="dealer", **values)  # type: ignore[arg-type]


def floor(kind: type[do.Command], **values: object) -> do.Command:
    return kind(by="Flo", role="floorperson", **values)  # type: ignore[arg-type]


def manager(kind: type[do.Command], by: str = "Mo", **values: object) -> do.Command:
    return kind(by=by, role="manager", **values)  # type: ignore[arg-type]


def player(kind: type[do.Command], name: str = "P1", **values: object) -> do.Command:
    return kind(by=name, role="player", **values)  # type: ignore[arg-type]


def device(kind: type[do.Command], **values: object) -> do.Command:
    return kind(by="acceptor", role="device", **values)  # type: ignore[arg-type]


def seconded(act: str, box: int = 0) -> do.Command:
    """A manager's word, as the second person, on what somebody began."""
    return manager(do.Second, act=act, box=box, upheld=True)
