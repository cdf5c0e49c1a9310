"""Scores and comparisons in memory, as data."""

import numpy as np
import pandas
import polars
import pytest

import csig
from csig.readers.objects import of_comparisons, of_scores

BASE = {"q1": 0.25, "q2": 0.5, "q3": 0.5, "q4": 0.75}
NEW = {"q4": 1.0, "q3": 0.25, "q2": 0.75, "q1": 0.5}
GROUPS = {"q1": "x", "q2": "x", "q3": "y", "q4": "z"}
ROWS = {"base": list(BASE.values()), "new": [NEW[key] for key in BASE]}


@pytest.mark.parametrize(("inputs", "options"), [
    ([{"base": BASE, "new": NEW}], {}), ([BASE, NEW], {"names": ["base", "new"]}),
    ([{"x": BASE, "new": NEW, "base": BASE}], {"names": ["base", "new"]}),
    ([pandas.Series(BASE, name="base"), pandas.Series(NEW, name="new")], {}),
    ([{"base": BASE, "new": NEW}], {"clusters": GROUPS}),
    ([ROWS], {"ids": list(BASE), "clusters": list(GROUPS.values())}),
])  # fmt: skip
def test_systems_by_name_are_aligned_by_id(inputs, options):
    data = of_scores(inputs, **options)
    clusters = GROUPS if "clusters" in options else None
    assert data.names == ("base", "new")
    assert data.comparison(0, 1) == csig.Comparison.from_scores(
        BASE, NEW, names=("base", "new"), clusters=clusters
    )
    assert data.comparison(0, 1).levels == ("unit", "cluster")[: 1 + (clusters is not None)]


@pytest.mark.parametrize("kind", [list, np.array, tuple, polars.Series, pandas.Series])
def test_sequences_are_matched_by_position(kind):
    a, b = [0.25, 0.5, 0.5], [0.5, 0.25, 1.0]
    data = of_scores([kind(a), kind(b)], ["one", "two"])
    assert data.comparison(1, 0) == csig.Comparison.from_scores(b, a, names=("two", "one"))
    assert data.metrics(()) == ["mean"]


def test_right_and_wrong_is_accuracy():
    data = of_scores([[True, False, True], [1, 1, 0]])
    assert (data.names, data.metrics(())) == (("A", "B"), ["accuracy"])
    assert data.comparison(0, 1).columns == ("correct", "items")


def test_labels_with_a_gold():
    gold, a, b = ["x", "y", "x", "z"], ["x", "x", "x", "z"], ["y", "y", "x", "z"]
    data = of_scores([{"a": a, "b": b}], gold=gold)
    assert data.metrics(()) == ["accuracy", "macro_f1", "mcc", "kappa"]
    assert data.comparison(0, 1).scores("accuracy") == (0.75, 0.75)
    assert of_scores([a, b], gold=gold, positive="x").metrics(()) == ["recall", "precision", "f1"]
    with pytest.raises(csig.InputError, match="--positive is for labels"):
        of_scores([[1, 0], [0, 1]], positive="x")


