"""Writes csig/report/fields.txt, of which csig makes JSON Schemas, from the lists of json.md."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).with_name("json.md")
FIELDS = PAGE.parent.parent / "csig" / "report" / "fields.txt"
#: A record's name and version, in the table.
VERSION = re.compile(r"\[`(csig\.[a-z.]+)`\]\(#\w+\) \| (\d+) \|")
#: Fields: their paths, their type, and what they mean.
ITEM = re.compile(r"- (`[^`]+`(?:, `[^`]+`)*), (.+?): (.+)")


def plain(markdown: str) -> str:
    """Without references, links and marks of code."""
    text = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", markdown)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").strip()


def fields() -> str:
    """The lists of fields, a line each, below the names of what they are fields of."""
    lines: list[str] = []
    heading = ""
    text = re.sub(r"\n +(?=\S)", " ", PAGE.read_text(encoding="utf-8"))  # items of several lines
    versions = dict(VERSION.findall(text))
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.split()[-1].strip("`")
        elif item := ITEM.fullmatch(line):
            paths, kind, meaning = item.groups()
            if heading:
                lines.append(heading)
            if version := versions.get(heading):
                lines.append(f"schema\tstring\t{heading}\t")
                lines.append(f"schema_version\tinteger\t{version}\t")
            heading = ""
            kind = re.sub(r"^(objects|strings|numbers|integers)$", r"list of \1", kind)
            meaning, absent, when = meaning.partition("; absent ")
            if not absent:
                meaning, _, when = meaning.partition("; null ")
            rest = [plain(own) for own in (kind, meaning, absent.lstrip("; ") + when)]
            lines += ["\t".join([path.strip("`"), *rest]) for path in paths.split(", ")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FIELDS.write_text(fields(), encoding="utf-8", newline="\n")
