"""Tags on the command line: matched by position, plain labels, single tokens."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from commands import record, refused, run, words, write

GOLD = ["u X", "v Y", "w X", "", "x Z", "y X", "z X"]
SYSTEM_A = ["u X", "v X", "w Y", "", "x Z", "y X", "z X"]
SYSTEM_B = ["u Y", "v Y", "w X", "", "x X", "y X", "z Z"]


@pytest.fixture
def files() -> tuple[str, ...]:
    texts = {"g.txt": GOLD, "a.txt": SYSTEM_A, "b.txt": SYSTEM_B}
    return tuple(write(name, *lines) for name, lines in texts.items())


def labels(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line]


def recall_pvalue(positive: str) -> Fraction:
    """By all shuffles of the tokens, in fractions."""
    gold, a, b = map(labels, (GOLD, SYSTEM_A, SYSTEM_B))
    total = gold.count(positive)

    def difference(swapped: tuple[int, ...]) -> Fraction:
        pairs = [(y, x) if s else (x, y) for x, y, s in zip(a, b, swapped, strict=True)]
        found = [
            sum(own == right == positive for own, right in zip(side, gold, strict=True))
            for side in zip(*pairs, strict=True)
        ]
        return Fraction(found[0] - found[1], total)

    observed = abs(difference((0,) * len(gold)))
    shuffles = list(product((0, 1), repeat=len(gold)))
    return Fraction(sum(abs(difference(s)) >= observed for s in shuffles), len(shuffles))


def test_one_label_of_plain_tags(files):
    found = record("compare", *files, "--scheme", "plain", "--positive", "Y", "--unit", "token")
    assert found["comparison"]["unit"] == "token"
    results = {row["metric"]: row for row in found["results"]}
    assert list(results) == ["recall", "precision", "f1"]
    assert results["recall"]["pvalue"] == pytest.approx(float(recall_pvalue("Y")), rel=1e-12)
    assert found["input"]["n_sentences"] == 2
    by_sentence = record("compare", *files, "--scheme", "plain", "--positive", "Y")
    assert by_sentence["comparison"]["unit"] == "sentence"
    message = refused("compare", *files, "--scheme", "plain", "--positive", "W")
    assert "no item has the label 'W'" in message


def test_single_tokens_of_entities(files):
    """An entity is no token: what is possible instead is said."""
    tags = write("t.tsv", "g\ta\tb", "B-X\tB-X\tO", "I-X\tO\tB-X", "O\tO\tO")
    columns = ("--gold-column", "g", "--system", "a", "--system", "b")
    message = refused("compare", tags, *columns, "--unit", "token")
    assert "--unit token is not possible here, only response, conflict, sentence;" in message
    assert "labels of tokens have it (--scheme plain)" in message
    found = record("compare", tags, *columns, "--unit", "token", "--scheme", "plain")
    assert found["comparison"]["n_units"] == 2
    assert "--format tags --scheme plain  # for labels that are not entities" in refused(
        "compare", *files[:2], files[2], "--format", "tags"
    )


def test_tokens_spelt_differently(files):
    other = write("c.txt", *(line.upper() for line in SYSTEM_B))
    given = ("compare", *files[:2], other, "--scheme", "plain")
    assert "--match position  # if it is only spelt differently" in refused(*given)
    found = record(*given, "--match", "position")
    expected = record("compare", *files, "--scheme", "plain")
    assert found["results"] == expected["results"]
    (note,) = [note for note in found["notes"] if "spelt differently" in note]
    assert note.startswith("6 of 6 tokens are spelt differently in g.txt and c.txt, the first 'u'")
    assert "Is it the same text?" in found["cautions"][0]
    assert "Caution: 6 of 6 tokens differ" in words(*given, "--match", "position")
    one = write("t.tsv", "g\ta\tb", "B-X\tB-X\tO")
    columns = ("--gold-column", "g", "--system", "a", "--system", "b", "--match", "position")
    assert "--match is for several files" in refused("compare", one, *columns)


def test_the_wrong_order_of_real_files(shared_data):
    """Renamed, so that no name tells; the tagger's own mistakes do."""
    folder = shared_data("wnut17_ner")
    names = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    one, two, three = (
        write(f"{i}.conll", *(folder / name).read_text(encoding="utf-8").splitlines())
        for i, name in enumerate(names)
    )
    assert record("compare", one, two, three)["cautions"] == []
    (caution,) = record("compare", two, one, three)["cautions"]
    assert caution.endswith("Taggers make such mistakes: is it the gold?")


