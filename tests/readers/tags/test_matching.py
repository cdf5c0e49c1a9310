"""Tags of several files: the same tokens, or those at the same positions."""

from __future__ import annotations

import pytest
from written import refusal

from csig.data.responses import Span
from csig.readers import read_tags

GOLD = '# newdoc id = x\nHe\tO\nsaid\tO\n"\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = y\nYes\tO\n'
TWO = "Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tB-LOC\n"
SAME = "; expected the same number"
POSITION = "; give --match position"
SPELT = f"{POSITION} (if it is only spelt differently)"


@pytest.mark.parametrize(("one", "other", "message"), [
    (TWO, "\n" + TWO.replace("Paris", "London"),
     "{0} line 5: 'Paris', {1} line 6: 'London'; expected the same token" + SPELT),
    (TWO, TWO.replace("in\tO\n", ""),
     "{0} line 4: sentence 2 has 2 tokens, but 1 in {1} (line 4)" + SAME),
    (TWO, TWO.replace("\n\n", "\n"),
     "{0}: 2 sentences and 4 tokens, but 1 sentence and 4 tokens in {1}" + SAME + "s"
     + POSITION + " (to take the sentences of the gold)"),
    (TWO.replace("\n\n", "\n"), TWO,
     "{0} line 1: sentence 1 has 4 tokens, but 2 in {1} (line 1)" + SAME),
    (TWO, TWO + "\nx\tO\n",
     "{0}: 2 sentences and 4 tokens, but 3 sentences and 5 tokens in {1}" + SAME + "s"),
    (TWO + "\nx\tO\n", TWO,
     "{0}: 3 sentences and 5 tokens, but 2 sentences and 4 tokens in {1}" + SAME + "s"),
    ("O\nO\n", "O\n",
     "{0}: 1 sentence and 2 tokens, but 1 sentence and 1 token in {1}" + SAME + "s"),
    (GOLD, "O\nO\nB-Q\nI-Q\nO\n",
     "by position {0}: 3 sentences and 6 tokens, but 1 sentence and 5 tokens in {1}" + SAME + "s"),
    (GOLD, "-DOCSTART- O\n\nx O\nx O\nx O\n\nx O\n\nx O\nx O\n",
     "by position {0} line 6: sentence 2 has 2 tokens, but 1 in {1} (line 7)" + SAME),
    (GOLD, "x O\ny O\nz O\n\nx O\ny O\n",
     "by position {0}: 3 sentences and 6 tokens, but 2 sentences and 5 tokens in {1}" + SAME + "s"),
])  # fmt: skip
def test_files_that_differ(write, one, other, message):
    gold, a = write("x.conll", one), write("y.conll", other)
    match = "position" if message.startswith("by position ") else "token"
    expected = message.removeprefix("by position ").format(gold, a)
    assert refusal(read_tags, gold, gold, a, match=match) == expected


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
        f"{gold} line 6001: {token!r}, {b} line 6001: {other!r}; expected the same token{SPELT}"
    )


def test_many_different_lines(write):
    """More than are remembered, tags of every length, and that differ in one byte."""
    labels = [letter * n for n in range(1, 45) for letter in "xyé"] * 200
    labels += [
        "x" * i + "y" + "x" * (n - i) for n in (7, 8, 9, 20, *range(29, 41)) for i in range(n)
    ] * 20
    path = write("x.conll", "".join(f"w\t{i}\tB-{label}\n" for i, label in enumerate(labels)))
    assert [span.label for span in read_tags(path).gold] == labels
    text = "-DOCSTART- O\n" * 200 + "\tO\n" + "\n" * 300_000 + "{}\tO\n"
    gold, a = write("g.conll", text.format("x")), write("a.conll", text.format("y"))
    tags = write("t.conll", "-DOCSTART- O\n" * 200 + "O\n\nO\n")
    assert read_tags(gold, gold, tags).n_tokens == 202
    assert "line 300202: 'x', " in refusal(read_tags, gold, a)


@pytest.mark.parametrize(("other", "message"), [
    (lambda text: text.replace("\ts7\t", "\tq7\t"),
     "lacks 1 sentence that {0} has: 's7' and has 1 sentence that {0} lacks: 'q7'"),
    (lambda text: "".join(own for own in text.splitlines(True) if "\ts7\t" not in own),
     "lacks 1 sentence that {0} has: 's7'"),
    # Ids that start again, or that one file does not have: by position.
    (lambda text: text.replace("\ts7\t", "\ts1\t"), None),
    (lambda text: "x\ty\ttag\n" + text.split("\n", 1)[1], None),
])  # fmt: skip
def test_sentences_that_one_file_has(write, other, message):
    """Sentences with ids may be in any order, but none may be missing."""
    rows = [f"w{i}\ts{i // 3}\tO\n" + "\n" * (i % 3 == 2) for i in range(60)]
    text = "token\tsent_id\ttag\n" + "".join(rows)
    one, two = (write("1.tsv", text), "tag"), (write("2.tsv", other(text)), "tag")
    if message is None:
        assert read_tags(one, two).n_sentences == read_tags(two, one).n_sentences == 20
    else:
        assert refusal(read_tags, one, two) == f"{two[0]}: {message.format(one[0])}"


