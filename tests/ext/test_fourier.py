"""The fourier kernels: every bound against mpmath, every lemma on a polynomial in fractions."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from drawn import several

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


def error(name: str, series: Callable[[int], Fraction], ends: tuple[Fraction, ...], n: int = 24):
    """Bounds on a series of n terms less a polynomial, between any two of these ends."""
    rest = [series(j) for j in range(n)]
    for j, c in enumerate(fourier.polynomials()[name]):
        rest[j] -= Fraction(c)
    lows, highs = zip(*(bernstein(rest, a, b) for a, b in pairwise(ends)), strict=True)
    return min(lows), max(highs)


def test_polynomials_are_what_the_lemmas_say():
    """The terms of the series that are left out are below 1e-22."""
    f = math.factorial
    quarter = Fraction(*(float(mpmath.pi / 2) * (1 + 4 * U)).as_integer_ratio()) ** 2
    half_log, top = Fraction(math.log(2) / 2 * (1 + 1e-9)), Fraction(129, 10000)
    assert math.tanh(0.35) ** 4 < top
    assert (math.exp(-1.4) / (2 + math.exp(-1.4))) ** 2 < top
    for name, series, low, high, scale, most in (
        ("sine", lambda j: Fraction((-1) ** (j + 1), f(2 * j + 3)), 0, quarter, quarter, 0.22),
        ("versine", lambda j: Fraction((-1) ** j, f(2 * j + 2)), 0, quarter, quarter**0.5, 0.22),
        ("growth", lambda j: Fraction(1, f(j + 2)), -half_log, half_log, half_log, 0.01),
        ("artanh", lambda j: Fraction(1, 2 * j + 3), 0, top, top, 0.03),
    ):
        ends = tuple(low + (high - low) * Fraction(i, 8) for i in range(9))
        assert max(map(abs, error(name, series, ends))) * scale < most * U, name
    pi = Fraction(int(mpmath.floor(mpmath.pi * 2**100)), 2**100)
    least, most = error(  # of sin(pi r) / r, in r^2
        "below_sine", lambda j: pi ** (2 * j + 1) * (-1) ** j / f(2 * j + 1),
        tuple(Fraction(i, 256) for i in range(65)), 13,
    )  # fmt: skip
    assert Fraction(1, 2**26) < least
    assert most < Fraction(6, 10000)


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


def test_turns():
    for seed in range(several(3, 150)):
        check_turns(*angles(seed, 1000), BEST)
    for t in (1.0, 1e-300):
        check_turns(np.array(SPECIAL[:-1]), t, BEST)
    # Numerators of the continued fraction of pi / 2: doubles hardly tell them from its multiples.
    value, close, before = mpmath.pi / 2, 1, 0
    near_multiples = []
    while close < 2**50:
        whole = int(mpmath.floor(value))
        close, before = whole * close + before, close
        near_multiples.append(float(close))
        value = 1 / (value - whole)
    assert len(near_multiples) > 20
    check_turns(np.array(near_multiples[:-1]), 1.0, BEST)


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


def test_hyperbolic_functions():
    rng = np.random.default_rng(1)
    for _ in range(several(2, 90)):
        check_hyperbolic(drawn(int(rng.integers(2**32)), 500), 10.0 ** rng.uniform(-5, 3), BEST)
        check_hyperbolic(rng.uniform(0, 1.5, 500), 1.0, BEST)
    check_hyperbolic(np.array(SPECIAL), 1.0, BEST)


@pytest.mark.parametrize("n", [0, 1, 255, 257, 2000])
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
    k, error, *_ = cumulants(np.full(10**6, 1e-3), 1e-3, BEST)  # log cosh x = x^2 / 2 to 1e-13
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


@pytest.mark.parametrize("seed", range(several(30, 2000)))
def test_products(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    d = drawn(seed, n)
    d[0] = max(d[0], 1e-200)
    d = np.maximum(d / d.max(), rng.choice([0, 1e-3]))
    theta = 10.0 ** rng.uniform(-2, 1.5) / math.sqrt(np.square(d).sum())
    delta = 10.0 ** rng.uniform(-2, 0.5) / math.sqrt(np.square(d).sum())
    far = [int(k) for k in 10.0 ** rng.uniform(1, 9, 2)]
    check_products(d, theta, delta, [*rng.integers(0, 32, 4).tolist(), *far], BEST)


def test_products_of_many_items_and_at_the_ends_of_doubles():
    n = 1000
    d, theta, delta = np.random.default_rng(5).random(n), 3 / math.sqrt(n), 1.5 / math.sqrt(n)
    re, im, error = near(d, fourier.tilted(d, theta, BEST)[0], delta, 1, 10, BEST)
    for i, k in [(0, 1), (8, 9), (9, 10)]:
        true = value(d, theta, delta, k)
        assert abs(mpmath.mpc(exact(re[i]), exact(im[i])) - true) <= error[i]
        assert error[i] < 2e-11 * abs(true)
    # Beyond all accuracy |phi| <= 1 is all that is known: of angles, and of steps without digits.
    d, h = np.array([1.0, 0.3]), np.array([0.5, 0.2])
    beyond = np.array([1, 2, 2**62])
    for re, im, error in (near(d, h, 1e15, 1, 3, BEST), at(d, h, 1e300, beyond, BEST)):
        assert re.tolist() == im.tolist() == [0] * 3
        assert error.tolist() == [1] * 3
    error = near(np.array([1e290]), h[:1], 1e-305, 0, 3, BEST)[2]
    assert error.tolist() == [pytest.approx(0, abs=1e-13), 1, 1]
    for n in (0, 300):
        re, im, error = near(np.zeros(n), np.zeros(n), 1.0, 5, 30, BEST)
        assert (set(re), set(im)) == ({1}, {0})
        assert n or error.max() < 1e-13
    re, im, error = near(np.full(20000, math.pi / 2), np.full(20000, 1e-30), 1.0, 1, 1, BEST)
    assert abs(complex(re[0], im[0])) <= error[0] < 1e-8  # no double holds it


# ---- cells --------------------------------------------------------------------------------------


def bounded(d, q, centre, half, share=1.0):
    """By definition: no sine is below that of the distance to multiples of pi, less the cell's."""
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


