"""HELM, lighteval and every-eval-ever: what is read of their files, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import followed, refused, run, said_beside, words, write
from written import refusal

import csig
from csig.base.errors import InputError, Refusal
from csig.readers.forms import form_of, read
from csig.readers.request import Request
from csig.readers.samples import Place

RIGHT = {"base": [1, 0, 0, 1, 0, 1], "new": [1, 1, 1, 1, 0, 0]}
TIME = "2025-11-05T14-43-47.148527"


def stat(name, mean=None, **more):
    counted = {"count": 0} if mean is None else {"count": 1, "sum": mean, "mean": mean}
    return {"name": {"name": name, "split": "test"}} | counted | more


def instance(i, em, *stats, trial=0, perturbation=None):
    found = {"instance_id": f"id{i}", "train_trial_index": trial}
    found |= {"perturbation": {"name": perturbation, "robustness": True}} if perturbation else {}
    return found | {"stats": [stat("num_references", 4), stat("exact_match", em), *stats]}


def helm(run_name, rows):
    """A run of HELM in a folder of this name."""
    return write(f"{run_name}/per_instance_stats.json", json.dumps(rows, indent=1))


def sample(i, score, model="m", name="bench", **more):
    return {
        "schema_version": "0.3.0", "model_id": model, "evaluation_name": name, "sample_id": f"s{i}",
        "sample_hash": f"h{i}", "evaluation": {"score": score, "is_correct": score > 0.5},
    } | more  # fmt: skip


def eee(path, rows):
    return write(path, *map(json.dumps, rows))


def details(path, rows, **columns):
    """A file as lighteval's own code has pyarrow write one."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, **columns)
    parquet.write_table(table, path)
    return path


def detail(i, query="", **metric):
    """A row of today's lighteval."""
    doc = {"query": query or f"Question {i}?", "choices": ["A", "B"], "gold_index": 0, "id": str(i)}
    response = {"text": ["A"], "logprobs": [], "output_tokens": [[1, 2]]}
    return {"doc": doc | {"specific": None}, "metric": metric, "model_response": response}


def table(*files, metric=(), **options):
    return read(Request(tuple(map(str, files)), **options), metric).table


def two(make):
    """Files of two systems, whose samples are right as RIGHT says."""
    return [make(name, scores) for name, scores in RIGHT.items()]


FORMS = {
    "helm": lambda name, scores: helm(
        f"mmlu:subject=law,model={name}", [instance(i, own) for i, own in enumerate(scores)]
    ),
    "lighteval": lambda name, scores: details(
        f"details/{name}/{TIME}/details_mmlu:law|5_{TIME}.parquet",
        [detail(i, exact_match=own) for i, own in enumerate(scores)],
    ),
    "every-eval-ever": lambda name, scores: eee(
        f"{name}/1_samples.jsonl", [sample(i, own, f"x/{name}") for i, own in enumerate(scores)]
    ),
}


# ---- every form ----------------------------------------------------------------------------------
@pytest.mark.parametrize("form", FORMS)
def test_the_same_answers_give_the_same_p(form):
    files = two(FORMS[form])
    assert form_of(Request(tuple(files))) == form
    with pytest.warns(csig.DataWarning, match="With 3 "):
        (found,) = csig.compare(*files).values()
    plain = csig.randomization_test(RIGHT["base"], RIGHT["new"])
    assert found.pvalue == plain.pvalue
    assert found.difference == float(Fraction(1, 6))
    noun = {"helm": "instances", "lighteval": "documents", "every-eval-ever": "samples"}[form]
    assert f"of 6 {noun}" in words("compare", *files)
    run("convert", *files, "--output", "t.csv")
    with pytest.warns(csig.DataWarning, match="With 3 "):
        (again,) = csig.compare(statistics="t.csv").values()
    assert again.pvalue == found.pvalue


@pytest.mark.parametrize("form", FORMS)
def test_folders_of_files_are_read(form):
    two(FORMS[form])
    folders = {"helm": ["."], "lighteval": ["details"], "every-eval-ever": ["base", "new"]}[form]
    assert form_of(Request(tuple(folders))) == form
    assert [own.tolist() for own in table(*folders).systems.values()] == list(RIGHT.values())


