"""Texts in a buffer, beside Python's own lists of strings."""

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig.data import strings as module
from csig.data.strings import Texts

SHORT = st.text(st.characters(codec="utf-8"), max_size=4)
LONG = st.text("ab\0ä\U0001f600 \u3000\x85", max_size=30)
SOME = st.lists(SHORT | LONG | st.sampled_from(["question-0000001", "question-0000002", ""]))


@given(SOME)
def test_they_are_the_strings_they_were_made_of(strings):
    texts = Texts.of(strings)
    assert len(texts) == len(strings)
    assert texts.tolist() == list(texts) == [texts[i] for i in range(len(texts))] == strings
    assert repr(texts) == repr(strings)
    assert texts.sizes.tolist() == [len(string.encode()) for string in strings]
    assert texts.stripped() == [string.strip() for string in strings]
    assert texts[1:] == strings[1:]


@given(SOME)
def test_order_and_codes_are_those_of_the_code_points(strings):
    texts = Texts.of(strings)
    distinct = len(set(strings)) == len(strings)
    assert texts.distinct() is distinct
    order = texts.order()
    assert (order is not None) is distinct
    if order is not None:
        assert [strings[i] for i in order] == sorted(strings)
    codes, different = texts.codes()
    assert different == sorted(set(strings))
    assert [different[i] for i in codes] == strings
    # Comparing code points is comparing UTF-8.
    assert sorted(strings) == sorted(strings, key=str.encode)


@examples(500)
@given(SOME, SOME, st.data())
def test_equality_joining_and_taking(strings, others, data):
    texts, more = Texts.of(strings), Texts.of(others)
    assert (texts == more) is (strings == others)
    assert texts == strings
    assert (texts == others) is (strings == others)
    assert texts != "".join(strings)
    assert [text in texts for text in others] == [text in strings for text in others]
    assert Texts.joined([texts, more]) == strings + others
    rows = data.draw(st.lists(st.integers(0, len(strings) - 1)) if strings else st.just([]))
    taken = texts.take(np.array(rows, dtype=np.intp))
    assert taken == Texts.of([strings[i] for i in rows])
    assert Texts.joined([taken, more]).codes()[1] == sorted({*taken.tolist(), *others})


def test_a_long_run_and_many_ids():
    rng = np.random.default_rng(1)
    strings = [f"question/{i // 7}/{i:x}" for i in rng.permutation(20_000).tolist()]
    texts = Texts.of(strings)
    order = texts.order()
    assert order is not None
    assert [strings[i] for i in order] == sorted(strings)
    assert texts.distinct()
    assert not Texts.of([*strings, strings[17]]).distinct()
    assert Texts.of(strings) == texts
    numbers = [f"q{i}" for i in range(2000)]
    assert Texts.of(numbers).distinct()
    for again in ("q1999", "q7"):
        assert not Texts.of([*numbers, again]).distinct()
    with pytest.raises(TypeError):
        hash(texts)


@examples(300)
@given(SOME, SOME)
def test_texts_with_one_that_is_long_are_looked_at_whole(strings, others):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MANY_WORDS", 0)
        test_order_and_codes_are_those_of_the_code_points.hypothesis.inner_test(strings)
        texts = Texts.of(strings)
        assert (texts[1:] == Texts.of(others)) is (strings[1:] == others)
        assert texts == Texts.joined([texts[:1], texts[1:]])
    long = ["x" * 10_000, "y", "x" * 9_999]
    assert Texts.of(long).codes()[1] == sorted(long)
