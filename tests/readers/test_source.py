"""What was read, as JSON has it."""

from __future__ import annotations

import json
import re

from places import DOCS

from csig.readers.source import Columns, Input, TableInput


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
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    section = text[text.index("| `input` |") :].split("\n\n")[0]
    assert paths(full, "input") == {*re.findall(r"^\| `(input\.[a-z_.]+)`", section, re.MULTILINE)}
    assert json.loads(json.dumps(full)) == full


def test_what_is_not_known_is_null():
    found = Input("counts", {"counts": "c.toml"}).as_dict()
    assert found["files"] == {"counts": "c.toml"} | dict.fromkeys(
        ("gold", "a", "b", "columns", "statistics")
    )
    assert found["table"] is found["columns"] is found["n_tokens"] is None
