"""docs/table.md: every command a table takes and every event it gives, from what they say."""

from __future__ import annotations

from pathlib import Path

import msgspec

from croupier.table.commands import AnyCommand, Command
from croupier.table.engine import duty_of
from croupier.table.event_base import CitedEvent, Event
from croupier.table.events import AnyEvent

PAGE = Path(__file__).parents[2] / "docs" / "table.md"
HEAD = """# The table: commands and events

Written from the engine itself by `make golden`. People and devices give a table commands; a command
that is allowed gives events, and the events are all there is: the state of a table is their fold.
A refused command changes nothing and says why, with its clause. The names are those that are
stored, and permanent.

Every command says who gives it (`by`), in which role (`role`) and when (`at_s`, in seconds; time
never runs backwards). Every event carries the clauses and rulings it stands on, and when it was;
a line of the receipt has one `clause`, and no list of them.
"""


def page() -> str:
    commands = [
        [_name(kind), ", ".join(duty_of(kind).roles), _fields(kind), _line(kind)]
        for kind in AnyCommand.__args__
    ]
    events = [[_name(kind), _fields(kind), _line(kind)] for kind in AnyEvent.__args__]
    return "\n".join(
        (
            HEAD,
            "## Commands\n",
            *_table(["command", "given by", "says", "what it asks"], commands),
            "\n## Events\n",
            *_table(["event", "says", "what happened"], events),
            "",
        )
    )


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _name(kind: type[msgspec.Struct]) -> str:
    return f"`{kind.__struct_config__.tag}`"


def _fields(kind: type[msgspec.Struct]) -> str:
    shared = Command if issubclass(kind, Command) else CitedEvent
    own = [name for name in kind.__struct_fields__ if name not in shared.__struct_fields__]
    return ", ".join(f"`{name}`" for name in own)


def _line(kind: type[msgspec.Struct]) -> str:
    """The first paragraph of what a command or event says of itself, and of what it is besides."""
    besides = (base for base in kind.__bases__ if not issubclass(base, (Command, Event)))
    said = [(one.__dict__.get("__doc__") or "").strip() for one in (kind, *besides)]
    assert all(said), f"{kind.__name__} has no line for docs/table.md"
    words = " ".join(one.partition("\n\n")[0] for one in said)
    return " ".join(words.split()).replace("``", "`")
