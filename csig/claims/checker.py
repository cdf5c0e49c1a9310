"""All checks of published claims; :mod:`csig.claims.model` explains why they are right."""

from __future__ import annotations

from collections.abc import Callable

from csig.claims.distributions import check_distributions
from csig.claims.hits import check_sides, check_tests
from csig.claims.independent import check_chi_squares, check_correlation
from csig.claims.known import Known, known_of
from csig.claims.model import Claims, ClaimsReport, Finding
from csig.claims.scores import check_counts, check_scores, check_scores_together
from csig.errors import InputError

__all__ = ["CHECKS", "check_claims"]

#: In the order of the findings.
CHECKS: tuple[Callable[[Known], list[Finding]], ...] = (
    check_counts,
    check_scores,
    check_scores_together,
    check_tests,
    check_sides,
    check_correlation,
    check_chi_squares,
    check_distributions,
)


def check_claims(claims: Claims) -> ClaimsReport:
    """Check printed numbers: are they possible, consistent and right?

    Parameters
    ----------
    claims : Claims
        As :func:`csig.claims.read_claims` reads them.

    Returns
    -------
    ClaimsReport
        One finding for each printed number and each pair that must agree.

    Notes
    -----
    See the docstring of :mod:`csig.claims.model`. The exact p-values are those of the randomization
    test on single responses; a text that swapped sentences or documents made another test.

    Examples
    --------
    >>> from csig.claims import PrintedScore
    >>> from csig.claims.attainable import claimed_metric
    >>> from csig.claims.printed import printed_number
    >>> recall = PrintedScore(system="a", metric=claimed_metric("recall"),
    ...                       printed=printed_number("45.6 %"))
    >>> report = check_claims(Claims(counts={"gold": (103, 104)}, scores=(recall,)))
    >>> for finding in report.findings[:2]:
    ...     print(finding.claim, "-", finding.verdict)
    gold: 103 or 104 - confirmed
    recall of A: 45.6 % - possible
    """
    if not isinstance(claims, Claims):
        raise InputError(f"claims must be csig.claims.Claims, found {type(claims).__name__}")
    known = known_of(claims)
    return ClaimsReport(claims, tuple(finding for check in CHECKS for finding in check(known)))
