"""``python -m benchmarks.cliffs [--quick] [NAME ...]``: what no shape of data may exceed.

Each shape is tested in a process of its own, which is forked once everything is imported and its
data are there. Times are processor time of all threads; memory is the peak of the
resident set (getrusage) beyond what there was before the test. The exit status is 1 where a shape
is over its budget, which is some three times what it took.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import csig
from benchmarks import data
from benchmarks.timing import text

Array = NDArray[Any]


@dataclass(frozen=True)
class Shape:
    """What is compared, and what that may take."""

    kind: str  #: A name of `DATA`.
    n: int  #: Units, candidates or data sets.
    systems: int
    metric: str  #: Of rankings how many lengths.
    #: As `csig.compare` has them; "test" is the p-value alone.
    interval: str
    seconds: float
    megabytes: float

    @property
    def name(self) -> str:
        what = f"{self.metric}, {self.interval}" if self.interval else self.metric
        return f"{self.kind}, {self.n:,} x {self.systems}: {what}"


#: Kind, numbers of units, systems, metric, intervals; seconds of each and megabytes of all.
TABLE = """
real 3 30 45 300 10000 1000000 | 2 | mean | auto | 0.1 0.2 0.2 0.1 0.1 2 | 200
real 1000 | 2 | mean | test inverted linearized bca percentile basic studentized | 0.3 | 50
real 100000 | 2 | mean | test inverted linearized | 0.1 0.5 0.1 | 50
real 100000 | 2 | mean | bca percentile basic studentized | 30 | 50
decimals 40 300 3000 100000 1000000 | 2 | mean | auto | 0.5 0.1 0.2 0.5 3 | 150
ties 30 1000 1000000 | 2 | mean | auto | 0.5 0.2 10 | 150
ties 2000 | 2 | mean | inverted linearized bca percentile basic studentized | 0.5 | 50
binary 50 1000000 | 2 | mean | auto inverted | 0.1 0.2 1 20 | 150
counts 300 100000 | 2 | mean | auto | 0.2 0.5 | 50
pareto 40 1000 100000 | 2 | mean | auto inverted | 0.5 0.3 0.2 0.2 0.5 0.5 | 50
outlier 40 1000 100000 | 2 | mean | auto | 0.1 0.1 0.2 | 30
denormal 45 1000 100000 | 2 | mean | auto | 0.2 0.1 0.5 | 30
clusters 300 100000 | 2 | mean | auto | 0.1 0.2 | 30
documents 30 300 3000 100000 | 2 | f1 | auto | 0.2 0.1 0.3 5 | 50
documents 3000 | 2 | f1 | test inverted linearized | 0.3 | 30
documents 3000 | 2 | f1 | bca percentile basic studentized | 1 1 1 5 | 30
documents 3000 | 2 | precision | test | 0.2 | 30
documents 3000 | 2 | recall | auto | 0.1 | 20
pareto-documents 30 300 3000 30000 | 2 | f1 | test auto | 0.1 0.5 0.1 0.1 0.2 0.3 0.5 3 | 30
pareto-documents 3000 | 2 | precision | test | 0.2 | 30
pareto-documents 3000 | 2 | recall | auto | 0.1 | 20
shares 300 3000 30000 | 2 | f1 | test auto | 0.1 0.5 0.2 0.5 2 3 | 50
shares 3000 | 2 | precision | test | 0.2 | 30
responses 10 1000 100000 1000000 | 2 | f1 | auto | 0.1 0.3 10 100 | 20
responses 100000 | 2 | precision | test | 0.1 | 20
responses 100000 | 2 | recall | test | 0.1 | 20
labels 30 1000 100000 1000000 | 2 | mcc | auto | 0.1 0.3 2 20 | 800
labels 1000 | 2 | kappa | auto | 0.2 | 30
labels 1000 | 2 | macro_f1 | auto | 0.2 | 30
labels 1000 | 2 | precision | auto | 0.1 | 30
labels 1000000 | 2 | accuracy | auto | 2 | 400
ngrams 30 500 3000 30000 | 2 | bleu | test auto | 0.2 0.2 0.2 0.2 0.3 0.3 2 2 | 30
ngrams 500 | 2 | bleu | bca | 0.5 | 30
real 20 41 100 1000 10000 | 20 | mean | | 2 5 2 2 2 | 150
decimals 30 1000 | 100 | mean | | 50 | 50
binary 1000 100000 | 20 | mean | | 0.1 5 | 150
ties 200 1000 | 50 | mean | | 5 | 30
real 1000 | 1000 | mean | | 10 | 500
candidates 1000 100000 1000000 | 2 | 5 lengths | | 0.1 2 20 | 500
candidates 5000 | 9 | 100 lengths | | 3 | 30
candidates 100000 | 2 | 10000 lengths | | 3 | 100
candidates 100000 | 2 | 100000 lengths | | 20 | 300
candidates 1000000 | 1 | 1000000 lengths | | 10 | 400
tied-candidates 100000 | 2 | 1000 lengths | | 2 | 20
real-sets 10 40 200 1000 | 40 | wilcoxon | | 1 1 1 2 | 100
decimals-sets 10 40 200 1000 | 40 | wilcoxon | | 1 1 5 30 | 50
ties-sets 200 | 40 | wilcoxon | | 3 | 50
outlier-sets 200 | 40 | wilcoxon | | 1 | 50
real-sets 30 | 150 | ranks | | 3 | 100
real-sets 20 | 15 | randomization | | 1 | 50
decimals-sets 200 | 15 | anova | | 2 | 30
real-sets 200 | 2 | wilcoxon | | 0.1 | 50
"""


def shapes() -> list[Shape]:
    """The rows of the table, one for each number of units and each interval."""
    found = []
    for line in TABLE.strip().splitlines():
        first, systems, metric, intervals, seconds, megabytes = line.split("|")
        kind, *numbers = first.split()
        named = [(int(n), own) for n in numbers for own in intervals.split() or [""]]
        budgets = seconds.split() * (len(named) if len(seconds.split()) == 1 else 1)
        found += [
            Shape(kind, n, int(systems), metric.strip(), own, float(most), float(megabytes))
            for (n, own), most in zip(named, budgets, strict=True)
        ]
    return found


# ---- data: of every system the scores, or the statistics ----------------------------------------


def scores(kind: str, n: int, systems: int, rng: np.random.Generator) -> Array:
    """(systems, n) scores that are correlated, the later ones a little better."""
    table = rng.normal(0.6, 0.2, n) + rng.normal(0, 0.2, (systems, n))
    table += 0.01 * np.arange(systems)[:, None] / systems
    if kind == "pareto":
        return np.asarray(rng.pareto(1.1, n) * (1 + table))
    if kind == "outlier":
        table[0, 0] = 1e6
    changes: dict[str, Callable[[Array], Array]] = {
        "decimals": lambda own: own.round(3),
        "ties": lambda own: np.clip(np.rint(5 * own), 0, 5).astype(np.int64),
        "binary": lambda own: (own > 0.5).astype(np.int64),
        "counts": lambda own: rng.poisson(np.exp(3 * own)),
        "denormal": lambda own: own * 1e-310,
    }
    return np.asarray(changes.get(kind, np.asarray)(table))


def documents(kind: str, n: int, rng: np.random.Generator) -> list[Array]:
    """Both systems' (tp, predicted, gold) of documents."""
    if kind == "documents":
        return list(data.documents(1, n))
    gold = (5 * rng.pareto(1.2, n) + 1).astype(np.int64)
    if kind == "shares":  # of every document the same shares
        right = [(gold * share).astype(np.int64) for share in (0.8, 0.6)]
        found = gold, gold // 2 + right[1]
        return [np.stack([*own, gold], axis=1) for own in zip(right, found, strict=True)]
    rows = []
    for share in (0.7, 0.69):
        tp = rng.binomial(gold, share)
        rows.append(np.stack([tp, tp + rng.binomial(gold, 0.2), gold], axis=1))
    return rows


