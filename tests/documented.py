"""The fields of JSON records as docs/json.md lists them."""

from __future__ import annotations

import re

from places import DOCS

__all__ = ["plain", "tables"]

#: {path: (type, meaning)} of a record.
Fields = dict[str, tuple[str, str]]


def plain(meaning: str) -> str:
    """Without Markdown: what a schema says."""
    found = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", meaning).replace("`", "").replace("\\|", "|")
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", found)


def _below(fields: Fields, whole: str) -> Fields:
    """What a field holds, by the rest of the path."""
    return {p.removeprefix(whole): own for p, own in fields.items() if p.startswith(f"{whole}.")}


def _section(text: str) -> tuple[str, Fields]:
    rows = [line.strip("| \n").split(" | ") for line in text.splitlines() if line[:3] == "| `"]
    found = {}
    for path, kind, *meaning in rows:
        path = path.strip("`")
        assert path not in found, path
        found[path] = (kind.strip(), (meaning or [""])[0].strip(" |"))
    return text.splitlines()[0], found


def _said(path: str, fields: Fields) -> str:
    """The meaning of a field that is like one of a result."""
    own = path.rpartition(".")[2]
    near = f"results[].seed.{own}" if ".seed." in path else f"results[].{own}"
    return fields[near][1]


def tables() -> dict[str, Fields]:
    """All fields of every record, by its name; those that are like others in full."""
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    found: dict[str, Fields] = {}
    for section in text.split("\n## ")[1:]:
        if "| field | type | meaning |" not in section:
            continue
        heading, rows = _section(section)
        name = heading.removeprefix("The fields of ").strip("`")
        fields: Fields = {}
        for path, (kind, meaning) in rows.items():
            like = re.fullmatch(r"as `([^`]*)`(?: of `([^`]*)`)?", kind)
            if like is None:
                fields[path] = (kind, meaning or _said(path, fields))
                continue
            whole, other = like[1], found.get(like[2] or "", fields)
            stem = path.removesuffix(".*")
            if stem == path:
                fields[path] = (other[whole][0], meaning)
            fields |= {stem + rest: own for rest, own in _below(other, whole).items()}
        found[name] = fields
    return found
