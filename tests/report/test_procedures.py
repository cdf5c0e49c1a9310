"""What tests over data sets are called: all have a name, and the doubtful ones a reason."""

from __future__ import annotations

import pytest

import csig
from csig.base.defaults import DATASET_CORRECTIONS, DATASET_TESTS
from csig.datasets.report import (
    OVERALL,
    adjusted_title,
    doubt_of,
    procedures,
    short_title,
    title,
)

SCORES = {
    "a": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], "b": [0.8, 0.8, 0.6, 0.7, 0.5, 0.9],
    "c": [0.5, 0.4, 0.6, 0.3, 0.2, 0.1], "d": [0.6, 0.7, 0.5, 0.4, 0.1, 0.3],
}  # fmt: skip

#: The test that a correction goes with, where it is not any; and whether it needs a baseline.
ONLY = {"nemenyi": "ranks", "tukey": "anova", "dunnett": "anova"}


@pytest.mark.parametrize("correction", DATASET_CORRECTIONS)
@pytest.mark.parametrize("units", [False, True])
def test_all_have_a_name(correction, units):
    table, sets = SCORES, None
    if units:
        table, sets = SCORES, ["x", "x", "y", "y", "z", "z"]
    found = csig.compare_datasets(
        table, datasets=sets, correction=correction, pairs=ONLY.get(correction, "wilcoxon"),
        baseline="a" if correction == "dunnett" else None,
    )  # fmt: skip
    names = [*found.pairs[0].adjusted_by]
    assert len({short_title(name) for name in names}) == len(names)
    assert len({adjusted_title(name, correction) for name in names}) >= len(names) - 1
    assert all(own.name in OVERALL for own in found.overall)
    assert title(found)


@pytest.mark.parametrize("test", DATASET_TESTS)
def test_the_title_is_that_of_the_verdict(test):
    sets = ["x", "x", "y", "y", "z", "z"]
    found = csig.compare_datasets(SCORES, datasets=sets, pairs=test)
    assert title(found) == adjusted_title(test, "holm")
    assert title(found).endswith(", Holm-adjusted")
    two = csig.compare_datasets({name: SCORES[name] for name in "ab"}, datasets=sets, pairs=test)
    assert "adjusted" not in title(two)  # there is nothing to adjust for


def test_what_is_doubtful():
    found = csig.compare_datasets(SCORES)
    trusted = [name for name in found.pairs[0].adjusted_by if not doubt_of(name)]
    assert trusted == ["wilcoxon", "sign", "randomization"]
    assert "normal" in doubt_of("tukey")
    assert "other systems" in doubt_of("nemenyi-ties")


def test_ties_have_rows_of_their_own_only_where_there_are_some():
    tied = csig.compare_datasets(SCORES)
    plain = csig.compare_datasets({**SCORES, "b": [0.81, 0.82, 0.61, 0.71, 0.51, 0.91]})
    assert "nemenyi-ties" in procedures(tied)
    assert "nemenyi-ties" not in procedures(plain)
    assert "ranks-holm" not in procedures(plain)  # "ranks" is that
    other = csig.compare_datasets(SCORES, correction="bonferroni")
    assert "ranks-holm" in procedures(other)
