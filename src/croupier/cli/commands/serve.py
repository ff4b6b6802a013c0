"""``croupier serve``: the pit as a service, for players, dealers, floor and surveillance."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import uvicorn
from cyclopts import Parameter
from litestar import Litestar

from croupier.cli.book_choice import named_submission
from croupier.cli.files import new_key_place, submission_in, warn_together
from croupier.cli.progress_bar import counting
from croupier.cli.qr_code import show_qr_code
from croupier.cli.screen import Screen
from croupier.cli.service import Server, network_address
from croupier.extras import POSTGRESQL, require
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.shoe.key_ring import ENVIRONMENT, KeyRing, create_ring, read_ring, ring_of
from croupier.ledger.store.address import is_postgresql, open_ledger, sqlite_path
from croupier.ledger.store.file_lock import service_lock
from croupier.ledger.store.port import Ledger
from croupier.practice.table import data_home, keys_home
from croupier.server.access.console_admin import Setup
from croupier.server.access.home_links import HomeLinks
from croupier.server.app import make_app
from croupier.server.http.connections import ConnectionRegister
from croupier.server.http.rate_limit import Admission
from croupier.server.log_format import set_up_logs
from croupier.server.pages import home_routes, live_routes
from croupier.server.pages.practice_folder import refuse_other_folder
from croupier.server.pit.messages import MOST_BYTES
from croupier.server.pit.pit import Pit, training_name
from croupier.server.pit.shared_pit import SharedPit
from croupier.server.settings import EVERYWHERE, Settings, reached_at, settings
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission
from croupier.submission.toml_writer import write_submission
from croupier.table.powers import Preset

STOP_WITHIN_S = 5
SWITCH_S = 0.0005
GC_THRESHOLDS = (20_000, 20, 100)
OTHER_FILES = 200  # beside connections: the ledger, templates, what a library opens

Named = dict[str, tuple[Submission, bool]]  # tables by name, and whether each is for training


def serve(
    submissions: tuple[Path, ...] = (),
    /,
    *,
    training: tuple[str, ...] = (),
    home: Annotated[bool, Parameter(negative="")] = False,
    policy: Preset | None = None,
    staff_codes: Annotated[bool, Parameter(negative="")] = False,
    ledger: str | None = None,
    keys: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    config: Path | None = None,
    practice: Path | None = None,
    log_json: Annotated[bool, Parameter(negative="")] = False,
    keys_lost: Annotated[bool, Parameter(negative="")] = False,
    new_administrator: Annotated[bool, Parameter(negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Run a pit: live tables, on a ledger that loses nothing.

    The first start makes ledger, key and one table for each game, and shows a code with which you
    make yourself the administrator. Ctrl-C stops it. On PostgreSQL several share a pit.

    For example:

        croupier serve --home

        croupier serve my-table.toml --training UTH-S --ledger pit.db --port 8080

    Parameters
    ----------
    submissions
        Rules submissions of tables to open, where the ledger does not have them yet.
    training
        A rules submission or a rulebook's id: a table where cards are worked by hand; repeatable.
    home
        For friends: guests come by one link, and cards are dealt by themselves (docs/playing.md).
    policy
        Who may do what alone, kept from the first start on: casino (two people behind voids,
        refused wins, large sums, new staff and the like) or home (one, and each act is marked).
    staff_codes
        Staff give a one-time code of an app beside their password; once asked for, for good.
    ledger
        A file or a postgresql:// address; without it pit.db in your data folder.
    keys
        The file with the keys that seal the shoes; without it one in your configuration folder.
    host
        The address to listen on; without it this machine alone (127.0.0.1).
    port
        The port; without it 8000.
    config
        A TOML file with these and the other settings.
    practice
        The folder that make demo built: a practice room with the coach beside the live tables.
    log_json
        Tell every command and every access as a line of JSON on standard error.
    keys_lost
        The keys of a round in progress are lost for good: void it, and return every wager.
    new_administrator
        Show a setup code again: for a new administrator, or a new password of one.
    """
    said = {"ledger": ledger, "keys": str(keys) if keys else None, "host": host, "port": port}
    said |= {"policy": policy, "staff_codes": staff_codes or None, "home": home or None}
    beside = {"log": "json" if log_json else None, "practice": str(practice) if practice else None}
    chosen = settings(config, said | beside)
    files = (*submissions, *map(Path, chosen.submissions))
    named = _named(files, (*training, *chosen.training), registry)
    _serve(chosen, registry, named, keys_lost, new_administrator)
    return 0


