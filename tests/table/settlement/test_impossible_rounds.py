"""Rounds that could not have happened: each is refused, in one sentence, with its clause.

Every case is a good round with one thing changed, so the change alone is what is refused.
"""

from __future__ import annotations

import pytest

from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from croupier.table.round_file import read_round
from croupier.table.settlement import settle
from tests.citing import cited, each_book, in_uth

UTH_S = """
rulebook = "UTH-S"
payout_limit = "$50,000"
[paytables]
blind = "A"
trips = "A"
six_card_bonus = "A"
ultimate_pairs = "A"
bad_beat = "A"
play_the_board = "A"
progressive = "C"
envy = "C"
[progressive]
wager = "$1"
holder_must_wager = false
hand = "flop"
meters = { mega = "$25,000.10", major = "$1,900.00", minor = "$310.55" }
resets = { mega = "$10,000", major = "$1,000", minor = "$250" }
[cards]
board = "Ah Kh Qh 7c 2c"
dealer = "2d 7d"
six_card_box = "9c 9d 4s 5s"
[[box]]
seat = 1
player = "Ann"
cards = "Jh Th"
ante = "$10"
blind = "$10"
trips = "$5"
play = "$40"
six_card_bonus = "$5"
ultimate_pairs = "$5"
bad_beat = "$5"
play_the_board = "$5"
progressive = true
[[box]]
seat = 2
player = "Bob"
cards = "3c 3d"
ante = "$20"
blind = "$20"
"""

UTH_14 = """
rulebook = "UTH-14"
payout_limit = "$50,000"
[paytables]
blind = "A"
trips = "A"
six_card_bonus = "A"
progressive = "A"
envy = "A"
[progressive]
wager = "$1"
hand = "flop"
meters = { main = "$25,000.10" }
resets = { main = "$10,000" }
[cards]
board = "Ah Kh Qh 7c 2c"
dealer = "2d 7d"
six_card_box = "9c 9d 4s 5s"
[[box]]
seat = 1
player = "Ann"
cards = "Jh Th"
ante = "$10"
blind = "$10"
trips = "$5"
play = "$40"
six_card_bonus = "$5"
progressive = true
[[box]]
seat = 2
player = "Bob"
cards = "3c 3d"
ante = "$20"
blind = "$20"
"""

FCP_14 = """
rulebook = "FCP-14"
[paytables]
aces_up = "A"
six_card_bonus = "super-A"
progressive = "A"
envy = "A"
[progressive]
wager = "$1"
meters = { main = "$25,000.10" }
resets = { main = "$5,000" }
[cards]
dealer = "2c 4d 6h 8s Tc Qd"
six_card_box = "3h"
[[box]]
seat = 1
player = "Ann"
cards = "As Ad Ah Ac 9d"
ante = "$10"
play = "$30"
aces_up = "$5"
six_card_bonus = "$5"
progressive = true
[[box]]
seat = 2
player = "Bob"
cards = "Kc Kd 9h 5c 2h"
aces_up = "$20"
"""

BOOKS = {"UTH-S": UTH_S, "UTH-14": UTH_14, "FCP-14": FCP_14}
Edit = tuple[str, str]