@pytest.mark.parametrize("form", FORMS)
def test_other_samples_are_refused_and_left_out_where_somebody_asks(form):
    first = FORMS[form]("base", RIGHT["base"])
    second = FORMS[form]("new", RIGHT["new"][:4])
    said = refused("compare", first, second)
    assert "new lacks 2 ids that" in said
    assert "--allow-missing intersection  # compares only the 4 ids that both have" in said
    assert followed("compare", first, second) == 1
    beside = said_beside("compare", first, second, "--allow-missing", "intersection")
    assert "2 of 6 items are left out: " in beside["cautions"][0]
    assert "new alone lacks 2" in beside["cautions"][0]


@pytest.mark.parametrize("form", FORMS)
def test_many_samples_take_time_in_proportion(form, monkeypatch):
    """To find the line of a record all before it are looked at: for messages only."""

    def count(place):
        raise AssertionError("a line was counted")

    monkeypatch.setattr(Place, "__str__", count)
    scores = {name: own * 200 for name, own in RIGHT.items()}
    found = table(*(FORMS[form](name, own) for name, own in scores.items()))
    assert [own.tolist() for own in found.systems.values()] == list(scores.values())


# ---- HELM ----------------------------------------------------------------------------------------
def test_perturbed_instances_are_left_out_or_chosen():
    rows = {
        name: [
            instance(i, own if kind is None else 1 - own, perturbation=kind)
            for kind in (None, "typos", "gender")
            for i, own in enumerate(scores)
        ]
        for name, scores in RIGHT.items()
    }
    files = [helm(f"mmlu:model={name}", own) for name, own in rows.items()]
    found = table(*files)
    assert [own.tolist() for own in found.systems.values()] == list(RIGHT.values())
    said = (
        "Perturbed instances are left out (typos 12, gender 12); --filter names those to compare."
    )
    assert said in said_beside("compare", *files)["notes"]
    typos = table(*files, filter="typos")
    assert typos.systems["new"].tolist() == [1 - own for own in RIGHT["new"]]
    lacking = refused("compare", *files, "--filter", "space")
    assert "no instances with 'space' as perturbation, only with 'typos', 'gender'" in lacking
    assert followed("compare", *files, "--filter", "space") == 2
    only = helm("x:model=a", [instance(0, 1, perturbation="typos")])
    assert "no instances without perturbation, only with 'typos'" in refused("compare", only)


def test_train_trials_are_runs():
    trials = {"base": ([1, 0, 0] * 4, [1, 1, 0] * 4), "new": ([1, 1, 1] * 4, [0, 1, 1] * 4)}
    files = []
    for name, runs in trials.items():
        rows = [
            instance(i, own, trial=t) for t, run in enumerate(runs) for i, own in enumerate(run)
        ]
        files.append(helm(f"mmlu:model={name}", rows))
    found = table(*files)
    assert (found.runs, found.run_column) == (("0", "1"), "train_trial_index")
    assert {name: own.T.tolist() for name, own in found.systems.items()} == {
        name: [*map(list, runs)] for name, runs in trials.items()
    }
    a, b = (list(map(list, runs)) for runs in trials.values())
    comparison = csig.Comparison.from_scores(b, a, id=range(12))
    result = csig.compare(*files)["exact_match"]
    assert result.pvalue == csig.randomization_test(comparison, "mean").pvalue
    assert result.interval.n_runs == 2
    assert "--paired-runs" not in refused("convert", *files, "--output", "t.csv")
    helm("mmlu:model=new", rows[:12])
    assert refusal(table, *files).endswith(
        "found 2 runs of the task 'mmlu': mmlu:model=base/per_instance_stats.json; new has 1, "
        "expected the same runs everywhere; give the files by name"
    )


def test_instances_that_some_trial_lacks():
    files = []
    for name, lacks in {"a": {(1, 3)}, "b": {(1, 3), (0, 5), (1, 5)}}.items():
        every = [(t, i) for t in (0, 1) for i in range(20) if (t, i) not in lacks]
        helm(f"q:model={name}", [instance(i, (i + t) % 2, trial=t) for t, i in every])
        files.append(f"q:model={name}")
    assert "b lacks 1 id that a has: 'id5'" in refusal(table, *files)
    found = table(*files, allow_missing="intersection")
    assert found.n_units == 18
    assert found.cautions[0] == "2 of 20 items are left out: b lacks 2, a lacks 1."


