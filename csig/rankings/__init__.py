"""The n best candidates of ranking methods.

`rank_methods` compares methods; `nbest_precision` and `sample_precision` are the precision of their
lists, in all and by sample; `validate_binomial` says whether candidates are as independent as that
assumes.
"""

from csig.rankings.methods import MethodPair, RankedMethods, rank_methods
from csig.rankings.nbest import NBestCurve, NBestResult, nbest_precision
from csig.rankings.samples import (
    BinomialValidation,
    SamplePrecision,
    sample_precision,
    validate_binomial,
)

__all__ = [
    "BinomialValidation",
    "MethodPair",
    "NBestCurve",
    "NBestResult",
    "RankedMethods",
    "SamplePrecision",
    "nbest_precision",
    "rank_methods",
    "sample_precision",
    "validate_binomial",
]


def __dir__() -> list[str]:
    return __all__
