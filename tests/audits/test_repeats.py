"""The replay in numpy, other threads and instructions: the same hits, or the checks fail."""

from __future__ import annotations

import pytest
from audited import METRICS, WEIGHTS, YEH, N, by_name
from brute import PAPER

import csig
from csig import audit, replay
from csig.audits import repeats
from csig.engines import tasks


def test_hits_are_the_replays(paper):
    for run in paper.runs:
        for name, (numerator, denominator) in WEIGHTS.items():
            expected = replay.class_hits(
                PAPER, numerator, denominator, N, entropy=1, run=run.number,
                bit_generator=run.source.factory,
            )  # fmt: skip
            assert run.hits[name, "two-sided"] == expected
        rows = list(run.chunk_hits.values())
        assert list(run.chunk_hits) == [0, 1]
        assert [sum(column) for column in zip(*rows, strict=True)] == list(run.hits.values())
    own = csig.randomization_test(YEH, METRICS, method="approximate", n_resamples=N, rng=1)
    for name, result in paper.results.items():
        assert result.n_hits == paper.runs[0].hits[name, "two-sided"] == own[name].n_hits
        assert result.pvalue == own[name].pvalue
        assert result.pvalue_interval == own[name].pvalue_interval


def test_a_loop_that_counts_wrongly_is_found_by_the_replay(monkeypatch):
    """Words of another stream: the compiled loop and the replay part ways."""
    original = replay.chunk_words

    def other(n, **options):
        return original(n, **{**options, "run": options["run"] + 5})

    monkeypatch.setattr(replay, "chunk_words", other)
    found = audit(YEH, "f1", n_resamples=2**16, rng=1)
    assert {check.name for check in found.failed} == {
        "determinism: replay",
        "generator: same words",
    }
    assert "in numpy" in by_name(found)["determinism: replay"].observed


@pytest.mark.parametrize("tail", ["two-sided", "upper", "lower"])
def test_one_hit_too_many_is_found_by_the_replay(monkeypatch, tail):
    original = repeats.replayed

    def other(*arguments):
        judge = original(*arguments)
        return lambda question: {**judge(question), tail: judge(question)[tail] + 1}

    monkeypatch.setattr(repeats, "replayed", other)
    found = audit(YEH, "f1", n_resamples=2**16, rng=1)
    assert [check.name for check in found.failed] == ["determinism: replay"]
    assert f"f1 ({tail}), chunk 0" in by_name(found)["determinism: replay"].observed


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (lambda run: run.n_threads == 7, "chunk 0 with 7 threads"),
        (lambda run: run.isa_asked == "base", "chunk 0 with the plainest instructions"),
    ],
)
def test_one_hit_too_many_with_other_threads_or_instructions(monkeypatch, wrong, what):
    class Wrong(tasks.Run):
        def __init__(self, source, number, questions, n, threads, notify, isa, **options):
            super().__init__(source, number, questions, n, threads, notify, isa, **options)
            self.n_threads, self.isa_asked = threads, isa

        def __call__(self):
            hits = super().__call__()
            if wrong(self):
                first, *_ = self.chunks[min(self.chunks)]
                first[0] += 1
            return hits

    monkeypatch.setattr(tasks, "Run", Wrong)
    found = audit(YEH, "f1", n_resamples=N, rng=1, threads=2)
    assert [check.name for check in found.failed] == ["determinism: threads"]
    assert what in by_name(found)["determinism: threads"].observed
