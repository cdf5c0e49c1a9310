"""Tags with documents, comments, plain labels, several columns of several files."""

from __future__ import annotations

import pytest
from written import refusal

import csig
from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.tags.read import looks_like_tags, read_tag_columns, read_tags

# Comments and documents

TEXT = "a\tB-X\nb\tI-X\n\nc\tO\n\n{0}d\tB-X\n\n"


@pytest.mark.parametrize(
    ("first", "second", "documents"),
    [
        ("# newdoc\n", "# newdoc\n", ["1", "1", "2"]),
        ("#newdoc\n", "", ["1", "1", "1"]),
        ("", "# newdoc\n", ["0", "0", "1"]),
        ("# newdoc id = x\n", "# newdoc id = y z\n", ["x", "x", "y z"]),
        ("# newdoc id = x\n# newpar\n", "# newpar id = p2\n# text = d\n", ["x", "x", "x"]),
        ("# x = y\n\n# document_id = x\n", "# document_id = x\n", ["x", "x", "x"]),
        ("# doc_id = 1\n", "# doc_id = 2\n# doc_id = 3\n", ["1", "1", "3"]),
        ("#begin document (a); part 0\n", "#end document\n#begin document (b)\n",
         ["(a); part 0", "(a); part 0", "(b)"]),
        ("# sent_id = 1\n", "# text = vitamin B\n", None),
        ("", "# hipe2022:document_id = y\n# newdoc\n", InputError),
    ],
)  # fmt: skip
@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_comments(write, first, second, documents, separator, line_end):
    text = (first + TEXT.format(second)).replace("\t", separator).replace("\n", line_end)
    path = write("x.conll", "\ufeff" + text)
    if documents is InputError:
        assert "found a document without an id" in refusal(read_tags, path)
        return
    found = read_tags(path, path)
    assert found.documents == documents
    assert found.gold == found.a == [Span(0, 0, 2, "X"), Span(2, 0, 1, "X")]
    assert (found.n_sentences, found.n_tokens) == (3, 4)
    assert looks_like_tags(path)


def test_comments_in_a_file_of_tags_alone(write):
    path = write("x.txt", "# newdoc id = x\nB-X\nI-X\n\n# newdoc id = y\nI-X\n")
    found = read_tags(path)
    assert found.documents == ["x", "y"]
    assert found.gold == [Span(0, 0, 2, "X"), Span(1, 0, 1, "X")]


def test_comment_with_tabs_between_lines_ends_a_sentence(write):
    """HIPE's files have no blank lines between documents."""
    path = write(
        "x.tsv",
        "TOKEN\tNE\tMISC\n# hipe2022:document_id = d1\n# free text\na\tB-X\t_\n"
        "# hipe2022:document_id = d2\nb\tI-X\t_\nc\t_\t_\n",
    )
    found = read_tags((path, "NE"), (path, 3))
    assert found.documents == ["d1", "d2"]
    assert found.gold == [Span(0, 0, 1, "X"), Span(1, 0, 1, "X")]
    assert (found.a, found.n_tokens) == ([], 3)


@pytest.mark.parametrize(
    "text",
    [
        "# B-X\nb O\n",  # the token # between spaces
        "a O\n\n# B-X\n\n",
        "a O\n# B-X\n",
        "a O\n#newdoc B-X\n",
        "a x y O\n\n# NN = B-X\n",  # would be a comment, were it not as wide as the others
        "a O\n\n#\tB-X\n",
        "a O\n\n# newdoc id = x\tB-X\n",
        "#1\tB-X\n",
    ],
)
def test_token_that_begins_with_number_sign(write, text):
    found = read_tags(write("x.conll", text))
    assert [span.label for span in found.gold] == ["X"]
    assert found.documents is None
    assert found.n_tokens == sum(bool(line) for line in text.split("\n"))


@pytest.mark.parametrize("line", ["#1", "#hashtag"])
def test_token_that_lost_its_tag_is_no_comment(write, line):
    path = write("x.tsv", f"a\tO\n\n{line}\nb\tO\n")
    assert refusal(read_tags, path) == f"{path} line 3: found 1 column, expected 2 as on line 1"


