"""The benchmark of the pit, made small: it really plays, and really kills."""

from __future__ import annotations

import pytest

from bench.echo import Recording, echo_floor, recorded
from bench.floor import Floor, floor, floor_on_postgresql
from bench.pit import Measured, Takeover, echoed, measured, run, seated, taken_over
from bench.script import ANSWER, BOXES


async def played_and_killed(pit: Floor) -> tuple[Measured, Takeover]:
    async with seated(pit):
        return await measured(pit, 40, 2), await taken_over(pit, 40, 6)


async def recorded_and_played(pit: Floor) -> tuple[Recording, Measured]:
    async with seated(pit):
        return await recorded(pit.tables[0]), await measured(pit, 40, 1)


def test_a_small_floor_is_played_and_a_bare_echo_says_the_same() -> None:
    with floor(2) as pit:
        recording, found = run(recorded_and_played(pit))
        given = [each.id for table in pit.tables for each in table.given]
        assert pit.missing([*given, "T001 dealer/never given"]) == 1
    assert found.commands == len(given) == 40
    assert found.errors == []
    assert found.services_us[0] > 0
    assert found.views > 1
    for asked, step in zip(recording.round, recording.steps, strict=True):
        answers = [each.seat for each in step if each.text.startswith(ANSWER)]
        assert answers == [asked.by]
        assert {each.seat for each in step} == set(range(1 + BOXES))
    with echo_floor(2, recording) as echo:
        bare = run(echoed(echo, 40, 1))
    assert bare.errors == []
    assert bare.commands == found.commands
    assert bare.bytes == pytest.approx(found.bytes, rel=0.1)


@pytest.mark.prove
def test_a_process_is_killed_under_load_and_nothing_is_lost() -> None:
    with floor_on_postgresql(4, 2) as pit:
        found, takeover = run(played_and_killed(pit))
    assert found.errors == takeover.errors == []
    assert 0 < found.forwarded < 1
    assert found.database_us
    assert takeover.tables == 2
    assert takeover.answered == 240
    assert takeover.lost == 0
