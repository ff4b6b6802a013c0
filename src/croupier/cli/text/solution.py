"""Report of a solution: the base game, its strategy, and every wager in one table.

On a screen it is short; asked for all of it, it has results, risk, meters and Envy as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from croupier.cli.terminal import TerminalSection
from croupier.cli.text.strategy_chart import strategy_chart
from croupier.documents.blocks import Grid, Heading, Prose
from croupier.exact.base_game import BaseGame
from croupier.exact.solution import NOT_JOINT, SideValue, Solution, even_at, net_label
from croupier.facts.money import money
from croupier.facts.percentage import percent
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.submission.submission import ProgressiveOffer

_LINEAR = (
    "A round's result is linear in Play, so nothing between the least and the most Play is better "
    "than both of them: only these two and the fold are ever best."
)
TextRow = tuple[str, ...]


def solution_report(
    book: Rulebook,
    solution: Solution,
    offer: ProgressiveOffer | None = None,
    *,
    whole: bool = False,
) -> Iterator[TerminalSection]:
    """``offer`` is the Progressive of a submission, where one was given."""
    counted = Prose(f"{solution.base.deals:,} deals counted, optimal play", tone="note")
    limit = solution.limit_words() if solution.limited is not None else ""
    limits = [Prose(f"{limit}.", tone="note")] if limit else []
    yield Heading(titled(book, solution.paytables)), counted, *limits
    yield from _base(solution.base, whole=whole)
    if any(street.least_multiple is not None for street in book.streets):
        yield (Prose(_LINEAR, tone="note"),)
    if chart := strategy_chart(solution.hands):
        yield (chart,)
    yield _sides(book, solution) if whole else _edges(book, solution)
    yield from _joint(book, solution)
    if whole:
        yield from _progressives(solution, offer.growth if offer is not None else None)
        yield from _envy(solution)
    values = Prose(f"Values: {solution.provenance}", tone="note")
    more = Prose("--all prints results, risk, meters and Envy, too", tone="note")
    yield (values,) if whole else (values, more)


def titled(book: Rulebook, letters: tuple[tuple[str, str], ...]) -> str:
    """A rulebook by its title, with the paytables chosen from it."""
    chosen = "".join(f", {name} {letter}" for name, letter in letters)
    return f"{book.title} ({book.id}{chosen})"


def _base(base: BaseGame, *, whole: bool) -> Iterator[TerminalSection]:
    total = base.deals
    figures: tuple[TextRow, ...] = (
        ("House edge", percent(-base.ev), "of the Ante"),
        ("Element of risk", percent(-base.ev / base.average_wager), "of all money wagered"),
        ("Average wager", f"{float(base.average_wager):.4f}", "Antes"),
        ("Standard deviation", f"{base.standard_deviation:.4f}", "Antes"),
    )
    if whole:
        figures += (("Skewness", f"{base.skewness:.4f}", ""),)
    exactly = Prose(f"Exact value of one Ante: {base.ev}", tone="note")
    yield Grid(("", "", ""), figures, "lrr"), exactly
    done = tuple((name, percent(Fraction(n, total))) for name, n in base.action_ways().items())
    yield (Grid(("Action", "Chance"), done, "lr", "What is done"),)
    if not whole:
        return
    ends = tuple(
        (
            name.replace("_", " ").capitalize(),
            *(percent(Fraction(part, total)) for part in (end.won, end.pushed, end.lost)),
            f"{float(end.ev):+.6f}",
        )
        for name, end in base.wager_ends().items()
    )
    names = ("Wager", "Win", "Push", "Lose", "Value in Antes")
    yield (Grid(names, ends, "lrrrr", "How the wagers end"),)
    results = tuple(
        (f"{net_label(net):>6}", percent(Fraction(ways, total), 6))
        for net, ways in base.distribution().items()
    )
    yield (Grid(("Antes", "Chance"), results, "lr", "Net result"),)


def _edges(book: Rulebook, solution: Solution) -> TerminalSection:
    """One line a wager, its paytables side by side. A reading of a wager that nobody could offer,
    since every paytable of it returns more than is staked, is told in a sentence."""
    base, sides = _edge_rows(book, solution)
    readings = Counter(wager for wager, _ in {_read(side) for side in solution.side_wagers})
    doubtful = {
        _named(book, side) for side in solution.side_wagers if readings[side.endings.wager] > 1
    }
    lines = {
        name: row for name, row in sides.items() if name not in doubtful or max(row.values()) > 0
    }
    letters = tuple(
        dict.fromkeys(letter for row in (*base.values(), *lines.values()) for letter in row)
    )
    money = {
        (_named(book, side), side.endings.paytable)
        for side in solution.side_wagers
        if side.depends_on_money
    }
    rows = tuple(
        (name, *(_edge(row.get(letter), (name, letter) in money) for letter in letters))
        for name, row in (base | lines).items()
    )
    caption = "House edge by paytable, of what is staked; the base game of the Ante"
    yield Grid(("Wager", *letters), rows, "l" + "r" * len(letters), caption)
    if money:
        stake = _stake_assumed(solution)
        yield Prose(f"* {stake}, meters at their resets, no Envy", tone="note")
    for name in sides.keys() - lines.keys():
        least, most = (1 - edge(sides[name].values()) for edge in (max, min))
        returned = f"{percent(least, 0)} to {percent(most, 0)}"
        yield Prose(f"Left out: {name}, which would return {returned}; --all has it", tone="note")


EdgeRows = dict[str, dict[str, Fraction]]
"""By what stands at the left the house edge of each letter."""


def _edge_rows(book: Rulebook, solution: Solution) -> tuple[EdgeRows, EdgeRows]:
    """Of the base game, and of the wagers beside it."""
    base: EdgeRows = {}
    for wager, letter, ev in solution.base_values:
        base.setdefault(f"Base game, {book.wager(wager).title}", {})[letter] = -ev
    sides: EdgeRows = {}
    for side in solution.side_wagers:
        sides.setdefault(_named(book, side), {})[side.endings.paytable] = -side.ev
    return base, sides


def _read(side: SideValue) -> tuple[str, str | None]:
    return side.endings.wager, side.reading


def _named(book: Rulebook, side: SideValue) -> str:
    return _lettered(book.wager(side.endings.wager).title, side.reading)


def _edge(edge: Fraction | None, depends_on_money: bool) -> str:
    return "" if edge is None else percent(edge, 3) + ("*" if depends_on_money else "")


def _sides(book: Rulebook, solution: Solution) -> TerminalSection:
    names = ("Wager", "Paytable", "House edge", "Hits", "SD", "SD with base")
    rows: list[TextRow] = [
        ("Base game", f"{book.wager(wager).title} {letter}", percent(-ev), "", "", "")
        for wager, letter, ev in solution.base_values
    ]
    for side in solution.side_wagers:
        together = solution.together(side)
        rows.append(
            (
                book.wager(side.endings.wager).title,
                _lettered(side.endings.paytable, side.reading),
                percent(-side.ev) + ("*" if side.depends_on_money else ""),
                percent(side.endings.hit_frequency()),
                f"{side.standard_deviation:.3f}",
                f"{together:.3f}" if together is not None else "",
            )
        )
    caption = "Every paytable, per unit staked; the base game per Ante"
    yield Grid(names, tuple(rows), "lrrrrr", caption)
    if any(side.depends_on_money for side in solution.side_wagers):
        stake = _stake_assumed(solution)
        yield Prose(f"* {stake}, meters at their resets, no Envy", tone="note")


def _joint(book: Rulebook, solution: Solution) -> Iterator[TerminalSection]:
    """Wagers that depend on play: played for the base game, and for both together."""
    rows = []
    for side in solution.side_wagers:
        joint = solution.joint_of(side)
        if joint is not None:
            name = f"{book.wager(side.endings.wager).title} {side.endings.paytable}"
            for play, ends, base in (
                ("base game", side.endings, solution.base.ev),
                ("both", joint.endings, joint.base_ev),
            ):
                both = base + joint.stake * ends.ev()
                edges = (percent(-value) for value in (ends.ev(), base, both))
                rows.append((name, str(joint.stake), play, *edges))
    if rows:
        heads = ("Wager", "Stake", "Played for", "Its edge", "Base game", "Both")
        yield Heading("Wagers that depend on play, in Antes"), Grid(heads, tuple(rows), "lrlrrr")
    counted = {joint.endings.wager for joint in solution.joint}
    for name in solution.depend_on_play:
        if name not in counted:
            title = book.wager(name).title
            yield (Prose(f"{title} played together with the base game: {NOT_JOINT}"),)


def _lettered(paytable: str, reading: str | None) -> str:
    return f"{paytable} ({reading})" if reading else paytable


def _stake_assumed(solution: Solution) -> str:
    """One dollar, but for the Progressive what the submission says."""
    stakes = {
        side.assumed.stake_cents for side in solution.side_wagers if side.assumed.meters_cents
    }
    other = [money(stake) for stake in stakes if stake != 100]
    return f"a stake of $1 (Progressive {other[0]})" if other else "a stake of $1"


def _progressives(solution: Solution, growth: Fraction | None) -> Iterator[TerminalSection]:
    """``growth`` is the share of a wager that meters grow by, None where no submission says it."""
    sides = [side for side in solution.side_wagers if side.assumed.meters_cents]
    if not sides:
        return
    names = (
        *("Paytable", "Meter", "Reset", "$1,000 adds"),
        *("Even at", "with Envy", "Long run", "Hit 1 in"),
    )
    chosen = dict(solution.paytables).get(PROGRESSIVE)
    rows = tuple(
        row
        for side in sides
        for row in _meters(solution, side, growth if side.endings.paytable == chosen else None)
    )
    explained = (
        "Even at: what must stand on a meter for an even wager, the other meters as they are; "
        f"without Envy, and with Envy of {solution.boxes - 1} other boxes that all make the "
        "wager. Long run: what comes back over many rounds without Envy"
    )
    unsaid = " (+: and what each wager adds to the meters, which a submission says)"
    is_said = growth is not None and all(side.endings.paytable == chosen for side in sides)
    note = Prose(f"{explained}{'' if is_said else unsaid}.", tone="note")
    yield Grid(names, rows, "lrrrrrrr", "Progressive, by meter"), note


def _meters(solution: Solution, side: SideValue, growth: Fraction | None) -> Iterator[TextRow]:
    slopes, even = side.endings.slopes(side.assumed), side.break_even_dollars()
    envy = solution.envy_of(side)
    added = (solution.boxes - 1) * envy.ev_each_box if envy is not None else None
    with_envy = side.break_even_dollars(added) if added is not None else {}
    long_run = percent(sum(side.long_run(), growth or Fraction(0)), 2)
    for meter, reset_cents in side.resets_cents:
        emptied = side.chance_to_empty(meter)
        yield (
            _lettered(side.endings.paytable, side.reading),
            meter,
            money(reset_cents),
            percent(slopes[meter] * 1000),
            even_at(even.get(meter)),
            even_at(with_envy.get(meter)) if added is not None else "",
            f"{long_run}{'+' if growth is None else ''}",
            f"{float(1 / emptied):,.0f}" if emptied else "never",
        )


def _envy(solution: Solution) -> Iterator[TerminalSection]:
    others = solution.boxes - 1
    rows = tuple(
        (
            _lettered(envy.paytable, envy.reading),
            envy.stake,
            percent(envy.ev_each_box),
            f"{percent(envy.ev_each_box * others)} with {others} others",
        )
        for envy in solution.envy
    )
    if rows:
        names = ("Paytable", "Stake", "Each other box", "")
        yield (Grid(names, rows, "lrrr", "Envy, added to one Progressive wager"),)
