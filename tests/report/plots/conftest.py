"""What several pictures are drawn of."""

import numpy as np
import pytest
from brute import PAPER

import csig


@pytest.fixture
def yeh() -> csig.Comparison:
    """The paper's example."""
    return csig.Comparison.from_counts(**PAPER, names=("new", "base"))


@pytest.fixture(scope="session")
def documents() -> csig.Comparison:
    """Counts of 30 documents."""
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 6, 30)
    sides = []
    for share in (0.8, 0.6):
        predicted = rng.integers(0, 7, 30)
        right = rng.binomial(np.minimum(gold, predicted), share)
        sides.append(np.stack([right, predicted, gold], axis=1))
    ids = [f"d{i:02d}" for i in range(30)]
    return csig.Comparison.from_statistics(
        *sides, ("tp", "predicted", "gold"), id=ids, unit_name="document", names=("new", "base")
    )
