"""The fourier kernels: every bound against mpmath, every lemma on a polynomial in fractions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from drawn import examples, several
from hypothesis import given
from hypothesis import strategies as st

from csig_ext import dispatch, fourier

ISAS = range(len(dispatch.available))
BEST = dispatch.number()
U = 2.0**-53
LEAST = mpmath.mpf(10) ** -300
GO = np.zeros(1, dtype=np.int32)


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    with mpmath.workprec(220):  # the products below have up to 2^60 before the point
        yield


def exact(x) -> mpmath.mpf:
    return mpmath.mpf(float(x))


def cumulants(d: np.ndarray, theta: float, isa: int, stop: np.ndarray = GO) -> tuple[float, ...]:
    parts = np.full((fourier.blocks(len(d)), 10), np.nan if len(d) else 0.0)
    fourier.cumulants_part(d, theta, 0, len(d), isa, stop, parts)
    return fourier.cumulants(parts)


def at(d, h, delta, k, isa, stop=GO, each=True):
    """The products of all items at some frequencies."""
    parts = np.full((fourier.blocks(len(d)), 2, len(k)), np.nan)
    if not len(d):
        parts[:] = [[[1], [0]]]
    fourier.products_part(d, h, delta, k, each, 0, len(d), isa, stop, parts)
    return fourier.products(parts, k, delta, len(d), *fourier.sizes(d), each)


def near(d, h, delta, first, count, isa, stop=GO):
    """The same at frequencies in a row."""
    return at(d, h, delta, np.arange(first, first + count), isa, stop, each=False)


def drawn(seed: int, n: int) -> np.ndarray:
    """Numbers of all kinds, none negative."""
    rng = np.random.default_rng(seed)
    kinds = [
        rng.random(n),
        rng.exponential(size=n) ** 3,
        np.abs(rng.standard_t(1.2, size=n)),
        10.0 ** rng.uniform(-320, 0, n),
        10.0 ** rng.uniform(0, 12, n),
        rng.integers(0, 30, n) / 7,
        2.0 ** rng.integers(-60, 8, n),
        np.nextafter(1, rng.integers(0, 2, n)),
    ]
    return np.choose(rng.integers(0, len(kinds), n), kinds)


#: Zero, the smallest numbers, both sides of what the programs tell apart, and very large ones.
SPECIAL = [
    0.0, 5e-324, 2.2e-308, 2.3e-308, 1e-200, 1e-16, 2.0**-27, 0.1, 0.25, 0.34657359027997264,
    0.3465735902799727, 0.5, math.log(2), 0.7, math.nextafter(0.7, 1), 0.7000001, 1.0, 18.9, 19.1,
    37.5, 345.0, 349.0, 350.0, 354.0, 372.0, 375.0, 699.9, 700.0, 700.1, 745.2, 800.0, 1e5, 1e15,
]  # fmt: skip


# ---- the polynomials, in fractions --------------------------------------------------------------


def bernstein(c: list[Fraction], a: Fraction, b: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds on a polynomial over [a, b]: the ends of its coefficients in Bernstein's form."""
    n = len(c) - 1
    moved = [
        sum(c[k] * math.comb(k, j) * a ** (k - j) for k in range(j, n + 1)) * (b - a) ** j
        for j in range(n + 1)
    ]
    found = [
        sum(Fraction(math.comb(i, j), math.comb(n, j)) * moved[j] for j in range(i + 1))
        for i in range(n + 1)
    ]
    return min(found), max(found)


def largest_error(name: str, series: Callable[[int], Fraction], a: Fraction, b: Fraction) -> float:
    """Of a polynomial against 30 terms of a series, over pieces of [a, b]."""
    own = [Fraction(c) for c in fourier.polynomials()[name]]
    rest = [-series(j) for j in range(30)]
    for j, c in enumerate(own):
        rest[j] += c
    cuts = [a + (b - a) * Fraction(i, 8) for i in range(9)]
    ends = [bernstein(rest, x, y) for x, y in pairwise(cuts)]
    return float(max(max(abs(low), abs(high)) for low, high in ends))


