"""Names that are misspelt: one line that says what may have been meant."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import commands
import pytest
from commands import write

import csig

pytestmark = pytest.mark.usefixtures("small_files", "scores")

refused = partial(commands.refused, "compare")

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
        (lambda: csig.bootstrap_interval(c, "mean", method="bcA"), "'bca'"),
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
