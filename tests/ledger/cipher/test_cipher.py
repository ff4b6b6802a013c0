"""The plain ciphers of a browser against those of the library: the same bytes, the same noes."""

from __future__ import annotations

import hmac
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from croupier.ledger.cipher import plain_aes_gcm, plain_ed25519
from croupier.ledger.cipher.keyed_hash import KeyedHash


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100, 936])
def test_a_box_is_the_same_and_opens_the_same(size: int) -> None:
    chance = Random(size)
    key, nonce = chance.randbytes(32), chance.randbytes(12)
    text, tied = chance.randbytes(size), chance.randbytes(chance.randrange(40))
    box = plain_aes_gcm.AESGCM(key).encrypt(nonce, text, tied)
    assert box == AESGCM(key).encrypt(nonce, text, tied)
    assert plain_aes_gcm.AESGCM(key).decrypt(nonce, box, tied) == text
    at = chance.randrange(len(box))
    altered = box[:at] + bytes([box[at] ^ 1 << chance.randrange(8)]) + box[at + 1 :]
    with pytest.raises(InvalidTag):
        AESGCM(key).decrypt(nonce, altered, tied)
    for wrong, beside in ((altered, tied), (box, tied + b"x"), (box[:10], tied)):
        with pytest.raises(plain_aes_gcm.InvalidTag):
            plain_aes_gcm.AESGCM(key).decrypt(nonce, wrong, beside)


@pytest.mark.parametrize("seed", range(4))
def test_a_signature_is_the_same_and_is_checked_the_same(seed: int) -> None:
    chance = Random(seed)
    secret, text = chance.randbytes(32), chance.randbytes(chance.randrange(200))
    theirs = Ed25519PrivateKey.from_private_bytes(secret)
    ours = plain_ed25519.Ed25519PrivateKey.from_private_bytes(secret)
    public = ours.public_key()
    assert public.public_bytes_raw() == theirs.public_key().public_bytes_raw()
    signature = ours.sign(text)
    assert signature == theirs.sign(text)
    public.verify(signature, text)
    at = chance.randrange(64)
    altered = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
    with pytest.raises(InvalidSignature):
        theirs.public_key().verify(altered, text)
    for wrong, said in ((altered, text), (signature, text + b"x"), (signature[:-1], text)):
        with pytest.raises(plain_ed25519.InvalidSignature):
            public.verify(wrong, said)


@pytest.mark.parametrize("key_bytes", [0, 1, 32, 63, 64, 65, 200])
def test_a_keyed_hash_is_the_librarys_hmac(key_bytes: int) -> None:
    chance = Random(key_bytes)
    key = chance.randbytes(key_bytes)
    keyed = KeyedHash(key)
    for size in (0, 1, 32, 64, 1000):
        message = chance.randbytes(size)
        assert keyed.digest(message) == hmac.digest(key, message, "sha256")
