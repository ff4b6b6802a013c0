"""Check a .round-proof with nothing of Croupier: python check_round_proof.py FILE [VERIFIER-KEY]

Checked are signature, log, that the lines are all of one round, opened parts, turned cards and all
players' numbers; `croupier verify` settles it again as well. It needs the package cryptography.
"""

import json
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def digest(*parts):
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in raw)).digest()


def need(true, why):
    if not true:
        sys.exit(f"It does not hold: {why}")


def decoded(word):
    need(b64encode(b64decode(word)).decode() == word, "base64 written another way")
    return b64decode(word)


def checkpoint(note, key):
    """Ledger, size and root of the log (c2sp.org/signed-note and tlog-checkpoint)."""
    name, key_id, material = key.split("+", 2)
    text, signature = note.split("\n\n")
    head, word = signature.removesuffix("\n").rsplit(" ", 1)
    public, raw = decoded(material), decoded(word)
    right = [sha256(f"{name}\n".encode() + public).hexdigest()[:8], raw[:4].hex(), public[0]]
    need([*right, f"{head} {word}\n"] == [key_id, key_id, 1, signature], "a wrong key")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(raw[4:], f"{text}\n".encode())
    origin, size, root = text.split("\n")
    need((origin, head) == (name, f"— {name}"), "the checkpoint of another log")
    return name.split("/")[-1], int(size), decoded(root)


def root_over(leaf, index, size, path):
    """The root that a leaf at this place gives with its siblings (RFC 9162)."""
    if size == 1 or not path:
        return leaf if size == 1 and not path else b"a path that is too long or too short"
    half = 1 << (size - 1).bit_length() - 1
    if index < half:
        return sha256(b"\1" + root_over(leaf, index, half, path[:-1]) + path[-1]).digest()
    return sha256(b"\1" + path[-1] + root_over(leaf, index - half, size - half, path[:-1])).digest()


def told(line, size, root):
    """The entry of a line that is in the log, with the parts that were opened."""
    need([*line] == ["entry", "index", "path", "openings"], "a line with something else")
    text, index, path, openings = line.values()
    leaf = sha256(b"\0" + text.encode()).digest()
    found = root_over(leaf, index, size, [decoded(word) for word in path])
    need(type(index) is int and 0 <= index < size and found == root, "a line not in the log")
    entry = json.loads(text)
    for opening in openings:
        need([*opening] == ["part", "value", "salt"], "a part with something else")
        part, value, salt = opening.values()
        made = digest("croupier part 1", part, raw := bytes.fromhex(salt), value).hex()
        need([entry["hidden"].pop(part), salt] == [made, raw.hex()], "a part not hidden there")
        name, _, field = part.partition(".")
        if name == "body":
            (entry["body"] if field else entry)[field or name] = json.loads(value)
    return {**entry, "index": index}


def one_round(entries):
    """The table's first line, and then every line from the first pack to the cleared cards."""
    first, *rest = entries
    rounds = {e["body"]["round"] for e in rest if e["kind"] in ("shoe-committed", "cards-cleared")}
    need(all(a["version"] + 1 == b["version"] for a, b in pairwise(rest)), "a line is missing")
    need(all(a["index"] < b["index"] for a, b in pairwise(entries)), "lines out of order")
    kinds, tables = [entry["kind"] for entry in entries], {entry["stream"] for entry in entries}
    need((first["version"], kinds[:2]) == (1, ["table-installed", "shoe-committed"]), "no rules")
    need((kinds.index("cards-cleared"), len(rounds), len(tables)) == (len(rest), 1, 1), "several")
    return rounds.pop()


def cards(ledger, number, entries):
    """Where each opened card lay; each must have the hash that the house committed to before."""
    for entry in entries:
        bound = (ledger, entry["stream"], number)
        if entry["kind"] == "shoe-committed":
            opened, pack = {}, entry["body"]["commitment"]
            root = digest("croupier pack 1", *bound, *map(bytes.fromhex, pack["leaves"]))
            need(root.hex() == pack["root"], "a wrong root of the pack")
        for card in entry["body"].get("openings", ()):
            place, name, salt = card["place"], card["card"], bytes.fromhex(card["salt"])
            leaf = digest("croupier card 1", *bound, place, name, salt).hex()
            need(pack["leaves"][place] == leaf, f"{name} did not lie there")
            opened[name] = place
    return opened


def shuffle(number, bodies, opened):
    """The boxes that gave numbers: each as committed, none left out, cards dealt in their order."""
    for body in bodies:
        event, box = body["event"], body.get("box")
        if event == "shoe-committed":
            hashes, shown, wagers, dealt = {}, {}, set(), []
        elif event in ("wager-placed", "wager-withdrawn", "wager-returned"):
            (wagers.add if event == "wager-placed" else wagers.discard)((box, body["wager"]))
            hashes = {other: hashes[other] for other in hashes if other in dict(wagers)}
        elif event == "number-committed":
            hashes[box] = body["number_hash"]
        elif event == "number-shown":
            shown[box] = bytes.fromhex(body["number"])
            right = digest("croupier number 1", number, box, shown[box]).hex()
            need(hashes.get(box) == right, f"another number of box {box}")
        elif event == "cards-dealt":
            need(hashes.keys() <= shown.keys(), "a player's number was left out")
            dealt += [int(opened.get(c, c[1:])) for lie in body["lies"] for c in lie["cards"]]
    seed = digest("croupier order 1", number, *(x for pair in sorted(shown.items()) for x in pair))
    blocks = (digest("croupier order 1", seed, block) for block in count())
    words = (int.from_bytes(b[at : at + 4], "big") for b in blocks for at in range(0, 32, 4))
    order = list(range(52))
    for place in range(51, 0, -1):
        other = next(w for w in words if w < 2**32 // (place + 1) * (place + 1)) % (place + 1)
        order[place], order[other] = order[other], order[place]
    need(not shown or dealt == order[: len(dealt)], "cards dealt in another order")
    return sorted(shown)


def main(file, named=None):
    content = Path(file).read_bytes().decode()
    proof = json.loads(content)
    need(content == json.dumps(proof, ensure_ascii=False, separators=(",", ":")) + "\n", "changed")
    form, key, note, lines = proof.values()
    names = ["croupier round proof 1", "format", "key", "checkpoint", "lines"]
    need([form, *proof] == names and named in (None, key), "another format, or another key")
    ledger, size, root = checkpoint(note, key)
    first, *rest = entries = [told(line, size, root) for line in lines]
    number = one_round(entries)
    opened = cards(ledger, number, rest)
    boxes = shuffle(number, [entry["body"] for entry in rest], opened)
    print(f"{first['stream']}, round {number}: holds; {len(opened)} turned cards, boxes that")
    print(f"shuffled {boxes}, signed with {key}; is that the key of the house?")


if __name__ == "__main__":
    sys.excepthook = lambda kind, error, trace: print(f"It does not hold: {kind.__name__}, {error}")
    main(*sys.argv[1:])
