"""Certified bounds against counts of all signs, of halves and of integer sums."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from signs import chosen

from csig import InputError
from csig.engines import meet_in_the_middle
from csig.engines.fourier import Prepared, enclose

#: Numbers of all kinds, by a generator and how many there are.
KINDS = {
    "normal": lambda rng, n: rng.normal(size=n) * 2.0 ** rng.integers(10, 55),
    "heavy": lambda rng, n: rng.standard_t(1.2, size=n) * 2.0 ** rng.integers(5, 45),
    "thirds and sevenths": lambda rng, n: (
        (rng.integers(-9, 10, n) / 3 + rng.integers(-9, 10, n) / 7) * 2.0 ** rng.integers(10, 50)
    ),
    "few": lambda rng, n: rng.choice(rng.normal(size=rng.integers(1, 5)) * 2.0**40, n),
    "outlier": lambda rng, n: rng.normal(size=n) * np.where(np.arange(n), 1.0, 1e6) * 2.0**30,
    "integers": lambda rng, n: rng.integers(-12, 13, n),
    "powers of two": lambda rng, n: 2.0 ** rng.integers(0, 50, n),
    "decimals": lambda rng, n: np.rint(rng.normal(size=n) * 10.0 ** rng.integers(1, 6)),
    "ulp noise": lambda rng, n: 2.0**50 * rng.integers(1, 4, n) + rng.integers(-3, 4, n),
    "wide": lambda rng, n: 2.0 ** (rng.random(n) * 55),
}


def numbers(kind, rng, n):
    return np.clip(KINDS[kind](rng, n), -(2.0**55), 2.0**55).astype(np.int64)


def all_sums(values):
    """Every sum of signed values."""
    sums = np.zeros(1, dtype=np.int64)
    for v in values.tolist():
        sums = np.concatenate([sums + v, sums - v])
    return sums


def by_sums(values, s):
    return Fraction(int(np.count_nonzero(all_sums(values) >= s)), 2 ** len(values))


def by_halves(values, s):
    total = int(np.abs(values).sum())
    room = (total - s) // 2
    if room < 0:
        return Fraction(0)
    return Fraction(meet_in_the_middle.count(np.abs(values), room, None), 2 ** len(values))


def by_convolution(values, s):
    """Integer counts, one bit field a sum."""
    v = [abs(x) for x in values.tolist()]
    bits, counts = len(v) + 1, 1
    for x in v:
        counts += counts << (bits * x)
    room = (sum(v) - s) // 2
    field, total = (1 << bits) - 1, 0
    kept = counts & ((1 << (bits * (room + 1))) - 1)
    data = bin(kept)[2:].zfill(bits * (room + 1))
    for i in range(0, len(data), bits):
        total += int(data[i : i + bits], 2) & field
    return Fraction(total, 2 ** len(v))


def holds(found, p):
    unit = Fraction(2) ** found.exponent
    return Fraction(found.low) * unit <= p <= Fraction(found.high) * unit


def cost(values, s, tolerance=1e-4):
    return Prepared(values, s, tolerance).cost


def some_settings(rng):
    tilt = 1.5 * math.exp(1.5 * rng.normal()) if rng.random() < 0.5 else None
    far, alias = 10.0 ** rng.uniform(-4, 0.5, 2)
    return {"tilt": tilt, "far": far, "alias": alias, "period": rng.choice([0.5, 1, 1.7])}


def thresholds(rng, values):
    """A value that the sum takes, one beside it, and any."""
    size = np.abs(values)
    own = int(((1 - 2 * (rng.random(len(size)) < rng.random() / 2)) * size).sum())
    near = own + int(rng.integers(-3, 4))
    return [max(1, abs(x)) for x in (own, near, int(rng.random() * float(size.sum())))]


def check_some(seed, most, exact):
    rng = np.random.default_rng(seed)
    kind = list(KINDS)[int(rng.integers(len(KINDS)))]
    values = numbers(kind, rng, int(rng.integers(1, most + 1)))
    values = values[values != 0]
    if not len(values):
        return
    for s in thresholds(rng, values):
        p = exact(values, s)
        for form in ("kernels", "lattice", None):
            tolerance, budget = 10.0 ** rng.uniform(-5, 0), int(10.0 ** rng.uniform(3, 5.5))
            with chosen(form=form, **some_settings(rng)):
                found = enclose(values, s, tolerance=tolerance, budget=budget)
            assert holds(found, p), (kind, values.tolist(), s, form)


@given(st.integers(0, 2**40))
@examples(200)
def test_bounds_hold_the_share_of_all_signs(seed):
    check_some(seed, 12, by_sums)


@given(st.integers(0, 2**40))
@examples(150)
def test_bounds_hold_the_count_of_halves(seed):
    check_some(seed, 26, by_halves)


@given(st.integers(0, 2**40))
@examples(40)
def test_bounds_hold_integer_counts(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(1, rng.integers(2, 60), int(rng.integers(45, 150)))
    for s in thresholds(rng, values):
        p = by_convolution(values, s)
        for form in ("kernels", "lattice"):
            with chosen(form=form, **some_settings(rng)):
                found = enclose(values, s, budget=10**6)
            assert holds(found, p), (values.tolist(), s, form)


@pytest.mark.parametrize("z", [0.5, 2.0, 7.0, 20.0])
def test_generic_sums_are_known_to_the_tolerance(z):
    values = (np.random.default_rng(3).normal(size=2000) * 2.0**45).astype(np.int64)
    s = int(z * math.sqrt(float((values.astype(np.float64) ** 2).sum())))
    found = enclose(values, s)
    assert not found.lattice
    assert 0 < found.width <= 1e-4
    # The normal approximation, with the first correction of a symmetric sum.
    assert abs(math.log(found.low * 2.0**found.exponent / (math.erfc(z / math.sqrt(2)) / 2))) < (
        0.002 * (1 + z**4 / 8)
    )


@pytest.mark.parametrize("z", [0.5, 2.0, 7.0])
def test_the_lattice_leaves_no_gap(z):
    values = np.rint(np.random.default_rng(4).normal(size=200) * 50).astype(np.int64)
    s = int(z * math.sqrt(float((values**2).sum())))
    found = enclose(values, s)
    assert found.lattice
    assert found.width < 1e-9
    assert holds(found, by_convolution(values[values != 0], s))


def test_a_strong_tilt_with_many_peaks_leaves_no_gap_either():
    values = np.random.default_rng(8).integers(1, 300, 90)
    s = int(0.8 * values.sum())
    with chosen(form="lattice"):
        found = enclose(values, s)
    assert found.lattice
    assert found.evaluated > found.nodes / 2
    assert found.width < 1e-9
    assert holds(found, by_convolution(values, s))


def test_a_tolerance_beyond_the_budget_is_relaxed():
    values = (np.random.default_rng(9).normal(size=300) * 2.0**45).astype(np.int64)
    s = int(math.sqrt(float((values.astype(np.float64) ** 2).sum())))
    wide = enclose(values, s, tolerance=1e-3, budget=10**6)
    assert wide.reason == ""
    fine = enclose(values, s, tolerance=1e-12, budget=10**6)
    assert "were reached within 1,000,000 factors: too few units" in fine.reason
    assert fine.width < wide.width


def test_a_tolerance_of_0_is_as_close_as_can_be():
    rng = np.random.default_rng(10)
    decimals = np.rint(rng.normal(size=200) * 50).astype(np.int64)
    reals = (rng.normal(size=200) * 2.0**45).astype(np.int64)
    for values, most in ((decimals, 1e-10), (reals, 1e-3)):
        s = int(1.5 * math.sqrt(float((values.astype(np.float64) ** 2).sum())))
        found = enclose(values, s, tolerance=0, budget=2**20)
        assert 0 < found.width < most
        assert found.reason
        assert cost(values, s, 0) >= cost(values, s, 1e-3)
    with pytest.raises(InputError, match=r"^tolerance must be a finite number from 0, found nan"):
        enclose(decimals, 5, tolerance=math.nan)
    with pytest.raises(InputError, match=r"^tolerance must be a finite number from 0, found -1"):
        cost(decimals, 5, -1)


@pytest.mark.parametrize("form", ["kernels", "lattice"])
@pytest.mark.parametrize("strength", [1e-6, 1.0, 30.0, 1e3, 1e6])
def test_any_tilt_is_valid(form, strength):
    values = np.array([2160085, 1182091, 1144842, 2169411, 16, 7, 5, 9, 1, 1, 23, 1, 3, 4])
    for s in (46621, 2160085, 6656498):
        with chosen(tilt=strength, form=form):
            found = enclose(values, s, budget=2000)
        assert holds(found, by_sums(values, s)), s


def test_the_largest_sums():
    values = np.arange(1, 101) ** 8
    total = int(values.sum())
    assert enclose(values, total + 1).high == 0
    assert holds(enclose(values, total), Fraction(1, 2**100))
    assert holds(enclose(values, total - 1), Fraction(1, 2**100))
    assert holds(enclose(values, total - 2), Fraction(2, 2**100))
    assert enclose(values, total - 2).width == 0
    assert enclose(np.array([], dtype=np.int64), 1).high == 0
    assert holds(enclose(np.array([-7]), 7), Fraction(1, 2))
    assert holds(enclose(np.array([0, 7]), 8), Fraction(0))


def test_an_atom_at_the_threshold_is_counted():
    values = np.repeat([1234567891234567, 2345678912345678], [50, 40])
    s = 1234567891234567 * 10 + 2345678912345678 * 6
    exact = sum(
        math.comb(50, i) * math.comb(40, j)
        for i in range(51)
        for j in range(41)
        if 1234567891234567 * (50 - 2 * i) + 2345678912345678 * (40 - 2 * j) >= s
    )
    found = enclose(values, s)
    assert holds(found, Fraction(exact, 2**90))
    assert found.width < 1e-15
    # Bounds from frequencies hold, but a sum that is taken with some probability keeps them apart.
    with chosen(form="kernels"):
        apart = enclose(values, s, budget=10**7)
    assert holds(apart, Fraction(exact, 2**90))
    assert apart.width > 1e-3


def test_equal_numbers_have_a_short_period():
    found = enclose(np.full(500, 12345678912345), 12345678912345 * 60)
    assert found.lattice
    assert found.width < 1e-10
    assert holds(found, Fraction(sum(math.comb(500, j) for j in range(280, 501)), 2**500))


def test_large_numbers_are_taken_with_either_sign():
    rng = np.random.default_rng(6)
    small = rng.integers(1, 1001, 59)
    top = int(small.sum())
    one = np.append(small, 2**60)
    assert holds(enclose(one, 1), Fraction(1, 2))
    assert enclose(one, 1).width < 1e-15
    exact = by_convolution(small[small > 0], 800) / 2
    found = enclose(one, 2**60 + 800)
    assert holds(found, exact)
    assert found.width < 1e-7
    # P = (P(small >= 800) + 1 - P(small >= 801)) / 4 and P(both are +) = 1/4 where they are equal.
    two = np.append(small, [2**60, 2**60])
    found = enclose(two, 800)
    assert holds(found, by_convolution(small, 800) / 2 + Fraction(1, 4))
    assert found.width < 1e-7
    assert cost(two, 800) < 2**23
    assert enclose(two, 2**61 + top + 1).high == 0


def test_one_heap_beyond_all_doubles_beside_another():
    # With the large number negative the others must reach almost all of their sum.
    values = np.random.default_rng(1).integers(1, 2**40, 3000)
    total = int(values.sum())
    large = total * 47 // 100
    with chosen(period=0.05):  # so short that nothing is left of the lower bound
        found = enclose(np.append(values, large), large + total // 50)
    assert 0 <= found.low < found.high
    assert 0.04 < math.ldexp(found.high, found.exponent) <= 0.5
    assert found.width == math.inf or found.low > 0


def test_near_the_largest_sum_flips_are_listed():
    values = np.sort((np.random.default_rng(7).random(100) * 2.0**40).astype(np.int64))
    total = int(values.sum())
    found = enclose(values, int(0.98 * total))
    assert found.width < 1e-15
    assert found.nodes == 0
    room = (total - int(0.98 * total)) // 2
    few = meet_in_the_middle.count(values[:40], room, None)
    assert found.low * 2.0**found.exponent > few / 2.0**100


@pytest.mark.parametrize(
    ("values", "s", "told"),
    [
        (np.array([1, 2]), 0, "s must be a positive integer, found 0"),
        (np.array([2**61, 2**61]), 5, "values: the sum of their absolute values reaches 2^62"),
    ],
)
def test_what_is_refused(values, s, told):
    with pytest.raises(InputError, match=re.escape(told)):
        enclose(values, s)


def test_the_cost_is_near_what_is_taken():
    rng = np.random.default_rng(5)
    for n in (60, 500, 3000):
        values = (rng.normal(size=n) * 2.0**45).astype(np.int64)
        s = int(2 * math.sqrt(float((values.astype(np.float64) ** 2).sum())))
        assert enclose(values, s).factors / 4 < cost(values, s) < enclose(values, s).factors * 8


@pytest.mark.parametrize(
    ("kind", "n", "closes"),
    [("normal", 500, False), ("decimals", 500, True), ("integers", 300, True), ("normal", 20, True),
     ("outlier", 200, None), ("powers of two", 80, None)],
)  # fmt: skip
def test_a_prepared_question_has_the_cost_and_the_bounds_of_one_that_is_not(kind, n, closes):
    rng = np.random.default_rng(11)
    values = numbers(kind, rng, n)
    s = max(1, int(2.5 * math.sqrt(float((values.astype(float) ** 2).sum()))))
    prepared = Prepared(values, s, 1e-4)
    assert prepared.cost == cost(values, s, 1e-4)
    assert closes in (None, prepared.closes)
    found = enclose(values, s)
    for threads in (1, 2):  # it may be asked again
        assert prepared.enclose(threads=threads) == found
    if closes:
        assert found.width <= 1e-9
