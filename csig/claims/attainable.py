"""Which counts give the scores that are printed, and hits against the probability of a hit.

A system has n responses, k of them correct, and the gold has g. A linear-fractional metric is
(p . S) / (q . S) with S = (k, n, g), and a printed score says that it lies between two
fractions, say l and h. The denominator is positive, so these are two linear inequalities,

    (p - l q) . S >= 0          (h q - p) . S >= 0,

strict where the end does not belong to the interval. With 0 <= k <= n, k <= g and the known
counts they bound a polyhedron. Its projections are found by Fourier-Motzkin elimination: every
pair of an upper and a lower bound on a variable gives an inequality without it. This gives the
range of g, of k for each g, and of n for each k; the points with whole numbers are counted, all
in integers and in a bounded number of steps.

With one printed percentage and a known denominator it is the GRIM test (Brown and Heathers
2017, "The GRIM test", Social Psychological and Personality Science 8).

The hits of t shuffles, up to 10^18, are X ~ Binomial(t, p): z = (h - t p) / sqrt(t p (1 - p))
standard errors from what is expected, and the p-value of h is twice the smaller tail. Tails are the
incomplete beta function while they are above 1e-290 and hits, or misses, at most 2^40. Beyond,
with b(k) = P(X = k), a geometric series gives

    P(X >= k) <= b(k) (k + 1) (1 - p) / (k + 1 - (t + 1) p),

too large by a relative 1 / z^2; or, within 30 standard errors,

    P(X <= k) <= Phi(s sqrt(2 t KL(x || p))),   x = (k + 1) / t,   s the sign of x - p

(Zubkov and Serov 2013, Theory of Probability and its Applications 57), too large by a relative
z / sqrt(t p (1 - p)) or so. KL(x || p) = x log(x / p) + (1 - x) log((1 - x) / (1 - p)).

Where p is not known, it may be any with t KL(h / t || p) <= log(2 / 10^-6): by Chernoff's bound
this holds for all but 10^-6 of all runs.
"""

from __future__ import annotations

import decimal
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from csig.base.errors import InputError
from csig.claims.model import Interval
from csig.data.metrics import Metric, f_beta, jaccard, precision, ratio, recall
from csig.probability.binomial import at_least, at_most

#: The counts of ``Comparison.from_counts``.
CELLS = (
    "gold", "both_correct", "only_a_correct", "only_b_correct", "both_spurious", "only_a_spurious",
    "only_b_spurious",
)  # fmt: skip

#: And their sums, which a text may also give.
COUNTS = (*CELLS, *(f"{kind}_{s}" for s in "ab" for kind in ("correct", "spurious", "predicted")))

#: A sum and its two parts.
_SUMS = tuple(
    parts
    for s in "ab"
    for parts in (
        (f"correct_{s}", "both_correct", f"only_{s}_correct"),
        (f"spurious_{s}", "both_spurious", f"only_{s}_spurious"),
        (f"predicted_{s}", f"correct_{s}", f"spurious_{s}"),
    )
)

#: Maximum number of inequalities in one question, and of combinations of candidates.
STEPS, MOST_WORLDS = 20_000, 200

#: Counts, with everything that follows from them.
World = Mapping[str, int]

_ACCURACY = ratio("accuracy", "tp", "gold")
_ERRORS = Metric(
    "error_rate", ("tp", "gold"), numerator=(-1, 1), denominator=(0, 1), greater_is_better=False
)
_METRICS = {m.name: m for m in (recall, precision, f_beta(1), jaccard, _ACCURACY, _ERRORS)}
_COLUMNS = ("tp", "predicted", "gold")


def claimed_metric(name: str) -> Metric:
    """The metric of that name, as a function of (tp, predicted, gold)."""
    key = name.strip().lower().replace("-", "_")
    if key in _METRICS:
        return _METRICS[key]
    if key[:1] == "f" and key[1:2].isdigit():
        return f_beta(key[1:])
    raise InputError(
        f"found the metric {name[:60]!r}, expected {', '.join(_METRICS)}, or f0.5, f2, ..."
    )


# ---- counts that are known -------------------------------------------------------------------


