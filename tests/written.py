"""Files that tests of readers write, and the line that a reader refuses them with."""

import csv
import gzip
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from csig import readers
from csig.base.errors import InputError
from csig.readers import Table, harness
from csig.readers.data import ResponseData, TableData
from csig.readers.request import Request
from csig.readers.responses import of_spans

#: Two systems' scores of two units.
WIDE = "id,a,b\nq1,0.5,1\nq2,0.25,0\n"


def refusal(read: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The one line that a mistake ends in."""
    with pytest.raises(InputError) as caught:
        read(*arguments, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def text_file(text: str | bytes, name: str = "t.csv") -> str:
    """A file with this text."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def mistake(text: str | bytes, **options: Any) -> str:
    """The line that a table with this text ends in."""
    found = refusal(readers.read_table, text_file(text), **options)
    assert found.startswith("t.csv")
    return found


def read_samples(paths: Iterable[Any], *, metric: Sequence[str] = (), **options: Any) -> Table:
    """The table of samples of lm-evaluation-harness."""
    options["system"] = tuple(options.pop("systems", ()))
    options["allow_missing"] = "intersection" if options.pop("allow_missing", False) else None
    data = harness.read(Request(tuple(map(str, paths)), **options), metric)
    assert isinstance(data, TableData)
    return data.table


def read_span_files(*paths: Any, allow_missing: bool = False) -> list[Any]:
    """The spans of the gold and of systems by document."""
    missing = "intersection" if allow_missing else None
    data = of_spans(Request(tuple(map(str, paths)), allow_missing=missing), ())
    assert isinstance(data, ResponseData)
    return [data.table.gold, *data.systems]


def file_of(file_name: str = "t.csv", order: Iterable[int] = (), /, **cells: Any) -> str:
    """A table of these columns, its rows in some order."""
    rows = list(zip(*cells.values(), strict=True))
    with open(file_name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(cells)
        writer.writerows(rows[i] for i in order or range(len(rows)))
    return file_name


def shares(n: int, seed: int = 1) -> list[float]:
    """Scores between 0 and 1, always the same."""
    rng = random.Random(seed)
    return [round(rng.random(), 3) for _ in range(n)]


def half_random(megabytes):
    """What packs to a fiftieth, so that only the size can be too large."""
    block = random.Random(1).randbytes(2**14) * 2**6
    return text_file(gzip.compress(block, mtime=0) * megabytes, "half.csv.gz")
