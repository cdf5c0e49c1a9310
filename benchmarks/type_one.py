"""``python -m benchmarks.type_one``: how often tests of two systems find a difference.

Two systems run on the same units, and their results correlate. Where they are equal every finding
is an error of the first kind, and its rate should be that of the level; where they are not, the
rate is the power. The tables and the picture are in docs/type-one-error.md.

    nice python -m benchmarks.type_one            # some minutes; writes results/type_one.json
    nice python -m benchmarks.type_one --tables   # prints the tables of what was written

All data sets of a cell are tested at once, in numpy; the tests hold every p-value against the
function of csig that it stands for. Scores are on a grid of tenths of a standard deviation, so that
there are ties, as real scores have them, and exact p-values are cheap.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betaincc, chdtrc, ndtr, stdtr
from scipy.stats import rankdata

from benchmarks.signs import flip_pvalues
from csig.probability.binomial import sign_tails

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
#: p-values by test, (data sets,) each.
Pvalues = dict[str, Numbers]

RESULTS = Path(__file__).with_name("results") / "type_one.json"

DATA_SETS, ALPHA, SEED = 10_000, 0.05, 1
CORRELATIONS = 0.0, 0.35, 0.8
SIZES = 50, 200

#: Steps of the grid in a standard deviation.
GRID = 10

#: A system's accuracy.
RIGHT = 0.7

#: How much better A is where it is better: in standard deviations, or as a share.
SHIFT = 0.2, 0.1

#: Units in a cluster, and the correlation of differences within one.
SIZE, WITHIN = 10, 0.2

#: A normal p-value this far from the level needs no exact one.
CLEAR = 0.03


class Cell(NamedTuple):
    """A kind of data."""

    scores: str  # "normal", "skewed", "binary" or "asymmetric"
    units: int
    correlation: float
    better: bool = False  # whether A is
    clustered: bool = False

    @property
    def seeds(self) -> np.random.SeedSequence:
        """A stream of its own, that no other cell changes."""
        return np.random.SeedSequence(SEED, spawn_key=(zlib.crc32(repr(tuple(self)).encode()),))


# ---- data ---------------------------------------------------------------------------------------


def _normal(rng: Generator, shape: tuple[int, int], correlation: float, shift: float) -> Numbers:
    shared, own = rng.normal(size=shape), rng.normal(size=(2, *shape))
    found = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * own
    found[0] += shift
    return found


def _skewed(rng: Generator, shape: tuple[int, int], correlation: float, shift: float) -> Numbers:
    """Exponential scores: sums of a shared and an own gamma number."""
    found = rng.standard_gamma(correlation, shape) + rng.standard_gamma(
        1 - correlation, (2, *shape)
    )
    found[0] += shift
    return np.asarray(found)


def _asymmetric(
    rng: Generator, shape: tuple[int, int], correlation: float, shift: float
) -> Numbers:
    """Equal means, and differences that are skewed: A is exponential, B hardly varies."""
    return np.stack([rng.exponential(size=shape) + shift, rng.normal(1, 0.1, shape)])


def _binary(rng: Generator, shape: tuple[int, int], correlation: float, shift: float) -> Integers:
    """With this probability both systems share their luck: that is the correlation of equals."""
    luck = rng.random((2, *shape))
    luck[1] = np.where(rng.random(shape) < correlation, luck[0], luck[1])
    return (luck < np.array([RIGHT + shift, RIGHT])[:, None, None]).astype(np.int64)


def _clustered(rng: Generator, shape: tuple[int, int], correlation: float, shift: float) -> Numbers:
    """Normal scores; a cluster is easy or hard for a system, besides what both share."""
    sets, units = shape
    own = np.repeat(rng.normal(size=(2, sets, units // SIZE)), SIZE, axis=2)
    found = math.sqrt(WITHIN) * own + math.sqrt(1 - WITHIN) * rng.normal(size=(2, *shape))
    found = math.sqrt(correlation) * rng.normal(size=shape) + math.sqrt(1 - correlation) * found
    found[0] += shift
    return np.asarray(found)


_MODELS: Mapping[str, Callable[[Generator, tuple[int, int], float, float], Numbers]] = {
    "normal": _normal,
    "skewed": _skewed,
    "asymmetric": _asymmetric,
}


def draw(cell: Cell, data_sets: int) -> Integers:
    """The results of both systems, (2, data sets, units)."""
    rng = np.random.default_rng(cell.seeds)
    shape = data_sets, cell.units
    if cell.scores == "binary":
        return _binary(rng, shape, cell.correlation, cell.better * SHIFT[1])
    model = _clustered if cell.clustered else _MODELS[cell.scores]
    found = model(rng, shape, cell.correlation, cell.better * SHIFT[0])
    return np.rint(GRID * found).astype(np.int64)


# ---- tests --------------------------------------------------------------------------------------


def signs(d: Integers) -> tuple[Integers, Integers]:
    """Units in which A is better, and in which B is."""
    return (d > 0).sum(axis=1), (d < 0).sum(axis=1)


def paired_t(d: Integers) -> Numbers:
    """Of :func:`csig.classical.paired_t_test`."""
    n = d.shape[1]
    total = d.sum(axis=1)
    spread = n * (d * d).sum(axis=1) - total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(total) * np.sqrt((n - 1) / spread)
    return np.where((d == 0).all(axis=1), 1.0, np.minimum(1.0, 2 * stdtr(n - 1, -t)))


def wilcoxon(d: Integers) -> Numbers:
    """Of :func:`csig.classical.wilcoxon_test`; the normal one where that is clearly above or below
    0.05.
    """
    ranks = rankdata(np.where(d == 0, np.iinfo(np.int64).max, np.abs(d)), axis=1)
    signed = np.rint(2 * ranks).astype(np.int64) * np.sign(d)
    squares = (signed * signed).sum(axis=1)
    z = np.abs(signed.sum(axis=1)) / np.sqrt(np.maximum(1, squares))
    found = np.minimum(1.0, 2 * ndtr(-z))
    near = (np.abs(found - ALPHA) < CLEAR) | (np.count_nonzero(d, axis=1) < 20)
    if near.any():
        found[near] = flip_pvalues(signed[near])
    return np.asarray(found)


def mid_p(ahead: Integers, behind: Integers) -> Numbers:
    """Of :func:`csig.classical.mcnemar_test`, "mid-p"."""
    n, k = ahead + behind, np.minimum(ahead, behind)
    most = np.where(2 * k < n, betaincc(k + 1.0, np.maximum(1, n - k), 0.5), 1.0)
    less = np.where(k > 0, betaincc(np.maximum(1, k), n - k + 1.0, 0.5), 0.0)
    # With equal counts 1 - P(X = k) / 2, and P(X <= k) is (1 + P(X = k)) / 2.
    equal = 1.5 - betaincc(k + 1.0, np.maximum(1, k), 0.5)
    return np.where(2 * k < n, np.minimum(1.0, most + less), np.where(n > 0, equal, 1.0))


def mcnemar(ahead: Integers, behind: Integers, correction: bool = False) -> Numbers:
    """Of :func:`csig.classical.mcnemar_test`, "asymptotic"."""
    nearer = np.maximum(0, np.abs(ahead - behind) - correction)
    return np.minimum(1.0, 2 * ndtr(-nearer / np.sqrt(np.maximum(1, ahead + behind))))


def independent_t(a: Integers, b: Integers) -> Numbers:
    """Of :func:`csig.classical.independent_t_test`; 1 where that is not defined."""
    n = a.shape[1]
    total = np.abs(a.sum(axis=1) - b.sum(axis=1))
    spread = sum(n * (x * x).sum(axis=1) - x.sum(axis=1) ** 2 for x in (a, b))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = total * np.sqrt((n - 1) / spread)
    return np.where(np.isnan(t), 1.0, np.minimum(1.0, 2 * stdtr(2 * n - 2, -t)))


def chi_square(a: Integers, b: Integers, correction: bool = False) -> Numbers:
    """Of :func:`csig.classical.chi_square_test`, the same as that of
    :func:`csig.classical.proportions_test`.

    With Yates's correction if that is wanted; 1 where it is not defined.
    """
    n = a.shape[1]
    right_a, right_b = a.sum(axis=1), b.sum(axis=1)
    right = right_a + right_b
    cross = n * np.abs(right_a - right_b).astype(np.float64)
    if correction:
        cross = np.maximum(0.0, cross - n)  # half of all 2 n items
    margins = n * n * right.astype(np.float64) * (2 * n - right)
    return np.where(margins > 0, chdtrc(1, 2 * n * cross**2 / np.maximum(1, margins)), 1.0)


def pvalues(a: Integers, b: Integers, binary: bool) -> Pvalues:
    """Of all tests; those that assume independence are the last ones."""
    d = a - b
    ahead, behind = signs(d)
    sign = sign_tails(ahead, behind)[0]
    if binary:
        return {
            "randomization": sign,  # McNemar's exact test, and the sign test
            "mid-p": mid_p(ahead, behind),
            "McNemar": mcnemar(ahead, behind),
            "corrected": mcnemar(ahead, behind, True),
            "paired t": paired_t(d),
            "independent t": independent_t(a, b),
            "z": chi_square(a, b),
            "Yates": chi_square(a, b, True),
        }
    return {
        "randomization": flip_pvalues(d),
        "sign": sign,
        "Wilcoxon": wilcoxon(d),
        "paired t": paired_t(d),
        "independent t": independent_t(a, b),
    }


def of_clusters(values: Integers) -> Integers:
    """The sums of clusters, (data sets, clusters)."""
    return values.reshape(len(values), -1, SIZE).sum(axis=2)


def cell_pvalues(cell: Cell, data_sets: int) -> dict[str, Pvalues]:
    """Of a cell's data sets: p-values by what is a unit."""
    a, b = draw(cell, data_sets)
    binary = cell.scores == "binary"
    found = {"items": pvalues(a, b, binary)}
    if cell.clustered:
        found["clusters"] = pvalues(of_clusters(a), of_clusters(b), False)
    return found


