"""Verdicts, their order, what cannot be run, and sources."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from advised import CASES

import csig
from csig.advice.base import (
    SOURCES,
    VERDICTS,
    Candidate,
    Drawing,
    in_order,
    nothing,
    publications,
    refusal,
)
from csig.base.errors import InputError

# ---- verdicts, their order, and what cannot be run ----------------------------------------------


def test_the_first_stays_and_the_others_follow_by_verdict() -> None:
    names = ["b", "e", "a", "d", "c"]
    verdicts = [VERDICTS["abcde".index(name)] for name in names]
    found = in_order([Candidate(n, "c", v, "r", "s") for n, v in zip(names, verdicts, strict=True)])
    assert [own.test for own in found] == ["b", "a", "c", "d", "e"]


def test_what_does_not_apply() -> None:
    found = nothing([("x", "f()"), ("y", "g()")], "why", "who")
    assert [(own.test, own.call) for own in found] == [("x", "f()"), ("y", "g()")]
    assert {own.verdict for own in found} == {"does not apply"}
    drawing = Drawing(seed=np.random.SeedSequence(1))
    assert all(own.advice(drawing) == own.advice() for own in found)


def test_refusals() -> None:
    def refuses() -> None:
        raise InputError("two are needed")

    assert refusal(refuses) == "two are needed"
    assert refusal(lambda: SimpleNamespace(pvalue=0.5, statistic=1.0)) is None
    for p, t in ((math.nan, 0.0), (0.0, math.inf)):
        why = refusal(lambda p=p, t=t: SimpleNamespace(pvalue=p, statistic=t))
        assert why == "nothing varies: each system has the same result on all items"


def test_running_gives_the_numbers() -> None:
    drawing = Drawing(seed=np.random.SeedSequence(1), alternative="less")
    given = SimpleNamespace(statistic=3, pvalue=0.25, log_pvalue=None)
    made = Candidate("x", "c", "sound", "r", "s", None, lambda _: given, "t")
    found = made.advice(drawing)
    assert (found.statistic_name, found.statistic, found.pvalue, found.log_pvalue) == (
        "t", 3.0, 0.25, None,
    )  # fmt: skip
    assert drawing.keywords(7)["n_resamples"] == 7
    assert drawing.keywords(7)["alternative"] == "less"
    with pytest.raises(AttributeError):
        found.pvalue = 1  # type: ignore[misc]


def test_what_stands_beside_another_draws_less_of_many_units() -> None:
    drawing = Drawing(seed=np.random.SeedSequence(1))
    assert drawing.beside(10) == drawing.n_resamples == 2**20
    assert drawing.beside(10**6) == 2**16
    assert drawing.resampled(100) == drawing.bootstrap_resamples == 100_000
    assert drawing.resampled(10**5) == 2**29 // 10**5
    assert drawing.resampled(10**7) == 999
    few = Drawing(seed=np.random.SeedSequence(1), n_resamples=9, bootstrap_resamples=7)
    assert (few.beside(10**6), few.resampled(10**6)) == (9, 7)


# ---- sources of the rules -----------------------------------------------------------------------


def test_publications_are_found_by_short_references() -> None:
    found = publications(["Yeh 2000, section 2.1; Noreen 1989", "docs/bootstrap.md"])
    assert [text.partition(" (")[0] for text in found] == ["Noreen, E.", "Yeh, A."]
    assert publications(["Smith 1900"]) == []


def test_every_reference_is_a_publication_or_a_page() -> None:
    """No test refers to what is not on the list, and nothing on the list is without a test."""
    rng = np.random.default_rng(1)
    found = [csig.recommend(make(), metric) for make, metric in CASES.values()]
    found.append(csig.recommend({name: rng.random(9) for name in "abc"}))
    found.append(csig.recommend({"a": [1, 0, 1], "b": [0, 0, 1], "c": [1, 1, 1]}))
    for folds in (None, 2):
        scores = {"a": rng.random(10), "b": rng.random(10)}
        found.append(csig.recommend(scores, rows="folds", folds=folds))
    for k in (2, 4):
        table = {f"s{i}": rng.random(12) for i in range(k)}
        found.append(csig.recommend(table, rows="datasets"))
    references = {own.source for one in found for own in one.tests}
    named = {part.strip() for own in references for part in own.split(";")}
    assert {own for own in named if not publications([own])} == {"docs/bootstrap.md"}
    assert {own.verdict for one in found for own in one.tests} == set(VERDICTS)
    used = set(publications(references))
    assert [key for key, text in SOURCES.items() if text not in used] == []


@pytest.mark.parametrize("key", SOURCES)
def test_keys_are_author_and_year(key: str) -> None:
    year = key[-4:]
    assert f"({year})" in SOURCES[key]
    assert SOURCES[key].startswith(key.split()[0])
