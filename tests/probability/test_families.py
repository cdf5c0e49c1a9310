"""Families of tests: against the procedure step by step, Holm's correction, and its error rate."""

from __future__ import annotations

import numpy as np
import pytest

from csig.probability.corrections import holm, over_families


def step_by_step(pvalues: np.ndarray, alpha: float) -> np.ndarray:
    """What is rejected: families that are not done share alpha."""
    rejected = np.zeros(pvalues.shape, dtype=bool)
    waiting = list(range(len(pvalues)))
    while waiting:
        for family in waiting:
            rejected[family] |= len(waiting) * pvalues[family] <= alpha
        left = [family for family in waiting if not rejected[family].all()]
        if left == waiting:
            break
        waiting = left
    return rejected


@pytest.mark.parametrize("seed", range(30))
def test_adjusted_values_say_what_the_steps_reject(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 6, 2))
    pvalues = rng.integers(0, 30, shape) / 128  # doubles are exact, and some are equal
    adjusted = over_families(pvalues)
    for alpha in (*np.unique(adjusted).tolist(), *(rng.integers(1, 128, 20) / 128).tolist()):
        if alpha < 1:
            assert (step_by_step(pvalues, alpha) == (adjusted <= alpha)).all()


def test_one_test_in_each_family_is_holms_correction() -> None:
    pvalues = np.random.default_rng(1).random(20) ** 3
    expected = [own.adjusted for own in holm(pvalues.tolist())]
    assert over_families(pvalues[:, None])[:, 0] == pytest.approx(expected)


def test_one_family_stays_as_it_is() -> None:
    pvalues = np.array([[0.2, 0.01, 1.0]])
    assert (over_families(pvalues) == pvalues).all()


def test_true_null_hypotheses_beside_false_ones_keep_the_error_rate() -> None:
    """Families with one difference that is real, and one that is not."""
    families, runs, alpha = 10, 4000, 0.05
    rng = np.random.default_rng(1)
    ours = early = 0
    for _ in range(runs):
        true = rng.random(families)
        pvalues = np.stack([np.zeros(families), true], axis=1)
        ours += bool((over_families(pvalues)[:, 1] <= alpha).any())
        factors = families - np.arange(families)  # as soon as each has its first rejection
        early += bool((factors * true <= alpha).any())
    error = 3 * np.sqrt(alpha * (1 - alpha) / runs)
    assert ours / runs <= alpha + error
    assert early / runs > 2 * alpha