NGRAMS = [*(f"{what}{i}" for i in range(1, 5) for what in ("matches", "ngrams")), "reference"]


def bleu(sums: Array) -> Array:
    """Of the sums of matches and n-grams, (trials, columns)."""
    precisions = np.log(sums[:, 0:8:2] / sums[:, 1:8:2]).mean(axis=1)
    return np.asarray(np.exp(precisions + np.minimum(0, 1 - sums[:, 8] / sums[:, 1])))


def sentences(n: int, rng: np.random.Generator) -> list[Array]:
    """Both systems' n-grams of sentences, and the words of the reference."""
    words = rng.integers(8, 40, n)
    systems = []
    for share in (0.6, 0.605):
        counted = [words - i for i in range(4)]
        matches = [rng.binomial(own, share ** (i + 1)) for i, own in enumerate(counted)]
        columns = [own for pair in zip(matches, counted, strict=True) for own in pair]
        systems.append(np.stack([*columns, words], axis=1))
    return systems


# ---- what is called, once the data are there ----------------------------------------------------


def called(shape: Shape) -> Callable[[], object]:
    """The call of a shape that is measured."""
    kind, n, systems, metric = shape.kind, shape.n, shape.systems, shape.metric
    rng = np.random.Generator(np.random.PCG64(1))
    if kind in ("candidates", "tied-candidates"):
        true = rng.random(n) < 0.2
        table = true + rng.normal(0, 2, (systems, n))
        table = table.round(1) if kind == "tied-candidates" else table
        columns: dict[str, Any] = {f"m{i}": own for i, own in enumerate(table)}
        lengths = np.unique(np.linspace(1, n, int(metric.split()[0])).astype(int)).tolist()
        methods, columns["true"] = list(columns), true
        return lambda: csig.rank_methods(columns, methods, lengths, rng=1)
    if kind.endswith("-sets"):
        named = {f"s{i}": own for i, own in enumerate(scores(kind[:-5], n, systems, rng))}
        pairs: Any = metric
        return lambda: csig.compare_datasets(named, pairs=pairs, rng=1)
    if systems > 2:
        several = {f"s{i}": own for i, own in enumerate(scores(kind, n, systems, rng))}
        baseline = "s0" if systems > 200 else None
        return lambda: csig.compare_systems(several, baseline=baseline, rng=1)
    wanted: Any = metric
    if kind == "responses":
        comparison = csig.Comparison.from_counts(
            gold=9 * n, both_correct=2 * n, both_spurious=n, only_a_correct=n,
            only_b_correct=n - n // 50, only_a_spurious=n, only_b_spurious=n + n // 60,
        )  # fmt: skip
    elif kind in ("documents", "pareto-documents", "shares"):
        a, b = documents(kind, n, rng)
        comparison = csig.Comparison.from_statistics(a, b, ["tp", "predicted", "gold"])
    elif kind == "ngrams":
        wanted = csig.Metric("bleu", NGRAMS, function=bleu)
        a, b = sentences(n, rng)
        comparison = csig.Comparison.from_statistics(a, b, NGRAMS)
    elif kind == "labels":
        gold = rng.integers(0, 3, n)
        a, b = (np.where(rng.random(n) < p, gold, rng.integers(0, 3, n)) for p in (0.5, 0.52))
        positive = 1 if metric == "precision" else None
        comparison = csig.Comparison.from_labels(gold, a, b, positive=positive)
    else:
        a, b = scores(kind, n, 2, rng)
        clusters = rng.integers(0, max(2, n // 10), n) if kind == "clusters" else None
        comparison = csig.Comparison.from_scores(a, b, cluster=clusters)
    if shape.interval == "test":
        return lambda: csig.randomization_test(comparison, wanted, rng=1)
    interval: Any = shape.interval
    return lambda: csig.compare(comparison, wanted, interval=interval, rng=1)


def engine(result: Any) -> str:
    """How the p-values were found."""
    if isinstance(result, (csig.rankings.RankedMethods, csig.datasets.DatasetsResult)):
        return str(result.test)
    if hasattr(result, "n_certified"):
        counts = f"{result.n_certified:,} certified, {result.n_shuffled:,} drawn"
        return f"{len(result.pairs):,} pairs, {counts}"
    if isinstance(result, Mapping):
        (result,) = (own.test for own in result.values())
    return str(result.engine)


class Taken(NamedTuple):
    """What a shape took."""

    shape: Shape
    seconds: float
    megabytes: float
    engine: str

    @property
    def share(self) -> float:
        """Of the budget, of time or of memory."""
        of_time = self.seconds / self.shape.seconds if self.shape.seconds else float("inf")
        return max(of_time, self.megabytes / max(self.shape.megabytes, 1e-9))


def peak() -> float:
    """Of the resident set, in MB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (1e6 if sys.platform == "darwin" else 1e3)


def child(run: Callable[[], object], seconds: float, connection: Connection) -> None:
    """Send what a call took; what takes ten times its budget is not waited for."""
    before, start = peak(), time.process_time()
    most = int(start + 10 * seconds + 10)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    result = run()
    connection.send((time.process_time() - start, peak() - before, engine(result)))


def measured(wanted: Sequence[Shape]) -> Iterator[Taken]:
    """Every shape in a process of its own, which has the data and all modules."""
    for kind in dict.fromkeys(shape.kind for shape in wanted):  # which import modules
        first = next(shape for shape in wanted if shape.kind == kind)
        called(replace(first, n=min(first.n, 30), metric=first.metric.replace("000", "")))()
    context = multiprocessing.get_context("fork")
    for shape in wanted:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=child, args=(called(shape), shape.seconds, sender))
        process.start()
        sender.close()
        try:
            yield Taken(shape, *receiver.recv())
        except EOFError:
            yield Taken(shape, 10 * shape.seconds + 10, 0.0, "no result")
        process.join()


HEAD = [
    "| shape | time | budget | MB | budget | engine |",
    "|---|--:|--:|--:|--:|---|",
]


def row(taken: Taken) -> str:
    """A line of the table."""
    shape = taken.shape
    over = " **over**" if taken.share > 1 else ""
    return (
        f"| {shape.name} | {text(taken.seconds)}{over} | {text(shape.seconds)} | "
        f"{taken.megabytes:.0f} | {shape.megabytes:.0f} | {taken.engine} |"
    )


def main(arguments: Sequence[str] | None = None, wanted: Sequence[Shape] | None = None) -> int:
    """Print the table and the worst ten; 1 where a shape is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="shapes whose name has one of these texts")
    parser.add_argument("--quick", action="store_true", help="those with budgets below a second")
    options = parser.parse_args(arguments)
    chosen = [
        shape
        for shape in (shapes() if wanted is None else wanted)
        if (not options.quick or shape.seconds < 1)
        and (not options.names or any(own in shape.name for own in options.names))
    ]
    found = []
    print(*HEAD, sep="\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for taken in measured(chosen):
            print(row(taken), flush=True)
            found.append(taken)
    worst = sorted(found, key=lambda own: -own.seconds / max(own.shape.seconds, 1e-9))[:10]
    print("\nThe worst by time and budget:\n", *HEAD, *map(row, worst), sep="\n")
    return int(any(own.share > 1 for own in found))


if __name__ == "__main__":
    sys.exit(main())
