"""The lattice engine against all exchanges, integer convolutions and the other engines."""

from __future__ import annotations

import math
import os
import signal
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from brute import PAPER
from drawn import examples, several
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from shuffled import (
    all_exchanges,
    as_fraction,
    by_integers,
    difference,
    documents,
    log_of,
    many_documents,
    of_counts,
    random_case,
    steps_and_base,
)

from csig import Comparison, InputError, randomization_test
from csig.data import metrics
from csig.engines import lattice
from csig.engines.lattice import (
    DIRECT,
    WORTH_A_TILT,
    Split,
    Tilt,
    checked,
    dot,
    on_lattice,
    ratio_of,
    route,
    split_of,
    tilt_towards,
    to_halfspace,
    towards_boundary,
    updates_of,
)
from csig.readers import read_tags
from csig_ext import dispatch
from csig_ext.inversion import Factors, Roots, Rows, find

# ---- shorthand ---------------------------------------------------------------------------


def run(steps, base, threshold, **options):
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    return lattice.tail(array, base, threshold, **options)


# ---- small cases: exactly --------------------------------------------------------------------


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
    classes = on_lattice(array)
    terms = ratio_of(array, classes, base, threshold, 0)
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
            rows,
            ratio_of(array, rows, base, threshold, 0),
            split_of(rows),
        ),
        lattice.parallel(line, terms),
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


@examples(800)
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


@pytest.mark.parametrize("extra", [0, 40, 3000])
@pytest.mark.parametrize(
    ("n", "lean"),
    [
        *((60, lean) for lean in (0, 0.3, 0.6, 1)),
        *((100, 0), (100, 1), (150, 0.3), (150, 0.6)),
        *(
            pytest.param(*other, marks=pytest.mark.slow)
            for other in ((100, 0.3), (100, 0.6), (150, 0), (150, 1))
        ),
    ],
)
def test_documents_against_integer_convolution(n, lean, extra):
    """With extra = 0 denominators run down to zero and the boundary bends sharply."""
    seeds = (n + 1, n + 2) if lean in (0, 0.6) else (n + 2, n + 1)
    for seed in seeds[: several(1, 2)]:
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
        classes = on_lattice(steps)
        terms = ratio_of(steps, classes, base, threshold, 0)
        nothing = np.zeros_like(classes.m)
        heights = lattice.lattice.thresholds(
            terms, 0, int((classes.m * classes.b).sum()) + 1, -(2**40), 2**40
        )
        half = np.where(np.arange(len(classes.m)) < 0.9 * len(classes.m), classes.m, 0)
        split = Split(nothing, classes.m - half, half, 0)
        tilt = towards_boundary(classes, terms)
        other, _ = lattice.meet(classes, split, heights, heights > 2**40, tilt, 1e-30)
        assert other.exponent == result.exponent
        assert other.mantissa == pytest.approx(result.mantissa, rel=1e-13)
        assert result.error_bound < 1e-12


# ---- other engines --------------------------------------------------------------------------


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
    tags = read_tags((file, "gold"), (file, "flair"), (file, "elmo"))
    above, below = metrics.get(name).integer_weights
    gold = set(tags.gold)
    sums = []
    for spans in tags.systems:
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


# Of version 0.1.0, which knew no other way than the sum over cells: the last one takes more
# cells than are summed where there is another way.
FIRST = {
    (60, 0.0): ("0x1.bf98bb05a1a64p-1", -2),
    (500, 0.0): ("0x1.bb688fb92b1f8p-1", -4),
    (500, 0.05): ("0x1.87634ec231e94p-1", -37),
    (700, 0.2): ("0x1.170ae8f95d392p-1", -361),
}


@pytest.mark.parametrize(("n", "ahead"), FIRST)
def test_results_of_the_first_version(n, ahead):
    steps, base = many_documents(n=n, ahead=ahead)
    result = lattice.tail(steps, base, abs(difference(base, 0)))
    mantissa, exponent = FIRST[n, ahead]
    assert result.exponent == exponent
    if n < 700:
        assert result.mantissa.hex() == mantissa
    else:
        assert result.mantissa == pytest.approx(float.fromhex(mantissa), rel=1e-14)


# ---- behaviour ------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [0.0, 0.05, 0.15])
def test_every_instruction_set_gives_the_same_bits(ahead, monkeypatch):
    steps, base = many_documents(ahead=ahead)
    threshold = difference(base, 0)
    results = set()
    for isa in dispatch.available:
        monkeypatch.setattr(dispatch, "chosen", isa)
        results.add(lattice.tail(steps, base, threshold))
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


