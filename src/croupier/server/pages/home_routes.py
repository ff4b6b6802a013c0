"""The pages of an evening at home: guests give a name and are in, the host looks after them.

Nobody has a password. A browser keeps what lets it in again, so that whoever lost the line, or
whose host started the service anew, is back at his box.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from litestar import Litestar, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from msgspec import Meta

from croupier.facts.errors import Unreadable
from croupier.server.access.home_links import DEALER, HOST, HOUSE, HomeLinks, is_code
from croupier.server.access.logins import LIVES_US, SECOND, Login, NotAdmitted
from croupier.server.access.people import SYSTEM, fit_name
from croupier.server.http.api import (
    AnyConnection,
    AnyRequest,
    address_of,
    login_of,
    refuse_foreign,
)
from croupier.server.http.login_routes import spend_password
from croupier.server.http.table_socket import sockets_of
from croupier.server.pages.link_code import QrLink, qr_link
from croupier.server.pages.renderer import SORRY, page
from croupier.server.pit.home_dealer import HomeDealer
from croupier.server.pit.messages import Forbidden, NotHere
from croupier.server.pit.pit import Pit
from croupier.server.pit.table_actor import TableActor

GUEST, HOST_KEY = "croupier-guest", "croupier-host"
OF_THE_HOUSE = ("floorperson", "manager", *map(str.casefold, HOUSE))
MOST_GUESTS, PASSWORD_BYTES = 200, 24
LOOKS_AGAIN_S = 0.5


class GuestName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=1000)]


class GuestShown(msgspec.Struct, frozen=True):
    name: str
    box: str
    removed: bool


class HomeEvening:
    """The links, the guests, and a dealer for each table that is played in this process."""

    def __init__(self, pit: Pit) -> None:
        self.pit, self.links = pit, HomeLinks(pit.ring)
        self._dealers: dict[TableActor, asyncio.Task[None]] = {}

    async def deal(self) -> None:
        """A dealer at every table that is, or comes to be, played here."""
        try:
            while True:
                actors = set(self.pit.actors.values())
                for gone in self._dealers.keys() - actors:
                    self._dealers.pop(gone).cancel()
                for actor in actors:
                    if actor not in self._dealers or self._dealers[actor].done():
                        dealer = HomeDealer(actor, self._is_removed)
                        self._dealers[actor] = asyncio.ensure_future(dealer.run())
                await asyncio.sleep(LOOKS_AGAIN_S)
        finally:
            for dealing in self._dealers.values():
                dealing.cancel()

    # Who is here

    def _is_removed(self, name: str) -> bool:
        person = self.pit.people.known.get(name)
        return person is not None and person.barred

    def welcome(self, said: str, address: str) -> tuple[Login, str]:
        """A new guest, and what lets his browser in again."""
        name, people = fit_name(said), self.pit.people
        if name.casefold() in OF_THE_HOUSE:
            raise Unreadable(f"{name} is somebody of the house; take another name")
        if len(people.known) >= MOST_GUESTS:
            raise Unreadable(f"{MOST_GUESTS} names are known here, and no more are taken")
        if name.casefold() in map(str.casefold, people.known):
            raise Unreadable(
                f"there is somebody called {name} already; take another name or, if that is you, "
                "ask your host for your way back in"
            )
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        people.add(name, "player", password, SYSTEM)
        return self.pit.logins.enter(name, password, address), f"{password}.{name}"

    def return_code(self, name: str) -> str:
        """What lets this guest in once, whatever his browser has lost."""
        person = self.pit.people.person(name)
        if person.role != "player" or person.barred:
            raise Forbidden(f"{name} is no guest here, or was sent away")
        return self.links.return_code(name, person.password)

    def welcome_back(self, name: str, address: str) -> tuple[Login, str]:
        """The same guest at another browser: the one before is let in no more."""
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        self.pit.people.change_password(name, password, SYSTEM)
        self.pit.logins.end_of(name)
        self.pit.logins.forgive(name)
        return self.pit.logins.enter(name, password, address), f"{password}.{name}"

    def again(self, kept: str, address: str) -> Login:
        """The guest whose browser kept this."""
        password, _, name = kept.partition(".")
        return self.pit.logins.enter(name, password, address)

    def staff(self, name: str, address: str) -> Login:
        return self.pit.logins.enter(name, self.links.password(name), address)

    async def guests(self) -> list[GuestShown]:
        seats = [
            (player, f"{table.name}, box {box}")
            for table in await self.pit.shown()
            for box, player in table.seats.items()
        ]
        return [
            GuestShown(one.name, next((at for who, at in seats if who == one.name), ""), one.barred)
            for one in self.pit.people.known.values()
            if one.role == "player"
        ]


@asynccontextmanager
async def evening(app: Litestar) -> AsyncIterator[None]:
    """What a service for guests keeps while it runs."""
    app.state.home = HomeEvening(app.state.pit)
    dealing = asyncio.ensure_future(app.state.home.deal())
    try:
        yield
    finally:
        dealing.cancel()


def home_of(connection: AnyConnection) -> HomeEvening | None:
    """The evening at home, where this is one."""
    home: HomeEvening | None = connection.app.state.get("home")
    return home


async def let_in_again(request: AnyRequest) -> Login | None:
    """Who this browser let in before: a guest, or the host; nobody where it kept nothing good."""
    home = home_of(request)
    if home is None:
        return None
    refuse_foreign(request)
    address = address_of(request)
    try:
        if kept := request.cookies.get(GUEST, ""):
            kept = msgspec.json.decode(bytes.fromhex(kept), type=str)
            return await home.pit.with_password(home.again, kept, address)
        if is_code(request.cookies.get(HOST_KEY, ""), home.links.host_code):
            return await home.pit.with_password(home.staff, HOST, address)
    except (NotAdmitted, ValueError, msgspec.DecodeError):
        return None
    return None


def cookie_of(request: AnyRequest, name: str, value: str) -> Cookie:
    """A cookie that outlives the browser's window: a phone forgets windows."""
    return Cookie(
        name,
        value=value,
        httponly=True,
        samesite="strict",
        path="/",
        secure=request.url.scheme == "https",
        max_age=LIVES_US // SECOND,
    )


