"""``croupier export``: round records, one line of JSON a round."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from croupier.audit.records.files import ledger_records, read_records, round_file_record
from croupier.audit.records.reader import round_of, write_record
from croupier.audit.records.schema import AnyRecord, RoundRecord, schema
from croupier.cli.files import text_of
from croupier.cli.ledger_address import chosen_table, is_ledger, keys_in, reading, with_keys
from croupier.cli.progress_bar import counting
from croupier.disk import whole_file
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.rounds import tables_of
from croupier.ledger.store.address import sqlite_path
from croupier.table.round_file import write_round

Write = Callable[[bytes], object]
MOST_ROUNDS = 10**9


def export(
    source: str | None = None,
    /,
    *,
    table: str | None = None,
    rounds: str | None = None,
    keys: Path | None = None,
    out: Path | None = None,
    as_: Annotated[Literal["records", "toml"], Parameter(name="--as")] = "records",
    schema_: Annotated[bool, Parameter(name="--schema", negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Write the rounds of a ledger as records, in JSON lines.

    A record settles again anywhere. It holds the rules in force, boxes, wagers, decisions, cards
    with where and when each went, what was paid, meters and irregularities. Cards that were never
    turned are named only with the keys, and otherwise counted. docs/round-records.md tells every
    field. A round file of croupier settle becomes a record too, and a record a round file again.

    For example:

        croupier export evening.db --out evening.jsonl

        croupier export evening.db --table 12 --rounds 7-9 --keys keys.json

        croupier export tonight.toml

        croupier export evening.jsonl --rounds 7 --as toml

    Parameters
    ----------
    source
        A ledger (file or postgresql:// address), a round file in TOML, or a file of records.
    table
        Only the rounds of this table.
    rounds
        Only these rounds: 7, 7-9 or 7-.
    keys
        The file of keys that sealed the shoe, to name what was never turned.
    out
        The file to write, a new one; without it standard output.
    as_
        records, or toml: one round as the file that croupier settle reads.
    schema_
        Print the JSON Schema of a record.
    """
    if schema_:
        if (source, table, rounds, keys, out) != (None,) * 5 or as_ != "records":
            raise Unreadable("--schema prints the schema of a record and needs nothing beside it")
        print(schema().decode(), end="")
        return 0
    if source is None:
        raise Unreadable("name a ledger, a round file or a file of records; or ask for --schema")
    records = _records(source, table, _rounds(rounds), keys, registry)
    with _writing(out) as write:
        if as_ == "toml":
            write(_one_round(records, registry).encode())
        else:
            for record in records:
                write(write_record(record) + b"\n")
    return 0


def _rounds(written: str | None) -> range | None:
    if written is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9})(?:(-)([0-9]{1,9})?)?", written, re.ASCII)
    if match is None:
        raise Unreadable(f"{quoted(written)} names no rounds; write 7, 7-9 or 7-")
    first = int(match[1])
    last = int(match[3]) if match[3] else MOST_ROUNDS if match[2] else first
    if last < first:
        raise Unreadable(f"{quoted(written)} ends before it begins; write 7, 7-9 or 7-")
    return range(first, last + 1)


def _records(
    source: str, table: str | None, wanted: range | None, keys: Path | None, registry: Registry
) -> Iterator[AnyRecord]:
    if is_ledger(source):
        yield from _of_ledger(source, table, wanted, keys, registry)
        return
    path = sqlite_path(source)
    if keys is not None:
        raise Unreadable(f"{path} is no ledger; keys open nothing in it")
    if path.suffix == ".toml":
        if table is not None or wanted is not None:
            raise Unreadable(f"{path} holds one round; leave --table and --rounds out")
        yield _of_round_file(path, registry)
        return
    if path.is_file() and not path.stat().st_size:
        raise Unreadable(f"{path} is empty: it is not a ledger, nor a file of records")
    tables: set[str] = set()
    with counting("reading records"):
        for _, record in read_records(path):
            tables.add(record.table)
            outside = isinstance(record, RoundRecord) and wanted and record.round not in wanted
            if not outside and table in (None, record.table):
                yield record
    if table is not None:
        known_name(table, sorted(tables), "table", where=str(path))


def _of_ledger(
    source: str, table: str | None, wanted: range | None, keys: Path | None, registry: Registry
) -> Iterator[AnyRecord]:
    ring = keys_in(keys)
    with reading(source) as ledger, with_keys(keys):
        tables = tables_of(ledger) if table is None else [chosen_table(ledger, table)]
        with counting(
            "writing records", sum(ledger.head(f"{TABLE}{name}").version for name in tables)
        ) as progress:
            for record in ledger_records(ledger, tables, registry, ring, wanted):
                yield record
                if isinstance(record, RoundRecord):
                    progress(record.last_line - record.first_line + 1)


def _of_round_file(path: Path, registry: Registry) -> AnyRecord:
    try:
        return round_file_record(text_of(path), registry)
    except (Unreadable, Refusal) as error:
        raise Unreadable(f"{path}: {error}") from None


def _one_round(records: Iterator[AnyRecord], registry: Registry) -> str:
    rounds = (record for record in records if isinstance(record, RoundRecord))
    found = list(islice(rounds, 2))
    if len(found) != 1:
        many = "no round" if not found else "more than one round"
        raise Unreadable(f"a round file holds one round, and this is {many}; name it with --rounds")
    return write_round(round_of(found[0], registry))


@contextmanager
def _writing(out: Path | None) -> Iterator[Write]:
    if out is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    if out.is_file():
        raise Unreadable(f"{out} is there already and is not written over")
    try:
        with whole_file(out) as made:
            yield made.write
    except OSError as error:
        raise Unreadable(f"{out} cannot be written: {error.strerror}") from None
