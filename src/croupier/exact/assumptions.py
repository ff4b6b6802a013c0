"""What each solver takes for granted of a rulebook, as data, compared with the book beforehand.

A kernel is written for some rules and would give a wrong number for others. :func:`base_facts`
and :func:`side_facts` tell what a book says wherever that decides a figure; each :class:`Kernel`
lists what it knows, key by key. Whatever a book says beyond that is refused with the key, its value
and what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal
from croupier.facts.odds import Share, Sum
from croupier.facts.showings import meaning
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.games.watched_places import places_looked_at
from croupier.rulebook.book import EnvyBonus, Paytable, Rulebook, Street, Wager, WayOfDealing

NONE = "none"
# What decides how a game is best played and what that is worth: any of it can be settled.
_PLAYED = ("contest.*", "*.sizes", "*.otherwise", "SIDE.fold*", "SIDE.must_win*", "envy_bonus.*")
SIDE = "SIDE"  # in a kernel's list: any wager beside the base game
FactValues = tuple[str, ...]
KnownValues = FactValues | Callable[[Rules], FactValues] | None
"""Values that are known, or which these are under some Rules; None where any will do."""


class RuleFact(NamedTuple):
    """One thing a rulebook says; ``kind`` is its key in the lists of kernels."""

    key: str
    value: str
    clause: str
    kind: str


@dataclass(frozen=True)
class Kernel:
    """What a solver knows of the books of its shape."""

    name: str
    shape: GameShape
    knows: Mapping[str, KnownValues]

    def refuse(self, rules: Rules, facts: Iterable[RuleFact]) -> None:
        """Refuse the first thing these Rules say that this kernel does not know."""
        for fact in facts:
            known = self.known(fact, rules)
            if known is not None and fact.value not in known:
                those = " or ".join(f'"{value}"' for value in known)
                raise Refusal(
                    f'{fact.key} is "{fact.value}" in {rules.book.id}, and {self.name} '
                    f"{f'knows only {those}' if known else 'does not know that'}",
                    rules.book.cite(fact.clause),
                )

    def known(self, fact: RuleFact, rules: Rules) -> FactValues | None:
        """The values that are known of this; none where the kernel has never heard of its key."""
        kind = next((kind for kind in self.knows if fnmatchcase(fact.kind, kind)), None)
        known = self.knows[kind] if kind is not None else ()
        return known(rules) if callable(known) else known


@lru_cache(maxsize=100)
def refuse_base(rules: Rules) -> None:
    """Refuse a base game that the solver of its game does not know."""
    kernel_of(rules).refuse(rules, base_facts(rules))


def refuse_sides(rules: Rules) -> None:
    """Refuse wagers beside the base game that the solver of its game does not know."""
    kernel_of(rules).refuse(rules, side_facts(rules))


def refuse_unsettled(rules: Rules) -> None:
    """Refuse a book by which rounds cannot be settled, though no solver has to know all it says."""
    facts = chain(base_facts(rules), side_facts(rules))
    settled = (fact for fact in facts if not any(fnmatchcase(fact.kind, k) for k in _PLAYED))
    kernel_of(rules).refuse(rules, settled)


def kernel_of(rules: Rules) -> Kernel:
    return KERNELS[shape_of(rules)]


# What a book says


def base_facts(rules: Rules) -> Iterator[RuleFact]:
    """What decides a figure of the base game and some kernel takes for granted."""
    book = rules.book
    yield _fact("deck.cards", book.deck.cards.count, book.deck.cards.clause)
    yield _fact("deck.decks", book.deck.decks.count, book.deck.decks.clause)
    yield from _places(book)
    yield _fact("places", _ranked(rules), book.refusals.wrong_count, "HANDS")
    asked = [street.clause for street in book.streets] or [book.opening.clause]
    yield _fact("streets", _count(len(book.streets), "decision"), asked[-1])
    played = any(street.multiples or street.most_multiple for street in book.streets)
    yield _fact("streets.sizes", "some" if played else NONE, asked[-1])
    yield _fact("streets.order", _order(book), asked[-1])
    yield _fact("streets.wager", _made_on(book), asked[-1])
    for number, street in enumerate(book.streets, 1):
        yield from _street(book, number, street)
    yield from _contest(book)
    yield _fact("wagers", _list(w.name for w in _base(book)), book.opening.clause)
    yield from _staked_at_once(book)
    for wager in book.wagers:
        if wager.optional:
            yield from _apart(wager)
    for wager in sorted(_base(book), key=lambda wager: wager.beside is None):
        yield from _against_dealer(rules, wager)


def side_facts(rules: Rules) -> Iterator[RuleFact]:
    """What decides a figure beside the base game and some kernel takes for granted."""
    for wager in rules.book.wagers:
        if wager.optional:
            yield from _side(rules, wager)
    yield from _envy(rules)


def _fact(key: str, value: object, clause: str, kind: str | None = None) -> RuleFact:
    return RuleFact(key, NONE if value in (None, "", ()) else str(value), clause, kind or key)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _base(book: Rulebook) -> list[Wager]:
    return [wager for wager in book.wagers if not wager.optional]


def _places(book: Rulebook) -> Iterator[RuleFact]:
    clause = book.places[0].clause if book.places else book.refusals.wrong_count
    always = [place.name for place in book.places if place.only_for is None]
    yield _fact("places", _list(always), clause)
    for place in book.places:
        yield _fact(f"places.{place.name}.cards", place.cards, place.clause)
        if place.only_for is not None:
            yield _fact(f"places.{place.name}.only_for", place.only_for, place.clause)


def _ranked(rules: Rules) -> str:
    """Whether the game can rank hands of the cards that every round has; otherwise why not."""
    deck = iter(DECK)
    always = (place for place in rules.book.places if place.only_for is None)
    lying = {place.name: tuple(islice(deck, place.cards)) for place in always}
    box = FinishedBox(seat=1, cards=lying.pop("box", ()), stakes={})
    round = FinishedRound(rules, lying, (box,))
    try:
        rules.game.player(round, box)
        rules.game.dealer(round)
    except ValueError as error:
        return str(error)
    return "ranked"


def _street(book: Rulebook, number: int, street: Street) -> Iterator[RuleFact]:
    key, last = f"streets.{number}", len(book.streets)
    at = "ONLY" if last == 1 else {1: "FIRST", last: "LAST"}.get(number, "BETWEEN")
    yield _fact(f"{key}.otherwise", street.otherwise, street.otherwise_clause, f"{at}.otherwise")
    yield _fact(f"{key}.sizes", _sizes(street), street.clause, f"{at}.sizes")
    sights = dict.fromkeys(_in_sight(book, way, street) for way in book.dealing)
    yield _fact(f"{key}.in_sight", "; or ".join(sights), street.ask_clause, f"{at}.in_sight")


def _order(book: Rulebook) -> str:
    """Whether each street is asked with more cards in sight than the one before."""
    for way in book.dealing:
        seen = [way.face_up(street.name).total() for street in book.streets]
        if any(later <= earlier for earlier, later in pairwise(seen)):
            return "not as cards come"
    return "as cards come"


def _made_on(book: Rulebook) -> str:
    """Whether all streets make one wager, or each its own."""
    made = {book.played_on(street).name for street in book.streets if book.plays}
    if len(made) == len(book.streets) > 1:
        return "one a street"
    return "the same" if len(made) < 2 else "some the same"


def _sizes(street: Street) -> str:
    """In which form a street says how large a Play may be."""
    least, most = street.least_multiple, street.most_multiple
    if least is not None and most is not None:
        return "a range" if 0 < least <= most and not street.multiples else "no such range"
    if (least, most) != (None, None) or min(street.multiples, default=1) < 1:
        return "no such sizes"
    return ("no size", "one size", "two sizes", "many sizes")[min(len({*street.multiples}), 3)]


def _in_sight(book: Rulebook, way: WayOfDealing, street: Street) -> str:
    """What a player knows when this street is asked about: cards of his own, and those face up."""
    own = 0
    for step in way.steps:
        if step.after == street.name:
            break
        own += step.deal if step.to == "boxes" else 0
    up = way.face_up(street.name)
    seen = (f"{up[place.name]} {place.name}" for place in book.places if up[place.name])
    return _list((f"{own} own", *seen))


def _contest(book: Rulebook) -> Iterator[RuleFact]:
    contest, needs = book.contest, book.contest.dealer_needs
    yield _fact("contest.tie.outcome", contest.tie.outcome, contest.tie.clause)
    clause = needs.clause if needs is not None else contest.wins.clause
    yield _fact("contest.dealer_needs", NONE if needs is None else "a hand", clause)
    if needs is None:
        return
    yield _fact("contest.dealer_needs.hand", needs.hand, needs.clause)
    yield _fact("contest.dealer_needs.pushes", _list(sorted(needs.pushes)), needs.clause)
    yield _fact("contest.dealer_needs.wins", _list(sorted(needs.wins)), needs.clause)


def _staked_at_once(book: Rulebook) -> Iterator[RuleFact]:
    """Wagers of the base game that lie there from the beginning must all be there."""
    staked = [w.name for w in _base(book) if w.beside is None and w.paid_on is None]
    for name in staked[1:]:
        said = "in opening.all_of" if name in book.opening.all_of else "not in opening.all_of"
        yield _fact(f"wagers.{name}", said, book.opening.clause, "wagers.BASE")


def _against_dealer(rules: Rules, wager: Wager) -> Iterator[RuleFact]:
    key, clause = f"wagers.{wager.name}", wager.clause
    if wager.paid_on is not None:
        yield _fact(f"{key}.paid_on", wager.paid_on, clause, "BONUS.paid_on")
        yield _fact(f"{key}.needs", _list(wager.needs), clause, "BONUS.needs")
        yield _fact(f"{key}.decides", wager.beside, clause, "BONUS.decides")
        yield _fact(f"{key}.judged_by", rules.judged_by(wager.name), clause, "BONUS.judged_by")
    else:
        decided = {other.decides for other in _base(rules.book)}
        kind = "PLAY" if wager.beside else "ANTE" if wager.name in decided else "EQUAL"
        yield _fact(f"{key}.judged_by", wager.judged_by, clause, f"{kind}.judged_by")
        yield _fact(f"{key}.decides", wager.decides, clause, f"{kind}.decides")
        yield _fact(f"{key}.adds_to", wager.adds_to, clause, f"{kind}.adds_to")
        yield _fact(f"{key}.equals", wager.equals, clause, f"{kind}.equals")
        yield _fact(f"{key}.needs", _list(wager.needs + wager.needs_any), clause, f"{kind}.needs")
        odds = wager.pays.odds if wager.pays is not None else None
        by_table = "its paytable" if _tables(rules, wager) else None
        paid = f"{odds}, a sum" if isinstance(odds, Sum | Share) else odds or by_table
        yield _fact(f"{key}.pays.odds", paid, clause, f"{kind}.pays.odds")
        if kind != "PLAY":  # after a fold there is no Play that could be kept or lost
            yield _fact(f"{key}.fold.outcome", wager.fold.outcome, wager.fold.clause, "BASE.fold")
    for table in _tables(rules, wager):
        yield _fact(f"paytables.{wager.name}", _pays_in(table), table.clause, "BASE.paytable")


def _tables(rules: Rules, wager: Wager) -> list[Paytable]:
    bound = rules.paytable(wager.name)
    return [*rules.book.paytables.get(wager.name, {}).values(), *([bound] if bound else [])]


def _pays_in(table: Paytable) -> str:
    """Whether a kernel can tell a table's lines from the hand, and value them in Antes."""
    for line in table.lines:
        if isinstance(line.odds, Sum | Share):
            return f"{line.odds} for {line.phrase}"
        if meaning(line.phrase) is None:
            return f"what only the game's own look can tell: {line.phrase}"
    return "odds for hands"


