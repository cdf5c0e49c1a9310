"""Lines that end alike, in many blocks: as if every line were read by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.data.conflicts import Span
from csig.readers.tags.endings import UNKNOWN, WORDS, Endings, blocks, words_of
from csig.readers.tags.read import looks_like_tags, read_tags


@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_many_blocks(write, separator, line_end):
    """Everything that is looked at line by line, again and again and in every block."""
    part = ["# newdoc", "a B-X", "# I-X", "", "-DOCSTART- O", "b S-X", "", "# t = 1", "c O", ""]
    n = 2000
    text = "\n".join(part * n).replace("\n", line_end)
    if separator == "\t":
        text = text.replace("B-X", "\tB-X").replace(" \t", "\t").replace(" S-X", "\tS-X")
        text = text.replace("# I-X", "#\tI-X").replace("c O", "c\tO")
    path = write("x.conll", text)
    found = read_tags(path, path)
    assert (found.n_sentences, found.n_tokens) == (4 * n, 5 * n)
    expected = []
    for i in range(0, 4 * n, 4):
        expected += [Span(i, 0, 2, "X"), Span(i + 2, 0, 1, "X")]
    assert found.gold == expected
    assert found.documents == [str(1 + i // 4) for i in range(4 * n)]


def test_ids_in_every_line(write):
    """More different lines than are remembered."""
    n = 70_000
    path = write("x.tsv", "".join(f"w\t{i}\t{'OB'[i % 2]}\n" for i in range(n)))
    found = read_tags(path)
    assert found.gold == [Span(0, i, i + 1, "") for i in range(1, n, 2)]


def test_mistake_far_down(write):
    text = "a\tO\n" * 50_000
    path = write("x.conll", text + "b\tNNP\n" + text)
    assert refusal(read_tags, path).startswith(f"{path} line 50001: found the tag 'NNP'")


def test_blocks_of_marks_alone_and_of_an_empty_token(write):
    text = "-DOCSTART- O\n" * 200 + "\tO\n" + "\n" * 300_000 + "{}\tO\n"
    gold, a = write("g.conll", text.format("x")), write("a.conll", text.format("y"))
    tags = write("t.conll", "-DOCSTART- O\n" * 200 + "O\n\nO\n")
    assert read_tags(gold, gold, tags).n_tokens == 202
    assert refusal(read_tags, gold, a) == (
        f"{gold} line 300202: 'x', {a} line 300202: 'y'; expected the same token; if it is only "
        "spelt differently, give --match position"
    )


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 63, 64, 65, 72, 73, 200])
@pytest.mark.parametrize("where", [0, 0.5, 1])
def test_tokens_that_differ_in_one_byte(write, length, where):
    """Tokens are compared in words of eight bytes, very long ones by themselves."""
    token = "x" * length
    at = int(where * (length - 1))
    other = token[:at] + "y" + token[at + 1 :]
    lines = [f"{word}\tO\n" for word in (token, "東京" * length, "a") for _ in range(2000)]
    gold = write("g.conll", "".join([*lines, f"{token}\tO\n", *lines]))
    a = write("a.conll", "".join([*lines, f"{token} O\n", *lines]))
    b = write("b.conll", "".join([*lines, f"{other}\tO\n", *lines]))
    assert read_tags(gold, a).n_tokens == 12_001
    assert refusal(read_tags, gold, b) == (
        f"{gold} line 6001: {token!r}, {b} line 6001: {other!r}; expected the same token; if it "
        "is only spelt differently, give --match position"
    )


def test_ends_of_every_length(write):
    """Ends are remembered as words of eight bytes; the long ones are not."""
    labels = [letter * n for n in range(1, 45) for letter in "xyé"]
    tags = [f"B-{label}" for label in labels] * 200
    path = write("x.conll", "".join(f"w\tB-{tag[2:]}\n" for tag in tags))
    assert [span.label for span in read_tags(path).gold] == [tag[2:] for tag in tags]


@pytest.mark.parametrize("n", [77, 78, 79, 80, 500])
def test_comment_is_told_from_a_token_in_every_block(write, n):
    """The first block of lines ends after 1024 bytes: in the sentence, or on its border."""
    path = write("x.conll", "some words O\n" * n + "# a = b\nx y O\n")
    assert not looks_like_tags(path)
    path = write("y.conll", "some words O\n" * n + "\n# a = b\nx y O\n")
    assert looks_like_tags(path)


ENDS = st.lists(st.text("ab\u00e9", max_size=20).map(str.encode), min_size=1, max_size=20)


@given(ENDS, ENDS)
def test_an_end_has_the_number_that_it_was_given_or_none(added, looked_for):
    """As a dictionary has it; but for those that are too long, or whose place is taken."""
    every = [*added, *looked_for]
    data = b"".join(every) + bytes(8 * WORDS)
    length = np.array(list(map(len, every)))
    known = Endings(words_of(data))
    numbers: dict[bytes, int] = {}
    for end in added:
        known.add(end, numbers.setdefault(end, len(numbers) + 1))
    found = known.find(np.cumsum(length) - length, length).tolist()
    for end, number in zip(every, found, strict=True):
        assert number in (UNKNOWN, numbers.get(end, UNKNOWN))
        if end and len(end) <= 8 * WORDS and len(numbers) == 1:  # nothing else takes its place
            assert number == numbers.get(end, UNKNOWN)


@given(st.lists(st.binary(max_size=3000).map(lambda line: line.replace(b"\n", b"")), max_size=6))
def test_blocks_are_whole_lines(lines):
    data = b"".join(line + b"\n" for line in lines)
    parts = [data[start:end] for start, end in blocks(data, len(data))]
    assert b"".join(parts) == data
    assert all(part.endswith(b"\n") for part in parts)
