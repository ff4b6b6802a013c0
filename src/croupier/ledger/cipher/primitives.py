"""AES-256-GCM and Ed25519 by ``cryptography``; in a browser, which has no build of it, plainly.

The plain forms are proved equal (``tests/ledger/cipher/test_cipher.py``), and make no secret of
how long they take: a practice table alone, whose keys lie beside its ledger, is sealed with them.
"""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from croupier.ledger.cipher.plain_aes_gcm import AESGCM, InvalidTag
    from croupier.ledger.cipher.plain_ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
        InvalidSignature,
    )
else:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = ["AESGCM", "Ed25519PrivateKey", "Ed25519PublicKey", "InvalidSignature", "InvalidTag"]
