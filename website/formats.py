"""Pages of the reference about settings, documents and the Python interface."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

import croupier
from croupier.audit.records.schema import schema
from croupier.server.settings import MEANINGS, Settings
from croupier.submission.keys import KEYS
from croupier.table.receipt import as_document
from website.writing import MADE, table

KINDS = {str: "text", int: "whole number", float: "number", bool: "true or false", list: "list"} | {
    type(None): "null",
    dict: "object",
}
NAMELESS = re.compile(r"<function .+? at 0x[0-9a-f]+>")
QUOTED = re.compile(r"(: |-> )'([^']*)'")  # annotations, as Python keeps them unread
LIMITS = {"minimum": "at least", "maximum": "at most"}


def settings_table() -> str:
    """Also in docs/pit.md, where `make pages` writes it."""
    rows = (
        (f"`{name}`", f"`{json.dumps(said['default'])}`", MEANINGS[name])
        for name, said in _properties(Settings).items()
    )
    return table(("setting", "default", ""), rows)


def settings_page() -> str:
    rows = (
        (
            f"`{name}`",
            kind_of(said),
            f"`{json.dumps(said['default'])}`",
            MEANINGS[name],
        )
        for name, said in _properties(Settings).items()
    )
    return (
        f"# Settings of a pit\n\nWhat `croupier serve` can be told in a file (`--config`) or by the"
        f" environment; [running a pit](../pit.md#settings) tells which counts. {MADE}\n\n"
        + table(("setting", "kind", "default", "meaning"), rows)
    )


def _properties(kind: type) -> Mapping[str, Any]:
    (components,) = msgspec.json.schema_components([kind])[1].values()
    found: Mapping[str, Any] = components["properties"]
    return found


def kind_of(said: Mapping[str, Any]) -> str:
    if "$ref" in said:
        name = said["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in said:
        return " or ".join(map(kind_of, said["anyOf"]))
    if "enum" in said:
        return " or ".join(f"`{json.dumps(each)}`" for each in said["enum"])
    if said.get("type") == "array":
        items: Mapping[str, Any] = said.get("items", {})
        return f"list of {kind_of(items)}" if items else "list"
    limits = ", ".join(f"{words} {said[key]:,}" for key, words in LIMITS.items() if key in said)
    return f"{said.get('type', 'anything')}{', ' if limits else ''}{limits}"


def formats_page() -> str:
    return "\n".join(
        (
            "# JSON and TOML formats\n",
            f"What programs can read and write. {MADE}\n",
            "## Rules submission\n",
            "TOML; [the page about it](../submission.md) says what each key means. A name in"
            " capitals stands for any wager, meter or device.\n",
            table(("key", "for example", "required"), _submission_keys()),
            "## croupier settle --json\n",
            "One document a line; this one is of the example that is shipped for"
            " Ultimate Texas Hold'em, box 1 alone.\n",
            f"```json\n{json.dumps(_settled(), indent=2)}\n```\n",
            "## croupier solve --json\n",
            "One document. These are its parts as Four Card Poker has them; exact values are"
            " fractions as text.\n",
            table(("where", "kind", "for example"), _outline(_solved())),
            "## Round records\n",
            "One JSON document a line; [the page about it](../round-records.md) says what each"
            " field means, and `croupier export --schema` prints the JSON Schema this is made"
            " from.\n",
            *_records(),
        )
    )


def _submission_keys() -> Iterator[tuple[str, ...]]:
    for key in KEYS:
        yield f"`{key.path}`", f"`{key.form}`", "yes" if key.required else ""


def _settled() -> dict[str, Any]:
    document = as_document(croupier.settle(croupier.read_round(croupier.example("uth"))))
    return document | {"boxes": document["boxes"][:1]}


def _solved() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(croupier.solve(croupier.rules("FCP-14")).to_json())
    return document


def _outline(value: object, where: str = "") -> Iterator[tuple[str, ...]]:
    """Every place of a document once; of a list, and of names that vary, the first."""
    if isinstance(value, dict):
        names = list(value)
        varied = _are_alike(list(value.values())) or not all(map(str.isidentifier, names))
        for name in names[:1] if varied else names:
            yield from _outline(value[name], f"{where}.{'*' if varied else name}".lstrip("."))
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield from _outline(value[0], f"{where}[]")
    else:
        shown = json.dumps(value)
        kind = KINDS[type(value)]
        yield f"`{where}`", kind, f"`{shown[:60]}{'...' if shown[60:] else ''}`"


def _are_alike(values: list[Any]) -> bool:
    """Whether names of a document are like wagers, each with the same things below it."""
    return all(isinstance(each, dict) for each in values) and len({*map(tuple, values)}) == 1


def _records() -> Iterator[str]:
    for name, said in json.loads(schema())["$defs"].items():
        required = set(said.get("required", ()))
        rows = (
            (f"`{field}`", kind_of(how), "yes" if field in required else "")
            for field, how in said.get("properties", {}).items()
        )
        told = said.get("description", "").partition("\n")[0]
        yield f"### {name}\n\n{told}\n\n{table(('field', 'kind', 'required'), rows)}"


def api_page() -> str:
    head = f"# From Python\n\n{inspect.getdoc(croupier)}\n\n{MADE}\n"
    return "\n".join((_as_blocks(head), *(_member(name) for name in croupier.__all__)))


def _member(name: str) -> str:
    thing = getattr(croupier, name)
    told = callable(thing) or inspect.ismodule(thing)
    words = inspect.cleandoc(thing.__doc__ or "") if told else ""
    return f"## {name}\n\n```python\n{_signature(name, thing)}\n```\n\n{_as_blocks(words)}\n"


def _signature(name: str, thing: Any) -> str:  # noqa: ANN401 - any public name
    if inspect.ismodule(thing):
        return f"from croupier import {name}"
    if isinstance(thing, type) and not issubclass(thing, msgspec.Struct):
        return f"class {name}"
    try:
        said = QUOTED.sub(r"\1\2", NAMELESS.sub("...", str(inspect.signature(thing))))
    except (TypeError, ValueError):
        said = "(...)"
    return f"{name}{said}" if len(said) < 300 else f"{name}(...)"


def _as_blocks(text: str) -> str:
    """Examples of a docstring as blocks of code; its words as they are."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        begins, ends = line.startswith(">>>") and not inside, inside and not line.strip()
        if begins or ends:
            lines.append("```python" if begins else "```")
            inside = begins
        lines.append(line.replace("``", "`") if not inside else line)
    return "\n".join(lines + ["```"] * inside) + "\n"
