"""HTTP routes of logins: session cookies, the first administrator, people and their roles."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, HeaderParameter, JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from croupier.facts.errors import Unreadable
from croupier.facts.names import known_names
from croupier.server.access.logins import AccessLine, Login
from croupier.server.access.one_time_code import Enrolment
from croupier.server.access.people import (
    PasswordChanged,
    Person,
    PersonAdded,
    RoleChanged,
    Tables,
    WaitingChange,
    fit_name,
)
from croupier.server.http.api import (
    NOES,
    PRIVATE,
    AnyConnection,
    AnyRequest,
    address_of,
    login_of,
    not_found,
    pit_of,
    refuse_foreign,
    token_of,
    with_right,
)
from croupier.server.http.table_socket import sockets_of
from croupier.server.pit.pit import Pit
from croupier.table.powers import PitRole

MOST_LINES = 1000
MARK_LETTERS = 16
LoginMark = Annotated[str, PathParameter(min_length=MARK_LETTERS, max_length=64)]
Password = Annotated[str, Meta(max_length=1000)]
LoginName = Annotated[str, Meta(max_length=1000)]
SomeTables = (
    Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(max_length=1000)] | None
)


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: LoginName
    password: Password


class LoginForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With the one-time ``code`` of who has set one up."""

    name: LoginName
    password: Password
    code: Annotated[str, Meta(max_length=20)] = ""


class Unlocking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Password


class OwnPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: LoginName
    role: PitRole
    password: Password
    tables: SomeTables = None


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: PitRole


class NewTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables that somebody works at; null for all."""

    tables: SomeTables


class SecondWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    upheld: bool


class Admitted(msgspec.Struct, frozen=True):
    """Who you are now; the token is for clients that send it themselves, not by a cookie."""

    name: str
    role: PitRole
    token: str


class PersonShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """``code``: he has what makes one-time codes. ``waits``: what was asked for waits for a second
    person."""

    name: str
    role: PitRole
    barred: bool
    tables: Tables = None
    code: bool = False
    code_required: bool = False
    waits: bool = False


class WaitingShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """``change`` is the stored name of what shall happen to ``name``; ``by`` began it at
    ``at_us``, a device by typing a right code of it."""

    name: str
    change: str
    by: str
    at_us: int
    role: PitRole | None = None
    tables: Tables = None


class LoginShown(msgspec.Struct, frozen=True):
    """``mark`` names it, and opens nothing; ``touched_us``: when its person last did something."""

    mark: str
    name: str
    role: PitRole
    address: str
    since_us: int
    touched_us: int
    locked: bool
    yours: bool


async def spend_password(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    pit_of(connection).budgets.password(address_of(connection))


class EntranceRoutes(Controller):
    """Where passwords are given; nobody may try often."""

    path = "/api"
    tags = ("door",)
    response_headers = PRIVATE
    guards = (spend_password,)

    @post("/login", status_code=200, responses=NOES)
    async def enter(self, request: AnyRequest, data: JSONBody[LoginForm]) -> Response[Admitted]:
        """Log in. Send the token as ``Authorization: Bearer TOKEN``; browsers get it as a cookie.

        After three wrong passwords or codes the name is locked out for 15 minutes.
        """
        refuse_foreign(request)
        logins = pit_of(request).logins
        login = await pit_of(request).with_password(
            logins.enter, data.name, data.password, address_of(request), data.code
        )
        return _admitted(request, login)

    @post("/enrolment", status_code=201, responses=NOES)
    async def enrol(self, request: AnyRequest, data: JSONBody[Credentials]) -> Enrolment:
        """A secret for your one-time codes, shown this once; log in with a code of it, and from
        then on a code is asked for."""
        refuse_foreign(request)
        pit = pit_of(request)
        return await pit.with_password(
            pit.logins.enrol, data.name, data.password, address_of(request)
        )

    @post("/unlock", status_code=200, responses=NOES)
    async def unlock(self, request: AnyRequest, data: JSONBody[Unlocking]) -> Response[Admitted]:
        """Go on at a terminal that has locked itself; it gets a new token."""
        logins, token = pit_of(request).logins, token_of(request)
        login = await pit_of(request).with_password(logins.unlock, token, data.password)
        return _admitted(request, login)

    @post("/setup", status_code=201, responses=NOES)
    async def set_up(
        self,
        request: AnyRequest,
        data: JSONBody[Credentials],
        code: Annotated[str, HeaderParameter(name="X-Setup-Code", max_length=100)],
    ) -> PersonShown:
        """Make the first administrator, with the code on the console of the service."""
        refuse_foreign(request)
        setup = request.app.state.setup
        person = await pit_of(request).with_password(
            setup.first_administrator, data.name, data.password, code
        )
        await asyncio.to_thread(pit_of(request).logins.pardon, person.name, address_of(request))
        return _shown(pit_of(request), person)

    @put("/me/password", status_code=204, responses=NOES)
    async def change_own(self, request: AnyRequest, data: JSONBody[OwnPassword]) -> None:
        """Change your own password; you stay logged in here, and nowhere else."""
        login, pit = login_of(request), pit_of(request)
        await pit.with_password(pit.logins.prove, login.name, data.old, address_of(request))
        await pit.with_password(pit.people.change_password, login.name, data.new, login.name)
        await asyncio.to_thread(pit.logins.pardon, login.name, address_of(request))
        await asyncio.to_thread(pit.logins.end_of, login.name, login.token)
        await sockets_of(request).close_ended(pit.logins)


class LoginRoutes(Controller):
    """Who is here."""

    path = "/api"
    tags = ("door",)
    response_headers = PRIVATE

    @post("/logout", status_code=204, responses=NOES)
    async def leave(self, request: AnyRequest) -> Response[None]:
        """Log out here; sockets opened under this login close."""
        pit = pit_of(request)
        await asyncio.to_thread(pit.logins.leave, token_of(request))
        await sockets_of(request).close_ended(pit.logins)
        gone = Response(content=None, status_code=204)
        gone.delete_cookie(pit.cookie)
        return gone

    @get("/me", responses=NOES)
    async def me(self, request: AnyRequest) -> PersonShown:
        """Who is logged in here."""
        login = login_of(request)
        return PersonShown(login.name, login.role, barred=False)

    @get("/access", responses=NOES)
    async def access(
        self, request: AnyRequest, most: Annotated[int, QueryParameter(ge=1, le=MOST_LINES)] = 100
    ) -> list[AccessLine]:
        """Who tried to come in, from where, and what came of it; the newest last."""
        with_right(request, "access")
        return await asyncio.to_thread(pit_of(request).logins.latest, most)

    @get("/logins", responses=NOES)
    async def logins(self, request: AnyRequest) -> list[LoginShown]:
        """Who is logged in now, from where and since when; the newest first."""
        mine = with_right(request, "people").mark
        return [
            LoginShown(
                one.mark[:MARK_LETTERS],
                one.name,
                one.role,
                one.address,
                one.since_us,
                one.touched_us,
                one.locked,
                one.mark == mine,
            )
            for one in pit_of(request).logins.open()
        ]

    @delete("/logins/{mark:str}", status_code=204, responses=NOES)
    async def end(self, request: AnyRequest, mark: LoginMark) -> None:
        """End one login: its sockets close at once, and its person may log in again."""
        with_right(request, "people")
        pit = pit_of(request)
        with not_found():
            await asyncio.to_thread(pit.logins.end, mark)
        await sockets_of(request).close_ended(pit.logins)


class StaffRoutes(Controller):
    """People and their roles; for the administrator."""

    path = "/api/people"
    tags = ("people",)
    response_headers = PRIVATE

    @get("/", responses=NOES)
    async def every(self, request: AnyRequest) -> list[PersonShown]:
        """Everybody who is known here."""
        with_right(request, "people")
        people = pit_of(request).people
        await asyncio.to_thread(people.refresh)
        return [_shown(pit_of(request), person) for person in people.known.values()]

    @post("/", status_code=201, responses=NOES)
    async def add(self, request: AnyRequest, data: JSONBody[NewPerson]) -> PersonShown:
        """Let somebody in, with one role, a first password and the tables of his work. Staff wait
        for a second person where the policy wants two."""
        login, pit = with_right(request, "people"), pit_of(request)
        tables = _known_tables(pit, data.tables)
        done = await pit.with_password(
            pit.people.add, data.name, data.role, data.password, login.name, tables
        )
        name = fit_name(data.name)
        if done:
            return _shown(pit, pit.people.person(name))
        return PersonShown(name, data.role, barred=False, tables=tables, waits=True)

    @get("/waiting", responses=NOES)
    async def waiting(self, request: AnyRequest) -> list[WaitingShown]:
        """What was begun and waits for a second person."""
        with_right(request, "second")
        people = pit_of(request).people
        await asyncio.to_thread(people.refresh)
        return [_awaited(one) for one in people.waiting.values()]

    @post("/{name:str}/second", status_code=200, responses=NOES)
    async def second(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[SecondWord]
    ) -> list[WaitingShown]:
        """The second person's word on what waits about somebody; what still waits."""
        login, pit = with_right(request, "second"), pit_of(request)
        waiting = pit.people.waiting.get(name)
        if data.upheld and waiting is not None and isinstance(waiting.change, RoleChanged):
            await _refuse_seated(pit, name)
        change = await asyncio.to_thread(pit.people.second, name, data.upheld, login.name)
        if isinstance(change, PasswordChanged) and data.upheld:
            await asyncio.to_thread(pit.logins.pardon, name, address_of(request))
        if not isinstance(change, PersonAdded):
            await self._ended(request, name, data.upheld)
        return [_awaited(one) for one in pit.people.waiting.values()]

    @put("/{name:str}/role", responses=NOES)
    async def change_role(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[NewRole]
    ) -> PersonShown:
        """Give somebody another role; not your own, and not while he has a box at a table."""
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        await _refuse_seated(pit, name)
        done = await asyncio.to_thread(pit.people.change_role, name, data.role, login.name)
        return await self._ended(request, name, done)

    @put("/{name:str}/tables", responses=NOES)
    async def change_tables(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[NewTables]
    ) -> PersonShown:
        """Say which tables somebody works at; it ends his logins."""
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        tables = _known_tables(pit, data.tables)
        done = await asyncio.to_thread(pit.people.change_tables, name, tables, login.name)
        return await self._ended(request, name, done)

    @put("/{name:str}/code", responses=NOES)
    async def require_code(self, request: AnyRequest, name: FromPath[str]) -> PersonShown:
        """Ask somebody for a one-time code from now on, for good; he sets it up when he comes in
        next."""
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        done = await asyncio.to_thread(pit.people.require_code, name, login.name)
        return await self._ended(request, name, done)

    @delete("/{name:str}/code", status_code=200, responses=NOES)
    async def forget_code(self, request: AnyRequest, name: FromPath[str]) -> PersonShown:
        """Forget what makes somebody's one-time codes; he sets it up anew when he comes in."""
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        done = await asyncio.to_thread(pit.people.forget_code, name, login.name)
        return await self._ended(request, name, done)

    @put("/{name:str}/password", responses=NOES)
    async def change_password(
        self, request: AnyRequest, name: FromPath[str], data: JSONBody[Unlocking]
    ) -> PersonShown:
        """Give somebody a new password; it ends his logins, and a lock-out."""
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        change = pit.people.change_password
        done = await pit.with_password(change, name, data.password, login.name)
        if done:
            await asyncio.to_thread(pit.logins.pardon, name, address_of(request))
        return await self._ended(request, name, done)

    @delete("/{name:str}", status_code=200, responses=NOES)
    async def bar(self, request: AnyRequest, name: FromPath[str]) -> PersonShown:
        """Bar somebody: his logins and sockets end at once; what he did stays in the ledger."""
        return await self._barred(request, name, barred=True)

    @post("/{name:str}/admission", status_code=200, responses=NOES)
    async def admit(self, request: AnyRequest, name: FromPath[str]) -> PersonShown:
        """Let somebody in again who was barred."""
        return await self._barred(request, name, barred=False)

    async def _barred(self, request: AnyRequest, name: str, *, barred: bool) -> PersonShown:
        login, pit = with_right(request, "people"), pit_of(request)
        await _known(pit, name)
        done = await asyncio.to_thread(pit.people.bar, name, barred, login.name)
        return await self._ended(request, name, done)

    async def _ended(self, request: AnyRequest, name: str, done: bool) -> PersonShown:
        """What somebody was admitted as no longer counts, where the change was done."""
        pit = pit_of(request)
        if done:
            await asyncio.to_thread(pit.logins.end_of, name)
            await sockets_of(request).close_ended(pit.logins)
        return _shown(pit, pit.people.person(name))


