"""Tables of counts from sequences of labels: what a system confuses, and where two systems differ.

The tables that every evaluation begins with: TP, FP, FN and TN of one system, with the measures
that follow from them, or the whole confusion matrix of several labels; and of two systems how many
items both have right, only one, or none, which is what McNemar's test looks at. Cochran's Q test
asks whether there is any difference among several systems' shares of right items.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import one_of, public
from csig.base.wording import clean, count, counted, documented, first_few, perhaps, pvalue
from csig.classical.independent import ItemSums
from csig.classical.paired import TestResult, sign_test_pvalue
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.several import several
from csig.data.tables import class_columns, codes_of
from csig.data.units import checked_names, labels_of, ordered
from csig.probability.alike import alike

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Labels of a matrix, which has their square of cells.
MOST_LABELS = 5000

#: How the p-value is found.
CochranMethod = Literal["auto", "exact", "asymptotic"]

#: Steps that "auto" spends on an exact p-value, and "exact" at most; and cells of a table.
BUDGET, LIMIT, CELLS = 2**26, 2**33, 2**22

#: Informative items, and results of theirs, below which chi-square is rough.
FEW, FEW_RESULTS = 4, 24

#: The least probable outcome that is computed: exp(-690) is a double with all its digits.
LEAST = 690.0

_ASSUMES = (
    "The items are independent, and under the null hypothesis no item favors any system: all are "
    "equally good, and equally correlated with each other."
)


def _share(above: int, below: int) -> float:
    """A quotient; NaN for 0/0, and infinite for more than nothing over nothing."""
    if below:
        return float(Fraction(above, below))
    return math.inf if above else math.nan


def _mean_share(shares: list[float]) -> float:
    """Of several labels, where one that is not defined is 0."""
    return math.fsum(0.0 if math.isnan(x) else x for x in shares) / len(shares)


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
class ConfusionTable(Shown, report="csig.classical.report"):
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
                f"no item has the positive label {label!r}{perhaps(label, self.labels)}"
            )
        return replace(self, positive=label)

    @property
    def measures(self) -> dict[str, float]:
        """What follows from the counts, by name; NaN where it is not defined (0/0).

        With a positive label they are those of two classes, from accuracy to odds_ratio; without,
        macro and weighted averages over all labels that occur, which count one of which nothing is
        defined as 0: docs/classical.md.
        """
        if self.positive is None:
            names, sums = self.labels, dict[str, int]()
            rows = self.by_label
            for own in rows:
                three = (own.correct, own.predicted, own.gold)
                sums |= zip(class_columns(own.label), three, strict=True)
            return {
                "accuracy": _share(int(np.trace(self.counts)), self.n),
                "balanced_accuracy": _function(metrics.balanced_accuracy(names), sums),
                "macro_recall": _mean_share([own.recall for own in rows]),
                "macro_precision": _mean_share([own.precision for own in rows]),
                "macro_f1": _function(metrics.macro_f1(names), sums),
                "weighted_f1": _function(metrics.weighted_f1(names), sums),
                "mcc": _function(metrics.mcc(names), sums),
                "kappa": _function(metrics.kappa(names), sums),
            }
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


def _function(metric: metrics.Metric, sums: dict[str, int]) -> float:
    row = np.array([[sums[name] for name in metric.columns]], dtype=np.float64)
    return float(metric.raw_values(row)[0])


def _checked_codes(
    given: Mapping[str, object], id: object
) -> tuple[list[NDArray[np.int64]], list[Hashable]]:
    """Labels of items by number, which need no order but ids that could give one."""
    codes, labels, ids, _ = codes_of(given, id)
    if ids is not None:
        ordered(labels_of("id", ids, len(codes[0])), "id")
    return codes, labels


@public("csig.classical")
def confusion_table(
    gold: object,
    predicted: object,
    *,
    positive: Hashable | None = None,
    id: object = None,
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
    id : sequence of hashable, optional
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
    (codes, said), labels = _checked_codes({"gold": gold, "predicted": predicted}, id)
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
class AgreementTable(Shown, report="csig.classical.report"):
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
        both wrong; r12: the correlation of their results (phi), as
        :func:`csig.classical.correlation`; odds_ratio: of the items that only A and only B has
        right, what McNemar's test compares with 1.
        """
        a, b = self.both + self.only_a, self.both + self.only_b
        return {
            "accuracy_a": _share(a, self.n),
            "accuracy_b": _share(b, self.n),
            "difference": _share(self.only_a - self.only_b, self.n),
            "agreement": _share(self.both + self.neither, self.n),
            "r12": ItemSums("accuracy", self.n, a, b, a, b, self.both).r12,
            "odds_ratio": _share(self.only_a, self.only_b),
        }

    @property
    def comparison(self) -> Comparison:
        """The same items as a comparison of accuracies, for :func:`csig.classical.mcnemar_test` and
        others.

        It knows no ids and no clusters: where items are grouped, as in documents, take
        :meth:`csig.Comparison.from_labels` with ``cluster=``.
        """
        cells = (self.both, self.only_a, self.only_b, self.neither)
        one = np.ones(self.n, dtype=np.int64)
        a, b = (
            np.stack([np.repeat(right, cells), one], axis=1)
            for right in ((1, 1, 0, 0), (1, 0, 1, 0))
        )
        return Comparison.from_statistics(a, b, ("correct", "items"), names=self.names)


