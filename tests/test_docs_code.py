"""Every block of code in README, the docs and the examples runs, and prints what the page shows.

What a block is follows from its form. Fenced ``python`` runs, all of a page in one namespace.
Fenced ``console`` has commands after ``$`` and, below each, what it prints; an indented block of
lines that begin with a program's name has commands only. A fence without a name is what the block
before it prints. A line ``...`` stands for what is left out. An indented block below a line
"`name`:" is a file, and every other one is a formula or an excerpt.
"""

import contextlib
import glob
import importlib.util
import io
import re
import shlex
import shutil
import warnings
from pathlib import Path
from typing import Any

import commands
import drawn
import pytest
from pages import (
    ELSEWHERE,
    FILES,
    LEFT_OUT,
    Block,
    blocks,
    commands_of,
    file_of,
    is_command,
    value,
)
from places import DOCS, EXAMPLES, ROOT
from written import text_file

import csig

pytestmark = pytest.mark.usefixtures("remembered")
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(EXAMPLES.glob("*/README.md"))]

#: Fences that hold no code.
DATA = {
    "mermaid": "a picture",
    "yaml": "a workflow",
    "toml": "tests/claims/test_checker.py reads it",
    "json": "a record",
}
#: Commands that end with another status than 0, and parts of them that take seconds.
STATUS = {"--bit-generator randu": 1, "--claims examples/yeh2000-claims.toml": 1, "--ledger": 3}
SLOW = ("csig audit", "csig verify", "csig.audit(", "csig.verify(", "KrennPPV.csv", "--plot ")


def matches(shown: str, printed: str) -> bool:
    """Whether a page shows what is printed, but for what ``...`` stands for."""
    parts = [re.escape(own.strip("\n")) for own in re.split(r"(?m)^\.\.\.$", shown)]
    return re.fullmatch(r"(?s:.*)".join(parts), printed.strip("\n")) is not None


# ---- the runner ----------------------------------------------------------------------------------


class Runner:
    """A page's blocks, run one after the other in a folder of their own."""

    def __init__(self, page: Path, krenn: Path | None) -> None:
        self.page, self.krenn = page, krenn
        self.own: set[str] = set()  # files that the page shows, or that its commands write
        self.written: dict[str, str] = {}
        self.namespace: dict[str, Any] = {"__name__": page.stem, "csig": csig}
        self.printed = ""  # by the block before
        self.failed: list[str] = []
        self.skipped = False  # a block of Python: what needs its names cannot run

    def fail(self, block: Block, what: object) -> None:
        self.failed.append(f"{self.page.name}, line {block.line}: {what}")

    def prepare(self, words: list[str], text: str) -> None:
        """Write the files that a text names, or whose folder it names."""
        folders = {own.strip("./") for own in re.findall(r"[\w./-]+", text)}
        for name in FILES.keys() - self.own:
            if name not in text and name.partition("/")[0] not in folders and "*" not in text:
                continue
            content = file_of(name, words)
            if self.written.get(name) != content:
                text_file(content, name)
                self.written[name] = content
        if self.krenn:
            shutil.copy(self.krenn, "KrennPPV.csv")

    def command(self, block: Block, line: str) -> None:
        slow = not drawn.everything and any(own in line for own in SLOW)
        drawing = "--plot" in line and importlib.util.find_spec("matplotlib") is None
        if any(re.match(own, line) for own in ELSEWHERE) or slow or drawing:
            self.printed = "?"
            return
        if not line.startswith("csig "):
            self.fail(block, f"{line}: name it in ELSEWHERE, or let it run")
            return
        line, _, target = line.partition(" > ")
        words = shlex.split(line, comments=True)[1:]
        self.prepare(words, line)
        words = [own for word in words for own in (sorted(glob.glob(word)) or [word])]
        if "KrennPPV.csv" in words and not self.krenn:
            return
        self.own.update(value(words, own, "") for own in ("--output", "--record") if own in words)
        status = next((own for part, own in STATUS.items() if part in line), 0)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.printed = commands.run(
                    *words, status=None if block.kind == "console" else status
                )
        except (Exception, AssertionError) as error:
            self.fail(block, f"{line}: {str(error)[:300]}")
        if target:
            Path(target).write_text(self.printed, encoding="utf-8")

    def console(self, block: Block) -> None:
        """Commands, each with what it prints; one that is refused prints a line of csig's."""
        for part in re.split(r"(?m)^\$ ", block.text)[1:]:
            command, _, shown = part.partition("\n")
            self.command(block, command)
            if self.printed != "?" and not matches(shown, self.printed):
                self.fail(block, f"{command} prints\n{self.printed}")

    def python(self, block: Block) -> None:
        slow = any(own in block.text for own in SLOW) and not drawn.everything
        needed = {
            "pandas": "import pandas|to_frame|units_frame",
            "matplotlib": r"plots\.|plot\(|import matplotlib",
        }
        missing = [
            own
            for own, pattern in needed.items()
            if re.search(pattern, block.text) and importlib.util.find_spec(own) is None
        ]
        missing += ["KrennPPV.csv"] if "KrennPPV.csv" in block.text and not self.krenn else []
        if slow or missing or any(part in block.text for part in LEFT_OUT):
            self.skipped, self.printed = True, "?"
            return
        self.prepare(["compare"], block.text)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(block.text, f"{self.page.name}:{block.line}", "exec"), self.namespace)
        except NameError as error:
            if not self.skipped:
                self.fail(block, repr(error))
        except Exception as error:
            self.fail(block, repr(error))
        self.printed = out.getvalue()

    def run(self, block: Block) -> None:
        if block.name:
            text_file(block.text + "\n", block.name)
            self.own.add(block.name)
        elif block.kind == "python" or (
            block.kind == "indented" and re.search(r"(?m)^(import|from) \w|csig\.\w+\(", block.text)
        ):
            self.python(block)
        elif block.kind == "console":
            self.console(block)
        elif block.kind == "indented":
            given = commands_of(block.text)
            if is_command(given[0]):
                for line in given:
                    self.command(block, line.partition("&& ")[2] or line)
        elif block.kind in ("", "text"):
            whole = block.text + ("\n..." if self.page.name == "README.md" else "")
            if self.printed != "?" and not matches(whole, self.printed):
                self.fail(block, f"is shown, but printed is\n{self.printed}")
        elif block.kind not in DATA:
            self.fail(block, f"nobody knows what ```{block.kind} is")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, where nothing that is written harms them."""
    return Path(shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("docs") / "examples"))


@pytest.fixture
def krenn(request: pytest.FixtureRequest) -> Path | None:
    """The verb pairs of Evert and Krenn, if they are here."""
    try:
        return Path(request.getfixturevalue("shared_data")("krenn_ppv_ranking")) / "KrennPPV.csv"
    except pytest.skip.Exception:
        return None


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_what_a_page_shows_runs(
    page: Path, examples: Path, krenn: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(examples)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    runner = Runner(page, krenn)
    for block in blocks(page.read_text(encoding="utf-8")):
        runner.run(block)
    assert not runner.failed, "\n\n".join(runner.failed)