def test_stats_by_name_and_those_that_are_missing():
    rows = [
        instance(0, 1, stat("f1_score", 0.5), stat("max_prob"), stat("inference_runtime", 2.5)),
        instance(1, 0, stat("f1_score", 0.25), stat("max_prob", 0.5), stat("inference_runtime", 1)),
    ]
    files = [helm(f"qa:model={name}", rows) for name in "ab"]
    assert table(*files).columns == ("exact_match", "f1_score")
    notes = said_beside("compare", *files)["notes"]
    said = "No metrics unless --metric names them: num_references, max_prob, inference_runtime."
    assert said in notes
    assert table(*files, metric=["num_references"]).systems["a"].tolist() == [4, 4]
    assert "max_prob is not in 1 of 2 instances" in refusal(table, *files, metric=["max_prob"])
    assert "no metric 'em'; there are " in refusal(table, *files, metric=["em"])
    slower = refused("compare", *files, "-m", "inference_runtime")
    assert "nothing says whether lower or higher is better" in slower
    assert followed("compare", *files, "-m", "inference_runtime") == 2


def test_records_of_one_instance_by_several_metrics_are_one():
    rows = [instance(0, 1), {**instance(0, 1), "stats": [stat("rouge_l", 0.5)]}]
    files = [helm(f"qa:model={name}", rows) for name in "ab"]
    assert (table(*files).n_units, table(*files).columns) == (1, ("exact_match", "rouge_l"))
    files = [helm(f"qa:model={name}", rows + rows[:1]) for name in "ab"]
    assert "record 3: found 'exact_match' of 'id0' again" in refusal(table, *files)


@pytest.mark.parametrize(("runs", "systems", "tasks"), [
    ("mmlu:subject=a,model=x mmlu:subject=b,model=x mmlu:subject=a,model=y mmlu:subject=b,model=y",
     "x y", "mmlu:subject=a mmlu:subject=b"),
    ("mmlu-method=j,model=x mmlu-method=j,model=y,model_deployment=z", "x y", ""),
    ("v1/qa:model=x v2/qa:model=x", "v1/qa:model=x/per_instance_stats v2/qa:model=x/"
     "per_instance_stats", ""),
    ("one two", "one/per_instance_stats two/per_instance_stats", ""),
])  # fmt: skip
def test_runs_of_one_model_are_its_tasks(runs, systems, tasks):
    files = [helm(name, [instance(0, 1), instance(1, 0)]) for name in runs.split()]
    found = table(*files)
    assert list(found.systems) == systems.split()
    assert list(dict.fromkeys(found.tasks or ())) == tasks.split()


def test_real_statistics_of_helm(shared_data):
    """Two tasks have no instance in common; of one, means are HELM's."""
    folder = shared_data("llm_logs")
    hellaswag, mmlu = sorted(map(str, folder.glob("helm_*.json")))
    assert "they have no id in common" in refused("compare", hellaswag, mmlu)
    rows = json.loads(Path(mmlu).read_text())
    own = [{s["name"]["name"]: s for s in row["stats"]} for row in rows]
    flipped = json.loads(json.dumps(rows))
    for row in flipped[:3]:
        for counted in row["stats"]:
            if counted["name"]["name"] == "exact_match":
                counted["mean"] = 1 - counted["mean"]
    files = [helm("mmlu:model=gpt2", rows), helm("mmlu:model=new", flipped)]
    with pytest.warns(csig.DataWarning, match="With 3 instances"):
        found = csig.compare(*files, metric="exact_match")["exact_match"]
    means = [row["exact_match"]["mean"] for row in own]
    assert found.difference == pytest.approx(sum(1 - 2 * mean for mean in means[:3]) / len(means))
    assert table(*files, metric=["exact_match"]).systems["gpt2"].tolist() == means


# ---- lighteval -----------------------------------------------------------------------------------
def old(i, **metrics):
    """A row of lighteval before documents had ids."""
    return {"example": f"Question {i}?", "full_prompt": f"Few shots. Question {i}?", "gold": ["A"],
            "metrics": metrics, "predictions": ["A"], "specifics": None}  # fmt: skip


