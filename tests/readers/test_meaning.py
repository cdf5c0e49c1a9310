"""Tables of known meaning: csig reads it, or refuses with a command that does; never another.

A small grammar writes tables whose meaning is known: units, systems, scores, clusters, direction.
The one thing that no reader can see is left out: a property of units whose numbers are of the same
kind as the scores, under a name that nobody reserved.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from drawn import several
from written import text_file

from csig.base.errors import InputError, Refusal
from csig.readers import forms
from csig.readers.data import Data, TableData
from csig.readers.request import Request

#: Tables that are made; with --all the many that the claim stands on.
TABLES = several(60, 100_000)
BLOCK = several(60, 100)


@dataclass
class Drawn:
    """A table that is being made, its columns in their order, and what it says."""

    rng: random.Random
    columns: dict[str, list[Any]]
    units: list[str]
    #: {system: {unit: score or label}}.
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    gold: dict[str, str] | None = None
    clusters: dict[str, str] | None = None
    lower: bool = False
    files: dict[str, str] = field(default_factory=dict)
    #: What the trap is, for the message of a test.
    said: list[str] = field(default_factory=list)


KINDS: dict[str, Callable[[random.Random], Any]] = {
    "0/1": lambda r: r.randrange(2), "truth": lambda r: r.choice(["True", "False"]),
    "share": lambda r: round(r.random(), 3), "real": lambda r: round(r.uniform(5, 60), 2),
    "whole": lambda r: r.randrange(0, 100), "signed": lambda r: round(r.gauss(0, 3), 3),
}  # fmt: skip
MISSING = ["", "NA", "nan", "-", "None", "N/A"]
SYSTEMS = [
    ["base", "new", "large", "tiny"], ["gpt-4o", "llama", "qwen 2", "mix"],
    ["ICT-TIME", "TextRank", "lossy", "BERT"], ["A_wer", "B_wer", "C_wer"],
    ["sys.1", "sys.2", "sys.3"], ["crf", "bert", "loss-free"],
]  # fmt: skip


def value_of(cell: Any) -> Any:
    return {"True": 1, "False": 0}.get(cell, cell)


def names_of_systems(rng: random.Random) -> list[str]:
    pool = rng.choice(SYSTEMS)
    return pool[: rng.randint(2, len(pool))]


def wide(rng: random.Random) -> Drawn:
    """Scores with a column for every system, and what else people write into such tables."""
    kind, n = rng.choice(list(KINDS)), rng.randint(4, 30)
    unit_names = rng.choice(["q{}", "item-{}", "{}", "doc {} é", "all {} of it"])
    units = [unit_names.format(i) for i in rng.sample(range(1000), n)]
    id_name = rng.choice(["id", "ID", "item", "question_id", "", "name", "uid", None, None])
    units = [str(i) for i in range(n)] if id_name is None else units
    table = Drawn(rng, {} if id_name is None else {id_name: units}, units)
    for name in names_of_systems(rng):
        cells = table.columns[name] = [KINDS[kind](rng) for _ in range(n)]
        table.scores[name] = dict(zip(units, map(value_of, cells), strict=True))
    table.lower = all(name.endswith("wer") for name in table.scores)
    return table


def insert(table: Drawn, name: str, cells: list[Any]) -> None:
    if name not in table.columns:
        names = list(table.columns)
        at = table.rng.randint(1, len(names))
        names[at:at] = [name]
        table.columns = {own: table.columns.get(own, cells) for own in names}
        table.said.append(f"column {name}")


def with_clusters(table: Drawn) -> None:
    rng = table.rng
    name = rng.choice(["cluster", "task", "document_id", "speaker", "repo", "author"])
    number = rng.randint(2, max(2, len(table.units) // 2))
    cells = [f"g{rng.randrange(number)}" for _ in table.units]
    insert(table, name, cells)
    # Reserved names are clusters; what else groups rows is refused, whichever is meant.
    if name not in ("repo", "author") and len(set(cells)) < len(cells):
        table.clusters = dict(zip(table.units, cells, strict=True))


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
    insert(table, name, cells)


def with_odd_numbers(table: Drawn) -> None:
    """Numbers of another kind, under a name that nobody reserved."""
    rng, n = table.rng, len(table.units)
    values = [v for own in table.scores.values() for v in own.values()]
    shares = all(0 <= v <= 1 for v in values)
    cells = [rng.uniform(200, 300) if shares else rng.randrange(2) for _ in range(n)]
    insert(table, rng.choice(["is_hard", "z", "weightless", "MI"]), cells)


def with_summary(table: Drawn) -> None:
    rng = table.rng
    name = rng.choice(["all", "Avg.", "mean", "Mean rank", "TOTAL", "avg. rank", "Std", "Wins"])
    first = next(iter(table.columns))
    gaps = any(not isinstance(v, (int, float)) and v not in ("True", "False")
               for name in table.scores for v in table.columns[name])  # fmt: skip
    if first in table.scores or table.gold is not None or gaps:
        return
    at = rng.choice([0, len(table.units)])
    for column, cells in table.columns.items():
        if column in table.scores:
            numbers = [float(value_of(cell)) for cell in cells]
            cell: Any = round(sum(numbers) / len(numbers), 3)
        else:
            cell = name if column == first else cells[0]
        table.columns[column] = [*cells[:at], cell, *cells[at:]]
    table.units = [*table.units[:at], name, *table.units[at:]]
    table.said.append(f"row {name}")


def with_missing(table: Drawn) -> None:
    rng = table.rng
    system = rng.choice(list(table.scores))
    at = rng.randrange(len(table.columns[system]))
    table.columns[system] = list(table.columns[system])
    table.columns[system][at] = rng.choice(MISSING)
    unit = table.units[at]
    for own in (*table.scores.values(), table.clusters or {}):
        own.pop(unit, None)
    table.said.append(f"missing {table.columns[system][at]!r}")


def with_percent(table: Drawn) -> None:
    values = [v for own in table.scores.values() for v in own.values()]
    system = table.rng.choice(list(table.scores))
    if not all(0 <= v <= 1 for v in values) or len(set(values)) < 4:
        return
    if max(table.scores[system].values(), default=0) < 0.02:
        return
    table.columns[system] = [
        cell if cell in MISSING else f"{100 * float(value_of(cell)):.1f}"
        for cell in table.columns[system]
    ]
    table.said.append("percent beside shares")


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
        return None if value in MISSING else {"True": True, "False": False}.get(value, value)

    rows = [
        {name: scalar(v) for name, v in zip(columns, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    if rng.random() < 0.5:
        return json.dumps(rows, indent=rng.choice([None, 2]))
    return "".join(json.dumps(row) + "\n" for row in rows)


def written(columns: dict[str, list[Any]], stem: str, rng: random.Random) -> tuple[str, str]:
    if rng.random() < 0.2 and "" not in columns:
        return f"{stem}.json", as_records(columns, rng)
    if rng.random() < 0.2:
        return f"{stem}.tsv", as_text(columns, "\t")
    return f"{stem}.csv", as_text(columns, rng.choice(",,;"))


def one_table(rng: random.Random) -> Drawn:
    table = wide(rng)
    for trap in rng.sample(TRAPS, rng.choice([0, 1, 1, 2, 3])):
        trap(table)
    shape = rng.randrange(5)
    if shape < 2 and next(iter(table.columns)) not in table.scores:
        (of_rows if shape == 0 else of_files)(table)
    else:
        name, text = written(table.columns, rng.choice(["scores", "results", "x"]), rng)
        table.files[name] = text
    return table


def of_rows(table: Drawn) -> None:
    rng = table.rng
    others = {n: own for n, own in table.columns.items() if n not in table.scores}
    system, score = rng.choice([("system", "score"), ("Model", "value"), ("who", "score"),
                                ("system", "em")])  # fmt: skip
    rows = [
        {system: name, **{n: own[i] for n, own in others.items()}, score: table.columns[name][i]}
        for name in table.scores for i in range(len(table.units))
    ]  # fmt: skip
    if rng.random() < 0.5:
        rng.shuffle(rows)
    name, text = written({name: [row[name] for row in rows] for name in rows[0]}, "long", rng)
    table.lower, table.files[name] = False, text
    table.said.append(f"rows of {system}, {score}")


def of_files(table: Drawn) -> None:
    rng = table.rng
    others = {n: own for n, own in table.columns.items() if n not in table.scores}
    named = set(others) & {"id", "ID", "item", "question_id", "", "name", "uid"}
    for i, own in enumerate(table.scores):
        columns = {**others, "score": table.columns[own]}
        if rng.random() < 0.5 and named:
            order = rng.sample(range(len(table.units)), len(table.units))
            columns = {n: [cells[k] for k in order] for n, cells in columns.items()}
        name, text = written(columns, f"run{i}", rng)
        table.files[name] = text
    table.lower = False
    table.scores = {f"run{i}": own for i, own in enumerate(table.scores.values())}
    table.said.append("a file per system")


def labels(rng: random.Random) -> Drawn:
    """The gold and systems, in words or in numbers."""
    known = rng.choice([["pos", "neg"], ["0", "1"], ["N", "V", "ADJ"], ["yes", "no"]])
    n = rng.randint(6, 30)
    units = [f"q{i}" for i in rng.sample(range(999), n)]
    gold = rng.sample([known[i % len(known)] for i in range(n)], n)
    table = Drawn(rng, {"id": units, rng.choice(["gold", "label", "y_true"]): gold}, units)
    table.gold = dict(zip(units, gold, strict=True))
    for name in names_of_systems(rng):
        cells = [g if rng.random() < 0.7 else rng.choice(known) for g in gold]
        table.columns[name] = cells
        table.scores[name] = dict(zip(units, cells, strict=True))
    for trap in rng.sample([with_clusters, with_property], rng.choice([0, 0, 1, 2])):
        trap(table)
    name, text = written(table.columns, "labels", rng)
    table.files[name] = text
    return table


# ---- what csig says ------------------------------------------------------------------------------
def difference(data: Data, meant: Drawn) -> str:
    """What differs from the meaning; nothing if it is what was read."""
    assert isinstance(data, TableData)
    table = data.table
    if table.metrics:  # the other one is a column of numbers, which are metrics in such files
        table = table.of_metric("score")
    units = list(next(iter(meant.scores.values())))
    ids = units if table.ids is None else table.ids
    keys = [key[-1] if isinstance(key, tuple) else key for key in ids]
    if {*table.systems} != {*meant.scores}:
        return f"systems {[*table.systems]}, not {[*meant.scores]}"
    if len(keys) != table.n_units or sorted(keys) != sorted(units):
        return f"{table.n_units} units, not {len(units)}"
    for name, own in table.systems.items():
        expected = [meant.scores[name][key] for key in keys]
        if np.asarray(own).tolist() != pytest.approx(expected, abs=1e-9):
            return f"{name}: {own}, not {expected}"
    for what, found, truth in (
        ("clusters", table.clusters, meant.clusters), ("gold", table.gold, meant.gold),
    ):  # fmt: skip
        if (found and [*found]) != (truth and [truth[key] for key in keys]):
            return f"{what} {found}, not {truth}"
    if meant.lower and data.by_metric(())[0][0][0].greater_is_better:
        return "the other direction"
    return ""


def with_options(request: Request, options: tuple[str, ...]) -> Request:
    """A request with the options of a remedy."""
    words = list(options)
    while words:
        word = words.pop(0)
        if word in ("--header", "--no-header"):
            request = replace(request, header=word == "--header")
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


def check(seed: int) -> str:
    rng = random.Random(seed)
    table = rng.choice([one_table, one_table, one_table, labels])(rng)
    paths = [text_file(text, name) for name, text in table.files.items()]
    request = Request(files=tuple(paths))
    where = f"seed {seed}: {', '.join(table.said)}: {paths}"
    try:
        data = forms.read(request)
    except InputError:
        try:
            follow(request)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from None
        return "refused"
    odd = difference(data, table)
    assert not odd, f"{where}: {odd}"
    return "read"


@pytest.mark.parametrize("block", range(-(-TABLES // BLOCK)))
def test_tables_have_their_meaning_or_are_refused(block):
    found = [check(seed) for seed in range(block * BLOCK, (block + 1) * BLOCK)]
    assert 0.15 * BLOCK < found.count("read") < 0.85 * BLOCK, found.count("read")
