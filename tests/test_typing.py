"""A user's script, as a type checker sees it: what is misspelt is an error, and nothing else."""

import re
import subprocess
import sys

import pytest
from places import ROOT

GOOD = """\
import csig

found = csig.compare({"a": [1, 2], "b": [2, 1]}, metric=["mean"], alternative="greater", rng=1)
for key, result in found.items():
    print(key, result.system, result.difference + 1.0, result.better)
    if result.interval is not None:
        print(result.interval.low)
text: str = found.summary("latex", explain=True) + found["mean"].summary("html")
print(found["b", "mean"].pvalue, found.doubts, found.comparisons["b"].n_units, found.to_frame())
comparison = csig.Comparison.from_scores([1, 2], [3, 4])
one = csig.randomization_test(comparison, "mean", method="exact")
several = csig.randomization_test(comparison, ["mean"])
print(one.pvalue, several["mean"].pvalue, several.summary(), csig.effects.sensitivity(comparison,
"mean")) print(csig.read("x.csv", decimal=",").comparison(),
csig.intervals.bootstrap_interval(comparison, "mean").low)
"""

BAD = """\
import csig
c = csig.Comparison.from_scores([1, 2], [3, 4])
csig.compare(c, alternative="bigger")
csig.compare(c, method="exakt")
csig.compare(c, interval="bc")
csig.compare(c, rules="loose")
csig.compare(c, metrics="f1")
csig.compare(c).summary("latx")
csig.compare(c).to_frame("panda")
csig.randomization_test(c, "mean", method="exakt")
csig.randomization_test(c, "mean").summary(format="latx")
csig.comparee(c)
print(csig.compare(c)["f1"].pvlaue)
"""


@pytest.mark.slow
def test_a_users_script(tmp_path):
    pytest.importorskip("mypy")
    for name, text in (("good.py", GOOD), ("bad.py", BAD)):
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "good.py", "bad.py"]
    found = subprocess.run(
        command, cwd=tmp_path, env={"MYPYPATH": str(ROOT)}, capture_output=True, text=True
    )
    errors = {
        (own[1], int(own[2])) for own in re.finditer(r"^(\w+)\.py:(\d+): error", found.stdout, re.M)
    }
    assert errors == {("bad", line) for line in range(3, BAD.count("\n") + 1)}, found.stdout


def test_types_are_shipped():
    assert (ROOT / "csig" / "py.typed").exists()
    assert "py.typed" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
