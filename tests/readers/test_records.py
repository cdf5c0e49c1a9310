"""Results of promptfoo, SWE-bench, tau-bench, OpenAI's evals: what counts, what is refused."""

from __future__ import annotations

import csv
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from commands import followed, record, refused, run
from written import refusal

import csig
from csig.readers.forms import form_of
from csig.readers.request import Request


def as_json(name: str, value: object) -> str:
    Path(name).write_text(json.dumps(value))
    return name


def as_lines(name: str, values: list[Any]) -> str:
    Path(name).write_text("".join(f"{json.dumps(value)}\n" for value in values))
    return name


def systems_of(*files: str, **options: Any) -> dict[str, dict[str, Any]]:
    """{system: {unit: its score or scores}}"""
    table = csig.read(*files, **options).data.table
    return {
        name: dict(zip(table.ids, own.tolist(), strict=True)) for name, own in table.systems.items()
    }


# ---- promptfoo -----------------------------------------------------------------------------------
def result(test: int, system: int, passed: bool, repeat: int = 0, **more: Any) -> dict[str, Any]:
    """One of promptfoo; every repeat of three tests has indices of its own."""
    return {
        "testIdx": 3 * repeat + test, "promptIdx": system, "success": passed, "score": int(passed),
        "failureReason": int(not passed), "error": None if passed else "Expected 4",
        "provider": {"id": f"x:{system}", "label": "B" if system else ""},
        "prompt": {"raw": "{{q}}", "label": "p"}, "vars": {"q": test},
        "testCase": {"vars": {"q": test}, "assert": [{"type": "equals", "value": 4}]},
        "namedScores": {"tone": test / 4}, **more,
    }  # fmt: skip


def results(*own: dict[str, Any]) -> dict[str, Any]:
    return {"evalId": "e", "results": {"version": 3, "results": list(own), "stats": {}}}


PASSED = [result(t, s, bool((t + s) % 2)) for t in (2, 0, 1) for s in (1, 0)]
BOTH = {"x:0": {"q=0": 0, "q=1": 1, "q=2": 0}, "B": {"q=0": 1, "q=1": 0, "q=2": 1}}


def test_promptfoo_has_a_system_for_every_provider_and_prompt():
    as_json("a.json", results(*PASSED))
    assert systems_of("a.json") == BOTH
    read = csig.read("a.json")
    assert (read.source.format, read.metrics[0].name) == ("promptfoo", "mean pass")
    assert read.notes == ("There are more scores, 'tone', for metric=.",)
    # One a line, as the summary alone, and after one another.
    for value in (results(*PASSED)["results"], [*PASSED]):
        assert systems_of(as_json("b.json", value)) == BOTH
    assert systems_of(as_lines("b.jsonl", PASSED)) == BOTH
    assert [*systems_of("a.json", "b.jsonl")] == ["x:0 (a)", "B (a)", "x:0 (b)", "B (b)"]
    tone = systems_of("a.json", metric="tone")
    assert tone["B"] == tone["x:0"] == {"q=0": 0, "q=1": 0.25, "q=2": 0.5}


@pytest.mark.parametrize(("change", "names"), [
    (lambda own: {"provider": {"id": "m"}, "prompt": {"label": f"p{own['promptIdx']}"}},
     ["m, p0", "m, p1"]),
    (lambda own: {"provider": "m", "prompt": None}, ["m, prompt 0", "m, prompt 1"]),
])  # fmt: skip
def test_names_of_promptfoos_systems(change, names):
    as_json("a.json", results(*({**own, **change(own)} for own in PASSED)))
    assert [*systems_of("a.json")] == names


def test_tests_are_known_by_what_they_ask():
    one = [{**own, "description": f"t{own['vars']['q']}"} for own in PASSED]
    del one[0]["testCase"]
    del one[1]["testCase"]
    assert [*systems_of(as_json("a.json", results(*one)))["B"]] == ["t0", "t1", "t2"]
    for own in one:  # the same name, other variables
        own["description"] = "t"
    first, *_ = systems_of(as_json("a.json", results(*one)))["B"]
    assert first.startswith('["t", {"q": 0}, ')


def test_results_of_two_providers_in_one_file_are_two_systems():
    """What two runs exported, one after the other: both have the prompt 0."""
    own = [result(t, 0, bool(t % 2), provider={"id": p}) for p in "xy" for t in range(3)]
    as_lines("a.jsonl", own)
    assert [*systems_of("a.jsonl")] == ["x", "y"]


