"""``croupier audit``: what it proves, what it finds, and what it says to bad input."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.facts.errors import Refusal
from croupier.ledger.shoe.key_ring import create_ring, new_ring
from croupier.ledger.store.address import open_ledger
from croupier.table import commands as do
from tests.audit.nights import LEDGER_ID, the_night, write_ring
from tests.cli.ledger_commands import alter, altered, run, sentence
from tests.ledger.evenings import Evening


def test_a_whole_night_is_proved() -> None:
    night = the_night()
    ran = run("audit", night.file, "--keys", night.keys)
    assert ran.status == 0, ran.out
    assert (
        "no checkpoint given: a ledger cut short or rewritten whole would not be noticed" in ran.out
    )
    assert "every sealed pack was opened" in ran.out
    assert ran.out.endswith("Proved, as far as it can be without a checkpoint.\n")
    alone = run("audit", night.file)
    assert alone.out.endswith("Proved, as far as it can be without a checkpoint and the keys.\n")


def test_the_document_counts_what_was_proved() -> None:
    found = run("audit", the_night().file, "--json").document
    assert (found["proved"], found["differences"]) == (True, [])
    assert (found["ledger"], found["tables"], found["rounds"]) == (LEDGER_ID, 2, 15)
    assert sum(found["accounts_micros"].values()) == 0
    assert "outside" not in found["accounts_micros"]  # the table pays, as it is filed
    assert found["wagers_settled"] > 100
    assert (found["checkpoint"], found["seals_opened"]) == (None, False)
    assert set(found["meters_micros"]) == {"mega of 1", "major of 1", "minor of 1", "main of 2"}


def test_decisions_of_a_ledger_are_valued_with_its_keys(tmp_path: Path) -> None:
    night, out = the_night(), tmp_path / "played.csv"
    asked = ["audit", night.file, "--table", "2", "--as-played"]
    alone = run(*asked, "--json").document["as_played"]["rulebooks"]
    found = run(*asked, "--keys", night.keys, "--csv", out, "--json").document
    (played,) = found["as_played"]["rulebooks"]
    assert [table["of"] for table in played["tables"]] == ["2"]
    assert (played["unseen"], found["proved"]) == (0, True)
    assert sum(each["unseen"] for each in alone) > 0
    told = run(*asked, "--keys", night.keys)
    assert "Edge as played" in told.out
    assert told.out.endswith("Proved, as far as it can be without a checkpoint.\n")
    assert out.read_text("utf-8").startswith("rulebook,kind,of,")


def test_the_first_difference_is_told_with_its_line(tmp_path: Path) -> None:
    copy = altered(
        tmp_path,
        "UPDATE lines SET body = replace(body, '\"paid_cents\":0', '\"paid_cents\":500') "
        "WHERE stream = 'table/1' AND version = 55",
    )
    ran = run("audit", copy)
    assert ran.status == 1
    assert "chain        table/1, line 55: its content does not have the hash" in ran.out
    assert "line 55, round 1: wager-settled: paid_cents is 500, due is 0" in ran.out
    found = run("audit", copy, "--json").document
    first = found["differences"][0]
    assert (found["proved"], first["stream"], first["version"]) == (False, "table/1", 55)


def test_one_table_is_told_and_all_are_judged(tmp_path: Path) -> None:
    copy = altered(
        tmp_path,
        "UPDATE lines SET body = replace(body, '\"paid_cents\":0', '\"paid_cents\":500') "
        "WHERE stream = 'table/1' AND version = 55",
    )
    own, other = (run("audit", copy, "--table", name) for name in "12")
    whole = run("audit", copy, "--json").document
    count = len(whole["differences"])
    assert (own.status, other.status) == (1, 1)
    assert own.out.endswith(f"{count} differences\n")
    assert other.out.endswith(f"{count} differences elsewhere\n")
    assert "line 55" not in other.out
    assert "it does not hold" in other.out
    told = run("audit", copy, "--table", "2", "--json").document
    assert (told["proved"], told["differences"]) == (False, [])
    assert told["differences_elsewhere"] == count


@pytest.mark.parametrize("stream", ["link/1", "table/1"])
def test_a_link_belongs_to_its_table(tmp_path: Path, stream: str) -> None:
    last = f"(SELECT max(version) FROM lines WHERE stream = '{stream}')"
    copy = altered(
        tmp_path, f"UPDATE lines SET actor = 'Eve' WHERE stream = '{stream}' AND version = {last}"
    )
    found = run("audit", copy, "--table", "1", "--json").document
    assert stream in {one["stream"] for one in found["differences"]}
    assert found["differences_elsewhere"] == 0


def test_nothing_is_claimed_beyond_a_break(tmp_path: Path) -> None:
    """The chain breaks in the first stream of four; the rest was decided again all the same."""
    copy, kept = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db")), tmp_path / "kept"
    made = run("ledger", "checkpoint", copy, "--keys", the_night().keys, "--out", kept)
    assert made.status == 0
    alter(copy, "UPDATE lines SET actor = 'Eve' WHERE stream = 'link/1' AND version = 3")
    ran = run("audit", copy, "--checkpoint", kept)
    assert "in 4 streams" in ran.out
    assert "chain     it does not hold: it was followed through 2 lines and no further" in ran.out
    assert "not compared: the chain does not reach the checkpoint" in ran.out
    assert "rounds    15 at 2 tables, every command decided again" in ran.out
    alter(copy, "UPDATE lines SET body = '{}' WHERE stream = 'table/2' AND version = 1")
    ran = run("audit", copy)
    assert "every command decided again" not in ran.out
    assert "commands could not be decided again" in ran.out


def test_how_far_the_checkpoint_reaches(tmp_path: Path) -> None:
    file, kept, keys = tmp_path / "ledger.db", tmp_path / "kept", tmp_path / "keys.json"
    evening = Evening(4)
    write_ring(keys, evening.ring)
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
    made = run("ledger", "checkpoint", file, "--keys", keys, "--out", kept)
    key = made.err.split("key is ")[1].split()[0]
    given = ("--checkpoint", kept, "--key", key)
    whole = run("audit", file, *given)
    with closing(open_ledger(str(file))) as ledger:
        evening.sit(evening.resumed(ledger, table.name), 2)
    ran = run("audit", file, *given)
    assert "; the checkpoint reaches to the last line\n" in whole.out
    assert "; 4 lines after it are not protected\n" in ran.out
    assert "no --key: anybody could have signed it" in run("audit", file, *given[:2]).out
    told = run("audit", file, *given, "--json").document["checkpoint"]
    assert (told["lines_after"], told["key"], told["compared"]) == (4, key, True)
    assert run("audit", file, "--keys", keys).status == 0


def test_packs_that_stay_shut_are_in_the_verdict(tmp_path: Path) -> None:
    file, keys = tmp_path / "ledger.db", tmp_path / "keys.json"
    evening = Evening(4)
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 2)
        evening.ring = new_ring()
        evening.play(evening.resumed(ledger, table.name), 1)
    write_ring(keys, evening.ring)
    ran = run("audit", file, "--keys", keys)
    assert ran.status == 0
    assert ran.out.endswith("Everything is proved but 1 pack that the keys do not open.\n")
    assert "renewed   1 pack replaced while bets were open" in ran.out
    assert f"{table.stream}, line " in ran.out
    assert [one["round"] for one in run("audit", file, "--json").document["renewals"]] == [1]


def test_refusals_are_counted_and_not_decided(tmp_path: Path) -> None:
    file, evening = tmp_path / "ledger.db", Evening(4)
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
        with pytest.raises(Refusal):
            table.give(do.Reveal(by="dealer", role="dealer"), "refused")
    assert "desk      1 refusal beside the tables, not decided again" in run("audit", file).out


def test_an_earlier_edition_is_named(tmp_path: Path) -> None:
    copy = altered(
        tmp_path,
        'UPDATE lines SET body = replace(body, \'"croupier":"\', \'"croupier":"0.0.\') '
        "WHERE stream = 'table/2' AND version = 1",
    )
    ran = run("audit", copy)
    assert "edition   table/2: written by Croupier 0.0." in ran.out
    assert ran.out.count("clauses were not compared") == 1


def test_a_cut_ledger_is_noticed_by_its_log(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(the_night().file, tmp_path / "copy.db"))
    assert run("ledger", "checkpoint", copy, "--keys", the_night().keys).status == 0
    assert run("audit", copy).status == 0
    last = "(SELECT max(version) FROM lines WHERE stream = 'link/2')"
    alter(copy, f"DELETE FROM lines WHERE stream = 'link/2' AND version = {last}")
    ran = run("audit", copy)
    assert ran.status == 1
    assert "the log holds it, and the ledger does not" in ran.out


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night = the_night()
    foreign, text = tmp_path / "foreign.json", tmp_path / "text.db"
    create_ring(foreign)
    text.write_text("not a ledger", "utf-8")
    assert "there is no file" in sentence(run("audit", tmp_path / "none.db"))
    assert "is a folder" in sentence(run("audit", tmp_path))
    assert "is not a ledger" in sentence(run("audit", text))
    assert "ftp:// is neither" in sentence(run("audit", "ftp://x/y"))
    assert "not those of this ledger" in sentence(run("audit", night.file, "--keys", foreign))
    assert "keys cannot be read" in sentence(run("audit", night.file, "--keys", tmp_path / "no"))
    assert "no signed note" in sentence(run("audit", night.file, "--checkpoint", text))
    assert "no such file" in sentence(run("audit", night.file, "--checkpoint", tmp_path / "no"))
    assert "no checkpoint" in sentence(run("audit", night.file, "--key", "ab"))
    assert 'no table "9"' in sentence(run("audit", night.file, "--table", "9"))
    with closing(sqlite3.connect(text.with_name("other.db"))) as other:
        other.execute("CREATE TABLE notes (text)")
        other.commit()
    assert sentence(run("audit", text.with_name("other.db")))