def refusal_of(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        settle(read_round(text, the_registry()))
    sentence = caught.value.sentence
    assert 0 < len(sentence) < 300
    assert sentence.isprintable()
    assert caught.value.clause in str(caught.value)
    return caught.value


def changed(book: str, *edits: Edit) -> str:
    text = BOOKS[book]
    for old, new in edits:
        assert old in text, f"{old} is not in the round"
        text = text.replace(old, new, 1)
    return text


def refused_for(book: str, *edits: Edit) -> str:
    """The clause, without its rulebook, for which the changed round is refused."""
    refusal = refusal_of(changed(book, *edits))
    cited, _, clause = refusal.clause.partition(" ")
    assert cited == book
    return clause


def each(names: str, *cases: tuple[str, ...]) -> pytest.MarkDecorator:
    """Run a test once a case, from its rulebook to the clause that refuses it and is proved."""
    return pytest.mark.parametrize(
        names.split(),
        [pytest.param(*case, marks=cited(case[0], case[-1])) for case in cases],
    )


def each_named(names: str, *cases: tuple[str, ...]) -> pytest.MarkDecorator:
    """The same for cases led by a name of their own, where the round's text would be a poor one."""
    return pytest.mark.parametrize(
        names.split(),
        [
            pytest.param(*case, id=f"{case[0]} {name}", marks=cited(case[0], case[-1]))
            for name, *case in cases
        ],
    )


@pytest.mark.parametrize("book", BOOKS)
def test_the_rounds_are_good_before_they_are_changed(book: str) -> None:
    assert settle(read_round(BOOKS[book], the_registry())).lines


# Cards


@each_named(
    "book old new clause",
    ("dealer and board", "UTH-S", '"2d 7d"', '"2d Ah"', "3.A(1)"),
    ("twice in a box", "UTH-S", '"3c 3d"', '"3c 3c"', "3.A(1)"),
    ("box and bonus box", "UTH-S", '"Jh Th"', '"9c Th"', "3.A(1)"),
    ("twice on the board", "UTH-S", '"Ah Kh Qh 7c 2c"', '"Ah Ah Qh 7c 2c"', "3.A(1)"),
    ("two boxes", "UTH-14", '"3c 3d"', '"Jh 3d"', "3.A(1)"),
    ("dealer and board", "UTH-14", '"2d 7d"', '"2d Ah"', "3.A(1)"),
    ("box and bonus box", "FCP-14", '"3h"', '"As"', "3.A"),
    ("two boxes", "FCP-14", "Kc Kd 9h", "Kc Kd 9d", "3.A"),
    ("twice at the dealer", "FCP-14", "Tc Qd", "Tc Tc", "3.A"),
)
def test_a_card_lies_in_one_place_only(book: str, old: str, new: str, clause: str) -> None:
    assert refused_for(book, (old, new)) == clause


@each_named(
    "book old new clause",
    ("one card in a box", "UTH-S", '"Jh Th"', '"Jh"', "13.E"),
    ("three cards in a box", "UTH-S", '"Jh Th"', '"Jh Th 9h"', "13.E"),
    ("no cards in a box", "UTH-S", '"Jh Th"', '""', "13.E"),
    ("one card at the dealer", "UTH-S", '"2d 7d"', '"2d"', "13.E"),
    ("three cards at the dealer", "UTH-S", '"2d 7d"', '"2d 7d 8d"', "13.E"),
    ("four cards on the board", "UTH-S", "7c 2c", "7c", "13.E"),
    ("six cards on the board", "UTH-S", "7c 2c", "7c 2c 8d", "13.E"),
    ("three cards in the bonus box", "UTH-S", "9c 9d 4s 5s", "9c 9d 4s", "13.E"),
    ("five cards in the bonus box", "UTH-S", "9c 9d 4s 5s", "9c 9d 4s 5s 6s", "13.E"),
    ("one card in a box", "UTH-14", '"3c 3d"', '"3c"', "13.E"),
    ("four cards on the board", "UTH-14", "7c 2c", "7c", "13.E"),
    ("three cards at the dealer", "UTH-14", '"2d 7d"', '"2d 7d 8d"', "13.E"),
    ("three cards in the bonus box", "UTH-14", "9c 9d 4s 5s", "9c 9d 4s", "13.E"),
    ("four cards in a box", "FCP-14", "Ac 9d", "Ac", "13.D"),
    ("six cards in a box", "FCP-14", "Ac 9d", "Ac 9d 9s", "13.D"),
    ("five cards at the dealer", "FCP-14", "Tc Qd", "Tc", "13.D"),
    ("seven cards at the dealer", "FCP-14", "Tc Qd", "Tc Qd Js", "13.D"),
    ("two cards in the bonus box", "FCP-14", '"3h"', '"3h 3s"', "13.D"),
)
def test_a_wrong_number_of_cards_is_a_void_round(
    book: str, old: str, new: str, clause: str
) -> None:
    assert refused_for(book, (old, new)) == clause


@each_named(
    "book line clause",
    ("no dealer", "UTH-S", 'dealer = "2d 7d"\n', "8.D(2)"),
    ("no board", "UTH-S", 'board = "Ah Kh Qh 7c 2c"\n', "8.D(3)"),
    ("no bonus box", "UTH-S", 'six_card_box = "9c 9d 4s 5s"\n', "10.B(1)"),
    ("no dealer", "UTH-14", 'dealer = "2d 7d"\n', "8.D(2)"),
    ("no dealer", "FCP-14", 'dealer = "2c 4d 6h 8s Tc Qd"\n', "8.E"),
    ("no bonus box", "FCP-14", 'six_card_box = "3h"\n', "10.B(1)"),
)
def test_cards_that_were_dealt_must_be_written_down(book: str, line: str, clause: str) -> None:
    assert refused_for(book, (line, "")) == clause


@pytest.mark.parametrize(
    ("book", "letter"),
    [
        pytest.param(book, letter, marks=cited(book, "10.B(1)"))
        for book, letter in [("UTH-S", "A"), ("UTH-14", "A"), ("FCP-14", "super-A")]
    ],
)
def test_the_bonus_box_gets_no_cards_where_its_wager_is_not_offered(book: str, letter: str) -> None:
    edits = [(f'six_card_bonus = "{letter}"\n', ""), ('six_card_bonus = "$5"\n', "")]
    assert refused_for(book, *edits) == "10.B(1)"


@each("book clause", ("UTH-S", "13.E"), ("UTH-14", "13.E"), ("FCP-14", "13.D"))
@pytest.mark.parametrize("place", ["muck", "box", "burn"])
def test_cards_lie_only_where_the_game_deals_them(book: str, clause: str, place: str) -> None:
    assert refused_for(book, ("[cards]\n", f'[cards]\n{place} = "8d"\n')) == clause


@pytest.mark.clause("FCP-14 13.D")
def test_four_card_poker_has_no_board() -> None:
    assert refused_for("FCP-14", ("[cards]\n", '[cards]\nboard = "Js Jd 7h 7c 7s"\n')) == "13.D"


# Seats and players


@each(
    "book seat clause",
    ("UTH-S", "0", "2.A"),
    ("UTH-S", "7", "2.A"),
    ("UTH-S", "-1", "2.A"),
    ("UTH-14", "0", "2.A"),
    ("UTH-14", "7", "2.A"),
    ("FCP-14", "0", "2.A(1)"),
    ("FCP-14", "8", "2.A(1)"),
    ("FCP-14", "1000000000000", "2.A(1)"),
)
def test_there_is_no_such_seat(book: str, seat: str, clause: str) -> None:
    assert refused_for(book, ("seat = 1", f"seat = {seat}")) == clause


@pytest.mark.clause("FCP-14 2.A(1)")
def test_the_seventh_seat_is_a_four_card_seat() -> None:
    text = changed("FCP-14", ("seat = 1", "seat = 7"))
    assert settle(read_round(text, the_registry())).of(7)


@each("book clause", ("UTH-S", "2.A"), ("UTH-14", "2.A"), ("FCP-14", "2.A(1)"))
def test_a_seat_is_written_once(book: str, clause: str) -> None:
    assert refused_for(book, ("seat = 2", "seat = 1")) == clause


@pytest.mark.clause("UTH-14 7.Fbis")
def test_the_2014_edition_allows_one_box_a_player() -> None:
    assert refused_for("UTH-14", ('"Bob"', '"Ann"')) == "7.Fbis"


@each("book clause", ("UTH-S", "7.G"), ("FCP-14", "7.F"))
def test_the_boxes_of_one_player_are_adjacent(book: str, clause: str) -> None:
    edits = [('"Bob"', '"Ann"'), ("seat = 2", "seat = 3")]
    assert refused_for(book, *edits) == clause
    assert settle(read_round(changed(book, edits[0]), the_registry())).lines


@each("book clause", ("UTH-S", "7.F(1)"), ("UTH-14", "7.F(1)"), ("FCP-14", "7.E"))
def test_a_round_has_a_box(book: str, clause: str) -> None:
    refusal = refusal_of(BOOKS[book].partition("[[box]]")[0])
    assert refusal.clause == f"{book} {clause}"


# Sizes of wagers


@each_book(*in_uth("11.B(1)", "11.D(1)", "11.F"))
@pytest.mark.parametrize("play", ["$0.01", "$5", "$9.99", "$15", "$39.99", "$40.01", "$50", "$400"])
def test_play_has_no_other_size_at_hold_em(book: str, play: str) -> None:
    assert refused_for(book, ('play = "$40"', f'play = "{play}"')) == "11.B(1)"


@pytest.mark.clause("FCP-14 7.E(1)", "FCP-14 11.B(1)")
@pytest.mark.parametrize("play", ["$0.01", "$9.99", "$30.01", "$40"])
def test_play_has_no_other_size_at_four_card_poker(play: str) -> None:
    assert refused_for("FCP-14", ('play = "$30"', f'play = "{play}"')) == "11.B(1)"


@each_book(*in_uth("7.F(1)"))
@pytest.mark.parametrize("blind", ["$9.99", "$10.01", "$20"])
def test_the_blind_equals_the_ante(book: str, blind: str) -> None:
    assert refused_for(book, ('blind = "$10"', f'blind = "{blind}"')) == "7.F(1)"


@each_named(
    "book old new clause",
    ("Trips", "UTH-S", 'trips = "$5"', 'trips = "$0"', "7.F(2)"),
    ("Play", "UTH-S", 'play = "$40"', 'play = "$0.00"', "7.F(1)"),
    ("Aces Up", "FCP-14", 'aces_up = "$20"', 'aces_up = "$0"', "7.E(2)"),
    ("Play", "FCP-14", 'play = "$30"', 'play = "$0"', "7.E(1)"),
)
def test_a_wager_of_nothing_is_none(book: str, old: str, new: str, clause: str) -> None:
    assert refused_for(book, (old, new)) == clause


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param("UTH-S", "12.D(6)", marks=cited("UTH-S", "12.D(6)", "12.D(7)")),
        pytest.param(
            "UTH-14", "12.D(5)", marks=cited("UTH-14", "12.D(5)", "12.D(5)(a)", "12.D(5)(b)")
        ),
        pytest.param("FCP-14", "12.E", marks=cited("FCP-14", "12.E", "12.F")),
    ],
)
@pytest.mark.parametrize("wager", ["$2", "$0", "$1.01", "$10"])
def test_a_progressive_wager_is_one_or_five_dollars(book: str, clause: str, wager: str) -> None:
    assert refused_for(book, ('wager = "$1"', f'wager = "{wager}"')) == clause


