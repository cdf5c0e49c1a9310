"""What is recommended: one test, all others with their verdicts, and the facts behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.random import SeedSequence

from csig import streams
from csig.advice import pairs
from csig.advice.base import ALPHA, Advice, Candidate, Drawing, in_order, run
from csig.advice.facts import Facts, facts_of
from csig.advice.others import Folds, Many, Sets
from csig.base.defaults import RESAMPLES, YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import (
    Alternative,
    check_alternative,
    check_executor,
    check_zero_division,
    positive,
)
from csig.base.wording import (
    clean,
    count,
    counted,
    few,
    first_few,
    metric_title,
    noun,
    perhaps,
    pvalue,
)
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.results.randomization import Seed


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(Shown):
    """Which test is sound on some data, and which are not: see :func:`csig.recommend`."""

    metric: str  #: What is compared.
    names: tuple[str, ...]  #: The systems; of two A is the first.
    rows: str  #: What a row of the data is: "items", "folds", "datasets".
    unit: str  #: What the recommended test takes to be independent: the largest unit that is known.
    n_units: int  #: How many there are; of single responses those that one system has alone.
    #: Those by whose swap the metric can change; None for three systems or more.
    n_differ: int | None = None
    #: The smallest two-sided p-value that swapping so many units can reach; 0 where a double cannot
    #: hold it.
    least_pvalue: float | None = None
    #: r12, independence_cost: the correlation of the systems' results on single items, and the
    #: factor by which tests of independent samples overestimate the difference's standard
    #: deviation; None where they are not known.
    r12: float | None = None
    independence_cost: float | None = None
    skewness: float | None = None  #: Of the units' differences, of a metric that has some.
    facts: tuple[str, ...]  #: What the data are, in sentences.
    doubts: tuple[str, ...] = ()  #: What to know before believing any p-value.
    tests: tuple[Advice, ...]  #: The recommended test first, then all others by their verdicts.
    #: What reproduces the p-values that are drawn, where the tests were run.
    seed: Seed | None = None

    @property
    def test(self) -> Advice:
        """The recommended test."""
        return self.tests[0]

    @property
    def unsound(self) -> tuple[Advice, ...]:
        """The tests that are unsound on these data."""
        return tuple(own for own in self.tests if own.verdict == "unsound")

    def __getitem__(self, test: str) -> Advice:
        """What is said of a test, by its name."""
        known = {own.test: own for own in self.tests}
        if test not in known:
            raise InputError(
                f"no test {test!r}{perhaps(test, known)}; there are {first_few(known, 40)}"
            )
        return known[test]

    def _line(self) -> str:
        own = self.test
        p = "" if own.pvalue is None else f", p = {pvalue(own.pvalue, own.log_pvalue)}"
        bad = len(self.unsound)
        return f"{self.metric}: {own.test}{p}; {count(bad)} of {len(self.tests)} tests unsound"


def _made(found: Sequence[Candidate], drawing: Drawing | None) -> tuple[Advice, ...]:
    """All that is said, with the p-values if they were asked for."""
    ordered = in_order(found)
    if drawing is None:
        return tuple(own.advice for own in ordered)
    return tuple(run(own, drawing) for own in ordered)


def _least(n_differ: int) -> tuple[float, str]:
    """The smallest two-sided p that swapping so many units can give, and in words."""
    exponent = min(0, 1 - n_differ)
    least = math.ldexp(1.0, exponent)
    return least, pvalue(least, exponent * math.log(2))


# ---- two systems -------------------------------------------------------------------------------


def _facts(f: Facts) -> list[str]:
    units, title = noun(f.unit, 2), metric_title(f.metric.name)
    own = f"Units: {f.units}"
    if f.comparison.units is not None or f.n_differ != f.n_units:
        own += f", of which {count(f.n_differ)} can change {f.title}"
    found = [f"{own}.", f"Nothing larger than {units} is known."]
    if f.finer:
        smaller = few([noun(unit, 2) for unit in f.finer], 4)
        found[1] = (
            f"{units.capitalize()} are the largest unit that is known; {smaller} within them are "
            "not independent."
        )
    kinds = {
        "sum": f"a mean over {units} or what they hold: its difference is a sum",
        "ratio": "a ratio whose denominator differs between the systems: it has to be computed "
        f"from the counts of all {units}",
        "function": f"a function of the counts of all {units}",
    }
    found.append(f"{title} is {kinds[f.kind]}.")
    if f.binary is not None:
        a, b = map(clean, f.comparison.names)
        found.append(
            f"Each {noun(f.binary)} is right or wrong; {count(f.discordant[0])} only in {a}, "
            f"{count(f.discordant[1])} only in {b}."
        )
    elif f.skewness is not None:
        found.append(f"The {units}' differences have a skewness of {f.skewness:.2g}.")
    if f.r12 is not None:
        said = (
            f"The systems' results on {count(f.n_items)} single items have the correlation "
            f"r12 = {f.r12:.2f}"
        )
        if not f.r12_is_of_metric:
            said += f" ({f.item_metric})"
        elif f.cost is not None and math.isfinite(f.cost):
            said += (
                f": tests of independent samples assume the difference to vary {f.cost:.2f} times "
                "as much as it does"
            )
        found.append(f"{said}.")
    least = _least(f.n_differ)[1]
    found.append(f"The smallest two-sided p that swapping can give here is {least}.")
    return found


def _doubts(f: Facts) -> list[str]:
    found = []
    if f.n_differ and 2.0 ** (1 - f.n_differ) > ALPHA:
        found.append(
            f"{counted(f.n_differ, f.unit)} can change {f.title}: no two-sided p can be below "
            f"{_least(f.n_differ)[1]}, so nothing can be significant at {ALPHA}."
        )
    if f.unit == "response":
        found.append(
            "Single responses are swapped, as if they were independent; those of one sentence or "
            "document seldom are. If sentences or documents are known, name them."
        )
    if f.kind == "sum" and f.binary != f.unit and pairs.too_few(f.n, f.skewness):
        are = f"Too few {noun(f.unit, 2)} to show whether their differences are skewed"
        if pairs.skewed(f.n, f.skewness):
            are = f"Skewed differences ({f.skewness:+.1f})"
        found.append(
            f"{are}: of {counted(f.n, f.unit)} tests of the mean may find too much, the "
            f"randomization test as much as t. More {noun(f.unit, 2)} help; so does the "
            "studentized bootstrap, and ranks (Wilcoxon) if they are the question."
        )
    if f.few is not None:
        found.append(
            f"Few counts: {f.few}; the systems return different numbers of responses, and tests of "
            f"{f.title} may find too much."
        )
    if f.n_runs > 1:
        found.append(
            f"There are {count(f.n_runs)} runs of each system. A unit is swapped with all its "
            "runs, so p says nothing of other runs; csig.intervals.crossed_interval does."
        )
    return found


def advised(f: Facts, drawing: Drawing | None = None, seed: Seed | None = None) -> Recommendation:
    """What is recommended for two systems; with a drawing, whose `seed` is recorded, all tests are
    run.
    """
    return Recommendation(
        metric=f.metric.name,
        names=f.comparison.names,
        rows="items",
        unit=f.unit,
        n_units=f.n_units,
        n_differ=f.n_differ,
        least_pvalue=_least(f.n_differ)[0],
        r12=f.r12,
        independence_cost=f.cost,
        skewness=f.skewness,
        facts=tuple(_facts(f)),
        doubts=tuple(_doubts(f)),
        tests=_made(pairs.candidates(f), drawing),
        seed=seed,
    )


def drawing_of(
    rng: streams.Seed,
    bit_generator: str | streams.Factory | None,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = YEH_RESAMPLES,
    bootstrap_resamples: int = RESAMPLES,
    threads: int | None = None,
    zero_division: int = 0,
    executor: object = None,
) -> tuple[Drawing, Seed]:
    """What tests are given, checked, and what is recorded of the seed."""
    source = streams.make_source(rng, bit_generator)
    drawing = Drawing(
        seed=SeedSequence(source.entropy, spawn_key=source.spawn_key),
        bit_generator=source.factory,
        n_resamples=positive("n_resamples", n_resamples, 2**48),
        bootstrap_resamples=positive("bootstrap_resamples", bootstrap_resamples, 2**32),
        threads=None if threads is None else positive("threads", threads, 1024),
        zero_division=check_zero_division(zero_division),
        alternative=check_alternative(alternative),
        executor=check_executor(executor),
    )
    return drawing, Seed(source.name, source.entropy, source.spawn_key, 0)


def all_tests_of(
    comparison: Comparison, metric: str | Metric, *, notify: Any = None, **options: Any
) -> Recommendation:
    """All tests of two systems by a metric; `options` are those of :func:`drawing_of`."""
    drawing, seed = drawing_of(options.pop("rng"), options.pop("bit_generator"), **options)
    facts = facts_of(comparison, metric, drawing.zero_division)
    return advised(facts, replace(drawing, progress=notify), seed)


# ---- other data --------------------------------------------------------------------------------


def advised_of_folds(
    f: Folds, drawing: Drawing | None = None, seed: Seed | None = None
) -> Recommendation:
    """What is recommended for scores on folds."""
    return Recommendation(
        metric="mean",
        names=f.comparison.names,
        rows="folds",
        unit="fold",
        n_units=f.n,
        n_differ=f.comparison.n_units,
        facts=(
            f"Rows: {f.what}; each tests {100 * float(f.test_share):.3g}% of the data.",
            "Tests on folds ask about the procedures that train the systems. Folds share "
            "training items, and nothing estimates from one cross-validation what that does to "
            "the variance (Nadeau and Bengio 2003).",
        ),
        doubts=(
            "The recommended test is a heuristic: with one test set that no fold trains on, "
            "there are exact tests of two trained systems.",
        ),
        tests=_made(f.candidates(), drawing),
        seed=seed,
    )


def advised_of_systems(
    m: Many, drawing: Drawing | None = None, seed: Seed | None = None
) -> Recommendation:
    """What is recommended for three systems or more."""
    table = m.table
    kind = "counts units that are right" if table.binary else "is a sum over units"
    if table.values is None:
        kind = "is no sum over units"
    return Recommendation(
        metric=table.metric.name,
        names=m.names,
        rows="items",
        unit=table.unit,
        n_units=table.n_units,
        facts=(
            f"{counted(len(m.names), 'system')}, {counted(m.pairs, 'pair')}, "
            f"{counted(table.n_units, table.unit)}.",
            f"{metric_title(table.metric.name)} {kind}.",
            "p is the smallest of the pairs, after the correction that the test names.",
        ),
        tests=_made(m.candidates(), drawing),
        seed=seed,
    )


def advised_of_sets(
    s: Sets, drawing: Drawing | None = None, seed: Seed | None = None
) -> Recommendation:
    """What is recommended for systems on many data sets."""
    least = math.ldexp(1.0, 1 - s.n)
    doubts = []
    if least * s.pairs > ALPHA:
        among = f" among {counted(s.pairs, 'pair')}" if s.pairs > 1 else ""
        doubts.append(
            f"With {s.what} no two-sided p of a pair can be below {pvalue(least)}: too few for "
            f"significance at {ALPHA}{among}."
        )
    units = ", one score each"
    if s.table.units is not None:
        total = count(int(s.table.sizes.sum()))
        units = f", {total} units in all; a data set's score is their mean"
    facts = [
        f"{counted(s.k, 'system')} on {s.what}{units}.",
        "Tests over data sets ask whether a difference would hold on other data sets like these.",
    ]
    if s.k > 2:
        facts.append("p of pairs is the smallest of all, after the correction that is named.")
    return Recommendation(
        metric="mean",
        names=s.table.names,
        rows="datasets",
        unit="data set",
        n_units=s.n,
        least_pvalue=least,
        facts=tuple(facts),
        doubts=tuple(doubts),
        tests=_made(s.candidates(), drawing),
        seed=seed,
    )