def _apart(wager: Wager) -> Iterator[RuleFact]:
    """What would make a wager that a player may leave out a part of the base game."""
    of = {
        "equals": wager.equals,
        "decides": wager.decides,
        "adds_to": wager.adds_to,
        "paid_on": wager.paid_on,
    }
    for name, other in of.items():
        yield _fact(f"wagers.{wager.name}.{name}", other, wager.clause, f"{SIDE}.{name}")


def _side(rules: Rules, wager: Wager) -> Iterator[RuleFact]:
    key, clause, book = f"wagers.{wager.name}", wager.clause, rules.book
    needs_play = [w.name for w in book.plays if w.name in wager.needs]
    yield _fact(f"{key}.needs", _list(needs_play), clause, f"{SIDE}.needs")
    tables = _tables(rules, wager)
    yield _fact(f"{key}.paytables", "there" if tables else NONE, clause, f"{SIDE}.paytables")
    looks = {rules.chosen_hand(wager.judged_by)} | {t.judged_by for t in tables if t.judged_by}
    if wager.judged_by == "progressive hand" and book.progressive is not None:
        looks |= set(book.progressive.hands.values())
    for look in sorted(looks):
        yield _fact(f"{key}.judged_by", _seen(rules, wager, look), clause, f"{SIDE}.judged_by")
        fold, kind = wager.fold, f"{SIDE}.fold, {look}"
        yield _fact(f"{key}.fold.outcome", fold.outcome, fold.clause, kind)
        beats = None if wager.must_win is None else "to win"
        won = clause if wager.must_win is None else wager.must_win.clause
        yield _fact(f"{key}.must_win", beats, won, f"{SIDE}.must_win, {look}")


