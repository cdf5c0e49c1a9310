"""Tests on the folds of a cross-validation, or on repeated random splits.

Both systems are trained and scored on the same splits, and every split gives a difference. The
splits share training data, so that the differences are not independent: a plain t test on
them finds too much. The tests here differ in how they make up for that.
"""

from __future__ import annotations

import math
import numbers
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.validation import Alternative, checked
from csig.base.wording import counted, documented, pvalue
from csig.classical.paired import t_pvalue
from csig.classical.result import TestResult
from csig.data.units import checked_names
from csig.probability.student import t_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: Differences that are closer than this, relative to the largest score, are rounding errors.
ROUNDING = 2.0**-46

#: The squares of such scores are not doubles any more.
LARGEST = 1e150


class _Given(NamedTuple):
    """The differences of one array, or of two with the same shape."""

    differences: list[Fraction]  # exact
    zero: bool  # whether all are too small to show
    noise: float  # what is too small


def _array(name: str, values: object) -> Any:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{name}: some of its values are masked")
    try:
        found = np.asarray(values)
    except ValueError:
        raise InputError(
            f"{name}: its rows have different lengths; give one number per fold"
        ) from None
    if found.dtype.kind not in "iufb":
        raise InputError(f"{name} must hold numbers, found {found.dtype}")
    found = found.astype(np.float64)
    for wrong, why in (
        (~np.isfinite(found), "give a finite score for every fold"),
        (np.abs(found) >= LARGEST, "scores of 1e150 or more cannot be squared"),
    ):
        for at in np.argwhere(wrong)[:1].tolist():
            place = ", ".join(map(str, at))
            raise InputError(f"{name}[{place}] is {found[tuple(at)]}; {why}")
    return found


def _given(a: object, b: object | None, shape: tuple[int, int] | None = None) -> _Given:
    first = _array("a", a)
    second = np.zeros_like(first) if b is None else _array("b", b)
    if first.shape != second.shape:
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
    pairs = zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
    differences = [Fraction(v) - Fraction(w) for v, w in pairs]
    noise = ROUNDING * float(max(np.abs(first).max(), np.abs(second).max()))
    return _Given(differences, all(abs(v) <= noise for v in differences), noise)


