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

#: Ten words (Boltuzic 2014): which are correct, and which a system says are.
GOLD, PREDICTED = list("TFFTFFTTTF"), list("TTTFFFTTTT")

labels = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40)
pairs = st.lists(st.tuples(*[st.booleans()] * 2), min_size=1, max_size=40)


def same(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-12, abs=1e-15)


def test_the_ten_words_of_the_survey():
    """Boltuzic (2014): TP 4, FP 3, FN 1, TN 2."""
    table = confusion_table(GOLD, PREDICTED, positive="T")
    assert (table.tp, table.fp, table.fn, table.tn) == table.cells == (4, 3, 1, 2)
    assert (table.n, table.labels) == (10, ("F", "T"))
    assert table.counts.tolist() == [[2, 3], [1, 4]]
    assert table.measures["precision"] == pytest.approx(4 / 7)
    assert table.measures["accuracy"] == 0.6
    assert confusion_table(GOLD, PREDICTED).of("F").cells == (2, 1, 3, 4)


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


def test_the_papers_recalls_as_a_table():
    """Yeh (2000), section 3.3: 19, 28 and 6 of 103, r12 = 0.35; scipy's phi is the same."""
    right = {"I": [1] * 47 + [0] * 56, "II": [1] * 19 + [0] * 28 + [1] * 6 + [0] * 50}
    table = agreement_table([1] * 103, right["I"], right["II"], names=("I", "II"))
    assert (table.both, table.only_a, table.only_b, table.neither) == (19, 28, 6, 50)
    assert round(table.measures["r12"], 2) == 0.35
    phi = stats.contingency.association(table.counts, method="cramer")
    assert table.measures["r12"] == pytest.approx(phi)
    assert mcnemar_test(table.comparison).pvalue == pytest.approx(0.00019512558, rel=1e-7)


def test_ids_names_and_many_labels():
    gold, said = {"x": 1, "y": 2, "z": 2}, {"z": 2, "y": 1, "x": 1}
    by_id = confusion_table(gold, said, name="new")
    assert by_id.counts.tolist() == [[1, 0], [1, 1]]
    assert by_id.name == "new"
    assert agreement_table(gold, said, gold).only_b == 1
    with pytest.raises(ValueError, match="read-only"):
        by_id.counts[0, 0] = 5


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


@pytest.mark.parametrize(("k", "n"), [(3, 60), (4, 25), (5, 12), (6, 9)])
def test_more_systems_against_random_permutations(k, n):
    """Within 5 standard errors of 20,000 permutations of numpy's."""
    rng = np.random.default_rng(k)
    rows = (rng.random((n, k)) < np.linspace(0.35, 0.65, k)).astype(int)
    found = of(rows.tolist())
    assert found.method == "exact"
    shuffled = rng.permuted(np.broadcast_to(rows, (20_000, n, k)), axis=2).sum(axis=1)
    observed = (rows.sum(axis=0) ** 2).sum()
    share = ((shuffled**2).sum(axis=1) >= observed).mean()
    assert abs(share - found.pvalue) < 5 * math.sqrt(max(share * (1 - share), 1e-4) / 20_000)


#: Rows of three systems, or four; Q and p by statsmodels.stats.contingency_tables.cochrans_q,
#: printed by tests/reference/statsmodels_cochran.py.
JUDGED = [
    (1, 12, 3, 0.2, 0.9048374180359595),
    (2, 40, 3, 3.769230769230769, 0.15188746645291878),
    (3, 25, 4, 1.4210526315789473, 0.70060738237263),
    (4, 300, 6, 7.059991177767976, 0.2162167878287749),
    (5, 9, 5, 2.72, 0.6057194336103917),
    (6, 2000, 10, 7.530350584307179, 0.5820771127919416),
]


@pytest.mark.parametrize(("seed", "n", "k", "q", "p"), JUDGED)
def test_statsmodels_has_the_same(seed, n, k, q, p):
    rows = np.random.default_rng(seed).integers(0, 2, (n, k)).tolist()
    found = of(rows, method="asymptotic")
    assert (found.statistic, found.pvalue) == pytest.approx((q, p), rel=1e-11)
    assert found.exact_pvalue is None


def test_the_example_of_mlxtend(shared_data):
    """mlxtend, test_cochran_q.py: Q = 7.529, p = 0.023; 7.5294117647 and 0.0231744272."""
    path = shared_data("mlxtend_cochran_q") / "predictions.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = "clf1", "clf2", "clf3"
    found = cochran_q_test({s: [int(row[s] == row["y_true"]) for row in rows] for s in names})
    assert found.right == (84, 92, 92)
    assert found.statistic == pytest.approx(7.5294117647, abs=5e-11)
    assert found.asymptotic_pvalue == pytest.approx(0.0231744272, abs=5e-11)
    assert (found.method, found.n_informative) == ("exact", 17)
    assert found.pvalue == pytest.approx(0.02418781212162478, rel=1e-12)  # in integers


