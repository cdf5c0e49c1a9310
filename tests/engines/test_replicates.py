"""Scores of resamples against the same computed one by one from the units that they hold."""

from __future__ import annotations

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
from workers import Backwards, Failing, Wire
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
    """Of a million units each matters little: its change has 10 digits after six zeros."""
    n = 10**6
    score = np.arange(n) % 7
    comparison = Comparison.from_scores(score, np.zeros(n, dtype=int))
    found = Prepared(comparison, [metrics.mean], "a", 0).replicates["mean"].left_out()
    total = int(score.sum())
    for i in (0, 1, 999_998):
        exact = Fraction(total - int(score[i]), n - 1) - Fraction(total, n)
        assert found[i] == pytest.approx(float(exact), rel=1e-14)


def test_ties_are_exact():
    """0.3 - 0.2 is not 0.2 - 0.1 in doubles, nor is a difference of equal ratios always zero."""
    comparison = Comparison.from_scores([0.3, 0.2, 0.3, 0.2], [0.2, 0.1, 0.2, 0.1])
    one = Prepared(comparison, [metrics.mean], "ab", 0)
    assert len(one.columns) == 3
    mean = one.replicates["mean"]
    assert mean.constant
    found, _ = drawn(one, 200, 1, ties=(mean.observed,))["mean"]
    assert set(found.tolist()) == {mean.observed}
    proportional = Comparison.from_statistics(
        [[1, 3], [3, 9]], [[7, 21], [2, 6]], ("errors", "words")
    )
    wer = Prepared(proportional, [metrics.wer], "ab", 0).replicates["wer"]
    assert (wer.constant, wer.observed) == (True, 0)


NEGATIVE = Metric("neg", COLUMNS, numerator=(1, 0, 0), denominator=(-3, 1, 1.5))
SOME = Comparison.from_statistics([[3, 3, 3], [0, 1, 1]], [[1, 4, 3], [0, 1, 1]], COLUMNS)
LARGE = Comparison.from_statistics([[2**60], [1]], [[1], [2]], ["errors"])
EMPTY = Comparison.from_statistics([[0, 2, 0]], [[0, 1, 0]], COLUMNS)


@pytest.mark.parametrize(
    ("comparison", "metric", "message"),
    [
        (SOME, NEGATIVE, "metric 'neg' of A: its denominator is negative in unit"),
        (LARGE, Metric("m", ["errors"], numerator=[2], denominator=[1]),
         r"metric 'm' of A: its .* reach 2\^61"),
        (LARGE, Metric("m", ["errors"], function=lambda s: np.sqrt(s[:, 0])),
         r"metric 'm' of A: its .* reach 2\^61"),
        (LARGE, metrics.mean, "metric 'mean' reads"),
        (EMPTY, metrics.recall, "metric 'recall' of A: the score is not defined"),
        (EMPTY, Metric("none", COLUMNS, function=lambda s: s[:, 0] / s[:, 2]),
         "metric 'none' of A: the score is not defined"),
    ],
)  # fmt: skip
def test_what_cannot_be_resampled(comparison, metric, message):
    with pytest.raises(NoInterval if comparison is EMPTY else InputError, match=message):
        Prepared(comparison, [metric], "ab", 0)
    Prepared(SOME, [NEGATIVE], "b", 0)


def test_left_out_where_one_unit_has_all_of_the_denominator():
    comparison = Comparison.from_statistics([[1, 1, 2], [0, 1, 0]], [[2, 2, 2], [0, 0, 0]], COLUMNS)
    for metric in (metrics.recall, Metric("r", COLUMNS, function=lambda s: s[:, 0] / s[:, 2])):
        one = Prepared(comparison, [metric], "ab", 0).replicates[metric.name]
        with pytest.raises(NoInterval, match="BCa needs"):
            one.left_out()


@pytest.mark.parametrize("others", [(), (metrics.recall,), (metrics.recall, metrics.f1)])
def test_resamples_in_which_either_system_is_undefined_are_counted(others):
    """Each has predictions in two units, other ones: undefined without both, never both at once."""
    comparison = Comparison.from_statistics(
        [[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]],
        [[0, 0, 1], [0, 0, 1], [1, 1, 1], [1, 2, 1]],
        COLUMNS,
    )
    own = Metric("own", COLUMNS, function=lambda s: s[:, 0] / s[:, 1])
    prepared = Prepared(comparison, [metrics.precision, own, *others], "ab", 1)
    found = drawn(prepared, 5000, 4)
    units = np.concatenate(list(resample_indices(4, 5000, entropy=4)))
    either = (units >= 2).all(axis=1) | (units < 2).all(axis=1)  # 2 of 2^4 ways
    assert either.sum() == pytest.approx(625, abs=100)
    assert [found[name][1] for name in ("precision", "own")] == [either.sum()] * 2
    assert (found["own"][0] == found["precision"][0]).all()


