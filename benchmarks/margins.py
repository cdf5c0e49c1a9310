"""``python -m benchmarks.margins``: how often a system that is worse by the margin passes.

Level and power of csig.noninferiority_test beside the normal formula's (Wald, one side of TOST).
Right and wrong items are enumerated; clusters, scores and ratios are drawn. The tables are in
docs/margins.md.

    nice python -m benchmarks.margins                    # half an hour; results/margins.json
    nice python -m benchmarks.margins --only lognormal   # the cells whose names have that,
    nice python -m benchmarks.margins --only enumerated  # or a part: enumerated, drawn, nights
    nice python -m benchmarks.margins --tables           # prints the tables of what was written
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.stats import norm, t

import csig
from csig.data import metrics
from csig.margins import testing
from csig.margins.nights import SHARES as STAKES
from csig.margins.nights import products
from csig.margins.testing import Case, MarginKind, Side
from csig.planning import pairs
from csig.probability.margins import Margin, Region
from csig.probability.student import normal_quantile

RESULTS = Path(__file__).with_name("results") / "margins.json"

ALPHA, SHUFFLES, SEED = 0.05, 1023, 1

#: Data sets of a level, and of those that are hardest to keep; a quarter of that for a power.
DATA_SETS, MANY, MOST = 600, 2000, 6000

#: Items, margins in points, and shares of items that differ.
ITEMS = (20, 50, 100, 200, 400, 1000, 2000, 5000)
MARGINS = (0.5, 1, 2, 3, 5, 10)
SHARES = (0.02, 0.05, 0.1, 0.2, 0.5)


def wald_region(n: int, margin: float) -> Region:
    """What the normal formula rejects: (x - y + n d) / n above z standard errors."""
    z = norm.isf(ALPHA)
    c = []
    for y in range(n + 1):
        x = np.arange(n - y + 1)
        spread = np.sqrt(np.maximum(x + y - (x - y) ** 2 / n, 0))
        passed = np.flatnonzero(x - y + n * margin > z * spread)
        if not len(passed):
            break
        c.append(passed[0])
    return Region(n, np.array(c, dtype=np.int64))


def enumerated(
    items: Sequence[int] = ITEMS, points: Sequence[float] = MARGINS
) -> list[dict[str, Any]]:
    """The level where a system is worse by the margin, and the power where both are equal."""
    found = []
    for n, own in itertools.product(items, points):
        margin = own / 100
        exact = Margin(n, margin)
        regions = {"csig": exact.critical(ALPHA), "normal": wald_region(n, margin)}
        for share in SHARES:
            if share < margin:
                continue
            row: dict[str, Any] = {"n": n, "margin": own, "share": share}
            null = exact.along(np.array([share]))
            half = np.array([share / 2])
            for name, region in regions.items():
                row[f"level_{name}"] = float(region.probability(*null)[0])
                row[f"power_{name}"] = float(region.probability(half, half)[0])
            found.append(row)
    return found


class Cell(NamedTuple):
    """A kind of data: drawn with a system that is worse by the margin, or equal."""

    name: str
    n: int
    margin: float
    draw: Callable[[Generator, float], csig.Comparison]
    metric: str = "mean"
    kind: MarginKind = "points"
    data_sets: int = DATA_SETS


def scores(n: int, noise: Callable[[Generator, int], Any]) -> Callable[..., csig.Comparison]:
    """Differences with a mean of -worse and a standard deviation of 1."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        base = rng.normal(50, 10, n)
        return csig.Comparison.from_scores(base + noise(rng, n) - worse, base)

    return draw


def clusters(g: int, size: int, share: float, shared: float) -> Callable[..., csig.Comparison]:
    """Items of a cluster have its outcome with a probability of `shared`, else their own."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        sizes = rng.integers(1, 2 * size, g)
        of = np.repeat(np.arange(g), sizes)
        a, b = (share - worse) / 2, (share + worse) / 2

        def outcomes(n: int) -> Any:
            u = rng.random(n)
            return np.where(u < a, 1, np.where(u < a + b, -1, 0))

        z = np.where(rng.random(len(of)) < shared, outcomes(g)[of], outcomes(len(of)))
        base = np.where(z == 0, rng.random(len(of)) < 0.8, z < 0).astype(int)
        return csig.Comparison.from_scores(base + z, base, cluster=of)

    return draw


def ratios(n: int, own: float, other: float, level: float) -> Callable[..., csig.Comparison]:
    """Precision over documents; the systems return different numbers of responses."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        rows = []
        for mean, p in ((own, level - worse), (other, level)):
            m = rng.poisson(mean - 1, n) + 1
            rows.append(np.stack([rng.binomial(m, p), m, np.full(n, 1000)], axis=1))
        return csig.Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))

    return draw


