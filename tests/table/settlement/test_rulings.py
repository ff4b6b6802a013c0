"""Every ruling that touches money, and every clause of chapter 11 that settles, on real deals.

Each test states the amounts itself; ``10_00`` is ten dollars in cents. Boxes bet $10 Ante and $10
Blind at Ultimate Texas Hold'em, $10 Ante at Four Card Poker, unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from croupier.table.events import WagerSettled
from croupier.table.receipt import Receipt, as_document
from croupier.table.round_file import read_round
from croupier.table.settlement import settle
from tests.citing import cited, each_book, in_book, in_uth

BOTH_UTH = ("UTH-S", "UTH-14")


OFFERED = {
    "UTH-S": {
        "blind": "A",
        "trips": "A",
        "six_card_bonus": "A",
        "ultimate_pairs": "A",
        "bad_beat": "A",
        "play_the_board": "A",
        "progressive": "A",
        "envy": "A",
    },
    "UTH-14": {
        "blind": "A",
        "trips": "A",
        "six_card_bonus": "A",
        "progressive": "A",
        "envy": "A",
    },
    "FCP-14": {
        "aces_up": "A",
        "six_card_bonus": "super-A",
        "progressive": "A",
        "envy": "A",
    },
}

# Dealer's hands at Four Card Poker that hold nothing but a high card.
QUEEN_HIGH = "2c 4d 6h 8s Tc Qd"
KING_HIGH = "2c 4d 6h 8s Tc Kd"

Wagers = dict[str, str | int | bool]
Paid = tuple[str, int, int]


def uth_box(seat: int, cards: str, **wagers: str | bool) -> Wagers:
    return {"seat": seat, "cards": cards, "ante": "$10", "blind": "$10", **wagers}


def fcp_box(seat: int, cards: str, **wagers: str | bool) -> Wagers:
    return {"seat": seat, "cards": cards, "ante": "$10", **wagers}


def terms(
    *,
    wager: str = "$1",
    meters: str = 'main = "$20,000"',
    resets: str = 'main = "$10,000"',
    **more: str | bool,
) -> str:
    written = [f"{key} = {_toml(value)}" for key, value in more.items()]
    lines = [f'wager = "{wager}"', f"meters = {{ {meters} }}", f"resets = {{ {resets} }}"]
    return "\n".join(["[progressive]", *lines, *written])


def settled(
    book: str,
    *boxes: Wagers,
    dealer: str,
    board: str = "",
    six: str = "",
    limit: str = "",
    pot: str | None = None,
    **tables: str,
) -> Receipt:
    """Settle one round written down as a round file; ``tables`` are letters other than A."""
    places = {"board": board, "dealer": dealer, "six_card_box": six}
    parts = [
        f'rulebook = "{book}"',
        f'payout_limit = "{limit}"' if limit else "",
        "[paytables]",
        *(f'{name} = "{letter}"' for name, letter in (OFFERED[book] | tables).items()),
        terms() if pot is None else pot,
        "[cards]",
        *(f'{place} = "{cards}"' for place, cards in places.items() if cards),
    ]
    for box in boxes:
        parts += ["[[box]]", *(f"{key} = {_toml(value)}" for key, value in box.items())]
    return settle(read_round("\n".join(parts), the_registry()))


def _toml(value: str | int | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def paid(receipt: Receipt, seat: int = 1) -> dict[str, Paid]:
    """Wager to outcome, paid and returned cents, for all of a box but the Envy it received."""
    lines = [line for line in receipt.of(seat) if line.wager != "envy"]
    assert len({line.wager for line in lines}) == len(lines)
    return {line.wager: _paid(line) for line in lines}


def _paid(line: WagerSettled) -> Paid:
    return str(line.outcome), line.paid_cents, line.returned_cents


def envy(receipt: Receipt) -> set[tuple[int, int | None, int]]:
    """Who received, whose hand gave it, and how many cents."""
    lines = [line for line in receipt.lines if line.wager == "envy"]
    assert all(_paid(line)[0] == "win" and line.stake_cents == 0 for line in lines)
    assert all(line.returned_cents == 0 for line in lines)
    found = {(line.box, line.holder, int(line.paid_cents)) for line in lines}
    assert len(found) == len(lines)
    return found


def clause_of(receipt: Receipt, wager: str, seat: int = 1) -> str:
    return next(line.clause for line in receipt.of(seat) if line.wager == wager)


# The contest at Ultimate Texas Hold'em


@each_book(
    "UTH-S 6.A",
    "UTH-S 6.E",
    "UTH-S 6.E(1)",
    "UTH-S 11.G(2)",
    "UTH-S 11.H(2)",
    "UTH-S 11.H(2)(b)",
    "UTH-S 11.H(3)(b)",
    "UTH-S 12.A",
    "UTH-14 6.A",
    "UTH-14 6.E",
    "UTH-14 6.E(1)",
    "UTH-14 11.G(2)",
    "UTH-14 11.H(2)",
    "UTH-14 11.H(2)(ii)",
    "UTH-14 11.H(3)(b)",
    "UTH-14 12.A",
)
@pytest.mark.parametrize(
    ("board", "player", "dealer"),
    [
        pytest.param("Kh 9c 7d 4s 2c", "Ks Qd", "Kd Jc", id="kicker of a pair"),
        pytest.param("Kh 9c 7d 4s 2c", "As Ad", "Kd Jc", id="higher pair"),
        pytest.param("Kh Kd 9c 4s 2d", "9h 3c", "4h Ac", id="lower pair of two pairs"),
        pytest.param("Kh Kd 9c 9s 2d", "Ah 3c", "Qh Jc", id="kicker of two pairs"),
        pytest.param("Kh Kd 9c 4s 2d", "Ks Qc", "Kc Jc", id="kicker of three of a kind"),
        pytest.param("9h 9d 4s 4c Kd", "9c 2h", "4h Kc", id="the three of a full house first"),
        pytest.param("9h 9d 9s 4c Kd", "Kc 2h", "4h Ac", id="then its pair"),
        pytest.param("9h 9d 9s 9c 4d", "Kc 2h", "Qh Jc", id="kicker of four of a kind"),
        pytest.param("2c 3d 4h 5s Kc", "6c Kd", "Ah Ad", id="a wheel is the lowest straight"),
        pytest.param("Ah Kh 9h 3h 2c", "7h 4c", "6h 5h", id="fourth card of a flush"),
        pytest.param("2h 3h 4h 5h Kc", "6h Kd", "Ah Ad", id="a steel wheel is the lowest"),
    ],
)
def test_the_higher_hand_wins(book: str, board: str, player: str, dealer: str) -> None:
    receipt = settled(book, uth_box(1, player, play="$10"), board=board, dealer=dealer)
    got = paid(receipt)
    assert got["ante"] == ("win", 10_00, 10_00)
    assert got["play"] == ("win", 10_00, 10_00)
    assert got["blind"][0] in ("win", "push")
    assert clause_of(receipt, "ante") == f"{book} 12.A"


@each_book("UTH-S 11.H(3)(a)", "UTH-14 11.H(3)(a)", "UTH-S 6.D", "UTH-14 6.D")
@pytest.mark.parametrize(
    ("board", "player", "dealer"),
    [
        pytest.param("Kh 9c 7d 4s 2c", "Kd Jc", "Ks Qd", id="kicker of a pair"),
        pytest.param("2c 3d 4h 5s Kc", "Ah Ad", "6c Kd", id="a wheel is the lowest straight"),
        pytest.param("Jh Th 9h 2c 2d", "8s 7s", "Ah 3h", id="a flush beats a straight"),
        pytest.param("Jh Th 9h 2c 2d", "Ah 3h", "Jd Jc", id="a full house beats a flush"),
        pytest.param("Jh Jd 9h 2c 2d", "Js 9c", "2h 2s", id="four of a kind beats a full house"),
        pytest.param("Jh Th 9h 9c 9d", "9s Ah", "8h 7h", id="a straight flush beats four"),
    ],
)
def test_the_lower_hand_loses_all_three(book: str, board: str, player: str, dealer: str) -> None:
    receipt = settled(book, uth_box(1, player, play="$40"), board=board, dealer=dealer)
    assert paid(receipt) == {
        "ante": ("lose", 0, 0),
        "blind": ("lose", 0, 0),
        "play": ("lose", 0, 0),
    }
    assert {line.clause for line in receipt.lines} == {f"{book} 11.H(3)(a)"}
    assert receipt.net_cents(1) == -60_00


@each_book(
    "UTH-S 6.C",
    "UTH-S 6.E(2)",
    "UTH-S 11.H(3)(d)",
    "UTH-14 6.C",
    "UTH-14 6.E(2)",
    "UTH-14 11.H(3)(d)",
)
@pytest.mark.parametrize(
    ("board", "player", "dealer"),
    [
        pytest.param("Ah Ad Kc Ks Qh", "2c 3d", "4c 5d", id="the board plays for both"),
        pytest.param("Kh 9c 7d 4s 2c", "Ks Qd", "Kd Qc", id="same pair, same kickers"),
        pytest.param("Kh 9c 8d 7s 4c", "Ks 3d", "Kd 2c", id="the sixth card never counts"),
        pytest.param("5c 6d 7h Ks Kd", "8s 9s", "8d 9d", id="suits never break a tie"),
        pytest.param("Ah Kh Qh Jh 9h", "2c 2d", "3c 3d", id="a flush on the board"),
        pytest.param("Ah Kh Qh Jh Th", "2c 2d", "3c 3d", id="a royal flush on the board"),
    ],
)
def test_a_tie_returns_all_three(book: str, board: str, player: str, dealer: str) -> None:
    receipt = settled(book, uth_box(1, player, play="$40"), board=board, dealer=dealer)
    assert paid(receipt) == {
        "ante": ("push", 0, 10_00),
        "blind": ("push", 0, 10_00),
        "play": ("push", 0, 40_00),
    }
    assert {line.clause for line in receipt.lines} == {f"{book} 11.H(3)(d)"}
    assert receipt.net_cents(1) == 0


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)", "UTH-S 2.B(8)(a)")
def test_without_a_pair_the_dealer_returns_the_ante_of_a_winner(book: str) -> None:
    box = uth_box(1, "Ad 3c", play="$10")
    receipt = settled(book, box, board="Kh 9c 7d 4s 2c", dealer="Qc Jd")
    assert paid(receipt) == {
        "ante": ("push", 0, 10_00),
        "blind": ("push", 0, 10_00),
        "play": ("win", 10_00, 10_00),
    }
    assert clause_of(receipt, "ante") == f"{book} 11.H(1)"


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)")
def test_without_a_pair_the_dealer_returns_the_ante_of_a_loser(book: str) -> None:
    box = uth_box(1, "Th 3c", play="$20")
    receipt = settled(book, box, board="Kh 9c 7d 4s 2c", dealer="Qc Jd")
    assert paid(receipt) == {
        "ante": ("push", 0, 10_00),
        "blind": ("lose", 0, 0),
        "play": ("lose", 0, 0),
    }
    assert receipt.net_cents(1) == -30_00


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)", "UTH-S 12.B(1)(f)", "UTH-14 12.B(1)(f)")
def test_without_a_pair_the_dealer_still_pays_blind_and_play(book: str) -> None:
    box = uth_box(1, "8h 5d", play="$40")
    receipt = settled(book, box, board="Kh 9c 7d 6s 2c", dealer="Qc Jd")
    assert paid(receipt) == {
        "ante": ("push", 0, 10_00),
        "blind": ("win", 10_00, 10_00),
        "play": ("win", 40_00, 40_00),
    }


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)", "UTH-S 11.H(3)(d)", "UTH-14 11.H(3)(d)")
def test_without_a_pair_a_tie_returns_all_three(book: str) -> None:
    box = uth_box(1, "4c 5d", play="$10")
    receipt = settled(book, box, board="Ah Kd Qc Jh 9s", dealer="2c 3d")
    assert {outcome for outcome, _, _ in paid(receipt).values()} == {"push"}
    assert receipt.net_cents(1) == 0


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)", "UTH-S 11.F(2)", "UTH-14 11.F(2)")
def test_without_a_pair_a_folded_ante_stays_forfeited(book: str) -> None:
    receipt = settled(book, uth_box(1, "Ad 3c"), board="Kh 9c 7d 4s 2c", dealer="Qc Jd")
    assert paid(receipt) == {"ante": ("forfeit", 0, 0), "blind": ("forfeit", 0, 0)}


@each_book("UTH-S 11.H(1)", "UTH-14 11.H(1)", "UTH-S 11.G(2)", "UTH-14 11.G(2)")
def test_a_pair_on_the_board_is_a_pair_of_the_dealer(book: str) -> None:
    box = uth_box(1, "Ad 3c", play="$10")
    receipt = settled(book, box, board="9h 9c 7d 4s 2c", dealer="Qc Jd")
    assert paid(receipt)["ante"] == ("win", 10_00, 10_00)


# The Blind


@each_book(
    "UTH-S 2.B(8)(b)",
    "UTH-S 11.H(3)(c)",
    "UTH-S 12.B(1)(g)",
    "UTH-14 11.H(3)(c)",
    "UTH-14 12.B(1)(g)",
)
@pytest.mark.parametrize("player", ["Ks Qd", "Kd 9d", "Ks Kd"])
def test_a_win_below_a_straight_returns_the_blind(book: str, player: str) -> None:
    box = uth_box(1, player, play="$40")
    receipt = settled(book, box, board="Kh 9c 7d 4s 2c", dealer="Js Jd")
    assert paid(receipt)["blind"] == ("push", 0, 10_00)
    assert clause_of(receipt, "blind") == f"{book} 12.B(1)(g)"
    assert receipt.net_cents(1) == 50_00


@each_book(*in_uth("11.H(3)(c)", "12.B", "12.B(1)(f)", "12.B(2)(f)"))
def test_a_straight_pushes_on_blind_b_and_pays_on_blind_a(book: str) -> None:
    box = uth_box(1, "8h 5d", play="$10")
    deal = {"board": "Kh 9c 7d 6s 2c", "dealer": "Kc Jd"}
    assert paid(settled(book, box, **deal))["blind"] == ("win", 10_00, 10_00)
    receipt = settled(book, box, blind="B", **deal)
    assert paid(receipt)["blind"] == ("push", 0, 10_00)
    assert receipt.lines[1].rulings == (5,)


@pytest.mark.parametrize(
    ("book", "letter"),
    [
        pytest.param(book, letter, marks=cited(book, clause))
        for book in BOTH_UTH
        for letter, clause in [("A", "12.B(1)(e)"), ("B", "12.B(2)(e)")]
    ],
)
@pytest.mark.parametrize(
    ("stake", "winnings"),
    [("$10", 15_00), ("$15", 22_50), ("$0.01", 2), ("$5.01", 7_52), ("$7.03", 10_55)],
)
def test_three_to_two_is_rounded_up_to_the_cent(
    book: str, letter: str, stake: str, winnings: int
) -> None:
    box = uth_box(1, "8h 5h") | {"ante": stake, "blind": stake, "play": stake}
    deal = {"board": "Kh 9h 7h 6s 2c", "dealer": "Kc Jd"}
    assert paid(settled(book, box, blind=letter, **deal))["blind"][:2] == ("win", winnings)


@each_book("UTH-S 12.B", "UTH-14 12.B", "UTH-S 11.H(3)(a)", "UTH-14 11.H(3)(a)")
def test_a_flush_that_loses_pays_no_blind(book: str) -> None:
    box = uth_box(1, "8h 5h", play="$10")
    receipt = settled(book, box, board="Kh 9h 7h 6s 2c", dealer="Ah 3h")
    assert paid(receipt)["blind"] == ("lose", 0, 0)


# Play sizes and stakes


@pytest.mark.parametrize(
    ("book", "play", "cents"),
    [
        pytest.param(book, play, cents, marks=cited(book, "11.B(1)", *clauses))
        for book in BOTH_UTH
        for play, cents, clauses in [
            ("$10", 10_00, ("11.F", "11.F(1)")),
            ("$20", 20_00, ("11.D(1)",)),
            ("$40", 40_00, ()),
        ]
    ],
)
def test_play_is_one_two_three_or_four_times_the_ante(book: str, play: str, cents: int) -> None:
    deal = {"board": "Kh 9c 7d 4s 2c", "dealer": "Js Jd"}
    assert paid(settled(book, uth_box(1, "Ks Qd", play=play), **deal))["play"] == (
        "win",
        cents,
        cents,
    )
    three = settled(book, uth_box(1, "Ks Qd", play="$30"), **deal)
    assert paid(three)["play"] == ("win", 30_00, 30_00)


@each_book("UTH-S 7.F(1)", "UTH-14 7.F(1)", "UTH-S 12.A", "UTH-14 12.A")
@pytest.mark.parametrize(
    ("stake", "cents"), [("$0.01", 1), ("$7.77", 7_77), ("$1,000,000", 1_000_000_00)]
)
def test_an_accepted_wager_of_any_size_is_paid_in_full(book: str, stake: str, cents: int) -> None:
    box = uth_box(1, "Ks Qd") | {"ante": stake, "blind": stake, "play": stake}
    receipt = settled(book, box, board="Kh 9c 7d 4s 2c", dealer="Js Jd")
    assert paid(receipt) == {
        "ante": ("win", cents, cents),
        "blind": ("push", 0, cents),
        "play": ("win", cents, cents),
    }


@pytest.mark.clause("FCP-14 7.E(1)", "FCP-14 11.B(1)", "FCP-14 12.A")
@pytest.mark.parametrize(
    ("play", "cents"), [("$10", 10_00), ("$10.01", 10_01), ("$15.50", 15_50), ("$30", 30_00)]
)
def test_four_card_play_is_any_amount_from_one_to_three_antes(play: str, cents: int) -> None:
    box = fcp_box(1, "As Ad Kh 9c 3d", play=play)
    receipt = settled("FCP-14", box, dealer=QUEEN_HIGH)
    assert paid(receipt) == {"ante": ("win", 10_00, 10_00), "play": ("win", cents, cents)}


# A fold at Ultimate Texas Hold'em

FULL_HOUSE_FOLDED = {"board": "Kh Tc Td 4s 2c", "dealer": "Th Ts", "six": "Ks 3h 3d 5c"}


@pytest.mark.clause(
    "UTH-S 11.F(2)",
    "UTH-S 11.F(3)(a)",
    "UTH-S 11.F(3)(c)",
    "UTH-S 11.I(1)",
    "UTH-S 11.I(2)",
    "UTH-S 11.I(3)",
    "UTH-S 11.I(4)",
    "UTH-S 11.J(1)",
    "UTH-S 7.F(5)",
    "UTH-S 7.F(6)",
    "UTH-S 7.F(7)",
)
def test_a_fold_gives_up_ante_and_blind_and_nothing_else() -> None:
    box = uth_box(
        1,
        "Kd Kc",
        trips="$5",
        six_card_bonus="$5",
        ultimate_pairs="$5",
        bad_beat="$5",
        play_the_board="$5",
        progressive=True,
    )
    receipt = settled("UTH-S", box, **FULL_HOUSE_FOLDED)
    assert paid(receipt) == {
        "ante": ("forfeit", 0, 0),
        "blind": ("forfeit", 0, 0),
        "trips": ("win", 45_00, 5_00),
        "six_card_bonus": ("win", 100_00, 5_00),
        "ultimate_pairs": ("win", 50_00, 5_00),
        "bad_beat": ("win", 200_00, 5_00),
        "play_the_board": ("win", 5_00, 5_00),
        "progressive": ("win", 50_00, 1_00),
    }
    assert clause_of(receipt, "ante") == "UTH-S 11.F(2)"
    assert receipt.net_cents(1) == 430_00


@pytest.mark.clause(
    "UTH-14 11.F(2)",
    "UTH-14 11.F(3)(a)",
    "UTH-14 11.F(3)(c)",
    "UTH-14 11.I(1)",
    "UTH-14 11.I(2)",
    "UTH-14 11.I(3)",
    "UTH-14 11.I(4)",
    "UTH-14 11.J(1)",
)
def test_a_fold_in_the_2014_edition_keeps_the_side_wagers_too() -> None:
    box = uth_box(1, "Kd Kc", trips="$5", six_card_bonus="$5", progressive=True)
    receipt = settled("UTH-14", box, **FULL_HOUSE_FOLDED)
    assert paid(receipt) == {
        "ante": ("forfeit", 0, 0),
        "blind": ("forfeit", 0, 0),
        "trips": ("win", 45_00, 5_00),
        "six_card_bonus": ("win", 100_00, 5_00),
        "progressive": ("win", 50_00, 1_00),
    }


@pytest.mark.clause("UTH-S 11.F(2)", "UTH-S 11.F(3)(a)", "UTH-S 11.I(1)", "UTH-S 11.J(2)(a)")
def test_side_wagers_of_a_folded_box_can_lose() -> None:
    box = uth_box(
        1,
        "Kd 8c",
        trips="$5",
        six_card_bonus="$5",
        ultimate_pairs="$5",
        bad_beat="$5",
        play_the_board="$5",
        progressive=True,
    )
    receipt = settled("UTH-S", box, board="Qh Jc 7d 4s 2c", dealer="Ah Ts", six="2h 3h 5d 9c")
    got = paid(receipt)
    assert {name: outcome for name, (outcome, _, _) in got.items()} == {
        "ante": "forfeit",
        "blind": "forfeit",
        "trips": "lose",
        "six_card_bonus": "lose",
        "ultimate_pairs": "lose",
        "bad_beat": "lose",
        "play_the_board": "lose",
        "progressive": "lose",
    }
    assert receipt.net_cents(1) == -46_00


@each_book("UTH-S 11.I(2)", "UTH-S 11.I(4)", "UTH-14 11.I(2)", "UTH-14 11.I(4)")
def test_side_wagers_win_when_the_hand_loses(book: str) -> None:
    box = uth_box(1, "Kd Kc", play="$40", trips="$5", six_card_bonus="$5", progressive=True)
    receipt = settled(book, box, **FULL_HOUSE_FOLDED)
    assert paid(receipt) == {
        "ante": ("lose", 0, 0),
        "blind": ("lose", 0, 0),
        "play": ("lose", 0, 0),
        "trips": ("win", 45_00, 5_00),
        "six_card_bonus": ("win", 100_00, 5_00),
        "progressive": ("win", 50_00, 1_00),
    }


# The newer side wagers


@pytest.mark.clause("UTH-S 7.F(6)", "UTH-S 12.Fbis")
@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        pytest.param(
            "9h 9s",
            "Kd Ks",
            ("win", 45_00, 5_00),
            id="the player's lower three",
            marks=cited("UTH-S", "12.Fbis(1)(g)"),
        ),
        pytest.param(
            "Kd Ks",
            "9h 9s",
            ("win", 45_00, 5_00),
            id="the dealer's lower three",
            marks=cited("UTH-S", "12.Fbis(1)(g)"),
        ),
        pytest.param("Kd Ks", "Qh Jh", ("lose", 0, 0), id="the lower hand is nothing"),
        pytest.param("Qh Jh", "Kd Ks", ("lose", 0, 0), id="a loss with nothing"),
        pytest.param("Kd 3h", "Ks 3d", ("lose", 0, 0), id="a tie below three of a kind"),
    ],
)
@pytest.mark.parametrize("play", [{"play": "$10"}, {}], ids=["played", "folded"])
def test_bad_beat_pays_for_the_lower_of_both_hands(
    player: str, dealer: str, expected: Paid, play: dict[str, str]
) -> None:
    box = uth_box(1, player, bad_beat="$5", **play)
    receipt = settled("UTH-S", box, board="Kh 9c 7d 4s 2c", dealer=dealer)
    assert paid(receipt)["bad_beat"] == expected


@pytest.mark.clause("UTH-S 7.F(6)", "UTH-S 12.Fbis", "UTH-S 12.Fbis(1)")
def test_bad_beat_loses_on_a_tie_however_high() -> None:
    box = uth_box(1, "2c 2d", play="$10", bad_beat="$5")
    receipt = settled("UTH-S", box, board="Ah Kh Qh Jh Th", dealer="3c 3d")
    assert paid(receipt)["bad_beat"] == ("lose", 0, 0)


@pytest.mark.clause("UTH-S 7.F(5)", "UTH-S 12.Ebis(2)(a)", "UTH-S 12.Ebis(2)(b)")
def test_aces_against_aces_are_the_top_award_of_paytable_b_only() -> None:
    box = uth_box(1, "As Ac", ultimate_pairs="$5")
    deal = {"board": "Kh 9c 7d 4s 2c", "dealer": "Ah Ad"}
    for letter, dollars in [("A", 30), ("B", 1_000), ("C", 30), ("D", 30), ("E", 25), ("F", 25)]:
        receipt = settled("UTH-S", box, ultimate_pairs=letter, **deal)
        assert paid(receipt)["ultimate_pairs"] == ("win", dollars * 5_00, 5_00)
    deal["dealer"] = "Ah Kd"
    receipt = settled("UTH-S", box, ultimate_pairs="B", **deal)
    assert paid(receipt)["ultimate_pairs"] == ("win", 150_00, 5_00)


@pytest.mark.clause("UTH-S 7.F(5)", "UTH-S 12.Ebis(2)(a)")
def test_the_dealers_aces_alone_pay_nothing() -> None:
    box = uth_box(1, "Ks Qc", ultimate_pairs="$5")
    receipt = settled("UTH-S", box, board="Kh 9c 7d 4s 2c", dealer="Ah Ad", ultimate_pairs="B")
    assert paid(receipt)["ultimate_pairs"] == ("lose", 0, 0)


@pytest.mark.parametrize(
    ("letter", "player", "winnings"),
    [
        pytest.param(letter, player, winnings, marks=cited("UTH-S", clause))
        for letter, player, winnings, clause in [
            ("D", "Ah Ad", 500_00, "12.Ebis(4)(a)"),
            ("D", "Ad Ah", 500_00, "12.Ebis(4)(a)"),
            ("D", "Ah As", 150_00, "12.Ebis(4)(b)"),
            ("D", "Ac Ad", 150_00, "12.Ebis(4)(b)"),
            ("D", "As Ac", 150_00, "12.Ebis(4)(b)"),
            ("E", "Ah Ad", 250_00, "12.Ebis(5)(a)"),
            ("E", "As Ad", 125_00, "12.Ebis(5)(b)"),
            ("A", "Ah Ad", 150_00, "12.Ebis(1)(a)"),
        ]
    ],
)
def test_only_hearts_and_diamonds_are_the_red_aces(letter: str, player: str, winnings: int) -> None:
    box = uth_box(1, player, ultimate_pairs="$5")
    receipt = settled("UTH-S", box, board="Kh 9c 7d 4s 2c", dealer="Js Jd", ultimate_pairs=letter)
    assert paid(receipt)["ultimate_pairs"] == ("win", winnings, 5_00)


@pytest.mark.clause("UTH-S 7.F(7)", "UTH-S 12.G")
@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param(board, expected, id=said, marks=cited("UTH-S", clause))
        for said, board, expected, clause in [
            ("pair of tens", "Th Tc 7d 4s 2c", ("win", 5_00, 5_00), "12.G(1)(g)bis"),
            ("pair of nines", "9h 9c 7d 4s 2c", ("lose", 0, 0), "12.G(1)"),
            ("two pair", "9h 9c 7d 7s 2c", ("win", 15_00, 5_00), "12.G(1)(h)"),
            ("no pair", "Kh 9c 7d 4s 2c", ("lose", 0, 0), "12.G(1)"),
        ]
    ],
)
def test_play_the_board_looks_at_the_board_only(board: str, expected: Paid) -> None:
    # The box's own pair of aces never helps.
    box = uth_box(1, "As Ad", play="$10", play_the_board="$5")
    receipt = settled("UTH-S", box, board=board, dealer="Js Jd")
    assert paid(receipt)["play_the_board"] == expected


# Six Card Bonus


@pytest.mark.parametrize(
    ("book", "letter", "suit", "winnings"),
    [
        pytest.param(book, letter, suit, winnings, marks=cited(book, "6.F(8)", "7.F(4)(a)", clause))
        for book in BOTH_UTH
        for letter, suit, winnings, clause in [
            ("A", "d", 1_000_000_00, "12.E(1)(a)"),
            ("A", "h", 100_000_00, "12.E(1)(b)"),
            ("A", "s", 100_000_00, "12.E(1)(b)"),
            ("A", "c", 100_000_00, "12.E(1)(b)"),
            ("B", "d", 100_000_00, "12.E(2)(a)"),
            ("B", "h", 100_000_00, "12.E(2)(a)"),
        ]
    ],
)
@pytest.mark.parametrize(("stake", "cents"), [("$0.50", 50), ("$5", 5_00), ("$2,500", 2_500_00)])
def test_a_super_royal_pays_one_sum_whatever_the_stake(
    book: str, letter: str, suit: str, winnings: int, stake: str, cents: int
) -> None:
    box = uth_box(1, f"A{suit} 9{suit}", trips="$5", six_card_bonus=stake)
    six = f"T{suit} K{suit} J{suit} Q{suit}"
    deal = {"board": "8h 7c 5d 4s 2c", "dealer": "2s 2d", "six": six}
    receipt = settled(book, box, six_card_bonus=letter, **deal)
    assert paid(receipt)["six_card_bonus"] == ("win", winnings, cents)


@each_book("UTH-S 7.F(4)", "UTH-S 12.E(1)(c)", "UTH-14 7.F(4)", "UTH-14 12.E(1)(c)")
def test_a_royal_flush_with_a_stray_card_is_no_super_royal(book: str) -> None:
    box = uth_box(1, "Ad 8d", trips="$5", six_card_bonus="$5")
    deal = {"board": "8h 7c 5d 4s 2c", "dealer": "2s 2d", "six": "Td Kd Jd Qd"}
    assert paid(settled(book, box, **deal))["six_card_bonus"] == ("win", 5_000_00, 5_00)


@each_book("UTH-S 7.F(4)", "UTH-S 11.I(3)", "UTH-14 7.F(4)", "UTH-14 11.I(3)")
def test_six_card_bonus_never_looks_at_the_board(book: str) -> None:
    box = uth_box(1, "Kd Kc", play="$10", trips="$5", six_card_bonus="$5")
    deal = {"board": "Kh Ks 7d 4s 2c", "dealer": "Js Jd", "six": "3h 5c 8s Th"}
    receipt = settled(book, box, **deal)
    assert paid(receipt)["trips"] == ("win", 150_00, 5_00)
    assert paid(receipt)["six_card_bonus"] == ("lose", 0, 0)


@pytest.mark.clause("FCP-14 6.F(8)", "FCP-14 7.E(5)(b)", "FCP-14 12.G")
@pytest.mark.parametrize(
    ("letter", "suit", "winnings", "clause"),
    [
        pytest.param(letter, suit, winnings, clause, marks=cited("FCP-14", clause))
        for letter, suit, winnings, clause in [
            ("super-A", "d", 1_000_000_00, "12.G(1)bis(a)"),
            ("super-A", "c", 100_000_00, "12.G(1)bis(b)"),
            ("super-B", "d", 100_000_00, "12.G(2)bis(a)"),
            ("A", "d", 5_000_00, "12.G(1)(a)"),
            ("B", "d", 5_000_00, "12.G(2)(a)"),
            ("C", "d", 5_000_00, "12.G(3)(a)"),
            ("D", "c", 5_000_00, "12.G(4)(a)"),
        ]
    ],
)
def test_a_plain_four_card_table_pays_a_super_royal_as_a_royal_flush(
    letter: str, suit: str, winnings: int, clause: str
) -> None:
    cards = " ".join(f"{rank}{suit}" for rank in "A9JKT")
    box = fcp_box(1, cards, play="$10", aces_up="$5", six_card_bonus="$5")
    receipt = settled(
        "FCP-14", box, dealer="2s 4s 6h 8s Th Qh", six=f"Q{suit}", six_card_bonus=letter
    )
    assert paid(receipt)["six_card_bonus"] == ("win", winnings, 5_00)
    assert clause_of(receipt, "six_card_bonus") == f"FCP-14 {clause}"


@pytest.mark.clause("FCP-14 7.E(5)", "FCP-14 11.D(7)")
@pytest.mark.parametrize(
    ("cards", "six", "expected"),
    [
        pytest.param(cards, six, expected, id=said, marks=cited("FCP-14", clause))
        for said, cards, six, expected, clause in [
            ("a wheel of five", "As 2d 3h 4c Kd", "5s", ("win", 50_00, 5_00), "6.F(6)"),
            ("five of six in a row", "As Kd Qh Jc 3d", "Ts", ("win", 50_00, 5_00), "6.F(6)"),
            ("four in a row are no straight", "As Kd Qh Jc 3d", "4s", ("lose", 0, 0), "6.F(6)"),
            ("full house", "9s 9d 9h 5c 3d", "5s", ("win", 100_00, 5_00), "6.F(4)"),
            ("two pairs", "9s 9d Kh Kc 3d", "4s", ("lose", 0, 0), "6.F(7)"),
        ]
    ],
)
def test_four_card_six_card_bonus_ranks_five_card_hands(
    cards: str, six: str, expected: Paid
) -> None:
    box = fcp_box(1, cards, aces_up="$5", six_card_bonus="$5")
    receipt = settled("FCP-14", box, dealer="7s 7d 7h 8c 8s Td", six=six)
    assert paid(receipt)["six_card_bonus"] == expected


# Four Card Poker: order of hands, ties, the Ante bonus

FOUR_CARD_WINS = [
    ("four of a kind, straight flush", "9s 9d 9h 9c 2d", "Ks Qs Js As 3d 4h", "6.C"),
    ("straight flush, three of a kind", "4s 5s 6s 7s 2d", "Ks Kd Kh 3d 4h 8c", "6.C"),
    ("three of a kind, flush", "2s 2d 2h 5c 9d", "As Ks Qs 9s 3d 4h", "6.C"),
    ("flush, straight", "2s 4s 6s 9s Kd", "As Kc Qd Js 3d 5h", "6.C"),
    ("the lowest straight, two pairs", "Ac 2d 3h 4s 9d", "As Ad Kc Kh 8d 6h", "6.A(1)"),
    ("two pairs, pair", "3c 3d 2h 2s 9d", "As Ad Kc Qh 8d 6h", "6.C"),
    ("pair, high card", "2c 2d 4h 6s 9d", "As Kd Jc 9h 8d 3h", "6.C"),
    ("ace-high straight, king-high", "As Kd Qh Jc 2d", "Ks Qd Jh Tc 2c 3h", "6.C(5)"),
    ("five-high straight, A-2-3-4", "2s 3d 4h 5c 9d", "As 2d 3h 4c 8c 8d", "6.A(1)"),
    ("ace-high straight flush, king-high", "As Ks Qs Js 2d", "Kd Qd Jd Td 2c 3h", "6.C(2)"),
    ("K-A-2-3 is no straight", "4d 4s Kh Ac 9d", "Ks Ad 2h 3c 9s 7d", "6.A(2)"),
    ("three of a kind by the three", "9s 9d 9h Kc 2d", "8s 8d 8h Ac Ad 4h", "6.C(3)"),
    ("kicker of a pair", "As Kd Kh Qc 2d", "Ks Kc Qd Jh 2c 3h", "6.D"),
    ("second kicker of a pair", "As Kd Kh Qc 2d", "Ad Ks Kc Jh 3c 4h", "6.D"),
    ("last card of a flush", "As 9s 7s 4s 2d", "Ad 9d 7d 3d 2c 5h", "6.D"),
    ("higher pair of two pairs", "As Ad 5h 5c 9d", "Ks Kd Qh Qc 8d 3h", "6.C(6)"),
    ("lower pair of two pairs", "As Ad 6h 6c 9d", "Ac Ah 5s 5d 8d 3h", "6.C(6)"),
    ("last card of a high-card hand", "As Jd 9h 7c 2d", "Ad Jh 9c 6c 5s 3d", "6.D"),
]


@pytest.mark.clause("FCP-14 11.D(3)", "FCP-14 11.D(4)(b)", "FCP-14 11.D(4)(c)(ii)")
@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        pytest.param(player, dealer, id=said, marks=cited("FCP-14", "6.A", clause))
        for said, player, dealer, clause in FOUR_CARD_WINS
    ],
)
def test_the_higher_four_card_hand_wins(player: str, dealer: str) -> None:
    receipt = settled("FCP-14", fcp_box(1, player, play="$30"), dealer=dealer)
    assert paid(receipt)["ante"] == ("win", 10_00, 10_00)
    assert paid(receipt)["play"] == ("win", 30_00, 30_00)


@pytest.mark.clause("FCP-14 11.D(4)(c)(i)")
@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        pytest.param(player, dealer, id=said, marks=cited("FCP-14", clause))
        for said, player, dealer, clause in [
            ("flush, three of a kind", "As Ks Qs 9s 3d", "2s 2d 2h 5c 9d 7h", "6.C"),
            ("straight, flush", "As Kc Qd Js 3d", "2s 4s 6s 9s Kd Th", "6.C"),
            ("three of a kind, straight flush", "Ks Kd Kh 3d 4h", "4s 5s 6s 7s 2d 9h", "6.C"),
            ("straight flush, four of a kind", "Ks Qs Js As 3d", "9s 9d 9h 9c 2d 4h", "6.C"),
            ("jack high, queen high", "Js 9d 7h 4c 2d", "Qs Td 8h 5c 3d 2s", "6.D"),
        ]
    ],
)
def test_the_lower_four_card_hand_loses_ante_and_play(player: str, dealer: str) -> None:
    receipt = settled("FCP-14", fcp_box(1, player, play="$20"), dealer=dealer)
    got = paid(receipt)
    assert got["ante"] == got["play"] == ("lose", 0, 0)
    assert clause_of(receipt, "play") == "FCP-14 11.D(4)(c)(i)"


@pytest.mark.clause("FCP-14 6.B", "FCP-14 6.E", "FCP-14 11.D(4)(c)(ii)", "FCP-14 12.A")
@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        pytest.param("As Kd Qh Jc 2d", "Ad Ks Qc Jh 2c 3h", id="the same straight"),
        pytest.param("As Kd 9h 7c 2d", "Ad Kh 9c 7d 5h 3s", id="a fifth card never counts"),
        pytest.param("As Ad Kh Kc 2d", "Ah Ac Kd Ks 3c 3h", id="the same two pairs"),
        pytest.param("As Ks 9s 4s 2d", "Ad Kd 9d 4d 3h 3s", id="flushes of two suits"),
    ],
)
def test_four_card_ties_win(player: str, dealer: str) -> None:
    receipt = settled("FCP-14", fcp_box(1, player, play="$15"), dealer=dealer)
    assert paid(receipt) == {"ante": ("win", 10_00, 10_00), "play": ("win", 15_00, 15_00)}
    assert receipt.lines[0].rulings == (3,)


@pytest.mark.clause("FCP-14 11.D(4)(c)(ii)", "FCP-14 12.A")
def test_the_four_card_dealer_needs_no_pair() -> None:
    receipt = settled("FCP-14", fcp_box(1, "As Jd 9h 4c 3d", play="$10"), dealer=QUEEN_HIGH)
    assert paid(receipt) == {"ante": ("win", 10_00, 10_00), "play": ("win", 10_00, 10_00)}


@pytest.mark.clause("FCP-14 12.B", "FCP-14 11.D(4)(c)(i)")
@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        pytest.param("5s 5d 5h 5c 9d", 250_00, marks=cited("FCP-14", "12.B(1)")),
        pytest.param("4s 5s 6s 7s 9d", 200_00, marks=cited("FCP-14", "12.B(2)")),
        pytest.param("5s 5d 5h 6c 9d", 20_00, marks=cited("FCP-14", "12.B(3)")),
    ],
)
def test_the_ante_bonus_is_paid_on_a_loss(cards: str, bonus: int) -> None:
    receipt = settled("FCP-14", fcp_box(1, cards, play="$30"), dealer="Ks Kd Kh Kc 2d 3h")
    assert paid(receipt) == {
        "ante": ("lose", 0, 0),
        "play": ("lose", 0, 0),
        "ante_bonus": ("win", bonus, 0),
    }
    assert receipt.net_cents(1) == bonus - 40_00


@pytest.mark.clause("FCP-14 12.B", "FCP-14 12.B(3)", "FCP-14 11.D(4)(c)(ii)")
def test_the_ante_bonus_is_paid_on_the_ante_whatever_the_play() -> None:
    for play, cents in [("$10", 10_00), ("$30", 30_00)]:
        box = fcp_box(1, "5s 5d 5h 6c 9d", play=play)
        receipt = settled("FCP-14", box, dealer=QUEEN_HIGH)
        assert paid(receipt) == {
            "ante": ("win", 10_00, 10_00),
            "play": ("win", cents, cents),
            "ante_bonus": ("win", 20_00, 0),
        }


@pytest.mark.clause("FCP-14 12.B")
def test_no_ante_bonus_below_three_of_a_kind() -> None:
    box = fcp_box(1, "As Ks 9s 3s 3d", play="$10")
    assert set(paid(settled("FCP-14", box, dealer=QUEEN_HIGH))) == {"ante", "play"}


@pytest.mark.clause("FCP-14 7.E(3)", "FCP-14 11.D(5)", "FCP-14 11.D(6)", "FCP-14 12.C(1)(c)")
def test_aces_up_is_paid_whether_the_hand_wins_or_not() -> None:
    box = fcp_box(1, "5s 5d 5h 6c 9d", play="$10", aces_up="$5")
    for dealer in ("2c 4d 7h 8s Tc Qd", "Ks Kd Kh 8c 2d 3h"):
        receipt = settled("FCP-14", box, dealer=dealer)
        assert paid(receipt)["aces_up"] == ("win", 45_00, 5_00)


@pytest.mark.clause("FCP-14 11.D(5)")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param(
            "As Ad 9h 6c 3d",
            ("win", 5_00, 5_00),
            id="aces",
            marks=cited("FCP-14", "12.C(1)(g)"),
        ),
        pytest.param(
            "Ks Kd 9h 6c 3d", ("lose", 0, 0), id="kings", marks=cited("FCP-14", "12.C(1)")
        ),
    ],
)
def test_aces_up_starts_at_a_pair_of_aces(cards: str, expected: Paid) -> None:
    box = fcp_box(1, cards, play="$10", aces_up="$5")
    assert paid(settled("FCP-14", box, dealer="2c 4d 7h 8s Tc Qd"))["aces_up"] == expected


# A fold and a box without Ante at Four Card Poker


@pytest.mark.clause(
    "FCP-14 11.B(2)",
    "FCP-14 11.C(1)",
    "FCP-14 11.C(2)",
    "FCP-14 11.C(3)",
    "FCP-14 11.D(1)",
)
def test_a_four_card_fold_gives_up_ante_and_progressive_only() -> None:
    box = fcp_box(1, "5s 5d 5h 6c 9d", aces_up="$5", six_card_bonus="$5", progressive=True)
    receipt = settled("FCP-14", box, dealer=KING_HIGH, six="5c")
    assert paid(receipt) == {
        "ante": ("forfeit", 0, 0),
        "aces_up": ("win", 45_00, 5_00),
        "six_card_bonus": ("win", 250_00, 5_00),
        "progressive": ("forfeit", 0, 0),
    }
    assert clause_of(receipt, "ante") == "FCP-14 11.B(2)"
    assert clause_of(receipt, "progressive") == "FCP-14 11.C(3)"
    assert receipt.net_cents(1) == 284_00


@pytest.mark.clause("FCP-14 11.C(3)", "FCP-14 12.D(1)(a)(i)")
def test_four_aces_that_were_folded_leave_the_meter_alone() -> None:
    box = fcp_box(1, "As Ad Ah Ac 9d", progressive=True)
    receipt = settled("FCP-14", box, dealer=QUEEN_HIGH)
    assert paid(receipt) == {"ante": ("forfeit", 0, 0), "progressive": ("forfeit", 0, 0)}
    assert as_document(receipt)["meters"] == {"main": "$20,000.00"}


@pytest.mark.clause(
    *in_book("FCP-14", "7.E(2)", "7.E(4)(a)", "11.B", "11.D(6)", "11.D(8)", "11.D(9)")
)
def test_a_box_with_aces_up_alone_makes_no_decision_and_is_never_folded() -> None:
    box: Wagers = {"seat": 1, "cards": "5s 5d 5h 6c 9d", "aces_up": "$5", "progressive": True}
    receipt = settled("FCP-14", box, dealer="Ks Kd Kh 8c 2d 3h")
    assert paid(receipt) == {"aces_up": ("win", 45_00, 5_00), "progressive": ("win", 9_00, 0)}
    assert receipt.net_cents(1) == 53_00


# Progressive: odds and meters


@pytest.mark.clause("UTH-S 12.D(1)(a)(vii)", "UTH-S 12.D(1)(b)(vii)", "UTH-S 11.J(2)(d)")
@pytest.mark.parametrize(("wager", "cents"), [("$1", 1_00), ("$5", 5_00)])
def test_to_gives_the_progressive_wager_back_and_for_keeps_it(wager: str, cents: int) -> None:
    box = uth_box(1, "Kd Ks", play="$10", progressive=True)
    deal = {"board": "Kh 9c 7d 4s 2c", "dealer": "Js Jd"}
    to = settled("UTH-S", box, pot=terms(wager=wager), **deal)
    assert paid(to)["progressive"] == ("win", 9 * cents, cents)
    two = terms(
        wager=wager,
        meters='major = "$2,000", minor = "$300"',
        resets='major = "$1,000", minor = "$250"',
    )
    kept = settled("UTH-S", box, pot=two, progressive="B", **deal)
    assert paid(kept)["progressive"] == ("win", 9 * cents, 0)


@each_book(
    "UTH-S 12.D(4)",
    "UTH-S 11.J(2)(d)",
    "UTH-S 12.D(1)(a)(ii)",
    "UTH-14 12.D(4)",
    "UTH-14 11.J(2)(d)",
    "UTH-14 12.D(1)(b)",
)
def test_a_share_is_paid_in_whole_cents_and_the_meter_keeps_the_rest(book: str) -> None:
    box = uth_box(1, "9h 8h", play="$10", progressive=True)
    pot = terms(meters='main = "$12,345.678900"')
    receipt = settled(book, box, board="Qh Jh Th 2c 3d", dealer="4s 4d", pot=pot)
    # Ten percent is $1,234.567890; $1,234.56 is paid and $11,111.118900 stays.
    assert paid(receipt)["progressive"] == ("win", 1_234_56, 0)
    assert dict(receipt.meters) == {"main": 11_111_118_900}
    assert as_document(receipt)["meters"] == {"main": "$11,111.11"}


@each_book("UTH-S 12.D(1)(a)(i)", "UTH-S 12.D(3)(b)", "UTH-14 12.D(1)(a)", "UTH-14 12.D(3)(b)")
def test_after_a_whole_award_a_meter_is_the_reset_and_the_rest_of_a_cent(book: str) -> None:
    box = uth_box(1, "Ah Kh", play="$10", progressive=True)
    pot = terms(meters='main = "$12,345.678900"', resets='main = "$11,000.50"')
    receipt = settled(book, box, board="Qh Jh Th 2c 3d", dealer="4s 4d", pot=pot)
    assert paid(receipt)["progressive"] == ("win", 12_345_67, 0)
    assert dict(receipt.meters) == {"main": 11_000_508_900}


@each_book(*in_uth("11.J(2)(a)", "12.D(4)"), *in_book("FCP-14", "11.D(10)(a)", "12.D(4)"))
def test_settling_never_grows_a_meter(book: str) -> None:
    if book == "FCP-14":
        box = fcp_box(1, "Ks Kd 9h 6c 3d", play="$10", progressive=True)
        receipt = settled(book, box, dealer=QUEEN_HIGH)
    else:
        box = uth_box(1, "Ks Qd", play="$10", progressive=True)
        receipt = settled(book, box, board="Kh 9c 7d 4s 2c", dealer="Js Jd")
    assert paid(receipt)["progressive"] == ("lose", 0, 0)
    assert dict(receipt.meters) == {"main": 20_000_000_000}


@each_book(*in_uth("11.H(2)", "12.D(4)"))
def test_two_whole_awards_in_one_round_go_from_the_dealers_right(book: str) -> None:
    boxes = [
        uth_box(seat, cards, play="$10", progressive=True)
        for seat, cards in [(2, "2c 2d"), (5, "3c 3d")]
    ]
    receipt = settled(book, *boxes, board="Ah Kh Qh Jh Th", dealer="4s 4d")
    assert paid(receipt, 5)["progressive"] == ("win", 20_000_00, 0)
    assert paid(receipt, 2)["progressive"] == ("win", 10_000_00, 0)
    assert as_document(receipt)["meters"] == {"main": "$10,000.00"}


@each_book(
    "UTH-S 12.D(4)",
    "UTH-S 12.D(1)(a)(i)",
    "UTH-S 12.D(1)(a)(ii)",
    "UTH-14 12.D(4)",
    "UTH-14 12.D(1)(a)",
    "UTH-14 12.D(1)(b)",
)
@pytest.mark.parametrize(
    ("royal_seat", "other_seat", "royal_cents", "other_cents", "left"),
    [
        pytest.param(1, 6, 18_000_00, 2_000_00, "$10,000.00", id="ten percent, then all"),
        pytest.param(6, 1, 20_000_00, 1_000_00, "$9,000.00", id="all, then ten percent"),
    ],
)
def test_a_meter_pays_what_stands_on_it_in_the_boxes_turn(
    book: str, royal_seat: int, other_seat: int, royal_cents: int, other_cents: int, left: str
) -> None:
    royal = uth_box(royal_seat, "Ah Kh", play="$10", progressive=True)
    other = uth_box(other_seat, "9h 8h", play="$10", progressive=True)
    receipt = settled(book, royal, other, board="Qh Jh Th 2c 3d", dealer="4s 4d")
    assert paid(receipt, royal_seat)["progressive"] == ("win", royal_cents, 0)
    assert paid(receipt, other_seat)["progressive"] == ("win", other_cents, 0)
    assert as_document(receipt)["meters"] == {"main": left}


@pytest.mark.clause(*in_book("FCP-14", "11.D(4)", "11.D(10)(d)", "12.D(1)(c)(i)", "12.D(4)"))
def test_two_whole_awards_at_four_card_poker_go_from_the_dealers_right() -> None:
    boxes = [
        fcp_box(1, "Ah Kh Qh Jh Th", play="$10", progressive=True),
        fcp_box(7, "As Ks Qs Js Ts", play="$10", progressive=True),
    ]
    receipt = settled("FCP-14", *boxes, dealer="2c 4d 6h 8s Tc Qd", progressive="C")
    assert paid(receipt, 7)["progressive"] == ("win", 20_000_00, 0)
    assert paid(receipt, 1)["progressive"] == ("win", 10_000_00, 0)


THREE_METERS = {
    "meters": 'mega = "$25,000.10", major = "$1,900.00", minor = "$310.55"',
    "resets": 'mega = "$10,000", major = "$1,000", minor = "$250"',
}


@pytest.mark.clause(
    "UTH-S 12.D(1)(c)(i)",
    "UTH-S 12.D(1)(c)(ii)",
    "UTH-S 12.D(1)(c)(iii)",
    "UTH-S 12.D(4)",
)
def test_each_award_is_drawn_from_its_own_meter() -> None:
    receipt = settled(
        "UTH-S",
        uth_box(1, "Ah Kh", play="$10", progressive=True),
        uth_box(2, "9h 8h", play="$10", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
        progressive="C",
        pot=terms(**THREE_METERS),
    )
    assert paid(receipt, 1)["progressive"] == ("win", 25_000_10, 0)
    assert paid(receipt, 2)["progressive"] == ("win", 1_900_00, 0)
    meters = {"mega": "$10,000.00", "major": "$1,000.00", "minor": "$310.55"}
    assert as_document(receipt)["meters"] == meters


@pytest.mark.clause("UTH-S 12.D(1)(d)(iii)", "UTH-S 12.D(4)", "UTH-S 12.D(3)(b)(iv)(3)")
def test_two_fours_of_a_kind_share_the_minor_meter_in_turn() -> None:
    receipt = settled(
        "UTH-S",
        uth_box(3, "9h 9s", play="$10", progressive=True),
        uth_box(4, "5c 5d", play="$10", progressive=True),
        board="9c 9d 5h 5s 2c",
        dealer="4s 4d",
        progressive="D",
        pot=terms(**THREE_METERS),
    )
    assert paid(receipt, 4)["progressive"] == ("win", 310_55, 0)
    assert paid(receipt, 3)["progressive"] == ("win", 250_00, 0)
    assert envy(receipt) == set()


@each_book(*in_uth("11.J(1)", "11.J(2)(a)", "11.J(2)(d)"))
def test_a_progressive_wins_though_the_hand_loses(book: str) -> None:
    box = uth_box(1, "9h 8h", play="$10", progressive=True)
    receipt = settled(book, box, board="Qh Jh Th 2c 3d", dealer="Ah Kh")
    assert paid(receipt)["play"] == ("lose", 0, 0)
    assert paid(receipt)["progressive"] == ("win", 2_000_00, 0)


# Which five cards make the Progressive and Envy hand


@each_book(*in_uth("1.B(6)", "12.D(2)"))
@pytest.mark.parametrize(
    ("hand", "winnings"),
    [({}, 50_00), ({"hand": "final"}, 50_00), ({"hand": "flop"}, 9_00)],
    ids=["not said", "final", "flop"],
)
def test_the_progressive_hand_is_the_final_or_the_flop_one(
    book: str, hand: dict[str, str], winnings: int
) -> None:
    box = uth_box(1, "Ks 9c", play="$10", progressive=True)
    deal = {"board": "Kh Kd 4c 4s 2d", "dealer": "Js Jd"}
    receipt = settled(book, box, pot=_chosen(hand), **deal)
    assert paid(receipt)["progressive"] == ("win", winnings, 1_00)


@each_book(*in_uth("11.J(2)(e)", "12.D(2)"))
def test_a_royal_flush_made_on_the_river_counts_for_the_final_hand_only(book: str) -> None:
    boxes = [
        uth_box(1, "Ah Kh", play="$10", progressive=True),
        uth_box(2, "5c 5d", play="$10", progressive=True),
    ]
    deal = {"board": "Qh Jh 2c Th 3d", "dealer": "4s 4d"}
    final = settled(book, *boxes, pot=terms(hand="final"), **deal)
    assert paid(final, 1)["progressive"] == ("win", 20_000_00, 0)
    assert envy(final) == {(2, 1, 1_000_00)}
    flop = settled(book, *boxes, pot=terms(hand="flop"), **deal)
    assert paid(flop, 1)["progressive"] == ("lose", 0, 0)
    assert envy(flop) == set()


def _chosen(hand: dict[str, str]) -> str:
    return terms(hand=hand["hand"]) if hand else terms()


@pytest.mark.clause("FCP-14 11.D(10)(a)", "FCP-14 11.D(10)(d)", "FCP-14 12.D(2)")
@pytest.mark.parametrize(
    ("letter", "cards", "expected"),
    [
        pytest.param(
            letter,
            cards,
            expected,
            id=f"{letter}, {said}",
            marks=cited("FCP-14", f"12.D(1)({letter.lower()})"),
        )
        for letter, said, cards, expected in [
            ("A", "four aces", "As Ad Ah Ac 9d", ("win", 20_000_00, 0)),
            ("A", "straight flush of four", "4s 5s 6s 7s 9d", ("win", 100_00, 0)),
            ("B", "three of a kind", "5s 5d 5h 6c 9d", ("win", 15_00, 0)),
            ("A", "a full house is three", "5s 5d 5h 9c 9d", ("win", 9_00, 0)),
            ("C", "full house", "5s 5d 5h 9c 9d", ("win", 50_00, 0)),
            ("C", "four suited in a row", "4s 5s 6s 7s 9d", ("lose", 0, 0)),
            ("C", "straight flush of five", "4s 5s 6s 7s 8s", ("win", 2_000_00, 0)),
            ("C", "four aces", "As Ad Ah Ac 9d", ("win", 300_00, 0)),
            ("C", "wheel", "As 2d 3h 4c 5d", ("win", 30_00, 0)),
            ("C", "royal flush", "As Ks Qs Js Ts", ("win", 20_000_00, 0)),
            ("A", "royal flush", "As Ks Qs Js Ts", ("win", 100_00, 0)),
        ]
    ],
)
def test_four_card_progressives_rank_four_cards_and_c_five(
    letter: str, cards: str, expected: Paid
) -> None:
    box = fcp_box(1, cards, play="$10", progressive=True)
    receipt = settled("FCP-14", box, dealer="2c 4h 6h 8c Tc Qd", progressive=letter)
    assert paid(receipt)["progressive"] == expected


# Envy


ENVY_CLAUSES = {
    "UTH-S": ("11.J(2)(e)(i)", "11.J(2)(e)(iii)", "11.J(2)(e)(iv)", "12.D(5)(a)"),
    "UTH-14": ("11.J(2)(e)(i)", "11.J(2)(e)(ii)", "11.J(2)(e)(iii)", "12.D(5)"),
}


@pytest.mark.parametrize(
    ("book", "wager", "royal", "straight_flush"),
    [
        pytest.param(
            book,
            wager,
            royal,
            straight_flush,
            marks=cited(
                book, "1.B(2)", "1.B(3)", "11.J(2)(e)", *ENVY_CLAUSES[book], of_stake[book]
            ),
        )
        for book in BOTH_UTH
        for wager, royal, straight_flush, of_stake in [
            ("$1", 1_000_00, 300_00, {"UTH-S": "12.D(6)", "UTH-14": "12.D(5)(a)"}),
            ("$5", 5_000_00, 1_500_00, {"UTH-S": "12.D(7)", "UTH-14": "12.D(5)(b)"}),
        ]
    ],
)
def test_every_progressive_wager_receives_for_every_other_players_hand(
    book: str, wager: str, royal: int, straight_flush: int
) -> None:
    receipt = settled(
        book,
        uth_box(1, "Ah Kh", play="$10", progressive=True),
        uth_box(2, "9h 8h", play="$10", progressive=True),
        uth_box(3, "5c 5d", play="$10", progressive=True),
        uth_box(4, "6c 6d", play="$10"),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
        pot=terms(wager=wager),
    )
    assert envy(receipt) == {
        (2, 1, royal),
        (3, 1, royal),
        (1, 2, straight_flush),
        (3, 2, straight_flush),
    }


@each_book("UTH-S 11.J(2)(e)(iv)", "UTH-14 11.J(2)(e)(iii)")
def test_the_dealers_hand_gives_no_envy(book: str) -> None:
    box = uth_box(1, "5c 5d", play="$10", progressive=True)
    assert envy(settled(book, box, board="Qh Jh Th 2c 3d", dealer="Ah Kh")) == set()


@pytest.mark.clause("UTH-S 11.J(2)(e)(iv)", "UTH-S 7.G")
def test_ones_own_boxes_never_give_envy() -> None:
    receipt = settled(
        "UTH-S",
        uth_box(1, "Ah Kh", player="Ann", play="$10", progressive=True),
        uth_box(2, "9h 8h", player="Ann", play="$10", progressive=True),
        uth_box(3, "5c 5d", player="Bob", play="$10", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
    )
    assert envy(receipt) == {(3, 1, 1_000_00), (3, 2, 300_00)}


@pytest.mark.clause("UTH-S 11.J(2)(e)(i)", "UTH-S 7.G")
def test_each_box_of_one_player_receives_for_its_own_wager() -> None:
    receipt = settled(
        "UTH-S",
        uth_box(1, "5c 5d", player="Ann", play="$10", progressive=True),
        uth_box(2, "6c 6d", player="Ann", play="$10", progressive=True),
        uth_box(3, "7c 7d", player="Ann", play="$10"),
        uth_box(4, "Ah Kh", player="Bob", play="$10"),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
    )
    assert envy(receipt) == {(1, 4, 1_000_00), (2, 4, 1_000_00)}


FOLDED: list[tuple[str, dict[str, str | bool], bool, tuple[str, ...]]] = [
    ("nothing open", {}, False, ("11.F(3)(b)", "11.F(3)(d)")),
    ("Trips open", {"trips": "$5"}, True, ("11.F(3)(a)",)),
    ("Six Card Bonus open", {"trips": "$5", "six_card_bonus": "$5"}, True, ("11.F(3)(c)",)),
    ("Progressive open", {"progressive": True}, True, ("11.F(3)(b)", "11.F(3)(d)")),
    ("not folded", {"play": "$10"}, True, ()),
]


@pytest.mark.parametrize(
    ("book", "wagers", "is_holder"),
    [
        pytest.param(
            book,
            wagers,
            is_holder,
            id=f"{said}-{book}",
            marks=cited(book, "11.J(2)(e)", *clauses),
        )
        for book in BOTH_UTH
        for said, wagers, is_holder, clauses in FOLDED
    ],
)
def test_a_folded_box_gives_envy_while_a_wager_of_it_is_open(
    book: str, wagers: dict[str, str | bool], is_holder: bool
) -> None:
    receipt = settled(
        book,
        uth_box(1, "Ah Kh", **wagers),
        uth_box(2, "5c 5d", play="$10", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
        six="2h 6s 7s 8s",
    )
    assert envy(receipt) == ({(2, 1, 1_000_00)} if is_holder else set())


@pytest.mark.clause("UTH-S 11.J(2)(e)", "UTH-S 11.F(2)", "UTH-S 11.F(3)(b)")
@pytest.mark.parametrize("wager", ["ultimate_pairs", "bad_beat", "play_the_board"])
def test_an_open_wager_that_looks_at_a_folded_hand_keeps_it_on_the_table(wager: str) -> None:
    """With Play the Board alone the cards are collected, and their box is no holder."""
    receipt = settled(
        "UTH-S",
        uth_box(1, "Ah Kh", **{wager: "$5"}),
        uth_box(2, "5c 5d", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
    )
    assert envy(receipt) == (set() if wager == "play_the_board" else {(2, 1, 1_000_00)})


@each_book("UTH-S 11.J(2)(e)(i)", "UTH-14 11.J(2)(e)(i)", "UTH-S 11.F(2)")
def test_a_folded_box_still_receives_envy(book: str) -> None:
    receipt = settled(
        book,
        uth_box(1, "Ah Kh", play="$10"),
        uth_box(2, "5c 5d", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
    )
    assert envy(receipt) == {(2, 1, 1_000_00)}


# A Progressive win that was not validated (ruling 36)

# Box 2, settled first, holds a royal flush; box 1 a straight flush, for a tenth of the meter.
BOARD, DEALER = "Qh Jh Th 2c 3d", "4s 4d"


def two_wins(book: str, must_wager: bool = False, **said: str) -> Receipt:
    holder = terms(holder_must_wager=must_wager) if book == "UTH-S" else terms()
    return settled(
        book,
        uth_box(1, "9h 8h", play="$10", progressive=True),
        uth_box(2, "Ah Kh", play="$10", progressive=True, **said),
        uth_box(3, "5c 5d", play="$10", progressive=True),
        board=BOARD,
        dealer=DEALER,
        pot=holder,
    )


@each_book("UTH-S 11.J(2)(c)", "UTH-14 11.J(2)(c)", "UTH-S 12.D(4)", "UTH-14 12.D(4)")
def test_a_round_file_that_says_nothing_means_validated(book: str) -> None:
    receipt = two_wins(book)
    assert paid(receipt, 2)["progressive"] == ("win", 20_000_00, 0)
    assert paid(receipt, 1)["progressive"] == ("win", 1_000_00, 0)
    assert (1, 2, 1_000_00) in envy(receipt)


@each_book("UTH-S 11.J(2)(c)", "UTH-14 11.J(2)(c)", "UTH-S 12.D(4)", "UTH-14 12.D(4)")
def test_a_hand_that_does_not_qualify_loses_draws_nothing_and_gives_no_envy(book: str) -> None:
    receipt = two_wins(book, progressive_refused="hand")
    assert paid(receipt, 2)["progressive"] == ("lose", 0, 0)
    assert clause_of(receipt, "progressive", 2) == f"{book} 11.J(2)(c)"
    assert paid(receipt, 1)["progressive"] == ("win", 2_000_00, 0)
    assert {holder for _, holder, _ in envy(receipt)} == {1}
    assert {seat for seat, _, _ in envy(receipt)} == {2, 3}  # its own wager stands


@each_book("UTH-S 11.J(2)(c)", "UTH-14 11.J(2)(c)", "UTH-S 11.J(2)(e)(ii)")
@pytest.mark.parametrize("must_wager", [False, True])
def test_a_wager_that_was_not_accepted_goes_back_and_is_none(book: str, must_wager: bool) -> None:
    must_wager = must_wager and book == "UTH-S"
    receipt = two_wins(book, must_wager, progressive_refused="wager")
    assert paid(receipt, 2)["progressive"] == ("returned", 0, 1_00)
    assert paid(receipt, 1)["progressive"] == ("win", 2_000_00, 0)
    for_royal = set() if must_wager else {(1, 2, 1_000_00), (3, 2, 1_000_00)}
    assert envy(receipt) == for_royal | {(3, 1, 300_00)}


@pytest.mark.clause("FCP-14 11.D(10)(c)")
@pytest.mark.parametrize("reason", ["hand", "wager"])
def test_a_refusal_at_four_card_poker(reason: str) -> None:
    receipt = settled(
        "FCP-14",
        fcp_box(1, "As Ad Ah Ac 9d", play="$10", progressive=True, progressive_refused=reason),
        fcp_box(2, "5c 5d Jh 7c 7d", play="$10", progressive=True),
        dealer=QUEEN_HIGH,
    )
    lost = ("lose", 0, 0) if reason == "hand" else ("returned", 0, 1_00)
    assert paid(receipt)["progressive"] == lost
    assert bool(envy(receipt)) is (reason == "wager")  # the book asks no holder for a wager
    assert receipt.meters == receipt.round.meters


@pytest.mark.parametrize(
    ("cards", "wagers"),
    [
        ("5c 5d", {"play": "$10", "progressive": True}),
        ("Ah Kh", {"play": "$10"}),
    ],
)
def test_only_a_win_can_have_been_refused(cards: str, wagers: dict[str, str | bool]) -> None:
    box = uth_box(1, cards, **wagers, progressive_refused="hand")
    with pytest.raises(Refusal) as refusal:
        settled("UTH-S", box, board=BOARD, dealer=DEALER)
    assert refusal.value.clause == "UTH-S 11.J(2)(c)"


@pytest.mark.clause("UTH-S 11.J(2)(e)(ii)")
@pytest.mark.parametrize(
    ("must_wager", "holder_wagers", "is_holder"),
    [(False, False, True), (False, True, True), (True, False, False), (True, True, True)],
)
def test_a_submission_may_ask_the_holder_for_a_progressive_wager(
    must_wager: bool, holder_wagers: bool, is_holder: bool
) -> None:
    holder = uth_box(1, "Ah Kh", play="$10", progressive=holder_wagers)
    receipt = settled(
        "UTH-S",
        holder,
        uth_box(2, "5c 5d", play="$10", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
        pot=terms(holder_must_wager=must_wager),
    )
    assert envy(receipt) == ({(2, 1, 1_000_00)} if is_holder else set())


@pytest.mark.clause("UTH-S 11.J(2)(e)(ii)", "UTH-S 11.F(3)(a)")
def test_an_open_trips_wager_is_not_the_progressive_wager_a_holder_needs() -> None:
    receipt = settled(
        "UTH-S",
        uth_box(1, "Ah Kh", trips="$5"),
        uth_box(2, "5c 5d", play="$10", progressive=True),
        board="Qh Jh Th 2c 3d",
        dealer="4s 4d",
        pot=terms(holder_must_wager=True),
    )
    assert envy(receipt) == set()


@each_book("UTH-S 12.D(5)(b)", "UTH-14 12.D(5)", "FCP-14 12.Dbis(2)")
def test_no_envy_where_no_envy_table_is_chosen(book: str) -> None:
    if book == "FCP-14":
        boxes = [
            fcp_box(1, "As Ad Ah Ac 9d", play="$10"),
            fcp_box(2, "5c 5d Jh 7c 7d", progressive=True),
        ]
        text = _without_envy(book, boxes, {"dealer": QUEEN_HIGH})
    else:
        boxes = [
            uth_box(1, "Ah Kh", play="$10"),
            uth_box(2, "5c 5d", play="$10", progressive=True),
        ]
        text = _without_envy(book, boxes, {"board": "Qh Jh Th 2c 3d", "dealer": "4s 4d"})
    assert envy(settle(read_round(text, the_registry()))) == set()


def _without_envy(book: str, boxes: list[Wagers], places: dict[str, str]) -> str:
    parts = [f'rulebook = "{book}"', "[paytables]"]
    offered = {name: letter for name, letter in OFFERED[book].items() if name != "envy"}
    parts += [f'{name} = "{letter}"' for name, letter in offered.items()]
    parts += [terms(), "[cards]", *(f'{place} = "{cards}"' for place, cards in places.items())]
    for box in boxes:
        parts += ["[[box]]", *(f"{key} = {_toml(value)}" for key, value in box.items())]
    return "\n".join(parts)


@pytest.mark.clause(
    "FCP-14 1.B(2)",
    "FCP-14 1.B(3)",
    "FCP-14 11.D(10)(e)",
    "FCP-14 11.D(10)(e)(i)",
    "FCP-14 11.D(10)(e)(ii)",
    "FCP-14 12.Dbis(1)",
    "FCP-14 12.Dbis(2)",
)
@pytest.mark.parametrize(
    ("letter", "wager", "aces", "kings", "straight_flush"),
    [
        pytest.param(letter, wager, *sums, id=f"{letter}, {wager}", marks=cited("FCP-14", clause))
        for letter, wager, clause, *sums in [
            ("A", "$1", "12.E", 100_00, 10_00, 5_00),
            ("A", "$5", "12.F", 500_00, 50_00, 25_00),
            ("B", "$1", "12.E", 100_00, 25_00, None),
            ("B", "$5", "12.F", 500_00, 125_00, None),
            ("C", "$1", "12.E", 1_000_00, 300_00, None),
            ("C", "$5", "12.F", 5_000_00, 1_500_00, None),
        ]
    ],
)
def test_four_card_envy_goes_to_every_other_progressive_wager(
    letter: str, wager: str, aces: int, kings: int, straight_flush: int | None
) -> None:
    receipt = settled(
        "FCP-14",
        fcp_box(1, "As Ad Ah Ac 2d", play="$10", progressive=True),
        fcp_box(3, "Ks Kd Kh Kc 3d", play="$10"),
        fcp_box(5, "4s 5s 6s 7s 9d", play="$10"),
        fcp_box(7, "Jc Jd 9h 5c 2h", play="$10", progressive=True),
        dealer=QUEEN_HIGH.replace("2c", "3c"),
        envy=letter,
        pot=terms(wager=wager),
    )
    expected = {(7, 1, aces), (1, 3, kings), (7, 3, kings)}
    if straight_flush is not None:
        expected |= {(1, 5, straight_flush), (7, 5, straight_flush)}
    assert envy(receipt) == expected


@pytest.mark.clause("FCP-14 11.C(3)", "FCP-14 11.D(1)")
@pytest.mark.clause("FCP-14 11.D(10)(e)", "FCP-14 11.D(10)(e)(i)")
def test_a_folded_four_card_box_receives_envy_and_gives_none() -> None:
    receipt = settled(
        "FCP-14",
        fcp_box(1, "As Ad Ah Ac 2d", aces_up="$5", progressive=True),
        fcp_box(2, "Ks Kd Kh Kc 3d", play="$10", progressive=True),
        dealer=QUEEN_HIGH,
    )
    assert envy(receipt) == {(1, 2, 10_00)}
    assert paid(receipt, 1)["progressive"] == ("forfeit", 0, 0)
    assert paid(receipt, 1)["aces_up"] == ("win", 250_00, 5_00)


@pytest.mark.clause("FCP-14 11.D(10)(e)(i)", "FCP-14 7.E(2)")
def test_an_aces_up_box_gives_and_receives_envy() -> None:
    receipt = settled(
        "FCP-14",
        {"seat": 1, "cards": "As Ad Ah Ac 2d", "aces_up": "$5"},
        {"seat": 2, "cards": "Ks Kd Kh Kc 3d", "aces_up": "$5", "progressive": True},
        dealer=QUEEN_HIGH,
    )
    assert envy(receipt) == {(2, 1, 100_00)}


@pytest.mark.clause("FCP-14 11.D(10)(e)(iii)", "FCP-14 7.F")
def test_four_card_envy_never_goes_to_ones_own_hand_or_for_the_dealers() -> None:
    receipt = settled(
        "FCP-14",
        fcp_box(2, "Ks Kd Kh Kc 3d", player="Ann", play="$10", progressive=True),
        fcp_box(3, "Js Jd Jh Jc 4d", player="Ann", play="$10", progressive=True),
        fcp_box(4, "9s 9d 7h 5c 2d", player="Bob", play="$10", progressive=True),
        dealer="As Ad Ah Ac 2h 3h",
    )
    assert envy(receipt) == {(4, 2, 10_00), (4, 3, 10_00)}


@pytest.mark.clause("FCP-14 1.B(3)", "FCP-14 12.Dbis(2)", "FCP-14 12.E(1)(c)")
def test_four_card_envy_is_by_the_four_card_hand_even_beside_progressive_c() -> None:
    # Five suited cards in a row are a straight flush of four: Envy B and C do not pay for it.
    boxes = [
        fcp_box(1, "4s 5s 6s 7s 8s", play="$10"),
        fcp_box(2, "Jc Jd 9h 5c 2h", play="$10", progressive=True),
    ]
    dealer = "3c 4d 6h 8c Tc Qd"
    for letter, expected in [("A", {(2, 1, 5_00)}), ("B", set()), ("C", set())]:
        receipt = settled("FCP-14", *boxes, dealer=dealer, progressive="C", envy=letter)
        assert envy(receipt) == expected


# The payout limit

ROYAL_FLUSH = {"board": "Qh Jh Th 2c 3d", "dealer": "4s 4d"}


@each_book("UTH-S 12.F", "UTH-S 12.F(2)", "UTH-14 12.F", "UTH-14 12.F(2)")
def test_the_payout_limit_cuts_one_line_and_leaves_the_odds(book: str) -> None:
    box = uth_box(1, "Ah Kh", trips="$10", progressive=True)
    box |= {"ante": "$200", "blind": "$200", "play": "$800"}
    receipt = settled(book, box, limit="$50,000", **ROYAL_FLUSH)
    assert paid(receipt) == {
        "ante": ("win", 200_00, 200_00),
        "blind": ("win", 100_000_00, 200_00),
        "play": ("win", 800_00, 800_00),
        "trips": ("win", 500_00, 10_00),
        "payout_limit": ("lose", -51_500_00, 0),
        "progressive": ("win", 20_000_00, 0),
    }
    assert clause_of(receipt, "payout_limit") == f"{book} 12.F"
    assert [str(line.odds) for line in receipt.lines[:4]] == [
        "1 to 1",
        "500 to 1",
        "1 to 1",
        "50 to 1",
    ]
    assert receipt.net_cents(1) == 50_000_00 + 20_000_00 - 1_00


@pytest.mark.clause("UTH-S 12.F", "UTH-S 12.F(2)")
def test_wagers_outside_the_payout_limit_stay_whole() -> None:
    box = uth_box(
        2,
        "Ah Kh",
        trips="$10",
        six_card_bonus="$1,000",
        ultimate_pairs="$4,000",
        bad_beat="$10",
        play_the_board="$10",
        progressive=True,
    )
    box |= {"ante": "$200", "blind": "$200", "play": "$800"}
    receipt = settled(
        "UTH-S",
        uth_box(1, "9h 8h"),
        box,
        board="Qh Jh Th 2c 2d",
        dealer="2s 2h",
        six="As Ac Ad 5c",
        limit="$50,000",
        pot=terms(wager="$5"),
        progressive="A",
    )
    got = paid(receipt, 2)
    assert got["payout_limit"] == ("lose", -51_500_00, 0)
    assert got["six_card_bonus"] == ("win", 50_000_00, 1_000_00)
    assert got["ultimate_pairs"] == ("win", 100_000_00, 4_000_00)
    assert got["bad_beat"] == ("win", 5_000_00, 10_00)
    assert got["play_the_board"] == ("lose", 0, 0)
    assert got["progressive"] == ("win", 20_000_00, 0)


@each_book("UTH-S 12.F", "UTH-14 12.F")
@pytest.mark.parametrize(
    ("limit", "cut"),
    [("$50,500", None), ("$50,499.99", -1), ("$50,000", -500_00), ("", None)],
)
def test_only_what_is_over_the_limit_is_cut(book: str, limit: str, cut: int | None) -> None:
    # $100 Ante and Blind, $400 Play: 100 + 50,000 + 400.
    box = uth_box(1, "Ah Kh") | {"ante": "$100", "blind": "$100", "play": "$400"}
    got = paid(settled(book, box, limit=limit, **ROYAL_FLUSH))
    assert got.get("payout_limit", ("", None, 0))[1] == cut


@each_book("UTH-S 12.F", "UTH-14 12.F")
def test_stakes_that_come_back_are_no_payout(book: str) -> None:
    box = uth_box(1, "Ks Qd") | {"ante": "$25,000", "blind": "$25,000", "play": "$25,000"}
    receipt = settled(book, box, limit="$50,000", board="Kh 9c 7d 4s 2c", dealer="Js Jd")
    assert set(paid(receipt)) == {"ante", "blind", "play"}
    assert receipt.net_cents(1) == 50_000_00


@pytest.mark.clause("UTH-S 12.F", "UTH-S 7.G")
def test_each_box_of_a_player_has_its_own_limit() -> None:
    stakes: Wagers = {"ante": "$2,000", "blind": "$2,000", "play": "$8,000"}
    receipt = settled(
        "UTH-S",
        uth_box(1, "Ah Kh", player="Ann") | stakes,
        uth_box(2, "9h 8h", player="Ann") | stakes,
        limit="$60,000",
        **ROYAL_FLUSH,
    )
    assert paid(receipt, 1)["payout_limit"] == ("lose", -950_000_00, 0)
    assert paid(receipt, 2)["payout_limit"] == ("lose", -50_000_00, 0)


@pytest.mark.clause("UTH-S 12.F", "UTH-S 11.F(3)(a)")
def test_a_folded_box_is_cut_on_its_trips() -> None:
    box = uth_box(1, "Ah Kh", trips="$2,000")
    receipt = settled("UTH-S", box, limit="$50,000", **ROYAL_FLUSH)
    assert paid(receipt) == {
        "ante": ("forfeit", 0, 0),
        "blind": ("forfeit", 0, 0),
        "trips": ("win", 100_000_00, 2_000_00),
        "payout_limit": ("lose", -50_000_00, 0),
    }


# Order of lines


@pytest.mark.clause(
    *in_book("UTH-S", "11.H(2)", "11.H(2)(d)", "11.I", "11.I(1)", "11.I(3)", "11.J", "11.J(2)(e)")
)
@pytest.mark.clause("UTH-S 12.F")
def test_lines_stand_in_the_order_of_settlement() -> None:
    sides: dict[str, str | bool] = {
        "trips": "$5",
        "six_card_bonus": "$5",
        "ultimate_pairs": "$5",
        "bad_beat": "$5",
        "play_the_board": "$5",
        "progressive": True,
    }
    receipt = settled(
        "UTH-S",
        uth_box(4, "5c 5d", progressive=True),
        uth_box(2, "Ah Kh", **sides) | {"ante": "$200", "blind": "$200", "play": "$200"},
        uth_box(6, "6c 6d", play="$10", progressive=True),
        **ROYAL_FLUSH,
        six="2h 6s 7s 8s",
        limit="$50,000",
    )
    assert [(line.box, line.wager) for line in receipt.lines] == [
        (6, "ante"),
        (6, "blind"),
        (6, "play"),
        (6, "progressive"),
        (4, "ante"),
        (4, "blind"),
        (4, "progressive"),
        (2, "ante"),
        (2, "blind"),
        (2, "play"),
        (2, "trips"),
        (2, "payout_limit"),
        (2, "six_card_bonus"),
        (2, "ultimate_pairs"),
        (2, "bad_beat"),
        (2, "play_the_board"),
        (2, "progressive"),
        (6, "envy"),
        (4, "envy"),
    ]
    assert [box["seat"] for box in as_document(receipt)["boxes"]] == [6, 4, 2]


@pytest.mark.clause(
    "UTH-14 11.H(2)(iv)", "UTH-14 11.I", "UTH-14 11.J", "UTH-14 11.J(2)(e)", "UTH-14 11.I(3)"
)
def test_envy_is_paid_in_the_holders_turn() -> None:
    receipt = settled(
        "UTH-14",
        uth_box(3, "Ah Kh", trips="$5", six_card_bonus="$5", progressive=True),
        uth_box(1, "5c 5d", play="$10", progressive=True),
        **ROYAL_FLUSH,
        six="2h 6s 7s 8s",
    )
    assert [(line.box, line.wager) for line in receipt.lines] == [
        (3, "ante"),
        (3, "blind"),
        (3, "trips"),
        (3, "six_card_bonus"),
        (3, "progressive"),
        (1, "envy"),
        (1, "ante"),
        (1, "blind"),
        (1, "play"),
        (1, "progressive"),
    ]


@pytest.mark.clause(
    "FCP-14 11.D(4)", "FCP-14 11.D(5)", "FCP-14 11.D(7)", "FCP-14 11.D(8)", "FCP-14 11.D(10)(e)"
)
def test_four_card_lines_stand_in_the_order_of_settlement() -> None:
    receipt = settled(
        "FCP-14",
        fcp_box(1, "Jc Jd 9h 5c 2h", play="$10", progressive=True),
        fcp_box(
            7, "Ks Kd Kh Kc 3d", play="$10", aces_up="$5", six_card_bonus="$5", progressive=True
        ),
        dealer=QUEEN_HIGH,
        six="3h",
    )
    assert [(line.box, line.wager) for line in receipt.lines] == [
        (7, "ante"),
        (7, "play"),
        (7, "ante_bonus"),
        (7, "aces_up"),
        (7, "six_card_bonus"),
        (7, "progressive"),
        (1, "envy"),
        (1, "ante"),
        (1, "play"),
        (1, "progressive"),
    ]


# Boxes and seats


@pytest.mark.clause("UTH-S 7.G", "FCP-14 7.F")
def test_each_adjacent_box_is_a_hand_of_its_own() -> None:
    deal = {"board": "Kh 9c 7d 4s 2c", "dealer": "Js Jd"}
    receipt = settled(
        "UTH-S",
        uth_box(2, "Ks Qd", player="Ann", play="$10"),
        uth_box(3, "8s 5d", player="Ann"),
        uth_box(4, "Tc 5h", player="Ann", play="$10"),
        **deal,
    )
    assert [receipt.net_cents(seat) for seat in (2, 3, 4)] == [20_00, -20_00, -30_00]
    four_card = settled(
        "FCP-14",
        fcp_box(6, "As Ad Kh 9c 3d", player="Ann", play="$10"),
        fcp_box(7, "Ks Qh 5h 9s 3c", player="Ann"),
        dealer=QUEEN_HIGH,
    )
    assert [four_card.net_cents(seat) for seat in (6, 7)] == [20_00, -10_00]


@each_book("UTH-S 12.D(3)(b)(i)", "UTH-14 12.D(3)(b)", "FCP-14 12.D(3)(b)(i)", "FCP-14 12.D(3)(b)")
def test_a_reset_may_be_exactly_the_least(book: str) -> None:
    least = "$5,000" if book == "FCP-14" else "$10,000"
    pot = terms(resets=f'main = "{least}"')
    if book == "FCP-14":
        box = fcp_box(1, "As Ad Ah Ac 9d", play="$10", progressive=True)
        receipt = settled(book, box, dealer=QUEEN_HIGH, pot=pot)
    else:
        box = uth_box(1, "Ah Kh", play="$10", progressive=True)
        receipt = settled(book, box, **ROYAL_FLUSH, pot=pot)
    assert paid(receipt)["progressive"] == ("win", 20_000_00, 0)
    assert as_document(receipt)["meters"] == {"main": f"{least}.00"}


@each_book("UTH-S 12.D(4)", "UTH-14 12.D(4)")
def test_an_award_of_a_share_needs_no_reset_but_a_whole_one_does(book: str) -> None:
    pot = '[progressive]\nwager = "$1"\nmeters = { main = "$20,000" }'
    share = uth_box(1, "9h 8h", play="$10", progressive=True)
    receipt = settled(book, share, **ROYAL_FLUSH, pot=pot)
    assert paid(receipt)["progressive"] == ("win", 2_000_00, 0)
    whole = uth_box(1, "Ah Kh", play="$10", progressive=True)
    with pytest.raises(Refusal, match="resets to is not written down"):
        settled(book, whole, **ROYAL_FLUSH, pot=pot)
