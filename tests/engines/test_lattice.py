"""The lattice engine against all exchanges, integer convolutions and the other engines."""

import math
import os
import random
import signal
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from brute import PAPER
from drawn import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from csig import Comparison, InputError, metrics, randomization_test
from csig.engines import lattice
from csig.readers import read_tag_columns
from csig_ext import dispatch

# ---- the slow twins ----------------------------------------------------------------------


def quotient(above, below, zero):
    return Fraction(above, below) if below else Fraction(zero)


def difference(base, zero, moved=(0, 0)):
    n_a, m_a, n_b, m_b = base
    n, m = moved
    return quotient(n_a - n, m_a - m, zero) - quotient(n_b + n, m_b + m, zero)


def all_exchanges(steps, base, threshold, zero=0):
    """Of the 2^n exchanges, those whose difference reaches the threshold."""
    sums = [(0, 0)]
    for s, t in steps:
        sums += [(n + s, m + t) for n, m in sums]
    return sum(
        count
        for moved, count in Counter(sums).items()
        if difference(base, zero, moved) >= threshold
    )


def by_integers(steps, base, threshold, zero=0):
    """The same by convolution in Python integers: for each M an integer whose digits, of
    n + 1 bits, count the exchanges with that N. In a row the difference falls as N grows.
    """
    digit = len(steps) + 1
    low = sum(min(s, 0) for s, _ in steps)
    rows = {0: 1}
    for s, t in steps:  # digits count from the least N so far
        stay, go = (0, s) if s >= 0 else (-s, 0)
        new = {m: row << (digit * stay) for m, row in rows.items()}
        for m, row in rows.items():
            new[m + t] = new.get(m + t, 0) + (row << (digit * go))
        rows = new
    hits = 0
    for m, row in rows.items():
        first, last = 0, sum(abs(s) for s, _ in steps) + 1
        while first < last:
            middle = (first + last) // 2
            if difference(base, zero, (low + middle, m)) >= threshold:
                first = middle + 1
            else:
                last = middle
        # The sum of the digits is the remainder modulo base - 1.
        hits += (row & ((1 << (digit * first)) - 1)) % ((1 << digit) - 1)
    return hits


def run(steps, base, threshold, **options):
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    return lattice.tail(array, base, threshold, **options)


def as_fraction(result):
    return Fraction(result.mantissa) * Fraction(2) ** result.exponent


def log_of(result):
    return math.log(result.mantissa) + result.exponent * math.log(2)


def steps_and_base(units, extra=(0, 0, 0, 0)):
    """Units (numerator of A, denominator of A, numerator of B, denominator of B)."""
    steps = [(na - nb, da - db) for na, da, nb, db in units]
    base = tuple(sum(u[i] for u in units) + extra[i] for i in range(4))
    return steps, base


# ---- small cases: exactly --------------------------------------------------------------------


@st.composite
def documents(draw, most=8):
    """Units of every kind of metric: (tp, predicted, gold) of two systems, or anything."""
    size = st.integers(0, draw(st.sampled_from([1, 3, 8])))
    kind = draw(st.sampled_from(["recall", "precision", "f1", "jaccard", "parallel", "any"]))
    units = []
    for _ in range(draw(st.integers(0, most))):
        tp_a, fp_a, tp_b, fp_b, more = (draw(size) for _ in range(5))
        gold = max(tp_a, tp_b) + more
        units.append(
            {
                "recall": (tp_a, gold, tp_b, gold),
                "precision": (tp_a, tp_a + fp_a, tp_b, tp_b + fp_b),
                "f1": (2 * tp_a, tp_a + fp_a + gold, 2 * tp_b, tp_b + fp_b + gold),
                "jaccard": (tp_a, fp_a + gold, tp_b, fp_b + gold),
                "parallel": (2 * tp_a, 3 * tp_a, 2 * tp_b, 3 * tp_b),
                "any": (tp_a - fp_a, more, tp_b - fp_b, fp_b),
            }[kind]
        )
    extra = draw(st.sampled_from([(0, 0, 0, 0), (1, 1, 1, 1), (2, 5, 2, 5), (0, 3, 1, 3)]))
    return steps_and_base(units, extra)