# Wagers that need others


@pytest.mark.parametrize(
    ("book", "missing", "clause"),
    [
        pytest.param(
            book,
            [f'{wager} = "{stake}"\n' for wager, stake in missing.items()],
            clause,
            id=f"{book} without {' '.join(missing)}",
            marks=cited(book, clause),
        )
        for book in ("UTH-S", "UTH-14")
        for missing, clause in [
            ({"ante": "$10"}, "7.F(1)"),
            ({"blind": "$10"}, "7.F(1)"),
            ({"ante": "$10", "blind": "$10"}, "7.F(1)"),
            ({"ante": "$10", "blind": "$10", "play": "$40"}, "7.F(1)"),
            ({"trips": "$5"}, "7.F(4)(b)"),
        ]
    ],
)
def test_hold_em_wagers_need_ante_blind_and_trips(
    book: str, missing: list[str], clause: str
) -> None:
    assert refused_for(book, *((line, "") for line in missing)) == clause


@pytest.mark.parametrize(
    ("missing", "clause"),
    [
        pytest.param(
            ['aces_up = "$5"\n'],
            "7.E(5)(a)",
            id="Six Card Bonus without Aces Up",
            marks=cited("FCP-14", "7.E(5)(a)"),
        ),
        pytest.param(
            ['ante = "$10"\n', 'play = "$30"\n'],
            "7.E(5)(a)",
            id="Six Card Bonus without Ante",
            marks=cited("FCP-14", "7.E(5)(a)"),
        ),
        pytest.param(
            ['ante = "$10"\n', 'six_card_bonus = "$5"\n'],
            "7.E(1)",
            id="Play without Ante",
            marks=cited("FCP-14", "7.E(1)"),
        ),
        pytest.param(
            ['ante = "$10"\n', 'play = "$30"\n', 'aces_up = "$5"\n', 'six_card_bonus = "$5"\n'],
            "7.E",
            id="Progressive alone",
            marks=cited("FCP-14", "7.E", "7.E(4)(a)"),
        ),
        pytest.param(
            ['aces_up = "$20"\n'], "7.E", id="nothing at all", marks=cited("FCP-14", "7.E")
        ),
    ],
)
def test_four_card_wagers_need_ante_or_aces_up(missing: list[str], clause: str) -> None:
    assert refused_for("FCP-14", *((line, "") for line in missing)) == clause


