"""What the site makes of csig itself: links, runs of examples, pictures, the command line."""

from __future__ import annotations

import contextlib
import io
import os
import posixpath
import re
import runpy
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import notebooks  # beside this one
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
GALLERY = DOCS / "site" / "gallery"
NOTEBOOKS = "_notebooks"  # a folder of the built site

#: Pages of the repository outside docs/, and the pages of the site that hold them.
ELSEWHERE = {"CHANGELOG.md": "site/changelog.md", "CONTRIBUTING.md": "site/contributing.md"}
ELSEWHERE |= {
    f"examples/{path.parent.name}/README.md": "site/examples.md"
    for path in ROOT.glob("examples/*/README.md")
}


def linked(text: str, origin: str, page: str) -> str:
    """Markdown of the file ``origin`` of the repository, with links as from ``page`` of docs/."""

    def moved(match: re.Match[str]) -> str:
        words, (path, mark, anchor) = match[1], match[2].partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        if target in ELSEWHERE:
            target = f"docs/{ELSEWHERE[target]}"
        elif not (ROOT / target).exists():  # a page of an earlier version, in the changelog
            return words
        here = posixpath.dirname(f"docs/{page}")
        return f"[{words}]({posixpath.relpath(target, here)}{mark}{anchor})"

    return re.sub(r"\[([^]]*)\]\(([\w./-]+\.(?:md|py|svg)(?:#[\w-]+)?)\)", moved, text)


def read_source(app: Sphinx, docname: str, source: list[str]) -> None:
    if "/" not in docname and docname != "index":
        source[0] = linked(source[0], f"docs/{docname}.md", f"{docname}.md")
        if docname in notebooks_of(app):
            title, text = source[0].split("\n", 1)
            link = f'<a href="{NOTEBOOKS}/{docname}.ipynb" download>This page as a notebook</a>'
            source[0] = f'{title}\n\n<p class="notebook">{link}, for Jupyter or Colab.</p>\n{text}'


@cache
def notebooks_of(app: Sphinx) -> list[str]:
    """The pages that the site offers as notebooks, which it writes."""
    return notebooks.write_all(Path(app.outdir) / NOTEBOOKS)


def read_include(app: Sphinx, path: Path, _: str, source: list[str]) -> None:
    origin = posixpath.normpath(posixpath.join("docs", path.as_posix()))
    source[0] = linked(source[0], origin, f"{app.env.docname}.md")


def link_docstring(app: Sphinx, what: str, name: str, obj: object, options: object,
                   lines: list[str]) -> None:  # fmt: skip
    """Pages that a docstring names become links."""
    lines[:] = [re.sub(r"`*docs/([\w-]+)\.md`*", r":doc:`\1.md </\1>`", line) for line in lines]


@cache
def folder_of(page: str) -> tempfile.TemporaryDirectory[str]:
    """A folder for what a page runs, which has the examples."""
    folder = tempfile.TemporaryDirectory()
    shutil.copytree(ROOT / "examples", Path(folder.name) / "examples")
    return folder


@contextlib.contextmanager
def inside(page: str) -> Iterator[None]:
    with contextlib.chdir(folder_of(page).name), patch.dict(os.environ, COLUMNS="80"):
        yield


class Run(SphinxDirective):
    """Commands after ``$``, or Python, and what they print."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        from csig.cli.app import program

        self.env.note_reread()  # what it prints follows from more than the page
        text = "\n".join(self.content)
        console = text.startswith("$ ")
        shown = [] if console else [(text, "python")]
        with inside(self.env.docname):
            for part in text.splitlines() if console else [text]:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    if not console:
                        exec(compile(part, self.env.docname, "exec"), {})
                    else:
                        words = shlex.split(part)[2:]
                        with contextlib.suppress(SystemExit, click.exceptions.Exit):
                            program.main(words, standalone_mode=False)
                printed = out.getvalue().rstrip("\n")
                shown.append((f"{part}\n\n{printed}" if console else printed, "text"))
        return [nodes.literal_block(own, own, language=kind) for own, kind in shown]


class Gallery(SphinxDirective):
    """Every script of gallery/: its title and words, the picture that it draws, and itself."""

    def run(self) -> list[nodes.Node]:
        import matplotlib

        self.env.note_reread()
        matplotlib.use("Agg")
        from csig.report.style import bytes_of

        folder = Path(self.env.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        found: list[nodes.Node] = []
        for script in sorted(GALLERY.glob("*.py")):
            code = script.read_text(encoding="utf-8")
            with inside(self.env.docname):
                axes = runpy.run_path(str(script))["axes"]
            (folder / f"gallery-{script.stem}.svg").write_bytes(bytes_of(axes.figure, "svg"))
            _, words, code = code.split('"""', 2)
            title, _, description = words.strip().partition("\n\n")
            description = " ".join(description.split())
            section = nodes.section(ids=[script.stem.replace("_", "-")])
            section += nodes.title(title, title)
            section += nodes.paragraph(description, description)
            up = "../" * self.env.docname.count("/")
            source = f"{up}_images/gallery-{script.stem}.svg"
            html = f'<p><img class="picture" src="{source}" alt="{title}"></p>'
            section += nodes.raw(html, html, format="html")
            code = code.strip()
            section += nodes.literal_block(code, code, language="python")
            found.append(section)
        return found


