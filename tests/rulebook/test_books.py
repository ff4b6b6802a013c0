"""The rulebooks' limits, sizes and ways of dealing, each stated here beside its clause."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

import croupier
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.rulebook.book import CitedCount, RequiredWagers, Rulebook, WayOfDealing
from croupier.rulebook.loader import (
    book_of,
    books_in,
    read_book,
    read_document,
    shipped_books,
    shipped_volumes,
)
from croupier.table.feasibility import enough, lacking
from tests.citing import in_book, in_uth, regulated_books

UTH_S, UTH_14, FCP_14 = regulated_books()
HOUSE_RULES = Path(croupier.__file__).parent / "rulebook" / "books" / "TCP-1.toml"
TOY = Path(__file__).parent.parent / "toy" / "TOY-1.toml"


def counts(book: Rulebook) -> dict[str, tuple[int, str]]:
    deck, shuffle = book.deck, book.shuffle
    named: dict[str, CitedCount] = {
        "boxes": book.table.boxes,
        "cards": deck.cards,
        "decks": deck.decks,
        "cover cards": deck.cover_cards,
        "decks with a shuffler": deck.decks_with_shuffler,
        "change hours by hand": deck.change_hours_by_hand,
        "change hours otherwise": deck.change_hours_otherwise,
        "least cut": shuffle.cut_least,
        "most cut": shuffle.cut_most,
    }
    return {name: (counted.count, counted.clause) for name, counted in named.items()}


UTH_COUNTS = ("2.A", "3.A(1)", "3.A(3)", "3.B", "3.C(1)", "3.C(2)", "5.F")


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, id=book.id, marks=pytest.mark.clause(*in_book(book.id, *UTH_COUNTS)))
        for book in (UTH_S, UTH_14)
    ],
)
def test_uth_table_and_deck(book: Rulebook) -> None:
    assert counts(book) == {
        "boxes": (6, "2.A"),
        "cards": (52, "3.A(1)"),
        "decks": (1, "3.A(1)"),
        "cover cards": (2, "3.A(3)"),
        "decks with a shuffler": (2, "3.B"),
        "change hours by hand": (4, "3.C(1)"),
        "change hours otherwise": (8, "3.C(2)"),
        "least cut": (10, "5.F"),
        "most cut": (51, "5.F"),
    }


@pytest.mark.clause(
    *(f"FCP-14 {c}" for c in ("2.A(1)", "3.A", "3.A(2)", "3.B", "3.C(1)", "3.C(2)"))
)
@pytest.mark.clause("FCP-14 5.D")
def test_fcp_table_and_deck() -> None:
    assert counts(FCP_14) == {
        "boxes": (7, "2.A(1)"),
        "cards": (52, "3.A"),
        "decks": (1, "3.A"),
        "cover cards": (1, "3.A(2)"),
        "decks with a shuffler": (2, "3.B"),
        "change hours by hand": (4, "3.C(1)"),
        "change hours otherwise": (8, "3.C(2)"),
        "least cut": (10, "5.D"),
        "most cut": (51, "5.D"),
    }


@pytest.mark.clause("UTH-S 7.G", "UTH-14 7.Fbis", "FCP-14 7.F")
def test_boxes_a_player() -> None:
    rules = [
        (b.table.boxes_a_player.rule, b.table.boxes_a_player.clause) for b in regulated_books()
    ]
    assert rules == [("adjacent", "7.G"), ("one", "7.Fbis"), ("adjacent", "7.F")]


@pytest.mark.clause(*in_uth("11.B(1)", "11.D(1)", "11.F"), "FCP-14 11.B(1)")
def test_play_sizes() -> None:
    for book in (UTH_S, UTH_14):
        assert [(s.name, s.sizes_of(1000), s.otherwise, s.clause) for s in book.streets] == [
            ("before the flop", "$30.00 or $40.00", "check", "11.B(1)"),
            ("flop", "$20.00", "check", "11.D(1)"),
            ("river", "$10.00", "fold", "11.F"),
        ]
    (street,) = FCP_14.streets
    assert street.sizes_of(1000) == "$10.00 to $30.00"
    assert (street.sizes, street.least, street.most) == ((1, 2, 3), 1, 3)
    assert (street.otherwise, street.clause) == ("fold", "11.B(1)")


def test_a_street_without_a_size_has_no_least_and_no_most() -> None:
    bare = replace(UTH_S.streets[0], multiples=())
    assert (bare.sizes, bare.least, bare.most) == ((), 0, 0)


@pytest.mark.clause("UTH-S 11.L(1)", "UTH-S 11.L(2)", *in_uth("8.D(2)", "8.D(3)", "10.B(1)"))
@pytest.mark.clause(*in_book("FCP-14", "8.E", "10.B(1)"))
def test_cards_at_each_place() -> None:
    uth = {"box": 2, "dealer": 2, "board": 5, "six_card_box": 4}
    assert [{place.name: place.cards for place in book.places} for book in regulated_books()] == [
        uth,
        uth,
        {"box": 5, "dealer": 6, "six_card_box": 1},
    ]


@pytest.mark.clause(*in_uth("7.F(1)", "7.F(2)", "7.F(3)", "7.F(3)(a)", "7.F(4)(b)"))
@pytest.mark.clause(*in_book("UTH-S", "7.F(5)", "7.F(6)", "7.F(7)"))
@pytest.mark.clause(*in_book("FCP-14", "7.E(3)", "7.E(4)(a)", "7.E(5)(a)", "12.B"))
def test_what_each_wager_needs() -> None:
    needs = {
        book.id: {w.name: w.needs or w.needs_any for w in book.wagers if w.needs or w.needs_any}
        for book in regulated_books()
    }
    both = ("ante", "blind")
    uth = {"trips": both, "six_card_bonus": (*both, "trips"), "progressive": both}
    newer = dict.fromkeys(("ultimate_pairs", "bad_beat", "play_the_board"), both)
    assert needs == {
        "UTH-S": uth | newer,
        "UTH-14": uth,
        "FCP-14": {
            "ante_bonus": ("play",),
            "six_card_bonus": ("ante", "aces_up"),
            "progressive": ("ante", "aces_up"),
        },
    }


@pytest.mark.clause("UTH-S 7.F", "UTH-14 7.F", "FCP-14 7.E", "UTH-14 12.E", "UTH-S 12.D(7)")
@pytest.mark.clause("FCP-14 12.F")
def test_what_each_edition_offers() -> None:
    tables = {
        book.id: {wager: "".join(letters) for wager, letters in book.paytables.items()}
        | {"envy": "".join(book.envy)}
        for book in regulated_books()
    }
    assert tables == {
        "UTH-S": {
            "blind": "AB",
            "trips": "ABCDE",
            "six_card_bonus": "AB",
            "ultimate_pairs": "ABCDEF",
            "bad_beat": "ABC",
            "play_the_board": "ABC",
            "progressive": "ABCD",
            "envy": "ABCD",
        },
        "UTH-14": {
            "blind": "AB",
            "trips": "ABCD",
            "six_card_bonus": "AB",
            "progressive": "A",
            "envy": "A",
        },
        "FCP-14": {
            "ante_bonus": "A",
            "aces_up": "ABCDEF",
            "six_card_bonus": "ABCDsuper-Asuper-B",
            "progressive": "ABC",
            "envy": "ABC",
        },
    }
    assert all(
        set(by_stake) == {"$1", "$5"} for b in regulated_books() for by_stake in b.envy.values()
    )


def dealt(way: WayOfDealing, boxes: int) -> str:
    """Each card in turn: a box's number, D for the dealer, B board, S bonus box, x burnt; * up."""
    told = []
    for step in way.steps:
        if step.turn:
            told.append(f"turn {step.turn}")
            continue
        letter = {"dealer": "D", "board": "B", "six_card_box": "S", "burn": "x"}.get(step.to)
        names = [letter] if letter else [str(seat) for seat in range(1, boxes + 1)]
        up = "*" if step.face == "up" else ""
        told += [(name or "") + up for name in names for _ in range(step.deal)]
    return " ".join(told)