QUARTER = Fraction(*(float(mpmath.pi / 2) * (1 + 4 * U)).as_integer_ratio()) ** 2
HALF_LOG = Fraction(math.log(2) / 2 * (1 + 1e-9))


def test_polynomials_are_what_the_lemmas_say():
    """The terms of the series that are left out are below 1e-30."""

    def factorial(n: int) -> Fraction:
        return Fraction(math.factorial(n))

    sine = largest_error("sine", lambda j: (-1) ** (j + 1) / factorial(2 * j + 3), 0, QUARTER)
    assert sine * float(QUARTER) < 0.22 * U
    versine = largest_error("versine", lambda j: (-1) ** j / factorial(2 * j + 2), 0, QUARTER)
    assert versine * math.sqrt(QUARTER) < 0.22 * U
    growth = largest_error("growth", lambda j: 1 / factorial(j + 2), -HALF_LOG, HALF_LOG)
    assert growth * float(HALF_LOG) < 0.01 * U
    top = Fraction(129, 10000)
    artanh = largest_error("artanh", lambda j: Fraction(1, 2 * j + 3), Fraction(0), top)
    assert artanh * float(top) < 0.03 * U
    assert math.tanh(0.35) ** 4 < top
    assert (math.exp(-1.4) / (2 + math.exp(-1.4))) ** 2 < top


def test_the_polynomial_of_cells_is_below_the_sine():
    """sin(pi r) / r is the series of pi^(2j+1) (-1)^j / (2j+1)! in r^2; the rest is below 1e-22."""
    pi = Fraction(int(mpmath.floor(mpmath.pi * 2**100)), 2**100)
    own = [Fraction(c) for c in fourier.polynomials()["below_sine"]]
    rest = [pi ** (2 * j + 1) * (-1) ** j / math.factorial(2 * j + 1) for j in range(13)]
    for j, c in enumerate(own):
        rest[j] -= c
    cuts = [Fraction(i, 256) for i in range(65)]
    lows, highs = zip(*(bernstein(rest, a, b) for a, b in pairwise(cuts)), strict=True)
    assert min(lows) > Fraction(1, 2**26)
    assert max(highs) < Fraction(6, 10000)


# ---- exp(i t d) - 1 -----------------------------------------------------------------------------


def angles(seed: int, n: int) -> tuple[np.ndarray, float]:
    """Items and a frequency; a third of the angles lie next to multiples of pi / 2."""
    rng = np.random.default_rng(seed)
    t = float(rng.choice([1.0, rng.uniform(0.1, 10), 10.0 ** rng.uniform(-10, 10)]))
    d = drawn(seed + 1, n)
    d = np.minimum(d, 2.0**49 / t)
    k = rng.integers(1, 2 ** rng.integers(2, 40), n).astype(float)
    close = k * (math.pi / 2) / t
    close = close + rng.integers(-3, 4, n) * np.spacing(close)
    return np.where(rng.random(n) < 0.33, close, d), t


def check_turns(d: np.ndarray, t: float, isa: int) -> None:
    re, im = fourier.turns(d, t, isa)
    slope, turn, flat = fourier.TURN
    for x, a, b in zip(d, re, im, strict=True):
        angle = exact(x) * exact(t)
        error = abs(mpmath.mpc(exact(a), exact(b)) - mpmath.expj(angle) + 1)
        assert error <= min(slope * angle, turn * angle + flat) + LEAST


@pytest.mark.parametrize("isa", ISAS)
def test_turns(isa):
    for seed in range(several(2, 50)):
        check_turns(*angles(1000 * isa + seed, 1000), isa)
    for t in (1.0, 1e-300):
        check_turns(np.array(SPECIAL[:-1]), t, isa)


@examples(2000)
@given(d=st.floats(0, 1e9), t=st.floats(0, 1e5))
def test_one_turn(d, t):
    check_turns(np.array([d]), t, BEST)


