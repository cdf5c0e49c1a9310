"""Samples of lm-evaluation-harness: folders, metrics, filters, tasks, and what is refused."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from commands import followed, record, refused, run, words, write
from written import read_samples, refusal

import csig
from csig.base.errors import InputError, Refusal
from csig.comparing.signature import parse
from csig.readers.forms import form_of
from csig.readers.request import Request

MAY, JUNE = "2024-05-01T10-00-00.123456", "2024-06-01T10-00-00.123456"


def sample(doc, score=1.0, **more):
    return {"doc_id": doc, "doc_hash": f"h{doc}", "acc": score, "target": "x", **more}


def filtered(doc, **filters):
    return [
        {"doc_id": doc, "doc_hash": f"h{doc}", "filter": name, "metrics": ["em"], "em": score}
        for name, score in filters.items()
    ]


def task(folder, name, *rows, time=MAY):
    """A file of the harness: rows are samples, or the scores of documents 0, 1, ..."""
    samples = [row if isinstance(row, dict) else sample(i, row) for i, row in enumerate(rows)]
    return write(f"{folder}/samples_{name}_{time}.jsonl", *map(json.dumps, samples))


# ---- which files ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("files", "given", "names"), [
    ("base/m new/m", "base new", "base new"), ("base new", "base new", "base new"),
    ("runs/1/m runs/2/m", "runs/1 runs/2", "1 2"), ("base/x new/y", "base new", "base new"),
    ("all/x all/y all/z", "all", "x y z"), ("all/x", "all", "all"),
    ("base/m new/m", "base/m/*arc* new/m/*arc*", "base new"),
    ("base new", "base new/*arc*", "base new"),
])  # fmt: skip
def test_folders_are_systems(files, given, names):
    for i, folder in enumerate(files.split()):
        task(folder, "arc", 1, i / 2, 0)
        write(f"{folder}/results_{MAY}.json", '{"results": {"arc": {"acc,none": 0.5}}}')
    found = [str(p) for own in given.split() for p in (Path().glob(own) if "*" in own else [own])]
    table = read_samples(found)
    assert list(table.systems) == names.split()
    assert [scores.tolist() for scores in table.systems.values()] == [
        [1, i / 2, 0] for i in range(len(names.split()))
    ]
    assert form_of(Request(tuple(found))) == "lm-eval"


def test_files_of_one_folder_are_systems():
    for time in (MAY, JUNE):
        task("m", "arc", 1, 0, time=time)
    names = list(read_samples(sorted(map(str, Path("m").glob("*")))).systems)
    assert names == [f"samples_arc_{time}" for time in (MAY, JUNE)]
    for folder in ("base", "new"):  # and packed ones are read
        file = Path(task(folder, "arc", 1, 0))
        file.with_suffix(".jsonl.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert read_samples(["base", "new"]).ids == [0, 1]
    alone = [write(f"{n}.jsonl", json.dumps({"doc_id": 0, "acc": 1})) for n in "ab"]
    assert "csig assumes that the documents agree" in read_samples(alone).notes[0]


@pytest.fixture
def _tasks():
    for folder, names in (("a", "arc boolq"), ("b", "arc"), ("two/x", "arc"), ("two/y", "arc")):
        for name in names.split():
            task(folder, name, 1)
    task("twice/m", "arc", 1)
    task("twice/m", "arc", 1, time=JUNE)
    Path("empty").mkdir()


@pytest.mark.parametrize(("paths", "options", "message"), [
    ("twice b", {}, f"twice: found 2 runs of the task 'arc': twice/m/samples_arc_{MAY}.jsonl, "
     f"twice/m/samples_arc_{JUNE}.jsonl; b has 1, expected the same runs everywhere; give the "
     "files by name"),
    ("a b", {}, "b has no samples of 'boolq', which a has; expected the same tasks for "),
    ("two a", {}, "two: found samples of 2 models, in two/x, two/y; give the folder of one"),
    ("empty a", {}, "empty: found a folder without samples_*.jsonl, expected samples"),
    ("a a", {}, "a: given twice, expected a folder for each system"),
    (f"a/samples_arc_{MAY}.jsonl a/samples_boolq_{MAY}.jsonl", {},
     f"a/samples_arc_{MAY}.jsonl: files in one folder are systems, but these are of 2 tasks"),
    ("a b", {"systems": ["a", "z"]}, "no system 'z'; there are 'a', 'b'"),
])  # fmt: skip
@pytest.mark.usefixtures("_tasks")
def test_what_does_not_fit_together(paths, options, message):
    assert refusal(read_samples, paths.split(), **options).startswith(message)


@pytest.mark.usefixtures("_tasks")
def test_what_is_read_all_the_same():
    with pytest.raises(Refusal) as caught:
        read_samples(["a", "b"])
    assert caught.value.remedies[0].options == ("--allow-missing", "intersection")
    table = read_samples(["a", "b"], allow_missing=True)
    assert table.notes == ("Tasks that not every system has were left out: boolq.",)
    assert list(read_samples(["two"], systems=["y", "x"]).systems) == ["y", "x"]
    june = Path(f"twice/m/samples_arc_{JUNE}.jsonl")
    assert list(read_samples([june, *Path("b").glob("*")]).systems) == ["m", "b"]


@pytest.mark.parametrize("metric", ["pass@2", "pass^3", "majority", "plurality"])
def test_runs_are_answers(metric):
    rng = np.random.default_rng(5)
    said = rng.choice(["42", "41", "7", "[invalid]"], (2, 24, 3), p=[0.5, 0.2, 0.2, 0.1])
    said[0] = np.where(rng.random((24, 3)) < 0.4, "7", said[0])
    for name, of_system in zip(("base", "new"), said, strict=True):
        for j, texts in enumerate(of_system.T.tolist()):
            rows = [sample(i, float(t == "42"), filter="none", filtered_resps=[f"{t} "])
                    for i, t in enumerate(texts)]  # fmt: skip
            task(name, "gsm", *rows, time=f"2024-05-0{j + 1}T10-00-00.1")
    answers = [[[(t, int(t == "42")) for t in own] for own in rows] for rows in said.tolist()]
    if metric != "plurality":
        answers = [[[x for _, x in own] for own in rows] for rows in answers]
    expected = csig.Comparison.from_answers(*reversed(answers), metric)
    found = csig.compare("base", "new", metric=[metric, "acc"])
    assert list(found) == [metric]
    own = found[metric]
    assert own.pvalue == csig.randomization_test(expected, "mean").pvalue
    assert (own.score, own.baseline_score) == expected.scores("mean")
    assert f"{metric.capitalize()} " in run("compare", "base", "new", "-m", metric)


def test_answers_without_a_text_have_no_plurality():
    for name in ("base", "new"):
        for time in (MAY, JUNE):
            task(name, "arc", 1, 0, 1, time=time)
    assert refusal(csig.compare, "base", "new", metric="plurality").startswith(
        "metric='plurality' needs the text of every answer: name its column with answer_column="
    )


def test_files_of_one_task_are_runs():
    scores = {"base": ([1, 0, 0, 1], [1, 1, 0, 0]), "new": ([1, 1, 1, 1], [0, 1, 1, 1])}
    for folder, of_runs in scores.items():
        for time, own in zip((JUNE, MAY), of_runs, strict=True):
            for name in ("arc", "boolq"):
                task(folder, name, *own, time=time)
    table = read_samples(["base", "new"])
    assert (table.runs, table.run_column, table.tasks) == (
        ("1", "2"), "run", ["arc"] * 4 + ["boolq"] * 4,
    )  # fmt: skip
    by_time = {name: np.tile(np.transpose(own[::-1]), (2, 1)) for name, own in scores.items()}
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        name: own.tolist() for name, own in by_time.items()
    }
    found = csig.compare("base", "new")["acc"]
    means = [np.mean(own) for own in scores.values()]
    assert (found.difference, found.over_tasks) == (means[1] - means[0], None)
    assert (found.interval.n_runs, found.test.n_units) == (2, 8)
    for folder in scores:  # several metrics, of which one is for one task only
        for time in (MAY, JUNE):
            task(folder, "arc", *(sample(d, d % 2, f1=0.5) for d in range(4)), time=time)
    only = read_samples(["base", "new"]).of_metric("f1")
    assert (only.systems["new"].shape, set(only.tasks)) == ((4, 2), {"arc"})


# ---- which metrics -------------------------------------------------------------------------------
LISTS = {"metrics": ["acc", "bleu", "bypass"], "bleu": ["x", "y"], "bypass": None}
TWO = [sample(0, acc_norm=0), sample(1, acc_norm=1)]


@pytest.mark.parametrize(("rows", "options", "columns", "note"), [
    (TWO, {}, "acc acc_norm", ""),
    (TWO, {"metric": ["acc_norm"]}, "acc_norm", ""),
    (filtered(0, strict=1, flexible=0), {}, "em (strict) | em (flexible)", ""),
    (filtered(0, strict=1, flexible=0), {"filter": "flexible"}, "em (flexible)", ""),
    (filtered(0, strict=1, none=0), {"metric": ["em (strict)"]}, "em (strict)", ""),
    (filtered(0, strict=1), {}, "em", ""),
    ([sample(0, **LISTS)], {}, "acc",
     "a.jsonl line 1: bleu is a list of 2; a.jsonl line 1: bypass is None."),
    ([sample(0, em=1), sample(1)], {}, "acc", "a.jsonl: em is not in 1 of 2 documents."),
    ([sample(0, em=float("inf"))], {}, "acc", "a.jsonl line 1: em is inf."),
    ([sample(0, question="why?", choices={"a": 1})], {}, "acc", ""),
    ([{"doc_id": 0, "prompt_0": "x", "logit_0": -1.5, "truth": 2, "acc": 1}], {}, "acc", ""),
])  # fmt: skip
def test_all_metrics_are_read_and_others_are_named(rows, options, columns, note):
    paths = [write(f"{name}.jsonl", *map(json.dumps, rows)) for name in "ab"]
    table = read_samples(paths, **options)
    assert list(table.columns) == columns.split(" | " if "(" in columns else None)
    said = [own for own in table.notes if own.startswith("Not tested")]
    assert said == [f"Not tested, for lack of a number per document: {note}"] * bool(note)


def test_metrics_of_some_tasks_are_tested_there():
    for i, folder in enumerate(("base", "new")):
        task(folder, "arc", *(sample(d, d % 2, acc_norm=1) for d in range(3)))
        task(folder, "gsm8k", *(row for d in range(4) for row in filtered(d, strict=i, flex=d % 2)))
    table = read_samples(["base", "new"])
    assert table.columns == ("acc", "acc_norm", "em (strict)", "em (flex)")
    assert table.tasks == ["arc"] * 3 + ["gsm8k"] * 4
    only = table.of_metric("em (strict)")
    assert (only.n_units, set(only.tasks), only.systems["new"].tolist()) == (4, {"gsm8k"}, [1] * 4)
    with pytest.warns(csig.DataWarning, match="With 4 documents"):
        found = csig.compare("base", "new", metric="em")
    units = {name: own.test.n_units for name, own in found.items()}
    assert units == {"em (strict)": 4, "em (flex)": 0}
    assert found["em (strict)"].over_tasks is None
    own = csig.Metric("own", ("correct", "items"), numerator=(1, 0), denominator=(0, 1))
    with pytest.raises(InputError, match="found several metrics, 'acc', 'acc_norm'"):
        csig.compare("base", "new", metric=own)
    task("new", "arc", *(sample(d, d % 2) for d in range(3)))
    assert "new/samples_arc" in read_samples(["base", "new"]).notes[0]


@pytest.mark.parametrize(("metric", "scores", "greater"), [
    ("acc", (0.5, 1.5), True), ("word_perplexity", (3.5, 2.5), False),
    ("brier_score", (0.5, 0.2), False),
    ("perplexity", (0.9, 0.5), False),
    ("perplexity", (-3.5, -2.5), True),  # log-likelihoods, as the harness logs them
    ("mc_loss", (1.5, 0.5), False),  # by the words of directions
])  # fmt: skip
def test_directions_of_metrics(metric, scores, greater):
    for name, score in zip(("one", "two"), scores, strict=True):
        rows = [{"doc_id": i, "doc_hash": str(i), metric: score - i / 100} for i in range(9)]
        write(f"{name}.jsonl", *map(json.dumps, rows))
    found = csig.compare("one.jsonl", "two.jsonl")[metric]
    assert (found.test.greater_is_better, found.better) == (greater, "two")
    notes = " ".join(read_samples(["one.jsonl", "two.jsonl"]).notes)
    assert ("log-likelihoods" in notes) == (scores[0] < 0)


# ---- documents -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("row", "expected"), [
    (sample(0), True), ({"doc_id": 0, "acc": 1}, True),
    ({"doc_id": "q", "doc": {}, "resps": []}, True),
    ({"doc_id": 0, "metrics": ["x"], "x": [1]}, True),
    ({"doc_id": 0, "filter": "none"}, True), ({"doc_id": 0}, False),
    ({"doc_id": 0, "start": 1, "end": 2}, False),
    ({"doc_id": 0, "system": "x", "score": 1}, False),
    ({"id": 0, "acc": 1}, False), ([], False),
])  # fmt: skip
def test_what_is_a_sample(row, expected):
    files = write("x.jsonl", json.dumps(row)), write("y.jsonl", json.dumps(row))
    assert (form_of(Request(files)) == "lm-eval") == expected


# ---- tasks ---------------------------------------------------------------------------------------
def two_systems(**tasks):
    """Folders base and new: of each task how many documents, and how many only one has right."""
    for i, folder in enumerate(("base", "new")):
        for name, (n, only_base, only_new) in tasks.items():
            first = [1 - i] * only_base + [i] * only_new
            task(folder, name, *first, *[1] * (n - len(first)))
    return "base", "new"


def test_documents_are_swapped_and_the_mean_over_tasks_is_tested_beside():
    paths = two_systems(arc=(700, 20, 60), boolq=(100, 8, 3))
    found = csig.compare(*paths)["acc"]
    assert (found.test.unit, found.test.n_units, found.by_unit) == ("document", 91, {})
    assert found.difference == pytest.approx(35 / 800)
    over = found.over_tasks
    assert over.statistic == pytest.approx((40 / 700 - 5 / 100) / 2)
    assert (over.method, over.metric) == ("exact", "acc (mean over tasks)")
    text = words("compare", *paths)
    assert text.startswith(
        "new beats base on acc by 4.38 points; no evidence either way on acc (mean over tasks)"
    )
    assert "The mean over tasks counts each of the 2 tasks alike." in text
    own = record("compare", *paths)
    (result,) = own["results"]
    assert result["metric"] == "acc"
    assert (result["over_tasks"]["pvalue"], result["over_tasks"]["n_tasks"]) == (over.pvalue, 2)
    assert parse(own["signature"])["tasks"] == ("2", "exact")
    rows = run("compare", *paths, "-f", "csv").splitlines()
    assert [line.split(",")[0] for line in rows[1:3]] == ["acc", "acc (mean over tasks)"]


def test_a_mean_over_tasks_that_agrees_is_a_note():
    paths = two_systems(arc=(70, 5, 25), boolq=(30, 1, 9))
    text = words("compare", *paths, "--explain")
    assert text.startswith("new beats base on acc by 28.00 points. ")
    assert "The mean over the 2 tasks, each counted alike, gives the same verdict (p = " in text
    assert "Each of the 2 tasks counts alike here" in text
    assert "(mean over tasks)" not in words("compare", *paths)
    two_systems(arc=(50, 5, 25), boolq=(50, 1, 9))
    found = csig.compare(*paths, method="approximate", rng=1, n_resamples=999)["acc"]
    assert found.over_tasks.n_hits == found.test.n_hits  # tasks of one size: the same mean


def test_whole_tasks_are_swapped_where_somebody_asks():
    paths, option = two_systems(arc=(700, 20, 60), boolq=(100, 8, 3)), ("--unit", "cluster")
    text = words("compare", *paths, "--cluster", "task")
    assert text == words("compare", *paths, *option).replace("--unit cluster", "--cluster task")
    assert (
        "Two tasks cannot tell; over 800 documents new beats base on acc by 4.38 points. " in text
    )
    assert "Exact test swapping all 2 tasks." in text
    alone = words("compare", *paths, *option, "--no-sensitivity")
    assert "Two tasks cannot tell at 0.05: no p-value below 0.5 is possible. " in alone
    over = record("compare", *paths, *option)["results"][0]["over_tasks"]
    assert over["pvalue"] in (0.5, 1)


def test_tasks_as_parts_and_as_data_sets():
    paths = two_systems(arc=(70, 2, 25), boolq=(40, 8, 3))
    said = "By task, on acc: new beats base in arc; no evidence either way in the other task"
    assert said in words("compare", *paths, "--by", "task")
    assert "110 documents in 2 data sets" in words("datasets", *paths, "--dataset", "task")
    assert "only their tasks: --cluster task" in refused("compare", *paths, "--cluster", "x")
    one = (f"{own}/samples_arc_{MAY}.jsonl" for own in paths)
    assert "found the samples of one task only" in refused("compare", *one, "--cluster", "task")
    run("convert", *paths, "--output", "t.csv")
    written = Path("t.csv").read_text().splitlines()[:2]
    assert written == ["document,cluster,metric,score_base,score_new", "0,arc,acc,1,0"]


@pytest.mark.parametrize("also", [{}, {"f1": 0.5}])
@pytest.mark.parametrize("command", ["describe", "recommend", "interval", "systems", "convert"])
def test_every_command_reads_folders_or_prints_one_that_does(command, also):
    for i, folder in enumerate(("base", "new")):
        task(folder, "arc", *(sample(d, (d + i) % 3 > 0, **also) for d in range(30)))
        task(folder, "boolq", *(sample(d, (d + i) % 4 > 0) for d in range(20)))
    words = (command, "base", "new", *(("--output", "t.csv") * (command == "convert")))
    one = also and command in ("recommend", "systems", "convert")
    if one:
        assert "csig: found several metrics, 'acc', 'f1', expected one\n" in refused(*words)
    else:
        run(*words)
    assert followed(*words) == (2 if one else 1)
    assert len(record("describe", "base", "new")["units"]) == 2
    assert "describe base\n" in run("describe", "base")[-15:]


def test_real_samples(shared_data):
    path = next(shared_data("llm_logs").glob("samples_*.jsonl"))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    write(f"base/{path.name}", *map(json.dumps, rows))
    write(f"new/{path.name}", *(json.dumps(row | {"exact_match": 1.0}) for row in rows))
    found = csig.compare("base", "new")
    assert (list(found), found["exact_match"].test.n_units) == (["exact_match"], 10)
    assert found["exact_match"].pvalue == 2**-9
    rows[3]["doc_hash"] = "another"
    write(f"new/{path.name}", *map(json.dumps, rows))
    with pytest.raises(InputError, match="1 of 10 documents differ"):
        csig.compare("base", "new")