@pytest.mark.parametrize(("inputs", "options", "message"), [
    ([{"a": [1, 2]}], {}, "found 1 system, expected two or more"),
    ([[1, 2]], {}, "found 1 system"),
    ([[1, 2], [1]], {}, "'B': 1 units, but 'A' has 2; without ids"),
    ([[], []], {}, "found no units"),
    ([[1, 2], [1, float("nan")]], {}, "B: unit 1: expected a finite number, found nan"),
    ([[1, 2], [1, "x"]], {}, "B: unit 1: expected a number, found 'x'"),
    ([[1, 2], "ab"], {}, "B: expected one score per unit, found str"),
    ([[1, 2], 3], {}, "B: expected one score per unit, found int"),
    ([[1, 2], {2, 1}], {}, "B: expected one score per unit, found set"),
    ([np.ones((2, 2)), np.ones((2, 2))], {}, "A: expected one score per unit, found ndarray"),
    ([{"a": {"r": {"q": 1}}, "b": {"r": {"q": 1}}}], {}, "several runs of each system are for"),
    ([{"a": {"q": 1}, "b": [1]}], {}, "'b': ids are known for only one system"),
    ([{"a": {"q": 1}, "b": {"r": 1}}], {}, "scores: b lacks 1 id that a has: 'q' and has 1"),
    ([[1, 2], [2, 1]], {"ids": ["x", "x"]}, "id: given more than once: 'x'"),
    ([[1, 2], [2, 1]], {"ids": ["x"]}, "id: 1 labels for 2 units"),
    ([[1, 2], [2, 1]], {"clusters": "task"}, "cluster: found 'task', the name of a column"),
    ([[1, 2], [2, 1]], {"clusters": {"q": 1}}, "cluster: found {id: label}, but the units"),
    ([{"a": {"q": 1}, "b": {"q": 1}}], {"clusters": {}}, "cluster: no label for unit 'q'"),
    ([{"a": {"q": 1}, "b": {"q": 1}}], {"ids": ["q"]}, "the keys of the scores are the ids"),
    ([[1], [2]], {"names": ["a"]}, "systems: 1 names for 2 systems"),
    ([[1], [2]], {"names": ["a", "a"]}, "systems: 2 systems need as many different names"),
    ([{"a": [1], "b": [2]}], {"names": ["c"]}, "no system 'c'; there are 'a', 'b'"),
    ([{1: [1], "1": [2]}], {}, "two systems have names with the same text"),
    ([{"a": pandas.DataFrame({"x": [1]}), "b": [1]}], {},
     "a: expected one score per unit, found DataF"),
])  # fmt: skip
def test_mistakes_are_one_clear_line(inputs, options, message):
    with pytest.raises(csig.InputError, match=message) as error:
        of_scores(inputs, **options)
    assert "\n" not in str(error.value)


def test_what_some_system_lacks_is_left_out_where_asked():
    more = {**NEW, "q9": 1.0}
    data = of_scores([{"base": BASE, "new": more}], allow_missing=True)
    assert data.comparison(0, 1).sums("a")["n"] == 4
    assert data.source.cautions == ("1 of 5 items is left out: base alone lacks 1.",)


def of(system, *, base="base", scores=NEW):
    return csig.Comparison.from_scores(scores, BASE, names=(system, base))


def test_comparisons_share_their_baseline():
    data = of_comparisons([of("x"), of("y")])
    assert data.names == ("base", "x", "y")
    assert data.comparison(2, 0) == of("y")
    assert data.metrics(()) == ["mean"]
    assert data.metrics(["mean"], lower=True)[0].greater_is_better is False
    with pytest.raises(csig.InputError, match="--baseline: comparisons are with 'base'"):
        data.comparison(0, 1)
    with pytest.raises(csig.InputError, match="goes with --metric mean"):
        data.metrics(["f1"], lower=True)


@pytest.mark.parametrize(("others", "message"), [
    ([of("y", base="other")], "need the same baseline, B of each, found 'base' and 'other'"),
    ([of("x")], "need different names of systems, found 'base', 'x', 'x'"),
    ([csig.Comparison.from_scores(NEW, NEW, names=("y", "base"))], "with other sums"),
    ([csig.Comparison.from_statistics([[1]], [[0]], ["n"], names=("y", "base"))],
     "y: its comparison has the columns"),
    ([3], r"inputs\[1\] must be a csig.Comparison, found int"),
])  # fmt: skip
def test_comparisons_that_do_not_go_together(others, message):
    with pytest.raises(csig.InputError, match=message):
        of_comparisons([of("x"), *others])


def test_columns_without_a_default_need_a_metric():
    data = of_comparisons([csig.Comparison.from_statistics([[1]], [[0]], ["n"])])
    with pytest.raises(csig.InputError, match="--metric: there is no default for 'n'; name one"):
        data.metrics(())
