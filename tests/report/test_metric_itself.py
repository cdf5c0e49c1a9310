"""What is said of ratios whose denominator is the system's own: is it about the metric?"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from commands import both, record, run, said_beside, words
from scipy.stats import binom

import csig
from csig import Comparison
from csig.comparing.verdict import verdict
from csig.results.randomization import ENOUGH_COUNTS, ENOUGH_UNITS

COLUMNS = ("tp", "predicted", "gold")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def drawn(seed: int, n: int, volumes: tuple[float, float], p: float | tuple[float, float]) -> Any:
    """Correct, returned and gold responses of n documents, of both systems."""
    rng = np.random.default_rng(seed)
    returned = [rng.poisson(volume, n) for volume in volumes]
    shares = p if isinstance(p, tuple) else (p, p)
    correct = [rng.binomial(k, share) for k, share in zip(returned, shares, strict=True)]
    gold = np.maximum(*correct) + 5
    return [np.stack([c, k, gold], axis=1) for c, k in zip(correct, returned, strict=True)]


def table(a: Any, b: Any) -> str:
    with Path("t.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "tp_a", "predicted_a", "tp_b", "predicted_b", "gold"])
        for i, (one, other) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
            out.writerow([f"d{i}", *one[:2], *other[:2], one[2]])
    return "t.csv"


def test_ten_times_as_many_responses_with_equal_precision() -> None:
    """Numpy's default_rng(4): p of the difference is .00219, the interval -0.94 to +12.47."""
    said = words(
        "compare", table(*drawn(4, 200, (10, 1), 0.3)), "--metric", "precision", "--seed", 1
    )
    assert said.startswith(
        "No evidence of a difference between a and b on precision. Precision: the systems are told "
        "apart (p = 0.00219), but not in precision (p = 0.09"
    )
    assert "they return 2,072 and 190 responses." in said
    assert "-12.47 to +0.94" in said
    assert "fall on different sides" not in said
    plain = words("compare", "t.csv", "--metric", "precision", "--statistic", "difference")
    assert plain.startswith("a beats b on precision.")


def test_the_other_way_round() -> None:
    """Where documents differ in difficulty the test of the difference is blind."""
    rng = np.random.default_rng(21)
    share = rng.beta(1.2, 2.8, 20)
    returned = [rng.poisson(volume, 20) for volume in (40, 10)]
    correct = [rng.binomial(returned[0], share), rng.binomial(returned[1], share * 0.75)]
    gold = np.maximum(*correct) + 5
    a, b = (np.stack([c, k, gold], axis=1) for c, k in zip(correct, returned, strict=True))
    said = words("compare", table(a, b), "--metric", "precision", "--seed", 1)
    assert re.search(
        r"^a beats b on precision\. Precision: the systems differ in precision \(p = ", said
    )
    assert "though swapping does not tell them apart (p = " in said


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_verdict_p_and_interval_never_contradict_each_other() -> None:
    """In random comparisons; where p and interval fall on different sides a line says so."""
    rng = np.random.default_rng(0)
    apart = 0
    for seed in range(100):
        volumes = tuple(rng.choice([1.0, 3.0, 10.0], 2).tolist())
        p = (0.3, float(rng.choice([0.2, 0.3, 0.4])))
        a, b = drawn(seed, int(rng.integers(20, 80)), volumes, p)
        pair = Comparison.from_statistics(a, b, COLUMNS, names=("new", "base"))
        found = csig.compare(pair, metric="precision", rng=seed, n_resamples=20_000)
        own = found["precision"]
        text = " ".join(str(found).split())
        said = "better" if own.verdict == "significant" else "no"
        assert ("new beats base" in text or "base beats new" in text) is (said == "better")
        assert (own.better is not None) is (own.verdict == "significant")
        if own.better is not None:
            assert own.pvalue <= 0.05
            assert (own.better == "new") is (own.difference > 0)
        sides = (own.interval.low > 0 or own.interval.high < 0) is (own.pvalue <= 0.05)
        assert ("fall on different sides" in text) is not sides
        apart += not sides
    assert apart <= 8


