"""Whether csig gives the same bits here as in ``tests/reference/bits.txt``: a line per result.

    python tests/ext/bits.py [--write | --show]

The data are integers of Python's generator, the same everywhere. A line is a result's name and a
digest of the floats in its record. ``--write`` writes the file anew, ``--show`` prints the floats.
"""

from __future__ import annotations

import hashlib
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import csig
from csig import classical, intervals, rankings

REFERENCE = Path(__file__).parents[1] / "reference" / "bits.txt"
Results = Iterator[tuple[str, Callable[[], Any]]]


def whole(seed: int, n: int, most: int) -> list[int]:
    """Integers below `most`."""
    draw = random.Random(seed)
    return [draw.getrandbits(40) % most for _ in range(n)]


def normal(seed: int, n: int) -> NDArray[np.float64]:
    """About normal numbers, multiples of 2^-31."""
    draw = random.Random(seed)
    sums = [sum(draw.getrandbits(31) for _ in range(12)) - 6 * 2**31 for _ in range(n)]
    return np.array(sums) / 2.0**31


def scores(seed: int, n: int) -> csig.Comparison:
    a = normal(seed, n)
    return csig.Comparison.from_scores(a, a / 2 + normal(seed + 1, n) + 1 / 8)


def floats(value: Any) -> Iterator[float]:
    """Those of a record, in their order."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from floats(part)
    elif isinstance(value, float):
        yield value


def of_two() -> Results:
    for k, alternative in enumerate(("two-sided", "less", "greater") * 4):
        yield (
            f"certified {k}",
            lambda k=k, own=alternative: csig.randomization_test(
                scores(10 * k, 60 + 150 * k), "mean", method="certified", alternative=own
            ),
        )
    large = csig.Comparison.from_counts(
        gold=9000, both_correct=5000, only_a_correct=910, only_b_correct=880, both_spurious=70,
        only_a_spurious=610, only_b_spurious=600,
    )  # fmt: skip
    labels = csig.Comparison.from_labels(*(whole(k, 400, 2) for k in range(3)), positive=1)
    for metric in ("recall", "precision", "f1"):
        yield f"exact {metric}", lambda own=metric: csig.randomization_test(large, own)
    for metric in ("accuracy", "f1", "mcc"):
        yield (
            f"shuffled {metric}",
            lambda own=metric: csig.randomization_test(
                labels, own, method="approximate", n_resamples=999, rng=5
            ),
        )
        yield (
            f"bca {metric}",
            lambda own=metric: intervals.bootstrap_interval(labels, own, n_resamples=999, rng=9),
        )
        yield f"linearized {metric}", lambda own=metric: intervals.linearized_interval(labels, own)
    yield "inverted", lambda: intervals.inverted_interval(labels, "accuracy")
    yield "compare", lambda: csig.compare({"a": normal(1, 90), "b": normal(2, 90)}, rng=1)
    yield "all tests", lambda: csig.advice.all_tests(scores(4, 60), "mean", rng=1, n_resamples=999)
    yield "audit", lambda: csig.audit(scores(5, 200), metric="mean", rng=1, n_resamples=999)
    runs = csig.Comparison.from_scores(normal(7, 90).reshape(3, 30), normal(8, 90).reshape(3, 30))
    yield "runs", lambda: intervals.crossed_interval(runs, "mean")


def classical_tests() -> Results:
    counts = csig.Comparison.from_counts(gold=103, only_a_correct=28, only_b_correct=11)
    for k in range(6):
        n = 12 + 20 * k
        yield f"t {k}", lambda k=k, n=n: classical.paired_t_test(scores(k, n), "mean")
        yield f"wilcoxon {k}", lambda k=k, n=n: classical.wilcoxon_test(scores(k, n), "mean")
        yield f"two samples {k}", lambda k=k, n=n: classical.independent_t_test(scores(k, n))
        yield f"correlation {k}", lambda k=k, n=n: classical.correlation_interval(scores(k, n))
        yield f"folds {k}", lambda k=k: classical.kfold_t_test(normal(k, 10), normal(k + 9, 10))
    yield "F", lambda: classical.cv52_f_test(*normal(1, 20).reshape(2, 5, 2))
    yield "chi-square", lambda: classical.chi_square_test(counts, "recall")
    yield "proportions", lambda: classical.proportions_test(counts, "recall")
    columns = {f"s{k}": whole(k, 60, 2) for k in range(4)}
    yield "cochran", lambda: classical.cochran_q_test(columns, method="asymptotic")


def of_many() -> Results:
    for k in range(3):
        table = {f"s{i}": normal(9 * k + i, 40) + i / 4 for i in range(3 + k)}
        yield f"systems {k}", lambda own=table: csig.compare_systems(own, rng=1)
        for pairs in ("wilcoxon", "anova"):
            yield (
                f"datasets {pairs} {k}",
                lambda own=table, pairs=pairs: csig.compare_datasets(own, pairs=pairs, rng=1),
            )
        ranked = {"one": whole(k, 200, 999), "two": whole(k + 9, 200, 999)}
        ranked |= {"true": whole(k + 5, 200, 2), "sample": [i % 6 for i in range(200)]}
        methods = ["one", "two"]
        yield (
            f"ranked {k}",
            lambda own=ranked, methods=methods: rankings.rank_methods(
                own, methods, [20, 50], rng=1
            ),
        )
        yield (
            f"samples {k}",
            lambda own=ranked, methods=methods: rankings.rank_methods(
                own, methods, 9, sample="sample", rng=1
            ),
        )
        hits = [[7 + own, 40 + 3 * own] for own in whole(k, 12, 9)]
        yield f"binomial {k}", lambda own=hits: rankings.validate_binomial(own)


def main(choice: str = "") -> int:
    warnings.simplefilter("ignore")
    lines = []
    for name, run in (*of_two(), *classical_tests(), *of_many()):
        numbers = [own.hex() for own in floats(run().to_dict())]
        digest = hashlib.sha256(" ".join(numbers).encode()).hexdigest()[:16]
        lines.append(f"{name} {digest}")
        if choice == "--show":
            print(name, *numbers)
    if choice == "--write":
        REFERENCE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    known = REFERENCE.read_text(encoding="utf-8").splitlines()
    other = sorted(set(lines) ^ set(known))
    print(f"{len(lines)} results, {len(set(lines) - set(known))} with other bits", *other, sep="\n")
    return bool(other)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
