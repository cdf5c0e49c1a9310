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


@pytest.mark.parametrize(
    ("values", "percents", "interval", "expected"),
    [  # two scores, whether they are shares, the interval of their difference: a row
        ((0.65466, 0.56082), False, (-0.198, 0.0098), "0.65 0.56 +0.09 -0.20 +0.01"),  # seconds
        ((28.6147, 29.9217), False, None, "28.615 29.922 -1.307"),
        ((28.6147, 29.9217), False, (-3.21, 0.6), "28.6 29.9 -1.3 -3.2 +0.6"),
        ((-0.0493, 0.2032), False, (-0.58, 0.27), "-0.05 0.20 -0.25 -0.58 +0.27"),  # logarithms
        ((0.75, 0.5), True, (-0.1, 0.6), "75.00 50.00 +25.00 -10.00 +60.00"),  # accuracy
        ((0.31785, 0.31795), True, None, "31.79 31.80 -0.01"),  # F1 of items
        ((0.31785, 0.317850001), True, None, "31.79 31.79 -0.0000001"),
        ((59.788, 60.39876), False, (-1.4, 0.2), "59.79 60.40 -0.61 -1.40 +0.20"),  # BLEU
        ((59.788, 60.39876), False, None, "59.7880 60.3988 -0.6108"),
        ((1204, 1187), False, None, "1204 1187 +17"),  # counts
        ((1204.5, 1187), False, (-310, 340), "1204 1187 +18 -310 +340"),
        ((30, 31.5), False, None, "30.0 31.5 -1.5"),
        ((30.1, 30.1), False, None, "30.1 30.1 0.0"),  # equal
        ((30.1, 30.1), False, (-0.5, 0.5), "30.10 30.10 0.00 -0.50 +0.50"),
        ((0, 0), False, None, "0 0 0"),
        ((28.6, 28.600001), False, (-9, 9), "28.600000 28.600001 -0.000001 -9.000000 +9.000000"),
        ((3.5, 3.5000000004), False, (-9, 9), "3.5000000000 3.5000000004 -0.0000000004 "
         "-9.0000000000 +9.0000000000"),
        ((5e-324, 0), False, None, "4.941e-324 0 +4.941e-324"),  # denormal
        ((1e-7, 1.2e-7), False, (-6e-8, 2e-8), "1.00e-07 1.20e-07 -2.00e-08 -6.00e-08 +2.00e-08"),
        ((1e300, 1.1e300), False, None, "1.0000e+300 1.1000e+300 -1.0000e+299"),  # huge
        ((1.5e308, -1.5e308), False, None, "1.500e+308 -1.500e+308 +inf"),
        ((3, 5), False, (-2, -2), "3 5 -2 -2 -2"),  # of one unit no width is known
        ((0.0, -0.0), False, (-0.0, 0.5), "0.00 0.00 0.00 0.00 +0.50"),
        ((0.1, math.nan), False, None, "0.1 nan +nan"),
        ((1000000000001.725, 1000000000002.03125), False, (-0.4, 1.0),
         "1000000000001.7 1000000000002.0 -0.3 -0.4 +1.0"),  # a double has no more digits
    ],
)  # fmt: skip
def test_a_row_has_one_number_of_decimals(
    values: tuple[float, float],
    percents: bool,
    interval: tuple[float, float] | None,
    expected: str,
) -> None:
    own = wording.figures(values, percents, [] if interval is None else [interval])
    row = [*map(own.score, values), own.difference(values[0] - values[1], sign=True)]
    row += [own.score(end, sign=True) for end in interval or ()]
    assert " ".join(row) == expected


@given(
    st.lists(
        st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3) | st.just(0.0), min_size=2, max_size=5
    ),
    st.floats(1e-3, 1e3),
)
def test_decimals_follow_the_interval_and_tell_scores_apart(
    values: list[float], width: float
) -> None:
    own = wording.figures(values, False, [(-width, width)])
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


GPT = ["gpt-4o-2024-08-06", "gpt-4o-2024-11-20"]
HAN = "\u1112\u1161\u11ab"  # one syllable in three letters
STEPS = ["checkpoint-000100-of-run-seven", "checkpoint-000200-of-run-seven"]


@pytest.mark.parametrize(
    ("names", "width", "halves", "expected"),
    [
        (["base", "gpt-4o"], 8, 8, ["base", "gpt-4o"]),  # whole where there is room
        (GPT, 20, 14, ["gpt-4o-\n2024-08-06", "gpt-4o-\n2024-11-20"]),
        (GPT, 14, 0, ["gpt-4o...08-06", "gpt-4o...11-20"]),
        (["spinningbytes", "uh_ritual"], 20, 8, ["spinningbytes", "uh_\nritual"]),
        (["method II", "method I"], 8, 8, ["method\nII", "method I"]),
        (["v0.3 of a-long-name", "v0.4"], 11, 0, ["v0.3...name", "v0.4"]),
        (["a-long-name of v0.3", "a"], 12, 0, ["a...of v0.3", "a"]),
        (["one-same-end", "two-same-end"], 10, 0, ["one...end", "two...end"]),  # equal ends
        (STEPS, 14, 0, ["...000100-o...", "...000200-o..."]),  # equal beginnings and ends
        (["abcdefghijkl", "abcdefghijklabcdefghijkl"], 10, 0, ["abcde...#1", "abcde...#2"]),
        (["x" * 50, "x" * 51, "x" * 52], 8, 0, ["xxx...#1", "xxx...#2", "xxx...#3"]),
        (["abcdefghijkl", "abcd...kl"], 9, 0, ["abc...jkl", "abcd...kl"]),  # a name
        (["aaaaaaaa- b", "aaaaaaaa-b"], 12, 9, ["aaaaaaaa-\nb", "aaaaaaaa-b"]),  # equal lines
        (["とても長いシステム名", "とても長い別の名前"], 12, 0, ["とて...ム名", "とて...名前"]),
        (["한국어 모델 하나", "한국어 모델 둘"], 20, 12, ["한국어\n모델 하나", "한국어\n모델 둘"]),
        (["e\u0301" * 20, "b"], 8, 0, ["e\u0301e\u0301e\u0301...e\u0301e\u0301", "b"]),
        ([HAN * 9], 9, 0, [f"{HAN * 2}...{HAN}"]),
        (["🚀" * 9, "🚀" * 8], 9, 0, ["🚀🚀...#1", "🚀🚀...#2"]),
        (["a/x/pred", "b/x/pred"], 7, 7, ["a/x/\npred", "b/x/\npred"]),
    ],
)  # fmt: skip
def test_short_names(names: list[str], width: int, halves: int, expected: list[str]) -> None:
    assert wording.short_names(names, width, halves) == expected


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
