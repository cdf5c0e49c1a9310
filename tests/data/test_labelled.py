"""Series and frames of pandas: an index that is not the default range is the ids."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, randomization_test

pandas = pytest.importorskip("pandas")

WAY_OUT = r"give ids=, or drop the index with reset_index\(drop=True\)"


def same(one, other):
    """Two comparisons that any test would take for one."""
    assert (one.sums("a"), one.sums("b")) == (other.sums("a"), other.sums("b"))
    assert (one.unit, one.levels, one.units) == (other.unit, other.levels, other.units)
    return True


def test_scores_belong_together_by_label():
    """Four times the same score for the same item: by position p was 0.5."""
    a = pandas.Series([1, 2, 3, 4], index=["u", "v", "w", "x"])
    b = pandas.Series([4, 3, 2, 1], index=["x", "w", "v", "u"])
    comparison = Comparison.from_scores(a, b)
    assert comparison.identical
    assert randomization_test(comparison, "mean").pvalue == 1
    same(comparison, Comparison.from_scores(a.to_dict(), b.to_dict()))


values = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=9
)


@examples(300)
@given(values, st.randoms(use_true_random=False), st.sampled_from(("text", "number", "pair")))
def test_any_order(rows, shuffle, kind):
    """Shuffled rows, against mappings and every swap of the rows by their labels."""
    ids = [{"text": f"q{i}", "number": 7 * i + 3, "pair": ("d", i)}[kind] for i in range(len(rows))]
    a, b, c = (dict(zip(ids, column, strict=True)) for column in zip(*rows, strict=True))

    def series(mapping):
        some = list(mapping)
        shuffle.shuffle(some)
        index = pandas.MultiIndex.from_tuples(some) if kind == "pair" else some
        return pandas.Series([mapping[i] for i in some], index=index)

    same(Comparison.from_scores(series(a), series(b)), Comparison.from_scores(a, b))
    same(
        Comparison.from_scores(series(a), series(b), clusters=series(c)),
        Comparison.from_scores(a, b, clusters=c),
    )
    same(Comparison.from_scores(a, b, clusters=series(c)), Comparison.from_scores(a, b, clusters=c))
    same(
        Comparison.from_labels(series(c), series(a), series(b), clusters=series(c)),
        Comparison.from_labels(c, a, b, clusters=c),
    )
    same(
        Comparison.from_statistics(series(a).to_frame("x"), series(b).to_frame("x"), ["x"]),
        Comparison.from_statistics(
            {i: [v] for i, v in a.items()}, {i: [v] for i, v in b.items()}, ["x"]
        ),
    )
    found = randomization_test(Comparison.from_scores(series(a), series(b)), "mean").pvalue
    steps = [a[i] - b[i] for i in ids]
    sums = [abs(sum(-d if z else d for d, z in zip(steps, coins, strict=True)))
            for coins in itertools.product((0, 1), repeat=len(steps))]  # fmt: skip
    assert found == Fraction(sum(s >= abs(sum(steps)) for s in sums), len(sums))


def test_a_shuffled_range_is_ids():
    frame = pandas.DataFrame({"a": [1, 5, 2], "b": [1, 0, 4]})
    shuffled = frame.sample(frac=1, random_state=1)
    assert shuffled.index.tolist() != [0, 1, 2]
    comparison = Comparison.from_scores(shuffled["a"], shuffled["b"].sort_index(ascending=False))
    assert comparison.units.ids == (1, 2)
    assert comparison.units.differences[:, 0].tolist() == [5, -2]


def test_the_default_range_is_no_ids():
    a, b = pandas.Series([1, 2, 4]), pandas.Series([0, 5, 5])
    expected = Comparison.from_scores([1, 2, 4], [0, 5, 5])
    same(Comparison.from_scores(a, b), expected)
    same(Comparison.from_scores(a, [0, 5, 5]), expected)
    numbered = pandas.Series([1, 2, 4], index=pandas.Index([0, 1, 2]))
    same(Comparison.from_scores(numbered, b), expected)
    assert expected.units.ids is None


def test_arrays_beside_an_index_go_by_position():
    """What comes out of a split of the data, and the answers of a model to it."""
    gold = pandas.Series(["x", "y", "x"], index=[17, 4, 9])
    expected = Comparison.from_labels(
        ["x", "y", "x"], ["x", "x", "x"], ["y", "y", "x"], ids=[17, 4, 9]
    )
    a, b = np.array(["x", "x", "x"]), ["y", "y", "x"]
    same(Comparison.from_labels(gold, a, b), expected)
    texts = gold.set_axis(["q17", "q4", "q9"])
    assert Comparison.from_labels(texts, a, pandas.Series(b)).units.ids == ("q17", "q4")
    assert expected.units.ids == (17, 4)


def test_ids_decide():
    a = pandas.Series([1, 2], index=["u", "v"])
    b = pandas.Series([1, 5], index=["v", "u"])
    comparison = Comparison.from_scores(a, b, ids=["p", "q"])
    assert (comparison.units.ids, comparison.units.differences[:, 0].tolist()) == (("q",), [-3])
    clusters = pandas.Series(["k", "l"], index=["q", "p"])
    found = Comparison.from_scores(a, b, ids=["p", "q"], clusters=clusters)
    same(
        found,
        Comparison.from_scores({"p": 1, "q": 2}, {"p": 1, "q": 5}, clusters={"q": "k", "p": "l"}),
    )
    other = pandas.Series(["k", "l"], index=[8, 9])
    assert Comparison.from_scores(a, b, ids=["p", "q"], clusters=other).units.ids == ("l",)


def test_clusters_of_keys():
    gold = {"s1": ["x"], "s2": ["y"]}
    clusters = pandas.Series(["late", "early"], index=["s2", "s1"])
    comparison = Comparison.from_responses(gold, gold, {"s1": [], "s2": []}, clusters=clusters)
    assert comparison.units.ids == ("early", "late")


def series(labels, start=1):
    return pandas.Series(range(start, start + len(labels)), index=labels)


UV = series(["u", "v"])
OTHER_NUMBERS = "other numbers: .* by label or by position"
DOUBLED = "its index has labels more than once"
ANOTHER_ORDER = "numbers .* in another order: do .* by label or by position"


@pytest.mark.parametrize(
    ("rows", "clusters", "message"),
    [
        ((UV, series(["u", "w"])), None, f"b: no row labelled 'v', as a has .*; {WAY_OUT}"),
        ((series(["u"]), series(["u", "w"])), None, "a: no row labelled 'w', as b has"),
        ((series(["u", "u"]), series(["u", "u"])), None, f"a: {DOUBLED}: 'u'; {WAY_OUT}"),
        ((UV, UV), series(["v"]), "clusters: no label for unit 'u'"),
        ((UV, UV), series(["v", "v"]), f"clusters: {DOUBLED}: 'v'"),
        ((UV, series(["v", "u"])), [1, 2], "clusters has no index, and a and b have theirs in"),
        ((series([1, 0]), series([0, 1])), None, "b has the default index, and a the same numb"),
        ((series([1, 2]), series([0, 1])), None, f"b has the default index, and a {OTHER_NUMBERS}"),
        ((series([0, 1]), series([1, 2])), None, f"a has the default index, and b {OTHER_NUMBERS}"),
        ((series([0.0, 2.0]), series([0, 1])), None, f"b has the default .* a {OTHER_NUMBERS}"),
        ((series([1, 2]), [3, 4]), series([0, 1]), f"clusters has the default .* {OTHER_NUMBERS}"),
        ((series([0, 1]), [3, 4]), series([1, 2]), f"a has .* clusters {OTHER_NUMBERS}"),
        ((UV, UV), pandas.DataFrame({"c": [1, 2]}, index=["v", "u"]), "clusters must be a seq"),
        (([1, 2], [3, 4]), series([1, 0]), f"clusters: its index has the {ANOTHER_ORDER}"),
        ((series(["u", None]), series(["u", None])), None, r"ids\[1\]: (None|nan) is not a label"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(rows, clusters, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_scores(*rows, clusters=clusters)


def test_answers_without_a_score_are_no_shift():
    """A has none for its first item and B for its last: so many of both are left."""
    a = pandas.Series([None, 1, 0, 1, 1, 0]).dropna()
    b = pandas.Series([1, 0, 1, 1, 0, None]).dropna()
    with pytest.raises(InputError, match=f"b has the default index, and a {OTHER_NUMBERS}"):
        Comparison.from_scores(a, b)


def test_three_orders():
    gold, a = series(["u", "v"]), series(["v", "u"])
    with pytest.raises(InputError, match="b has no index, and gold and a have theirs in different"):
        Comparison.from_labels(gold, a, [1, 2])
    with pytest.raises(InputError, match="b: no row labelled 'v', as gold has"):
        Comparison.from_labels(gold, a, series(["u", "w"]))


def test_series_of_polars_have_positions():
    polars = pytest.importorskip("polars")
    a, b = polars.Series([1, 2]), polars.Series([2, 5])
    same(Comparison.from_scores(a, b), Comparison.from_scores([1, 2], [2, 5]))
    indexed = pandas.Series([1, 2], index=["u", "v"])
    same(
        Comparison.from_scores(indexed, b),
        Comparison.from_scores({"u": 1, "v": 2}, {"u": 2, "v": 5}),
    )


def test_real_answers_in_another_order(shared_data):
    """The four systems of GSM8K: rows of one of them shuffled, by item."""
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    frame = pandas.read_csv(path, index_col="item")
    a, b = frame["175b_verification"], frame["6b_verification"]
    expected = randomization_test(Comparison.from_scores(a.tolist(), b.tolist()), "mean")
    for names in ([f"item-{i}" for i in frame.index], [3 * i + 1 for i in frame.index]):
        one, other = (system.set_axis(names) for system in (a, b))
        shuffled = other.sample(frac=1, random_state=7)
        found = randomization_test(Comparison.from_scores(one, shuffled), "mean")
        assert (found.pvalue, found.statistic) == (expected.pvalue, expected.statistic)
    by_position = Comparison.from_scores(one, shuffled, ids=names)
    assert randomization_test(by_position, "mean").n_units != expected.n_units
