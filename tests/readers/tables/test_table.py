"""From cells to systems over the same units: ids, clusters, sentences, what is left out."""

from __future__ import annotations

import csv
import io

import pandas
import polars
import pytest
from cases import check, check_refused, plain, read
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from written import text_file

import csig
from csig.base.errors import InputError
from csig.readers import read_table, read_tags

WIDE = "id,a,b\nq1,0.5,1\nq2,0.25,0\n"
COLUMNS = {"id": ["q1", "q2"], "a": [0.5, 0.25], "b": [1, 0]}


@pytest.mark.parametrize("make", [
    pandas.DataFrame, polars.DataFrame,
    lambda columns: polars.DataFrame(columns).to_arrow(),
    lambda columns: pandas.DataFrame(columns).set_index("id"),
    lambda columns: pandas.DataFrame(columns).convert_dtypes(),
])  # fmt: skip
def test_frames_and_parquet(make):
    frame = make(COLUMNS)
    reading = csig.read(frame)
    expected = csig.read(text_file(WIDE))
    assert reading.comparison() == expected.comparison()
    if isinstance(frame, pandas.DataFrame):
        frame.to_parquet("t.parquet")
        assert csig.read("t.parquet").comparison() == expected.comparison()
        frame.to_csv("u.csv", index="id" not in frame)
        assert csig.read("u.csv").comparison() == expected.comparison()


def test_rows_of_a_frame_by_a_metric():
    frame = pandas.DataFrame({"id": [*"pqpq"], "model": [*"xxyy"], "em": [1, 0, 1, 1],
                              "f1": [0.5, 0.25, 1, 0.75]})  # fmt: skip
    assert csig.read(frame, metric="f1").comparison().sums("b") == {"score": 1.75, "n": 2}
    assert csig.read(frame, metric=["em", "f1"]).comparison.__self__.source.format == "scores"
    with pytest.raises(InputError, match="no column is called 'score' or 'value'"):
        csig.read(frame)


# ---- ids and clusters ----------------------------------------------------------------------------
def test_ids_that_are_unique_within_clusters_only():
    rows = "".join(f"{task},{item},{item % 2},1\n" for task in "vwxy" for item in range(3))
    pairs = [(task, str(item)) for task in "vwxy" for item in range(3)]
    check("task,item,a,b\n" + rows, {}, ids=pairs, cluster_column="task",
          notes=("Ids (item) are unique only within task.",))  # fmt: skip
    few = "task,item,a,b\n" + rows[: rows.index("x")]
    check_refused(few, {}, "only 2 values: swapping 2 whole gives no p-value below 0.5",
                  "--cluster task --unit unit", "--cluster task")  # fmt: skip
    check(few, {"cluster": "task"}, ids=pairs[:6])


@pytest.mark.parametrize(("text", "options", "words", "ways"), [
    ("id,a,b\n1,2,3\n2,3,4\n1,5,6\n3,1,1\n2,1,1\n", {}, "t.csv: found the id '1' on line 2 and "
     "again on line 4, expected every id once; 2 ids are repeated: '1', '2'", []),
    ("task,item,a,b\nx,1,2,3\nx,1,3,4\n", {"cluster": "task"},
     "found the id 'x' '1' on line 2 and again on line 3", []),
    ("id,seed,a,b\nq1,1,1,0\nq1,2,0,1\nq2,1,1,1\nq2,2,0,0\n", {"system": ["a", "b"]},
     "found the id 'q1' on line 2 and again on line 3", ["--run seed"]),
    ("id,part,a,b\nq1,x,1,0\nq1,y,0,1\n", {"system": ["a", "b"]}, "found the id 'q1'",
     ["--cluster part"]),
    ("id,a,b\n1,2,3\n,3,4\n", {}, "line 3, column 'id': the cell is empty, expected an id", []),
    ("id,task,a,b\n1,x,2,3\n2,,3,4\n3,y,1,1\n4,z,1,2\n", {"cluster": "task"},
     "line 3, column 'task': the cell is empty, expected the label of a cluster", []),
])  # fmt: skip
def test_ids_and_clusters_that_cannot_be(text, options, words, ways):
    check_refused(text, options, words, *ways)