@examples(3000)
@given(
    case=documents(),
    factor=st.sampled_from([1, -1, 0, 2, Fraction(1, 2)]),
    shift=st.sampled_from([0, 0, 0, Fraction(1, 3), -1]),
    zero=st.integers(0, 1),
)
@example(case=([], (0, 0, 0, 0)), factor=1, shift=0, zero=1)
@example(case=([(0, 0)], (1, 2, 1, 3)), factor=1, shift=0, zero=0)
@example(case=([(0, 4), (0, 6)], (0, 10, 0, 0)), factor=1, shift=-1, zero=1)
@example(case=([(3, 3), (-2, -2)], (3, 3, 2, 2)), factor=1, shift=0, zero=1)
def test_counts_every_exchange(case, factor, shift, zero):
    steps, base = case
    threshold = difference(base, zero) * factor + shift
    result = run(steps, base, threshold, zero_division=zero)
    expected = Fraction(all_exchanges(steps, base, threshold, zero), 2 ** len(steps))
    assert as_fraction(result) == expected  # to the last bit: no tilt, and nothing is cut


@settings(max_examples=100)
@given(case=documents(most=12), zero=st.integers(0, 1))
def test_a_dozen_units(case, zero):
    steps, base = case
    threshold = difference(base, zero)
    result = run(steps, base, threshold, zero_division=zero)
    expected = Fraction(all_exchanges(steps, base, threshold, zero), 2 ** len(steps))
    assert as_fraction(result) == expected


def two_engines(steps, base, threshold):
    """The same case as rows of constant denominators, and as one row."""
    array = np.array(steps, dtype=np.int64)
    classes = lattice.on_lattice(array)
    terms = lattice.ratio_of(array, classes, base, threshold, 0)
    assert classes.line or not classes.b.any()
    if classes.line:
        step_x, step_y = classes.scale_x
        divisor = abs(step_x) or 1
        other = replace(
            classes,
            a=-classes.a * step_x // divisor,
            b=classes.a,
            scale_x=(-divisor, 0),
            scale_y=(0, step_y),
            line=False,
        )
        rows, line = other, classes
    else:
        rows, line = classes, replace(classes, line=True)
    return (
        lattice.rays(
            rows, lattice.ratio_of(array, rows, base, threshold, 0), 10**7, dispatch.number()
        ),
        lattice.parallel(line, terms, 10**7, dispatch.number()),
    )


@pytest.mark.parametrize("direction", [(1, 0), (2, 3), (0, 2), (-3, 1)])
@pytest.mark.parametrize("n", [5, 40, 200, 1000])
def test_one_and_two_dimensions_agree(direction, n):
    rng = np.random.default_rng(n)
    multiples = rng.integers(-6, 8, n)
    steps = [(direction[0] * k, direction[1] * k) for k in multiples.tolist()]
    moved = sum(max(t, 0) for _, t in steps), sum(max(-t, 0) for _, t in steps)
    up = sum(max(s, 0) for s, _ in steps), sum(max(-s, 0) for s, _ in steps)
    base = (up[0] + 7, moved[0] + 50, up[1] + 7, moved[1] + 50)
    for factor in (1, -1, Fraction(5, 3)):
        one, two = two_engines(steps, base, difference(base, 0) * factor)
        assert one.mantissa * 2.0**one.exponent == pytest.approx(
            two.mantissa * 2.0**two.exponent, rel=1e-13
        )


@settings(max_examples=200)
@given(case=documents(), data=st.data())
def test_the_order_and_the_side_of_a_unit_do_not_matter(case, data):
    """Exchanging a unit beforehand, or listing the units in another order."""
    steps, base = case
    threshold = difference(base, 0)
    shuffled = data.draw(st.permutations(steps))
    result = run(steps, base, threshold)
    assert run(shuffled, base, threshold) == result
    turned = data.draw(st.lists(st.booleans(), min_size=len(steps), max_size=len(steps)))
    s, t = (sum(step[i] for step, turn in zip(steps, turned, strict=True) if turn) for i in (0, 1))
    other = [(-a, -b) if turn else (a, b) for (a, b), turn in zip(steps, turned, strict=True)]
    start = (base[0] - s, base[1] - t, base[2] + s, base[3] + t)
    assert as_fraction(run(other, start, threshold)) == as_fraction(result)