def test_repeats_are_runs():
    more = [result(t, s, t == 1, 1) for t in range(3) for s in range(2)]
    as_json("a.json", results(*more, *PASSED))
    assert refused("compare", "a.json").splitlines()[1:] == [
        "  csig compare a.json --run repeat  # swaps a unit with all its runs"
    ]
    assert systems_of("a.json", run="repeat")["B"] == {"q=0": [1, 0], "q=1": [0, 1], "q=2": [1, 0]}
    as_json("a.json", results(*more, *PASSED[1:]))
    assert refusal(csig.read, "a.json") == (
        'a.json: B has 2 results of the test [null, {"q": 0}, [{"type": "equals", "value": 4}]], '
        "and 1 of others; repeats of a test have the same description, variables and assertions, "
        "and every test needs as many"
    )


@pytest.mark.parametrize("metric", ["pass@2", "majority", "plurality"])
def test_repeats_are_answers(metric):
    texts = [["4", "4", "5"], ["5", "6", "4"], ["4", "5", "6"]]
    own = [
        result(t, s, texts[t][(r + s) % 3] == "4" and s < 2, r,
               response={"output": texts[t][(r + s) % 3] if t else {"text": texts[t][r]}})
        for t in range(3) for s in range(2) for r in range(3)
    ]  # fmt: skip
    as_json("a.json", results(*own))
    read = csig.read("a.json", run="repeat", metric=metric)
    (((name,), comparison),) = read.tests(0, 1)
    answers = [
        [[(str(own["response"]["output"]), int(own["success"])) for own in own_of_test]
         for own_of_test in ([r for r in own if r["promptIdx"] == s and r["vars"] == {"q": t}]
                             for t in range(3))]
        for s in range(2)
    ]  # fmt: skip
    if metric != "plurality":
        answers = [[[x for _, x in row] for row in rows] for rows in answers]
    expected = csig.Comparison.from_answers(*answers, metric)
    assert name.name == metric
    assert [comparison.sums(s)["score"] for s in "ab"] == [expected.sums(s)["score"] for s in "ab"]


def test_errors_are_no_answers():
    error = result(0, 1, False, failureReason=2, error="API 504")
    as_json("a.json", results(*PASSED[:2], error, *PASSED[3:]))
    said = refused("compare", "a.json")
    assert said.splitlines()[0] == (
        "csig: a.json: 1 of 6 results are errors and no answers, 1 of them of B: 'q=0' (result 3: "
        "API 504)"
    )
    assert followed("compare", "a.json") == 1
    (caution,) = csig.read("a.json", allow_missing=True).cautions
    assert caution == "1 of 3 items is left out: B alone lacks 1."


def test_a_red_team():
    case = {"vars": {"q": 1}, "metadata": {"pluginId": "harmful"}}
    as_json("a.json", results(*PASSED, *(result(9, s, True, testCase=case) for s in range(2))))
    assert csig.read("a.json").notes[0].endswith("pass says that the model resisted the attack.")


@pytest.mark.parametrize(("value", "said"), [
    ([PASSED[0], {"testIdx": 1}], "a.json record 2: no result, expected promptIdx, success, testI"),
    ([{**PASSED[0], "success": 1}], "a.json record 1: found testIdx 2, promptIdx 1 and success 1,"),
    (PASSED[:2], "a.json: found one test, and one score of a system is no test"),
    (results(*PASSED, 7), "a.json result 7: no result, expected"),
    (results(*PASSED[:5]), "a.json: B has 1 id that x:0 lacks: 'q=1'"),
])  # fmt: skip
def test_what_is_no_result_of_promptfoo(value, said):
    found = refusal(csig.read, as_json("a.json", value))
    assert found.startswith(said) or ("lacks 1 id" in said and "lacks 1 id" in found)


# ---- SWE-bench -----------------------------------------------------------------------------------
IDS = [*(f"astropy__astropy-{i}" for i in range(5)), *(f"django__django-{i}" for i in range(5))]


def report(resolved: list[str], errors: Any = (), missing: Any = ()) -> dict[str, Any]:
    """As run_evaluation writes it."""
    given = [name for name in IDS if name not in missing]
    done = [name for name in given if name not in errors]
    return {
        "total_instances": len(IDS), "submitted_ids": given, "completed_ids": done,
        "resolved_ids": resolved, "unresolved_ids": [own for own in done if own not in resolved],
        "error_ids": [*errors], "empty_patch_ids": [], "incomplete_ids": [*missing],
    }  # fmt: skip


