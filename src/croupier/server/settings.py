"""How a pit is run: settings from a file, then the environment, then the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from croupier.facts.errors import Unreadable
from croupier.facts.names import known_names
from croupier.facts.toml_text import NotToml, read_toml
from croupier.table.powers import Preset

PREFIX = "CROUPIER_"
OTHERS = ("CACHE",)  # what other parts of the program read
EVERYWHERE = ("0.0.0.0", "::", "")
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(ge=1, le=3600)]
Rate = Annotated[int, Meta(ge=1, le=100_000)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each means stands in `MEANINGS`, which `make pages` takes into docs/pit.md."""

    ledger: str = ""
    keys: str = ""
    submissions: tuple[str, ...] = ()
    training: tuple[str, ...] = ()
    home: bool = False
    practice: str = ""
    policy: Preset | Literal[""] = ""
    staff_codes: bool = False
    host: str = "127.0.0.1"
    port: Port = 8000
    address: str = ""
    silence_seconds: Annotated[float, Meta(ge=1, le=60)] = 5
    certificate: str = ""
    private_key: str = ""
    proxies: str = ""
    decision_seconds: Annotated[float, Meta(ge=0, le=3600)] = 45
    log: Literal["text", "json"] = "text"
    log_folder: str = ""
    commands_a_second: Rate = 20
    people_an_address: Rate = 50
    refusals_an_hour: Rate = 300
    logins_a_person: Rate = 20
    sockets_a_person: Rate = 20
    logins_a_minute: Rate = 30
    anonymous_requests_a_second: Rate = 50
    anonymous_sockets: Rate = 1000
    connections: Rate = 2000
    connections_an_address: Rate = 200
    analysis_seconds: Seconds = 600
    self_check: bool = True
    argon2_memory_kib: Annotated[int, Meta(ge=8, le=2**22)] = 65_536
    argon2_rounds: Annotated[int, Meta(ge=1, le=100)] = 3


MEANINGS = {
    "ledger": "a file or a `postgresql://` address; without it `pit.db` in your data folder",
    "keys": (
        "the file with the keys; without it `CROUPIER_KEYS`, or a file in your configuration "
        "folder, apart from the ledger"
    ),
    "submissions": "rules submissions of tables to open; in the environment separated as in `PATH`",
    "training": (
        "rules submissions, or ids of rulebooks for those that come with Croupier, of training "
        "tables to open"
    ),
    "home": (
        "tables for guests at home, who come by a link and have no passwords; an automatic dealer "
        "deals until somebody takes the console"
    ),
    "practice": (
        "a folder that `make demo` built: a practice room with the coach, in players' own browsers"
    ),
    "policy": (
        'who may do what alone: `"casino"` or `"home"`, chosen when a pit is set up (without it '
        "`casino`) and kept from then on"
    ),
    "staff_codes": (
        "whether staff give a one-time code (TOTP) beside the password; once asked for, for good"
    ),
    "host": 'the address to listen on: this machine alone; `"0.0.0.0"` for others',
    "port": "the port",
    "address": (
        'where other processes reach this one, such as `"http://10.0.0.5:8000"`; needed '
        "on PostgreSQL only where `host` listens everywhere"
    ),
    "silence_seconds": (
        "on PostgreSQL: how long a process may be silent before its tables go to another"
    ),
    "certificate": "a certificate file (PEM): the service speaks HTTPS itself",
    "private_key": "its private key, where that is a file of its own",
    "proxies": (
        "the proxies whose word on who asks is believed, such as `127.0.0.1`; without it none"
    ),
    "decision_seconds": "how long a box that is asked may think; 0: as long as it likes",
    "log": '`"text"` tells what somebody should see; `"json"` every command and access',
    "log_folder": (
        "a folder where checkpoints and tiles of the transparency log are written, to be published"
    ),
    "commands_a_second": (
        "how many commands one person may give, after a burst of two seconds; five times as many "
        "requests of other kinds"
    ),
    "people_an_address": (
        "how many people's commands, and how many who look on without a login, are taken from one "
        "address"
    ),
    "refusals_an_hour": "how many refused commands of one person are written down",
    "logins_a_person": "how many logins one person has at once; a further one ends the oldest",
    "sockets_a_person": "how many sockets one person has open at once",
    "logins_a_minute": "how many passwords may be tried from one address",
    "anonymous_requests_a_second": "how many requests without a login one address may make",
    "anonymous_sockets": "how many may look on at once without a login",
    "connections": "how many connections are open at once",
    "connections_an_address": "how many of them from one address; a proxy may have all",
    "analysis_seconds": "how long an analysis may take",
    "self_check": "whether the program's files are held against those that were accepted",
    "argon2_memory_kib": "what a password costs to check: memory",
    "argon2_rounds": "what a password costs to check: passes",
}

AT_HOME = Settings(
    decision_seconds=0,
    commands_a_second=1000,
    anonymous_requests_a_second=1000,
    refusals_an_hour=100_000,
    self_check=False,
)
"""For a pit that one person opens for himself: nobody hurries, nobody is checked."""


FOR_GUESTS = {"host": EVERYWHERE[0], "policy": "home", "self_check": False}
"""What a pit for guests at home is run with, where nothing else was said."""


def settings(
    file: Path | None, said: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> Settings:
    """What the command line says counts before the environment, and that before the file."""
    written = _in_file(file) if file is not None else {}
    known = {field: _from_environment(field, environment) for field in Settings.__struct_fields__}
    given = {key: value for key, value in known.items() if value is not None}
    chosen = {key: value for key, value in said.items() if value is not None}
    whole = {**written, **given, **chosen}
    made = _converted(whole)
    if made.home:
        made = _converted({**FOR_GUESTS, **whole})
        if made.policy != "home":
            raise Unreadable("guests at home play under the home policy; leave policy out")
    return made


def _converted(said: Mapping[str, Any]) -> Settings:
    try:
        return msgspec.convert(said, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise Unreadable(f"the settings: {error}") from None


def refuse_misspelt(environment: Mapping[str, str] = os.environ) -> None:
    """A variable that looks like a setting and is none would be ignored where it is relied on."""
    known = [PREFIX + name for name in (*map(str.upper, Settings.__struct_fields__), *OTHERS)]
    said = sorted(name for name in environment if name.startswith(PREFIX))
    known_names(said, known, "environment variable", where="Croupier")


def reached_at(chosen: Settings) -> str:
    """Where other processes reach this one; who listens everywhere has to say it himself."""
    if chosen.address:
        return chosen.address.rstrip("/")
    if chosen.host in EVERYWHERE or not chosen.port:
        raise Unreadable(
            "processes that share a pit reach each other: set address to where this one is, "
            "such as http://10.0.0.5:8000"
        )
    host = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
    return f"{'https' if chosen.certificate else 'http'}://{host}:{chosen.port}"


def _from_environment(field: str, environment: Mapping[str, str]) -> str | list[str] | None:
    value = environment.get(PREFIX + field.upper())
    if value is not None and field in ("submissions", "training"):
        return value.split(os.pathsep)
    # The ring itself may stand in the environment; that is the keyring's own to read.
    return None if field == "keys" else value


def _in_file(file: Path) -> dict[str, Any]:
    try:
        return dict(read_toml(file.read_text("utf-8")))
    except (OSError, UnicodeError) as error:
        raise Unreadable(f"{file}: the settings cannot be read: {error}") from None
    except NotToml as error:
        raise Unreadable(f"{file}: {error}") from None
