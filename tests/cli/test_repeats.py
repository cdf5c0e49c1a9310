"""Metrics of several answers to each question, from files to what is printed."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from commands import followed, record, refused, run, said_beside, words, write

import csig

RNG = np.random.default_rng(8)
EASY = RNG.beta(0.8, 0.8, 30)

#: Each system's answers; new has 3 to 8 of each, the others 6.
ANSWERS = {
    name: [(RNG.random(n) < min(p + more, 1)).astype(int).tolist()
           for p, n in zip(EASY, sizes, strict=True)]
    for name, more, sizes in (
        ("base", 0, [6] * 30), ("other", 0.1, [6] * 30), ("new", 0.15, RNG.integers(3, 9, 30)),
    )
}  # fmt: skip
RUN = ("--id", "task", "--run", "trial")
BOTH = ("base.csv", "new.csv", *RUN)


@pytest.fixture(autouse=True)
def _files(_folder):
    for name, answers in ANSWERS.items():
        lines = [f"t{i},{j},{x}" for i, own in enumerate(answers) for j, x in enumerate(own)]
        write(f"{name}.csv", "task,trial,reward", *lines)
    lines = [
        f"{name},t{i},{j},{x},{'hard' if i % 3 else 'easy'}"
        for name, answers in ANSWERS.items()
        for i, own in enumerate(answers)
        for j, x in enumerate(own)
    ]
    write("long.csv", "model,task,trial,score,kind", *lines)


def compared(metric, system="new"):
    ids = [f"t{i}" for i in range(30)]
    return csig.Comparison.from_answers(ANSWERS[system], ANSWERS["base"], metric, id=ids)


@pytest.mark.parametrize("files", [("base.csv", "new.csv"), ("long.csv", "--by", "kind")])
@pytest.mark.parametrize("metric", ["pass@2", "pass^3", "majority", "mean"])
def test_files_give_what_python_gives(files, metric):
    more = ("--system", "base", "--system", "new") if files[0] == "long.csv" else ()
    found = record("compare", *files, *more, *RUN, "-m", metric)
    (result,) = found["results"]
    comparison = compared(metric)
    sums = [str(comparison.sums(system)["score"]) for system in "ba"]
    assert [found["comparison"][name][0] for name in ("baseline_sums", "sums")] == sums
    assert result["metric"] == metric
    assert result["pvalue"] == csig.randomization_test(comparison, "mean").pvalue
    if more:
        by_part = {own["label"]: own for own in found["breakdown"]["parts"]}
        assert {name: own["n_total"] for name, own in by_part.items()} == {"easy": 10, "hard": 20}


def said(answers):
    """A text for each answer: the right one is the same for all, wrong ones are of four."""
    rng = np.random.default_rng(len(answers))
    return [[("42" if x else f"{rng.integers(4)}", x) for x in own] for own in answers]


SAID = {name: said(own) for name, own in ANSWERS.items()}


def plurality(system, base):
    return csig.Comparison.from_answers(SAID[system], SAID[base], "plurality")


@pytest.mark.parametrize(("one", "other"), [("base", "new"), ("base", "other"), ("long", "")])
def test_the_most_frequent_answer(one, other):
    for name, own in SAID.items():
        lines = [f"t{i},{j},{t},{x}" for i, row in enumerate(own) for j, (t, x) in enumerate(row)]
        write(f"{name}.csv", "task,trial,said,score", *lines)
        lines = [f"{name},{line}" for line in lines]
        with Path("long.csv").open("w" if name == "base" else "a") as file:
            file.write("model,task,trial,said,score\n" * (name == "base"))
            file.writelines(f"{line}\n" for line in lines)
    files = [f"{name}.csv" for name in (one, other) if name]
    options = (*RUN, "--answer-column", "said", "-m", "plurality,majority")
    own = ("--system", "base", "--system", "new") if not other else ()
    found = record("compare", *files, *own, *options)
    expected = plurality(other or "new", "base")
    assert [own["metric"] for own in found["results"]] == ["plurality", "majority"]
    result = found["results"][0]
    assert result["pvalue"] == csig.randomization_test(expected, "mean").pvalue
    assert (result["score"], result["baseline_score"]) == expected.scores("mean")
    if other == "other":
        shown = run("describe", *files, *RUN, "--answer-column", "said")
        assert any(line.split()[:1] == ["said"] and " answers " in line
                   for line in shown.splitlines())  # fmt: skip
    plain = refused("compare", *files, *own, *RUN, "--ignore", "said", "-m", "plurality")
    assert "plurality needs the text of every answer: name its column with --answer-column" in plain


def test_one_column_of_texts_is_of_one_system():
    write("wide.csv", "id,trial,said,a,b", "q,0,x,1,0", "q,1,y,0,1", "r,0,x,1,1", "r,1,x,0,0")
    output = refused(
        "compare", "wide.csv", "--run", "trial", "--answer-column", "said", "-m", "plurality"
    )
    assert "--answer-column said: one column for 2 systems; give a file for each" in output


def test_the_mean_of_all_runs_stands_beside_them():
    found = record("compare", "base.csv", "other.csv", *RUN, "-m", "mean,pass@2,pass^2")
    assert [own["metric"] for own in found["results"]] == ["mean", "pass@2", "pass^2"]
    assert [own["interval"]["method"] for own in found["results"]][:2] == ["components", "inverted"]
    alone = record("compare", "base.csv", "other.csv", *RUN, "-m", "mean")
    assert alone["results"] == found["results"][:1]


def test_what_is_said_of_runs_is_not_said_of_answers():
    text = words("compare", "base.csv", "other.csv", *RUN, "--explain")
    assert "How much runs differ" in text
    assert "What more answers" not in text
    assert (
        "bca" in words("compare", *BOTH, "-m", "pass@2", "--interval", "bca", "--explain").lower()
    )
    run("compare", "base.csv", "other.csv", *RUN, "--interval", "bca", status=2)
    assert "30 tasks (base.csv, new.csv)" in words("compare", *BOTH, "-m", "mean", "--explain")


def test_what_is_said_of_answers():
    notes = said_beside("compare", *BOTH, "-m", "pass@2")["notes"]
    assert (
        "The score of each task is made of all its answers (6 in base, 3 to 8 in new), with which "
        "it is swapped; intervals are for other tasks and other answers."
    ) in notes
    variance = csig.intervals.answer_variance(ANSWERS["new"], ANSWERS["base"])
    assert variance.sentences in words("compare", *BOTH, "-m", "pass@2,pass^2", "--explain")
    (result,) = record("compare", *BOTH, "-m", "pass@2")["results"]
    assert result["answers"]["share_of_answers"] == variance.share_of_answers
    assert (result["answers"]["most_answers"], result["runs"]) == (8, None)
    alone = csig.intervals.answer_variance(ANSWERS["base"])
    assert f"base, runs taken as answers: {alone.sentences}" in words(
        "describe", "base.csv", "other.csv", *RUN
    )
    found = csig.compare("base.csv", "new.csv", id="task", run="trial", metric="pass@2")
    assert found["pass@2"].answers == variance
    assert "comes from the answers, 3 to 8 to each of 30 questions" in " ".join(
        str(variance).split()
    )


def test_numbers_of_answers_that_differ_are_refused_unless_a_metric_says_so():
    output = refused("compare", *BOTH)
    assert "base.csv: no run '6', '7', which new.csv has" in output
    assert output.count("takes every unit's mean over the runs that it has") == 1
    assert followed("compare", *BOTH) == 1
    assert "new has fewer in" in refused("compare", *BOTH, "-m", "pass@4")
    assert "pass@4 needs 4 answers to each question" in refused("compare", *BOTH, "-m", "pass@4")
    assert "no run" in refused("compare", *BOTH, "-m", "pass@2,accuracy")
    write("twice.csv", "task,trial,reward", "t0,0,1", "t0,0,1", "t1,0,1")
    assert "found the id 't0'" in refused("compare", "base.csv", "twice.csv", *RUN, "-m", "pass@1")


def test_an_answer_that_is_given_twice_is_one_too_many():
    write("a.csv", "id,run,score", "q,0,1", "q,0,0", "q,1,1", "r,0,1", "r,1,1")
    assert "expected every id once in each run; 1 id is repeated: 'q'" in refused(
        "compare", "a.csv", "a.csv", "--run", "run", "-m", "pass@2"
    )


def test_other_questions_and_other_clusters_are_refused():
    lines = Path("new.csv").read_text().splitlines()
    write("less.csv", *(line for line in lines if not line.startswith("t4,")))
    assert "less lacks 1 id" in refused("compare", "base.csv", "less.csv", *RUN, "-m", "pass@2")
    rows = [f"{line},{'x' if i % 2 else 'y'}" for i, line in enumerate(lines[1:])]
    write("c.csv", "task,trial,reward,story", *rows)
    write("d.csv", "task,trial,reward,story", *rows)
    run("compare", "c.csv", "d.csv", *RUN, "-m", "mean", "--cluster", "story", status=2)


def test_clusters_of_questions_are_swapped_whole():
    for name, answers in ANSWERS.items():
        lines = [f"t{i},{j},{x},s{i // 3}" for i, own in enumerate(answers)
                 for j, x in enumerate(own)]  # fmt: skip
        write(f"{name}.csv", "task,trial,reward,story", *lines)
    found = record("compare", *BOTH, "--cluster", "story", "-m", "pass^2")
    comparison = compared("pass^2")
    by_story = csig.Comparison.from_answers(
        ANSWERS["new"], ANSWERS["base"], "pass^2", cluster=[i // 3 for i in range(30)]
    )
    assert found["comparison"]["sums"][0] == str(comparison.sums("a")["score"])
    (result,) = found["results"]
    assert result["pvalue"] == csig.randomization_test(by_story, "mean").pvalue


def test_scores_that_are_not_right_or_wrong():
    write("s.csv", "task,trial,base,new", "t0,0,1,0", "t0,1,0.5,1", "t1,0,1,0", "t1,1,0,1")
    output = refused("compare", "s.csv", *RUN, "-m", "pass@2")
    assert (
        "pass@2 counts right answers, 1, and wrong ones, 0; base has 0.5 in question 't0'" in output
    )
    write("l.csv", "task,trial,base,new", "t0,0,1,0", "t0,1,0,1", "t1,0,1,0", "t1,1,0,1")
    output = refused("compare", "l.csv", *RUN, "-m", "pass@2", "--lower-is-better")
    assert "counts right answers, found scores of which less is better" in output
    write("n.csv", "id,base,new", "t0,1,0", "t1,0,1")
    assert "needs several answers to each question" in refused("compare", "n.csv", "-m", "pass@2")
    write("c.csv", "id,trial,tp_a,fp_a,fn_a,tp_b,fp_b,fn_b", "1,1,1,1,1,1,1,1", "1,2,1,1,1,1,1,1")
    output = refused("compare", "c.csv", "--run", "trial", "-m", "pass@2")
    assert "needs several answers to each question" in output


def test_three_systems_and_their_ranks():
    files = ("base.csv", "other.csv", "new.csv", *RUN)
    rows = [*csv.DictReader(io.StringIO(run("compare", *files, "-m", "pass@2", "-f", "csv")))]
    scores = [float(own["score"]) for own in rows if own["system"] in ("other", "new")]
    expected = [compared("pass@2", name).scores("mean")[0] for name in ("other", "new")]
    assert scores == pytest.approx(expected)
    text = words("systems", *files, "-m", "pass@2")
    assert f"{100 * expected[1]:.2f}" in text


def test_records_of_answers_verify_with_their_files():
    run("audit", *BOTH, "-m", "pass@2", "--resamples", "2000", "--seed", "1", "--record", "r.json")
    inputs = ("--inputs", "base.csv", "--inputs", "new.csv")
    assert "all the same" in words("verify", "r.json", *inputs)
    run("audit", *BOTH, "-m", "mean", "--resamples", "2000", "--seed", "1", "--record", "m.json")
    assert "all the same" in words("verify", "m.json", *inputs)


def test_columns_of_scores_are_named_beside_their_metric():
    for name in ("x", "y"):
        rows = RNG.integers(0, 2, (40, 2))
        lines = [f"t{i // 4},{i % 4},{a},{b}" for i, (a, b) in enumerate(rows)]
        write(f"{name}.csv", "task,trial,exact,loose", *lines)
    found = record("compare", "x.csv", "y.csv", *RUN, "-m", "pass@2,pass^2")
    assert [own["metric"] for own in found["results"]] == [
        "exact pass@2", "exact pass^2", "loose pass@2", "loose pass^2",
    ]  # fmt: skip
    found = record("compare", "x.csv", "y.csv", *RUN, "-m", "loose,pass@2,mean")
    assert [own["metric"] for own in found["results"]] == ["pass@2", "mean"]
    assert found["results"][1]["runs"]["n_runs"] == 4


def test_parts_say_whether_their_differences_are_the_same():
    files = ("long.csv", "--system", "base", "--system", "new", *RUN)
    text = words("compare", *files, "-m", "pass@2", "--by", "kind", "--explain")
    parts = {}
    for name in ("easy", "hard"):
        own = [i for i in range(30) if bool(i % 3) == (name == "hard")]
        a, b = ({f"t{i}": ANSWERS[s][i] for i in own} for s in ("new", "base"))
        parts[name] = csig.Comparison.from_answers(a, b, "pass@2")
    found = csig.effects.heterogeneity(parts, "mean")
    assert f"Pass@2, {found.line} (Welch's test of whether the difference is the same" in text
