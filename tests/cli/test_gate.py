"""``csig gate``: verdicts, what it can see, and its record."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from commands import record, refused, run, words, write
from scipy import stats

import csig
from csig.margins.gate import design_of_items, gate, passes


def answers(name: str, both: int, new: int, base: int, neither: int) -> str:
    rows = ["1,1"] * both + ["0,1"] * new + ["1,0"] * base + ["0,0"] * neither
    return write(name, "id,base,new", *(f"q{i},{row}" for i, row in enumerate(rows)))


@pytest.fixture(autouse=True)
def _answers(_folder: None) -> None:
    answers("equal.csv", 300, 8, 8, 84)
    answers("worse.csv", 300, 2, 24, 74)
    answers("few.csv", 22, 1, 1, 6)


def test_the_verdict_is_the_first_word_and_the_status():
    for file, margin, verdict, status in (
        ("equal.csv", 3, "PASS", 0), ("worse.csv", 3, "FAIL", 1),
        ("few.csv", 1, "INCONCLUSIVE", 3), ("worse.csv", 10, "PASS", 0),
    ):  # fmt: skip
        asked = ("gate", file, "--margin", margin)
        assert run(*asked, status=status).startswith(f"{verdict}: ")
        kept = record(*asked, status=status)
        assert (kept["schema"], kept["verdict"]) == ("csig.gate", verdict)
        markdown = run(*asked, "-f", "markdown", status=status)
        assert verdict in markdown
        assert "| Margin |" in markdown
    # It may be worse by less than the margin.
    assert "PASS: worse, by less than the margin" in words(*asked)


def test_what_the_gate_can_see_is_said_in_every_run():
    assert "an equal one in" in words("gate", "equal.csv", "--margin", 3)
    blind = words("gate", "few.csv", "--margin", 1, status=3)
    assert "This gate is blind. 30 items of which 6.67% differ" in blind


def test_designs_are_enumerated():
    # 200 items: equal systems pass 3 points in 34 to 50%, 1 point in 10 to 14%.
    for margin, differing, power in ((3, 0.10, 0.341), (3, 0.05, 0.498)):
        assert design_of_items(200, margin, differing).power == pytest.approx(power, abs=0.001)
    powers = [passes(200, 0.01, share, 0.05)[1] for share in (0.05, 0.10)]
    assert 0.095 < powers[1] < powers[0] < 0.145
    found = words("gate", "--design", "--items", 200, "--margin", 3)
    assert "10% 200 3 points 4.2% 34.1% 721 weak" in found
    one = words("gate", "--design", "--items", 30, "--margin", 2, "--discordance", 0.05)
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


def test_what_a_gate_of_scores_that_are_all_alike_sees_is_not_known():
    write("same.csv", "id,base,new", *(f"q{i},{i % 7 + 20.5},{i % 7 + 20.5}" for i in range(30)))
    found = words("gate", "same.csv", "--margin", 1, status=3)
    assert found.startswith("INCONCLUSIVE: Mean: new may be worse than base by up to 2.5")
    assert "What this gate can see is not known" in found
    # One item that one system gets right differs as much as items can.
    answers("one.csv", 0, 0, 1, 0)
    assert "This gate is blind. 1 item of which 100% differ" in words(
        "gate", "one.csv", "--margin", 5, status=3
    )


def test_beyond_20000_items_their_design_is_of_items():
    answers("many.csv", 15_000, 1500, 1500, 4000)
    found = words("gate", "many.csv", "--margin", 1)
    assert "22,000 items of which 13.6% differ" in found
    assert "Tested by the score test of Tango" in found
    answers("many.csv", 30_000, 0, 1500, 4000)
    assert words("gate", "many.csv", "--margin", 1, status=1).startswith("FAIL: worse (p < 1e-300)")


@pytest.fixture(scope="module")
def real(shared_data):
    """Three pairs: answers to problems, answers about figures, and runs of a retrieval track."""
    gsm8k = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    figures = shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv"
    track = shared_data("trec_robust03")
    runs = [str(track / f"input.{name}.gz") for name in ("NLPR03vb10", "rutcor03100")]
    return {
        "answers": (str(gsm8k), "--id", "item", "6b_finetuning", "175b_finetuning"),
        "figures": (str(figures), "--id", "item", "bert", "gpt2"),
        "runs": ("--qrels", str(track / "robust03_qrels.txt.gz"), "--metric", "AP", *runs),
    }


def rows_of(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def pair_of(real, name):
    """The words of a command, those of the same system twice, and the scores of both."""
    *common, base, new = real[name]
    if name == "runs":
        table = rows_of(Path(common[1]).with_name("ir_measures.csv"))
        kept = {(row["run"], row["topic"]): float(row["AP"]) for row in table}
        names = [Path(own).name.split(".")[1] for own in (base, new)]
        topics = sorted({topic for _, topic in kept})
        scores = [[kept.get((own, topic), 0.0) for topic in topics] for own in names]
        return (*common, base, new), (*common, base, base), scores
    rows = rows_of(Path(common[0]))
    scores = [[float(row[own]) for row in rows] for own in (base, new)]
    twice = "".join(f"{row['item']},{row[base]},{row[base]}\n" for row in rows)
    write("twice.csv", "item,one,again", *twice.splitlines())
    return (*common, "--system", base, "--system", new), ("twice.csv", "--id", "item"), scores


@pytest.mark.parametrize(("name", "margin"), [
    ("answers", 1), ("figures", 10), ("runs", 1), ("runs", 3),
])  # fmt: skip
def test_gates_of_real_pairs(real, name, margin):
    asked, _, (base, new) = pair_of(real, name)
    found = record("gate", *asked, "--margin", margin, status=None)
    d = np.subtract(new, base)
    t = (d.mean() + margin / 100) / (d.std(ddof=1) / math.sqrt(len(d)))
    down = stats.ttest_1samp(d, 0, alternative="less").pvalue
    assert found["test"]["difference"] == pytest.approx(d.mean(), abs=1e-4)
    p = stats.t.sf(t, len(d) - 1)
    assert found["test"]["pvalue"] == pytest.approx(p, rel=0.25, abs=3e-4)
    assert found["pvalue_equal"] == pytest.approx(down, rel=0.25, abs=1e-5)
    assert found["verdict"] == ("PASS" if p <= 0.05 else "FAIL" if down <= 0.05 else "INCONCLUSIVE")


@pytest.mark.parametrize(("name", "margins"), [
    ("answers", (10,)), ("runs", (0.1, 1, 10)),
])  # fmt: skip
def test_the_same_model_twice_never_fails(real, name, margins):
    _, twice, (base, _) = pair_of(real, name)
    largest = max(base)
    for margin in margins:
        found = record("gate", *twice, "--margin", margin, status=None)
        share = margin / 100 / largest
        missed, p = (1 - share) ** len(base), found["test"]["pvalue"]
        # Of right and wrong answers other outcomes are as far in Tango's order.
        tango = stats.norm.sf(math.sqrt(len(base) * share / (1 - share))) if largest == 1 else 0
        assert missed * (1 - 1e-9) <= p <= 1.3 * max(missed, tango) + 1e-11
        assert found["pvalue_equal"] == 1
        assert found["verdict"] == ("PASS" if p <= 0.05 else "INCONCLUSIVE")


def test_a_record_is_run_again_on_its_files():
    run("gate", "equal.csv", "--margin", 3, "--record", "gate.json")
    printed = json.loads(run("gate", "equal.csv", "--margin", 3, "--record", "-"))
    assert printed["verdict"] == "PASS"
    again = ("verify", "gate.json", "--inputs", "equal.csv")
    assert run(*again).startswith("Verified: all ")
    assert "has only the digest of the data; give its inputs: --inputs once for each of" in refused(
        "verify", "gate.json"
    )
    kept = json.loads(Path("gate.json").read_text(encoding="utf-8"))
    kept["test"]["pvalue"] /= 2
    write("doctored.json", json.dumps(kept))
    found = run("verify", "doctored.json", "--inputs", "equal.csv", status=1)
    assert found.startswith("NOT verified: 2 of ")
    assert "test.pvalue" in found
    assert "changed after it was written" in found
    answers("other.csv", 300, 8, 9, 83)
    found = run("verify", "gate.json", "--inputs", "other.csv", status=1)
    assert "inputs: other.csv is not equal.csv of the record (SHA-256)" in found
    for name, value, error in (
        ("test", 1, "test: found int, expected object"),
        ("verdict", "pass", "verdict: found 'pass', expected one of"),
        ("seed", 3, "seed: found int, expected string"),
        ("schema_version", 2, "found schema version 2"),
    ):
        write("broken.json", json.dumps(kept | {name: value}))
        assert error in refused("verify", "broken.json", "--inputs", "equal.csv")
    own = kept["test"] | {"alpha": 0.7}
    write("broken.json", json.dumps(kept | {"test": own}))
    assert "broken.json: alpha must lie" in refused(
        "verify", "broken.json", "--inputs", "equal.csv"
    )


def test_a_record_of_python_is_verified_with_its_comparison():
    comparison = csig.read("equal.csv").comparison(1, 0)
    found = csig.gate(comparison, "accuracy", 3)
    kept = json.loads(found.summary("json"))
    assert csig.verify(kept, comparison=comparison).ok
    other = csig.read("worse.csv").comparison(1, 0)
    fields = {own.partition(":")[0] for own in csig.verify(kept, comparison=other).differences}
    assert {"digest", "verdict", "test.pvalue", "design.power"} <= fields
    with pytest.raises(csig.InputError, match="has only the digest of the data"):
        csig.verify(kept)
    with pytest.raises(csig.InputError, match=r"comparison must be a csig\.Comparison, found"):
        csig.verify(kept, comparison=csig.read("equal.csv"))
    with pytest.raises(csig.InputError, match="not computed in another way"):
        csig.verify(kept, comparison=comparison, independent=True)


def test_a_gate_of_three_systems_is_asked_of_one():
    rows = (f"q{i},{i % 3 > 0:d},{i % 4 > 0:d},{i % 5 > 0:d}" for i in range(60))
    write("three.csv", "id,base,a,b", *rows)
    found = refused("gate", "three.csv", "--margin", 3)
    assert "a gate is for one system and the baseline, found 3 systems" in found
    assert "csig gate three.csv --margin 3 --system base --system a" in found
    found = refused("gate", "--margin", 3, "--", "three.csv")
    assert "csig gate --margin 3 --system base --system a -- three.csv" in found
    asked = ("three.csv", "--margin", 3, "--system", "base", "--system", "b")
    assert record("gate", *asked, status=None)["test"]["names"] == ["b", "base"]


def test_several_systems_are_compared_with_one_at_a_margin():
    """Each by the test of the two alone, and their p-values by Holm."""
    rows = (
        (i % 3 > 0, i % 3 > 0 or i % 9 < 2, i % 25 > 9 and i != 10, i % 25 > 9) for i in range(300)
    )
    lines = (f"q{i},{','.join(str(int(own)) for own in row)}" for i, row in enumerate(rows))
    write("four.csv", "id,base,a,b,c", *lines)
    kept = record("compare", "four.csv", "--margin", 8)["results"]
    alone = {
        name: record("compare", "four.csv", "--margin", 8, "--system", "base", "--system", name)
        for name in "abc"
    }
    assert [own["names"] for own in kept] == [[name, "base"] for name in "abc"]
    sides = {"pvalue_worse": [], "pvalue_better": []}
    for own in kept:
        (result,) = alone[own["names"][0]]["results"]
        assert "adjusted_pvalue_worse" not in result
        for name in ("pvalue_worse", "pvalue_better", "worse", "better", "margin"):
            assert own[name] == result[name]
        sides["pvalue_worse"].append(own["pvalue_worse"])
        sides["pvalue_better"].append(max(own["pvalue_worse"], own["pvalue_better"]))
    for name, ps in sides.items():
        holm, largest = {}, 0.0
        for rank, (p, place) in enumerate(sorted(zip(ps, range(3), strict=True))):
            largest = max(largest, min(1.0, p * (3 - rank)))
            holm[place] = largest
        assert [own[f"adjusted_{name}"] for own in kept] == pytest.approx(
            [holm[i] for i in range(3)]
        )
    said = words("compare", "four.csv", "--margin", 8)
    assert "p-values are adjusted for 3 comparisons with base (Holm); limits are not." in said
    assert "a is not worse than base by more than 8 points" in said
    margin = kept[2]["worse"] + 0.01
    said = words("compare", "four.csv", "--margin", f"{margin:.2f}")
    assert f"not shown that c is not worse than base by more than {margin:.2f} points (p =" in said


def test_few_items_that_differ_set_no_limit():
    rows = (f"q{i},{i % 5 / 4},{i % 5 / 4 + 0.1 * (i == 3)}" for i in range(20))
    write("graded.csv", "id,base,new", *rows)
    found = words("gate", "graded.csv", "--margin", 3, status=3)
    assert "Mean: these items set no limit to how much worse new may be than base (p =" in found
    assert "Worse by up to no limit" in found
    assert "What this gate can see is not known" in found
    assert "hardly a unit differs" in refused("gate", "graded.csv", "--margin", 3, "--design")


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
