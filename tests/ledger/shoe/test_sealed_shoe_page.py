"""The page about the sealed shoe: its verifier is run, and its numbers are those of the program."""

from __future__ import annotations

import random
import re
from pathlib import Path
from runpy import run_path

import msgspec
import pytest

from croupier.audit.lab.chances import CARDS
from croupier.audit.lab.deals import trials_of_deals
from croupier.ledger.shoe.commitment import SealBinding, commitment, opening
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.key_ring import KEY_DOMAIN, new_ring
from croupier.ledger.shoe.pack import Pack, fresh_pack
from croupier.ledger.shoe.seal import NONCE_BYTES, sealed

DOCS = Path(__file__).parents[3] / "docs"
PAGE, SCRIPT = (DOCS / "sealed-shoe.md").read_text("utf-8"), DOCS / "check_round_proof.py"
HERE = SealBinding("house-1", "table:UTH-1", 7)


def opened_cards(commit: object, shown: object, number: int) -> int:
    """What the script beside the page says of one opened card."""
    kinds = {"shoe-committed": {"commitment": commit}, "cards-opened": {"openings": [shown]}}
    entries = [{"stream": HERE.stream, "kind": kind, "body": body} for kind, body in kinds.items()]
    return len(run_path(str(SCRIPT))["cards"](HERE.ledger, number, entries))


def test_the_script_beside_the_page_agrees_with_the_program() -> None:
    pack = fresh_pack(random.Random(3).getrandbits)
    published = msgspec.to_builtins(commitment(pack, HERE))
    for place in range(CARDS):
        shown = msgspec.to_builtins(opening(pack, place))
        assert opened_cards(published, shown, HERE.round) == 1
        for other, number in ((shown | {"card": pack.cards[place - 1]}, HERE.round), (shown, 8)):
            with pytest.raises(SystemExit, match="It does not hold"):
                opened_cards(published, other, number)


def test_the_leaf_on_the_page_is_the_program_s() -> None:
    pack = Pack(("Ah",), (bytes(range(32)),))
    (leaf,) = commitment(pack, HERE).leaves
    assert leaf in PAGE


def test_the_parts_on_the_page_are_the_program_s() -> None:
    from croupier.ledger.shoe import commitment as committed
    from croupier.ledger.shoe import seal

    for domain in (committed.CARD_DOMAIN, committed.PACK_DOMAIN, seal.SEAL_DOMAIN):
        assert f"`{domain}`" in PAGE
    assert KEY_DOMAIN == b"croupier key 1"
    assert f"{NONCE_BYTES} random bytes" in PAGE
    chance = Chance()
    seals = [sealed(new_ring(), fresh_pack(chance), HERE) for _ in range(3)]
    assert len({len(seal) for seal in seals}) == 1
    assert {seal[:2] for seal in seals} == {"1."}


def test_the_trials_on_the_page_are_those_of_the_lab() -> None:
    from croupier.audit.lab.collect import dealt

    decks = next(dealt(1_000, Chance(random.Random(1).randbytes))).repeat(10, axis=0)
    trials = trials_of_deals(decks)
    assert f"{len(trials)} trials" in PAGE
    names = {re.sub(r"\d+", "", trial.name) for trial in trials}
    shown = re.sub(r"\d+", "", PAGE)
    assert not [name for name in names if name not in shown]
