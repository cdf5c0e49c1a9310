"""``python -m benchmarks.coverage``: how often intervals hold the true value.

The tables are in docs/intervals.md. Test sets are drawn from models whose true scores are known,
and every method makes its interval of each. The methods are written here in numpy, for thousands
of test sets at once; the tests hold them against csig's own. A resample is a row of numbers, how
often each unit is drawn, so that the sums of all resamples of a test set are one matrix product.

    nice python -m benchmarks.coverage            # some minutes on one processor
    nice python -m benchmarks.coverage --quick    # a look
    nice python -m benchmarks.coverage --few      # where few units differ
    nice python -m benchmarks.coverage --functions
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri, stdtrit

Numbers = NDArray[np.float64]

LEVEL = 0.95
TAILS = (1 - LEVEL) / 2, (1 + LEVEL) / 2
SIZES = (5, 10, 30, 100, 1000)
METHODS = ("linearized", "percentile", "basic", "bca", "studentized")

#: Test sets of a cell, and resamples of each, by the number of units.
SETS = {5: 4000, 10: 4000, 30: 4000, 100: 4000, 1000: 2000}
RESAMPLES = {5: 2000, 10: 2000, 30: 2000, 100: 2000, 1000: 1000}

#: Test sets that share their resamples, so that all of them are one product.
SHARED = 50


class Sums(NamedTuple):
    """Numerators and denominators of both systems, (test sets, units)."""

    xa: Numbers
    ya: Numbers
    xb: Numbers
    yb: Numbers


# ---- models -------------------------------------------------------------------------------------


class Items(NamedTuple):
    """Places for items: (test sets, units, items of a unit), and which of them exist."""

    there: NDArray[np.bool_]
    rng: Generator
    clustered: bool

    def normal(self, own: float, shared: float) -> Numbers:
        """Normal numbers with these standard deviations within a cluster and of clusters."""
        shape = self.there.shape
        if not self.clustered:
            return self.rng.normal(0, math.hypot(own, shared), shape)
        return self.rng.normal(0, own, shape) + self.rng.normal(0, shared, (*shape[:2], 1))

    def gamma(self, own: float, shared: float) -> Numbers:
        """Gamma numbers with mean 1 and these shapes, of items times of clusters."""
        shape = (*self.there.shape[:2], 1) if self.clustered else self.there.shape
        return self.rng.gamma(own, 1 / own, self.there.shape) * self.rng.gamma(
            shared, 1 / shared, shape
        )


class Model(NamedTuple):
    """Where test sets come from: a function of items, and both systems' true scores."""

    draw: Callable[[Items], Sums]
    a: float
    b: float


