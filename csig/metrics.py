"""Metrics: functions of the summed statistics of a system.

All metrics here are linear-fractional, a weighted sum of columns over another:

    score = (p . S) / (q . S)

with S = (tp, predicted, gold) for responses. The weights are exact rationals, so that
two scores can be compared without rounding. A new metric is one line; see
:class:`Metric`.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from csig.errors import InputError, first_few

__all__ = ["BUILTIN", "Metric", "f1", "f_beta", "get", "jaccard", "precision", "recall"]

#: Characters of a weight, and twice its largest power of ten.
DIGITS = 60

Weight = int | float | str | Fraction
Weights = Mapping[str, Weight] | Sequence[Weight]


def _rational(value: object, what: str) -> Fraction:
    """A weight as the decimal number its text shows: 0.1 is 1/10, not a binary fraction."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal, str)):
        raise InputError(f"{what} must be a number, found {value!r}")
    text = str(value)
    # Beyond these no test is possible, and 1e99999999 would take hours to write out.
    exponent = re.search(r"[eE]([+-]?[0-9_]+)$", text)
    if len(text) > DIGITS or (exponent and abs(int(exponent[1])) > DIGITS // 2):
        raise InputError(f"{what} must have fewer digits, found {text[:DIGITS]}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{what} must be a finite number, found {value!r}") from None


def _row(weights: Weights, columns: tuple[str, ...], what: str) -> tuple[Fraction, ...]:
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if name not in columns]
        if unknown:
            raise InputError(
                f"{what}: no column {first_few(unknown)}; the metric has {first_few(columns)}"
            )
        return tuple(_rational(weights.get(c, 0), f"{what}[{c!r}]") for c in columns)
    if hasattr(weights, "tolist"):  # a numpy array
        weights = weights.tolist()
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise InputError(f"{what} must be a sequence or a mapping, found {weights!r}")
    if len(weights) != len(columns):
        raise InputError(f"{what}: {len(weights)} weights for {len(columns)} columns")
    return tuple(_rational(w, f"{what}[{i}]") for i, w in enumerate(weights))


@dataclass(frozen=True)
class Metric:
    """A linear-fractional metric: a weighted sum of columns over another.

    Parameters
    ----------
    name : str
        The name in results and on the command line.
    columns : sequence of str
        The columns of the statistics it reads. Comparisons of responses have ``tp``
        (correct responses), ``predicted`` (all responses) and ``gold``.
    numerator, denominator : mapping {column: weight} or sequence of weights
        Exact weights: integers, fractions, or decimal numbers taken by their text.
    greater_is_better : bool
        False for errors and losses, so that a verdict names the system with less.

    Examples
    --------
    The share of a system's responses that are wrong:

    >>> fdr = Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1),
    ...              greater_is_better=False)
    >>> fdr.score({"tp": 3, "predicted": 4})
    Fraction(1, 4)
    """

    name: str
    columns: tuple[str, ...]
    numerator: tuple[Fraction, ...]
    denominator: tuple[Fraction, ...]
    greater_is_better: bool = True

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        *,
        numerator: Weights,
        denominator: Weights,
        greater_is_better: bool = True,
    ) -> None:
        if not isinstance(columns, Iterable):
            raise InputError(f"metric {name!r}: columns must be names, found {columns!r}")
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
        if not columns or len(set(columns)) != len(columns):
            raise InputError(f"metric {name!r}: columns must be given, each once")
        setting = object.__setattr__
        setting(self, "name", name)
        setting(self, "columns", columns)
        setting(self, "numerator", _row(numerator, columns, f"metric {name!r}: numerator"))
        setting(self, "denominator", _row(denominator, columns, f"metric {name!r}: denominator"))
        setting(self, "greater_is_better", bool(greater_is_better))
        if not any(self.denominator):
            raise InputError(f"metric {name!r}: all weights of the denominator are zero")

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

    def score(self, sums: Mapping[str, int], *, zero_division: int = 0) -> Fraction:
        """The exact score of a system from its summed statistics.

        Parameters
        ----------
        sums : mapping {column: int}
            The sums over all units; columns the metric does not read are ignored.
        zero_division : {0, 1}
            The score when the denominator is zero. The default 0 is scikit-learn's.
        """
        numerator, denominator = self.integer_weights
        below = sum(w * sums[c] for c, w in denominator.items())
        if below == 0:
            return Fraction(zero_division)
        return Fraction(sum(w * sums[c] for c, w in numerator.items()), below)


def f_beta(beta: Weight) -> Metric:
    """F_beta, (1 + beta^2) tp / (predicted + beta^2 gold).

    Parameters
    ----------
    beta : number or decimal text
        How many times as much recall weighs as precision; positive. Taken by its
        decimal text, so 0.1 is exactly 1/10.

    Notes
    -----
    van Rijsbergen (1979), *Information Retrieval*, chapter 7. With beta = 1 it is the
    harmonic mean of recall and precision.

    Examples
    --------
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


recall = Metric("recall", ("tp", "gold"), numerator=(1, 0), denominator=(0, 1))
precision = Metric("precision", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
jaccard = Metric(
    "jaccard", ("tp", "predicted", "gold"), numerator=(1, 0, 0), denominator=(-1, 1, 1)
)
f1 = f_beta(1)

#: The metrics that have a name; ``f0.5``, ``f2`` and so on are made by :func:`f_beta`.
BUILTIN: dict[str, Metric] = {m.name: m for m in (recall, precision, f1, jaccard)}


def get(metric: str | Metric) -> Metric:
    """The metric of that name; a Metric is returned as it is.

    Examples
    --------
    >>> get("F1") is f1
    True
    >>> get("f0.5").numerator[0]
    Fraction(5, 4)
    """
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        name = metric.strip().lower()
        if name in BUILTIN:
            return BUILTIN[name]
        if name[:1] == "f" and name[1:2].isdigit():
            return f_beta(name[1:])
    known = ", ".join(BUILTIN)
    raise InputError(f"metric {metric!r} is unknown; there are {known}, and f0.5, f2, ...")
