"""A player's browser shuffles with the house: its number is committed to, shown, and proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser

from croupier.audit.proof_check import check_proof
from croupier.cli.text.round_proof import number_boxes
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.browser.evenings import Evening, laid
from tests.browser.proofs import CHECKER, checked_offline
from tests.server.service import Service

CONSOLE_ROWS = """async (view) => {
  const { boxRow } = await import('/static/staff/duties.js');
  const boxes = [{ seat: 1, player: "Ben", away: "aside" }, { seat: 2, player: "Nora" }];
  return boxes.map((box) => boxRow(box, view, {}).cells[1].textContent);
}"""
UNPROTECTED = "Not protected from the house's choice."


def test_a_browser_shuffles_with_the_house(pit: Service, chromium: Browser, tmp_path: Path) -> None:
    said = replace(shipped_submission("UTH-S"), players_numbers=True)
    evening = Evening(pit, chromium, laid(pit, "UTH-S", write_submission(said)), {"Nora": 2})
    player = evening.players["Nora"].page
    evening.open()
    assert UNPROTECTED in (player.text_content("#shuffle") or "")
    said_of = "(view) => import('/static/shared/words.js').then((words) => words.choiceWords(view))"
    counted = player.evaluate(said_of, {"boxes": [], "unopened": 2})
    assert counted == f"{UNPROTECTED} Rounds whose pack the house did not open: 2."
    rows = player.evaluate(CONSOLE_ROWS, {"phase": "betting", "way": "", "unshown": {"Ben": 2}})
    assert rows == ["Ben (aside) numbers not shown: 2", "Nora"]
    evening.wager("Ante")
    assert "The numbers of box 2 shuffle it" in (player.text_content("#shuffle") or "")
    evening.play_on("settling")
    evening.settle_on()
    evening.do("clear-cards")
    kept = player.text_content("#receipt details.number") or ""
    assert 'answered "done"' in kept
    number = player.text_content("#receipt details.number code") or ""
    with player.expect_download() as saved:
        player.click("#receipt a.proof")
    saved.value.save_as(tmp_path / "one.round-proof")
    told = checked_offline(chromium, CHECKER, tmp_path / "one.round-proof")
    assert "Nobody chose the shuffle: the house's order and the numbers of box 2" in told
    found = check_proof((tmp_path / "one.round-proof").read_bytes(), the_registry())
    assert number_boxes(found, number) == (2,)
    evening.close()