def _expected_expit(mean: float, deviation: float) -> float:
    """E expit(Z) by Gauss and Hermite."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    return float((expit(mean + deviation * points) * weights).sum() / weights.sum())


def _skewed(items: Items) -> Sums:
    """Log-normal scores, skewness 6; a score of A correlates with one of B by about 0.3."""
    hard = items.normal(0.5, 0.5)
    one = np.ones(items.there.shape)
    xa, xb = (np.exp(m + hard + items.rng.normal(0, 0.7, hard.shape)) for m in (0.2, 0.0))
    return Sums(xa, one, xb, one)


def _accuracy(right_a: float, right_b: float) -> Model:
    def draw(items: Items) -> Sums:
        hard = items.normal(math.sqrt(0.4), math.sqrt(0.3))
        xa, xb = (
            (hard + items.rng.normal(0, math.sqrt(0.3), hard.shape) < ndtri(p)).astype(float)
            for p in (right_a, right_b)
        )
        one = np.ones(hard.shape)
        return Sums(xa, one, xb, one)

    return Model(draw, right_a, right_b)


#: Of responses: how well both systems find what is in the gold, spurious responses per sentence.
FINDS, SPURIOUS = (1.5, 1.2), (0.5, 0.4)
GOLD, HARD, NOISE = 2.0, (0.5, 0.5), (0.5, 0.5)


def _responses(metric: str) -> Model:
    """Sentences with 0, 1, 2, ... responses in the gold; recall 0.79, precision 0.73."""

    def draw(items: Items) -> Sums:
        rng, shape = items.rng, items.there.shape
        gold = rng.poisson(GOLD, shape)
        hard, noise = items.normal(*HARD), items.normal(*NOISE)
        parts: list[Numbers] = []
        for finds, spurious in zip(FINDS, SPURIOUS, strict=True):
            tp = rng.binomial(gold, expit(finds + hard))
            predicted = tp + rng.poisson(spurious * np.exp(noise))
            parts += {
                "recall": [tp, gold],
                "precision": [tp, predicted],
                "f1": [2 * tp, gold + predicted],
            }[metric]
        return Sums(*(part.astype(float) for part in parts))

    scores = []
    for finds, spurious in zip(FINDS, SPURIOUS, strict=True):
        tp = GOLD * _expected_expit(finds, math.hypot(*HARD))
        predicted = tp + spurious * math.exp((NOISE[0] ** 2 + NOISE[1] ** 2) / 2)
        scores.append(
            {"recall": tp / GOLD, "precision": tp / predicted, "f1": 2 * tp / (GOLD + predicted)}[
                metric
            ]
        )
    return Model(draw, *scores)


def _wer(items: Items) -> Sums:
    """Errors in utterances of 1 to 60 words, of which some are hard for both systems."""
    rng = items.rng
    words = 1 + rng.negative_binomial(2, 2 / 13, items.there.shape)
    hard = items.gamma(2, 3)
    xa, xb = (rng.poisson(rate * words * hard).astype(float) for rate in (0.12, 0.10))
    return Sums(xa, words.astype(float), xb, words.astype(float))


MODELS: Mapping[str, Model] = {
    "mean of skewed scores": Model(_skewed, math.exp(0.2 + 0.495), math.exp(0.495)),
    "accuracy near 0.95": _accuracy(0.95, 0.92),
    "recall": _responses("recall"),
    "precision": _responses("precision"),
    "F1": _responses("f1"),
    "word error rate": Model(_wer, 0.12, 0.10),
}


def test_sets(model: Model, n: int, sets: int, clustered: bool, rng: Generator) -> Items:
    """Places for n units of each test set: one item each, or clusters of 1 to 20 items."""
    if not clustered:
        return Items(np.ones((sets, n, 1), dtype=np.bool_), rng, False)
    size = 1 + np.minimum(rng.poisson(4, (sets, n)), 19)
    return Items(np.arange(20) < size[..., None], rng, True)


# ---- methods ------------------------------------------------------------------------------------


class Estimates(NamedTuple):
    """Of test sets: estimates, their standard errors, what every unit contributes."""

    found: Numbers
    error: Numbers
    n: NDArray[np.int64]


def _scores(sums: Numbers) -> Numbers:
    """score_A - score_B, or score_A, from sums of (xa, ya[, xb, yb]) in the first axis."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(sums[1] != 0, sums[0] / sums[1], 0)
        if len(sums) > 2:
            found = found - np.where(sums[3] != 0, sums[2] / sums[3], 0)
    return np.asarray(found)


