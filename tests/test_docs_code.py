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
import json
import random
import re
import shlex
import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import commands
import drawn
import pytest
from golden import lines_of
from places import DOCS, EXAMPLES, ROOT
from written import text_file

import csig

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(EXAMPLES.glob("*/README.md"))]

#: Commands that do not run here, and why.
ELSEWHERE = {
    r"(?:OPENBLAS_NUM_THREADS=1 |nice )?python -m benchmarks": "measures or simulates for minutes",
    r"(?:python -m )?pip install": "installs; .ci/run runs README's",
    r"python (?:make|draw)_\w+\.py": "needs scikit-learn, or a table that is not here",
    r"dask ": "starts a cluster",
    r"csig .*--scheduler": "needs a cluster; tests/cli/test_workers.py starts one",
    r"eval |_CSIG_COMPLETE=": "is for a shell's start-up file; tests/cli/test_completion.py",
    r"(?:pytest|ruff|mypy|python -m csig|python docs/)": "works on csig itself",
}
#: Python that does not run here, by a part of it, and why.
LEFT_OUT = {
    "ProcessPoolExecutor": "starts processes; tests/engines/test_remote.py",
    'source = record["results"]': "repeats a run of a record; tests/report/test_schemas.py",
}
#: Fences that hold no code.
DATA = {"mermaid": "a picture", "toml": "tests/claims/test_checker.py reads it", "json": "a record"}
#: Commands that end with another status than 0, and parts of them that take seconds.
STATUS = {"--bit-generator randu": 1, "--claims examples/yeh2000-claims.toml": 1}
SLOW = ("csig audit", "csig verify", "csig.audit(", "csig.verify(", "KrennPPV.csv")


# ---- the blocks of a page ------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    line: int
    kind: str  #: "python", "console", "" and other names of fences; "indented".
    text: str
    name: str  #: Of the file, if the line before is one.


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    lines = text.split("\n")
    i, before = 0, ""
    while i < len(lines):
        start = i
        if lines[i].startswith("```"):
            i += 1
            while not lines[i].startswith("```"):
                i += 1
            yield Block(start + 1, lines[start][3:].strip(), "\n".join(lines[start + 1 : i]), "")
        elif lines[i].startswith("    ") and not lines[start - 1].strip():
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            own = "\n".join(line[4:] for line in lines[start:i]).rstrip("\n")
            found = re.fullmatch(r"`([\w./-]+)`:", before)
            yield Block(start + 1, "indented", own, found[1] if found else "")
            before = ""
            continue
        before = lines[i].strip() or before
        i += 1


def commands_of(text: str) -> list[str]:
    r"""Commands, one each; a line that ends in ``\`` goes on."""
    return [line for line in text.replace("\\\n", " ").split("\n") if line.strip()]


def is_command(line: str) -> bool:
    return bool(re.match(r"csig [a-z-]|python |pip |dask |nice |eval |_?[A-Z_]+=|pytest", line))


def matches(shown: str, printed: str) -> bool:
    """Whether a page shows what is printed, but for what ``...`` stands for."""
    parts = [re.escape(own.strip("\n")) for own in re.split(r"(?m)^\.\.\.$", shown)]
    return re.fullmatch(r"(?s:.*)".join(parts), printed.strip("\n")) is not None


# ---- the files that pages name, and do not show -------------------------------------------------


def repeated(words: list[str], option: str) -> list[str]:
    return [words[i + 1] for i, word in enumerate(words) if word == option]


def value(words: list[str], option: str, default: str) -> str:
    return (repeated(words, option) or [default])[0]


def scores(words: list[str]) -> str:
    """A table as a command needs it: rows of units, of data sets, or of training samples."""
    draw = random.Random(1)
    if words[0] == "train":
        rows = [
            f"{i},{system},{test_set},{draw.uniform(0.8, 0.9):.4f}"
            for i, system, test_set in product(range(8), ("base", "new"), ("news", "web"))
        ]
        return "⏎".join(["replicate,system,test_set,score", *rows])
    names = ("--cluster", "--ignore", "--dataset")
    extra = [value(words, own, "") for own in names if own in words]
    run, systems = repeated(words, "--run"), ["base", "new", "newer"]
    if words[0] in ("compare", "interval", "describe") or run:
        systems.remove("newer")
    key = value(words, "--id", "dataset") if words[0] == "datasets" else "id"
    rows = []
    for i, of_run in product(range(32), range(1 + 2 * len(run))):
        own = [f"{name}{i // 4}" if name != "size" else str(100 * i + 7) for name in extra]
        cells = [str(round(draw.random(), 3)) for _ in range(3)][: len(systems)]
        rows.append(",".join([f"q{i}", *own, *([str(of_run)] if run else []), *cells]))
    return "⏎".join([",".join([key, *extra, *run, *systems]), *rows])


