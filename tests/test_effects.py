"""Wins, losses, flips, contributions and one test for every unit: beside fractions and swaps."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from drawn import examples
from hypothesis import example, given
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, Metric, randomization_test
from csig.base.shown import Library
from csig.comparing.effects import Flips, unit_contributions
from csig.data import metrics
from csig.effects import effect, sensitivity
from csig.metrics import Span

COLUMNS = ("tp", "predicted", "gold")
of_scores = Comparison.from_scores

#: Ratios with a factor beside their integers: 3, and two thirds.
FACTORS = (
    Metric("triple", COLUMNS, numerator=(3, 0, 0), denominator=(0, 1, 0)),
    Metric("part", COLUMNS, numerator=(2, 2, 0), denominator=(0, 3, 3)),
)

unit = st.tuples(*[st.integers(0, 3)] * 5).map(
    lambda v: ((v[0], v[0] + v[1], v[0] + v[3] + v[4]), (v[3], v[3] + v[2], v[0] + v[3] + v[4]))
)


def of_units(units: list[Any]) -> Comparison:
    return Comparison.from_statistics([a for a, _ in units], [b for _, b in units], COLUMNS)


def swapped(a: list[Any], b: list[Any], i: int) -> tuple[list[Any], list[Any]]:
    """Both systems' units, those at i in the other order."""
    return [*a[:i], b[i], *a[i + 1 :]], [*b[:i], a[i], *b[i + 1 :]]


#: Of these a function is not defined now and then: where nothing, or nothing of A, is predicted.
UNDEFINED = [((0, 0, 1), (1, 1, 1)), ((0, 0, 1), (0, 1, 1)), ((0, 0, 1), (0, 0, 1))]


@examples(150)
@example(UNDEFINED, "precision", 0)
@example(UNDEFINED, "precision", 1)
@example([(b, a) for a, b in UNDEFINED], "precision", 1)
@example(UNDEFINED[:1], "precision", 0)
@example(UNDEFINED[1:], "precision", 1)
@given(
    st.lists(unit, min_size=1, max_size=8),
    st.sampled_from(["recall", "precision", "f1", "jaccard", *FACTORS]),
    st.sampled_from([0, 1]),
)
def test_units_are_swapped_one_by_one(units: Any, name: Any, zero_division: int) -> None:
    metric = csig.metrics.get(name)
    found = effect(of_units(units), name, zero_division=zero_division)

    def lead(a: Any, b: Any) -> Any:
        one, other = (dict(zip(COLUMNS, np.sum(s, axis=0).tolist(), strict=True)) for s in (a, b))
        score = [metric.score(sums, zero_division=zero_division) for sums in (one, other)]
        return score[0] - score[1]

    a, b = [list(own) for own in zip(*units, strict=True)]
    before, after = lead(a, b), [lead(*swapped(a, b, i)) for i in range(len(units))]
    assert found.a_better == sum(own < before for own in after)
    assert found.b_better == sum(own > before for own in after)
    above, below = metric.weights_of(COLUMNS)
    reads = [c for c in range(3) if above[c] or below[c]]
    assert found.n_units <= sum(any(p[s][c] for s in (0, 1) for c in reads) for p in units)
    assert found.a_better + found.b_better + found.ties == found.n_units
    traded = effect(of_units([(b, a) for a, b in units]), name, zero_division=zero_division)
    assert (traded.a_better, traded.b_better) == (found.b_better, found.a_better)

    def ratio(sums: Any) -> Any:
        x, y = (sum(float(w) * sums[:, i] for i, w in enumerate(own)) for own in (above, below))
        return x / y

    function = Metric("own", COLUMNS, function=ratio)
    if not any(weight * row[i] for pair in units for row in pair for i, weight in enumerate(below)):
        # Nothing that a function could divide by, whichever unit is swapped.
        assert (found.a_better, found.b_better) == (0, 0)
        if any(a != b for a, b in units):
            with pytest.raises(InputError, match="gives NaN for both systems"):
                effect(of_units(units), function, zero_division=zero_division)
        return
    own = effect(of_units(units), function, zero_division=zero_division)
    assert (own.a_better, own.b_better) == (found.a_better, found.b_better)


def test_zero_division_is_a_score_whatever_the_weights_have_in_common() -> None:
    """One unit each with 3 of 1: swapping A's leaves 0/0 and 3, so that d falls by 2 or by 3."""
    metric = Metric("m", ("x", "n"), numerator=(3, 0), denominator=(0, 1))
    comparison = Comparison.from_statistics([[1, 1], [0, 0]], [[0, 0], [1, 1]], ("x", "n"))
    for zero_division in (0, 1):
        found = effect(comparison, metric, zero_division=zero_division)
        assert (found.a_better, found.b_better, found.ties) == (1, 1, 0)


