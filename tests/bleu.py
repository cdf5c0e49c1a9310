"""BLEU as a metric of n-gram counts, for published examples that use it."""

import lzma
from collections import Counter
from pathlib import Path

import numpy as np

from csig import Metric

#: Matches and n-grams of the system for n = 1 ... 4, and the words of the reference.
COLUMNS = [*(f"{what}{n}" for n in range(1, 5) for what in ("matches", "ngrams")), "reference"]


def sentences(path: Path):
    """The words of every line of a compressed text."""
    return [line.split(" ") for line in lzma.open(path, "rt", encoding="utf8").read().splitlines()]


def ngrams(words, n):
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def counts(hypotheses, references):
    """One row per sentence."""
    rows = []
    for own, right in zip(hypotheses, references, strict=True):
        row = []
        for n in range(1, 5):
            row += [(ngrams(own, n) & ngrams(right, n)).total(), max(0, len(own) - n + 1)]
        rows.append([*row, len(right)])
    return np.array(rows)


def score(sums):
    """In percent, by the counts of whole corpora (Papineni et al. 2002)."""
    precisions = np.log(sums[:, 0:8:2] / sums[:, 1:8:2]).mean(axis=1)
    return 100 * np.exp(precisions + np.minimum(0, 1 - sums[:, 8] / sums[:, 1]))


bleu = Metric("bleu", COLUMNS, function=score)
#: The system's words as a percentage of the reference's.
length = Metric("length", ["ngrams1", "reference"], numerator=(100, 0), denominator=(0, 1))
