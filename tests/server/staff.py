"""Everybody who works in a pit or plays there, and a table with them around it."""

from __future__ import annotations

from typing import Any

from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.server.service import Client, Service

PLAYERS = ("ann", "bob", "cyd")
ROLES = ("dealer", "floorperson", "manager", "surveillance", "auditor")
DEALERS_ORDER = ("deal", "reveal", "settle-box", "clear-cards")
FLOORS_ORDER = ("confirm", "rule-on-absence", "validate-progressive", "record-paperwork")
STAKES = {
    "uth": {"ante": 10_00, "blind": 10_00},
    "four-card": {"ante": 10_00},
    "three-card": {"ante": 10_00},
    "casino-holdem": {"ante": 10_00},
    "texas-holdem-bonus": {"ante": 10_00},
}


def hire(service: Service) -> dict[str, Client]:
    """The first administrator hires the others; each is known by name or, if staff, by role."""
    admin = service.set_up()
    people = {name: admin.hire(name, "player") for name in PLAYERS}
    people |= {role: admin.hire(role, role) for role in ROLES}
    return people | {"admin": admin}


def install(people: dict[str, Client], name: str, book: str = "UTH-S", link: str = "") -> Table:
    """What the manager brings in, the administrator confirms where it waits."""
    sent = {"submission": write_submission(shipped_submission(book)), "name": name, "link": link}
    confirm(people, people["manager"].post("/api/tables", sent))
    return Table(people, name, the_registry().book(book).game)


def run_link(people: dict[str, Client], name: str, **said: Any) -> None:
    """The manager closes a link or opens it, and the administrator confirms it."""
    confirm(people, people["manager"].put(f"/api/links/{name}", said))


def confirm(people: dict[str, Client], told: Any) -> None:
    if "act" in told:
        people["admin"].post(f"/api/waiting/{told['act']}/{told['name']}", {"upheld": True})


class Table:
    """A table as the people around it use it, each through the API."""

    def __init__(self, people: dict[str, Client], name: str, game: str) -> None:
        self.people, self.name, self.game = people, name, game

    def ask(self, who: str, do: str, **fields: Any) -> Any:
        return self.people[who].ask(self.name, do, **fields)

    def done(self, who: str, do: str, **fields: Any) -> Any:
        told = self.ask(who, do, **fields)
        assert told["outcome"] == "done", (who, do, fields, told)
        return told

    def view(self, who: str = "dealer") -> Any:
        return self.people[who].look(self.name)["view"]

    def opened(self, players: tuple[str, ...] = ("ann", "bob")) -> Table:
        self.done("dealer", "open-table")
        for box, name in enumerate(players, 1):
            self.done(name, "take-box", box=box)
            self.done("dealer", "buy-in", box=box, cents=500_00, taken="cash")
        return self

    def wagered(self, **more: int) -> Table:
        for box in self.view()["boxes"]:
            stakes = {**STAKES[self.game], **more}
            self.done(box["player"], "place-wagers", box=box["seat"], stakes=stakes)
        return self

    def dealt(self) -> Table:
        """The first cards are out, and the first box is asked."""
        self.wagered()
        self.done("dealer", "no-more-bets")
        while self.view()["phase"] == "dealing":
            self.done("dealer", "deal")
        return self

    def finished(self) -> Any:
        """Play on until the round is over; whoever is asked checks, then folds."""
        while True:
            shown = self.view()
            if shown["phase"] == "betting":
                return shown
            if shown["phase"] == "acting":
                self.answer(shown)
                continue
            who, order = ("dealer", DEALERS_ORDER)
            may = {option["do"]: option for option in shown["may"]}
            if not any(do in may for do in order):
                who, order = ("floorperson", FLOORS_ORDER)
                may = {option["do"]: option for option in self.view(who)["may"]}
            option = may[next(do for do in order if do in may)]
            extra = {"box": option["box"]} if "box" in option else {}
            self.done(who, option["do"], **extra)

    def answer(self, shown: Any) -> None:
        name = next(box["player"] for box in shown["boxes"] if box["seat"] == shown["turn"])
        own = self.view(name)["may"]
        choice = next(option for option in own if option["do"] in ("check", "fold"))
        self.done(name, choice["do"], box=shown["turn"])