def labels(words: list[str]) -> str:
    gold = value(words, "--gold-column", "gold")
    head = f"id⇥{gold}⇥base⇥new⏎"
    return head + "×24 {i}⇥{'yes' if i % 2 else 'no'}⇥{'yes' if i % 3 else 'no'}⇥yes"


def tags(words: list[str]) -> str:
    gold, draw = value(words, "--gold-column", "gold"), random.Random(2)
    names = list(dict.fromkeys([gold, *repeated(words, "--system")]))
    rows = ["\t".join(["token", *names, "doc"])]
    for i in range(60):
        own = [draw.choice(("O", "B-PER", "B-LOC")) for _ in names]
        rows += ["\t".join([f"w{i}", *own, f"d{i // 6}"]), *([""] if i % 3 == 2 else [])]
    return "⏎".join(rows)


def conll(words: list[str], name: str) -> str:
    draw, rows, more = random.Random(len(name)), [], " O" if "--system" in words else ""
    for i in range(80):
        right = ("O", "B-PER", "O", "B-LOC")[i % 4]
        own = right if name == "gold" or draw.random() < 0.8 else "O"
        rows += [f"-DOCSTART- O{2 * more}", ""] if i % 16 == 0 else []
        rows += [f"w{i} {own}{more}{more and f' {own}'}", *([""] if i % 4 == 3 else [])]
    return "⏎".join([*rows, ""])


def spans(words: list[str], name: str) -> str:
    field = value(words, "--field", "document=document").partition("=")[2]
    return "⏎".join(
        json.dumps({field: f"d{i // 3}", "start": 9 * i, "end": 9 * i + 4, "label": "PER"})
        for i in range(30)
        if name == "gold" or (i + ord(name)) % 3
    )


NAMES = ("gold", "a", "b")
SAMPLES = '×9 {"doc_id": {i}, "doc_hash": "{i}", "exact_match": {i % FEW < 2:d}}'

#: What a page's commands read, unless the page shows the file itself, as golden.py reads it.
FILES: dict[str, str | Callable[[list[str]], str]] = {
    "scores.csv": scores,
    "correct.csv": scores,
    "labels.tsv": labels,
    **dict.fromkeys(("tags.tsv", "crf.tsv", "bert.tsv"), tags),
    "pairs.csv": "pair,is_colloc,MI,log_like,freq⏎×4000 p{i},{i * 7 % 10 < 3:d},"
    "{i * 7919 % 9973 / 9973},{i * 104729 % 9949 / 9949},{i * 1299709 % 9941 / 9941}",
    "base.txt": "×12 {20 + i * 7919 % 2003 / 100}",
    "new.txt": "×12 {20 + i * 104729 % 2003 / 100}",
    "yeh.toml": (EXAMPLES / "yeh2000.toml").read_text(encoding="utf-8").replace("\n", "⏎"),
    "gold.tsv": "×30 r{i}",
    "a.tsv": "⏎".join([*(f"r{i}" for i in range(30) if i % 3 < 2), "x"]),
    "b.tsv": "⏎".join([*(f"r{i}" for i in range(30) if i % 3), "x"]),
    **{f"{name}.jsonl": partial(spans, name=name) for name in NAMES},
    **{
        f"{name}.conll": partial(conll, name=name)
        for name in (*NAMES, "base", "new", "crf", "bert", "tagger1", "tagger2", "tagger3")
    },
    "model1/samples_arc_2024-05-01T10-00-00.000001.jsonl": SAMPLES.replace("FEW", "3"),
    "model2/samples_arc_2024-05-02T11-00-00.000001.jsonl": SAMPLES.replace("FEW", "4"),
    **{
        f"{name}-folder/d{k}.ann": f"T1⇥PER 0 3⇥Eve⏎T2⇥LOC {5 + i * k} 9⇥Rome"
        for i, name in enumerate(NAMES)
        for k in (0, 1)
    },
}


@cache
def text_of(form: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(form))


# ---- the runner ----------------------------------------------------------------------------------


class Runner:
    """A page's blocks, run one after the other in a folder of their own."""

    def __init__(self, page: Path, krenn: Path | None) -> None:
        self.page, self.krenn = page, krenn
        self.own: set[str] = set()  # files that the page shows, or that its commands write
        self.namespace: dict[str, Any] = {"__name__": page.stem, "csig": csig}
        self.printed = ""  # by the block before
        self.failed: list[str] = []
        self.skipped = False  # a block of Python: what needs its names cannot run

    def fail(self, block: Block, what: object) -> None:
        self.failed.append(f"{self.page.name}, line {block.line}: {what}")

    def prepare(self, words: list[str]) -> None:
        """Write the files that a command names."""
        for name, make in FILES.items():
            if name not in self.own:
                if name == "gold.tsv" and "--system" in words:  # as in the other files
                    make = tags
                text_file(text_of(make if isinstance(make, str) else make(words)), name)
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
        self.prepare(words)
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
        self.prepare(["compare"])
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