def test_every_form_of_a_report():
    as_json("a.json", report(IDS[:4], IDS[4:6]))
    as_json("b.json", {name: {"resolved": name in IDS[2:7], "patch_exists": True} for name in IDS})
    as_json("c.json", {"no_generation": IDS[8:], "no_logs": [], "resolved": IDS[:3]})
    as_json("d.json", IDS[:2])
    as_json("e.json", dict.fromkeys(IDS, False) | {IDS[0]: True})
    Path("ids.txt").write_text("\n".join([*IDS, ""]))
    read = csig.read(*(f"{name}.json" for name in "abcde"), instances="ids.txt")
    assert read.source.format == "swe-bench"
    table = read.data.table
    found = {name: [k for k, own in zip(table.ids, values, strict=True) if own]
             for name, values in table.systems.items()}  # fmt: skip
    assert found == {"a": IDS[:4], "b": IDS[2:7], "c": IDS[:3], "d": IDS[:2], "e": IDS[:1]}
    assert table.ids == IDS
    assert read.notes == (
        "a.json: 2 instances that ended in an error count as unresolved, as in SWE-bench.",
    )
    assert csig.read("a.json", "b.json", cluster="repo").comparison().names == ("a", "b")
    assert csig.read("a.json", "b.json", by="repo").parts.keys() == {
        "astropy__astropy", "django__django",
    }  # fmt: skip
    for other in (as_json("i.json", IDS), as_lines("i.jsonl", [{"instance_id": i} for i in IDS])):
        assert csig.read("a.json", "d.json", instances=other).data.table.ids == IDS


def test_failures_of_the_infrastructure_are_named():
    own = report(IDS[:4], IDS[4:6]) | {"infra_failure_ids": IDS[6:7], "unresolved_ids": IDS[7:]}
    read = csig.read(as_json("a.json", own), as_json("b.json", report(IDS[:4])))
    assert read.notes == (
        "a.json: 2 instances that ended in an error and 1 instance with a failure of the "
        "infrastructure count as unresolved, as in SWE-bench.",
    )
    one = {name: {"resolved": name in IDS[:2], "infra_failure": name == IDS[9]} for name in IDS}
    (note,) = csig.read(as_json("c.json", one), "b.json").notes
    assert note.startswith("c.json: 1 instance with a failure of the infrastructure counts as unre")


def test_what_was_not_submitted_must_be_asked_for():
    as_json("a.json", report(IDS[:4]))
    as_json("b.json", report(IDS[5:8], missing=IDS[:3]))
    found, *ways = refused("compare", "a.json", "b.json").splitlines()
    assert found == (
        f"csig: b.json: nothing was submitted for 3 of 10 instances: {IDS[0]!r}, {IDS[1]!r}, "
        f"{IDS[2]!r}"
    )
    assert ["--instances a.json" in ways[0], "intersection" in ways[1]] == [True, True]
    assert followed("compare", "a.json", "b.json") == 2
    both = csig.read("a.json", "b.json", instances="a.json")
    assert both.comparison().scores("accuracy") == pytest.approx((0.4, 0.3))
    assert both.notes == ("b.json: 3 of 10 instances, not submitted, count as unresolved.",)
    common = csig.read("a.json", "b.json", allow_missing=True)
    assert common.comparison().scores("accuracy") == pytest.approx((1 / 7, 3 / 7))
    assert common.cautions == ("3 of 10 items are left out: b alone lacks 3.",)
    # What no system submitted does not disappear, either.
    assert "3 of 10 instances" in refusal(csig.read, "b.json", "b.json")


def test_instances_that_a_report_only_counts_must_be_asked_for():
    """Older reports have no incomplete_ids, and two may lack the same instances."""
    own = report(IDS[:4], missing=IDS[8:])
    del own["incomplete_ids"]
    as_json("a.json", own)
    said = refused("compare", "a.json", "a.json")
    assert said.startswith(
        "csig: a.json: names 8 of 10 instances; name a file with all, one a line: --instances FILE"
    )
    assert followed("compare", "a.json", "a.json") == 1
    Path("ids.txt").write_text("\n".join(IDS))
    read = csig.read("a.json", "a.json", instances="ids.txt")
    assert read.comparison().scores("accuracy") == pytest.approx((0.4, 0.4))


