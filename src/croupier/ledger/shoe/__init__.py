"""The sealed shoe: entropy, packs, commitments, seals and the keys that open them."""