@examples(200)
@given(st.integers(20, 3000), st.integers(20, 47), st.floats(0, 0.99), st.integers(0, 2**32))
def test_no_lattice_that_is_too_wide_is_within_any_budget(n, bits, share, seed):
    rng = np.random.default_rng(seed)
    values = (rng.standard_t(2, n) * 2.0 ** (bits - 4)).clip(-(2.0**bits), 2.0**bits).astype(int)
    values *= 3 if seed % 2 else 1
    total = int(np.abs(values).sum())
    s = max(1, int(share * total))
    steps, base = np.stack([values, 0 * values], axis=1), (total, 1, 0, 1)
    if lattice.is_too_wide(values, s):
        assert lattice.cost(steps, base, Fraction(s)) > 2**30
    few = lattice.cost(steps, base, Fraction(s), cells_only=True)
    assert few in (2**62, lattice.cost(steps, base, Fraction(s)))


def test_what_is_too_wide_and_what_has_few_cells():
    rng = np.random.default_rng(3)
    real, integers = rng.integers(-(2**50), 2**50, 500), rng.integers(-100, 100, 500)
    assert lattice.is_too_wide(real, 2**50)
    assert not lattice.is_too_wide(integers * 2**44, 2**50)
    assert not lattice.is_too_wide(np.zeros(5, dtype=np.int64), 1)
    assert not lattice.is_too_wide(np.zeros(0, dtype=np.int64), 1)
    own = [np.stack([v, 0 * v], axis=1) for v in (integers, rng.integers(-(10**5), 10**5, 20_000))]
    few = [lattice.cost(steps, cells_only=True) for steps in own]
    assert few == [lattice.cost(own[0]), 2**62]
    assert lattice.cost(np.zeros((5, 2), dtype=np.int64), cells_only=True) == 1


def test_what_is_refused(monkeypatch):
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
    steps, base = many_documents(n=500)
    monkeypatch.setattr(lattice, "MEMORY", 1_000_000)
    with pytest.raises(MemoryError, match="cells"):
        lattice.tail(steps, base, Fraction(0), frequencies=False)


@pytest.mark.parametrize("seed", [3, 4])
def test_frequencies_where_the_cells_do_not_fit_their_memory(seed, monkeypatch):
    steps, base = random_case(seed, 100, 0.6, 3000)
    threshold = difference(base, 0)
    p = Fraction(by_integers(steps, base, threshold), 2**100)
    with monkeypatch.context() as little:
        little.setattr(lattice, "MEMORY", 2400)
        with pytest.raises(MemoryError, match="cells, more than 100"):
            run(steps, base, threshold, frequencies=False)
        result = run(steps, base, threshold)
    assert abs(as_fraction(result) / p - 1) <= result.error_bound < 1e-11
    assert run(steps, base, threshold) == run(steps, base, threshold, frequencies=False)