def _ratio(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, found {value!r}")
    if not 0 < float(value) < math.inf:
        raise InputError(f"{name} must be above 0, found {value!r}")
    return Fraction(value) if isinstance(value, numbers.Rational) else Fraction(float(value))


def _result(
    test: str,
    n: int,
    statistic: float,
    p: float,
    difference: float,
    names: tuple[str, str],
    *,
    spread: tuple[float, tuple[float, float], float] | None = None,
    **fields: Any,
) -> TestResult:
    """Of n folds; `spread` are the standard error, the interval and its level."""
    error, interval, level = spread or (None, None, None)
    found = f"{names[0]} - {names[1]} = {difference:+.4g}, {test[-1]} = {statistic:.4g}"
    details = {"n_folds": n, "standard_error": error, "interval": interval}
    return TestResult(
        test=test,
        statistic=statistic,
        pvalue=p,
        difference=difference,
        details=details | {"confidence_level": level},
        names=names,
        line=f"{test} test: {found}, p = {pvalue(p)} ({n} folds)",
        **fields,
    )


def _t_test(
    test: str,
    given: _Given,
    extra: Fraction,
    alternative: Alternative,
    level: float,
    names: tuple[str, str],
    assumes: str,
) -> TestResult:
    """A t test whose variance of the mean is (1/J + extra) s^2."""
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
    p = t_pvalue(t, n - 1, alternative) if spread else 1.0
    # The square root of what may be too small for a double.
    shift = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2
    error = math.ldexp(math.sqrt(variance / Fraction(4) ** shift), shift)
    wide, difference = t_quantile(n - 1, (1 + level) / 2) * error, float(mean)
    return _result(
        test,
        n,
        t,
        p,
        difference,
        names,
        spread=(error, (difference - wide, difference + wide), level),
        degrees_of_freedom=n - 1,
        alternative=alternative,
        assumes=assumes,
    )


@documented
def resampled_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: float,
    n_test: float,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The corrected resampled t test on repeated random splits.

    Parameters
    ----------
    %(folds)s
    n_train, n_test : float
        Sizes of the training and the test part, or their shares: only their ratio counts.
    %(alternative)s
    %(confidence_level)s
    %(names)s

    Returns
    -------
    TestResult
        With `difference`, the mean of all, `degrees_of_freedom`, `standard_error`, `interval`,
        `confidence_level` and `n_folds`. t = 0 and p = 1 if all differences are zero.

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
    >>> round(result.statistic, 6), result.degrees_of_freedom  # 0.02 / sqrt((1/5 + 1/9) 0.00025)
    (2.267787, 4)
    """
    checked(alternative, confidence_level)
    names = checked_names(names)
    share = _ratio("n_test", n_test) / _ratio("n_train", n_train)
    assumes = (
        "The differences are normally distributed, and any two of them have the correlation "
        "n_test / (n_test + n_train) because their training data overlap; the null hypothesis is "
        "a mean of zero."
    )
    test, given = "corrected resampled t", _given(a, b)
    return _t_test(test, given, share, alternative, confidence_level, names, assumes)


@documented
def kfold_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The paired t test on the folds of one cross-validation, which finds too much.

    Parameters
    ----------
    %(folds)s
    %(alternative)s
    %(confidence_level)s
    %(names)s

    Returns
    -------
    TestResult
        As of :func:`resampled_t_test`.

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
    >>> round(result.statistic, 6), result.degrees_of_freedom  # 0.03 sqrt(3) / 0.02
    (2.598076, 2)
    """
    checked(alternative, confidence_level)
    names = checked_names(names)
    assumes = (
        "The differences are independent and normally distributed, which they are not: the folds "
        "share training data, so the test finds too much; the null hypothesis is a mean of zero."
    )
    given = _given(a, b)
    return _t_test("k-fold t", given, Fraction(0), alternative, confidence_level, names, assumes)


def _cv52(
    letter: str, a: object, b: object | None, alternative: Alternative, names: tuple[str, str]
) -> TestResult:
    """Of five two-fold cross-validations."""
    checked(alternative)
    names = checked_names(names)
    given = _given(a, b, (5, 2))
    own = given.differences
    pairs = list(zip(own[::2], own[1::2], strict=True))
    if not given.zero and all(abs(x - y) <= given.noise for x, y in pairs):
        raise InputError(
            "both folds of every replication have the same difference, and the test needs some "
            "that vary; csig.randomization_test compares the systems on the test items"
        )
    variances = sum(((x - y) ** 2 / 2 for x, y in pairs), Fraction(0))
    statistic, p, difference = 0.0, 1.0, 0.0
    if not given.zero:
        difference = float(sum(own, Fraction(0)) / 10)
        if letter == "t":
            statistic = math.copysign(math.sqrt(own[0] ** 2 / (variances / 5)), own[0])
            p = t_pvalue(statistic, 5, alternative)
        else:
            from scipy.special import fdtrc

            statistic = float(sum((v * v for v in own), Fraction(0)) / (2 * variances))
            p = float(fdtrc(10, 5, statistic))
    what = "first difference" if letter == "t" else "differences"
    assumes = (
        "The differences are normally distributed, and the variances within the five replications "
        f"are independent of each other and of the {what}; the null hypothesis is a mean of zero."
    )
    return _result(
        f"5x2cv {letter}",
        10,
        statistic,
        p,
        difference,
        names,
        alternative=alternative,
        assumes=assumes,
        degrees_of_freedom=5 if letter == "t" else (10, 5),
    )


@documented
def cv52_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The 5x2cv t test: five replications of two-fold cross-validation.

    Parameters
    ----------
    %(replications)s
    %(alternative)s
    %(names)s

    Returns
    -------
    TestResult
        With `difference`, the mean of all ten, `degrees_of_freedom` and `n_folds`; the standard
        error and the interval are None. t = 0 and p = 1 if all differences are zero.

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
    return _cv52("t", a, b, alternative, names)


@documented
def cv52_f_test(
    a: ArrayLike, b: ArrayLike | None = None, *, names: tuple[str, str] = ("A", "B")
) -> TestResult:
    """The combined 5x2cv F test: all ten differences of five two-fold cross-validations.

    Parameters
    ----------
    %(replications)s
    %(names)s

    Returns
    -------
    TestResult
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
    return _cv52("F", a, b, "two-sided", names)
