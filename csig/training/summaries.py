"""What is known of scores on many training samples: of one system, of two, across test sets.

Means, deviations and correlations are rounded once, so that they are the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from csig.probability.binomial import clopper_pearson


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _apart(values: Sequence[float]) -> list[float]:
    """The distances from the mean; none where all values are the same."""
    if min(values) == max(values):
        return [0.0] * len(values)
    middle = mean(values)
    return [value - middle for value in values]


def sd(values: Sequence[float]) -> float:
    """The standard deviation, with n - 1; exactly 0 where all values are the same."""
    return math.sqrt(math.fsum(d * d for d in _apart(values)) / (len(values) - 1))


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None where one of the two does not vary."""
    x, y = _apart(one), _apart(other)
    scale_x, scale_y = max(map(abs, x)), max(map(abs, y))
    if not scale_x or not scale_y:
        return None
    x, y = [d / scale_x for d in x], [d / scale_y for d in y]  # no square underflows
    both = math.fsum(a * b for a, b in zip(x, y, strict=True))
    found = both / math.sqrt(math.fsum(a * a for a in x) * math.fsum(b * b for b in y))
    return max(-1.0, min(1.0, found))


def spreads_pvalue(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Two-sided test that two paired series vary equally (Pitman 1939, Morgan 1939).

    They do if their sums and their differences are not correlated. None where one of these does
    not vary, or for fewer than three pairs.
    """
    from scipy.special import stdtr

    freedom = len(one) - 2
    sums = [a + b for a, b in zip(one, other, strict=True)]
    r = correlation(sums, [a - b for a, b in zip(one, other, strict=True)])
    if r is None or freedom < 1:
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * stdtr(freedom, -abs(r) * math.sqrt(freedom / (1 - r * r))))


@dataclass(frozen=True, kw_only=True)
class TrainingScore:
    """A system's scores on a test set."""

    system: str  #: system, test_set: whose they are, and on what.
    test_set: str
    mean: float  #: mean, sd: mean and standard deviation (with n - 1) over the training samples.
    sd: float
    lowest: float  #: lowest, highest: the extremes.
    highest: float


@dataclass(frozen=True, kw_only=True)
class TrainingDifference:
    """The scores of system A minus those of system B, both trained on the same samples."""

    a: str  #: a, b, test_set: the systems, and on what.
    b: str
    test_set: str
    mean: float  #: The mean difference.
    sd: float  #: Its standard deviation: sqrt(s_a^2 + s_b^2 - 2 s_a s_b r).
    correlation: float | None  #: Of the two systems' scores, r; None if one of them does not vary.
    #: n_ahead, n_ties, n_behind: samples on which A has the higher score, the same, the lower.
    n_ahead: int
    n_ties: int
    n_behind: int
    probability: float  #: P(a > b): the share of samples on which A is ahead. Ties are not.
    #: The exact binomial interval (Clopper and Pearson 1934) for the share of all samples that
    #: could be drawn of this corpus; None if the samples depend on each other.
    interval: tuple[float, float] | None
    confidence_level: float  #: Of the interval.


@dataclass(frozen=True, kw_only=True)
class AcrossTestSets:
    """A system's scores on two test sets, of the same models."""

    system: str  #: system, first, second: the system and the test sets.
    first: str
    second: str
    #: Whether a training sample that is good for one is good for the other; None if one of the two
    #: does not vary.
    correlation: float | None
    #: sd_first, sd_second: the standard deviations. They depend on the size of a test set: only
    #: those of sets of equal size say something of what is in them.
    sd_first: float
    sd_second: float
    #: That both vary equally, two-sided (Pitman 1939, Morgan 1939), for normal scores; None if it
    #: is not defined or the samples depend on each other.
    pvalue: float | None


@dataclass(frozen=True, kw_only=True)
class TrainingFailure:
    """A training sample without scores."""

    sample: int  #: Its number, from 0.
    error: str  #: What went wrong, in one line.


def summary(system: str, test_set: str, scores: Sequence[float]) -> TrainingScore:
    """Of one system on one test set."""
    return TrainingScore(
        system=system, test_set=test_set, mean=mean(scores), sd=sd(scores),
        lowest=min(scores), highest=max(scores),
    )  # fmt: skip


def difference(
    names: tuple[str, str],
    test_set: str,
    a: Sequence[float],
    b: Sequence[float],
    confidence_level: float,
    independent: bool,
) -> TrainingDifference:
    """Of two systems on one test set."""
    apart = [x - y for x, y in zip(a, b, strict=True)]
    ahead = sum(x > y for x, y in zip(a, b, strict=True))
    ties = sum(x == y for x, y in zip(a, b, strict=True))
    return TrainingDifference(
        a=names[0], b=names[1], test_set=test_set, mean=mean(apart), sd=sd(apart),
        correlation=correlation(a, b), n_ahead=ahead, n_ties=ties,
        n_behind=len(a) - ahead - ties, probability=ahead / len(a),
        interval=clopper_pearson(ahead, len(a), confidence_level) if independent else None,
        confidence_level=confidence_level,
    )  # fmt: skip


def across(
    system: str,
    test_sets: tuple[str, str],
    one: Sequence[float],
    other: Sequence[float],
    independent: bool,
) -> AcrossTestSets:
    """Of one system on two test sets."""
    return AcrossTestSets(
        system=system, first=test_sets[0], second=test_sets[1],
        correlation=correlation(one, other), sd_first=sd(one), sd_second=sd(other),
        pvalue=spreads_pvalue(one, other) if independent else None,
    )  # fmt: skip
