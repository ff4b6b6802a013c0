"""``croupier replay``: the rounds of a ledger, and any of them told again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.text import Text

from croupier.audit.records import schema as rec
from croupier.audit.records.replay_document import Jackpot, Replay, replay_document, round_shown
from croupier.audit.records.writer import round_record
from croupier.cli.ledger_address import (
    chosen_table,
    iso,
    keys_in,
    lines_of,
    reading,
    round_called,
    when,
    with_keys,
)
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.practice.narrated_table import PlayedEvent
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.round_story import chapter_of, story_report, who_did
from croupier.cli.text.table import signed
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.errors import Unreadable
from croupier.facts.money import money
from croupier.games.registry import Registry
from croupier.ledger.redaction import (
    seen,
    viewer_called,
    visible_actor,
)
from croupier.ledger.rounds import KeptRound, RoundEvent, kept_rounds
from croupier.ledger.store.port import Ledger
from croupier.table import commands as do
from croupier.table.narration import DOWN, in_symbols, narrate, wager_title
from croupier.table.views import Viewer


def replay(
    ledger: str,
    round: int | None = None,
    /,
    *,
    table: str | None = None,
    viewer: str = "public",
    keys: Path | None = None,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell a round of a ledger again, as one viewer saw it.

    Without a number the rounds are listed. A card is told when the table had shown it to the
    viewer, and is face down otherwise. What was never turned is in the ledger only under seal: with
    the keys a player is told his own cards, and surveillance every card that was dealt, once the
    round was played out.

    For example:

        croupier replay evening.db

        croupier replay evening.db 7 --viewer player:Ann --keys keys.json

        croupier replay postgresql://pit@db/ledger 7 --table 12 --viewer surveillance

    Parameters
    ----------
    ledger
        The ledger: a file or a postgresql:// address.
    round
        The number of a round; without it the rounds are listed.
    table
        The table, where the ledger holds several.
    viewer
        Whose eyes: public, dealer, floorperson, surveillance or player:NAME.
    keys
        The file of keys that sealed the shoe.
    json_
        Print one JSON document.
    """
    if round is None and (viewer != "public" or keys is not None):
        raise Unreadable("--viewer and --keys are for one round; name its number")
    eyes, ring = viewer_called(viewer), keys_in(keys)
    with reading(ledger) as kept_in:
        name = chosen_table(kept_in, table)
        if round is None:
            return _list(kept_in, name, registry, json_)
        with with_keys(keys), lines_of(kept_in, name) as lines:
            kept = round_called(kept_in, name, round, registry, ring, lines)
        record = round_record(kept_in.id, kept)
        document = replay_document(record, kept, eyes)
    if json_:
        print_json(_document(document, kept, record, eyes, viewer))
    else:
        _print_round(document, kept, record, eyes, viewer, Screen())
    return 0


# The list


def _list(ledger: Ledger, name: str, registry: Registry, as_json: bool) -> int:
    with lines_of(ledger, name) as lines:
        kept = kept_rounds(ledger, name, registry, lines=lines)
        records = [round_record(ledger.id, each) for each in kept if each.has_begun]
    if as_json:
        rounds = [_summary(record) for record in records]
        print_json({"ledger": ledger.id, "table": name, "rounds": rounds})
        return 0
    rows = tuple(map(_row, records))
    titles = ("Round", "Began", "Boxes", "Wagered", "Won", "Table", "")  # and remarks
    listed = Grid(titles, rows, "rlrrrrl", widths=(0, 0, 0, 0, 0, 0, 1))
    head = Heading(f"Table {name}, ledger {ledger.id}")
    show([(head, listed if rows else Prose("No round was played yet."))], Screen())
    return 0


def _row(record: rec.RoundRecord) -> tuple[str, ...]:
    shown = round_shown(record)
    return (
        str(shown.round),
        when(record.began_at_us),
        str(shown.boxes),
        money(shown.wagered_cents),
        money(shown.won_cents),
        signed(shown.wagered_cents - shown.won_cents).plain
        if record.status != "in progress"
        else "",
        _remark(record),
    )


def _summary(record: rec.RoundRecord) -> dict[str, Any]:
    shown = round_shown(record)
    return {
        **msgspec.to_builtins(shown),
        "began_at": iso(record.began_at_us),
        "ended_at": iso(record.ended_at_us),
        "jackpots": [
            {"box": each.box, "meter": each.meter, "cents": each.cents, "state": each.standing}
            for each in shown.jackpots
        ],
    }


def _remark(record: rec.RoundRecord) -> str:
    narrate: list[str] = [] if record.status == "complete" else [record.status]
    if record.void is not None:
        narrate = [f"void: {record.void.reason or record.void.name}"]
    elif record.still_settles:
        narrate.append(f"void but for {', '.join(record.still_settles)}")
    jackpots = round_shown(record).jackpots
    narrate += [f"jackpot {money(each.cents)}, box {each.box}" for each in jackpots]
    return "; ".join(narrate)


# One round