@examples(100)
@example([])
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9))))
def test_of_means_they_are_the_signs(pairs: Any) -> None:
    a, b = ([pair[i] for pair in pairs] for i in (0, 1))
    found = effect(of_scores(a, b), "mean")
    wins, losses = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    assert (found.a_better, found.b_better, found.n_units) == (wins, losses, len(pairs))
    n = max(len(pairs), 1)
    assert (found.share_a_better, found.share_b_better) == (wins / n, losses / n)


def test_single_responses() -> None:
    """A correct response of one system counts for it, a spurious one for the other."""
    comparison = Comparison.from_counts(**PAPER)
    rows = comparison.rows()
    one_by_one = Comparison.from_statistics(rows.a, rows.b, COLUMNS)
    for name, a, b, n in (("recall", 28, 6, 103), ("precision", 37, 49, 110), ("f1", 37, 49, 160)):
        found, other = effect(comparison, name), effect(one_by_one, name)
        assert (found.a_better, found.b_better, found.n_units) == (a, b, n)
        assert (other.a_better, other.b_better, other.n_units) == (a, b, n)
        assert found.unit == "response"
        assert found.flips == (Flips(19, 28, 6, 50) if name == "recall" else None)


def test_flips_are_of_single_items_whatever_is_swapped() -> None:
    gold, a, b = list("xyxyxy"), list("xyxxxx"), list("xxyyxx")
    comparison = Comparison.from_labels(gold, a, b, cluster=[1, 1, 2, 2, 3, 3])
    for name in ("accuracy", "error_rate"):
        found = effect(comparison, name)
        assert (found.flips, found.unit) == (Flips(2, 2, 1, 1), "cluster")
        assert (found.a_better, found.b_better, found.ties) == (1, 0, 2)
    keyed = Comparison.from_responses(
        {1: ["x", "y"], 2: ["z"]}, {1: ["x"], 2: ["z", "q"]}, {1: ["x", "y"], 2: []}
    )
    found = effect(keyed, "recall")
    assert (found.flips, found.unit, found.n_units) == (Flips(1, 1, 1, 0), "key", 2)
    assert (found.a_better, found.b_better) == (1, 1)
    assert effect(comparison, "macro_f1").flips is None
    for scores in ([0, 2, 1], [0, 0.5, 1], [0.0, 0.5, 0.5]):  # not right or wrong
        assert effect(of_scores(scores, scores[::-1]), "mean").flips is None


def test_functions_of_classes_beside_swaps() -> None:
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 3, 40).tolist()
    a, b = ([g if rng.random() < 0.7 else int(rng.integers(0, 3)) for g in gold] for _ in range(2))
    comparison = Comparison.from_labels(gold, a, b)
    before = np.subtract(*comparison.scores("macro_f1"))
    losses = np.array([
        before - np.subtract(*Comparison.from_labels(gold, *swapped(a, b, i)).scores("macro_f1"))
        for i in range(40)
    ])  # fmt: skip
    found = effect(comparison, "macro_f1")
    assert (found.a_better, found.b_better) == ((losses > 1e-12).sum(), (losses < -1e-12).sum())
    assert found.n_units == 40
    contributions = unit_contributions(comparison, "macro_f1")
    assert not contributions.additive
    assert contributions.values == pytest.approx(losses / 2, abs=1e-15)
    assert contributions.scores_a.tolist() == [x == g for x, g in zip(a, gold, strict=True)]


def test_a_function_that_is_never_defined_has_no_ties() -> None:
    metric = Metric("never", ("score",), function=lambda sums: np.full(len(sums), np.nan))
    different = of_scores([1, 2, 3, 4], [2, 2, 1, 5])
    # One class in the gold only: the correlation is 0/0 whatever is swapped.
    wrong = Comparison.from_labels(["x"] * 4, ["x", "y", "x", "x"], ["x", "x", "y", "x"])
    for zero_division in (0, 1):
        with pytest.raises(InputError, match="'never': its function gives NaN for both systems"):
            effect(different, metric, zero_division=zero_division)
        with pytest.raises(InputError, match="'mcc': its function gives NaN"):
            effect(wrong, "mcc", zero_division=zero_division)
    with pytest.raises(InputError, match="of A: the score is not defined"):
        csig.intervals.bootstrap_interval(different, metric, rng=1, n_resamples=99)
    # Where no unit differs no unit counts for a system, whatever the function is.
    assert effect(of_scores([1, 2], [1, 2]), metric).ties == 2


