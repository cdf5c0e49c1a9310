"""Tables of units and tags on the command line: from a file to a verdict with one command."""

from functools import partial

import commands
import pytest
from brute import textbook_holm
from written import text_file

import csig

run = partial(commands.run, "compare")
record = partial(commands.record, "compare")


FOUR = "id,w,x,y,z\n" + "".join(f"q{i},{i % 3},{i % 4},{(i * 7) % 5},{i % 3}\n" for i in range(24))


def test_each_system_with_the_first():
    """Its results do not depend on how many others there are."""
    path = text_file(FOUR)
    drawn = ("--seed", "1", "--method", "approximate", "--resamples", "999")
    found = record(path, *drawn)
    assert (found["schema"], found["baseline"], found["correction"]) == (
        "csig.compare.systems", "w", "holm",
    )  # fmt: skip
    pvalues = []
    for name, own in zip("xyz", found["comparisons"], strict=True):
        pair = record(path, "--system", "w", "--system", name, *drawn)
        for part in (own, pair):  # the notes are those of all systems
            assert part["results"][0]["seed"]["entropy"] == ["1"]
        assert (own["results"], own["comparison"]) == (pair["results"], pair["comparison"])
        pvalues.append(own["results"][0]["pvalue"])
    adjusted = [row["adjusted_pvalue"] for row in found["results"]]
    assert adjusted == [row.adjusted_pvalue for row in csig.classical.holm(pvalues)]
    assert adjusted == pytest.approx(textbook_holm(pvalues))
    assert found["comparisons"][2]["comparison"]["identical"] is True


def test_standard_input_and_names():
    data = b"id,a,b\n1,1,0\n2,0.5,0\n"
    output = run("-", "--name-a", "old", "--name-b", "new", "--explain", stdin=data)
    assert "Input  a table of scores, 2 items (-)" in output
    assert "old    2 items, total score 1.5" in output
    # Another input, not the one remembered.
    assert "3 items" in run("-", "--explain", stdin=b"id,a,b\n1,1,0\n2,0,0\n4,1,1\n")
