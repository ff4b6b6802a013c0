"""Tables, what each viewer sees of them, what people ask of them, and the rounds they had."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from litestar import Controller, MediaType, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, PathParameter
from msgspec import Meta

from croupier.audit.dispute_evidence import SUFFIX as EVIDENCE
from croupier.audit.dispute_evidence import dispute_evidence, dispute_of, written_evidence
from croupier.audit.records.replay_document import Replay, RoundShown
from croupier.audit.round_proof import SUFFIX
from croupier.facts.errors import Unavailable, Unreadable
from croupier.server.http.admin_routes import IT_WAITS, shown_act
from croupier.server.http.api import (
    NOES,
    PRIVATE,
    AnyRequest,
    login_of,
    not_found,
    pit_of,
    refuse_elsewhere,
    table_of,
    token_of,
    viewer_of,
    with_right,
)
from croupier.server.http.table_socket import answer
from croupier.server.pit.frames import Frame
from croupier.server.pit.messages import STATUS, Ask, Forbidden, Reply, known_id
from croupier.server.pit.pit import Pit
from croupier.server.pit.table_summary import TableSummary, shown_table
from croupier.server.pit.waiting_acts import WaitingAct
from croupier.table.powers import Actor
from croupier.table.views import Viewer

RoundNumber = Annotated[int, PathParameter(ge=1, le=2**31)]


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission as an operator files it; its own table id where no name is given.

    Tables that name the same link share its meters; without one a table has its own. A table for
    ``training`` is worked by hand: cards inspected, shuffled, cut and counted as they are filed.
    """

    submission: str
    name: Annotated[str, Meta(max_length=100)] = ""
    link: Annotated[str, Meta(max_length=100)] = ""
    training: bool = False


class TableRoutes(Controller):
    path = "/api/tables"
    tags = ("tables",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[TableSummary]:
        """Every table of the pit; for everybody."""
        return await pit_of(request).shown()

    @post(
        "/",
        status_code=201,
        responses={
            **NOES,
            201: ResponseSpec(TableSummary, generate_examples=False),
            202: IT_WAITS,
        },
    )
    async def install(self, request: AnyRequest, data: JSONBody[NewTable]) -> Response[Any]:
        """Bring in a table by its rules submission; a real one waits for a second person where the
        policy wants two."""
        login, pit = with_right(request, "tables"), pit_of(request)
        pit.gate()
        by = Actor(login.name, login.role)
        begun = partial(pit.begin_table, data.submission, by, data.name, data.link)
        made = await asyncio.to_thread(begun, training=data.training)
        if isinstance(made, WaitingAct):
            return Response(shown_act(made), status_code=202)
        made.start()
        return Response(shown_table(made.kept), status_code=201)

    @get(
        "/{name:str}",
        media_type=MediaType.JSON,
        responses={**NOES, 200: ResponseSpec(Frame, generate_examples=False)},
    )
    async def look(self, request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
        """The table as who is logged in may see it; without a login as the public may."""
        login = login_of(request) if token_of(request) else None
        table = table_of(request, name)
        frame = await pit_of(request).look(table.name, viewer_of(request, login, name))
        return Response(frame, media_type=MediaType.JSON)

    @post("/{name:str}/commands", status_code=200, responses=NOES)
    async def ask(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[Ask]
    ) -> Response[Reply]:
        """Give a command, in your own name and role.

        The same id again gets the first answer; the same id with other words is an error. With
        ``seen``, the version you saw, a command for an older table is stale and does nothing.
        """
        login, table = login_of(request), table_of(request, name)
        told = await answer(request, lambda: known_id(data), table, login)
        headers = {"Retry-After": str(told.wait_s)} if told.wait_s else {}
        return Response(told, status_code=STATUS[told.outcome], headers=headers)

    @get("/{name:str}/rounds", responses=NOES)
    async def rounds(self, request: AnyRequest, name: FromPath[str]) -> list[RoundShown]:
        """The last fifty rounds and the one that is played now, the newest first."""
        refuse_elsewhere(request, with_right(request, "recall"), name)
        table = table_of(request, name)
        return await asyncio.to_thread(pit_of(request).recall(table.name).rounds)

    @get("/{name:str}/rounds/{number:int}", responses=NOES)
    async def replay(self, request: AnyRequest, name: FromPath[str], number: RoundNumber) -> Replay:
        """A round told again, marked as a replay: every card as you saw it, and no other.

        A player is told the rounds that he had a box in.
        """
        login = with_right(request, "recall")
        refuse_elsewhere(request, login, name)
        viewer = viewer_of(request, login, name)
        recall = pit_of(request).recall(table_of(request, name).name)
        with not_found():
            kept = await asyncio.to_thread(recall.kept, number)
        try:
            return await asyncio.to_thread(recall.replay, kept, viewer)
        except Unreadable as error:
            raise Forbidden(str(error)) from None

    @get("/{name:str}/disputes/{number:int}", responses=NOES)
    async def dispute(
        self, request: AnyRequest, name: FromPath[str], number: RoundNumber
    ) -> Response[bytes]:
        """The evidence of a case as one file: what was wagered, dealt, decided, due and paid by
        clause, every event with its time and line, and the proof of the round once it is over. For
        the floor, surveillance and auditors."""
        login, pit = with_right(request, "recall"), pit_of(request)
        refuse_elsewhere(request, login, name)
        if login.access.sees not in ("floorperson", "manager", "surveillance"):
            raise Forbidden("a case is looked into by the floor and by surveillance")
        table = table_of(request, name).name
        with not_found():
            viewer = viewer_of(request, login, name)
            made = await asyncio.to_thread(_evidence, pit, table, number, viewer)
        attached = f'attachment; filename="{quote(table, safe="")}-dispute-{number}{EVIDENCE}"'
        return Response(made, media_type=MediaType.JSON, headers={"Content-Disposition": attached})

    @get("/{name:str}/rounds/{number:int}/proof", responses=NOES, media_type=MediaType.JSON)
    async def proof(
        self, request: AnyRequest, name: FromPath[str], number: RoundNumber
    ) -> Response[bytes]:
        """A round that is over as one file, which `croupier verify` and others check without this
        service; a player has those of the rounds that he had a box in.
        """
        login = with_right(request, "recall")
        refuse_elsewhere(request, login, name)
        pit, table = pit_of(request), table_of(request, name).name
        viewer = viewer_of(request, login, name)
        with not_found():
            made = await asyncio.to_thread(pit.log.proof, table, number, viewer)
        attached = f'attachment; filename="{quote(table, safe="")}-{number}{SUFFIX}"'
        return Response(made, media_type=MediaType.JSON, headers={"Content-Disposition": attached})


def _evidence(pit: Pit, table: str, number: int, viewer: Viewer) -> bytes:
    """A round that is not over has no proof yet, and its case is looked into all the same."""
    case = dispute_of(pit.ledger, table, number)
    kept = pit.recall(table).ever(case.round)
    proof = b""
    if kept.is_over:
        with suppress(Unavailable):
            proof = pit.log.proof(table, case.round, viewer)
    return written_evidence(dispute_evidence(pit.ledger, table, number, kept, viewer, proof))
