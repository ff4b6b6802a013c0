"""Report of what known cards are worth: figures, what is done, and the hands that change."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cli.terminal import TerminalSection
from croupier.cli.text.solution import percent, titled
from croupier.documents.blocks import Grid, Heading, Prose
from croupier.protection.worth import KnowledgeWorth, StrategyLine, shares_text
from croupier.rulebook.book import Rulebook

MOST_CHANGES = 25
MOST_KNOWN = 30


def protection_report(book: Rulebook, worth: KnowledgeWorth) -> Iterator[TerminalSection]:
    play = worth.play
    says = Prose(f"A player who knows {worth.knows.says} and plays perfectly.", tone="lead")
    yield Heading(titled(book, worth.paytables)), says
    figures = (
        ("Player's edge", percent(play.ev), "of the Ante"),
        ("Honest play", percent(worth.honest_ev), "of the Ante"),
        ("Gain over honest play", percent(worth.gain), "of the Ante"),
        ("Gain in a hundred rounds", f"{100 * float(worth.gain):.2f}", "Antes"),
        ("Element of risk", percent(play.element_of_risk), "of all money wagered"),
        ("Average wager", f"{float(play.average_wager):.4f}", "Antes"),
        ("Standard deviation", f"{play.standard_deviation:.4f}", "Antes"),
    )
    yield Grid(("", "", ""), figures, "lrr"), Prose(f"Exactly: {play.ev}", tone="note")
    done = tuple((action, percent(share)) for action, share in play.actions)
    yield (Grid(("Action", "Chance"), done, "lr", "What is done"),)
    by_known = worth.by_known()
    if len(by_known) <= MOST_KNOWN:
        yield (_grid(by_known, "By what is known, all hands together"),)
    changes = worth.changes()
    shown = changes[:MOST_CHANGES]
    yield (
        _grid(shown, "First decisions that change, the most costly first"),
        Prose(
            f"{len(shown)} of {len(changes)} changes; --csv prints all lines. Adds: what a change "
            "adds to the value of every Ante.",
            tone="note",
        ),
    )


def _grid(lines: list[StrategyLine], caption: str) -> Grid:
    rows = tuple(
        (
            line.known,
            line.hand,
            percent(line.chance, 3),
            f"{float(line.value):+.4f}",
            shares_text(line.best),
            shares_text(line.honest),
            f"{float(line.gain):.6f}",
        )
        for line in lines
    )
    columns = ("Known", "Hand", "Chance", "Value", "Best", "Honest", "Adds")
    return Grid(columns, rows, "llrrllr", caption)
