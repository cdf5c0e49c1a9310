"""Words and numbers in reports and messages; wording.txt is written anew by this as a script."""

from __future__ import annotations

import copy
import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from printed import expected, printed, rewrite

from csig.base import wording


@given(st.floats(min_value=1e-290, max_value=1.0), st.sampled_from([0.001, 0.01, 0.05, 0.1]))
def test_a_printed_pvalue_is_close_and_on_the_right_side_of_alpha(p: float, alpha: float) -> None:
    shown = wording.pvalue(p, math.log(p), alpha)
    assert float(shown) == pytest.approx(p, rel=0.006)
    assert (float(shown) <= alpha) == (p <= alpha)
    assert (float(shown) == 1) == (p == 1)


@given(st.floats(min_value=-1, max_value=1))
def test_a_difference_that_is_there_is_never_printed_as_zero(difference: float) -> None:
    shown = wording.points(difference, sign=True)
    if abs(difference) > 1e-15:
        assert float(shown) != 0
        assert math.copysign(1, float(shown)) == math.copysign(1, difference)
        assert shown[0] in "+-"
    assert "-" not in wording.points(difference)


def test_a_clean_name_has_no_control_characters() -> None:
    for start in range(0, 0x110000, 0x400):
        name = "".join(map(chr, range(start, start + 0x400)))
        found = wording.clean(name)
        assert found.isprintable()
        assert [c for c in name if c.isprintable() and c not in found] == []


@given(st.lists(st.sampled_from(["one", "two", "three"]), min_size=1))
def test_a_list_in_words_has_every_name_once_and_its_word_before_the_last(names: list[str]) -> None:
    found = wording.listed(names, "or")
    assert found.replace(" or ", ", ").split(", ") == names
    assert found.count(" or ") == min(1, len(names) - 1)


PRINTED = Path(__file__).with_name("wording.txt")
log, ratio = math.log, Fraction
LOW = (0.0, 0.0), (-2842.5002, -2842.5001)
NAMES = [str(i) for i in range(1_500)]


@pytest.mark.parametrize(("expression", "words"), expected(PRINTED))
def test_what_each_of_them_gives(expression: str, words: str) -> None:
    assert printed(expression, globals()) == words


def test_the_names_in_a_list_are_cut_each() -> None:
    found = wording.first_few(["x" * 1_000_000, "y", "x" * 1_000_000])
    assert len(found) < 500
    assert "(1,000,000 characters), 'y', '" in found


def test_perhaps_is_quick_and_short_with_very_many_and_very_long_names() -> None:
    names = [f"{'x' * 100_000}{i}" for i in range(20)] + [f"column {i}" for i in range(100_000)]
    assert wording.perhaps("colum 17", names) == " (did you mean 'column 17'?)"
    assert len(wording.perhaps("x" * 99_999, names)) < 500


def test_bounds_are_rounded_outward() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        low = 10 ** draw.uniform(-290, 0)
        high = low * (1 + 10 ** draw.uniform(-15, 0))
        texts = wording.enclosed((low, high), (math.log(low), math.log(high))).split(" and ")
        shown = [Decimal(text) for text in texts]
        assert shown[0] <= Decimal(low)
        assert Decimal(high) <= shown[1]
        width = Decimal(high) - Decimal(low)
        assert shown[1] - shown[0] <= width + 22 * max(width, Decimal(low) / 10**14)


def test_doubts_are_sentences_with_a_code() -> None:
    (doubt,) = wording.coded("left-out", ["One is left out."], n_left_out=1)
    assert doubt == "One is left out."
    for same in (doubt, copy.copy(doubt), pickle.loads(pickle.dumps(doubt))):
        assert isinstance(same, wording.Doubt)
        assert (same, same.code, same.numbers) == (doubt, "left-out", {"n_left_out": 1})
    assert wording.coded("other-code", [doubt])[0] is doubt
    assert [own.code for own in wording.doubts({"a": "x", "b": "y"})] == ["a", "b"]


if __name__ == "__main__":
    rewrite(PRINTED, globals())
