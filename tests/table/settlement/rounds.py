"""Rounds for the settlement tests: named deals, rows that state what is paid, and round files.

A row says what one line of a paytable pays, in the regulation's odds and in cents. Amounts are
written dollars first, so that ``15_02`` reads $15.02 and ``1_000_00`` reads $1,000.00.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import pytest

from croupier.facts.money import micros
from croupier.games.registry import the_registry
from croupier.rulebook.book import Rulebook
from croupier.table.events import WagerSettled
from croupier.table.receipt import Receipt
from croupier.table.round_file import read_round
from croupier.table.settlement import settle

Scalar = str | int | bool
Texts = Mapping[str, str]
Wagers = dict[str, str | int | bool]


@dataclass(frozen=True)
class Deal:
    """The cards of the box under test and of the places around it."""

    box: str
    dealer: str
    board: str | None = None
    six_card_box: str | None = None

    @property
    def places(self) -> dict[str, Scalar]:
        lying = {"board": self.board, "dealer": self.dealer, "six_card_box": self.six_card_box}
        return {place: cards for place, cards in lying.items() if cards is not None}


@dataclass(frozen=True)
class Paid:
    """What a receipt line must say."""

    outcome: str
    odds: str | None
    paid_cents: int
    returned_cents: int
    clause: str


@dataclass(frozen=True)
class Case:
    """One deal under one paytable. ``expected`` is empty where no line may appear at all."""

    deal: str
    stake: str
    clause: str
    expected: tuple[Paid, ...]
    wager: str = ""
    letter: str = ""

    @property
    def id(self) -> str:
        return f"{self.wager} {self.letter} {self.deal} on {self.stake}"

    @property
    def proves_a_line(self) -> bool:
        return any(paid.odds is not None for paid in self.expected)


Deals = str | tuple[str, ...]


def line(
    deals: Deals, stake: str, odds: str, paid_cents: int, returned_cents: int, clause: str
) -> list[Case]:
    """A line of a paytable pays each of these deals."""
    outcome = "push" if odds == "push" else "win"
    return _cases(deals, stake, clause, Paid(outcome, odds, paid_cents, returned_cents, clause))


def loses(deals: Deals, stake: str, clause: str) -> list[Case]:
    """No line of the paytable pays these deals, and the wager is lost."""
    return _cases(deals, stake, clause, Paid("lose", None, 0, 0, clause))


def nothing(deals: Deals, stake: str, clause: str) -> list[Case]:
    """A bonus without a stake of its own leaves no line when it is not won."""
    return _cases(deals, stake, clause)


def _cases(deals: Deals, stake: str, clause: str, *expected: Paid) -> list[Case]:
    names = (deals,) if isinstance(deals, str) else deals
    return [Case(name, stake, clause, expected) for name in names]


def paytable(title: str, *rows: list[Case]) -> list[Case]:
    """A paytable by its title, such as ``trips A``."""
    wager, letter = title.split()
    return [replace(case, wager=wager, letter=letter) for row in rows for case in row]


def each(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """Run a test once a case, each carrying the clause it proves."""
    return pytest.mark.parametrize(
        "case",
        [pytest.param(case, id=case.id, marks=pytest.mark.clause(case.clause)) for case in cases],
    )


def lines_proved(cases: Iterable[Case]) -> set[tuple[str, str, str]]:
    """Wager, paytable and clause of every line the cases state an amount for."""
    return {(case.wager, case.letter, case.clause) for case in cases if case.proves_a_line}


def lines_in_the_book(book: Rulebook) -> set[tuple[str, str, str]]:
    """Wager, paytable and clause of every line of every paytable; no amount is read here."""
    tables = [
        (wager, letter, table)
        for wager, letters in book.paytables.items()
        for letter, table in letters.items()
    ]
    tables += [
        ("envy", letter, table) for letter, stakes in book.envy.items() for table in stakes.values()
    ]
    return {
        (wager, letter, book.cite(row.clause))
        for wager, letter, table in tables
        for row in table.lines
    }


@dataclass(frozen=True)
class Terms:
    """What stands on the meters when settlement starts, and what they reset to."""

    meters: Texts
    resets: Texts

    def after(self, moved: Texts) -> dict[str, int]:
        """Every meter in millionths of a dollar, once some have moved."""
        return {name: micros(amount) for name, amount in {**self.meters, **moved}.items()}

    def resetting(self, meter: str, amount: str) -> "Terms":
        return replace(self, resets={**self.resets, meter: amount})


@dataclass(frozen=True)
class LeastReset:
    """The least a meter may reset to, and the amount one cent below it."""

    letter: str
    meter: str
    least: str
    below: str
    clause: str


def each_least(resets: Iterable[LeastReset]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "reset",
        [
            pytest.param(
                reset,
                id=f"progressive {reset.letter} {reset.meter}",
                marks=pytest.mark.clause(reset.clause),
            )
            for reset in resets
        ],
    )


def uth_round(
    rulebook: str,
    case: Case,
    deal: Deal,
    terms: Terms | None = None,
    neighbour: str = "",
) -> str:
    """Box 1 with the wager under test and what it needs; for Envy, a neighbour holds the deal."""
    ante = case.stake if case.wager == "blind" else "$20"
    played = {"ante": ante, "blind": ante, "play": ante}
    offered = {"blind": "A", case.wager: case.letter}
    if case.wager == "six_card_bonus":
        played["trips"], offered["trips"] = "$3", "A"
    return _round_with(case, rulebook, offered, played, deal, terms, neighbour)


def fcp_round(case: Case, deal: Deal, terms: Terms | None = None, neighbour: str = "") -> str:
    """The same at Four Card Poker; the Ante bonus is paid on the Ante and has no letter."""
    ante = case.stake if case.wager == "ante_bonus" else "$20"
    played = {"ante": ante, "play": ante, "aces_up": "$3"}
    offered = {"aces_up": "A", case.wager: case.letter}
    offered.pop("ante_bonus", None)
    return _round_with(case, "FCP-14", offered, played, deal, terms, neighbour)


def _round_with(
    case: Case,
    rulebook: str,
    offered: dict[str, str],
    played: Texts,
    deal: Deal,
    terms: Terms | None,
    neighbour: str,
) -> str:
    under_test: dict[str, Scalar] = {"seat": 1, "cards": deal.box, **played}
    if case.wager == "envy":
        holder, cards = {**under_test, "seat": 2}, neighbour
        boxes = [{**under_test, "cards": cards, "progressive": True}, holder]
        offered = {**offered, "progressive": "A"}
    elif case.wager == "progressive":
        boxes = [{**under_test, "progressive": True}]
    elif case.wager in ("blind", "ante_bonus"):
        boxes = [under_test]
    else:
        boxes = [{**under_test, case.wager: case.stake}]
    return round_text(rulebook, offered, deal.places, boxes, terms, case.stake)


def round_text(
    rulebook: str,
    paytables: Mapping[str, Scalar],
    places: Mapping[str, Scalar],
    boxes: Iterable[Mapping[str, Scalar]],
    terms: Terms | None = None,
    progressive_wager: str = "$1",
) -> str:
    """A round file, as a person would write it down."""
    text = [f"rulebook = {json.dumps(rulebook)}", "[paytables]", *_pairs(paytables)]
    if terms is not None:
        text += ["[progressive]", f"wager = {json.dumps(progressive_wager)}"]
        text += [f"meters = {{ {', '.join(_pairs(terms.meters))} }}"]
        text += [f"resets = {{ {', '.join(_pairs(terms.resets))} }}"]
    text += ["[cards]", *_pairs(places)]
    for box in boxes:
        text += ["[[box]]", *_pairs(box)]
    return "\n".join(text)


def _pairs(table: Mapping[str, Scalar]) -> list[str]:
    """Texts, whole numbers and truth values are written alike in TOML and in JSON."""
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def settled(text: str) -> Receipt:
    return settle(read_round(text, the_registry()))


def paid_to(receipt: Receipt, seat: int, wager: str) -> tuple[Paid, ...]:
    return tuple(_paid(line) for line in receipt.of(seat) if line.wager == wager)


def _paid(line: WagerSettled) -> Paid:
    odds = None if line.odds is None else str(line.odds)
    return Paid(str(line.outcome), odds, line.paid_cents, line.returned_cents, line.clause)


# The lowest or the highest hand of its rank where that says most. The player beats the dealer each
# time. The first three cards of the board and his own two already make the hand, so it does not
# matter here by which cards Progressive is judged (ruling 18).
UTH_HANDS = {
    "royal flush": Deal(board="Ah Kh Qh 2c 7d", box="Jh Th", dealer="2d 7s"),
    "straight flush": Deal(board="9c Qc Kc 2h 5d", box="Tc Jc", dealer="Ac 2d"),
    "four of a kind": Deal(board="8h 8d 3c Kd Jd", box="8s 8c", dealer="Kh Ks"),
    "full house": Deal(board="As Ad 9h 4c 2d", box="9s 9d", dealer="Ah Kh"),
    "flush": Deal(board="2d 7d Jd Qc Kc", box="Ad 9d", dealer="Ah Td"),
    "straight": Deal(board="Ac 2d 3h Kd Ks", box="4s 5c", dealer="Kh Qs"),
    "highest straight": Deal(board="Ac Kd Qh 3s 3c", box="Js Tc", dealer="3d 2h"),
    "three of a kind": Deal(board="Qc 7h 2d 9s 4c", box="Qd Qs", dealer="9c 7s"),
    "three aces": Deal(board="Ac Kd Qh 7s 2c", box="As Ad", dealer="Kh Qd"),
    "aces and kings": Deal(board="Ac Kd Qh 7s 2c", box="As Kc", dealer="Qd Jd"),
    "no pair": Deal(board="Ac Kd 8h 7s 2c", box="Qs Jc", dealer="Ts 9d"),
}

# For a neighbour of the Envy holder: no deal above that Envy looks at holds these.
UTH_NEIGHBOUR = "4c 6s"

OTHER_SUPER_ROYALS = ("super royal of hearts", "super royal of spades", "super royal of clubs")
SUPER_ROYALS = ("super royal of diamonds", *OTHER_SUPER_ROYALS)


def _six(box: str, six_card_box: str) -> Deal:
    """The board gives the player another hand than the box does."""
    return Deal(board="3s 5s 6h 6c 2h", dealer="6s 7c", box=box, six_card_box=six_card_box)


UTH_SIX_CARDS = {
    "super royal of diamonds": _six("Td 9d", "Ad Kd Qd Jd"),
    "super royal of hearts": _six("Kh Ah", "9h Th Jh Qh"),
    "super royal of spades": _six("Qs Js", "As Ks 9s Ts"),
    "super royal of clubs": _six("9c Ac", "Tc Jc Qc Kc"),
    "royal flush": _six("Ts 9h", "As Ks Qs Js"),
    "straight flush": _six("9c 8c", "Kc Qc Jc Tc"),
    "four of a kind": _six("8s 8c", "8h 8d Kd Ks"),
    "full house": _six("4h 9c", "9h 9d 4c 4s"),
    "flush": _six("Ad 9c", "2d 7d Jd Kd"),
    "straight": _six("5c Kd", "Ac 2d 3h 4s"),
    "three of a kind": _six("Qd Qs", "Qc 7h 2d 9s"),
    "three pairs": _six("Qc Qd", "Ac Ad Kc Kd"),
}
