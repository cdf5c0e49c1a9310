"""Tables of known meaning: csig reads it, or refuses with a command that does; never another.

A small grammar writes tables whose meaning is known: units, systems, scores, clusters, direction.
The one thing that no reader can see is left out: a property of units whose numbers are of the same
kind as the scores, under a name that nobody reserved.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import several

from csig.base.errors import InputError, Refusal
from csig.readers import forms
from csig.readers.data import Data, TableData
from csig.readers.request import Request

#: Tables that are made; with --all the many that the claim stands on.
TABLES = several(600, 100_000)
BLOCK = 200


@dataclass
class Meaning:
    """What a table says."""

    #: {system: {unit: score or label}}.
    scores: dict[str, dict[str, Any]]
    gold: dict[str, str] | None = None
    clusters: dict[str, str] | None = None
    lower: bool = False
    files: dict[str, str | bytes] = field(default_factory=dict)
    #: What the trap is, for the message of a test.
    said: list[str] = field(default_factory=list)


KINDS: dict[str, Callable[[random.Random], Any]] = {
    "0/1": lambda r: r.randrange(2), "truth": lambda r: r.choice(["True", "False"]),
    "share": lambda r: round(r.random(), 3), "real": lambda r: round(r.uniform(5, 60), 2),
    "whole": lambda r: r.randrange(0, 100), "signed": lambda r: round(r.gauss(0, 3), 3),
}  # fmt: skip


def value_of(cell: Any) -> Any:
    return {"True": 1, "False": 0}.get(cell, cell)


@dataclass
class Drawn:
    """A table that is being made: its columns in their order, as cells."""

    rng: random.Random
    meaning: Meaning
    columns: dict[str, list[Any]] = field(default_factory=dict)
    units: list[str] = field(default_factory=list)


def names_of_systems(rng: random.Random) -> list[str]:
    pools = [
        ["base", "new", "large", "tiny"], ["gpt-4o", "llama", "qwen 2", "mix"],
        ["ICT-TIME", "TextRank", "lossy", "BERT"], ["A_wer", "B_wer", "C_wer"],
        ["sys.1", "sys.2", "sys.3"], ["crf", "bert", "loss-free"],
    ]  # fmt: skip
    pool = rng.choice(pools)
    return pool[: rng.randint(2, len(pool))]


def is_wer(names: list[str]) -> bool:
    return all(name.lower().endswith("wer") for name in names)


def wide(rng: random.Random) -> Drawn:
    """Scores with a column for every system, and what else people write into such tables."""
    kind = rng.choice(list(KINDS))
    n = rng.randint(4, 30)
    names = names_of_systems(rng)
    unit_names = rng.choice(["q{}", "item-{}", "{}", "doc {} é", "all {} of it"])
    units = [unit_names.format(i) for i in rng.sample(range(1000), n)]
    columns: dict[str, list[Any]] = {}
    id_name = rng.choice(["id", "ID", "item", "question_id", "", "name", "uid", None, None])
    if id_name is None:
        units = [str(i) for i in range(n)]
    else:
        columns[id_name] = units
    meaning = Meaning({name: {} for name in names}, lower=is_wer(names))
    for name in names:
        cells = [KINDS[kind](rng) for _ in range(n)]
        columns[name] = cells
        meaning.scores[name] = {u: value_of(c) for u, c in zip(units, cells, strict=True)}
    return Drawn(rng, meaning, columns, units)


def insert(table: Drawn, name: str, cells: list[Any]) -> None:
    """A column more, at any place but the first."""
    if name in table.columns:
        return
    names = list(table.columns)
    at = table.rng.randint(1, len(names))
    table.columns = {own: table.columns.get(own, cells) for own in [*names[:at], name, *names[at:]]}
    table.meaning.said.append(f"column {name}")


def with_clusters(table: Drawn) -> None:
    rng = table.rng
    name = rng.choice(["cluster", "task", "document_id", "speaker", "repo", "author"])
    number = rng.randint(2, max(2, len(table.units) // 2))
    cells = [f"g{rng.randrange(number)}" for _ in table.units]
    insert(table, name, cells)
    reserved = name in ("cluster", "task", "document_id", "speaker")
    # Reserved names are clusters; what else groups rows is refused, whichever is meant.
    if reserved and len(set(cells)) < len(cells):
        table.meaning.clusters = dict(zip(table.units, cells, strict=True))


def with_property(table: Drawn) -> None:
    rng = table.rng
    n = len(table.units)
    name, cells = rng.choice([
        ("length", [rng.randrange(3, 90) for _ in range(n)]),
        ("n_tokens", [rng.randrange(3, 90) for _ in range(n)]),
        ("year", [rng.randrange(1990, 2026) for _ in range(n)]),
        ("fold", [rng.randrange(2) for _ in range(n)]),
        ("mean", [round(rng.random(), 3) for _ in range(n)]),
        ("diff", [round(rng.gauss(0, 1), 3) for _ in range(n)]),
        ("rank", list(range(1, n + 1))), ("#", list(range(n))), ("p", [0.5] * n),
        ("f1", [round(rng.random(), 3) for _ in range(n)]),
        ("accuracy", [rng.randrange(2) for _ in range(n)]),
        ("seed", [rng.randrange(3) for _ in range(n)]),
        ("text", [f"a text, of {i} words" for i in range(n)]),
        ("lang", [rng.choice(["en", "de", "fr"]) for _ in range(n)]),
        ("note", [""] * n), ("comment", [rng.choice(["", "odd"]) for _ in range(n)]),
        ("relevant", [rng.randrange(2) for _ in range(n)]),
        ("value", [round(rng.random(), 3) for _ in range(n)]),
    ])  # fmt: skip
    if name not in table.columns:
        insert(table, name, cells)


def with_odd_numbers(table: Drawn) -> None:
    """Numbers of another kind, under a name that nobody reserved."""
    rng, n = table.rng, len(table.units)
    values = [v for own in table.meaning.scores.values() for v in own.values()]
    shares = all(0 <= v <= 1 for v in values)
    cells = [rng.uniform(200, 300) if shares else rng.randrange(2) for _ in range(n)]
    insert(table, rng.choice(["is_hard", "z", "weightless", "MI"]), cells)


def with_summary(table: Drawn) -> None:
    rng = table.rng
    name = rng.choice(["all", "Avg.", "mean", "Mean rank", "TOTAL", "avg. rank", "Std", "Wins"])
    first = next(iter(table.columns))
    gaps = any(not isinstance(v, (int, float)) and v not in ("True", "False")
               for name in table.meaning.scores for v in table.columns[name])  # fmt: skip
    if first in table.meaning.scores or table.meaning.gold is not None or gaps:
        return
    at = rng.choice([0, len(table.units)])
    for column, cells in table.columns.items():
        if column in table.meaning.scores:
            numbers = [float(value_of(cell)) for cell in cells]
            cell: Any = round(sum(numbers) / len(numbers), 3)
        else:
            cell = name if column == first else cells[0]
        table.columns[column] = [*cells[:at], cell, *cells[at:]]
    table.units = [*table.units[:at], name, *table.units[at:]]
    table.meaning.said.append(f"row {name}")


def with_missing(table: Drawn) -> None:
    rng = table.rng
    system = rng.choice(list(table.meaning.scores))
    at = rng.randrange(len(table.columns[system]))
    table.columns[system] = list(table.columns[system])
    table.columns[system][at] = rng.choice(["", "NA", "nan", "-", "None", "N/A"])
    unit = table.units[at]
    if unit in next(iter(table.meaning.scores.values())):
        for own in table.meaning.scores.values():
            own.pop(unit)
        if table.meaning.clusters is not None:
            table.meaning.clusters.pop(unit)
        if "id" not in {name.lower() for name in table.columns}:
            table.meaning.scores = dict(table.meaning.scores)
    table.meaning.said.append(f"missing {table.columns[system][at]!r}")


def with_percent(table: Drawn) -> None:
    values = [v for own in table.meaning.scores.values() for v in own.values()]
    system = table.rng.choice(list(table.meaning.scores))
    if not all(0 <= v <= 1 for v in values) or len(set(values)) < 4:
        return
    if max(table.meaning.scores[system].values(), default=0) < 0.02:
        return
    table.columns[system] = [
        f"{100 * float(value_of(cell)):.1f}" if cell not in ("", "NA", "nan", "-", "None", "N/A")
        else cell for cell in table.columns[system]
    ]  # fmt: skip
    table.meaning.said.append("percent beside shares")


TRAPS = (
    with_clusters, with_property, with_property, with_odd_numbers, with_summary, with_missing,
    with_percent,
)  # fmt: skip


# ---- files ---------------------------------------------------------------------------------------
def as_text(columns: dict[str, list[Any]], sign: str) -> str:
    def cell(value: Any) -> str:
        text = str(value)
        if sign in text or '"' in text:
            return '"' + text.replace('"', '""') + '"'
        return text

    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    return "".join(sign.join(map(cell, row)) + "\n" for row in rows)


def as_records(columns: dict[str, list[Any]], rng: random.Random) -> str:
    def scalar(value: Any) -> Any:
        if value in ("True", "False"):
            return value == "True"
        return None if value in ("", "NA", "nan", "-", "None", "N/A") else value

    rows = [
        {name: scalar(v) for name, v in zip(columns, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    how = rng.randrange(5)
    if how == 0:
        return json.dumps(rows)
    if how == 1:
        return json.dumps(rows, indent=2)
    if how == 2:
        return "\n".join(json.dumps(row, indent=1) for row in rows)
    if how == 3:
        return json.dumps({name: [row[name] for row in rows] for name in columns}, indent=2)
    return "".join(json.dumps(row) + "\n" for row in rows)


def packed(text: str, name: str, rng: random.Random) -> tuple[str, bytes]:
    data = text.encode()
    how = rng.randrange(9)
    if how == 0:
        return f"{name}.gz", gzip.compress(data)
    if how == 1:
        return f"{name}.bz2", bz2.compress(data)
    if how == 2:
        return f"{name}.xz", lzma.compress(data)
    if how == 3:
        return name, text.encode("utf-16")
    if how == 4:
        return name, b"\xef\xbb\xbf" + data
    return name, data


def written(columns: dict[str, list[Any]], stem: str, rng: random.Random) -> tuple[str, bytes]:
    how = rng.randrange(6)
    if how == 0 and "" not in columns:
        return packed(as_records(columns, rng), f"{stem}.json", rng)
    if how == 1 and not any("|" in str(c) for own in columns.values() for c in own):
        rows = [list(columns), ["---"] * len(columns), *zip(*columns.values(), strict=True)]
        text = "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)
        return packed(text, f"{stem}.md", rng)
    if how == 2:
        if any("\t" in str(c) or str(c).startswith('"') for own in columns.values() for c in own):
            how = 3
        else:
            return packed(as_text(columns, "\t"), f"{stem}.tsv", rng)
    sign = ";" if how == 3 else ","
    return packed(as_text(columns, sign), f"{stem}.csv", rng)


def one_table(rng: random.Random) -> Meaning:
    """A wide table, or the same with one row per unit and system, or a file per system."""
    table = wide(rng)
    for trap in rng.sample(TRAPS, rng.choice([0, 1, 1, 2, 3])):
        trap(table)
    meaning = table.meaning
    shape = rng.randrange(5)
    if shape == 0 and next(iter(table.columns)) not in meaning.scores:
        return of_rows(table)
    if shape == 1 and next(iter(table.columns)) not in meaning.scores:
        return of_files(table)
    name, data = written(table.columns, rng.choice(["scores", "results", "x"]), rng)
    meaning.files = {name: data}
    return meaning


def of_rows(table: Drawn) -> Meaning:
    rng, meaning = table.rng, table.meaning
    others = {n: own for n, own in table.columns.items() if n not in meaning.scores}
    system, score = rng.choice([("system", "score"), ("Model", "value"), ("who", "score"),
                                ("system", "em")])  # fmt: skip
    rows: list[dict[str, Any]] = []
    for name in meaning.scores:
        for i in range(len(table.units)):
            rows.append({system: name, **{n: own[i] for n, own in others.items()},
                         score: table.columns[name][i]})  # fmt: skip
    if rng.random() < 0.5:
        rng.shuffle(rows)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    meaning.lower = False
    name, data = written(columns, "long", rng)
    meaning.files = {name: data}
    meaning.said.append(f"rows of {system}, {score}")
    return meaning


def of_files(table: Drawn) -> Meaning:
    rng, meaning = table.rng, table.meaning
    others = {n: own for n, own in table.columns.items() if n not in meaning.scores}
    meaning.lower = False
    scores = {}
    for i, own in enumerate(list(meaning.scores)):
        columns = {**others, "score": table.columns[own]}
        named = set(others) & {"id", "ID", "item", "question_id", "", "name", "uid"}
        if rng.random() < 0.5 and named:
            order = rng.sample(range(len(table.units)), len(table.units))
            columns = {n: [cells[k] for k in order] for n, cells in columns.items()}
        stem = f"run{i}"
        name, data = written(columns, stem, rng)
        meaning.files[name] = data
        scores[stem] = meaning.scores[own]
    meaning.scores = scores
    meaning.said.append("a file per system")
    return meaning


def labels(rng: random.Random) -> Meaning:
    """The gold and systems, in words or in numbers."""
    known = rng.choice([["pos", "neg"], ["0", "1"], ["N", "V", "ADJ"], ["yes", "no"]])
    n = rng.randint(6, 30)
    units = [f"q{i}" for i in rng.sample(range(999), n)]
    gold = [known[i % len(known)] for i in range(n)]
    rng.shuffle(gold)
    names = names_of_systems(rng)
    columns: dict[str, list[Any]] = {"id": units, rng.choice(["gold", "label", "y_true"]): gold}
    meaning = Meaning({}, gold=dict(zip(units, gold, strict=True)))
    for name in names:
        cells = [g if rng.random() < 0.7 else rng.choice(known) for g in gold]
        columns[name] = cells
        meaning.scores[name] = dict(zip(units, cells, strict=True))
    table = Drawn(rng, meaning, columns, units)
    for trap in rng.sample([with_clusters, with_property], rng.choice([0, 0, 1, 2])):
        trap(table)
    name, data = written(table.columns, "labels", rng)
    meaning.files = {name: data}
    return meaning


def numbers(rng: random.Random) -> Meaning:
    """One number a line."""
    kind = rng.choice(["0/1", "share", "real", "whole"])
    n = rng.randint(4, 30)
    meaning = Meaning({})
    for i in range(rng.randint(2, 4)):
        cells = [KINDS[kind](rng) for _ in range(n)]
        meaning.scores[f"run{i}"] = {str(j): cell for j, cell in enumerate(cells)}
        name, data = packed("".join(f"{cell}\n" for cell in cells), f"run{i}.txt", rng)
        meaning.files[name] = data
    return meaning


MAKERS = (one_table, one_table, one_table, labels, numbers)


# ---- what csig says ------------------------------------------------------------------------------
def described(data: Data) -> tuple[Any, ...]:
    """Systems with their units, clusters and direction, as they were read."""
    assert isinstance(data, TableData)
    table = data.table
    if table.metrics:  # the other one is a column of numbers, which are metrics in such files
        table = table.of_metric("score")
    ids = [str(i) for i in range(table.n_units)] if table.ids is None else list(table.ids)
    keys = [key[-1] if isinstance(key, tuple) else key for key in ids]
    scores = {}
    for name in data.table.systems:
        values = table.systems[name]
        cells = np.asarray(values).tolist() if table.format != "labels" else list(values)
        scores[name] = cells
    clusters = None if table.clusters is None else list(table.clusters)
    gold = None if table.gold is None else list(table.gold)
    return keys, scores, clusters, gold


def same(data: Data, meaning: Meaning, with_ids: bool) -> str:
    """What differs from the meaning; nothing if it is what was read."""
    keys, scores, clusters, gold = described(data)
    if list(scores) != list(meaning.scores) and set(scores) != set(meaning.scores):
        return f"systems {list(scores)}, not {list(meaning.scores)}"
    truth = next(iter(meaning.scores.values()))
    if not with_ids:
        keys = list(truth)
    if len(keys) != len(truth) or set(keys) != set(truth):
        return f"{len(keys)} units, not {len(truth)}"
    for name, cells in scores.items():
        for key, cell in zip(keys, cells, strict=True):
            own = meaning.scores[name][key]
            near = cell == own or (not isinstance(own, str) and abs(cell - own) < 1e-9)
            if not near:
                return f"{name}, {key}: {cell!r}, not {own!r}"
    if (clusters is None) != (meaning.clusters is None):
        return f"clusters {clusters is not None}, not {meaning.clusters is not None}"
    for what, found, meant in (
        ("other clusters", clusters, meaning.clusters),
        ("another gold", gold, meaning.gold),
    ):
        both = found is not None and meant is not None
        if both and any(meant[key] != own for key, own in zip(keys, found, strict=True)):
            return what
    if (gold is None) != (meaning.gold is None):
        return "gold or none"
    if data.source.format == "scores":
        lower = not data.by_metric(())[0][0][0].greater_is_better if meaning.lower else False
        if lower != meaning.lower:
            return "the other direction"
    return ""


#: The options of what to read that take a value, as the command line writes them, and flags.
FLAGS = {"--no-header": ("header", False), "--header": ("header", True)}


def with_options(request: Request, options: tuple[str, ...]) -> Request:
    """A request with the options of a remedy."""
    words = list(options)
    while words:
        word = words.pop(0)
        if word in FLAGS:
            name, value = FLAGS[word]
            request = replace(request, **{name: value})  # type: ignore[arg-type]
            continue
        name, cell = word.removeprefix("--").replace("-", "_"), words.pop(0)
        if name in ("unit", "metric", "lower_is_better", "higher_is_better"):
            continue
        old = getattr(request, name)
        new: Any = (*old, cell) if isinstance(old, tuple) else cell
        request = replace(request, **{name: new})
    return request


#: What no option mends: phrases of the list in docs/formats.md.
LACKING = (
    "one system", "no column has numbers", "expected one for every system", "write the",
    "expected every id once", "has no id", "what is missing", "no column is known to have the ids",
    "both must have the same", "rows that repeat", "no unit has", "each of several files",
    "found one column only", "need the same number", "expected finite numbers", "a leaderboard",
    "has no name", "differ in the number of fields", "has cluster", "expected every response once",
    "no id in common", "every system needs the same runs", "no id is common",
    "expected two or more", "expected a finite number", "sums up others",
)  # fmt: skip


def follow(request: Request, depth: int = 0) -> list[Data]:
    """All that the remedies of a refusal lead to; at most one refusal for each of four traps."""
    try:
        return [forms.read(request)]
    except Refusal as error:
        if not error.remedies or depth > 4:
            raise AssertionError(f"no way out, or a sixth refusal: {error}") from error
        found = []
        for remedy in error.remedies:
            if remedy.verb is None:
                found += follow(with_options(request, remedy.options), depth + 1)
        return found
    except InputError as error:
        if not any(phrase in str(error) for phrase in LACKING):
            raise AssertionError(f"not on the list: {error}") from error
        return []


def check(seed: int, folder: Path) -> str:
    """What became of a table: "read" or "refused"."""
    rng = random.Random(seed)
    meaning = rng.choice(MAKERS)(rng)
    paths = []
    for name, data in meaning.files.items():
        path = folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        paths.append(str(path))
    request = Request(files=tuple(paths))
    where = f"seed {seed}: {', '.join(meaning.said)}: {paths}"
    try:
        data = forms.read(request)
    except InputError:
        try:
            follow(request)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from None
        return "refused"
    with_ids = isinstance(data, TableData) and data.table.ids is not None
    odd = same(data, meaning, with_ids)
    assert not odd, f"{where}: {odd}"
    return "read"


@pytest.mark.parametrize("block", range(-(-TABLES // BLOCK)))
def test_tables_have_their_meaning_or_are_refused(block, tmp_path):
    found = [check(seed, tmp_path) for seed in range(block * BLOCK, (block + 1) * BLOCK)]
    assert 0.15 * BLOCK < found.count("read") < 0.85 * BLOCK, found.count("read")