def chances(n):
    """Of 0 .. n of n fair coins."""
    k = np.arange(n, dtype=np.longdouble)
    ratios = (n - k) / (k + 1)
    up, down = np.cumprod(ratios[n // 2 :]), np.cumprod(1 / ratios[: n // 2][::-1])[::-1]
    p = np.concatenate([down, [1], up])
    return p / p.sum()


def test_an_ellipse_that_is_a_needle():
    """The sum of all (1, 1) and (0, 1) is narrow, and the steps (3, 40) are long: 21 million cells
    hold what fits one million.
    """
    sizes = {(3, 40): 3_000, (0, 1): 30_000, (1, 1): 30_000}
    steps = np.repeat(np.array(list(sizes)), list(sizes.values()), axis=0)
    up = steps.sum(axis=0)
    n_a, m_a, n_b, m_b = base = (int(up[0]) + 670, int(up[1]) + 9_000, 700, 9_000)
    assert lattice.cost(steps, base, Fraction(0)) < 2**26
    with pytest.raises(MemoryError, match="cells, more than 12500000"):
        lattice.tail(steps, base, Fraction(0), frequencies=False)
    result = lattice.tail(steps, base, Fraction(0))
    long, flat, even = (chances(n) for n in sizes.values())
    reached = np.cumsum(flat[::-1])[::-1]  # P(K >= k)
    p, all_n, all_m = np.longdouble(0), n_a + n_b, m_a + m_b
    both = np.arange(30_001)[even > 1e-40]
    for j in range(1_000, 2_001):
        # The difference is not negative where all_n M >= all_m N + n_b m_a - n_a m_b.
        needed = -((n_a * m_b - n_b * m_a - all_m * (3 * j + both)) // all_n) - 40 * j - both
        rest = np.where(needed > 30_000, 0, reached[np.clip(needed, 0, 30_000)])
        p += long[j] * (even[both] * rest).sum()
    assert float(result.mantissa * np.longdouble(2) ** result.exponent / p) == pytest.approx(
        1, rel=1e-13
    )
    assert result.error_bound < 1e-11


@pytest.mark.parametrize("ahead", [0.0, 0.05])
def test_cells_that_do_not_fit_are_summed_over_frequencies(ahead, monkeypatch):
    steps, base = many_documents(n=500, ahead=ahead)
    threshold = abs(difference(base, 0))
    cells = lattice.tail(steps, base, threshold)
    monkeypatch.setattr(lattice, "MEMORY", 1_000_000)
    other = lattice.tail(steps, base, threshold)
    error = cells.error_bound + other.error_bound
    assert other != cells
    assert other.exponent == cells.exponent
    assert other.mantissa == pytest.approx(cells.mantissa, rel=error)


def test_a_thin_ellipse_of_cells_is_exact_all_the_same():
    """Few cells lie in it, by their number, but its window has more than the memory holds."""
    sizes = [3000, 30_000, 30_000]
    steps = np.repeat([[3, 40], [0, 1], [1, 1]], sizes, axis=0)
    swapped = np.random.default_rng(1).random(len(steps)) < 0.5
    signs = np.where(swapped, -1, 1)[:, None]
    extra = np.array([2, 50]) * len(steps)
    sums = [np.maximum(sign * steps * signs, 0).sum(axis=0) + extra for sign in (1, -1)]
    base = tuple(int(v) for v in np.concatenate(sums))
    found = lattice.tail(steps * signs, base, abs(difference(base, 0)))
    rng = np.random.default_rng(2)
    draws = rng.binomial(sizes, 0.5, (100_000, 3))  # how many of each kind A has
    own = draws @ [[3, 40], [0, 1], [1, 1]] + extra
    other = np.array([base[0] + base[2], base[1] + base[3]]) - own
    reached = own[:, 0] / own[:, 1] - other[:, 0] / other[:, 1] >= float(abs(difference(base, 0)))
    share = found.mantissa * 2.0**found.exponent
    assert share == pytest.approx(reached.mean(), abs=4.5 * (share / 100_000) ** 0.5)
    assert found.error_bound < 1e-11


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
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, (reach, reach, reach, reach), Fraction(1, 100), 0)
    previous = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - nothing but the call takes long
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
            lattice.rays(classes, ratio, split_of(classes))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


# ---- What a tail costs: counted cells beside the estimate, and which way is taken


#: Entities, and spurious ones, of a document on average.
KINDS = {"sentences": (1.5, 0.3), "documents": (12, 4)}


def case(kind, n, metric, ahead):
    entities, spurious = KINDS[kind]
    rng = np.random.Generator(np.random.PCG64(n))
    gold = rng.poisson(entities, n) + 1
    units = []
    for rate in (0.7 + ahead, 0.7):
        tp = rng.binomial(gold, rate)
        units.append(np.stack([tp, tp + rng.poisson(spurious, n), gold], axis=1))
    columns = ("tp", "predicted", "gold")
    own = metrics.get(metric)
    weights = np.array([[row.get(c, 0) for c in columns] for row in own.integer_weights]).T
    (n_a, m_a), (n_b, m_b) = ((x @ weights).sum(axis=0).tolist() for x in units)
    steps = (units[0] - units[1]) @ weights
    return steps, (n_a, m_a, n_b, m_b), abs(Fraction(n_a, m_a) - Fraction(n_b, m_b))


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "jaccard"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "ahead"), [(30, 0), (100, 0.02), (300, 0.1), (1000, 0), (1000, 0.1)])
def test_the_estimate_is_within_a_factor_of_cells_that_are_counted(kind, n, metric, ahead):
    own = case(kind, n, metric, ahead)
    estimate, done = lattice.cost(*own), lattice.tail(*own).updates
    assert 1 / 1.5 < done / estimate < 1.5 or (done < 1000 and abs(done - estimate) < 500)