@public("csig.classical")
@documented
def agreement_table(
    gold: object,
    a: object,
    b: object,
    *,
    id: object = None,
    names: tuple[str, str] = ("A", "B"),
) -> AgreementTable:
    """The 2 x 2 table of two systems: both right, only one, neither.

    Parameters
    ----------
    gold, a, b : sequence of hashable, or mapping {id: label}
        The gold label of every item, and the systems'. The index of a pandas Series that is not the
        default range gives the ids.
    id : sequence of hashable, optional
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
    >>> round(csig.classical.mcnemar_test(table.comparison).pvalue, 4)
    0.375
    """
    names = checked_names(names)
    (right, own, other), labels = _checked_codes({"gold": gold, "a": a, "b": b}, id)
    if not labels:
        raise InputError("gold: found no items")
    a_right, b_right = own == right, other == right
    cells = np.bincount(2 * ~a_right + ~b_right, minlength=4)
    both, only_a, only_b, neither = map(int, cells)
    return AgreementTable(both=both, only_a=only_a, only_b=only_b, neither=neither, names=names)


@public("csig.classical")
def cochran_q_test(
    systems: Mapping[str, Any], *, id: object = None, method: CochranMethod = "auto"
) -> TestResult:
    """Cochran's Q test: do systems that are right or wrong on the same items differ at all?

    Parameters
    ----------
    systems : mapping {name: results}
        Of every system 1 or 0 (True or False) for each item, right or wrong; or {id: result}.
    id : sequence, optional
        One per item.
    method : {"auto", "exact", "asymptotic"}
        "exact" permutes the results of every item among the systems, in all ways. "auto" does it
        where that takes a second at most: for 2 systems always, for 3 with up to some 400
        informative items, 4 with 80, 5 with 30; else it is asymptotic, and the result says so.

    Returns
    -------
    TestResult
        With `degrees_of_freedom` of the asymptotic test; `right`, the items that each system has
        right; `n_units`, all items, and `n_informative`, those that some systems have right and
        others wrong, for only these count; `method`; `asymptotic_pvalue`, of chi-square; and
        `exact_pvalue`, None where it was not computed. Q = 0 and p = 1 if on every item all systems
        are right, or all wrong.

    Raises
    ------
    InputError
        A result is neither 0 nor 1, the systems have different items, there are fewer than two
        systems, or the exact distribution is too large.

    Notes
    -----
    With k systems, C_j right items of system j, R_i systems that have item i right and N = sum R_i,
    Q = (k - 1) (k sum C_j^2 - N^2) / (k N - sum R_i^2), which is asymptotically chi-square with
    k - 1 degrees of freedom (Cochran 1950, Biometrika 37). Given the R_i only sum C_j^2 varies, an
    integer; its exact distribution is that of a sum of independent vectors, one for each item, and
    built item by item. With two systems Q is McNemar's chi-square without correction, and the exact
    test McNemar's.

    It is an omnibus test: a small p-value says that some systems differ, and not which.
    :func:`csig.compare_systems` says which, and needs no such test before it: its familywise error
    is bounded with or without. The null hypothesis of the exact test is that all systems are
    interchangeable on every item, which is more than equal accuracies.

    Examples
    --------
    Twelve items, three systems (Conover 1999, p. 253):

    >>> rows = "111 111 010 110 000 111 111 110 001 010 111 111".split()
    >>> right = {f"s{j}": [int(row[j]) for row in rows] for j in range(3)}
    >>> found = cochran_q_test(right)
    >>> found
    <TestResult 3 systems, 12 items: Q = 2.8, p = 0.395 (exact)>
    >>> round(found.asymptotic_pvalue, 6)
    0.246597
    """
    one_of("method", method, get_args(CochranMethod))
    given = several(systems, ids=id)
    for name, own in zip(given.names, given.rows, strict=True):
        odd = np.flatnonzero((own != 0) & (own != 1))
        if len(odd):
            place = f"[{odd[0]}]" if given.ids is None else f", item {given.ids[odd[0]]!r}"
            raise InputError(
                f"{name}{place}: Cochran's test takes 1 or 0, right or wrong, found "
                f"{float(own[odd[0]]):.6g}; csig.compare_systems takes other scores"
            )
    table = np.stack(given.rows).astype(np.int64)
    k, n = table.shape
    of_item = table.sum(axis=0)
    informative = (of_item > 0) & (of_item < k)
    totals: list[int] = of_item[informative].tolist()
    columns: list[int] = table[:, informative].sum(axis=1).tolist()
    q = 0.0
    if totals:
        whole, squares = sum(totals), sum(c * c for c in columns)
        above = (k - 1) * (k * squares - whole**2)
        q = float(Fraction(above, k * whole - sum(r * r for r in totals)))
    exact = _exact(columns, totals, method)
    from scipy.special import chdtrc

    normal = alike(float(chdtrc(k - 1, q))) if len(totals) else 1.0
    p, used = (normal, "asymptotic") if exact is None else (exact, "exact")
    assumes = _ASSUMES
    if exact is None:
        assumes += " There are enough informative items for chi-square"
        if len(totals) < FEW or len(totals) * k < FEW_RESULTS:  # Tate and Brown (1970), JASA 65
            assumes += (
                f", as a rule at least {FEW} with {FEW_RESULTS} results; here are "
                f"{count(len(totals))}, so the p-value is rough"
            )
        assumes += "."
    found = f"{counted(k, 'system')}, {counted(n, 'unit')}: Q = {q:.4g}"
    return TestResult(
        test="Cochran's Q",
        statistic=q,
        pvalue=p,
        alternative="two-sided",
        assumes=assumes,
        degrees_of_freedom=k - 1,
        details={
            "right": tuple(table.sum(axis=1).tolist()),
            "n_units": n,
            "n_informative": len(totals),
            "method": used,
            "exact_pvalue": exact,
            "asymptotic_pvalue": normal,
        },
        names=given.names,
        line=f"{found}, p = {pvalue(p)} ({used})",
    )


