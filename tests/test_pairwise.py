"""The p-values of pairs are those of the two-system test."""

import itertools
from typing import Any

import numpy as np
import pytest

import csig
from csig import InputError
from csig.data.several import several
from csig.pairwise import pair_pvalues, scored


def pvalues(systems: dict[str, Any], **given: Any) -> tuple[list[float], list[float]]:
    table = scored(several(systems, **given), given.pop("metric", None))
    found = pair_pvalues(table, np.triu_indices(len(systems), 1))
    assert found.n_shuffled == 0
    return found.pvalues.tolist(), found.logs.tolist()


def two_by_two(systems: dict[str, Any], **given: Any) -> tuple[list[float], list[float]]:
    results = [
        csig.randomization_test(csig.Comparison.from_scores(a, b, **given), "mean", method="exact")
        for a, b in itertools.combinations(systems.values(), 2)
    ]
    return [own.pvalue for own in results], [own.log_pvalue for own in results]


def test_binary_scores() -> None:
    rng = np.random.default_rng(1)
    systems = {str(i): rng.integers(0, 2, 200) * (rng.random(200) < 0.3 + i / 5) for i in range(4)}
    systems["same"] = systems["1"]
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == pytest.approx(expected, rel=1e-12)
    assert logs == pytest.approx(expected_logs, rel=1e-12, abs=1e-12)


def test_binary_scores_beyond_doubles() -> None:
    systems = {"a": np.ones(3000, dtype=int), "b": np.arange(3000) % 40 == 0}
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == expected == [0.0]
    assert logs == pytest.approx(expected_logs, rel=1e-12)


def test_other_scores_and_clusters() -> None:
    rng = np.random.default_rng(2)
    systems = {str(i): rng.integers(0, 2, 30) for i in range(3)}
    clusters = (np.arange(30) // 3).tolist()
    assert pvalues(systems, clusters=clusters) == two_by_two(systems, clusters=clusters)
    systems = {str(i): rng.integers(0, 9, 30) / 8 for i in range(3)}
    assert pvalues(systems) == two_by_two(systems)


def test_many_systems_of_few_units() -> None:
    """All flips at once: the same as one by one."""
    rng = np.random.default_rng(3)
    systems = {str(i): rng.integers(0, 5, 6) / 10 for i in range(16)}
    found, logs = pvalues(systems)
    expected, expected_logs = two_by_two(systems)
    assert found == pytest.approx(expected, rel=1e-14)
    assert logs == pytest.approx(expected_logs, rel=1e-12, abs=1e-13)


def test_statistics() -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, 12)
    rows = [np.minimum(gold, rng.integers(0, 4, 12)) for _ in range(3)]
    systems = {
        str(i): np.stack([tp, tp + rng.integers(0, 3, 12), gold], axis=1)
        for i, tp in enumerate(rows)
    }
    columns = ("tp", "predicted", "gold")
    given = several(systems, columns)
    for metric in ("f1", "recall"):
        table = scored(given, metric)
        assert (table.values is None) == (metric == "f1")
        found = pair_pvalues(table, np.triu_indices(3, 1)).pvalues.tolist()
        comparisons = [
            csig.Comparison.from_statistics(a, b, columns)
            for a, b in itertools.combinations(systems.values(), 2)
        ]
        expected = [csig.randomization_test(c, metric, method="exact").pvalue for c in comparisons]
        assert found == expected
        assert table.scores[0] == comparisons[0].scores(metric)[0]
    recall = scored(given, "recall").values
    assert recall is not None
    assert recall.tolist() == np.stack(rows, axis=1).tolist()


def test_scores_on_a_grid() -> None:
    """Roots are no fractions: sums of their steps stay below 2^50."""
    systems = {"a": np.sqrt([2.0, 3.0, 1.0]), "b": np.sqrt([5.0, 7.0, 2.0])}
    table = scored(several(systems), None)
    assert table.values is not None
    assert not table.exact
    assert np.abs(table.values).sum() <= 2**51
    shares = table.values / table.values[2, 0]
    assert shares == pytest.approx(np.stack(list(systems.values()), axis=1), rel=1e-12)
    tenths = scored(several({"a": [0.1, 0.3], "b": [0.2, 0.3]}), None)
    assert tenths.exact
    assert tenths.values is not None
    assert tenths.values.tolist() == [[1, 2], [3, 3]]


def test_names_of_metrics() -> None:
    binary = several({"a": [1, 0], "b": [0, 0]})
    assert scored(binary, None).metric.name == "accuracy"
    assert scored(several({"a": [2, 0], "b": [0, 0]}), None).metric.name == "mean"
    assert not scored(binary, "error_rate").metric.greater_is_better
    assert not scored(binary, None, lower_is_better=True).metric.greater_is_better


def test_refused() -> None:
    scores, counts = several({"a": [1], "b": [2]}), several({"a": [[1]], "b": [[2]]}, ("tp",))
    with pytest.raises(InputError, match="found 'f1'; scores have their mean"):
        scored(scores, "f1")
    with pytest.raises(InputError, match="no default for 'tp'"):
        scored(counts, None)
    with pytest.raises(InputError, match="lower_is_better is for scores"):
        scored(counts, "recall", lower_is_better=True)
