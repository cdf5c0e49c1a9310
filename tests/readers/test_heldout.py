"""Files like those of people, which were read wrongly in silence or refused without a way out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cases import Files, files_of
from commands import followed, printed, refused, run
from written import shares

import csig
from csig.errors import InputError

N = 20
IDS = [f"q{i}" for i in range(N)]
A, B, C = (shares(N, seed) for seed in (1, 2, 3))
RIGHT, WRONG = [int(x > 0.5) for x in A], [int(x > 0.4) for x in B]
MODELS = [f"m-{i}b" for i in range(8)]
TASKS = {name: [round(100 * x, 1) for x in shares(8, seed)]
         for seed, name in enumerate(["arc", "hellaswag", "mmlu", "gsm8k"])}  # fmt: skip
RESULTS = {m: {task: own[i] for task, own in TASKS.items()} for i, m in enumerate(MODELS)}


def table(**cells: Any) -> str:
    rows = [["" if name == "_" else name for name in cells], *zip(*cells.values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def named(names: list[str], *columns: list[Any]) -> str:
    return table(**dict(zip(names, columns, strict=True)))


def long(system: str, score: str, **more: list[Any]) -> str:
    """One row per unit and system."""
    columns = {name: own * 2 for name, own in more.items()}
    return table(**{"id": IDS * 2, **columns, system: ["x"] * N + ["y"] * N, score: A + B})


def with_row(name: str) -> str:
    return "dataset,x,y\n" + "".join(f"d{i},{A[i]},{B[i]}\n" for i in range(9)) + f"{name},.5,.4\n"


def with_gaps(value: int, scores: list[Any]) -> list[Any]:
    return [value if i % 4 == 1 else x for i, x in enumerate(scores)]


def conllu(*tags: str, extra: str = "") -> str:
    words = "".join(f"{i}\tw\tw\t{tag}\t_\t_\t0\troot\t_\t_\n" for i, tag in enumerate(tags, 1))
    return f"{extra}{words}\n" * 5


def run_file(seed: int) -> str:
    """What TREC calls a run: five ranked documents of each topic."""
    rows = [(f"q{topic}", "Q0", f"d{seed * topic * rank % 97}", rank, 9 - rank - A[rank] * seed / 9)
            for topic in range(1, 7) for rank in range(1, 6)]  # fmt: skip
    return "".join(" ".join(map(str, row)) + f" s{seed}\n" for row in rows)


MULTIWORD = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
SHARED = {"pair_id": IDS, "source": ["s1", "s2", "s3", "s4", "s5"] * 4, "label": RIGHT}
EVENTS = table(
    task=["t1", "t2", "t3", "t4"] * 10,
    framework=["x"] * N + ["y"] * N,
    fold=[i // 4 for i in range(N)] * 2,
    seed=[1000 + 7 * i for i in range(2 * N)],
    result=A + B,
)

# ---- silent --------------------------------------------------------------------------------------

#: Each was read, and as something else than it is.
SILENT: dict[str, tuple[Files, tuple[str, ...]]] = {
    **{f"a leaderboard by {name}": (table(**{name: MODELS}, **TASKS), ("compare",))
       for name in ("LLM", "run_name", "Method/Model", "Submission name", "Detector", "framework",
                    "Classifier name")},
    "data sets of a leaderboard by name": (table(name=MODELS, **TASKS), ("datasets",)),
    "data sets of a leaderboard in JSON": (json.dumps(RESULTS), ("datasets",)),
    "a leaderboard in JSON by metric": (
        json.dumps({m: {t: {"pass@1": x} for t, x in own.items()} for m, own in RESULTS.items()}),
        ("compare",)),
    "standard errors as a data set": (
        table(model=MODELS, standard_error=[x / 50 for x in A[:8]], a=A[:8], b=B[:8], c=C[:8]),
        ("datasets",)),
    "standard errors of a score as a data set": (
        table(model=MODELS, Bootstrap_standard_error_AUC=A[:8], a=A[:8], b=B[:8]), ("datasets",)),
    **{f"a row {name}": (with_row(name), ("datasets",))
       for name in ("Std. dev.", "# wins", "Average (all)", "Wins/ties/losses", "W/T/L",
                    "geo. mean", "Geometric mean", "Count of wins", "min", "max", "p-value")},
    **{f"a column {name}": (table(dataset=IDS, x=A, y=B, **{name: C}), ("datasets",))
       for name in ("p-val", "pval", "x-y", "gain", "margin", "std_err", "standard_error")},
    **{f"{one} and {other} of one system": (
        named(["id", one, other], IDS, A, B), ("compare",))
       for one, other in (("rouge-1", "rouge-2"), ("Dice", "IoU"), ("sensitivity", "npv"),
                          ("AUROC", "AUPRC"), ("bleu-1", "bleu-4"), ("pearson", "spearman"),
                          ("mape", "smape"), ("hits", "success"))},
    "truths before shares": (named(["id", "is_dup", "tfidf", "bert"], IDS, RIGHT, A, B),
                             ("compare",)),
    "truths called gold": (named(["id", "gold_mwe", "pmi", "dice"], IDS, RIGHT, A, B),
                           ("compare",)),
    "-9999 for what is missing": (
        table(id=IDS, x=with_gaps(-9999, [90 * x for x in A]), y=[90 * x for x in B]),
        ("compare",)),
    "99 for what is missing": (
        table(id=IDS, x=with_gaps(99, [1 + i % 7 for i in range(N)]),
              y=[1 + i * 5 % 7 for i in range(N)]), ("compare",)),
    "-1 among points": (
        table(id=IDS, x=with_gaps(-1, [1 + i % 7 for i in range(N)]),
              y=[1 + i * 5 % 7 for i in range(N)]), ("compare",)),
    "a result and how many": (
        {f"{s}.json": json.dumps({"accuracy": x, "n": 100}, indent=1)
         for s, x in (("a", 0.75), ("b", 0.5))}, ("compare",)),
    "the last column of CoNLL-U, empty": (
        {f"{name}.conllu": conllu(*own) for name, own in
         (("gold", "NVD"), ("a", "NNN"), ("b", "VVV"))}, ("compare", "--scheme", "plain")),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_what_no_rule_accounts_for_is_refused(name: str) -> None:
    files, (verb, *options) = SILENT[name]
    names = files_of(files)
    refused(verb, *names, *options)
    assert followed(verb, *names, *options)


#: By the rules these are ids and systems; but they are what a leaderboard looks like.
LEADERBOARDS: dict[str, Files] = {
    **{f"by {name}": table(**{name: MODELS}, **TASKS) for name in ("Name", "Participant", "Entry")},
    "without a name": table(_=MODELS, **TASKS),
    "in JSON": json.dumps(RESULTS),
}


@pytest.mark.parametrize("name", LEADERBOARDS)
def test_tasks_of_a_leaderboard_are_no_systems(name: str) -> None:
    refused("compare", *files_of(LEADERBOARDS[name]))


LOWER = ("err", "abs_err", "cross_entropy", "crossentropy", "xent", "eer", "der", "regret",
         "hter", "mape", "smape", "mase", "fpr", "hallucinations", "violations", "runtime",
         "deviation", "edits", "toxicity")  # fmt: skip


def taken_as_higher(files: Files, **options: Any) -> bool:
    try:
        reading = csig.read(*files_of(files), **options)
    except InputError:
        return False
    return any(metric.greater_is_better for metric in reading.metrics)


@pytest.mark.parametrize("name", LOWER)
def test_what_is_better_when_lower(name: str) -> None:
    """Lower is better, or refused until it is said; never the other way."""
    assert not taken_as_higher(long("system", name), score_column=name)


@pytest.mark.parametrize("files", [{f"{name}_{metric}": own for name, own in (("x", A), ("y", B))}
                                   for metric in ("err", "abs_err", "crossentropy")])  # fmt: skip
def test_parts_that_all_systems_share_say_what_is_better(files: dict[str, list[Any]]) -> None:
    assert not taken_as_higher(table(id=IDS, **files))


def test_the_name_of_a_leaderboard_says_what_is_better() -> None:
    """As the name of a table with a column for each system does."""
    models = [f"m{i}" for i in range(4)]
    worse = {f"d{k}": [round((i + x) / 9, 3) for i, x in enumerate(shares(4, k))] for k in range(6)}
    (path,) = files_of({"summary_mse.csv": table(model=models, **worse)})
    output = run("datasets", path)
    assert "lower is better" in output
    assert output.index("m0 ") < output.index("m3 ")


def test_a_header_that_is_one_name_short_shifts_nothing() -> None:
    """Not the rows of R: the first name is that of the ids."""
    rows = "".join(f"q{i},{a},{b},{c}\n" for i, (a, b, c) in enumerate(zip(A, B, C, strict=True)))
    (path,) = files_of("id,x,y\n" + rows)
    assert "found 4 cells, expected 3" in refused("compare", path)


def test_a_metric_that_lacks_nothing_keeps_its_units() -> None:
    """Or the caution says which metric has the gaps."""
    gaps = ["" if i % 5 == 0 else x for i, x in enumerate(B)]
    names = files_of({"a.csv": table(id=IDS, em=RIGHT, dps=gaps),
                      "b.csv": table(id=IDS, em=WRONG, dps=A)})  # fmt: skip
    output = " ".join(run("compare", *names, "--allow-missing", "intersection").split())
    caution, _, _ = output.partition(". ")
    assert f"{100 * sum(RIGHT) / N:.2f}" in output or "dps" in caution


# ---- commands that mislead -----------------------------------------------------------------------

#: What a refusal says, and a part of a command below it that leads to another meaning.
MISLEADING: dict[str, tuple[Files, tuple[str, ...], str]] = {
    "two of three metrics as systems": (
        named(["id", "rouge-1", "rouge-2", "rouge-l"], IDS, A, B, C), ("compare",),
        "--ignore rouge-l"),
    "two of three figures as systems": (
        named(["id", "sensitivity", "specificity", "npv"], IDS, A, B, C), ("compare",),
        "--ignore specificity"),
    "kinds of errors as systems": (
        named(["utt", "sub", "del", "ins", "wer"], IDS, [i % 3 for i in range(N)],
              [i % 4 for i in range(N)], [i % 5 for i in range(N)], A), ("compare",),
        "--ignore wer"),
    "the number of an item as a score": (
        {f"{s}.jsonl": "".join(json.dumps({"question_id": q, "original_id": i * 37 % 91,
                                           "judge_name": "j", "judgments": [{"x": 1}]}) + "\n"
                               for i, q in enumerate(IDS)) for s in "ab"}, ("compare",),
        "--score-column original_id"),
    "numbers of data sets as a system": (
        table(classifier_name=["x"] * N + ["y"] * N,
              dataset_name=[200 + i * 37 % 91 for i in range(N)] * 2, accuracy=A + B),
        ("compare",), "--system dataset_name"),
    "a minus sign as a missing number": (
        table(id=IDS, x=["\N{MINUS SIGN}0.5", *A[1:]], y=B), ("compare",), "--missing"),
    "a loss beyond 1 in percent": (
        long("system", "logloss").replace(f"y,{B[0]}\n", "y,3.25\n"),
        ("compare", "--score-column", "logloss"), "--percent"),
    "one system beside a column of stars": (
        "| task | x | y |\n|---|---|---|\n" + "".join(
            f"| {i} | **{a}** | {b} |\n" for i, a, b in zip(IDS, A, B, strict=True)),
        ("compare",), "--ignore x"),
    "one system beside a column of nan": (
        table(id=IDS, x=["nan"] * N, y=B), ("compare",), "--ignore x"),
    "one system beside a column of infinities": (
        table(id=IDS, x=["inf"] * N, y=B), ("compare",), "--ignore x"),
    "ranks of a run as scores": (
        {"a.run": run_file(3), "b.run": run_file(5)}, ("compare",), "--no-header"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISLEADING)
def test_commands_lead_to_no_other_meaning(name: str) -> None:
    files, (verb, *options), part = MISLEADING[name]
    output = refused(verb, *files_of(files), *options)
    assert part not in output.partition("\n")[2]


#: A command that is missing below a refusal.
MISSING: dict[str, tuple[Files, tuple[str, ...], str]] = {
    "whose row it is": (EVENTS, ("compare",), "--system-column framework"),
    "the classifier of every row": (
        table(classifier_name=["x"] * N + ["y"] * N, dataset_name=IDS * 2, accuracy=A + B),
        ("compare",), "--system-column classifier_name"),
    "the classifier of every data set": (
        table(classifier_name=["x"] * N + ["y"] * N, dataset_name=IDS * 2, accuracy=A + B),
        ("datasets",), "--system-column classifier_name"),
    "the folds that tell ids apart": (
        EVENTS, ("compare", "--system-column", "framework", "--score-column", "result",
                 "--id", "task"), "--run fold"),
    "data sets that group rows, beside numbers of another kind": (
        table(name=IDS, dataset=["d1", "d2", "d3", "d4", "d5"] * 4, x=A, y=B,
              ratio=[30 * x for x in C]), ("compare",), "--cluster dataset"),
    "subjects that group rows": (
        table(subject=[1 + i // 4 for i in range(N)], base=A, new=B), ("compare",),
        "--cluster subject"),
    "what is true beside shares and others": (
        named(["id", "is_colloc", "dice", "tscore"], IDS, RIGHT, A, [30 * x for x in B]),
        ("compare",), "csig rank"),
    "what is true beside probabilities": (
        named(["id", "label", "prob_a", "prob_b"], IDS, RIGHT, A, B), ("compare",), "csig rank"),
    "the only column that can be true": (
        named(["id", "ok", "dice", "tscore"], IDS, RIGHT, A, [30 * x for x in B]), ("rank",),
        "--true ok"),
    "the systems with ids in common": (
        table(model=["w"] * N + ["x"] * N + ["y"] * N + ["z"] * N,
              id=IDS * 2 + [f"other-{i}" for i in IDS] * 2, score=A + B + C + A), ("compare",),
        "--system w --system x"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_the_command_that_reads_it_is_printed(name: str) -> None:
    files, (verb, *options), part = MISSING[name]
    assert part in refused(verb, *files_of(files), *options).partition("\n")[2]


# ---- no way out ----------------------------------------------------------------------------------

#: Refusals after which no command is left, or whose commands fail.
DEAD_ENDS: dict[str, tuple[Files, tuple[str, ...]]] = {
    "files whose columns bear the system's name": (
        {f"{s}.tsv": f"doc\t{s}_f1\t{s}_p\n" + "".join(
            f"{i}\t{x}\t{y}\n" for i, x, y in zip(IDS, own, C, strict=True))
         for s, own in (("bert", A), ("crf", B), ("lstm", C))}, ("compare",)),
    "a metric chosen of a long table": (
        table(id=IDS * 4, system=(["x"] * N + ["y"] * N) * 2,
              metric=["bleu"] * 2 * N + ["ter"] * 2 * N, value=A + B + C + A),
        ("compare", "--metric", "ter")),
    "runs of data sets": (
        table(id=["u1", "u2", "u3", "u4"] * 10, task=["t1", "t2", "t3", "t4"] * 10,
              framework=["x"] * N + ["y"] * N, seed=range(2 * N), result=A + B),
        ("datasets", "--system-column", "framework", "--score-column", "result", "--dataset",
         "task")),
    "seeds that differ between systems": (
        EVENTS, ("compare", "--system-column", "framework", "--score-column", "result",
                 "--id", "task")),
    "classifiers by data set": (
        table(classifier_name=["x"] * N + ["y"] * N, dataset_name=IDS * 2, accuracy=A + B),
        ("datasets", "--system-column", "classifier_name", "--score-column", "accuracy", "--id",
         "dataset_name")),
    "data sets of one unit and of several": (
        table(id=IDS, family=["f1", "f1", *[f"g{i}" for i in range(N - 2)]], x=A, y=B),
        ("datasets",)),
    "missing scores of ranking methods": (
        named(["id", "ok", "m1", "m2"], IDS, RIGHT, ["", *A[1:]], B),
        ("rank", "--true", "ok", "--methods", "m1,m2")),
    "a gold, and predictions in lists": (
        {f"{s}.jsonl": "".join(json.dumps({"pair_id": q, "label": "A>B" if i % 3 else "B>A",
                                           "judgments": [{"decision": "A>B"}]}) + "\n"
                               for i, q in enumerate(IDS)) for s in "ab"}, ("compare",)),
    "scores inside a report": (
        {f"{s}.json": json.dumps({"date": "1 May", "summary": {"f1": 0.5},
                                  "eval": {q: {"f1": x} for q, x in zip(IDS, own, strict=True)}})
         for s, own in (("a", A), ("b", B))}, ("compare",)),
    "scores beside a configuration": (
        {f"{s}.json": json.dumps({"config": {"k": 1},
                                  "results": dict(zip(IDS, own, strict=True))})
         for s, own in (("a", A), ("b", B))}, ("compare",)),
    "answers by question": (
        {f"{s}.json": json.dumps({q: ["Rome", "Paris", "Oslo"][i % k % 3]
                                  for i, q in enumerate(IDS)})
         for s, k in (("gold", 3), ("a", 4), ("b", 5))}, ("compare",)),
    "CoNLL-U with words of several tokens": (
        {f"{name}.conllu": conllu(*own, extra=MULTIWORD) for name, own in
         (("gold", "NVD"), ("a", "NNN"), ("b", "VVV"))}, ("compare",)),
}  # fmt: skip


@pytest.mark.parametrize("name", DEAD_ENDS)
def test_every_refusal_has_commands_that_end_in_a_reading(name: str) -> None:
    files, (verb, *options) = DEAD_ENDS[name]
    assert followed(verb, *files_of(files), *options, most=4)


def test_a_declared_cluster_leaves_the_ids_of_pairs() -> None:
    """Ids called like clusters are the ids, as they are without --cluster: the command works."""
    names = files_of({f"{s}.csv": table(**SHARED, prediction=own)
                      for s, own in (("a", WRONG), ("b", RIGHT[::-1]))})  # fmt: skip
    for command in printed(refused("compare", *names)):
        run(*command)


#: What is said, and about what it should be.
SAID: dict[str, tuple[Files, str]] = {
    "a comment before the header": ("# made by x\n" + table(id=IDS, x=A, y=B), "'# made by x'"),
    "a table of LaTeX": (
        table(id=IDS, x=[f"${x}_{{\\pm 0.1}}$" for x in A], y=[f"\\textbf{{{y}}}" for y in B]),
        f"'${A[0]}_"),
    "a run of TREC": ({"a.run": run_file(3), "b.run": run_file(5)}, "trec_eval"),
    "a separator for Excel": ("sep=;\nid;x;y\nq1;0.5;1\nq2;1;0.2\n", "'sep=;'"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_messages_say_what_was_found(name: str) -> None:
    files, text = SAID[name]
    assert text in refused("compare", *files_of(files))


def test_a_refused_file_is_described_by_its_columns() -> None:
    record = {"pair_id": "p", "label": "yes", "judgments": [{"decision": "no"}]}
    lines = [json.dumps(record | {"pair_id": f"p{i}"}) for i in range(N)]
    (path,) = files_of({"a.jsonl": "".join(f"{line}\n" for line in lines)})
    output = run("describe", path, status=2)
    assert "pair_id" in output.replace("'", "").split()
    assert "judgments" in output, "what was passed over is named"