def test_few_counts_of_systems_that_return_more_or_less() -> None:
    a, b = drawn(3, 100, (10, 1), (0.01, 0.2))
    asked = ("compare", table(a, b), "--metric", "precision", "--seed", 1)
    found = record(*asked)
    (own,) = found["results"]
    assert own["studentized"]["expected_count"] < 5
    assert own["studentized"]["volumes"] > 5
    assert own["pvalue"] <= 0.05
    assert own["verdict"] == "not significant"
    assert "no difference is called significant" in " ".join(said_beside(*asked)["cautions"])
    said = words("compare", "t.csv", "--metric", "precision", "--seed", 1, "--explain")
    assert "but not in precision" not in said
    assert "No evidence means p above 0.05, or fewer than 5 expected counts: these" in said
    like = said_beside("compare", table(b, b[::-1]), "--metric", "precision", "--seed", 1)
    assert "rests on few" not in " ".join(like["cautions"])
    assert (ENOUGH_COUNTS, ENOUGH_UNITS) == (10, 15)


@pytest.mark.parametrize("own", [(125, 100), (66, 60)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_few_counts_hardly_ever_give_a_verdict(own: tuple[int, int], alternative: Any) -> None:
    """All outcomes of single responses of which one is expected to be correct, with their
    probabilities: p alone would be at most 0.05 in 18% of them.
    """
    level = 0.0
    for correct in np.ndindex(7, 7):
        right, other = map(int, correct)
        pair = Comparison.from_counts(
            gold=20, only_a_correct=right, only_a_spurious=own[0] - right,
            only_b_correct=other, only_b_spurious=own[1] - other,
        )  # fmt: skip
        found = csig.randomization_test(
            pair, "precision", statistic="auto", alternative=alternative
        )
        if verdict(found, 0.05) == "significant":
            level += float(np.prod(binom.pmf(correct, own, 1 / own[1])))
    assert level <= 0.055


@pytest.mark.parametrize(
    ("metrics", "names"),
    [("macro_f1,mcc,accuracy", "macro F1 and MCC"), ("accuracy", "")],
)
def test_the_condition_of_a_function_is_said(metrics: str, names: str) -> None:
    Path("labels.csv").write_text(
        "id,gold,a,b\n" + "".join(f"{i},{'xy'[i % 2]},x,{'xxy'[i % 3]}\n" for i in range(24))
    )
    said = words("compare", "labels.csv", "--metric", metrics, "--explain")
    line = f"For {names} it asks whether the systems are interchangeable: about the metric itself"
    assert (line in said) is bool(names)
    assert ("if both return about as much" in said) is bool(names)


def test_more_shuffles_cannot_settle_what_rests_on_few_counts() -> None:
    a, b = drawn(3, 100, (10, 1), (0.01, 0.2))
    pair = Comparison.from_statistics(a, b, COLUMNS)
    found = csig.randomization_test(
        pair, "precision", statistic="studentized", n_resamples=100, rng=1
    )
    at = found.pvalue
    assert found.pvalue_interval[0] < at < found.pvalue_interval[1]
    assert verdict(found, at) == "not significant"
    assert [row.verdict for row in csig.classical.holm([found], at)] == ["not significant"]


def test_systems_say_that_the_difference_is_studentised() -> None:
    command = ("systems", table(*drawn(4, 30, (10, 3), 0.3)), "--seed", 1, "--explain", "--metric")
    line = "the difference is divided by its standard error in every shuffle"
    assert f"For precision {line}" in words(*command, "precision")
    assert line not in words(*command, "recall")
    assert line not in words(*command, "precision", "--statistic", "difference")


def test_few_units_of_systems_that_return_more_or_less() -> None:
    path = table(*drawn(3, 8, (60, 15), 0.3))
    found = said_beside("compare", path, "--metric", "precision")
    assert "rests on few items: 7." in " ".join(found["cautions"])


def test_the_explanation_has_both_pvalues() -> None:
    Path("yeh.toml").write_text(
        "".join(f"{name} = {n}\n" for name, n in PAPER.items()), encoding="utf-8"
    )
    text = run("compare", "--counts", "yeh.toml", "--explain")
    assert re.search(r"^Precision +0\.0580 +0\.0400$", text, re.MULTILINE)
    assert "if both systems had the same precision" not in text  # recall is the example there
    said = words("compare", "--counts", "yeh.toml", "--metric", "precision", "--explain")
    assert "if both systems had the same precision, a difference as clear as this one" in said
    assert "statistic:studentized" in text


def test_a_rate_of_ones_own_names_its_denominators() -> None:
    rng = np.random.default_rng(1)
    a, b = (np.stack([rng.binomial(k, 0.3), k], axis=1) for k in rng.poisson([[10], [1]], (2, 200)))
    rate = csig.Metric("rate", ("x", "y"), numerator=(1, 0), denominator=(0, 1))
    found = csig.compare(
        Comparison.from_statistics(a, b, ("x", "y"), names=("new", "base")), metric=rate, rng=1
    )
    about = found["rate"].test.studentized
    if about.plain.pvalue <= 0.05 < found["rate"].pvalue:  # pragma: no branch
        assert f"its denominators are {b[:, 1].sum()} and {a[:, 1].sum()}" in str(found)


def test_many_systems_are_ranked_by_the_metric_itself() -> None:
    """Every pair has the p of the comparison of two."""
    a, b = drawn(4, 200, (10, 1), 0.3)
    c = drawn(5, 200, (5, 5), 0.4)[0]
    c[:, 2] = a[:, 2] = b[:, 2] = np.maximum.reduce([a[:, 2], b[:, 2], c[:, 2]])
    systems = {"a": a, "b": b, "c": c}
    found = csig.compare_systems(systems, metric="precision", columns=COLUMNS, rng=3)
    assert found.statistic == "studentized"
    plain = csig.compare_systems(
        systems, metric="precision", columns=COLUMNS, rng=3, statistic="difference"
    )
    for pair, other in zip(found.pairs, plain.pairs, strict=True):
        rows = systems[pair.system], systems[pair.other]
        compared = Comparison.from_statistics(*rows, COLUMNS)
        own = csig.randomization_test(compared, "precision", statistic="studentized", rng=3)
        assert pair.pvalue == own.pvalue
        assert own.studentized is not None
        assert other.pvalue == own.studentized.plain.pvalue
    systems["b"] = drawn(3, 200, (1, 1), (0.01, 0.01))[0]
    systems["b"][:, 2] = a[:, 2]
    rare = {
        name: np.minimum(own, [1, 99, 99]) * [name == "b", 1, 1] for name, own in systems.items()
    }
    few = csig.compare_systems(rare, metric="precision", columns=COLUMNS, rng=3)
    assert not few.better.any()
    assert any("fewer than 5 expected counts" in doubt for doubt in few.doubts)
    recall = csig.compare_systems(systems, metric="recall", columns=COLUMNS)
    assert recall.statistic is None
    with pytest.raises(csig.InputError, match="statistic goes with correction 'flips'"):
        csig.compare_systems(systems, metric="recall", columns=COLUMNS, statistic="difference")


def shared_gold(systems: dict[str, Any]) -> dict[str, Any]:
    gold = np.maximum.reduce([own[:, 2] for own in systems.values()])
    return {name: np.column_stack([own[:, :2], gold]) for name, own in systems.items()}


def test_pairs_of_many_systems_have_both_pvalues_and_name_the_volumes() -> None:
    a, b = drawn(4, 200, (10, 1), 0.3)
    systems = shared_gold({"a": a, "b": b, "c": drawn(5, 200, (5, 5), 0.4)[0]})
    options: Any = {"columns": COLUMNS, "rng": 3, "n_resamples": 9999}
    found = csig.compare_systems(systems, metric="precision", **options)
    plain = csig.compare_systems(systems, metric="precision", statistic="difference", **options)
    for own, other in zip(found.pairs, plain.pairs, strict=True):
        assert (own.plain_pvalue, own.plain_adjusted_pvalue) == (
            other.pvalue,
            other.adjusted_pvalue,
        )
        assert (other.plain_pvalue, other.plain_adjusted_pvalue) == (None, None)
    for own, other in zip(found.to_dict()["pairs"], plain.to_dict()["pairs"], strict=True):
        assert own["plain_pvalue"] == other["pvalue"]
        assert own["plain_adjusted_pvalue"] == other["adjusted_pvalue"]
        assert other["plain_pvalue"] is other["plain_adjusted_pvalue"] is None
    assert found.returned == tuple(int(own[:, 1].sum()) for own in systems.values())
    said = " ".join(str(found).split())
    (apart,) = (own for own in found.pairs if {own.system, own.other} == {"a", "b"})
    assert apart.plain_adjusted_pvalue is not None
    assert apart.plain_adjusted_pvalue <= 0.05 < apart.adjusted_pvalue
    number = {name: f"{int(own[:, 1].sum()):,}" for name, own in systems.items()}
    first, second = apart.system, apart.other
    assert f"Precision: {first} and {second} are told apart (adjusted p = 0.0" in said
    assert "), but not in precision (adjusted p = 0." in said
    assert f"): they return {number[first]} and {number[second]} responses." in said
    assert said.count("are told apart (") == 1
    assert "are told apart" not in str(plain)
    two = csig.compare_systems(
        {name: systems[name] for name in "ab"}, metric="precision", **options
    )
    assert "are told apart (p = 0.0" in " ".join(str(two).split())
    recall = csig.compare_systems(systems, metric="recall", columns=COLUMNS)
    assert {own.plain_pvalue for own in recall.pairs} == {None}


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "holm-directions"])
def test_plain_pvalues_are_adjusted_alike(correction: Any) -> None:
    a, b = drawn(4, 60, (10, 1), 0.3)
    systems = shared_gold({"a": a, "b": b, "c": drawn(5, 60, (5, 5), 0.4)[0]})
    options: Any = {"columns": COLUMNS, "rng": 3, "n_resamples": 999, "correction": correction}
    found = csig.compare_systems(systems, metric="f1", **options)
    plain = csig.compare_systems(systems, metric="f1", statistic="difference", **options)
    assert [own.plain_adjusted_pvalue for own in found.pairs] == [
        own.adjusted_pvalue for own in plain.pairs
    ]


