"""A notebook of each how-to page: its words, its blocks of code, and the files that these read.

``python docs/site/notebooks.py OUT`` writes them; the site offers them for download.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from inspect import getsource
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

import golden
import pages
from places import DOCS, ROOT

HOWTO = re.findall(r"<\.\./(\w[\w-]*)>", (DOCS / "site" / "howto.md").read_text("utf-8"))
INSTALL = '%pip install "csig-stats[cli,plot,text]" pandas'
WRITE = '''# @title What the files below are made of { display-mode: "form" }
{imports}


{lines_of}

{files}


def write(name, words):
    """Write the file of this name for the words of a command."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(file_of(name, words), encoding="utf-8")
'''


def making_of_files() -> str:
    """What tests/pages.py makes files of."""
    head, _, files = Path(pages.__file__).read_text("utf-8").partition("# ---- the files")
    imports = "\n".join(re.findall(r"^(?:import|from) (?!golden).+$", head, re.MULTILINE))
    parts = {"{imports}": imports, "{lines_of}": getsource(golden.lines_of)}
    text = WRITE
    for name, part in (parts | {"{files}": files.partition("\n")[2].strip()}).items():
        text = text.replace(name, part)
    return text


def cell(kind: str, text: str) -> dict[str, object]:
    made = {"cell_type": kind, "metadata": {}, "source": text.strip("\n").splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def unlinked(text: str) -> str:
    """Words without links to other pages, which are not there."""
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)


class Files:
    """Which files are there, as cells of a page are written one after the other."""

    def __init__(self) -> None:
        self.shown: set[str] = set()  #: By the page itself, or written by its commands.
        self.last: dict[str, str] = {}

    def lines(self, code: str, words: list[str]) -> list[str]:
        """Python that writes the files which this code names, unless they are there."""
        lines = []
        for name in pages.FILES:
            either = "|".join(map(re.escape, {name, Path(name).parts[0]}))
            if name in self.shown or not re.search(rf"(?<![\w./-])({either})(?![\w-])", code):
                continue
            text = pages.file_of(name, words)
            if self.last.get(name) != text:
                lines.append(f"write({name!r}, {words})")
                self.last[name] = text
        return lines

    def of_example(self, code: str) -> list[str]:
        """Cells that write the files of examples/ which this code names."""
        found = []
        for path in sorted((ROOT / "examples").rglob("*.[ct][so][vm]*")):
            name = path.relative_to(ROOT).as_posix()
            if name in code or f'"{Path(name).parent}"' in code:
                folder = f"import os\n\nos.makedirs({str(Path(name).parent)!r}, exist_ok=True)"
                found += [folder, f"%%writefile {name}\n{path.read_text('utf-8')}"]
        return list(dict.fromkeys(found))


def code_of(block: pages.Block, files: Files) -> str:
    """The cell of a block; "" for one that holds no code, or does not run everywhere."""
    if block.kind == "python":
        left_out = any(part in block.text for part in pages.LEFT_OUT)
        return "" if left_out else "\n".join([*files.lines(block.text, ["compare"]), block.text])
    if block.kind not in ("console", "indented"):
        return ""
    commands = pages.commands_of(block.text)
    if block.kind == "console":
        commands = [line[2:] for line in commands if line.startswith("$ csig ")]
    lines = []
    for line in commands:
        elsewhere = any(re.match(own, line) for own in pages.ELSEWHERE)
        if not line.startswith("csig ") or elsewhere or "KrennPPV.csv" in line:
            return ""
        words = shlex.split(line, comments=True)[1:]
        lines += [*files.lines(line, words), f"!{line}"]
        files.shown |= {words[i + 1] for i, own in enumerate(words) if own == "--output"}
    return "\n".join(lines)


def notebook(page: str) -> dict[str, object] | None:
    """The notebook of a page; None where nothing runs."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    lines, at, files, cells, code = text.split("\n"), 0, Files(), [], ""
    for block in pages.blocks(text):
        if block.name:
            files.shown.add(block.name)
            new = f"%%writefile {block.name}\n{block.text}"
            if "/" in block.name:
                new = f"!mkdir -p {Path(block.name).parent}\n{new}"
        else:
            new = code_of(block, files)
        if new:
            cells.append(cell("markdown", unlinked("\n".join(lines[at : block.line - 1]))))
            cells += [cell("code", own) for own in re.split(r"\n(?=%%writefile)", new)]
            code += "" if block.name else f"{new}\n"
            at = block.end - 1
    if not code:
        return None
    cells.append(cell("markdown", unlinked("\n".join(lines[at:]))))
    start = [INSTALL, *([making_of_files()] if "write(" in code else []), *files.of_example(code)]
    cells = [own for own in [*(cell("code", own) for own in start), *cells] if own["source"]]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": [own | {"id": f"{page}-{i}"} for i, own in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write_all(folder: Path) -> list[str]:
    """Write the notebooks; the pages that have one."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {page: notebook(page) for page in HOWTO}
    for page, content in made.items():
        if content:
            text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
            (folder / f"{page}.ipynb").write_text(text, encoding="utf-8")
    return [page for page, content in made.items() if content]


if __name__ == "__main__":
    print(*write_all(Path(sys.argv[1])), sep="\n")