def _serve(
    chosen: Settings, registry: Registry, named: Named, keys_lost: bool, new_administrator: bool
) -> None:
    refuse_other_folder(chosen.practice)
    set_up_logs(as_json=chosen.log == "json")
    address = chosen.ledger or str(_own_place("home.db" if chosen.home else "pit.db"))
    with nullcontext() if is_postgresql(address) else service_lock(sqlite_path(address)):
        with counting("opening the pit"):
            pit = _open_pit(chosen, address, registry, keys_lost)
            _bring_in(pit, named)
            if chosen.home:
                HomeLinks(pit.ring).hire(pit.people)
        _run(_server(chosen, pit, new_administrator), chosen)


def _run(server: Server, chosen: Settings) -> None:
    """Until it is told to stop; what keeps it from starting is one sentence."""
    # One thread talks and one writes: neither keeps the other waiting for long.
    sys.setswitchinterval(SWITCH_S)
    _allow_files(chosen.connections + OTHER_FILES)
    try:
        server.run()
    except OSError as error:
        raise Unavailable(
            f"the certificate or its key cannot be used: {error.strerror or error}"
        ) from None
    except SystemExit:
        pass  # how uvicorn says that it did not start
    if not server.started:
        raise Unavailable(f"the service cannot listen on {chosen.host}:{chosen.port}")


def _allow_files(most: int) -> None:
    """Each connection is a file to the system, which may allow fewer than there may be."""
    if sys.platform == "win32":
        return
    import resource

    now, at_most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now < most:
        allowed = most if at_most == resource.RLIM_INFINITY else min(most, at_most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, allowed), at_most))


def _server(chosen: Settings, pit: Pit, new_code: bool) -> Server:
    def opened(pit: Pit, setup: Setup) -> None:
        server.greet = partial(_greet, chosen, pit, setup)
        _calm_garbage_collector()

    protocols = ConnectionRegister(chosen).protocols()
    server = Server(
        uvicorn.Config(
            Admission(_app(pit, opened, new_code)),
            host=chosen.host,
            port=chosen.port,
            ssl_certfile=chosen.certificate or None,
            ssl_keyfile=chosen.private_key or None,
            proxy_headers=bool(chosen.proxies),
            forwarded_allow_ips=chosen.proxies,
            http=protocols.http,
            ws=protocols.websocket,
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,  # a view is small, and packing it costs more than sending
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=STOP_WITHIN_S,
        )
    )
    server.leave = pit.leave
    return server


def _app(pit: Pit, opened: Callable[[Pit, Setup], None], new_code: bool) -> Litestar:
    """The service with its pages; for guests at home with theirs, and somebody who deals."""
    at_home = pit.chosen.home
    pages = (*live_routes.HANDLERS, *(home_routes.HANDLERS if at_home else ()))
    beside = [home_routes.evening] if at_home else []
    return make_app(lambda: pit, opened, pages, beside, new_code=new_code)


