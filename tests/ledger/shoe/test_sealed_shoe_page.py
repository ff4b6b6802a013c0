"""The page about the sealed shoe: its verifier is run, and its numbers are those of the program."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec

from croupier.audit.lab.chances import CARDS
from croupier.audit.lab.deals import trials_of_deals
from croupier.ledger.shoe.commitment import SealBinding, commitment, opening
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.key_ring import KEY_DOMAIN, new_ring
from croupier.ledger.shoe.pack import Pack, fresh_pack
from croupier.ledger.shoe.seal import NONCE_BYTES, sealed

PAGE = (Path(__file__).parents[3] / "docs" / "sealed-shoe.md").read_text("utf-8")
HERE = SealBinding("house-1", "table:UTH-1", 7)


def verifier() -> Any:
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(source, "sealed-shoe.md", "exec"), names)
    return names["verified"]


def test_the_verifier_on_the_page_agrees_with_the_program() -> None:
    verified, pack = verifier(), fresh_pack(random.Random(3).getrandbits)
    published = msgspec.to_builtins(commitment(pack, HERE))
    for place in range(CARDS):
        shown = msgspec.to_builtins(opening(pack, place))
        assert verified(**published, opening=shown, **msgspec.to_builtins(HERE))
        other = shown | {"card": pack.cards[place - 1]}
        assert not verified(**published, opening=other, **msgspec.to_builtins(HERE))
        assert not verified(
            **published, opening=shown, ledger="house-1", stream="table:UTH-1", round=8
        )


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