def shares(n: int, level: float, share: float) -> Callable[..., csig.Comparison]:
    """Right and wrong items; worse is a part of the baseline's share here."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        lost = level * worse
        u = rng.random(n)
        z = np.where(u < (share - lost) / 2, 1, np.where(u < share, -1, 0))
        rest = (level - (share + lost) / 2) / (1 - share)
        base = np.where(z == 0, rng.random(n) < rest, z < 0).astype(int)
        return csig.Comparison.from_scores(base + z, base)

    return draw


def graded(n: int, share: float) -> Callable[..., csig.Comparison]:
    """Scores 0, 0.5 and 1, of which most are tied."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        up, u = (share - worse / 0.75) / 2, rng.random(n)
        sign = np.where(u < up, 1, np.where(u < share, -1, 0))
        z = sign * rng.choice([0.5, 1.0], n)
        base = np.where(z < 0, -z, np.where(z > 0, 1 - z, rng.choice([0, 0.5, 1], n)))
        return csig.Comparison.from_scores(base + z, base)

    return draw


def documents(n: int, share: float) -> Callable[..., csig.Comparison]:
    """Precision over documents, to some of which the new system adds responses."""

    def draw(rng: Generator, worse: float) -> csig.Comparison:
        more = rng.binomial(5, 0.5, n) * (rng.random(n) < share)
        mean = 2.5 * share
        right = ((0.6 - worse) * (5 + mean) - 3) / mean
        tp, gold = rng.binomial(5, 0.6, n), np.full(n, 1000)
        new = np.stack([tp + rng.binomial(more, right), 5 + more, gold], axis=1)
        base = np.stack([tp, np.full(n, 5), gold], axis=1)
        return csig.Comparison.from_statistics(new, base, ("tp", "predicted", "gold"))

    return draw


def _normal(rng: Generator, n: int) -> Any:
    return rng.normal(0, 1, n)


def _exponential(sign: int) -> Callable[[Generator, int], Any]:
    return lambda rng, n: sign * (rng.exponential(1, n) - 1)


def _heavy(rng: Generator, n: int) -> Any:
    return rng.standard_t(3, n) / math.sqrt(3)


def _lognormal(sign: int) -> Callable[[Generator, int], Any]:
    mean, sd = math.exp(0.5), math.sqrt((math.e - 1) * math.e)
    return lambda rng, n: sign * (rng.lognormal(0, 1, n) - mean) / sd


#: Of clusters: how many, items of each, the share of items that differ, the margin, what is shared.
CLUSTERS = [
    (g, size, *rest)
    for g, size in ((10, 10), (20, 10), (50, 5), (100, 10))
    for rest in ((0.1, 1, 0.3), (0.3, 3, 0.3), (0.3, 10, 0.3))
]
WHOLE_CLUSTERS = [
    *((g, size, 0.1, 5, 0.7) for g, size in ((10, 10), (20, 10), (50, 5), (100, 10))),
    (20, 25, 0.1, 5, 0.5), (20, 25, 0.5, 10, 0.3), (20, 100, 0.3, 5, 0.1), (50, 20, 0.05, 2, 0.7),
    (100, 10, 0.05, 3, 0.7), (200, 10, 0.02, 1, 0.7), (200, 10, 0.02, 2, 1),
    (500, 10, 0.02, 0.5, 0.7), (500, 10, 0.5, 3, 0.3),
]  # fmt: skip

#: Units, the share that differs, and the margin.
RELATIVE = [
    *((n, share, 5) for n in (50, 200, 1000) for share in (0.1, 0.3)),
    (20, 0.3, 10), (200, 0.02, 1), (1000, 0.02, 1), (5000, 0.02, 0.5), (200, 0.5, 10),
]  # fmt: skip
GRADED = [
    (50, 0.1, 3, MANY), (200, 0.1, 3, MOST), (1000, 0.1, 3, DATA_SETS), (20, 0.5, 10, MANY),
    (200, 0.02, 1, MANY), (1000, 0.02, 1, DATA_SETS), (5000, 0.02, 0.5, DATA_SETS),
    (200, 0.5, 5, MANY),
]  # fmt: skip
DOCUMENTS = [
    (50, 0.1, 2), (200, 0.1, 2), (1000, 0.1, 2), (50, 0.5, 5), (200, 0.5, 5), (1000, 0.02, 0.5),
    (5000, 0.02, 0.5),
]  # fmt: skip