def test_old_and_new_columns():
    rows = [detail(i, acc=own, pred={"a": own / 2}) for i, own in enumerate(RIGHT["base"])]
    path = details(f"a/details_t|0_{TIME}.parquet", rows)
    other = details(f"b/details_t|0_{TIME}.parquet", rows[::-1])
    found = table(path, other)
    assert (list(found.systems), found.columns) == (["a", "b"], ("acc", "pred.a"))
    assert found.ids == list("012345")
    assert np.array_equal(found.systems["a"], found.systems["b"])
    rows = [old(i, acc=own) for i, own in enumerate(RIGHT["base"])]
    files = [details(f"{name}/details_t|0_{TIME}.parquet", rows) for name in "ab"]
    assert form_of(Request(tuple(files))) == "lighteval"
    assert table(*files).systems["a"].tolist() == RIGHT["base"]
    details(files[1], rows[::-1])
    assert "6 of 6 documents differ from those of" in refusal(table, *files)
    details(files[1], [{**row, "metrics": row["metrics"] | {"l": [1.0]}} for row in rows])
    assert "Not tested, for lack of a number per document: " in table(*files).notes[0]


def test_a_document_has_a_row_for_each_way_to_ask():
    generated = [detail(i, em=own) for i, own in enumerate(RIGHT["base"])]
    by_probability = [detail(i, acc=1 - own) for i, own in enumerate(RIGHT["base"])]
    files = [f"{name}/details_t|0_{TIME}.parquet" for name in "ab"]
    for path in files:
        details(path, generated + by_probability)
    found = table(*files)
    assert (found.n_units, found.columns) == (6, ("em", "acc"))
    assert found.of_metric("acc").systems["a"].tolist() == [1 - own for own in RIGHT["base"]]
    details(files[0], generated + generated[:1])
    assert "row 7: found em of the id '0' again" in refusal(table, *files)
    details(files[0], [*generated, detail(0, "Another?", em=1)])
    assert "row 7: found the id '0' again, of another text" in refusal(table, *files)


def test_times_are_runs_and_files_of_one_folder_systems():
    for model, runs in {"a": ([1, 0], [0, 0]), "b": ([1, 1], [0, 1])}.items():
        for day, scores in enumerate(runs, start=5):
            time = f"2025-11-0{day}T14-43-47.148527"
            rows = [detail(i, acc=own) for i, own in enumerate(scores)]
            details(f"details/org/{model}/{time}/details_t|0_{time}.parquet", rows)
    found = table("details/org/a", "details/org/b")
    assert (list(found.systems), found.runs) == (["a", "b"], ("1", "2"))
    assert found.systems["b"].tolist() == [[1, 0], [1, 1]]
    assert np.array_equal(table("details").systems["b"], found.systems["b"])
    files = sorted(map(str, Path("details/org/a").rglob("*.parquet")))
    assert len(table(*files).systems) == 2


def test_models_of_two_organizations_with_one_name_are_no_runs():
    for i, name in enumerate(("x/m", "y/m")):
        details(f"details/{name}/{TIME}/details_law_{TIME}.parquet",
                [detail(n, em=(n + i) % 2) for n in range(4)])  # fmt: skip
    found = table("details")
    assert {name: own.tolist() for name, own in found.systems.items()} == {
        "x/m": [0, 1, 0, 1], "y/m": [1, 0, 1, 0],
    }  # fmt: skip


def test_a_table_with_structs_is_no_details():
    pytest.importorskip("pyarrow")
    rows = [{"id": str(i), "a": 0.5, "b": i / 8, "doc": {"id": "x"}} for i in range(4)]
    path = details("t.parquet", rows)
    assert form_of(Request((path,))) == "table"
    assert "found no column 'metric" in refusal(table, path, path, format="lighteval")


# ---- every-eval-ever -----------------------------------------------------------------------------
def test_models_and_evaluations_of_one_file():
    rows = [
        sample(i, own / 2, model, name)
        for name in ("arc", "boolq")
        for model, scores in RIGHT.items()
        for i, own in enumerate(scores)
    ]
    path = eee("all_samples.jsonl", rows)
    found = table(path)
    assert (list(found.systems), found.columns) == (["base", "new"], ("score",))
    assert found.tasks == ["arc"] * 6 + ["boolq"] * 6
    assert table(path, metric=["is_correct"]).systems["new"].tolist() == [0] * 12
    eee("all_samples.jsonl", [row for row in rows if row["model_id"] == "base" or row["sample_id"]
                              != "s0" or row["evaluation_name"] == "arc"])  # fmt: skip
    assert "new lacks 1 id that base has" in refusal(table, path)


