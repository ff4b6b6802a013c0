"""The page of the reference about a pit's HTTP API, written from what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from croupier.server.app import make_app
from croupier.server.pit.pit import Pit
from website.formats import kind_of
from website.writing import MADE, table

METHODS = ("get", "put", "post", "delete")
Said = Mapping[str, Any]


def http_page() -> str:
    schema = make_app(_never, lambda pit, setup: None).openapi_schema.to_schema()
    return "\n".join(
        (
            "# HTTP API\n",
            "Every address of a pit; [writing a client](../api.md) tells how they are used, and a"
            f" running pit gives the whole description at `/api/schema`. {MADE}\n",
            *(_office(tag, schema["paths"]) for tag in schema["tags"]),
            "## What is sent and answered\n",
            *(_shape(name, said) for name, said in schema["components"]["schemas"].items()),
        )
    )


def _never() -> Pit:
    raise AssertionError("a description needs no pit")


def _office(tag: Said, paths: Said) -> str:
    rows = (
        (f"`{method.upper()} {path}`", _told(said), _body(said), _answer(said))
        for path, item in paths.items()
        for method, said in item.items()
        if method in METHODS and tag["name"] in said.get("tags", ())
    )
    head = ("address", "what it does", "takes", "answers")
    return f"## {tag['name'].capitalize()}\n\n{tag['description']}\n\n{table(head, rows)}"


def _told(said: Said) -> str:
    return str(said.get("description", "")).partition("\n\n")[0].replace("``", "`")


def _body(said: Said) -> str:
    given = [f"`{each['name']}`" for each in said.get("parameters", ()) if each["in"] != "path"]
    return ", ".join([*given, *map(kind_of, _documents(said.get("requestBody", {})))])


def _answer(said: Said) -> str:
    good = (answer for status, answer in said["responses"].items() if status.startswith("2"))
    return ", ".join(kind_of(each) for answer in good for each in _documents(answer))


def _documents(said: Said) -> Iterator[Said]:
    yield from (each["schema"] for each in said.get("content", {}).values() if "schema" in each)


def _shape(name: str, said: Said) -> str:
    required = set(said.get("required", ()))
    rows = (
        (f"`{field}`", kind_of(how), "yes" if field in required else "")
        for field, how in said.get("properties", {}).items()
    )
    told = str(said.get("description", "")).replace("``", "`")
    return f"### {name}\n\n{told}\n\n{table(('field', 'kind', 'required'), rows)}"