# ---- cells --------------------------------------------------------------------------------------


def cells() -> Iterator[Cell]:
    """All of them."""
    for scores in ("normal", "skewed", "binary"):
        for units in SIZES:
            yield from (Cell(scores, units, r) for r in CORRELATIONS)
    yield from (Cell("asymmetric", units, 0.0) for units in SIZES)
    yield from (Cell("normal", 200, r, clustered=True) for r in CORRELATIONS)
    for scores in ("normal", "skewed", "binary"):
        yield from (Cell(scores, 200, r, better=True) for r in CORRELATIONS)


def row(cell: Cell, data_sets: int = DATA_SETS) -> list[dict[str, object]]:
    """What a cell shows: for each kind of unit how often each test has p <= 0.05."""
    return [
        {
            **cell._asdict(),
            "unit": unit,
            "data_sets": data_sets,
            "rates": {test: float((p <= ALPHA).mean()) for test, p in own.items()},
        }
        for unit, own in cell_pvalues(cell, data_sets).items()
    ]


def standard_error(rate: float, data_sets: int) -> float:
    """Of a share of data sets."""
    return math.sqrt(rate * (1 - rate) / data_sets)


def independent_rate(correlation: float) -> float:
    """How often a test that assumes independence errs, by Yeh (2000), section 2.1.

    Its standard error is that of the difference divided by sqrt(1 - r12).
    """
    limit = 1.959963984540054
    return float(2 * ndtr(-limit / math.sqrt(1 - correlation)))


