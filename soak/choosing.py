"""What people do: mostly what their screens offer, sometimes what they must not.

Insiders try what takes two people alone; the judge looks that nothing came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from croupier.table.shoe import number_hash

STAKES = {"uth": ("ante", "blind"), "four-card": ("ante",)}
ANTE_CENTS = 10_00
FORWARD: dict[str, tuple[str, ...]] = {
    "dealer": ("deal", "reveal", "settle-box", "clear-cards", "open-table", "void-unshown"),
    "floorperson": ("confirm", "rule-on-absence", "validate-progressive", "record-paperwork",
                    "restore-device", "return-chip", "cancel-acceptance", "answer-call",
                    "second", "unlock-table"),
    "manager": ("confirm", "confirm-refusal", "second"),
    "player": ("check", "fold", "play", "show-number"),
}  # fmt: skip
NUMBERLESS, FORGOTTEN, OTHER_NUMBER = 0.1, 0.06, 0.05
RARE = frozenset({"void-round", "declare", "report-absence", "report-device", "leave-box",
                  "cash-out", "time-out", "change-way", "cover-device", "withdraw-wagers",
                  "tip", "buy-in", "call-floor", "propose-refusal", "count-drop", "lock-table",
                  "free-box", "pay-kept"})  # fmt: skip
RARELY = 0.04
WRONG = 0.04
INSIDE = 0.03
FORTUNE_CENTS = 10**14
INSIDERS: dict[str, tuple[str, ...]] = {
    "dealer": ("buy-in", "second", "count-drop", "void-round"),
    "floorperson": ("report-absence", "rule-on-absence", "second", "propose-refusal",
                    "confirm-refusal", "pay-kept", "count-drop", "buy-in", "free-box"),
    "manager": ("void-round", "confirm", "confirm-refusal", "second", "rule-on-absence",
                "unlock-table", "buy-in"),
    "player": ("cash-out", "second", "pay-kept"),
}  # fmt: skip
ACTS = ("abandon", "buy-in", "cash-out", "pay-kept", "count-drop", "unlock")
ANY_COMMAND = ("deal", "reveal", "settle-box", "clear-cards", "no-more-bets", "check", "fold",
               "play", "confirm", "void-round", "open-table", "tip", "cash-out", "buy-in",
               "take-box", "leave-box", "time-out", "validate-progressive",
               "propose-refusal", "show-number", "void-unshown")  # fmt: skip
Command = dict[str, Any]


def choice(role: str, name: str, view: dict[str, Any], chance: Random) -> Command | None:
    """The next thing to do; None where nothing presses."""
    if chance.random() < WRONG:
        return _wrong(view, chance)
    if chance.random() < INSIDE and role in INSIDERS:
        return _inside(role, name, view, chance)
    may = view.get("may", ())
    pressing = [option for option in may if option["do"] in FORWARD.get(role, ())]
    if pressing and chance.random() < 0.9:
        return filled(chance.choice(pressing), view, chance)
    if role == "player":
        return _players(name, view, may, chance)
    if role == "dealer":
        wanted = _dealers(view, may, chance)
        if wanted is not None:
            return wanted
    return _rarely(view, may, chance)


def filled(option: Command, view: dict[str, Any], chance: Random) -> Command:
    """The option as a command, with what it leaves open."""
    do, said = option["do"], {}
    if "box" in option:
        said["box"] = option["box"]
    more = _MORE.get(do)
    return {"do": do, **said, **(more(option, view, chance) if more else {})}


def _players(name: str, view: dict[str, Any], may: list[Command], chance: Random) -> Command | None:
    """A box, chips (the dealer's to give), wagers; later now and then something else."""
    own = [box for box in view.get("boxes", ()) if box.get("player") == name]
    take = [option for option in may if option["do"] == "take-box"]
    if not own:
        return filled(chance.choice(take), view, chance) if take else None
    if view["phase"] == "betting":
        bare = [box for box in own if "ante" not in box.get("stakes", {})]
        place = [o for o in may if o["do"] == "place-wagers" and o["box"] in _seats(bare)]
        if place and chance.random() < 0.7:
            return filled(place[0], view, chance)
        again = [o for o in may if o["do"] == "place-wagers"]
        if again and chance.random() < 0.15:
            return filled(again[0], view, chance)
    return _rarely(view, may, chance)


def _dealers(view: dict[str, Any], may: list[Command], chance: Random) -> Command | None:
    by_do = {option["do"]: option for option in may}
    poor = [box for box in view.get("boxes", ()) if box.get("chips_cents", 0) < 10 * ANTE_CENTS]
    if view["phase"] == "betting" and poor and "buy-in" in by_do:
        box = chance.choice(poor)["seat"]
        return {
            "do": "buy-in",
            "box": box,
            "cents": chance.choice((200_00, 1_000_00)),
            "taken": "cash",
        }
    wagered = [box for box in view.get("boxes", ()) if box.get("stakes")]
    everybody = len(wagered) == len(view.get("boxes", ()))
    if "no-more-bets" in by_do and (everybody or chance.random() < 0.2):
        return {"do": "no-more-bets"}
    wrong = [option for option in may if option["do"] == "withdraw-wagers"]
    if wrong and chance.random() < 0.5:
        return filled(wrong[0], view, chance)
    return None


def _rarely(view: dict[str, Any], may: list[Command], chance: Random) -> Command | None:
    others = [option for option in may if option["do"] in RARE]
    if others and chance.random() < RARELY:
        return filled(chance.choice(others), view, chance)
    return None


def _wrong(view: dict[str, Any], chance: Random) -> Command:
    """Another's box, another's duty, an amount that nobody has, or no command at all."""
    do = chance.choice((*ANY_COMMAND, "win"))
    said: Command = {"do": do}
    if chance.random() < 0.7:
        said["box"] = chance.randrange(0, 8)
    if chance.random() < 0.6:
        said["cents"] = chance.choice((0, 1, 10_00, 40_00, 10**9, -5))
    if do == "confirm":
        said["upheld"] = True
    if do == "void-round":
        said["cause"], said["reason"] = "other-cause", "no reason"
    return said


def _inside(role: str, name: str, view: dict[str, Any], chance: Random) -> Command:
    """Chips for nothing, a winner who was never there, a win refused, a round undone, an act of
    one's own confirmed: whether or not the screen offers it."""
    do = chance.choice(INSIDERS[role])
    box = chance.choice([each["seat"] for each in view.get("boxes", ())] or [1])
    said: dict[str, Command] = {
        "buy-in": {"box": box, "cents": FORTUNE_CENTS, "taken": "cash"},
        "cash-out": {"box": box},
        "report-absence": {"box": box},
        "rule-on-absence": {"box": box, "outcome": "abandoned"},
        "second": {"act": chance.choice(ACTS), "box": chance.choice((0, box)), "upheld": True},
        "propose-refusal": {"box": box, "reason": "hand"},
        "confirm-refusal": {"box": box, "upheld": True},
        "confirm": {"upheld": True},
        "pay-kept": {"player": chance.choice(("ann", "bob", "cyd", name))},
        "count-drop": {"found": {"cash": 0}},
        "free-box": {"box": box},
        "void-round": {"cause": "other-cause", "reason": "a bad round for the house"},
        "unlock-table": {"reason": "nothing to see"},
    }
    return {"do": do, **said[do]}


def _seats(boxes: list[Command]) -> set[int]:
    return {box["seat"] for box in boxes}


def _stakes(option: Command, view: dict[str, Any], chance: Random) -> Command:
    offered = option.get("wagers", ())
    stakes = {wager: ANTE_CENTS for wager in ("ante", "blind") if wager in offered}
    for wager in offered:
        if wager not in stakes and chance.random() < 0.5:
            stakes[wager] = 1_00 if wager == "progressive" else 5_00
    if chance.random() < 0.1:
        stakes.pop(chance.choice(sorted(stakes)))
    return {"stakes": stakes, **_committed(option["box"], view, chance)}


def _committed(box: int, view: dict[str, Any], chance: Random) -> Command:
    """A number for the shuffle, where the table takes one; some will never be able to show it."""
    if not view.get("takes_numbers") or chance.random() < NUMBERLESS:
        return {}
    has = any(each["seat"] == box and each.get("number") for each in view["boxes"])
    if has and chance.random() >= OTHER_NUMBER:
        return {}
    number = _number(box, view) if chance.random() >= FORGOTTEN else chance.randbytes(32).hex()
    return {"number_hash": number_hash(view["round"], box, number)}


def _number(box: int, view: dict[str, Any]) -> str:
    """The same whenever it is asked for: a player who comes back has his tab as it was."""
    return sha256(f"{view['round']} {box}".encode()).hexdigest()


def _some_cents(option: Command, view: dict[str, Any], chance: Random) -> Command:
    most = max(option.get("cents", (100,)))
    return {"cents": chance.choice((most, 1_00, 5_00, most // 200 * 100))}


def _declared(option: Command, view: dict[str, Any], chance: Random) -> Command:
    """Cards are named by nobody: one found is drawn, one seen is told by its place."""
    said: Command = {"name": chance.choice(option["names"])}
    if chance.random() < 0.4:
        said["cards"] = ["2c"]
    if chance.random() < 0.4:
        said["exposed"] = [f"@{chance.randrange(24)}"]
    return said


_MORE: dict[str, Callable[[Command, dict[str, Any], Random], Command]] = {
    "place-wagers": _stakes,
    "withdraw-wagers": lambda o, v, c: {"wagers": c.sample(o["wagers"], 1) if o["wagers"] else []},
    "buy-in": lambda o, v, c: {"cents": c.choice((100_00, 500_00)), "taken": o["names"][0]},
    "show-number": lambda o, v, c: {
        "number": _number(o["box"], v) if c.random() >= OTHER_NUMBER else "00" * 32
    },
    "tip": _some_cents,
    "cash-out": lambda o, v, c: _some_cents(o, v, c) if c.random() < 0.5 else {},
    "play": lambda o, v, c: {"cents": c.choice(o["cents"])},
    "propose-refusal": lambda o, v, c: {"reason": c.choice(o["names"])},
    "confirm-refusal": lambda o, v, c: {"upheld": c.random() < 0.7},
    "confirm": lambda o, v, c: {"upheld": c.random() < 0.6},
    "second": lambda o, v, c: {
        "act": o["names"][0],
        "upheld": o.get("may_uphold", True) and c.random() < 0.8,
    },
    "count-drop": lambda o, v, c: {"found": {taken: c.choice((0, 500_00)) for taken in o["names"]}},
    "pay-kept": lambda o, v, c: {"player": o["names"][0]},
    "lock-table": lambda o, v, c: {"reason": "a dispute"},
    "unlock-table": lambda o, v, c: {"reason": "it is resolved"},
    "declare": _declared,
    "void-round": lambda o, v, c: {"cause": "power-lost", "reason": "the lights are out"},
    "call-floor": lambda o, v, c: {"reason": c.choice(("", "a question"))},
    "report-device": lambda o, v, c: {"device": c.choice(o["names"])},
    "cover-device": lambda o, v, c: {
        "device": c.choice(o["names"]),
        "how": c.choice(("covered", "signed")),
    },
    "restore-device": lambda o, v, c: {"device": c.choice(o["names"])},
    "change-way": lambda o, v, c: {"way": c.choice(o["names"])},
    "rule-on-absence": lambda o, v, c: (
        {} if c.random() < 0.5 else {"outcome": c.choice(("abandoned", "default"))}
    ),
}