def _seen(rules: Rules, wager: Wager, look: str) -> str:
    """A look, if all its cards are dealt whenever this wager is made."""
    places = {place.name: place for place in rules.book.places}
    try:
        looked_at = places_looked_at(rules, look) if look in rules.game.looks else set()
    except ValueError:
        return f"{look}, with too few cards"
    for name in sorted(looked_at):
        if name not in places:
            return f"{look}, without any {name}"
        if places[name].only_for not in (None, wager.name):
            return f"{look}, dealt for {places[name].only_for} only"
    return look


def _envy(rules: Rules) -> Iterator[RuleFact]:
    book, bonus = rules.book, rules.book.envy_bonus
    if bonus is None or not book.envy:
        return
    hands = book.progressive.hands if book.progressive is not None else {}
    progressive = bonus.judged_by == "progressive hand"
    for look in hands.values() if progressive else (bonus.judged_by,):
        yield _fact("envy_bonus.judged_by", look, bonus.clause, "envy_bonus.judged_by")
    yield _fact("envy_bonus.folded_holder", _folded_holder(book, bonus), bonus.clause)


def _folded_holder(book: Rulebook, bonus: EnvyBonus) -> str:
    """Whether who holds the Progressive alone gives Envy after a fold."""
    if bonus.folded_holder == "never" or book.wager(PROGRESSIVE).keeps_folded_cards:
        return bonus.folded_holder
    return f"{bonus.folded_holder}, which the Progressive is not"


