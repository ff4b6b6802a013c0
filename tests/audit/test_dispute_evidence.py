"""The evidence of a dispute: the case from its opening to its end, also when its round was over."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from croupier.audit.dispute_evidence import DisputeEvidence, dispute_evidence
from croupier.ledger.events import TABLE
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.table import commands as do
from croupier.table.views import PUBLIC, SURVEILLANCE, Viewer
from tests.ledger.evenings import Evening

OPENED, PAID, ENDED = "dispute-opened", "shortfall-paid", "dispute-ended"


def evidence(
    ledger: Ledger, evening: Evening, table: KeptTable, about: int, viewer: Viewer = SURVEILLANCE
) -> DisputeEvidence:
    rounds = kept_rounds(ledger, table.name, evening.registry)
    kept = next(one for one in rounds if one.number == about)
    return dispute_evidence(ledger, table.name, 1, kept, viewer)


def test_what_was_said_of_a_round_that_was_over_is_in_the_file(tmp_path: Path) -> None:
    """Opened after one round, ended after another one; each line once, in its order."""
    evening = Evening(seed=3)
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 2)
        evening.play(table, 2)
        opening = do.OpenDispute(by="dealer", role="dealer", box=1, reason="paid short")
        evening.give(table, opening)
        assert evidence(ledger, evening, table, 2).case.state == "open"
        evening.play(table, 1)
        ends = do.EndDispute(
            by="Flo", role="floorperson", number=1, outcome="corrected", cents=5_00, note="a push"
        )
        evening.give(table, ends)
        upheld = do.Second(by="Max", role="manager", act="correct", box=1, upheld=True)
        evening.give(table, upheld)
        told = evidence(ledger, evening, table, 2)
        assert (told.case.state, told.case.moved_cents) == ("corrected", 5_00)
        names = [event.event for event in told.events]
        assert names[-3:] == [OPENED, PAID, ENDED]
        lines = [event.line for event in told.events]
        assert lines == sorted(set(lines))
        kept = {line.version: line for line in ledger.read(f"{TABLE}{table.name}")}
        for event in told.events[-3:]:
            assert event.hash == kept[event.line].hash.hex()
            assert event.at
        assert "$5" in told.events[-2].says
        seen = evidence(ledger, evening, table, 2, PUBLIC)
        assert {event.by for event in seen.events if event.event == ENDED} == {"manager"}