# ---- one row per unit and system -----------------------------------------------------------------
LONG = "system,id,genre,score\nx,q1,n,0.5\nx,q2,f,1\ny,q2,f,0\ny,q1,n,0.25\n"


def test_rows_of_systems_are_matched_by_id():
    check(LONG, {"ignore": "genre"}, ids=["q1", "q2"], systems={"x": [0.5, 1], "y": [0.25, 0]})
    found = check(LONG, {"system": ["x", "y"]}, others={"genre": ["n", "f"]}, notes=())
    assert csig.read("t.csv", system=["x", "y"], by="genre").parts.keys() == {"n", "f"}
    other = LONG.replace("y,q1,n", "y,q1,other")
    found = check(other, {"system": ["x", "y"]}, others={})
    assert found.notes == ("Columns that differ between systems were not used: 'genre'.",)
    check_refused(other, {"cluster": "genre"}, "id 'q1' has cluster 'other' for y and 'n' for x")


def test_rows_that_systems_lack():
    text = LONG + "x,q3,n,\ny,q3,n,\nx,q4,n,1\ny,q5,n,1\n"
    more = {"system": ["x", "y"]}
    check_refused(text, more, "line 6, column 'score': the cell is empty",
                  "--allow-missing intersection")  # fmt: skip
    found = check(text, {**more, "allow_missing": True}, ids=["q1", "q2"])
    assert found.cautions == ("3 of 5 items are left out: x lacks 2, y lacks 2.",)
    twice = text + "y,q2,f,1\n"  # which of both is meant is not known
    check_refused(twice, {**more, "allow_missing": True}, "found the id 'q2'")
    check_refused(
        "system,id,score\nx,q1,1\ny,q2,1\ny,q3,1\n", {"system": ["x", "y"]}, "no id in common"
    )
    counts = "system,id,tp,fp,fn\nx,1,1,1,1\nx,2,1,0,0\ny,1,1,0,1\ny,2,,0,0\n"
    check(counts, {"allow_missing": True}, ids=["1"], systems={"x": [[1, 2, 2]], "y": [[1, 1, 2]]})


