"""Files of people that were read wrongly in silence, took them too long, or had no way out.

Each is read as it is meant, or refused; every command below a refusal leads to a reading.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from cases import QUICK, Files, files_of, plain
from commands import followed, options_of, printed, record, refused, run
from written import shares

import csig

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

#: The files, what is said, what the commands below it add, and the command unless it is compare.
REFUSED: dict[str, tuple[Any, ...]] = {
    "two metrics of each system": (
        table(id=IDS, base_bleu=A, base_ter=B, new_bleu=B, new_ter=C),
        "columns 'base_bleu', 'base_ter', 'new_bleu', 'new_ter' have the names of several metrics",
        "--system base_bleu --system new_bleu | --system base_ter --system new_ter | --system "
        "base_bleu --system base_ter --system new_bleu --system new_ter"),
    "lines of two metrics": ({"a.txt": "bleu\n" + "".join(f"{x}\n" for x in A),
                              "b.txt": "ter\n" + "".join(f"{x}\n" for x in B)},
                             "systems are compared by one metric", "--format scores"),
    "right answers in a column y": (
        table(id=IDS, y=[1 - x for x in RIGHT], m1=RIGHT, m2=WRONG), "column 'y' may be the gold",
        "--gold-column y | --system y --system m1 --system m2 | --ignore y"),
    "right answers in a column of texts": (
        table(id=IDS, answer=5 * list("ABCD"), m1=5 * list("ABBD"), m2=5 * list("CBCA")),
        "no column has numbers, expected one for every system", "--gold-column answer"),
    "predictions of numbers": (table(id=IDS, Actual=[150 * x for x in A], tree=[140 * x for x in A],
                                     forest=[90 * x for x in C]), "column 'Actual' may be the "
                               "gold, and what is compared are the errors of its predictions",
                               "--system Actual --system tree --system forest | --ignore Actual"),
    "scores with stars": (table(id=IDS, x=[f"{x}**" for x in A], y=[f"{x}*" for x in B]),
                          "column 'x' holds a score with stars, such as", ""),
    "tags before other columns": (
        {f"{name}.tsv": "TOKEN\tNE\tMISC\n" + "Eve\tB-P\t_\nran\tO\t_\n\n" * 3 for name in "gab"},
        "found columns with tags, but not as the last one", "--gold-column NE --system NE"),
    "annotations without an id": (
        table(system=["x", "y"] * 10, start=[f"{i}.5" for i in range(N)], score=A),
        "no column is known to have the ids of the units", ""),
    "candidates that are true or not": (
        table(pair=IDS, is_colloc=RIGHT, MI=[9 * x for x in A], log_like=[700 * x for x in B]),
        "column 'is_colloc' may say what is true", "--true is_colloc --methods MI,log_like | "
        "--system is_colloc --system MI --system log_like | --ignore is_colloc"),
    "trec_eval's all as a topic": (
        TREC, "'all' names a row that sums up others", "--drop-row all | --keep-row all",
        ("compare", "--no-header", "--by", "1", "--cluster", "2")),
    "several metrics of trec_eval in one mean": (
        TREC,
        "column '1' names metrics, such as 'P_10', 'map', 'ndcg', and only scores of one metric",
        " | ".join([f"--ignore 1 --drop-row {one} --drop-row {other} --drop-row all"
         for one, other in (("map", "ndcg"), ("P_10", "ndcg"), ("P_10", "map"))]),
        ("compare", "--no-header")),
    "statistics in Holm's family": (
        table(id=IDS, base=A, new=B, diff=C, mean=C, p_value=C),
        "column 'diff' is called like a statistic of other columns, column 'mean'",
        "--ignore diff --ignore mean --ignore p_value"),
    "numbers of rows as a ranking method": (
        table(**{"#": range(1, N + 1), "ok": RIGHT, "MI": A, "t": B}),
        "column '#' is called like a rank, a p-value or another",
        "--methods MI,t | --methods '#,MI,t' --lower '#'", ("rank", "--true", "ok")),
    # What took time.
    "rows of systems with several columns of scores": (
        LONG, "but no column is called 'score' or 'value'",
        "--score-column em --score-column f1 | --score-column em | --score-column f1"),
    "93.3(0.5)": (
        table(id=IDS, x=[f"{90 * x:.1f}(0.5)" for x in A], y=[f"{90 * x:.1f}(0.5)" for x in B]),
        "column 'x' holds a score with something in brackets, such as", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_with_the_commands(name):
    files, words, ways, (verb, *options) = (*REFUSED[name], ("compare",))[:4]
    paths = files_of(files)
    said = refused(verb, *paths, *options)
    assert words in said.splitlines()[0]
    given, every = {*paths, *options, verb}, ways.split(" | ") if ways else []
    added = [[word for word in own[1:] if word not in given] for own in printed(said)]
    expected = [[word for word in shlex.split(way) if word not in given] for way in every]
    assert added == expected
    if every:
        quick = QUICK if verb == "compare" else ()
        assert followed(verb, *paths, *options, *quick) >= len(every) - 1


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_blank_first_name_is_a_header_in_three_files(mark):
    """As pandas writes an index: they were read as responses of a gold and two systems."""
    rows = [(f"q{i}", i) for i in range(9)]
    texts = (mark + "\tscore\n" + "".join(f"{q}\t{i * k}.5\n" for q, i in rows) for k in (1, 2, 3))
    found = record("compare", *files_of({f"{k}.tsv": text for k, text in enumerate(texts)}))
    assert {own["input"]["format"] for own in found["comparisons"]} == {"scores"}


LARGE = [30 * x for x in B]
POINTS, OTHERS = [1 + i % 7 for i in range(N)], [1 + i * 5 % 7 for i in range(N)]
MODELS = [f"m-{i}b" for i in range(8)]
TASKS = {name: [round(100 * x, 1) for x in shares(8, seed)]
         for seed, name in enumerate(["arc", "hellaswag", "mmlu", "gsm8k"])}  # fmt: skip
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

# ---- silent --------------------------------------------------------------------------------------
#: Each was read, and as something else than it is.
SILENT: dict[str, tuple[Files, tuple[str, ...]]] = {
    **{f"a leaderboard by {name}": (table(**{name: MODELS}, **TASKS), ("compare",))
     for name in ("LLM", "Method/Model", "Submission name", "Name")},
    "data sets of a leaderboard by name": (table(name=MODELS, **TASKS), ("datasets",)),
    "data sets of a leaderboard in JSON": (json.dumps(RESULTS), ("datasets",)),
    "a leaderboard in JSON by metric": (
        json.dumps({m: {t: {"pass@1": x} for t, x in own.items()} for m, own in RESULTS.items()}),
        ("compare",)),
    **{f"{name} as a data set": (table(model=MODELS, **{name: [x / 50 for x in A[:8]]}, a=A[:8],
                                       b=B[:8], c=C[:8]), ("datasets",))
       for name in ("standard_error", "Bootstrap_standard_error_AUC")},
    "a row of sums": (table(dataset=[*IDS, "W/T/L"], x=[*A, 0.5], y=[*B, 0.4]), ("datasets",)),
    **{f"a column {name}": (table(dataset=IDS, x=A, y=B, **{name: C}), ("datasets",))
       for name in ("p-val", "x-y")},
    **{f"{names} of one system": (named(f"id {names}", IDS, A, B), ("compare",))
     for names in ("rouge-1 rouge-2", "sensitivity npv", "mape smape")},
    "truths before shares": (named("id is_dup tfidf bert", IDS, RIGHT, A, B), ("compare",)),
    **{f"{value} for what is missing": (
           table(id=IDS, x=with_gaps(value, own), y=OTHERS), ("compare",))
       for value, own in ((-9999, LARGE), (-999, POINTS), (99, POINTS), (-1, POINTS))},
    "a result and how many": ({f"{s}.json": json.dumps({"accuracy": x, "n": 100}, indent=1)
                               for s, x in (("a", 0.75), ("b", 0.5))}, ("compare",)),
    "the last column of CoNLL-U, empty": (TAGS, ("compare", "--scheme", "plain")),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_what_no_rule_accounts_for_is_refused(name):
    files, command = SILENT[name]
    quick = QUICK if command[0] == "compare" else ()
    words = (command[0], *files_of(files), *command[1:], *quick)
    output = refused(*words)
    assert "missing" in output if not printed(output) else followed(*words)


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
    assert output.startswith("Caution: 5 of 20 items are left out: a alone lacks 5, in 'dps'.")


# ---- commands that mislead, or are missing -------------------------------------------------------
#: What a refusal says, and a part of a command below it that leads to another meaning.
MISLEADING: dict[str, tuple[Files, str]] = {
    "two of three metrics as systems": (
        named("id rouge-1 rouge-2 rouge-l", IDS, A, B, C), "--ignore rouge-l"),
    "the number of an item as a score": (
        {f"{s}.jsonl": "".join(json.dumps({**RECORD, "question_id": q, "original_id": i * 37 % 91})
                               + "\n" for i, q in enumerate(IDS)) for s in "ab"}, "--score-column"),
    "numbers of data sets as a system": (CLASSIFIERS.replace(",q", ",20"), "dataset_name --s"),
    "a minus sign as a missing number": (
        table(id=IDS, x=["\N{MINUS SIGN}0.5", *A[1:]], y=B), "--missing"),
    "one system beside a column of stars": (
        "| task | x | y |\n|---|---|---|\n" + "".join(
            f"| {i} | **{a}** | {b} |\n" for i, a, b in zip(IDS, A, B, strict=True)), "--ignore x"),
    "one system beside a column of nan": (table(id=IDS, x=["nan"] * N, y=B), "--ignore x"),
    "ranks of a run as scores": ({"a.run": run_file(3), "b.run": run_file(5)}, "--no-header"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISLEADING)
def test_commands_lead_to_no_other_meaning(name):
    files, part = MISLEADING[name]
    assert part not in refused("compare", *files_of(files)).partition("\n")[2]


#: A command that was missing below a refusal; and how it was called.
MISSING: dict[str, tuple[Any, ...]] = {
    "whose row it is": (EVENTS, "--score-column result"),
    "the classifier of every row": (CLASSIFIERS, "--score-column accuracy"),
    "the folds that tell ids apart": (EVENTS, "--run fold", OF_EVENTS),
    "data sets that group rows, beside numbers of another kind": (
        table(name=IDS, dataset=["d1", "d2", "d3", "d4", "d5"] * 4, x=A, y=B, ratio=LARGE),
        "--cluster dataset"),
    "subjects that group rows": (
        table(subject=[1 + i // 4 for i in range(N)], base=A, new=B), "--cluster subject"),
    "what is true beside shares and others": (
        named("id is_colloc dice tscore", IDS, RIGHT, A, LARGE),
        "csig rank t.csv --true is_colloc --methods dice,tscore"),
    "the systems with ids in common": (table(model=["w"] * N + ["x"] * N + ["y"] * N + ["z"] * N,
                                             id=IDS * 2 + [f"other-{i}" for i in IDS] * 2,
                                             score=A + B + C + A), "--system w --system x"),
    "a metric chosen of a long table": (
        table(id=IDS * 4, system=(["x"] * N + ["y"] * N) * 2,
              metric=["bleu"] * 2 * N + ["ter"] * 2 * N, value=A + B + C + A),
        "--drop-row bleu --lower-is-better", ("compare", "--metric", "ter")),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_the_command_that_reads_it_is_printed(name):
    files, part, (verb, *options) = (*MISSING[name], ("compare",))[:3]
    names = files_of(files)
    assert part in refused(verb, *names, *options).partition("\n")[2]
    assert followed(verb, *names, *options, *(QUICK if verb == "compare" else ()), most=4)


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


#: What is said, and about what it should be.
SAID: dict[str, tuple[Files, str]] = {
    "text in Latin 1": ("id,a,b\ncafé,1,2\n".encode("latin-1"), "iconv -f latin1 -t utf-8"),
    "an array of numpy": ({"t.npy": b"\x93NUMPY\1\0" + bytes(99)}, "numpy.load"),
    "labels that are all the same": (table(id=IDS, gold=["p"] * N, x=["p"] * N, y=["p"] * N),
                                     "label of the gold and of the systems is 'p'"),
    "a comment before the header": ("# made by x\n" + table(id=IDS, x=A, y=B), "'# made by x'"),
    "a table of LaTeX": (table(id=IDS, x=[f"${x}_{{\\pm 0.1}}$" for x in A],
                               y=[f"\\textbf{{{y}}}" for y in B]), f"'${A[0]}_"),
    "a run of TREC": ({"a.run": run_file(3), "b.run": run_file(5)}, "trec_eval"),
    "one cell of control characters": ('"\x01\x1f\x02"\n', "no rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_messages_say_what_was_found(name):
    files, text = SAID[name]
    assert text in refused("compare", *files_of(files))


def test_tables_are_described_by_all_their_columns_and_rows():
    """Also a refused file, and by columns that were passed over."""
    (path,) = files_of({"a.jsonl": f"{json.dumps({**RECORD, 'label': 'yes'})}\n" * 2})
    output = run("describe", path, status=2)
    assert {"judge_name", "judgments", "lists"} <= {*output.split()}
    output = run("datasets", *files_of(CLASSIFIERS), "--score-column", "accuracy")
    assert "20 data sets" in output