# What the kernels know


def _ante(rules: Rules) -> FactValues:
    """Wagers that are one Ante large."""
    decided = {w.decides for w in _base(rules.book) if w.decides}
    return tuple(w.name for w in _base(rules.book) if {w.name, w.equals} & decided)


def _first(rules: Rules) -> FactValues:
    return tuple(w.name for w in _base(rules.book) if w.name in _ante(rules) and not w.equals)


def _decided_wagers(rules: Rules) -> FactValues:
    return tuple(w.name for w in _base(rules.book) if w.decides is not None)


def _hand_that_meets_the_dealer(rules: Rules) -> FactValues:
    game = rules.game
    return tuple(name for name, look in game.looks.items() if look is game.player)


def _both_places(rules: Rules) -> FactValues:
    always = [place.name for place in rules.book.places if place.only_for is None]
    return (_list(always),) if {"box", "dealer"} <= {*always} else ("box, dealer",)


def _hand_of_the_game(rules: Rules) -> FactValues:
    """What the dealer needs, if that is a hand of this game; otherwise its categories."""
    needs, ranking = rules.book.contest.dealer_needs, rules.game.ranking
    try:
        return (needs.hand,) if needs is not None and ranking.least(needs.hand) else ()
    except ValueError:
        return tuple(map(str, ranking.order))


def _names_of_contest(rules: Rules) -> FactValues:
    """What is listed for a dealer who does not open, if these are wagers against the dealer."""
    needs = rules.book.contest.dealer_needs
    known = {wager.name for wager in _base(rules.book) if wager.judged_by == "contest"}
    listed = (needs.pushes, needs.wins) if needs is not None else ()
    together = (_list(sorted(names)) for names in listed if names and {*names} <= known)
    return tuple(dict.fromkeys((NONE, *sorted(known), *together)))


def _odds_alone(rules: Rules) -> FactValues:
    odds = [wager.pays.odds for wager in _base(rules.book) if wager.pays is not None]
    return ("its paytable", *(str(each) for each in odds if not isinstance(each, Sum | Share)))


def _stakable(rules: Rules) -> FactValues:
    base = _base(rules.book)
    return tuple(w.name for w in base if w.beside is None and w.paid_on is None and not w.equals)


