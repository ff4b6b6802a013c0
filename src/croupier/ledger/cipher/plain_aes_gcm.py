"""AES-256-GCM in plain Python (FIPS 197, NIST SP 800-38D), with the calls of ``cryptography``."""

from __future__ import annotations

from functools import cache

KEY_BYTES, BLOCK, TAG, NONCE_BYTES = 32, 16, 16, 12
ROUNDS = 14
_POLYNOMIAL = 0xE1 << 120


class InvalidTag(Exception):
    """What was opened is not what was sealed, or not under this key."""


class AESGCM:
    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError("AES-256 has a key of 32 bytes")
        self._keys = _round_keys(key)
        self._hash_key = int.from_bytes(_encrypted(self._keys, bytes(BLOCK)), "big")

    def encrypt(self, nonce: bytes, data: bytes, tied: bytes | None) -> bytes:
        box = self._counted(nonce, data)
        return box + self._tag(nonce, box, tied or b"")

    def decrypt(self, nonce: bytes, data: bytes, tied: bytes | None) -> bytes:
        box, tag = data[:-TAG], data[-TAG:]
        if len(data) < TAG or self._tag(nonce, box, tied or b"") != tag:
            raise InvalidTag
        return self._counted(nonce, box)

    def _counted(self, nonce: bytes, data: bytes) -> bytes:
        """Counter mode: each block under the encryption of its number, the first of which is 2."""
        if len(nonce) != NONCE_BYTES:
            raise ValueError("a nonce has 12 bytes")
        blocks = range(2, 2 + -(-len(data) // BLOCK))
        stream = b"".join(_encrypted(self._keys, nonce + at.to_bytes(4, "big")) for at in blocks)
        return bytes(a ^ b for a, b in zip(data, stream, strict=False))

    def _tag(self, nonce: bytes, box: bytes, tied: bytes) -> bytes:
        lengths = (8 * len(tied)).to_bytes(8, "big") + (8 * len(box)).to_bytes(8, "big")
        hashed = _hashed(self._hash_key, _padded(tied) + _padded(box) + lengths)
        mask = int.from_bytes(_encrypted(self._keys, nonce + b"\0\0\0\1"), "big")
        return (hashed ^ mask).to_bytes(TAG, "big")


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def _hashed(key: int, data: bytes) -> int:
    """GHASH: a polynomial of the blocks in the field of 2**128 elements, at the key."""
    table, total = _multiples(key), 0
    for at in range(0, len(data), BLOCK):
        total ^= int.from_bytes(data[at : at + BLOCK], "big")
        product = 0
        for place, byte in enumerate(total.to_bytes(BLOCK, "big")):
            product ^= table[place][byte]
        total = product
    return total


@cache
def _multiples(key: int) -> tuple[tuple[int, ...], ...]:
    """By place and value of a byte: its product with the key."""
    found = []
    for _ in range(BLOCK):
        bits = []
        for _ in range(8):
            bits.append(key)
            key = key >> 1 ^ (_POLYNOMIAL if key & 1 else 0)
        row = [0] * 256
        for value in range(1, 256):
            top = 7 - (value.bit_length() - 1)
            row[value] = row[value & ~(0x80 >> top)] ^ bits[top]
        found.append(tuple(row))
    return tuple(found)


# The block cipher


def _doubled(value: int) -> int:
    return (value << 1 ^ (0x1B if value & 0x80 else 0)) & 0xFF


@cache
def _substitutes() -> tuple[int, ...]:
    """The S-box: inverses in the field of 256 elements, then an affine map."""
    powers, value = [], 1
    for _ in range(255):
        powers.append(value)
        value ^= _doubled(value)  # three generates the field
    found = [0x63] * 256
    for at, value in enumerate(powers):
        inverse = powers[-at % 255]
        turned = inverse * 0x01010101
        mixed = inverse ^ (turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7) & 0xFF
        found[value] = mixed ^ 0x63
    return tuple(found)


@cache
def _tables() -> tuple[tuple[int, ...], ...]:
    """By byte of a column: what it adds to the mixed column, after substitution."""
    first = []
    for value in _substitutes():
        two = _doubled(value)
        first.append(two << 24 | value << 16 | value << 8 | two ^ value)
    turned = [
        tuple(word >> 8 * n | word << 32 - 8 * n & 0xFFFFFFFF for word in first) for n in range(4)
    ]
    return tuple(turned)


def _round_keys(key: bytes) -> tuple[int, ...]:
    words = [int.from_bytes(key[at : at + 4], "big") for at in range(0, KEY_BYTES, 4)]
    constant = 1
    for at in range(8, 4 * (ROUNDS + 1)):
        word = words[-1]
        if at % 8 == 0:
            word = _substituted(word << 8 & 0xFFFFFFFF | word >> 24) ^ constant << 24
            constant = _doubled(constant)
        elif at % 8 == 4:
            word = _substituted(word)
        words.append(words[-8] ^ word)
    return tuple(words)


def _substituted(word: int) -> int:
    box = _substitutes()
    return (
        box[word >> 24] << 24
        | box[word >> 16 & 0xFF] << 16
        | box[word >> 8 & 0xFF] << 8
        | box[word & 0xFF]
    )


def _encrypted(keys: tuple[int, ...], block: bytes) -> bytes:
    first, second, third, fourth = _tables()
    state = [int.from_bytes(block[4 * n : 4 * n + 4], "big") ^ keys[n] for n in range(4)]
    for at in range(4, 4 * ROUNDS, 4):
        state = [
            first[state[n] >> 24]
            ^ second[state[(n + 1) % 4] >> 16 & 0xFF]
            ^ third[state[(n + 2) % 4] >> 8 & 0xFF]
            ^ fourth[state[(n + 3) % 4] & 0xFF]
            ^ keys[at + n]
            for n in range(4)
        ]
    masks = (0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF)
    shifted = [sum(state[(n + m) % 4] & masks[m] for m in range(4)) for n in range(4)]
    words = (_substituted(shifted[n]) ^ keys[4 * ROUNDS + n] for n in range(4))
    return b"".join(word.to_bytes(4, "big") for word in words)
