"""Classical tests on matched pairs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.engines.weights import WeightsQuestion, weights_question
from csig.errors import InputError
from csig.metrics import Metric
from csig.probability.binomial import at_least, at_most
from csig.shown import Shown
from csig.validation import Alternative, check_alternative, instance
from csig.wording import count, counted, first_few, pvalue

__all__ = [
    "SignTestResult",
    "sign_test",
    "sign_test_pvalue",
]

#: The default metric of a sign test: the first of these that the comparison has columns for.
_DEFAULTS = {"tp": "recall", "correct": "accuracy", "score": "mean"}


@dataclass(frozen=True, kw_only=True, repr=False)
class SignTestResult(Shown):
    """The result of a sign test.

    Attributes
    ----------
    metric : str
        What was compared in every unit.
    unit : str
        What the units are.
    n_a, n_b : int
        Units in which A's score is greater, and in which B's is; ties do not count.
    pvalue : float
        Exact.
    alternative : str
        "two-sided", "less" or "greater", of A minus B.
    names : pair of str
        The systems' names.
    """

    metric: str
    unit: str
    n_a: int
    n_b: int
    pvalue: float
    alternative: Alternative
    names: tuple[str, str] = field(default=("A", "B"), compare=False)

    def _line(self) -> str:
        a, b = self.names
        found = f"{self.metric}: {a} is better on {counted(self.n_a, self.unit)}, {b} on "
        return f"{found}{count(self.n_b)}, p = {pvalue(self.pvalue)}"

    @property
    def statistic(self) -> int:
        """``n_a``, which is Binomial(n_a + n_b, 1/2) under the null hypothesis."""
        return self.n_a


def sign_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
) -> SignTestResult:
    """The exact sign test: in how many units is A better, in how many B?

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str or Metric, optional
        One whose denominator is the same for both systems in every unit: recall, accuracy, a
        mean, the error rate. The default is recall, accuracy or the mean, whichever the
        comparison has the columns for.
    alternative : {"two-sided", "less", "greater"}
        "greater": A's score is greater more often.

    Raises
    ------
    InputError
        If the metric's denominator differs, as that of precision or F1 does: give the units' own
        scores to ``Comparison.from_scores``. Or if the metric is unknown or has no weights.

    Notes
    -----
    Yeh (2000), section 3.1. For single responses it tests the correct ones that only A or only B
    found: McNemar's exact test on the gold, and the same number as the randomization test on
    recall. For units it looks only at the sign of each difference, and scores that differ in
    their last digit do differ.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.sign_test(c)
    >>> result.n_a, result.n_b, round(result.pvalue, 9)
    (28, 6, 0.000195126)
    """
    instance("comparison", comparison, Comparison)
    check_alternative(alternative)
    wanted = metrics.get(_default(comparison.columns) if metric is None else metric,
                         comparison.columns)  # fmt: skip
    if not wanted.linear_fractional:
        raise InputError(f"metric {wanted.name!r} is a function; a sign test needs weights")
    question = weights_question(comparison, wanted, alternative, 0)
    n_a, n_b = _signs(comparison, question)
    return SignTestResult(
        metric=wanted.name,
        unit=comparison.unit,
        n_a=n_a,
        n_b=n_b,
        pvalue=sign_test_pvalue(n_a, n_b, alternative),
        alternative=alternative,
        names=comparison.names,
    )


def _default(columns: Collection[str]) -> str:
    for column, name in _DEFAULTS.items():
        if column in columns:
            return name
    raise InputError(f"metric: there is no default for {first_few(columns)}; name one")


def _signs(comparison: Comparison, question: WeightsQuestion) -> tuple[int, int]:
    """Count the units in which A's score is greater, and in which B's is."""
    if question.steps is None:
        numerator, denominator = question.ratio.numerator, question.ratio.denominator
        fixed = denominator[1:3] == (0, 0)
        a = b = 0
        for group, step in zip(comparison.responses, numerator[1:3], strict=True):
            if step > 0:
                a, b = a + group.only_a, b + group.only_b
            elif step < 0:  # having it is worse
                a, b = a + group.only_b, b + group.only_a
    else:
        fixed = question.line is not None
        a, b = (int(np.count_nonzero(sign * question.steps[:, 0] > 0)) for sign in (1, -1))
    if not fixed:
        raise InputError(
            f"metric {question.metric.name!r}: its denominator differs between the systems, so its "
            f"difference has no sign in every {comparison.unit}; use a metric with a fixed one, "
            f"like recall, or give the units' own scores to Comparison.from_scores"
        )
    return a, b


def sign_test_pvalue(only_a: int, only_b: int, alternative: Alternative = "two-sided") -> float:
    """The exact sign test on recall: Yeh (2000), section 3.1.

    Under the null hypothesis a correct response that only one system found is equally
    likely to be either's. So ``only_a`` is Binomial(only_a + only_b, 1/2).

    Parameters
    ----------
    only_a, only_b : int
        Correct responses that only A, or only B, found.
    alternative : {"two-sided", "less", "greater"}
        "greater": A finds more.

    Examples
    --------
    >>> round(sign_test_pvalue(28, 6), 9)
    0.000195126
    """
    n = only_a + only_b
    if alternative == "greater":
        return at_least(only_a, n, 0.5)
    if alternative == "less":
        return at_most(only_a, n, 0.5)
    return min(1.0, 2 * at_most(min(only_a, only_b), n, 0.5))
