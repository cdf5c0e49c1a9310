"""Scores that are not integers, mapped once to integers.

Sums of doubles depend on the order of the addends, so two machines may disagree about a
tie. Integers do not. A score is taken as a rational number where that is plain to see:
0.25, 30.1, 2/3 and 5/7 are 25/100, 301/10, 2/3 and 5/7, and nothing is lost. Otherwise it
goes to 64-bit fixed point, and as a double stands for a real number known to one ulp only,
real ties are not visible in it (1/3 + 2/3 against 1): sums within the band ``tau`` of the
observed one count as ties. Where larger scores make that band so wide that it swallows what
decides the test, the scores are refused. ``docs/theory.md``, "Scores that are not integers".

The mean over strata, each counted alike (of tasks with different numbers of documents): with T
strata of n_t units it is the sum over units of score / (T n_t), a mean whose weights sum to the
same in every stratum. It is linear in the units, so the test that swaps units is that of any mean,
from the same swaps: unit i moves the difference by w_i d_i, where w_i is 1 / n_t up to a factor.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.data.units import LARGEST_SUM, unit_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Denominators that are tried, in this order.
DENOMINATORS = np.array([*range(1, 1001), *(10.0**k for k in range(4, 23))])

#: A double is near some k / q by accident with a probability of about 2 eps k. All of them
#: together must be less likely than 2^-EVIDENCE, and each must say something by itself.
EVIDENCE, LARGEST = 45, 2.0**-7

#: Values by which denominators are sorted out before all values are looked at.
SAMPLE = 64

#: Bits of the largest sum of absolute values.
BITS = 59

#: Relative errors that show: of a sum, where a finer grid is tried, and of a difference.
VISIBLE, SEEN = 2.0**-40, 2.0**-20

#: How many times its scores' ulps a difference is, if it is not a rounding error.
PLAIN = 2.0**10

#: Of a p-value, what lost differences may do to it; and the units by which that is judged.
HARMLESS, CHOSEN = 2.0**-7, 18

#: Integers below this are doubles.
EXACT_DOUBLES = 2**53


class Scaled(NamedTuple):
    """Scores of both systems in integers."""

    a: NDArray[np.int64]  #: a, b: the scores as multiples of `unit`.
    b: NDArray[np.int64]
    unit: Fraction  #: The value of 1.
    tau: int  #: Sums within tau of each other are ties; 0 where nothing was rounded.


def to_integers(a: NDArray[Any], b: NDArray[Any], keys: Sequence[Hashable] | None = None) -> Scaled:
    """Both systems' finite scores as integers; refuses those of very different size, where
    differences are lost that decide the test. What an ulp is depends on the type.
    """
    if a.dtype.kind == b.dtype.kind == "i":
        return Scaled(a, b, Fraction(1), 0)
    a, b = _as_float("a", a, b), _as_float("b", b, a)
    digits = np.repeat([digits_of(system) for system in (a, b)], len(a))
    values = np.concatenate([a, b], dtype=np.float64)
    ulps = np.concatenate([ulps_of(a), ulps_of(b)])
    denominator = _denominator(values, ulps, np.ldexp(1.0, 1 - digits))
    n = len(a)
    if denominator:
        multiples = np.rint(values * denominator).astype(np.int64)
        return Scaled(multiples[:n], multiples[n:], Fraction(1, denominator), 0)
    # |sum| < 2n max < 2^BITS, with max = m 2^e, m < 1.
    exponent = math.frexp(float(np.abs(values).max()))[1]
    point = _fixed_point(values, ulps, BITS - exponent - (2 * n).bit_length())
    if point.lost is not None or point.errors.max() > VISIBLE:  # by an outlier: the sum says more
        total = math.fsum(np.ldexp(np.abs(values), -exponent).tolist())
        point = _fixed_point(values, ulps, BITS - 1 - exponent - math.frexp(total)[1])
    if point.lost is not None:
        x, y = values.reshape(2, n)[:, point.lost].tolist()
        raise InputError(
            f"{unit_text(keys, point.lost)}: the difference of {x:.6g} and {y:.6g} "
            f"{_beside(values.reshape(2, n), keys)}"
        )
    blurred = _blurred(values.reshape(2, n), point)
    if blurred is not None:
        raise InputError(f"{'ab'[blurred]}: the mean {_beside(values.reshape(2, n), keys)}")
    return point.scaled


def _as_float(system: str, scores: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Integers beside scores that are none: in the other's type if it holds them, or doubles."""
    if scores.dtype.kind == "f":
        return scores
    check_exact(system, scores)
    with np.errstate(over="ignore"):
        same = scores.astype(other.dtype)
    return same if np.array_equal(same, scores) else scores.astype(np.float64)