def test_real_files_that_have_nothing_in_common(shared_data):
    """The labels of both systems in lower case."""
    folder = shared_data("wnut17_ner")
    gold = folder / "gold.emerging.test.annotated.conll"
    files = [
        write(name, *(line if not line else "\t".join([line.split("\t")[0], change(line)])
                      for line in (folder / name).read_text(encoding="utf-8").splitlines()))
        for name in ("spinningbytes.conll", "uh_ritual.conll")
    ]  # fmt: skip
    cautions = record("compare", gold, *files)["cautions"]
    (caution,) = [own for own in cautions if own.startswith("None of")]
    assert caution.startswith(
        "None of the responses of uh_ritual (617) or spinningbytes (824) is in the gold (1,079): "
        "is it the right gold? uh_ritual and spinningbytes share "
    )
    assert "None of the responses of uh_ritual (617) or" in words(
        "compare", gold, *files, "--strict", status=3
    )


def change(line: str) -> str:
    tag = line.split("\t")[-1]
    return tag if tag == "O" else tag[:2] + tag[2:].upper()


def test_real_files_without_blank_lines(shared_data):
    """Sentences that are lost leave one unit; the doubt comes before the table."""
    folder = shared_data("wnut17_ner")
    names = ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    files = [
        write(name, *filter(None, (folder / name).read_text(encoding="utf-8").splitlines()))
        for name in names
    ]
    said = words("compare", *files, "--strict", status=3)
    doubt = "All the data are one sentence, and a test on one unit cannot show anything"
    assert said.startswith(f"Caution: {doubt}")
    assert "Do the files mark where sentences begin?" in said
    assert not any(doubt in c for c in record("compare", *(folder / n for n in names))["cautions"])


# ---- one label a line ---------------------------------------------------------------------------


@pytest.fixture
def lines() -> tuple[str, ...]:
    texts = {"g.txt": "xxyyxzxy", "a.txt": "xyyyxzxx", "b.txt": "xxyxxzyy"}
    return tuple(write(name, *text) for name, text in texts.items())


def test_one_label_per_line(lines):
    """Items, and not one sentence of tags: as in a table of the same labels."""
    found = record("compare", *lines)
    assert (found["input"]["format"], found["comparison"]["n_total"]) == ("labels", 8)
    text = "".join(
        f"{i},{g},{a},{b}\n" for i, (g, a, b) in
        enumerate(zip("xxyyxzxy", "xyyyxzxx", "xxyxxzyy", strict=True))
    )  # fmt: skip
    table = write("t.csv", "id,gold,a,b", *text.splitlines())
    assert [row["pvalue"] for row in found["results"]] == [
        row["pvalue"] for row in record("compare", table)["results"]
    ]
    assert "labels, one per line, 8 items (g.txt, a.txt, b.txt)" in words(
        "compare", *lines, "--explain"
    )
    assert record("compare", *lines, "--format", "labels")["results"] == found["results"]
    positive = record("compare", *lines, "--positive", "y")
    assert [row["metric"] for row in positive["results"]] == ["recall", "precision", "f1"]
    assert "Macro F1 by gold" in words("compare", *lines, "--by", "gold")
    four = record("compare", *lines, write("c.txt", *"xxyyxzxx"))
    assert [own["comparison"]["n_total"] for own in four["comparisons"]] == [8, 8]


def test_other_ways_to_read_lines(lines):
    message = refused("compare", *lines, "--unit", "token")
    assert "--unit token is not possible here" in message
    assert "--allow-missing intersection  # to leave the item out" in refused(
        "compare", lines[0], write("m.txt", *"xx", "", *"yxzxy"), lines[2], "--format", "labels"
    )
    found = record("compare", lines[0], "m.txt", lines[2], "--format", "labels",
                   "--allow-missing", "intersection")  # fmt: skip
    assert found["comparison"]["n_total"] == 7
    many = write("many.txt", *"abcdefgx")
    assert "--format labels  # if each line is a label" in refused("compare", *lines[:2], many)
    assert record("compare", *lines[:2], many, "--format", "labels")["cautions"] == []
    tags = [write(f"{i}.txt", "O", "O", "B-X", "B-X", "O", tag) for i, tag in enumerate("OIO")]
    assert "--format tags    # for their entities" in refused("compare", *tags)
    swapped = write("gold.txt", *"xxyyxzxy")
    assert "are they swapped?" in refused("compare", lines[1], swapped, lines[2])


def test_numbers_may_be_labels():
    files = [write(f"{name}.txt", *"010011") for name in ("one", "two")]
    files.append(write("three.txt", *"110011"))
    message = refused("compare", *files)
    assert "each of 3 files has one whole number a line" in message
    assert "--format labels     # the first has the right labels, one a line" in message
    scores = record("compare", *files, "--format", "scores")
    assert (scores["baseline"], len(scores["comparisons"])) == ("one", 2)
    labels_ = record("compare", *files, "--format", "labels")
    assert labels_["input"]["format"] == "labels"
    gold = write("gold.txt", *"010011")
    assert "gold.txt: a gold among files with one number per line" in refused(
        "compare", gold, *files[1:]
    )
    assert record("compare", gold, *files[1:], "--format", "labels")["comparison"]["n_total"] == 6


