"""The Merkle tree of RFC 9162, section 2.1: its root, and proofs of inclusion and consistency.

A tree over n leaves is split at the largest power of two below n; everything here follows that one
split, ``half``. A maker reads the hashes of complete subtrees, a verifier has none but the proof's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

Subtree = Callable[[int, int], bytes]
"""The hash of the complete subtree of height ``h`` that begins at leaf ``i * 2**h``: (h, i)."""

Siblings = Sequence[bytes]
EMPTY = hashlib.sha256().digest()


class WrongProof(Exception):
    """The hashes do not lead from what is to be proved to the root."""


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def half(size: int) -> int:
    """How many leaves lie to the left: the largest power of two below ``size``, at least two."""
    return 1 << (size - 1).bit_length() - 1


# Making


def root(of: Subtree, size: int) -> bytes:
    return _hash(of, 0, size) if size else EMPTY


def inclusion(of: Subtree, index: int, size: int) -> list[bytes]:
    """The siblings on the way from a leaf to the root, the leaf's own first."""
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + half(end - start)
        if index < middle:
            path.append(_hash(of, middle, end))
            end = middle
        else:
            path.append(_hash(of, start, middle))
            start = middle
    return path[::-1]


def consistency(of: Subtree, old: int, new: int) -> list[bytes]:
    """What proves that the first ``old`` leaves of a tree of ``new`` are the old tree."""
    path: list[bytes] = []
    start, end = 0, new
    while old not in (0, end):
        middle = start + half(end - start)
        if old <= middle:
            path.append(_hash(of, middle, end))
            end = middle
        else:
            path.append(_hash(of, start, middle))
            start = middle
    if start:  # the old tree does not end where a complete subtree from the first leaf on does
        path.append(_hash(of, start, end))
    return path[::-1]


def _hash(of: Subtree, start: int, end: int) -> bytes:
    size = end - start
    if size & (size - 1) == 0:
        height = size.bit_length() - 1
        return of(height, start >> height)
    middle = start + half(size)
    return node_hash(_hash(of, start, middle), _hash(of, middle, end))


# Verifying


def verify_inclusion(leaf: bytes, index: int, size: int, path: Siblings, root: bytes) -> None:
    if not 0 <= index < size or _root_over(leaf, index, size, path) != root:
        raise WrongProof


def verify_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Siblings
) -> None:
    """Every tree begins with the empty one, and with itself."""
    if not 0 <= old <= new:
        raise WrongProof
    if old == 0:
        if path or old_root != EMPTY:
            raise WrongProof
    elif _roots(old, new, path, old_root) != (old_root, new_root):
        raise WrongProof


def _root_over(leaf: bytes, index: int, size: int, path: Siblings) -> bytes:
    if size == 1:
        return _only(path, leaf)
    middle, rest, sibling = half(size), *_last(path)
    if index < middle:
        return node_hash(_root_over(leaf, index, middle, rest), sibling)
    return node_hash(sibling, _root_over(leaf, index - middle, size - middle, rest))


def _roots(old: int, new: int, path: Siblings, known: bytes | None) -> tuple[bytes, bytes]:
    """The roots of both trees; ``known`` is the old one's while both begin at the first leaf."""
    if old == new:
        if known is not None:
            return _only(path, known), known
        rest, shared = _last(path)
        return _only(rest, shared), shared
    middle, rest, sibling = half(new), *_last(path)
    if old <= middle:
        first, second = _roots(old, middle, rest, known)
        return first, node_hash(second, sibling)
    first, second = _roots(old - middle, new - middle, rest, None)
    return node_hash(sibling, first), node_hash(sibling, second)


def _last(path: Siblings) -> tuple[Siblings, bytes]:
    if not path:
        raise WrongProof
    return path[:-1], path[-1]


def _only(path: Siblings, found: bytes) -> bytes:
    if path:
        raise WrongProof
    return found
