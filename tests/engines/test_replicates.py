"""Scores of resamples against the same computed one by one from the units that they hold."""

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from workers import Failing, Wire
from written import refusal

from csig import Comparison, InputError, Metric
from csig.comparing.bootstrap import INTERVAL_METHODS, TEST_METHODS
from csig.data import metrics
from csig.engines import remote
from csig.engines.resample import Prepared, Resampler, StandardErrors
from csig.intervals import NoInterval, bootstrap_interval, bootstrap_test
from csig.replay import resample_indices
from csig.streams import make_source

COLUMNS = ("tp", "predicted", "gold")


def documents(rng, n, least=0):
    """Two systems' documents."""
    gold = rng.integers(least, 6, n)
    tables = []
    for chance in (0.7, 0.6):
        tp = rng.binomial(gold, chance)
        tables.append(np.stack([tp, tp + rng.poisson(1, n) + least, gold], axis=1))
    return Comparison.from_statistics(*tables, COLUMNS)


def drawn(prepared, n_resamples, seed, threads=1, ties=()):
    """{metric: (what it finds in every resample, how often it was undefined)}."""
    found = {name: np.empty(n_resamples) for name in prepared.replicates}
    undefined = dict.fromkeys(found, 0)

    def take(start, sums):
        for name, one in prepared.replicates.items():
            here = slice(start, start + sums.shape[1])
            found[name][here], some = one.of(sums, None, ties)
            undefined[name] += some

    Resampler(make_source(seed), 0, prepared.columns.table(), n_resamples, threads)(take)
    return {name: (found[name], undefined[name]) for name in found}


def by_hand(comparison, metric, system, units, zero_division):
    """A system's score of some units, exactly."""
    rows = getattr(comparison.rows(), system)[units].sum(axis=0)
    sums = dict(zip(comparison.columns, map(int, rows), strict=True))
    scaled = {c: sums[c] * v for c, v in zip(comparison.columns, comparison.scale, strict=True)}
    return metric.score(scaled, zero_division=zero_division)


@examples(60)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 12),
    names=st.lists(
        st.sampled_from(["recall", "precision", "f1", "f0.5", "jaccard"]), min_size=1, unique=True
    ),
    sides=st.sampled_from(["ab", "a", "b"]),
    zero_division=st.sampled_from([0, 1]),
)
def test_the_score_of_every_resample(seed, n, names, sides, zero_division):
    comparison = documents(np.random.default_rng(seed), n)
    asked = [metrics.get(name) for name in names]
    try:
        prepared = Prepared(comparison, asked, sides, zero_division)
    except NoInterval:  # a denominator is 0
        return
    found = drawn(prepared, 30, seed)
    for metric in asked:
        undefined = 0
        for value, units in zip(
            found[metric.name][0], next(resample_indices(n, 30, entropy=seed)), strict=True
        ):
            scores = [by_hand(comparison, metric, s, units, zero_division) for s in sides]
            expected = scores[0] - sum(scores[1:])
            assert value == pytest.approx(float(expected), abs=1e-15)
            undefined += any(by_hand(comparison, metric, s, units, 7) == 7 for s in sides)
        assert found[metric.name][1] == undefined


@pytest.mark.parametrize("metric", [metrics.f1, metrics.recall, metrics.macro_f1(), metrics.mcc()])
@pytest.mark.parametrize("sides", ["ab", "a", "b"])
def test_every_unit_left_out(metric, sides):
    rng = np.random.default_rng(8)
    gold, *systems = (rng.integers(0, 2, 50) for _ in range(3))
    comparison = Comparison.from_labels(gold, *systems, positive=1)
    metric = metrics.get(metric.name, comparison.columns)
    found = Prepared(comparison, [metric], sides, 0).replicates[metric.name].left_out()
    everything = np.arange(50)

    def score(units):
        scores = [by_hand(comparison, metric, s, units, 0) for s in sides]
        return float(scores[0] - sum(scores[1:]))

    expected = [score(np.delete(everything, i)) - score(everything) for i in everything]
    assert found == pytest.approx(expected, abs=1e-15)


