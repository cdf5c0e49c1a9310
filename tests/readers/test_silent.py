"""Files of people that were read wrongly in silence, took too long, or had no way out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import QUICK, Files, files_of, plain
from commands import followed, options_of, printed, record, refused, run
from printed import expected, rewrite
from printed import printed as said
from written import shares

import csig

PRINTED = Path(__file__).with_name("silent.txt")

N = 20
IDS = [f"q{i}" for i in range(N)]
A, B, C = (shares(N, seed) for seed in (1, 2, 3))
RIGHT, WRONG = [int(x > 0.5) for x in A], [int(x > 0.4) for x in B]


def table(sign: str = ",", /, **cells: Any) -> str:
    rows = [[*cells], *zip(*cells.values(), strict=True)]
    return "".join(sign.join(map(str, row)) + "\n" for row in rows)


def each(make: Callable[[list[Any]], str], ending: str, *columns: list[Any]) -> dict[str, str]:
    return {f"{name}.{ending}": make(own) for name, own in zip("abc", columns, strict=False)}


def records(own: list[Any]) -> str:
    return json.dumps([{"id": i, "em": x} for i, x in zip(IDS, own, strict=True)], indent=2)


def by_topic(name: str) -> str:
    """What trec_eval writes of each query."""
    metrics = ("map", "P_10", "ndcg")
    rows = [(m, f"{300 + 7 * i % 5}", x) for i in range(5)
            for m, x in zip(metrics, shares(3, ord(name) + i), strict=True)]  # fmt: skip
    rows += [(metric, "all", 0.5) for metric in metrics]
    return "".join(f"{metric:22}\t{topic}\t{x:.4f}\n" for metric, topic, x in rows)


TREC = {f"{name}.txt": by_topic(name) for name in "ab"}


READ: dict[str, tuple[Files, dict[str, Any], dict[str, list[Any]]]] = {
    "three pretty-printed arrays": (each(records, "json", RIGHT, WRONG, RIGHT[::-1]), {},
                                    {"a": RIGHT, "b": WRONG, "c": RIGHT[::-1]}),
    "{id: score} on one line": (each(lambda own: json.dumps(dict(zip(IDS, own, strict=True))),
                                     "json", A, B), {}, {"a": A, "b": B}),
    "{system: {id: score}}": (
        json.dumps({"base": dict(zip(IDS, A, strict=True)), "new": dict(zip(IDS, B, strict=True))},
                   indent=2), {}, {"base": A, "new": B}),
    "write.table of R": (
        '"base" "new"\n' + "".join(f'"{i}" {a} {b}\n' for i, a, b in zip(IDS, A, B, strict=True)),
        {}, {"base": A, "new": B}),
    "a metric of files with different columns": (
        {"a.csv": table(id=IDS, f1=A, em=RIGHT), "b.csv": table(id=IDS, f1=B)},
        {"metric": "f1"}, {"a": A, "b": B}),
    "names in another spelling": (
        table(**{"itemId": IDS * 2, "System ID": ["x"] * N + ["y"] * N, "Score": A + B}), {},
        {"x": A, "y": B}),
    "one of several columns of scores": (
        table(id=IDS * 2, model=["x"] * N + ["y"] * N, em=RIGHT + WRONG, f1=A + B),
        {"metric": "f1"}, {"x": A, "y": B}),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_read_as_it_is_meant(name):
    files, options, systems = READ[name]
    reading = csig.read(*files_of(files), **options)
    assert plain(reading.data.table.systems) == systems
    assert reading.names == tuple(systems)
    assert reading.cautions == ()
    run("compare", *files_of(files), *options_of(options))


LONG = table(id=IDS * 2, model=["x"] * N + ["y"] * N, em=RIGHT + WRONG, f1=A + B)


def told(files: Files, verb: str = "compare", *options: str) -> str:
    """What a refusal prints: each of its commands leads to a reading."""
    words = (verb, *files_of(files), *options)
    output = refused(*words)
    if printed(output):
        quick = QUICK if verb == "compare" else ()
        assert followed(*words, *quick, most=4) >= len(printed(output)) - 1
    return output


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_blank_first_name_is_a_header_in_three_files(mark):
    """As pandas writes an index: they were read as responses of a gold and two systems."""
    rows = [(f"q{i}", i) for i in range(9)]
    texts = (mark + "\tscore\n" + "".join(f"{q}\t{i * k}.5\n" for q, i in rows) for k in (1, 2, 3))
    found = record("compare", *files_of({f"{k}.tsv": text for k, text in enumerate(texts)}))
    assert {own["input"]["format"] for own in found["comparisons"]} == {"scores"}


LARGE = [30 * x for x in B]
POINTS, OTHERS = [1 + i % 7 for i in range(N)], [1 + i * 5 % 7 for i in range(N)]
MODELS = [f"m-{i}b" for i in range(6)]
TASKS = {name: [round(100 * x, 1) for x in shares(6, seed)]
         for seed, name in enumerate(["arc", "hellaswag", "mmlu"])}  # fmt: skip
RESULTS = {m: {task: own[i] for task, own in TASKS.items()} for i, m in enumerate(MODELS)}


def named(names: str, *columns: list[Any]) -> str:
    return table(**dict(zip(names.split(), columns, strict=True)))


def with_gaps(value: int, scores: list[Any]) -> list[Any]:
    return [value if i % 4 == 1 else x for i, x in enumerate(scores)]


def conllu(tags: str) -> str:
    words = "".join(f"{i}\tw\tw\t{tag}\t_\t_\t0\troot\t_\t_\n" for i, tag in enumerate(tags, 1))
    return f"{words}\n" * 5


def run_file(seed: int) -> str:
    """What TREC calls a run: five ranked documents of each topic."""
    rows = [(f"q{topic}", "Q0", f"d{seed * topic * rank % 97}", rank, 9 - rank - A[rank] * seed / 9)
            for topic in range(1, 7) for rank in range(1, 6)]  # fmt: skip
    return "".join(" ".join(map(str, row)) + f" s{seed}\n" for row in rows)


CLASSIFIERS = table(classifier_name=["x"] * N + ["y"] * N, dataset_name=IDS * 2, accuracy=A + B)
EVENTS = table(task=["t1", "t2", "t3", "t4"] * 10, framework=["x"] * N + ["y"] * N, result=A + B,
               fold=[i // 4 for i in range(N)] * 2,
               seed=[1000 + 7 * i for i in range(2 * N)])  # fmt: skip
OF_EVENTS = ("compare", "--system-column", "framework", "--score-column", "result", "--id", "task")
RECORD = {"question_id": "q", "original_id": 7, "judge_name": "j", "judgments": [{"x": 1}]}
TAGS = {"gold.conllu": conllu("NVD"), "a.conllu": conllu("NNN"), "b.conllu": conllu("VVV")}


def test_the_highest_of_many_points_stands_for_nothing():
    """Nor do -1 and 99 among numbers on either side, or near to it."""
    for own in ([i * 37 % 100 for i in range(N)], with_gaps(99, [60 + x for x in POINTS]),
                with_gaps(-1, [x - 4 for x in POINTS]),
                with_gaps(-1, [x - 1 for x in POINTS])):  # fmt: skip
        names = files_of(table(id=IDS, x=own, y=own[::-1]))
        assert csig.read(*names).names == ("x", "y")


def test_names_of_files_and_columns_say_what_is_better():
    """Of a leaderboard as of a table; and losses may lie beyond 1, which is no percentage."""
    worse = {f"d{k}": [round((i + x) / 9, 3) for i, x in enumerate(shares(4, k))] for k in range(6)}
    (path,) = files_of({"summary_mse.csv": table(model=["m0", "m1", "m2", "m3"], **worse)})
    output = run("datasets", path)
    assert "lower is better" in output
    assert output.index("m0 ") < output.index("m3 ")
    (path,) = files_of(LONG.replace("f1", "logloss").replace(f",{B[0]}\n", ",3.25\n"))
    assert "lower is better" in run("compare", path, "--score-column", "logloss", "--ignore", "em")
    (path,) = files_of(table(id=IDS, loss_x=A, loss_y=[3 * y for y in B]))
    assert "--percent" not in refused("compare", path)


def test_a_header_that_is_one_name_short_shifts_nothing():
    """Not the rows of R: the first name is that of the ids."""
    (path,) = files_of(table(id=IDS, x=A, y=B, z=C).replace("id,x,y,z", "id,x,y"))
    assert "found 4 cells, expected 3" in refused("compare", path)
    (path,) = files_of("id x y\n" + "".join(f"{i} q{i} {A[i]} {B[i]}\n" for i in range(N)))
    assert csig.read(path, ignore="").names == ("x", "y")  # R's, with numbers as names of rows


def test_the_metric_with_the_gaps_is_named():
    names = files_of({"a.csv": table(id=IDS, em=RIGHT, dps=with_gaps(None, B)),
                      "b.csv": table(id=IDS, em=WRONG, dps=A)})  # fmt: skip
    output = " ".join(run("compare", *names, "--allow-missing", "intersection").split())
    assert "Caution: 5 of 20 items are left out: a alone lacks 5, in 'dps'." in output


def test_a_declared_cluster_leaves_the_ids_of_pairs():
    """Ids called like clusters are the ids, as they are without --cluster: the command works."""
    beside = {"pair_id": IDS, "source": ["s1", "s2", "s3", "s4", "s5"] * 4, "label": RIGHT}
    names = files_of({f"{s}.csv": table(**beside, prediction=own)
                      for s, own in (("a", WRONG), ("b", RIGHT[::-1]))})  # fmt: skip
    for command in printed(refused("compare", *names)):
        run(*command)


def test_parts_by_the_clusters_swap_them_all_the_same():
    cells = {"task": [f"t{i % 5}" for i in range(N)], "x": RIGHT, "y": WRONG}
    (path,) = files_of(table(**cells))
    whole, parts = (csig.read(path, **options) for options in ({}, {"by": "task"}))
    (one,), (other,) = (own.comparisons.values() for own in (whole, parts))
    assert one.unit == other.unit
    headline = run("compare", path).splitlines()[0]
    assert run("compare", path, "--by", "task").splitlines()[0] == headline


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_refused(expression, text):
    assert said(expression, globals()) == text


def test_tables_are_described_by_all_their_columns_and_rows():
    """Also a refused file, and by columns that were passed over."""
    (path,) = files_of({"a.jsonl": f"{json.dumps({**RECORD, 'label': 'yes'})}\n" * 2})
    output = run("describe", path, status=2)
    assert {"judge_name", "judgments", "lists"} <= {*output.split()}
    output = run("datasets", *files_of(CLASSIFIERS), "--score-column", "accuracy")
    assert "20 data sets" in output


if __name__ == "__main__":
    rewrite(PRINTED, globals(), folder=True)
