"""``python -m benchmarks.house``: what each part of the project takes to read.

Lines of each room of csig/ beside what docs/architecture.md says it may cost, of the compiled part,
the tests and the benchmarks; modules, public names, words of the docs. Nothing is enforced.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COMPILED = (".c", ".h", ".pyx", ".pxd", ".pyi", ".py")


class Part(NamedTuple):
    """A part of the project."""

    lines: int
    docstrings: int  #: Lines of docstrings among them.
    modules: int


def measured(files: Iterable[Path]) -> Part:
    """Lines of files; docstrings of those in Python."""
    lines = docstrings = modules = 0
    for file in files:
        text = file.read_text("utf-8")
        lines += text.count("\n")
        modules += file.suffix == ".py"
        if file.suffix == ".py":
            for node in ast.walk(ast.parse(text)):
                kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
                if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
                    first = node.body[0]
                    docstrings += (first.end_lineno or 0) - first.lineno + 1
    return Part(lines, docstrings, modules)


def parts(root: Path) -> dict[str, Part]:
    """The rooms of csig/ by name, and the folders beside it."""
    rooms = {
        folder.name: measured(folder.rglob("*.py"))
        for folder in sorted((root / "csig").iterdir())
        if (folder / "__init__.py").exists()
    }
    top = measured((root / "csig").glob("*.py"))
    # The C beside Cython's files is what Cython writes.
    sources = [
        f
        for f in (root / "csig_ext").rglob("*")
        if f.suffix in COMPILED and (f.suffix != ".c" or f.parent.name == "src")
    ]
    folders = {f: measured((root / f).rglob("*.py")) for f in ("tests", "benchmarks")}
    return {**rooms, "(top)": top, "csig_ext": measured(sources), **folders}


def budget(root: Path) -> dict[str, int]:
    """What each room may cost, by the table in docs/architecture.md."""
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    table = page.partition("## What a room may cost")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)/?` \| ([\d,]+) \|", table, re.MULTILINE)
    return {room: int(lines.replace(",", "")) for room, lines in rows}


def words(root: Path) -> dict[str, int]:
    """Words of every page of the docs."""
    return {
        page.name: len(page.read_text("utf-8").split())
        for page in sorted((root / "docs").glob("*.md"))
    }


def report(root: Path) -> str:
    """The table that is printed."""
    allowed, measures, pages = budget(root), parts(root), words(root)
    lines = [f"{'part':12}{'lines':>8}{'may cost':>10}{'docstrings':>12}{'modules':>9}"]
    outside = ("csig_ext", "tests", "benchmarks")
    inside = {name: part for name, part in measures.items() if name not in outside}
    total = Part(*map(sum, zip(*inside.values(), strict=True)))
    rows = [*inside.items(), ("csig", total), *((name, measures[name]) for name in outside)]
    for name, part in rows:
        cost = f"{allowed[name]:,}" if name in allowed else ""
        over = "  over" if part.lines > allowed.get(name, part.lines) else ""
        lines.append(
            f"{name:12}{part.lines:8,}{cost:>10}{part.docstrings:12,}{part.modules:9}{over}"
        )
    stub = ast.parse((root / "csig" / "__init__.pyi").read_text("utf-8"))
    names = sum(len(node.names) for node in stub.body if isinstance(node, ast.ImportFrom))
    longest = ", ".join(
        f"{page} {n:,}" for page, n in sorted(pages.items(), key=lambda item: -item[1])[:5]
    )
    return "\n".join(
        [
            *lines,
            f"{names} names at the top; docs: {sum(pages.values()):,} words in {len(pages)} pages "
            f"({longest})",
        ]
    )


if __name__ == "__main__":
    print(report(ROOT))
