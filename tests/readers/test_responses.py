"""Responses, spans and labels, one per line: kept as they are, and wrong files are refused."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import read_span_files, refusal, text_file

from csig.base.errors import Refusal
from csig.data.responses import Span
from csig.readers import forms, responses
from csig.readers.lines import lines_of
from csig.readers.request import Request
from csig.readers.responses import (
    kind_of_lines,
    of_spans,
    read_labels,
    read_responses,
    read_spans,
)


@pytest.mark.parametrize(("text", "options", "expected"), [
    ("", {"documents": True}, []), (" \n\t\n\n", {"header": True}, []),
    ("b\n\n \t\na\r\nc", {}, [("b",), ("a",), ("c",)]),
    (" x \t7\t\n x\t07\t#\n\tempty first\tok\r\n", {},
     [(" x ", "7", ""), (" x", "07", "#"), ("", "empty first", "ok")]),
    ("d1\t3\td1\nd2\t3\td1\n", {"documents": True}, [("d1", "3", "d1"), ("d2", "3", "d1")]),
    ("\nname\nb\nname\n", {"header": True}, [("b",), ("name",)]),
])  # fmt: skip
def test_fields_are_kept_exactly(text, options, expected):
    assert read_responses(text_file(text), **options) == expected


FIELD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r\ufeff"))


@given(data=st.data(), width=st.integers(1, 4))
def test_what_was_written_is_read(data, width):
    row = st.tuples(*[FIELD] * width).filter(lambda fields: "".join(fields).strip())
    rows = data.draw(st.lists(row, unique=True))
    assert read_responses(text_file("\n".join("\t".join(fields) for fields in rows))) == rows


def files(*texts):
    return [text_file(text, f"{name}.txt") for name, text in zip("gabc", texts, strict=False)]


def read(*texts, **options):
    return responses.of_lines(Request(tuple(files(*texts)), **options), ())


def test_responses_as_a_format():
    data = read("fox\nowl\n", "fox\n", "owl\ncow\n")
    assert data.table.gold == {None: [("fox",), ("owl",)]}
    assert data.table.systems == {"a": {None: [("fox",)]}, "b": {None: [("owl",), ("cow",)]}}
    assert (data.source.cautions, data.source.n_documents) == ((), None)
    assert read("t\nx\n", "t\ny\n", "t\n", header=True).table.systems["b"] == {None: []}
    data = read("d\tx\n", "d\tx\ne\ty\n", "", documents=True)
    assert data.table.systems["a"] == {"d": [("d", "x")], "e": [("e", "y")]}
    assert data.table.systems["b"] == {"d": [], "e": []}
    assert (data.table.key_name, data.source.n_documents) == ("document", 2)
    assert data.source.documents
    assert data.source.cautions == (
        "a has responses in documents that the gold does not have: 'e'. They count as spurious; "
        "are the ids right?",
    )
    assert read("", "d\tx\n", "e\tx\n", documents=True).source.cautions == ()
    data = read("d\t3\t5\tX\n", "d\t3\t5\tX\n", "d\t4\t5\tX\n", documents=True, spans=True)
    assert (data.table.gold, data.table.spans) == ({"d": [Span("d", 3, 5, "X")]}, True)
    assert read("3\t5\tX\n", "", spans=True).table.gold == {None: [Span("", 3, 5, "X")]}


def test_lines_that_may_be_labels():
    texts = "fox\nowl\n", "fox\ncow\n", "owl\ncow\n"
    assert read(*texts).source.cautions == (
        "All files have 2 lines, which were read as responses in any order. If the lines belong "
        "together one by one, give --format labels; if not, --format responses.",
    )
    assert read(*texts, format="responses").source.cautions == ()
    assert read(*(text.replace("\n", "\tx\n") for text in texts)).source.cautions == ()
    assert read("fox\n", "fox\n", "cow\n").source.cautions == ()
    with pytest.raises(Refusal) as refused:
        read("fox\nowl\n", "fox\nfox\n", format="responses")
    (way,) = refused.value.remedies
    assert (way.options, way.without) == (("--format", "labels"), ("--format",))
    assert responses.of_labels(Request(("g.txt", "a.txt"), format="labels"), ())


ROW = '{"document": "d", "start": 0, "end": 5, "label": "X"}'
NESTED = {
    "d": [Span("d", 0, 5, "X"), Span("d", 1, 3, "X"), Span("d", 2, 9, "Y"), Span("d", 0, 5, "Y")],
    "e": [],
}
ROWS = [*(span._asdict() for span in NESTED["d"]), {"document": "e"}]
LINES = list(map(json.dumps, ROWS))
ANN = "T1\tX 0 5\tsome \nR1\trel Arg1:T1 Arg2:T2\n#1\tNote T1\tx\nT2\tY 2 9\nA1\tNeg T1\n"


def test_standoff(write):
    path = write("doc-1.ann", ANN)
    expected = {"doc-1": [Span("doc-1", 0, 5, "X"), Span("doc-1", 2, 9, "Y")]}
    assert read_spans(path) == read_spans(path.parent) == expected
    packed = path.parent / "packed" / "doc-1.v2.ann.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(ANN.encode()))
    assert [*read_spans(packed)] == [*read_spans(packed.parent)] == ["doc-1.v2"]


def test_folder_of_documents(write):
    """Files packed by zstd were passed over."""
    for name in ("b.ann", "notes.txt", "b.ann.bak"):
        write(f"gold/{name}", ANN)
    folder = write("gold/a.ann", "").parent
    assert [(name, len(own)) for name, own in read_spans(folder).items()] == [("a", 0), ("b", 2)]
    packed = pytest.importorskip("zstandard").compress(ANN.encode())
    (folder / "c.ann.zst").write_bytes(packed)
    assert [len(own) for own in read_spans(folder).values()] == [0, 2, 2]


SPANS = st.lists(
    st.tuples(st.text(min_size=1).filter(str.strip), st.integers(0, 2**62), st.integers(1, 9),
              st.text()), unique=True,
)  # fmt: skip


@given(rows=SPANS, indent=st.sampled_from([None, 1]), array=st.booleans())
def test_what_json_writes_is_read(rows, indent, array):
    spans = [Span(document, start, start + n, label) for document, start, n, label in rows]
    own = [span._asdict() for span in spans]
    texts = [json.dumps(part, indent=indent) for part in ([own] if array else own)]
    found = read_spans(text_file("\n".join(texts), "any.jsonl"))
    assert sorted(span for own in found.values() for span in own) == sorted(spans)
    assert all(span.document == document for document, own in found.items() for span in own)


def test_wrong_files_and_arguments(write, tmp_path):
    array, plain = write("y.json", f"[{ROW}, {ROW}]"), write("f/d.ann", "")
    empty, packed = tmp_path / "empty", tmp_path / "f" / "d.ann.gz"
    empty.mkdir()
    packed.write_bytes(gzip.compress(b""))
    for path, options, said in (
        (array, {}, f"{array} record 2: found the span 0 to 5, 'X', of document 'd' again, first "
         f"on {array} record 1; expected every span once"),
        (empty, {}, f"{empty}: found a folder without .ann files, expected brat's standoff"),
        (tmp_path / "f", {}, f"{packed}: found the document 'd' again, first in {plain}"),
        (array, {"fields": {"doc": "d"}}, "fields: found 'doc' (did you mean 'document'?), "
         "expected document, start, end, label"),
    ):  # fmt: skip
        assert refusal(read_spans, path, **options) == said
    path = write("x.jsonl", '{"id": 7, "from": 1, "to": 2, "label": "X", "score": null}')
    fields = {"document": "id", "start": "from", "end": "to"}
    assert read_spans(path, fields=fields) == {"7": [Span("7", 1, 2, "X")]}


def test_documents_that_files_lack(write):
    gold, a = write("g.jsonl", "\n".join(LINES)), write("a.jsonl", ROW.replace('"d"', '"D"'))
    alone = "; where the gold has none, it needs the document alone"
    intersection = "; give --allow-missing intersection (the documents that all have)"
    assert refusal(read_span_files, gold, a) == f"{a}: has 1 document that {gold} lacks: 'D'{alone}"
    none = refusal(read_span_files, gold, a, allow_missing=True)
    assert none == f"{gold}: no document is in every file"
    both = write("b.jsonl", a.read_text() + "\n" + ROW)
    assert refusal(read_span_files, gold, both).endswith(alone + intersection)
    found = read_span_files(gold, both, allow_missing=True)
    assert found == [{"d": NESTED["d"]}, {"d": NESTED["d"][:1]}]
    # A system without spans in a document, or in any.
    assert read_span_files(gold, write("c.jsonl", "")) == [NESTED, {"d": [], "e": []}]
    names = {"gold": "ab", "x": "ac"}
    paths = [write(f"{n}/{own}.ann", "T1\tX 0 5\n") for n, every in names.items() for own in every]
    gold, x = (path.parent for path in paths[::2])
    assert refusal(read_span_files, gold, x) == (
        f"{x}: lacks 1 document that {gold} has: 'b' and has 1 document that {gold} lacks: 'c'"
        + intersection
    )
    assert [list(own) for own in read_span_files(gold, x, allow_missing=True)] == [["a"]] * 2


def test_spans_as_a_format():
    """Also what a refusal offers, and doubts about systems that say little."""
    rows = [ROW.replace('"d"', f'"{name}"') for name in "defg"]
    gold, some, few, none = (
        text_file("\n".join(rows[:n]), f"{name}.jsonl")
        for name, n in (("all", 4), ("some", 3), ("few", 1), ("none", 0))
    )
    data = of_spans(Request((gold, some, few)), ())
    assert (data.names, data.source.systems) == (("some", "few"), (some, few))
    assert (data.source.n_documents, data.table.systems["some"]["g"]) == (4, [])
    assert data.table.gold["g"] == [Span("g", 0, 5, "X")]
    assert data.source.cautions == (
        "few has no responses in 3 of the 4 documents in which the gold has some: 'e', 'f', 'g'. "
        "Is the file complete?",
    )
    (caution,) = of_spans(Request((gold, some, none)), ()).source.cautions
    assert caution.startswith("none has no responses in 4 of the 4 documents")
    assert of_spans(Request((few,) * 3), ()).source.cautions == (f"{few} was given twice.",)
    other = text_file('{"doc": "d", "start": 0, "end": 5, "label": "X"}', "other.jsonl")
    for paths, way in (
        ((few, gold, some), ("--allow-missing", "intersection")),
        ((other, other), ("--field", "document=doc")),
    ):
        with pytest.raises(Refusal) as refused:
            of_spans(Request(paths), ())
        assert [own.options for own in refused.value.remedies] == [way]
    assert of_spans(Request((few, gold, some), allow_missing="intersection"), ())
    assert of_spans(Request((other, other), field=("document=doc",)), ())


LABELS = st.lists(st.sampled_from(["x", "y", "", "  ", "not x"]), max_size=8)


@given(LABELS, LABELS, st.booleans())
def test_no_item_is_lost(gold, a, allow_missing):
    """A blank line is a missing label, never nothing: what comes behind it keeps its line."""
    paths = files(*("".join(f"{line}\n" for line in own) for own in (gold, a)))
    plain = [[line.strip() for line in own] for own in (gold, a)]
    n = max(i for own in plain for i in (0, *(j for j, x in enumerate(own, 1) if x)))
    rows = list(zip(*(own[:n] for own in plain), strict=False))
    full = [pair for pair in rows if all(pair)]
    if not n:
        assert "found an empty file" in refusal(read_labels, *paths)
    elif len(rows) < n:
        assert "every file must have the same number" in refusal(read_labels, *paths)
    elif len(full) < n and not allow_missing:
        file, line = next((i, own.index("") + 1) for i, own in enumerate(plain) if "" in own[:n])
        assert refusal(read_labels, *paths) == (
            f"{paths[file]} line {line}: the line is blank, expected a label; give --allow-missing "
            "intersection (to leave the item out) or --scheme plain (if blank lines end sentences)"
        )
    elif not full:
        message = refusal(read_labels, *paths, allow_missing=True)
        assert message == "g.txt: no item has a label in every file"
    else:
        table = read_labels(*paths, allow_missing=allow_missing)
        assert list(zip(table.gold, table.systems["a"], strict=True)) == full
        assert (len(full) == n) == (table.cautions == ())
        assert all(said.startswith(f"{n - len(full)} of {n} item") for said in table.cautions)


@pytest.mark.parametrize(("one", "other", "gold", "above"), [
    ("gold x y", "Label x x", "x y", "'gold', 'Label'"),
    ("gold x y", "a x x", "x y", "'gold', 'a'"),  # the name of the file
    ("gold x y", "label x label", "gold x y", ""),  # "label" is a label
    ("gold", "label", "gold", ""),  # else nothing is left
    ("gold x y", "y_pred x x", "x y", "'gold', 'y_pred'"),
])  # fmt: skip
def test_names_above_the_labels(one, other, gold, above):
    table = read_labels(*files(*("\n".join(text.split()) for text in (one, other))))
    assert table.gold == gold.split()
    note = f"The first line of every file is read as a name, not as a label: {above}."
    assert table.notes == ((note,) if above else ())


@pytest.mark.parametrize(("one", "other", "header", "gold"), [
    ("human x y", "bot x x", True, "x y"), ("human x y", "bot x x", False, "human x y"),
    ("gold x y", "label x x", False, "gold x y"), ("gold x y", "label x x", True, "x y"),
])  # fmt: skip
def test_whether_names_are_above_the_labels_is_what_an_option_says(one, other, header, gold):
    """--header and --no-header were taken, and did nothing."""
    paths = files(*("\n".join(text.split()) for text in (one, other)))
    request = Request(tuple(map(str, paths)), format="labels", header=header)
    data = forms.read(request)
    assert data.table.gold == gold.split()
    assert len(data.source.notes) == header
    alone = files("human\n", "bot\n")
    assert "found an empty file" in refusal(read_labels, *alone, header=True)


YES = "x\ny\nx\ny\n"


@pytest.mark.parametrize(("texts", "kind"), [
    ((YES, "x\nx\nx\ny\n", "y\ny\nx\nx\n\n"), "labels"),
    (("gold\n" + YES, "label\n" + YES, "label\n" + YES), "labels"),
    (("it is not so\nit is not so\nit is so\n",) * 3, "labels"),
    (("fox\ncow\n", "cow\nfox\n", ""), "responses"),
    (("a b c d\te\n", "a b c d\tf\n", "x\ty\n"), "responses"),
    (("fox\n\nowl\n\n", "fox\n", "cow\n"), "responses"),
    (("so he said it\nyes\nno\n",) * 3, "responses"),
    (("", "", ""), "responses"),
])  # fmt: skip
def test_lines_that_are_read(texts, kind):
    assert kind_of_lines(files(*texts), [lines_of(text) for text in texts]) == kind
