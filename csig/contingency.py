"""Tables of counts from sequences of labels: what a system confuses, and where two systems differ.

The tables that every evaluation begins with: TP, FP, FN and TN of one system, with the measures
that follow from them, or the whole confusion matrix of several labels; and of two systems how many
items both have right, only one, or none, which is what McNemar's test looks at.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.data.labels import class_columns, codes_of
from csig.data.names import checked_names
from csig.docs import documented
from csig.errors import InputError
from csig.shown import Shown
from csig.wording import clean, count, counted, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "AgreementTable",
    "ConfusionTable",
    "LabelCounts",
    "agreement_table",
    "confusion_table",
]

#: Labels of a matrix, which has their square of cells.
MOST_LABELS = 5000


def _share(above: int, below: int) -> float:
    """A quotient; NaN for 0/0, and infinite for more than nothing over nothing."""
    if below:
        return float(Fraction(above, below))
    return math.inf if above else math.nan


@dataclass(frozen=True)
class LabelCounts:
    """One label against all others; shares are NaN where there is nothing to take one of."""

    label: Hashable
    gold: int  #: Items that have it.
    predicted: int  #: Items that were given it.
    correct: int  #: Both.

    @property
    def recall(self) -> float:
        """Of the items that have the label."""
        return _share(self.correct, self.gold)

    @property
    def precision(self) -> float:
        """Of the items that were given the label."""
        return _share(self.correct, self.predicted)

    @property
    def f1(self) -> float:
        """Of both."""
        return _share(2 * self.correct, self.gold + self.predicted)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ConfusionTable(Shown):
    """How often a system gave which label to items with which label."""

    #: All labels, of the gold or of the system, in the order of their text.
    labels: tuple[Hashable, ...]
    counts: NDArray[np.int64]  #: Items by the gold's label (rows) and the system's (columns).
    #: The label that is looked for; all others are negative. None where there is none.
    positive: Hashable | None
    name: str  #: The system's name.

    def _line(self) -> str:
        if self.positive is None:
            many = counted(len(self.labels), "label")
            right = int(np.trace(self.counts))
            return f"{many}: {count(right)} of {counted(self.n, 'unit')} right"
        tp, fp, fn, tn = map(count, self.cells)
        return f"{clean(str(self.positive))}: TP {tp}, FP {fp}, FN {fn}, TN {tn}"

    @property
    def n(self) -> int:
        """All items."""
        return int(self.counts.sum())

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """TP, FP, FN and TN; refused if no label is positive."""
        if self.positive is None:
            raise InputError(
                f"TP, FP, FN and TN need a positive label; give confusion_table(..., positive=) "
                f"one of {first_few(self.labels)}, or take of(label)"
            )
        own = self._counts_of(self.labels.index(self.positive))
        tp, fp, fn = own.correct, own.predicted - own.correct, own.gold - own.correct
        return tp, fp, fn, self.n - tp - fp - fn

    @property
    def tp(self) -> int:
        """True positives: positive items that were found."""
        return self.cells[0]

    @property
    def fp(self) -> int:
        """False positives: negative items that were labelled positive."""
        return self.cells[1]

    @property
    def fn(self) -> int:
        """False negatives: positive items that were not found."""
        return self.cells[2]

    @property
    def tn(self) -> int:
        """True negatives: negative items that were left alone."""
        return self.cells[3]

    def _counts_of(self, i: int) -> LabelCounts:
        gold, predicted = self.counts[i].sum(), self.counts[:, i].sum()
        return LabelCounts(self.labels[i], int(gold), int(predicted), int(self.counts[i, i]))

    @property
    def by_label(self) -> tuple[LabelCounts, ...]:
        """Each label against all others."""
        return tuple(self._counts_of(i) for i in range(len(self.labels)))

    def of(self, label: Hashable) -> ConfusionTable:
        """The same table with a label as the positive one; refused if no item has it."""
        if label not in self.labels:
            raise InputError(
                f"positive: no item has the label {label!r}{perhaps(label, self.labels)}"
            )
        return replace(self, positive=label)

    @property
    def measures(self) -> dict[str, float]:
        """What follows from the counts, by name; NaN where it is not defined (0/0).

        With a positive label: accuracy, recall, precision, f1, specificity,
        negative_predictive_value, false_positive_rate, false_negative_rate, false_discovery_rate,
        false_omission_rate, balanced_accuracy, informedness (Youden's J), markedness, jaccard, mcc,
        kappa, prevalence, positive_likelihood_ratio, negative_likelihood_ratio, odds_ratio.
        Without: accuracy, balanced_accuracy, macro_recall, macro_precision, macro_f1,
        weighted_f1, mcc, kappa. Macro averages are over all labels that occur, and count one of
        which nothing is defined as 0.
        """
        if self.positive is None:
            return self._of_all_labels()
        tp, fp, fn, tn = self.cells
        yes, no, said, unsaid = tp + fn, tn + fp, tp + fp, tn + fn
        cross = tp * tn - fp * fn
        sums = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
        return {
            "accuracy": _share(tp + tn, self.n),
            "recall": _share(tp, yes),
            "precision": _share(tp, said),
            "f1": _share(2 * tp, 2 * tp + fp + fn),
            "specificity": _share(tn, no),
            "negative_predictive_value": _share(tn, unsaid),
            "false_positive_rate": _share(fp, no),
            "false_negative_rate": _share(fn, yes),
            "false_discovery_rate": _share(fp, said),
            "false_omission_rate": _share(fn, unsaid),
            "balanced_accuracy": _share(tp * no + tn * yes, 2 * yes * no),
            "informedness": _share(cross, yes * no),
            "markedness": _share(cross, said * unsaid),
            "jaccard": _share(tp, tp + fp + fn),
            "mcc": _function(metrics.mcc(), sums),
            "kappa": _function(metrics.kappa(), sums),
            "prevalence": _share(yes, self.n),
            "positive_likelihood_ratio": _share(tp * no, fp * yes),
            "negative_likelihood_ratio": _share(fn * no, tn * yes),
            "odds_ratio": _share(tp * tn, fp * fn),
        }

    def _of_all_labels(self) -> dict[str, float]:
        names, sums = self.labels, dict[str, int]()
        own = self.by_label
        for label in own:
            three = (label.correct, label.predicted, label.gold)
            sums |= zip(class_columns(label.label), three, strict=True)
        recall, precision = (
            math.fsum(0.0 if math.isnan(x) else x for x in row) / len(own) if own else math.nan
            for row in ([label.recall for label in own], [label.precision for label in own])
        )
        return {
            "accuracy": _share(int(np.trace(self.counts)), self.n),
            "balanced_accuracy": _function(metrics.balanced_accuracy(names), sums),
            "macro_recall": recall,
            "macro_precision": precision,
            "macro_f1": _function(metrics.macro_f1(names), sums),
            "weighted_f1": _function(metrics.weighted_f1(names), sums),
            "mcc": _function(metrics.mcc(names), sums),
            "kappa": _function(metrics.kappa(names), sums),
        }


def _function(metric: metrics.Metric, sums: dict[str, int]) -> float:
    if not any(sums.values()):
        return math.nan
    row = np.array([[sums[name] for name in metric.columns]], dtype=np.float64)
    return float(metric.raw_values(row)[0])


def confusion_table(
    gold: object,
    predicted: object,
    *,
    positive: Hashable | None = None,
    ids: object = None,
    name: str = "predicted",
) -> ConfusionTable:
    """The confusion matrix of a system: TP, FP, FN and TN, or all labels by all labels.

    Parameters
    ----------
    gold, predicted : sequence of hashable, or mapping {id: label}
        The gold label of every item, and the system's. The index of a pandas Series that is not the
        default range gives the ids.
    positive : hashable, optional
        The label that is looked for. All others are negative: with it `tp`, `fp`, `fn`, `tn` and
        the measures of two classes are known.
    ids : sequence of hashable, optional
        One per item.
    name : str
        The system's name in reports.

    Returns
    -------
    ConfusionTable

    Raises
    ------
    InputError
        The lengths differ, ids are missing or extra, a label is missing, no item is `positive`,
        there are no items, or more than 5,000 labels.

    Examples
    --------
    Ten words, of which a system says whether each is correct (Boltuzic 2014):

    >>> gold = list("TFFTFFTTTF")
    >>> predicted = list("TTTFFFTTTT")
    >>> table = confusion_table(gold, predicted, positive="T")
    >>> table
    <ConfusionTable T: TP 4, FP 3, FN 1, TN 2>
    >>> table.tp, table.fp, table.fn, table.tn
    (4, 3, 1, 2)
    >>> round(table.measures["f1"], 4), table.measures["specificity"]
    (0.6667, 0.4)
    """
    (codes, said), labels, *_ = codes_of({"gold": gold, "predicted": predicted}, ids)
    k = len(labels)
    if not k:
        raise InputError("gold: found no items")
    if k > MOST_LABELS:
        raise InputError(
            f"{count(k)} different labels: a table has one row and one column for each, and "
            f"{count(MOST_LABELS)} at most"
        )
    counts = np.bincount(codes * k + said, minlength=k * k).reshape(k, k).astype(np.int64)
    counts.setflags(write=False)
    found = ConfusionTable(labels=tuple(labels), counts=counts, positive=None, name=str(name))
    return found if positive is None else found.of(positive)


@dataclass(frozen=True, kw_only=True, repr=False)
class AgreementTable(Shown):
    """How many items both systems have right, only one of them, or none."""

    #: both, only_a, only_b, neither: items that both systems have right, only A, only B, and none.
    both: int
    only_a: int
    only_b: int
    neither: int
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = map(clean, self.names)
        found = f"both right {count(self.both)}, only {a} {count(self.only_a)}, only {b} "
        return f"{found}{count(self.only_b)}, neither {count(self.neither)}"

    @property
    def n(self) -> int:
        """All items."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def counts(self) -> NDArray[np.int64]:
        """A right or wrong (rows), B right or wrong (columns): what statsmodels' mcnemar takes."""
        return np.array([[self.both, self.only_a], [self.only_b, self.neither]], dtype=np.int64)

    @property
    def measures(self) -> dict[str, float]:
        """What follows from the counts, by name; NaN where it is not defined (0/0).

        accuracy_a, accuracy_b, difference; agreement: the share of items on which both are right or
        both wrong; r12: the correlation of their results (phi), as :func:`csig.correlation`;
        odds_ratio: of the items that only A and only B has right, what McNemar's test compares
        with 1.
        """
        right_a, right_b = self.both + self.only_a, self.both + self.only_b
        spread = right_a * (self.n - right_a) * right_b * (self.n - right_b)
        cross, r12 = self.both * self.neither - self.only_a * self.only_b, math.nan
        if spread:
            r12 = math.copysign(math.sqrt(Fraction(cross**2, spread)), cross)
        return {
            "accuracy_a": _share(right_a, self.n),
            "accuracy_b": _share(right_b, self.n),
            "difference": _share(self.only_a - self.only_b, self.n),
            "agreement": _share(self.both + self.neither, self.n),
            "r12": r12,
            "odds_ratio": _share(self.only_a, self.only_b),
        }

    @property
    def comparison(self) -> Comparison:
        """The same items as a comparison of accuracies, for :func:`csig.mcnemar_test` and others.

        It knows no ids and no clusters: where items are grouped, as in documents, take
        :meth:`csig.Comparison.from_labels` with ``clusters=``.
        """
        cells = (self.both, self.only_a, self.only_b, self.neither)
        one = np.ones(self.n, dtype=np.int64)
        a, b = (
            np.stack([np.repeat(right, cells), one], axis=1)
            for right in ((1, 1, 0, 0), (1, 0, 1, 0))
        )
        return Comparison.from_statistics(a, b, ("correct", "items"), names=self.names)


@documented
def agreement_table(
    gold: object,
    a: object,
    b: object,
    *,
    ids: object = None,
    names: tuple[str, str] = ("A", "B"),
) -> AgreementTable:
    """The 2 x 2 table of two systems: both right, only one, neither.

    Parameters
    ----------
    gold, a, b : sequence of hashable, or mapping {id: label}
        The gold label of every item, and the systems'. The index of a pandas Series that is not the
        default range gives the ids.
    ids : sequence of hashable, optional
        One per item.
    %(names)s

    Returns
    -------
    AgreementTable

    Raises
    ------
    InputError
        The lengths differ, ids are missing or extra, a label is missing, or there are no items.

    Examples
    --------
    >>> import csig
    >>> gold = list("TFFTFFTTTF")
    >>> a, b = list("TTTFFFTTTT"), list("TFFTFTTTTF")
    >>> table = agreement_table(gold, a, b)
    >>> table
    <AgreementTable both right 5, only A 1, only B 4, neither 0>
    >>> round(csig.mcnemar_test(table.comparison).pvalue, 4)
    0.375
    """
    names = checked_names(names)
    (right, own, other), labels, *_ = codes_of({"gold": gold, "a": a, "b": b}, ids)
    if not labels:
        raise InputError("gold: found no items")
    a_right, b_right = own == right, other == right
    cells = np.bincount(2 * ~a_right + ~b_right, minlength=4)
    both, only_a, only_b, neither = map(int, cells)
    return AgreementTable(both=both, only_a=only_a, only_b=only_b, neither=neither, names=names)
