"""Check a .round-proof with nothing of Croupier: python check_round_proof.py FILE [VERIFIER-KEY]

It checks the signature, that every line is in the signed log, that the lines are all of one round,
each hidden part that was opened, and each turned card against the house's commitment. It does not
settle the round again; `croupier verify` does. It needs the package cryptography.
"""

import base64
import json
import sys
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def digest(*parts):
    """SHA-256 over the parts, each with its length before it."""
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in raw)).digest()


def need(true, why):
    if not true:
        raise SystemExit(f"It does not hold: {why}")


# The signature (c2sp.org/signed-note, c2sp.org/tlog-checkpoint)


def checkpoint(note, key):
    """Origin, size and root of the log; the key's id is a hash of its name and itself."""
    name, key_id, material = key.split("+", 2)
    public = base64.b64decode(material, validate=True)
    need(sha256(f"{name}\n".encode() + public).digest()[:4].hex() == key_id, "a wrong key")
    need(public[0] == 1 and base64.b64encode(public).decode() == material, "a key of another kind")
    text, signature = note.split("\n\n")
    signed_by, made = signature.removeprefix("— ").removesuffix("\n").split(" ")
    raw = base64.b64decode(made, validate=True)
    need(raw[:4].hex() == key_id, "signed with another key")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(raw[4:], f"{text}\n".encode())
    need(signature == f"— {name} {base64.b64encode(raw).decode()}\n", "another signature")
    origin, size, root = text.split("\n")
    need(origin == name == signed_by, "the checkpoint of another log")
    return origin.split("/")[-1], int(size), base64.b64decode(root)


# The tree (RFC 9162)


def root_over(leaf, index, size, path):
    """The root that a leaf at this place gives with its siblings."""
    if size == 1:
        need(not path, "a path that is too long")
        return leaf
    need(path, "a path that is too short")
    half = 1 << (size - 1).bit_length() - 1
    if index < half:
        return sha256(b"\1" + root_over(leaf, index, half, path[:-1]) + path[-1]).digest()
    return sha256(b"\1" + path[-1] + root_over(leaf, index - half, size - half, path[:-1])).digest()


def in_log(line, size, root):
    siblings = [base64.b64decode(word, validate=True) for word in line["path"]]
    need([base64.b64encode(raw).decode() for raw in siblings] == line["path"], "a changed path")
    need(0 <= line["index"] < size, "a line beyond the log")
    leaf = sha256(b"\0" + line["entry"].encode()).digest()
    need(root_over(leaf, line["index"], size, siblings) == root, "a line that is not in the log")


# The lines


def told(line):
    """The entry, with the parts that were opened for whoever has the file."""
    entry = json.loads(line["entry"])
    for part in line["openings"]:
        hidden = digest("croupier part 1", part["part"], bytes.fromhex(part["salt"]), part["value"])
        need(entry["hidden"].pop(part["part"]) == hidden.hex(), "a part that was not hidden there")
        need(part["salt"] == part["salt"].lower(), "a salt written another way")
        if part["part"] == "body":
            entry["body"] = json.loads(part["value"])
        elif part["part"].startswith("body."):
            entry["body"][part["part"][5:]] = json.loads(part["value"])
        else:
            entry[part["part"]] = part["value"]
    return entry


def one_round(lines, entries):
    """The table's first line, and then every line from the first pack to the cleared cards."""
    first, rest = entries[0], entries[1:]
    versions = [entry["version"] for entry in rest]
    rounds = {e["body"]["round"] for e in rest if e["kind"] in ("shoe-committed", "cards-cleared")}
    need((first["version"], first["kind"]) == (1, "table-installed"), "no rules")
    need(len({entry["stream"] for entry in entries}) == 1, "lines of several tables")
    need(versions == list(range(versions[0], versions[0] + len(rest))), "a line is missing")
    need(all(a["index"] < b["index"] for a, b in pairwise(lines)), "lines out of order")
    need([e["kind"] for e in rest].count("cards-cleared") == 1, "no end, or two")
    need((rest[0]["kind"], rest[-1]["kind"]) == ("shoe-committed", "cards-cleared"), "a part of it")
    need(len(rounds) == 1, "lines of several rounds")
    return rounds.pop()


def cards(ledger, number, entries):
    """How many cards were opened; each must have the hash that the house committed to before."""
    opened, leaves = 0, []
    for entry in entries:
        bound = (ledger, entry["stream"], number)
        if entry["kind"] == "shoe-committed":
            committed = entry["body"]["commitment"]
            leaves = [bytes.fromhex(leaf) for leaf in committed["leaves"]]
            root = digest("croupier pack 1", *bound, *leaves).hex()
            need(root == committed["root"], "a wrong root of the pack")
        for card in entry["body"].get("openings", ()):
            salt = bytes.fromhex(card["salt"])
            leaf = digest("croupier card 1", *bound, card["place"], card["card"], salt)
            need(leaves[card["place"]] == leaf, f"{card['card']} did not lie there")
            opened += 1
    return opened


def main(file, key=None):
    content = Path(file).read_bytes().decode()
    proof = json.loads(content)
    compact = json.dumps(proof, ensure_ascii=False, separators=(",", ":"))
    need(content == compact + "\n", "not written as a proof is")
    need(list(proof) == ["format", "key", "checkpoint", "lines"], "not a proof")
    need(proof["format"] == "croupier round proof 1", "another format")
    need(key in (None, proof["key"]), "signed with another key than you named")
    ledger, size, root = checkpoint(proof["checkpoint"], proof["key"])
    lines = proof["lines"]
    for line in lines:
        in_log(line, size, root)
        need(list(line) == ["entry", "index", "path", "openings"], "a line with something else")
        need(all(list(part) == ["part", "value", "salt"] for part in line["openings"]), "a part")
    entries = [told(line) for line in lines]
    number = one_round(lines, entries)
    opened = cards(ledger, number, entries[1:])
    print(
        f"{entries[0]['stream']}, round {number}: {len(lines)} lines, {opened} turned cards: holds."
    )
    print(f"Signed with {proof['key']}; is that the key that the house made known?")


if __name__ == "__main__":
    main(*sys.argv[1:])
