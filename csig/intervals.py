"""Intervals of scores and of differences.

`bootstrap_interval` resamples units and holds for any metric; `linearized_interval` takes the
standard error over units, at once and without a seed; `inverted_interval` has the shifts that the
randomization test does not reject, so that it agrees with that test's p-value. Where every system
ran several times, `crossed_interval` is about further runs as well, and `run_variance` says how
much of the error they make; where each question has several answers, `answer_variance` says what
more answers or questions would do. `bootstrap_test` is the test that resamples instead of swapping.
`fill_uncertainty` writes intervals of scores into aggregates of every-eval-ever.
"""

from csig.base.errors import NoInterval
from csig.comparing.aggregates import fill_uncertainty
from csig.comparing.bootstrap import bootstrap_interval, bootstrap_test
from csig.comparing.intervals import inverted_interval, linearized_interval
from csig.comparing.runs import RunVariance, crossed_interval, run_variance
from csig.data.repeats import AnswerVariance, answer_variance
from csig.results.randomization import BootstrapResult, Interval

__all__ = [
    "AnswerVariance",
    "BootstrapResult",
    "Interval",
    "NoInterval",
    "RunVariance",
    "answer_variance",
    "bootstrap_interval",
    "bootstrap_test",
    "crossed_interval",
    "fill_uncertainty",
    "inverted_interval",
    "linearized_interval",
    "run_variance",
]


def __dir__() -> list[str]:
    return __all__