def completed(given: World) -> dict[str, int] | str:
    """The counts with everything that follows from them; or why they are impossible, in words."""
    found = dict(given)
    before = -1
    while len(found) > before:
        before = len(found)
        for whole, *parts in _SUMS:
            missing = [name for name in (whole, *parts) if name not in found]
            if missing == [whole]:
                found[whole] = sum(found[part] for part in parts)
            elif len(missing) == 1:
                (other,) = (part for part in parts if part in found)
                found[missing[0]] = found[whole] - found[other]
    for whole, first, second in _SUMS:
        if found.keys() >= {whole, first, second} and found[whole] != found[first] + found[second]:
            return f"{whole} is {found[whole]}, but {first} + {second} are {found[first]} + " + str(
                found[second]
            )
    for name, number in found.items():
        if number < 0:
            return f"{name} would be {number}"
    for s in "ab":
        least = 0
        for kind in ("correct", "spurious"):
            known = found.get(f"both_{kind}", 0) + found.get(f"only_{s}_{kind}", 0)
            least += found.get(f"{kind}_{s}", known)
        if least > found.get(f"predicted_{s}", math.inf):
            return f"predicted_{s} is {found[f'predicted_{s}']}, less than its parts, {least}"
    gold = found.get("gold", math.inf)
    for name in ("correct_a", "correct_b"):
        if found.get(name, 0) > gold:
            return f"{name} is {found[name]}, more than gold, {gold}"
    correct = [found.get(f"{who}_correct", 0) for who in ("both", "only_a", "only_b")]
    if sum(correct) > gold:
        return f"the correct responses are {sum(correct)}, more than gold, {gold}"
    return found


def worlds(counts: Mapping[str, Sequence[int]]) -> tuple[list[dict[str, int]], str]:
    """One for each possible combination of candidates, and why the last other is impossible."""
    found, reason = [], ""
    if math.prod(map(len, counts.values())) > MOST_WORLDS:
        raise InputError(f"counts: the candidates have more than {MOST_WORLDS} combinations")
    for values in itertools.product(*counts.values()):
        world = completed(dict(zip(counts, values, strict=True)))
        if isinstance(world, str):
            reason = world
        else:
            found.append(world)
    return found, reason


# ---- one score -------------------------------------------------------------------------------


def _weights(metric: Metric) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Over (k, n, g)."""
    above, below = metric.integer_weights
    return tuple(above.get(c, 0) for c in _COLUMNS), tuple(below.get(c, 0) for c in _COLUMNS)


def needs(metric: Metric, system: str) -> list[str]:
    """The counts that a system's score depends on."""
    names = (f"correct_{system}", f"predicted_{system}", "gold")
    return [name for name, *weights in zip(names, *_weights(metric), strict=True) if any(weights)]


def score(metric: Metric, world: World, system: str) -> Fraction | None:
    """The score from the counts; None where they are not known."""
    if any(name not in world for name in needs(metric, system)):
        return None
    names = (f"correct_{system}", f"predicted_{system}", "gold")
    found = metric.score(
        {c: world[name] for c, name in zip(_COLUMNS, names, strict=True) if name in world}
    )
    return Fraction(found)


def numerators(metric: Metric, interval: Interval, n: int, g: int) -> range:
    """The numbers of correct responses that give a score in the interval."""
    # A count that the metric does not depend on must be as large as the other.
    if n == 0 or g == 0:  # a denominator may be 0, and only one number is possible
        value = Fraction(metric.score({"tp": 0, "predicted": n, "gold": g}))
        return range(int(interval.contains(value)))
    rows = [_fixed(_fixed(row, 2, g), 1, n) for row in (*_between(metric, interval), *_ORDER)]
    return _range(_limits(rows, 0))


# ---- inequalities ----------------------------------------------------------------------------


class _Row(NamedTuple):
    """(k, n, g, 1) times the weights is at least 0, or more than 0 if strict."""

    weights: tuple[int, ...]
    strict: bool = False


