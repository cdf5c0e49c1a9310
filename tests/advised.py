"""Data of every kind, for tests of what is recommended on them."""

from typing import Any

import numpy as np
from brute import PAPER

from csig.data.comparison import Comparison

__all__ = ["CASES", "binary", "clustered", "paper", "real", "skewed", "three_documents"]


def paper() -> Comparison:
    """Yeh's counts: single responses, nothing larger."""
    return Comparison.from_counts(**PAPER)


def binary(n: int = 100, differ: tuple[int, int] = (14, 6)) -> Comparison:
    """Items that are right or wrong; both systems have half of the others right."""
    a, b = [1] * differ[0] + [0] * differ[1], [0] * differ[0] + [1] * differ[1]
    rest = [i % 2 for i in range(n - sum(differ))]
    return Comparison.from_scores(a + rest, b + rest)


def real(n: int = 60, seed: int = 1) -> Comparison:
    """Real scores that correlate, with symmetric differences."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    return Comparison.from_scores(base + rng.normal(0.2, 0.3, n), base + rng.normal(0, 0.3, n))


def skewed() -> Comparison:
    """Forty scores of which one differs by much and some by little."""
    a = np.arange(40.0)
    b = a.copy()
    b[:12] += 0.25
    a[20] += 100
    return Comparison.from_scores(a, b)


def clustered() -> Comparison:
    """Eighty items that are right or wrong, in twenty stories."""
    rng = np.random.default_rng(3)
    a, b = (rng.random(80) < share for share in (0.7, 0.5))
    return Comparison.from_scores(
        a.astype(int), b.astype(int), cluster=[f"c{i // 4}" for i in range(80)],
        cluster_name="story",
    )  # fmt: skip


def three_documents() -> Comparison:
    """Responses in three documents."""
    gold = {f"d{k}": list(range(10)) for k in range(3)}
    a = {key: [*range(8), 20] for key in gold}
    b = {key: [*range(5), 21] for key in gold}
    return Comparison.from_responses(gold, a, b, key_name="document")


#: What is given, and the metric.
CASES: dict[str, tuple[Any, str]] = {
    "counts, F1": (paper, "f1"),
    "counts, recall": (paper, "recall"),
    "counts, precision": (paper, "precision"),
    "binary": (binary, "mean"),
    "few discordant": (lambda: binary(100, (6, 2)), "mean"),
    "identical": (lambda: binary(30, (0, 0)), "mean"),
    "real": (real, "mean"),
    "few units": (lambda: real(8), "mean"),
    "skewed": (skewed, "mean"),
    "clustered": (clustered, "mean"),
    "documents": (three_documents, "f1"),
    "labels, MCC": (
        lambda: Comparison.from_labels(["x", "y"] * 20, ["x"] * 40, ["x", "y", "y", "x"] * 10),
        "mcc",
    ),
    "one unit": (lambda: Comparison.from_scores([3.0], [1.0]), "mean"),
    "constant difference": (lambda: Comparison.from_scores([3, 4, 5], [2, 3, 4]), "mean"),
    "runs": (
        lambda: Comparison.from_scores([[1, 0, 1, 1], [1, 1, 1, 0]], [[0, 0, 1, 0], [1, 0, 0, 0]]),
        "mean",
    ),
}
