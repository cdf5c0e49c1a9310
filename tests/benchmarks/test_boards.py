"""The simulation of ranks by Borda: its systems have the ranks that it takes them to have."""

import numpy as np
import pytest
from scipy.stats import rankdata
from simulated import simulation

boards = simulation("boards")


@pytest.mark.parametrize("kind", boards.KINDS)
def test_true_ranks(kind):
    scores = boards.draw(kind, 200_000, np.random.default_rng(1))
    points = (rankdata(scores, axis=0) - 1).mean(axis=1)
    if kind == "ladder":
        assert (np.diff(points) > 0.1).all()
    else:
        assert points == pytest.approx(np.full(5, 2.0), abs=0.02)
    if kind == "skewed":
        assert {*scores[0].tolist()} == {1.0, 4.0}
        assert (np.sort(scores, axis=0) == np.arange(5)[:, None]).all()


def test_a_row():
    hold, wide = boards.row("ladder", 20, 5)
    assert 0 <= hold <= 1 <= wide <= 5
