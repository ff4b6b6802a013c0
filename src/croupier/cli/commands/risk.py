"""``croupier risk``: what many rounds at the same stakes bring a player and a house."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.bankroll.question import Floor, RiskQuestion, refuse_question
from croupier.bankroll.risk import Risk
from croupier.bankroll.risk import risk as risk_of
from croupier.cli.book_choice import AS_PRINTED, BookChoice, VariantOption, chosen_book
from croupier.cli.commands.simulate import hours, whole
from croupier.cli.commands.solve import amounts, chosen_rules, in_dollars, progress_bar
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.risk import risk_report
from croupier.exact.exposure import meter_resets
from croupier.exact.joint import staked_sides
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents
from croupier.facts.names import known_names
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, Rules, refuse_strange_amounts
from croupier.simulate.plan import PlayerStrategy, seated

SIMULATED = "1,000,000"
MOST_SIMULATED = 20_000_000
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)%?", re.ASCII)


@dataclass(frozen=True)
class StakeOptions:
    """What lies on the table in every round.

    Parameters
    ----------
    ante
        The Ante in dollars, the same in every round.
    wager
        WAGER=AMOUNT, a side wager made in every round.
    meter
        NAME=AMOUNT, what stands on a meter of the Progressive that is staked, in every round;
        otherwise what it is reset to.
    """

    ante: str
    wager: tuple[str, ...] = ()
    meter: tuple[str, ...] = ()


@dataclass(frozen=True)
class SimulatedBeside:
    """What stands beside the exact figures.

    Parameters
    ----------
    simulated
        How many rounds the simulator deals beside it, 1,000,000 where not told; 0 for none.
    seed
        Chooses the cards of the simulator.
    svg
        Write charts into this folder.
    """

    simulated: str = SIMULATED
    seed: str = "1"
    svg: Path | None = None


@dataclass(frozen=True)
class Bankroll:
    """What a player brings, and what for.

    Parameters
    ----------
    bankroll
        What the player brings: with it the chance of ruin is told.
    goal
        With what the player would leave: whether that or ruin comes first.
    funded
        How many Antes a round needs before it is begun, 6 for the largest Play. Otherwise what lies
        on the table before the first card, and a Play is always paid for.
    risk
        A chance like 5%: the least bankroll that is ruined no more often.
    """

    bankroll: str | None = None
    goal: str | None = None
    funded: int | None = None
    risk: str | None = None


@dataclass(frozen=True)
class Floors:
    """The house: with any of these its shift, week and month are told.

    Parameters
    ----------
    tables
        How many tables are open, 1 where not told.
    occupancy
        How many of their boxes are played, like 60%; all where not told.
    hours
        How long a shift is, 8 where not told.
    hours_a_day
        How long a table is open on a day, 16 where not told; a week has 7 days and a month 30.
    hands_an_hour
        Rounds an hour, 40 where not told.
    """

    tables: int | None = None
    occupancy: str | None = None
    hours: str | None = None
    hours_a_day: str | None = None
    hands_an_hour: int | None = None


NO_BANKROLL, NO_FLOOR, DEALT = Bankroll(), Floors(), SimulatedBeside()


def risk(
    game: str,
    /,
    *,
    stakes: Annotated[StakeOptions, Parameter(name="*")],
    rounds: str = "160",
    purse: Annotated[Bankroll, Parameter(name="*")] = NO_BANKROLL,
    floor: Annotated[Floors, Parameter(name="*")] = NO_FLOOR,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    beside: Annotated[SimulatedBeside, Parameter(name="*")] = DEALT,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell what many rounds at the same stakes bring, exactly.

    Base game and side wagers are counted together, played as is best for the base game; meters
    stand still. The simulator's figure stands beside each.

    For example:

        croupier risk uth --ante 25 --wager trips=5 --rounds 160 --bankroll 1,500

        croupier risk uth --ante 25 --bankroll 1,500 --goal 3,000 --funded 6

        croupier risk four-card --ante 10 --wager aces_up=5 --rounds 1,000 --risk 5%

        croupier risk uth --ante 25 --tables 4 --occupancy 60% --hours 8 --svg charts

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    rounds
        How many rounds, with or without commas.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission: its paytables, limits and meters; otherwise the shipped one.
    paytable
        WAGER=LETTER picks a paytable, WAGER=FILE.toml one of your own.
    json_
        Print one JSON document.
    """
    choice = chosen_book(registry, game, rulebook, submission, variant)
    rules = chosen_rules(registry, BookChoice(choice.book, choice.submission), paytable)
    staked, meters = amounts(stakes.wager, "--wager"), amounts(stakes.meter, "--meter")
    refuse_strange_amounts(rules, staked, {})
    _refuse_idle_meters(rules, staked, meters)
    asked = _question(choice, rules, in_dollars(stakes.ante), staked, purse)
    asked = replace(
        asked,
        meters=tuple({**meter_resets(rules), **meters}.items()),
        rounds=whole(rounds, "number of rounds"),
        floor=_floor(floor, choice.submission.boxes),
        trial_rounds=_trial_rounds(beside.simulated),
        seed=whole(beside.seed, "seed"),
    )
    found = _found(asked, beside.svg)
    if json_:
        print_json(found.document())
    else:
        show(risk_report(found), Screen())
    return 0


