"""A snapshot of a table, written between two rounds now and then: replay begins there.

Such a line says nothing that the lines before it do not say, and an auditor holds it against them.
A card that nobody was shown stands in it as its place in a pack that everybody can be held to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

import msgspec

from croupier.facts.errors import Unreadable
from croupier.ledger.events import TableSnapshot, read_kept, tag_of
from croupier.ledger.shoe.card_tokens import is_token, place, token
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.verification import verified_line
from croupier.table.state import Round, SnapshotFields, State
from croupier.table.terms import Terms

EVERY = 1000
"""Lines after which a table, or a link, tells once more how it stands."""

replace = msgspec.structs.replace
Renamed = Callable[[str], str]


def snapshot_of(state: State, places: Mapping[str, int], pack: int, before: int) -> TableSnapshot:
    """The line for a table whose round is about to begin.

    ``places`` says where each card of the round that is over lay, in the pack of line ``pack``;
    ``before`` is the last line that said how the table stood, 0 where this program cannot read it.
    """
    whole = SnapshotFields(*(getattr(state, name) for name in SnapshotFields.__struct_fields__))
    if state.last is not None:
        up = state.last.up
        hidden = {card: token(lay) for card, lay in places.items() if card not in up}
        whole = replace(whole, last=_with_cards(state.last, lambda card: hidden.get(card, card)))
    told = msgspec.to_builtins(whole, order="deterministic", str_keys=True)
    return TableSnapshot(
        clauses=(), round=state.round.number, pack=pack, before=before, shape=SHAPE, table=told
    )


def newest_snapshot(ledger: Ledger, stream: str) -> tuple[int, TableSnapshot] | None:
    """The newest line that says how the table stands, and the number of that line."""
    line = ledger.last_of(stream, tag_of(TableSnapshot))
    return readable(verified_line(ledger, line)) if line is not None else None


def snapshot_at(ledger: Ledger, stream: str, version: int) -> tuple[int, TableSnapshot] | None:
    """The one that another names as the one before it."""
    line = next(ledger.read(stream, after=version - 1, most=1), None) if version else None
    return readable(line) if line is not None else None


def readable(line: LedgerLine) -> tuple[int, TableSnapshot] | None:
    """Nothing where a program wrote it that kept something else of a table than this one does."""
    try:
        event = read_kept(line.body)
    except msgspec.DecodeError:
        raise _altered(f"{line.stream}, line {line.version}") from None
    if isinstance(event, TableSnapshot) and event.shape == SHAPE:
        return line.version, event
    return None


def table_at(told: TableSnapshot, terms: Terms) -> State:
    try:
        whole = msgspec.convert(told.table, SnapshotFields, str_keys=True)
    except msgspec.ValidationError:
        raise _altered(f"before round {told.round}") from None
    fields = {name: getattr(whole, name) for name in SnapshotFields.__struct_fields__}
    return State(terms=terms, **fields)


def _altered(where: str) -> Unreadable:
    return Unreadable(f"{where}: this does not tell how a table stands; audit the ledger")


def with_last(state: State, cards: Mapping[int, str]) -> State:
    """The table with those cards of the round that is over which are known here."""
    if state.last is None:
        return state

    def known(card: str) -> str:
        return cards.get(place(card), card) if is_token(card) else card

    return replace(state, last=_with_cards(state.last, known))


def _with_cards(round: Round, renamed: Renamed) -> Round:
    """The round with its cards under other names, wherever it has them."""
    return replace(
        round,
        boxes={
            seat: replace(box, cards=tuple(map(renamed, box.cards)))
            for seat, box in round.boxes.items()
        },
        places={name: tuple(map(renamed, cards)) for name, cards in round.places.items()},
        out=frozenset(map(renamed, round.out)),
        set_aside=tuple(map(renamed, round.set_aside)),
    )


def _unsaid(schema: object) -> object:
    """A schema without its sentences."""
    match schema:
        case dict():
            return {name: _unsaid(part) for name, part in schema.items() if name != "description"}
        case list():
            return [_unsaid(part) for part in schema]
    return schema


_SCHEMA = msgspec.json.encode(_unsaid(msgspec.json.schema(SnapshotFields)), order="deterministic")
SHAPE = hashlib.sha256(_SCHEMA).hexdigest()[:16]
"""What this program keeps of a table. Where a fold comes to keep more, a line that was written
before it knows nothing of that, and the table is read from its first line once."""