def check_exact(system: str, scores: NDArray[Any]) -> None:
    """Refuse integers that are no doubles, beside scores that are none."""
    if scores.dtype.kind == "i" and np.abs(scores).max(initial=0) >= EXACT_DOUBLES:
        raise InputError(
            f"{system}: integers of 2^53 or more cannot be combined with scores that are not "
            "integers"
        )


def digits_of(scores: NDArray[Any]) -> int:
    """Binary digits of a type: a wider one than double is known to one ulp of a double."""
    return min(np.finfo(scores.dtype).nmant, 52) + 1


def ulps_of(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The ulps of scores in their own type, powers of two; 0 of zeros."""
    values = scores.astype(np.float64)
    least = max(float(np.finfo(scores.dtype).smallest_subnormal), 5e-324)
    ulps = np.ldexp(np.sign(np.abs(values)), np.frexp(values)[1] - digits_of(scores))
    return np.where(values != 0, np.maximum(ulps, least), 0.0)


class _FixedPoint(NamedTuple):
    """Values as multiples of 2^-shift; all that follows counts them."""

    scaled: Scaled  #: The answer.
    size: NDArray[np.float64]  #: The differences of the units, without sign.
    plain: NDArray[np.bool_]  #: Those that are not rounding errors of the unit's own scores.
    #: What the two scores of a unit are not known by: their ulps and their rounding.
    noise: NDArray[np.float64]
    #: What the rounding of single values makes of both systems' sums, relative.
    errors: NDArray[np.float64]
    lost: int | None  #: A unit whose difference cannot be held, and matters.


def _fixed_point(values: NDArray[np.float64], ulps: NDArray[np.float64], shift: int) -> _FixedPoint:
    n = len(values) // 2
    exact = np.ldexp(values, shift)
    rounded = np.rint(exact)
    moved = (rounded != exact).reshape(2, n).any(axis=0)
    integers = rounded.astype(np.int64)
    differing = values[:n] != values[n:]
    known = np.ldexp(ulps, shift).reshape(2, n)
    band = math.fsum(known[:, differing].ravel().tolist())
    # The sum was rounded, too; and two halves for the rounding of a unit's two scores.
    tau = math.ceil(math.nextafter(band, math.inf)) + int(np.count_nonzero(moved & differing))
    lost = np.abs((rounded - exact).reshape(2, n).sum(axis=1))
    errors = lost / np.maximum(np.abs(exact).reshape(2, n).sum(axis=1), 1)
    size = np.abs(exact[:n] - exact[n:])
    both = known.sum(axis=0)
    noise = np.where(differing, both + moved, 0.0)
    # In steps the least ones may vanish.
    with np.errstate(over="ignore"):
        plain = np.abs(values[:n] - values[n:]) > PLAIN * ulps.reshape(2, n).sum(axis=0)
    off = (rounded - exact)[:n] - (rounded - exact)[n:]
    drift = abs(float(off[plain].sum())) / max(float(size[plain].sum()), 2.0**-1000)
    scaled = Scaled(integers[:n], integers[n:], Fraction(2) ** -shift, tau)
    point = _FixedPoint(scaled, size, plain, noise, errors, None)
    if drift > SEEN:
        return point._replace(lost=int(np.argmax(plain * np.abs(off))))
    return point._replace(lost=_lost(point))


def _lost(point: _FixedPoint) -> int | None:
    """A unit whose difference is lost beside larger scores, where a p-value would show it."""
    # It is plain to see in the unit's own scores, but no more than what much less precise scores
    # of others are not known by. Such units can only decide trials in which the others nearly
    # reach the observed difference, so they do no harm where these are a small share.
    size, noise, plain = point.size, point.noise, point.plain
    if not plain.any() or float(size[plain].min()) > point.scaled.tau:
        return None
    # The noise of those for which this difference is less than PLAIN times their own.
    order = np.sort(noise)
    above = np.append(np.cumsum(order[::-1])[::-1], 0.0)
    around = above[np.searchsorted(order, size / PLAIN)]
    lost = plain & (around >= size)
    if not lost.any() or 2 * _concentration(size, lost) <= HARMLESS:
        return None
    return int(np.flatnonzero(lost)[np.argmax(size[lost])])


def _concentration(size: NDArray[np.float64], lost: NDArray[np.bool_]) -> float:
    """The largest share of swaps of other units whose sums are as near to each other as four
    standard deviations of the lost ones; of some of them, which is no less.
    """
    others = np.sort(size[~lost & (size > 0)])
    few = others[np.linspace(0, len(others) - 1, min(len(others), CHOSEN)).astype(int)]
    sums = np.zeros(1)
    for step in few.tolist():
        sums = np.concatenate([sums, sums + step])
    sums.sort()
    width = 2 * math.sqrt(math.fsum((size[lost] ** 2).tolist()))
    last = np.searchsorted(sums, sums + width, side="right")
    return float((last - np.arange(len(sums))).max()) / len(sums)


def _blurred(values: NDArray[np.float64], point: _FixedPoint) -> int | None:
    """The system whose mean would be printed wrong, beside larger scores of the other."""
    # One whose scores are all nothing but rounding errors of others has no mean to print.
    if point.errors.max() <= SEEN:
        return None
    sizes = np.sort(np.abs(values[values != 0]))
    usual = float(sizes[(len(sizes) - 1) // 2])
    with np.errstate(over="ignore", invalid="ignore"):  # of the system with the larger scores
        means = np.ldexp(values, -math.frexp(usual)[1]).mean(axis=1)
    wrong = (point.errors > SEEN) & (np.abs(means) > SEEN)
    return int(np.argmax(wrong)) if wrong.any() else None


def _beside(values: NDArray[np.float64], keys: Sequence[Hashable] | None) -> str:
    largest = int(np.argmax(np.abs(values).max(axis=0)))
    system = "ab"[int(np.argmax(np.abs(values[:, largest])))]
    return (
        f"is lost beside {system}'s score of {float(np.abs(values).max()):.6g} for "
        f"{unit_text(keys, largest)}; leave such scores out, or give ranks, logarithms or integers"
    )


def _denominator(
    values: NDArray[np.float64], ulps: NDArray[np.float64], eps: NDArray[np.float64]
) -> int:
    """The least denominator of which all values are multiples to one ulp; 0 if none is."""
    largest = float(np.abs(values).max(initial=0))
    total = largest * len(values)
    if bool((values == np.rint(values)).all()) and (
        total < 2.0**BITS
        or (largest < 2.0**BITS and math.fsum(np.abs(values).tolist()) < 2.0**BITS)
    ):
        return 1
    if largest >= 2.0**53:
        return 0
    first = _common(values, ulps, eps)
    if not first:
        return 0
    nonzero = np.flatnonzero(values)
    multiples = np.rint(values * first)
    different, where = np.unique(np.abs(multiples[nonzero]), return_index=True)
    accident = np.minimum(2 * eps[nonzero][where] * different, 1.0)
    evidence = -float(np.log2(accident).sum())
    return int(first) if evidence >= EVIDENCE and total * first < 2.0**BITS else 0


def _common(
    values: NDArray[np.float64], ulps: NDArray[np.float64], eps: NDArray[np.float64]
) -> float:
    """The least denominator of which all values are multiples to one ulp, by accident or not; 0 if
    none is. One of some values and others is one of these alone.
    """
    nonzero = np.flatnonzero(values)
    chosen = nonzero[np.linspace(0, len(nonzero) - 1, min(SAMPLE, len(nonzero))).astype(int)]
    candidates = DENOMINATORS
    while candidates.size:
        multiples = np.rint(values[chosen] * candidates[:, None])
        near = np.abs(multiples / candidates[:, None] - values[chosen]) <= ulps[chosen]
        near &= (np.abs(multiples) * eps[chosen] <= LARGEST) & (multiples != 0)
        candidates = candidates[near.all(axis=1)]
        if not candidates.size:
            return 0.0
        first = float(candidates[0])
        multiples = np.rint(values * first)
        near = np.abs(multiples / first - values) <= ulps
        near &= (np.abs(multiples) * eps <= LARGEST) & ((multiples != 0) | (values == 0))
        if bool(near.all()):
            return first
        chosen = np.append(chosen, np.argmin(near))  # it rules out this one and many others
    return 0.0


#: Numbers of which everything is kept: 25 bytes each.
KEPT = 2**22

#: Bits of sums of powers of two that doubles hold, whatever their order.
HELD = 52


class _System(NamedTuple):
    """A system in steps of 2^-shift."""

    exact: NDArray[np.float64]  #: exact, known: the scores, and their ulps.
    known: NDArray[np.float64]
    whole: NDArray[np.int64]  #: Rounded.
    moved: NDArray[np.bool_]  #: Whether that changed them.
    error: float  #: What it made of the sum, relative.
    sum_known: float  #: The sum of `known`.
    #: low, high: exponents of the smallest and the largest in `known`; 0 if there are none.
    low: int
    high: int
    vanished: bool  #: Whether some are so small that they are 0 in these steps.


class PairIntegers:
    """The integers of every pair of systems, without a look at each system once for every pair."""

    # `to_integers` looks at two systems together. Where one of them has scores that no denominator
    # fits, as real scores have, most of what it computes are sums of what each system has by
    # itself, in steps that depend on the larger of two numbers only. These are kept.

    def __init__(self, rows: Sequence[NDArray[Any]]) -> None:
        self.rows = rows
        #: Whether no denominator can be found for a system, whatever others it is beside; and its
        #: own, 0 where that has to be asked of both.
        self._real, self._denominators = [], []
        for scores in rows:
            values, real, own = scores.astype(np.float64), False, 0
            if scores.dtype.kind == "f":
                eps = np.full(len(values), math.ldexp(1.0, 1 - digits_of(scores)))
                whole = bool((values == np.rint(values)).all())
                real = not whole and not _common(values, ulps_of(scores), eps)
                own = 0 if real else _denominator(values, ulps_of(scores), eps)
            self._real.append(real)
            self._denominators.append(own)
        self._largest = [float(np.abs(scores).max(initial=0)) for scores in rows]
        # Zero has the least exponent of all.
        self._exponents = [math.frexp(top)[1] if top else -5000 for top in self._largest]
        self._kept: dict[tuple[int, int], _System] = {}

    def of(self, j: int, k: int) -> Scaled | None:
        """What `to_integers` says of two systems; None where it has to be asked."""
        one, other = self.rows[j], self.rows[k]
        if one.dtype.kind != "f" or other.dtype.kind != "f":
            return None
        n = len(one)
        if not (self._real[j] or self._real[k]):
            # Multiples of two small fractions are of no other but their common one, for certain
            # where an ulp is far less than the least difference of such, 10^-6.
            common = math.lcm(self._denominators[j], self._denominators[k])
            if not 0 < common <= 1000 or max(self._largest[j], self._largest[k]) * n >= 2.0**24:
                return None
            both = np.rint(np.stack([one, other]).astype(np.float64) * common).astype(np.int64)
            return Scaled(both[0], both[1], Fraction(1, common), 0)
        shift = BITS - max(self._exponents[j], self._exponents[k]) - (2 * n).bit_length()
        a, b = self._at(j, shift), self._at(k, shift)
        if max(a.error, b.error) > VISIBLE / 2 or a.vanished or b.vanished:
            return None
        size = np.abs(a.exact - b.exact)
        plain = size > PLAIN * (a.known + b.known)
        # What the scores of units that differ are not known by, if doubles hold it.
        if max(a.high, b.high) - min(a.low, b.low) + (2 * n).bit_length() > HELD:
            return None
        same = a.exact == b.exact
        band = a.sum_known + b.sum_known
        band -= float(a.known[same].sum()) + float(b.known[same].sum())
        tau = math.ceil(math.nextafter(band, math.inf))
        tau += int(np.count_nonzero((a.moved | b.moved) & ~same))
        # Nothing is lost: no difference that shows is within the band, nor is rounding one that
        # shows, as it is at most one a unit.
        if float(size.min(where=plain, initial=math.inf)) <= max(tau, 2 / SEEN):
            return None
        return Scaled(a.whole, b.whole, Fraction(2) ** -shift, tau)

    def _at(self, i: int, shift: int) -> _System:
        if (i, shift) in self._kept:
            return self._kept[i, shift]
        scores = self.rows[i]
        exact = np.ldexp(scores.astype(np.float64), shift)
        rounded = np.rint(exact)
        known = np.ldexp(ulps_of(scores), shift)
        exponents = np.frexp(known[known > 0])[1]
        low, high = (int(exponents.min()), int(exponents.max())) if len(exponents) else (0, 0)
        error = abs(float((rounded - exact).sum())) / max(float(np.abs(exact).sum()), 1.0)
        system = _System(
            exact, known, rounded.astype(np.int64), rounded != exact, error, float(known.sum()),
            low, high, bool(((known == 0) & (scores != 0)).any()),
        )  # fmt: skip
        if (len(self._kept) + 1) * len(scores) <= KEPT:
            self._kept[i, shift] = system
        return system


#: Bits of one of many systems' sum of absolute values.
SUMMED_BITS = 50


class OnGrid(NamedTuple):
    """Many systems' scores as integers, all in the same steps."""

    #: Multiples of one step; where scores are rounded, of their differences from the first system.
    values: NDArray[np.int64]
    exact: bool  #: Whether nothing was rounded.
    #: By how many steps a system's sum may be off, whatever units are taken; 0 if it is exact.
    blur: NDArray[np.float64]


def on_grid(rows: Sequence[NDArray[Any]]) -> OnGrid:
    """Scores in the same steps, small enough to be summed in doubles."""
    table = np.stack(rows, axis=1)
    flat = np.ascontiguousarray(table).reshape(-1)
    scaled = to_integers(flat, flat)
    integers = scaled.a.reshape(table.shape)
    # Taken as multiples of a fraction, not of a power of two? Larger integers need not be doubles.
    unit, largest = scaled.unit, int(DENOMINATORS[-1])
    exact = unit.numerator == 1 and unit.denominator <= largest
    exact = exact and unit.denominator in DENOMINATORS
    if exact:
        near = np.abs(scaled.a * float(unit) - flat) <= np.spacing(np.abs(flat))
        exact = bool(near.all())
    if not exact:
        integers = integers - integers[:, :1]  # large scores that all have in common are nothing
    size = np.abs(integers.astype(np.float64)).sum(axis=0).max(initial=0)
    if shift := max(0, int(np.frexp(size)[1]) - SUMMED_BITS):
        integers, exact = (integers + (1 << (shift - 1))) >> shift, False
    blur = np.zeros(len(rows))
    if not exact:
        step = scaled.unit * (1 << shift)  # which a double need not hold
        # A double stands for a number known to one ulp; and each was rounded at most twice.
        ulps = (float(np.spacing(np.abs(scores)).sum(dtype=np.float64)) for scores in rows)
        blur += [float(Fraction(ulp) / step) for ulp in ulps]
        blur += len(table)
    return OnGrid(integers, exact, blur)


#: What tau is multiplied by where weights are rounded.
ROUNDED = 4

#: Of 1, in the column of rounded weights: of them only the width of an interval knows.
PARTS = 2**20


class Weighted(NamedTuple):
    """Scores and weights of both systems in integers, (units, 2), as a comparison takes them."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    scale: tuple[Fraction, Fraction]
    tau: int


def weighted(a: NDArray[Any], b: NDArray[Any], strata: Sequence[Hashable]) -> Weighted:
    """Two systems' scores, weighted so that every stratum counts alike."""
    # Scores that are rational get whole weights, L / n_t with L the least common multiple of the
    # n_t: sums are exact, and so are ties. Where these do not fit, and for scores known to an ulp
    # only, w = N / (T n_t) is a double (N units: the weights have the mean 1) and w s goes to fixed
    # point like any real score. Ties are then within tau, which has to cover the product: for s
    # known to 1 ulp(s), w ulp(s) < 2 ulp(ws), and rounding w and ws adds at most 2^-53 |ws| <=
    # ulp(ws) each. That is less than 4 ulp(ws), where tau allows one for a score: four times tau is
    # enough, and p is never too small.
    names = list(dict.fromkeys(strata))
    number = {name: i for i, name in enumerate(names)}
    places = np.array([number[name] for name in strata], dtype=np.intp)
    sizes = np.bincount(places)
    multiple = math.lcm(*sizes.tolist())
    one, other, value, tau = to_integers(a, b)
    total = sum(int(np.abs(scores).sum(dtype=np.float64)) for scores in (one, other)) + len(places)
    if not tau and multiple * total < LARGEST_SUM * int(sizes.min()):
        weights = (multiple // sizes)[places]
        rows = [np.stack([scores * weights, weights], axis=-1) for scores in (one, other)]
        return Weighted(rows[0], rows[1], (value, Fraction(1)), 0)
    shares = (len(places) / (len(names) * sizes))[places]
    one, other, value, tau = to_integers(a * shares, b * shares)
    parts = np.rint(shares * PARTS).astype(np.int64)
    rows = [np.stack([scores, parts], axis=-1) for scores in (one, other)]
    # The sum of weights is the number of units, not what it is rounded to.
    scale = (value, Fraction(len(places), int(parts.sum())))
    return Weighted(rows[0], rows[1], scale, ROUNDED * tau)


#: Splits the 53 bits of a double into 26 and 27.
_HALVES = 2.0**27 + 1


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum, and what rounding took from it (Knuth)."""
    total = a + b
    taken = total - a
    return total, (a - (total - taken)) + (b - taken)


def _split(a: Array | float) -> tuple[Array | float, Array | float]:
    large = _HALVES * a
    high = large - (large - a)
    return high, a - high


class Pairs(NamedTuple):
    """Arrays of pairs of doubles: twice the digits, where large integers nearly cancel."""

    # Sums of scores in fixed point reach 2^61, and two systems' differ in the last bits of them. A
    # pair (high, low) stands for high + low, about 100 bits; the operations are the error-free ones
    # of Dekker (1971, Numerische Mathematik 18:224) and Knuth (The Art of Computer Programming,
    # 4.2.2).

    high: Array
    low: Array

    @classmethod
    def of(cls, integers: NDArray[np.int64]) -> Pairs:
        """Integers below 2^62, exactly."""
        high = integers.astype(np.float64)
        return cls(high, (integers - high.astype(np.int64)).astype(np.float64))

    def times(self, factor: Fraction) -> Pairs:
        """Their products with a number."""
        high = float(factor)
        low = float(factor - Fraction(high))
        # The rounded product, and what rounding took from it (Dekker).
        product = self.high * high
        (large, small), (over, under) = _split(self.high), _split(high)
        rest = small * under - (((product - large * over) - small * over) - large * under)
        return Pairs(*_sum(product, rest + (self.high * low + self.low * high)))

    def minus(self, other: Pairs) -> Pairs:
        """Their differences."""
        total, rest = _sum(self.high, -other.high)
        below, last = _sum(self.low, -other.low)
        total, rest = _sum(total, rest + below)
        return Pairs(*_sum(total, rest + last))