def test_a_user_s_function_is_called_by_one_thread_at_once_and_stops():
    inside = []

    def slow(sums):
        inside.append(len(sums))
        assert len(inside) == 1
        inside.clear()
        return sums[:, 0]

    comparison = documents(np.random.default_rng(1), 300, least=1)
    prepared = Prepared(comparison, [Metric("s", ["tp"], function=slow)], "ab", 0)
    assert prepared.replicates["s"].seconds_a_trial > 0
    drawn(prepared, 60_000, 1, threads=4)
    stop = np.ones(1, dtype=np.int32)
    sums = np.ones((len(prepared.columns), 8), dtype=np.int64)
    assert prepared.replicates["s"].of(sums, stop)[0].tolist() == [0.0] * 8


# ---- Resamples that executors draw: the numbers of one thread, to the last digit


RNG = np.random.default_rng(1)
FEW = Comparison.from_statistics(
    [[1, 2, 2], [0, 1, 0], [0, 1, 0]], [[2, 2, 2], [0, 0, 0], [0, 1, 0]], COLUMNS
)
SCORES = Comparison.from_scores(*RNG.random((2, 70)))
TINY = Comparison.from_scores(*(RNG.integers(0, 9, (2, 70)) * 1e-300))
LABELS = Comparison.from_labels(*RNG.integers(0, 3, size=(3, 80)).tolist())
MANY = {"rng": 5, "n_resamples": 200_003}


#: A function that can be sent.
SHARE = Metric("share", ("tp", "predicted"), function=partial(np.max, axis=1))
UNITS = documents(np.random.default_rng(1), 90, least=1)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "BATCH", 0.0)  # one chunk each


@pytest.mark.parametrize(
    ("comparison", "metrics", "what"),
    [
        (UNITS, ["f1", "recall"], "difference"),
        (UNITS, "precision", "b"),
        (SCORES, "mean", "a"),
        (TINY, "mean", "difference"),
    ],
)
@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_intervals(comparison: Comparison, metrics: Any, what: Any, method: Any) -> None:
    expected = bootstrap_interval(comparison, metrics, what, method=method, threads=1, **MANY)
    wire = Wire()
    found = bootstrap_interval(comparison, metrics, what, method=method, executor=wire, **MANY)
    assert found == expected
    assert len(wire.blocks) == 4  # of 2^16 resamples


@pytest.mark.parametrize(("comparison", "metric"), [(LABELS, "macro_f1"), (UNITS, SHARE)])
def test_functions(comparison: Comparison, metric: Any) -> None:
    given: Any = {"rng": 5, "n_resamples": 3000}
    expected = bootstrap_interval(comparison, metric, **given)
    with ThreadPoolExecutor(3) as pool:
        for executor in (Wire(), pool):
            found = bootstrap_interval(comparison, metric, executor=executor, threads=2, **given)
            assert found == expected


@pytest.mark.parametrize("comparison", [UNITS, FEW])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("method", TEST_METHODS)
def test_hits(method: Any, alternative: Any, comparison: Comparison) -> None:
    given: Any = {"method": method, "alternative": alternative, **MANY}
    expected = bootstrap_test(comparison, ["f1", "recall"], threads=1, **given)
    assert bootstrap_test(comparison, ["f1", "recall"], executor=Wire(), **given) == expected


def test_batches_in_any_order() -> None:
    given: Any = {**MANY, "method": "bca"}
    expected = bootstrap_interval(UNITS, "f1", **given)
    assert bootstrap_interval(UNITS, "f1", executor=Backwards(4), **given) == expected
    for generator in ("Philox", "SFC64"):
        one, other = (
            bootstrap_test(UNITS, "f1", bit_generator=generator, executor=own, **MANY)
            for own in (None, Wire())
        )
        assert one == other


def test_what_cannot_be_sent_or_is_lost_is_one_line() -> None:
    mine = Metric("mine", ("tp", "gold"), function=lambda sums: sums[:, 0])
    said = refusal(bootstrap_test, UNITS, mine, executor=Wire(), n_resamples=100)
    assert said.startswith("metric 'mine': its function must be defined at the top level")
    lost = Failing({i: BrokenProcessPool("gone") for i in range(2, 9)})
    said = refusal(bootstrap_test, UNITS, "f1", executor=lost, **MANY)
    assert said.startswith("executor: it failed after 131,072 of 200,003 resamples")
    said = refusal(bootstrap_test, UNITS, "f1", executor="pool")
    assert said.startswith("executor must be a concurrent.futures.Executor")


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


def test_means_take_one_further_column():
    rng = np.random.default_rng(2)
    comparison = Comparison.from_scores(rng.lognormal(size=50), rng.lognormal(size=50))
    prepared = Prepared(comparison, [metrics.mean], "ab", 0)
    before = len(prepared.columns)
    errors = StandardErrors(prepared, prepared.replicates["mean"])
    assert len(prepared.columns) == before + 1 + 1  # squares, and the differences themselves
    rows = comparison.rows()
    difference = (rows.a - rows.b)[:, 0] * float(comparison.scale[0])
    assert errors.observed == pytest.approx(difference.std(ddof=1) / np.sqrt(50))


def test_a_function_has_none():
    comparison = Comparison.from_scores([1, 2, 3], [2, 2, 2])
    own = Metric("own", ["score", "n"], function=lambda s: s[:, 0] / s[:, 1])
    prepared = Prepared(comparison, [own], "ab", 0)
    with pytest.raises(InputError, match="metric 'own' is a function, for which method 'stud"):
        StandardErrors(prepared, prepared.replicates["own"])
