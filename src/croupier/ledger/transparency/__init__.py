"""The transparency log: every line of every stream as a leaf of one signed Merkle tree."""