def _open_home(request: AnyRequest, code: str, right: Callable[[HomeLinks], str]) -> HomeEvening:
    home = home_of(request)
    if home is None or not is_code(code, right(home.links)):
        raise NotHere("this link is not good here; ask your host for the one that is")
    return home


@get("/join/{code:str}", include_in_schema=False, exception_handlers=SORRY)
async def join_page(request: AnyRequest, code: FromPath[str]) -> Response[Any]:
    _open_home(request, code, lambda links: links.guest_code)
    try:
        login_of(request)
        return Redirect("/")
    except NotAdmitted:
        return page("join", code=code)


@post("/join/{code:str}", status_code=200, include_in_schema=False, guards=[spend_password])
async def join(
    request: AnyRequest, code: FromPath[str], data: JSONBody[GuestName]
) -> Response[dict[str, str]]:
    """A name is enough: the link says that he is invited."""
    refuse_foreign(request)
    home = _open_home(request, code, lambda links: links.guest_code)
    login, kept = await home.pit.with_password(home.welcome, data.name, address_of(request))
    return _let_in(request, home, login, kept)


def _let_in(
    request: AnyRequest, home: HomeEvening, login: Login, kept: str
) -> Response[dict[str, str]]:
    # A name may have letters that a cookie may not.
    keeps = cookie_of(request, GUEST, msgspec.json.encode(kept).hex())
    cookies = [cookie_of(request, home.pit.cookie, login.token), keeps]
    return Response({"outcome": "done"}, cookies=cookies)


def _returns(request: AnyRequest, name: str, code: str) -> HomeEvening:
    home = home_of(request)
    if home is None or not _is_expected(home, name, code):
        raise NotHere("this link was used before, or is none of ours; ask your host for another")
    return home


