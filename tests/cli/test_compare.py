"""``csig compare`` on the command line: what it computes, and what it prints."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import commands
import pytest
from brute import PAPER, traded
from commands import write
from places import ROOT

import csig

pytestmark = pytest.mark.usefixtures("small_files")

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")
refused = partial(commands.refused, "compare")


def cautions(*arguments: object) -> list[str]:
    return commands.said_beside("compare", *arguments)["cautions"]


#: Two-sided exact p-values of the example of Yeh (2000), summed in integers: of the difference, and
#: of the difference over its standard error.
EXACT = {
    "recall": (0.00019512558355927467, 0.00019512558355927467),
    "precision": (0.039988579124198086, 0.05801056494469097),
    "f1": (0.02955137150557705, 0.029551194851529534),
}


# ---- results ----------------------------------------------------------------------------


def test_the_papers_example_is_exact_by_default() -> None:
    found = record("--counts", "yeh.toml")
    assert {r["metric"]: r["method"] for r in found["results"]} == dict.fromkeys(EXACT, "exact")
    plain = record("--counts", "yeh.toml", "--statistic", "difference")
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
        {"alternative": "greater"},
    ],
)
def test_json_is_the_librarys_result(options: dict[str, Any]) -> None:
    names = {"n_resamples": "--resamples", "bit_generator": "--bit-generator"}
    arguments = [
        word for key, value in options.items() for word in (names.get(key, f"--{key}"), str(value))
    ]
    found = record("--counts", "yeh.toml", "--seed", "5", *arguments)
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


def test_the_table_and_the_sentences() -> None:
    options = ("--name-a", "method I", "--name-b", "method II", "--explain")
    out = run("--counts", "yeh.toml", *options)
    assert re.search(r"^Recall +45\.63 +24\.27 +-21\.36 .* 0\.000195 ", out, re.MULTILINE)
    assert re.search(r"^Precision +49\.47 +64\.10 +\+14\.63 .* 0\.0580 ", out, re.MULTILINE)
    assert re.search("^method I +95 responses, 47 correct, 48 spurious$", out, re.MULTILINE)
    said = " ".join(out.split())
    assert said.startswith(
        "method I beats method II on recall and F1; no evidence either way on precision. "
        "Precision: the systems are told apart (p = 0.0400), but not in precision (p = 0.0580): "
        "they return 95 and 39 responses."
    )
    assert "Exact test swapping 86 responses that only one system has." in said
    assert out.splitlines()[-1].startswith(f"csig|v:{csig.__version__}|test:randomization|")


def test_readme_shows_what_is_printed() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"csig compare (examples/digits/.*)$", text, re.MULTILINE)
    (shown,) = re.findall(r"^## What you see\n\n```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert run(*(ROOT / name for name in command.split())).startswith(shown)


def test_real_taggers_in_at_most_a_hundred_words(shared_data) -> None:
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    output = run(
        path, "--gold-column", "gold", "--system", "elmo", "--system", "flair", "--seed", 1
    )
    assert output.startswith("flair beats elmo on recall, precision and F1.\n")
    assert re.search(r"^F1 +92\.22 +93\.03 +\+0\.81 .* 0\.0005\d\d  \* flair better$", output, re.M)
    beside_numbers = [word for word in output.split() if re.search("[A-Za-z]", word)]
    assert len(beside_numbers) <= 100


def test_csv_has_its_doubts_and_notes_beside_it() -> None:
    table, said = commands.both("compare", "gold.tsv", "one.tsv", "one.tsv", "-f", "csv")
    assert table.startswith("metric,baseline,system,")
    assert table.count("\n") == 4
    lines = said.splitlines()
    assert lines[0] == "csig: caution: A and B are the same file."
    assert all(line.startswith(("csig: caution: ", "csig: note: ")) for line in lines)


def test_the_format_json_is_the_record() -> None:
    arguments = ("--counts", "yeh.toml")
    assert run(*arguments, "-f", "json") == run(*arguments, "--json", "-")


def test_an_unseeded_run_can_be_repeated_from_its_signature() -> None:
    arguments = ("--counts", "yeh.toml", "--method", "approximate", "--resamples", "5000")
    first = run(*arguments, "--metric", "f1")
    seed = re.search(r"\|seed:(\d+)\|", first)
    assert seed is not None
    assert run(*arguments, "--metric", "f1", "--seed", seed[1]) == first


def test_undecided() -> None:
    found = record(
        "--counts", "yeh.toml", "--method", "approximate", "--resamples", "1,000", "--seed", "1"
    )
    by_name = {r["metric"]: r for r in found["results"]}
    assert by_name["precision"]["verdict"] == "undecided"
    assert by_name["precision"]["shuffles_to_decide"] > 1000
    assert by_name["recall"]["verdict"] == "significant"


def test_yeh2000_prints_every_check_with_its_pvalue() -> None:
    out = run("--counts", "yeh.toml", "--method", "yeh2000", "--seed", "1")
    for row in ("Recall: run 1", "Precision: run 1", "F1: run 1", "Recall: shuffles and sign test"):
        assert re.search(rf"^{row}.* 0\.\d+$", out, re.MULTILINE)


def test_yeh2000_says_why_a_small_comparison_has_no_checks() -> None:
    found = record("gold.tsv", "one.tsv", "two.tsv", "--method", "yeh2000")
    assert all(r["method"] == "exact" and r["checks"] is None for r in found["results"])
    out = run("gold.tsv", "one.tsv", "two.tsv", "--method", "yeh2000", "--explain")
    assert "all 2^3 shuffles are counted" in " ".join(out.split())


def test_metrics_by_comma_and_by_option() -> None:
    found = record("--counts", "yeh.toml", "--metric", "f2, jaccard", "--metric", "F0.5")
    assert [r["metric"] for r in found["results"]] == ["f2", "jaccard", "f0.5"]


def test_alpha_and_confidence() -> None:
    found = record(
        "--counts",
        "yeh.toml",
        "--alpha",
        "0.03",
        "--pvalue-confidence",
        "0.9",
        "--metric",
        "precision",
    )
    assert found["results"][0]["verdict"] == "not significant"
    assert found["results"][0]["confidence_level"] == 0.9


def test_a_pvalue_too_small_for_a_double() -> None:
    write("tiny.toml", "gold = 5000\nonly_a_correct = 4500\nonly_b_correct = 0")
    out = run("--counts", "tiny.toml", "--metric", "recall")
    assert re.search(r"^Recall .* 10\^-1354\.3 ", out, re.MULTILINE)


def test_seeds_of_any_size() -> None:
    seed = str(10**120)
    arguments = ("--counts", "yeh.toml", "--method", "approximate", "--resamples", "100")
    found = record(*arguments, "--seed", seed)
    assert found["results"][0]["seed"]["entropy"] == [seed]


# ---- what is read -----------------------------------------------------------------------


def test_responses() -> None:
    found = record("gold.tsv", "one.tsv", "two.tsv")
    assert found["input"]["format"] == "responses"
    assert found["comparison"]["counts"] == {
        "gold": 4,
        "both_correct": 1,
        "only_baseline_correct": 1,
        "only_system_correct": 0,
        "both_spurious": 0,
        "only_baseline_spurious": 1,
        "only_system_spurious": 1,
    }
    assert found["input"]["files"]["a"] == "one.tsv"
    assert (found["comparison"]["baseline"], found["comparison"]["system"]) == ("one", "two")


def test_documents() -> None:
    plain, documents = (
        record("gold.tsv", "one.tsv", "two.tsv", *more) for more in ((), ("--documents",))
    )
    assert documents["input"]["documents"] is True
    assert documents["input"]["n_documents"] == 2
    assert documents["comparison"]["unit"] == "document"
    at_response = record("gold.tsv", "one.tsv", "two.tsv", "--documents", "--unit", "response")
    assert at_response["comparison"] == plain["comparison"]
    out = run("gold.tsv", "one.tsv", "two.tsv", "--documents", "--explain")
    assert "the first field a document id" in out


def test_documents_that_the_gold_does_not_have() -> None:
    write("other.tsv", "D1\t1\tx")
    (said,) = [
        line
        for line in cautions("gold.tsv", "one.tsv", "other.tsv", "--documents")
        if "documents that the gold" in line
    ]
    assert said.startswith("other has responses in documents that the gold does not have: 'D1'")


def test_tags_are_recognised_and_named() -> None:
    out = run("gold.conll", "one.conll", "two.conll", "--explain")
    assert "tags read by conlleval's rules, 2 sentences, 5 tokens" in out
    assert record("gold.conll", "one.conll", "two.conll")["comparison"]["unit"] == "sentence"
    found = record("gold.conll", "one.conll", "two.conll", "--unit", "response")
    assert found["input"]["format"] == "tags"
    assert found["comparison"]["counts"]["gold"] == 2
    # A has X at 0-2 and, in the second sentence, X at 0-1; B has X at 0-1 and 1-2, and Y at 0-1.
    assert found["comparison"]["exclusions"] == {"pairs": 3, "responses": 5}
    said = cautions("gold.conll", "one.conll", "two.conll", "--unit", "response")
    assert any("5 of the 5 unique responses exclude" in line for line in said)


def test_the_format_can_be_forced() -> None:
    found = record("gold.conll", "one.conll", "two.conll", "--format", "tags")
    assert found["input"]["format"] == "tags"
    # Lines of tags are not unique, so reading them as responses fails with their line.
    write("g", "a\tO\nb\tO")
    write("x", "a\tO")
    assert record("g", "x", "x", "--format", "responses")["input"]["format"] == "responses"
    assert re.search("^Input +tags", run("g", "g", "g", "--explain"), re.MULTILINE)


def test_one_file_with_columns() -> None:
    columns = ("--gold-column", "gold", "--system", "crf", "--system", "bert")
    found = record("tags.tsv", *columns, "--unit", "response")
    assert found["input"]["columns"] == {"gold": "gold", "a": "crf", "b": "bert", "sentence": None}
    assert (found["comparison"]["baseline"], found["comparison"]["system"]) == ("crf", "bert")
    assert found["comparison"]["counts"]["only_baseline_correct"] == 1
    out = run("tags.tsv", *columns, "--explain")
    assert "columns gold, crf, bert of tags.tsv" in out


def test_decide() -> None:
    arguments = ("--counts", "yeh.toml", "--method", "approximate", "--seed", "5", "--decide")
    found = record(*arguments, "--alpha", "0.03", "--risk", "1e-3", "--resamples", "70000")
    assert (found["options"]["risk"], found["options"]["n_resamples"]) == (1e-3, 70000)
    expected = csig.randomization_test(
        csig.Comparison.from_counts(**PAPER), ("recall", "precision", "f1"),
        method="approximate", rng=5, decide_at=0.03, risk=1e-3, max_resamples=70000,
        statistic="studentized",
    )  # fmt: skip
    verdicts = {"below": "significant", "above": "not significant", "undecided": "undecided"}
    for result in found["results"]:
        own = expected[result["metric"]]
        assert result["n_hits"] == own.n_hits
        assert result["n_resamples"] == own.n_resamples == 2**17
        assert result["decision"]["verdict"] == own.decision.verdict
        assert result["verdict"] == verdicts[own.decision.verdict]
    assert [r["verdict"] for r in found["results"]] == [
        "significant", "not significant", "undecided"
    ]  # fmt: skip
    plain = record(*arguments)
    assert (plain["options"]["risk"], plain["options"]["n_resamples"]) == (1e-6, 2**32)
    assert {r["n_resamples"] for r in plain["results"]} == {2**16}
    out = " ".join(run(*arguments, "--explain").split())
    assert "Two seeds give opposite verdicts at 0.05 with a probability of at most 2e-06." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--risk", "0.01"), "--risk goes with --decide"),
        (("--decide", "--risk", "0.5"), "risk must lie between 0 and 0.5, found 0.5"),
        (("--decide", "--method", "yeh2000"), "--decide: method yeh2000 always draws 1048576"),
    ],
)
def test_decide_is_checked(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("--counts", "yeh.toml", *arguments)


def test_decide_is_for_one_comparison() -> None:
    write("scores.csv", "id,x,y,z,kind\n1,1,0,0,a\n2,1,1,0,b\n3,0,1,0,b")
    for arguments in (("--ignore", "kind"), ("--system", "x", "--system", "y", "--by", "kind")):
        said = refused("scores.csv", "--decide", *arguments)
        assert "--decide is for one comparison of two systems: Holm's correction" in said


def test_counts_may_name_the_systems_and_options_go_first() -> None:
    write("n.json", json.dumps({**PAPER, "name_a": "left", "name_b": "right"}))
    found = record("--counts", "n.json", "--name-b", "other")["comparison"]
    assert (found["baseline"], found["system"]) == ("left", "other")


def test_equal_names_are_told_apart() -> None:
    Path("x").mkdir()
    write("x/one.tsv", "d1\t1\tx")
    found = record("gold.tsv", "one.tsv", "x/one.tsv")["comparison"]
    assert (found["baseline"], found["system"]) == ("A (one)", "B (one)")


def test_markup_in_names_is_text() -> None:
    write("[red]x[_red].tsv", "d1\t1\tx")
    out = run("gold.tsv", "[red]x[_red].tsv", "one.tsv", "--name-b", "[bold]y[/bold]", "--explain")
    assert re.search(r"^\[red\]x\[_red\] +1 response,", out, re.MULTILINE)
    assert re.search(r"^\[bold\]y\[/bold\] +3 responses", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("files", "options", "unit", "n_units", "n_total", "shown"),
    [
        # Sentence 1: A's X at 0-2 is correct, B has X at 0-1 and 1-2. Sentence 2: Y against X.
        ("conll", (), "conflict", 2, 2, "2 of 2 conflict groups differ; the test swaps these"),
        ("conll", (), "sentence", 2, 2, "2 of 2 sentences differ; the test swaps these"),
        ("conll", ("--format", "tags"), "sentence", 2, 2, "|unit:sentence|"),
        # d1: A has one more that is correct. d2: each has one that is spurious.
        (
            "tsv",
            ("--documents",),
            "document",
            1,
            2,
            "1 of 2 documents differs; the test swaps this one",
        ),
    ],
)
def test_units(
    files: str, options: tuple[str, ...], unit: str, n_units: int, n_total: int, shown: str
) -> None:
    arguments = (*(f"{name}.{files}" for name in ("gold", "one", "two")), *options, "--unit", unit)
    found = record(*arguments)
    assert found["comparison"]["unit"] == found["options"]["unit"] == unit
    assert (found["comparison"]["n_units"], found["comparison"]["n_total"]) == (n_units, n_total)
    assert found["comparison"]["counts"] is None
    assert all(r["unit"] == unit and r["n_units"] == n_units for r in found["results"])
    out = " ".join(run(*arguments, "--explain").split())
    assert shown in out
    assert "p-values may be too small" not in out


@pytest.mark.parametrize("mark", ["-DOCSTART- O O O\n", "# newdoc id = {}\n"])
def test_documents_of_tags(mark: str) -> None:
    """d1: A has one more that is correct. d2 is the same. d3: A has one that is spurious."""
    sentences = ["x B-X B-X O\n\ny B-X B-X B-X\n\n", "x B-X O O\n\n", "x O B-Y O\n\n"]
    text = "".join(mark.format(f"d{i}") + part for i, part in enumerate(sentences))
    write("docs.conll", text)
    columns = ("--gold-column", "2", "--system", "3", "--system", "4")
    found = record("docs.conll", *columns, "--unit", "document")
    assert found["comparison"]["unit"] == "document"
    assert (found["comparison"]["n_units"], found["comparison"]["n_total"]) == (2, 3)
    for number, name in enumerate(("g", "a", "b"), start=1):
        lines = (line.split(" ") for line in text.split("\n"))
        keep = (" ".join(c) if c[0] in "#" else f"{c[0]} {c[number]}" for c in lines)
        write(f"{name}.conll", "\n".join(keep))
    in_files = record("g.conll", "a.conll", "b.conll", "--unit", "document")
    assert in_files["results"] == found["results"]


@pytest.mark.parametrize("with_spans", [False, True])
def test_documents_are_keys(with_spans: bool) -> None:
    rng = random.Random(1)
    lines = [
        [f"d{rng.randrange(12)}\t{i}\t{i + 1}\tx" for i in range(0, 60, 2) if rng.random() < 0.7]
        for _ in range(3)
    ]
    files = [
        write(name, *own) for name, own in zip(("g.tsv", "a.tsv", "b.tsv"), lines, strict=True)
    ]
    options = ["--documents", *["--spans"] * with_spans, "--unit", "document", "--metric", "f1"]
    keys = {line.split("\t")[0] for own in lines for line in own}
    comparison = csig.Comparison.from_responses(
        *({key: [x for x in own if x.split("\t")[0] == key] for key in keys} for own in lines),
        unit="key",
    )
    expected = csig.randomization_test(
        comparison, "f1", method="approximate", n_resamples=5000, rng=7
    )
    more = ("--method", "approximate", "--resamples", "5000", "--seed", "7")
    (found,) = record(*files, *options, *more)["results"]
    assert found["n_hits"] == expected.n_hits


def test_conflicts_of_spans_in_response_files() -> None:
    gold = write("g.tsv", "0\t2\tPER", "5\t6\tLOC")
    a = write("a.tsv", "0\t2\tPER", "5\t6\tORG", "9\t12\tX")
    b = write("b.tsv", "0\t1\tPER", "5\t6\tLOC", "11\t12\tX")
    found = record(gold, a, b, "--spans", "--unit", "conflict")
    assert (found["comparison"]["n_units"], found["comparison"]["n_total"]) == (2, 3)
    out = run(gold, a, b, "--spans", "--unit", "conflict", "--explain")
    assert "6 unique responses form 3 conflict groups" in " ".join(out.split())
    assert record(gold, a, b, "--spans")["comparison"] == found["comparison"]
    at_response = record(gold, a, b, "--spans", "--unit", "response")
    assert any(
        "--unit conflict swaps them together" in c
        for c in cautions(gold, a, b, "--spans", "--unit", "response")
    )
    assert at_response["comparison"]["exclusions"]["pairs"] > 0


@pytest.mark.parametrize("unit", ["conflict", "document"])
def test_empty_files_at_other_units(unit: str) -> None:
    arguments = ("--documents", "--spans", "--unit", unit)
    for files in (("empty.tsv",) * 3, ("one.tsv", "empty.tsv", "empty.tsv")):
        write("one.tsv", "d\t1\t2\tx")
        found = record(*files, *arguments)
        assert [r["pvalue"] for r in found["results"]] == [1, 1, 1]
        assert found["comparison"]["identical"] is True


# ---- special cases ----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "approximate", "yeh2000"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_identical_systems(method: str, alternative: str) -> None:
    arguments = ("gold.tsv", "one.tsv", "one.tsv", "--method", method, "--seed", "1")
    found = record(*arguments, "--alternative", alternative)
    assert found["comparison"]["identical"] is True
    assert [r["pvalue"] for r in found["results"]] == [1, 1, 1]
    out = run(*arguments, "--explain")
    assert "A and B are the same file" in out
    assert "do not differ in any response: there is nothing to test." in out
    assert "The systems are identical" in out


@pytest.mark.parametrize("method", ["auto", "approximate", "yeh2000"])
@pytest.mark.parametrize("zero", ["0", "1"])
@pytest.mark.parametrize(
    "files",
    [
        ("gold.tsv", "one.tsv", "empty.tsv"),
        ("gold.tsv", "empty.tsv", "empty.tsv"),
        ("empty.tsv", "one.tsv", "two.tsv"),
        ("empty.tsv", "empty.tsv", "empty.tsv"),
    ],
)
def test_empty_files_have_defined_answers(files: tuple[str, ...], method: str, zero: str) -> None:
    asked = (*files, "--zero-division", zero, "--method", method, "--resamples", "1048576")
    found = record(*asked)
    for result in found["results"]:
        assert 0 < result["pvalue"] <= 1
    said = " ".join(cautions(*asked))
    assert ("has no responses" in said) == ("empty.tsv" in files[1:])
    assert ("gold is empty" in said) == (files[0] == "empty.tsv")
    assert "zero division" in said
    assert f"|zd:{zero}|" in found["signature"]


def test_one_response() -> None:
    write("single.tsv", "d1\t1\tx")
    asked = ("single.tsv", "single.tsv", "empty.tsv", "--metric", "recall")
    assert record(*asked)["results"][0]["pvalue"] == 1
    assert any("With 1 unique response no p-value" in line for line in cautions(*asked))


def test_gold_given_as_a_system_is_noticed() -> None:
    said = cautions("gold.tsv", "gold.tsv", "two.tsv")
    assert any("responses of gold are exactly the gold" in line for line in said)


# ---- mistakes ---------------------------------------------------------------------------


def test_json_file_and_table() -> None:
    out = run("--counts", "yeh.toml", "--json", "r.json")
    assert out == run("--counts", "yeh.toml")
    read = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert read == record("--counts", "yeh.toml")
    assert not [name for name in os.listdir() if "tmp" in name]


def test_a_failed_run_leaves_the_old_json_alone() -> None:
    write("r.json", "old")
    refused("--counts", "yeh.toml", "--metric", "bleu", "--json", "r.json")
    assert Path("r.json").read_text() == "old\n"
    assert not [name for name in os.listdir() if "tmp" in name]


@pytest.mark.skipif(not hasattr(os, "symlink") or sys.platform == "win32", reason="needs links")
def test_json_through_a_link_keeps_the_link_and_the_mode() -> None:
    write("target.json", "old")
    os.chmod("target.json", 0o640)
    os.symlink("target.json", "link.json")
    run("--counts", "yeh.toml", "--json", "link.json")
    assert os.path.islink("link.json")
    assert json.loads(Path("target.json").read_text())["schema"] == "csig.compare"
    assert os.stat("target.json").st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_json_to_a_device_does_not_replace_it() -> None:
    run("--counts", "yeh.toml", "--json", "/dev/null")
    assert not os.path.isfile("/dev/null")


def test_names_in_any_script_survive() -> None:
    found = record("--counts", "yeh.toml", "--name-a", "数据 é", "--name-b", "b\udcff")
    assert found["comparison"]["baseline"] == "数据 é"
    assert "\udcff" not in found["comparison"]["system"]


def test_spans_in_response_files() -> None:
    gold = write("g.tsv", "d\t0\t2\tPER", "d\t5\t6\tLOC")
    a = write("a.tsv", "d\t0\t2\tPER", "d\t5\t6\tORG")
    b = write("b.tsv", "d\t0\t2\tPER", "d\t5\t6\tLOC")
    found = record(gold, a, b, "--documents", "--spans")
    assert found["comparison"]["exclusions"] == {"pairs": 1, "responses": 2}
    assert record(gold, a, b, "--documents")["comparison"]["exclusions"] is None
    assert "with --spans a response is start, end, label" in refused(gold, a, b, "--spans")
    bad = write("bad.tsv", "d\t3\t3\tPER")
    message = refused(gold, bad, b, "--documents", "--spans")
    assert "'d | 3 | 3 | PER': found start 3 and end 3, expected integers" in message


def test_files_with_different_fields() -> None:
    gold, a = write("g.tsv", "d\t1\tX"), write("a.tsv", "d\t1")
    assert "differ in the number of fields per line: g.tsv 3, a.tsv 2" in refused(gold, a, gold)


def test_a_file_that_has_nothing_to_do_with_the_gold() -> None:
    gold, other = write("g.tsv", "x", "y"), write("o.tsv", "u", "v")
    output = run(gold, other, gold)
    assert "None of the responses of o is in the gold. Is it the right file?" in output


def test_a_name_that_no_encoding_holds() -> None:
    path = write("n.json", '{"gold":5,"only_a_correct":3,"only_b_correct":2,"name_a":"\\ud800"}')
    run("--counts", path)