def test_three_pairs_are_named_and_how_many_more() -> None:
    """Two groups of systems of one precision: one returns ten times as much."""
    systems = {}
    for k in range(3):
        a, b = drawn(4 + 10 * k, 200, (10, 1), 0.3)
        systems |= {f"many{k}": a, f"few{k}": b}
    found = csig.compare_systems(
        shared_gold(systems), metric="precision", columns=COLUMNS, rng=3, n_resamples=9999
    )
    apart = [
        own
        for own in found.pairs
        if own.plain_adjusted_pvalue is not None
        and (own.plain_adjusted_pvalue <= 0.05) != (own.adjusted_pvalue <= 0.05)
    ]
    assert len(apart) > 3
    said = " ".join(str(found).split())
    assert said.count("responses.") == 3
    assert f"{len(apart) - 3} more pair" in said
    text = " ".join(found.summary("text", explain=True).split())
    assert "p of the difference" in text


def test_the_denominators_of_many_systems_are_named() -> None:
    rng = np.random.default_rng(1)
    rows = [np.stack([rng.binomial(k, 0.3), k], axis=1) for k in rng.poisson([[10], [1]], (2, 200))]
    rate = csig.Metric("rate", ("x", "y"), numerator=(1, 0), denominator=(0, 1))
    systems = dict(zip("ab", rows, strict=True))
    found = csig.compare_systems(systems, metric=rate, columns=("x", "y"), rng=1, n_resamples=999)
    assert found.returned is None
    assert found.denominators == tuple(float(own[:, 1].sum()) for own in rows)