# What a rulebook does not know


@each(
    "book wager clause",
    ("UTH-S", "aces_up", "7.F"),
    ("UTH-S", "ante_bonus", "7.F"),
    ("UTH-S", "envy", "7.F"),
    ("UTH-S", "payout_limit", "7.F"),
    ("UTH-S", "Ante", "7.F"),
    ("UTH-14", "ultimate_pairs", "7.F"),
    ("UTH-14", "bad_beat", "7.F"),
    ("UTH-14", "play_the_board", "7.F"),
    ("FCP-14", "blind", "7.E"),
    ("FCP-14", "trips", "7.E"),
    ("FCP-14", "ante_bonus", "7.E"),
    ("FCP-14", "ultimate_pairs", "7.E"),
)
def test_a_wager_the_rulebook_does_not_know(book: str, wager: str, clause: str) -> None:
    assert refused_for(book, ("seat = 2\n", f'seat = 2\n{wager} = "$5"\n')) == clause


@each(
    "book name clause",
    ("UTH-S", "aces_up", "7.F"),
    ("UTH-S", "ante", "7.F"),
    ("UTH-S", "play", "7.F"),
    ("UTH-14", "ultimate_pairs", "7.F"),
    ("UTH-14", "bad_beat", "7.F"),
    ("UTH-14", "play_the_board", "7.F"),
    ("FCP-14", "blind", "7.E"),
    ("FCP-14", "trips", "7.E"),
    ("FCP-14", "ante_bonus", "7.E"),
)
def test_a_paytable_the_rulebook_does_not_know(book: str, name: str, clause: str) -> None:
    assert refused_for(book, ("[paytables]\n", f'[paytables]\n{name} = "A"\n')) == clause


