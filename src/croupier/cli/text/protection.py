"""Report of what known cards are worth: figures, what is done, and the hands that change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.cli.terminal import TerminalSection
from croupier.cli.text.solution import titled
from croupier.documents.blocks import Grid, Heading, Prose
from croupier.facts.percentage import percent
from croupier.protection.worth import KnowledgeWorth, StrategyLine, shares_text
from croupier.rulebook.book import Rulebook

if TYPE_CHECKING:
    from croupier.games.rules import Rules
    from croupier.protection.known_rounds import KnownRounds
    from croupier.protection.shares import SharedWorth
    from croupier.protection.trials import ScreenTrial

MOST_CHANGES = 25
MOST_KNOWN = 30


def protection_text(book: Rulebook, worth: KnowledgeWorth) -> Iterator[TerminalSection]:
    from croupier.documents.protection_report import telling

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
    if worth.sides:
        yield _sides(book, worth)
    if worth.not_counted:
        yield (Prose(not_counted(book, worth), tone="note"),)
    by_known = worth.by_known()
    if len(by_known) <= MOST_KNOWN:
        yield (_grid(by_known, "By what is known, all hands together"),)
    note = (Prose(worth.shows_note, tone="note"),) if worth.shows_note else ()
    yield _shows(worth), *note, telling(worth)
    changes = worth.changes()
    shown = changes[:MOST_CHANGES]
    yield (
        _grid(shown, "What is decided otherwise, the most costly first"),
        Prose(
            f"{len(shown)} of {len(changes)} lines; --csv prints all. Best and Honest: the first "
            "decision. Adds: to the value of every Ante; First: what that decision alone adds.",
            tone="note",
        ),
    )


def not_counted(book: Rulebook, worth: KnowledgeWorth) -> str:
    """The side wagers of which nothing is told, by name."""
    titles = " and ".join(book.wager(name).title for name in worth.not_counted)
    return f"Not counted with known cards, since play decides what it pays: {titles}."


def _shows(worth: KnowledgeWorth) -> Grid:
    rows = tuple(
        (each.other, percent(each.share, 2), f"{each.rounds:,}" if each.rounds else "too many")
        for each in worth.detectability
    )
    columns = ("Unlike this play", "First decisions", "Rounds until a test tells")
    return Grid(columns, rows, "lrr", "How it shows (99% confidence, 95% power)")


def shares_report(book: Rulebook, worth: SharedWorth) -> Iterator[TerminalSection]:
    says = f"{worth.shares} boxes that show each other their hands, each playing perfectly."
    yield Heading(titled(book, worth.paytables)), Prose(says, tone="lead")
    error = f"standard error {100 * worth.standard_error:.4f}%" if worth.samples else "exact"
    figures = (
        ("Gain a box over honest play", f"{100 * worth.gain:.4f}%", error),
        ("Player's edge", f"{100 * worth.ev:.4f}%", "of the Ante"),
        ("Honest play", percent(worth.honest_ev), "of the Ante"),
    )
    yield (Grid(("", "", ""), figures, "lrr"),)
    drawn = f"{worth.samples:,} draws of the other boxes' cards, each solved exactly."
    yield (Prose(drawn if worth.samples else "Every deal was counted.", tone="note"),)


def known_rounds_report(book: Rulebook, found: KnownRounds) -> Iterator[TerminalSection]:
    worth = found.worth
    says = f"{found.rounds:,} rounds of a player who knows {worth.knows.says} and plays perfectly."
    yield Heading(titled(book, worth.paytables)), Prose(says, tone="lead")
    z = f"{found.z:+.2f} standard errors from it" if found.z is not None else ""
    figures = (
        ("Player's edge, simulated", percent(found.mean), "of the Ante"),
        ("Standard error", f"{100 * found.standard_error:.4f}%", "of the Ante"),
        ("Player's edge, exact", percent(worth.ev), z),
    )
    yield (Grid(("", "", ""), figures, "lrr"),)
    exact = dict(worth.play.actions)
    rows = tuple(
        (action, percent(share), percent(exact[action])) for action, share in found.actions
    )
    yield (Grid(("Action", "Simulated", "Exact"), rows, "lrr", "What is done"),)


def trials_report(
    rules: Rules, trials: list[ScreenTrial], rounds: int
) -> Iterator[TerminalSection]:
    says = f"Simulated logs of at most {rounds:,} rounds, and how many of them the screen flags."
    yield Heading(titled(rules.book, rules.letters)), Prose(says, tone="lead")
    rows = tuple(
        (
            trial.player,
            f"{len(trial.after):,} of {trial.logs:,}",
            f"{trial.half_after:,.0f}" if trial.half_after is not None else "",
        )
        for trial in trials
    )
    yield (Grid(("Player", "Flagged", "Half of them after"), rows, "lrr"),)


def _sides(book: Rulebook, worth: KnowledgeWorth) -> TerminalSection:
    """One line a wager and paytable; with two columns more where the player may choose."""
    chosen = any(side.made is not None for side in worth.sides)
    columns = ("Side wager", "Paytable", "Value", *(("When chosen", "Made") if chosen else ()))
    rows = []
    for side in worth.sides:
        reading = f", {side.reading} hand" if side.reading else ""
        row: tuple[str, ...] = (
            book.wager(side.endings.wager).title,
            side.endings.paytable + reading,
            percent(side.ev),
        )
        if side.chosen_ev is not None and side.made is not None:
            row = (*row, percent(side.chosen_ev), percent(side.made, 1))
        rows.append(row)
    grid = Grid(columns, tuple(rows), "ll" + "r" * (len(columns) - 2), "Side wagers")
    says = "Value: of one stake, made in every round."
    if chosen:
        says = (
            "Value: of one stake, made in every round. When chosen: a round, made only where the "
            "known cards make it worth something."
        )
    return grid, Prose(says, tone="note")


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
            f"{float(line.first_gain):.6f}",
        )
        for line in lines
    )
    columns = ("Known", "Hand", "Chance", "Value", "Best", "Honest", "Adds", "First")
    return Grid(columns, rows, "llrrllrr", caption)