def test_ids_twice_and_hashes_that_differ():
    rows = [sample(i, own, "x") for i, own in enumerate(RIGHT["base"])]
    other = [row | {"model_id": "y"} for row in rows]
    files = [eee("x_samples.jsonl", rows), eee("y_samples.jsonl", other)]
    assert table(*files).n_units == 6
    eee(files[1], [*other[:2], *(row | {"sample_hash": "z"} for row in other[2:])])
    assert refusal(table, *files) == (
        "y_samples.jsonl: 4 of 6 samples differ from those of x_samples.jsonl with the same "
        "sample_id: 's2', 's3', 's4', 's5'"
    )
    eee(files[1], [row | {"sample_hash": None} for row in other])
    assert table(*files).notes[0].startswith("Not all samples have sample_hash")
    eee(files[1], other + other[:1])
    assert "found the sample_id 's0' on line 1 and again on line 7" in refusal(table, *files)


def test_epochs_are_runs():
    """As the converter of Inspect's logs writes them: every epoch of a sample with one id."""
    answers = {"x": [[1, 0], [0, 0], [1, 1], [0, 0]] * 5, "y": [[1, 1], [1, 0], [1, 1], [0, 1]] * 5}
    files = [
        eee(f"{model}_samples.jsonl", [
            sample(i, own[epoch], model, metadata={"stop_reason": "", "epoch": str(epoch + 1)})
            for epoch in (0, 1) for i, own in enumerate(rows)
        ])
        for model, rows in answers.items()
    ]  # fmt: skip
    found = table(*files)
    assert (found.runs, found.systems["x"].tolist()) == (("1", "2"), answers["x"])
    both = csig.compare(*files, metric="pass@2")["pass@2"]
    expected = csig.Comparison.from_answers(answers["y"], answers["x"], "pass@2")
    assert both.pvalue == csig.randomization_test(expected, "mean").pvalue
    one = json.loads(Path(files[0]).read_text().splitlines()[0])
    eee(files[0], [one, one])
    assert "found the sample_id 's0' on line 1 and again on line 2" in refusal(table, *files)


def test_several_results_of_a_sample():
    rows = {
        model: [
            sample(i, own / kind, model, evaluation_result_id=f"r{kind}")
            for kind in (1, 2)
            for i, own in enumerate(RIGHT["base"])
        ]
        for model in "xy"
    }
    files = [eee(f"{model}_samples.jsonl", own) for model, own in rows.items()]
    assert table(*files).columns == ("score (r1)", "score (r2)")
    assert table(*files, filter="r2").columns == ("score (r2)",)
    assert table(*files, metric=["score (r1)"]).systems["x"].tolist() == RIGHT["base"]


@pytest.mark.parametrize(("name", "less"), [("wer_libri", True), ("arc", False)])
def test_a_task_that_is_called_by_a_loss(name, less):
    rows = [sample(i, i / 8, model, name) for model in "xy" for i in range(6)]
    path = eee("all_samples.jsonl", rows)
    assert table(path).less_is_better == less
    assert not table(path, metric=["is_correct"]).less_is_better


def test_one_model_in_two_files():
    for i, folder in enumerate(("v1", "v2")):
        eee(f"{folder}/1_samples.jsonl", [sample(0, 1), sample(1, i)])
    found = table("v1/1_samples.jsonl", "v2/1_samples.jsonl")
    assert list(found.systems) == ["v1/1_samples", "v2/1_samples"]
    assert list(table("v1", "v2").systems) == ["v1", "v2"]
    eee("v1/2_samples.jsonl", [sample(0, 1)])
    assert "have the same evaluation of one model" in refusal(table, "v1", "v2")


def test_the_real_sample(shared_data):
    path = shared_data("llm_logs") / "every_eval_ever_samples.jsonl"
    assert "found one system only, 'demo-org/demo-model'" in refused("compare", path)
    own = json.loads(path.read_text())
    worse = own | {"model_id": "another", "evaluation": {"score": 0.0, "is_correct": False}}
    other = eee("another_samples.jsonl", [worse])
    with pytest.warns(csig.DataWarning, match="All the data are one sample"):
        found = csig.compare(path, other)["score"]
    assert (found.difference, found.pvalue) == (-1, 1)
    eee("another_samples.jsonl", [worse | {"sample_hash": "0"}])
    with pytest.raises(InputError, match="1 of 1 samples differ from those of"):
        csig.compare(path, other)


def test_hashes_that_differ_within_a_file():
    rows = [sample(0, 1, evaluation_result_id=r, sample_hash=r) for r in "pq"]
    assert "line 2: found 's0' again, with another sample_hash" in refusal(
        table, eee("a_samples.jsonl", rows)
    )


