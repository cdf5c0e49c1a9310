"""Metrics: functions of the summed statistics of a system.

A linear-fractional metric is a weighted sum of columns over another:

    score = (p . S) / (q . S)

with S = (tp, predicted, gold) for responses. The weights are exact rationals, so that
two scores can be compared without rounding, and tests are exact for any number of units.
Any other metric is a function of blocks of sums. A new metric is one line; see
:class:`Metric`.
"""

from __future__ import annotations

import inspect
import math
import numbers
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import ShownRows
from csig.base.validation import public
from csig.base.wording import first_few, perhaps
from csig.data.repeats import is_of_answers
from csig.data.settling import FORMULAS, counts_of_cells, counts_of_classes, shares
from csig.data.tables import class_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.settling import Counts, Formula

    Function = Callable[..., NDArray[np.float64]]

#: Characters of a weight, and twice its largest power of ten.
DIGITS = 60

#: Tolerance of the formulas here: some ulps. Ties are settled in integers: csig.data.settling.
ROUNDING = 2.0**-46

Weight = int | float | str | Fraction
Weights = Mapping[str, Weight] | Sequence[Weight]


def _rational(value: object, what: str) -> Fraction:
    """A weight as the decimal number its text shows: 0.1 is 1/10, not a binary fraction."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal, str)):
        raise InputError(f"{what} must be a number, found {value!r}")
    text = str(value)
    # Beyond these no test is possible, and 1e99999999 would take hours to write out.
    exponent = re.search(r"[eE]([+-]?[\d_]+)\s*$", text)
    if len(text) > DIGITS or (exponent and abs(int(exponent[1])) > DIGITS // 2):
        raise InputError(f"{what} must have fewer digits, found {text[:DIGITS]}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{what} must be a finite number, found {value!r}") from None


def _row(weights: Weights, columns: tuple[str, ...], what: str) -> tuple[Fraction, ...]:
    if isinstance(weights, Mapping):
        if unknown := [name for name in weights if name not in columns]:
            raise InputError(
                f"{what}: no column {first_few(unknown)}{perhaps(unknown[0], columns)}; the metric "
                f"has {first_few(columns)}"
            )
        return tuple(_rational(weights.get(c, 0), f"{what}[{c!r}]") for c in columns)
    if hasattr(weights, "tolist"):  # a numpy array
        weights = weights.tolist()
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise InputError(f"{what} must be a sequence or a mapping, found {weights!r}")
    if len(weights) != len(columns):
        raise InputError(f"{what}: {len(weights)} weights for {len(columns)} columns")
    return tuple(_rational(w, f"{what}[{i}]") for i, w in enumerate(weights))


class Exact(NamedTuple):
    """A function's formula in integers, and what makes its counts of sums."""

    formula: Formula
    read: Callable[[NDArray[Any]], Counts]


