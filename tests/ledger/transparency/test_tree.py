"""The tree against the reference vectors that logs of RFC 6962 and 9162 share, and itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger.transparency.tiles import (
    Tile,
    rows_above,
    subtrees,
    tile_at,
    tiles_between,
)
from croupier.ledger.transparency.tree import (
    EMPTY,
    WrongProof,
    consistency,
    inclusion,
    leaf_hash,
    root,
    verify_consistency,
    verify_inclusion,
)

# LeafInputs and RootHashes of github.com/transparency-dev/merkle, testonly/constants.go.
ENTRIES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657",
                 "606162636465666768696a6b6c6d6e6f")
]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INNER = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"


class Rows:
    """A tree in memory, grown as a store grows it."""

    def __init__(self) -> None:
        self.rows: dict[int, list[bytes]] = {0: []}

    def add(self, *leaves: bytes) -> None:
        above = list(rows_above(leaves, len(self.rows[0]), self.read))
        self.rows[0] += leaves
        for level, index, found in above:
            assert index == len(self.rows.setdefault(level, []))
            self.rows[level].append(found)

    def read(self, level: int, start: int, end: int) -> list[bytes]:
        found = self.rows.get(level, [])[start:end]
        assert len(found) == end - start
        return found


def grown(entries: list[bytes]) -> Rows:
    rows = Rows()
    rows.add(*map(leaf_hash, entries))
    return rows


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_reference_vectors(size: int) -> None:
    rows = grown(ENTRIES[:size])
    assert root(subtrees(rows.read), size).hex() == ROOTS[size]
    assert EMPTY.hex() == ROOTS[0]


def test_inner_nodes_are_those_of_the_reference_vectors() -> None:
    assert subtrees(grown(ENTRIES).read)(1, 3).hex() == INNER


@given(st.integers(1, 70_000), st.data())
def test_every_leaf_and_every_earlier_tree_is_proved(size: int, data: st.DataObject) -> None:
    """On a tree whose complete subtrees are named, not built: the proofs are what is under test."""
    size = data.draw(st.sampled_from((size, size % 300 + 1)))
    of = subtrees(BIG.read)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    whole = root(of, size)
    path = inclusion(of, index, size)
    verify_inclusion(BIG.rows[0][index], index, size, path, whole)
    grew = consistency(of, old, size)
    verify_consistency(old, root(of, old), size, whole, grew)
    _fails(lambda: verify_inclusion(BIG.rows[0][index], index, size, [*path, EMPTY], whole))
    _fails(lambda: verify_inclusion(EMPTY, index, size, path, whole))
    if path:
        at = data.draw(st.integers(0, len(path) - 1))
        other = [*path[:at], EMPTY, *path[at + 1 :]]
        _fails(lambda: verify_inclusion(BIG.rows[0][index], index, size, other, whole))
        _fails(lambda: verify_inclusion(BIG.rows[0][index], index, size, path[1:], whole))
    if grew:
        at = data.draw(st.integers(0, len(grew) - 1))
        changed = [*grew[:at], EMPTY, *grew[at + 1 :]]
        _fails(lambda: verify_consistency(old, root(of, old), size, whole, changed))
    _fails(lambda: verify_consistency(old, leaf_hash(b"another"), size, whole, grew))


def _fails(check: object) -> None:
    with pytest.raises(WrongProof):
        check()  # type: ignore[operator]


def test_a_tree_that_grows_by_and_by_is_the_tree_that_was_made_at_once() -> None:
    leaves = [leaf_hash(str(number).encode()) for number in range(1_300)]
    slowly = Rows()
    at = 0
    for step in (1, 254, 1, 1, 255, 256, 300, 232):
        slowly.add(*leaves[at : at + step])
        at += step
    assert at == 1_300
    at_once = Rows()
    at_once.add(*leaves)
    assert slowly.rows == at_once.rows


def test_tiles_of_the_specifications_example() -> None:
    """c2sp.org/tlog-tiles: a tree of 70,000 leaves, one of 256, and the path of tile 1234067."""
    tiles = list(tiles_between(0, 70_000))
    assert [tile for tile in tiles if tile.width < 256] == [
        Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)
    ]  # fmt: skip
    assert len(tiles) == 273 + 1 + 1 + 1 + 1
    assert list(tiles_between(0, 256)) == [Tile(0, 0), Tile(1, 0, 1)]
    assert Tile(0, 1234067).path == "tile/0/x001/x234/067"
    assert Tile(1, 5, 17).path == "tile/1/005.p/17"


@given(st.integers(0, 70_000), st.integers(0, 70_000))
def test_between_two_sizes_lie_just_the_tiles_that_changed(one: int, other: int) -> None:
    old, new = sorted((one, other))
    before, after = set(tiles_between(0, old)), set(tiles_between(0, new))
    assert set(tiles_between(old, new)) == after - before
    for tile in tiles_between(old, min(new, old + 3)):
        assert tile_at(tile.path) == tile


@pytest.mark.parametrize(
    "path", ["tile/0/1", "tile/0/x000/001", "tile/0/000.p/256", "tile/00/000", "tile/0/000.p/0",
             "checkpoint", "tile/0/000/", "tile/0/x001/x234/067\n"]
)  # fmt: skip
def test_what_is_not_the_one_way_to_write_a_tile_is_none(path: str) -> None:
    assert tile_at(path) is None


BIG = grown([str(number).encode() for number in range(70_000)])
