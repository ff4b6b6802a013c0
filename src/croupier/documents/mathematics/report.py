"""The mathematics report: what a test lab expects of a game, every figure exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from importlib.metadata import version
from itertools import groupby

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    CommandLine,
    Document,
    Fact,
    Facts,
    Grid,
    Heading,
    Picture,
    Prose,
)
from croupier.documents.mathematics import charts
from croupier.documents.mathematics.endings import ends_by_action, sensitivity
from croupier.documents.mathematics.figures import CONFIDENCE, ROUNDS, Figures, FloatRange
from croupier.documents.mathematics.side_wagers import boxes_words, one_in, side_wagers
from croupier.documents.mathematics.verification import verification
from croupier.documents.round_words import and_words, capital
from croupier.documents.submission_options import limit_words
from croupier.exact.solution import net_label
from croupier.exact.solution_file import code_digest
from croupier.exact.strategy.decision_charts import StreetChart
from croupier.exact.strategy.strategy_file import Condition, Rule
from croupier.facts.money import money
from croupier.facts.percentage import percent
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Wager

LEAD = (
    "Every figure follows from counting all deals of the cards, and nothing is rounded before it "
    "is printed; a simulation stands beside them under Verification alone. The player plays the "
    "best strategy there is, and side wagers are valued at their smallest stakes with every meter "
    "at its reset."
)
LINEAR = (
    "A round's result is linear in Play, so nothing between the least and the most Play is better "
    "than both of them: only these two and the fold are ever best."
)
OUTS = (
    "The dealer's outs are the unseen cards of which each by itself, as one of the dealer's two, "
    "would beat the player with the board as it lies."
)
LEAST_RETURN = Fraction(3, 4)
RAREST_AWARD = 100_000_000


def mathematics(figures: Figures) -> Document:
    blocks = (
        Prose(LEAD, tone="lead"),
        *_summary(figures),
        *_base(figures),
        *_payout_limit(figures),
        *_strategy(figures),
        *_volatility(figures),
        *side_wagers(figures),
        *_exposure(figures),
        *_method(figures),
        *verification(figures.cross_check, figures.filing),
    )
    return Document(figures.filing.imprint("Mathematics Report"), blocks)


def _summary(figures: Figures) -> Iterator[AnyBlock]:
    base = figures.base
    limit = figures.filing.submission.limit("ante")
    yield Heading("Summary")
    yield Facts(
        (
            *([Fact("Ante", limit_words(limit))] if limit is not None else []),
            Fact("Total combinations", f"{base.deals:,}", "deals counted"),
            *_edges(figures),
            Fact("Element of risk", percent(-base.ev / base.average_wager), "of all money wagered"),
            Fact("Average wager", f"{float(base.average_wager):.6f} Antes", "a round"),
            Fact("Standard deviation", f"{base.standard_deviation:.6f} Antes", "a round"),
            *(
                Fact(
                    f"Volatility index, {name}",
                    f"{z * base.standard_deviation:.4f} Antes",
                    f"z = {z:.3f}",
                )
                for name, (_, z) in CONFIDENCE.items()
            ),
            Fact("Rounds won", percent(figures.win_chance()), "net result above zero"),
            Fact("Rounds not lost", percent(figures.even_chance()), "net result zero or above"),
            Fact("Exact value of an Ante", str(base.ev)),
        )
    )
    yield _wagers(figures)
    yield from _standards(figures)


def _edges(figures: Figures) -> Iterator[Fact]:
    """The edge, and where the payout limit cuts something also that of the largest Ante."""
    found, edge = figures.by_ante, percent(-figures.base.ev)
    if found is None or not found.cuts(found.largest):
        yield Fact("House edge", edge, "of the Ante")
        return
    largest = found.largest
    yield Fact("House edge", edge, f"of the Ante, up to {money(found.uncut_cents)}")
    told = f"House edge at {money(largest.ante_cents)}"
    yield Fact(told, percent(-largest.ev), "of the Ante, by the payout limit")


def _wagers(figures: Figures) -> Grid:
    base = figures.base
    risk = 1 + base.ev / base.average_wager
    rows = [
        (
            "Base game, all wagers",
            "",
            percent(1 - risk),
            percent(risk),
            percent(figures.win_chance()),
            "",
        )
    ]
    for wager, side in figures.sides():
        top = side.endings.endings[0]
        rows.append(
            (
                wager.title,
                side.endings.paytable,
                percent(-side.ev),
                percent(1 + side.ev),
                percent(side.endings.hit_frequency()),
                one_in(side.endings.chance(top)),
            )
        )
    columns = ("Wager", "Table", "Edge", "Return", "Wins", "Top award 1 in")
    return Grid(columns, tuple(rows), "llrrrr", "Every wager of the table, per unit wagered")


def _standards(figures: Figures) -> Iterator[AnyBlock]:
    """The two measures of GLI-19 that a lab asks for, held against this table."""
    low = [w.title for w, side in figures.sides() if 1 + side.ev < LEAST_RETURN]
    said = (
        f"at this table {', '.join(low)} returns less" if low else "every wager here returns more"
    )
    yield Prose(
        f"GLI-19 4.7.1 asks interactive games to return at least {percent(LEAST_RETURN, 0)} under "
        f"best play with the meters at their lowest. For comparison: {said}."
    )
    rare = [
        w.title
        for w, side in figures.sides()
        if side.endings.chance(side.endings.endings[0]) * RAREST_AWARD < 1
    ]
    told = f"rarer: {', '.join(rare)}" if rare else "no top award of this table is rarer"
    yield Prose(
        f"GLI-19 4.7.3 wants odds displayed for awards rarer than 1 in 100,000,000; {told}."
    )


def _base(figures: Figures) -> Iterator[AnyBlock]:
    base, total, book = figures.base, figures.base.deals, figures.filing.book
    yield Heading("The base game")
    actions = tuple(
        (name, f"{ways:,}", percent(Fraction(ways, total)))
        for name, ways in base.action_ways().items()
    )
    yield Grid(("Action", "Deals", "Chance"), actions, "lrr", "What is done under best play")
    ends = tuple(
        (
            book.wager(name).title,
            percent(Fraction(end.won, total)),
            percent(Fraction(end.pushed, total)),
            percent(Fraction(end.lost, total)),
            f"{float(end.ev):+.6f}",
        )
        for name, end in base.wager_ends().items()
    )
    columns = ("Wager", "Won", "Pushed", "Lost", "Value in Antes")
    yield Grid(columns, ends, "lrrrr", "How the wagers end")
    rules = figures.filing.rules
    tables = [paid for name, _ in figures.base_lines if (paid := rules.paytable(name)) is not None]
    yield from ends_by_action(figures.endings, base.actions, rules.game.ranking, tables)
    for name, table in figures.base_lines:
        of = f"{book.wager(name).title}, under the play that is best now"
        yield sensitivity(table, of, with_deviation=False)
    yield Picture(
        charts.distribution(figures),
        "Bar chart of how often each net result of the base game comes, in Antes.",
        "Net result of a round",
    )
    yield _distribution(figures)
    if figures.solution.base_values:
        yield _by_paytable(figures)


def _distribution(figures: Figures) -> Columns:
    total = figures.base.deals
    rows = [
        (net_label(net), f"{ways:,}", percent(Fraction(ways, total), 6))
        for net, ways in figures.base.distribution().items()
    ]
    half = -(-len(rows) // 2)
    return Columns(
        tuple(
            (Grid(("Net", "Deals", "Chance"), tuple(part), "rrr", widths=(1, 0, 0)),)
            for part in (rows[:half], rows[half:])
        )
    )


def _by_paytable(figures: Figures) -> Grid:
    letters = dict(figures.filing.rules.letters)
    values = figures.solution.base_values
    rows = tuple(
        (f"{figures.filing.book.wager(wager).title} {letter}", percent(-ev), str(ev))
        for wager, letter, ev in values
    )
    chosen = tuple(n for n, (wager, letter, _) in enumerate(values) if letters[wager] == letter)
    columns = ("Paytable", "House edge", "Exact value of an Ante")
    return Grid(columns, rows, "lrr", "The base game under each paytable", marked=chosen)


def _payout_limit(figures: Figures) -> Iterator[AnyBlock]:
    """What an Ante is worth by its size: the limit is in dollars, the odds are not."""
    found, rule = figures.by_ante, figures.filing.book.payout_limit
    if found is None or rule is None:
        return
    cuts = found.cuts(found.largest)
    said = f"cuts nothing up to an Ante of {money(found.uncut_cents)}"
    titles = and_words([figures.filing.book.wager(name).title for name in rule.wagers])
    yield Heading("The payout limit")
    yield Prose(
        f"One box is paid at most {money(found.limit_cents)} on one hand for {titles} together. "
        f"In the base game alone this {said if cuts else 'is more than any Ante here wins'}. For "
        "each Ante below the best strategy is found again with the limit in it, and no other wager "
        "lies beside; all other figures are those of an Ante that the limit never cuts."
    )
    rows = tuple(
        (
            money(value.ante_cents),
            percent(-value.ev),
            percent(figures.base.ev - value.ev) if found.cuts(value) else "",
            str(value.ev),
        )
        for value in found.values
    )
    columns = ("Ante", "House edge", "Of it by the limit", "Exact value of an Ante")
    yield Grid(columns, rows, "rrrr", "The edge by Ante")
    if cuts:
        yield Picture(
            charts.by_ante(found),
            "Line chart of the house edge by Ante, under the payout limit.",
            "House edge by Ante: exact at each point, which the lines only join",
        )


def _strategy(figures: Figures) -> Iterator[AnyBlock]:
    drawing = charts.strategy(figures.solution.hands)
    yield Heading("Strategy")
    yield Prose(
        "The best action is the one of the highest expected value among all that the rules allow, "
        "with every card the player cannot see equally likely; it is found backward, from the last "
        "decision to the first."
    )
    if any(street.least_multiple is not None for street in figures.filing.book.streets):
        yield Prose(LINEAR)
    if figures.simple is not None:
        yield from _simple(figures)
    if drawing is not None:
        svg, told = drawing
        yield Picture(svg, f"Chart of the best first action: {told}.", f"Best first action: {told}")
    elif figures.solution.hands:
        yield _from_the_highest(figures)
    for chart in figures.later:
        yield from _later_street(chart)


def _later_street(chart: StreetChart) -> Iterator[AnyBlock]:
    """One street in words and as a chart: a row is the first of these that a hand is."""
    by_action: dict[str, list[str]] = {action: [] for action in chart.actions}
    for row in chart.rows:
        if sum(row.ways):
            by_action[chart.actions[row.ways.index(max(row.ways))]].append(row.name)
    told = (f"{capital(do)} with {'; '.join(rows)}" for do, rows in by_action.items() if rows)
    said = ". ".join(told)
    yield Prose(f"{said}.", head=f"{chart.title}, more often than not:")
    if any("outs" in row.name for row in chart.rows):
        yield Prose(OUTS, tone="note")
    yield Picture(
        charts.later_street(chart),
        f"Bar chart of the best action, {chart.title.lower()}, by kind of hand: {said}.",
        f"Best action, {chart.title.lower()}: read from the top"
        + (f", without hands {chart.before}" if chart.before else ""),
    )


def _from_the_highest(figures: Figures) -> Grid:
    """Where a hand is all there is to see: from which to which the same action is best."""
    rows = []
    for best, alike in groupby(figures.solution.hands, key=lambda hand: hand.best):
        first, *rest = alike
        ways = sum(hand.ways for hand in (first, *rest))
        hands = f"{capital(first.name)} to {rest[-1].name}" if rest else capital(first.name)
        rows.append((hands, best, f"{ways:,}", percent(Fraction(ways, figures.base.deals))))
    columns = ("Hands, from the highest", "Best action", "Deals", "Chance")
    return Grid(columns, tuple(rows), "llrr", "What is best with each hand")


def _simple(figures: Figures) -> Iterator[AnyBlock]:
    simple, base = figures.simple, figures.base
    assert simple is not None, "asked only where a simple strategy ships"
    yield Heading(f"A strategy to remember: {simple.strategy.name}", level=2)
    if simple.strategy.source:
        yield Prose(f"Source: {simple.strategy.source}.", tone="note")
    for street in simple.strategy.streets:
        rules = "; ".join(rule_words(rule) for rule in simple.strategy.rules[street.name])
        yield Prose(f"{rules}.", head=f"{street.title}:")
    played = simple.base
    rows = (
        (
            "House edge, of the Ante",
            percent(-played.ev),
            percent(-base.ev),
            percent(base.ev - played.ev),
        ),
        (
            "Element of risk",
            percent(-played.ev / played.average_wager),
            percent(-base.ev / base.average_wager),
            percent(base.ev / base.average_wager - played.ev / played.average_wager),
        ),
    )
    yield Grid(("Measure", "This strategy", "Best play", "Cost"), rows, "lrrr", "What it costs")


# The rules of a strategy file as sentences; the file itself keeps to short names.

_COUNTED = ": {}"  # how a feature that is counted ends: cards to a flush: {}
_HANDS = ("made", "hidden", "board")  # features whose values are hands
_WITH_ARTICLE = ("pair", "straight", "flush", "full house")
_HIGHEST_OF_FLUSH = "flush_high"


def rule_words(rule: Rule) -> str:
    """``2x when there are 4 cards to a flush``, ``check otherwise``."""
    when = f" when {' and '.join(map(_condition, rule.when))}" if rule.when else ""
    unless = f", unless {' and '.join(map(_condition, rule.unless))}" if rule.unless else ""
    return f"{rule.do}{when}{unless}" if when or unless else f"{rule.do} otherwise"


def _condition(condition: Condition) -> str:
    """A count stands before what is counted, and a hand has its article."""
    feature, written = condition.feature, str(condition.written)
    if feature.says.endswith(_COUNTED):
        return f"there are {written} {feature.says.removesuffix(_COUNTED)}"
    if feature.name == _HIGHEST_OF_FLUSH:
        return f"the highest of them in the hole is {written}"
    if feature.name in _HANDS and written.startswith(_WITH_ARTICLE):
        return feature.says.format(f"a {written}")
    return str(condition)


def _volatility(figures: Figures) -> Iterator[AnyBlock]:
    yield Heading("Volatility")
    yield Prose(
        "Over so many rounds the house's average win of the Ante lies between the two ends of a "
        "band as often as is said, and as often below it as above. Bands come from the exact "
        "distribution of a round convolved with itself round by round. They are not symmetric: "
        "the house wins a little often and loses much seldom."
    )
    rows = tuple((f"{rounds:,}", *map(_band, figures.bands(rounds).values())) for rounds in ROUNDS)
    names = (f"{name} of the time" for name in CONFIDENCE)
    yield Grid(("Rounds", *names), rows, "rrr", "House win of the Ante, by rounds played")
    yield Prose(_normal_bands(figures))
    yield Picture(
        charts.bands(figures),
        "Area chart of the confidence bands of the house win, narrowing with the rounds played.",
        "Confidence bands, exact",
    )
    yield Prose(
        "Hold, the win on the drop, does not follow from the cards and needs the drop itself. "
        "Rounds an hour are left to the reader: win an hour is edge, Ante and rounds multiplied.",
        tone="note",
    )


def _normal_bands(figures: Figures) -> str:
    """What the volatility index is good for, with an example of where it is not."""
    (name, (_, z)), few = list(CONFIDENCE.items())[-1], ROUNDS[0]
    return (
        "The volatility index is z times the standard deviation; z is printed beside it because "
        "laboratories differ in it. Divided by the square root of the rounds it makes the band of "
        f"a normal distribution, which is near only when rounds are many: for {few:,} rounds and "
        f"z = {z:.3f} it is {_band(figures.normal_band(name, few))}, where the exact one is "
        f"{_band(figures.bands(few)[name])}."
    )


def _band(band: FloatRange) -> str:
    low, high = band
    return f"{100 * low:+.3f}% to {100 * high:+.3f}%"


def _exposure(figures: Figures) -> Iterator[AnyBlock]:
    found, book = figures.exposure, figures.filing.book
    yield Heading("Exposure")
    yield Prose(
        "The most one round can cost, with every box at the largest stakes of the submission and "
        "the meters at their resets. The bound adds up, wager by wager, the most that the boxes "
        "together can win on it, and knows how few of them can hold cards that a paytable names; "
        "it is never passed. The round found is one that can be dealt, so the most the table can "
        "lose lies between the two."
    )
    yield Facts(
        (
            Fact("One box loses at most", money(found.player_cents)),
            Fact("One box wins at most", money(figures.box_wins_cents), "bound, with Envy"),
            Fact("The table, bound", money(found.table_bound_cents), boxes_words(found.boxes)),
            Fact("The table, a round found", money(found.table_witness_cents)),
        )
    )
    rows = tuple(
        (
            book.wager(name).title if book.has_wager(name) else name.replace("_", " ").capitalize(),
            money(found.stakes[name]) if name in found.stakes else "",
            money(most),
        )
        for name, most in found.bound.items()
    )
    yield Grid(("Wager", "Stake a box", "Bound, all boxes"), rows, "lrr", "By wager")


# How the report was made, and how anybody makes every figure of it again.

FILE = "submission.toml"
PACKAGES = ("croupier", "numba", "numpy", "typst")
METHOD = (
    "All deals are counted, not sampled: {counted}. Counts are whole numbers and values are "
    "fractions of them; decimals appear only in print, rounded to the digits shown. What a hand "
    "pays is read from the same Rules that settle a round at the table.",
    "The counting code is compared with plain code that ranks and settles hands one by one, over "
    "all states where that can be done and over random ones elsewhere.",
    "Assumed: one deck, every order equally likely; a player sees the cards of one box only and "
    "makes no use of the others; payouts are exact, while a table rounds up to the next cent.",
)
BY_KINDS = (
    "boards and hands that differ only by names of suits are counted once and weighed by how many "
    "they stand for"
)
ONE_BY_ONE = "every hand that a box can hold is dealt out, against every hand left to the dealer"
LIMITED = (
    "The payout limit is part of the values by Ante and of the exposure. All other values are "
    "those of an Ante that it never cuts; it can only raise the edge."
)
CHANGE = (
    "A change of any rule, paytable, Progressive stake or reset makes another hash of the Rules; a "
    "change of anything else that was submitted, such as a limit, the number of boxes or a meter's "
    "rate of growth, another hash of the submission. Figures belong to the two hashes on their "
    "page: a change asks for a new report, and actual results are compared with it."
)


def _method(figures: Figures) -> Iterator[AnyBlock]:
    imprint = figures.filing.imprint("")
    yield Heading("Method")
    counted = ONE_BY_ONE if shape_of(figures.filing.rules) is GameShape.OWN_CARDS else BY_KINDS
    yield from (Prose(paragraph.replace("{counted}", counted)) for paragraph in METHOD)
    if figures.filing.rules.payout_limit_cents is not None:
        yield Prose(LIMITED)
    yield Heading("To get these figures again")
    for told, command in commands(figures):
        yield Prose(told)
        yield CommandLine(command)
    yield Heading("Versions and hashes")
    yield Facts(
        (
            Fact("Rules, SHA-256", imprint.digest),
            Fact("Submission, SHA-256", imprint.submission),
            Fact("Counting code, SHA-256", code_digest()),
            *(Fact(package, version(package)) for package in PACKAGES),
        )
    )
    yield Prose(CHANGE)


def commands(figures: Figures) -> Iterator[tuple[str, str]]:
    """What to type in the folder of the documents, and what it answers."""
    rules = figures.filing.rules
    game, book = rules.game.id, rules.book.id
    yield (
        "Base game, distribution, every side wager and paytable, the Progressive and Envy:",
        f"croupier solve {game} --submission {FILE} --json --no-cache",
    )
    if figures.by_ante is not None:
        largest = money(figures.by_ante.largest.ante_cents).lstrip("$")
        yield (
            "One Ante under the payout limit, here the largest:",
            f"croupier solve {game} --submission {FILE} --ante {largest} --json --no-cache",
        )
    if figures.simple is not None:
        base = " ".join(
            f"--paytable {w.name}={dict(rules.letters)[w.name]}" for w in _chosen(figures)
        )
        yield (
            "The strategy to remember and its cost:",
            f"croupier strategy {game}-simple --rulebook {book} {base} --json".replace("  ", " "),
        )
    yield "Exposure:", f"croupier exposure {game} --submission {FILE} --json"
    yield "The hashes of the Rules and of the submission:", f"sha256sum rules.json {FILE}"


def _chosen(figures: Figures) -> list[Wager]:
    letters = dict(figures.filing.rules.letters)
    return [w for w in figures.filing.offered() if not w.optional and w.name in letters]
