"""Words and numbers in reports and messages; wording.txt is written anew by this as a script."""

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
from printed import otherwise, rewrite, sections

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
    # Nothing is assigned in the planes 4 to 13.
    for start in (*range(0, 0x40000, 0x400), *range(0xE0000, 0x110000, 0x400)):
        name = "".join(map(chr, range(start, start + 0x400)))
        found = wording.clean(name)
        assert found.isprintable()
        assert {c for c in name if c.isprintable()} <= {*found}


@given(st.lists(st.sampled_from(["one", "two", "three"]), min_size=1))
def test_a_list_in_words_has_every_name_once_and_its_word_before_the_last(names: list[str]) -> None:
    found = wording.listed(names, "or")
    assert found.replace(" or ", ", ").split(", ") == names
    assert found.count(" or ") == min(1, len(names) - 1)


PRINTED = Path(__file__).with_name("wording.txt")
log, ratio = math.log, Fraction
LOW = (0.0, 0.0), (-2842.5002, -2842.5001)
NAMES = [str(i) for i in range(1_500)]


GPT = ["gpt-4o-2024-08-06", "gpt-4o-2024-11-20"]
HAN = "\u1112\u1161\u11ab"  # one syllable in three letters
STEPS = ["checkpoint-000100-of-run-seven", "checkpoint-000200-of-run-seven"]


def row(values, percents, interval):
    """Two scores, which may be shares, their difference, and its interval of two errors."""
    low, high = interval or (0.0, 0.0)
    own = wording.figures(values, percents, [(high - low) / 4])
    texts = [*map(own.score, values), own.difference(values[0] - values[1], sign=True)]
    return " ".join(texts + [own.score(end, sign=True) for end in interval or ()])


@pytest.mark.parametrize("cases", sections(PRINTED))
def test_what_each_of_them_gives(cases: list[tuple[str, str]]) -> None:
    assert otherwise(cases, globals()) == []


@given(
    st.lists(
        st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3) | st.just(0.0), min_size=2, max_size=5
    ),
    st.floats(1e-3, 1e3),
)
def test_decimals_follow_the_interval_and_tell_scores_apart(
    values: list[float], width: float
) -> None:
    own = wording.figures(values, False, [width / 2])
    shown = [own.score(value) for value in values]
    assert len({len(text.partition(".")[2]) for text in shown}) == 1
    unit = Fraction(1, 10**own.decimals)
    for text, value in zip(shown, values, strict=True):
        # Rounded to 14 digits first, so that sums in another order are printed the same.
        assert abs(Fraction(text) - Fraction(value)) <= unit / 2 + abs(Fraction(value)) / 10**13
    # As many as are needed: with one less the width has one digit, or two scores are the same.
    same = len({f"{float(f'{x:.14g}'):.{max(own.decimals - 1, 0)}f}" for x in values})
    assert unit <= Fraction(width) / 10 or own.decimals == 0
    assert own.decimals == 0 or unit * 100 > Fraction(width) or same < len({*values})


@given(st.integers(1, 10**5))
def test_a_half_is_rounded_the_same_however_it_was_summed(hundredths: int) -> None:
    near = (hundredths / 10**5 + dust for dust in (0.0, 2**-54, -(2**-54)))
    assert len({wording.percent(value) for value in near}) == 1


def test_the_names_in_a_list_are_cut_each() -> None:
    found = wording.first_few(["x" * 1_000_000, "y", "x" * 1_000_000])
    assert len(found) < 500
    assert "(1,000,000 characters), 'y', '" in found


@st.composite
def alike(draw: st.DrawFn) -> list[str]:
    """Names that share their beginnings and their ends, or one of them, or nothing."""
    shared = st.text("ab-é\u0301長 🚀", max_size=12)
    start, end = draw(shared), draw(shared)
    own = st.lists(st.text("ab- é\u0301長#.", min_size=1, max_size=14), max_size=9, unique=True)
    return [f"{start}{name}{end}" for name in draw(own)]


@given(alike(), st.integers(10, 30), st.integers(0, 14))
def test_short_names_are_different_read_as_none_and_have_room(
    names: list[str], width: int, halves: int
) -> None:
    found = wording.short_names(names, width, halves)
    assert len({*found}) == len(names)
    for name, short in zip(names, found, strict=True):
        assert max(map(wording.columns_of, short.split("\n"))) <= (
            halves if "\n" in short else width
        )
        if short.replace("\n", "").replace(" ", "") != name.replace(" ", ""):
            assert wording.ELLIPSIS in short
            assert wording.columns_of(name) > width
            assert not any(short in other for other in names)
            head, _, tail = short.partition("...")
            if head and tail and "#" not in tail and "." not in name:
                assert [own for own in names if own.startswith(head) and own.endswith(tail)] == [
                    name
                ]


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
