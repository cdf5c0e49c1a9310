from __future__ import annotations

import copy
import math
import pickle
import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig import wording

PVALUES = st.floats(min_value=1e-290, max_value=1.0)
ALPHAS = st.sampled_from([0.001, 0.01, 0.05, 0.1])


@given(PVALUES, ALPHAS)
def test_a_printed_pvalue_is_close_and_on_the_right_side_of_alpha(p: float, alpha: float) -> None:
    shown = wording.pvalue(p, math.log(p), alpha)
    assert float(shown) == pytest.approx(p, rel=0.006)
    assert (float(shown) <= alpha) == (p <= alpha)
    assert (float(shown) == 1) == (p == 1)


@pytest.mark.parametrize(
    ("p", "log_p", "expected"),
    [
        (0.04, None, "0.0400"),
        (0.0500312, None, "0.05003"),
        (0.05, None, "0.0500"),
        (9.756e-05, None, "9.76e-05"),
        (1.0, 0.0, "1"),
        (0.0, -2842.5, "10^-1234.5"),
        (1e-305, math.log(1e-305), "10^-305.0"),
    ],
)
def test_pvalues(p: float, log_p: float | None, expected: str) -> None:
    assert wording.pvalue(p, log_p, 0.05) == expected


@given(st.floats(min_value=-1, max_value=1))
def test_a_difference_that_is_there_is_never_printed_as_zero(difference: float) -> None:
    shown = wording.points(difference, sign=True)
    if abs(difference) > 1e-15:
        assert float(shown) != 0
        assert math.copysign(1, float(shown)) == math.copysign(1, difference)
        assert shown[0] in "+-"
    assert "-" not in wording.points(difference)


def test_no_difference_has_no_sign() -> None:
    assert wording.points(0.0, sign=True) == wording.points(-0.0, sign=True) == "0.00"


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0.000195, "0.0195% of shuffles"),
        (0.99999, "more than 99.9% of shuffles"),
        (1.0, "every shuffle"),
        (0.0, "fewer than one shuffle in a million"),
    ],
)
def test_shares(p: float, expected: str) -> None:
    assert wording.share(p) == expected


@given(st.text())
def test_a_clean_name_has_no_control_characters(name: str) -> None:
    assert wording.clean(name).isprintable()


def test_the_names_in_a_list_are_cut_each() -> None:
    found = wording.first_few(["x" * 1_000_000, "y", "x" * 1_000_000])
    assert len(found) < 500
    assert "(1,000,000 characters), 'y', '" in found


@given(st.lists(st.sampled_from(["one", "two", "three"]), min_size=1))
def test_a_list_in_words_has_every_name_once_and_its_word_before_the_last(names: list[str]) -> None:
    found = wording.listed(names, "or")
    assert found.replace(" or ", ", ").split(", ") == names
    assert found.count(" or ") == min(1, len(names) - 1)


def test_of_many_names_the_first_are_named_and_the_rest_counted() -> None:
    names = [str(i) for i in range(1_500)]
    assert wording.few(names, 2) == "0, 1 and 1,498 more"
    assert wording.few(names, 1_499, "file").endswith(", 1498 and 1 more file")
    assert wording.few(names[:2], 2, "file") == "0, 1"


@pytest.mark.parametrize(
    ("given", "known", "expected"),
    [
        ("Recall", ["recall", "precision"], "'recall'"),  # case
        ("a-column", ["a_column", "b_column"], "'a_column'"),  # hyphens
        ("systm a", ["system_a", "system_b"], "'system_a'"),
        ("prec", ["recall", "precision"], "'precision'"),  # the beginning of one
        ("re", ["recall", "recollection"], None),  # of two, and like neither
        ("sd_c", ["sd_a", "sd_b", "mean"], "'sd_b' or 'sd_a'"),  # equally like both
        ("bleu", ["recall", "precision"], None),
        ("x", ["recall"], None),
        ("", ["recall"], None),
        ("_", ["recall", "-"], None),
        (3, [1, 2, 3], None),
        ("1", [1, "1st"], None),  # of names only texts
        ("base", ["base"], None),  # it is there: something else is wrong
        ("new\nline", ["new\nlines"], r"'new\nlines'"),
    ],
)
def test_perhaps(given: object, known: list[object], expected: str | None) -> None:
    assert wording.perhaps(given, known) == (f" (did you mean {expected}?)" if expected else "")


def test_perhaps_is_quick_and_short_with_very_many_and_very_long_names() -> None:
    names = [f"{'x' * 100_000}{i}" for i in range(20)] + [f"column {i}" for i in range(100_000)]
    assert wording.perhaps("colum 17", names) == " (did you mean 'column 17'?)"
    assert len(wording.perhaps("x" * 99_999, names)) < 500


@pytest.mark.parametrize("seed", range(200))
def test_bounds_are_rounded_outward(seed: int) -> None:
    draw = random.Random(seed)
    low = 10 ** draw.uniform(-290, 0)
    high = low * (1 + 10 ** draw.uniform(-15, 0))
    texts = wording.enclosed((low, high), (math.log(low), math.log(high))).split(" and ")
    shown = [Decimal(text) for text in texts]
    assert shown[0] <= Decimal(low)
    assert Decimal(high) <= shown[1]
    width = Decimal(high) - Decimal(low)
    assert shown[1] - shown[0] <= width + 22 * max(width, Decimal(low) / 10**14)


def test_bounds_below_the_smallest_double_are_powers_of_ten() -> None:
    low, high = wording.enclosed((0.0, 0.0), (-2842.5002, -2842.5001)).split(" and ")
    assert float(low.removeprefix("10^")) <= -2842.5002 / math.log(10)
    assert -2842.5001 / math.log(10) <= float(high.removeprefix("10^")) < -1234.482


def test_doubts_are_sentences_with_a_code() -> None:
    (doubt,) = wording.coded("left-out", ["One is left out."], n_left_out=1)
    assert doubt == "One is left out."
    for same in (doubt, copy.copy(doubt), pickle.loads(pickle.dumps(doubt))):
        assert isinstance(same, wording.Doubt)
        assert (same, same.code, same.numbers) == (doubt, "left-out", {"n_left_out": 1})
    assert wording.coded("other-code", [doubt])[0] is doubt
    assert [own.code for own in wording.doubts({"a": "x", "b": "y"})] == ["a", "b"]