def test_many_units_left_out_keep_their_digits():
    """Of 100,000 units each matters little."""
    n = 10**5
    score = np.arange(n) % 7
    comparison = Comparison.from_scores(score, np.zeros(n, dtype=int))
    found = Prepared(comparison, [metrics.mean], "a", 0).replicates["mean"].left_out()
    total = int(score.sum())
    for i in (0, 1, 99_998):
        exact = Fraction(total - int(score[i]), n - 1) - Fraction(total, n)
        assert found[i] == pytest.approx(float(exact), rel=1e-14)


def of(a, b):
    return Comparison.from_statistics(a, b, COLUMNS)


def test_ties_are_exact():
    """0.3 - 0.2 is not 0.2 - 0.1 in doubles, nor is a difference of equal ratios always zero."""
    comparison = Comparison.from_scores([0.3, 0.2, 0.3, 0.2], [0.2, 0.1, 0.2, 0.1])
    one = Prepared(comparison, [metrics.mean], "ab", 0)
    mean = one.replicates["mean"]
    assert mean.constant
    found, _ = drawn(one, 200, 1, ties=(mean.observed,))["mean"]
    assert set(found.tolist()) == {mean.observed}
    proportional = of([[1, 3, 9], [3, 9, 9]], [[7, 21, 9], [2, 6, 9]])
    precision = Prepared(proportional, [metrics.precision], "ab", 0).replicates["precision"]
    assert (precision.constant, precision.observed) == (True, 0)


NEGATIVE = Metric("neg", COLUMNS, numerator=(1, 0, 0), denominator=(-3, 1, 1.5))
SOME = of([[3, 3, 3], [0, 1, 1]], [[1, 4, 3], [0, 1, 1]])
LARGE = Comparison.from_statistics([[2**60], [1]], [[1], [2]], ["errors"])
EMPTY = of([[0, 2, 0]], [[0, 1, 0]])
ALONE = of([[1, 1, 2], [0, 1, 0]], [[2, 2, 2], [0, 0, 0]])
RECALL = Metric("own", COLUMNS, function=lambda s: s[:, 0] / s[:, 2])


def left_out(comparison, metric):
    Prepared(comparison, [metric], "ab", 0).replicates[metric.name].left_out()


def errors(comparison, metric):
    prepared = Prepared(comparison, [metric], "ab", 0)
    StandardErrors(prepared, prepared.replicates[metric.name])


@pytest.mark.parametrize(("ask", "comparison", "metric", "message"), [
    (left_out, SOME, NEGATIVE, "metric 'neg' of A: its denominator is negative in unit"),
    (left_out, LARGE, Metric("m", ["errors"], numerator=[2], denominator=[1]),
     r"metric 'm' of A: its .* reach 2\^61"),
    (left_out, LARGE, Metric("m", ["errors"], function=lambda s: np.sqrt(s[:, 0])),
     r"metric 'm' of A: its .* reach 2\^61"),
    (left_out, LARGE, metrics.mean, "metric 'mean' reads"),
    (left_out, EMPTY, metrics.recall, "metric 'recall' of A: the score is not defined"),
    (left_out, EMPTY, RECALL, "metric 'own' of A: the score is not defined"),
    (left_out, ALONE, metrics.recall, "BCa needs"),
    (left_out, ALONE, RECALL, "BCa needs"),
    (errors, SOME, RECALL, "metric 'own' is a function, for which method 'stud"),
])  # fmt: skip
def test_what_cannot_be_resampled(ask, comparison, metric, message):
    with pytest.raises(NoInterval if comparison in (EMPTY, ALONE) else InputError, match=message):
        ask(comparison, metric)
    Prepared(SOME, [NEGATIVE], "b", 0)


# ---- Resamples that executors draw: the numbers of one thread, to the last digit


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "BATCH", 0.0)  # one chunk each


RNG = np.random.default_rng(1)
SCORES = Comparison.from_scores(*RNG.random((2, 70)))
TINY = Comparison.from_scores(*(RNG.integers(0, 9, (2, 70)) * 1e-300))
LABELS = Comparison.from_labels(*RNG.integers(0, 3, size=(3, 80)).tolist())
UNITS = documents(np.random.default_rng(1), 90, least=1)
#: A function that can be sent.
SHARE = Metric("share", ("tp", "predicted"), function=partial(np.max, axis=1))
INTERVAL, TEST = bootstrap_interval, bootstrap_test


