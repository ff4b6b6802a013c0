"""The preset of powers that a pit is run under: chosen once, kept in the ledger, never changed.

One-time codes of staff may be asked for from a later start on, and then for good.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from croupier.facts.errors import Unreadable
from croupier.ledger.events import PIT
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.port import Ledger
from croupier.server.access.people import SYSTEM
from croupier.server.pit.journal import Journal
from croupier.table.powers import POLICIES, Policy, Preset

STREAM = f"{PIT}policy"


class PolicyChosen(msgspec.Struct, frozen=True, tag_field="event", tag="policy-chosen"):
    preset: Preset
    codes: bool = False


def policy_of(
    ledger: Ledger, clock: Clock, asked: Preset | str = "", *, codes: bool = False
) -> Policy:
    """The policy that was chosen when the pit was set up; another one asked for is refused.

    Unreadable where it is there and not to be believed: nothing could be run under it. Of
    processes that start together on an empty ledger the first line counts.
    """
    journal: Journal[PolicyChosen] = Journal(ledger, STREAM, PolicyChosen, clock)
    lines = list(journal.news())
    if not lines and ledger.macs is not None and STREAM in ledger.macs.refused:
        raise ledger.macs.refused[STREAM]
    if not lines:
        preset: Preset = "home" if asked == "home" else "casino"
        journal.write(PolicyChosen(preset, codes), SYSTEM, "device")
        lines = list(journal.news())
    kept, asks_codes = lines[0], any(line.codes for line in lines)
    if asked and asked != kept.preset:
        raise Unreadable(
            f"this pit was set up under the {kept.preset} policy of powers, and stays under it; "
            "another one needs a ledger of its own"
        )
    if codes and not asks_codes:
        journal.write(PolicyChosen(kept.preset, codes), SYSTEM, "device")
    return replace(POLICIES[kept.preset], codes=codes or asks_codes)