@pytest.mark.parametrize(("n", "ahead"), [(5_000, 0), (5_000, 0.02), (50_000, 0.01)])
@pytest.mark.parametrize("kind", KINDS)
def test_so_it_is_of_steps_over_frequencies(kind, n, ahead):
    steps, base, threshold = case(kind, n, "f1", ahead)
    result = lattice.tail(steps, base, threshold)
    assert result.updates == lattice.cost(steps, base, threshold)
    assert 1 / 1.5 < result.updates / lattice.cost(steps) < 1.5


def test_no_split_is_better_than_the_one_that_is_taken():
    classes = on_lattice(case("documents", 300, "f1", 0)[0])
    shares = np.full(len(classes.m), 0.5)
    split = split_of(classes)
    nothing = np.zeros_like(classes.m)
    undivided = split._replace(shared=nothing, one=nothing, two=classes.m)
    assert updates_of(classes, split, shares) < updates_of(classes, undivided, shares)
    assert (2 * split.shared + split.one + split.two == classes.m).all()


@pytest.mark.parametrize(
    ("kind", "n", "metric", "inverted"),
    [
        ("sentences", 1_000, "f1", False),
        ("sentences", 30_000, "f1", True),
        ("documents", 300, "f1", False),
        ("documents", 5_000, "f1", True),
        ("documents", 5_000, "recall", False),
        ("documents", 100_000, "precision", True),
    ],
)
def test_which_way_is_taken(kind, n, metric, inverted):
    steps, base, threshold = case(kind, n, metric, 0)
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, base, threshold, 0)
    assert route(classes, ratio, split_of(classes))[0] == inverted
    assert (lattice.first_cost(steps) > DIRECT) == inverted


def test_few_units_with_large_steps_have_no_frequencies():
    rng = np.random.default_rng(1)
    classes = on_lattice(rng.integers(-9000, 9000, (30, 2)))
    with pytest.raises(MemoryError):
        lattice.plan(classes, Tilt(1.0, 1.0, 0.5))
    by_frequencies, cost = route(classes, None, split_of(classes))
    assert not by_frequencies
    assert cost > DIRECT


def test_both_ways_agree():
    steps, base, threshold = case("sentences", 6_000, "f1", 0.01)
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, base, threshold, 0)
    by_cells = lattice.rays(classes, ratio, split_of(classes))
    by_frequencies = lattice.inverted(classes, ratio, 1)
    assert by_cells.exponent == by_frequencies.exponent
    assert by_cells.mantissa == pytest.approx(by_frequencies.mantissa, rel=1e-14)
    assert towards_boundary(classes, ratio).r_x <= 1


# ---- Units as steps on a lattice: what classes they make, and the metric on it


def lattice_of(steps):
    return on_lattice(np.array(steps, dtype=np.int64).reshape(-1, 2))


def test_equal_and_opposite_steps_are_one_class():
    found = lattice_of([(2, 4), (-2, -4), (0, 0), (2, 4), (6, -2)])
    assert found is not None
    assert sorted(found.m.tolist()) == [1, 3]
    assert not found.line
    assert (found.b >= 0).all()
    assert lattice_of([(0, 0)]) is None
    assert lattice_of([(3, 3), (-6, -6)]).line


@settings(max_examples=100)
@given(case=documents())
def test_x_and_y_give_the_sums_of_every_shuffle(case):
    """Swapping the first class's units, and none: both differences are where the metric says."""
    steps, base = case
    classes = lattice_of(steps)
    if classes is None:
        return
    ratio = ratio_of(np.array(steps), classes, base, Fraction(1, 3), 0)
    moved = classes.shift
    for j in (0, int(classes.m[0])):
        x, y = j * int(classes.a[0]), j * int(classes.b[0])
        n = moved[0] + x * classes.scale_x[0] + y * classes.scale_y[0]
        m = moved[1] + x * classes.scale_x[1] + y * classes.scale_y[1]
        (n0, n1, n2, total_n), (d0, d1, d2, total_d) = ratio.numerator, ratio.denominator
        above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
        quotients = [
            Fraction(u, v) if v else Fraction(0)
            for u, v in ((above, below), (total_n - above, total_d - below))
        ]
        # what is turned round or not, the sums are those of some shuffle
        assert quotients[0] - quotients[1] == difference(base, 0, (n, m))


def test_sums_do_not_depend_on_a_library():
    assert dot(np.array([1.0, 2.0]), np.array([3, 4])) == 11.0


def test_what_is_refused_of_steps():
    with pytest.raises(InputError, match="array of integers"):
        checked(np.ones((2, 2)))
    with pytest.raises(InputError, match="reaches 2\\^61"):
        checked(np.array([[2**61, 0]]))
    steps = np.array([[1, 2]])
    with pytest.raises(InputError, match="weighted sums reach"):
        ratio_of(steps, lattice_of(steps), (2**61, 3, 1, 3), Fraction(0), 0)