def test_what_the_methods_that_are_exact_say() -> None:
    path = table(*drawn(4, 200, (10, 1), 0.3))
    for method in ("exact", "certified"):
        said = run("compare", path, "--metric", "precision", "--method", method, status=None)
        assert said.startswith("csig: metric 'precision': ")
    assert "statistic 'difference'" in run(
        "compare", path, "--metric", "precision", "--method", "exact", status=None
    )


def large(n: int, size: int) -> Any:
    """Counts of about `size` in each of n documents."""
    a, b = drawn(6, n, (10, 3), 0.3)
    return a * size, b * size


def test_large_counts_ask_the_same_question() -> None:
    """Counts of up to 10^9 a document, whose squares no sum of 64 bits holds."""
    a, b = large(30, 5 * 10**7)
    found = record("compare", table(a, b), "--metric", "precision", "--seed", 1)
    small = record("compare", table(*large(30, 1)), "--metric", "precision", "--seed", 1)
    assert "not-studentized" not in [own["code"] for own in found["doubts"]]
    assert found["results"][0]["studentized"] is not None
    for field in ("pvalue", "n_hits"):
        assert found["results"][0][field] == small["results"][0][field]


def test_where_the_other_question_is_asked_it_is_said() -> None:
    """Counts of both systems that together reach 2^61."""
    a, b = large(700, 2**48)
    said = (
        "For precision the difference is not divided by its standard error: the weighted counts of "
        "all units reach 2^61. The test asks whether the systems are interchangeable, not whether "
        "the metric itself differs"
    )
    asked = ("compare", table(a, b), "--metric", "precision", "--metric", "recall", "--seed", 1)
    assert said in words(*asked)
    assert sum(said in line for line in said_beside(*asked)["cautions"]) == 1
    for form in ("markdown", "html", "latex", "csv"):
        output, errors = both(*asked, "--output-format", form)
        assert "not divided by its standard error" in " ".join(f"{output} {errors}".split())
    result = csig.randomization_test(
        Comparison.from_statistics(a, b, COLUMNS), "precision", statistic="auto", rng=1
    )
    assert result.not_studentized == "the weighted counts of all units reach 2^61"
    assert said in " ".join(str(result).split())
    plain = csig.randomization_test(Comparison.from_statistics(a, b, COLUMNS), "precision", rng=1)
    assert (result.pvalue, result.n_hits) == (plain.pvalue, plain.n_hits)
    assert plain.not_studentized is None