UTH_WAYS = {
    "shoe": "1 2 3 D 1 2 3 D B* B* B* B* B*",
    "hand": "1 2 3 D 1 2 3 D x B* B* B* x B* B*",
    "shuffler": "S S S S B B B B B D D 1 1 2 2 3 3 turn 3 turn 2",
    "reshuffling-shoe": "S S S S B B B B B 1 1 2 2 3 3 D D turn 3 turn 2",
}


@pytest.mark.clause(*in_uth("8.D(2)", "8.D(3)", "9.B(2)", "9.B(3)", "10.B(1)", "10.B(2)"))
@pytest.mark.clause(*in_uth("11.C(1)", "11.C(2)", "11.E(1)", "11.E(2)", "10.B(3)", "10.F"))
@pytest.mark.clause("UTH-S 10.B(4)")
def test_uth_ways_of_dealing() -> None:
    last = {"shuffler-dealer-last": "S S S S B B B B B 1 1 2 2 3 3 turn 3 turn 2 D D"}
    assert {way.way: dealt(way, 3) for way in UTH_S.dealing} == UTH_WAYS | last
    assert {way.way: dealt(way, 3) for way in UTH_14.dealing} == UTH_WAYS


@pytest.mark.clause(*in_book("FCP-14", "8.E", "8.E(1)", "8.E(2)", "8.E(3)", "9.B(3)", "9.B(4)"))
@pytest.mark.clause(*in_book("FCP-14", "9.B(5)", "9.B(6)", "10.B(1)", "10.B(2)", "10.B(3)"))
@pytest.mark.clause(*in_book("FCP-14", "10.B(4)", "10.H"))
def test_fcp_ways_of_dealing() -> None:
    by_lap = "1 2 D 1 2 D 1 2 D 1 2 D 1 2 D D*"
    stacks = "S D D D D D D* 1 1 1 1 1 2 2 2 2 2"
    assert {way.way: dealt(way, 2) for way in FCP_14.dealing} == {
        "shoe": by_lap,
        "hand": by_lap,
        "shuffler": stacks,
        "reshuffling-shoe": stacks,
    }