def test_a_report_of_what_was_resolved_alone_says_nothing_of_others():
    as_json("a.json", {"total_instances": 10, "resolved_ids": IDS[:4]})
    as_json("b.json", report(IDS[:3]))
    for more in ((), ("--allow-missing", "intersection")):
        assert "a.json: found the resolved instances and not all of the others" in refused(
            "compare", "a.json", "b.json", *more
        )
    assert followed("compare", "a.json", "b.json") == 1
    read = csig.read("b.json", "a.json", instances="b.json")
    assert read.comparison().scores("accuracy") == pytest.approx((0.3, 0.4))
    as_json("b.json", {"resolved_ids": IDS[:3]})
    assert "FILE" in refused("compare", "a.json", "b.json")


def instances(folder: str, resolved: list[str], given: list[str] = IDS, failed: Any = ()) -> str:
    """A report of each instance, as run_evaluation writes it: RUN/MODEL/INSTANCE/report.json."""
    for name in given:
        own = Path(folder, name)
        own.mkdir(parents=True)
        (own / "run_instance.log").write_text("Creating container\n")
        tests = {"FAIL_TO_PASS": {"success": [], "failure": ["t"]}}
        value = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True,
                 "resolved": name in resolved, "tests_status": tests}  # fmt: skip
        if name not in failed:
            as_json(str(own / "report.json"), {name: value})
    return folder


def test_a_folder_of_reports_of_single_instances_is_a_system():
    instances("logs/run_evaluation/first/org__a-4.1", IDS[:4])
    instances("logs/run_evaluation/first/org__b", IDS[2:5], failed=IDS[8:])
    systems = {
        "org__a-4.1": {name: int(name in IDS[:4]) for name in IDS},
        "org__b": {name: int(name in IDS[2:5]) for name in IDS},
    }
    both = [f"logs/run_evaluation/first/{name}" for name in systems]
    assert systems_of(*both) == systems_of("logs/run_evaluation/first") == systems
    failed = f"{both[1]}: 2 instances that ended in an error count as unresolved, as in SWE-bench."
    assert failed in csig.read(*both).notes
    assert record("compare", *both)["input"]["format"] == "swe-bench"
    instances("logs/run_evaluation/first/org__c", [], failed=IDS)  # no report at all
    assert systems_of("logs/run_evaluation/first")["org__c"] == dict.fromkeys(IDS, 0)
    # Two runs of one model are two systems.
    instances("logs/run_evaluation/second/org__b", IDS[:1])
    found = csig.read(both[1], "logs/run_evaluation/second/org__b")
    assert found.names == ("first/org__b", "second/org__b")
    # Beside a report of a whole run.
    as_json("c.json", report(IDS[:2]))
    assert csig.read(both[0], "c.json").comparison().scores("accuracy") == (0.4, 0.2)


def test_instances_without_a_report_must_be_asked_for():
    a, b = instances("run/a", IDS[:4]), instances("run/b", IDS[:3], given=IDS[:7])
    assert refused("compare", a, b).startswith(
        f"csig: run/b: nothing was submitted for 3 of 10 instances: {IDS[7]!r}"
    )
    assert followed("compare", a, b) == 2
    found = csig.read(a, b, instances=a)
    assert found.comparison().scores("accuracy") == pytest.approx((0.4, 0.3))
    assert found.notes == ("run/b: 3 of 10 instances, not submitted, count as unresolved.",)
    # What no system has a report of, nobody knows of without the list.
    (note,) = csig.read(b, b).notes
    assert note == (
        "run/b: instances without a folder, not submitted or with an empty patch, are not known; "
        "instances= names a file with all."
    )


def test_what_is_no_folder_of_reports():
    Path("empty").mkdir()
    assert "found a folder without" in refusal(csig.read, "empty", "empty")
    assert refusal(csig.read, "empty", format="swe-bench") == (
        "empty: found a folder without report.json"
    )
    whole = as_json(instances("whole", IDS[:4]) + "/report.json", report(IDS[:4]))
    assert refusal(csig.read, "whole", whole) == (
        "whole/report.json: found in no folder of an instance; give the file itself"
    )
    a = instances("a", IDS[:4])
    as_json(f"a/{IDS[0]}/report.json", {IDS[0]: {"resolved": None}})
    place = Path("a", IDS[0], "report.json")
    assert refusal(csig.read, a, a).startswith(f"{place}: found no 'resolved' (true or false) for")
    as_json(f"a/{IDS[0]}/report.json", {IDS[1]: {"resolved": True}})
    again = Path("a", IDS[1], "report.json")
    assert refusal(csig.read, a, a) == f"{again}: found {IDS[1]!r} again, first in {place}"
    place.write_text('{"astropy')
    assert refusal(csig.read, a, a).startswith(f"{place}")


