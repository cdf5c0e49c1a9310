"""What units contribute to a difference, beside fractions and swaps one by one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, Metric
from csig.base.shown import Library
from csig.comparing.effects import UnitContributions, label, unit_contributions
from csig.data import metrics
from csig.metrics import Span

COLUMNS = ("tp", "predicted", "gold")
ROW = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


def table(rows: list[tuple[int, int, int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    """Statistics of A and B that are possible: (found by A, by B, more by A and by B or missed)."""
    a = [[x, x + u, x + y + v] for x, y, u, v in rows]
    b = [[y, y + v, x + y + v] for x, y, u, v in rows]
    return a, b


def by_hand(
    a: list[list[int]], b: list[list[int]], above: list[int], below: list[int]
) -> list[Fraction] | None:
    """The definition, in fractions; None where a denominator is zero."""

    def parts(rows: list[list[int]], weights: list[int]) -> list[Fraction]:
        return [Fraction(sum(w * n for w, n in zip(weights, row, strict=True))) for row in rows]

    xa, xb, ya, yb = parts(a, above), parts(b, above), parts(a, below), parts(b, below)
    if not sum(ya) or not sum(yb):
        return None
    r = (sum(xa) / sum(ya) + sum(xb) / sum(yb)) / 2
    m = (sum(ya) + sum(yb)) / 2
    return [((p - q) - r * (s - t)) / m for p, q, s, t in zip(xa, xb, ya, yb, strict=True)]


WEIGHTS = {
    "recall": ([1, 0, 0], [0, 0, 1]),
    "precision": ([1, 0, 0], [0, 1, 0]),
    "f1": ([2, 0, 0], [0, 1, 1]),
    "jaccard": ([1, 0, 0], [-1, 1, 1]),
}


@examples(400)
@given(st.lists(ROW, min_size=1, max_size=8))
def test_contributions_sum_to_the_difference_and_are_the_definition(rows: list[Any]) -> None:
    a, b = table(rows)
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


@examples(200)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=9))
def test_a_mean_is_what_each_unit_adds_and_half_of_what_its_swap_takes(rows: list[Any]) -> None:
    a, b = [list(own) for own in zip(*rows, strict=True)]
    found = unit_contributions(Comparison.from_scores(a, b), "mean")
    n = len(rows)
    assert found.values.tolist() == [float(Fraction(x - y, n)) for x, y in rows]
    for i in range(n):
        other = [*a[:i], b[i], *a[i + 1 :]], [*b[:i], a[i], *b[i + 1 :]]
        loss = found.difference - float(np.mean(other[0]) - np.mean(other[1]))
        assert found.values[i] == pytest.approx(loss / 2)


def total(sums: np.ndarray) -> np.ndarray:
    """A function that is not additive."""
    return np.sqrt(sums[:, 0])


def test_a_function_is_half_of_what_its_swap_takes() -> None:
    root = Metric("root", ("tp",), function=total)
    a, b = [9, 4, 3, 0], [1, 4, 5, 1]
    found = unit_contributions(Comparison.from_statistics(a, b, ["tp"]), root)
    assert not found.additive
    d = np.sqrt(sum(a)) - np.sqrt(sum(b))
    for i in range(4):
        after = np.sqrt(sum(a) - a[i] + b[i]) - np.sqrt(sum(b) - b[i] + a[i])
        assert found.values[i] == pytest.approx((d - after) / 2, abs=1e-15)
    assert found.scores_a.tolist() == [3, 2, np.sqrt(3), 0]
    assert found.values[1] == 0


def test_a_function_of_classes_beside_swaps() -> None:
    gold, a, b = list("aabbcc"), list("aabbca"), list("abcbcc")
    c = Comparison.from_labels(gold, a, b)
    found = unit_contributions(c, "macro_f1")
    d = np.subtract(*c.scores("macro_f1"))
    for i in range(6):
        x, y = [*a[:i], b[i], *a[i + 1 :]], [*b[:i], a[i], *b[i + 1 :]]
        after = np.subtract(*Comparison.from_labels(gold, x, y).scores("macro_f1"))
        assert found.values[i] == pytest.approx((d - after) / 2, abs=1e-15)


@pytest.mark.parametrize("zero_division", [0, 1])
def test_where_a_denominator_is_zero_it_is_half_of_what_the_swap_takes(zero_division: int) -> None:
    a, b = [[0, 0, 2], [0, 0, 1]], [[1, 2, 2], [0, 1, 1]]
    c = Comparison.from_statistics(a, b, COLUMNS)
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
        COLUMNS,
        clusters={"d1": "x", "d2": "x", "d3": "y", "d4": "y"},
        unit_name="document",
        cluster_name="topic",
        names=("new", "base"),
    )
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
    assert repr(found).startswith("<UnitContributions precision: new - base = +0.")
    topics = unit_contributions(c, "precision")
    assert [row["id"] for row in topics.rows()] == ["x", "y"]
    assert "cluster" not in topics.rows()[0]
    assert topics.values.sum() == pytest.approx(found.values.sum())


def test_scores_keep_their_scale_and_units_without_ids_their_places() -> None:
    found = unit_contributions(Comparison.from_scores([0.25, 1.5, 0], [0.5, 0.25, 0]), "mean")
    assert [(row["id"], row["score_a"], row["n_a"]) for row in found.rows()] == [
        (1, 1.5, 1), (2, 0, 1), (0, 0.25, 1),
    ]  # fmt: skip
    assert found.rows()[0]["contribution"] == pytest.approx(1.25 / 3)
    ratio = Metric("score", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
    assert (
        unit_contributions(
            Comparison.from_scores([0.25, 1.5, 0], [0.5, 0.25, 0]), ratio
        ).values.tolist()
        == found.values.tolist()
    )


def test_responses_conflict_groups_and_keys() -> None:
    c = Comparison.from_responses(
        {"s1": [(0, 1, "LOC")], "s2": [(4, 6, "PER"), (8, 9, "PER")]},
        {"s1": [(0, 1, "PER")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "LOC")], "s2": []},
        conflict=csig.metrics.spans,
        key_name="sentence",
    )
    keys = unit_contributions(c, "recall")
    assert dict(zip(keys.ids, keys.values.tolist(), strict=True)) == {
        "s1": float(Fraction(-1, 3)), "s2": float(Fraction(1, 3)),
    }  # fmt: skip
    single = unit_contributions(c.at("response"), "recall")
    assert [(row["id"], row["cluster"], row["contribution"] * 3) for row in single.rows()] == [
        ((4, 6, "PER"), "s2", 1), ((0, 1, "PER"), "s1", 0), ((0, 1, "LOC"), "s1", -1),
    ]  # fmt: skip
    group = unit_contributions(c.at("conflict"), "f1")
    assert len(group) == 2  # what both systems have or miss is in none
    assert group.values.sum() == pytest.approx(group.difference)
    for metric in ("recall", "precision", "f1"):
        assert unit_contributions(c.at("response"), metric).values.sum() == pytest.approx(
            np.subtract(*c.scores(metric))
        )


def test_what_is_refused() -> None:
    counts = Comparison.from_counts(gold=9, only_a_correct=3, only_b_correct=1)
    with pytest.raises(InputError, match="counts have no single units"):
        unit_contributions(counts, "recall")
    c = Comparison.from_scores([1, 0], [0, 1])
    with pytest.raises(InputError, match=r"reads 'tp', 'gold'"):
        unit_contributions(c, "recall")
    with pytest.raises(InputError, match="n must be an integer from 1"):
        unit_contributions(c, "mean").largest(0)
    with pytest.raises(InputError, match="comparison"):
        unit_contributions("c", "mean")  # type: ignore[arg-type]


def test_a_function_that_refuses_single_units_still_has_contributions() -> None:
    def picky(sums: np.ndarray) -> np.ndarray:
        return np.where(sums[:, 0] < 3, np.inf, sums[:, 0])

    found = unit_contributions(
        Comparison.from_statistics([2, 5], [1, 4], ["tp"]), Metric("m", ("tp",), function=picky)
    )
    assert np.isnan(found.scores_a).all()
    assert found.values.tolist() == [1, 1]


def test_frames_have_one_type_a_column() -> None:
    pytest.importorskip("pandas")
    c = Comparison.from_scores({1: 1, "x": 0, (2, "y"): 3}, {1: 0, "x": 2, (2, "y"): 1})
    found = unit_contributions(c, "mean")
    assert isinstance(found, UnitContributions)
    frame = found.units_frame(library="pandas")
    assert frame["id"].tolist() == ["2 y", "1", "x"]
    assert len(found.units_frame(1, "pandas")) == 2


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_have_responses_as_texts(library: Library) -> None:
    pytest.importorskip(library)
    gold = [("d", 0, 3, "PER"), ("e", 1, 2, "LOC")]
    found = unit_contributions(Comparison.from_responses(gold, gold[:1], gold[1:]), "f1")
    assert sorted(found.units_frame(library=library)["id"]) == ["d 0 3 PER", "e 1 2 LOC"]


def test_labels_are_one_line() -> None:
    assert label(Span("d1", 3, 4, "PER")) == "d1 3 4 PER"
    assert label(("a", 1, ("b",))) == "a 1 b"
    assert label("x\ny\tz") == r"x\ny z"
    assert label(None) == "None"
