"""Verdicts, their order, and what cannot be run."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from csig.advice.base import VERDICTS, Advice, Candidate, Drawing, in_order, nothing, refusal, run
from csig.errors import InputError


def advice(test: str, verdict: str) -> Advice:
    return Advice(test=test, verdict=verdict, reason="r", source="s", call="c")  # type: ignore[arg-type]


def test_the_first_stays_and_the_others_follow_by_verdict() -> None:
    names = ["b", "e", "a", "d", "c"]
    verdicts = [VERDICTS["abcde".index(name)] for name in names]
    found = in_order([Candidate(advice(n, v)) for n, v in zip(names, verdicts, strict=True)])
    assert [own.advice.test for own in found] == ["b", "a", "c", "d", "e"]


def test_what_does_not_apply() -> None:
    found = nothing([("x", "f()"), ("y", "g()")], "why", "who")
    assert [(own.advice.test, own.advice.call) for own in found] == [("x", "f()"), ("y", "g()")]
    assert {own.advice.verdict for own in found} == {"does not apply"}
    assert all(run(own, Drawing(seed=np.random.SeedSequence(1))) is own.advice for own in found)


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
    made = Candidate(advice("x", "sound"), lambda _: given, "t")
    found = run(made, drawing)
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