def test_angles_that_doubles_hardly_tell_from_multiples_of_pi():
    """Numerators of the continued fraction of pi / 2."""
    fraction, value = [], mpmath.pi / 2
    for _ in range(28):
        fraction.append(int(mpmath.floor(value)))
        value = 1 / (value - fraction[-1])
    found, (p, q) = [], (1, 0)
    for a in fraction:
        p, q = a * p + q, p
        if p < 2**50:
            found.append(float(p))
    assert len(found) > 20
    for isa in ISAS:
        check_turns(np.array(found), 1.0, isa)


# ---- tanh, 1 - tanh^2, log cosh -----------------------------------------------------------------


def check_hyperbolic(d: np.ndarray, theta: float, isa: int) -> None:
    h, q = fourier.tilted(d, theta, isa)
    logs = fourier.log_cosh(d, theta, isa)
    for x, a, b, c in zip(d, h, q, logs, strict=True):
        angle = exact(x) * exact(theta)
        tangent, rest = mpmath.tanh(angle), mpmath.sech(angle) ** 2
        log = angle + mpmath.log1p(mpmath.expm1(-2 * angle) / 2) if angle > 1e-25 else angle**2 / 2
        assert abs(exact(a) - tangent) <= fourier.TANH_ERROR * tangent + LEAST
        assert abs(exact(b) - rest) <= fourier.SECH2_ERROR * rest + LEAST
        assert abs(exact(c) - log) <= fourier.LOG_COSH_ERROR * log + LEAST
        assert 0 <= a <= 1
        assert 0 <= b <= 1


@pytest.mark.parametrize("isa", ISAS)
def test_hyperbolic_functions(isa):
    rng = np.random.default_rng(isa)
    for _ in range(several(1, 30)):
        check_hyperbolic(drawn(int(rng.integers(2**32)), 500), 10.0 ** rng.uniform(-5, 3), isa)
        check_hyperbolic(rng.uniform(0, 1.5, 500), 1.0, isa)
    check_hyperbolic(np.array(SPECIAL), 1.0, isa)


@examples(1000)
@given(d=st.floats(0, 1e9), theta=st.floats(0, 1e5))
def test_one_tilt(d, theta):
    check_hyperbolic(np.array([d]), theta, BEST)


@pytest.mark.parametrize("n", [0, 1, 255, 257, 5000])
def test_cumulants(n):
    d, theta = np.minimum(drawn(n, n), 1e3), 0.7
    logs, moments = mpmath.mpf(0), [mpmath.mpf(0)] * 3
    for x in map(exact, d):
        angle = x * exact(theta)
        logs += mpmath.log(mpmath.cosh(angle)) if angle > 1e-25 else angle**2 / 2
        rest = mpmath.sech(angle) ** 2
        for j, own in enumerate((x * mpmath.tanh(angle), rest * x**2, rest * x**4)):
            moments[j] += own
    found = {cumulants(d, theta, isa) for isa in ISAS}
    assert len(found) == 1
    k, error, *others, _ = found.pop()
    assert abs(exact(k) - logs) <= error <= 7e-15 * k + 1e-280
    errors = [fourier.TANH_ERROR + fourier.SUM_ERROR] + [
        fourier.SECH2_ERROR + fourier.SUM_ERROR
    ] * 2
    for own, true, bound in zip(others, moments, errors, strict=True):
        assert abs(exact(own) - true) <= bound * true + fourier.TINY


def test_a_million_small_terms_keep_their_digits():
    """Log cosh x = x^2 / 2 to 1e-13 for x = 1e-6."""
    k, error, *_ = cumulants(np.full(10**6, 1e-3), 1e-3, BEST)
    assert abs(k - 5e-7 * (1 - 1e-12 / 6)) <= error < 1e-14 * k


# ---- products -----------------------------------------------------------------------------------


def value(d: np.ndarray, theta: float, delta: float, k: int) -> mpmath.mpc:
    found = mpmath.mpc(1)
    for x in map(exact, d):
        angle = k * exact(delta) * x
        cos, sin = mpmath.cos_sin(angle)
        found *= mpmath.mpc(cos, mpmath.tanh(x * exact(theta)) * sin)
    return found