@pytest.mark.parametrize("table", [
    {"id": ["x", "y", "z"], "resolved": [1, 0, 1]},
    {name: {"resolved": name > "b", "cost": 0.5} for name in "abcd"},
])  # fmt: skip
def test_tables_that_are_no_reports(table):
    assert form_of(Request((as_json("t.json", table),))) == "table"


@pytest.mark.parametrize(("value", "said"), [
    (["x"], "b.json: found the resolved instances and not all of the others; name a file with"),
    ({"resolved": ["x"]}, "b.json: found the resolved instances and not all of the others; name"),
    ({"resolved_ids": ["x"], "error_ids": ["x"]}, "b.json: both in resolved_ids and in error_ids:"),
    ({"resolved_ids": ["x", "y", "x"]}, "b.json: found more than once in a list of ids: 'x'"),
    ({"resolved_ids": [1]}, "b.json: found [1], expected a list of the ids of instances"),
    ({"x": 1}, "b.json: found no 'resolved' (true or false) for 'x'"),
    (3, "b.json: found 3, expected a report of SWE-bench"),
])  # fmt: skip
def test_what_is_no_report(value, said):
    as_json("a.json", report(IDS[:4]))
    as_json("b.json", value)
    assert refusal(csig.read, "a.json", "b.json").startswith(said)
    if isinstance(value, dict) and "resolved" in value:
        extra = refusal(csig.read, "a.json", "b.json", instances="a.json")
        assert extra == "b.json: found instances that a.json has not, 1 in all: 'x'"


# ---- tau-bench -----------------------------------------------------------------------------------
def test_trials_are_runs_of_a_task(shared_data):
    path = shared_data("tau_bench_airline") / "gpt-4o-airline.csv"
    with path.open() as file:
        rows = list(csv.DictReader(file))
    tasks = [{"task_id": int(row["task_id"]), "reward": float(row["reward"]), "info": {},
              "traj": [{"role": "user"}], "trial": int(row["trial"])} for row in rows]  # fmt: skip
    as_json("a.json", tasks)
    simulations = [
        {"id": str(i), "task_id": str(own["task_id"]), "trial": own["trial"],
         "reward_info": {"reward": 1 - own["reward"]}} for i, own in enumerate(tasks)
    ]  # fmt: skip
    as_json("b.json", {"timestamp": "t", "info": {}, "tasks": [], "simulations": simulations})
    found = refused("compare", "a.json", "b.json")
    assert found.splitlines()[1:] == [
        "  csig compare a.json b.json --run trial  # swaps a unit with all its runs"
    ]
    read = csig.read("a.json", "b.json", run="trial")
    assert (read.source.format, read.data.table.n_units) == ("tau-bench", 50)
    comparison = read.comparison()
    assert comparison.scores("accuracy") == pytest.approx((84 / 200, 116 / 200))
    # The table of the same numbers says the same.
    table = csig.read(path, path, id="task_id", run="trial")
    values = [own.tolist() for own in table.data.table.systems.values()]
    assert values[0] == read.data.table.systems["a"].tolist()


def test_programs_that_failed_are_named():
    info = {"error": "EOF when reading a line", "traceback": "..."}
    rows = [{"task_id": i, "reward": 0.0, "info": info if i == 2 else {}, "traj": []}
            for i in range(4)]  # fmt: skip
    as_json("a.json", rows)
    as_json("b.json", [{**own, "info": {}, "reward": 1.0} for own in rows])
    assert csig.read("a.json", "b.json").cautions == (
        "a.json: 1 of 4 results ended in an error of the program, which tau-bench gives the reward "
        "0: tasks '2'.",
    )
    as_json("b.json", {"simulations": [{"task_id": i, "reward_info": None} for i in range(4)]})
    assert refusal(csig.read, "a.json", "b.json").startswith(
        "b.json simulation 1, column 'reward': the cell is empty"
    )
    as_json("b.json", [{"task_id": 1, "trial": 0}])
    assert refusal(csig.read, "a.json", "b.json") == (
        "b.json record 1: found no reward, expected a task's trajectory"
    )