@pytest.mark.parametrize(
    ("book", "old", "new"),
    [
        pytest.param(book, old, new, id=f"{book} {name}", marks=cited(book, "12"))
        for name, book, old, new in [
            ("table", "UTH-S", 'rulebook = "UTH-S"\n', 'rulebook = "UTH-S"\ntable = 4\n'),
            ("rules", "UTH-S", "[cards]\n", "[rules]\n[cards]\n"),
            ("rate", "UTH-S", 'hand = "flop"\n', 'hand = "flop"\nrate = "1%"\n'),
            ("holder_must_wager yes", "UTH-14", 'hand = "flop"\n', "holder_must_wager = true\n"),
            ("holder_must_wager no", "UTH-14", 'hand = "flop"\n', "holder_must_wager = false\n"),
            (
                "holder_must_wager no",
                "FCP-14",
                'wager = "$1"\n',
                'wager = "$1"\nholder_must_wager = false\n',
            ),
            ("hand", "FCP-14", 'wager = "$1"\n', 'wager = "$1"\nhand = "final"\n'),
            (
                "payout_limit",
                "FCP-14",
                'rulebook = "FCP-14"\n',
                'rulebook = "FCP-14"\npayout_limit = "$90,000"\n',
            ),
        ]
    ],
)
def test_a_key_the_rulebook_does_not_know(book: str, old: str, new: str) -> None:
    assert refused_for(book, (old, new)) == "12"