def test_comment_between_spaces_in_a_sentence_is_none(write):
    path = write("x.conll", "a O\n# newdoc\n")
    assert "line 2: found the tag 'newdoc'" in refusal(read_tags, path)


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("mark", ["-DOCSTART- O", "-DOCSTART- -X- -X- O", "-DOCSTART-"])
def test_documents_by_docstart(write, mark, blank):
    """The second document is empty."""
    path = write(
        "x.conll",
        f"{mark}\n{blank}a y z B-X\n\nb y z B-X\n{blank}{mark}\n{blank}{mark}\n{blank}c y z B-X\n",
    )
    found = read_tags(path)
    assert found.documents == ["1", "1", "1", "2", "3", "3"]
    by_document = found.by("document")[0]
    assert {key: len(own) for key, own in by_document.items()} == {"1": 2, "2": 0, "3": 1}


def test_comments_go_before_docstart(write):
    path = write(
        "x.conll",
        "-DOCSTART- O\n# newdoc id = x\na O\n\n# newdoc id = y\n-DOCSTART- O\n\nb O\n",
    )
    assert "found a token before the first document" in refusal(read_tags, path)
    path = write("y.conll", "# newdoc id = x\na O\n\n# newdoc id = y\n-DOCSTART- O\n\nb O\n")
    assert read_tags(path).documents == ["x", "y", "y"]


@pytest.mark.parametrize("order", ["d g s t", "t s g d", "s d g t", "g t d s"])
@pytest.mark.parametrize("mark", ["", "# "])
def test_column_of_documents(write, order, mark):
    """A new document ends a sentence, though the number of the sentence is the same."""
    rows = [
        {"d": "d", "g": "g", "s": "sent_id", "t": "t"},
        {"d": "x", "g": "B-X", "s": "1", "t": "a"},
        {"d": "x", "g": "I-X", "s": "1", "t": "b"},
        {"d": "x", "g": "I-X", "s": "2", "t": "c"},
        {"d": "y", "g": "I-X", "s": "2", "t": "d"},
    ]
    lines = ["\t".join(row[name] for name in order.split()) for row in rows]
    path = write("x.tsv", mark + "\n".join(lines))
    found = read_tags((path, "g"), document="d")
    assert found.documents == ["x", "x", "y"]
    assert found.gold == [Span(0, 0, 2, "X"), Span(1, 0, 1, "X"), Span(2, 0, 1, "X")]
    assert read_tag_columns(path, "g", "g", None, document="d").documents == found.documents


@pytest.mark.parametrize("columns", ["d\tg", "g\td"])
def test_empty_cell_of_a_document(write, columns):
    rows = ("x\tO", " \tO") if columns[0] == "d" else ("O\tx", "O\t")
    path = write("x.tsv", "\n".join([columns, *rows]))
    assert refusal(read_tags, (path, "g"), document="d") == (
        f"{path} line 3: found nothing in the column 'd', expected the document"
    )


def test_file_of_documents(write):
    path = write("x.conll", "a O\n\nb O\n\nc O\n")
    assert read_tags(path, documents=write("d.txt", "x\nx\ny\n")).documents == ["x", "x", "y"]
    mixed = write("e.tsv", "2\ty\r\n0\tx\r\n1\tx")
    assert read_tags(path, documents=mixed).documents == ["x", "x", "y"]
    named = write("n.tsv", "sent_id\tg\ns2\tO\ns1\tO\ns1\tO\n")
    by_name = write("f.tsv", "s1\tx\ns2\ty\n")
    assert read_tags((named, "g"), documents=by_name).documents == ["y", "x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\n", "found 1 line, expected 3, one for each sentence of {0}"),
        ("", "found 0 lines, expected 3, one for each sentence of {0}"),
        ("0\tx\n1\tx\n", "found no document for 1 sentence of {0}: '2'"),
        ("0\tx\n1\tx\n2\tx\n3\tx\n", "found unknown 1 sentence of {0}: '3'"),
    ],
)
def test_file_of_documents_does_not_fit(write, text, message):
    path = write("x.conll", "a O\n\nb O\n\nc O\n")
    documents = write("d.txt", text)
    assert refusal(read_tags, path, documents=documents) == (f"{documents}: {message.format(path)}")