def _is_expected(home: HomeEvening, name: str, code: str) -> bool:
    try:
        return is_code(code, home.return_code(name))
    except (Unreadable, Forbidden):
        return False


@get("/back/{name:str}/{code:str}", include_in_schema=False, exception_handlers=SORRY)
async def back_page(request: AnyRequest, name: FromPath[str], code: FromPath[str]) -> Response[Any]:
    """Nothing changes before somebody says that he comes: who only looks at a link spends none."""
    _returns(request, name, code)
    return page("back", name=name)


@post(
    "/back/{name:str}/{code:str}",
    status_code=200,
    include_in_schema=False,
    guards=[spend_password],
)
async def come_back(
    request: AnyRequest, name: FromPath[str], code: FromPath[str]
) -> Response[dict[str, str]]:
    refuse_foreign(request)
    home = _returns(request, name, code)
    login, kept = await home.pit.with_password(home.welcome_back, name, address_of(request))
    await sockets_of(request).close_ended(home.pit.logins)
    return _let_in(request, home, login, kept)


@get(["/host", "/host/{code:str}"], include_in_schema=False, exception_handlers=SORRY)
async def host_page(request: AnyRequest, code: FromPath[str] = "") -> Response[Any]:
    """The host's own page, by his link and from then on without it."""
    kept = code or request.cookies.get(HOST_KEY, "")
    home = _open_home(request, kept, lambda links: links.host_code)
    login = await home.pit.with_password(home.staff, HOST, address_of(request))
    cookies = [
        cookie_of(request, home.pit.cookie, login.token),
        cookie_of(request, HOST_KEY, home.links.host_code),
    ]
    if code:
        return Redirect("/host", cookies=cookies)
    guest_code = home.links.guest_code
    picture = qr_link(f"{_door(request)}/join/{guest_code}").picture
    answer = page("host", me=login, tables=list(home.pit.tables), code=guest_code, picture=picture)
    answer.cookies = cookies
    return answer


@get("/host/guests", include_in_schema=False)
async def guests(request: AnyRequest) -> list[GuestShown]:
    return await _hosted(request).guests()


@post("/host/guests/{name:str}/removal", status_code=200, include_in_schema=False)
async def remove(request: AnyRequest, name: FromPath[str]) -> list[GuestShown]:
    """Send a guest away: his pages close at once, his box is freed when his round is over, and his
    chips are kept for him."""
    home = _hosted(request)
    if home.pit.people.person(name).role != "player":
        raise Forbidden("the house is not sent away")
    await asyncio.to_thread(home.pit.people.bar, name, True, HOST)
    await asyncio.to_thread(home.pit.logins.end_of, name)
    await sockets_of(request).close_ended(home.pit.logins)
    for actor in home.pit.actors.values():
        actor.notify_viewers()  # the dealers among them look again
    return await home.guests()


@post("/host/guests/{name:str}/return", status_code=200, include_in_schema=False)
async def lead_back(request: AnyRequest, name: FromPath[str]) -> QrLink:
    """A link for a guest who lost what his browser kept."""
    code = _hosted(request).return_code(name)
    return qr_link(f"{_door(request)}/back/{quote(name, safe='')}/{code}")


@post("/host/console", status_code=200, include_in_schema=False)
async def take_console(request: AnyRequest) -> Response[dict[str, str]]:
    """This browser is the dealer's from now on; the host's page makes it the host's again."""
    home = _hosted(request)
    login = await home.pit.with_password(home.staff, DEALER, address_of(request))
    token = cookie_of(request, home.pit.cookie, login.token)
    return Response({"outcome": "done"}, cookies=[token])


def _door(request: AnyRequest) -> str:
    """Where the host himself came in: his guests' devices do too."""
    return str(request.base_url).rstrip("/")


def _hosted(request: AnyRequest) -> HomeEvening:
    home, login = home_of(request), login_of(request)
    if home is None or login.name != HOST:
        raise Forbidden("that is for the host")
    return home


HANDLERS = (
    join_page,
    join,
    back_page,
    come_back,
    host_page,
    guests,
    remove,
    lead_back,
    take_console,
)