@pytest.mark.clause(*in_uth("8.E", "9.C", "10.C"), "FCP-14 8.G", "FCP-14 9.C(1)")
def test_stub_counts() -> None:
    found = {
        book.id: {
            way.way: (way.stub_count.rounds, way.stub_count.clause)
            for way in book.dealing
            if way.stub_count is not None
        }
        for book in regulated_books()
    }
    uth = {"shoe": (5, "8.E"), "hand": (5, "9.C"), "shuffler": (5, "10.C")}
    assert found == {
        "UTH-S": uth | {"shuffler-dealer-last": (5, "10.C")},
        "UTH-14": uth,
        "FCP-14": {"shoe": (5, "8.G"), "hand": (5, "9.C(1)")},
    }


@pytest.mark.clause("UTH-S 12.F", "UTH-S 12.F(2)", "UTH-14 12.F", "UTH-14 12.F(2)")
def test_payout_limits() -> None:
    for book in (UTH_S, UTH_14):
        assert book.payout_limit is not None
        assert book.payout_limit.least == "$50,000"
        assert book.payout_limit.wagers == ("ante", "blind", "play", "trips")
    assert FCP_14.payout_limit is None


def test_a_book_with_a_line_nobody_knows_is_refused() -> None:
    with pytest.raises(Unreadable, match="lucky"):
        read_book(f"lucky = 7\n{TOY.read_text('utf-8')}")


def test_every_wager_is_judged_by_something_its_game_sees() -> None:
    registry = the_registry()
    assert list(registry.books)[:3] == ["UTH-S", "UTH-14", "FCP-14"]
    assert {book.game for book in registry.books.values()} == set(registry.games)


def test_a_book_without_a_regulation_says_so_wherever_it_is_listed() -> None:
    """Lists of rulebooks give title and edition."""
    unregulated = [book for book in the_registry().books.values() if not book.regulated]
    assert "TCP-1" in [book.id for book in unregulated]
    assert {book.edition for book in unregulated} == {"house rules, not regulated"}


@pytest.mark.parametrize("book", [UTH_14, FCP_14], ids=lambda book: book.id)
def test_a_book_of_proposed_amendments_says_so_wherever_it_is_listed(book: Rulebook) -> None:
    assert "proposed" in book.edition
    assert "adoption not shown" in book.edition


@pytest.mark.parametrize(
    ("wager", "letter", "odds"),
    [  # 58 Pa. Code 653a.12, the sister text of another state
        ("blind", "A", "500 50 10 3 3/2 1"),
        ("blind", "B", "500 50 10 3 3/2"),
        ("trips", "A", "50 40 30 9 7 4 3"),
        ("trips", "B", "50 40 30 8 6 5 3"),
        ("trips", "C", "50 40 30 8 7 4 3"),
        ("trips", "D", "50 40 20 7 6 5 3"),
    ],
)
def test_pennsylvania_prints_the_same_payouts(wager: str, letter: str, odds: str) -> None:
    lines = UTH_S.paytables[wager][letter].lines
    paid = [str(line.odds) for line in lines if "to" in str(line.odds).split()]
    assert paid == [f"{each} to 1" if "/" not in each else "3 to 2" for each in odds.split()]


