"""Tables of counts, and Cochran's test on many of them."""

import csv
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from csig import Comparison, InputError
from csig.classical import (
    agreement_table,
    cochran_q_test,
    confusion_table,
    correlation,
    mcnemar_test,
)

labels = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40)
pairs = st.lists(st.tuples(*[st.booleans()] * 2), min_size=1, max_size=40)


def same(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-12, abs=1e-15)


def test_published_tables():
    """Boltuzic (2014): ten words, which are correct, and which a system says are. Yeh (2000),
    section 3.3: 19, 28 and 6 of 103, r12 = 0.35; scipy's phi is the same.
    """
    words = list("TFFTFFTTTF"), list("TTTFFFTTTT")
    table = confusion_table(*words, positive="T")
    assert (table.tp, table.fp, table.fn, table.tn) == table.cells == (4, 3, 1, 2)
    assert (table.n, table.labels) == (10, ("F", "T"))
    assert table.counts.tolist() == [[2, 3], [1, 4]]
    assert table.measures["precision"] == pytest.approx(4 / 7)
    assert confusion_table(*words).of("F").cells == (2, 1, 3, 4)
    right = [1] * 47 + [0] * 56, [1] * 19 + [0] * 28 + [1] * 6 + [0] * 50
    table = agreement_table([1] * 103, *right, names=("I", "II"))
    assert (table.both, table.only_a, table.only_b, table.neither) == (19, 28, 6, 50)
    r12 = table.measures["r12"]
    assert (round(r12, 2), r12) == (
        0.35, pytest.approx(stats.contingency.association(table.counts, method="cramer")),
    )  # fmt: skip


def shares(tp, fp, fn, tn):
    """The definitions, in fractions where that is possible."""

    def of(above, below):
        return Fraction(above, below) if below else math.nan

    recall, precision = of(tp, tp + fn), of(tp, tp + fp)
    specificity, negative = of(tn, tn + fp), of(tn, tn + fn)
    n, yes, no = tp + fp + fn + tn, tp + fn, fp + tn
    right, chance = Fraction(tp + tn, n), Fraction(yes * (tp + fp) + no * (tn + fn), n * n)
    spread = (tp + fp) * yes * no * (tn + fn)
    return {
        "accuracy": right, "recall": recall, "precision": precision,
        "f1": of(2 * tp, 2 * tp + fp + fn), "jaccard": of(tp, tp + fp + fn),
        "specificity": specificity, "negative_predictive_value": negative,
        "false_positive_rate": 1 - specificity, "false_negative_rate": 1 - recall,
        "false_discovery_rate": 1 - precision, "false_omission_rate": 1 - negative,
        "balanced_accuracy": (recall + specificity) / 2,
        "informedness": recall + specificity - 1, "markedness": precision + negative - 1,
        "mcc": (tp * tn - fp * fn) / math.sqrt(spread) if spread else math.nan,
        "kappa": (right - chance) / (1 - chance) if chance != 1 else math.nan,
        "prevalence": Fraction(yes, n),
    }  # fmt: skip


@given(pairs)
@examples(500)
def test_the_measures_of_two_classes(pairs):
    gold, predicted = ([own[i] for own in pairs] for i in (0, 1))
    if True not in gold + predicted:
        return
    table = confusion_table(gold, predicted, positive=True)
    tp, fp, fn, tn = (pairs.count(own) for own in ((1, 1), (0, 1), (1, 0), (0, 0)))
    assert table.cells == (tp, fp, fn, tn)
    found = dict(table.measures)
    for name, value in shares(tp, fp, fn, tn).items():
        assert same(found.pop(name), float(value)), name
    yes, no = tp + fn, fp + tn
    assert set(found) == {"positive_likelihood_ratio", "negative_likelihood_ratio", "odds_ratio"}
    if yes and no and fp and tn:
        assert found["positive_likelihood_ratio"] == pytest.approx(tp / yes / (fp / no))
        assert found["negative_likelihood_ratio"] == pytest.approx(fn / yes / (tn / no), abs=1e-12)
    if fp * fn:
        assert found["odds_ratio"] == pytest.approx(tp * tn / (fp * fn))
    elif tp * tn:
        assert found["odds_ratio"] == math.inf