# ---- OpenAI's evals ------------------------------------------------------------------------------
def events(right: str, accuracy: float | None = None, **more: list[float]) -> list[Any]:
    """A log with a sample for every 0 or 1, and with other numbers of each."""
    found: list[Any] = [{"spec": {"completion_fns": ["x"], "eval_name": "e", "run_id": "r"}}]
    found += [{"final_report": {"accuracy": accuracy}}] * (accuracy is not None)
    for i, own in enumerate(right):
        data = {"correct": own == "1", "expected": "x", "picked": None}
        data |= {name: values[i] for name, values in more.items()}
        for kind, values in (("sampling", {"correct": False}), ("match", data)):
            found.append({"run_id": "r", "event_id": len(found), "sample_id": f"e.{i}",
                          "type": kind, "data": values})  # fmt: skip
    return found


def test_samples_are_right_or_wrong():
    as_lines("a.jsonl", events("0110", 0.5, f1=[0.5, 1, 0.25, 0]))
    as_lines("b.jsonl", [events("1111")[0], *reversed(events("1111", 0.75, f1=[1, 1, 1, 0.5])[1:])])
    read = csig.read("a.jsonl", "b.jsonl")
    assert read.source.format == "openai-evals"
    assert read.comparison().scores("accuracy") == (0.5, 1)
    assert read.cautions == (
        "b.jsonl: its final report has the accuracy 0.75, but the mean of its samples is 1.",
    )
    assert read.notes == ("The events have more numbers, 'f1', for metric=.",)
    assert "Accuracy" in run("compare", "a.jsonl", "b.jsonl", "--metric", "accuracy")
    (f1,) = record("compare", "a.jsonl", "b.jsonl", "--metric", "f1")["results"]
    assert (f1["baseline_score"], f1["score"]) == pytest.approx((1.75 / 4, 3.5 / 4))


def test_logs_of_evals_that_are_refused():
    as_lines("a.jsonl", events("0110"))
    as_lines("b.jsonl", events("011"))
    assert refused("compare", "a.jsonl", "b.jsonl").startswith(
        "csig: b.jsonl: b lacks 1 id that a has: 'e.3'\n"
    )
    assert followed("compare", "a.jsonl", "b.jsonl") == 1
    for value, said in (
        ([*events("01"), events("01")[-1]],
         "b.jsonl line 6: found 'correct' of the sample 'e.1' again, expected one event with it"),
        (events("")[:1], "b.jsonl: found no event with a sample's 'correct' or another number"),
        ([*events("0"), 7], "b.jsonl line 4: expected a JSON object, an event"),
    ):  # fmt: skip
        assert refusal(csig.read, "a.jsonl", as_lines("b.jsonl", value)) == said
    assert refusal(csig.read, "a.jsonl", "a.jsonl", metric="f1").startswith(
        "a.jsonl: metric=: no number 'f1'"
    )


def test_samples_without_a_verdict_do_not_disappear():
    asked = {"run_id": "r", "event_id": 9, "type": "sampling", "data": {"prompt": "?"}}
    for name in "ab":
        as_lines(f"{name}.jsonl", [*events("0110"), asked | {"sample_id": "e.9"}])
    assert "column 'correct': the cell is empty" in refusal(csig.read, "a.jsonl", "b.jsonl")
    assert followed("compare", "a.jsonl", "b.jsonl") == 1
    as_lines("b.jsonl", [*events("0110"), asked | {"sample_id": 9}])
    assert "found the sample_id 9, no text" in refusal(csig.read, "b.jsonl", "a.jsonl")


# ---- many records --------------------------------------------------------------------------------
def test_places_are_not_asked_for_where_nothing_is_wrong(monkeypatch):
    """Each is counted from the beginning of the file, so that all of them take squared time."""
    files = [
        ("records", [as_lines(f"{name}.jsonl", events("01")) for name in "ab"]),
        ("promptfoo", [as_lines("p.jsonl", PASSED)]),
        ("records", [
            as_lines(f"{name}.t.jsonl", [{"task_id": i, "reward": 1, "traj": []} for i in range(3)])
            for name in "ab"
        ]),
    ]  # fmt: skip
    for module, paths in files:
        home = import_module(f"csig.readers.{module}")
        asked: list[int] = []
        read = home.json_values
        monkeypatch.setattr(home, "json_values", lambda p, a=asked, r=read: (r(p)[0], a.append))
        csig.read(*paths)
        assert not asked, module
