"""What the data are."""

import numpy as np
import pytest
from advised import binary, clustered, paper, real, skewed, three_documents
from scipy import stats

import csig
from csig.advice.facts import Facts, facts_of, skewness, total_units
from csig.classical.paired import differences_of


def test_kinds_of_metrics() -> None:
    assert [facts_of(paper(), name).kind for name in ("recall", "precision", "f1")] == [
        "sum", "ratio", "ratio",
    ]  # fmt: skip
    labels = csig.Comparison.from_labels(list("xyxy"), list("xxxy"), list("yyxy"))
    assert [facts_of(labels, name).kind for name in ("accuracy", "mcc")] == ["sum", "function"]


def test_default_metrics() -> None:
    labels = csig.Comparison.from_labels(list("xy"), list("xx"), list("yx"))
    found = [facts_of(own).metric.name for own in (paper(), labels, real())]
    assert found == ["f1", "accuracy", "mean"]
    own = csig.Comparison.from_statistics([[1], [2]], [[2], [2]], ["errors"])
    with pytest.raises(csig.InputError, match="there is no default"):
        facts_of(own)


def test_units_and_what_is_within_them() -> None:
    f = facts_of(three_documents(), "f1")
    assert (f.unit, f.n_units, f.n_differ) == ("document", 3, 3)
    assert f.finer == ("response",)
    assert "15 responses that only one system has are in 3 documents" in f.within("response")
    f = facts_of(clustered(), "mean")
    assert (f.unit, f.n_units, f.finer) == ("story", 20, ("unit",))
    assert "80 items are in 20 stories" in f.within("unit")
    alone = csig.Comparison.from_scores([1, 0], [0, 0], clusters=["x", "y"])
    assert facts_of(alone).finer == ()  # every cluster is one item


def test_the_unit_that_was_asked_for_is_not_the_largest() -> None:
    asked = clustered().at("unit")
    f = facts_of(asked, "mean")
    assert (f.asked, f.unit) == ("unit", "story")
    assert f.at("unit") == "comparison"
    assert f.at("story") == 'comparison.at("story")'


def test_right_or_wrong() -> None:
    f = facts_of(binary(100, (14, 6)), "mean")
    assert (f.binary, f.discordant) == ("unit", (14, 6))
    assert facts_of(real()).binary is None
    f = facts_of(clustered(), "mean")
    assert f.binary == "unit"  # stories hold several
    assert sum(f.discordant) == clustered().at("unit").n_units


def test_correlation_and_its_cost() -> None:
    f = facts_of(paper(), "precision")
    assert (f.item_metric, f.n_items) == ("recall", 103)
    assert f.r12 == csig.classical.correlation(paper())
    assert f.cost == csig.classical.independence_cost(paper())
    flat = facts_of(csig.Comparison.from_scores([1, 1], [0, 0]))
    assert (flat.r12, flat.cost) == (None, None)


def test_skewness_against_scipy() -> None:
    rng = np.random.default_rng(2)
    for make in (lambda: rng.normal(size=31), lambda: rng.exponential(size=50).round(1),
                 lambda: rng.integers(0, 2, 40)):  # fmt: skip
        a, b = make(), make()
        own = differences_of(csig.Comparison.from_scores(a, b), None)
        expected = stats.skew(np.asarray(a, float) - b)
        assert skewness(own) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert skewness(differences_of(binary(10, (0, 0)), None)) is None
    same = csig.Comparison.from_scores([2, 3], [1, 2])
    assert skewness(differences_of(same, None)) is None
    assert skewness(differences_of(skewed(), None)) == pytest.approx(6.1, abs=0.1)


def test_exact_or_not() -> None:
    assert facts_of(paper(), "f1").exact
    rng = np.random.default_rng(1)
    labels = [rng.integers(0, 3, 300).astype(str) for _ in range(3)]
    assert not facts_of(csig.Comparison.from_labels(*labels), "kappa").exact


def test_names_in_python() -> None:
    assert facts_of(paper(), "f1").named == '"f1"'
    own = csig.Metric("f1", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    assert facts_of(paper(), own).named == "metric"
    assert facts_of(paper(), csig.metrics.f1).named == '"f1"'
    labels = csig.Comparison.from_labels(list("xyxy"), list("xxxy"), list("yyxy"))
    assert facts_of(labels, "macro_f1").named == '"macro_f1"'
    assert isinstance(facts_of(paper()), Facts)


def test_all_units() -> None:
    assert total_units(real(60)) == 60
    assert total_units(paper()) == 86
