"""What is said of ratios whose denominator is the system's own: is it about the metric?"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from commands import record, said_beside, words
from drawn import several
from printed import expected, printed, rewrite
from scipy.stats import binom
from written import file_of

import csig
from csig import Comparison
from csig.comparing.verdict import verdict
from csig.results.randomization import ENOUGH_COUNTS, ENOUGH_UNITS

PRINTED = Path(__file__).with_name("itself.txt")

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
    names = ("tp_a", "predicted_a", "tp_b", "predicted_b", "gold")
    columns = dict(zip(names, [*a.T[:2], *b.T[:2], a.T[2]], strict=True))
    return file_of(id=[f"d{i}" for i in range(len(a))], **columns)


#: Ten times as many responses with equal precision: p of the difference is .00219.
TEN_TIMES = drawn(4, 200, (10, 1), 0.3)
RARE = drawn(3, 100, (10, 1), (0.01, 0.2))


def other_way() -> Any:
    """Where documents differ in difficulty the test of the difference is blind."""
    rng = np.random.default_rng(21)
    share = rng.beta(1.2, 2.8, 20)
    returned = [rng.poisson(volume, 20) for volume in (40, 10)]
    correct = [rng.binomial(returned[0], share), rng.binomial(returned[1], share * 0.75)]
    gold = np.maximum(*correct) + 5
    return [np.stack([c, k, gold], axis=1) for c, k in zip(correct, returned, strict=True)]


def compared(tables: Any, metric: Any = "precision", explain: bool = False, **options: Any) -> str:
    pair = Comparison.from_statistics(*tables, COLUMNS, names=("new", "base"))
    found = csig.compare(pair, metric=metric, rng=1, **options)
    return found.summary(explain=explain)


def labelled(*metrics: str) -> str:
    """Labels of 24 items: what --explain says of the metrics."""
    gold, a, b = ["xy"[i % 2] for i in range(24)], ["x"] * 24, ["xxy"[i % 3] for i in range(24)]
    found = csig.compare({"a": a, "b": b}, gold=gold, metric=metrics, rng=1)
    return found.summary(explain=True).partition("What the test swaps")[2].partition("What p")[0]


def ranked_by(metric: str, **options: Any) -> str:
    systems = dict(zip("ab", drawn(4, 30, (10, 3), 0.3), strict=True))
    found = csig.compare_systems(systems, metric=metric, columns=COLUMNS, rng=1, **options)
    return found.summary(explain=True).partition("What the tests swap")[2].partition("What adj")[0]


YEH = Comparison.from_counts(**PAPER, names=("new", "base"))


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_said(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


def test_an_audit_says_of_no_metric_both_that_it_differs_and_that_it_does_not() -> None:
    said = words(
        "audit", table(*TEN_TIMES), "--metric", "precision", "--seed", 1, "--resamples", 4096
    )
    assert "Precision: The systems can be told apart, but not in precision itself." in said
    assert "beats" not in said
    assert "o evidence of a difference" not in said


def test_few_counts() -> None:
    (own,) = record("compare", table(*RARE), "--metric", "precision", "--seed", 1)["results"]
    assert own["studentized"]["expected_count"] < 5 < own["studentized"]["volumes"]
    assert (own["pvalue"] <= 0.05, own["verdict"]) == (True, "not significant")
    assert (ENOUGH_COUNTS, ENOUGH_UNITS) == (10, 15)


@pytest.mark.filterwarnings("ignore::csig.DataWarning")
def test_verdict_p_and_interval_never_contradict_each_other() -> None:
    """In random comparisons; where p and interval fall on different sides a line says so."""
    rng = np.random.default_rng(0)
    apart = 0
    for seed in range(several(20, 100)):
        volumes = tuple(rng.choice([1.0, 3.0, 10.0], 2).tolist())
        p = (0.3, float(rng.choice([0.2, 0.3, 0.4])))
        a, b = drawn(seed, int(rng.integers(20, 80)), volumes, p)
        pair = Comparison.from_statistics(a, b, COLUMNS, names=("new", "base"))
        found = csig.compare(pair, metric="precision", rng=seed, n_resamples=2000)
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
    assert apart <= several(2, 8)


@pytest.mark.parametrize(("own", "alternative"), [
    ((125, 100), "two-sided"), ((66, 60), "greater"), ((66, 60), "less"),
])  # fmt: skip
def test_few_counts_hardly_ever_give_a_verdict(own: tuple[int, int], alternative: Any) -> None:
    """All outcomes with one correct response expected: p alone would be at most 0.05 in 18%."""
    level = 0.0
    for correct in np.ndindex(7, 7):
        counts = {}
        for name, right, n in zip("ab", map(int, correct), own, strict=True):
            counts |= {f"only_{name}_correct": right, f"only_{name}_spurious": n - right}
        pair = Comparison.from_counts(gold=20, **counts)
        asked = {"statistic": "auto", "alternative": alternative}
        if verdict(csig.randomization_test(pair, "precision", **asked), 0.05) == "significant":
            level += float(np.prod(binom.pmf(correct, own, 1 / own[1])))
    assert level <= 0.055


def test_more_shuffles_cannot_settle_what_rests_on_few_counts() -> None:
    pair = Comparison.from_statistics(*RARE, COLUMNS)
    options = {"statistic": "studentized", "n_resamples": 100, "rng": 1}
    found = csig.randomization_test(pair, "precision", **options)
    at = found.pvalue
    assert found.pvalue_interval[0] < at < found.pvalue_interval[1]
    assert verdict(found, at) == "not significant"
    assert [row.verdict for row in csig.classical.holm([found], at)] == ["not significant"]


def test_a_rate_of_ones_own_names_its_denominators() -> None:
    rng = np.random.default_rng(1)
    a, b = (np.stack([rng.binomial(k, 0.3), k], axis=1) for k in rng.poisson([[10], [1]], (2, 200)))
    rate = csig.Metric("rate", ("x", "y"), numerator=(1, 0), denominator=(0, 1))
    pair = Comparison.from_statistics(a, b, ("x", "y"), names=("new", "base"))
    found = csig.compare(pair, metric=rate, rng=1)
    about = found["rate"].test.studentized
    if about.plain.pvalue <= 0.05 < found["rate"].pvalue:  # pragma: no branch
        assert f"its denominators are {b[:, 1].sum()} and {a[:, 1].sum()}" in str(found)
    options: Any = {"metric": rate, "columns": ("x", "y"), "rng": 1, "n_resamples": 999}
    many = csig.compare_systems({"a": a, "b": b}, **options)
    assert many.returned is None
    assert many.denominators == tuple(float(own[:, 1].sum()) for own in (a, b))


def shared_gold(systems: dict[str, Any]) -> dict[str, Any]:
    gold = np.maximum.reduce([own[:, 2] for own in systems.values()])
    return {name: np.column_stack([own[:, :2], gold]) for name, own in systems.items()}


THREE = shared_gold({**dict(zip("ab", TEN_TIMES, strict=True)), "c": drawn(5, 200, (5, 5), 0.4)[0]})


def ranked(systems: dict[str, Any] = THREE, metric: str = "precision", **options: Any) -> Any:
    return csig.compare_systems(systems, metric=metric, columns=COLUMNS, rng=3, **options)


def test_many_systems_are_ranked_by_the_metric_itself() -> None:
    """Every pair has the p of the comparison of two."""
    found, plain = ranked(n_resamples=9999), ranked(n_resamples=9999, statistic="difference")
    assert found.statistic == "studentized"
    for pair, other in zip(found.pairs, plain.pairs, strict=True):
        compared = Comparison.from_statistics(THREE[pair.system], THREE[pair.other], COLUMNS)
        asked = {"statistic": "studentized", "rng": 3, "n_resamples": 9999}
        own = csig.randomization_test(compared, "precision", **asked)
        assert pair.pvalue == own.pvalue
        assert own.studentized is not None
        assert pair.plain_pvalue == other.pvalue == own.studentized.plain.pvalue
    fields = ("plain_pvalue", "plain_adjusted_pvalue")
    both = [(own.plain_pvalue, own.plain_adjusted_pvalue) for own in found.pairs]
    assert both == [(own.pvalue, own.adjusted_pvalue) for own in plain.pairs]
    assert [tuple(map(own.get, fields)) for own in found.to_dict()["pairs"]] == both
    assert {tuple(map(own.get, fields)) for own in plain.to_dict()["pairs"]} == {(None, None)}
    number = {name: int(own[:, 1].sum()) for name, own in THREE.items()}
    assert found.returned == tuple(number.values())
    said = " ".join(str(found).split())
    (apart,) = (own for own in found.pairs if {own.system, own.other} == {"a", "b"})
    assert apart.plain_adjusted_pvalue <= 0.05 < apart.adjusted_pvalue
    first, second = apart.system, apart.other
    assert f"Precision: {first} and {second} are told apart (adjusted p = 0.0" in said
    assert "), but not in precision (adjusted p = 0." in said
    assert f"): they return {number[first]:,} and {number[second]:,} responses." in said
    assert said.count("are told apart (") == 1
    assert "are told apart" not in str(plain)
    two = ranked({name: THREE[name] for name in "ab"}, n_resamples=9999)
    assert "are told apart (p = 0.0" in " ".join(str(two).split())


def test_many_systems_of_few_counts_and_of_another_metric() -> None:
    rare = {**THREE, "b": drawn(3, 200, (1, 1), (0.01, 0.01))[0]}
    rare["b"][:, 2] = THREE["a"][:, 2]
    few = ranked({n: np.minimum(own, [1, 99, 99]) * [n == "b", 1, 1] for n, own in rare.items()})
    assert not few.better.any()
    assert any("fewer than 5 expected counts" in doubt for doubt in few.doubts)
    recall = ranked(metric="recall")
    assert recall.statistic is None
    assert {own.plain_pvalue for own in recall.pairs} == {None}
    with pytest.raises(csig.InputError, match="statistic goes with correction 'flips'"):
        ranked(metric="recall", statistic="difference")


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "holm-directions"])
def test_plain_pvalues_are_adjusted_alike(correction: Any) -> None:
    options: Any = {"metric": "f1", "n_resamples": 99, "correction": correction}
    found, plain = ranked(**options), ranked(statistic="difference", **options)
    assert [own.plain_adjusted_pvalue for own in found.pairs] == [
        own.adjusted_pvalue for own in plain.pairs
    ]


def test_three_pairs_are_named_and_how_many_more() -> None:
    """Two groups of systems of one precision: one returns ten times as much."""
    drawings = {str(k): drawn(4 + 10 * k, 200, (10, 1), 0.3) for k in range(3)}
    systems = {f"{kind}{k}": own[i] for k, own in drawings.items() for i, kind in enumerate("ab")}
    found = ranked(shared_gold(systems), n_resamples=999)
    apart = sum(
        (own.plain_adjusted_pvalue <= 0.05) != (own.adjusted_pvalue <= 0.05) for own in found.pairs
    )
    assert apart > 3
    said = " ".join(str(found).split())
    assert said.count("responses.") == 3
    assert f"{apart - 3} more pair" in said
    assert "p of the difference" in " ".join(found.summary("text", explain=True).split())


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
    pair = Comparison.from_statistics(a, b, COLUMNS)
    result = csig.randomization_test(pair, "precision", statistic="auto", rng=1)
    plain = csig.randomization_test(pair, "precision", rng=1)
    assert result.not_studentized == "the weighted counts of all units reach 2^61"
    assert said in " ".join(str(result).split())
    assert (result.pvalue, result.n_hits) == (plain.pvalue, plain.n_hits)
    assert plain.not_studentized is None
    a, b = large(20, 2**53)
    found = ranked({"x": a, "y": b, "z": a[::-1] * [1, 1, 0] + b * [0, 0, 1]}, n_resamples=1000)
    assert any("Of 3 pairs the difference is not divided" in doubt for doubt in found.doubts)


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
    audited = csig.audit(comparison, "precision", n_resamples=4096, rng=1)
    (check,) = (own for own in audited.checks if own.name == "metric itself: precision")
    assert check.statistic == itself.pvalue
    assert check.sentence == "Both p-values lead to the same verdict."
    assert "fewer than 5 counts are expected" in check.observed
    assert "differ in precision" not in str(audited)


if __name__ == "__main__":
    rewrite(PRINTED, globals())
