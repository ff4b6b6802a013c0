"""``croupier simulate``: whole rounds by the million, beside what is exactly true."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.files import submission_in, text_of
from croupier.cli.screen import Screen
from croupier.cli.simulated import tell_simulation, to_csv
from croupier.cli.solve import amount, chosen_book, progress_bar
from croupier.exact.strategies import shipped
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, cents
from croupier.games.house import House
from croupier.simulate.plan import OPTIMAL, Mind, Plan, seated
from croupier.simulate.simulation import Pace, Simulation
from croupier.simulate.simulation import simulate as simulate_plan
from croupier.submission.check import shipped_submission

DEALING = "croupier: dealing (the first run also compiles)"
MOST_WORKERS = 1024


@dataclass(frozen=True)
class Seats:
    """Who sits at the table, and with what.

    Parameters
    ----------
    strategy
        How a box is played: optimal, the name of a shipped strategy, or a strategy file. Written
        once it is for all boxes; written more often, the first is for box 1, and so on.
    boxes
        How many boxes are played; otherwise one for each strategy.
    stake
        WAGER=AMOUNT in every box; otherwise the least of the table. bad_beat=0 leaves it out.
    """

    strategy: tuple[str, ...] = ()
    boxes: int | None = None
    stake: tuple[str, ...] = ()


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
        What a player brings to a session; with it the risk of ruin is reported.
    """

    hours: str | None = None
    hands_an_hour: int = 40
    hours_a_day: str = "16"
    bankroll: str | None = None


ONE_BOX, NO_SESSIONS = Seats(), Times()


def simulate(
    game: str,
    /,
    *,
    rounds: str,
    seats: Annotated[Seats, Parameter(name="*")] = ONE_BOX,
    seed: int = 1,
    rulebook: str | None = None,
    submission: Path | None = None,
    times: Annotated[Times, Parameter(name="*")] = NO_SESSIONS,
    workers: int | None = None,
    cluster: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    csv_: Annotated[Path | None, Parameter(name="--csv")] = None,
    svg: Path | None = None,
    house: Annotated[House, Parameter(parse=False)],
) -> int:
    """Simulate whole rounds: every wager's mean beside its exact value, sessions, days, meters.

    For example:

        croupier simulate uth --rounds 10,000,000

        croupier simulate uth --rounds 1,000,000 --strategy optimal --strategy uth-simple

        croupier simulate uth --rounds 1,000,000 --hours 4 --bankroll 1,500 --boxes 2

        croupier simulate uth --rounds 100,000,000 --cluster tcp://10.0.0.5:8786 --json

    Parameters
    ----------
    game
        The game: uth or four-card.
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
    csv_
        Write every wager of every box to this file, one line each.
    svg
        Write charts into this folder.
    """
    plan = _plan(house, game, rulebook, submission, seats, seed)
    found = _simulated(plan, _whole(rounds, "rounds"), _pace(times), workers, cluster)
    _write(found, csv_, svg)
    if json_:
        print(json.dumps(found.document()))
    else:
        tell_simulation(found, Screen())
    return 0


def _write(found: Simulation, table: Path | None, charts: Path | None) -> None:
    if charts is not None:
        from croupier.documents.simulated import write_charts

        write_charts(found, charts)
    if table is not None:
        table.write_text(to_csv(found), encoding="utf-8")


def _simulated(
    plan: Plan, rounds: int, pace: Pace | None, workers: int | None, cluster: str | None
) -> Simulation:
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise Unreadable(f"1 to {MOST_WORKERS:,} workers can play, not {workers:,}")
    player = None
    if cluster is not None:
        from croupier.simulate.cluster import play_on_cluster

        player = partial(play_on_cluster, address=cluster)
    with progress_bar(DEALING) as tell:
        return simulate_plan(plan, rounds, pace, workers, tell, player)


def _plan(
    house: House,
    game: str,
    rulebook: str | None,
    submission: Path | None,
    seats: Seats,
    seed: int,
) -> Plan:
    minds = _minds(seats.strategy, seats.boxes)
    filed = submission_in(submission, house) if submission is not None else None
    book = chosen_book(house, game, rulebook, filed.rules(house) if filed is not None else None)
    said = filed if filed is not None else shipped_submission(book.id)
    return seated(said, said.rules(house), dict(map(amount, seats.stake)), minds, seed)


def _minds(names: tuple[str, ...], boxes: int | None) -> tuple[Mind, ...]:
    minds = tuple(map(_mind, names)) or (Mind(),)
    if boxes is None or boxes == len(minds):
        return minds
    if len(minds) > 1:
        raise Unreadable(f"{len(minds)} strategies are for {len(minds)} boxes, not {boxes}")
    return minds * max(0, min(boxes, 100))


def _mind(name: str) -> Mind:
    """Optimal play, a shipped strategy by its name, or a file by its path."""
    if name == OPTIMAL:
        return Mind()
    by_name = shipped()
    if name in by_name:
        return Mind(name, by_name[name])
    path = Path(name)
    if not path.suffix and not path.exists():
        known = " or ".join((OPTIMAL, *by_name))
        raise Unreadable(f"there is no file {quoted(name)}; name one, or choose {known}")
    try:
        mind = Mind(name, text_of(path))
    except Unreadable as error:
        raise Unreadable(f"{name}: {error}") from None
    assert mind.strategy is not None, "a strategy that cannot be read is refused here"
    return mind


def _pace(times: Times) -> Pace | None:
    if times.hours is None:
        if times.bankroll is not None:
            raise Unreadable("a bankroll is for a session: say how long with --hours")
        return None
    if not 1 <= times.hands_an_hour <= 10_000:
        raise Unreadable(f"an hour has 1 to 10,000 hands, not {times.hands_an_hour:,}")
    session, day = _hours(times.hours, 10_000), _hours(times.hours_a_day, 24)
    return Pace(session, times.hands_an_hour, day, _bankroll(times.bankroll))


def _hours(written: str, most: int) -> Fraction:
    try:
        hours = Fraction(written)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{quoted(written)} is no number of hours; write 4 or 2.5") from None
    if not 0 < hours <= most:
        raise Unreadable(f"{quoted(written)} hours are too few or too many; at most {most:,}")
    return hours


def _bankroll(written: str | None) -> Cents | None:
    if written is None:
        return None
    return cents(written if written.startswith("$") else f"${written}")


def _whole(written: str, what: str) -> int:
    plain = written.replace(",", "").replace("_", "")
    if not plain.isascii() or not plain.isdigit() or len(plain) > 18:
        raise Unreadable(f"{quoted(written)} is no number of {what}; write 1,000,000")
    return int(plain)
