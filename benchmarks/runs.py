"""``python -m benchmarks.runs``: coverage of intervals for other units and other runs.

Two methods that are equally good, several runs (training seeds) of each, one test set. The true
difference of the methods is 0 by symmetry. How often does the randomization test, which takes the
runs as given, call the methods different, and how often do intervals hold 0? The table is in
docs/runs.md, *What was measured*.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import csig

DATA_SETS, SHUFFLES = 1000, 999

#: What is asked of every data set, in this order.
ASKED = ("test rejects", "units alone", "components")

#: Spreads of the runs: none; and what makes them 0.25, 1, 4 and 25 times as variable as the units.
SPREADS = (0.0, 0.25, 1.0, 4.0, 25.0)

Scores = tuple[csig.Comparison, str]


class Case(NamedTuple):
    """A kind of data."""

    model: str
    units: int
    runs: int
    spread: float
    one_sided: bool = False  # only A's runs differ
    paired: bool = False  # a run of A and one of B share half of their effects' variance


def _latent(case: Case, rng: np.random.Generator, share: float) -> NDArray[np.float64]:
    """What decides an outcome, (systems, runs, units): normal, of variance 1 without run effects.

    Half of the rest of a unit's variance is the unit's own, shared by both systems.
    """
    common = rng.normal(size=case.units) * math.sqrt(share / 2)
    own = rng.normal(size=(2, 1, case.units)) * math.sqrt(share / 2)
    rest = rng.normal(size=(2, case.runs, case.units)) * math.sqrt(1 - share)
    # Of the difference the units have the variance (share + 2 (1 - share) / runs) / units.
    of_units = (share + 2 * (1 - share) / case.runs) / case.units
    effects = rng.normal(size=(2, case.runs, 1)) * math.sqrt(case.spread * of_units * case.runs / 2)
    if case.paired:  # what both have falls out of the difference
        both = rng.normal(size=(1, case.runs, 1))
        effects += both * math.sqrt(case.spread * of_units * case.runs / 2)
    if case.one_sided:
        effects *= np.array([math.sqrt(2), 0]).reshape(2, 1, 1)
    return common + own + rest + effects


def means(case: Case, rng: np.random.Generator) -> Scores:
    """Skewed scores, as those of translations or of answers that a model grades."""
    a, b = np.exp(0.5 * _latent(case, rng, 0.6))
    return csig.Comparison.from_scores(a, b, runs=range(case.runs)), "mean"


def accuracy(case: Case, rng: np.random.Generator) -> Scores:
    """Right or wrong, 75% right."""
    right = (_latent(case, rng, 0.5) > math.sqrt(1) * -0.6745).astype(np.int64)
    a, b = np.stack([right, np.ones_like(right)], axis=-1)
    columns = ("correct", "items")
    return csig.Comparison.from_statistics(a, b, columns, runs=range(case.runs)), "accuracy"


def f1(case: Case, rng: np.random.Generator) -> Scores:
    """Documents with 1 to 20 things to be found."""
    gold = rng.geometric(0.2, case.units).clip(max=20)
    latent = _latent(case, rng, 0.6)
    tp = rng.binomial(gold, ndtr(0.4 + 0.6 * latent))
    predicted = tp + rng.poisson(gold * ndtr(-0.6 - 0.6 * latent))
    tables = np.stack([tp, predicted, np.broadcast_to(gold, tp.shape)], axis=-1)
    columns = ("tp", "predicted", "gold")
    return csig.Comparison.from_statistics(*tables, columns, runs=range(case.runs)), "f1"


MODELS: dict[str, Callable[[Case, np.random.Generator], Scores]] = {
    "means": means,
    "accuracy": accuracy,
    "F1": f1,
}


def measured(case: Case, number: int, seed: int = 1) -> list[float]:
    """One data set: what `ASKED` says, as 0 or 1; the difference; its standard error by units."""
    key = np.random.SeedSequence(seed, spawn_key=(number,))
    comparison, metric = MODELS[case.model](case, np.random.Generator(np.random.PCG64(key)))
    test = csig.randomization_test(
        comparison, metric, method="approximate", n_resamples=SHUFFLES, rng=number, threads=1
    )
    alone = csig.intervals.linearized_interval(comparison, metric)
    intervals = [alone, csig.intervals.crossed_interval(comparison, metric, paired=case.paired)]
    held = [float(own.low <= 0 <= own.high) for own in intervals]
    return [float(test.pvalue <= 0.05), *held, test.statistic, alone.standard_error or 0.0]


def row(case: Case, data_sets: int = DATA_SETS, seed: int = 1) -> list[float]:
    """Shares of the data sets, and the share of the variance that comes from the runs."""
    found = np.array([measured(case, i, seed) for i in range(data_sets)])
    variance = float(np.mean(found[:, -2] ** 2))  # the true difference is 0
    of_units = float(np.mean(found[:, -1] ** 2))
    return [*found[:, : len(ASKED)].mean(axis=0).tolist(), max(0.0, 1 - of_units / variance)]


def cases() -> list[Case]:
    """All that is measured."""
    found = [Case("means", 100, runs, s) for runs in (2, 3, 5, 10) for s in SPREADS]
    found += [Case(model, 100, 3, s) for model in ("accuracy", "F1") for s in SPREADS]
    found += [Case(model, n, 3, 1.0) for n in (30, 1000) for model in MODELS]
    for n, runs in ((100, 2), (1000, 2), (100, 3), (100, 5)):
        found += [
            Case("means", n, runs, 4.0, one_sided=True),
            Case("means", n, runs, 4.0, paired=True),
        ]
    return found


def main(data_sets: int = DATA_SETS) -> None:
    print("| metric | units | runs | variance from runs | " + " | ".join(ASKED) + " |")
    print("|---|--:|--:|--:|" + "--:|" * len(ASKED))
    for case in cases():
        *shares, of_runs = row(case, data_sets)
        name = case.model + (", only A's runs differ" if case.one_sided else "")
        name += ", paired runs" if case.paired else ""
        cells = "".join(f" {100 * share:.1f}% |" for share in shares)
        print(
            f"| {name} | {case.units:,} | {case.runs} | {100 * of_runs:.0f}% |{cells}", flush=True
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
