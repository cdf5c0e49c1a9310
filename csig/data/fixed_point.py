"""Scores that are not integers, mapped once to integers.

Sums of doubles depend on the order of the addends, so two machines may disagree about a
tie. Integers do not. A score is taken as a rational number where that is plain to see:
0.25, 30.1, 2/3 and 5/7 are 25/100, 301/10, 2/3 and 5/7, and nothing is lost. Otherwise it
goes to 64-bit fixed point, and as a double stands for a real number known to one ulp only,
real ties are not visible in it (1/3 + 2/3 against 1): sums within the band ``tau`` of the
observed one count as ties. Where larger scores make that band so wide that it swallows what
decides the test, the scores are refused. ``docs/theory.md``, "Scores that are not integers".
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    a, b = _as_float("a", a, b), _as_float("b", b, a)
    digits = np.repeat([digits_of(system) for system in (a, b)], len(a))
    values = np.concatenate([a, b], dtype=np.float64)
    ulps = np.concatenate([ulps_of(a), ulps_of(b)])
    denominator = _denominator(values, ulps, np.ldexp(1.0, 1 - digits))
    n = len(a)
    if denominator:
        whole = np.rint(values * denominator).astype(np.int64)
        return Scaled(whole[:n], whole[n:], Fraction(1, denominator), 0)
    # |sum| < 2n max < 2^BITS, with max = m 2^e, m < 1.
    exponent = math.frexp(float(np.abs(values).max()))[1]
    found = _fixed_point(values, ulps, BITS - exponent - (2 * n).bit_length())
    if found.lost is not None or found.errors.max() > VISIBLE:  # by an outlier: the sum says more
        total = math.fsum(np.ldexp(np.abs(values), -exponent).tolist())
        found = _fixed_point(values, ulps, BITS - 1 - exponent - math.frexp(total)[1])
    if found.lost is not None:
        raise _refusal(values.reshape(2, n), found.lost, keys)
    blurred = _blurred(values.reshape(2, n), found)
    if blurred is not None:
        raise InputError(f"{'ab'[blurred]}: the mean {_beside(values.reshape(2, n), keys)}")
    return found.scaled


def _as_float(system: str, scores: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Integers beside scores that are none: in the other's type if it holds them, or doubles."""
    if scores.dtype.kind == "f":
        return scores
    if np.abs(scores).max(initial=0) >= EXACT_DOUBLES:
        raise InputError(
            f"{system}: integers of 2^53 or more cannot be combined with scores that are not "
            "integers"
        )
    with np.errstate(over="ignore"):
        same = scores.astype(other.dtype)
    return same if np.array_equal(same, scores) else scores.astype(np.float64)


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
    whole = rounded.astype(np.int64)
    differing = values[:n] != values[n:]
    known = np.ldexp(ulps, shift).reshape(2, n)
    band = math.fsum(known[:, differing].ravel().tolist())
    # The sum was rounded, too; and two halves for the rounding of a unit's two scores.
    tau = math.ceil(math.nextafter(band, math.inf)) + int(np.count_nonzero(moved & differing))
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
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
    found = _FixedPoint(Scaled(whole[:n], whole[n:], unit, tau), size, plain, noise, errors, None)
    if drift > SEEN:
        return found._replace(lost=int(np.argmax(plain * np.abs(off))))
    return found._replace(lost=_lost(found))


# ---- scores of very different size ----------------------------------------------------------


def _lost(found: _FixedPoint) -> int | None:
    """A unit whose difference is lost beside larger scores, where a p-value would show it."""
    # It is plain to see in the unit's own scores, but no more than what much less precise scores
    # of others are not known by. Such units can only decide trials in which the others nearly
    # reach the observed difference, so they do no harm where these are a small share.
    size, noise, plain = found.size, found.noise, found.plain
    if not plain.any() or float(size[plain].min()) > found.scaled.tau:
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


def _blurred(values: NDArray[np.float64], found: _FixedPoint) -> int | None:
    """The system whose mean would be printed wrong, beside larger scores of the other."""
    # One whose scores are all nothing but rounding errors of others has no mean to print.
    if found.errors.max() <= SEEN:
        return None
    sizes = np.sort(np.abs(values[values != 0]))
    usual = float(sizes[(len(sizes) - 1) // 2])
    with np.errstate(over="ignore", invalid="ignore"):  # of the system with the larger scores
        means = np.ldexp(values, -math.frexp(usual)[1]).mean(axis=1)
    wrong = (found.errors > SEEN) & (np.abs(means) > SEEN)
    return int(np.argmax(wrong)) if wrong.any() else None


def _refusal(
    values: NDArray[np.float64], place: int, keys: Sequence[Hashable] | None
) -> InputError:
    """What is lost, and beside what."""
    a, b = values[:, place].tolist()
    unit = _unit(place, keys)
    return InputError(f"{unit}: the difference of {a:.6g} and {b:.6g} {_beside(values, keys)}")


def _beside(values: NDArray[np.float64], keys: Sequence[Hashable] | None) -> str:
    largest = int(np.argmax(np.abs(values).max(axis=0)))
    system = "ab"[int(np.argmax(np.abs(values[:, largest])))]
    return (
        f"is lost beside {system}'s score of {float(np.abs(values).max()):.6g} for "
        f"{_unit(largest, keys)}; leave such scores out, or give ranks, logarithms or integers"
    )


def _unit(place: int, keys: Sequence[Hashable] | None) -> str:
    return f"unit {place if keys is None else repr(keys[place])}"


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
    whole = np.rint(values * first)
    different, where = np.unique(np.abs(whole[nonzero]), return_index=True)
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
        whole = np.rint(values[chosen] * candidates[:, None])
        near = np.abs(whole / candidates[:, None] - values[chosen]) <= ulps[chosen]
        near &= (np.abs(whole) * eps[chosen] <= LARGEST) & (whole != 0)
        candidates = candidates[near.all(axis=1)]
        if not candidates.size:
            return 0.0
        first = float(candidates[0])
        whole = np.rint(values * first)
        near = np.abs(whole / first - values) <= ulps
        near &= (np.abs(whole) * eps <= LARGEST) & ((whole != 0) | (values == 0))
        if bool(near.all()):
            return first
        chosen = np.append(chosen, np.argmin(near))  # it rules out this one and many others
    return 0.0


def never_rational(scores: NDArray[Any]) -> bool:
    """Whether no denominator can be found for these scores, whatever others they are beside."""
    values = scores.astype(np.float64)
    if bool((values == np.rint(values)).all()):
        return False
    eps = np.full(len(values), math.ldexp(1.0, 1 - digits_of(scores)))
    return not _common(values, ulps_of(scores), eps)