@each(
    "book table letter clause",
    ("UTH-S", "blind", "C", "12.B"),
    ("UTH-S", "blind", "a", "12.B"),
    ("UTH-S", "blind", "", "12.B"),
    ("UTH-S", "trips", "F", "12.C"),
    ("UTH-S", "six_card_bonus", "C", "12.E"),
    ("UTH-S", "six_card_bonus", "super-A", "12.E"),
    ("UTH-S", "ultimate_pairs", "G", "12.Ebis"),
    ("UTH-S", "bad_beat", "D", "12.Fbis"),
    ("UTH-S", "play_the_board", "D", "12.G"),
    ("UTH-S", "progressive", "E", "12.D(1)"),
    ("UTH-S", "envy", "E", "12.D(5)(b)"),
    ("UTH-14", "trips", "E", "12.C"),
    ("UTH-14", "progressive", "B", "12.D(1)"),
    ("UTH-14", "envy", "B", "12.D(5)"),
    ("FCP-14", "aces_up", "G", "12.C"),
    ("FCP-14", "six_card_bonus", "super-C", "12.G"),
    ("FCP-14", "six_card_bonus", "E", "12.G"),
    ("FCP-14", "progressive", "D", "12.D(1)"),
    ("FCP-14", "envy", "D", "12.Dbis(2)"),
)
def test_a_letter_the_rulebook_does_not_know(
    book: str, table: str, letter: str, clause: str
) -> None:
    chosen = next(line for line in BOOKS[book].splitlines() if line.startswith(f"{table} = "))
    assert refused_for(book, (chosen, f'{table} = "{letter}"')) == clause


@each_book(*in_uth("12.B"))
def test_the_blind_paytable_must_be_chosen(book: str) -> None:
    assert refused_for(book, ('blind = "A"\n', "")) == "12.B"


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param("UTH-S", "12.D(6)", marks=cited("UTH-S", "12.D(2)")),
        pytest.param("UTH-14", "12.D(5)", marks=cited("UTH-14", "12.D(2)")),
    ],
)
@pytest.mark.parametrize("hand", ["turn", "river", "Flop", ""])
def test_a_progressive_hand_nobody_knows(book: str, clause: str, hand: str) -> None:
    assert refused_for(book, ('hand = "flop"', f'hand = "{hand}"')) == clause


# What a table does not offer


@each_named(
    "book line clause",
    ("Trips", "UTH-S", 'trips = "A"\n', "7.F(2)"),
    ("Six Card Bonus", "UTH-S", 'six_card_bonus = "A"\n', "7.F(4)(b)"),
    ("Ultimate Pairs", "UTH-S", 'ultimate_pairs = "A"\n', "7.F(5)"),
    ("Bad Beat", "UTH-S", 'bad_beat = "A"\n', "7.F(6)"),
    ("Play the Board", "UTH-S", 'play_the_board = "A"\n', "7.F(7)"),
    ("Trips", "UTH-14", 'trips = "A"\n', "7.F(2)"),
    ("Six Card Bonus", "UTH-14", 'six_card_bonus = "A"\n', "7.F(4)(b)"),
    ("Aces Up", "FCP-14", 'aces_up = "A"\n', "7.E(2)"),
    ("Six Card Bonus", "FCP-14", 'six_card_bonus = "super-A"\n', "7.E(5)(a)"),
)
def test_a_wager_that_is_not_offered(book: str, line: str, clause: str) -> None:
    assert refused_for(book, (line, "")) == clause


@each(
    "book letter clause",
    ("UTH-S", "C", "7.F(3)"),
    ("UTH-14", "A", "7.F(3)"),
    ("FCP-14", "A", "7.E(4)"),
)
def test_a_progressive_that_is_not_offered(book: str, letter: str, clause: str) -> None:
    no_letters = [(f'progressive = "{letter}"\n', ""), (f'envy = "{letter}"\n', "")]
    assert refused_for(book, *no_letters) == clause
    head, _, rest = changed(book, *no_letters).partition("[progressive]")
    without_terms = head + "[cards]" + rest.partition("[cards]")[2]
    assert refusal_of(without_terms).clause == f"{book} {clause}"


@each("book clause", ("UTH-S", "12.D(6)"), ("UTH-14", "12.D(5)"), ("FCP-14", "12.E"))
def test_the_size_of_a_progressive_wager_must_be_written(book: str, clause: str) -> None:
    head, _, rest = BOOKS[book].partition("[progressive]")
    text = head + "[cards]" + rest.partition("[cards]")[2]
    assert refusal_of(text).clause == f"{book} {clause}"


@each(
    "book letter clause",
    ("UTH-S", "C", "11.J(2)(e)"),
    ("UTH-14", "A", "11.J(2)(e)"),
    ("FCP-14", "A", "11.D(10)(e)"),
)
def test_envy_needs_a_progressive(book: str, letter: str, clause: str) -> None:
    assert refused_for(book, (f'progressive = "{letter}"\n', "")) == clause