def _all_cards_and_any_up(rules: Rules) -> FactValues:
    """The cards of a box are all there, whatever is face up, but the same however it is dealt."""
    own = rules.book.place("box").cards
    street = rules.book.streets[0]
    seen = dict.fromkeys(_in_sight(rules.book, way, street) for way in rules.book.dealing)
    return tuple(sight for sight in seen if sight.split(" ")[0] == str(own))


def _one_decision(rules: Rules) -> FactValues:
    """The names of a base game of one Ante, wagers equal to it, one Play, and bonuses."""
    base = _base(rules.book)
    known = len(_decided_wagers(rules)) == 1 and len(_first(rules)) == 1
    return (_list(w.name for w in base),) if known else ()


def _no_bonus(rules: Rules) -> FactValues:
    """The names of a base game of one Ante, wagers equal to it, and what streets make."""
    return () if any(w.paid_on for w in _base(rules.book)) else _one_decision(rules)


_ONE_DECK: dict[str, KnownValues] = {
    "deck.cards": ("52",),
    "deck.decks": ("1",),
    "HANDS": ("ranked",),
    "streets.order": ("as cards come",),
    "streets.sizes": ("some",),
}
_STAKES: dict[str, KnownValues] = {
    "ANTE.judged_by": ("contest",),
    "ANTE.decides": (NONE,),
    "ANTE.adds_to": (NONE,),
    "ANTE.equals": (NONE,),
    "ANTE.needs": (NONE,),
    "EQUAL.judged_by": ("contest",),
    "EQUAL.decides": (NONE,),
    "EQUAL.adds_to": (NONE,),
    "EQUAL.equals": _first,
    "EQUAL.needs": (NONE,),
    "PLAY.judged_by": ("contest",),
    "PLAY.decides": _stakable,
    "PLAY.adds_to": (NONE,),
    "PLAY.equals": (NONE,),
    "PLAY.needs": (NONE,),
    "BONUS.paid_on": _ante,
    "BONUS.needs": _decided_wagers,
    "BONUS.decides": (NONE,),
    "BONUS.judged_by": _hand_that_meets_the_dealer,
    "BASE.fold": ("forfeit",),
    "BASE.paytable": ("odds for hands",),
    "wagers.BASE": ("in opening.all_of",),
}
_SIDES: dict[str, KnownValues] = {
    f"{SIDE}.equals": (NONE,),
    f"{SIDE}.decides": (NONE,),
    f"{SIDE}.adds_to": (NONE,),
    f"{SIDE}.paid_on": (NONE,),
    f"{SIDE}.needs": (NONE,),
    f"{SIDE}.paytables": ("there",),
}
_KEPT = ("stays", "none")  # settlement gives up nothing but what it is told to
_SIZES = ("no size", "one size", "two sizes", "many sizes")
_HOLDEM_LOOKS = (
    "final hand",
    "hole cards and flop",
    "first two cards",
    "board",
    "six cards",
    "lower hand",
)
_FOUR_CARD_LOOKS = ("four-card hand", "five cards")

