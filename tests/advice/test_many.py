"""The rules for many systems."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import csig
from csig.advice.base import Drawing
from csig.advice.many import Least, candidates, of_systems

RNG = np.random.default_rng(4)
SHARES = {"a": 0.3, "b": 0.5, "c": 0.5, "d": 0.8}
BINARY = {name: (RNG.random(60) < share).astype(int) for name, share in SHARES.items()}
REAL = {name: RNG.normal(size=60).round(2) for name in "abc"}
LARGE = {name: RNG.normal(size=200).round(2) for name in "abc"}
COUNTS = {name: np.column_stack([RNG.integers(0, 3, 20), RNG.integers(3, 5, 20), np.full(20, 4)])
          for name in "abc"}  # fmt: skip
F1 = {"systems": COUNTS, "columns": ("tp", "predicted", "gold"), "metric": "f1"}


def verdicts(**given: Any) -> dict[str, str]:
    return {own.advice.test: own.advice.verdict for own in candidates(of_systems(given))}


@pytest.mark.parametrize(
    ("given", "test", "verdict"),
    [
        ({"systems": BINARY}, "all pairs, Holm", "sound"),
        ({"systems": BINARY}, "all pairs, Shaffer", "sound"),
        ({"systems": REAL}, "all pairs, Shaffer", "does not apply"),
        ({"systems": BINARY}, "all pairs, flips", "approximate"),
        ({"systems": REAL}, "all pairs, flips", "unsound"),
        ({"systems": LARGE}, "all pairs, flips", "approximate"),
        (F1, "all pairs, flips", "does not apply"),
        (F1, "all pairs, Holm", "sound"),
        ({"systems": REAL}, "all pairs, Bonferroni", "sound"),
        ({"systems": BINARY}, "Cochran's Q", "sound, but asks something else"),
        ({"systems": REAL}, "Cochran's Q", "does not apply"),
        ({"systems": REAL}, "all pairs, unadjusted", "unsound"),
        ({"systems": REAL}, "all pairs, Benjamini-Hochberg", "sound, but asks something else"),
        ({"systems": REAL}, "tests of two systems", "does not apply"),
        ({"systems": REAL}, "tests over data sets", "does not apply"),
    ],
)
def test_rules(given: dict[str, Any], test: str, verdict: str) -> None:
    assert verdicts(**given)[test] == verdict


def test_holm_is_recommended_and_its_call_runs() -> None:
    first = candidates(of_systems(F1))[0].advice
    assert first.test == "all pairs, Holm"
    assert first.call == 'csig.compare_systems(systems, "f1", columns=columns)'
    names = {"csig": csig, "systems": COUNTS, "columns": F1["columns"]}
    assert eval(first.call, names).correction == "holm"


def test_reasons_name_numbers() -> None:
    said = {own.advice.test: own.advice.reason for own in candidates(of_systems({"systems": REAL}))}
    assert "60 items" in said["all pairs, flips"]
    assert (
        "3 pairs at 0.05 each: the chance of a false claim is up to 15%"
        in (said["all pairs, unadjusted"])
    )


def test_pvalues_are_the_smallest_of_all_pairs() -> None:
    found = csig.all_tests(BINARY, rng=3)
    for correction in ("holm", "bonferroni", "shaffer", "bh", "flips"):
        own = csig.compare_systems(BINARY, correction=correction, rng=3)
        best = min(own.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))
        name = {"holm": "Holm", "bonferroni": "Bonferroni", "shaffer": "Shaffer",
                "bh": "Benjamini-Hochberg"}.get(correction, correction)  # fmt: skip
        assert found[f"all pairs, {name}"].pvalue == best.adjusted, correction
    alone = csig.compare_systems(BINARY)
    assert found["all pairs, unadjusted"].pvalue == min(own.pvalue for own in alone.pairs)
    q = csig.cochran_q_test(BINARY)
    assert (found["Cochran's Q"].pvalue, found["Cochran's Q"].statistic) == (q.pvalue, q.statistic)
    assert Least(0.5, 0.01).pvalue == 0.01


def test_a_baseline_is_compared_with_every_other_system_only() -> None:
    made = of_systems({"systems": BINARY, "baseline": "b"})
    found = {own.advice.test: own for own in candidates(made)}
    holm = found["pairs with the baseline, Holm"]
    assert "3 pairs of 4 systems" in holm.advice.reason
    assert 'baseline="b"' in holm.advice.call
    assert found["pairs with the baseline, Shaffer"].advice.verdict == "does not apply"
    assert holm.run is not None
    own = csig.compare_systems(BINARY, baseline="b")
    drawing = Drawing(seed=np.random.SeedSequence(1))
    assert holm.run(drawing).pvalue == min(pair.adjusted for pair in own.pairs)
    assert len(own.pairs) == made.pairs


def test_pairs_are_tested_once_for_all_corrections(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(**options: Any) -> csig.SystemsResult:
        asked.append(options["correction"])
        return csig.compare_systems(**options)

    monkeypatch.setattr("csig.advice.many.compare_systems", counting)
    assert csig.all_tests(BINARY, rng=3)["all pairs, Benjamini-Hochberg"].pvalue is not None
    assert sorted(asked) == ["flips", "holm"]


def test_holm_promises_no_more_than_a_bound() -> None:
    systems = {"a": [1, 1, 0, 1], "b": [0, 1, 0, 1], "c": [0, 0, 0, 1]}
    said = csig.recommend(systems)["all pairs, Holm"].reason
    assert "with a probability of at least 0.95" in said
