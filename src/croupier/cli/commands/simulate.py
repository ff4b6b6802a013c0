"""``croupier simulate``: whole rounds by the million, beside what is exactly true."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.bankroll.question import Floor
from croupier.cli.book_choice import (
    AS_PRINTED,
    BookChoice,
    VariantOption,
    chosen_book,
    named_strategy,
)
from croupier.cli.commands.solve import amounts, chosen_rules, progress_bar, refuse_limit
from croupier.cli.files import refuse_unwritable, write_file
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.protection import known_rounds_report
from croupier.cli.text.simulation import simulation_report
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.strategy.strategy_file import shipped
from croupier.extras import CLUSTER, KERNELS, require
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, cents
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.protection.knowledge import KNOWS, knowledge
from croupier.simulate.plan import OPTIMAL, PlayerStrategy, SimulationPlan, refuse_boxes, seated
from croupier.simulate.report import document_of, to_csv
from croupier.simulate.rounds import refuse_rounds
from croupier.simulate.sessions import SessionPace
from croupier.simulate.simulation import Simulation, refuse_run
from croupier.simulate.simulation import simulate as simulate_plan

DEALING = "croupier: dealing (the first run also compiles)"
FOLLOWED_HERE = "croupier: the cluster deals; sessions and days are followed on this machine"
MOST_WORKERS = 1024
_WHOLE = re.compile(r"\d{1,20}|\d{1,3}(?P<mark>[,_])\d{3}(?:(?P=mark)\d{3}){0,5}", re.ASCII)
_HOURS = re.compile(r"\d{1,6}(?:\.\d{1,6})?|\.\d{1,6}", re.ASCII)


@dataclass(frozen=True)
class Seats:
    """Who sits at the table, and with what.

    Parameters
    ----------
    strategy
        How a box is played: optimal, the name of a shipped strategy, a strategy file, or
        knows:dealer by a player who knows such cards as croupier protect names them. Written once
        it is for all boxes; written more often, the first is for box 1, and so on.
    boxes
        How many boxes are played; otherwise one for each strategy.
    stake
        WAGER=AMOUNT in every box; otherwise the least of the table. bad_beat=0 leaves it out.
    knows
        In the place of --strategy: one box whose player knows these cards, as croupier protect
        names them, and is perfect; the wagers that must be made alone, each round paid by the
        table's own settlement.
    """

    strategy: tuple[str, ...] = ()
    boxes: int | None = None
    stake: tuple[str, ...] = ()
    knows: str | None = None


@dataclass(frozen=True)
class Times:
    """How rounds become sessions and days.

    Parameters
    ----------
    hours
        How long a player's session is. With it sessions and days are reported.
    hands_an_hour
        Rounds an hour, 40 where not told.
    hours_a_day
        How long the table is open on a day of the house, 16 where not told.
    bankroll
        What a player brings to a session; with it the risk of ruin and the hold of the drop are
        reported.
    """

    hours: str | None = None
    hands_an_hour: int | None = None
    hours_a_day: str | None = None
    bankroll: str | None = None


@dataclass(frozen=True)
class Outputs:
    """Where an answer goes beside the terminal.

    Parameters
    ----------
    csv_
        Write every wager, session, day and meter to this file, one line each.
    svg
        Write charts into this folder.
    """

    csv_: Annotated[Path | None, Parameter(name="--csv")] = None
    svg: Path | None = None


ONE_BOX, NO_SESSIONS, NO_FILES = Seats(), Times(), Outputs()
HANDS_AN_HOUR, HOURS_A_DAY = Floor.hands_an_hour, str(Floor.hours_a_day)


def simulate(
    game: str,
    /,
    *,
    rounds: str,
    seats: Annotated[Seats, Parameter(name="*")] = ONE_BOX,
    seed: str = "1",
    rulebook: str | None = None,
    submission: Path | None = None,
    variant: VariantOption = AS_PRINTED,
    times: Annotated[Times, Parameter(name="*")] = NO_SESSIONS,
    workers: int | None = None,
    cluster: str | None = None,
    json_: AsJson = False,
    outputs: Annotated[Outputs, Parameter(name="*")] = NO_FILES,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Simulate whole rounds, beside what is exactly true.

    Every wager's mean stands beside its exact value; with --hours sessions and days are told too.

    For example:

        croupier simulate uth --rounds 10,000,000

        croupier simulate uth --rounds 1,000,000 --strategy optimal --strategy uth-simple

        croupier simulate uth --rounds 1,000,000 --hours 4 --bankroll 1,500 --boxes 2

        croupier simulate uth --rounds 100,000 --strategy knows:dealer --hours 4

        croupier simulate uth --rounds 100,000,000 --cluster tcp://10.0.0.5:8786 --json

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    rounds
        How many rounds, with or without commas.
    seed
        Chooses the cards: the same seed deals the same rounds, on any machine.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission: its paytables, stakes and meters are played; otherwise the shipped one.
    workers
        Threads on this machine; otherwise one a core. The answer does not depend on it.
    cluster
        The address of a Dask scheduler: its workers play the rounds.
    json_
        Print one JSON document.
    """
    choice = chosen_book(registry, game, rulebook, submission, variant)
    if seats.knows is not None:
        elsewhere = times != NO_SESSIONS or outputs != NO_FILES or workers or cluster
        if elsewhere or seats != Seats(knows=seats.knows):
            raise Unreadable("beside --knows stand --rounds, --seed, --json and what the rules are")
        rules = chosen_rules(registry, BookChoice(choice.book, choice.submission), ())
        dealt = whole(rounds, "number of rounds"), whole(seed, "seed")
        return _know(rules, seats.knows, *dealt, as_json=json_)
    plan = _plan(registry, choice, seats, seed)
    found = _simulated(
        plan, whole(rounds, "number of rounds"), _pace(times), _crew(workers, cluster), outputs
    )
    _write(found, outputs)
    if json_:
        print_json(document_of(found))
    else:
        show(simulation_report(found), Screen())
    return 0