def _refuse_idle_meters(rules: Rules, staked: dict[str, Cents], meters: dict[str, Cents]) -> None:
    """Only a meter of this table's Progressive counts, and only where that is staked."""
    known_names(meters, meter_resets(rules), "meter", where="this table")
    if meters and PROGRESSIVE not in staked:
        raise Unreadable(
            f"no meter ({', '.join(meter_resets(rules))}) changes anything where Progressive is "
            "not staked; add --wager progressive=AMOUNT, or leave --meter out"
        )


def _question(
    choice: BookChoice, rules: Rules, ante: Cents, staked: dict[str, Cents], purse: Bankroll
) -> RiskQuestion:
    """StakeOptions are those a player of this table may make."""
    staked_sides(rules, [*staked])
    others = {w.name: Cents(0) for w in rules.book.wagers if w.optional and rules.offers(w.name)}
    made = {**others, **staked, "ante": ante}
    seated(choice.submission, rules, made, (PlayerStrategy(),), 0)
    return RiskQuestion(
        rules,
        ante,
        tuple(staked.items()),
        bankroll_cents=in_dollars(purse.bankroll) if purse.bankroll is not None else None,
        goal_cents=in_dollars(purse.goal) if purse.goal is not None else None,
        funded=purse.funded,
        risk=_share(purse.risk, "risk") if purse.risk is not None else None,
    )


def _floor(said: Floors, boxes: int) -> Floor | None:
    if said == NO_FLOOR:
        return None
    floor = Floor(boxes=boxes)
    if said.occupancy is not None:
        floor = replace(floor, occupancy=_share(said.occupancy, "occupancy"))
    if said.hours is not None:
        floor = replace(floor, hours_a_shift=hours(said.hours, 24))
    if said.hours_a_day is not None:
        floor = replace(floor, hours_a_day=hours(said.hours_a_day, 24))
    if said.hands_an_hour is not None:
        floor = replace(floor, hands_an_hour=said.hands_an_hour)
    return replace(floor, tables=said.tables) if said.tables is not None else floor


def _trial_rounds(simulated: str) -> int:
    rounds = whole(simulated, "number of rounds")
    if rounds > MOST_SIMULATED:
        raise Unreadable(
            f"at most {MOST_SIMULATED:,} rounds are simulated beside it, not {rounds:,}; "
            "croupier simulate deals more"
        )
    return rounds


def _share(written: str, what: str) -> Fraction:
    found = _PERCENT.fullmatch(written)
    if not found:
        raise Unreadable(f"{quoted(written)} is no {what}; write it in percent, like 5%")
    return Fraction(found[1]) / 100


def _found(asked: RiskQuestion, svg: Path | None) -> Risk:
    """Whatever can be wrong is told before anything is counted."""
    refuse_question(asked)
    if svg is not None:
        from croupier.documents.document_set import ready

        ready(svg)
    with progress_bar() as progress:
        found = risk_of(asked, progress)
    if svg is not None:
        from croupier.documents.risk_charts import write_charts

        write_charts(found, svg)
    return found