ROW = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))

WEIGHTS = {
    "recall": ([1, 0, 0], [0, 0, 1]),
    "f1": ([2, 0, 0], [0, 1, 1]),
    "jaccard": ([1, 0, 0], [-1, 1, 1]),
}


def by_hand(a: Any, b: Any, above: Any, below: Any) -> list[Fraction] | None:
    """The definition, in fractions; None where a denominator is zero."""
    xa, xb, ya, yb = (
        [Fraction(sum(w * n for w, n in zip(weights, row, strict=True))) for row in rows]
        for weights in (above, below) for rows in (a, b)
    )  # fmt: skip
    if not sum(ya) or not sum(yb):
        return None
    r = (sum(xa) / sum(ya) + sum(xb) / sum(yb)) / 2
    m = (sum(ya) + sum(yb)) / 2
    return [((p - q) - r * (s - t)) / m for p, q, s, t in zip(xa, xb, ya, yb, strict=True)]


@examples(400)
@given(st.lists(ROW, min_size=1, max_size=8))
def test_contributions_sum_to_the_difference_and_are_the_definition(rows: list[Any]) -> None:
    """Rows: found by A, by B, more by A and by B or missed."""
    a = [[x, x + u, x + y + v] for x, y, u, v in rows]
    b = [[y, y + v, x + y + v] for x, y, u, v in rows]
    c = Comparison.from_statistics(a, b, COLUMNS)
    for name, (above, below) in WEIGHTS.items():
        expected = by_hand(a, b, above, below)
        if expected is None:
            continue
        found = unit_contributions(c, name)
        assert found.additive
        assert found.values.tolist() == [float(value) for value in expected]  # rounded once
        exact = metrics.get(name).score(c.sums("a")) - metrics.get(name).score(c.sums("b"))
        assert sum(expected) == exact
        assert found.difference == pytest.approx(float(exact), abs=1e-15)


def test_where_a_denominator_is_zero_it_is_half_of_what_the_swap_takes() -> None:
    c = Comparison.from_statistics([[0, 0, 2], [0, 0, 1]], [[1, 2, 2], [0, 1, 1]], COLUMNS)
    for zero_division in (0, 1):
        found = unit_contributions(c, "precision", zero_division=zero_division)
        assert not found.additive
        d = zero_division - Fraction(1, 3)
        after = [Fraction(1, 2) - 0, 0 - Fraction(1, 2)]
        assert found.values.tolist() == [float((d - own) / 2) for own in after]
    nothing = Comparison.from_statistics([[0, 0, 2]], [[0, 0, 2]], COLUMNS)
    assert unit_contributions(nothing, "precision").values.tolist() == [0]


def test_rows_have_ids_clusters_statistics_and_scores() -> None:
    c = Comparison.from_statistics(
        {"d2": [3, 4, 5], "d1": [2, 2, 2], "d3": [0, 0, 1], "d4": [1, 1, 1]},
        {"d1": [2, 3, 2], "d2": [1, 4, 5], "d3": [1, 1, 1], "d4": [1, 1, 1]},
        COLUMNS, cluster={"d1": "x", "d2": "x", "d3": "y", "d4": "y"},
        unit_name="document", cluster_name="topic", names=("new", "base"),
    )  # fmt: skip
    found = unit_contributions(c.at("document"), "precision")
    rows = found.rows()
    assert [(row["id"], row["cluster"], row["differs"]) for row in rows] == [
        ("d2", "x", True), ("d1", "x", True), ("d4", "y", False), ("d3", "y", True),
    ]  # fmt: skip
    assert rows[0] | {"contribution": 0} == {
        "id": "d2", "cluster": "x", "tp_a": 3, "tp_b": 1, "predicted_a": 4, "predicted_b": 4,
        "gold_a": 5, "gold_b": 5, "score_a": 0.75, "score_b": 0.25, "contribution": 0,
        "differs": True,
    }  # fmt: skip
    assert rows[3]["score_a"] is None  # it has predicted nothing
    assert [row["id"] for row in found.rows(1)] == ["d2", "d3"]
    assert repr(found).startswith("<UnitContributions precision: new - base = +30.16 points")
    topics = unit_contributions(c, "precision")
    assert [row["id"] for row in topics.rows()] == ["x", "y"]
    assert "cluster" not in topics.rows()[0]
    assert topics.values.sum() == pytest.approx(found.values.sum())


