"""What a text prints about two systems, and whether it can be."""

from csig.claims.model import (
    ALTERNATIVES,
    CONFIRMED,
    CONTRADICTED,
    VERDICTS,
    Claims,
    ClaimsReport,
    Finding,
    PrintedChiSquare,
    PrintedScore,
    PrintedTest,
    check_claims,
)

__all__ = [
    "ALTERNATIVES",
    "CONFIRMED",
    "CONTRADICTED",
    "VERDICTS",
    "Claims",
    "ClaimsReport",
    "Finding",
    "PrintedChiSquare",
    "PrintedScore",
    "PrintedTest",
    "check_claims",
]