def test_wrong_file_of_documents(write):
    path = write("x.conll", "a O\n")
    documents = write("d.txt", "0\tx\n0\ty\n")
    assert refusal(read_tags, path, documents=documents) == (
        f"{documents} line 2: found the sentence '0' in the document 'y', but in 'x' above"
    )
    documents = write("d.txt", "0\tx\n0\n")
    assert refusal(read_tags, path, documents=documents) == (
        f"{documents} line 2: found 1 field, expected the document of a sentence, or a "
        "sentence, a tab and its document, on every line"
    )
    assert refusal(read_tags, path, documents=documents, document="x") == (
        "documents: found a file and a column for documents, expected one"
    )


def test_files_with_different_documents(write):
    gold = write("g.conll", "# newdoc id = x\na O\n\nb O\n")
    a = write("a.conll", "# newdoc id = x\na O\n\n# newdoc id = y\nb O\n")
    plain = write("p.conll", "a O\n\nb O\n")
    assert read_tags(gold, plain).documents == ["x", "x"]
    assert refusal(read_tags, gold, plain, a) == (
        f"{gold} line 4: document 'x', {a} line 5: document 'y'; expected the same document"
    )


def test_comparison_by_document(write):
    gold = write("g.conll", "# newdoc\na B-X\n\nb B-X\n\n# newdoc\nc O\n")
    a = write("a.conll", "a B-X\n\nb O\n\nc B-X\n")
    found = read_tags(gold, a, gold)
    comparison = csig.Comparison.from_responses(*found.by("document"), unit="key")
    assert (comparison.sums_a, comparison.sums_b) == ((1, 2, 2), (2, 2, 2))
    assert comparison.units is not None
    assert list(comparison.units.ids) == ["1", "2"]
    assert [len(own) for own in found.by("sentence")] == [3, 3, 3]
    assert refusal(found.by, "token") == "unit: found 'token', expected 'sentence' or 'document'"
    assert refusal(read_tags(a).by, "document").startswith("unit: found 'document', but")


# Schemes and plain labels


def test_strict_rules_of_files(write):
    path = write("x.conll", "a I-X\nb B-X\nc _\n")
    assert read_tags(path).gold == [Span(0, 0, 1, "X"), Span(0, 1, 2, "X")]
    assert read_tags(path, rules="strict", scheme="IOB2").gold == [Span(0, 1, 2, "X")]
    assert refusal(read_tags, path, scheme="IOE1") == (
        f"{path} line 2: found the tag 'B-X', expected O, or one of I, E with or without a "
        "label, as in I-PER"
    )


@pytest.mark.parametrize("mark", ["", "-DOCSTART- O\n\n"])
def test_plain_labels(write, mark):
    gold = write("g.conll", f"{mark}a DET\nb NOUN\n\n# text = c\nc O\n")
    a = write("a.conll", f"{mark}a DET\nb VERB\n\nc O\n")
    found = read_tags(gold, a, scheme="plain")
    assert found.labels == [["DET", "NOUN", "O"], ["DET", "VERB", "O"]]
    assert found.token_sentences.tolist() == ([1, 1, 2] if mark else [0, 0, 1])
    assert (found.gold, found.systems, found.a) == ([], [[]], [])
    comparison = csig.Comparison.from_labels(*found.labels, found.labels[0])
    assert comparison.sums_a[:2] == (2, 3)


def test_plain_labels_have_no_rules(write):
    path = write("x.conll", "a DET\n")
    assert refusal(read_tags, path, scheme="plain", rules="strict") == (
        "rules: found 'strict' with plain labels, which have no rules"
    )


# Several systems


def test_columns_of_several_files(write):
    one = write("one.tsv", "w\tgold\tx\na\tB-X\tO\nb\tI-X\tB-X\n")
    two = write("two.txt", "a O\nb S-X\n")
    three = write("three.tsv", "a\tS-X\tO\nb\tO\tO\n")
    found = read_tags((one, "gold"), (one, "x"), two, (three, 2), (three, "3"))
    assert found.gold == [Span(0, 0, 2, "X")]
    one_token = Span(0, 1, 2, "X")
    assert found.systems == [[one_token], [one_token], [Span(0, 0, 1, "X")], []]
    assert (found.a, found.b) == ([one_token], [one_token])


def test_wrong_source(write):
    path = write("x.tsv", "a\tO\n")
    assert refusal(read_tags, path, (path, 1.5)) == (
        f"systems[0]: found {(path, 1.5)!r}, expected a file, or (file, column)"
    )
