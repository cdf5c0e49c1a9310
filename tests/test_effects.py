"""Wins, losses and flips: counted by hand, in fractions, unit by unit, and by other tests."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, Metric
from csig.comparing.effects import Flips
from csig.effects import effect

RESPONSES = ("tp", "predicted", "gold")
YEH = {"gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6,
       "both_spurious": 5, "only_a_spurious": 43, "only_b_spurious": 9}  # fmt: skip

#: Ratios with a factor beside their integers: 3, and two thirds.
FACTORS = (
    Metric("triple", RESPONSES, numerator=(3, 0, 0), denominator=(0, 1, 0)),
    Metric("part", RESPONSES, numerator=(2, 2, 0), denominator=(0, 3, 3)),
)

unit = st.tuples(*[st.integers(0, 3)] * 5).map(
    lambda v: ((v[0], v[0] + v[1], v[0] + v[3] + v[4]), (v[3], v[3] + v[2], v[0] + v[3] + v[4]))
)


def of_units(units: list[Any], **more: Any) -> Comparison:
    return Comparison.from_statistics(
        [a for a, _ in units], [b for _, b in units], RESPONSES, **more
    )


def score(metric: Metric, rows: list[Any], zero_division: int) -> Fraction | float:
    sums = dict(zip(RESPONSES, np.sum(rows, axis=0).tolist(), strict=True))
    return metric.score(sums, zero_division=zero_division)


@examples(150)
@given(
    st.lists(unit, min_size=1, max_size=8),
    st.sampled_from(["recall", "precision", "f1", "jaccard", *FACTORS]),
    st.sampled_from([0, 1]),
)
def test_units_are_swapped_one_by_one(
    units: list[Any], name: str | Metric, zero_division: int
) -> None:
    metric = csig.metrics.get(name)
    found = effect(of_units(units), name, zero_division=zero_division)

    def lead(pairs: list[Any]) -> Any:
        a, b = (score(metric, [pair[i] for pair in pairs], zero_division) for i in (0, 1))
        return a - b

    swapped = [
        lead([(b, a) if i == j else (a, b) for j, (a, b) in enumerate(units)])
        for i in range(len(units))
    ]
    before = lead(units)
    assert found.a_better == sum(after < before for after in swapped)
    assert found.b_better == sum(after > before for after in swapped)
    above, below = metric.weights_of(RESPONSES)
    reads = [c for c in range(3) if above[c] or below[c]]
    assert found.n_units <= sum(any(p[s][c] for s in (0, 1) for c in reads) for p in units)
    assert found.a_better + found.b_better + found.ties == found.n_units
    traded = effect(of_units([(b, a) for a, b in units]), name, zero_division=zero_division)
    assert (traded.a_better, traded.b_better) == (found.b_better, found.a_better)
    function = Metric(
        "own",
        RESPONSES,
        function=lambda s: (
            sum(float(w) * s[:, i] for i, w in enumerate(above))
            / sum(float(w) * s[:, i] for i, w in enumerate(below))
        ),
    )
    if not any(weight * row[i] for pair in units for row in pair for i, weight in enumerate(below)):
        # Nothing that a function could divide by, whichever unit is swapped.
        assert (found.a_better, found.b_better) == (0, 0)
        if any(a != b for a, b in units):
            with pytest.raises(csig.InputError, match="gives NaN for both systems"):
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
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1))
def test_of_means_they_are_the_sign_test(scores: list[tuple[int, int]]) -> None:
    comparison = Comparison.from_scores(*zip(*scores, strict=True))
    found, signs = effect(comparison, "mean"), csig.classical.sign_test(comparison)
    assert (found.a_better, found.b_better) == (signs.n_a, signs.n_b)
    assert found.n_units == len(scores)
    assert found.share_a_better == signs.n_a / len(scores)
    assert found.share_b_better == signs.n_b / len(scores)


def test_single_responses() -> None:
    """A correct response of one system counts for it, a spurious one for the other."""
    comparison = Comparison.from_counts(**YEH)
    rows = comparison.rows()
    one_by_one = Comparison.from_statistics(rows.a, rows.b, RESPONSES)
    for name, a, b, n in (("recall", 28, 6, 103), ("precision", 37, 49, 110), ("f1", 37, 49, 160)):
        found = effect(comparison, name)
        assert (found.a_better, found.b_better, found.n_units) == (a, b, n)
        assert found.unit == "response"
        other = effect(one_by_one, name)
        assert (other.a_better, other.b_better, other.n_units) == (a, b, n)
    assert effect(comparison, "recall").flips == Flips(19, 28, 6, 50)
    assert effect(comparison, "precision").flips is None
    assert effect(comparison, "f1").flips is None


def test_flips_are_of_single_items_whatever_is_swapped() -> None:
    gold, a, b = list("xyxyxy"), list("xyxxxx"), list("xxyyxx")
    comparison = Comparison.from_labels(gold, a, b, clusters=[1, 1, 2, 2, 3, 3])
    for name in ("accuracy", "error_rate"):
        found = effect(comparison, name)
        assert found.flips == Flips(2, 2, 1, 1)
        assert found.unit == "cluster"
        assert (found.a_better, found.b_better, found.ties) == (1, 0, 2)
    assert effect(comparison, "macro_f1").flips is None
    keyed = Comparison.from_responses(
        {1: ["x", "y"], 2: ["z"]}, {1: ["x"], 2: ["z", "q"]}, {1: ["x", "y"], 2: []}
    )
    found = effect(keyed, "recall")
    assert found.flips == Flips(1, 1, 1, 0)
    assert (found.unit, found.n_units, found.a_better, found.b_better) == ("key", 2, 1, 1)


@pytest.mark.parametrize("scores", [[0, 2, 1], [0, 0.5, 1], [0.0, 0.5, 0.5]])
def test_scores_that_are_not_right_or_wrong_have_no_flips(scores: list[float]) -> None:
    assert effect(Comparison.from_scores(scores, scores[::-1]), "mean").flips is None


def test_less_may_be_better() -> None:
    comparison = Comparison.from_statistics(
        [[0, 5], [3, 9], [2, 2]], [[1, 5], [1, 9], [4, 2]], ("errors", "words")
    )
    found = effect(comparison, "wer")
    assert (found.a_better, found.b_better, found.flips) == (2, 1, None)


def test_functions_of_sums() -> None:
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 3, 40).tolist()
    a, b = ([g if rng.random() < 0.7 else int(rng.integers(0, 3)) for g in gold] for _ in range(2))
    comparison = Comparison.from_labels(gold, a, b)
    found = effect(comparison, "macro_f1")
    before = np.subtract(*comparison.scores("macro_f1"))
    signs = []
    for i in range(40):
        one, other = list(a), list(b)
        one[i], other[i] = b[i], a[i]
        after = np.subtract(*Comparison.from_labels(gold, one, other).scores("macro_f1"))
        signs.append(0 if abs(after - before) < 1e-12 else (1 if before > after else -1))
    assert (found.a_better, found.b_better) == (signs.count(1), signs.count(-1))
    assert found.n_units == 40


def never(sums: Any) -> Any:
    return np.full(len(sums), np.nan)


@pytest.mark.parametrize("zero_division", [0, 1])
def test_a_function_that_is_never_defined_has_no_ties(zero_division: int) -> None:
    metric = Metric("never", ("score",), function=never)
    different = Comparison.from_scores([1, 2, 3, 4], [2, 2, 1, 5])
    with pytest.raises(csig.InputError, match="'never': its function gives NaN for both systems"):
        effect(different, metric, zero_division=zero_division)
    with pytest.raises(csig.InputError):
        csig.intervals.bootstrap_interval(different, metric, rng=1, n_resamples=99)
    # Where no unit differs no unit counts for a system, whatever the function is.
    assert effect(Comparison.from_scores([1, 2], [1, 2]), metric).ties == 2
    # One class in the gold only: the correlation is 0/0 whatever is swapped.
    wrong = Comparison.from_labels(["x"] * 4, ["x", "y", "x", "x"], ["x", "x", "y", "x"])
    with pytest.raises(csig.InputError, match="'mcc': its function gives NaN"):
        effect(wrong, "mcc", zero_division=zero_division)


@pytest.mark.parametrize("zero_division", [0, 1])
def test_a_function_that_is_not_defined_now_and_then_takes_zero_division(
    zero_division: int,
) -> None:
    def precision(sums: Any) -> Any:
        return sums[:, 0] / sums[:, 1]

    own = Metric("own", ("tp", "predicted"), function=precision)
    units = [((0, 0, 1), (1, 1, 1)), ((0, 0, 1), (0, 1, 1)), ((0, 0, 1), (0, 0, 1))]
    for pairs in (units, [(b, a) for a, b in units], units[:1], units[1:]):
        by_ratio = effect(of_units(pairs), "precision", zero_division=zero_division)
        found = effect(of_units(pairs), own, zero_division=zero_division)
        assert (found.a_better, found.b_better) == (by_ratio.a_better, by_ratio.b_better)


def test_nothing_to_count() -> None:
    found = effect(Comparison.from_scores([], []), "mean")
    assert (found.n_units, found.share_a_better, found.share_b_better) == (0, 0.0, 0.0)
    same = effect(Comparison.from_scores([1.5, 2], [1.5, 2]), "mean")
    assert (same.a_better, same.b_better, same.ties) == (0, 0, 2)
    with pytest.raises(csig.InputError, match="zero_division must be 0 or 1"):
        effect(Comparison.from_scores([1], [2]), "mean", zero_division=3)
    minus = Metric("minus", ("score", "n"), numerator=(1, 0), denominator=(0, -1))
    with pytest.raises(csig.InputError, match="denominator of the metric is negative"):
        effect(Comparison.from_scores([1], [2]), minus)
