"""The room of the browser, by its requests alone: a round, its proof, look-ups, and the ledger."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.ledger_audit import audited
from croupier.cli import main
from croupier.games.registry import the_registry
from croupier.ledger.store.address import open_ledger
from croupier.practice.regulars import YOU
from croupier.server.pages.practice_room import PracticeRunner
from croupier.submission.check import shipped_text
from croupier.table.agenda import asked_box
from website.demo import bundle
from website.demo.compiled_coach import kept_sides
from website.demo.room import Room

TABLE = "practice-TCP-1-1"


class PlayAlways:
    """A kernel that finds every hand worth playing."""

    def values(self, rules: str, position: str, /) -> str:
        return '{"1x": "1/2", "fold": "-1"}'

    def odds(self, rules: str, position: str, /) -> str:
        return "[60, 10, 30, 80]"

    def beaten(self, position: str, /) -> str:
        return "{}"

    def sides(self, rules: str, /) -> str:
        return json.dumps(kept_sides(the_registry())[rules])


class Evening:
    """A room on a file, asked as pages ask it."""

    def __init__(self, file: Path) -> None:
        self.saved = 0
        self.room = Room(str(file), PlayAlways(), self._save)

    async def _save(self) -> None:
        self.saved += 1

    async def get(self, path: str) -> bytes:
        answer = await self.room.request("GET", path, "")
        assert answer.status == 200, answer.body
        return answer.body

    async def post(self, path: str, said: object) -> dict[str, Any]:
        body = said if isinstance(said, str) else json.dumps(said)
        told: dict[str, Any] = json.loads(
            (await self.room.request("POST", path, body)).body or "{}"
        )
        return told

    async def give(self, command_id: str, **command: object) -> dict[str, Any]:
        said = {"id": command_id, "command": command}
        return await self.post(f"/api/tables/{TABLE}/commands", said)


async def _until(runner: PracticeRunner, true: Callable[[PracticeRunner], bool]) -> None:
    while not true(runner):
        await asyncio.sleep(0.005)


def _asks_you(runner: PracticeRunner) -> bool:
    asked = asked_box(runner.state) if runner.state.round.stage == "play" else None
    return asked is not None and asked.player == YOU


def _worths(runner: PracticeRunner) -> list[dict[str, Any]]:
    advice = json.loads(runner.frame())["room"]["advice"]
    found: list[dict[str, Any]] = advice.get("worths", []) if advice else []
    return found


async def _played(file: Path) -> tuple[bytes, dict[str, Any]]:
    evening = Evening(file)
    settings = {"pace": "at once", "seats": 2, "others": "simple", "coach": "before"}
    assert await evening.post(f"/practice/{TABLE}/settings", settings) == {}
    runner = await evening.room.seated(TABLE)
    (box,) = (seat for seat, name in runner.state.seats.items() if name == YOU)
    told = await evening.give("one", do="place-wagers", box=box, stakes={"ante": 1000})
    assert told["outcome"] == "done"
    assert (await evening.give("one", do="place-wagers", box=box, stakes={"ante": 1000}))["again"]
    refused = await evening.give("two", do="place-wagers", box=box, stakes={"ante": 1})
    assert (refused["outcome"], refused["clause"]) == ("refused", "TCP-1 3.A")
    await evening.post(f"/practice/{TABLE}/deal", "")
    await _until(runner, lambda runner: _asks_you(runner) and bool(_worths(runner)))
    assert _worths(runner)[0] == {"action": "1x", "antes": 0.5, "exact": "1/2"}
    assert (await evening.give("three", do="play", box=box, cents=1000))["outcome"] == "done"
    await _until(runner, lambda runner: runner.state.round.number == 2 and not runner.is_busy)
    rounds = json.loads(await evening.get(f"/api/tables/{TABLE}/rounds"))
    assert [each["round"] for each in rounds] == [1]
    proof = await evening.get(f"/api/tables/{TABLE}/rounds/1/proof")
    verdict = await evening.post("/look-up/verify", proof.decode())
    why = json.loads(await evening.get("/why?clause=TCP-1%203.A&ruling=0"))
    assert why["clause"] == "TCP-1 3.A"
    assert evening.saved > 10
    kept = await evening.get("/ledger")
    evening.room.close()
    await _found_again(Evening(file))
    return kept, verdict


async def _found_again(evening: Evening) -> None:
    """On the next visit: the evening goes on, and the record has the round and its reasons."""
    frame = json.loads(evening.room.runner(TABLE).frame())
    assert frame["room"]["settings"]["coach"] == "before"
    assert [each["round"] for each in frame["room"]["evening"]] == [1]
    told = json.loads(await evening.get(f"/record/{TABLE}/1/told"))
    (decision,) = told["played"]["decisions"]
    assert (decision["chosen"], decision["worths"][0]["exact"]) == ("1x", "1/2")
    assert "you beat 60 (60.0%), tie 10 and lose to 30" in told["why"][0]["words"][0]
    summary = json.loads(await evening.get("/record/summary"))
    assert (summary["rounds"], summary["uncounted"]) == (1, 0)
    assert (await evening.get("/record/rounds.csv")).count(b"\n") == 2
    assert b'"status":"complete"' in await evening.get("/record/rounds.jsonl")
    cards = json.loads(await evening.get(f"/practice/{TABLE}/ask/cards?round=1"))
    asked = await evening.post(f"/practice/{TABLE}/ask", cards)
    assert asked["worths"] == decision["worths"]
    flashed = json.loads(await evening.get(f"/practice/{TABLE}/drill/0?flashed=true"))
    assert len(flashed["position"]["known"]) == 1
    asked = await evening.post(f"/practice/{TABLE}/ask", cards | {"known": ["2c"], "dead": ["2c"]})
    assert "there twice" in asked["sentence"]
    drill = json.loads(await evening.get(f"/practice/{TABLE}/drill/0"))
    answer = {"id": drill["id"], "action": "fold"}
    assert (await evening.post(f"/practice/{TABLE}/drill", answer))["score"]["hands"] == 1
    evening.room.close()


def test_a_round_by_requests_is_proved_by_its_file_and_by_the_ledger(tmp_path: Path) -> None:
    kept, verdict = asyncio.run(_played(tmp_path / "practice.db"))
    assert (verdict["fits"], verdict["round"], verdict["differences"]) == (True, 1, [])
    saved = tmp_path / "saved.db"
    saved.write_bytes(kept)
    found = audited(open_ledger(str(saved), read_only=True), the_registry())
    assert found.proof.differences == []


def test_what_is_not_answered_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def asked() -> list[dict[str, Any]]:
        evening = Evening(tmp_path / "practice.db")
        said = [
            await evening.post("/analysis", ""),
            await evening.post("/practice/practice-X-1/deal", ""),
            await evening.post("/look-up/hand", {"rulebook": "UTH-S", "own": "Kd 5c Ac"}),
            await evening.post("/look-up/settle", "rulebook = 3"),
        ]
        evening.room.close()
        return said

    told = asyncio.run(asked())
    assert [each["outcome"] for each in told] == [*("not found", "not found"), *["unreadable"] * 2]
    assert all(each["sentence"] for each in told)


@pytest.mark.parametrize(
    ("book", "said", "instead", "warned"),
    [
        ("UTH-S", 'hand = "flop"', 'hand = "final"', "of what players stake"),
        ("UTH-14", 'blind = "A"', 'blind = "B"', ""),
        ("FCP-14", "", "", ""),
        ("THB-1", "", "", ""),
    ],
)
def test_a_submission_has_the_findings_of_the_command(
    book: str,
    said: str,
    instead: str,
    warned: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, text = tmp_path / "table.toml", shipped_text(book)
    assert said in text
    file.write_text(text.replace(said, instead) if said else text)

    async def asked() -> dict[str, Any]:
        evening = Evening(tmp_path / "practice.db")
        told = await evening.post("/look-up/check", file.read_text())
        evening.room.close()
        return told

    told = asyncio.run(asked())
    main(["check", str(file), "--json"])
    assert told["findings"] == json.loads(capsys.readouterr().out)["findings"]
    assert told["valid"]
    assert any(warned in found["sentence"] for found in told["findings"]) or not warned


async def _pauses_s(file: Path, monkeypatch: pytest.MonkeyPatch, *, early: bool) -> list[float]:
    """What the player waits until his cards lie there, and once more after that."""
    evening, pauses_s = Evening(file), []
    await evening.post(f"/practice/{TABLE}/settings", {"seats": 2})
    runner = await evening.room.seated(TABLE)
    (box,) = (seat for seat, name in runner.state.seats.items() if name == YOU)
    wagers = {"do": "place-wagers", "box": box, "stakes": {"ante": 1000}}
    said = json.dumps({"id": "one", "command": wagers})
    await evening.room.request("POST", f"/api/tables/{TABLE}/commands", said, early=early)

    async def no_wait(paused: Coroutine[Any, Any, None], pause_s: float) -> None:
        paused.close()
        await asyncio.sleep(0)
        pauses_s.append(pause_s)
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr("asyncio.wait_for", no_wait)
        await evening.post(f"/practice/{TABLE}/deal", "")
        await _until(runner, _asks_you)
        evening.room.close()
    return pauses_s


def test_who_waited_for_the_room_has_his_first_cards_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = asyncio.run(_pauses_s(tmp_path / "slow.db", monkeypatch, early=False))
    early = asyncio.run(_pauses_s(tmp_path / "early.db", monkeypatch, early=True))
    assert slow[:3] == [0.25, 0.7, 0.75]
    assert early == slow[3:]
    assert early


def test_a_room_imports_only_what_the_browser_has() -> None:
    """NumPy in one module of the coach stops every table of the folder."""
    assert "croupier.ledger.cipher.plain_ed25519" in bundle.imported()
