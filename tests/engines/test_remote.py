"""The worker's side: blocks of a job that it knows, and what it says when it does not."""

from __future__ import annotations

from typing import Any

import pytest
from brute import PAPER

from csig import Comparison, metrics, replay
from csig.engines.base import Block
from csig.engines.packing import packed_question, packed_source, packed_swapped
from csig.engines.questions import make_question
from csig.engines.remote import HERE, KEPT, draw
from csig.streams import CHUNK, make_source


def job(seed: int = 1) -> dict[str, Any]:
    question = make_question(Comparison.from_counts(**PAPER), metrics.recall, "two-sided", 0)
    return {
        "engine": "shuffle",
        "source": packed_source(make_source(seed)),
        "questions": [packed_question(question)],
        "swapped": packed_swapped((34, 52)),
    }


def test_a_block_has_the_hits_of_the_contract() -> None:
    weights = {"tp": 1}, {"gold": 1}
    upto = [replay.class_hits(PAPER, *weights, n, entropy=1, run=2) for n in (CHUNK, 2 * CHUNK + 9)]
    said = draw(HERE, "hits", job(), (2, 1, 2, 2 * CHUNK + 9), True, 1)
    assert (said["found"], said["hits"]) == ("drawn", [upto[1] - upto[0]])
    assert [hits for hits, _, _ in said["chunks"].values()] == [
        [said["hits"][0] - said["chunks"][2][0][0]], said["chunks"][2][0],
    ]  # fmt: skip
    assert list(said["chunks"]) == [1, 2]
    whole = draw(HERE, "hits", None, (2, 1, 2, 2 * CHUNK + 9), False, 2)
    assert whole["hits"] == said["hits"]
    assert "chunks" not in whole


def test_a_block_knows_its_trials() -> None:
    assert Block(0, 3, 2, 5 * CHUNK).trials == 2 * CHUNK
    assert Block(0, 3, 2, 4 * CHUNK + 5).trials == CHUNK + 5
    assert Block(0, 3, 2, 2**40).start == 3 * CHUNK


def test_a_job_that_a_worker_does_not_know_is_asked_for() -> None:
    assert draw(HERE, "never seen", None, (0, 0, 1, 64), False, 1)["found"] == "unknown"


@pytest.mark.parametrize("other", [("0.0", HERE[1]), (HERE[0], HERE[1] + 1)])
def test_another_csig_draws_nothing(other: tuple[str, int]) -> None:
    said = draw(other, "another", job(), (0, 0, 1, 64), False, 1)
    assert (said["found"], said["csig"]) == ("another", HERE)
    assert "hits" not in said


def test_a_worker_keeps_the_jobs_that_it_used_last() -> None:
    block = (0, 0, 1, 64)
    for number in range(KEPT):
        draw(HERE, f"job {number}", job(number), block, False, 1)
    draw(HERE, "job 0", None, block, False, 1)
    draw(HERE, "one more", job(), block, False, 1)
    found = [draw(HERE, f"job {n}", None, block, False, 1)["found"] for n in range(KEPT)]
    assert found == ["drawn", "unknown", *["drawn"] * (KEPT - 2)]