# ---- sentences -----------------------------------------------------------------------------------
SENTENCES = st.lists(
    st.lists(st.tuples(*[st.sampled_from("xy")] * 3), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
)


@given(
    SENTENCES, st.sampled_from(",\t"), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["tok", 'a "q"', "a\n\nb"]), st.booleans(),
)  # fmt: skip
def test_blank_lines_are_the_ends_of_sentences(rows, delimiter, end, token, at_ends):
    """Against a plain reading; blank lines above and below all rows end nothing."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerow(["token", "gold", "one", "two"])
    out.write(end * at_ends)
    for i, sentence in enumerate(rows):
        out.write(end * (i and 1 + i % 2))
        for own in sentence:
            writer.writerow(["tok" if delimiter == "\t" else token, *own])
    out.write(end * at_ends)
    path = text_file(out.getvalue())
    try:
        table = read_table(path, format="labels", gold_column="gold", system=["one", "two"])
    except InputError as error:
        assert "no label of the gold" in str(error)  # noqa: PT017 - then a column is no system
        return
    flat = [own for sentence in rows for own in sentence]
    assert list(zip(table.gold or (), *table.systems.values(), strict=True)) == flat
    if len(rows) == 1:
        assert (table.clusters, table.units_are, table.notes) == (None, None, ())
        return
    numbers = [str(i) for i, sentence in enumerate(rows) for _ in sentence]
    assert list(table.clusters or ()) == numbers
    assert (table.cluster_column, table.units_are) == ("sentence", "token")
    assert f" into {len(rows)} sentences, which are the clusters; --unit token" in table.notes[0]


GAPS = "id,a,b\n1,0.5,1\n\n2,1,0.25\n"
COUNTS = "id,tp_a,predicted_a,gold,tp_b,predicted_b\n1,0,1,2,1,1\n\n2,1,1,1,0,0\n"


@pytest.mark.parametrize(("files", "options", "expected"), [
    ("doc,gold,a,b\nd1,x,x,y\n\nd1,x,y,x\nd2,y,y,y\n\nd3,x,y,x\nd4,x,x,x\n", {},
     {"clusters": ["d1", "d1", "d2", "d3", "d4"], "units_are": None}),
    ("t,gold,a,b\n0,x,x,y\n\n0,x,y,x\n1,y,y,y\n\n0,x,y,x\n", {"id": "t"},
     {"clusters": ["0", "1", "1", "2"], "ids": [*zip("0112", "0010", strict=True)]}),
    ({name: f"id,gold,{name}\n1,x,x\n\n2,x,y\n3,y,y\n" for name in ("a", "b")},
     {"gold_column": "gold", "system": ["a", "b"]},
     {"clusters": ["0", "1", "1"], "units_are": "token"}),
    (GAPS, {}, {"clusters": None}), (COUNTS, {}, {"clusters": None}),
])  # fmt: skip
def test_blank_lines(files, options, expected):
    found = check(files, options, **expected)
    said = "blank lines between the rows, in 1 place, are ignored. If they separate groups of rows"
    assert [said in own for own in found.cautions] == [True] * (files in (GAPS, COUNTS))


def test_rows_of_sentences_that_are_left_out():
    text = "t,gold,a,b\n0,x,x,y\n\n0,x,,x\n1,y,y,y\n\n0,x,y,x\n"
    check_refused(text, {"id": "t"}, "line 4, column 'a': the cell is empty, expected a label",
                  "--allow-missing intersection")  # fmt: skip
    found = check(text, {"id": "t", "allow_missing": True}, clusters=["0", "1", "2"])
    assert found.notes[0] == "Ids (t) are unique only within sentence."
    assert found.cautions == ("1 of 4 items is left out: a alone lacks 1.",)


def test_sentences_of_only_one_of_two_files():
    one = "id,gold,said\n1,x,x\n\n2,x,y\n3,y,y\n"
    files = {"one.csv": one, "two.csv": one.replace("\n\n", "\n")}
    check_refused(files, {}, "clusters are known for only one system")


def test_real_tags_as_a_table_of_labels(shared_data):
    """The labels of entities without B and I, a blank line between sentences: as read as tags."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    _, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    lines = ["gold,elmo,flair"]
    for i, row in enumerate(rows):
        lines += [""] * (i > 0 and row[1] == "0")
        lines.append(",".join(tag.split("-")[-1] for tag in row[2:]))
    table = read("\n".join(lines) + "\n", format="labels")
    assert (table.n_units, len(set(table.clusters or ()))) == (46435, 3453)
    words = ["" if not line else f"w\t{line}".replace(",", "\t") for line in lines[1:]]
    text = text_file("\n".join(words) + "\n", "plain")
    tags = read_tags((text, 2), (text, 3), (text, 4), scheme="plain")
    expected = csig.Comparison.from_labels(*tags.labels, clusters=tags.token_sentences.tolist())
    found = csig.Comparison.from_labels(
        table.gold, *table.systems.values(), clusters=table.clusters
    )
    assert (found.sums_a, found.sums_b) == (expected.sums_a, expected.sums_b)
    assert found.at("unit").n_units == expected.at("unit").n_units > found.n_units


# ---- any order -----------------------------------------------------------------------------------
@examples(200)
@given(
    scores=st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 0.1, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=1, max_size=12,
    ),
    data=st.data(),
)  # fmt: skip
def test_any_order_of_rows_gives_the_same_p_and_hits(scores, data):
    rows = [f"q{i},c{i % 5},{a},{b}\n" for i, (a, b) in enumerate(scores)]
    shuffled = data.draw(st.permutations(rows))
    for unit in ("unit", "cluster"):
        for method in ("exact", "approximate"):
            found = []
            for some in (rows, shuffled):
                path = text_file("id,part,a,b\n" + "".join(some))
                table = read_table(path, cluster="part", system=["a", "b"])
                comparison = csig.Comparison.from_scores(
                    *table.systems.values(), ids=table.ids, clusters=table.clusters
                ).at(unit)
                result = csig.randomization_test(
                    comparison, "mean", method=method, rng=3, n_resamples=999
                )
                found.append((result.pvalue, result.n_hits, result.statistic))
            assert found[0] == found[1]


def test_columns_beside_chosen_systems_are_there_as_texts():
    table = read("id,a,b,c\nx,1,2,0.50\ny,3,5,7\n", system=["a", "b"])
    assert plain(table.others) == {"c": ["0.50", "7"]}
    assert "c" in table.others
    assert "a" not in table.others
