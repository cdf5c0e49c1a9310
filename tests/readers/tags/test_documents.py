"""Comments, and documents by all that marks them."""

from __future__ import annotations

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
@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize("above", [0, 300])
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


def test_comments_between_lines_and_columns(write):
    """HIPE's files have no blank lines between documents."""
    text = (
        "TOKEN\tNE\tMISC\n# hipe2022:document_id = d1\n# free text\na\tB-X\t_\n"
        "# hipe2022:document_id = d2\nb\tI-X\t_\nc\t_\t_\n"
    )
    path = write("x.tsv", text)
    found = read_tags((path, "NE"), (path, 3))
    assert found.documents == ["d1", "d2"]
    assert found.gold == [Span(0, 0, 1, "X"), Span(1, 0, 1, "X")]
    assert (found.systems[0], found.n_tokens) == ([], 3)
    alone = read_tags(write("x.txt", "# newdoc id = x\nB-X\nI-X\n\n# newdoc id = y\nI-X\n"))
    assert (alone.documents, len(alone.gold)) == (["x", "y"], 2)


@pytest.mark.parametrize("text", [
    "# B-X\nb O\n",  # the token # between spaces
    "a O\n\n# B-X\n\n", "a O\n# B-X\n", "a O\n#newdoc B-X\n",
    "a x y O\n\n# NN = B-X\n",  # would be a comment, were it not as wide as the others
    "a O\n\n#\tB-X\n", "a O\n\n# newdoc id = x\tB-X\n", "#1\tB-X\n",
])  # fmt: skip
@pytest.mark.parametrize("above", [0, 300])
def test_token_that_begins_with_number_sign(write, text, above):
    first = text.split("\n")[0].replace("B-X", "O") + "\n"
    found = read_tags(write("x.conll", first * above + text))
    assert [span.label for span in found.gold] == ["X"]
    assert found.documents is None
    assert found.n_tokens == above + sum(bool(line) for line in text.split("\n"))


@pytest.mark.parametrize("n", [1, 80, 20_000])
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


@pytest.mark.parametrize("blank", ["", "\n"])
@pytest.mark.parametrize("mark", ["-DOCSTART- O", "-DOCSTART- -X- -X- O", "-DOCSTART-"])
@pytest.mark.parametrize("above", [0, 300])
def test_documents_by_docstart(write, mark, blank, above):
    """The second document is empty; no entity goes on behind the mark."""
    path = write(
        "x.conll",
        f"{mark}\n{blank}a y z B-X\n\nb y z B-X\n{blank}{mark}\n{blank}{mark}\n{blank}c y z I-X\n"
        + "d y z O\n" * above,
    )
    found = read_tags(path)
    assert found.documents == ["1", "1", "1", "2", "3", "3"]
    assert found.gold == [Span(i, 0, 1, "X") for i in (1, 2, 5)]
    by_document = found.by("document")[0]
    assert {key: len(own) for key, own in by_document.items()} == {"1": 2, "2": 0, "3": 1}
    whole = write("y.conll", path.read_text().replace(f"{mark}\n", "-DOCSTART- O O O\n"))
    assert read_tags((whole, 4)) == found


THREE = "a O\n\nb O\n\nc O\n"
FIELDS = (
    ", expected the document of a sentence, or a sentence, a tab and its document, on every line"
)


@pytest.mark.parametrize(("text", "documents", "message"), [
    (THREE, "x\nx\ny\n", ["x", "x", "y"]),
    (THREE, "2\ty\r\n0\tx\r\n1\tx", ["x", "x", "y"]),
    ("sent_id\tg\ns2\tO\ns1\tO\ns1\tO\n", "s1\tx\ns2\ty\n", ["y", "x"]),
    (THREE, "x\n", ": found no document for 2 sentences of {0}: '1', '2'"),
    (THREE, "0\tx\n1\tx\n", ": found no document for 1 sentence of {0}: '2'"),
    (THREE, "x\nx\ny\ny\n", ": found unknown 1 sentence of {0}: '3'"),
    (THREE, "0\tx\n1\tx\n2\tx\n3\tx\n", ": found unknown 1 sentence of {0}: '3'"),
    (THREE, "0\tx\n0\ty\n",
     " line 2: found the sentence '0' in the document 'y', but in 'x' above"),
    *((THREE, f"0\tx\n{line}\n", f" line 2: found {n}" + FIELDS)
     for line, n in (("0", "1 field"), ("0\tx\ty", "3 fields"), ("0\t", "2 fields"))),
])  # fmt: skip
def test_file_of_documents(write, text, documents, message):
    path, file = write("x.conll", text), write("d.txt", documents)
    sources = [(path, "g") if "g" in text else path]
    if isinstance(message, str):
        assert refusal(read_tags, *sources, documents=file) == f"{file}{message.format(path)}"
    else:
        assert read_tags(*sources, documents=file).documents == message


def test_file_of_many_documents(write):
    """Each sentence is looked for once."""
    n = 30_000
    file = write("d.txt", "".join(f"{i}\td\n" for i in range(n)))
    assert read_tags(write("x.txt", "a O\n\n" * n), documents=file).documents == ["d"] * n


def test_marks_that_do_not_fit(write):
    path = write(
        "x.conll", "-DOCSTART- O\n# newdoc id = x\na O\n\n# newdoc id = y\n-DOCSTART- O\n\nb O\n"
    )
    assert refusal(read_tags, path) == (
        f"{path} line 1: found a token before the first document, which begins on line 2"
    )
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
    assert comparison.units is not None
    assert list(comparison.units.ids) == ["1", "2"]
    assert [len(own) for own in found.by("sentence")] == [3, 3, 3]
    assert refusal(found.by, "token") == "unit must be one of 'sentence', 'document', found 'token'"
    assert refusal(read_tags(a).by, "document").startswith("unit: found 'document', but")