@pytest.mark.parametrize(("call", "comparison", "metrics", "options"), [
    *((INTERVAL, UNITS, ["f1", "recall"], {"method": method}) for method in INTERVAL_METHODS),
    *((INTERVAL, TINY, "mean", {"method": method}) for method in INTERVAL_METHODS),
    (INTERVAL, UNITS, "precision", {"what": "b", "method": "bca"}),
    (INTERVAL, SCORES, "mean", {"what": "a"}),
    (INTERVAL, LABELS, "macro_f1", {"n_resamples": 3000}),
    (INTERVAL, UNITS, SHARE, {"n_resamples": 3000}),
    *((TEST, UNITS, ["f1", "recall"], {"method": method}) for method in TEST_METHODS),
    (TEST, ALONE, "recall", {"alternative": "less"}),
    *((TEST, UNITS, "f1", {"bit_generator": own}) for own in ("Philox", "SFC64")),
])  # fmt: skip
def test_executors_change_nothing(call: Any, comparison: Any, metrics: Any, options: Any) -> None:
    given: Any = {"rng": 5, "n_resamples": 70_003} | options
    expected = call(comparison, metrics, threads=1, **given)
    wire = Wire()
    assert call(comparison, metrics, executor=wire, **given) == expected
    assert len(wire.blocks) == (2 if given["n_resamples"] > 3000 else 1)  # of 2^16 resamples
    with ThreadPoolExecutor(3) as pool:
        assert call(comparison, metrics, executor=pool, threads=2, **given) == expected


def test_a_lost_executor_says_how_far_it_got() -> None:
    lost = Failing({i: BrokenProcessPool("gone") for i in range(2, 9)})
    said = refusal(bootstrap_test, UNITS, "f1", executor=lost, rng=5, n_resamples=200_003)
    assert said.startswith("executor: it failed after 131,072 of 200,003 resamples")


# ---- Standard errors of resamples against the formula, on the units that every resample holds


def terms(prepared, name, units):
    """What every one of these units adds to A's score less B's, about that of them all."""
    parts = []
    for side in prepared.replicates[name].sides.values():
        above, below = side.above[units], side.below[units]
        if not below.any():
            return np.zeros(len(units))
        score = above.sum() / below.sum()
        parts.append((above - score * below) / below.sum())
    return parts[0] - sum(parts[1:])


def standard_error(part):
    n = len(part)
    return np.sqrt(n / (n - 1) * (part**2).sum())


@examples(80)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(3, 40),
    name=st.sampled_from(["recall", "precision", "f1", "jaccard"]),
    sides=st.sampled_from(["ab", "a"]),
    alike=st.booleans(),
)
def test_the_formula_on_every_resample(seed, n, name, sides, alike):
    """Also where the systems hardly differ, and their variances would cancel."""
    rows = documents(np.random.default_rng(seed), n, least=1).rows()
    tables = [rows.a.copy(), rows.b.copy()]
    if alike:
        tables[1][1:] = tables[0][1:]
    for right, own in enumerate(tables):
        own[0, :2] = right, 1
    comparison = Comparison.from_statistics(*tables, COLUMNS)
    prepared = Prepared(comparison, [metrics.get(name)], sides, 0)
    errors = StandardErrors(prepared, prepared.replicates[name])
    everything = standard_error(terms(prepared, name, np.arange(n)))
    assert errors.observed == pytest.approx(everything, rel=1e-12)
    found = np.empty(40)

    def take(start, sums):
        found[start : start + sums.shape[1]] = errors(sums)

    Resampler(make_source(seed), 0, prepared.columns.table(), 40, 1)(take)
    for value, units in zip(found, next(resample_indices(n, 40, entropy=seed)), strict=True):
        exact = standard_error(terms(prepared, name, units))
        if exact < 1e-9:
            assert value == 0
        else:
            assert value == pytest.approx(exact, rel=1e-6, abs=1e-7 * everything)
    scores = Comparison.from_scores(*np.random.default_rng(seed).lognormal(size=(2, n)))
    prepared = Prepared(scores, [metrics.mean], "ab", 0)
    spread = (scores.rows().a - scores.rows().b)[:, 0] * float(scores.scale[0])
    errors = StandardErrors(prepared, prepared.replicates["mean"])
    assert errors.observed == pytest.approx(spread.std(ddof=1) / np.sqrt(n))