@settings(max_examples=200)
@given(case=documents(), factor=st.integers(2, 1000))
def test_common_factors_do_not_matter(case, factor):
    steps, base = case
    threshold = difference(base, 0)
    larger = [(s * factor, t * factor) for s, t in steps]
    result = run(larger, tuple(v * factor for v in base), threshold)
    assert as_fraction(result) == as_fraction(run(steps, base, threshold))


# ---- larger cases: integer convolutions --------------------------------------------------------


def random_case(seed, n, lean, extra):
    rng = random.Random(seed)
    steps = []
    for _ in range(n):
        s, t = rng.randint(-5, 5), rng.randint(-5, 5)
        if seed % 2:  # correlated, as true positives and predictions are
            t = max(-5, min(5, s + rng.randint(-2, 2)))
        if s < 0 and rng.random() < lean:
            s, t = -s, -t if seed % 2 else t
        steps.append((s, t))
    up = [[sum(max(sign * v[i], 0) for v in steps) for i in (0, 1)] for sign in (1, -1)]
    base = (up[0][0] + extra // 2, up[0][1] + extra, up[1][0] + extra // 2, up[1][1] + extra)
    return steps, base


@pytest.mark.parametrize("extra", [0, 40, 3000])
@pytest.mark.parametrize("lean", [0, 0.3, 0.6, 1])
@pytest.mark.parametrize("n", [60, 100, 150])
def test_documents_against_integer_convolution(n, lean, extra):
    """With extra = 0 denominators run down to zero and the boundary bends sharply."""
    for seed in (n + 1, n + 2):
        steps, base = random_case(seed, n, lean, extra)
        for factor in (1, Fraction(6, 5)):
            threshold = difference(base, seed % 2) * factor
            result = run(steps, base, threshold, zero_division=seed % 2)
            hits = by_integers(steps, base, threshold, seed % 2)
            assert result.error_bound < 1e-12
            if hits:
                error = abs(as_fraction(result) * 2**n / hits - 1)
                assert error <= min(result.error_bound, 1e-13)
            else:
                assert result.mantissa == 0


@pytest.mark.slow
def test_every_result_is_within_its_own_bound():
    """Parts of the bound: with 2,000 units, a million-digit count would take too long; the
    same units in another split, and cut much later, give the same.
    """
    a, b = np.random.default_rng(5).integers(0, 9, (2, 2000, 2))
    a[:, 1] += a[:, 0]
    b[:, 1] += b[:, 0]
    for shift in (0, 1, 4):
        a[:300, 0] += shift
        steps, base = a - b, (*a.sum(0).tolist(), *b.sum(0).tolist())
        threshold = abs(difference(base, 0))
        result = lattice.tail(steps, base, threshold)
        classes = lattice.on_lattice(steps)
        terms = lattice.ratio_of(steps, classes, base, threshold, 0)
        nothing = np.zeros_like(classes.m)
        heights = lattice.lattice.thresholds(
            terms, 0, int((classes.m * classes.b).sum()) + 1, -(2**40), 2**40
        )
        half = np.where(np.arange(len(classes.m)) < 0.9 * len(classes.m), classes.m, 0)
        split = lattice.Split(nothing, classes.m - half, half, 0)
        region = lattice.Region(heights, heights > 2**40, terms, split)
        tilt = lattice.towards_boundary(classes, terms)
        other = lattice.meet(classes, region, tilt, 1e-30, 10**8, dispatch.number())
        assert other.exponent == result.exponent
        assert other.mantissa == pytest.approx(result.mantissa, rel=1e-13)
        assert result.error_bound < 1e-12


# ---- other engines --------------------------------------------------------------------------


def of_counts(counts, metric):
    """Counts of responses as units: each unique response by itself."""
    above, below = metric.integer_weights
    order = ("tp", "predicted", "gold")
    vectors = {"correct": (1, 1, 0), "spurious": (0, 1, 0)}

    def weigh(row, vector):
        return sum(row.get(name, 0) * v for name, v in zip(order, vector, strict=True))

    steps, sums = [], []
    for kind, vector in vectors.items():
        s, t = weigh(above, vector), weigh(below, vector)
        steps += [(s, t)] * counts[f"only_a_{kind}"] + [(-s, -t)] * counts[f"only_b_{kind}"]
    for system in "ab":
        right = counts.get("both_correct", 0) + counts[f"only_{system}_correct"]
        wrong = counts.get("both_spurious", 0) + counts[f"only_{system}_spurious"]
        vector = (right, right + wrong, counts["gold"])
        sums += [weigh(above, vector), weigh(below, vector)]
    return steps, tuple(sums)


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "f0.5", "jaccard"])
@pytest.mark.parametrize("shift", [0, 25, 100, 200, 300, 330, 500, 900])
def test_against_the_staircase(metric, shift):
    """Two classes: from p near 1 to 1e-290, and far below what a double holds."""
    counts = {
        "gold": 9000, "both_correct": 1500, "both_spurious": 400,
        "only_a_correct": 1000 + shift, "only_b_correct": 990 - shift,
        "only_a_spurious": 905 - shift, "only_b_spurious": 900 + shift,
    }  # fmt: skip
    steps, base = of_counts(counts, metrics.get(metric))
    result = run(steps, base, difference(base, 0))
    expected = randomization_test(Comparison.from_counts(**counts), metric, alternative="greater")
    assert log_of(result) == pytest.approx(expected.log_pvalue, rel=1e-14, abs=1e-12)
    if expected.pvalue > 1e-300:
        assert result.mantissa * 2.0**result.exponent == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("metric", ["recall", "precision", "f1"])
