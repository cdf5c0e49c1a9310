"""Files of people that were read wrongly in silence, and files that took them too long.

Each is read as it is meant, or refused; every command below a refusal leads to a reading.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import shlex
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas
import pytest
from cases import Files, files_of, plain
from commands import followed, options_of, printed, record, refused, run
from written import shares, text_file

import csig

N = 20
IDS = [f"q{i}" for i in range(N)]
A, B, C = (shares(N, seed) for seed in (1, 2, 3))
RIGHT, WRONG = [int(x > 0.5) for x in A], [int(x > 0.4) for x in B]


def table(sign: str = ",", /, **cells: Any) -> str:
    rows = [["" if name == "_" else name for name in cells], *zip(*cells.values(), strict=True)]
    return "".join(sign.join(map(str, row)) + "\n" for row in rows)


def each(make: Callable[[list[Any]], str], ending: str, *columns: list[Any]) -> dict[str, str]:
    """A file for each system."""
    return {f"{name}.{ending}": make(own) for name, own in zip("abc", columns, strict=False)}


def records(own: list[Any]) -> str:
    return json.dumps([{"id": i, "em": x} for i, x in zip(IDS, own, strict=True)], indent=2)


def by_topic(name: str) -> str:
    """What trec_eval writes of each query."""
    made = {"map": 1, "P_10": 2, "ndcg": 3}
    rows = [(m, f"{300 + 7 * i % 5}", x) for i in range(5) for m, x in zip(
        made, shares(3, ord(name) + i), strict=True)]  # fmt: skip
    rows += [(metric, "all", 0.5) for metric in made]
    return "".join(f"{metric:22}\t{topic}\t{x:.4f}\n" for metric, topic, x in rows)


TREC = {f"{name}.txt": by_topic(name) for name in "ab"}


# ---- read rightly --------------------------------------------------------------------------------
LOWER: dict[str, Files] = {
    "wer1 and wer2": table(id=IDS, wer1=A, wer2=B),
    "errors_a and errors_b": table(id=IDS, errors_a=A, errors_b=B),
    "baseline_wer and new_wer": table(id=IDS, baseline_wer=A, new_wer=B),
    "A_WER and B_WER": table(id=IDS, A_WER=A, B_WER=B),
    "loss.csv": {"loss.csv": table(id=IDS, base=A, new=B)},
    "files of losses": {f"{name}.loss.txt": "".join(f"{x}\n" for x in own)
                        for name, own in (("a", A), ("b", B))},
    "columns of a metric": {f"{name}.csv": table(id=IDS, perplexity=own)
                            for name, own in (("a", A), ("b", B))},
}  # fmt: skip


@pytest.mark.parametrize("name", LOWER)
def test_less_is_better(name):
    reading = csig.read(*files_of(LOWER[name]))
    assert [own.greater_is_better for own in reading.metrics] == [False]
    assert "lower is" in run("compare", *files_of(LOWER[name]))
    higher = run("compare", *files_of(LOWER[name]), "--higher-is-better")
    assert "lower is" not in higher


def test_errors_and_words_are_a_word_error_rate():
    words = [1 + i % 5 for i in range(N)]  # insertions are errors, too
    files = {f"{name}.csv": table(utt=IDS, errors=[i % k for i in range(N)], words=words)
             for name, k in (("a", 4), ("b", 3))}  # fmt: skip
    (result,) = record("compare", *files_of(files))["results"]
    assert (result["metric"], result["greater_is_better"]) == ("wer", False)
    assert result["baseline_score"] == pytest.approx(sum(i % 4 for i in range(N)) / sum(words))


READ: dict[str, tuple[Files, dict[str, Any], dict[str, list[Any]]]] = {
    "three pretty-printed arrays": (each(records, "json", RIGHT, WRONG, RIGHT[::-1]), {},
                                    {"a": RIGHT, "b": WRONG, "c": RIGHT[::-1]}),
    "fields of an indented array": (
        json.dumps([{"k": i, "r": {"x": a, "y": b}}
                    for i, a, b in zip(IDS, A, B, strict=True)], indent=2),
        {"field": {"id": "k", "base": "r.x", "new": "r.y"}}, {"base": A, "new": B}),
    "an indented object of columns": (json.dumps({"id": IDS, "base": A, "new": B}, indent=2), {},
                                      {"base": A, "new": B}),
    "{id: score} on one line": (each(lambda own: json.dumps(dict(zip(IDS, own, strict=True))),
                                     "json", A, B), {}, {"a": A, "b": B}),
    "{id: score} on many lines": (
        each(lambda own: json.dumps(dict(zip(IDS, own, strict=True)), indent=2), "json", A, B), {},
        {"a": A, "b": B}),
    "{system: {id: score}}": (
        json.dumps({"base": dict(zip(IDS, A, strict=True)), "new": dict(zip(IDS, B, strict=True))},
                   indent=2), {}, {"base": A, "new": B}),
    "write.table of R": (
        '"base" "new"\n' + "".join(f'"{i}" {a} {b}\n' for i, a, b in zip(IDS, A, B, strict=True)),
        {}, {"base": A, "new": B}),
    "write.csv of R": (table(**{'""': [f'"{i}"' for i in IDS], '"base"': A, '"new"': B}), {},
                       {"base": A, "new": B}),
    "a metric of files with different columns": (
        {"a.csv": table(id=IDS, f1=A, em=RIGHT), "b.csv": table(id=IDS, f1=B)},
        {"metric": "f1"}, {"a": A, "b": B}),
    "names in another spelling": (
        table(**{"itemId": IDS * 2, "System ID": ["x"] * N + ["y"] * N, "Score": A + B}), {},
        {"x": A, "y": B}),
    "columns in another order": (
        {"a.csv": table(id=IDS, em=RIGHT, f1=A), "b.csv": table(id=IDS, f1=B, em=WRONG)},
        {"metric": "f1"}, {"a": A, "b": B}),
    "one of several columns of scores": (
        table(id=IDS * 2, model=["x"] * N + ["y"] * N, em=RIGHT + WRONG, f1=A + B),
        {"metric": "f1"}, {"x": A, "y": B}),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_read_as_it_is_meant(name):
    files, options, systems = READ[name]
    reading = csig.read(*files_of(files), **options)
    assert plain(reading.data.table.systems) == systems  # type: ignore[attr-defined]
    assert reading.names == tuple(systems)
    assert reading.cautions == ()
    run("compare", *files_of(files), *options_of(options))


# ---- refused -------------------------------------------------------------------------------------
SUMS = [(name, *row) for name, row in zip(
    ("avg. rank", "Avg.", "Mean rank", "Std", "median", "Wins"),
    [(1.5, 1.5), (0.5, 0.6), (1.4, 1.6), (0.1, 0.2), (0.4, 0.5), (3, 2)], strict=True)]  # fmt: skip
DATASETS = "dataset,x,y\n" + "".join(f"d{i},{A[i]},{B[i]}\n" for i in range(8))
LEADERBOARD = "model,STS,NLI,QA,NER,MT\n" + "".join(
    f"{name},{','.join(map(str, shares(5, i)))}\n" for i, name in enumerate(["big", "mid", "tiny"])
)
LONG = table(id=IDS * 2, model=["x"] * N + ["y"] * N, em=RIGHT + WRONG, f1=A + B)
LEVELS = pandas.DataFrame(
    {("base", "f1"): A, ("new", "f1"): B, ("base", "em"): RIGHT, ("new", "em"): WRONG}, index=IDS
)
GAPS = [-1 if i % 40 == 3 else x for i, x in enumerate(shares(200, 1))]

#: The files, the command with its options, what is said, and what the commands below it add.
REFUSED: dict[str, tuple[Files, tuple[str, ...], str, list[str]]] = {
    "accuracy and f1 of one system": (
        table(id=IDS, accuracy=RIGHT, f1=A), ("compare",),
        "'accuracy', 'f1' have the names of metrics, so this is one system; what is missing",
        ["--system accuracy --system f1"]),
    "two metrics of each system": (
        table(id=IDS, base_bleu=A, base_ter=B, new_bleu=B, new_ter=C), ("compare",),
        "columns 'base_bleu', 'base_ter', 'new_bleu', 'new_ter' have the names of several metrics",
        ["--system base_bleu --system new_bleu", "--system base_ter --system new_ter",
         "--system base_bleu --system base_ter --system new_bleu --system new_ter"]),
    "lines of two metrics": (
        {"a.txt": "bleu\n" + "".join(f"{x}\n" for x in A),
         "b.txt": "ter\n" + "".join(f"{x}\n" for x in B)}, ("compare",),
        "systems are compared by one metric", ["--format scores"]),
    "right answers in a column y": (
        table(id=IDS, y=[1 - x for x in RIGHT], m1=RIGHT, m2=WRONG), ("compare",),
        "column 'y' may be the gold",
        ["--gold-column y", "--system y --system m1 --system m2", "--ignore y"]),
    "right answers in a column of texts": (
        table(id=IDS, answer=5 * list("ABCD"), m1=5 * list("ABBD"), m2=5 * list("CBCA")),
        ("compare",),
        "no column has numbers, expected one for every system", ["--gold-column answer"]),
    "predictions of numbers": (
        table(id=IDS, Actual=[150 * x for x in A], tree=[140 * x for x in A],
              forest=[90 * x for x in C]), ("compare",),
        "column 'Actual' may be the gold, and what is compared are the errors of its predictions",
        ["--system Actual --system tree --system forest", "--ignore Actual"]),
    "scores with stars": (
        table(id=IDS, x=[f"{x}**" for x in A], y=[f"{x}*" for x in B]), ("compare",),
        "column 'x' holds a score with stars, such as", []),
    "tags before other columns": (
        {f"{name}.tsv": "TOKEN\tNE\tMISC\n" + "Eve\tB-P\t_\nran\tO\t_\n\n" * 3 for name in "gab"},
        ("compare",), "found columns with tags, but not as the last one",
        ["--gold-column NE --system NE"]),
    "annotations without an id": (
        table(system=["x", "y"] * 10, start=[f"{i}.5" for i in range(N)], score=A), ("compare",),
        "no column is known to have the ids of the units", []),
    "a score beside systems": (
        table(id=IDS, score=C, m1=A, m2=B), ("compare",),
        "column 'score' is called like the scores of one system",
        ["--system score --system m1 --system m2", "--ignore score"]),
    "a leaderboard of teams": (
        LEADERBOARD.replace("model", "Team"), ("compare",), "a leaderboard", [""]),
    "candidates that are true or not": (
        table(pair=IDS, is_colloc=RIGHT, MI=[9 * x for x in A], log_like=[700 * x for x in B]),
        ("compare",), "column 'is_colloc' may say what is true",
        ["--true is_colloc --methods MI,log_like",
         "--system is_colloc --system MI --system log_like", "--ignore is_colloc"]),
    "a leaderboard whose tasks are no systems": (
        LEADERBOARD, ("compare",), "a leaderboard, and one score of a system is no test", [""]),
    **{f"a data set called {row[0]}": (
        DATASETS + ",".join(map(str, row)) + "\n", ("datasets",),
        f"{row[0]!r} names a row that sums up others",
        [f"--drop-row {quoted}", f"--keep-row {quoted}"])
       for row in SUMS for quoted in [f"'{row[0]}'" if " " in row[0] else row[0]]},
    "trec_eval's all as a topic": (
        TREC, ("compare", "--no-header", "--by", "1", "--cluster", "2"),
        "'all' names a row that sums up others", ["--drop-row all", "--keep-row all"]),
    "several metrics of trec_eval in one mean": (
        TREC, ("compare", "--no-header"),
        "column '1' names metrics, such as 'P_10', 'map', 'ndcg', and only scores of one metric",
        [f"--ignore 1 --drop-row {one} --drop-row {other} --drop-row all"
         for one, other in (("map", "ndcg"), ("P_10", "ndcg"), ("P_10", "map"))]),
    "percent beside shares": (
        each(lambda own: "".join(f"{x}\n" for x in own), "txt", A, [round(100 * x, 1) for x in B]),
        ("compare",), "'a' stays within 0 and 1: percent beside shares?",
        ["--percent b", "--system a --system b"]),
    "commas that may separate thousands": (
        table(";", id=IDS, base=[f"1,{131 + i}" for i in range(N)],
              new=[f"2,{100 + 7 * i}" for i in range(N)]),
        ("compare", "--decimal", ","), "every comma stands before exactly three digits, as in", []),
    "statistics in Holm's family": (
        table(id=IDS, base=A, new=B, diff=C, mean=C, p_value=C), ("compare",),
        "column 'diff' is called like a statistic of other columns, column 'mean'",
        ["--ignore diff --ignore mean --ignore p_value"]),
    "numbers of rows as a ranking method": (
        table(**{"#": range(1, N + 1), "ok": RIGHT, "MI": A, "t": B}),
        ("rank", "--true", "ok"), "column '#' is called like a rank, a p-value or another",
        ["--methods MI,t", "--methods '#,MI,t' --lower '#'"]),
    "-1 for what is missing": (
        table(id=range(200), base=GAPS, new=shares(200, 2)), ("compare",),
        "column 'base' holds -1 in 5 cells, all others lie within 0 and 1: does it stand for",
        ["--missing -1 --allow-missing intersection", "--system base --system new"]),
    "999 for what is missing": (
        table(id=range(200), base=[999 if x < 0 else x for x in GAPS], new=shares(200, 2)),
        ("compare",), "column 'base' holds 999 in 5 cells",
        ["--missing 999 --allow-missing intersection", "--system base --system new"]),
    # What took time.
    "rows of systems with several columns of scores": (
        LONG, ("compare",), "but no column is called 'score' or 'value'",
        ["--score-column em --score-column f1", "--score-column em", "--score-column f1"]),
    "columns with several levels": (
        LEVELS[["base", "new"]].xs("f1", axis=1, level=1, drop_level=False).to_csv(), ("compare",),
        "as pandas writes columns with several levels", []),
    "columns with several levels of one name": (
        LEVELS.to_csv(), ("compare",), "as pandas writes columns with several levels", []),
    "93.3(0.5)": (
        table(id=IDS, x=[f"{90 * x:.1f}(0.5)" for x in A], y=[f"{90 * x:.1f}(0.5)" for x in B]),
        ("compare",), "column 'x' holds a score with something in brackets, such as", []),
    "93.3 ± 0.5": (
        table(id=IDS, x=[f"{90 * x:.1f} ± 0.5" for x in A], y=[f"{90 * x:.1f}±0.5" for x in B]),
        ("datasets",), "column 'x' holds a score with its error, such as", []),
    "results of two systems": (
        {f"{name}.json": json.dumps({"accuracy": 0.5, "f1": 0.25}) for name in "ab"}, ("compare",),
        "one score of a system is no test", []),
    "nested results of two systems": (
        {f"{name}.json": json.dumps({"results": {"accuracy": 0.5, "f1": 0.25}}) for name in "ab"},
        ("compare",), "one score of a system is no test", []),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_with_the_commands(name):
    files, (verb, *options), words, ways = REFUSED[name]
    paths = files_of(files)
    said = refused(verb, *paths, *options)
    assert words in said.splitlines()[0]
    given = {*paths, *options, verb}
    added = [[word for word in own[1:] if word not in given] for own in printed(said)]
    expected = [[word for word in shlex.split(way) if word not in given] for way in ways]
    assert added == expected
    if ways:
        assert followed(verb, *paths, *options) >= len(ways) - 1


def test_one_metric_of_trec_eval_is_compared_by_topic():
    """The first command below each refusal, three times."""
    words: tuple[str, ...] = ("compare", *files_of(TREC), "--no-header")
    for _ in range(3):
        output = run(*words, status=None)
        if not output.startswith("csig: "):
            break
        words = printed(output)[0]
    found = record(*words)
    scores = [line.split() for line in TREC["a.txt"].splitlines()]
    own = [float(x) for metric, topic, x in scores if metric == "P_10" and topic != "all"]
    assert found["results"][0]["baseline_score"] == pytest.approx(np.mean(own))
    assert found["results"][0]["n_units"] == len(own)


# ---- said ----------------------------------------------------------------------------------------
def test_rows_that_repeat_are_said_first():
    rows = [*zip(shares(160, 1), shares(160, 2), strict=True)]
    text = "base,new\n" + "".join(f"{a},{b}\n" for a, b in [*rows, *rows[:40]])
    assert run("compare", text_file(text)).startswith(
        "Caution: 40 rows of 200 repeat another row in every score, and there are no ids"
    )


def test_what_is_left_out_is_said_first():
    oboe = [x if i >= 151 else "" for i, x in enumerate(shares(190, 1))]
    horn = [x if i < 180 else "" for i, x in enumerate(shares(190, 2))]
    files = files_of({f"{name}.csv": table(id=range(190), score=own)
                      for name, own in (("oboe", oboe), ("horn", horn))})  # fmt: skip
    assert "the cell is empty" in refused("compare", *files)
    found = run("compare", *files, "--allow-missing", "intersection")
    assert found.startswith(
        "Caution: 161 of 190 items are left out: oboe lacks 151, horn lacks 10."
    )


# ---- files that hold no text ---------------------------------------------------------------------
def saved(write: Callable[[Any], object]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def zipped(**members: str) -> bytes:
    def write(buffer: io.BytesIO) -> None:
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, text in members.items():
                archive.writestr(name, text)

    return saved(write)


FRAME = pandas.DataFrame({"id": IDS, "a": A, "b": B})
BINARY: Mapping[str, tuple[bytes, str, str]] = {
    "t.xlsx": (zipped(**{"[Content_Types].xml": "<x/>"}), "an Excel workbook", "pandas.read_excel"),
    "t.zip": (zipped(**{"t.csv": "id,a,b\n"}), "a zip archive", "unzip -p 't.zip' NAME"),
    "t.npy": (saved(lambda file: np.save(file, np.ones(3))), "an array of numpy", "numpy.load"),
    "t.npz": (saved(lambda file: np.savez(file, a=np.ones(3))), "arrays of numpy", "['NAME']"),
    "t.pkl": (pickle.dumps(A), "a pickle", "pandas.read_pickle('t.pkl')"),
    "t.RData": (gzip.compress(b"RDX3\nX\n\0\0\0\3" + bytes(90)), "data of R", "Rscript -e"),
    "t.feather": (saved(FRAME.to_feather), "an Arrow or feather file", "pandas.read_feather"),
    "t.csv": ("id,a,b\ncafé,1,2\n".encode("latin-1"), "is not UTF-8: found 0xe9",
              "iconv -f latin1 -t utf-8"),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_files_that_hold_no_text_are_named(name):
    data, what, way = BINARY[name]
    said = refused("compare", text_file(data, name))
    assert what in said
    assert way in said


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_blank_first_name_is_a_header_in_three_files(mark):
    """As pandas writes an index: they were read as responses of a gold and two systems."""
    files = [
        text_file(mark + "\tscore\n" + "".join(f"q{i}\t{i * k}.5\n" for i in range(9)), f"{k}.tsv")
        for k in (1, 2, 3)
    ]
    found = record("compare", *files)["comparisons"]
    assert {own["input"]["format"] for own in found} == {"scores"}


# ---- Python --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("wrong", "near"), [("metrc", "metric"), ("seed", "rng")])
def test_a_keyword_that_is_none_is_named_with_the_function(wrong, near):
    with pytest.raises(TypeError, match=rf"^csig\.compare\(\) has no argument '{wrong}'.*{near}"):
        csig.compare(FRAME, **{wrong: 1})