# Meters, resets and the payout limit


@pytest.mark.parametrize(
    ("book", "letter", "meter", "least", "clause"),
    [
        pytest.param(book, letter, meter, least, clause, marks=cited(book, clause))
        for book, letter, meter, least, clause in [
            ("UTH-S", "A", "main", 10_000, "12.D(3)(b)(i)"),
            ("UTH-S", "B", "major", 1_000, "12.D(3)(b)(ii)(1)"),
            ("UTH-S", "B", "minor", 250, "12.D(3)(b)(ii)(2)"),
            ("UTH-S", "C", "mega", 10_000, "12.D(3)(b)(iii)(1)"),
            ("UTH-S", "C", "major", 1_000, "12.D(3)(b)(iii)(2)"),
            ("UTH-S", "C", "minor", 250, "12.D(3)(b)(iii)(3)"),
            ("UTH-S", "D", "mega", 10_000, "12.D(3)(b)(iv)(1)"),
            ("UTH-S", "D", "major", 1_000, "12.D(3)(b)(iv)(2)"),
            ("UTH-S", "D", "minor", 250, "12.D(3)(b)(iv)(3)"),
            ("UTH-14", "A", "main", 10_000, "12.D(3)(b)"),
            ("FCP-14", "A", "main", 5_000, "12.D(3)(b)(i)"),
            ("FCP-14", "B", "main", 1_000, "12.D(3)(b)(ii)"),
            ("FCP-14", "C", "main", 10_000, "12.D(3)(b)(iii)"),
        ]
    ],
)
def test_a_reset_is_at_least_what_the_rulebook_says(
    book: str, letter: str, meter: str, least: int, clause: str
) -> None:
    old = next(line for line in BOOKS[book].splitlines() if line.startswith("progressive = "))
    lines = [line for line in BOOKS[book].splitlines() if line[:6] not in ("meters", "resets")]
    text = "\n".join(lines).replace(old, f'progressive = "{letter}"', 1)
    low = text.replace("[cards]", f'resets = {{ {meter} = "${least - 1}.99" }}\n[cards]')
    assert refusal_of(low).clause == f"{book} {clause}"
    enough = text.replace("[cards]", f'resets = {{ {meter} = "${least}" }}\n[cards]')
    assert read_round(enough, the_registry()).rules.progressive is not None


@each("book clause", ("UTH-S", "12.D(1)(c)"), ("UTH-14", "12.D(1)"), ("FCP-14", "12.D(1)(a)"))
@pytest.mark.parametrize("amounts", ["meters", "resets"])
def test_a_paytable_has_its_own_meters_only(book: str, clause: str, amounts: str) -> None:
    edit = (f"{amounts} = {{ ", f'{amounts} = {{ jumbo = "$90,000", ')
    assert refused_for(book, edit) == clause


@each_book(*in_uth("12.D(4)"), "FCP-14 12.D(4)")
def test_an_award_needs_its_meter(book: str) -> None:
    lines = [line for line in BOOKS[book].splitlines() if not line.startswith("meters")]
    assert refusal_of("\n".join(lines)).clause == f"{book} 12.D(4)"


@each_book(*in_uth("12.D(3)(b)"), "FCP-14 12.D(3)(b)")
def test_a_whole_award_needs_its_reset(book: str) -> None:
    lines = [line for line in BOOKS[book].splitlines() if not line.startswith("resets")]
    assert refusal_of("\n".join(lines)).clause == f"{book} 12.D(3)(b)"


@pytest.mark.clause("UTH-S 12.D(4)")
def test_meters_that_pay_nothing_may_be_left_out() -> None:
    text = changed("UTH-S", (', major = "$1,900.00", minor = "$310.55"', ""))
    assert settle(read_round(text, the_registry())).meters == {"mega": 10_000_000_000}


@each_book(*in_uth("12.F(1)"))
@pytest.mark.parametrize("limit", ["$0", "$100", "$49,999.99"])
def test_a_payout_limit_is_at_least_fifty_thousand(book: str, limit: str) -> None:
    assert refused_for(book, ('"$50,000"', f'"{limit}"')) == "12.F(1)"
