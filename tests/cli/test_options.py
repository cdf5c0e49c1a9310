"""Options that do not go together, misspelt names and other mistakes: one line each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import commands
import pytest
from commands import write

import csig

pytestmark = pytest.mark.usefixtures("small_files", "scores")

refused = partial(commands.refused, "compare")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "no input files: give GOLD A B, one table, or --counts FILE"),
        (("gold.tsv",), "found the number '1', expected the names of the columns"),
        (("gold.tsv", "one.tsv"), "found the number '1', expected the names of the columns"),
        (("gold.tsv", "one.tsv", "two.tsv", "x"), "x: no such file"),
        (("gold.tsv", "--format", "responses"), "responses need a file for the gold and one for"),
        (("gold.tsv", "one.tsv", "--format", "responses"), "found one system only, 'one'"),
        (("gold.tsv", "one.tsv", "none.tsv"), "none.tsv: no such file"),
        (("gold.tsv", "one.tsv", "."), "found a folder without .ann files"),
        (("gold.conll", "one.conll", "two.tsv"), "gold.conll has a tag at the end of every"),
        (("--counts", "yeh.toml", "gold.tsv"), "--counts replaces GOLD A B"),
        (("--counts", "yeh.toml", "--documents"), "--documents does not go with a file of counts"),
        (("--counts", "yeh.toml", "--system", "x"), "--system does not go with a file of counts"),
        (("--counts", "yeh.toml", "--statistics", "x"), "--counts does not go with --statistics"),
        (("--counts", "yeh.toml", "--by", "label"), "--by label: counts cannot be broken down"),
        (("--counts", "none.toml"), "none.toml: no such file"),
        (("tags.tsv", "--gold-column", "gold"), "one file with tags needs --gold-column and the"),
        (("tags.tsv", "--sentence-column", "s"), "one file with tags needs --gold-column and the"),
        (("tags.tsv", "--gold-column", "gold", "--system", "crf"), "found one system only"),
        (
            ("gold.conll", "one.conll", "--gold-column", "2", "--system", "2", "--system", "2"),
            "found 2 columns for 1 system",
        ),
        (
            ("tags.tsv", "--gold-column", "g", "--system", "crf", "--system", "bert"),
            "no column 'g'",
        ),
        (
            ("gold.tsv", "--gold-column", "1", "--documents"),
            "--gold-column does not go with responses",
        ),
        (
            ("gold.tsv", "one.tsv", "two.tsv", "--documents", "--format", "tags"),
            "--documents does not go with tags",
        ),
        (
            ("gold.tsv", "one.tsv", "two.tsv", "--spans", "--rules", "strict"),
            "--spans does not go with tags",
        ),
        (
            ("gold.conll", "one.conll", "two.conll", "--allow-missing", "intersection"),
            "--allow-missing does not go with tags",
        ),
        (
            ("gold.tsv", "one.tsv", "two.tsv", "--format", "spans", "--field", "x"),
            "--field: expected NAME=PATH, a column's name and where",
        ),
        (
            ("--counts", "yeh.toml", "--unit", "sentence"),
            "--unit sentence is not possible here, only response; tags have it",
        ),
        (
            ("gold.conll", "one.conll", "two.conll", "--unit", "document"),
            "not possible here, only response, conflict, sentence; spans have documents",
        ),
        (
            ("x", "--gold-column", "1", "--system", "2", "--system", "3", "--unit", "key"),
            "'key' is not one of",
        ),
        (
            ("gold.tsv", "one.tsv", "two.tsv", "--unit", "conflict"),
            "not possible here, only response; tags and spans have it, and responses with --spans",
        ),
        (
            ("gold.tsv", "one.tsv", "two.tsv", "--unit", "sentence", "--documents"),
            "--unit sentence is not possible here, only response, document; tags have it",
        ),
        (("--counts", "yeh.toml", "--unit", "key"), "'key' is not one of"),
        (
            ("gold.conll", "one.conll", "two.conll", "--unit", "sentence", "--method", "yeh2000"),
            "--unit sentence: method yeh2000 is the paper's, for responses",
        ),
        (("--counts", "yeh.toml", "--metric", "bleu"), "metric 'bleu' is unknown"),
        (("--counts", "yeh.toml", "--metric", "recall,"), "metric '' is unknown"),
        (("--counts", "yeh.toml", "--metric", "f1,F1"), "given more than once: 'f1'"),
        (("--counts", "yeh.toml", "--seed", "-1"), "found '-1'"),
        (("--counts", "yeh.toml", "--seed", "1" * 5000), "found '1111"),
        (("--counts", "yeh.toml", "--seed", "x"), "found 'x'"),
        (("--counts", "yeh.toml", "--resamples", "0"), "from 1 to"),
        (("--counts", "yeh.toml", "--resamples", "2**20"), "found '2**20'"),
        (("--counts", "yeh.toml", "--method", "yeh2000", "--resamples", "9"), "yeh2000 always"),
        (("--counts", "yeh.toml", "--threads", "0"), "from 1 to 1024"),
        (("--counts", "yeh.toml", "--alpha", "0"), "between 0 and 1"),
        (("--counts", "yeh.toml", "--alpha", "nan"), "between 0 and 1"),
        (("--counts", "yeh.toml", "--pvalue-confidence", "99"), "between 0 and 1"),
        (("--counts", "yeh.toml", "--method", "fisher"), "'fisher' is not one of"),
        (("--counts", "yeh.toml", "--bit-generator", "LCG"), "'LCG' is not one of"),
        (("--counts", "yeh.toml", "--alternative", "more"), "'more' is not one of"),
        (("--counts", "yeh.toml", "--zero-division", "2"), "'2' is not one of"),
        (("--counts", "yeh.toml", "--name-a", " "), "--name-a must not be empty"),
        (("--counts", "yeh.toml", "--json", "no/x.json"), "no/x.json: the JSON record cannot be"),
        (("--counts", "yeh.toml", "--json", "."), "found a directory"),
        (("--counts", "yeh.toml", "--json", "yeh.toml"), "would overwrite an input"),
        (("--frobnicate",), "No such option"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], expected: str) -> None:
    assert expected in refused(*arguments)


def test_more_correct_responses_than_gold_names_the_file() -> None:
    write("bad.toml", "gold = 1\nonly_a_correct = 2\nonly_b_correct = 0")
    assert "bad.toml: gold is 1" in refused("--counts", "bad.toml")


def test_a_path_with_a_line_break_stays_on_one_line() -> None:
    refused("gold.tsv", "one.tsv", "no\nsuch\x1b[2J")


# ---- names that are misspelt -------------------------------------------------------------------

TAGS = ("tags.tsv", "--gold-column", "gold", "--system", "crf", "--system", "bert")
FILES = ("gold.tsv", "one.tsv", "two.tsv")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--counts", "yeh.toml", "--metric", "recal"), "'recall'"),
        (("--counts", "yeh.toml", "--metric", "prec"), "'precision'"),
        (("t.csv", "--system", "A"), "'a'"),
        (("t.csv", "--system", "A", "--system", "b"), "'a'"),
        (("t.csv", "--cluster", "ID"), "'id'"),
        (("t.csv", "--id", "idd"), "'id'"),
        (("t.csv", "t.csv", "--ignore", "Id"), "'id'"),
        ((*TAGS[:2], "Gold", *TAGS[3:]), "'gold'"),
        ((*TAGS[:4], "cfr", *TAGS[5:]), "'crf'"),
        ((*TAGS, "--scheme", "IOB-2"), "'IOB2'"),
        ((*TAGS, "--rules", "strickt"), "'strict'"),
        ((*FILES, "--format", "response"), "'responses'"),
        ((*FILES, "--documents", "--by", "fields"), None),
    ],
)
def test_what_may_have_been_meant(arguments: tuple[str, ...], expected: str | None) -> None:
    message = refused(*arguments)
    if expected is not None:
        assert f"(did you mean {expected}?)" in message


def test_what_an_audit_and_training_may_have_meant() -> None:
    write("scores.csv", "sample,system,score", *(f"{i},{s},0.{i}" for i in "123" for s in "xyz"))
    asked = partial(commands.refused, "train", "scores.csv")
    assert "no column 'smple' (did you mean 'sample'?)" in asked("--replicate-column", "smple")
    assert "no system 'X' (did you mean 'x'?)" in asked("--baseline", "X")


def test_python_says_it_too(tmp_path: Path) -> None:
    c = csig.Comparison.from_scores([1, 0], [0, 1], clusters=["x", "y"], cluster_name="story")
    for call, expected in (
        (lambda: csig.randomization_test(c, "means"), "'mean'"),
        (lambda: csig.randomization_test(c, "mean", method="Exact"), "'exact'"),
        (lambda: csig.randomization_test(c, "mean", alternative="two_sided"), "'two-sided'"),
        (lambda: csig.randomization_test(c, "mean", bit_generator="PCG64DSXM"), "'PCG64DXSM'"),
        (lambda: csig.intervals.bootstrap_interval(c, "mean", method="bcA"), "'bca'"),
        (lambda: csig.read("t.csv", unit="clusters"), "'cluster'"),
        (lambda: csig.read("t.csv", format="score"), "'scores'"),
        (lambda: csig.read("t.csv").comparison("A", "b"), "'a'"),
        (lambda: c.at("stories"), "'story'"),
        (
            lambda: csig.Metric("m", ("tp", "gold"), numerator={"TP": 1}, denominator={"gold": 1}),
            "'tp'",
        ),
    ):
        with pytest.raises(csig.InputError) as caught:
            call()
        assert f"(did you mean {expected}?)" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("compare", "x", "--confidence", "0.9"), "--pvalue-confidence or --confidence-level"),
        (("train", "x", "--confidence", "0.9"), "(did you mean --confidence-level?)"),
        (("interval", "x", "--level", "0.9"), "--confidence-level"),
        (("compare", "x", "--interval-level", "0.9"), "--confidence-level"),
    ],
)
def test_what_options_of_earlier_versions_are_called(arguments, hint) -> None:
    assert hint in commands.refused(*arguments)
