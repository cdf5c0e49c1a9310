"""The p-values of Moses and MultEval that docs/bootstrap.md quotes, from csig's resamples.

PYTHONPATH=tests python tests/reference/moses_pvalues.py FILE

FILE is ``test/wmt17_en_de_systems.pkl.bz2`` of sacreBLEU (github mjpost/sacrebleu, Apache-2.0), 16
systems of WMT 2017, English to German. Its ``test/test_significance.py`` has the p-values of BLEU
against the first system that these tables repeat: Moses' paired bootstrap (one-sided, mean of three
runs of 2,000 resamples) and MultEval's shuffles (two-sided, 10,000).

Moses counts |d*| - (the mean of all |d*|) >= |d|. That is the test by shifting, one-sided for the
direction observed, where d* seldom changes its sign; where it does, Moses' p is smaller. Both are
printed.
"""

from __future__ import annotations

import bz2
import math
import pickle
import sys
from typing import Any

import numpy as np
from bleu import COLUMNS, bleu, counts

import csig
from csig.engines.resample import Prepared, Resampler
from csig.streams import make_source

RESAMPLES = 100_000

#: Moses, MultEval.
PRINTED = {
    "C-3MA": (0.00000, 0.0001),
    "FBK": (0.01267, 0.0218),
    "KIT": (0.02233, 0.0410),
    "LMU-nmt-reranked": (0.04383, 0.09029),
    "LMU-nmt-single": (0.20783, 0.58494),
    "online-A": (0.00000, 0.0001),
    "online-B": (0.38100, 0.94111),
    "online-F": (0.00000, 0.0001),
    "online-G": (0.00000, 0.0001),
    "PROMT-Rule-based": (0.00000, 0.0001),
    "RWTH-nmt-ensemble": (0.01167, 0.0207),
    "SYSTRAN": (0.20983, 0.59914),
    "TALP-UPC": (0.00000, 0.0001),
    "uedin-nmt": (0.00000, 0.0001),
    "xmu": (0.25483, 0.71073),
}


class _Texts(pickle.Unpickler):
    """Lists and strings, and nothing that runs."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"found {module}.{name}, expected texts alone")


def by_moses(comparison: csig.Comparison) -> float:
    """The same count from csig's resamples."""
    prepared = Prepared(comparison, [bleu], "ab", 0)
    found = np.empty(RESAMPLES)

    def take(start: int, sums: Any) -> None:
        found[start : start + sums.shape[1]] = prepared.replicates["bleu"].of(sums)[0]

    Resampler(make_source(2), 0, prepared.columns.table(), RESAMPLES, 1)(take)
    size = np.abs(found)
    return float((size - size.mean() >= abs(prepared.replicates["bleu"].observed)).mean())


def off(printed: float, p: float, number: int) -> str:
    """How many standard errors of so many draws a printed share is off."""
    if p * number < 5:
        return ""
    error = math.sqrt(p * (1 - p) * (1 / number + 1 / RESAMPLES))
    return f"{(printed - p) / error:+.1f}"


def main() -> None:
    with bz2.open(sys.argv[1]) as file:
        *systems, (_, [reference]) = _Texts(file).load()
    right = [line.split() for line in reference]
    tables = {
        name.split(".")[1]: counts([line.split() for line in lines], right)
        for name, lines in systems
    }
    (first, base), *others = tables.items()
    print(f"| {first} and | d | shift, one-sided | Moses' count | Moses printed | off |", end="")
    print(" shuffles, two-sided | MultEval printed | off |")
    print("|---|" + "--:|" * 8)
    for name, table in others:
        comparison = csig.Comparison.from_statistics(table, base, COLUMNS)
        one, two = comparison.scores(bleu)
        options = {"n_resamples": RESAMPLES, "rng": 1}
        shift = csig.intervals.bootstrap_test(
            comparison, bleu, alternative="greater" if one > two else "less", **options
        ).pvalue
        shuffled = csig.randomization_test(comparison, bleu, method="approximate", **options).pvalue
        moses, own = PRINTED[name][0], by_moses(comparison)
        multeval = PRINTED[name][1]
        print(
            f"| {name} | {one - two:+.2f} | {shift:.5f} | {own:.5f} | {moses:.5f} | "
            f"{off(moses, own, 6000)} | {shuffled:.5f} | {multeval:.5f} | "
            f"{off(multeval, shuffled, 10_000)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
