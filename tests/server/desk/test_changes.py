"""A choice in the form becomes an edit of the text, and what belongs to it goes along."""

from __future__ import annotations

import re
from typing import Any

import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.toml_text import read_toml
from croupier.games.registry import the_registry
from croupier.server.desk.changes import FieldChange, begun_text, changed
from croupier.submission.check import check, shipped_text

UTH, FOUR = shipped_text("UTH-S"), shipped_text("FCP-14")


def after(text: str, *changes: tuple[str, Any]) -> str:
    return changed(text, [FieldChange(key, value) for key, value in changes], the_registry())


def errors(text: str) -> list[str]:
    return [found.sentence for found in check(text, the_registry()).errors]


@pytest.mark.parametrize(
    ("key", "entered", "line"),
    [
        ("table.boxes", "5", "boxes = 5"),
        ("table.boxes", "five", 'boxes = "five"'),
        ("table.payout_limit", "75000", 'payout_limit = "$75,000"'),
        ("table.payout_limit", "a lot", 'payout_limit = "a lot"'),
        ("limits.ante.minimum", "12.50", 'minimum = "$12.50"'),
        ("progressive.meters.mega.rate", "4", 'rate = "4%"'),
        ("progressive.holder_must_wager", "true", "holder_must_wager = true"),
        ("dealing.fallbacks", ("shoe", "hand"), 'fallbacks = ["shoe", "hand"]'),
        ("decks.backs", "green , gold", 'backs = ["green", "gold"]'),
        ("approved", "2026-01-31", "approved = 2026-01-31"),
        ("devices.shuffler", False, "shuffler = false"),
    ],
)
def test_what_is_entered_stands_in_the_file(key: str, entered: Any, line: str) -> None:
    assert line in after(UTH, (key, entered))


def test_what_is_emptied_goes() -> None:
    assert "payout_limit" not in after(UTH, ("table.payout_limit", ""))
    assert "fallbacks" not in after(UTH, ("dealing.fallbacks", ()))


@pytest.mark.parametrize("wager", ["six_card_bonus", "ultimate_pairs", "bad_beat", "progressive"])
def test_a_wager_left_out_and_offered_again_is_whole(wager: str) -> None:
    out = after(UTH, (f"offer.{wager}", False))
    assert errors(out) == []
    assert wager not in re.sub(r"#.*", "", out)
    again = after(out, (f"offer.{wager}", True))
    assert read_toml(again) == read_toml(UTH)


def test_comments_stay_through_an_afternoon_of_choices() -> None:
    text = UTH.replace("boxes = 6", "boxes = 6  # the seventh seat is gone")
    text = after(
        text,
        ("table.boxes", "4"),
        ("paytables.blind", "B"),
        ("limits.ante.minimum", "15"),
        ("offer.bad_beat", False),
        ("dealing.method", "shoe"),
    )
    kept = ("the seventh seat is gone", "what is not offered is absent", "Blind follows the Ante")
    assert [comment for comment in kept if comment not in text] == []
    assert text.startswith(UTH.splitlines()[0])


def test_another_progressive_paytable_brings_its_own_meters() -> None:
    text = after(UTH, ("paytables.progressive", "A"))
    assert errors(text) == []
    assert list(read_toml(text)["progressive"]["meters"]) == ["main"]
    assert errors(after(text, ("paytables.progressive", "C"))) == []


def test_another_edition_keeps_every_choice_and_another_game_the_names() -> None:
    edition = after(UTH, ("table.rulebook", "UTH-14"))
    assert edition == UTH.replace('rulebook = "UTH-S"', 'rulebook = "UTH-14"')
    named = after(UTH, ("facility.name", "Harbor Casino"), ("table.id", "12"))
    other = after(named, ("table.rulebook", "FCP-14"))
    assert errors(other) == []
    assert other.count("Harbor Casino") == 1
    assert read_toml(other)["limits"] == read_toml(FOUR)["limits"]
    assert after(UTH, ("table.rulebook", "FCP-14")) == begun_text(the_registry().book("FCP-14"))


def test_what_nobody_knows_is_refused() -> None:
    assert "colour" not in after(f"{UTH}\n[felt]\ncolour = 1\n", ("felt.colour", None))
    for key in ("table.colour", "limits.ante", "offer.ante", "offer.nothing", "nothing"):
        with pytest.raises(Unreadable):
            after(UTH, (key, "1"))
    with pytest.raises(Unreadable, match="no rulebook"):
        after(UTH, ("table.rulebook", "UTH-15"))


def test_a_submission_begun_here_is_headed_as_its_own() -> None:
    """What a rulebook comes with, but for the words that say so."""
    begun = begun_text(the_registry().book("UTH-S"))
    head, _, rest = begun.partition("\n")
    assert head == "# Rules submission of a table of Ultimate Texas Hold'em, Standard Rules."
    assert UTH.endswith(f"\n{rest}")
    assert "until you file your own" not in begun
