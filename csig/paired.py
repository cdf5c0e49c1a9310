"""Classical tests on matched pairs."""

from __future__ import annotations

from csig.errors import InputError

__all__ = ["at_least", "at_most", "check_alternative", "sign_test_pvalue"]


def check_alternative(alternative: object) -> None:
    """Refuse what is none of scipy's three words."""
    if alternative not in ("two-sided", "less", "greater"):
        raise InputError(
            f"alternative must be 'two-sided', 'less' or 'greater', found {alternative!r}"
        )


def sign_test_pvalue(only_a: int, only_b: int, alternative: str = "two-sided") -> float:
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


def at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p), by the incomplete beta function.

    Not ``scipy.special.bdtr``, whose continued fraction loses seven digits for large n.
    """
    from scipy.special import betaincc

    return 1.0 if k >= n else float(betaincc(k + 1, n - k, p))


def at_least(k: int, n: int, p: float) -> float:
    """P(X >= k) for X ~ Binomial(n, p)."""
    from scipy.special import betainc

    return 1.0 if k <= 0 else float(betainc(k, n - k + 1, p))