def test_the_papers_example(metric):
    comparison = Comparison.from_counts(**PAPER)
    steps, base = of_counts(PAPER, metrics.get(metric))
    result = run(steps, base, abs(difference(base, 0)))
    expected = randomization_test(comparison, metric).exact_count
    assert as_fraction(result) * 2 ** len(steps) == pytest.approx(Fraction(expected, 2), rel=1e-14)


@pytest.mark.parametrize("n", [100_000, 1_000_000])
@pytest.mark.parametrize("excess", [0, 300, 6_000])
def test_accuracy_is_binomial(n, excess):
    """0/1 scores over n items, a quarter of them A's alone and a quarter B's."""
    ahead, behind = n // 4 + excess, n // 4 - excess
    d = np.zeros((n, 2), dtype=np.int64)
    d[:ahead, 0], d[ahead : ahead + behind, 0] = 1, -1
    result = lattice.tail(d, (ahead, n, behind, n), Fraction(ahead - behind, n))
    expected = stats.binom.sf(ahead - 1, ahead + behind, 0.5)
    if excess < 6_000:
        # scipy's own error is near 1e-13 there
        assert result.mantissa * 2.0**result.exponent == pytest.approx(expected, rel=1e-11)
    with mpmath.workdps(40):
        term = mpmath.binomial(ahead + behind, ahead)
        total, k = mpmath.mpf(0), ahead
        while k <= ahead + behind and term > total * mpmath.mpf(10) ** -30:
            total, term, k = total + term, term * (ahead + behind - k) / (k + 1), k + 1
        exact = mpmath.log(total) - (ahead + behind) * mpmath.log(2)
        assert log_of(result) == pytest.approx(float(exact), rel=1e-14, abs=1e-12)
    assert result.updates < 100_000
    assert result.error_bound < (1e-12 if n <= 100_000 else 1e-10)


def test_darwin():
    """Fisher (1935): 1726 of 32768."""
    d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    result = run([(v, 0) for v in d], (sum(d), 1, 0, 1), Fraction(sum(d)))
    assert 2 * as_fraction(result) == Fraction(1726, 32768)


# Computed in integer arithmetic: all exchanges of the 236 sentences that differ, by convolution.
SENTENCES = {
    "recall": 9.694475513453997e-05,
    "precision": 0.01516757038328814,
    "f1": 0.0005158300522302089,
}


@pytest.mark.parametrize("name", sorted(SENTENCES))
def test_sentences_of_conll_2003(name, shared_data):
    file = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    tags = read_tag_columns(file, "gold", "flair", "elmo")
    above, below = metrics.get(name).integer_weights
    gold = set(tags.gold)
    sums = []
    for spans in (tags.a, tags.b):
        table = Counter()
        for span in spans:
            table[span.document, "tp"] += span in gold
            table[span.document, "predicted"] += 1
        for span in gold:
            table[span.document, "gold"] += 1
        sums.append(table)
    units = []
    for sentence in sorted({sentence for table in sums for sentence, _ in table}):
        unit = []
        for table in sums:
            for row in (above, below):
                unit.append(sum(w * table[sentence, column] for column, w in row.items()))
        units.append(tuple(unit))
    steps, base = steps_and_base(units)
    result = run(steps, base, abs(difference(base, 0)))
    assert 2 * result.mantissa * 2.0**result.exponent == pytest.approx(SENTENCES[name], rel=1e-12)


