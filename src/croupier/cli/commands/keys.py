"""``croupier keys``: the keys that seal the shoe."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.key_ring import KeyRing, create_ring, retire_key, ring_of, rotate_ring


class _KeyLine(msgspec.Struct, frozen=True):
    id: str
    made_at: str
    current: bool


def keys(
    action: Literal["new", "rotate", "retire", "show"],
    /,
    *,
    file: Path | None = None,
    key: str | None = None,
    json_: AsJson = False,
) -> int:
    """Make, rotate, retire or show the keys that seal the shoe.

    A key itself is never shown. The file is for its owner alone (mode 0600) and belongs neither
    into the database nor onto its backups. Whoever loses it loses the round in progress and every
    card that stayed face down.

    For example:

        croupier keys new --file keys.json

        croupier keys rotate --file keys.json

        croupier keys show --file keys.json

        croupier keys retire --key 0123456789abcdef --file keys.json

    Parameters
    ----------
    action
        new: a ring with one key in a new file. rotate: a new key seals from now on, the others
        still open. retire: a key is taken off the ring, and what it sealed stays shut for ever.
        show: ids and times.
    file
        The key file; show without it reads the environment variable CROUPIER_KEYS.
    key
        The id of the key to retire.
    json_
        Print one JSON document.
    """
    if (action == "retire") != (key is not None):
        raise Unreadable("a key is named with --key for retire, and only for retire")
    try:
        ring = _ring_after(action, file, key)
    except OSError as error:
        raise Unreadable(f"{file}: the keys cannot be written: {error.strerror}") from None
    shown = [_KeyLine(each.id, each.made_at, each is ring.current) for each in ring.keys]
    if json_:
        print_json({"keys": msgspec.to_builtins(shown)})
        return 0
    screen = Screen(highlight=False, markup=False, soft_wrap=True)
    for each in shown:
        screen.print(f"{each.id}  made {each.made_at}  {'seals' if each.current else 'opens'}")
    return 0


def _ring_after(action: str, file: Path | None, key: str | None) -> KeyRing:
    if action == "show":
        return ring_of(file)
    if file is None:
        raise Unreadable("name the key file with --file")
    if key is not None:
        return retire_key(file, key)
    return create_ring(file) if action == "new" else rotate_ring(file)