CELLS = [
    *(Cell("normal", n, 0.3, scores(n, _normal)) for n in (20, 50, 200)),
    *(Cell("t with 3 degrees", n, 0.3, scores(n, _heavy), data_sets=MANY) for n in (20, 50)),
    *(
        Cell(f"exponential {word}", n, 0.3, scores(n, _exponential(sign)))
        for n in (20, 50, 200) for sign, word in ((1, "up"), (-1, "down"))
    ),
    *(
        Cell(f"lognormal {word}", n, 0.3, scores(n, _lognormal(sign)), data_sets=number)
        for n in (20, 50, 200, 1000)
        for sign, word, number in ((1, "up", DATA_SETS), (-1, "down", MANY))
    ),
    *(
        Cell(f"clusters of {size}, {share} differ, {shared} shared", g, margin,
             clusters(g, size, share, shared), data_sets=number)
        for own, number in ((CLUSTERS, DATA_SETS), (WHOLE_CLUSTERS, MANY))
        for g, size, share, margin, shared in own
    ),
    *(
        Cell(f"precision, {own} against {other} responses", n, 5, ratios(n, own, other, 0.5),
             "precision")
        for n in (20, 50, 200) for own, other in ((5, 5), (10, 3))
    ),
    *(
        Cell(f"relative, {share} differ", n, margin, shares(n, 0.8, share), "mean", "relative",
             MANY if n < 50 else DATA_SETS)
        for n, share, margin in RELATIVE
    ),
    *(
        Cell(f"graded, {share} differ", n, margin, graded(n, share), data_sets=number)
        for n, share, margin, number in GRADED
    ),
    *(
        Cell(f"precision, {share} of documents differ", n, margin, documents(n, share), "precision")
        for n, share, margin in DOCUMENTS
    ),
]  # fmt: skip


def rng_of(cell: Cell) -> Generator:
    """A stream of its own for every cell."""
    return np.random.default_rng([SEED, zlib.crc32(repr(cell[:3]).encode())])


