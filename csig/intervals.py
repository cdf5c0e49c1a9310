"""Intervals of scores and of differences.

`bootstrap_interval` resamples units and holds for any metric; `linearized_interval` takes the
standard error over units, at once and without a seed; `inverted_interval` has the shifts that the
randomization test does not reject, so that it agrees with that test's p-value. Where every system
ran several times, `crossed_interval` is about further runs as well, and `run_variance` says how
much of the error they make; where each question has several answers, `answer_variance` says what
more answers or questions would do. `bootstrap_test` is the test that resamples instead of swapping.
`fill_uncertainty` writes intervals of scores into aggregates of every-eval-ever.
"""

from csig.base.errors import NoInterval as NoInterval
from csig.comparing.aggregates import fill_uncertainty as fill_uncertainty
from csig.comparing.bootstrap import bootstrap_interval as bootstrap_interval
from csig.comparing.bootstrap import bootstrap_test as bootstrap_test
from csig.comparing.intervals import inverted_interval as inverted_interval
from csig.comparing.intervals import linearized_interval as linearized_interval
from csig.comparing.runs import RunVariance as RunVariance
from csig.comparing.runs import crossed_interval as crossed_interval
from csig.comparing.runs import run_variance as run_variance
from csig.data.repeats import AnswerVariance as AnswerVariance
from csig.data.repeats import answer_variance as answer_variance
from csig.results.randomization import BootstrapResult as BootstrapResult
from csig.results.randomization import Interval as Interval

__all__ = sorted(name for name in globals() if not name.startswith("_"))


def __dir__() -> list[str]:
    return __all__
