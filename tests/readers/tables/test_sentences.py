"""Blank lines between the rows of tables: sentences of labels, and a doubt elsewhere."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.comparison import Comparison
from csig.errors import InputError
from csig.readers import read_table, read_tables, read_tags


def write(text: str, name: str = "x.csv") -> str:
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return name


SENTENCES = st.lists(
    st.lists(st.tuples(*[st.sampled_from(["x", "y"])] * 3), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
)


@given(
    SENTENCES,
    st.sampled_from([",", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["tok", 'a "q"', "a\n\nb"]),
    st.lists(st.sampled_from(["", " "]), min_size=8, max_size=8),
    st.booleans(),
)
def test_blank_lines_are_the_ends_of_sentences(rows, delimiter, end, token, blanks, at_ends):
    """Against a plain reading; blank lines above and below all rows end nothing."""
    out = io.StringIO()
    if delimiter == "\t":
        token = "tok"
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerow(["token", "gold_label", "one", "pred_label"])
    out.write(end * at_ends)
    for i, sentence in enumerate(rows):
        if i:
            out.write(blanks[i] + end + end * (i % 2))
        for own in sentence:
            writer.writerow([token, *own])
    out.write(end * at_ends)
    path = write(out.getvalue())
    try:
        table = read_table(path, format="labels", gold="gold_label", systems=["one", "pred_label"])
    except InputError as error:
        if "no label of the gold" not in str(error):  # then a column is no system
            raise
        return
    flat = [own for sentence in rows for own in sentence]
    assert list(zip(table.gold, *table.systems.values(), strict=True)) == flat
    numbers = [str(i) for i, sentence in enumerate(rows) for _ in sentence]
    if len(rows) == 1:
        assert (table.clusters, table.units_are, table.notes) == (None, None, ())
        return
    assert list(table.clusters) == numbers
    assert (table.cluster_column, table.units_are) == ("sentence", "token")
    rows_ = "1 row" if len(flat) == 1 else f"{len(flat)} rows"
    assert table.notes == (
        f"Blank lines divide {rows_} into {len(rows)} sentences, which are the clusters; --unit "
        f"token swaps single rows.",
    )


def test_sentences_of_rows_that_are_left_out():
    path = write("t,gold,a,b\n0,x,x,y\n\n0,x,,x\n1,y,y,y\n\n0,x,y,x\n")
    with pytest.raises(InputError, match="line 4, column 'a': the cell is empty"):
        read_table(path, id="t")
    table = read_table(path, id="t", allow_missing=True)
    assert list(table.clusters) == ["0", "1", "2"]
    assert list(table.ids) == [("0", "0"), ("1", "1"), ("2", "0")]
    assert table.notes[0] == "Ids (t) are unique only within sentence."


def test_other_clusters_come_first():
    path = write("doc,gold,a,b\nd1,x,x,y\n\nd1,x,y,x\nd2,y,y,y\n\nd3,x,y,x\nd4,x,x,x\n")
    table = read_table(path, cluster="doc")
    assert list(table.clusters) == ["d1", "d1", "d2", "d3", "d4"]
    assert table.notes[0] == (
        "x.csv: blank lines between the rows, in 2 places, are ignored: the clusters are in the "
        "column 'doc'."
    )
    assert table.units_are is None


@pytest.mark.parametrize("text", ["id,a,b\n1,0.5,1\n\n2,1,0.25\n", "id,tp_a,predicted_a,gold,tp_b,"
                                  "predicted_b\n1,0,1,2,1,1\n\n2,1,1,1,0,0\n"])  # fmt: skip
def test_blank_lines_in_other_tables_are_a_doubt(text):
    assert read_table(write(text)).cautions == (
        "x.csv: blank lines between the rows, in 1 place, are ignored. If they separate groups of "
        "rows that belong together, name a column with the groups: --cluster.",
    )
    assert read_table(write(text.replace("\n\n", "\n"))).cautions == ()
    assert read_table(write(text.replace("\n", "\n\n", 1).replace("\n\n2", "\n2") + "\n")
                      ).cautions == ()  # fmt: skip


def test_sentences_of_a_file_for_every_system():
    text = "id,gold,{}\n1,x,x\n\n2,x,y\n3,y,y\n"
    paths = [write(text.format(name), f"{name}.csv") for name in ("one", "two")]
    table = read_tables(paths)
    assert list(table.clusters) == ["0", "1", "1"]
    assert (table.units_are, table.cluster_column) == ("token", "sentence")
    write(text.format("two").replace("\n\n", "\n"), "two.csv")
    with pytest.raises(InputError, match="clusters are known for only one system"):
        read_tables(paths)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_blank_lines_that_pyarrow_passes_over(monkeypatch, end, last):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("csig.readers.tables.delimited.ARROW_FROM", 0)
    text = "gold,a,b\n\nx,x,y\n\n\nx,y,x\ny,y,y\n\ny,x,x" + last
    table = read_table(write(text.replace("\n", end)))
    assert list(table.clusters) == ["0", "1", "1", "2"]
    text = "gold,a,b\nx,x,y\nx,y,x" + last
    assert read_table(write(text.replace("\n", end))).clusters is None
    monkeypatch.setattr(
        "csig.readers.tables.arrow.csv_cells", lambda *_: None
    )  # by csig's own parser
    assert read_table(write("gold,a,b\n\nx,x,y\n\n\nx,y,x")).n_units == 2


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_real_tags_as_a_table_of_labels(shared_data, delimiter):
    """The labels of entities without B and I, a blank line between sentences: as read as tags."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    header, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    assert header[2:] == ["gold", "elmo", "flair"]
    lines = [delimiter.join(["token", "gold_label", "elmo", "pred_label"])]
    for i, row in enumerate(rows):
        if i and row[1] == "0":
            lines.append("")
        lines.append(delimiter.join([f"w{i}", *(tag.split("-")[-1] for tag in row[2:])]))
    name = write("\n".join(lines) + "\n", "labels")
    table = read_table(name)
    assert table.n_units == len(rows) == 46435
    assert len(set(table.clusters)) == 3453
    plain = write("\n".join(lines[1:]).replace(",", "\t") + "\n", "plain")
    tags = read_tags((plain, 2), (plain, 3), (plain, 4), scheme="plain")
    expected = Comparison.from_labels(*tags.labels, clusters=tags.token_sentences.tolist())
    found = Comparison.from_labels(table.gold, *table.systems.values(), clusters=table.clusters)
    assert (found.n_units, found.sums_a, found.sums_b) == (
        expected.n_units, expected.sums_a, expected.sums_b
    )  # fmt: skip
    assert found.at("unit").n_units == expected.at("unit").n_units > found.n_units
