"""Tables of counts from labels, beside counting by hand and the definitions in fractions."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError

#: Ten words (Boltuzic 2014): which are correct, and which a system says are.
GOLD, PREDICTED = list("TFFTFFTTTF"), list("TTTFFFTTTT")

labels = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40)
pairs = st.lists(st.tuples(*[st.booleans()] * 2), min_size=1, max_size=40)


def same(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-12, abs=1e-15)


def test_the_ten_words_of_the_survey():
    """Boltuzic (2014): TP 4, FP 3, FN 1, TN 2."""
    table = csig.confusion_table(GOLD, PREDICTED, positive="T")
    assert (table.tp, table.fp, table.fn, table.tn) == (4, 3, 1, 2)
    assert table.cells == (4, 3, 1, 2)
    assert (table.n, table.labels) == (10, ("F", "T"))
    assert table.counts.tolist() == [[2, 3], [1, 4]]
    assert table.measures["precision"] == pytest.approx(4 / 7)
    assert table.measures["accuracy"] == 0.6
    other = csig.confusion_table(GOLD, PREDICTED).of("F")
    assert other.cells == (2, 1, 3, 4)


def shares(tp, fp, fn, tn):
    """The definitions, in fractions where that is possible."""

    def of(above, below):
        return Fraction(above, below) if below else math.nan

    recall, precision = of(tp, tp + fn), of(tp, tp + fp)
    specificity, negative = of(tn, tn + fp), of(tn, tn + fn)
    n = tp + fp + fn + tn
    right = Fraction(tp + tn, n)
    chance = Fraction((tp + fn) * (tp + fp) + (tn + fp) * (tn + fn), n * n)
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return {
        "accuracy": right,
        "recall": recall,
        "precision": precision,
        "f1": of(2 * tp, 2 * tp + fp + fn),
        "specificity": specificity,
        "negative_predictive_value": negative,
        "false_positive_rate": 1 - specificity,
        "false_negative_rate": 1 - recall,
        "false_discovery_rate": 1 - precision,
        "false_omission_rate": 1 - negative,
        "balanced_accuracy": (recall + specificity) / 2,
        "informedness": recall + specificity - 1,
        "markedness": precision + negative - 1,
        "jaccard": of(tp, tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / math.sqrt(spread) if spread else math.nan,
        "kappa": (right - chance) / (1 - chance) if chance != 1 else math.nan,
        "prevalence": Fraction(tp + fn, n),
    }


@given(pairs)
def test_the_measures_of_two_classes(pairs):
    gold, predicted = ([own[i] for own in pairs] for i in (0, 1))
    if True not in gold + predicted:
        return
    table = csig.confusion_table(gold, predicted, positive=True)
    tp, fp, fn, tn = (pairs.count(own) for own in ((1, 1), (0, 1), (1, 0), (0, 0)))
    assert table.cells == (tp, fp, fn, tn)
    found = dict(table.measures)
    for name, value in shares(tp, fp, fn, tn).items():
        assert same(found.pop(name), float(value)), name
    yes, no = tp + fn, fp + tn
    assert set(found) == {"positive_likelihood_ratio", "negative_likelihood_ratio", "odds_ratio"}
    if yes and no and fp and tn:
        assert found["positive_likelihood_ratio"] == pytest.approx(tp / yes / (fp / no))
        assert found["negative_likelihood_ratio"] == pytest.approx(fn / yes / (tn / no), abs=1e-15)
    if fp * fn:
        assert found["odds_ratio"] == pytest.approx(tp * tn / (fp * fn))
    elif tp * tn:
        assert found["odds_ratio"] == math.inf


@given(labels)
def test_several_labels(triples):
    gold, predicted, _ = zip(*triples, strict=True)
    table = csig.confusion_table(gold, predicted)
    n, counted = len(gold), Counter(zip(gold, predicted, strict=True))
    assert table.labels == tuple(sorted({*gold, *predicted}))
    for i, one in enumerate(table.labels):
        for j, other in enumerate(table.labels):
            assert table.counts[i, j] == counted[one, other]
    right = sum(g == p for g, p in zip(gold, predicted, strict=True))
    rows, recalls, precisions = [], [], []
    for own in table.by_label:
        says = [(g == own.label, p == own.label) for g, p in zip(gold, predicted, strict=True)]
        known, said = (sum(pair[i] for pair in says) for i in (0, 1))
        both = says.count((True, True))
        assert (own.gold, own.predicted, own.correct) == (known, said, both)
        assert same(own.recall, both / known if known else math.nan)
        assert same(own.precision, both / said if said else math.nan)
        assert own.f1 == pytest.approx(2 * both / (known + said))
        rows.append((known, own.f1))
        recalls.append(both / known if known else math.nan)
        precisions.append(both / said if said else 0)
        assert table.of(own.label).cells == (
            both, said - both, known - both, n - said - known + both,
        )  # fmt: skip
    found = table.measures
    assert found["accuracy"] == pytest.approx(right / n)
    assert found["balanced_accuracy"] == pytest.approx(np.nanmean(recalls))
    assert found["macro_recall"] == pytest.approx(np.nansum(recalls) / len(rows))
    assert found["macro_precision"] == pytest.approx(np.mean(precisions))
    assert found["macro_f1"] == pytest.approx(np.mean([f for _, f in rows]))
    assert found["weighted_f1"] == pytest.approx(sum(w * f for w, f in rows) / n)
    c = Comparison.from_labels(gold, predicted, predicted)
    for name in ("accuracy", "macro_f1", "weighted_f1", "balanced_accuracy"):
        assert found[name] == pytest.approx(c.scores(name)[0], rel=1e-12), name
    for name in ("mcc", "kappa"):
        assert (0 if math.isnan(found[name]) else found[name]) == pytest.approx(c.scores(name)[0])


@given(labels)
def test_two_systems(triples):
    gold, a, b = zip(*triples, strict=True)
    table = csig.agreement_table(gold, a, b)
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
    assert same(found["r12"], csig.correlation(table.comparison))
    own, whole = (csig.mcnemar_test(c) for c in (table.comparison, of_labels))
    assert (own.n_a, own.n_b, own.n_units) == (table.only_a, table.only_b, table.n)
    assert own.pvalue == whole.pvalue


def test_the_papers_recalls_as_a_table():
    """Yeh (2000), section 3.3: 19, 28 and 6 of 103, r12 = 0.35; scipy's phi is the same."""
    right = {"I": [1] * 47 + [0] * 56, "II": [1] * 19 + [0] * 28 + [1] * 6 + [0] * 50}
    table = csig.agreement_table([1] * 103, right["I"], right["II"], names=("I", "II"))
    assert (table.both, table.only_a, table.only_b, table.neither) == (19, 28, 6, 50)
    assert round(table.measures["r12"], 2) == 0.35
    phi = stats.contingency.association(table.counts, method="cramer")
    assert table.measures["r12"] == pytest.approx(phi)
    assert csig.mcnemar_test(table.comparison).pvalue == pytest.approx(0.00019512558, rel=1e-7)