HOLDEM = Kernel(
    "the solver of Hold'em",
    GameShape.HOLDEM,
    {
        **_ONE_DECK,
        **_STAKES,
        **_SIDES,
        "places": ("box, dealer, board",),
        "places.box.cards": ("2",),
        "places.dealer.cards": ("2",),
        "places.board.cards": ("5",),
        "places.six_card_box.cards": ("4",),
        "places.six_card_box.only_for": ("six_card_bonus",),
        "streets": ("1 decision", "2 decisions", "3 decisions"),
        "streets.wager": ("the same",),
        "ONLY.otherwise": ("fold",),
        "FIRST.otherwise": ("check",),
        "BETWEEN.otherwise": ("check",),
        "LAST.otherwise": ("fold",),
        "*.sizes": _SIZES,
        "*.in_sight": ("2 own", "2 own, 3 board", "2 own, 5 board"),
        "contest.tie.outcome": ("win", "push", "lose"),
        "contest.dealer_needs": None,
        "contest.dealer_needs.hand": _hand_of_the_game,
        "contest.dealer_needs.pushes": _names_of_contest,
        "contest.dealer_needs.wins": _names_of_contest,
        "wagers": _no_bonus,
        "ANTE.pays.odds": _odds_alone,
        "EQUAL.pays.odds": _odds_alone,
        "PLAY.pays.odds": _odds_alone,
        f"{SIDE}.judged_by": _HOLDEM_LOOKS,
        f"{SIDE}.fold, final hand": ("forfeit", *_KEPT),
        f"{SIDE}.fold, *": _KEPT,
        f"{SIDE}.must_win, final hand": (NONE, "to win"),
        f"{SIDE}.must_win, *": (NONE,),
        "envy_bonus.judged_by": _HOLDEM_LOOKS,
        "envy_bonus.folded_holder": ("with an open wager",),
    },
)
HOLDEM_BETS = Kernel(
    "the solver of Hold'em with bets that add up",
    GameShape.HOLDEM_BETS,
    {
        "FIRST.sizes": ("one size",),
        "FIRST.in_sight": ("2 own",),
        **HOLDEM.knows,
        "streets": ("2 decisions", "3 decisions"),
        "streets.wager": ("one a street",),
        "FIRST.otherwise": ("fold",),
        "BETWEEN.otherwise": ("check",),
        "LAST.otherwise": ("check",),
        "*.sizes": ("no size", "one size"),
        "*.in_sight": ("2 own, 3 board", "2 own, 4 board"),
        "PLAY.decides": lambda rules: (NONE, *_stakable(rules)),
        "PLAY.adds_to": lambda rules: (NONE, *_stakable(rules)),
        "PLAY.needs": lambda rules: (NONE, *_decided_wagers(rules)),
        f"{SIDE}.judged_by": ("final hand",),
        f"{SIDE}.fold, *": ("forfeit", *_KEPT),
        f"{SIDE}.must_win, *": (NONE,),
    },
)
FOUR_CARD = Kernel(
    "the solver of four-card hands",
    GameShape.FOUR_CARD,
    {
        **_ONE_DECK,
        **_STAKES,
        **_SIDES,
        "places": ("box, dealer",),
        "places.box.cards": ("5",),
        "places.dealer.cards": ("6",),
        "places.six_card_box.cards": ("1",),
        "places.six_card_box.only_for": ("six_card_bonus",),
        "streets": ("1 decision",),
        "streets.wager": ("the same",),
        "ONLY.otherwise": ("fold",),
        "ONLY.sizes": ("a range",),
        "ONLY.in_sight": ("5 own, 1 dealer",),
        "contest.tie.outcome": ("win", "push", "lose"),
        "contest.dealer_needs": (NONE,),
        "wagers": ("ante, play, ante_bonus",),
        "ANTE.pays.odds": ("1 to 1",),
        "PLAY.pays.odds": ("1 to 1",),
        f"{SIDE}.judged_by": (*_FOUR_CARD_LOOKS, "six cards"),
        **{f"{SIDE}.fold, {look}": None for look in _FOUR_CARD_LOOKS},
        f"{SIDE}.fold, *": _KEPT,
        f"{SIDE}.must_win, *": (NONE,),
        "envy_bonus.judged_by": _FOUR_CARD_LOOKS,
        "envy_bonus.folded_holder": ("never", "with an open wager"),
    },
)
GENERIC = Kernel(
    "the generic solver",
    GameShape.OWN_CARDS,
    {
        **_ONE_DECK,
        **_STAKES,
        **_SIDES,
        "places": _both_places,
        "places.*": None,
        "streets": ("1 decision",),
        "streets.wager": ("the same",),
        "ONLY.otherwise": ("fold",),
        "ONLY.sizes": ("one size", "two sizes", "many sizes", "a range"),
        "ONLY.in_sight": _all_cards_and_any_up,
        "contest.tie.outcome": ("win", "push", "lose"),
        "contest.dealer_needs": None,
        "contest.dealer_needs.hand": _hand_of_the_game,
        "contest.dealer_needs.pushes": _names_of_contest,
        "contest.dealer_needs.wins": _names_of_contest,
        "wagers": _one_decision,
        "ANTE.pays.odds": _odds_alone,
        "EQUAL.pays.odds": _odds_alone,
        "PLAY.pays.odds": _odds_alone,
        f"{SIDE}.judged_by": None,  # what looks at other cards too is refused where it is counted
        f"{SIDE}.fold, *": _KEPT,
        f"{SIDE}.must_win, *": (NONE,),
        "envy_bonus.judged_by": None,
        "envy_bonus.folded_holder": ("with an open wager",),
    },
)
KERNELS = {kernel.shape: kernel for kernel in (HOLDEM, HOLDEM_BETS, FOUR_CARD, GENERIC)}