def test_systems_and_parts_say_it_too() -> None:
    a, b = large(20, 2**53)
    tables = {"x": a, "y": b, "z": a[::-1] * [1, 1, 0] + b * [0, 0, 1]}
    found = csig.compare_systems(
        tables, metric="precision", columns=COLUMNS, rng=1, n_resamples=1000
    )
    assert any("Of 3 pairs the difference is not divided" in doubt for doubt in found.doubts)
    parts = {"p": Comparison.from_statistics(a, b, COLUMNS, ids=range(20))}
    own = csig.effects.breakdown(parts, "precision", statistic="auto", rng=1)["p"].results[
        "precision"
    ]
    assert own.not_studentized is not None


def test_an_audit_says_of_no_metric_both_that_it_differs_and_that_it_does_not() -> None:
    said = words(
        "audit", table(*drawn(4, 200, (10, 1), 0.3)), "--metric", "precision", "--seed", 1,
        "--resamples", 70000,
    )  # fmt: skip
    assert "Precision: The systems can be told apart, but not in precision itself." in said
    assert "beats" not in said
    assert "o evidence of a difference" not in said


def test_an_audit_calls_no_ratio_of_fewer_than_five_expected_counts_different() -> None:
    """As csig compare: the p-value is low, and the counts are too few to rely on it."""
    rng = np.random.default_rng(6)
    n = int(rng.integers(6, 40))
    returned = [rng.poisson(rng.choice(mean), n) for mean in ([1, 3, 10], [0.2, 0.5, 1])]
    shares = ([0.02, 0.1, 0.9], [0.02, 0.1, 0.9, 0.97])
    correct = [rng.binomial(k, rng.choice(p)) for k, p in zip(returned, shares, strict=True)]
    gold = np.maximum(*correct) + 3
    tables = [np.column_stack([c, k, gold]) for c, k in zip(correct, returned, strict=True)]
    comparison = Comparison.from_statistics(*tables, COLUMNS)
    itself = csig.randomization_test(comparison, "precision", statistic="studentized", rng=1)
    assert itself.sparse
    assert itself.pvalue <= 0.05
    audited = csig.audit(comparison, "precision", n_resamples=70000, rng=1)
    (check,) = (own for own in audited.checks if own.name == "metric itself: precision")
    assert check.statistic == itself.pvalue
    assert check.sentence == "Both p-values lead to the same verdict."
    assert "fewer than 5 counts are expected" in check.observed
    assert "differ in precision" not in str(audited)