# ---- what would be read wrongly ------------------------------------------------------------------
@pytest.mark.parametrize("form", FORMS)
def test_percent_beside_shares_is_refused(form):
    first = FORMS[form]("base", RIGHT["base"])
    second = FORMS[form]("new", [100 * own for own in RIGHT["new"]])
    said = refused("compare", first, second)
    assert "new' goes up to 100, " in said
    assert "base' stays within 0 and 1: percent beside shares?" in said
    assert followed("compare", first, second) == 1


@pytest.mark.parametrize("row", [
    {"instance_id": 1, "stats": "x"}, {"doc_id": 1},
    {"model_id": "m", "evaluation_name": "x", "sample_id": 1, "evaluation": 0.5},
])  # fmt: skip
def test_tables_that_are_no_samples(row):
    path = write("t.jsonl", *(json.dumps(row | {"a": 0.5, "b": i / 4}) for i in range(4)))
    assert form_of(Request((path,))) == "table"


def test_a_folder_with_files_of_several_forms():
    Path("x").mkdir()
    write("x/samples_t_2025-01-01T00-00-00.jsonl", json.dumps({"doc_id": 0, "acc": 1}))
    eee("x/a_samples.jsonl", [sample(0, 1)])
    with pytest.raises(Refusal, match=r"a folder with 'samples of lm-eval.*every-eval-ever'") as it:
        form_of(Request(("x",)))
    assert [own.options[1] for own in it.value.remedies] == ["lm-eval", "every-eval-ever"]


def test_only_files_that_are_called_so_are_brats():
    for form, file in (("lm-eval", "samples_t_2025-01-01T00-00-00.jsonl"), ("spans", "d.ann.gz")):
        Path(form).mkdir()
        write(f"{form}/t.annotated.txt", "x")
        write(f"{form}/{file}", json.dumps({"doc_id": 0, "acc": 1}))
    assert [form_of(Request((form,))) for form in ("lm-eval", "spans")] == ["lm-eval", "spans"]


# ---- what is no such file ------------------------------------------------------------------------
BROKEN = [
    ("helm", '[{"instance_id": "a"}]', "expected an object with 'instance_id' and 'stats'"),
    ("helm", '[{"instance_id": "a", "stats": [{"name": "x"}]}]', "a statistic without a name"),
    ("helm", "[]", "no instances without perturbation"),
    ("helm", '[{"instance_id": null, "stats": []}]', "instance_id is None, expected a number or "),
    ("helm", '[{"instance_id": 1, "train_trial_index": 0.5, "stats": []}]', "no whole trial"),
    ("helm", '[{"instance_id": 1, "stats": []}]', "no metric, expected a finite number for every "),
    ("helm", json.dumps([instance(0, float("nan"))]), "exact_match is nan, expected a finite"),
    ("every-eval-ever", '{"sample_id": "a"}', "expected an object with 'model_id', "),
    ("every-eval-ever", "", "found an empty file, expected samples"),
    ("every-eval-ever", json.dumps(sample(0, 1, "")), "expected a text as model and evaluation"),
    ("every-eval-ever", json.dumps(sample(0, 1) | {"evaluation": {}}), "score is None, "),
    ("every-eval-ever", json.dumps(sample([], 1) | {"sample_id": []}), "sample_id is [], "),
    ("lighteval", "PAR1", "not a Parquet file that can be read"),
    ("lighteval", "x", "not a Parquet file that can be read"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "message"), BROKEN)
def test_what_is_broken(form, text, message):
    if form == "lighteval":
        pytest.importorskip("pyarrow")
    files = [write(f"{name}.json", text) for name in "ab"]
    assert message in refusal(table, *files, format=form)


def test_details_need_pyarrow(monkeypatch):
    import sys

    files = [write(f"{name}.parquet", "PAR1") for name in "ab"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "csig.readers.tables.parquet", raising=False)
    said = refusal(table, *files, format="lighteval")
    assert said.endswith("Parquet needs pyarrow: pip install 'csig-stats[parquet]'")


def test_tasks_that_not_every_model_has():
    for task, models in {"a": "xy", "b": "x"}.items():
        for model in models:
            helm(f"runs/mmlu:subject={task},model={model}", [instance(0, 1), instance(1, 0)])
    with pytest.raises(Refusal, match="y has no samples of 'mmlu:subject=b', which x has"):
        table("runs")
    assert table("runs", allow_missing="intersection").n_units == 2