def _calm_garbage_collector() -> None:
    """Rules and tables stay as long as the service: no collection has to look at them, and little
    of what a command leaves behind needs one at all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _greet(chosen: Settings, pit: Pit, setup: Setup) -> None:
    console = Screen(stderr=True, highlight=False)
    scheme = "https" if chosen.certificate else "http"
    address = f"{scheme}://{chosen.host}:{chosen.port}"
    if chosen.host in EVERYWHERE:
        address = f"{scheme}://localhost:{chosen.port} and every other address of this machine"
    tables = f"{len(pit.tables)} tables" if len(pit.tables) != 1 else "1 table"
    console.print(f"{tables} at {address}: {', '.join(pit.tables)}", soft_wrap=True)
    changed = pit.program.shown().changed
    if changed:
        console.print(f"The program has changed ({', '.join(changed)}): a manager must accept it.")
    if chosen.home:
        _invite(console, chosen, HomeLinks(pit.ring))
    if setup.code:
        nobody = "" if pit.people.known else "No accounts yet. "
        console.print(f"{nobody}Your setup code: {setup.code}")


def _invite(console: Screen, chosen: Settings, links: HomeLinks) -> None:
    """The link for guests, with its code for a camera, and the host's own."""
    scheme = "https" if chosen.certificate else "http"
    host = network_address() if chosen.host in EVERYWHERE else chosen.host
    door = f"{scheme}://{host}:{chosen.port}"
    invitation = f"{door}/join/{links.guest_code}"
    console.print(f"Guests come in here: {invitation}", soft_wrap=True)
    show_qr_code(console, invitation)
    console.print(f"You are the host here: {door}/host/{links.host_code}", soft_wrap=True)
    console.print("Ctrl-C ends the evening.")


def _named(files: Iterable[Path], training: Iterable[str], registry: Registry) -> Named:
    filed = [submission_in(file, registry) for file in files]
    trained = [named_submission(name, registry) for name in training]
    named = {submission.table: (submission, False) for submission in filed}
    return named | {training_name(submission): (submission, True) for submission in trained}


def _open_pit(chosen: Settings, address: str, registry: Registry, keys_lost: bool) -> Pit:
    if is_postgresql(address):
        require(POSTGRESQL)
        from croupier.ledger.store.shared_postgres import SharedLedger

        ring = _named_ring(chosen)
        if ring is None:
            raise Unreadable(
                f"a ledger on a server needs its keys named: --keys FILE, or {ENVIRONMENT}"
            )
        shared = SharedLedger(address, reached_at(chosen), chosen.silence_seconds)
        return SharedPit(shared, registry, ring, chosen, keys_are_lost=keys_lost)
    ledger = open_ledger(address, create=True)
    ring = _named_ring(chosen) or _own_ring(sqlite_path(address), ledger)
    if chosen.keys:
        warn_together(Path(chosen.keys), sqlite_path(address))
    return Pit(ledger, registry, ring, chosen, keys_are_lost=keys_lost)


def _bring_in(pit: Pit, named: Named) -> None:
    """The tables that were named and are not there; where nobody named any, one of each game."""
    if not pit.tables and not named:
        registry = pit.registry
        games = filter(registry.books_of, registry.games)  # not one whose books cannot be read
        newest = [registry.newest(game).id for game in games]
        named = {table.table: (table, False) for table in map(shipped_submission, newest)}
    for name, (submission, training) in named.items():
        if name not in pit.tables:
            _install(pit, submission, name, training)


def _install(pit: Pit, submission: Submission, name: str, training: bool) -> None:
    """Of processes that start together on an empty ledger one brings in each table."""
    try:
        pit.install(write_submission(submission), by="croupier", name=name, training=training)
    except (Unavailable, Unreadable):
        if not pit.is_brought_in(name):
            raise


def _own_place(name: str) -> Path:
    place = data_home() / name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"{place.parent}: no folder can be made here: {error.strerror}") from None
    return place


def _named_ring(chosen: Settings) -> KeyRing | None:
    """The keys named, or those of the environment."""
    if chosen.keys:
        return read_ring(Path(chosen.keys))
    return ring_of(None) if os.environ.get(ENVIRONMENT) else None


def _own_ring(file: Path, ledger: Ledger) -> KeyRing:
    """The keys of a ledger file, in a folder of their own by the ledger's id; those that lie
    beside it are used, and told to be moved."""
    beside = Path(f"{file}.keys")
    if beside.exists():
        warn_together(beside, file)
        return read_ring(beside)
    place = new_key_place(keys_home() / "keys" / f"{ledger.id}.json")
    return read_ring(place) if place.exists() else create_ring(place)
