"""The blocks of code of README, the docs and the examples, and the files that they read.

tests/test_docs_code.py runs them, and docs/site/notebooks.py makes notebooks of them.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path

from golden import lines_of

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

# ---- the blocks of a page ------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    line: int
    end: int  #: The line after it; both count from 1.
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
            yield Block(
                start + 1, i + 2, lines[start][3:].strip(), "\n".join(lines[start + 1 : i]), ""
            )
        elif lines[i].startswith("    ") and not lines[start - 1].strip():
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            own = "\n".join(line[4:] for line in lines[start:i]).rstrip("\n")
            found = re.fullmatch(r"`([\w./-]+)`:", before)
            yield Block(start + 1, i + 1, "indented", own, found[1] if found else "")
            before = ""
            continue
        before = lines[i].strip() or before
        i += 1


def commands_of(text: str) -> list[str]:
    r"""Commands, one each; a line that ends in ``\`` goes on."""
    return [line for line in text.replace("\\\n", " ").split("\n") if line.strip()]


def is_command(line: str) -> bool:
    return bool(re.match(r"csig [a-z-]|python |pip |dask |nice |eval |_?[A-Z_]+=|pytest", line))


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
    if words[0] in ("compare", "interval", "describe", "plan") or run:
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
def timings(parse: float) -> str:
    """What hyperfine writes of two commands."""
    draw = random.Random(int(1e5 * parse))
    results = [
        {"command": name, "times": [round(draw.gauss(mean, 0.0003), 6) for _ in range(10)]}
        for name, mean in (("parse", parse), ("load", 0.0302))
    ]
    return json.dumps({"results": results})


FILES: dict[str, str | Callable[[list[str]], str]] = {
    "scores.csv": scores,
    **dict.fromkeys(("correct.csv", "pilot.csv"), scores),
    "labels.tsv": labels,
    **dict.fromkeys(("tags.tsv", "crf.tsv", "bert.tsv"), tags),
    "pairs.csv": "pair,is_colloc,MI,log_like,freq⏎×4000 p{i},{i * 7 % 10 < 3:d},"
    "{i * 7919 % 9973 / 9973},{i * 104729 % 9949 / 9949},{i * 1299709 % 9941 / 9941}",
    "base.txt": "×12 {20 + i * 7919 % 2003 / 100}",
    "new.txt": "×12 {20 + i * 104729 % 2003 / 100}",
    "yeh.toml": lambda _: Path("examples/yeh2000.toml").read_text("utf-8").replace("\n", "⏎"),
    "base.json": timings(0.0122),
    "new.json": timings(0.0112),
    "newer.json": timings(0.0102),
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


def file_of(name: str, words: list[str]) -> str:
    """The text of a file of that name, for a command or a block of Python."""
    make = FILES[name]
    if name == "gold.tsv" and "--system" in words:  # as in the other files
        make = tags
    return text_of(make if isinstance(make, str) else make(words))
