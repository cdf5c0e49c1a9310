"""No row disappears: every reader has as many units as a plain reading has rows.

Random files of every format, with what real ones have in them: lone quotation marks, blank lines,
missing cells, line breaks in quoted cells. What was written is counted by code of a few
lines that knows nothing of csig. Where a reader has fewer units than there are rows, a caution
or a note says how many, or it refuses the file in one line.

CSIG_TABLES=10000 takes half a minute.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written import text_file

from csig import readers
from csig.base.errors import InputError
from csig.readers import statistics
from csig.readers.harness import read_samples
from csig.readers.labels import read_labels
from csig.readers.responses import read_responses

Rng = np.random.Generator

#: How many files are made, over all formats.
TABLES = int(os.environ.get("CSIG_TABLES", "700"))

WORDS = [
    '"', '""', '"a', 'b"', '"a b"', '"a ""b"" c"', "it's", "x", "", " ", "é", "#", "O", '5" pipe',
    "a,b", ";", "\\", "NA", "\u2028", "0,5", "2", "B-PER", "id", "gold", "'", ",", '","',
]  # fmt: skip
LABELS = ["pos", "neg", "neutral", '"', "gold"]


def pick(rng: Rng, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def number(rng: Rng, missing: float = 0.0) -> str:
    if chance(rng, missing):
        return pick(rng, ["", "", " "])
    return repr(float(np.round(rng.normal(), 3))) if chance(rng, 0.8) else str(rng.integers(9))


def reading(*paths: str, **options: Any) -> Callable[[], Any]:
    return lambda: readers.read_table(*paths, **options)


def save(rng: Rng, path: str, lines: list[str], between: float = 0.0) -> str:
    """A text of these lines, and some blank ones at the end, and, if wanted, between them."""
    end = pick(rng, ["\n", "\n", "\r\n"])
    text = []
    for line in lines:
        text.append(line)
        while chance(rng, between):
            text.append(pick(rng, ["", "", "  "]))
    text += [""] * int(rng.integers(3))
    data = end.join(text) + end * int(rng.integers(2))
    return text_file(pick(rng, [b"", b"", b"\xef\xbb\xbf"]) + data.encode(), path)


def filled(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    text = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    return [line for line in text.split("\n") if line.strip(" ")]


def n_rows(rng: Rng) -> int:
    return int(rng.integers(1, 9))


def options(rng: Rng) -> dict[str, Any]:
    return {"allow_missing": True} if chance(rng, 0.5) else {}


Made = tuple[Callable[[], Any], int]


# ---- one function a format: how a file is read, and how many rows it has -------------------------
def tsv(rng: Rng) -> Made:
    """Raw cells between tabs: tokens, and scores."""
    gap = 0.1 if chance(rng, 0.3) else 0.0
    rows = [f"q{i}\t{pick(rng, WORDS)}\t{number(rng, gap)}\t{number(rng, gap)}"
            for i in range(n_rows(rng))]  # fmt: skip
    path = save(rng, "t.tsv", ["id\ttext\ta\tb", *rows], 0.1)
    return reading(path, systems=["a", "b"], **options(rng)), len(filled(path)) - 1


def tokens(rng: Rng) -> Made:
    """Raw tokens with labels, in CSV as careless writers write it, and in TSV."""
    sign = pick(rng, ["\t", "\t", ","])
    words = [word for word in WORDS if sign == "\t" or sign not in word]
    rows = [sign.join([pick(rng, words), *(pick(rng, LABELS[:2]) for _ in "gab")])
            for _ in range(n_rows(rng))]  # fmt: skip
    path = save(rng, "t.txt", [sign.join(["token", "gold", "a", "b"]), *rows])
    asked = {"quoting": pick(rng, ["csv", "none"])} if chance(rng, 0.3) else {}
    return reading(path, format="labels", systems=["a", "b"], **asked), len(filled(path)) - 1


def quoted(rng: Rng) -> Made:
    """CSV as Python's writer has it; cells may hold line breaks."""
    text = io.StringIO(newline="")
    quoting = pick(rng, [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
    sign = pick(rng, [",", ",", ";", "\t"])
    writer = csv.writer(text, delimiter=sign, quoting=quoting, lineterminator="\n")
    writer.writerow(["id", "text", "a", "b"])
    count = n_rows(rng)
    for i in range(count):
        cell = "\n".join(pick(rng, WORDS) for _ in range(int(rng.integers(1, 4))))
        writer.writerow([f"q{i}", cell if chance(rng, 0.5) else "x", number(rng), number(rng)])
    Path("t.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
    asked = {"quoting": "csv"} if sign == "\t" else {}
    return reading("t.csv", systems=["a", "b"], **asked), count


def bare(rng: Rng) -> Made:
    """No header; decimal commas or points."""
    decimal = pick(rng, [".", ","])
    rows = [";".join([f"q{i}", *(number(rng).replace(".", decimal) for _ in "ab")])
            for i in range(n_rows(rng))]  # fmt: skip
    path = save(rng, "t.csv", rows, 0.1)
    return reading(path, header=False, id="1", decimal=decimal), len(filled(path))


def labels(rng: Rng) -> Made:
    """A table of labels in which some cells are empty, or the first row may be data."""
    rows = [
        "\t".join([f"q{i}", *(pick(rng, [*LABELS, ""] if i else LABELS[:2]) for _ in "gab")])
        for i in range(n_rows(rng))
    ]
    header = [] if chance(rng, 0.3) else ["id\tgold\ta\tb"]
    path = save(rng, "t.tsv", [*header, *rows], 0.1)
    given = options(rng) | ({"header": bool(header)} if chance(rng, 0.5) else {})
    count = len(filled(path)) - bool(header)
    return reading(path, id="1", gold="2", systems=["3", "4"], **given), count


def lists(rng: Rng) -> Made:
    """One number a line in two or three files: line i of each is unit i."""
    count, gap = n_rows(rng), pick(rng, [0.0, 0.0, 0.2])
    own = [[number(rng, gap).strip() for _ in range(count)] for _ in range(int(rng.integers(2, 4)))]
    name = ["F1"] * int(rng.integers(2))
    paths = [save(rng, f"{i}.txt", [*name, *lines]) for i, lines in enumerate(own)]
    used = [i for i in range(count) if any(lines[i] for lines in own)]
    rows = used[-1] + 1 - used[0] if used else 0
    return reading(*paths, format="scores", **options(rng)), rows


def several(rng: Rng) -> Made:
    """A file for every system, some without some ids, in any order."""
    ids = [f"q{i}" for i in range(n_rows(rng) + 1)]
    known: set[str] = set()
    paths = []
    for name in "ab":
        own = [key for key in rng.permutation(ids).tolist() if not chance(rng, 0.1)]
        known |= set(own)
        paths.append(save(rng, f"{name}.csv", ["id,score", *(f"{i},{number(rng)}" for i in own)]))
    return reading(*paths, **options(rng)), len(known)


def ordered(rng: Rng) -> Made:
    """Files that are matched by their order, with blank lines."""
    count, gap = n_rows(rng), pick(rng, [0.0, 0.2])
    rows = (["kind\tscore", *(f"x\t{number(rng)}" for _ in range(count))] for _ in "ab")
    paths = [save(rng, f"{i}.tsv", own, gap) for i, own in enumerate(rows)]
    return reading(*paths, ignore="kind"), count


def long(rng: Rng) -> Made:
    """A row a unit and system."""
    ids = [f"q{i}" for i in range(n_rows(rng))]
    rows = [f"{i};{own};{number(rng, 0.02)}" for i in ids for own in "ab" if not chance(rng, 0.03)]
    rng.shuffle(rows)
    path = save(rng, "t.csv", ["id;system;score", *rows], 0.1)
    known = {line.split(";")[0] for line in filled(path)[1:]}
    return reading(path, **options(rng)), len(known)


def parquet(rng: Rng) -> Made:
    pa = pytest.importorskip("pyarrow")
    write = pytest.importorskip("pyarrow.parquet").write_table
    count = n_rows(rng)
    texts = [pick(rng, WORDS) for _ in range(count)]
    columns = {"id": [f"q{i}" for i in range(count)], "text": texts}
    for name in "ab":
        columns[name] = [None if chance(rng, 0.1) else float(number(rng)) for _ in range(count)]
    write(pa.table(columns), "t.parquet")
    return reading("t.parquet", systems=["a", "b"], **options(rng)), count


def records(rng: Rng) -> Made:
    """JSON, as an array or by line; some fields are null or not there."""
    rows: list[dict[str, Any]] = []
    for i in range(n_rows(rng)):
        rows.append({"id": i, "text": pick(rng, WORDS), "in": {"a": float(number(rng))}})
        rows[-1]["b"] = pick(rng, [None, True, 1, 0.5, 0.25, 0.125, 2, 3])
        if chance(rng, 0.1):
            del rows[-1]["in"]
    if chance(rng, 0.5):
        Path("t.json").write_text(json.dumps(rows, indent=pick(rng, [None, 1])))
    else:
        save(rng, "t.json", list(map(json.dumps, rows)), 0.1)
    given = {"field": {"a": "in.a"}, "systems": ["a", "b"], **options(rng)}
    return reading("t.json", **given), len(rows)


def samples(rng: Rng) -> Made:
    ids = list(range(n_rows(rng) + 1))
    known: set[int] = set()
    paths = []
    for name in "ab":
        own = [i for i in rng.permutation(ids).tolist() if not chance(rng, 0.05)]
        known |= set(own)
        lines = [json.dumps({"doc_id": i, "doc": "x", "acc": float(i % 2)}) for i in own]
        paths.append(save(rng, f"{name}.jsonl", lines, 0.1))
    given = options(rng)
    return lambda: read_samples(paths, **given), len(known)


def converted(rng: Rng) -> Made:
    """What csig convert writes of any texts."""
    count = n_rows(rng)
    ids = ["\n".join(pick(rng, WORDS) for _ in range(2)) + f"{i}" for i in range(count)]
    columns = {"id": ids, "score_a": np.arange(count) / 3, "score_b": np.ones(count)}
    path = f"s.{pick(rng, ['csv', 'tsv'])}"
    text_file(statistics.encoded(path, columns), path)

    def read() -> Any:
        table = statistics.read_statistics(path)
        assert list(table.ids) == [own.strip() for own in ids]
        return table

    return read, count


def label_lines(rng: Rng) -> Made:
    count = n_rows(rng)
    rows = ([pick(rng, [*LABELS[:3]] * 5 + [""]) + "\n" for _ in range(count)] for _ in "gab")
    paths = [text_file("".join(own), f"{i}.txt") for i, own in enumerate(rows)]
    given = options(rng)
    return lambda: read_labels(*paths, **given), count


def tags(rng: Rng) -> Made:
    """Tokens with tags; the units that are counted are tokens."""
    words = [word for word in WORDS if word.strip(" \u2028")]
    rows = [(pick(rng, words), chance(rng, 0.2)) for _ in range(n_rows(rng) + 2)]
    every = ("".join(f"{word}\t{pick(rng, ['O', 'B-PER', 'B-LOC'])}\n" + "\n" * last
                     for word, last in rows) for _ in "gab")  # fmt: skip
    paths = [text_file(text, f"{i}.conll") for i, text in enumerate(every)]
    return lambda: readers.read_tags(*paths), len(rows)


def responses(rng: Rng) -> Made:
    rows = [f"d{rng.integers(9)}\t{pick(rng, WORDS)}" for _ in range(n_rows(rng))]
    path = save(rng, "r.tsv", list(dict.fromkeys(rows)) if chance(rng, 0.8) else rows, 0.1)
    return lambda: read_responses(path), len(filled(path))


def spans(rng: Rng) -> Made:
    rows = [
        {"document": f"d{rng.integers(3)}", "label": pick(rng, LABELS), "start": i, "end": i + 2}
        for i in range(n_rows(rng))
    ]
    path = save(rng, "s.jsonl", list(map(json.dumps, rows)), 0.1)
    return lambda: [s for own in readers.read_spans(path).values() for s in own], len(filled(path))


FORMATS = [
    *(tsv, tokens, quoted, bare, labels, lists, several, ordered, long, parquet, records, samples),
    *(converted, label_lines, tags, responses, spans),
]


# ---- the comparison ------------------------------------------------------------------------------
def n_units(found: Any) -> int:
    if isinstance(found, readers.Table):
        return found.n_units
    return found.n_tokens if isinstance(found, readers.TagFiles) else len(found)


def says(found: Any, rows: int) -> bool:
    """Whether a caution or a note gives both numbers, or the difference and the whole."""
    units = n_units(found)
    for text in (*found.cautions, *found.notes):
        numbers = {int(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*", text)}
        if rows in numbers and not numbers.isdisjoint({units, rows - units}):
            return True
    return False


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_units_are_rows(make, tmp_path):
    outcomes: Counter[str] = Counter()
    for i in range(-(-TABLES // len(FORMATS))):
        rng = np.random.default_rng([FORMATS.index(make), i])
        for file in tmp_path.iterdir():
            file.unlink()
        read, rows = make(rng)
        try:
            found = read()
        except InputError as error:
            assert len(str(error).splitlines()) == 1  # noqa: PT017 - what is read is looked at below
            outcomes["refused"] += 1
            continue
        if n_units(found) == rows:
            outcomes["all"] += 1
            continue
        contents = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert n_units(found) < rows, (i, contents)
        assert says(found, rows), (i, n_units(found), rows, found.cautions, found.notes, contents)
        outcomes["said"] += 1
    # Not by refusing everything.
    assert outcomes["all"] + outcomes["said"] >= 0.2 * outcomes.total()
    assert outcomes["all"]
