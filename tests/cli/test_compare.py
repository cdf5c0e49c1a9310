"""``csig compare`` on the command line: what it computes, and what it prints."""

from functools import partial

import commands
import pytest
from commands import said_beside

pytestmark = pytest.mark.usefixtures("small_files")

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")


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
