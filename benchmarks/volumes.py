"""``python -m benchmarks.volumes``: how often ratios differ that are equal.

Two systems have the same precision, F or Jaccard index, and return different numbers of responses.
Every finding is an error about the metric, whatever it says about the systems. The tables are in
docs/type-one-error.md.

    nice python -m benchmarks.volumes            # some minutes; writes results/volumes.json
    nice python -m benchmarks.volumes --tables   # prints the table of what was written

All shuffles of a data set are one product of matrices, in doubles; the tests hold every p-value
against csig's and :mod:`csig.replay`'s on the same coins.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from csig.results.randomization import Grounds

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Rows of (correct, returned, gold) of both systems.
Drawn = tuple[Integers, Integers]

RESULTS = Path(__file__).with_name("results") / "volumes.json"

DATA_SETS, SHUFFLES, ALPHA, LOW, SEED = 2_000, 499, 0.05, 0.01, 1

#: Of (correct, returned, gold): numerator and denominator.
METRICS = {
    "precision": ((1, 0, 0), (0, 1, 0)),
    "F1": ((2, 0, 0), (0, 1, 1)),
    "F0.5": ((5, 0, 0), (0, 4, 1)),
    "F2": ((5, 0, 0), (0, 1, 4)),
    "Jaccard": ((1, 0, 0), (-1, 1, 1)),
}

#: Statistics closer than this, relatively, are ties.
TIES = 1e-9


class Cell(NamedTuple):
    """A kind of data."""

    name: str
    draw: Callable[[Generator], Drawn]
    metric: str = "precision"
    #: Whether the metric is equal.
    equal: bool = True


class Pvalues(NamedTuple):
    """Of the difference, two-sided, and of the studentised one; one-sided, A more or less."""

    difference: float
    studentized: float
    greater: float
    less: float


def _pvalue(values: Numbers) -> float:
    """How many are at least the first; what is not defined is."""
    hits = ~(values[1:] < values[0] - TIES * abs(values[0]))
    return (1 + int(hits.sum())) / (1 + len(hits))


def pvalues(a: Integers, b: Integers, metric: str, coins: NDArray[np.bool_]) -> Pvalues:
    """From the swaps that coins say.

    Parameters
    ----------
    a, b : array of int, (units, 3)
        Correct, returned and gold responses.
    metric : str
        One of `METRICS`.
    coins : array of bool, (shuffles, units)
        Which units are swapped.
    """
    (n_a, m_a), (n_b, m_b) = (np.array(METRICS[metric], dtype=np.float64) @ own.T for own in (a, b))
    n, m = n_a.sum() + n_b.sum(), m_a.sum() + m_b.sum()
    r_a, r_b = m * n_a - n * m_a, m * n_b - n * m_b  # whole, so that no difference is exactly 0
    own = np.stack([m_a, r_a, r_a**2, m_b, r_b, r_b**2], axis=1)
    cross = 2 * float((r_a * r_b).sum())
    moved = coins @ (own[:, 3:] - own[:, :3])
    start, end = own[:, :3].sum(axis=0), own[:, 3:].sum(axis=0)
    mine, theirs = start + np.vstack([np.zeros(3), moved]), end - np.vstack([np.zeros(3), moved])
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.abs(mine[:, 1] / mine[:, 0] - theirs[:, 1] / theirs[:, 0])
        spread = mine[:, 2] * theirs[:, 0] ** 2 + theirs[:, 2] * mine[:, 0] ** 2
        spread -= cross * mine[:, 0] * theirs[:, 0]
        size = mine[:, 1] ** 2 / spread
    signed = np.sign(mine[:, 1]) * size
    return Pvalues(*map(_pvalue, (difference, size, signed, -signed)))


def sparse(a: Integers, b: Integers, metric: str) -> bool:
    """Whether csig calls nothing significant: too few counts are expected of one system."""
    above, below = (np.array(own) for own in METRICS[metric])
    rest = below - above
    units = [own @ below for own in (a, b)]
    least, most = sorted(int(own.sum()) for own in units)
    total = a.sum(axis=0) + b.sum(axis=0)
    of_all = least / max(1, int(total @ below))
    counts = [of_all * float(total @ own) / np.gcd.reduce(own) for own in (above, rest)]
    swapped = float(((units[0] - units[1]) ** 2).sum())
    apart = (most - least) / np.sqrt(swapped or 1.0)
    return bool(Grounds(min(counts), np.inf, np.inf, apart).sparse)


# ---- data ---------------------------------------------------------------------------------------


def documents(
    n: int,
    volumes: tuple[float, float],
    precision: tuple[float, float] | float = 0.3,
    *,
    sizes: Callable[[Generator, int], Numbers] | None = None,
    difficulty: float | None = None,
    shared: float = 0.0,
    recall: tuple[float, float] | None = None,
) -> Callable[[Generator], Drawn]:
    """Documents in which systems return so many responses on average.

    Parameters
    ----------
    n : int
        Documents.
    volumes : pair of float
        Responses a document.
    precision : float, or pair of float
        The share of correct ones.
    sizes : callable, optional
        Factors of a document's volumes.
    difficulty : float, optional
        Precision varies by document as a beta distribution with this sum of parameters.
    shared : float
        The share of the second system's responses that the first returns as well.
    recall : pair of float, optional
        Gold items are found so often, and the volumes are the gold items of a document.
    """
    p_a, p_b = precision if isinstance(precision, tuple) else (precision, precision)

    def draw(rng: Generator) -> Drawn:
        factor = np.ones(n) if sizes is None else sizes(rng, n)
        if recall is not None:
            gold = rng.poisson(volumes[0] * factor)
            systems = []
            for share, p in zip(recall, (p_a, p_b), strict=True):
                correct = rng.binomial(gold, share)
                wrong = rng.poisson(volumes[0] * factor * share * (1 / p - 1))
                systems.append(np.stack([correct, correct + wrong, gold], axis=1))
            return systems[0], systems[1]
        share_a, share_b = np.full(n, p_a), np.full(n, p_b)
        if difficulty is not None:
            share_a = share_b = rng.beta(p_a * difficulty, (1 - p_a) * difficulty, n)
        both = rng.poisson(shared * volumes[1] * factor)
        own = [rng.poisson((v - shared * volumes[1]) * factor) for v in volumes]
        common = rng.binomial(both, share_b)
        correct = [rng.binomial(k, p) for k, p in zip(own, (share_a, share_b), strict=True)]
        gold = common + correct[0] + correct[1] + 1
        a, b = (
            np.stack([common + c, both + k, gold], axis=1)
            for c, k in zip(correct, own, strict=True)
        )
        return a, b

    return draw


def pareto(rng: Generator, n: int) -> Numbers:
    """Sizes with a heavy tail, of the mean 1."""
    return np.asarray((1 + rng.pareto(1.5, n)) / 3)


def lognormal(rng: Generator, n: int) -> Numbers:
    """Sizes that differ by orders of magnitude."""
    return rng.lognormal(-2, 2, n)


def one_large(rng: Generator, n: int) -> Numbers:
    """One document is as large as all others together."""
    return np.array([n - 1.0] + [1.0] * (n - 1))


def responses(own: tuple[int, int], p: float) -> Callable[[Generator], Drawn]:
    """Single responses, each of one system only."""

    def draw(rng: Generator) -> Drawn:
        units = []
        for k, number in enumerate(own):
            correct = (rng.random(number) < p).astype(np.int64)
            here = np.stack([correct, np.ones(number, np.int64), correct], axis=1)
            missed = here * [0, 0, 1]
            units.append((here, missed) if k == 0 else (missed, here))
        return (
            np.vstack([units[0][0], units[1][0]]),
            np.vstack([units[0][1], units[1][1]]),
        )

    return draw


def groups(n: int, most: int, p: float) -> Callable[[Generator], Drawn]:
    """Conflict groups: A has one to `most` responses at a place, B one; at most one is correct."""

    def draw(rng: Generator) -> Drawn:
        k = rng.integers(1, most + 1, n)
        right_a = rng.random(n) < p * k
        right_b = rng.random(n) < p
        gold = np.ones(n, np.int64)
        return (
            np.stack([right_a.astype(np.int64), k, gold], axis=1),
            np.stack([right_b.astype(np.int64), gold, gold], axis=1),
        )

    return draw


CELLS = (
    Cell("200 documents, 10 against 1 responses each", documents(200, (10, 1))),
    Cell("1,000 documents, 10 against 1", documents(1000, (10, 1))),
    Cell("50 documents, 12 against 3", documents(50, (12, 3))),
    Cell("50 documents, 6 against 6", documents(50, (6, 6))),
    Cell("30 documents, 10 against 3, Pareto sizes", documents(30, (10, 3), sizes=pareto)),
    Cell("50 documents, 10 against 3, lognormal sizes", documents(50, (10, 3), sizes=lognormal)),
    Cell("30 documents, 10 against 3, one half of all", documents(30, (10, 3), sizes=one_large)),
    Cell("30 documents, 10 against 3, precision varies", documents(30, (10, 3), difficulty=4)),
    Cell("100 documents, 10 against 4, 60% shared", documents(100, (10, 4), shared=0.6)),
    Cell("20 clusters, 60 against 15", documents(20, (60, 15), difficulty=20)),
    Cell("10 documents, 20 against 1", documents(10, (20, 1))),
    Cell("6 documents, 12 against 3", documents(6, (12, 3))),
    Cell("5 documents, 60 against 15", documents(5, (60, 15))),
    Cell("single responses, 200 against 20", responses((200, 20), 0.3)),
    Cell("single responses, 1,000 against 40", responses((1000, 40), 0.3)),
    Cell("single responses, 30 against 8", responses((30, 8), 0.5)),
    Cell("150 conflict groups, 1 to 3 against 1", groups(150, 3, 0.2)),
    Cell(
        "F1, 50 documents, recall .9 precision .45 against .45, .9",
        documents(50, (6, 6), (0.45, 0.9), recall=(0.9, 0.45)),
        "F1",
    ),
    Cell(
        "F0.5, 50 documents, by trade-off",
        documents(50, (6, 6), (0.4, 0.5), recall=(0.5, 0.25)),
        "F0.5",
    ),
    Cell(
        "F2, 50 documents, by trade-off",
        documents(50, (6, 6), (0.25, 0.5), recall=(0.5, 0.4)),
        "F2",
    ),
    Cell(
        "Jaccard, 50 documents, by trade-off",
        documents(50, (6, 6), (0.45, 0.9), recall=(0.9, 0.45)),
        "Jaccard",
    ),
    Cell("sparse: 100 documents, 10 against 1, precision .1", documents(100, (10, 1), 0.1)),
    Cell("sparse: 30 documents, 10 against 2, precision .1", documents(30, (10, 2), 0.1)),
    Cell("sparse: 30 documents, 10 against 2, precision .05", documents(30, (10, 2), 0.05)),
    Cell("sparse: 100 documents, 10 against 1, precision .02", documents(100, (10, 1), 0.02)),
    Cell("sparse: single responses, 125 against 100, precision .01", responses((125, 100), 0.01)),
    Cell(
        "sparse: single responses, 480 against 400, precision .0025", responses((480, 400), 0.0025)
    ),
    *(
        Cell(f"few: single responses, {most} against {least}, precision {p:g}", draw)
        for most, least, precisions in (
            (125, 100, (0.05, 0.1, 0.2)),
            (480, 400, (0.0125, 0.025, 0.05)),
            (20, 5, (0.5,)),
            (40, 10, (0.5,)),
            (80, 20, (0.5,)),
            (160, 40, (0.5,)),
        )
        for p in precisions
        for draw in [responses((most, least), p)]
    ),
    *(
        Cell(f"few: 30 documents, {expected} correct expected, {times:g} times as many", draw)
        for times in (1, 1.5, 2, 3)
        for expected in (2, 4)
        for draw in [documents(30, (expected * times / 1.5, expected / 1.5), 0.05)]
    ),
    Cell("200 documents, 6 against 6", documents(200, (6, 6), (0.36, 0.3)), equal=False),
    Cell("50 documents, 12 against 12", documents(50, (12, 12), (0.37, 0.3)), equal=False),
    Cell("200 documents, 10 against 2", documents(200, (10, 2), (0.3, 0.37)), equal=False),
    Cell(
        "F1, 50 documents, recall .5 precision .5 against .57, .57",
        documents(50, (6, 6), (0.5, 0.57), recall=(0.5, 0.57)),
        "F1",
        equal=False,
    ),
)


# ---- rates --------------------------------------------------------------------------------------


def rng_of(cell: Cell) -> Generator:
    """A stream of its own, that no other cell changes."""
    key = zlib.crc32(f"{cell.name} {cell.metric} {cell.equal}".encode())
    return np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(key,)))


def row(cell: Cell, data_sets: int = DATA_SETS) -> dict[str, object]:
    """How often each test has p <= 0.05, or 0.01, and how often csig calls that significant."""
    rng = rng_of(cell)
    found, called = [], 0
    while len(found) < data_sets:
        a, b = cell.draw(rng)
        if min(a[:, 1].sum(), b[:, 1].sum()) == 0:
            continue
        coins = rng.random((SHUFFLES, len(a))) < 0.5
        p = pvalues(a, b, cell.metric, coins)
        found.append(p)
        called += p.studentized <= ALPHA and not sparse(a, b, cell.metric)
    rates = (np.array(found) <= ALPHA).mean(axis=0).tolist()
    return {
        "data": cell.name,
        "metric": cell.metric,
        "equal": cell.equal,
        "data_sets": data_sets,
        **dict(zip(Pvalues._fields, rates, strict=True)),
        "called": called / data_sets,
        "low": float(np.mean([p.studentized <= LOW for p in found])),
    }


#: What the columns of the tables are called.
HEADS = {
    "difference": "difference",
    "studentized": "studentized",
    "called": "called",
    "greater": "first better",
    "less": "second better",
    "low": "at 1%",
}


def tables(rows: Sequence[Mapping[str, object]]) -> dict[str, list[str]]:
    """Markdown: of equal ratios, and of power."""
    found = {}
    for title, equal in (("equal", True), ("power", False)):
        columns = list(HEADS) if equal else ["difference", "studentized"]
        heads = " | ".join(HEADS[key] for key in columns)
        lines = [f"| data | {heads} |", "|---|" + "---|" * len(columns)]
        lines += [
            f"| {own['data']} | " + " | ".join(f"{own[key]:.3f}" for key in columns) + " |"
            for own in rows
            if own["equal"] is equal
        ]
        found[title] = lines
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write, or print the tables of what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true", help="print what was written")
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    given = parser.parse_args(arguments)
    if not given.tables:
        rows = [row(cell, given.data_sets) for cell in CELLS]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))
    for title, lines in tables(rows).items():
        print(f"\n{title}\n", *lines, sep="\n")


if __name__ == "__main__":
    main()
