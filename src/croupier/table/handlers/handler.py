"""`Duty`, a command's descriptor: roles, guard, events, offers, phases, power.

A module of the table exports its duties; what the engine accepts, what a screen offers and what the
automatic dealer does are all read from them, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypedDict, TypeVar

from croupier.facts.cards import card
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import Micros
from croupier.rulebook.procedure import Procedure
from croupier.table.agenda import PHASES, Moment, Phase
from croupier.table.beyond import ALONE, Beyond
from croupier.table.commands import Command, Role
from croupier.table.events import Event, PowerUsed
from croupier.table.options import Option
from croupier.table.powers import Actor, Power
from croupier.table.state import State

FLOOR: tuple[Role, ...] = ("floorperson", "manager")
DEALER: tuple[Role, ...] = ("dealer",)
PLAYER: tuple[Role, ...] = ("player",)
STAFF: tuple[Role, ...] = (*DEALER, *FLOOR)

TWO_PEOPLE = 33  # the ruling on who declares and who confirms

C = TypeVar("C", bound=Command)
P = ParamSpec("P")


class Signature(TypedDict):
    """Who gives a command, in which role, and when."""

    by: str
    role: Role
    at_s: int


class Asker:
    """Somebody who wants to know what may be done now; what is offered is signed by him."""

    def __init__(
        self,
        role: Role,
        name: str,
        now: Moment,
        beyond: Beyond = ALONE,
        at_s: int = 0,
    ) -> None:
        self.role, self.name, self.now, self.beyond = role, name, now, beyond
        self.signed: Signature = {"by": name, "role": role, "at_s": at_s}


class PowerUse(NamedTuple):
    """One use of a power: at which box, for what sum, and the sum that is held against the policy,
    with what went before it."""

    act: Power
    box: int = 0
    cents: int = 0
    counted_cents: int = 0


def _no_power(state: State, command: Command) -> PowerUse | None:
    return None


def _nothing(state: State, asker: Asker) -> Iterable[Any]:
    return ()


def _always(state: State, command: Command) -> bool:
    return True


def alone(state: State, asker: Asker, commands: Sequence[Command]) -> Iterator[Option]:
    """Options that say nothing more."""
    for command in commands:
        yield Option(do=tag(command))


@dataclass(frozen=True)
class Duty(Generic[C]):
    """All that is known of one command.

    ``clause`` picks the line of the procedure that says whose duty it is. ``why_not`` is what
    stands against it now, whatever else it says; ``events`` is what comes of it, and refuses only
    what is wrong in the command's own figures. ``offers`` are the commands an asker might give in
    certain ``phases``: those that nothing stands against, if any, are ``shown`` as options. For
    players, who are many, they leave out a box that is taken or another's: a refusal has its cost.
    The automatic dealer gives, in the role ``automatic``, the first of those that is ``due``, in
    those phases or only in the ones it ``works_in``. While everything waits for the floorperson
    only what is ``ruled`` then may be given, and at a locked table what is ``unlocked``. ``power``
    is the act of the policy that it is, where it is one.
    """

    kind: type[C]
    roles: tuple[Role, ...]
    clause: Callable[[Procedure], str]
    why_not: Callable[[State, C], Refusal | None]
    events: Callable[[State, C], Iterable[Event]]
    offers: Callable[[State, Asker], Iterable[C]] = _nothing
    phases: tuple[Phase, ...] = PHASES
    shown: Callable[[State, Asker, Sequence[C]], Iterable[Option]] = alone
    automatic: Role | None = None
    works_in: tuple[Phase, ...] | None = None
    due: Callable[[State, C], bool] = _always
    ruled: bool = False
    unlocked: bool = False
    power: Callable[[State, C], PowerUse | None] = _no_power


Duties = tuple[Duty[Any], ...]
Folds = Mapping[type[Event], Callable[[State, Any], State]]


class _OfBox(Protocol):
    @property
    def box(self) -> int: ...


class _OfDeck(Protocol):
    @property
    def color(self) -> str: ...


def power_used(state: State, use: PowerUse, first: Actor, second: Actor | None = None) -> PowerUsed:
    """Who did it and who seconded it; one person who did both was alone."""
    by_another = second is not None and second.name != first.name
    return PowerUsed(
        clauses=state.cites(state.book.procedure.irregular_clause),
        rulings=(TWO_PEOPLE,),
        box=use.box,
        act=use.act,
        by=first.name,
        second=second.name if second is not None and by_another else "",
        cents=use.cents,
    )


def tag(command: object) -> str:
    """The stored name of a command."""
    assert isinstance(command, Command)
    return str(command.__struct_config__.tag)


def by_box(state: State, asker: Asker, commands: Sequence[_OfBox]) -> Iterator[Option]:
    for command in commands:
        yield Option(do=tag(command), box=command.box)


def by_color(state: State, asker: Asker, commands: Sequence[_OfDeck]) -> Iterator[Option]:
    for command in commands:
        yield Option(do=tag(command), color=command.color)


def refusal_by(refuse: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> Refusal | None:
    """What a check that raises has against something, if anything."""
    try:
        refuse(*args, **kwargs)
    except Refusal as why:
        return why
    return None


def each_deck(kind: Callable[..., C]) -> Callable[[State, Asker], Iterator[C]]:
    """The command for every deck on the table."""

    def offers(state: State, asker: Asker) -> Iterator[C]:
        for deck in state.decks:
            yield kind(**asker.signed, color=deck.color)

    return offers


def each_box(kind: Callable[..., C]) -> Callable[[State, Asker], Iterator[C]]:
    """The command for every box in the round."""

    def offers(state: State, asker: Asker) -> Iterator[C]:
        for seat in sorted(state.round.boxes):
            yield kind(**asker.signed, box=seat)

    return offers


def read_cards(names: tuple[str, ...]) -> tuple[str, ...]:
    """Cards as they are kept, whatever way they were written."""
    return tuple(str(card(name)) for name in names)


def readings(state: State, given: Mapping[str, int]) -> dict[str, Micros]:
    """What stands on every meter of this table, as the command says it."""
    known, beside = state.terms.meters, state.terms.overflows
    for name in given:
        if name not in known and name not in beside:
            raise Unreadable(f"there is no meter {quoted(name)}; there is {', '.join(known)}")
    for name in known:
        if name not in given:
            raise Unreadable(f"the reading of the {name} meter is missing")
    pools = {name: Micros(given.get(name, 0)) for name in beside}
    return {name: Micros(given[name]) for name in known} | pools