def test_a_gold_among_the_systems():
    """Each system errs by itself; given in the wrong order, the gold lies between them."""
    gold = ["x" if i % 3 else "y" for i in range(400)]
    one, two = (["z" if i % 20 == at else label for i, label in enumerate(gold)] for at in (0, 7))
    files = [write(f"{i}.txt", *own) for i, own in enumerate((gold, one, two))]
    known = (*files, "--format", "labels")
    assert "as labels, 'z' would be unknown to the gold" in refused("compare", *files)
    assert record("compare", *known)["cautions"] == []
    wrong = [files[1], files[0], files[2]]
    (caution,) = record("compare", *wrong)["cautions"]
    assert caution == (
        "Is 0 the gold? It agrees with the gold (95.0%) and with 2 (95.0%) far more than these two "
        "with each other (90.0%); the gold is alone against the other two in 20 items, 2 in 20, 0 "
        "in only 0."
    )
    said = words("describe", *wrong)
    assert f"Caution: {caution}" in said
    assert "Caution: Is 0 the gold?" not in words("describe", *known)
    assert "the gold?" in words("compare", *wrong, "--strict", status=3)


# ---- tables of labels with blank lines ----------------------------------------------------------


def table_of(delimiter: str, names: str) -> str:
    rows = [names.replace(" ", delimiter)]
    for lines_ in zip(GOLD, SYSTEM_A, SYSTEM_B, strict=True):
        cells = [line.split()[1] if line else "" for line in lines_]
        rows.append(delimiter.join([f"w{len(rows)}", *cells]) if lines_[0] else "")
    return write("table", *rows)


#: The words of the tables are no ids.
WORDS = ("--ignore", "t")


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("names", ["t gold a b", "t gold_label one pred_label"])
def test_sentences_of_a_table_of_labels(files, delimiter, names):
    """The same p-values as of files with a token and a label a line."""
    path = table_of(delimiter, names)
    expected = record("compare", *files, "--scheme", "plain")
    assert "column 't' has another text in every row" in refused("compare", path)
    found = record("compare", path, *WORDS)
    assert found["comparison"]["unit"] == "sentence"
    assert [row["unit"] for row in found["sensitivity"]["units"]] == ["token", "sentence"]
    assert [row["pvalue"] for row in found["results"]] == [
        row["pvalue"] for row in expected["results"]
    ]
    assert "6 items in 2 clusters by sentence" in words("compare", path, *WORDS, "--explain")
    assert "Blank lines divide 6 rows into 2 sentences" in words("compare", path, *WORDS)
    gold, *systems = names.split()[1:]
    options = ("--gold-column", gold, "--system", systems[0], "--system", systems[1])
    assert record("compare", path, *options)["results"] == found["results"]
    tokens = record("compare", path, *WORDS, "--unit", "token")
    assert (
        tokens["results"]
        == record("compare", *files, "--scheme", "plain", "--unit", "token")["results"]
    )


def test_tags_in_a_table_point_to_what_reads_them():
    rows = ["t,gold,a,b", "u,B-X,B-X,O", "v,O,O,O", "", "w,B-Y,O,B-Y"]
    tabs = write("x.tsv", *(row.replace(",", "\t") for row in rows))
    commas = write("x.csv", *rows)
    assert "x.tsv --gold-column gold --system a --system b" in refused("compare", tabs)
    columns = ("--gold-column", "gold", "--system", "a", "--system", "b")
    found = record("compare", tabs, *columns)
    assert (found["input"]["format"], found["comparison"]["n_total"]) == ("tags", 2)
    for path in (tabs, commas):
        labels_ = record("compare", path, "--format", "labels", *WORDS)
        assert (labels_["comparison"]["unit"], labels_["comparison"]["n_total"]) == ("sentence", 2)
    odd = write("odd.tsv", *(row.replace(",", "\t") for row in rows), "x\tPER\tO\tO")
    message = refused("compare", odd, *columns, "--format", "tags")
    assert "odd.tsv line 6: found the tag 'PER'" in message
    assert "--scheme plain  # for labels that are not entities" in message


def test_sentences_convert():
    path = table_of(",", "t gold a b")
    run("convert", path, *WORDS, "--output", "s.csv")
    found, again = record("compare", path, *WORDS), record("compare", "--statistics", "s.csv")
    assert [row["pvalue"] for row in again["results"]] == [
        row["pvalue"] for row in found["results"]
    ]
    assert again["comparison"]["n_total"] == found["comparison"]["n_total"] == 2