@pytest.mark.parametrize("match", ["token", "position"])
def test_lines_of_documents_in_another_order(write, match):
    parts = ["-DOCSTART-\td1\tO\na\ts1\tB-X\nb\ts1\tO\n", "-DOCSTART-\td2\tO\nc\ts2\tB-X\n"]
    paths = [
        write(name, "".join(["token\tsent_id\ttag\n", *own]))
        for name, own in (("g.tsv", parts), ("a.tsv", parts[::-1]))
    ]
    found = read_tags(*((path, "tag") for path in paths), match=match)
    assert found.systems[0] == found.gold == [Span(1, 0, 1, "X"), Span(3, 0, 1, "X")]
    assert (found.documents, found.cautions) == (["1", "1", "2", "2"], ())


# ---- by position -------------------------------------------------------------------------------
def test_other_spelling_other_documents(write):
    """The tags stand where they stand; what else is in the file says nothing."""
    gold = write("gold.tsv", GOLD)
    lines = "he\tO\nsaid\tB-P\n``\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = z\nyes\tO\n"
    a = write("a.tsv", lines)
    found = read_tags(gold, a, gold, match="position")
    assert found.systems[0] == [Span(0, 1, 2, "P"), Span(1, 0, 2, "P")]
    assert found.systems[1] == found.gold == [Span(1, 0, 2, "P")]
    assert found.documents == ["x", "x", "y"]
    assert (found.n_sentences, found.n_tokens) == (3, 6)
    assert found.notes == (
        f"3 of 6 tokens are spelt differently in {gold} and {a}, the first 'He' (line 2) and 'he' "
        f"(line 1); they are matched by position.",
    )
    assert found.cautions == (f"3 of 6 tokens differ in {gold} and {a}. Is it the same text?",)
    fewer = write("b.tsv", lines.replace("he\t", "He\t"))
    assert read_tags(gold, fewer, match="position").cautions == ()
    assert refusal(read_tags, gold, a).endswith(SPELT)


@pytest.mark.parametrize("scheme", [None, "plain"])
@pytest.mark.parametrize("marks", [(True, False), (False, True), (True, True)])
def test_document_lines_may_be_missing(write, scheme, marks):
    """Lines with -DOCSTART- are no words; the tags around them are where they were."""
    texts = ["-DOCSTART- O\n\n" * mark + "u B-X\nv I-X\n\n" for mark in marks]
    texts = [t + "-DOCSTART- O\n\n" * m + "w O\n" for t, m in zip(texts, marks, strict=True)]
    paths = [write(f"{i}.txt", text) for i, text in enumerate(texts)]
    found = read_tags(*paths, match="position", scheme=scheme)
    if scheme is None:
        assert found.gold == found.systems[0] == [Span(int(marks[0]), 0, 2, "X")]
    else:
        assert found.labels == [["B-X", "I-X", "O"]] * 2
    assert found.documents == (["1", "1", "2", "2"] if marks[0] else None)
    assert found.notes == ()


def test_sentences_of_the_gold(write):
    gold = write("gold.tsv", GOLD)
    a = write("a.txt", "O\nO\nB-Q\nI-Q\nO\nO\n")
    for text, notes in (("O\n" * 6, 0), ("O\n" * 3 + "\n" + "O\n" * 3, 1)):
        assert len(read_tags(write("one.txt", text), a, match="position").notes) == notes
    found = read_tags(gold, a, match="position")
    assert found.systems[0] == [Span(0, 2, 3, "Q"), Span(1, 0, 1, "Q")]  # no entity over their ends
    assert found.notes == (f"{a} marks no sentences: those of {gold} are used.",)


def test_real_tags_with_tokens_spelt_differently(shared_data, write):
    """Digits in another spelling, no sentence marks: the same entities."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    gold = [f"{chr(10) * (i == '0')}{s}.{i}\t{tag}\n" for s, i, tag, *_ in rows]
    a = [f"{s}.{'#' if i == '7' else i}\t{tag}\n" for s, i, _, tag, _ in rows]
    paths = write("gold.tsv", "".join(gold)), write("a.tsv", "".join(a))
    expected = read_tags((path, "gold"), (path, "elmo"))
    found = read_tags(*paths, match="position")
    assert (found.gold, found.systems[0]) == (expected.gold, expected.systems[0])
    sevens = sum(row[1] == "7" for row in rows)
    assert found.notes[0].startswith(f"{sevens:,} of 46,435 tokens are spelt differently in")
    assert found.notes[1].endswith(f"marks no sentences: those of {paths[0]} are used.")
