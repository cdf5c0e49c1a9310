"""Draw the pictures of docs/ranking.md: collocations by three methods, and 80 simulated samples.

The collocations are those of Evert and Krenn, as the R package corpora has them in data/KrennPPV:
write.csv(KrennPPV, "KrennPPV.csv", row.names=FALSE) writes the table. The samples have 100
candidates each and vary 1.3 times as much as the binomial model says.

    python draw_ranking.py KrennPPV.csv [FOLDER]      (default: the folder of this script)

Needs csig and matplotlib.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

import csig
from csig.report.style import bytes_of

SEED = 2004

METHODS = ("log.like", "MI", "freq")

LENGTHS = range(100, 2001, 10)

#: Simulated samples, candidates in each, their precision, and the ratio of standard deviations.
SAMPLES, SIZE, PRECISION, RATIO = 80, 100, 0.26, 1.3

#: How R, and others, write that a candidate is a collocation.
TRUE = ("TRUE", "True", "1")


def read(path: str) -> dict[str, list[float]]:
    """The table: a column that says what is a collocation, and the scores."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = {name: [float(row[name]) for row in rows] for name in METHODS}
    return {"is.colloc": [float(row["is.colloc"] in TRUE) for row in rows], **table}


def samples() -> csig.rankings.BinomialValidation:
    """Samples whose precision has a beta distribution."""
    rng = np.random.default_rng(SEED)
    weight = (SIZE - 1) / (RATIO**2 - 1) - 1
    own = rng.beta(PRECISION * weight, (1 - PRECISION) * weight, SAMPLES)
    pairs = {"true": rng.binomial(SIZE, own), "size": np.full(SAMPLES, SIZE)}
    return csig.rankings.validate_binomial(pairs)


def main(path: str, folder: Path) -> None:
    """Draw all."""
    table = read(path)
    best = csig.rankings.nbest_precision(table, METHODS, LENGTHS, true="is.colloc")
    ranked = csig.rank_methods(table, ["log.like", "MI"], LENGTHS, true="is.colloc", rng=SEED)
    found = {
        "precision.svg": csig.plots.nbest_curves(best),
        "difference.svg": csig.plots.ranking_difference(ranked),
        "samples.svg": csig.plots.precision_histogram(samples()),
    }
    for name, axes in found.items():
        (folder / name).write_bytes(bytes_of(axes.figure, "svg"))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent)
