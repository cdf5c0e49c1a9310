"""No row disappears: every reader has as many units as a plain reading has rows.

Random files with what real ones have in them: lone quotation marks, blank lines, missing cells,
line breaks in quoted cells. What was written is counted by code of a few lines that knows nothing
of csig. Where a reader has fewer units than there are rows, a caution or a note says how many, or
it refuses the file in one line. CSIG_TABLES=10000 takes half a minute.
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
from csig.readers.harness import read_samples

Rng = np.random.Generator

#: How many files are made, over all formats.
TABLES = int(os.environ.get("CSIG_TABLES", "300"))

WORDS = [
    '"', '""', '"a', 'b"', '"a b"', '"a ""b"" c"', "it's", "x", "", " ", "é", "#", "O", '5" pipe',
    "a,b", ";", "\\", "NA", "\u2028", "0,5", "2", "B-PER", "id", "gold", "'", ",", '","',
]  # fmt: skip
LABELS = ["pos", "neg", "neutral", '"', "gold"]


def pick(rng: Rng, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def number(rng: Rng, missing: float = 0.0) -> str:
    if rng.random() < missing:
        return pick(rng, ["", "", " "])
    return repr(float(np.round(rng.normal(), 3))) if rng.random() < 0.8 else str(rng.integers(9))


def reading(*paths: str, **options: Any) -> Callable[[], Any]:
    return lambda: readers.read_table(*paths, **options)


def save(rng: Rng, path: str, lines: list[str], between: float = 0.1) -> str:
    """A text of these lines, and some blank ones at the end, and, if wanted, between them."""
    end, text = pick(rng, ["\n", "\n", "\r\n"]), []
    for line in lines:
        text.append(line)
        while rng.random() < between:
            text.append(pick(rng, ["", "", "  "]))
    text += [""] * int(rng.integers(3))
    data = end.join(text) + end * int(rng.integers(2))
    return text_file(pick(rng, [b"", b"", b"\xef\xbb\xbf"]) + data.encode(), path)


def filled(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    text = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    return [line for line in text.split("\n") if line.strip(" ")]


def n_rows(rng: Rng) -> range:
    return range(int(rng.integers(1, 9)))


def options(rng: Rng) -> dict[str, Any]:
    return {"allow_missing": True} if rng.random() < 0.5 else {}


Made = tuple[Callable[[], Any], int]


# ---- one function a format: how a file is read, and how many rows it has -------------------------
def tsv(rng: Rng) -> Made:
    """Raw cells between tabs: tokens, and scores."""
    gap = 0.1 if rng.random() < 0.3 else 0.0
    rows = [f"q{i}\t{pick(rng, WORDS)}\t{number(rng, gap)}\t{number(rng, gap)}"
            for i in n_rows(rng)]  # fmt: skip
    path = save(rng, "t.tsv", ["id\ttext\ta\tb", *rows])
    return reading(path, systems=["a", "b"], **options(rng)), len(filled(path)) - 1


def tokens(rng: Rng) -> Made:
    """Raw tokens with labels, in CSV as careless writers write it, and in TSV."""
    sign = pick(rng, ["\t", "\t", ","])
    words = [word for word in WORDS if sign == "\t" or sign not in word]
    rows = [sign.join([pick(rng, words), *(pick(rng, LABELS[:2]) for _ in "gab")])
            for _ in n_rows(rng)]  # fmt: skip
    path = save(rng, "t.txt", [sign.join(["token", "gold", "a", "b"]), *rows], 0)
    asked = {"quoting": pick(rng, ["csv", "none"])} if rng.random() < 0.3 else {}
    return reading(path, format="labels", systems=["a", "b"], **asked), len(filled(path)) - 1


def quoted(rng: Rng) -> Made:
    """CSV as Python's writer has it; cells may hold line breaks."""
    text = io.StringIO(newline="")
    quoting = pick(rng, [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
    sign = pick(rng, [",", ",", ";", "\t"])
    writer = csv.writer(text, delimiter=sign, quoting=quoting, lineterminator="\n")
    writer.writerow(["id", "text", "a", "b"])
    count = len(n_rows(rng))
    for i in range(count):
        cell = "\n".join(pick(rng, WORDS) for _ in range(int(rng.integers(1, 4))))
        writer.writerow([f"q{i}", cell if rng.random() < 0.5 else "x", number(rng), number(rng)])
    Path("t.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
    asked = {"quoting": "csv"} if sign == "\t" else {}
    return reading("t.csv", systems=["a", "b"], **asked), count


def bare(rng: Rng) -> Made:
    """No header; decimal commas or points."""
    decimal = pick(rng, [".", ","])
    rows = [";".join([f"q{i}", *(number(rng).replace(".", decimal) for _ in "ab")])
            for i in n_rows(rng)]  # fmt: skip
    path = save(rng, "t.csv", rows)
    return reading(path, header=False, id="1", decimal=decimal), len(filled(path))


def labels(rng: Rng) -> Made:
    """A table of labels in which some cells are empty, or the first row may be data."""
    rows = [
        "\t".join([f"q{i}", *(pick(rng, [*LABELS, ""] if i else LABELS[:2]) for _ in "gab")])
        for i in n_rows(rng)
    ]
    header = [] if rng.random() < 0.3 else ["id\tgold\ta\tb"]
    path = save(rng, "t.tsv", [*header, *rows])
    given = options(rng) | ({"header": bool(header)} if rng.random() < 0.5 else {})
    count = len(filled(path)) - bool(header)
    return reading(path, id="1", gold="2", systems=["3", "4"], **given), count


def long(rng: Rng) -> Made:
    """A row a unit and system."""
    ids = [f"q{i}" for i in n_rows(rng)]
    rows = [f"{i};{own};{number(rng, 0.02)}" for i in ids for own in "ab" if rng.random() > 0.03]
    rng.shuffle(rows)
    path = save(rng, "t.csv", ["id;system;score", *rows])
    known = {line.split(";")[0] for line in filled(path)[1:]}
    return reading(path, **options(rng)), len(known)


def samples(rng: Rng) -> Made:
    ids = [*n_rows(rng), 9]
    known: set[int] = set()
    paths = []
    for name in "ab":
        own = [i for i in rng.permutation(ids).tolist() if rng.random() > 0.05]
        known |= set(own)
        lines = [json.dumps({"doc_id": i, "doc": "x", "acc": float(i % 2)}) for i in own]
        paths.append(save(rng, f"{name}.jsonl", lines))
    given = options(rng)
    return lambda: read_samples(paths, **given), len(known)


FORMATS = [tsv, tokens, quoted, bare, labels, long, samples]


# ---- the comparison ------------------------------------------------------------------------------
def says(found: readers.Table, rows: int) -> bool:
    """Whether a caution or a note gives both numbers, or the difference and the whole."""
    units = found.n_units
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
        outcomes["all" if found.n_units == rows else "said"] += 1
        contents = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert found.n_units <= rows, (i, contents)
        assert found.n_units == rows or says(found, rows), (i, rows, found, contents)
    # Not by refusing everything.
    assert outcomes["all"] + outcomes["said"] >= 0.2 * outcomes.total()
    assert outcomes["all"]
