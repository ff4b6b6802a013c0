"""The saved page says of a proof what `croupier verify` says, in a browser without a network."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Literal

import pytest
from playwright.sync_api import Browser

from croupier.ledger.transparency.signing_key import signer_of
from tests.audit.test_numbers import left_out, shuffled
from tests.audit.test_round_proof import ANN, RING, night, proof, written_otherwise
from tests.browser.proofs import CHECKER, checked_offline
from tests.browser.rooms import Visit, serious
from tests.ledger.evenings import Evening

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HOLDS, FAILS = "The proof holds.", "It does not hold."


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "round.round-proof"
    file.write_bytes(proof(1, ANN).text())
    return file


def test_a_proof_holds_with_and_without_the_key(chromium: Browser, saved: Path) -> None:
    key = str(signer_of(night().id, RING).verifier)
    assert HOLDS in checked_offline(chromium, CHECKER, saved)
    told = checked_offline(chromium, CHECKER, saved, key)
    assert HOLDS in told
    assert "the key that you gave" in told
    other = checked_offline(chromium, CHECKER, saved, "x" + key)
    assert FAILS in other
    assert "another key" in other


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["390", "1280"])
def test_everybody_can_read_what_it_says(
    chromium: Browser, saved: Path, size: tuple[int, int]
) -> None:
    visit = Visit(chromium, size[0], tall=size[1])
    visit.page.goto(CHECKER.as_uri())
    for scheme in SCHEMES:
        visit.page.emulate_media(color_scheme=scheme)
        visit.page.set_input_files("#file", saved)
        visit.page.wait_for_selector("#said:not([hidden])")
        assert (scheme, serious(visit)) == (scheme, [])
    assert visit.complaints == []
    visit.close()


def test_a_changed_byte_anywhere_does_not_hold(chromium: Browser, saved: Path) -> None:
    right, chance = saved.read_bytes(), Random(27)
    for _ in range(12):
        at = chance.randrange(len(right))
        saved.write_bytes(
            right[:at] + bytes([right[at] ^ 1 << chance.randrange(8)]) + right[at + 1 :]
        )
        assert FAILS in checked_offline(chromium, CHECKER, saved), at
    for other in written_otherwise():
        saved.write_bytes(other)
        assert FAILS in checked_offline(chromium, CHECKER, saved)


def test_a_number_that_was_left_out_is_noticed(chromium: Browser, saved: Path) -> None:
    evening = Evening(39, numbers=True)
    with shuffled(saved.parent, evening) as ledger:
        saved.write_bytes(left_out(ledger, evening, saved.parent))
    told = checked_offline(chromium, CHECKER, saved)
    assert FAILS in told
    assert "the number of box 2 was left out" in told


def test_a_file_that_is_something_else_gets_a_sentence(chromium: Browser, saved: Path) -> None:
    saved.write_text("not JSON at all")
    assert FAILS in checked_offline(chromium, CHECKER, saved)