def check_products(d: np.ndarray, theta: float, delta: float, ks: list[int], isa: int) -> None:
    """Bounds hold for near and at; values depend neither on the range nor on the instructions."""
    h, _ = fourier.tilted(d, theta, isa)
    ways = [at(d, h, delta, np.array(ks), isa)]
    rows = [near(d, h, delta, max(k - k % 3, 0), 1 + k % 3, isa) for k in ks]
    ways.append(tuple(np.array([row[j][-1] for row in rows]) for j in range(3)))
    for re, im, error in ways:
        for k, a, b, bound in zip(ks, re, im, error, strict=True):
            assert abs(mpmath.mpc(exact(a), exact(b)) - value(d, theta, delta, k)) <= bound
            assert 0 < bound <= 1


def products(seed: int, isa: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    d = drawn(seed, n)
    d[0] = max(d[0], 1e-200)
    d = np.maximum(d / d.max(), rng.choice([0, 1e-3]))
    theta = 10.0 ** rng.uniform(-2, 1.5) / math.sqrt(np.square(d).sum())
    delta = 10.0 ** rng.uniform(-2, 0.5) / math.sqrt(np.square(d).sum())
    far = [int(k) for k in 10.0 ** rng.uniform(1, 9, 2)]
    check_products(d, theta, delta, [*rng.integers(0, 32, 4).tolist(), *far], isa)


@pytest.mark.parametrize("isa", ISAS)
def test_products(isa):
    for seed in range(several(60, 2000)):
        products(10**6 * isa + seed, isa)


def test_errors_of_many_items_are_relative_and_small():
    rng = np.random.default_rng(5)
    n = 5000
    d = rng.random(n)
    theta, delta = 3 / math.sqrt(n), 1.5 / math.sqrt(n)
    h, _ = fourier.tilted(d, theta, BEST)
    re, im, error = near(d, h, delta, 1, 10, BEST)
    for i, k in [(0, 1), (8, 9), (9, 10)]:
        true = value(d, theta, delta, k)
        assert abs(mpmath.mpc(exact(re[i]), exact(im[i])) - true) <= error[i]
        assert error[i] < 2e-11 * abs(true)


def test_products_beyond_all_accuracy_are_unknown():
    """Then |phi| <= 1 is all that is known; of angles, and of steps that have no digits left."""
    d, h = np.array([1.0, 0.3]), np.array([0.5, 0.2])
    beyond = np.array([1, 2, 2**62])
    for re, im, error in (near(d, h, 1e15, 1, 3, BEST), at(d, h, 1e300, beyond, BEST)):
        assert re.tolist() == im.tolist() == [0] * 3
        assert error.tolist() == [1] * 3
    error = near(np.array([1e290]), h[:1], 1e-305, 0, 3, BEST)[2]
    assert error.tolist() == [pytest.approx(0, abs=1e-13), 1, 1]


def test_products_of_nothing_and_of_zeros():
    for n in (0, 300):
        zeros = np.zeros(n)
        re, im, error = near(zeros, zeros, 1.0, 5, 30, BEST)
        assert set(re) == {1}
        assert set(im) == {0}
        assert n or error.max() < 1e-13


def test_products_that_no_double_holds_are_known_to_be_small():
    d = np.full(20000, math.pi / 2)
    h = np.full(20000, 1e-30)
    re, im, error = near(d, h, 1.0, 1, 1, BEST)
    assert abs(complex(re[0], im[0])) <= error[0] < 1e-8


# ---- cells --------------------------------------------------------------------------------------


def bounded(d, q, centre, half, share=1.0):
    """The bound by its definition: no sine falls below that of the distance to the next multiple of
    pi, less what the cell reaches.
    """
    y = np.multiply.outer(centre, d) / math.pi
    left = np.maximum(np.abs(y - np.rint(y)) - np.multiply.outer(half, d) / math.pi, 0)
    return np.sqrt(np.prod(1 - share * q * np.sin(math.pi * left) ** 2, axis=1))


def cell_case(seed: int, most: int = 200):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, most)), int(rng.integers(1, 400))
    d = drawn(seed, n)
    d[0] = max(d[0], 1e-200)
    d = d / d.max()
    q = 1 / np.cosh(d * 10.0 ** rng.uniform(-2, 1)) ** 2
    centre = 10.0 ** rng.uniform(-1, rng.choice([1, 4]), m)
    half = np.minimum(centre, 10.0 ** rng.uniform(-5, 0, m))
    half[rng.random(m) < 0.1] = 0
    return d, q, centre, half


