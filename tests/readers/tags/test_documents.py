"""Comments, documents by all that marks them, and several files: the same tokens or positions."""

import pytest
from written import refusal

from csig.base.errors import InputError
from csig.data.comparison import Comparison
from csig.data.responses import Span
from csig.readers import read_tags
from csig.readers.tags.read import tagged

TEXT = "a\tB-X\nb\tI-X\n\nc\tO\n\n{0}d\tB-X\n\n"


@pytest.mark.parametrize(("first", "second", "documents"), [
    ("# newdoc\n", "# newdoc\n", ["1", "1", "2"]), ("#newdoc\n", "", ["1", "1", "1"]),
    ("", "# newdoc\n", ["0", "0", "1"]),
    ("# newdoc id = x\n", "# newdoc id = y z\n", ["x", "x", "y z"]),
    ("# newdoc id = x\n# newpar\n", "# newpar id = p2\n# text = d\n", ["x", "x", "x"]),
    ("# x = y\n\n# document_id = x\n", "# document_id = x\n", ["x", "x", "x"]),
    ("# doc_id = 1\n", "# doc_id = 2\n# doc_id = 3\n", ["1", "1", "3"]),
    ("#begin document (a); part 0\n", "#end document\n#begin document (b)\n",
     ["(a); part 0", "(a); part 0", "(b)"]),
    ("# sent_id = 1\n", "# text = vitamin B\n", None),
    ("", "# hipe2022:document_id = y\n# newdoc\n", InputError),
])  # fmt: skip
@pytest.mark.parametrize(("separator", "above"), [("\t", 0), (" ", 300)])
def test_comments(write, first, second, documents, separator, above):
    text = TEXT.format(second) + "x\tO\n" * above
    text = text.replace("\t", separator).replace("\n", "\n" if above else "\r\n")
    path = write("x.conll", "\ufeff" + first + text)
    if documents is InputError:
        assert "found a document without an id" in refusal(read_tags, path)
        return
    found = read_tags(path, path)
    assert found.documents == (documents and documents + documents[-1:] * bool(above))
    assert found.gold == found.systems[0] == [Span(0, 0, 2, "X"), Span(2, 0, 1, "X")]
    assert (found.n_sentences, found.n_tokens) == (3 + bool(above), 4 + above)
    assert tagged(path)


@pytest.mark.parametrize("text", [
    "# B-X\nb O\n",  # the token # between spaces
    "a O\n#newdoc B-X\n",
    "a x y O\n\n# NN = B-X\n",  # would be a comment, were it not as wide as the others
    "a O\n\n# newdoc id = x\tB-X\n", "#1\tB-X\n",
])  # fmt: skip
@pytest.mark.parametrize("above", [0, 300])
def test_token_that_begins_with_number_sign(write, text, above):
    first = text.split("\n")[0].replace("B-X", "O") + "\n"
    found = read_tags(write("x.conll", first * above + text))
    assert [span.label for span in found.gold] == ["X"]
    assert found.documents is None
    assert found.n_tokens == above + sum(bool(line) for line in text.split("\n"))


@pytest.mark.parametrize("n", [1, 20_000])
def test_comment_is_told_from_a_token_wherever_it_stands(write, n):
    path = write("x.conll", "some words O\n" * n + "# a = b\nx y O\n")
    assert not tagged(path)
    assert f"line {n + 1}: found 4 columns, expected 3" in refusal(read_tags, path)
    path = write("y.conll", "some words O\n" * n + "\n# a = b\nx y O\n")
    assert tagged(path)
    assert read_tags(path).n_tokens == n + 1
    # As wide as a row and with a tag, but above the first row.
    path = write("z.conll", "# a = B-X\n" + "some more words O\n" * n)
    assert (read_tags(path).n_tokens, read_tags(path).gold) == (n, [])


def test_marks_that_do_not_fit(write):
    path = write("x.conll", "-DOCSTART- O\n# newdoc id = x\na O\n\n# newdoc id = y\n"
                 "-DOCSTART- O\n\nb O\n")  # fmt: skip
    said = "found a token before the first document, which begins on line 2"
    assert refusal(read_tags, path) == f"{path} line 1: {said}"
    # A document without tokens is one nevertheless.
    path = write("e.conll", "-DOCSTART- O\n\n-DOCSTART- O\n\na B-X\n\n-DOCSTART- O\n")
    assert [len(own) for own in read_tags(path).by("document")[0].values()] == [0, 1, 0]
    # Comments go before -DOCSTART-.
    path = write("y.conll", "# newdoc id = x\na O\n\n# newdoc id = y\n-DOCSTART- O\n\nb O\n")
    assert read_tags(path).documents == ["x", "y", "y"]