@given(labels)
@examples(500)
def test_several_labels(triples):
    pairs = [(g, p) for g, p, _ in triples]
    gold, predicted = zip(*pairs, strict=True)
    table, n = confusion_table(gold, predicted), len(pairs)
    assert table.labels == tuple(sorted({*gold, *predicted}))
    counted = [[pairs.count((one, other)) for other in table.labels] for one in table.labels]
    assert table.counts.tolist() == counted
    rows = []
    for own in table.by_label:
        known, said = gold.count(own.label), predicted.count(own.label)
        both = pairs.count((own.label, own.label))
        assert (own.gold, own.predicted, own.correct) == (known, said, both)
        assert same(own.recall, both / known if known else math.nan)
        assert same(own.precision, both / said if said else math.nan)
        assert own.f1 == pytest.approx(2 * both / (known + said))
        cells = (both, said - both, known - both, n - said - known + both)
        assert table.of(own.label).cells == cells
        rows.append((known, own.f1, own.recall, both / said if said else 0))
    (weights, f1, recalls, precisions), found = np.array(rows).T, table.measures
    assert found["accuracy"] == pytest.approx(sum(g == p for g, p in pairs) / n)
    assert found["balanced_accuracy"] == pytest.approx(np.nanmean(recalls))
    assert found["macro_recall"] == pytest.approx(np.nansum(recalls) / len(rows))
    assert found["macro_precision"] == pytest.approx(np.mean(precisions))
    assert found["macro_f1"] == pytest.approx(np.mean(f1))
    assert found["weighted_f1"] == pytest.approx((weights * f1).sum() / n)
    c = Comparison.from_labels(gold, predicted, predicted)
    for name in ("accuracy", "macro_f1", "weighted_f1", "balanced_accuracy"):
        assert found[name] == pytest.approx(c.scores(name)[0], rel=1e-12), name
    for name in ("mcc", "kappa"):
        assert (0 if math.isnan(found[name]) else found[name]) == pytest.approx(c.scores(name)[0])


@given(labels)
@examples(500)
def test_two_systems(triples):
    gold, a, b = zip(*triples, strict=True)
    table = agreement_table(gold, a, b)
    right = [[g == own for g, own in zip(gold, said, strict=True)] for said in (a, b)]
    cells = Counter(zip(*right, strict=True))
    assert (table.both, table.only_a, table.only_b, table.neither) == tuple(
        cells[own] for own in ((True, True), (True, False), (False, True), (False, False))
    )
    assert table.counts.sum() == table.n == len(gold)
    of_labels = Comparison.from_labels(gold, a, b)
    found = table.measures
    assert (found["accuracy_a"], found["accuracy_b"]) == pytest.approx(of_labels.scores("accuracy"))
    assert found["difference"] == pytest.approx(found["accuracy_a"] - found["accuracy_b"])
    assert same(found["r12"], correlation(table.comparison))
    own, whole = (mcnemar_test(c) for c in (table.comparison, of_labels))
    assert (own.n_a, own.n_b, own.n_units) == (table.only_a, table.only_b, table.n)
    assert own.pvalue == whole.pvalue


def test_tables_by_id():
    gold, said = {"x": 1, "y": 2, "z": 2}, {"z": 2, "y": 1, "x": 1}
    table = confusion_table(gold, said, name="new")
    assert (table.counts.tolist(), table.name) == ([[1, 0], [1, 1]], "new")
    assert agreement_table(gold, said, gold).only_b == 1
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 5
    with pytest.raises(InputError, match="TP, FP, FN and TN need a positive label"):
        _ = table.tp


# ---- Cochran's test ------------------------------------------------------------------------------


def of(rows, **options):
    """Of one row per item."""
    columns = list(zip(*rows, strict=True))
    return cochran_q_test({f"s{j}": own for j, own in enumerate(columns)}, **options)


def q_of(rows):
    """As Cochran has it, in fractions."""
    k, whole = len(rows[0]), sum(map(sum, rows))
    below = k * whole - sum(sum(row) ** 2 for row in rows)
    squares = sum(sum(own) ** 2 for own in zip(*rows, strict=True))
    return Fraction((k - 1) * (k * squares - whole**2), below) if below else Fraction(0)


def by_all_permutations(rows):
    """The share of all permutations within items with a Q as large."""
    choices = [sorted(set(itertools.permutations(row))) for row in rows]
    found = [q_of(own) for own in itertools.product(*choices)]
    return Fraction(sum(q >= q_of(rows) for q in found), len(found))


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(st.tuples(*[st.integers(0, 1)] * k), min_size=1, max_size=5)
    )
)
@examples(150)
def test_exact_against_all_permutations(rows):
    found = of(rows)
    assert found.statistic == pytest.approx(float(q_of(rows)), rel=1e-14)
    assert found.exact_pvalue == found.pvalue == pytest.approx(float(by_all_permutations(rows)))
    assert (found.method, found.n_units) == ("exact", len(rows))
    assert found.degrees_of_freedom == len(rows[0]) - 1
    assert found.n_informative == sum(0 < sum(row) < len(row) for row in rows)
    assert found.right == tuple(map(sum, zip(*rows, strict=True)))


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 2), min_size=1, max_size=60))
@examples(500)
def test_with_two_systems_it_is_mcnemars_test(rows):
    found = of(rows)
    c = Comparison.from_scores(*zip(*rows, strict=True))
    assert found.pvalue == pytest.approx(mcnemar_test(c).pvalue, rel=1e-12)
    plain = mcnemar_test(c, method="asymptotic")
    assert found.statistic == pytest.approx(plain.statistic)
    assert found.asymptotic_pvalue == pytest.approx(plain.pvalue, rel=1e-9)


