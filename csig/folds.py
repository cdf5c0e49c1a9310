"""Tests on the folds of a cross-validation, or on repeated random splits.

Both systems are trained and scored on the same splits, and every split gives a difference. The
splits share training data, so that the differences are not independent: a plain t test on
them finds too much. The tests here differ in how they make up for that.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.names import checked_names
from csig.errors import InputError
from csig.paired import t_pvalue
from csig.probability.student import t_quantile
from csig.shown import Shown
from csig.validation import Alternative, between, check_alternative
from csig.wording import counted, pvalue

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "FoldTestResult",
    "cv52_f_test",
    "cv52_t_test",
    "kfold_t_test",
    "resampled_t_test",
]

#: Differences that are closer than this, relative to the largest score, are rounding errors.
ROUNDING = 2.0**-46

#: The squares of such scores are not doubles any more.
LARGEST = 1e150


@dataclass(frozen=True, kw_only=True, repr=False)
class FoldTestResult(Shown):
    """The result of a test on the folds of a cross-validation."""

    test: str  #: "corrected resampled t", "k-fold t", "5x2cv t" or "5x2cv F".
    n_folds: int  #: Differences, one for each split.
    difference: float  #: Their mean, A's scores minus B's.
    #: Of the difference as this test has it; None for the tests on five replications.
    standard_error: float | None
    statistic: float  #: t or F; 0 if all differences are zero.
    df: tuple[int, ...]  #: Degrees of freedom: one number for t, two for F.
    pvalue: float  #: 1 if all differences are zero.
    #: For the difference, two-sided; None for the tests on five replications.
    interval: tuple[float, float] | None
    confidence_level: float | None  #: Of the interval.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    assumes: str  #: What the test assumes, in plain words.
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = self.names
        letter = self.test[-1]
        found = f"{self.test} test: {a} - {b} = {self.difference:+.4g}, {letter} = "
        return f"{found}{self.statistic:.4g}, p = {pvalue(self.pvalue)} ({self.n_folds} folds)"


class _Given(NamedTuple):
    """The differences as exact fractions, and what is too small to show."""

    differences: list[Fraction]
    zero: bool
    noise: float


def _array(name: str, values: object) -> Any:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{name}: some of its values are masked")
    try:
        found = np.asarray(values)
    except ValueError:
        raise InputError(f"{name}: its rows have different lengths; give one number per fold") \
            from None  # fmt: skip
    if found.dtype.kind not in "iufb":
        raise InputError(f"{name} must hold numbers, found {found.dtype}")
    found = found.astype(np.float64)
    bad = np.argwhere(~np.isfinite(found))
    if len(bad):
        place = ", ".join(map(str, bad[0].tolist()))
        raise InputError(
            f"{name}[{place}] is {found[tuple(bad[0])]}; give a finite score for every fold"
        )
    large = np.argwhere(np.abs(found) >= LARGEST)
    if len(large):
        place = ", ".join(map(str, large[0].tolist()))
        value = found[tuple(large[0])]
        raise InputError(f"{name}[{place}] is {value}; scores of 1e150 or more cannot be squared")
    return found


def _given(a: object, b: object | None, shape: tuple[int, int] | None) -> _Given:
    """The differences of one array, or of two with the same shape."""
    first = _array("a", a)
    second = None if b is None else _array("b", b)
    if second is not None and first.shape != second.shape:
        raise InputError(
            f"a has the shape {first.shape} and b {second.shape}; give both systems' scores on "
            f"the same folds"
        )
    if shape is not None and first.shape != shape:
        raise InputError(
            f"a has the shape {first.shape}; give {shape[0]} rows, one per replication, of "
            f"{shape[1]} folds"
        )
    if shape is None and (first.ndim != 1 or len(first) < 2):
        raise InputError(
            f"a has the shape {first.shape}; give one number per fold, and at least two folds"
        )
    differences = [Fraction(v) for v in first.ravel().tolist()]
    largest = float(np.abs(first).max())
    if second is not None:
        pairs = zip(differences, second.ravel().tolist(), strict=True)
        differences = [v - Fraction(w) for v, w in pairs]
        largest = max(largest, float(np.abs(second).max()))
    noise = ROUNDING * largest
    return _Given(differences, all(abs(v) <= noise for v in differences), noise)


def _ratio(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, found {value!r}")
    if not 0 < float(value) < math.inf:
        raise InputError(f"{name} must be above 0, found {value!r}")
    return Fraction(value) if isinstance(value, numbers.Rational) else Fraction(float(value))


def _root(square: Fraction) -> float:
    """The square root of what may be too small for a double."""
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(square / Fraction(4) ** shift), shift)


def _t_test(
    test: str,
    given: _Given,
    extra: Fraction,
    options: tuple[Alternative, float, tuple[str, str]],
    assumes: str,
) -> FoldTestResult:
    """A t test whose variance of the mean is (1/J + extra) s^2."""
    alternative, confidence_level, names = options
    n, total = len(given.differences), sum(given.differences, Fraction(0))
    spread = n * sum((v * v for v in given.differences), Fraction(0)) - total * total
    if given.zero:
        total = spread = Fraction(0)
    elif max(given.differences) - min(given.differences) <= given.noise:
        raise InputError(
            f"all {counted(n, 'fold')} have the same difference, and a t test needs some that "
            f"vary; csig.randomization_test compares the systems on the test items"
        )
    mean, variance = total / n, (Fraction(1, n) + extra) * spread / (n * (n - 1))
    t = math.copysign(math.sqrt(mean**2 / variance), mean) if total else 0.0
    error = _root(variance)
    wide = t_quantile(n - 1, (1 + confidence_level) / 2) * error
    return FoldTestResult(
        test=test,
        n_folds=n,
        difference=float(mean),
        standard_error=error,
        statistic=t,
        df=(n - 1,),
        pvalue=t_pvalue(t, n - 1, alternative) if spread else 1.0,
        interval=(float(mean) - wide, float(mean) + wide),
        confidence_level=confidence_level,
        alternative=alternative,
        assumes=assumes,
        names=names,
    )


def _options(
    alternative: Alternative, confidence_level: float, names: tuple[str, str]
) -> tuple[Alternative, float, tuple[str, str]]:
    check_alternative(alternative)
    return alternative, between("confidence_level", confidence_level), checked_names(names)


def resampled_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: float,
    n_test: float,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> FoldTestResult:
    """The corrected resampled t test on repeated random splits.

    Parameters
    ----------
    a, b : array_like, (splits,)
        Both systems' scores on the test part of every split; or the differences alone, as `a`.
    n_train, n_test : float
        Sizes of the training and the test part, or their shares: only their ratio counts.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.
    confidence_level : float
        Of the interval, which is two-sided.
    names : pair of str
        The systems' names in reports.

    Returns
    -------
    FoldTestResult
        t = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        A score is not finite, the systems have different splits, there are fewer than two, or
        all have the same difference.

    Notes
    -----
    Nadeau and Bengio (2003), Machine Learning 52: t = mean / sqrt((1/J + n_test/n_train) s^2) with
    J - 1 degrees of freedom. The share n_test/n_train stands for the correlation of splits
    that share training data. It is a heuristic, not an estimate; the uncorrected test, with
    1/J alone, finds too much. Of k folds, repeated r times, with J = r k differences, it
    is the corrected repeated k-fold test of Bouckaert and Frank (2004).

    Examples
    --------
    >>> d = [0.02, 0.01, 0.04, 0.03, 0.00]
    >>> result = resampled_t_test(d, n_train=900, n_test=100)
    >>> round(result.statistic, 6), result.df  # 0.02 / sqrt((1/5 + 1/9) 0.00025)
    (2.267787, (4,))
    """
    options = _options(alternative, confidence_level, names)
    share = _ratio("n_test", n_test) / _ratio("n_train", n_train)
    return _t_test(
        "corrected resampled t",
        _given(a, b, None),
        share,
        options,
        "The differences are normally distributed, and any two of them have the correlation "
        "n_test / (n_test + n_train) because their training data overlap; the null hypothesis is "
        "a mean of zero.",
    )


def kfold_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> FoldTestResult:
    """The paired t test on the folds of one cross-validation, which finds too much.

    Parameters
    ----------
    a, b : array_like, (k,)
        Both systems' scores on every fold; or the differences alone, as `a`.
    alternative, confidence_level, names : optional
        As in :func:`resampled_t_test`.

    Returns
    -------
    FoldTestResult
        t = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        As in :func:`resampled_t_test`.

    Notes
    -----
    Dietterich (1998), Neural Computation 10(7): t = mean sqrt(k) / s with k - 1 degrees of
    freedom. Test folds do not overlap, but training sets do, so that its type I error is
    above the nominal one; no unbiased estimate of its variance exists (Bengio and
    Grandvalet 2004). It is here for comparison.

    Examples
    --------
    >>> result = kfold_t_test([0.90, 0.88, 0.93], [0.87, 0.87, 0.88])
    >>> round(result.statistic, 6), result.df  # 0.03 sqrt(3) / 0.02
    (2.598076, (2,))
    """
    options = _options(alternative, confidence_level, names)
    return _t_test(
        "k-fold t",
        _given(a, b, None),
        Fraction(0),
        options,
        "The differences are independent and normally distributed, which they are not: the folds "
        "share training data, so the test finds too much; the null hypothesis is a mean of zero.",
    )


class _Replications(NamedTuple):
    """Of five two-fold cross-validations, exactly."""

    given: _Given
    first: Fraction
    squares: Fraction  # of all ten differences
    variances: Fraction  # of the five replications
    mean: Fraction


def _replications(a: object, b: object | None) -> _Replications:
    given = _given(a, b, (5, 2))
    own = given.differences
    pairs = list(zip(own[::2], own[1::2], strict=True))
    if not given.zero and all(abs(x - y) <= given.noise for x, y in pairs):
        raise InputError(
            "both folds of every replication have the same difference, and the test needs some "
            "that vary; csig.randomization_test compares the systems on the test items"
        )
    return _Replications(
        given,
        own[0],
        sum((v * v for v in own), Fraction(0)),
        sum(((x - y) ** 2 / 2 for x, y in pairs), Fraction(0)),
        Fraction(0) if given.zero else sum(own, Fraction(0)) / 10,
    )


_CV52 = (
    "The differences are normally distributed, and the variances within the five replications are "
    "independent of each other and of the {}; the null hypothesis is a mean of zero."
)


def cv52_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    names: tuple[str, str] = ("A", "B"),
) -> FoldTestResult:
    """The 5x2cv t test: five replications of two-fold cross-validation.

    Parameters
    ----------
    a, b : array_like, (5, 2)
        Both systems' scores, one row per replication; or the differences alone, as `a`.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.
    names : pair of str
        The systems' names in reports.

    Returns
    -------
    FoldTestResult
        t = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        A score is not finite, there are not five rows of two, or nothing varies within them.

    Notes
    -----
    Dietterich (1998): t = p_11 / sqrt(sum s_i^2 / 5), with five degrees of freedom,
    where s_i^2 = (p_i1 - p_i2)^2 / 2. The numerator is the first of the ten differences alone,
    so the result depends on the order of the folds; :func:`cv52_f_test` has no such order.

    Examples
    --------
    >>> d = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    >>> round(cv52_t_test(d).statistic, 6)  # 0.02 / sqrt(0.00075 / 5)
    1.632993
    """
    check_alternative(alternative)
    names = checked_names(names)
    own = _replications(a, b)
    zero = own.given.zero
    t = 0.0
    if not zero:
        t = math.copysign(math.sqrt(own.first**2 / (own.variances / 5)), own.first)
    return FoldTestResult(
        test="5x2cv t",
        n_folds=10,
        difference=float(own.mean),
        standard_error=None,
        statistic=t,
        df=(5,),
        pvalue=1.0 if zero else t_pvalue(t, 5, alternative),
        interval=None,
        confidence_level=None,
        alternative=alternative,
        assumes=_CV52.format("first difference"),
        names=names,
    )


def cv52_f_test(
    a: ArrayLike, b: ArrayLike | None = None, *, names: tuple[str, str] = ("A", "B")
) -> FoldTestResult:
    """The combined 5x2cv F test: all ten differences of five two-fold cross-validations.

    Parameters
    ----------
    a, b : array_like, (5, 2)
        Both systems' scores, one row per replication; or the differences alone, as `a`.
    names : pair of str
        The systems' names in reports.

    Returns
    -------
    FoldTestResult
        Always two-sided; F = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        As in :func:`cv52_t_test`.

    Notes
    -----
    Alpaydin (1999), Neural Computation 11(8): f = sum p_ij^2 / (2 sum s_i^2), with 10 and 5
    degrees of freedom.

    Examples
    --------
    >>> d = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    >>> round(cv52_f_test(d).statistic, 6)  # 0.0041 / 0.0015
    2.733333
    """
    from scipy.special import fdtrc

    names = checked_names(names)
    own = _replications(a, b)
    zero = own.given.zero
    f = 0.0 if zero else float(own.squares / (2 * own.variances))
    return FoldTestResult(
        test="5x2cv F",
        n_folds=10,
        difference=float(own.mean),
        standard_error=None,
        statistic=f,
        df=(10, 5),
        pvalue=1.0 if zero else float(fdtrc(10, 5, f)),
        interval=None,
        confidence_level=None,
        alternative="two-sided",
        assumes=_CV52.format("differences"),
        names=names,
    )
