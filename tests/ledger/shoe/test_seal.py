"""A sealed pack: closed to whoever has the database, and told apart from every other pack."""

from __future__ import annotations

import json
import logging
import os
import random
import stat
import traceback
from base64 import urlsafe_b64decode
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.commitment import SealBinding, commitment
from croupier.ledger.shoe.key_ring import (
    KeyRing,
    SealKey,
    create_ring,
    new_ring,
    read_ring,
    retire_key,
    ring_of,
    rotate_ring,
)
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.shoe.seal import BrokenSeal, LostKey, Sealed, opened, sealed

HERE = SealBinding("house-1", "table:UTH-1", 7)
PACK = fresh_pack(random.Random(7).getrandbits)
ROOT = commitment(PACK, HERE).root
RING = new_ring()
SEAL = sealed(RING, PACK, HERE)


def test_what_was_sealed_opens() -> None:
    assert opened(RING, SEAL, HERE, ROOT) == PACK
    assert SEAL.split(".")[:2] == ["1", RING.current.id]


def test_a_seal_is_new_each_time_and_as_long_as_any_other() -> None:
    seals = {sealed(RING, PACK, HERE) for _ in range(50)}
    assert len(seals) == len({seal.split(".")[2] for seal in seals}) == 50
    other = fresh_pack(random.Random(8).getrandbits)
    assert len(sealed(RING, other, HERE)) == len(SEAL)


