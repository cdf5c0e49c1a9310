"""Files like those of people, which were read wrongly in silence or refused without a way out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cases import Files, files_of
from commands import followed, printed, refused, run
from written import shares

import csig
from csig.base.errors import InputError

N = 20
IDS = [f"q{i}" for i in range(N)]
A, B, C = (shares(N, seed) for seed in (1, 2, 3))
LARGE = [30 * x for x in B]
POINTS, OTHERS = [1 + i % 7 for i in range(N)], [1 + i * 5 % 7 for i in range(N)]
RIGHT, WRONG = [int(x > 0.5) for x in A], [int(x > 0.4) for x in B]
MODELS = [f"m-{i}b" for i in range(8)]
TASKS = {name: [round(100 * x, 1) for x in shares(8, seed)]
         for seed, name in enumerate(["arc", "hellaswag", "mmlu", "gsm8k"])}  # fmt: skip
RESULTS = {m: {task: own[i] for task, own in TASKS.items()} for i, m in enumerate(MODELS)}


def table(**cells: Any) -> str:
    rows = [cells, *zip(*cells.values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def named(names: str, *columns: list[Any]) -> str:
    return table(**dict(zip(names.split(), columns, strict=True)))


def long(system: str, score: str) -> str:
    """One row per unit and system."""
    return table(**{"id": IDS * 2, system: ["x"] * N + ["y"] * N, score: A + B})


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
EVENTS = table(
    task=["t1", "t2", "t3", "t4"] * 10,
    framework=["x"] * N + ["y"] * N,
    fold=[i // 4 for i in range(N)] * 2,
    seed=[1000 + 7 * i for i in range(2 * N)],
    result=A + B,
)
OF_EVENTS = ("compare", "--system-column", "framework", "--score-column", "result", "--id", "task")
RECORD = {"question_id": "q", "original_id": 7, "judge_name": "j", "judgments": [{"x": 1}]}
TAGS = {"gold.conllu": conllu("NVD"), "a.conllu": conllu("NNN"), "b.conllu": conllu("VVV")}

# ---- silent --------------------------------------------------------------------------------------
#: Each was read, and as something else than it is.
SILENT: dict[str, tuple[Files, tuple[str, ...]]] = {
    **{f"a leaderboard by {name}": (table(**{name: MODELS}, **TASKS), ("compare",))
       for name in ("LLM", "run_name", "Method/Model", "Submission name", "Detector", "framework",
                    "Classifier name", "Name", "Participant", "Entry")},
    "data sets of a leaderboard by name": (table(name=MODELS, **TASKS), ("datasets",)),
    "data sets of a leaderboard in JSON": (json.dumps(RESULTS), ("datasets",)),
    "a leaderboard in JSON by metric": (
        json.dumps({m: {t: {"pass@1": x} for t, x in own.items()} for m, own in RESULTS.items()}),
        ("compare",)),
    **{f"{name} as a data set": (
        table(model=MODELS, **{name: [x / 50 for x in A[:8]]}, a=A[:8], b=B[:8], c=C[:8]),
        ("datasets",)) for name in ("standard_error", "Bootstrap_standard_error_AUC")},
    **{f"a row {name}": (table(dataset=[*IDS, name], x=[*A, 0.5], y=[*B, 0.4]), ("datasets",))
       for name in ("Std. dev.", "# wins", "Average (all)", "Wins/ties/losses", "W/T/L",
                    "geo. mean", "Geometric mean", "Count of wins", "min", "max", "p-value",
                    "Gesamt")},
    **{f"a column {name}": (table(dataset=IDS, x=A, y=B, **{name: C}), ("datasets",))
       for name in ("p-val", "pval", "x-y", "gain", "margin", "std_err", "standard_error")},
    **{f"{names} of one system": (named(f"id {names}", IDS, A, B), ("compare",))
       for names in ("rouge-1 rouge-2", "Dice IoU", "sensitivity npv", "AUROC AUPRC",
                     "bleu-1 bleu-4", "pearson spearman", "mape smape", "hits success")},
    "truths before shares": (named("id is_dup tfidf bert", IDS, RIGHT, A, B), ("compare",)),
    "truths called gold": (named("id gold_mwe pmi other", IDS, RIGHT, A, B), ("compare",)),
    **{f"{value} for what is missing": (
        table(id=IDS, x=with_gaps(value, own), y=OTHERS), ("compare",))
       for value, own in ((-9999, LARGE), (-999, POINTS), (99, POINTS), (-1, POINTS))},
    "a result and how many": (
        {f"{s}.json": json.dumps({"accuracy": x, "n": 100}, indent=1)
         for s, x in (("a", 0.75), ("b", 0.5))}, ("compare",)),
    "the last column of CoNLL-U, empty": (TAGS, ("compare", "--scheme", "plain")),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_what_no_rule_accounts_for_is_refused(name):
    files, (verb, *options) = SILENT[name]
    names = files_of(files)
    output = refused(verb, *names, *options)
    assert "missing" in output if not printed(output) else followed(verb, *names, *options)


def test_labels_that_are_all_the_same():
    assert "label of the gold and of the systems is 'p'" in refused(
        "compare", *files_of(table(id=IDS, gold=["p"] * N, x=["p"] * N, y=["p"] * N))
    )


def test_the_highest_of_many_points_stands_for_nothing():
    """Nor do -1 and 99 among numbers on either side, or near to it."""
    for own in ([i * 37 % 100 for i in range(N)], with_gaps(99, [60 + x for x in POINTS]),
                with_gaps(-1, [x - 4 for x in POINTS]),
                with_gaps(-1, [x - 1 for x in POINTS])):  # fmt: skip
        names = files_of(table(id=IDS, x=own, y=own[::-1]))
        assert csig.read(*names).names == ("x", "y")


LOWER = ("err", "abs_err", "cross_entropy", "crossentropy", "xent", "eer", "der", "hter", "mape",
         "smape", "mase", "fpr", "fnr", "mean_err")  # fmt: skip
EITHER = ("regret", "hallucinations", "violations", "runtime", "deviation", "edits", "toxicity")


@pytest.mark.parametrize("name", LOWER + EITHER)
def test_what_is_better_when_lower(name):
    """Lower is better, or refused until it is said: of a score, and of what all systems share."""
    for files in (long("system", name), table(**{"id": IDS, f"x_{name}": A, f"y_{name}": B})):
        options = {"score_column": name} if "system" in files else {}
        (path,) = files_of(files)
        if name in EITHER:
            with pytest.raises(InputError, match="whether lower or higher is better"):
                csig.read(path, **options).metrics  # noqa: B018
        else:
            (metric,) = csig.read(path, **options).metrics
            assert not metric.greater_is_better


def test_the_name_of_a_leaderboard_says_what_is_better():
    """As the name of a table with a column for each system does."""
    worse = {f"d{k}": [round((i + x) / 9, 3) for i, x in enumerate(shares(4, k))] for k in range(6)}
    (path,) = files_of({"summary_mse.csv": table(model=["m0", "m1", "m2", "m3"], **worse)})
    output = run("datasets", path)
    assert "lower is better" in output
    assert output.index("m0 ") < output.index("m3 ")


def test_err_at_20_is_no_error():
    (path,) = files_of(table(**{"id": IDS, "x_err@20": A, "y_err@20": B}))
    assert csig.read(path).metrics == ["mean"]


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
    assert "5 of 20 items are left out: a alone lacks 5, in 'dps'." in output


def test_a_loss_beyond_1_is_not_in_percent():
    (path,) = files_of(long("system", "logloss").replace(f"y,{B[0]}\n", "y,3.25\n"))
    assert "lower is better" in run("compare", path, "--score-column", "logloss")
    (path,) = files_of(table(id=IDS, loss_x=A, loss_y=[3 * y for y in B]))
    assert "--percent" not in refused("compare", path)


# ---- commands that mislead, or are missing -------------------------------------------------------
#: What a refusal says, and a part of a command below it that leads to another meaning.
MISLEADING: dict[str, tuple[Files, str]] = {
    "two of three metrics as systems": (
        named("id rouge-1 rouge-2 rouge-l", IDS, A, B, C), "--ignore rouge-l"),
    "two of three figures as systems": (
        named("id sensitivity specificity npv", IDS, A, B, C), "--ignore specificity"),
    "kinds of errors as systems": (
        named("utt sub del ins wer", IDS, *([i % k for i in range(N)] for k in (3, 4, 5)), A),
        "--ignore wer"),
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
    "one system beside a column of infinities": (table(id=IDS, x=["inf"] * N, y=B), "--ignore x"),
    "ranks of a run as scores": ({"a.run": run_file(3), "b.run": run_file(5)}, "--no-header"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISLEADING)
def test_commands_lead_to_no_other_meaning(name):
    files, part = MISLEADING[name]
    assert part not in refused("compare", *files_of(files)).partition("\n")[2]


#: A command that was missing below a refusal.
MISSING: dict[str, tuple[Files, tuple[str, ...], str]] = {
    "whose row it is": (EVENTS, ("compare",), "--score-column result"),
    "the classifier of every row": (CLASSIFIERS, ("compare",), "--score-column accuracy"),
    "the classifier of every data set": (CLASSIFIERS, ("datasets",), "--score-column accuracy"),
    "the folds that tell ids apart": (EVENTS, OF_EVENTS, "--run fold"),
    "data sets that group rows, beside numbers of another kind": (
        table(name=IDS, dataset=["d1", "d2", "d3", "d4", "d5"] * 4, x=A, y=B, ratio=LARGE),
        ("compare",), "--cluster dataset"),
    "subjects that group rows": (
        table(subject=[1 + i // 4 for i in range(N)], base=A, new=B), ("compare",),
        "--cluster subject"),
    "what is true beside shares and others": (
        named("id is_colloc dice tscore", IDS, RIGHT, A, LARGE), ("compare",),
        "csig rank t.csv --true is_colloc --methods dice,tscore"),
    "what is true beside probabilities": (
        named("id label prob_a prob_b", IDS, RIGHT, A, B), ("compare",), "csig rank"),
    "the only column that can be true": (
        named("id ok dice tscore", IDS, RIGHT, A, LARGE), ("rank",), "--true ok"),
    "the systems with ids in common": (
        table(model=["w"] * N + ["x"] * N + ["y"] * N + ["z"] * N,
              id=IDS * 2 + [f"other-{i}" for i in IDS] * 2, score=A + B + C + A), ("compare",),
        "--system w --system x"),
    "a metric chosen of a long table": (
        table(id=IDS * 4, system=(["x"] * N + ["y"] * N) * 2,
              metric=["bleu"] * 2 * N + ["ter"] * 2 * N, value=A + B + C + A),
        ("compare", "--metric", "ter"), "--drop-row bleu --lower-is-better"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSING)
def test_the_command_that_reads_it_is_printed(name):
    files, (verb, *options), part = MISSING[name]
    names = files_of(files)
    assert part in refused(verb, *names, *options).partition("\n")[2]
    assert followed(verb, *names, *options, most=4)


def test_classifiers_by_data_set():
    output = run("datasets", *files_of(CLASSIFIERS), "--score-column", "accuracy")
    assert "20 data sets" in output


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
    "a comment before the header": ("# made by x\n" + table(id=IDS, x=A, y=B), "'# made by x'"),
    "a table of LaTeX": (
        table(id=IDS, x=[f"${x}_{{\\pm 0.1}}$" for x in A], y=[f"\\textbf{{{y}}}" for y in B]),
        f"'${A[0]}_"),
    "a run of TREC": ({"a.run": run_file(3), "b.run": run_file(5)}, "trec_eval"),
    "a separator for Excel": ("sep=;\nid;x;y\nq1;0.5;1\nq2;1;0.2\n", "'sep=;'"),
    "one cell of control characters": ('"\x01\x1f\x02"\n', "no rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_messages_say_what_was_found(name):
    files, text = SAID[name]
    assert text in refused("compare", *files_of(files))


def test_a_refused_file_is_described_by_its_columns():
    """Also by those that were passed over."""
    (path,) = files_of({"a.jsonl": f"{json.dumps({**RECORD, 'label': 'yes'})}\n" * 2})
    output = run("describe", path, status=2)
    assert {"judge_name", "judgments", "lists"} <= {*output.split()}