def _exact(columns: list[int], totals: list[int], method: CochranMethod) -> float | None:
    """The exact p-value; None where it is not asked for, or "auto" finds it too expensive."""
    k, n = len(columns), len(totals)
    if method == "asymptotic":
        return None
    if not n:
        return 1.0
    if k == 2:
        return sign_test_pvalue(columns[0], columns[1])
    if (  # cells, the least probability, and steps: the cells before each item, times its patterns
        (n + 1) ** (k - 1) > CELLS
        or sum(math.log(math.comb(k, r)) for r in totals) > LEAST
        or sum((i + 1) ** (k - 1) * math.comb(k, r) for i, r in enumerate(totals))
        > (BUDGET if method == "auto" else LIMIT)
    ):
        if method == "auto":
            return None
        raise InputError(
            f"method 'exact': the distribution for {counted(k, 'system')} and {count(n)} "
            f"informative items is too large; use method='asymptotic', or csig.compare_systems "
            f"for exact tests of all pairs"
        )
    # The probability of a sum of squares as large as the observed one, from a table with one axis
    # for the right items of each system but the last, whose are the rest.
    table = np.ones((1,) * (k - 1))
    for r in totals:
        size = table.shape[0]
        larger = np.zeros((size + 1,) * (k - 1))
        for pattern in combinations(range(k), r):
            larger[tuple(slice(j in pattern, size + (j in pattern)) for j in range(k - 1))] += table
        table = larger / math.comb(k, r)
    squares: Any = 0
    last: Any = sum(totals)
    for j in range(k - 1):
        axis = np.arange(n + 1).reshape([-1 if i == j else 1 for i in range(k - 1)])
        squares, last = squares + axis**2, last - axis
    squares = squares + last**2
    return min(1.0, float(table[squares >= sum(c * c for c in columns)].sum()))