# ---- The exponential tilt: its mean lies on the boundary, whatever the metric


def question(n=400, ahead=0.1, factor=1):
    steps, base = many_documents(n=n, ahead=ahead)
    classes = on_lattice(steps)
    return classes, ratio_of(steps, classes, base, difference(base, 0) * factor, 0)


@pytest.mark.parametrize("ahead", [0.05, 0.1, 0.2])
def test_the_tilted_mean_is_on_the_boundary(ahead):
    classes, ratio = question(ahead=ahead)
    tilt = towards_boundary(classes, ratio)
    assert tilt.r_x < 1
    odds = tilt.r_x ** -classes.a.astype(float) * tilt.r_y ** -classes.b.astype(float)
    share = classes.m * odds / (1 + odds)
    x, y = float((share * classes.a).sum()), float((share * classes.b).sum())
    (n0, n1, n2, n), (d0, d1, d2, d) = ratio.numerator, ratio.denominator
    above, below = n0 + n1 * x + n2 * y, d0 + d1 * x + d2 * y
    found = above / below - (n - above) / (d - below)
    assert found == pytest.approx(float(ratio.threshold), rel=1e-3)


def test_no_tilt_where_it_is_not_worth_one():
    classes, ratio = question(ahead=0.0)
    assert towards_boundary(classes, ratio).r_x == 1
    few, ratio = question(n=40, ahead=0.3)
    assert towards_boundary(few, ratio).r_x == 1
    some, ratio = question(n=400, ahead=0.01)
    assert towards_boundary(some, ratio, 0.0).r_x < towards_boundary(some, ratio, 1e9).r_x == 1


def test_the_rate_is_that_of_large_deviations():
    """For coins: n (log 2 - H(k / n))."""
    steps = np.array([(1, 0)] * 1000)
    classes = on_lattice(steps)
    place = to_halfspace(classes, 0.0, 700.0)
    entropy = -0.7 * math.log(0.7) - 0.3 * math.log(0.3)
    assert place.rate == pytest.approx(1000 * (math.log(2) - entropy), rel=1e-9)
    assert place.theta == pytest.approx(math.log(7 / 3), rel=1e-9)
    assert place.rate > WORTH_A_TILT
    assert tilt_towards(classes, place, 0.0).r_x == pytest.approx(3 / 7, rel=1e-5)


def test_a_threshold_that_all_reach():
    classes, ratio = question(factor=Fraction(-3))
    assert towards_boundary(classes, ratio).r_x == 1


# ---- Inversion of characteristic functions, against all shuffles, integers and other engines


BEST = dispatch.number()


def prepared(steps, base, threshold, zero=0):
    array = np.array(steps, dtype=np.int64).reshape(-1, 2)
    classes = on_lattice(array)
    return classes, ratio_of(array, classes, base, threshold, zero)


def inverted(steps, base, threshold, zero=0):
    return lattice.inverted(*prepared(steps, base, threshold, zero), 1)


# ---- small cases: integers ----------------------------------------------------------------


