"""The player's guide: one page with the rules and the payouts in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    Document,
    Grid,
    Heading,
    Prose,
    Steps,
    StepText,
)
from croupier.documents.dealer_card import payout_slips
from croupier.documents.filing import Filing
from croupier.documents.help_line import HELP
from croupier.documents.layout.texts import statements
from croupier.documents.round_words import NUMBERS, and_words, capital, play_size
from croupier.documents.submission_options import limit_words, stake_words
from croupier.facts.money import money
from croupier.facts.odds import For, Share, Sum
from croupier.games.watched_places import places_looked_at
from croupier.rulebook.book import PayLine, Rulebook, Street, Wager
from croupier.submission.draft import either

LOOKS = {
    "final hand": "the best five of your two cards and the board",
    "hole cards and flop": "your two cards and the flop",
    "first two cards": "your own two cards",
    "board": "the five community cards alone",
    "six cards": "the best five of six: yours and the Six Card box",
    "lower hand": "the lower of your hand and the dealer's; a tie loses",
    "four-card hand": "the best four of your five cards",
    "five cards": "all five of your cards",
}
"""What a wager looks at, said to the player who makes it."""


def player_guide(filing: Filing) -> Document:
    left = (Heading("How a round goes"), Steps(tuple(steps(filing))))
    right: tuple[AnyBlock, ...] = (
        Heading("Who wins"),
        *(Prose(f"{said}.") for said in who_wins(filing)),
        Heading("Hands, from the highest"),
        Prose(_ranking(filing)),
    )
    blocks: tuple[AnyBlock, ...] = (
        Prose(idea(filing), tone="lead"),
        Columns((left, right)),
        *_optional(filing),
        Heading("What is paid"),
        payout_slips(filing),
        Heading("Good to know"),
        *(Prose(sentence) for sentence in _good_to_know(filing)),
    )
    return Document(filing.imprint("Player's Guide"), blocks, form="card")


def who_wins(filing: Filing) -> Iterator[str]:
    """What beats what; how large Play is stands in the steps already."""
    equal = " or equal to it" if filing.book.contest.tie.outcome == "win" else ""
    yield f"Your hand wins when it is higher than the dealer's{equal}"
    told = {"play_sizes", *(["tie"] if equal else [])}
    yield from (said.text for said in statements(filing.rules) if said.name not in told)


def idea(filing: Filing) -> str:
    book, size = filing.book, filing.rules.game.ranking.size
    cards = {place.name: NUMBERS[place.cards] for place in book.places}
    whom = "You play against the dealer, not against the other players."
    if "board" in cards:
        return (
            f"{whom} You and the dealer get {cards['box']} cards each and share {cards['board']} "
            f"on the board; the best {NUMBERS[size]} cards count."
        )
    if cards["box"] == cards["dealer"] == NUMBERS[size]:
        return f"{whom} You and the dealer get {cards['box']} cards each, which make the hand."
    return (
        f"{whom} You get {cards['box']} cards and the dealer {cards['dealer']}; the best "
        f"{NUMBERS[size]} count on both sides."
    )


def steps(filing: Filing) -> Iterator[StepText]:
    book = filing.book
    yield StepText(_opening(filing))
    opens = book.opening.any_of
    extra = [w.title for w in filing.offered() if w.optional and w.name not in opens]
    if extra:
        yield StepText(f"Add any of the optional wagers you like: {and_words(extra)}.")
    yield StepText(_cards(filing))
    for street in book.streets:
        yield StepText(_decision(book, street))
    yield StepText("The dealer's cards are turned up, and each box is settled in its turn.")


def _opening(filing: Filing) -> str:
    book, opening = filing.book, filing.book.opening
    first = [*opening.all_of, *opening.any_of][0]
    limit = filing.submission.limit(first)
    any_of = [name for name in opening.any_of if filing.rules.offers(name)]
    titles = [book.wager(name).title for name in (opening.all_of or any_of)]
    equal = " of the same size" if any(book.wager(n).equals for n in opening.all_of) else ""
    both = ", or both" if len(titles) == 2 else ""
    placed = f"{and_words(titles)}{equal}" if opening.all_of else f"{either(titles)}{both}"
    told = f": {book.wager(first).title} {limit_words(limit)}" if limit is not None else ""
    return f"Place {placed}{told}."


def _cards(filing: Filing) -> str:
    book = filing.book
    way = book.way(filing.submission.dealing.method)
    shown = sum(step.deal for step in way.steps if step.to == "dealer" and step.face == "up")
    cards = NUMBERS[book.place("box").cards]
    seen = f" The dealer shows {NUMBERS[shown]} card." if shown else ""
    return f"Look at your {cards} cards and keep them in sight of the dealer.{seen}"


def _decision(book: Rulebook, street: Street) -> str:
    play = book.played_on(street)
    beside = book.wager(play.beside or "").title
    when = f"{_when(street)}, " if len(book.streets) > 1 else ""
    still = "if you have not played yet, " if street is not book.streets_of(play.name)[0] else ""
    otherwise = {
        "check": "check and wait for more cards",
        "fold": f"fold and lose {and_words(_given_up(book))}",
    }[street.otherwise]
    size = play_size(street, f"your {beside}")
    return capital(f"{when}{still}make the {play.title} wager, {size}, or {otherwise}.")


def _when(street: Street) -> str:
    return street.name if " " in street.name else f"on the {street.name}"


def _given_up(book: Rulebook) -> list[str]:
    return [w.title for w in book.wagers if w.fold.outcome == "forfeit" and not w.optional]


def _ranking(filing: Filing) -> str:
    order = [str(category) for category in reversed(filing.rules.game.ranking.order)]
    return f"{', '.join(order)}."


def _optional(filing: Filing) -> Iterator[AnyBlock]:
    wagers = [wager for wager in filing.offered() if wager.optional]
    if not wagers:
        return
    yield Heading("Optional wagers")
    rows = tuple(
        (wager.title, looks(filing, wager), stake_words(filing, wager), _folded(wager))
        for wager in wagers
    )
    columns = ("Wager", "It looks at", "Stake", "If you fold")
    yield Grid(columns, rows, "llll", widths=(0, 5, 6, 0))


def looks(filing: Filing, wager: Wager) -> str:
    """What a wager looks at, in words a player knows."""
    judged_by = filing.rules.judged_by(wager.name)
    others = places_looked_at(filing.rules, judged_by)
    return LOOKS.get(judged_by, f"{'the' if others else 'your'} {judged_by}")


def _folded(wager: Wager) -> str:
    return {"stays": "stays", "forfeit": "is lost", "none": ""}[wager.fold.outcome]


def _good_to_know(filing: Filing) -> Iterator[str]:
    """What a player may rely on, and what nobody should find out too late."""
    said, kinds = filing.submission, {type(line.odds) for line in _lines(filing)}
    apart = {For: '"for 1" keeps your wager', Share: "an award from a meter keeps it too"}
    told = ['"To 1" pays and gives your wager back', *(apart[k] for k in apart if k in kinds)]
    if Sum in kinds:
        told.append("an amount in dollars is the same whatever you wager, which you get back")
    yield f"{'; '.join(told)}."
    if said.progressive is not None:
        yield (
            f"The Progressive wager is {money(said.progressive.stake_cents)}; see that your light "
            "is on before the cards are dealt."
        )
    if filing.rules.envy is not None:
        yield "With a Progressive wager you are paid Envy for the hands of others, never your own."
    acts = dict.fromkeys(street.otherwise for street in filing.book.streets)
    lost = said.abandoned_wagers == "lost"
    left = "wagers are lost" if lost else f"hand {', then '.join(f'{act}s' for act in acts)}"
    yield f"If you leave during a round, your {left}."
    yield "A dealt hand is paid once on each wager, by the highest line it reaches."
    if said.electronic:
        yield from on_screen(filing)
    yield HELP


def on_screen(filing: Filing) -> Iterator[str]:
    """What a player at a screen is told before he plays (ruling 34, ruling 40)."""
    acts = ", then ".join(dict.fromkeys(street.otherwise for street in filing.book.streets))
    yield f"If you do not answer in time, or lose the connection, the default is played: {acts}."
    yield "If a malfunction stops a round, it is void, and every wager goes back."


def _lines(filing: Filing) -> Iterator[PayLine]:
    for _, _, table in filing.paytables():
        yield from table.lines
