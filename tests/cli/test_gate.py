"""``csig gate``: verdicts, what it can see, and its record."""

import json
from pathlib import Path

import pytest
from commands import record, refused, run, words, write

import csig
from csig.margins.gate import design_of_items, gate


def answers(name: str, both: int, new: int, base: int, neither: int) -> str:
    rows = ["1,1"] * both + ["0,1"] * new + ["1,0"] * base + ["0,0"] * neither
    return write(name, "id,base,new", *(f"q{i},{row}" for i, row in enumerate(rows)))


@pytest.fixture(autouse=True)
def _answers(_folder: None) -> None:
    answers("equal.csv", 300, 8, 8, 84)
    answers("worse.csv", 300, 2, 24, 74)
    answers("few.csv", 22, 1, 1, 6)


@pytest.mark.parametrize(
    ("file", "margin", "verdict", "status"),
    [("equal.csv", 3, "PASS", 0), ("worse.csv", 3, "FAIL", 1), ("few.csv", 1, "INCONCLUSIVE", 3),
     ("worse.csv", 10, "PASS", 0)],
)  # fmt: skip
def test_the_verdict_is_the_first_word_and_the_status(file, margin, verdict, status):
    found = run("gate", file, "--margin", margin, status=status)
    assert found.startswith(f"{verdict}: ")
    kept = record("gate", file, "--margin", margin, status=status)
    assert (kept["schema"], kept["verdict"]) == ("csig.gate", verdict)
    markdown = run("gate", file, "--margin", margin, "-f", "markdown", status=status)
    assert verdict in markdown
    assert "| Margin |" in markdown


def test_a_system_may_be_worse_by_less_than_the_margin():
    assert "PASS: worse, by less than the margin" in words("gate", "worse.csv", "--margin", 10)


def test_what_the_gate_can_see_is_said_in_every_run():
    assert "an equal one in" in words("gate", "equal.csv", "--margin", 3)
    blind = words("gate", "few.csv", "--margin", 1, status=3)
    assert "This gate is blind. 30 items of which 6.67% differ" in blind


def test_designs_are_enumerated():
    # 200 items: equal systems pass 3 points in 34 to 50%, 1 point in 10 to 14%.
    for margin, differing, power in ((3, 0.10, 0.341), (3, 0.05, 0.498)):
        assert design_of_items(200, margin, differing).power == pytest.approx(power, abs=0.001)
    powers = [design_of_items(200, 1, share).power for share in (0.05, 0.10)]
    assert 0.095 < powers[1] < powers[0] < 0.145
    found = words("gate", "--design", "--items", 200, "--margin", 3)
    assert "10% 200 3 points 4.2% 34.1% 716 weak" in found
    one = words("gate", "--design", "--items", 30, "--margin", 1, "--differ", 0.05)
    assert "This gate is blind" in one
    needed = design_of_items(200, 5, 0.10).needed
    assert design_of_items(needed, 5, 0.10).power >= 0.8
    # Of files the items and the share are theirs.
    assert "16" not in (found := words("gate", "equal.csv", "--design", "--margin", 3))
    assert "400 items of which 4% differ" in found


def test_scores_have_the_normal_formula():
    rows = (f"q{i},{i * 7 % 11 + 20},{i * 5 % 13 + 20}" for i in range(60))
    write("scores.csv", "id,base,new", *rows)
    found = words("gate", "scores.csv", "--margin", 1, status=None)
    assert "60 units: a system that is worse by 1 passes in 5%" in found


def test_a_record_is_run_again_on_its_files():
    run("gate", "equal.csv", "--margin", 3, "--record", "gate.json")
    again = ("verify", "gate.json", "--inputs", "equal.csv")
    assert run(*again).startswith("Verified: all ")
    assert "holds no data; give its files" in refused("verify", "gate.json")
    kept = json.loads(Path("gate.json").read_text(encoding="utf-8"))
    kept["test"]["pvalue"] /= 2
    write("doctored.json", json.dumps(kept))
    found = run("verify", "doctored.json", "--inputs", "equal.csv", status=1)
    assert found.startswith("NOT verified: 2 of ")
    assert "test.pvalue" in found
    assert "changed after it was written" in found
    answers("other.csv", 300, 8, 9, 83)
    found = run("verify", "gate.json", "--inputs", "other.csv", status=1)
    assert "SHA-256" in found
    assert "digest" in found
    write("broken.json", '{"schema": "csig.gate", "test": 1}')
    refused("verify", "broken.json", "--inputs", "equal.csv")


def test_python_has_what_the_command_has():
    (metrics, comparison), = csig.read("equal.csv").tests("new", "base")  # fmt: skip
    metric = csig.metrics.get(metrics[0], comparison.columns)
    found = gate(comparison, metric, 3)
    kept = record("gate", "equal.csv", "--margin", 3)
    assert (found.verdict, found.status, found.digest) == ("PASS", 0, kept["digest"])
    assert found.test.pvalue == kept["test"]["pvalue"]
    assert repr(found).startswith("<GateResult PASS: ")


def test_compare_asks_both_sides_of_a_margin():
    found = words("compare", "equal.csv", "--margin", 3)
    assert "new is not worse than base by more than 3 points (p = " in found
    both = record("compare", "worse.csv", "--margin", 3, "--margin-kind", "relative")
    (result,) = both["results"]
    assert (result["kind"], result["margin_kind"]) == ("MarginResult", "relative")
    assert "may be worse than base by up to" in words("compare", "worse.csv", "--margin", 3)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("gate equal.csv", "Missing option '--margin'"),
        ("gate equal.csv --margin 0", "expected a number above 0"),
        ("gate equal.csv --margin 3 --items 20", "go with --design"),
        ("gate --margin 3 --design", "give the files, or --items N"),
        ("gate --margin 3 --design --items 20 --differ 0.02", "is not above the margin"),
        ("compare equal.csv --margin 1 --by id", "--by does not go with --margin"),
        ("compare equal.csv --margin-kind relative", "--margin-kind goes with --margin"),
    ],
)
def test_what_does_not_go_together_is_refused(words, expected):
    assert expected in refused(*words.split())