def test_cells_are_bounded_as_defined():
    """Never below, and above by no more than squares of sines lose by their polynomial."""
    for seed in range(several(15, 500)):
        d, q, centre, half = cell_case(seed)
        bound, used = fourier.cells(d, q, centre, half, 0.0, BEST)
        expected, most = bounded(d, q, centre, half), bounded(d, q, centre, half, 0.9994)
        large = bound > 1e-75
        assert (bound >= expected * (1 - 1e-10))[large].all()
        assert (bound <= most * (1 + 1e-9))[large].all()
        assert (expected[~large] < 1e-75).all()
        assert (used[large] == len(d)).all()


def test_nothing_in_a_cell_is_above_its_bound():
    """In mpmath, at both ends, in the middle and somewhere else."""
    rng = np.random.default_rng(0)
    for seed in range(several(20, 1000)):
        d, _, centre, half = cell_case(10**6 + seed, 12)
        theta = 10.0 ** rng.uniform(-2, 1)
        _, q = fourier.tilted(d, theta, BEST)
        bound, _ = fourier.cells(d, q, centre, half, 0.0, BEST)
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


def test_cells_of_tiny_factors_and_at_far_frequencies():
    """A product that underflows is no bound."""
    d = np.ones(192)
    bound, used = fourier.cells(d, d, np.array([math.pi / 2]), np.zeros(1), 0.0, BEST)
    assert 1e-150 < bound[0] < 1e-75
    assert used[0] == 2 * fourier.GROUP
    d = np.array([1.0, 0.7, 1e-3])
    bound, _ = fourier.cells(d, d, np.array([1e17, 1e200, 1e300]), np.zeros(3), 0.0, BEST)
    assert bound.tolist() == [1] * 3


# ---- all instruction sets, threads, and what stops them -----------------------------------------


def everything(d, theta, delta, isa) -> list[bytes]:
    """The bits of all results."""
    h, q = fourier.tilted(d, theta, isa)
    centre = np.arange(1, 700) * (5 * delta)
    results = [h, q, np.array(cumulants(d, theta, isa)), fourier.log_cosh(d, theta, isa)]
    results += fourier.turns(d, delta, isa)
    results += near(d, h, delta, 2, 70, isa)
    results += at(d, h, delta, np.array([0, 1, 7, 100, 12345]), isa)
    results += fourier.cells(d, q, centre, centre / 1000, 1e-4, isa)
    return [np.asarray(own).tobytes() for own in results]


def test_all_instruction_sets_give_the_same_bits():
    """So that the other tests are of one of them."""
    many = [np.minimum(drawn(n, n), 50) for n in (1, 15, 16, 17, 300, 4097)]
    for d in (*many, np.array(SPECIAL), np.array(SPECIAL[:-5]), *(drawn(s, 500) for s in range(9))):
        expected = everything(d, 0.3, 0.21, 0)
        assert all(everything(d, 0.3, 0.21, isa) == expected for isa in ISAS)


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
