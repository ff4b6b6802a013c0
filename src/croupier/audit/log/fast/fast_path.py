"""The fast path of the log audit: kernels pass good rounds, the rest go to the judge.

A table is met by the judge first: when one of its rounds is read, its rules are compiled. Only then
are its other rounds checked here, and only for as long as table and terms stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.audit.log.fast.grammar import Shapes, the_shapes
from croupier.audit.log.fast.kernels import check, gather, run, scan
from croupier.audit.log.fast.record_rules import NotCompilable, hands_of, record_rules_of
from croupier.audit.log.sequence_checks import SequenceChecker, SequencedRound
from croupier.audit.log.submission_lookup import SubmissionLookup
from croupier.audit.records import schema as rec
from croupier.audit.records.blocks import LineBlock, plain_lines
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.rules import PROGRESSIVE
from croupier.games.shapes import shape_of
from croupier.rulebook.book import Rulebook
from croupier.simulate.rule_cases import LOOKS

LONGEST_TAPE = 100_000
ROWS = 1_024
MOST_TABLES = 1_000


class PassedLines(NamedTuple):
    """A round that is as it must be, and what it adds to the totals."""

    rulebook: str
    boxes: int
    wagered_cents: int
    won_cents: int
    began_us: int
    ended_us: int


class KnownRules(NamedTuple):
    """A table whose rules are in arrays."""

    key: int
    compiled: check.RecordRules
    hands: run.RankTable
    table: check.RecordArrays
    book: Rulebook
    ledger: str
    name: str
    meters: dict[int, str]
    ways: dict[int, str]


class FastPath:
    def __init__(self, filed: SubmissionLookup, watch: SequenceChecker) -> None:
        self._filed, self._watch = filed, watch
        self._shapes = the_shapes()
        self._grammar, self._ids = self._shapes.grammar, ids_of(self._shapes)
        self._none = self._shapes.hash("")
        self._seen = gather.new_seen()
        self._scratch = run.Scratch(
            fields=np.empty(LONGEST_TAPE, dtype=np.int64),
            values=np.empty(LONGEST_TAPE, dtype=np.int64),
            sums=np.zeros(gather.BOXES, dtype=np.int64),
            stack=np.zeros((scan.DEEPEST, 3), dtype=np.int64),
            bits=np.zeros(scan.DEEPEST, dtype=np.uint64),
        )
        self._rows = np.zeros((ROWS, run.ROW), dtype=np.int64)
        self._known: dict[int, KnownRules] = {}
        self._line: tuple[NDArray[np.uint8], int, int] | None = None

    def lines(self, block: LineBlock) -> Iterator[tuple[int, PassedLines | bytes]]:
        """Each line in its order: passed, or as it is, for the judge."""
        try:
            if not block.content.isascii():
                block.content.decode()
        except UnicodeDecodeError:
            yield from plain_lines(block)
            return
        buffer = np.frombuffer(block.content, dtype=np.uint8)
        starts = np.concatenate(([0], np.flatnonzero(buffer == ord("\n")) + 1))
        at, known = 0, None
        while at < len(starts) - 1:
            known = known or self._known.get(self._key(buffer, starts[at], starts[at + 1] - 1))
            why = run.UNUSUAL
            if known is not None:
                at, why, passed = self._run(buffer, starts, at, known)
                yield from self._passed(block, starts, known, passed)
            if why == run.UNUSUAL:
                self._line = buffer, int(starts[at]), int(starts[at + 1] - 1)
                yield block.first + at, block.content[starts[at] : starts[at + 1] - 1]
                at += 1
            if why != run.FULL:
                known = None

    def _run(
        self, buffer: NDArray[np.uint8], starts: NDArray[np.int64], at: int, known: KnownRules
    ) -> tuple[int, int, int]:
        return run.run(
            buffer,
            starts,
            at,
            self._grammar,
            self._ids,
            known.compiled,
            known.key,
            known.hands,
            self._seen,
            known.table,
            self._scratch,
            self._rows,
        )

    def _passed(
        self, block: LineBlock, starts: NDArray[np.int64], known: KnownRules, passed: int
    ) -> Iterator[tuple[int, PassedLines | bytes]]:
        """What passed alone may still be wrong after the round before it."""
        book = known.book
        for row in self._rows[:passed].tolist():
            at = row[run.LINE]
            if self._watch.passes(self._sequenced(block.first + at, row, known), book):
                boxes, wagered, won = row[run.R_BOXES], row[run.R_WAGERED], row[run.R_WON]
                began_us = row[run.R_BEGAN] or row[run.R_CLOSED]
                ended_us = row[run.R_ENDED] or began_us
                passed_round = PassedLines(book.id, boxes, wagered, won, began_us, ended_us)
                yield block.first + at, passed_round
            else:
                yield block.first + at, block.content[starts[at] : starts[at + 1] - 1]

    def _sequenced(self, number: int, row: list[int], known: KnownRules) -> SequencedRound:
        meters = {}
        for at in range(run.R_METERS + 1, run.R_METERS + 1 + 3 * row[run.R_METERS], 3):
            if gather.UNSAID not in (row[at + 1], row[at + 2]):
                meters[known.meters[row[at]]] = row[at + 1], row[at + 2]
        deck = stub = None
        if row[run.R_DECK]:
            found = row[run.R_FOUND]
            deck = row[run.R_OPENED], "", None if found == gather.UNSAID else found
        if row[run.R_COUNTED]:
            stub = row[run.R_STUB], row[run.R_ON_TABLE]
        return SequencedRound(
            number,
            known.ledger,
            known.name,
            row[run.R_ROUND],
            known.ways.get(row[run.R_WAY], ""),
            row[run.R_CLOSED],
            row[run.R_DEALT],
            True,
            False,
            bool(known.compiled.linked),
            meters,
            deck,
            stub,
        )

    def _key(self, buffer: NDArray[np.uint8], start: int, end: int) -> int:
        return int(
            run.key_at(
                buffer,
                start,
                end,
                self._grammar,
                self._ids,
                self._seen,
                self._scratch,
                self._none,
            )
        )

    def learn(self, number: int, record: rec.AnyRecord) -> None:
        """After the judge has read a line: its table may take the fast path from now on."""
        line, self._line = self._line, None
        if isinstance(record, rec.TableRecord):
            self._known.clear()
            return
        if line is None or len(self._known) >= MOST_TABLES:
            return
        key = self._key(*line)
        if not key or key in self._known:
            return
        try:
            case = self._filed.case(number, record)
        except (Unreadable, Refusal):
            return
        if any(self._filed.found(case)):
            return
        try:
            compiled = record_rules_of(case.rules, case.submission, case.linked)
        except NotCompilable:
            return
        table = case.rules.paytable(PROGRESSIVE)
        names = [meter.name for meter in table.meters] if table is not None else []
        self._known[key] = KnownRules(
            key=key,
            compiled=compiled,
            hands=hands_of(case.rules),
            table=check.new_table(len(compiled.places), len(LOOKS[shape_of(case.rules)])),
            book=case.book,
            ledger=record.ledger,
            name=record.table,
            meters={self._shapes.hash(name): name for name in names},
            ways={self._shapes.hash(way.way): way.way for way in case.book.dealing},
        )


def ids_of(shapes: Shapes) -> gather.Ids:
    fields, structs = shapes.fields, shapes.structs

    def rows(places: Places) -> NDArray[np.int64]:
        found = np.full(len(fields), -1, dtype=np.int64)
        for struct, names in places.items():
            for name, at in names.items():
                found[fields[struct, name]] = at
        return found

    assert shapes.words(rec.BoxRecord, "absent")[0] == ""
    assert shapes.words(rec.BoxRecord, "refused")[0] == ""
    assert shapes.words(rec.LineRecord, "validation")[0] == ""
    return gather.Ids(
        terms=structs[rec.TermsRecord],
        box=structs[rec.BoxRecord],
        wager=structs[rec.WagerRecord],
        decision=structs[rec.DecisionRecord],
        card=structs[rec.DealtCardRecord],
        hidden=structs[rec.HiddenRecord],
        line=structs[rec.LineRecord],
        meter=structs[rec.MeterRecord],
        deck=structs[rec.DeckRecord],
        stub=structs[rec.StubCountRecord],
        returns=structs[rec.ReturnRecord],
        chips=structs[rec.ChipMoveRecord],
        irregularity=structs[rec.IrregularityRecord],
        void=structs[rec.VoidRecord],
        head=rows(_HEAD),
        boxes=rows(_BOXES),
        lines=rows(_LINES),
        meters=rows(_METERS),
        hiddens=rows(_HIDDEN),
        moves=rows({rec.ChipMoveRecord: {"box": 0, "at_us": 1}}),
        wager_name=fields[rec.WagerRecord, "wager"],
        wager_cents=fields[rec.WagerRecord, "cents"],
        wager_at=fields[rec.WagerRecord, "at_us"],
        cards=rows(_CARDS),
        asked=rows(_ASKED),
        still_settles=fields[rec.RoundRecord, "still_settles"],
    )


Places = dict[type, dict[str, int]]  # by type and field of a record: where it stands in a row
_HEAD: Places = {
    rec.RoundRecord: {
        "status": gather.STATUS,
        "round": gather.ROUND,
        "ledger": gather.LEDGER,
        "table": gather.TABLE,
        "rulebook": gather.RULEBOOK,
        "way": gather.WAY,
        "began_at_us": gather.BEGAN,
        "closed_at_us": gather.CLOSED,
        "ended_at_us": gather.ENDED,
    },
    rec.DeckRecord: {
        "opened_at_us": gather.OPENED,
        "found": gather.FOUND,
    },
    rec.StubCountRecord: {
        "stub": gather.STUB,
        "on_table": gather.ON_TABLE,
    },
}
_BOXES: Places = {
    rec.BoxRecord: {
        "seat": gather.SEAT,
        "player": gather.PLAYER,
        "absent": gather.ABSENT,
        "refused": gather.REFUSED,
        "wagered_cents": gather.WAGERED,
        "won_cents": gather.WON,
        "chips_before_cents": gather.BEFORE,
        "chips_after_cents": gather.AFTER,
    },
}
_LINES: Places = {
    rec.LineRecord: {
        "box": gather.BOX,
        "wager": gather.WAGER,
        "stake_cents": gather.STAKE,
        "outcome": gather.OUTCOME,
        "odds": gather.ODDS,
        "paid_cents": gather.PAID,
        "returned_cents": gather.RETURNED,
        "clause": gather.CLAUSE,
        "validation": gather.VALIDATION,
        **dict.fromkeys(
            (
                "holder",
                "meter",
                "meter_before_micros",
                "meter_after_micros",
                "reset_cents",
                "outside",
                "reversed",
            ),
            gather.ODD,
        ),
    },
}
_METERS: Places = {
    rec.MeterRecord: {
        "name": gather.NAME,
        "at_settlement_micros": gather.AT,
        "before_micros": gather.STOOD,
        "after_micros": gather.LEFT,
        "grew_micros": gather.GREW,
        "shrank_micros": gather.SHRANK,
    },
}
_HIDDEN: Places = {
    rec.HiddenRecord: {
        "place": gather.PLACE,
        "box": gather.OF,
        "count": gather.COUNT,
    },
}
_CARDS: Places = {
    rec.DealtCardRecord: {
        "card": gather.CARD,
        "place": gather.LIES,
        "box": gather.AT_BOX,
        "pack": gather.PACK,
        "at_us": gather.DEALT_US,
        "turned_at_us": gather.TURNED_US,
        "face_up": gather.FACE_UP,
    },
}
_ASKED: Places = {
    rec.DecisionRecord: {
        "street": gather.STREET,
        "action": gather.ACTION,
        "cents": gather.CENTS,
        "at_us": gather.SAID_US,
    },
}
