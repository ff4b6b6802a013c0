"""``croupier verify``: a round against its commitment, for who looks at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.audit.round_check import check_round
from croupier.games.registry import the_registry
from croupier.ledger.events import CardsOpened
from croupier.ledger.rounds import KeptRound, kept_rounds
from croupier.ledger.shoe.key_ring import KeyRing, create_ring, new_ring, read_ring
from croupier.ledger.store.address import open_ledger
from croupier.table import commands as do
from croupier.table.views import PUBLIC, SURVEILLANCE
from tests.audit.nights import LEDGER_ID, the_night, write_ring
from tests.audit.tampering import event, rewritten
from tests.cli.ledger_commands import altered, run, sentence
from tests.ledger.evenings import Evening

ROUNDS = range(1, 10)
EVE = "UPDATE lines SET actor = 'Eve' WHERE stream = 'table/1' AND version = 9"


def document(round: int, *arguments: object) -> dict[str, object]:
    ran = run("verify", the_night().file, round, "--table", "1", *arguments, "--json")
    assert ran.status == 0, ran
    found: dict[str, object] = ran.document
    return found


@pytest.mark.parametrize("round", ROUNDS)
def test_every_round_of_a_night_fits(round: int) -> None:
    for viewer in ("public", "surveillance"):
        found = document(round, "--viewer", viewer, "--keys", the_night().keys)
        assert (found["fits"], found["differences"]) == (True, [])
        assert 0 < found["committed_line"] < found["closed_line"]  # type: ignore[operator]
        over = round < ROUNDS[-1]
        assert (found["not_verifiable"] == 0) is (viewer == "surveillance" and over)


def test_what_cannot_be_verified_is_told() -> None:
    ran = run("verify", the_night().file, 1, "--table", "1")
    assert "not open to public" in ran.out
    assert (
        "Not verifiable for public: 2 cards of box 2, 35 cards that stayed in the pack" in ran.out
    )
    keys = ("--keys", the_night().keys)
    own = run("verify", the_night().file, 1, "--table", "1", "--viewer", "player:Ben", *keys)
    assert own.out.count("with the keys") == 2
    assert "Not verifiable for player:Ben: 35 cards that stayed in the pack" in own.out
    other = run("verify", the_night().file, 1, "--table", "1", "--viewer", "player:Ann", *keys)
    assert "with the keys" not in other.out


def rounds() -> Iterator[KeptRound]:
    night = the_night()
    with closing(open_ledger(str(night.file), read_only=True)) as ledger:
        yield from kept_rounds(ledger, "1", the_registry(), read_ring(night.keys))


def opened_as(kept: KeptRound, **changes: object) -> KeptRound:
    """The same round with its first opening altered."""
    (chapter,) = kept.chapters
    events = list(chapter.events)
    at = next(n for n, event in enumerate(events) if isinstance(event, CardsOpened))
    opened = events[at]
    assert isinstance(opened, CardsOpened)
    first = msgspec.structs.replace(opened.openings[0], **changes)
    events[at] = msgspec.structs.replace(opened, openings=(first, *opened.openings[1:]))
    other = type(chapter)(chapter.committed, chapter.lines, tuple(events))
    return KeptRound(
        kept.installed, kept.stream, kept.number, kept.before, (other,), kept.told, kept.packs
    )


def test_what_does_not_fit_is_found() -> None:
    kept = next(rounds())
    assert check_round(kept, LEDGER_ID, SURVEILLANCE).differences == ()
    assert check_round(opened_as(kept, salt="00" * 32), LEDGER_ID, PUBLIC).differences
    assert check_round(opened_as(kept, card="2c"), LEDGER_ID, PUBLIC).differences
    assert check_round(opened_as(kept, place=51), LEDGER_ID, PUBLIC).differences
    assert check_round(kept, "another ledger", PUBLIC).differences


def test_an_altered_line_is_a_no(tmp_path: Path) -> None:
    copy = altered(tmp_path, EVE)
    ran = run("verify", copy, 1, "--table", "1")
    assert (ran.status, "table/1, line 9: " in ran.out) == (1, True)
    found = run("verify", copy, 1, "--table", "1", "--json")
    assert (found.status, found.document["fits"]) == (1, False)


def test_a_broken_seal_is_a_no(tmp_path: Path) -> None:
    night = the_night()
    seals = [chapter.committed for kept in rounds() for chapter in kept.chapters]
    other = seals[1]
    assert other is not None
    with (
        closing(open_ledger(str(night.file), read_only=True)) as ledger,
        rewritten(ledger, tmp_path, event("table/1", 2, sealed=other.sealed)) as swapped,
    ):
        asked = ("verify", swapped.address, 1, "--table", "1", "--keys", night.keys)
        ran = run(*asked)
        assert (ran.status, "the seal of round 1 of table/1 is broken" in ran.out) == (1, True)
        assert run(*asked[:-2]).status == 0
    assert run("replay", *asked[1:]).status == 2


def test_a_renewed_shoe_is_the_one_that_counts(tmp_path: Path) -> None:
    """The key is lost while wagers lie on the felt: they go back, and the next pack is dealt."""
    file, keys, evening = tmp_path / "evening.db", tmp_path / "keys.json", Evening()
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger, "UTH-S", "1")
        while not table.state.open:
            evening.step(table)
        evening.sit(table, 1)
        stakes = {"ante": 1000, "blind": 1000}
        evening.give(table, do.PlaceWagers(by="Ann", role="player", box=1, stakes=stakes))
        table = evening.resumed(ledger, "1", create_ring(keys))
        evening.play(table, 2)
    assert run("audit", file, "--keys", keys).status == 0
    for command in ("verify", "replay"):
        assert run(command, file, 2, "--viewer", "surveillance", "--keys", keys).status == 0
        assert run(command, file, 1, "--viewer", "surveillance", "--keys", keys).status == 0
    found = run("verify", file, 2, "--json").document
    assert found["committed_line"] > 2
    void, record = map(json.loads, run("export", file, "--keys", keys).out.splitlines()[1:])
    assert (void["status"], record["shoe"]["line"]) == ("void", found["committed_line"])


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night, foreign = the_night(), tmp_path / "foreign.json"
    create_ring(foreign)
    at_table = (night.file, "1", "--table", "1")
    assert "no round 44" in sentence(run("verify", night.file, 44, "--table", "1"))
    assert "keys of this ledger?" in sentence(run("verify", *at_table, "--keys", foreign))
    assert 'no player "Zed"' in sentence(run("verify", *at_table, "--viewer", "player:Zed"))
    assert "there is no file" in sentence(run("verify", tmp_path / "no.db", "1"))


def test_a_renewed_pack_is_named(tmp_path: Path) -> None:
    file, evening = tmp_path / "ledger.db", Evening(4)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 2)
        old = evening.ring
        evening.ring = new_ring()
        evening.play(evening.resumed(ledger, table.name), 1)
    write_ring(first, KeyRing((*old.keys, *evening.ring.keys)))
    write_ring(second, evening.ring)
    blind = run("verify", file, 1)
    assert blind.status == 0
    assert "1 pack was replaced while bets were open, each said to be beyond opening" in blind.out
    assert run("verify", file, 1, "--keys", second).status == 0
    needless = run("verify", file, 1, "--keys", first)
    assert needless.status == 1
    assert "the pack that it replaces can be opened" in needless.out
    (line,) = run("verify", file, 1, "--json").document["renewed_lines"]
    assert f"line {line}" in blind.out
