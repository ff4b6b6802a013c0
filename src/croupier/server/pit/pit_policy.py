"""The preset of powers that a pit is run under: chosen once, kept in the ledger, never changed."""

from __future__ import annotations

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


def policy_of(ledger: Ledger, clock: Clock, asked: Preset | str = "") -> Policy:
    """The policy that was chosen when the pit was set up; another one asked for is refused.

    Of processes that start together on an empty ledger the first line counts.
    """
    journal: Journal[PolicyChosen] = Journal(ledger, STREAM, PolicyChosen, clock)
    kept = next(journal.news(), None)
    if kept is None:
        preset: Preset = "home" if asked == "home" else "casino"
        journal.write(PolicyChosen(preset), SYSTEM, "device")
        kept = next(journal.news())
    if asked and asked != kept.preset:
        raise Unreadable(
            f"this pit was set up under the {kept.preset} policy of powers, and stays under it; "
            "another one needs a ledger of its own"
        )
    return POLICIES[kept.preset]