@dataclass(frozen=True)
class Metric(ShownRows):
    """A metric: a weighted sum of columns over another, or any function of the sums.

    Parameters
    ----------
    name : str
        The name in results and on the command line.
    columns : sequence of str
        The columns of the statistics it reads. Comparisons of responses have ``tp``
        (correct responses), ``predicted`` (all responses) and ``gold``.
    numerator, denominator : mapping {column: weight} or sequence of weights
        Exact weights: integers, fractions, or decimal numbers, read from their text.
    function : callable, optional
        Instead of weights: from sums, a float array of shape (trials, columns), to a score
        for each row, shape (trials,). Rows are independent of each other. NaN means that
        the score is not defined there; it becomes `zero_division`. A function with
        a parameter of that name is given it.
    greater_is_better : bool
        False for errors and losses, so that a verdict names the system with less.
    tolerance : float
        For functions: two differences closer than tolerance x the largest absolute score
        (observed, in a few swaps, or in the trial itself) are ties. The default, 1e-12, is
        above the rounding errors of most formulas: p is not too small if no score of the function
        is off by more than half of that, relative to itself. Differences that are truly closer
        also count as ties, which errs on the safe side; with counts in the millions give a
        smaller one. The functions that come with csig need none: their ties are exact.

    Examples
    --------
    The share of a system's responses that are wrong:

    >>> fdr = Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1),
    ...              greater_is_better=False)
    >>> fdr.score({"tp": 3, "predicted": 4})
    Fraction(1, 4)

    The geometric mean of precision and recall (Fowlkes and Mallows 1983):

    >>> fm = Metric("fm", ("tp", "predicted", "gold"),
    ...             function=lambda s: s[:, 0] / np.sqrt(s[:, 1] * s[:, 2]))
    >>> fm.score({"tp": 3, "predicted": 4, "gold": 9})
    0.5
    """

    name: str
    columns: tuple[str, ...]
    numerator: tuple[Fraction, ...]
    denominator: tuple[Fraction, ...]
    function: Function | None
    greater_is_better: bool
    tolerance: float

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        *,
        numerator: Weights | None = None,
        denominator: Weights | None = None,
        function: Function | None = None,
        greater_is_better: bool = True,
        tolerance: float = 1e-12,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"a metric's name must be a string, found {name!r}")
        if not isinstance(columns, Iterable):
            raise InputError(f"metric {name!r}: columns must be names, found {columns!r}")
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
        for column in columns:
            if not isinstance(column, str):
                raise InputError(f"metric {name!r}: a column must be a name, found {column!r}")
        if not columns or len(set(columns)) != len(columns):
            raise InputError(f"metric {name!r}: columns must be given, each once")
        above: tuple[Fraction, ...] = ()
        below: tuple[Fraction, ...] = ()
        if function is not None:
            if numerator is not None or denominator is not None:
                raise InputError(f"metric {name!r}: give weights or a function, not both")
            if not callable(function):
                raise InputError(f"metric {name!r}: {function!r} is not a function")
        elif numerator is None or denominator is None:
            raise InputError(
                f"metric {name!r}: give numerator and denominator weights, or a function"
            )
        else:
            above = _row(numerator, columns, f"metric {name!r}: numerator")
            below = _row(denominator, columns, f"metric {name!r}: denominator")
            if not any(below):
                raise InputError(f"metric {name!r}: all weights of the denominator are zero")
        if not isinstance(tolerance, numbers.Real) or not 0 <= tolerance < 1:
            raise InputError(
                f"metric {name!r}: tolerance must be at least 0 and below 1, found {tolerance!r}"
            )
        fields = {
            "name": name,
            "columns": columns,
            "numerator": above,
            "denominator": below,
            "function": function,
            "greater_is_better": bool(greater_is_better),
            "tolerance": float(tolerance),
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @property
    def linear_fractional(self) -> bool:
        """Whether it has weights."""
        return self.function is None

    @cached_property
    def integer_weights(self) -> tuple[dict[str, int], dict[str, int]]:
        """Both rows of weights times their common denominator, by column."""
        weights = (*self.numerator, *self.denominator)
        scale = math.lcm(*(w.denominator for w in weights))
        common = math.gcd(*(int(w * scale) for w in weights))
        numerator, denominator = (
            {c: int(w * scale) // common for c, w in zip(self.columns, row, strict=True)}
            for row in (self.numerator, self.denominator)
        )
        return numerator, denominator

    def check_columns(self, columns: Sequence[str]) -> None:
        """Refuse a comparison with these columns, if some that it reads are not among them."""
        if missing := [c for c in self.columns if c not in columns]:
            way = "; ask for 'mean'" if "score" in columns else ""
            raise InputError(
                f"metric {self.name!r} reads {first_few(missing)}; "
                f"this comparison has {first_few(columns)}{way}"
            )

    def weights_of(
        self, columns: Sequence[str]
    ) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Both rows of weights for these columns, 0 for those that it does not read."""
        numerator, denominator = (
            dict(zip(self.columns, row, strict=True)) for row in (self.numerator, self.denominator)
        )
        above, below = (
            tuple(row.get(c, Fraction(0)) for c in columns) for row in (numerator, denominator)
        )
        return above, below

    def score(
        self, sums: Mapping[str, int | Fraction], *, zero_division: int = 0
    ) -> Fraction | float:
        """The score of a system from its sums by column: exact, or a float by function.

        Where the denominator is zero it is `zero_division`; the default 0 is scikit-learn's.
        """
        if self.function is not None:
            row = np.array([[float(sums[c]) for c in self.columns]])
            return float(self.values(row, zero_division)[0][0])
        numerator, denominator = self.integer_weights
        below = sum(w * sums[c] for c, w in denominator.items())
        if below == 0:
            return Fraction(zero_division)
        return Fraction(sum(w * sums[c] for c, w in numerator.items()), below)

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may use it at once; unknown for a user's function."""
        return self.exact is not None

    @cached_property
    def exact(self) -> Exact | None:
        """For the functions that come with csig: how their differences are compared in integers."""
        read = {_of_cells: counts_of_cells, _of_classes: counts_of_classes}
        function: Any = self.function
        if getattr(function, "func", None) not in read:
            return None
        return Exact(FORMULAS[function.args[0]], read[function.func])

    @cached_property
    def _takes_zero_division(self) -> bool:
        try:
            return "zero_division" in inspect.signature(self.function or len).parameters
        except (TypeError, ValueError):  # compiled, without a signature
            return False

    def values(
        self, sums: NDArray[np.float64], zero_division: int = 0
    ) -> tuple[NDArray[np.float64], bool]:
        """The function's scores of rows of sums, a row a trial, and whether any was undefined and
        became `zero_division`.
        """
        scores = self.raw_values(sums, zero_division)
        undefined = np.isnan(scores)
        if undefined.any():
            return np.where(undefined, zero_division, scores), True
        return scores, False

    def raw_values(self, sums: NDArray[np.float64], zero_division: int = 0) -> NDArray[np.float64]:
        """The same with NaN where the score is not defined, as the function gives it."""
        if self.function is None:
            raise InputError(f"metric {self.name!r} has weights, not a function")
        given = {"zero_division": zero_division} if self._takes_zero_division else {}
        with np.errstate(divide="ignore", invalid="ignore"):
            answer = self.function(sums, **given)
        if isinstance(answer, np.ma.MaskedArray):  # what is masked is not defined
            answer = np.ma.filled(answer.astype(np.float64), np.nan)
        try:
            scores = np.asarray(answer)
        except ValueError:  # lists of different lengths
            scores = np.empty(0, dtype=object)
        if scores.shape != (len(sums),) or scores.dtype.kind not in "biuf":
            raise InputError(
                f"metric {self.name!r}: its function must give one number per trial, shape "
                f"{(len(sums),)}, found {scores.dtype} of shape {scores.shape}"
            )
        scores = np.asarray(scores, dtype=np.float64)
        if np.isfinite(scores).all():
            return scores
        infinite = np.flatnonzero(np.isinf(scores))
        if infinite.size:
            row = dict(zip(self.columns, sums[infinite[0]].tolist(), strict=True))
            raise InputError(
                f"metric {self.name!r}: its function gives {scores[infinite[0]]} for {row}"
            )
        return scores


@public("csig.metrics")
def f_beta(beta: Weight) -> Metric:
    """F_beta, (1 + beta^2) tp / (predicted + beta^2 gold).

    Recall weighs beta times as much as precision; with 1 it is their harmonic mean (van
    Rijsbergen 1979, *Information Retrieval*, chapter 7). Beta is positive, and taken by its
    decimal text, so 0.1 is exactly 1/10.

    >>> f_beta(0.5).name
    'f0.5'
    """
    value = _rational(beta, "beta")
    if value <= 0:
        raise InputError(f"beta must be positive, found {beta!r}")
    square = value**2
    text = str(value) if value.denominator == 1 else str(float(value))
    return Metric(
        f"f{text}",
        ("tp", "predicted", "gold"),
        numerator=(1 + square, 0, 0),
        denominator=(0, 1, square),
    )


@public("csig.metrics")
def ratio(name: str, numerator: str, denominator: str, *, greater_is_better: bool = True) -> Metric:
    """The sum of one column over the sum of another.

    >>> ratio("words per sentence", "words", "sentences").score({"words": 9, "sentences": 2})
    Fraction(9, 2)
    """
    return Metric(
        name, (numerator, denominator), numerator=(1, 0), denominator=(0, 1),
        greater_is_better=greater_is_better,
    )  # fmt: skip


recall = ratio("recall", "tp", "gold")
precision = ratio("precision", "tp", "predicted")
jaccard = Metric(
    "jaccard", ("tp", "predicted", "gold"), numerator=(1, 0, 0), denominator=(-1, 1, 1)
)
f1 = f_beta(1)
#: Of items that are right or wrong.
accuracy = ratio("accuracy", "correct", "items")
error_rate = ratio("error_rate", "errors", "items", greater_is_better=False)
#: The share of the negative items that were not labelled positive.
specificity = Metric("specificity", ("tn", "fp"), numerator=(1, 0), denominator=(1, 1))
#: Word error rate: substitutions, deletions and insertions over the words of the reference.
wer = ratio("wer", "errors", "words", greater_is_better=False)
#: Of scores, one per unit.
mean = ratio("mean", "score", "n")

#: The metrics that have a name; ``f0.5``, ``f2`` and so on are made by :func:`f_beta`.
BUILTIN: dict[str, Metric] = {
    m.name: m
    for m in (recall, precision, f1, jaccard, accuracy, error_rate, specificity, wer, mean)
}

#: The same from other columns: the cells of a binary confusion matrix.
_BINARY = ("tp", "fp", "fn", "tn")
_OTHER_COLUMNS: tuple[Metric, ...] = (
    Metric("recall", ("tp", "fn"), numerator=(1, 0), denominator=(1, 1)),
    Metric("precision", ("tp", "fp"), numerator=(1, 0), denominator=(1, 1)),
    Metric("f1", ("tp", "fp", "fn"), numerator=(2, 0, 0), denominator=(2, 1, 1)),
    Metric("jaccard", ("tp", "fp", "fn"), numerator=(1, 0, 0), denominator=(1, 1, 1)),
    Metric("accuracy", _BINARY, numerator=(1, 0, 0, 1), denominator=(1, 1, 1, 1)),
    Metric(
        "error_rate", _BINARY, numerator=(0, 1, 1, 0), denominator=(1, 1, 1, 1),
        greater_is_better=False,
    ),
    Metric(
        "error_rate", ("correct", "items"), numerator=(-1, 1), denominator=(0, 1),
        greater_is_better=False,
    ),
)  # fmt: skip


# What the functions below work on: for every trial and class the items that are right, the
# items a system gave this class, and the items that have it; arrays of (trials, classes).


def _mean(name: str, counts: Counts) -> NDArray[np.float64]:
    above, below, over = FORMULAS[name].terms(counts)
    return np.asarray((above / below).sum(axis=1) / over)


def _weighted_f1(counts: Counts) -> NDArray[np.float64]:
    tp, predicted, gold = counts
    above, below = shares(2 * tp, predicted + gold)
    return np.asarray((above / below * gold).sum(axis=1) / gold.sum(axis=1))


#: Items up to which their square is an integer that doubles hold.
SQUARES = 2**26


def _mcc(counts: Counts) -> NDArray[np.float64]:
    tp, predicted, gold = counts
    items = gold.sum(axis=1)
    if (items > SQUARES).any():  # squares are rounded, and then may not cancel
        above, spread, given, _ = _by_class(counts)
        return np.asarray(above / (np.sqrt(spread) * np.sqrt(given)))
    square = items * items
    above = tp.sum(axis=1) * items - (predicted * gold).sum(axis=1)
    spread = (square - (predicted**2).sum(axis=1)) * (square - (gold**2).sum(axis=1))
    return np.asarray(above / np.sqrt(spread))


def _kappa(counts: Counts) -> NDArray[np.float64]:
    tp, predicted, gold = counts
    items = gold.sum(axis=1)
    if (items > SQUARES).any():
        above, _, _, below = _by_class(counts)
        return np.asarray(above / below)
    chance = (predicted * gold).sum(axis=1)
    return np.asarray((tp.sum(axis=1) * items - chance) / (items * items - chance))


def _by_class(counts: Counts) -> tuple[NDArray[np.float64], ...]:
    """What is right beyond chance, both spreads, and what chance leaves, as sums of products of
    counts: differences are taken of the counts alone, where they are exact.
    """
    tp, predicted, gold = counts
    items = gold.sum(axis=1)
    extra = items - predicted.sum(axis=1)  # 0 in every confusion matrix
    missed, other, rest = gold - tp, items[:, None] - gold, items[:, None] - predicted
    negative = (other - (predicted - tp)).astype(np.float64)
    above = tp.astype(np.float64) * negative - (predicted - tp).astype(np.float64) * missed
    p, g = predicted.astype(np.float64), gold.astype(np.float64)
    outside = items.astype(np.float64) * extra
    return (
        above.sum(axis=1),
        (p * rest).sum(axis=1) + outside,
        (g * other).sum(axis=1),
        (p * other).sum(axis=1) + outside,
    )


# With two classes both are quotients of products of counts, which keep their digits however
# rare one class is.


def _of_cells(name: str, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the four cells of a binary confusion matrix."""
    if name not in ("mcc", "kappa"):
        return _FORMULAS[name](counts_of_cells(sums))
    tp, fp, fn, tn = sums.T.astype(np.float64)
    if name == "mcc":
        spread = np.sqrt((tp + fp) * (tn + fn)) * np.sqrt((tp + fn) * (tn + fp))
        return np.asarray((tp * tn - fp * fn) / spread)
    below = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return np.asarray(2 * (tp * tn - fp * fn) / below)


def _of_classes(name: str, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From three columns per class."""
    return _FORMULAS[name](counts_of_classes(sums))


#: Name -> formula. All are functions of the sums and take their columns from the comparison.
_FORMULAS: dict[str, Function] = {
    "macro_f1": partial(_mean, "macro_f1"),
    "weighted_f1": _weighted_f1,
    "balanced_accuracy": partial(_mean, "balanced_accuracy"),
    "mcc": _mcc,
    "kappa": _kappa,
}


def _over_classes(name: str, classes: Iterable[object] | None) -> Metric:
    if classes is None:
        return Metric(name, _BINARY, function=partial(_of_cells, name), tolerance=ROUNDING)
    labels = list(classes)
    if not labels:
        raise InputError(f"metric {name!r}: no classes")
    columns = [column for label in labels for column in class_columns(label)]
    return Metric(name, columns, function=partial(_of_classes, name), tolerance=ROUNDING)


@public("csig.metrics")
def macro_f1(classes: Iterable[object] | None = None) -> Metric:
    """The mean of the F1 of the classes that the gold or the system has, as scikit-learn's.

    Parameters
    ----------
    classes : iterable of labels, optional
        Each needs the columns of :func:`class_columns`, as ``Comparison.from_labels`` makes
        them. By default ``tp``, ``fp``, ``fn`` and ``tn`` are read: two classes.

    Examples
    --------
    >>> macro_f1().score({"tp": 4, "fp": 3, "fn": 1, "tn": 2})
    0.5833333333333333
    """
    return _over_classes("macro_f1", classes)


@public("csig.metrics")
def weighted_f1(classes: Iterable[object] | None = None) -> Metric:
    """The mean of the classes' F1, weighted by their items; parameters as :func:`macro_f1`."""
    return _over_classes("weighted_f1", classes)


@public("csig.metrics")
def balanced_accuracy(classes: Iterable[object] | None = None) -> Metric:
    """The mean of the recalls of the classes that occur; parameters as :func:`macro_f1`."""
    return _over_classes("balanced_accuracy", classes)


@public("csig.metrics")
def mcc(classes: Iterable[object] | None = None) -> Metric:
    """Matthews' correlation (1975), for several classes Gorodkin's (2004).

    Parameters as :func:`macro_f1`. Where all items have or were given one class it is not
    defined and becomes ``zero_division``; scikit-learn says 0.

    >>> round(mcc().score({"tp": 4, "fp": 3, "fn": 1, "tn": 2}), 6)
    0.218218
    """
    return _over_classes("mcc", classes)


@public("csig.metrics")
def kappa(classes: Iterable[object] | None = None) -> Metric:
    """Cohen's kappa (1960) between system and gold; parameters as :func:`macro_f1`."""
    return _over_classes("kappa", classes)


@public("csig.metrics")
def get(metric: str | Metric, columns: Collection[str] | None = None) -> Metric:
    """The metric of that name; a Metric is returned as it is.

    Parameters
    ----------
    metric : str or Metric
        A name: ``recall``, ``precision``, ``f1``, ``f0.5``, ``jaccard``, ``accuracy``,
        ``error_rate``, ``specificity``, ``wer``, ``mean``, ``macro_f1``, ``weighted_f1``,
        ``balanced_accuracy``, ``mcc``, ``kappa``.
    columns : collection of str, optional
        What a comparison has: ``recall`` is made of ``tp`` and ``gold``, or of ``tp`` and
        ``fn`` where there is no ``gold``.

    Examples
    --------
    >>> get("F1") is f1
    True
    >>> get("f0.5").numerator[0]
    Fraction(5, 4)
    >>> get("recall", ("tp", "fp", "fn", "tn")).columns
    ('tp', 'fn')
    """
    if isinstance(metric, Metric):
        return metric
    known = [*BUILTIN, *_FORMULAS]
    if isinstance(metric, str):
        name = metric.strip().lower().replace("-", "_")
        if name in _FORMULAS:
            classes = []
            if columns is not None and not set(_BINARY) <= set(columns):
                labels = [c[3:-1] for c in columns if c.startswith("tp[") and c.endswith("]")]
                classes = [label for label in labels if set(class_columns(label)) <= set(columns)]
            return _over_classes(name, classes or None)
        if variants := [m for m in (BUILTIN.get(name), *_OTHER_COLUMNS) if m and m.name == name]:
            fitting = (m for m in variants if columns is None or set(m.columns) <= set(columns))
            return next(fitting, variants[0])
        if name[:1] == "f" and name[1:2].isdigit():
            metric = f_beta(metric.strip()[1:])
            if columns is None or "predicted" in columns or "fp" not in columns:
                return metric
            square = metric.denominator[2]
            return Metric(
                metric.name,
                ("tp", "fp", "fn"),
                numerator=(1 + square, 0, 0),
                denominator=(1 + square, 1, square),
            )
    if isinstance(metric, str) and is_of_answers(metric):
        raise InputError(
            f"metric {metric!r} is of several answers to each question, which are not known here; "
            "csig compare takes it with --run, and csig.Comparison.from_answers makes of them a "
            "comparison with 'mean'"
        )
    raise InputError(
        f"metric {metric!r} is unknown{perhaps(metric, known)}; there are {', '.join(known)}, and "
        f"f0.5, f2, ..."
    )


def get_all(metric: object, columns: Collection[str]) -> list[Metric]:
    """The metrics of a name, a Metric or several of them, each once."""
    if isinstance(metric, (str, Metric)):
        return [get(metric, columns)]
    if not isinstance(metric, Iterable):
        raise InputError(f"metric must be a name, a Metric or several of them, found {metric!r}")
    metrics = [get(m, columns) for m in metric]
    names = [m.name for m in metrics]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"metric: given more than once: {first_few(doubled)}")
    if not metrics:
        raise InputError("metric: found an empty list, expected at least one")
    return metrics
