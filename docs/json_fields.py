"""Writes csig/report/fields.txt, of which csig makes JSON Schemas, from the tables of json.md."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).with_name("json.md")
FIELDS = PAGE.parent.parent / "csig" / "report" / "fields.txt"


def plain(markdown: str) -> str:
    """Without references, links and marks of code."""
    text = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", markdown)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("\\|", "|").strip()


def fields() -> str:
    """The tables of fields, a line each, below the names of what they are fields of."""
    lines = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading, inside = line.split()[-1].strip("`"), False
        elif line == "| field | type | meaning | null |":
            lines.append(heading)
            inside = True
        elif inside and line.startswith("| `"):
            cells = [plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FIELDS.write_text(fields(), encoding="utf-8", newline="\n")
