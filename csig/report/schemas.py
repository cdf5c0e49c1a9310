"""The JSON Schemas of records, from the fields that ``docs/json.md`` lists."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from csig.base.errors import InputError
from csig.base.wording import first_few, perhaps

#: The path of a field, its type, what it means, and when it is null.
Field = tuple[str, str, str, str]


@cache
def _tables() -> dict[str, list[Field]]:
    """The fields of every record, and of the objects that several have, by name."""
    text = resources.files("csig.report").joinpath("fields.txt").read_text(encoding="utf-8")
    tables: dict[str, list[Field]] = {}
    for line in text.splitlines():
        if "\t" not in line:
            tables[line] = own = []
        else:
            path, kind, meaning, null = line.split("\t")
            own.append((path, kind, meaning, null))
    return tables


def _kind(words: str, inside: Sequence[Field]) -> dict[str, Any]:
    """The schema of a type, as the page writes it, and of the fields inside."""
    tables = _tables()
    if words[:1] in '"0':
        choices = json.loads(f"[{words}]")
        return {"type": "string" if words[:1] == '"' else "integer", "enum": choices}
    if words in tables:
        return _object(tables[words])
    if words == "object":
        return _object(inside)
    several = re.fullmatch(r"(list of|object of|two) (.+)", words)
    if several is None:
        return {"type": "array"} if words == "list" else {"type": words}
    # "numbers" are of the kind "number", "lists of strings" a "list of strings".
    one = re.sub(r" (objects|records)$", "", re.sub(r"^(\w+)s\b", r"\1", several[2]))
    own = _kind(one, inside)
    if several[1] == "object of":
        return {"type": "object", "additionalProperties": own}
    ends = {"minItems": 2, "maxItems": 2} if several[1] == "two" else {}
    return {"type": "array", "items": own, **ends}


def _object(fields: Sequence[Field]) -> dict[str, Any]:
    """An object that has all of these fields, but for those that may be absent, and no others."""
    properties: dict[str, Any] = {}
    required = []
    for path, kind, meaning, null in fields:
        if path == "*":
            inner = _object(_tables()[kind])
            properties |= inner["properties"]
            required += inner["required"]
        elif path in ("schema", "schema_version"):
            properties[path] = {"const": meaning if kind == "string" else int(meaning)}
            required.append(path)
        elif "." not in path:
            inside = [
                (other.removeprefix(path).removeprefix("[]")[1:], *rest)
                for other, *rest in fields
                if other.startswith((f"{path}.", f"{path}[]."))
            ]
            own = _kind(kind, inside)  # type: ignore[arg-type]
            absent = null.startswith("absent ")
            if not absent:
                required.append(path)
            if null and not absent:
                own["type"] = [own["type"], "null"]
                if "enum" in own:
                    own["enum"] = [*own["enum"], None]
            if null:
                meaning += f"; {null}" if absent else f"; null {null}"
            properties[path] = {"description": meaning, **own}
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a record.

    Parameters
    ----------
    name : str
        What the record has as its `schema`, as "csig.compare"; that of audits is
        :func:`csig.audits.records.schema`.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> json_schema("csig.interval")["properties"]["schema_version"]["const"]
    3
    """
    known = sorted(own for own in _tables() if own.startswith("csig."))
    if name not in known:
        raise InputError(
            f"no schema {name!r}{perhaps(name, known)}; there are {first_few(known, 20)}"
        )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": f"What csig writes as {name}; docs/json.md has the same fields.",
        **_object(_tables()[name]),
    }
