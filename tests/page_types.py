"""``python -m tests.page_types``: write what the server sends to pages as types for their scripts.

The one description of a frame is the server's structs; ``frames.d.ts`` says the same in the types
that ``make lint`` holds the pages' JavaScript against. A test says when it is stale.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from croupier.audit.dispute_evidence import DisputeEvidence
from croupier.audit.records.replay_document import RoundShown
from croupier.practice.asked_hand import CardPlace, HandAnswer
from croupier.practice.coach import Worth
from croupier.practice.explanation import StrategyChart
from croupier.practice.record import RecordSummary
from croupier.server.access.logins import AccessLine
from croupier.server.access.one_time_code import Enrolment
from croupier.server.analysis.designs import Design
from croupier.server.analysis.jobs import AnalysisShown
from croupier.server.desk.comparison import Comparison
from croupier.server.desk.jobs import DeskJob
from croupier.server.desk.papers import Preview
from croupier.server.desk.state import DeskState
from croupier.server.http.admin_routes import ActShown
from croupier.server.http.login_routes import Admitted, LoginShown, PersonShown, WaitingShown
from croupier.server.pages.analyst_page import BookWorth
from croupier.server.pages.clause_explanation import Why
from croupier.server.pages.drill_session import Drill, DrillResult
from croupier.server.pages.home_routes import GuestShown
from croupier.server.pages.irregularity_choices import Accident
from croupier.server.pages.link_code import QrLink
from croupier.server.pages.live_routes import ReplayStep
from croupier.server.pages.practice_room import PracticeFrame
from croupier.server.pages.record_reader import RoundTold
from croupier.server.pages.table_facts import TableFacts
from croupier.server.pit.frames import Frame, MetersFrame
from croupier.server.pit.messages import Reply
from croupier.server.pit.progressive_links import LinkShown
from croupier.server.pit.recordings import RecordingsFound
from croupier.server.pit.table_summary import TableSummary

FILE = Path(__file__).parents[1] / "src/croupier/server/pages/frames.d.ts"
SENT: tuple[type[msgspec.Struct], ...] = (
    *(
        Frame,
        MetersFrame,
        PracticeFrame,
        Reply,
        TableFacts,
        Accident,
        ReplayStep,
        Drill,
        DrillResult,
        HandAnswer,
        CardPlace,
        StrategyChart,
        Worth,
        Why,
    ),
    *(
        RecordSummary,
        RoundTold,
        RoundShown,
        TableSummary,
        PersonShown,
        LoginShown,
        GuestShown,
        QrLink,
        LinkShown,
        RecordingsFound,
        DisputeEvidence,
        AccessLine,
        BookWorth,
    ),
    *(DeskState, Preview, DeskJob, Comparison),
    *(Admitted, Enrolment, WaitingShown, ActShown, AnalysisShown, Design),
)
HEAD = """// What the server sends to pages, written from its structs by `make pages`.

declare namespace Server {"""


def page_types() -> str:
    """Every struct that is sent, and those inside it, each before whoever holds it."""
    writer = _Writer()
    for sent in SENT:
        writer.written(sent)
    return "\n".join([HEAD, "\n\n".join(writer.interfaces.values()), "}", ""])


class _Writer:
    def __init__(self) -> None:
        self.interfaces: dict[str, str] = {}
        self._names: dict[type, str] = {}

    def written(self, struct: type) -> str:
        """The name of a struct's type; of two with one name the later is called by its module."""
        if struct in self._names:
            return self._names[struct]
        name = struct.__name__
        if name in self._names.values():
            name = struct.__module__.rpartition(".")[2].capitalize() + name
        self._names[struct] = name
        told = inspect.type_info(struct)
        assert isinstance(told, inspect.StructType)
        tag = [f'    {told.tag_field}: "{told.tag}";'] if told.tag_field else []
        lines = tag + [self._field(field, told) for field in told.fields]
        self.interfaces[name] = "\n".join([f"  interface {name} {{", *lines, "  }"])
        return name

    def _field(self, field: inspect.Field, struct: inspect.StructType) -> str:
        """What has its default is left out, where the struct does so."""
        left_out = struct.cls.__struct_config__.omit_defaults and not field.required
        return f"    {field.encode_name}{'?' if left_out else ''}: {self._type(field.type)};"

    def _type(self, told: inspect.Type) -> str:
        plain = {
            inspect.StrType: "string",
            inspect.IntType: "number",
            inspect.FloatType: "number",
            inspect.BoolType: "boolean",
            inspect.NoneType: "null",
            inspect.AnyType: "any",
            inspect.RawType: "any",
        }
        if type(told) in plain:
            return plain[type(told)]
        if isinstance(told, inspect.StructType):
            return self.written(told.cls)
        if isinstance(told, inspect.UnionType):
            return " | ".join(self._type(one) for one in told.types)
        if isinstance(told, inspect.LiteralType):
            return " | ".join(f'"{value}"' for value in told.values)
        if isinstance(told, inspect.EnumType):
            return " | ".join(f'"{one.value}"' for one in told.cls)
        return self._several(told)

    def _several(self, told: Any) -> str:
        if isinstance(told, inspect.TupleType):
            return f"[{', '.join(self._type(one) for one in told.item_types)}]"
        if isinstance(told, inspect.DictType):
            return f"Record<string, {self._type(told.value_type)}>"
        item = self._type(told.item_type)
        return f"({item})[]" if " | " in item else f"{item}[]"


if __name__ == "__main__":
    FILE.write_text(page_types(), encoding="utf-8")