def test_many_items_are_asymptotic_unless_asked_for():
    rows = np.random.default_rng(1).integers(0, 2, (2000, 3)).tolist()
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
    many = cochran_q_test({f"s{j}": [j % 2, 1 - j % 2, j % 3 == 0] for j in range(1000)})
    assert many.method == "asymptotic"
    assert "rough" in many.assumes


def test_nothing_differs():
    for rows in ([(1, 1, 1), (0, 0, 0)], [(0, 0)], [(1, 1, 1, 1)]):
        for method in ("auto", "exact", "asymptotic"):
            found = of(rows, method=method)
            assert (found.statistic, found.pvalue, found.n_informative) == (0.0, 1.0, 0)


@pytest.mark.parametrize(("k", "n"), [(3, 300), (4, 60), (6, 12)])
def test_the_most_extreme_outcome(k, n):
    """One system right on all items and no other on any: k of k^n outcomes."""
    found = of([(1, *[0] * (k - 1))] * n)
    assert found.pvalue == pytest.approx(k * float(k) ** -n, rel=1e-12)
    assert found.statistic == pytest.approx(n * (k - 1))


def test_ids_booleans_and_order():
    rows = [(1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 0)]
    plain = of(rows)
    by_id = {
        f"s{j}": {f"item {i}": bool(x) for i, x in reversed(list(enumerate(own)))}
        for j, own in enumerate(zip(*rows, strict=True))
    }
    assert cochran_q_test(by_id).pvalue == plain.pvalue
    assert of(rows[::-1]).pvalue == of([row[::-1] for row in rows]).pvalue == plain.pvalue
    turned = of([tuple(1 - x for x in row) for row in rows])
    assert turned.pvalue == pytest.approx(plain.pvalue, rel=1e-12)
    assert turned.statistic == pytest.approx(plain.statistic)


# ---- what is refused -----------------------------------------------------------------------------

REFUSED = [
    (confusion_table, ([1, 2], [1]), {}, "predicted: 1 labels for 2 units"),
    (confusion_table, ([], []), {}, "gold: found no items"),
    (confusion_table, (["x"], [None]), {}, r"predicted\[0\]: None is not a label"),
    (confusion_table, (["x"], [math.nan]), {}, r"predicted\[0\]: nan is not a label"),
    (confusion_table, ("TF", "TT"), {}, "gold must be a sequence of labels, found str"),
    (confusion_table, ({"a": 1}, [1]), {},
     "gold and predicted: give both as sequences, or both as {id: label}"),
    (confusion_table, ({"a": 1}, {"b": 1}), {}, "predicted: no label for item 'a'"),
    (confusion_table, (["yes"], ["no"]), {"positive": "Yes"}, "no item has the positive label"),
    (confusion_table, (range(5001), range(5001)), {},
     "5,001 different labels: a table has one row"),
    (agreement_table, ([], [], []), {}, "gold: found no items"),
    (agreement_table, ([1], [1], [1, 2]), {}, "b: 2 labels for 1 units"),
    (agreement_table, ([1], [1], [1]), {"names": "ab"}, "names must be a pair"),
    (cochran_q_test, ({"a": [1, 0], "b": [1, 2]},), {},
     r"b\[1\]: Cochran's test takes 1 or 0, .* found 2"),
    (cochran_q_test, ({"a": [1, 0], "b": [1, 0.5]},), {}, r"b\[1\]: .* found 0.5"),
    (cochran_q_test, ({"a": {"x": 3}, "b": {"x": 1}},), {},
     "a, item 'x': Cochran's test takes 1 or 0"),
    (cochran_q_test, ({"a": [1, 0], "b": [1]},), {}, "b has 1 item, a has 2"),
    (cochran_q_test, ({"a": [1, 0], "b": [1, math.nan]},), {}, "b.*nan"),
    (cochran_q_test, ({"a": [1, 0]},), {}, "found 1 system, expected two or more"),
    (cochran_q_test, ([[1, 0], [0, 1]],), {}, "systems must be a mapping"),
    (cochran_q_test, ({"a": [], "b": []},), {}, "found no units"),
    (cochran_q_test, ({"a": [1, 0], "b": [1, 0]},), {"method": "exac"},
     "method must be one of .*exact"),
]  # fmt: skip


@pytest.mark.parametrize(("test", "arguments", "options", "message"), REFUSED)
def test_what_is_refused(test, arguments, options, message):
    with pytest.raises(InputError, match=message):
        test(*arguments, **options)


def test_cells_need_a_positive_label():
    with pytest.raises(InputError, match="TP, FP, FN and TN need a positive label"):
        _ = confusion_table(["x"], ["y"]).tp