def drawn(cell: Cell) -> dict[str, Any]:
    """How often csig and the normal formula pass a system that is worse by the margin, or equal;
    and in how many data sets csig says that its level may not hold.
    """
    rng = rng_of(cell)
    found: dict[str, Any] = {"name": cell.name, "n": cell.n, "margin": cell.margin}
    one = 1.0 if cell.draw.__qualname__.startswith("scores") else 0.01
    for word, number in (("level", cell.data_sets), ("power", cell.data_sets // 4)):
        passed, warned = np.zeros(2), 0
        for _ in range(number):
            comparison = cell.draw(rng, cell.margin * one if word == "level" else 0.0)
            metric = metrics.get(cell.metric, comparison.columns)
            case = Case(comparison, metric, cell.kind, comparison.scores(metric), 1)
            side = case.side(worse=True)
            way = side.way(cell.margin * one)
            p = side.pvalue(cell.margin * one, way, ALPHA, SHUFFLES)
            passed += p <= ALPHA, normal(side, cell, one) <= ALPHA
            warned += bool(case.cautions(way, side, cell.margin * one))
        found[f"{word}_csig"], found[f"{word}_normal"] = (passed / number).tolist()
        if word == "level":
            found["cautioned"] = warned / number
    return found


#: Ledgers, nights, items a night, and the margin.
LEDGERS, NIGHTS, A_NIGHT, NIGHT_MARGIN = 10_000, 365, 50, 0.03

#: Shares of items for which (the system alone, the baseline alone) is right this often: of a
#: system that is worse by the margin on the whole, with items that are alike, or are not.
KINDS = {
    "alike": ((1.0, 0.035, 0.065),),
    "some items always lost": ((0.9, 0.06, 0.05), (0.1, 0.0, 0.39)),
    "equal systems": ((1.0, 0.05, 0.05),),
}


#: The same of a system that is equal, better or worse: (the system alone, the baseline alone) is
#: right this often, and which verdict is waited for.
ALTERNATIVES = {
    "equal": ((0.05, 0.05), "PASS"),
    "better by 2 points": ((0.06, 0.04), "PASS"),
    "worse by 6 points": ((0.02, 0.08), "FAIL"),
}


def first_nights(parts: Sequence[tuple[float, float, float]], rng: np.random.Generator,
                 ledgers: int, n: int) -> np.ndarray[Any, Any]:  # fmt: skip
    """The night on which each ledger passes, and fails, if it is looked at every night; n if none
    of the nights 0 to n - 1.
    """
    logs = np.zeros((2, ledgers, len(STAKES)))
    first = np.full((2, ledgers), n)
    steps = products(np.array([[1.0], [-1.0], [0.0]]), NIGHT_MARGIN)
    for night in range(n):
        for share, a, b in parts:
            # Of a night's items the products depend on how many there are of each difference.
            counts = rng.multinomial(round(share * A_NIGHT), (a, b, 1 - a - b), ledgers)
            logs += [counts @ own for own in steps]
        there = np.log(np.exp(np.minimum(logs, 700)).mean(axis=2)) >= -math.log(ALPHA)
        first[there & (first == n)] = night
    return first


def nights(kind: str, ledgers: int = LEDGERS, n: int = NIGHTS) -> dict[str, Any]:
    """How many ledgers ever pass, or ever fail, if they are looked at every night."""
    rng = np.random.default_rng([SEED, zlib.crc32(kind.encode())])
    passed, failed = (first_nights(KINDS[kind], rng, ledgers, n) < n).mean(axis=1).tolist()
    return {"items": kind, "passed": passed, "failed": failed}


def detection(kind: str, ledgers: int = LEDGERS, n: int = NIGHTS) -> dict[str, Any]:
    """After how many nights half of the ledgers have their verdict, and four of five, beside the
    nights whose items a test that looks once needs for a power of 80%.
    """
    rng = np.random.default_rng([SEED, zlib.crc32(kind.encode())])
    (a, b), verdict = ALTERNATIVES[kind]
    first = first_nights(((1.0, a, b),), rng, ledgers, n)[int(verdict == "FAIL")]
    if verdict == "FAIL":
        items = pairs.items(a + b, b - a, 0.8, 2 * ALPHA)
    else:
        items = next(
            own for own in range(50, 10**5, 10)
            if Margin(own, NIGHT_MARGIN).region(normal_quantile(ALPHA))
            .probability(np.array([a]), np.array([b]))[0] >= 0.8
        )  # fmt: skip
    half, most = (int(np.quantile(first, own, method="higher")) + 1 for own in (0.5, 0.8))
    return {"system": kind, "verdict": verdict, "once": math.ceil(items / A_NIGHT), "half": half,
            "most": most}  # fmt: skip


def normal(side: Side, cell: Cell, one: float) -> float:
    """The p-value of the difference over its standard error, by the t distribution."""
    f, o, n = float(side.f.score), float(side.o.score), len(side.f.x)
    error = math.sqrt(float((side.residuals**2).sum()) * n / max(n - 1, 1))
    # A relative margin takes the baseline's score for known.
    above = f - o + cell.margin * one * (o if cell.kind == "relative" else 1)
    return float(t.sf(above / error, n - 1)) if error else float(above <= 0)


def tables(kept: dict[str, Any]) -> dict[str, list[str]]:
    """What was written, as Markdown."""
    found = {}
    for name, head in (("enumerated", "items | points | differ"), ("drawn", "data | units | M")):
        words = ["level_csig", "level_normal", "power_csig", "power_normal"]
        head += " | level | normal formula | power | normal formula"
        if name == "drawn":
            words += ["cautioned"]
            head += " | cautioned"
        lines = [f"| {head} |", "|---" * (3 + len(words)) + "|"]
        for row in kept[name]:
            named = [f"{value:g}" if not isinstance(value, str) else value
                     for value in list(row.values())[:3]]  # fmt: skip
            shares = [f"{100 * row[word]:.1f}" for word in words]
            lines.append(f"| {' | '.join([*named, *shares])} |")
        found[name] = lines
    found["nights"] = ["| items | ever passed | ever failed |", "|---|---|---|"]
    for row in kept["nights"]:
        ever = " | ".join(f"{100 * row[word]:.2f}" for word in ("passed", "failed"))
        found["nights"].append(f"| {row['items']} | {ever} |")
    words = ["system", "verdict", "once", "half", "most"]
    found["detection"] = ["| system | verdict | one look, power 80% | ledger, 50% | ledger, 80% |"]
    found["detection"] += ["|" + "---|" * len(words)]
    for row in kept["detection"]:
        found["detection"].append(f"| {' | '.join(str(row[word]) for word in words)} |")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run everything, or a part, or print what was kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--only", default="", help="a part, or the cells whose names have that")
    options = parser.parse_args(arguments)
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if not options.tables:
        testing.RESAMPLES = SHUFFLES  # enough for a level
        if options.only in ("", "enumerated"):
            kept["enumerated"] = enumerated()
        if options.only in ("", "nights"):
            kept["nights"] = [nights(kind) for kind in KINDS]
            kept["detection"] = [detection(kind) for kind in ALTERNATIVES]
        rows = {(row["name"], row["n"], row["margin"]): row for row in kept.get("drawn", [])}
        for cell in CELLS:
            if options.only == "drawn" or options.only in f"{cell.name}, {cell.n}":
                rows[cell[:3]] = drawn(cell)
        kept["drawn"] = [rows[cell[:3]] for cell in CELLS if cell[:3] in rows]
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print("\n\n".join("\n".join(lines) for lines in tables(kept).values()))


if __name__ == "__main__":
    main()