def _know(rules: Rules, knows: str, rounds: int, seed: int, *, as_json: bool) -> int:
    """Rounds of a player who knows cards."""
    refuse_limit(rules, "here: values are for each Ante, whatever its size")
    knowledge(rules, knows)
    refuse_rounds(rounds)
    refuse_base(rules)
    refuse_sides(rules)
    require(KERNELS)
    from croupier.protection.known_rounds import known_rounds

    with progress_bar(DEALING) as progress:
        found = known_rounds(rules, knows, rounds, seed, progress)
    if as_json:
        print_json(found.document())
    else:
        show(known_rounds_report(rules.book, found), Screen())
    return 0


def _write(found: Simulation, outputs: Outputs) -> None:
    if outputs.svg is not None:
        from croupier.documents.simulation_charts import write_charts

        write_charts(found, outputs.svg)
    if outputs.csv_ is not None:
        write_file(outputs.csv_, to_csv(found).encode())


@dataclass(frozen=True)
class Crew:
    """Who plays: threads of this machine, or the workers of a cluster."""

    workers: int | None
    cluster: str | None


def _crew(workers: int | None, cluster: str | None) -> Crew:
    if workers is not None and cluster is not None:
        raise Unreadable("--workers are threads of this machine; leave them out with --cluster")
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise Unreadable(f"1 to {MOST_WORKERS:,} workers can play, not {workers:,}")
    return Crew(workers, cluster)


def _simulated(
    plan: SimulationPlan, rounds: int, pace: SessionPace | None, crew: Crew, outputs: Outputs
) -> Simulation:
    """Whatever can be wrong is told before anything is dealt."""
    refuse_run(plan, rounds, pace)
    _refuse_outputs(outputs)
    player = None
    if crew.cluster is not None:
        from croupier.simulate.cluster import play_on_cluster, refuse_silence

        require(CLUSTER)
        refuse_silence(crew.cluster)
        player = partial(play_on_cluster, address=crew.cluster)
        if pace is not None:
            print(FOLLOWED_HERE, file=sys.stderr)
    with progress_bar(DEALING) as progress:
        return simulate_plan(plan, rounds, pace, crew.workers, progress, player)


def _refuse_outputs(outputs: Outputs) -> None:
    """See that files can be written before anything is computed for them."""
    if outputs.svg is not None:
        from croupier.documents.document_set import ready

        ready(outputs.svg)
    if outputs.csv_ is not None:
        refuse_unwritable(outputs.csv_)


def _plan(registry: Registry, choice: BookChoice, seats: Seats, seed: str) -> SimulationPlan:
    said = choice.submission
    rules = chosen_rules(registry, BookChoice(choice.book, said), ())
    minds = tuple(_mind(name, rules) for name in seats.strategy) or (PlayerStrategy(),)
    if seats.boxes is not None and seats.boxes != len(minds):
        refuse_boxes(said, seats.boxes)
        if len(minds) > 1:
            raise Unreadable(
                f"{len(minds)} strategies are for {len(minds)} boxes, not {seats.boxes}"
            )
        minds *= seats.boxes
    stakes = amounts(seats.stake, "--stake")
    return seated(said, rules, stakes, minds, whole(seed, "seed"))


def _mind(name: str, rules: Rules) -> PlayerStrategy:
    """Optimal play, who knows cards, a shipped strategy by its name, or a file by its path."""
    if name == OPTIMAL:
        return PlayerStrategy()
    if name.startswith(KNOWS):
        knowledge(rules, name.removeprefix(KNOWS))  # refused before the compiler is loaded
        require(KERNELS)
        from croupier.protection.knowing_player import knowing_player

        return knowing_player(rules, name.removeprefix(KNOWS))
    mind = PlayerStrategy(name, named_strategy(name, shipped(), OPTIMAL), rules.book)
    assert mind.strategy is not None, "a strategy that cannot be read is refused here"
    return mind


def _pace(times: Times) -> SessionPace | None:
    if times.hours is None:
        for option, said in (
            ("--bankroll", times.bankroll),
            ("--hands-an-hour", times.hands_an_hour),
            ("--hours-a-day", times.hours_a_day),
        ):
            if said is not None:
                raise Unreadable(f"{option} is for sessions: say how long one is with --hours")
        return None
    hands = times.hands_an_hour if times.hands_an_hour is not None else HANDS_AN_HOUR
    if not 1 <= hands <= 10_000:
        raise Unreadable(f"an hour has 1 to 10,000 hands, not {hands:,}")
    session = hours(times.hours, 10_000)
    day = hours(times.hours_a_day if times.hours_a_day is not None else HOURS_A_DAY, 24)
    return SessionPace(session, hands, day, _bankroll(times.bankroll))


def hours(written: str, most: int) -> Fraction:
    """A number of hours as people write it, at most so many."""
    if not _HOURS.fullmatch(written):
        raise Unreadable(f"{quoted(written)} is no number of hours; write 4 or 2.5")
    found = Fraction(written)
    if not 0 < found <= most:
        raise Unreadable(f"{quoted(written)} hours are too few or too many; at most {most:,}")
    return found


def _bankroll(written: str | None) -> Cents | None:
    if written is None:
        return None
    return cents(written if written.startswith("$") else f"${written}")


def whole(written: str, what: str) -> int:
    """A whole number as people write it: plain, or with a comma before every three digits."""
    if not _WHOLE.fullmatch(written):
        raise Unreadable(f"{quoted(written)} is no {what}; write a whole number, like 1,000,000")
    return int(written.replace(",", "").replace("_", ""))
