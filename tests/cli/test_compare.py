"""``csig compare`` on the command line: what it computes, and what it prints."""

import random
from functools import partial
from typing import Any

import commands
import pytest
from brute import PAPER, traded
from commands import said_beside, write

import csig

pytestmark = pytest.mark.usefixtures("small_files")

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")
COUNTS = ("--counts", "yeh.toml")

#: Two-sided exact p-values of the example of Yeh (2000), summed in integers: of the difference, and
#: of the difference over its standard error.
EXACT = {
    "recall": (0.00019512558355927467, 0.00019512558355927467),
    "precision": (0.039988579124198086, 0.05801056494469097),
    "f1": (0.02955137150557705, 0.029551194851529534),
}


def test_the_papers_example_is_exact_by_default():
    found = record(*COUNTS)
    assert {r["metric"]: r["method"] for r in found["results"]} == dict.fromkeys(EXACT, "exact")
    plain = record(*COUNTS, "--statistic", "difference")
    for result, other in zip(found["results"], plain["results"], strict=True):
        expected = EXACT[result["metric"]]
        assert (other["pvalue"], result["pvalue"]) == pytest.approx(expected, rel=1e-12)
        assert other["studentized"] is None
        if result["metric"] != "recall":
            assert result["studentized"]["plain"]["pvalue"] == other["pvalue"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "approximate", "n_resamples": 10_000, "bit_generator": "Philox"},
        {"method": "approximate", "n_resamples": 70_000, "alternative": "less", "threads": 2},
        {"method": "yeh2000"},
    ],
)
def test_json_is_the_librarys_result(options: dict[str, Any]):
    names = {"n_resamples": "--resamples", "bit_generator": "--bit-generator"}
    given = [word for key, own in options.items() for word in (names.get(key, f"--{key}"), own)]
    found = record(*COUNTS, "--seed", "5", *given)
    comparison = csig.Comparison.from_counts(**traded(PAPER))
    expected = csig.randomization_test(comparison, list(EXACT), rng=5, statistic="auto", **options)
    for mine, result in zip(found["results"], expected.values(), strict=True):
        assert mine["n_hits"] == result.n_hits
        assert mine["pvalue"] == result.pvalue
        assert tuple(mine["pvalue_interval"]) == result.pvalue_interval
        if result.checks is not None:
            assert mine["checks"]["second_run"]["n_hits"] == result.checks.second_run.n_hits
            sign = mine["checks"]["sign_test"]
            assert sign["sign_pvalue"] == result.checks.sign_test.sign_pvalue


def test_decide():
    arguments = (*COUNTS, "--method", "approximate", "--seed", "5", "--decide")
    found = record(*arguments, "--alpha", "0.03", "--risk", "1e-3", "--resamples", "70000")
    assert (found["options"]["risk"], found["options"]["n_resamples"]) == (1e-3, 70000)
    expected = csig.randomization_test(
        csig.Comparison.from_counts(**PAPER), ("recall", "precision", "f1"),
        method="approximate", rng=5, decide_at=0.03, risk=1e-3, max_resamples=70000,
        statistic="studentized",
    )  # fmt: skip
    verdicts = {"below": "significant", "above": "not significant", "undecided": "undecided"}
    assert [r["verdict"] for r in found["results"]] == [*verdicts.values()]
    for result in found["results"]:
        own = expected[result["metric"]]
        assert result["n_hits"] == own.n_hits
        assert result["n_resamples"] == own.n_resamples == 2**17
        assert result["decision"]["verdict"] == own.decision.verdict
        assert result["verdict"] == verdicts[own.decision.verdict]


@pytest.mark.parametrize("with_spans", [False, True])
def test_documents_are_keys(with_spans: bool):
    rng = random.Random(1)
    lines = {
        name: [f"d{rng.randrange(12)}\t{i}\t{i + 1}\tx" for i in range(0, 60, 2)
               if rng.random() < 0.7]
        for name in ("g.tsv", "a.tsv", "b.tsv")
    }  # fmt: skip
    keys = {line.split("\t")[0] for own in lines.values() for line in own}
    comparison = csig.Comparison.from_responses(
        *({key: [x for x in own if x.split("\t")[0] == key] for key in keys}
          for own in lines.values()),
        unit="key",
    )  # fmt: skip
    drawn = csig.randomization_test(comparison, "f1", method="approximate", n_resamples=5000, rng=7)
    (found,) = record(
        *(write(name, *own) for name, own in lines.items()),
        *("--documents", "--unit", "document", "--metric", "f1", *["--spans"] * with_spans),
        *("--method", "approximate", "--resamples", "5000", "--seed", "7"),
    )["results"]
    assert found["n_hits"] == drawn.n_hits


@pytest.mark.parametrize(
    ("files", "method", "zero"),
    [
        (("gold.tsv", "one.tsv", "empty.tsv"), "auto", 0),
        (("gold.tsv", "empty.tsv", "empty.tsv"), "approximate", 1),
        (("empty.tsv", "one.tsv", "two.tsv"), "yeh2000", 0),
        (("empty.tsv", "one.tsv", "two.tsv"), "auto", 1),
        (("empty.tsv", "empty.tsv", "empty.tsv"), "yeh2000", 1),
    ],
)
def test_empty_files_have_defined_answers(files: tuple[str, ...], method: str, zero: int):
    asked = (*files, "--zero-division", zero, "--method", method, "--resamples", "1048576")
    found = record(*asked)
    for result in found["results"]:
        assert 0 < result["pvalue"] <= 1
    said = " ".join(said_beside("compare", *asked)["cautions"])
    assert ("has no responses" in said) == ("empty.tsv" in files[1:])
    assert ("gold is empty" in said) == (files[0] == "empty.tsv")
    assert "zero division" in said
    assert f"|zd:{zero}|" in found["signature"]
