"""Tags: published figures, lines that are no plain rows, and a message for every mistake."""

from collections import Counter
from dataclasses import replace

import pytest
from commands import write
from written import refusal

from csig.base.errors import Refusal
from csig.data.responses import Span, exclusions, lay_out, spans
from csig.readers import forms, read_tags
from csig.readers.data import ResponseData, TableData
from csig.readers.forms import form_of
from csig.readers.request import OptionError, Request
from csig.readers.tags import read as reading
from csig.readers.tags.file import Text
from csig.readers.tags.read import tagged

#: How many the sample of conlleval finds, precision and recall.
PRINTED = {
    "NP": (317, 64.98, 78.63), "PP": (107, 83.18, 98.89), "VP": (100, 69.00, 79.31),
    "ADVP": (11, 45.45, 62.50), "SBAR": (3, 66.67, 33.33), "ADJP": (1, 0, 0),
}  # fmt: skip


def columns(path, *names, **options):
    return read_tags(*((path, name) for name in names), **options)


# ---- published figures -----------------------------------------------------------------------
def test_conll03_gives_the_published_counts(shared_data):
    """ELMo and Flair on CoNLL-2003: F1 92.2165 and 93.0274 by conlleval."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    found = columns(path, "gold", "elmo", "flair")
    gold, elmo, flair = set(found.gold), set(found.systems[0]), set(found.systems[1])
    assert (found.n_sentences, found.n_tokens, len(gold)) == (3453, 46435, 5648)
    assert (len(found.gold), len(found.systems[0]), len(found.systems[1])) == (5648, 5658, 5682)
    assert (len(gold & elmo), len(gold & flair), len(elmo ^ flair)) == (5213, 5270, 494)
    places = lay_out((None, spans(span)) for span in (*(elmo - flair), *(flair - elmo)))
    assert exclusions(places, len(elmo - flair)).pairs == 199
    assert tagged(path)
    assert columns(path, "3", "4", "5", sentence="1") == found


def test_wnut17_gives_the_published_counts(shared_data):
    """Strict F1 40.78 of spinningbytes and 41.86 of uh_ritual (Derczynski et al. 2017)."""
    names = "gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll"
    paths = [shared_data("wnut17_ner") / name for name in names]
    found = read_tags(*paths)
    right = [len({*found.gold} & {*own}) for own in found.systems]
    assert (found.n_sentences, found.n_tokens, len(found.gold)) == (1287, 23394, 1079)
    assert (right, [len(own) for own in found.systems]) == ([388, 355], [824, 617])
    assert all(map(tagged, paths))
    assert found.cautions == read_tags(paths[0], paths[2], paths[1]).cautions == ()


def test_conlleval_sample_gives_the_printed_counts(shared_data):
    """The sample output of the conlleval page: by type, then phrases, found, correct."""
    path = shared_data("conlleval_sample") / "output.txt"
    found = columns(path, "3", "4")
    correct = set(found.gold) & set(found.systems[0])
    assert (len(found.systems), found.n_tokens) == (1, 961)
    assert (len(found.gold), len(found.systems[0]), len(correct)) == (459, 539, 371)
    every = (Counter(own.label for own in spans) for spans in (found.gold, *found.systems, correct))
    n_gold, n_found, n_correct = every
    assert n_found.keys() == PRINTED.keys()
    for label, (n, *percent) in PRINTED.items():
        shares = [100 * n_correct[label] / (own or 1) for own in (n, n_gold[label])]
        assert (n_found[label], [round(own, 2) for own in shares]) == (n, percent)
    assert tagged(path)


# ---- layouts ------------------------------------------------------------------------------------
GOLD = "Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tB-LOC\n"


def test_columns_and_their_names(write):
    sign = write("y.tsv", "#\tgold\tx\n7\tB-X\tO\n")  # a column called "#"
    assert columns(sign, "gold", "x", sentence="#").gold == [Span(0, 0, 1, "X")]
    between = write("z.txt", "# s gold x\n0 B-X O\n1 I-X O\n")
    assert len(columns(between, "gold", "x", sentence="s").gold) == 2
    path = write("w.conll", "a I-X\nb B-X\nc _\n")  # strict rules of files
    assert read_tags(path).gold == [Span(0, 0, 1, "X"), Span(0, 1, 2, "X")]
    assert read_tags(path, rules="strict", scheme="IOB2").gold == [Span(0, 1, 2, "X")]
    rows = [("O", "B-X"), ("B-X", "B-X"), ("B-X", "O")] * 400  # tags before others: no tokens
    paths = [write(f"{i}.txt", "".join(f"{row[i]}\tw{n}\n" for n, row in enumerate(rows)))
             for i in (0, 1)]  # fmt: skip
    found = read_tags(*((path, 1) for path in paths))
    assert [len(found.gold), len(found.systems[0])] == [800, 800]
    assert found.gold[:2] == [Span(0, 1, 2, "X"), Span(0, 2, 3, "X")]


@pytest.mark.parametrize("mark", ["", "-DOCSTART- O\n\n"])
@pytest.mark.parametrize("above", [0, 300])
def test_plain_labels(write, mark, above):
    many = "u DET\n" * above + "\n"
    gold = write("g.conll", f"{many}{mark}a DET\nb NOUN\n\n# newpar\n# text = c\nc O\n")
    a = write("a.conll", f"{many}{mark}a DET\nb VERB\n\nc O\n")
    found = read_tags(gold, a, scheme="plain")
    assert [own[above:] for own in found.labels] == [["DET", "NOUN", "O"], ["DET", "VERB", "O"]]
    first = bool(mark) + bool(above)
    assert found.token_sentences.tolist()[above:] == [first, first, first + 1]
    assert (found.gold, found.systems) == ([], [[]])
    data = read(str(gold), str(a), str(gold), scheme="plain", positive="NOUN")
    assert isinstance(data, TableData)
    assert data.called == ("token", "document" if mark else "sentence")
    assert data.table.clusters[-1] == ("1" if mark else str(first + 1))
    assert data.metrics(()) == ["recall", "precision", "f1"]


def conllu(*rows):
    return "".join("\t".join((*row[:-1], *"_" * (10 - len(row)), row[-1])) + "\n" for row in rows)


@pytest.mark.parametrize("above", [0, 300])
def test_rows_of_conllu_that_are_no_words(write, above):
    """They are left out, and said first; the second column is the token."""
    some = conllu(*((str(i), f"w{i}", "O") for i in range(1, above + 1)))
    words = [("1", "vámonos", "B-X"), ("2-3", "al", "_"), ("2", "a", "I-X"), ("3", "el", "O")]
    text = "# text = x\n" + some + "\n" + conllu(*words, ("3.1", "x", "_")) + "\n# y\n"
    text += conllu(("1", "mar", "I-X"))
    path = write("gold.conllu", text)
    found = read_tags(path, path)
    n = bool(above)
    assert found.gold == [Span(n, 0, 2, "X"), Span(n + 1, 0, 1, "X")]
    assert (found.n_tokens, found.n_sentences) == (above + 4, n + 2)
    left = "Rows of CoNLL-U that are no words (ids such as 3-4 and 5.1) are left out: 2 of"
    assert found.notes == (f"{left} {path}.",)
    plain = read_tags(path, scheme="plain")
    assert (len(plain.labels[0]), plain.notes) == (above + 4, found.notes)
    other = write("a.conllu", text.replace("mar", "sol"))
    assert "'mar', " in refusal(read_tags, path, other)
    said = refusal(read_tags, write("b.conllu", text.replace("_\n2\t", "B-Y\n2\t")))
    assert said.endswith("found the tag 'B-Y' at 2-3, which is no word, expected O or _")
    marked = read_tags(write("d.conllu", text.replace("# y\n", conllu(("#9", "x", "O")))))
    assert (marked.n_tokens, marked.gold[:-1]) == (above + 4, found.gold[:-1])
    assert "are left out: 3 of" in marked.notes[0]
    # Another row without an id: these are ten columns of something else.
    something = read_tags(write("c.txt", text + conllu(("x", "y", "O"))))
    assert (something.n_tokens, something.notes) == (above + 7, ())


def test_a_gold_with_late_begins(write):
    fine = "x B-X\ny O\n\nu B-X\nv I-X\nw B-Y\n\nx B-X\n\nx B-X\n\nx O\n"
    gold, a = write("b.txt", fine), write("a.txt", fine.replace("x O", "x I-X"))
    assert read_tags(a, gold, gold).cautions == (
        f"In the gold ({a}), 1 of 6 entities begin with the tag of a later token, I or E, the "
        "first on line 12; no system has any. Taggers make such mistakes: is it the gold?",
    )
    iob1 = write("iob1.txt", fine.replace("B-", "I-"))  # most begin so: another scheme
    # A system has them too, or there is none.
    for sources in ((gold, a), (gold, a, a), (a,), (a, a, gold), (iob1, gold, gold)):
        assert read_tags(*sources).cautions == ()
    rows = [line and f"{line} {line[2:].replace('I-X', 'O')}" for line in a.read_text().split("\n")]
    one = write("one.txt", "\n".join(rows).replace("v I-X O", "v I-X I-X"))
    assert f"({one}, column 2), 1 of 6 entities" in columns(one, 2, 3).cautions[0]


# ---- mistakes -----------------------------------------------------------------------------------
def test_wrong_sources(write, tmp_path):
    path = write("x.tsv", "gold\tx\nO\tO\n")
    for source in ((path, 1.5), (path, True), (path, None), (path,)):
        expected = f"systems[0]: found {source!r}, expected a file, or (file, column)"
        assert refusal(read_tags, path, source) == expected
        assert refusal(read_tags, source) == expected.replace("systems[0]", "gold")
    assert refusal(read_tags, (path, "gold"), tmp_path / "no") == f"{tmp_path / 'no'}: no such file"
    gold, a = write("test.gold.conll", "a O\n"), write("a.conll", "a O\n")
    swapped = "systems: found '{}' as a system and '{}' as the gold; are they swapped?".format
    names = f"{path}, column gold", f"{path}, column x"
    assert refusal(columns, path, "x", "gold") == swapped(*names)
    assert refusal(read_tags, a, a, gold) == swapped(gold, a)
    assert read_tags(gold, gold).n_tokens == 1


ROWS = "w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O"


def read(*files: str, **options: object):
    return reading.read(Request(files, **options), ())


# ---- recognising -------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "expected"), [
    (GOLD, True),
    ("0\tB-PER\tO\tI-PER\n0\tI-PER\tO\tI-PER\n1\tI-LOC\tI-LOC\tO\n", True),
    ("# token\ttag\n" + GOLD, True), ("#token O\nb O\n", True),
    ("-DOCSTART-\n\n" + GOLD, True), ("-DOCSTART- O\n# newdoc id = x\na O\n", True),
    ("-DOCSTART-\n\na B-X\n", False), ("\tO\n", True), ("a\tO \n\u3000\n", True),
    ("a U-X\nb M-X\nc _\nd O\n", True),
    ("a O\nb x O\n", True),  # a mistake, which the reader is to name
    ("#one\na O\nb x O\n", True), ("", False), ("\n \n", False), ("O\nO\n", False),
    ("a B-X\nb I-X\n", False), ("a _\nb _\n", False), ("a O\nb NNP\n", False), ("a O\nb\n", False),
    ("# NN = O\na b B-X\n", False),  # a comment
    ("a O\n# token tag\n", False),  # a header is the first row
    ("token tag\na O\n", False), ("doc-1\t12\t14\tPER\n", False), ("gold = 103\n", False),
    ("351 Q0 d1 1 2.5 O\n351 Q0 d2 2 2.0 run\n", False),
])  # fmt: skip
@pytest.mark.parametrize("above", [0, 2000])
def test_tagged(text, expected, above):
    path = write("x.txt", text.removesuffix("\n"))
    assert tagged(path) is expected
    if above and text.strip() and not text.startswith(("# NN", "#one")):
        assert tagged(write("y.txt", *["a B-X", ""] * above, text)) is (
            expected and "# t" not in text
        )
        assert tagged(write("z.txt", text, *["a B-X", ""] * above)) is expected


def test_a_file_is_read_once(monkeypatch):
    """What recognises files of tags has read them; where other rules are given they are read."""
    made = []
    monkeypatch.setattr(reading, "Text", lambda path: made.append(path) or Text(path))
    files = tuple(write(f"{name}.txt", GOLD) for name in "gab")
    one = forms.read(Request(files))
    assert (made, one.source.n_tokens) == ([*files], 4)
    other = forms.read(Request(files, rules="strict", scheme="IOB2"))
    assert (made, other.table.gold) == ([*files] * 2, one.table.gold)
    assert all(tagged(path) for path in files)
    assert reading.read_tags(*files).gold == reading.read_tags(*files).gold
    assert made == [*files] * 5


# ---- what is read ------------------------------------------------------------------------------
def test_columns_and_files_give_the_same():
    table = write("t.txt", *ROWS)
    files = [
        write(f"{name}.txt", "w tag", *(" ".join(row.split()[:: i or 1][:2]) for row in ROWS[1:]))
        for name, i in (("g", 1), ("x", 2), ("y", 3))
    ]
    one = read(table, gold_column="gold", system=("x", "y"))
    several = [read(*files, gold_column="tag", system=own) for own in (("tag",), ("tag", "2"))]
    assert one.table.gold == {0: [Span(0, 0, 1, "PER")], 1: [Span(1, 0, 1, "LOC")]}
    for other in several:
        assert (other.table.gold, other.names) == (one.table.gold, ("x", "y"))
        assert other.table.systems == one.table.systems
        assert (other.source.columns, [*other.source.files]) == (None, ["gold", "a", "b"])
    source = one.source
    assert (source.files, source.systems) == ({"columns": "t.txt"}, ("t.txt",) * 2)
    assert (source.columns.gold, source.columns.a, source.columns.b) == ("gold", "x", "y")
    assert (source.n_sentences, source.n_tokens, source.cautions) == (2, 3, ())
    assert (source.rules, source.scheme) == ("conlleval", None)
    three = read(table, gold_column="gold", system=("x", "y", "x"), document_column="w")
    assert (len(three.names), three.source.columns, three.source.n_documents) == (3, None, 3)
    with pytest.raises(OptionError, match="--match is for several files"):
        read(table, match="token", gold_column="gold")
    twice = read(table, gold_column="gold", system=("x", "x")).source
    assert twice.cautions == ("A and B are the same column.",)
    same = write("s.txt", "a O")
    assert read(same, same, same).source.cautions == (f"{same} was given twice.",)


# ---- columns that are lacking ------------------------------------------------------------------
@pytest.mark.parametrize(("n", "cell", "systems", "expected"), [
    (1, "B-P", ("x", "y"), None), (3, "B-P", ("x",), None), (3, "B-P", ("x", "y"), None),
    (1, "O", ("x", "y"), "tags"),
    (1, "B", ("x", "y"), "table"),  # a label of some other kind
    (1, "NN", ("x", "y"), "table"), (3, "NN", ("x",), "table"), (1, "B-P", (), "table"),
])  # fmt: skip
def test_declared_columns_without_any_o(n, cell, systems, expected):
    """Entities or labels: somebody must say it, and both are read then."""
    rows = ("w\tgold\tx\ty", f"a\t{cell}\t{cell}\tI-P", "b\tI-P\tB-P\tI-P", "c\tB-Q\tI-Q\tS-Q")
    files = tuple(write(f"{name}.tsv", *rows) for name in "gab"[:n])
    request = Request(files, gold_column="gold", system=systems)
    if expected is not None:
        assert form_of(request) == expected
        return
    with pytest.raises(Refusal, match="column 'gold' has the tag of an entity, none has O") as no:
        form_of(request)
    entities, labels = (own.options for own in no.value.remedies)
    assert entities == ("--format", "tags")
    assert labels == (("--format", "labels") if n == 1 else ("--scheme", "plain"))
    found = forms.read(replace(request, format="tags"))
    assert isinstance(found, ResponseData)
    assert len(found.table.gold[0]) == 2
    found = forms.read(replace(request, **{labels[0][2:]: labels[1]}))
    assert isinstance(found, TableData)
    assert found.table.gold == ["B-P", "I-P", "B-Q"]
