"""The studentised test beside its definition in Fractions, split by split."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import PAPER, is_extreme
from drawn import several
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from written import refusal

import csig
from csig import replay
from csig.data import metrics
from csig.engines.questions import make_question
from csig.engines.shuffle import Run
from csig.streams import make_source
from csig_ext import dispatch

ALTERNATIVES = ("two-sided", "less", "greater")

#: Of (tp, predicted, gold), numerator and denominator.
RATIOS = {
    "precision": ((1, 0, 0), (0, 1, 0)),
    "f1": ((2, 0, 0), (0, 1, 1)),
    "f0.5": ((5, 0, 0), (0, 4, 1)),
    "f2": ((5, 0, 0), (0, 1, 4)),
    "jaccard": ((1, 0, 0), (-1, 1, 1)),
}


def squared(a, b):
    """T^2 with its sign, from (n, m) of every unit: the definition; None where there is none."""
    n, m = (sum(own[k] for own in (*a, *b)) for k in (0, 1))
    m_a, m_b = sum(own[1] for own in a), sum(own[1] for own in b)
    if not m_a or not m_b:
        return None
    ratio = Fraction(n, m)
    r_a, r_b = ([x - ratio * y for x, y in own] for own in (a, b))
    spread = sum((x / m_a - y / m_b) ** 2 for x, y in zip(r_a, r_b, strict=True))
    difference = sum(r_a) / m_a - sum(r_b) / m_b
    return difference * abs(difference) / spread if spread else None


def every_swap(a, b):
    """What all swaps of the units that differ give, nothing swapped first."""
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    for coins in itertools.product((False, True), repeat=len(places)):
        one, other = list(a), list(b)
        for i, coin in zip(places, coins, strict=True):
            if coin:
                one[i], other[i] = other[i], one[i]
        yield squared(one, other)


def studentized(comparison, metric, **options):
    return csig.randomization_test(comparison, metric, statistic="studentized", **options)


def check(comparison, metric, rows, **options):
    """Exact p-values, in all directions, are those of all swaps; the last result."""
    every = list(every_swap(*rows))
    for alternative in ALTERNATIVES:
        hits = sum(
            every[0] is None or own is None or is_extreme(own, every[0], alternative)
            for own in every
        )
        found = studentized(comparison, metric, alternative=alternative, **options)
        assert found.method == "exact"
        assert found.pvalue == hits / len(every)
    return found


def weighted(rows, metric):
    """(n, m) of rows of (tp, predicted, gold)."""
    return [
        tuple(sum(w * x for w, x in zip(weights, row, strict=True)) for weights in RATIOS[metric])
        for row in rows
    ]


def documents(seed, n, high):
    """Counts of up to `high` a document, of which A returns more; some trials tie."""
    rng = np.random.default_rng([seed, n, high])
    gold = rng.integers(high // 2, high, n)
    systems = []
    for times in (3, 1):
        tp = (gold * rng.beta(8, 12, n)).astype(np.int64)
        systems.append(np.stack([tp, tp + rng.integers(0, times * high // 3, n), gold], axis=1))
    return systems


def of(a, b, **options):
    return csig.Comparison.from_statistics(a, b, ("tp", "predicted", "gold"), **options)


SMALL = st.integers(0, 4)


@settings(max_examples=several(10, 25))
@given(st.tuples(SMALL, SMALL, SMALL, SMALL, SMALL, SMALL, SMALL), st.sampled_from(sorted(RATIOS)))
def test_single_responses(sizes, metric):
    both, a, b, missed, both_wrong, a_wrong, b_wrong = sizes
    assume(0 < a + b + a_wrong + b_wrong <= 8)
    comparison = csig.Comparison.from_counts(
        gold=both + a + b + missed, both_correct=both, only_a_correct=a, only_b_correct=b,
        both_spurious=both_wrong, only_a_spurious=a_wrong, only_b_spurious=b_wrong,
    )  # fmt: skip
    found, lost, wrong, nothing = (1, 1, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0)
    pairs = [(found, found)] * both + [(found, lost)] * a + [(lost, found)] * b
    pairs += [(lost, lost)] * missed + [(wrong, wrong)] * both_wrong
    pairs += [(wrong, nothing)] * a_wrong + [(nothing, wrong)] * b_wrong
    check(comparison, metric, [weighted([pair[k] for pair in pairs], metric) for k in (0, 1)])


def test_what_is_refused():
    large = of(*(np.array([[2**58, 2**59 + k, 2**59]] * 2) for k in (1, 3)))
    small = of(*documents(1, 5, 9))
    counts = csig.Comparison.from_counts(**PAPER)
    for comparison, options, said in (
        (large, {}, "weighted counts of all units reach 2^61"),
        (small, {"statistic": "t"}, "statistic must be one of"),
        (small, {"keep_null": True}, "keep_null goes with"),
        (counts, {"method": "yeh2000"}, "'yeh2000' is the paper's"),
    ):
        options = {"statistic": "studentized"} | options
        assert said in refusal(csig.randomization_test, comparison, "precision", **options)
    found = studentized(counts, "precision")
    assert ".plain" in refusal(lambda: found.null)
    assert "studentised" in repr(found)


def test_where_nothing_can_be_told():
    """Identical systems, one without responses, ratios that never vary: every trial is a hit."""
    rows = np.array([[2, 3, 4], [1, 2, 2]])
    for a, b in ((rows, rows), (rows, rows * [0, 0, 1]), (rows * [0, 1, 1], rows * [0, 2, 1])):
        assert studentized(of(a, b), "precision").pvalue == 1


@pytest.mark.parametrize("seed", range(several(6, 12)))
def test_weights_of_any_kind(seed):
    """Denominators that vanish in some trials, numerators below zero, rates above one."""
    rng = np.random.default_rng([3, seed])
    n, high = int(rng.integers(1, 6)), int(rng.choice([3, 30, 10**6]))
    a, b = rng.integers(0, high + 1, (2, n, 2))
    above = [Fraction(int(rng.integers(-2, 4)), int(rng.integers(1, 4))) for _ in "xy"]
    below = [Fraction(int(k), int(rng.integers(1, 4))) for k in ((1, 0), (0, 2), (1, 1))[seed % 3]]
    if seed % 3 == 0:  # one unit has all of a denominator
        a[1:, 0] = b[:1, 0] = 0
    ratio = csig.Metric("m", ("x", "y"), numerator=above, denominator=below)
    rows = [
        [tuple(sum(w * int(x) for w, x in zip(own, row, strict=True)) for own in (above, below))
         for row in system]
        for system in (a, b)
    ]  # fmt: skip
    pair = csig.Comparison.from_statistics(a, b, ("x", "y"))
    if studentized(pair, ratio, method="exact").studentized is not None:
        check(pair, ratio, rows, method="exact")


#: Squares of the larger ones are beyond 64 bits.
LARGEST = [6, 10**7, 10**8, 10**9, 2**52]
CASES = [*zip(RATIOS, LARGEST, strict=True)]


@pytest.mark.parametrize(("metric", "high"), [*CASES, *zip(RATIOS, LARGEST[::-1], strict=True)])
def test_every_swap_of_documents(metric, high):
    a, b = documents(2, 7, high)
    a[4], b[4] = b[3], a[3]  # trials that tie
    check(of(a, b), metric, [weighted(own.tolist(), metric) for own in (a, b)])


@pytest.mark.parametrize(("metric", "high"), [*CASES, ("f1", 10**10)])
def test_shuffles_are_those_of_the_replay(metric, high):
    """Four documents are equal, so that many trials tie, and columns are cut in several widths."""
    a, b = documents(4, 13, high)
    a[:4], b[:4] = a[0], b[0]
    for alternative, threads in zip(ALTERNATIVES, (1, 2, 2), strict=True):
        question = make_question(of(a, b), metrics.get(metric), alternative, 0, "studentized")
        assert high <= 10**9 or question.columns.shape[1] > 3
        expected = replay.studentized_hits(
            a, b, *RATIOS[metric], 2000, alternative=alternative, entropy=3
        )
        for isa in dispatch.available:
            run = Run(make_source(3), 0, [question], 2000, threads, comparison=of(a, b), isa=isa)
            assert run() == [expected]


#: Of the paper's example, by all of its swaps; without studentising.
PAPERS = {
    "recall": (0.00019512558355927467, 0.00019512558355927467),
    "precision": (0.05801056494469097, 0.039988579124198086),
    "f1": (0.029551194851529534, 0.029551371505577045),
}


def test_the_papers_example_and_its_shuffles():
    comparison = csig.Comparison.from_counts(**PAPER)
    plain = csig.randomization_test(comparison, list(PAPERS))
    parts = csig.effects.breakdown({"x": comparison}, list(PAPERS), statistic="studentized")
    for metric, (studentised, other) in PAPERS.items():
        found = studentized(comparison, metric)
        assert found.method == "exact"
        assert found.pvalue == pytest.approx(studentised, rel=1e-14)
        assert (found.studentized is None) is (studentised == other)
        assert plain[metric].pvalue == pytest.approx(other, rel=1e-14)
        assert parts["x"].results[metric].pvalue == pytest.approx(studentised, rel=1e-14)


def test_shuffles_of_single_responses_are_those_of_the_replay():
    x, y = replay.class_counts(34, 52, 600, entropy=7)
    hits, observed = 0, None
    cells = Counter(zip(x.tolist(), y.tolist(), strict=True))
    for (right, wrong), times in [((28, 43), 0), *cells.items()]:
        a = [(1, 1)] * (19 + right) + [(0, 0)] * (34 - right) + [(0, 1)] * (5 + wrong)
        b = [(1, 1)] * 19 + [(0, 0)] * right + [(1, 1)] * (34 - right) + [(0, 1)] * 5
        a += [(0, 0)] * (52 - wrong)
        b += [(0, 0)] * wrong + [(0, 1)] * (52 - wrong)
        found = squared(a, b)
        observed = observed or found
        hits += times * (abs(found) >= abs(observed))
    counts = csig.Comparison.from_counts(**PAPER)
    result = studentized(counts, "precision", method="approximate", n_resamples=600, rng=7)
    assert result.n_hits == hits
