"""The side wagers in the mathematics report: outcomes, every paytable, meters and Envy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.documents.blocks import AnyBlock, Fact, Facts, Grid, Heading, Picture, Prose
from croupier.documents.mathematics import charts
from croupier.documents.mathematics.endings import sensitivity
from croupier.documents.mathematics.figures import CONFIDENCE, Figures, at_stake
from croupier.documents.round_words import capital
from croupier.exact.endings import LOST
from croupier.exact.solution import SideValue, even_at
from croupier.facts.money import money
from croupier.facts.odds import For, To
from croupier.facts.percentage import percent
from croupier.paytables.search import priced
from croupier.rulebook.book import Wager
from croupier.submission.submission import ProgressiveOffer
from croupier.submission.value_kinds import rate_text


def side_wagers(figures: Figures) -> Iterator[AnyBlock]:
    sides = list(figures.sides())
    if sides:
        yield Heading("Side wagers")
    for wager, side in sides:
        yield Heading(f"{wager.title}, paytable {side.endings.paytable}", level=2)
        yield Prose(_assumes(figures, wager, side))
        yield _outcomes(side)
        if any(isinstance(end.odds, To | For) for end in side.endings.endings):
            yield sensitivity(priced(side.endings, side.assumed), "in stakes")
        yield _beside(figures, wager, side)
        if side.assumed.meters_cents:
            yield from _progressive(figures, side)


def _assumes(figures: Figures, wager: Wager, side: SideValue) -> str:
    """The figures of a wager in a sentence, and what they assume."""
    judged_by = figures.filing.rules.judged_by(wager.name)
    looks = f"Judged by the {judged_by}. "
    edge = (
        f"{looks}House edge {percent(-side.ev)}, standard deviation {side.standard_deviation:.4f}"
    )
    index = ", ".join(
        f"{z * side.standard_deviation:.4f} at {name} (z = {z:.3f})"
        for name, (_, z) in CONFIDENCE.items()
    )
    together = figures.solution.together(side)
    both = (
        f" One Ante's round and this wager together have a standard deviation of {together:.4f}."
        if together is not None
        else ""
    )
    return f"{edge} stakes; volatility index {index}.{both}{_at_most(figures, wager, side)}"


def _at_most(figures: Figures, wager: Wager, side: SideValue) -> str:
    """A line in dollars weighs less on a larger stake: the edge at both ends of the limits."""
    limit = figures.filing.submission.limit(wager.name)
    if limit is None or not side.depends_on_money:
        return ""
    largest = at_stake(side, limit.maximum_cents)
    return (
        f" Some lines pay dollars: the edge is {percent(-side.ev)} at {money(limit.minimum_cents)} "
        f"and {percent(-largest.ev)} at {money(limit.maximum_cents)}."
    )


def _outcomes(side: SideValue) -> Grid:
    ends, rows = side.endings, []
    for end in ends.endings:
        chance = ends.chance(end)
        rows.append(
            (
                capital(end.name) if end.name != LOST else "Lost",
                end.pays or "",
                f"{end.ways:,}",
                percent(chance, 6),
                one_in(chance),
                percent(chance * (1 + end.net(side.assumed))),
            )
        )
    rows.append(("All", "", f"{ends.total:,}", percent(Fraction(1), 6), "", percent(1 + side.ev)))
    columns = ("Outcome", "Pays", "Combinations", "Chance", "1 in", "Gives back")
    return Grid(columns, tuple(rows), "lrrrrr", marked=(len(rows) - 1,))


def _beside(figures: Figures, wager: Wager, chosen: SideValue) -> Grid:
    sides = list(figures.beside(wager, chosen))
    rows = tuple(
        (
            side.endings.paytable,
            percent(-side.ev),
            percent(1 + side.ev),
            percent(side.endings.hit_frequency()),
            f"{side.standard_deviation:.4f}",
            str(side.ev),
        )
        for side in sides
    )
    marked = tuple(
        n for n, side in enumerate(sides) if side.endings.paytable == chosen.endings.paytable
    )
    columns = ("Table", "Edge", "Return", "Hits", "SD", "Exact value of a stake")
    caption = f"Every {wager.title} paytable of the rulebook"
    return Grid(columns, rows, "lrrrrr", caption, marked=marked)


def _progressive(figures: Figures, side: SideValue) -> Iterator[AnyBlock]:
    offer = figures.filing.submission.progressive
    assert offer is not None, "only a Progressive has meters"
    slopes, added = side.endings.slopes(side.assumed), figures.envy_added()
    terms = " + ".join(
        f"{100_000 * float(slope):.4f}% for each $1,000 on {name}" for name, slope in slopes.items()
    )
    by_odds, _, _ = figures.long_run(side)
    others = ", the others at their resets" if len(offer.meters) > 1 else ""
    yield Heading("The Progressive by its meters", level=2)
    yield Prose(f"Return = {percent(by_odds)} + {terms}.", head="A line in the meters.")
    yield _meters(figures, side, offer, f"Meters{others}")
    yield Prose(_even_words(figures, side, added))
    if any(meter.limit_cents is not None for meter in offer.meters):
        yield Prose(
            "All figures are those of meters below their limit, with nothing waiting in the "
            "overflow; what is beyond a limit is won later, and never lost (ruling 43)."
        )
    yield Facts(tuple(_over_many_rounds(figures, side)))
    yield Prose(_reserve(offer))
    yield from _break_even(side, side.break_even_dollars(), others)
    yield from _envy(figures)


def _meters(figures: Figures, side: SideValue, offer: ProgressiveOffer, caption: str) -> Grid:
    """Each meter with what makes an even wager of it; with Envy too, where there is any."""
    added, even = figures.envy_added(), side.break_even_dollars()
    with_envy = side.break_even_dollars(added)
    rows = tuple(
        (
            meter.name.capitalize(),
            money(meter.reset_cents),
            rate_text(meter.rate_ppm),
            even_at(even.get(meter.name)),
            *([even_at(with_envy.get(meter.name))] if added else []),
            one_in(side.chance_to_empty(meter.name)),
        )
        for meter in offer.meters
    )
    envied = [f"Even at, Envy of {figures.other_boxes}"] if added else []
    columns = ("Meter", "Reset", "Grows by", "Even at, no Envy", *envied, "Emptied 1 in")
    return Grid(columns, rows, "lrrrr" + "r" * len(envied), caption)


def _over_many_rounds(figures: Figures, side: SideValue) -> Iterator[Fact]:
    by_odds, resets, grown = figures.long_run(side)
    whole, added = by_odds + resets + grown, figures.envy_added()
    yield Fact("Paid by odds", percent(by_odds), "of each wager")
    yield Fact("Paid by resets", percent(resets), "seed part")
    yield Fact("Paid by increments", percent(grown), "increment part")
    yield Fact("Over many rounds", percent(whole), "without Envy")
    if added:
        beside = f"{boxes_words(figures.other_boxes)} beside"
        yield Fact("The same with Envy", percent(whole + added), beside)


def _even_words(figures: Figures, side: SideValue, added: Fraction) -> str:
    """What an even wager leaves out, and what the wager returns over many rounds beside it."""
    whole = sum(figures.long_run(side), Fraction(0))
    told = (
        "An even wager is one at that very moment. It says nothing of the years: over many rounds "
        f"the Progressive returns {percent(whole)} without Envy"
    )
    if not added:
        return f"{told}."
    boxes = boxes_words(figures.other_boxes)
    return (
        f"{told} and {percent(whole + added)} with it. Envy is counted here with {boxes} beside "
        "the player's own, each with a Progressive wager; with fewer of them it adds less."
    )


def _break_even(side: SideValue, even: Mapping[str, Fraction], others: str) -> Iterator[AnyBlock]:
    """The line in the meter that has the farthest to go; none where the wager is even already."""
    ahead = {name: needed for name, needed in even.items() if needed > 0}
    if not ahead:
        yield Prose(
            f"There is no break-even: with every meter at its reset the wager already returns "
            f"{percent(1 + side.ev)}, and more with every dollar that a meter grows."
        )
        return
    name, needed = max(ahead.items(), key=lambda pair: pair[1])
    highest = int(max(needed * 120, Fraction(2 * dict(side.assumed.meters_cents)[name])))
    yield Picture(
        charts.meter_line(side, name, highest),
        f"Line chart of the return of the Progressive as the {name} meter grows.",
        f"Return by the {name} meter{others}; dashed: an even wager",
    )


def _reserve(offer: ProgressiveOffer) -> str:
    begin = money(sum(meter.initial_cents for meter in offer.meters))
    again = money(sum(meter.reset_cents for meter in offer.meters))
    meters = "the meter" if len(offer.meters) == 1 else "the meters"
    return (
        f"Reserve: everything that stands on {meters} is owed to the players, {begin} at the "
        f"start. The house holds that and {again} more, with which {meters} "
        "will begin again when a whole award is paid."
    )


def _envy(figures: Figures) -> Iterator[AnyBlock]:
    envy, boxes = figures.envy(), figures.other_boxes + 1
    if envy is None:
        return
    if boxes == 1:
        yield Prose("Envy is paid for the hands of other boxes; this table has one box, so never.")
        return
    rows = tuple((str(others), percent(others * envy.ev_each_box)) for others in range(1, boxes))
    yield Grid(
        ("Other boxes", "Adds to the return"), rows, "rr", "Envy, by the other boxes in play"
    )
    yield Prose(f"Each other box gives Envy once in {one_in(envy.endings.hit_frequency())} rounds.")


def boxes_words(boxes: int) -> str:
    return "1 box" if boxes == 1 else f"{boxes} boxes"


def one_in(chance: Fraction) -> str:
    if not chance:
        return "never"
    rounds = float(1 / chance)
    return f"{rounds:,.0f}" if rounds >= 100 else f"{rounds:.2f}"