# ---- behaviour ------------------------------------------------------------------------------


def many_documents(n=2000, seed=1, ahead=0.0):
    rng = np.random.default_rng(seed)
    gold = rng.poisson(12, n) + 1
    units = []
    for rate in (0.6 + ahead, 0.6):
        tp = rng.binomial(gold, rate)
        units += [2 * tp, tp + rng.poisson(4, n) + gold]
    steps = np.stack([units[0] - units[2], units[1] - units[3]], axis=1)
    return steps, tuple(int(u.sum()) for u in units)


@pytest.mark.parametrize("ahead", [0.0, 0.05, 0.15])
def test_every_instruction_set_gives_the_same_bits(ahead):
    steps, base = many_documents(ahead=ahead)
    threshold = difference(base, 0)
    results = {lattice.tail(steps, base, threshold, isa=isa) for isa in dispatch.available}
    assert len(results) == 1


def test_cost_is_counted_beforehand():
    steps, base = many_documents()
    estimate = lattice.cost(steps)
    assert isinstance(estimate, int)
    assert lattice.cost(steps[::-1]) == lattice.cost(-steps) == estimate
    done = lattice.tail(steps, base, difference(base, 0)).updates
    assert 0.4 < done / estimate < 2.5
    assert lattice.cost(np.zeros((5, 2), dtype=np.int64)) == 1
    million = np.tile(np.array([[1, 0], [-1, 0], [0, 0]]), (300_000, 1))
    assert lattice.cost(million) < 10_000


def test_what_is_refused():
    good = np.array([[1, 2], [-1, 1]])
    for steps in (good[0], good.astype(float), np.ones((2, 3), dtype=int)):
        with pytest.raises(InputError, match=r"steps must be an \(n, 2\) array of integers"):
            lattice.cost(steps)
    with pytest.raises(InputError, match="reaches 2\\^61"):
        lattice.cost(np.array([[2**61, 0]]))
    with pytest.raises(InputError, match="their sum reaches 2\\^61"):
        lattice.cost(np.array([[2**60, 0]] * 2))
    with pytest.raises(InputError, match="weighted sums reach 2\\^61"):
        lattice.tail(good, (2**61, 3, 1, 3), Fraction(0))
    with pytest.raises(InputError, match="a denominator is negative for some shuffles"):
        lattice.tail(good, (1, 2, 1, 3), Fraction(0))
    with pytest.raises(InputError, match="zero_division must be 0 or 1"):
        lattice.tail(good, (1, 3, 1, 3), Fraction(0), zero_division=2)
    with pytest.raises(InputError, match="threshold"):
        lattice.tail(good, (1, 3, 1, 3), Fraction(1, 2**127))
    steps, base = many_documents()
    with pytest.raises(MemoryError, match="cells"):
        lattice.tail(steps, base, Fraction(0), memory=1_000_000)


def test_large_sums_are_exact():
    """Too many cells are refused before they are asked for; and near 2^61, where a double
    cannot tell the differences apart, the comparison can.
    """
    big = 2**56
    steps = [(big + 1, 0), (big - 1, 0), (-big, 0)]
    base = (big * 2, 2**58, big, 2**58)
    for k in (-1, 0, 1):
        threshold = difference(base, 0) - Fraction(2 * (big + k), 2**58)
        with pytest.raises(MemoryError, match="cells"):
            run(steps, base, threshold)
    steps = [(big, big), (-big, big), (big, 0)]
    base = (2 * big, 4 * big, big, 3 * big)
    threshold = difference(base, 0)
    result = run(steps, base, threshold)
    assert as_fraction(result) * 8 == all_exchanges(steps, base, threshold)


@pytest.mark.skipif(os.name == "nt", reason="needs an interval timer")
def test_ctrl_c_stops_it():
    """Work for seconds, stopped after a twentieth of one, of its own time."""
    rng = np.random.default_rng(0)
    steps = rng.integers(-60, 61, (4000, 2))
    reach = int(np.abs(steps).sum())
    previous = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - nothing but the call takes long
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
            lattice.tail(steps, (reach, reach, reach, reach), Fraction(1, 100), memory=2**34)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
