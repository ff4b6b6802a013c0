"""Signed heads: who signed them, that nothing in them was altered, and what they prove."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.facts.errors import Unreadable
from croupier.ledger.signed_heads import (
    create_key,
    head_break,
    public_text,
    read_heads,
    read_key,
    signed_heads,
)
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import Break
from croupier.ledger.store.port import Ledger
from tests.ledger.lines import writing

TABLE, LINK = "table 1", "link ♠"


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a", 2), writing(LINK, 0, "b"))
        yield ledger


@pytest.fixture
def key(tmp_path: Path) -> Ed25519PrivateKey:
    return create_key(tmp_path / "key.pem")


def test_heads_say_where_every_stream_ends(ledger: Ledger, key: Ed25519PrivateKey) -> None:
    text = signed_heads(ledger, key, at_us=1_700_000_000_000_000)
    heads = read_heads(text, signer=public_text(key))
    assert (heads.ledger, heads.at_us) == (ledger.id, 1_700_000_000_000_000)
    assert {head.stream: (head.version, bytes.fromhex(head.hash)) for head in heads.streams} == {
        stream: (head.version, head.hash) for stream, head in ledger.heads().items()
    }
    assert head_break(ledger, heads) is None


def test_anybody_can_check_the_signature_as_documented(
    ledger: Ledger, key: Ed25519PrivateKey
) -> None:
    document = json.loads(signed_heads(ledger, key, at_us=1))
    signature, public = (bytes.fromhex(document[name]) for name in ("signature", "public_key"))
    document["signature"] = ""
    compact = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    signed = f"croupier signed heads 1\n{compact}".encode()
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)


def test_a_ledger_may_grow_after_its_heads(ledger: Ledger, key: Ed25519PrivateKey) -> None:
    heads = read_heads(signed_heads(ledger, key, at_us=1))
    ledger.append(writing(TABLE, 2, "c"), writing("table 2", 0, "d"))
    assert head_break(ledger, heads) is None


def test_heads_of_another_ledger_prove_nothing_here(
    ledger: Ledger, key: Ed25519PrivateKey, tmp_path: Path
) -> None:
    with closing(open_ledger(str(tmp_path / "other.db"), create=True)) as other:
        other.append(writing(TABLE, 0, "a", 2), writing(LINK, 0, "b"))
        found = head_break(ledger, read_heads(signed_heads(other, key, at_us=1)))
    assert isinstance(found, Break)
    assert "signed for ledger" in found.why


def test_altered_heads_are_refused(ledger: Ledger, key: Ed25519PrivateKey) -> None:
    right = signed_heads(ledger, key, at_us=1).encode()
    chance = Random(1)
    for bit in [chance.randrange(8 * len(right)) for _ in range(500)]:
        wrong = bytearray(right)
        wrong[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Unreadable):
            read_heads(bytes(wrong))
    for text in ("", "{}", "[]", "null", right[:-20], right + b"}"):
        with pytest.raises(Unreadable):
            read_heads(text)


@pytest.mark.parametrize("where", ["heads", "stream"])
def test_heads_with_a_word_that_nobody_knows_are_refused(
    ledger: Ledger, key: Ed25519PrivateKey, where: str
) -> None:
    """The signature is over what is known, so it would hold with anything beside it."""
    document = json.loads(signed_heads(ledger, key, 1))
    (document if where == "heads" else document["streams"][0])["note"] = "all is well"
    with pytest.raises(Unreadable, match="no signed heads"):
        read_heads(json.dumps(document))


def test_the_signer_is_the_one_who_was_named(ledger: Ledger, key: Ed25519PrivateKey) -> None:
    text = signed_heads(ledger, Ed25519PrivateKey.generate(), at_us=1)
    assert read_heads(text).ledger == ledger.id
    with pytest.raises(Unreadable, match="not signed with the key"):
        read_heads(text, signer=public_text(key))


def test_the_key_stays_with_its_owner(tmp_path: Path, key: Ed25519PrivateKey) -> None:
    file = tmp_path / "key.pem"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert public_text(read_key(file)) == public_text(key)
    with pytest.raises(Unreadable, match="already"):
        create_key(file)
    file.chmod(0o640)
    with pytest.raises(Unreadable, match="chmod 600"):
        read_key(file)
    with pytest.raises(Unreadable, match="cannot be read"):
        read_key(tmp_path / "none.pem")
    with pytest.raises(Unreadable, match="cannot be written"):
        create_key(tmp_path / "none" / "key.pem")
    (tmp_path / "text").write_text("no key")
    (tmp_path / "text").chmod(0o600)
    with pytest.raises(Unreadable, match="not a key"):
        read_key(tmp_path / "text")