def _in_a_folder(folder: Path, text: str) -> Path:
    (folder / "books").mkdir()
    (folder / "trace").mkdir()
    (folder / "books" / "MINE.toml").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ('id = "', 'lucky = 7\nid = "', "lucky = 7"),
        ('id = "TCP-1"', "id = ", "id ="),
        ("shelf_place = 4", 'shelf_place = "last"', "shelf_place"),
        ("40 to 1", "40 too 1", "40 too 1"),
        ('name = "dealer", cards = 3', 'name = "dealer", cards = "three"', '"three"'),
        ('"flush: 4 to 1"', '{ four = "flush", pays = "4 to 1" }', "four"),
        ('outcome = "push", clause = "5.E"', 'outcome = "push", clause = "5.Q"', '"5.Q"'),
        ('base = "house"', 'base = "hose"', '"hose"'),
    ],
)
def test_a_slip_in_a_book_is_told_with_its_file_and_line(
    right: str, wrong: str, line: str, tmp_path: Path
) -> None:
    text = HOUSE_RULES.read_text("utf-8")
    assert right in text
    slipped = text.replace(right, wrong, 1)
    number = next(n for n, each in enumerate(slipped.splitlines(), 1) if line in each)
    with pytest.raises(Unreadable, match=rf"^rulebook MINE\.toml\b.*\bline {number}\b"):
        books_in(_in_a_folder(tmp_path, slipped))


def test_a_book_says_only_what_its_base_does_not() -> None:
    """The longest house rules fit a page; a regulated book stands whole, clause by clause."""
    assert len(HOUSE_RULES.read_text("utf-8").splitlines()) <= 150
    texts = {volume.file: volume.text for volume in shipped_volumes()}
    based = {
        book.id for book in the_registry().books.values() if "base = " in texts[f"{book.id}.toml"]
    }
    assert based == {book.id for book in the_registry().books.values() if not book.regulated}
    book = the_registry().book("TCP-1")
    assert [way.way for way in book.dealing] == ["shuffler", "hand"]
    assert [line.clause for line in book.paytables["pair_plus"]["C"].lines] == ["6.C(3)"] * 5
    assert list(book.own_trace)[:4] == ["1", "1.A", "1.B", "1.C"]


def test_a_book_that_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    file = _in_a_folder(tmp_path, "") / "books" / "MINE.toml"
    file.write_bytes(b'id = "MINE"\ntitle = "\xff"\n')
    with pytest.raises(Unreadable, match=r"^rulebook MINE\.toml, line 2: this is not text"):
        books_in(tmp_path)


def test_no_shipped_book_has_a_fault() -> None:
    assert not the_registry().faults
    assert tuple(the_registry().books.values()) == shipped_books()


@pytest.mark.parametrize(
    ("written", "slip", "told"),
    [
        ('hand = "pair", pushes = ["play"], clause = "2.E"', "2.E", "contest dealer needs"),
        ('wins = { clause = "2.C"', "2.C", "contest wins"),
    ],
)
def test_house_rules_explain_every_clause_they_cite(written: str, slip: str, told: str) -> None:
    text = TOY.read_text("utf-8")
    assert written in text
    with pytest.raises(Unreadable, match=rf"{told}.*cites clause \"9\.Z\""):
        read_book(text.replace(written, written.replace(slip, "9.Z")))


@pytest.mark.parametrize("key", ["progressive", "envy_bonus"])
def test_rules_of_a_progressive_that_is_not_offered_are_refused(key: str) -> None:
    for volume in shipped_volumes():
        document = read_document(volume.text)
        if key not in document:
            continue
        document["wagers"] = [one for one in document["wagers"] if one["name"] != "progressive"]
        for other in {"progressive", "envy_bonus"} - {key}:
            document.pop(other, None)
        with pytest.raises(Unreadable, match=f"^{key} is about the progressive, and none of wager"):
            book_of(document)


def test_a_street_on_which_no_wager_is_made_is_refused() -> None:
    (volume,) = (one for one in shipped_volumes() if one.file.endswith("THB-1.toml"))
    text = volume.text.replace('decides = "ante"', "", 1)
    with pytest.raises(Unreadable, match='streets asks "before the flop"'):
        read_book(text)


@pytest.mark.parametrize("rule", [book.opening for book in shipped_books()])
def test_what_opens_a_hand_is_said_in_sets_of_which_one_is_enough(rule: RequiredWagers) -> None:
    both = replace(rule, all_of=("ante",), any_of=("blind", "trips"))
    for opening in (rule, both):
        known = (*opening.all_of, *opening.any_of)
        for many in range(len(known) + 1):
            for held in combinations(known, many):
                opens = any({*held} >= {*names} for names in enough(opening))
                assert opens is not bool(lacking(opening.all_of, opening.any_of, held))
