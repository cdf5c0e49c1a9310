"""What was read, as JSON has it."""

from __future__ import annotations

import json

from csig.readers.request import Columns, Input, TableInput
from csig.report.schemas import json_schema


def paths(found: dict, before: str) -> set[str]:
    """Every field, by its path."""
    names = set()
    for name, value in found.items():
        names |= {f"{before}.{name}"} | (
            paths(value, f"{before}.{name}") if isinstance(value, dict) else set()
        )
    return names


def test_the_docs_list_every_field():
    full = Input(
        "tags", {"columns": "t.tsv"}, Columns("gold", "a", "b"), table=TableInput(("x",), ("y",), 3)
    ).as_dict()
    known = json_schema("csig.compare")["properties"]["input"]

    def listed(schema: dict, before: str) -> set[str]:
        inside = schema.get("properties", {})
        below = (listed(own, f"{before}.{name}") for name, own in inside.items())
        return {f"{before}.{name}" for name in inside}.union(*below)

    assert paths(full, "input") == listed(known, "input")
    assert json.loads(json.dumps(full)) == full


def test_what_is_not_known_is_null():
    found = Input("counts", {"counts": "c.toml"}).as_dict()
    assert found["files"] == {"counts": "c.toml"} | dict.fromkeys(
        ("gold", "a", "b", "columns", "statistics")
    )
    assert found["table"] is found["columns"] is found["n_tokens"] is None