class Recorded(SphinxDirective):
    """A script that needs another package or data, and what it printed where these are.

    ``python tests/test_site.py`` writes it anew.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        script = DOCS / "site" / f"{self.arguments[0]}.py"
        self.env.note_dependency(str(script))
        self.env.note_dependency(str(script.with_suffix(".txt")))
        code = script.read_text(encoding="utf-8").split('"""', 2)[2].strip()
        printed = script.with_suffix(".txt").read_text(encoding="utf-8").strip()
        html = f"<details><summary>The script, <code>{script.name}</code></summary>"
        return [
            nodes.literal_block(printed, printed, language="text"),
            nodes.raw(html, html, format="html"),
            nodes.literal_block(code, code, language="python"),
            nodes.raw("", "</details>", format="html"),
        ]


class Mermaid(SphinxDirective):
    """A flow chart as a list: what each room is, and which it imports."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        below: dict[str, list[str]] = {}
        for line in self.content[1:]:
            line = re.sub(r'\["[^"]*"\]', "", line)
            if "-->" in line:
                above, _, under = line.partition("-->")
                for name in above.split("&"):
                    below.setdefault(name.strip(), []).extend(
                        own.strip() for own in under.split("&")
                    )
        entries = nodes.bullet_list()
        for name, label in re.findall(r'(\w+)\["([^"]*)"\]', text):
            arrow = f" → {', '.join(below[name])}" if name in below else ""
            entries += nodes.list_item("", nodes.paragraph("", label + arrow))
        return [entries]


class CommandLine(SphinxDirective):
    """Every command with all its options."""

    def run(self) -> list[nodes.Node]:
        from csig.cli.app import COMMANDS, program

        self.env.note_reread()
        context = click.Context(program, info_name="csig")
        return [self.section(program.get_command(context, name), name) for name in COMMANDS]

    def section(self, command: Any, name: str) -> nodes.section:
        context = click.Context(command, info_name=f"csig {name}")
        section = nodes.section(ids=[f"csig-{name}"])
        section += nodes.title("", "", nodes.literal("", f"csig {name}"))
        for part in (command.help or "").split("\n\n"):
            section += nodes.paragraph("", " ".join(part.split()))
        usage = f"csig {name} {' '.join(command.collect_usage_pieces(context))}"
        examples = [line.strip() for line in (command.epilog or "").splitlines()[1:]]
        text = "\n".join([usage, "", *examples]).strip()
        section += nodes.literal_block(text, text, language="text")
        rows = [row for own in command.params for row in getattr(own, "rows", ())]
        if rows:
            section += self.listed("Files", rows)
        options = [own for own in command.get_params(context) if isinstance(own, click.Option)]
        for group, members in groupby(options, lambda own: getattr(own, "group", "Help")):
            records = [own.get_help_record(context) for own in members]
            section += self.listed(group, [own for own in records if own])
        return section

    def listed(self, heading: str, rows: list[tuple[str, str]]) -> list[nodes.Node]:
        entries = nodes.definition_list()
        for name, text in rows:
            term = nodes.term("", "", nodes.literal("", name))
            entries += nodes.definition_list_item(
                "", term, nodes.definition("", nodes.paragraph("", text))
            )
        return [nodes.rubric("", heading), entries]


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", notebooks_of)
    app.connect("source-read", read_source)
    app.connect("include-read", read_include)
    app.connect("autodoc-process-docstring", link_docstring)
    app.add_directive("run", Run)
    app.add_directive("pictures", Gallery)
    app.add_directive("recorded", Recorded)
    app.add_directive("mermaid", Mermaid)
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