def test_responses_conflict_groups_and_keys() -> None:
    c = Comparison.from_responses(
        {"s1": [(0, 1, "LOC")], "s2": [(4, 6, "PER"), (8, 9, "PER")]},
        {"s1": [(0, 1, "PER")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "LOC")], "s2": []},
        conflict=csig.metrics.spans, key_name="sentence",
    )  # fmt: skip
    keys, single = unit_contributions(c, "recall"), unit_contributions(c.at("response"), "recall")
    assert [*zip(keys.ids, keys.values.tolist(), strict=True)] == [("s1", -1 / 3), ("s2", 1 / 3)]
    assert [(row["id"], row["cluster"], row["contribution"] * 3) for row in single.rows()] == [
        ((4, 6, "PER"), "s2", 1), ((0, 1, "PER"), "s1", 0), ((0, 1, "LOC"), "s1", -1),
    ]  # fmt: skip
    assert len(unit_contributions(c.at("conflict"), "f1")) == 2  # what both have or miss is in none
    for level, metric in itertools.product(c.levels, ("recall", "precision", "f1")):
        total = unit_contributions(c.at(level), metric).values.sum()
        assert total == pytest.approx(np.subtract(*c.scores(metric)))


def test_a_function_that_refuses_single_units_still_has_contributions() -> None:
    picky = Metric("m", ("tp",), function=lambda s: np.where(s[:, 0] < 3, np.inf, s[:, 0]))
    found = unit_contributions(Comparison.from_statistics([2, 5], [1, 4], ["tp"]), picky)
    assert np.isnan(found.scores_a).all()
    assert found.values.tolist() == [1, 1]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_have_one_type_a_column_and_one_line_an_id(library: Library) -> None:
    pytest.importorskip(library)
    c = of_scores({1: 1, "x\ny\tz": 0, (2, ("y",)): 3}, {1: 0, "x\ny\tz": 2, (2, ("y",)): 1})
    found = unit_contributions(c, "mean")
    assert list(found.units_frame(library=library)["id"]) == ["2 y", "1", r"x\ny z"]
    assert len(found.units_frame(1, library)) == 2
    gold = [("d", 0, 3, "PER"), Span("e", 1, 2, "LOC")]
    responses = Comparison.from_responses(gold, gold[:1], gold[1:], conflict=repr, unit="response")
    found = unit_contributions(responses, "f1")
    assert sorted(found.units_frame(library=library)["id"]) == ["d 0 3 PER", "e 1 2 LOC"]


BY_SENTENCE = Comparison.from_responses(
    {"s1": [(0, 1, "LOC"), (2, 3, "PER")], "s2": [(4, 6, "PER")], "s3": [(0, 1, "ORG")]},
    {"s1": [(0, 1, "PER"), (2, 3, "PER")], "s2": [(4, 6, "PER")], "s3": []},
    {"s1": [(0, 1, "LOC")], "s2": [(4, 5, "PER")], "s3": [(0, 1, "LOC")]},
    cluster={"s1": "d1", "s2": "d1", "s3": "d2"}, conflict=csig.metrics.spans,
    key_name="sentence",
)  # fmt: skip


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_every_unit_gives_what_it_gives_alone(method: Any) -> None:
    options: Any = {"method": method, "n_resamples": 1000, "alternative": "less", "rng": 5}
    found = sensitivity(BY_SENTENCE, ["recall", "f1"], **options)
    assert list(found) == ["response", "conflict", "sentence", "cluster"]
    for own, results in found.items():
        assert results == randomization_test(BY_SENTENCE.at(own), ["recall", "f1"], **options)
        assert {result.unit for result in results.values()} == {own}
    one = sensitivity(BY_SENTENCE, "f1")
    assert one["cluster"] == randomization_test(BY_SENTENCE, "f1")
    assert sensitivity(BY_SENTENCE.at("response"), "f1") == one


def test_all_units_have_the_same_seed() -> None:
    def seed(**options: Any) -> Any:
        found = sensitivity(
            BY_SENTENCE, iter(["f1"]), method="approximate", n_resamples=64, **options
        )
        (own,) = {results["f1"].seed for results in found.values()}
        return own

    for rng in (None, np.random.default_rng(3)):
        assert seed(rng=rng) != seed(rng=rng)
    assert seed(rng=np.random.Generator(np.random.Philox(1))).bit_generator == "Philox"
    assert seed(rng=1, bit_generator="SFC64").bit_generator == "SFC64"
    assert seed(rng=np.random.SeedSequence(3).spawn(2)[1]).spawn_key == (1,)