def test_ids_names_and_many_labels():
    gold, said = {"x": 1, "y": 2, "z": 2}, {"z": 2, "y": 1, "x": 1}
    by_id = csig.confusion_table(gold, said, name="new")
    assert by_id.counts.tolist() == [[1, 0], [1, 1]]
    assert by_id.name == "new"
    assert csig.agreement_table(gold, said, gold).only_b == 1
    with pytest.raises(ValueError, match="read-only"):
        by_id.counts[0, 0] = 5
    with pytest.raises(InputError, match="5,001 different labels: a table has one row"):
        csig.confusion_table(range(5001), range(5001))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: csig.confusion_table([1, 2], [1]), "predicted: 1 labels for 2 units"),
        (lambda: csig.confusion_table([], []), "gold: found no items"),
        (lambda: csig.agreement_table([], [], []), "gold: found no items"),
        (lambda: csig.confusion_table(["x"], [None]), r"predicted\[0\]: None is not a label"),
        (lambda: csig.confusion_table(["x"], [math.nan]), r"predicted\[0\]: nan is not a label"),
        (lambda: csig.confusion_table("TF", "TT"), "gold must be a sequence of labels, found str"),
        (
            lambda: csig.confusion_table({"a": 1}, [1]),
            "gold and predicted: give both as sequences, or both as {id: label}",
        ),
        (
            lambda: csig.confusion_table({"a": 1}, {"b": 1}),
            "predicted: no label for item 'a'",
        ),
        (lambda: csig.confusion_table(["yes"], ["no"], positive="Yes"), "positive: no item has"),
        (lambda: csig.confusion_table(["x"], ["y"]).tp, "TP, FP, FN and TN need a positive label"),
        (lambda: csig.agreement_table([1], [1], [1, 2]), "b: 2 labels for 1 units"),
        (lambda: csig.agreement_table([1], [1], [1], names="ab"), "names must be a pair"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