def _slopes(sums: Numbers) -> Numbers:
    """The derivatives of a score by each sum."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [1 / sums[1], -sums[0] / sums[1] ** 2]
        if len(sums) > 2:
            slopes += [-1 / sums[3], sums[2] / sums[3] ** 2]
    return np.array(slopes)


def linearized(parts: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Ends, estimates and errors from (columns, sets, units), as
    csig.intervals.linearized_interval.
    """
    sums = parts.sum(axis=2)
    found, slopes = _scores(sums), _slopes(sums)
    u = (slopes[:, :, None] * parts).sum(axis=0)
    n = (parts != 0).any(axis=0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(n / (n - 1) * np.square(u).sum(axis=1))
        half = stdtrit(n - 1, TAILS[1]) * error
    return found - half, found + half, found, error


def degenerate(parts: Numbers, found: Numbers) -> tuple[Numbers, Numbers]:
    """The ends for shares without any spread (Clopper and Pearson, Kish)."""
    sums = parts.sum(axis=2)
    weights = np.max([parts[c] / sums[c][:, None] for c in range(1, len(parts), 2)], axis=0)
    effective = weights.sum(axis=1) ** 2 / np.square(weights).sum(axis=1)
    reach = 1 - TAILS[0] ** (1 / effective)
    least = -1.0 if len(parts) > 2 else 0.0
    return found - reach * (found - least), found + reach * (1 - found)


def acceleration(parts: Numbers) -> Numbers:
    """By the jackknife."""
    without = _scores(parts.sum(axis=2)[:, :, None] - parts)
    d = without.mean(axis=1, keepdims=True) - without
    squares = np.square(d).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((d**3).sum(axis=1) / (6 * squares**1.5))


def resampled(
    parts: Numbers, draws: Numbers, found: Numbers, error: Numbers
) -> dict[str, tuple[Numbers, Numbers]]:
    """The ends of the bootstrap's methods; `draws` says how often each unit is drawn."""
    columns, sets, n = parts.shape
    pairs = [(i, j) for i in range(columns) for j in range(i, columns)]
    products = [parts[i] * parts[j] for i, j in pairs]
    table = np.concatenate([parts, products]).reshape(-1, n).T
    sums = (draws @ table).T.reshape(columns + len(pairs), sets, len(draws))
    replicates = _scores(sums[:columns])
    slopes = _slopes(sums[:columns])
    square = np.zeros(replicates.shape)
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample without a denominator
        for (i, j), total in zip(pairs, sums[columns:], strict=True):
            square += (1 if i == j else 2) * slopes[i] * slopes[j] * total
        rounding = 1e-12 * np.abs(slopes[0] ** 2 * sums[columns])
        errors = np.sqrt(n / (n - 1) * np.where(square > rounding, square, 0))
        t = (replicates - found[:, None]) / errors
    t = np.where(np.isnan(t), 0.0, t)
    order = np.sort(replicates, axis=1)
    low, high = (np.quantile(order, q, axis=1) for q in TAILS)
    t_low, t_high = (np.quantile(t, q, axis=1, method="nearest") for q in TAILS)
    with np.errstate(invalid="ignore"):
        by_t = (found - t_high * error, found - t_low * error)
    return {
        "percentile": (low, high),
        "basic": (2 * found - high, 2 * found - low),
        "bca": _bca(parts, order, found),
        "studentized": by_t,
    }


def _bca(parts: Numbers, order: Numbers, found: Numbers) -> tuple[Numbers, Numbers]:
    below = (order < found[:, None]).mean(axis=1) + (order == found[:, None]).mean(axis=1) / 2
    z0, a = ndtri(below), acceleration(parts)
    ends = []
    for tail in TAILS:
        z = z0 + ndtri(tail)
        with np.errstate(invalid="ignore", divide="ignore"):
            q = ndtr(z0 + z / (1 - a * z))
        place = np.nan_to_num(q) * (order.shape[1] - 1)
        under = np.floor(place).astype(int)
        over = np.minimum(under + 1, order.shape[1] - 1)
        rows = np.arange(len(order))
        end = order[rows, under] + (place - under) * (order[rows, over] - order[rows, under])
        ends.append(np.where(np.isnan(q), np.nan, end))
    return ends[0], ends[1]


# ---- cells --------------------------------------------------------------------------------------


class Found(NamedTuple):
    """Of a method in a cell."""

    coverage: float
    sets: int
    width: float  # mean
    low: float  # share of intervals that lie above the true value
    high: float  # and below

    @property
    def error(self) -> float:
        """The standard error of the coverage."""
        share = min(max(self.coverage, 1 / self.sets), 1 - 1 / self.sets)
        return math.sqrt(share * (1 - share) / self.sets)


def units_of(sums: Sums, there: NDArray[np.bool_]) -> Numbers:
    """Sums of units from those of items, (columns, sets, units)."""
    return np.array([np.where(there, part, 0).sum(axis=2) for part in sums])


def items_of(sums: Sums, there: NDArray[np.bool_]) -> Numbers:
    """Every item as a unit of its own, and nothing where there is none."""
    return np.array([np.where(there, part, 0).reshape(len(there), -1) for part in sums])


def cell(
    name: str, model: Model, n: int, clustered: bool, *, sets: int, resamples: int
) -> dict[tuple[str, str], Found]:
    """Every method's coverage for both questions, by (what, method)."""
    seed = zlib.crc32(f"{name}, {n}, {clustered}".encode())
    rng = np.random.default_rng([20261122, seed])
    truth = {"difference": model.a - model.b, "a": model.a}
    share = not name.startswith(("mean", "word"))
    ends: dict[tuple[str, str], list[tuple[Numbers, Numbers]]] = {}
    for _ in range(0, sets, SHARED):
        items = test_sets(model, n, SHARED, clustered, rng)
        drawn = model.draw(items)
        parts = units_of(drawn, items.there)
        draws = rng.multinomial(n, [1 / n] * n, size=resamples).astype(float)
        for what, own in (("difference", parts), ("a", parts[:2])):
            low, high, found, error = linearized(own)
            for method, pair in resampled(own, draws, found, error).items():
                ends.setdefault((what, method), []).append(pair)
            ends.setdefault((what, "linearized"), []).append(
                completed(own, low, high, found, error, share)
            )
            if clustered:
                flat = items_of(drawn, items.there)[: len(own)]
                low, high, found, error = linearized(flat)
                ends.setdefault((what, "items"), []).append((low, high))
    return {key: _covered(own, truth[key[0]]) for key, own in ends.items()}


def completed(
    parts: Numbers, low: Numbers, high: Numbers, found: Numbers, error: Numbers, share: bool
) -> tuple[Numbers, Numbers]:
    """Linearized ends: the bound of shares without spread, and cut at what is possible."""
    if not share:
        return low, high
    most, least = 1.0, -1.0 if len(parts) > 2 else 0.0
    ends = degenerate(parts, found)
    alike = ~(error > 1e-12)
    if len(parts) == 2:  # the same score everywhere, but not 0 or 1: no interval
        ends = tuple(np.where((found == 0) | (found == 1), end, np.nan) for end in ends)
    low = np.where(alike, ends[0], np.maximum(low, least))
    return low, np.where(alike, ends[1], np.minimum(high, most))


def _covered(ends: list[tuple[Numbers, Numbers]], truth: float) -> Found:
    low, high = (np.concatenate([pair[i] for pair in ends]) for i in (0, 1))
    above, below = low > truth, high < truth
    inside = (low <= truth) & (truth <= high) & (high > low)  # no interval is a miss
    width = high - low
    return Found(
        float(inside.mean()),
        len(low),
        float(np.nanmean(width)),
        float(above.mean()),
        float(below.mean()),
    )


def cells(quick: bool) -> Iterator[tuple[str, int, bool, dict[tuple[str, str], Found]]]:
    """All of them."""
    for name, model in MODELS.items():
        for clustered in (False, True):
            for n in SIZES:
                sets = 200 if quick else SETS[n]
                resamples = 400 if quick else RESAMPLES[n]
                found = cell(name, model, n, clustered, sets=sets, resamples=resamples)
                yield name, n, clustered, found


def table(rows: list[tuple[str, int, bool, dict[tuple[str, str], Found]]], what: str) -> list[str]:
    """A table in Markdown: coverage in percent, and widths."""
    heads = ["", "units", "n", *METHODS, "items"]
    lines = [" | ".join(heads), "|".join(["---", "---", "--:", *["--:"] * (len(METHODS) + 1)])]
    for name, n, clustered, found in rows:
        base = found[what, "linearized"]
        own = [_shown(found[what, method], base) for method in METHODS]
        ignored = f"{100 * found[what, 'items'].coverage:.1f}" if clustered else ""
        unit = "clusters" if clustered else "items"
        lines.append(" | ".join([name, unit, f"{n:,}", *own, ignored]))
    return [f"| {line} |" if "---" not in line else f"|{line}|" for line in lines]


def _shown(found: Found, base: Found) -> str:
    """The coverage; the mean width in brackets, of the others as a multiple of the linearized."""
    width = found.width if found is base else found.width / base.width
    size = "inf" if math.isinf(width) else f"{width:.{2 if width < 10 else 0}f}"
    if found is base:
        size = f"{width:.3f}"
    own = f"{100 * found.coverage:.1f} ({size})"
    return f"**{own}**" if found.coverage < 0.9 else own


# ---- where few units differ ---------------------------------------------------------------------


def few(sets: int = 20_000) -> list[str]:
    """Coverage of linearized intervals where systems differ in few of many items.

    In each of n items A alone is right with probability p, B alone with q.
    """
    lines = ["| expected to differ | n | A : B | coverage | width x n |", "|--:|--:|---|--:|--:|"]
    for n in (30, 100, 1000, 100_000):
        for expected in (2, 4, 6, 8, 10, 15, 20, 40):
            for share in (0.5, 0.7, 0.9):
                if expected > n / 2:
                    continue
                rng = np.random.default_rng([1, n, expected, int(10 * share)])
                p, q = expected * share / n, expected * (1 - share) / n
                only_a, only_b, _ = rng.multinomial(n, [p, q, 1 - p - q], size=sets).T
                d = (only_a - only_b) / n
                square = ((only_a + only_b) / n - d**2) / (n - 1)
                half = stdtrit(n - 1, TAILS[1]) * np.sqrt(square)
                reach = 1 - TAILS[0] ** (1 / n)
                half = np.where(square > 0, half, reach)
                inside = np.abs(d - (p - q)) <= half
                lines.append(
                    f"| {expected} | {n:,} | {share:.0%} : {1 - share:.0%} "
                    f"| {100 * inside.mean():.1f} | {n * half.mean() * 2:.1f} |"
                )
    return lines


# ---- functions of sums --------------------------------------------------------------------------


def labels(n: int, rng: Generator) -> tuple[NDArray[np.int64], ...]:
    """The gold and two systems' labels, of three classes; what is hard is hard for both."""
    gold = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    hard = rng.normal(0, 1, n)
    given = [
        np.where(hard + rng.normal(0, 1, n) < limit, gold, rng.integers(0, 3, n))
        for limit in (1.0, 0.8)
    ]
    return gold, *given


def functions(sets: int = 1000, whole_size: int = 4_000_000) -> list[str]:
    """Coverage of csig's jackknife intervals for metrics that are functions of sums."""
    import csig

    names = ("macro_f1", "mcc", "balanced_accuracy")
    rng = np.random.default_rng(4)
    whole = csig.Comparison.from_labels(*labels(whole_size, rng))
    lines = ["| n | " + " | ".join(f"{m}, {w}" for m in names for w in ("difference", "A")) + " |"]
    lines.append("|--:|" + "--:|" * 2 * len(names))
    for n in (30, 100, 1000):
        drawn = [csig.Comparison.from_labels(*labels(n, rng)) for _ in range(sets)]
        cells = []
        for name in names:
            a, b = whole.scores(name)
            for what, truth in (("difference", a - b), ("a", a)):
                held = 0
                for comparison in drawn:
                    try:
                        found = csig.intervals.linearized_interval(comparison, name, what)  # type: ignore[arg-type]
                    except csig.intervals.NoInterval:
                        continue
                    held += found.low <= truth <= found.high
                cells.append(f"{100 * held / sets:.1f}")
        lines.append(f"| {n:,} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--functions", action="store_true")
    asked = parser.parse_args()
    if asked.few:
        print("\n".join(few()))
        return
    if asked.functions:
        print("\n".join(functions()))
        return
    rows = []
    for row in cells(asked.quick):
        rows.append(row)
        print(*row[:3], row[3]["difference", "linearized"], file=sys.stderr, flush=True)
    for what in ("difference", "a"):
        print(f"\n{what}\n")
        print("\n".join(table(rows, what)))


if __name__ == "__main__":
    main()