def _print_round(
    document: Replay,
    kept: KeptRound,
    record: rec.RoundRecord,
    eyes: Viewer,
    viewer: str,
    console: Screen,
) -> None:
    book = kept.before.book
    title = Text("REPLAY", style="bold reverse").append(
        f" {book.title} ({book.id}, {book.edition})", "bold not reverse"
    )
    header = (Text(line, style="dim") for line in _header(kept, record, viewer))
    story = story_report(list(_played(seen(kept, eyes), eyes)), timed=True)
    ended: list[AnyBlock] = [Heading("How it ended"), _boxes(document, kept)]
    ended += _rest(document, record)
    show([(title, *header), *story, ended], console)


def _header(kept: KeptRound, record: rec.RoundRecord, viewer: str) -> Iterator[str]:
    ended = f"ended {when(record.ended_at_us)}" if record.ended_at_us else "still in progress"
    table = f"{'Training table' if record.training else 'Table'} {record.table}"
    began = f"began {when(record.began_at_us)}"
    yield f"{table}, round {record.round}; {began}, {ended}; {record.status}"
    lines = f"lines {record.first_line} to {record.last_line}"
    yield f"From the ledger, {lines}, as {viewer} saw it"
    if record.shoe is not None:
        closed = f"; wagers closed {when(record.closed_at_us)}" if record.closed_at_us else ""
        yield (
            f"The order of the cards was committed {when(record.shoe.at_us)}, line "
            f"{record.shoe.line}{closed}"
        )
    yield f"{DOWN} is a card that lay face down for this viewer"


def _played(seen_events: Iterable[RoundEvent], eyes: Viewer) -> Iterator[PlayedEvent]:
    """One command object for each command of the ledger, so that its events are told together."""
    commands: dict[str, do.Command] = {}
    for each in seen_events:
        line = each.line
        given = do.Command(by=visible_actor(eyes, line), role=line.role)  # type: ignore[arg-type]
        asked = commands.setdefault(line.command_id, given)
        yield PlayedEvent(asked, each.event, each.before)


def _boxes(document: Replay, kept: KeptRound) -> Grid:
    """Each box: its choices, what it had before and after, what it wagered and won."""
    rows = []
    for box in document.boxes:
        before, after = box.chips_before_cents, box.chips_after_cents
        is_over = document.summary.ended_at
        net = signed(box.won_cents - box.wagered_cents).plain if is_over else ""
        rows.append(
            (
                str(box.seat),
                box.player,
                ", ".join(_choice(kept, each) for each in box.decisions),
                money(before) if before is not None else "",
                money(box.wagered_cents),
                money(box.won_cents),
                money(after) if after is not None else "",
                net,
            )
        )
    titles = ("Box", "Player", "Choices", "Before", "Wagered", "Won", "After", "Net")
    return Grid(titles, tuple(rows), "rllrrrrr", widths=(0, 0, 1, 0, 0, 0, 0, 0))


def _choice(kept: KeptRound, decision: rec.DecisionRecord) -> str:
    by_default = " by default" if decision.defaulted else ""
    if decision.action != "play":
        return f"{decision.action}{by_default}"
    return f"{wager_title(kept.before, decision.wager)} {money(decision.cents)}"


def _rest(document: Replay, record: rec.RoundRecord) -> Iterator[Prose]:
    for jackpot in document.summary.jackpots:
        yield Prose(_jackpot(jackpot), tone="caution")
    if not document.summary.jackpots:
        yield Prose("No jackpot was awarded.", tone="note")
    for meter in record.meters:
        after = money((meter.after_micros or 0) // 10_000)
        grew = money(meter.grew_micros // 10_000)
        yield Prose(
            f"Meter {meter.name}: this round put {grew} on it; it stood at {after} after it",
            tone="note",
        )
    for where, cards in document.never_turned.items():
        yield Prose(f"Never turned, {where}: {in_symbols(cards)}")


def _jackpot(won: Jackpot) -> str:
    return f"Jackpot: box {won.box} won {money(won.cents)} from the {won.meter} meter; paid."


# As JSON


def _document(
    document: Replay, kept: KeptRound, record: rec.RoundRecord, eyes: Viewer, viewer: str
) -> dict[str, Any]:
    """The replay with what a terminal tells as well: the ledger, chapters and sentences."""
    told = msgspec.to_builtins(document)
    return {
        "replay": True,
        "ledger": record.ledger,
        "table": document.table,
        "rulebook": document.rulebook,
        "viewer": viewer,
        **_summary(record),
        "boxes": told["boxes"],
        "events": list(_events(document, kept, eyes)),
        "never_turned": told["never_turned"],
    }


def _events(document: Replay, kept: KeptRound, eyes: Viewer) -> Iterator[dict[str, Any]]:
    chapter = ""
    told = list(seen(kept, eyes))
    for each, shown, played in zip(told, document.events, _played(told, eyes), strict=True):
        chapter = chapter_of(played) or chapter
        yield {
            **msgspec.to_builtins(shown),
            "at": iso(each.line.at_us),
            "line": each.line.version,
            "by": who_did(played),
            "chapter": chapter,
            "text": narrate(each.event, each.before),
        }