# ---- tables -------------------------------------------------------------------------------------

Row = Mapping[str, object]


def with_r12(row: Row) -> Row:
    """The row with the correlation that its results have.

    Systems that are right in different shares have less in common than equal ones with the same
    luck: both are right as often as the worse one is, where they share it.
    """
    if row["scores"] != "binary" or not row["better"]:
        return row
    luck, a, b = row["correlation"], RIGHT + SHIFT[1], RIGHT
    assert isinstance(luck, float)
    found = luck * b * (1 - a) / math.sqrt(a * (1 - a) * b * (1 - b))
    return {**row, "correlation": round(found, 2)}


def _rates(row: Row) -> Mapping[str, float]:
    found = row["rates"]
    assert isinstance(found, dict)
    return found


def _table(rows: Sequence[Row], first: Mapping[str, str], more: bool = False) -> list[str]:
    """Lines of Markdown: what a row is, and its rates."""
    tests = list(_rates(rows[0]))
    heads = [*first.values(), *tests, *(["by r12"] if more else [])]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for own in rows:
        rates = _rates(own)
        cells = [f"{own[key]}" for key in first] + [f"{rates[test]:.3f}" for test in tests]
        if more:
            correlation = own["correlation"]
            assert isinstance(correlation, float)
            cells.append(f"{independent_rate(correlation):.3f}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def tables(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Markdown: of scores, of right and wrong answers, of clusters, and of power."""
    rows = [with_r12(own) for own in rows]
    first = {"scores": "scores", "units": "units", "correlation": "r12"}
    null = [own for own in rows if not own["better"] and not own["clustered"]]
    power = [own for own in rows if own["better"]]
    found = {
        "scores": _table([own for own in null if own["scores"] != "binary"], first, True),
        "binary": _table([own for own in null if own["scores"] == "binary"], first, True),
        "clusters": _table(
            [own for own in rows if own["clustered"]], {"unit": "unit", "correlation": "r12"}
        ),
    }
    for name, binary in (("power", False), ("power, binary", True)):
        chosen = [own for own in power if (own["scores"] == "binary") is binary]
        found[name] = _table(chosen, {"scores": "scores", "correlation": "r12"})
    return found


def picture(rows: Sequence[Row], path: Path) -> None:
    """Rates against r12, of errors and of findings: 200 units."""
    from csig.report.style import (
        COLOURS,
        FAINT,
        MUTED,
        bytes_of,
        drawing,
        kind_of,
        new_figure,
        styled,
    )

    shown = (
        ("normal", "randomization", "o", "randomization, normal scores"),
        ("binary", "randomization", "^", "randomization, 0/1"),
        ("binary", "mid-p", "D", "McNemar, mid-p, 0/1"),
        ("normal", "independent t", "s", "independent t, normal scores"),
        ("binary", "Yates", "X", "chi-square (Yates), 0/1"),
    )
    rows = [with_r12(own) for own in rows]
    with drawing(""):
        figure = new_figure()
        sides = figure.subplots(1, 2)
        for axes, better in zip(sides, (False, True), strict=True):
            for scores, test, mark, label in shown:
                own = [
                    row for row in rows
                    if (row["scores"], row["units"], row["better"], row["clustered"])
                    == (scores, 200, better, False)
                ]  # fmt: skip
                color = COLOURS[mark in "sX"]
                axes.plot(
                    [row["correlation"] for row in own], [_rates(row)[test] for row in own],
                    color=color, marker=mark, markerfacecolor="none", linewidth=1, label=label,
                    linestyle="solid" if scores == "normal" else "dashed",
                )  # fmt: skip
            styled(axes).set(xlabel="correlation of the systems, r12", xticks=CORRELATIONS)
        sides[0].axhline(ALPHA, color=MUTED, linewidth=0.8, linestyle="dotted")
        sides[0].set(title="Equal systems", ylabel="data sets with p ≤ 0.05", ylim=(0, 0.07))
        sides[1].set(title="A is better", ylim=(0, 1.03))
        sides[1].grid(axis="y", color=FAINT, linewidth=0.4)
        figure.legend(*sides[0].get_legend_handles_labels(), loc="outside lower center", ncols=2,
                      frameon=False)  # fmt: skip
        path.write_bytes(bytes_of(figure, kind_of(str(path))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write, or print the tables of what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true", help="print what was written")
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    parser.add_argument("--picture", type=Path, help="draw it into this file")
    given = parser.parse_args(arguments)
    if not given.tables and given.picture is None:
        rows = [own for cell in cells() for own in row(cell, given.data_sets)]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))
    if given.picture is not None:
        picture(rows, given.picture)
    for title, lines in tables(rows).items():
        print(f"\n{title}\n", *lines, sep="\n")
    data_sets = rows[0]["data_sets"]
    errors = ", ".join(f"{standard_error(p, data_sets):.4f} at {p}" for p in (ALPHA, 0.5))
    print(f"\n{data_sets:,} data sets a cell; standard error {errors}")


if __name__ == "__main__":
    main()
