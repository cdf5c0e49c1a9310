"""The audit that many tests look at, and what it is looked at with."""

from collections import defaultdict

import numpy as np
from brute import PAPER
from scipy.stats import binomtest

from csig import Comparison

YEH = Comparison.from_counts(**PAPER)
METRICS = ["recall", "precision", "f1"]
N = 2**16 + 2**12


#: Recall's and f1's weights over (tp, predicted, gold), written out once more.
WEIGHTS = {
    "recall": ({"tp": 1}, {"gold": 1}),
    "precision": ({"tp": 1}, {"predicted": 1}),
    "f1": ({"tp": 2}, {"predicted": 1, "gold": 1}),
}


def by_name(found):
    checks = {check.name: check for check in found.checks}
    assert len(checks) == len(found.checks)
    return checks


def kinds(found):
    outcomes = defaultdict(set)
    for check in found.checks:
        outcomes[check.kind].add(check.passed)
    return dict(outcomes)


def twice(hits, n, p):
    return min(1, 2 * min(binomtest(hits, n, p, alternative=s).pvalue for s in ("less", "greater")))


def documents():
    """Twelve documents with responses of both systems: gold, A and B."""
    rng = np.random.default_rng(3)
    keys = [f"d{i}" for i in range(12)]
    gold = {key: set(range(10)) for key in keys}
    a, b = ({key: {j for j in range(14) if rng.random() < p} for key in keys} for p in (0.7, 0.5))
    return gold, a, b


LARGER = {
    "document": lambda: Comparison.from_responses(*documents(), key_name="document"),
    "story": lambda: Comparison.from_responses(
        *documents(), cluster={f"d{i}": i % 5 for i in range(12)}, cluster_name="story"
    ),
    "conflict": lambda: Comparison.from_responses(
        *documents(), unit="conflict", conflict=lambda response: response // 3
    ),
}