def _reduced(weights: Sequence[int], strict: bool) -> _Row:
    """A row without common factors, so that equivalent rows are equal and numbers stay small."""
    common = math.gcd(*weights) or 1
    return _Row(tuple(w // common for w in weights), strict)


#: 0 <= k <= n and k <= g.
_ORDER = (_Row((1, 0, 0, 0)), _Row((-1, 1, 0, 0)), _Row((-1, 0, 1, 0)))


def _between(metric: Metric, interval: Interval) -> Iterator[_Row]:
    """That the score lies in the interval, where its denominator is not 0."""
    above, below = _weights(metric)
    low, high = interval.low, interval.high
    for sign, end, closed in ((1, low, interval.low_closed), (-1, high, interval.high_closed)):
        weights = [
            sign * (p * end.denominator - end.numerator * q)
            for p, q in zip(above, below, strict=True)
        ]
        yield _reduced([*weights, 0], not closed)


def _fixed(row: _Row, which: int, value: int) -> _Row:
    """A row with a variable's value inserted."""
    weights = list(row.weights)
    weights[3] += weights[which] * value
    weights[which] = 0
    return _Row(tuple(weights), row.strict)


def _pairs(rows: Sequence[_Row], which: int) -> tuple[list[_Row], list[_Row]]:
    """The lower and the upper bounds on a variable."""
    lower = [row for row in rows if row.weights[which] > 0]
    return lower, [row for row in rows if row.weights[which] < 0]


def _without(rows: Sequence[_Row], which: int) -> list[_Row]:
    """What the inequalities say about the other variables."""
    found = {row for row in rows if not row.weights[which]}
    for one, other in itertools.product(*_pairs(rows, which)):
        x, y = one.weights[which], -other.weights[which]
        weights = [y * v + x * w for v, w in zip(one.weights, other.weights, strict=True)]
        found.add(_reduced(weights, one.strict or other.strict))
    return list(found)


#: The least and the largest integer, None for no end; None for nothing at all.
_Limits = tuple[int | None, int | None] | None


def _limits(rows: Sequence[_Row], which: int) -> _Limits:
    """The integers that a variable can be, when it is the only one left."""
    low: int | None = None
    high: int | None = None
    for weights, strict in rows:
        weight, constant = weights[which], weights[3]
        if weight > 0:
            end = -constant // weight + 1 if strict else -(constant // weight)
            low = end if low is None else max(low, end)
        elif weight < 0:
            end = (constant - strict) // -weight
            high = end if high is None else min(high, end)
        elif constant < strict:
            return None
    if low is not None and high is not None and low > high:
        return None
    return low, high


def _range(limits: _Limits) -> range:
    """Between two ends; both must be there."""
    if limits is None:
        return range(0)
    low, high = limits
    assert low is not None
    assert high is not None
    return range(low, high + 1)


# ---- all scores of a system ------------------------------------------------------------------


@dataclass(frozen=True)
class Solutions:
    """The counts of a system that fit all of its printed scores."""

    count: int  #: How many (correct, predicted, gold) there are; a lower bound if not `complete`.
    #: The first of them. Predicted is None where any large enough number fits.
    first: tuple[tuple[int, int | None, int], ...]
    complete: bool  #: Whether all were tried. False if there are too many, or infinitely many.
    possible: bool = True  #: False if not even fractions of responses would give the scores.

    @property
    def excluded(self) -> bool:
        """Whether it is certain that there are none."""
        return self.count == 0 and self.complete


#: How many are listed; how many pairs of inequalities take as long as one step.
LISTED, _PAIRS = 5, 10

_NONE = Solutions(0, (), True, False)


def _known(world: World, system: str) -> list[_Row]:
    """What the counts say about k, n and g."""
    k, n, g = f"correct_{system}", f"predicted_{system}", "gold"
    rows = [_Row((0, 1, 0, -1)), _Row((0, 0, 1, -1))]  # n and g are at least 1
    for which, name in enumerate((k, n, g)):
        if name in world:
            plus = tuple(int(i == which) for i in range(3))
            minus = tuple(-i for i in plus)
            rows += [_Row((*plus, -world[name])), _Row((*minus, world[name]))]
    correct = [world.get(f"{who}_correct", 0) for who in ("both", f"only_{system}")]
    rows.append(_Row((1, 0, 0, -sum(correct))))
    others = world.get(f"only_{'ab'.replace(system, '')}_correct", 0)
    rows.append(_Row((-1, 0, 1, -others)))  # what only the other system found is gold, too
    parts = [world.get(f"{who}_spurious", 0) for who in ("both", f"only_{system}")]
    rows.append(_Row((-1, 1, 0, -world.get(f"spurious_{system}", sum(parts)))))
    if f"spurious_{system}" in world:
        rows.append(_Row((1, -1, 0, world[f"spurious_{system}"])))
    return rows


def _nothing(
    printed: Sequence[tuple[Metric, Interval]], world: World, system: str
) -> Solutions | None:
    """A system without responses; its precision is 0 / 0, which counts as 0 as everywhere."""
    gold = world.get("gold")
    own = (f"correct_{system}", f"spurious_{system}", f"predicted_{system}", "both_correct",
           "both_spurious", f"only_{system}_correct", f"only_{system}_spurious")  # fmt: skip
    if any(world.get(name) for name in own):
        return None
    sums = {"tp": 0, "predicted": 0, "gold": gold or 1}
    if not all(interval.contains(Fraction(metric.score(sums))) for metric, interval in printed):
        return None
    if gold is None:  # any number would fit
        return Solutions(0, (), False)
    return Solutions(1, ((0, 0, gold),), True)


def solutions(
    printed: Sequence[tuple[Metric, Interval]], world: World, system: str, steps: int = STEPS
) -> Solutions:
    """The counts of a system that fit all of its printed scores."""
    said = [row for metric, interval in printed for row in _between(metric, interval)]
    rows = [*said, *_ORDER, *_known(world, system)]
    of_k_and_g = _without(rows, 1)
    nothing = _nothing(printed, world, system)
    golds: _Limits = None
    if "gold" in world:
        golds = world["gold"], world["gold"]
    else:
        steps -= math.prod(map(len, _pairs(of_k_and_g, 0))) // _PAIRS
        if steps <= 0:
            return Solutions(0, (), False)
        golds = _limits(_without(of_k_and_g, 0), 2)
        if golds is None:
            return nothing or _NONE
        if golds[1] is None:
            return Solutions(0, (), False)
    count, first = (nothing.count, list(nothing.first)) if nothing else (0, [])
    for g in _range(golds):
        of_g = [_fixed(row, 2, g) for row in rows]
        for k in _range(_limits([_fixed(row, 2, g) for row in of_k_and_g], 0)):
            if steps <= 0:
                return Solutions(count, tuple(first), False)
            steps -= 1
            predicted = _limits([_fixed(row, 0, k) for row in of_g], 1)
            if predicted is None:
                continue
            if predicted[1] is None:
                count += 1
                first += [(k, None, g)] * (len(first) < LISTED)
                continue
            found = _range(predicted)
            count += found.stop - found.start
            first += [(k, n, g) for n in found[: LISTED - len(first)]]
        steps -= 1
        if steps <= 0 and g != golds[1]:
            return Solutions(count, tuple(first), False)
    return Solutions(count, tuple(first), nothing is None or nothing.complete)


def contradictory(printed: Sequence[tuple[Metric, Interval]]) -> bool:
    """Whether no counts of any size give the scores together."""
    return not solutions(printed, {}, "a").possible


# ---- hits against a probability ---------------------------------------------------------------

#: A tail below the first is computed from its first term; above the second number of hits it is
#: bounded.
_SMALLEST, _MANY = 1e-290, 2**40

#: Standard errors beyond which the first term of a tail suffices.
_FAR = 30

#: Chance allowed for where no exact p is known.
_CHANCE = Decimal(2) / Decimal("1e-6")

#: Digits enough for numbers near 10^18 whose difference counts, and for any power of ten.
_CONTEXT = decimal.Context(prec=60, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


# A probability p comes with q = 1 - p, because either may be too small to be seen in the other.


def _divergence(x: Decimal, p: Decimal, q: Decimal) -> Decimal:
    """KL(x || p), for 0 < p < 1."""
    with decimal.localcontext(_CONTEXT):
        found = Decimal(0)
        if x > 0:
            found += x * (x / p).ln()
        if x < 1:
            found += (1 - x) * ((1 - x) / q).ln()
        return max(found, Decimal(0))


def _stirling_error(n: int) -> float:
    """Log n! less Stirling's n log n - n + log(2 pi n) / 2."""
    if n < 16:
        return math.lgamma(n + 1) - (n * math.log(n) - n + math.log(2 * math.pi * n) / 2)
    return 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5)


def _log_term(k: int, n: int, p: Decimal, q: Decimal) -> float:
    """Log P(X = k) for 0 < k < n, as Loader (2000) has it, to some 1e-14 for any n."""
    with decimal.localcontext(_CONTEXT):
        main = -n * _divergence(Decimal(k) / n, p, q)
        main -= (2 * Decimal(math.pi) * k * (n - k) / n).ln() / 2
    errors = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return float(main) + errors


def _log_tail(k: int, n: int, p: Decimal, q: Decimal, upper: bool) -> float:
    """Log P(X >= k), or log P(X <= k); for a k that does not lie on the other side of n p."""
    with decimal.localcontext(_CONTEXT):
        if 2 * k > n:  # the failures are as binomial, and their probability keeps its digits
            k, p, q, upper = n - k, q, p, not upper
        if k == 0:  # the logarithm of 1 - p is -p where 1 - p is 1
            return float(n * min(q.ln(), -p))
        if k <= _MANY:
            value = (at_least if upper else at_most)(k, n, float(p))
            if value > _SMALLEST:
                return math.log(value)
        return _log_tail_beyond(k, n, p, q) if upper else _log_tail_beyond(n - k, n, q, p)


def _log_tail_beyond(k: int, n: int, p: Decimal, q: Decimal) -> float:
    """A bound on log P(X >= k)."""
    from scipy.special import log_ndtr

    with decimal.localcontext(_CONTEXT):
        spread = (n * p * q).sqrt()
        if k - n * p > _FAR * spread:
            series = (k + 1) * q / (k + 1 - (n + 1) * p)
            return _log_term(k, n, p, q) + float(series.ln())
        x = (k - 1) / Decimal(n)  # P(X >= k) = 1 - P(X <= k - 1) <= 1 - Phi(...)
        root = (2 * n * _divergence(x, p, q)).sqrt()
        return float(log_ndtr(-float(root) if x > p else float(root)))


def hits_pvalue(hits: int, trials: int, log_p: float) -> tuple[float | None, float, float]:
    """Compare the hits of shuffles with an exact p-value."""
    with decimal.localcontext(_CONTEXT):
        p = min(Decimal(log_p).exp(), Decimal(1))
        q = 1 - p
        spread = (trials * p * q).sqrt()
        if not spread:
            right = hits == (trials if p else 0)
            return None, float(right), 0.0 if right else -math.inf
        apart = hits - trials * p
        z = float(apart / spread)
        log_tail = _log_tail(hits, trials, p, q, upper=apart > 0)
    log_pvalue = min(0.0, log_tail + math.log(2))
    return (z if math.isfinite(z) else None), math.exp(log_pvalue), log_pvalue


def allowing_chance(interval: Interval, trials: int) -> Interval:
    """The p-values whose shuffles may give a share in the interval, at a risk of 10^-6."""

    def furthest(x: Fraction, toward: int) -> Fraction:
        with decimal.localcontext(_CONTEXT):
            share = Decimal(x.numerator) / x.denominator
            allowed = _CHANCE.ln() / trials
            near, far = share, Decimal(toward)
            for _ in range(80):  # each halves the distance
                middle = (near + far) / 2
                if not 0 < middle < 1 or _divergence(share, middle, 1 - middle) > allowed:
                    far = middle
                else:
                    near = middle
            return Fraction(far)

    # (h + 1) / (t + 1) is above h / t by at most 1 / t.
    low = max(Fraction(0), interval.low - Fraction(1, trials))
    high = min(Fraction(1), interval.high)
    return Interval(furthest(low, 0) if low > 0 else low, furthest(high, 1) if high < 1 else high)