@given(st.integers(0, len(SEAL) - 1), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_seal_with_one_character_changed_does_not_open(at: int, character: str) -> None:
    if SEAL[at] != character:
        with pytest.raises((BrokenSeal, LostKey)):
            opened(RING, Sealed(SEAL[:at] + character + SEAL[at + 1 :]), HERE, ROOT)


@given(st.text())
def test_nonsense_is_a_broken_seal(text: str) -> None:
    with pytest.raises((BrokenSeal, LostKey)):
        opened(RING, Sealed(text), HERE, ROOT)
    with pytest.raises(BrokenSeal):
        opened(RING, Sealed(f"1.{RING.current.id}.{text}"), HERE, ROOT)


def test_the_last_letter_of_a_seal_counts_too() -> None:
    """Base64 has spare bits at the end; they are checked like the others."""
    spare = SEAL.rstrip("=")
    pad = SEAL[len(spare) :]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for letter in letters.replace(spare[-1], ""):
        with pytest.raises(BrokenSeal):
            opened(RING, Sealed(spare[:-1] + letter + pad), HERE, ROOT)


@pytest.mark.parametrize(
    "there",
    [
        SealBinding("house-2", "table:UTH-1", 7),
        SealBinding("house-1", "table:UTH-2", 7),
        SealBinding("house-1", "table:UTH-1", 8),
    ],
)
def test_a_seal_opens_in_its_own_round_only(there: SealBinding) -> None:
    with pytest.raises(BrokenSeal, match=f"round {there.round} of {there.stream} is broken"):
        opened(RING, SEAL, there, ROOT)


def test_a_seal_opens_under_its_own_root_only() -> None:
    other = commitment(fresh_pack(random.Random(8).getrandbits), HERE).root
    with pytest.raises(BrokenSeal):
        opened(RING, SEAL, HERE, other)


def test_no_card_and_no_salt_stands_in_a_seal() -> None:
    box = urlsafe_b64decode(SEAL.split(".")[3])
    assert not any(salt in box or salt.hex() in SEAL for salt in PACK.salts)
    assert "".join(PACK.cards[:3]) not in SEAL
    assert "".join(PACK.cards[:3]).encode() not in box


def test_a_lost_key_is_named_and_nothing_else_opens_the_pack() -> None:
    with pytest.raises(LostKey, match=f"key {RING.current.id} is not on the ring") as lost:
        opened(new_ring(), SEAL, HERE, ROOT)
    assert lost.value.key_id == RING.current.id


def test_old_keys_open_and_the_newest_seals() -> None:
    ring = RING.rotated().rotated()
    assert opened(ring, SEAL, HERE, ROOT) == PACK
    newer = sealed(ring, PACK, HERE)
    assert newer.split(".")[1] == ring.keys[2].id == ring.current.id
    with pytest.raises(LostKey):
        opened(RING, newer, HERE, ROOT)
    assert opened(ring.retired(ring.keys[1].id), SEAL, HERE, ROOT) == PACK
    with pytest.raises(LostKey):
        opened(ring.retired(RING.current.id), SEAL, HERE, ROOT)


def test_the_current_key_and_an_unknown_one_are_not_retired() -> None:
    with pytest.raises(Unreadable, match="is the current one; rotate the ring first"):
        RING.retired(RING.current.id)
    with pytest.raises(Unreadable, match='this ring has no key "x"'):
        RING.retired("x")


# The file


def test_a_ring_in_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    old = os.umask(0)
    try:
        ring = create_ring(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert read_ring(file) == ring
        turned = rotate_ring(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    finally:
        os.umask(old)
    assert read_ring(file) == turned
    assert turned.keys[:-1] == ring.keys
    assert retire_key(file, ring.current.id) == read_ring(file)
    assert len(read_ring(file).keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o666])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "keys.json"
    create_ring(file)
    file.chmod(mode)
    for act in (read_ring, rotate_ring):
        with pytest.raises(Unreadable, match=f"others can read or change .*{mode:04o}.*chmod 600"):
            act(file)


def test_keys_never_take_the_place_of_another_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    create_ring(file)
    before = file.read_bytes()
    with pytest.raises(Unreadable, match="there is such a file already"):
        create_ring(file)
    assert file.read_bytes() == before
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere.json")
    with pytest.raises(Unreadable, match="there is such a file already"):
        create_ring(tmp_path / "link.json")


def test_two_changes_at_once_lose_no_key(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    ring = create_ring(file)
    (tmp_path / "keys.json.new").touch()
    with pytest.raises(Unreadable, match="keys are being changed, or a change was cut off"):
        rotate_ring(file)
    assert read_ring(file) == ring


@pytest.mark.parametrize("where", ["ring", "key"])
def test_a_key_file_with_a_word_that_nobody_knows_is_refused(tmp_path: Path, where: str) -> None:
    """It is not written out of the file at the next change either, for nothing is changed."""
    file = tmp_path / "keys.json"
    create_ring(file)
    document = json.loads(file.read_text("utf-8"))
    (document if where == "ring" else document["keys"][0])["expires"] = "2030-01-01"
    text = json.dumps(document)
    file.write_text(text, "utf-8")
    for change in (read_ring, rotate_ring):
        with pytest.raises(Unreadable, match=r"keys\.json: this is not a ring of keys"):
            change(file)
    assert file.read_text("utf-8") == text


def test_a_change_that_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    ring = create_ring(file)
    with pytest.raises(Unreadable):
        retire_key(file, ring.current.id)
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]
    assert read_ring(file) == ring


@pytest.mark.parametrize("text", ["", "{}", '{"keys": []}', "keys", '{"keys": [{"id": "a"}]}'])
def test_what_is_no_ring_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    with pytest.raises(Unreadable, match="not a ring of keys"):
        read_ring(file)
    with pytest.raises(Unreadable, match="CROUPIER_KEYS: this is not a ring of keys"):
        ring_of(None, {"CROUPIER_KEYS": text})


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="the keys cannot be read: No such file"):
        read_ring(tmp_path / "none.json")
    with pytest.raises(Unreadable, match="the keys cannot be written: No such file"):
        create_ring(tmp_path / "none" / "keys.json")


def test_a_ring_from_the_environment_or_the_file_named(tmp_path: Path) -> None:
    text = msgspec.json.encode(RING).decode()
    assert ring_of(None, {"CROUPIER_KEYS": text}) == RING
    ring = create_ring(tmp_path / "keys.json")
    assert ring_of(tmp_path / "keys.json", {"CROUPIER_KEYS": text}) == ring
    with pytest.raises(Unreadable, match="name a key file or set CROUPIER_KEYS"):
        ring_of(None, {})


def test_a_key_cannot_bear_another_name() -> None:
    other = new_ring().current
    wrong = SealKey(other.id, other.made_at, RING.current.secret)
    text = msgspec.json.encode({"keys": [wrong]}).decode()
    with pytest.raises(Unreadable, match="or a key was altered"):
        ring_of(None, {"CROUPIER_KEYS": text})
    with pytest.raises(ValueError, match="each once"):
        KeyRing((other, other))


def test_the_key_is_told_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    """In no form of it: raw, hex or base64."""
    secret = RING.current.secret
    broken = msgspec.json.encode(RING).decode().replace('"made_at"', '"made"')
    told = [repr(RING), str(RING), repr(RING.current), f"{RING.keys}", SEAL]
    for act in (
        lambda: opened(new_ring(), SEAL, HERE, ROOT),
        lambda: opened(RING, SEAL, HERE, "00"),
        lambda: ring_of(None, {"CROUPIER_KEYS": broken}),
        lambda: KeyRing((SealKey("0" * 16, "", secret),)),
    ):
        with pytest.raises(ValueError, match=r"key|broken") as failed:
            act()
        told += traceback.format_exception(failed.value)
    logging.getLogger().warning("ring %s %r", RING, RING.current)
    told.append(caplog.text)
    forms = (repr(secret)[2:-1], secret.hex(), msgspec.json.encode(secret).decode().strip('"'))
    assert not any(form in text for form in forms for text in told)