async def _known(pit: Pit, name: str) -> None:
    """Whatever other processes wrote of somebody is read; who is not there is not found."""
    with not_found():
        await asyncio.to_thread(pit.people.read_again, name)


async def _refuse_seated(pit: Pit, name: str) -> None:
    seats = await pit.seats_of(name)
    if seats:
        raise Unreadable(f"{name} has a box at table {seats[0]}, and leaves it first")


def _shown(pit: Pit, person: Person) -> PersonShown:
    return PersonShown(
        person.name,
        person.role,
        person.barred,
        person.tables,
        code=person.code is not None,
        code_required=pit.people.asks_code(person),
        waits=person.name in pit.people.waiting,
    )


def _awaited(waiting: WaitingChange) -> WaitingShown:
    change = waiting.change
    return WaitingShown(
        change.name,
        str(change.__struct_config__.tag),
        waiting.began.name,
        waiting.at_us,
        getattr(change, "role", None),
        getattr(change, "tables", None),
    )


def _known_tables(pit: Pit, tables: Tables) -> Tables:
    if tables is not None:
        known_names(tables, list(pit.tables), "table", where="this pit")
    return tables


def _admitted(request: AnyRequest, login: Login) -> Response[Admitted]:
    cookie = Cookie(
        pit_of(request).cookie,
        value=login.token,
        httponly=True,
        samesite="strict",
        path="/",
        secure=request.url.scheme == "https",
    )
    return Response(Admitted(login.name, login.role, login.token), cookies=[cookie])