@pytest.mark.parametrize("isa", ISAS)
def test_cells_are_bounded_as_defined(isa):
    """Never below, and above by no more than squares of sines lose by their polynomial."""
    for seed in range(several(15, 500)):
        d, q, centre, half = cell_case(seed)
        bound, used = fourier.cells(d, q, centre, half, 0.0, isa)
        expected, most = bounded(d, q, centre, half), bounded(d, q, centre, half, 0.9994)
        large = bound > 1e-75
        assert (bound >= expected * (1 - 1e-10))[large].all()
        assert (bound <= most * (1 + 1e-9))[large].all()
        assert (expected[~large] < 1e-75).all()
        assert (used[large] == len(d)).all()


@pytest.mark.parametrize("isa", ISAS)
def test_nothing_in_a_cell_is_above_its_bound(isa):
    """In mpmath, at both ends, in the middle and somewhere else."""
    rng = np.random.default_rng(isa)
    for seed in range(several(20, 1000)):
        d, _, centre, half = cell_case(10**6 + seed, 12)
        theta = 10.0 ** rng.uniform(-2, 1)
        _, q = fourier.tilted(d, theta, isa)
        bound, _ = fourier.cells(d, q, centre, half, 0.0, isa)
        for c in rng.integers(0, len(centre), 4):
            for where in (-1, 0, 1, rng.uniform(-1, 1)):
                t = exact(centre[c]) + exact(where) * exact(half[c])
                square = mpmath.mpf(1)
                for x in map(exact, d):
                    rest = mpmath.sech(x * exact(theta)) ** 2
                    square *= 1 - rest * mpmath.sin(t * x) ** 2
                assert mpmath.sqrt(square) <= exact(bound[c])


@pytest.mark.parametrize("below", [0.5, 1e-3, 1e-9])
def test_cells_take_no_more_items_than_they_need(below):
    for seed in range(5):
        d, q, centre, half = cell_case(seed)
        bound, used = fourier.cells(d, q, centre, half, below, BEST)
        done = bound < below
        assert (used[~done] == len(d)).all()
        assert ((used % fourier.GROUP == 0) | (used == len(d))).all()
        for c in np.flatnonzero(done)[:20]:
            own = [fourier.cells(d[:n], q[:n], centre[c : c + 1], half[c : c + 1], 0.0, BEST)[0][0]
                   for n in (used[c], max(0, used[c] - fourier.GROUP))]  # fmt: skip
            assert own[0] == bound[c]
            assert own[1] >= below


def test_cells_where_every_factor_is_nearly_zero():
    """A product that underflows is no bound."""
    d, q = np.ones(192), np.ones(192)
    bound, used = fourier.cells(d, q, np.array([math.pi / 2]), np.zeros(1), 0.0, BEST)
    assert 1e-150 < bound[0] < 1e-75
    assert used[0] == 2 * fourier.GROUP


def test_cells_at_frequencies_beyond_all_accuracy():
    d = np.array([1.0, 0.7, 1e-3])
    bound, _ = fourier.cells(d, d, np.array([1e17, 1e200, 1e300]), np.zeros(3), 0.0, BEST)
    assert bound.tolist() == [1] * 3


# ---- all instruction sets, threads, and what stops them -----------------------------------------


def everything(d, theta, delta, isa) -> list[bytes]:
    """The bits of all results."""
    h, q = fourier.tilted(d, theta, isa)
    centre = np.arange(1, 700) * (5 * delta)
    results = [h, q, np.array(cumulants(d, theta, isa))]
    results += near(d, h, delta, 2, 70, isa)
    results += at(d, h, delta, np.array([0, 1, 7, 100, 12345]), isa)
    results += fourier.cells(d, q, centre, centre / 1000, 1e-4, isa)
    return [np.asarray(own).tobytes() for own in results]