@examples(1500)
@given(case=documents(), factor=st.sampled_from([1, -1, 0, Fraction(1, 2)]), zero=st.integers(0, 1))
def test_every_shuffle_of_a_few_units(case, factor, zero):
    steps, base = case
    classes = on_lattice(np.array(steps, dtype=np.int64).reshape(-1, 2))
    threshold = difference(base, zero) * factor
    hits = all_exchanges(steps, base, threshold, zero)
    if classes is None or classes.line or not hits:
        return
    result = inverted(steps, base, threshold, zero)
    assert abs(as_fraction(result) * 2 ** len(steps) / hits - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize("extra", [0, 40, 3000])
@pytest.mark.parametrize("lean", [0, 0.6, 1])
def test_documents_against_integer_convolution_by_frequencies(lean, extra):
    """With extra = 0 denominators run down to zero and the boundary bends sharply."""
    bounded = 0
    for seed in (101, 102)[: several(1, 2)]:
        steps, base = random_case(seed, 100, lean, extra)
        threshold = difference(base, seed % 2)
        hits = by_integers(steps, base, threshold, seed % 2)
        try:
            result = inverted(steps, base, threshold, seed % 2)
        except MemoryError:  # no tilt suits a boundary like this
            assert extra < 3000
            continue
        bounded += 1
        error = abs(as_fraction(result) * 2**100 / hits - 1)
        assert error <= result.error_bound < 1e-11
        assert error < 1e-13
    assert bounded or extra < 3000


@pytest.mark.parametrize(("lean", "factor"), [(0.6, Fraction(3, 2)), (1, 1)])
def test_where_one_plan_is_hopeless_so_are_all(lean, factor):
    steps, base = random_case(100, 100, lean, 0)
    case = prepared(steps, base, difference(base, 0) * factor)
    tilt = towards_boundary(*case, lattice.WORTH_ITS_TILT)
    plans = [lattice.plan(case[0], tilt, less) for less in (1.0, 1e-8, 1e-24)]
    attempts = [lattice.attempt(*case, plan, 1) for plan in plans]
    assert attempts[0][2]
    for found, *_ in attempts:
        assert found is None or found.error_bound > 10 * lattice.ACCEPTED
    with pytest.raises(MemoryError, match="error of the lattice cannot be bounded"):
        lattice.inverted(*case, 1)


def test_no_more_steps_than_are_allowed():
    steps, base = many_documents(n=1000)
    case = prepared(steps, base, difference(base, 0))
    cost = lattice.inverted(*case, 1).updates
    assert lattice.inverted(*case, 1, cost).updates == cost
    with pytest.raises(MemoryError, match=f"take {cost} steps"):
        lattice.inverted(*case, 1, cost - 1)


# ---- large cases: other engines -----------------------------------------------------------


@pytest.mark.parametrize("n", [10_000, 1_000_000])
@pytest.mark.parametrize("excess", [0, 100, 3_000])
def test_accuracy_is_binomial_by_frequencies(n, excess):
    """One row: 0/1 scores over n items, a quarter of them A's alone and a quarter B's."""
    ahead, behind = n // 4 + min(excess, n // 8), n // 4 - min(excess, n // 8)
    d = np.zeros((ahead + behind, 2), dtype=np.int64)
    d[:ahead, 0], d[ahead:, 0] = 1, -1
    result = inverted(d, (ahead, n, behind, n), Fraction(ahead - behind, n))
    with mpmath.workdps(40):
        term = mpmath.binomial(ahead + behind, ahead)
        total, k = mpmath.mpf(0), ahead
        while k <= ahead + behind and term > total * mpmath.mpf(10) ** -30:
            total, term, k = total + term, term * (ahead + behind - k) / (k + 1), k + 1
        exact = total / mpmath.mpf(2) ** (ahead + behind)
        found = mpmath.mpf(result.mantissa) * mpmath.mpf(2) ** result.exponent
        assert abs(found / exact - 1) <= result.error_bound < 1e-11


@pytest.mark.parametrize(
    ("metric", "shift"),
    [
        pytest.param(
            metric, shift,
            marks=[pytest.mark.slow] if (i + j) % 2 and metric != "f1" else [],
        )
        for i, metric in enumerate(["precision", "f1", "f0.5", "jaccard"])
        for j, shift in enumerate([0, 300, 1_000, 5_000, 40_000])
    ],
)  # fmt: skip
def test_hundreds_of_thousands_against_the_staircase(metric, shift):
    """Two classes: from p near 1 to far below what a double holds."""
    counts = {
        "gold": 900_000, "both_correct": 150_000, "both_spurious": 40_000,
        "only_a_correct": 100_000 + shift, "only_b_correct": 99_990 - shift,
        "only_a_spurious": 90_050 - shift, "only_b_spurious": 90_000 + shift,
    }  # fmt: skip
    steps, base = of_counts(counts, metrics.get(metric))
    result = inverted(steps, base, difference(base, 0))
    expected = randomization_test(Comparison.from_counts(**counts), metric, alternative="greater")
    assert log_of(result) == pytest.approx(expected.log_pvalue, rel=1e-13, abs=1e-12)
    assert result.error_bound < 1e-11


@pytest.mark.parametrize("ahead", [0.0, 0.02, 0.15])
def test_documents_against_the_sum_over_cells(ahead):
    steps, base = many_documents(n=1000, ahead=ahead)
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-14
    assert max(one.error_bound, two.error_bound) < 1e-12


@pytest.mark.parametrize("odd", [0, 1, 3, 40])
def test_steps_that_are_nearly_all_even(odd):
    """The characteristic function is large again half a period away."""
    rng = np.random.default_rng(odd)
    steps = 2 * rng.integers(-3, 4, (900, 2))
    steps[:odd] += 1
    up, down = np.maximum(steps, 0).sum(axis=0), np.maximum(-steps, 0).sum(axis=0)
    base = (int(up[0]) + 60, int(up[1]) + 99, int(down[0]), int(down[1]) + 99)
    classes, ratio = prepared(steps, base, abs(difference(base, 0)))
    one = lattice.inverted(classes, ratio, 1)
    two = lattice.rays(classes, ratio, split_of(classes))
    assert abs(as_fraction(one) / as_fraction(two) - 1) < 1e-13


# ---- what may not matter ------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [0.0, 0.05])
def test_neither_threads_nor_instructions_change_a_bit(ahead, monkeypatch):
    steps, base = many_documents(n=20_000, ahead=ahead)
    case = prepared(steps, base, difference(base, 0))
    results = {lattice.inverted(*case, threads) for threads in (1, 2, 3)}
    for isa in dispatch.available:
        monkeypatch.setattr(dispatch, "chosen", isa)
        results.add(lattice.inverted(*case, 2))
    assert len(results) == 1
    assert results.pop().updates > lattice.WORTH_THREADS


@pytest.mark.skipif(os.name == "nt", reason="needs an interval timer")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_it_by_frequencies(threads):
    """Work for seconds, stopped after a tenth of one, of its own time."""
    rng = np.random.default_rng(0)
    steps = rng.integers(-60, 61, (40_000, 2))
    reach = int(np.abs(steps).sum())
    case = prepared(steps, (reach, reach, reach, reach), Fraction(1, 100))
    plan = lattice.plan(case[0], towards_boundary(*case))
    assert plan.cost > 2**29
    previous = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - nothing but the call takes long
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
            lattice.attempt(*case, plan, threads)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


# ---- its parts ----------------------------------------------------------------------------


@pytest.mark.parametrize("period", [1, 3, 7, 49, 1001, 65_537])
def test_roots_of_unity(period):
    re, im = Roots(period).backwards()
    assert re.shape == im.shape == (period,)
    with mpmath.workdps(40):
        for j in range(0, period, 1 + period // 50):
            expected = mpmath.expjpi(mpmath.mpf(-2 * j) / period)
            assert abs(mpmath.mpc(re[j], im[j]) - expected) < 5 * 2.0**-53


def of_small_lattice(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-4, 5, 6), rng.integers(0, 4, 6)
    m, odds = rng.integers(1, 40, 6), rng.uniform(0.2, 3, 6)
    return a, b, m, odds


@pytest.mark.parametrize("seed", range(8))
def test_what_the_search_leaves_out_is_below_its_bound(seed):
    a, b, m, odds = of_small_lattice(seed)
    x, y, cut = 61, 45, 12.0
    share = odds / (1 + odds)
    v = 4 * share * (1 - share)
    kx, ky, lost, visits = find(a / x, b / y, m / 2, v, x, y, cut, 10**6)
    frequencies = [(i, j) for i in range(x // 2 + 1) for j in range(-(y // 2), y // 2 + 1)]
    half = [(i, j) for i, j in frequencies if i or j >= 0]
    kept = set(zip(kx.tolist(), ky.tolist(), strict=True))
    assert len(kept) == len(kx)
    assert kept <= set(half)
    assert visits > 0
    out = 0.0
    for i, j in set(half) - kept:
        turn = np.exp(2j * np.pi * (a * i / x + b * j / y))
        out += 2 * abs(np.prod((1 - share + share * turn) ** m))
    assert out <= lost
    assert len(kept) < 600  # of 1373


@pytest.mark.parametrize("seed", range(3))
def test_values_of_the_characteristic_function(seed):
    a, b, m, _ = of_small_lattice(seed)
    m = m * 10**5
    r_x, r_y, x, y = 0.75, 1.125, 1001, 503
    kx, ky = np.arange(70), np.arange(-35, 35)
    re, im = np.empty((2, 70))
    factors = Factors(Roots(x), Roots(y), r_x, r_y, a, b, m)
    stop = np.zeros(1, dtype=np.int32)
    factors.at(kx, ky, re, im, 0, 70, BEST, stop)
    with mpmath.workdps(50):
        for i in range(0, 70, 7):
            product = mpmath.mpf(1)
            for c in range(len(a)):
                q = mpmath.mpf(r_x) ** int(-a[c]) * mpmath.mpf(r_y) ** int(-b[c])
                turns = mpmath.mpf(int(a[c] * kx[i])) / x + mpmath.mpf(int(b[c] * ky[i])) / y
                product *= ((1 + q * mpmath.expjpi(2 * turns)) / (1 + q)) ** int(m[c])
            # each part is rounded once, whatever the number of units
            assert abs(re[i] - product.real) <= 2.0**-53 * abs(product) + 1e-300
            assert abs(im[i] - product.imag) <= 2.0**-53 * abs(product) + 1e-300


def test_a_plan_holds_all_but_a_little():
    """The windows of a binomial, against its tails."""
    classes, _ = prepared([(1, 0)] * 5_000 + [(0, 1)] * 3_000, (5_000, 9_000, 0, 9_000), 0)
    made = lattice.plan(classes, Tilt(1.0, 1.0, 0.5))
    for window, n in ((made.x, 5_000), (made.y, 3_000)):
        above, below = stats.binom.sf(window.high, n, 0.5), stats.binom.cdf(window.low - 1, n, 0.5)
        assert above + below <= window.outside < 2e-16
        assert window.period % 2 == 1
        assert window.period < 20 * np.sqrt(n / 4)


# ---- what is refused ----------------------------------------------------------------------


def test_too_large_a_window():
    wide, _ = prepared([(2**40, 0), (1, 3)] * 50, (2**50, 2**50, 0, 2**50), 0)
    with pytest.raises(MemoryError, match="the window of the lattice has"):
        lattice.plan(wide, Tilt(1.0, 1.0, 0.5))
    tall, _ = prepared([(0, 2**30), (1, 3)] * 50, (2**50, 2**50, 0, 2**50), 0)
    with pytest.raises(MemoryError, match="the window of the lattice has"):
        lattice.plan(tall, Tilt(1.0, 1.0, 0.5))


def test_too_many_frequencies():
    rng = np.random.default_rng(1)
    few, _ = prepared(rng.integers(-9000, 9000, (30, 2)), (10**6, 10**6, 10**6, 10**6), 0)
    with pytest.raises(MemoryError, match="too many frequencies"):
        lattice.plan(few, Tilt(1.0, 1.0, 0.5))


def test_arguments_of_the_kernels():
    one, two = np.ones(1), np.ones(2)
    some, stop = np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    roots = Roots(5)
    with pytest.raises(ValueError, match="period"):
        Roots(0)
    with pytest.raises(ValueError, match="differ in length"):
        find(one, two, one, one, 5, 5, 1.0, 10)
    with pytest.raises(ValueError, match="must be odd"):
        find(one, one, one, one, 4, 5, 1.0, 10)
    with pytest.raises(ValueError, match="differ in length"):
        Factors(roots, roots, 1.0, 1.0, some, some, some[:0])
    factors = Factors(roots, roots, 1.0, 1.0, some, some, some)
    with pytest.raises(ValueError, match="the range is not in them"):
        factors.at(some, some, one, one, 0, 2, BEST, stop)
    ends = np.array([0, 1])
    with pytest.raises(ValueError, match="no rows"):
        Rows(roots, roots, 1.0, 1.0, some[:0], 0, 5, (0, 0), some, ends, some, some, ends, one, one)
    with pytest.raises(ValueError, match="runs without values"):
        Rows(roots, roots, 1.0, 1.0, some, 0, 5, (0, 0), some, ends, some, some, ends, two, two)
    rows = Rows(roots, roots, 1.0, 1.0, some, 0, 5, (0, 0), some, ends, some, some, ends, one, one)
    with pytest.raises(ValueError, match="no such rows"):
        rows.sum(0, 2, BEST, stop)


def test_what_is_too_wide_by_one_pass_has_no_plan() -> None:
    """The bound on the windows is never above what the plan finds; often it says enough."""
    rng = np.random.default_rng(5)
    found = []
    for bits in range(8, 50):
        for n in (3, 40, 400):
            steps = rng.integers(-(2**bits), 2**bits, (n, 2)) // rng.choice([1, 3, 2**bits], (n, 1))
            steps[:, 1] //= 2 ** int(rng.integers(0, bits))
            classes = on_lattice(steps)
            if classes is None or classes.line:
                continue
            tilt = Tilt(*rng.choice([1.0, 1 - 2.0**-bits, 1 + 2.0**-bits], 2), 0.125)
            wide = lattice.window_is_too_wide(classes, tilt)
            if wide:
                with pytest.raises(MemoryError, match="the window of the lattice has"):
                    lattice.plan(classes, tilt)
            found.append(wide)
    assert 0.3 < np.mean(found) < 0.9
