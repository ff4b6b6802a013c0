"""Signed notes and checkpoints against the examples of their specifications."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.facts.errors import Unreadable
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.signed_note import (
    Signer,
    VerifierKey,
    read_note,
    read_verifier_key,
)

# The example of c2sp.org/signed-note.
KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = (
    "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONnc"
    "AlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
# The example of c2sp.org/tlog-checkpoint, whose key is not told there.
CHECKPOINT = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q"
    "1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
SIGNER = Signer("croupier/test", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
MADE = Checkpoint("croupier/test", 3, bytes(32))


def test_the_specifications_note_is_signed_by_its_key() -> None:
    key = read_verifier_key(KEY)
    assert str(key) == KEY
    note = read_note(NOTE)
    assert note.text == "This is an example message.\n"
    assert note.signed_by(key)
    assert not note.signed_by(VerifierKey("example.com/bar", key.public))
    assert not read_note(NOTE.replace("example m", "Example m")).signed_by(key)


def test_a_note_may_have_sixteen_long_signatures() -> None:
    """Nearly 5 kB each, as the specification has it; those of unknown keys are passed over."""
    word = base64.b64encode(bytes(4 + 5_000)).decode()
    note = NOTE + "".join(f"— witness{number}.example {word}\n" for number in range(15))
    assert read_note(note).signed_by(read_verifier_key(KEY))
    with pytest.raises(Unreadable):
        read_note(note * 2)


def test_the_specifications_checkpoint_is_read() -> None:
    found = read_checkpoint(CHECKPOINT)
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20852163)
    assert CHECKPOINT.startswith(found.text)


def test_what_is_signed_is_read_with_the_key_and_with_no_other() -> None:
    note = MADE.signed(SIGNER)
    assert read_checkpoint(note, SIGNER.verifier) == MADE
    other = Signer(SIGNER.name, Ed25519PrivateKey.generate())
    with pytest.raises(Unreadable, match="not signed with the key of croupier/test"):
        read_checkpoint(note, other.verifier)
    both = note + other.sign(MADE.text).rpartition("\n\n")[2]
    assert read_checkpoint(both, other.verifier) == read_checkpoint(both, SIGNER.verifier) == MADE


def test_no_letter_of_a_checkpoint_can_be_changed() -> None:
    note = MADE.signed(SIGNER)
    for at in range(len(note)):
        for other in ("A", "\n", "0", ""):
            changed = note[:at] + other + note[at + 1 :]
            if changed != note:
                with pytest.raises(Unreadable):
                    read_checkpoint(changed, SIGNER.verifier)


@pytest.mark.parametrize("word", ["", "a", "a+b", KEY[:-1], KEY.replace("530d903a", "530d903b"),
                                  KEY.replace("+Ae", "+Be"), "a b" + KEY])  # fmt: skip
def test_no_letter_of_a_key_can_be_changed(word: str) -> None:
    with pytest.raises(Unreadable, match="verifier key"):
        read_verifier_key(word)