@pytest.mark.parametrize("n", [1, 15, 16, 17, 300, 4097])
def test_all_instruction_sets_give_the_same_bits(n):
    d = np.minimum(drawn(n, n), 50)
    expected = everything(d, 0.3, 0.21, 0)
    assert all(everything(d, 0.3, 0.21, isa) == expected for isa in ISAS)


def test_blocks_in_any_order_give_the_same_bits():
    n = 3 * fourier.BLOCK + 77
    d = np.minimum(drawn(n, n), 50)
    h, _ = fourier.tilted(d, 0.3, BEST)
    stop = np.zeros(1, dtype=np.int32)
    sums = np.empty((fourier.blocks(n), 10))
    in_a_row = np.empty((fourier.blocks(n), 2, 20))
    each = np.empty((fourier.blocks(n), 2, 3))
    row, k = np.arange(1, 21), np.array([3, 9, 1000])
    for start in (2, 0, 3, 1):
        start *= fourier.BLOCK
        to = min(start + fourier.BLOCK, n)
        fourier.cumulants_part(d, 0.3, start, to, BEST, stop, sums)
        fourier.products_part(d, h, 0.1, row, False, start, to, BEST, stop, in_a_row)
        fourier.products_part(d, h, 0.1, k, True, start, to, BEST, stop, each)
    assert fourier.cumulants(sums) == cumulants(d, 0.3, BEST)
    assert fourier.cumulants(sums)[-1] == pytest.approx(d.sum(), rel=1e-14)
    sizes = n, *fourier.sizes(d)
    assert sizes[1:] == pytest.approx((d.sum(), d.max()), rel=1e-12)
    expected = near(d, h, 0.1, 1, 20, BEST)
    np.testing.assert_array_equal(fourier.products(in_a_row, row, 0.1, *sizes, False), expected)
    expected = at(d, h, 0.1, k, BEST)
    np.testing.assert_array_equal(fourier.products(each, k, 0.1, *sizes, True), expected)


def test_a_stopped_run_knows_nothing():
    d = np.linspace(0.1, 1, 100)
    h, q = fourier.tilted(d, 1.0, BEST)
    stop = np.ones(1, dtype=np.int32)
    assert np.isnan(cumulants(d, 1.0, BEST, stop)).all()
    for re, im, error in (
        near(d, h, 0.1, 1, 3, BEST, stop),
        at(d, h, 0.1, np.arange(3), BEST, stop),
    ):
        assert re.tolist() == im.tolist() == [0] * 3
        assert error.tolist() == [1] * 3
    bound, _ = fourier.cells(d, q, np.ones(4), np.zeros(4), 0.0, BEST, stop)
    assert bound.tolist() == [1] * 4


ROOM, ROW, TWO = np.empty((1, 2, 2)), np.arange(3), np.arange(2)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda d, o: near(d, d[:2], 0.1, 1, 2, BEST), "differ in length"),
        (lambda d, o: near(d, d, 0.1, -1, 2, BEST), "below zero"),
        (lambda d, o: near(d, d, 0.1, 1, 0, BEST), "no frequencies"),
        (lambda d, o: at(d, d, 0.1, np.array([1, 3]), BEST, each=False), "not in a row"),
        (lambda d, o: fourier.products_part(d, d, 0.1, ROW, False, 0, 3, BEST, o, ROOM), "no room"),
        (lambda d, o: fourier.products_part(d, d, 0.1, TWO, True, 1, 3, BEST, o, ROOM), "whole"),
        (lambda d, o: fourier.cumulants_part(d, 0.1, 0, 3, BEST, o, np.empty((1, 9))), "room"),
        (lambda d, o: fourier.cells(d, d[:2], d, d, 0.1, BEST), "differ in length"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call(np.array([0.1, 0.2, 0.3]), np.zeros(1, dtype=np.int32))