def test_files_with_different_documents(write):
    gold = write("g.conll", "# newdoc id = x\na O\n\nb O\n")
    a = write("a.conll", "# newdoc id = x\na O\n\n# newdoc id = y\nb O\n")
    plain = write("p.conll", "a O\n\nb O\n")
    assert read_tags(gold, plain).documents == ["x", "x"]
    assert refusal(read_tags, gold, plain, a) == (
        f"{gold} line 4: document 'x', {a} line 5: document 'y'; expected the same document"
    )
    file = write("documents.txt", "x\ny\n")
    for options in ({"documents": file}, {"match": "position"}):
        assert read_tags(gold, a, **options).n_sentences == 2
    for match in ("token", "position"):
        found = read_tags(plain, a, match=match)
        assert (found.documents, found.cautions) == (None, (
            f"{a} marks documents, the gold ({plain}) does not: these marks are ignored. Is it the "
            "gold?",
        ))  # fmt: skip
        assert read_tags(a, plain, match=match).cautions == ()
        assert read_tags(plain, a, match=match, documents=file).cautions == ()


def test_comparison_by_document(write):
    gold = write("g.conll", "# newdoc\na B-X\n\nb B-X\n\n# newdoc\nc O\n")
    a = write("a.conll", "a B-X\n\nb O\n\nc B-X\n")
    found = read_tags(gold, a, gold)
    comparison = Comparison.from_responses(*found.by("document"), unit="key")
    assert (comparison.sums_a, comparison.sums_b) == ((1, 2, 2), (2, 2, 2))
    assert list(comparison.units.ids) == ["1", "2"]
    assert [len(own) for own in found.by("sentence")] == [3, 3, 3]
    assert refusal(found.by, "token") == "unit must be one of 'sentence', 'document', found 'token'"
    assert refusal(read_tags(a).by, "document").startswith("unit: found 'document', but")


GOLD = '# newdoc id = x\nHe\tO\nsaid\tO\n"\tO\n\nAda\tB-P\nB.\tI-P\n\n# newdoc id = y\nYes\tO\n'
POSITION = "; give --match position"
SPELT = f"{POSITION} (if it is only spelt differently)"


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 63, 64, 65, 72, 73, 200])
def test_tokens_that_differ_in_one_byte(write, length):
    """Tokens are compared in words of eight bytes, very long ones by themselves."""
    token = "x" * length
    lines = [f"{word}\tO\n" for word in (token, "東京" * length, "a") for _ in range(500)]
    gold = write("g.conll", "".join([*lines, f"{token}\tO\n", *lines]))
    a = write("a.conll", "".join([*lines, f"{token} O\n", *lines]))
    assert read_tags(gold, a).n_tokens == 3001
    for at in {0, length // 2, length - 1}:
        other = token[:at] + "y" + token[at + 1 :]
        b = write("b.conll", "".join([*lines, f"{other}\tO\n", *lines]))
        assert refusal(read_tags, gold, b) == (
            f"{gold} line 1501: {token!r}, {b} line 1501: {other!r}; expected the same token{SPELT}"
        )


def test_many_different_lines(write):
    """More than are remembered, tags of every length, and that differ in one byte."""
    labels = [letter * n for n in range(1, 45) for letter in "xyé"] * 200
    labels += 20 * ["x" * i + "y" + "x" * (n - i)
                    for n in (7, 8, 9, 20, *range(29, 41)) for i in range(n)]  # fmt: skip
    path = write("x.conll", "".join(f"w\t{i}\tB-{label}\n" for i, label in enumerate(labels)))
    assert [span.label for span in read_tags(path).gold] == labels
    text = "-DOCSTART- O\n" * 200 + "\tO\n" + "\n" * 300_000 + "{}\tO\n"
    gold, a = write("g.conll", text.format("x")), write("a.conll", text.format("y"))
    tags = write("t.conll", "-DOCSTART- O\n" * 200 + "O\n\nO\n")
    assert read_tags(gold, gold, tags).n_tokens == 202
    assert "line 300202: 'x', " in refusal(read_tags, gold, a)
    # Each sentence is looked for once in a file of documents.
    file = write("d.txt", "".join(f"{i}\td\n" for i in range(30_000)))
    found = read_tags(write("x.txt", "a O\n\n" * 30_000), documents=file)
    assert found.documents == ["d"] * 30_000


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
