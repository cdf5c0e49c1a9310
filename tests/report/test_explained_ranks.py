"""What --explain says of many systems."""

from typing import Any

import numpy as np
import pytest

import csig
from csig.report.document import Section
from csig.systems.report import explanation_of_ranked

RNG = np.random.default_rng(1)
BINARY = {name: (RNG.random(60) < share).astype(int) for name, share in
          {"a": 0.2, "b": 0.5, "c": 0.9}.items()}  # fmt: skip
REAL = {name: RNG.standard_normal(100) for name in "abc"}


def words(systems: dict[str, Any] = BINARY, **options: Any) -> str:
    found = csig.compare_systems(systems, **options)
    return " ".join(found.summary(explain=True).split())


def test_sections() -> None:
    sections = explanation_of_ranked(csig.compare_systems(BINARY))
    assert [own.name for own in sections if isinstance(own, Section)] == [
        "input", "tests", "pvalue", "ranks",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "All shuffles are counted: p is exact"),
        ({}, "with a probability of at least 95% no claim is false among all pairs"),
        ({"correction": "bh", "alpha": 0.1}, "at most 10% are expected to be false claims"),
        ({"lower_is_better": True}, "with a higher score, the same and a lower"),
        ({"correction": "flips", "n_resamples": 99, "rng": 1}, "Each of 99 flips swaps the same"),
        (
            {"correction": "flips", "n_resamples": 99, "rng": 1},
            "at most 0.05. With flips that holds if the differences of equal systems are jointly",
        ),
    ],
)
def test_words(options: dict[str, Any], said: str) -> None:
    assert said in words(**options)


def test_a_baseline_has_no_ranks() -> None:
    assert "A system ranks below" in words()
    assert "A system ranks below" not in words(baseline="a")


def test_flips_that_all_pairs_share(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "or lies between two proven bounds within a relative 1e-4" in words(REAL)
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds
    said = words(REAL, n_resamples=99, rng=1)
    assert "not counted exactly: 99 were drawn, the same for all pairs" in said
    assert "and none of them can be below 0.01" in said


def test_shuffles_of_one_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csig.engines.certified.by_itself", lambda _: None)  # as where none close
    two = {name: REAL[name] for name in "ab"}
    assert "For 1 pair, 99 shuffles were drawn" in words(two, n_resamples=99, rng=1)


def test_bounds_of_one_pair() -> None:
    said = words({name: REAL[name] for name in "ab"})
    assert "or lies between two proven bounds within a relative 1e-4" in said
    assert "|certified|" in said
