"""``python -m benchmarks.boards``: how often ranks by Borda hold, jointly for all systems.

Five systems, whose true ranks are known: all equally good; each better than the one before; equally
good by Borda while one is first in a third of the items and last but one in the others. That more
than 95% was found is said in docs/systems.md.

    nice python -m benchmarks.boards  # some minutes
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import csig

SYSTEMS, SIZES, DATA_SETS, SEED = 5, (20, 100), 250, 1
KINDS = "equal", "ladder", "skewed"


def draw(kind: str, n: int, rng: Generator) -> NDArray[np.float64]:
    """Scores, (systems, items)."""
    own = rng.normal(size=(SYSTEMS, n))
    if kind == "skewed":
        places = own.argsort(axis=0).argsort(axis=0)
        first = np.where(rng.random(n) < 1 / 3, SYSTEMS - 1, 1)
        there = (places == first).argmax(axis=0)  # who trades places with the first system
        places[there, np.arange(n)] = places[0]
        places[0] = first
        return places.astype(np.float64)
    return own + rng.normal(size=n) + 0.2 * np.arange(SYSTEMS)[:, None] * (kind == "ladder")


def row(kind: str, n: int, data_sets: int = DATA_SETS) -> tuple[float, float]:
    """The share of data sets in which all true ranks hold, and how many ranks an interval has."""
    rng = np.random.default_rng([SEED, KINDS.index(kind), n])
    hold, wide = 0, 0.0
    for _ in range(data_sets):
        systems = {f"s{i}": own for i, own in enumerate(draw(kind, n, rng))}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", csig.DataWarning)
            found = csig.compare_systems(systems, rank_by="borda", threads=1).ranks
        low, high = np.array([found[name] for name in systems]).T
        best = SYSTEMS - np.arange(SYSTEMS) if kind == "ladder" else np.ones(SYSTEMS)
        worst = best if kind == "ladder" else np.full(SYSTEMS, SYSTEMS)
        hold += bool(((low <= best) & (high >= worst)).all())
        wide += float((high - low + 1).mean())
    return hold / data_sets, wide / data_sets


def main() -> None:
    """Print the table."""
    print("| systems | items | all ranks hold | ranks in an interval |")
    print("|---|---|---|---|")
    for kind in KINDS:
        for n in SIZES:
            hold, wide = row(kind, n)
            print(f"| {kind} | {n} | {hold:.3f} | {wide:.2f} |", flush=True)


if __name__ == "__main__":
    main()