@pytest.mark.parametrize(("k", "n"), [(3, 300), (4, 60), (6, 12)])
def test_the_most_extreme_outcome(k, n):
    """One system right on all items and no other on any: k of k^n outcomes."""
    found = of([(1, *[0] * (k - 1))] * n)
    assert found.pvalue == pytest.approx(k * float(k) ** -n, rel=1e-12)
    assert found.statistic == pytest.approx(n * (k - 1))


def random_rows(seed, n, k):
    return np.random.default_rng(seed).integers(0, 2, (n, k)).tolist()


#: Rows, Q and p: Cochran (1950), p. 260, as in R's coin; Conover (1999), p. 253, as in statsmodels'
#: tests; and by statsmodels.stats.contingency_tables.cochrans_q, printed by
#: tests/reference/statsmodels_cochran.py.
PUBLISHED = [
    (["1111"] * 4 + ["1101"] * 2 + ["0111"] * 3 + ["0101"] + ["0000"] * 59, (8.0526, 5e-5),
     (0.04494, 5e-6)),
    (["111"] * 6 + ["010"] * 2 + ["110"] * 2 + ["000", "001"], (2.8, 1e-12), (0.246597, 5e-7)),
    (random_rows(1, 12, 3), (0.2, 1e-12), (0.9048374180359595, 1e-11)),
    (random_rows(4, 300, 6), (7.059991177767976, 1e-10), (0.2162167878287749, 1e-11)),
    (random_rows(6, 2000, 10), (7.530350584307179, 1e-10), (0.5820771127919416, 1e-11)),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "q", "p"), PUBLISHED)
def test_published_numbers(rows, q, p):
    own = [list(map(int, row)) for row in rows]
    found = of(own, method="asymptotic")
    assert found.statistic == pytest.approx(q[0], rel=0, abs=q[1])
    assert found.pvalue == pytest.approx(p[0], rel=0, abs=p[1])
    assert (found.degrees_of_freedom, found.exact_pvalue) == (len(own[0]) - 1, None)
    if isinstance(rows[0], str):
        assert p[0] / 2 < of(own, method="exact").pvalue < 2 * p[0]


def test_the_example_of_mlxtend(shared_data):
    """mlxtend, test_cochran_q.py: Q = 7.529, p = 0.023; 7.5294117647 and 0.0231744272."""
    path = shared_data("mlxtend_cochran_q") / "predictions.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    found = of([[int(row[f"clf{j}"] == row["y_true"]) for j in (1, 2, 3)] for row in rows])
    assert found.right == (84, 92, 92)
    assert found.statistic == pytest.approx(7.5294117647, abs=5e-11)
    assert found.asymptotic_pvalue == pytest.approx(0.0231744272, abs=5e-11)
    assert (found.method, found.n_informative) == ("exact", 17)
    assert found.pvalue == pytest.approx(0.02418781212162478, rel=1e-12)  # in integers


def test_many_items_are_asymptotic_unless_asked_for():
    rows = random_rows(1, 2000, 3)
    found = of(rows)
    assert (found.method, found.exact_pvalue) == ("asymptotic", None)
    assert found.pvalue == found.asymptotic_pvalue
    assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, 2), rel=1e-10)
    with pytest.raises(InputError, match="3 systems and 1,494 informative items is too large"):
        of(rows, method="exact")
    for k, some in ((3, 3), (2, 11)):
        few = of([(1, *[0] * (k - 1))] * some, method="asymptotic")
        assert few.assumes.endswith(f"here are {some}, so the p-value is rough.")
    for enough in (found, of([(1, 0)] * 12, method="asymptotic")):
        assert enough.assumes.endswith("enough informative items for chi-square.")
    none = of([(1, 1, 1), (0, 0, 0)], method="asymptotic")
    assert (none.statistic, none.pvalue, none.n_informative) == (0.0, 1.0, 0)
    many = cochran_q_test({f"s{j}": [j % 2, 1 - j % 2, j % 3 == 0] for j in range(1000)})
    assert many.method == "asymptotic"
    assert "rough" in many.assumes
