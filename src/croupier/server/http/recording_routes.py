"""Rounds found by who, where, when, how much and what came of them; for surveillance."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from croupier.ledger.recordings.index import MOST
from croupier.ledger.recordings.query import query_of
from croupier.server.http.api import NOES, PRIVATE, AnyRequest, pit_of, with_right
from croupier.server.pit.messages import Forbidden
from croupier.server.pit.recordings import RecordingsFound

Said = Annotated[str, QueryParameter(max_length=100)]


class RecordingRoutes(Controller):
    path = "/api/recordings"
    tags = ("tables",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def find(
        self,
        request: AnyRequest,
        player: Said = "",
        table: Said = "",
        since: Said = "",
        until: Said = "",
        least: Said = "",
        most: Said = "",
        hand: Said = "",
        wager: Said = "",
        irregularity: Said = "",
        outcome: Said = "",
        rows: Annotated[int, QueryParameter(ge=1, le=MOST)] = 100,
    ) -> RecordingsFound:
        """Boxes of rounds that are over, the newest first. Times as ``2027-01-15 21:30``, sums as
        ``$500``; what is not said does not matter."""
        login, pit = with_right(request, "recall"), pit_of(request)
        if login.access.sees != "surveillance":
            raise Forbidden("recordings are looked for by surveillance and auditors")
        said = {"player": player, "table": table, "since": since, "until": until, "least": least}
        said |= {"most": most, "hand": hand, "wager": wager, "irregularity": irregularity}
        query = query_of(said | {"outcome": outcome}, pit.registry, pit.tables, rows)
        found = await pit.recordings.find(query)
        mine = [one for one in found.found if not pit.policy.why_not_here(login, one.table_name)]
        return RecordingsFound(tuple(mine), found.behind)
