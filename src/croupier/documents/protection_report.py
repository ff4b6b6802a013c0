"""The game-protection officer's report: each exposure, its worth, the rule against it, signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.documents.blocks import AnyBlock, Document, Fact, Facts, Grid, Heading, Prose
from croupier.documents.filing import Filing
from croupier.facts.money import Cents, dollars
from croupier.protection.knowledge import Knowledge
from croupier.protection.screening import FALSE_ALARMS
from croupier.protection.worth import (
    MOST_TELLING,
    KnowledgeWorth,
    apart,
    most_revealing,
    shares_text,
)
from croupier.rulebook.book import Rulebook

ROUNDS = 100
WATCH = {
    "dealer": "The dealer's hands when the dealer's own cards are taken and laid down, and who "
    "sits low or leans there.",
    "board": "How the community cards are spread and carried, and eyes on them before they are "
    "turned.",
    "burn": "The bottom of the stub and the burn card when the cards are squared and put away.",
}


def protection_report(filing: Filing, worths: Sequence[KnowledgeWorth]) -> Document:
    """One document for all kinds of knowledge that were counted."""
    blocks: list[AnyBlock] = [
        Prose(
            "What it is worth to a player who plays perfectly to know a card too early at this "
            "table, which rule keeps that card hidden, and how it would show.",
            tone="lead",
        ),
        Heading("What each exposure is worth"),
        _table(filing, worths),
    ]
    for worth in worths:
        blocks += _exposure(filing, worth)
    blocks += _screen()
    return Document(filing.imprint("Game Protection"), tuple(blocks))


def _table(filing: Filing, worths: Sequence[KnowledgeWorth]) -> Grid:
    ante = next(w.decides for w in filing.book.wagers if w.decides is not None)
    limit = filing.submission.limit(ante)
    antes = (limit.minimum_cents, limit.maximum_cents) if limit is not None else (Cents(100),)
    columns = ("Known", "Player's edge", *(f"at {dollars(cents)}" for cents in antes))
    rows = tuple(
        (
            _capital(worth.knows.says),
            f"{100 * float(worth.ev):.2f}%",
            *(dollars(Cents(round(ROUNDS * cents * worth.gain))) for cents in antes),
        )
        for worth in sorted(worths, key=lambda worth: worth.gain, reverse=True)
    )
    title = filing.book.wager(ante).title
    caption = f"Gain over honest play in {ROUNDS} rounds, by the size of the {title}"
    return Grid(columns, rows, "l" + "r" * (1 + len(antes)), caption)


def _exposure(filing: Filing, worth: KnowledgeWorth) -> Iterator[AnyBlock]:
    book, play = filing.book, worth.play
    yield Heading(_capital(worth.knows.says), 2)
    yield Facts(
        (
            Fact("Value of an Ante", f"{100 * float(play.ev):+.4f}%", f"exactly {play.ev}"),
            Fact("Honest play", f"{100 * float(worth.honest_ev):+.4f}%"),
            Fact("Standard deviation", f"{play.standard_deviation:.4f} Antes"),
            Fact("Kept hidden by", ", ".join(_clauses(filing, worth.knows))),
            Fact("If it is seen", _remedies(book, worth.knows)),
            *(
                Fact(
                    f"First decisions unlike {each.other} play",
                    f"{100 * float(each.share):.1f}% of rounds",
                    f"a test tells after {each.rounds:,}" if each.rounds else "",
                )
                for each in worth.detectability
            ),
            *((Fact("Unlike simple play", worth.shows_note),) if worth.shows_note else ()),
        )
    )
    places = [place for place in WATCH if _is_known(worth.knows, place)]
    yield Prose(" ".join(WATCH[place] for place in places), head="Watch: ")
    yield telling(worth)


def telling(worth: KnowledgeWorth) -> Grid:
    """The first decisions that show most often what is known."""
    rows = tuple(
        (line.known, line.hand, shares_text(line.best), shares_text(line.honest),
         f"{100 * float(line.chance * apart(line)):.3f}%")
        for line in most_revealing(worth.lines, MOST_TELLING)
    )  # fmt: skip
    columns = ("Known", "Hand", "Does", "Honestly", "Of rounds")
    return Grid(columns, rows, "llllr", "Most telling decisions")


def _screen() -> Iterator[AnyBlock]:
    yield Heading("What a log can tell")
    yield Prose(
        "croupier audit LOG --screen scores every player and kind of knowledge by the decisions in "
        "a log of this table. A score is named where it passes what honest play, good or bad, "
        f"passes in at most {FALSE_ALARMS:.0%} of logs, over all players and kinds together and "
        "however long the log is; the rounds that count most stand beside it."
    )
    yield Prose(
        "A named score is a reason to watch the recording of those rounds. It proves nothing about "
        "anybody; whoever sees a card now and then may never be named."
    )


def _is_known(knows: Knowledge, place: str) -> bool:
    counts = {"dealer": knows.dealer, "board": knows.flop + knows.late, "burn": knows.burn}
    return bool(counts[place])


def _clauses(filing: Filing, knows: Knowledge) -> list[str]:
    """The clauses by which these cards are dealt and put away at this table."""
    way = filing.book.way(filing.submission.dealing.method)
    places = [place for place in WATCH if _is_known(knows, place)]
    dealt = [step.clause for step in way.steps if step.to in places]
    away = [way.procedure.stub_away_clause] if knows.burn else []
    return [filing.book.cite(clause) for clause in dict.fromkeys([*dealt, *away]) if clause]


def _remedies(book: Rulebook, knows: Knowledge) -> str:
    """What the rules say when such a card is seen by everybody."""
    exposed = [case for case in book.irregularities if "exposed" in case.name]
    mine = [case for case in exposed if ("dealer" in case.name) == bool(knows.dealer)] or exposed
    said = dict.fromkeys(f"{case.remedy} ({book.cite(case.clause)})" for case in mine)
    return "; ".join(said) or "the rules name no remedy"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
