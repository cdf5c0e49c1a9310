"""Tails over all shuffles of units with steps (s, t), counted slowly, and such units."""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
from brute import quotient
from hypothesis import strategies as st

# ---- the slow twins ----------------------------------------------------------------------


def difference(base, zero, moved=(0, 0)):
    n_a, m_a, n_b, m_b = base
    n, m = moved
    return quotient(n_a - n, m_a - m, zero) - quotient(n_b + n, m_b + m, zero)


def all_exchanges(steps, base, threshold, zero=0):
    """Of the 2^n exchanges, those whose difference reaches the threshold."""
    sums = [(0, 0)]
    for s, t in steps:
        sums += [(n + s, m + t) for n, m in sums]
    return sum(
        count
        for moved, count in Counter(sums).items()
        if difference(base, zero, moved) >= threshold
    )


def by_integers(steps, base, threshold, zero=0):
    """The same by convolution: for each M an integer whose digits of n + 1 bits count by N."""
    digit = len(steps) + 1
    low = sum(min(s, 0) for s, _ in steps)
    rows = {0: 1}
    for s, t in steps:  # digits count from the least N so far
        stay, go = (0, s) if s >= 0 else (-s, 0)
        new = {m: row << (digit * stay) for m, row in rows.items()}
        for m, row in rows.items():
            new[m + t] = new.get(m + t, 0) + (row << (digit * go))
        rows = new
    hits = 0
    for m, row in rows.items():
        first, last = 0, sum(abs(s) for s, _ in steps) + 1
        while first < last:
            middle = (first + last) // 2
            if difference(base, zero, (low + middle, m)) >= threshold:
                first = middle + 1
            else:
                last = middle
        # The sum of the digits is the remainder modulo base - 1.
        hits += (row & ((1 << (digit * first)) - 1)) % ((1 << digit) - 1)
    return hits


def as_fraction(result):
    return Fraction(result.mantissa) * Fraction(2) ** result.exponent


def log_of(result):
    return math.log(result.mantissa) + result.exponent * math.log(2)


# ---- units -------------------------------------------------------------------------------


def steps_and_base(units, extra=(0, 0, 0, 0)):
    """Units (numerator of A, denominator of A, numerator of B, denominator of B)."""
    steps = [(na - nb, da - db) for na, da, nb, db in units]
    base = tuple(sum(u[i] for u in units) + extra[i] for i in range(4))
    return steps, base


@st.composite
def documents(draw, most=8):
    """Units of every kind of metric: (tp, predicted, gold) of two systems, or anything."""
    size = st.integers(0, draw(st.sampled_from([1, 3, 8])))
    kind = draw(st.sampled_from(["recall", "precision", "f1", "jaccard", "parallel", "any"]))
    units = []
    for _ in range(draw(st.integers(0, most))):
        tp_a, fp_a, tp_b, fp_b, more = (draw(size) for _ in range(5))
        gold = max(tp_a, tp_b) + more
        units.append(
            {
                "recall": (tp_a, gold, tp_b, gold),
                "precision": (tp_a, tp_a + fp_a, tp_b, tp_b + fp_b),
                "f1": (2 * tp_a, tp_a + fp_a + gold, 2 * tp_b, tp_b + fp_b + gold),
                "jaccard": (tp_a, fp_a + gold, tp_b, fp_b + gold),
                "parallel": (2 * tp_a, 3 * tp_a, 2 * tp_b, 3 * tp_b),
                "any": (tp_a - fp_a, more, tp_b - fp_b, fp_b),
            }[kind]
        )
    extra = draw(st.sampled_from([(0, 0, 0, 0), (1, 1, 1, 1), (2, 5, 2, 5), (0, 3, 1, 3)]))
    return steps_and_base(units, extra)


def random_case(seed, n, lean, extra):
    rng = random.Random(seed)
    steps = []
    for _ in range(n):
        s, t = rng.randint(-5, 5), rng.randint(-5, 5)
        if seed % 2:  # correlated, as true positives and predictions are
            t = max(-5, min(5, s + rng.randint(-2, 2)))
        if s < 0 and rng.random() < lean:
            s, t = -s, -t if seed % 2 else t
        steps.append((s, t))
    up = [[sum(max(sign * v[i], 0) for v in steps) for i in (0, 1)] for sign in (1, -1)]
    base = (up[0][0] + extra // 2, up[0][1] + extra, up[1][0] + extra // 2, up[1][1] + extra)
    return steps, base


def of_counts(counts, metric):
    """Counts of responses as units: each unique response by itself."""
    above, below = metric.integer_weights
    order = ("tp", "predicted", "gold")
    vectors = {"correct": (1, 1, 0), "spurious": (0, 1, 0)}

    def weigh(row, vector):
        return sum(row.get(name, 0) * v for name, v in zip(order, vector, strict=True))

    steps, sums = [], []
    for kind, vector in vectors.items():
        s, t = weigh(above, vector), weigh(below, vector)
        steps += [(s, t)] * counts[f"only_a_{kind}"] + [(-s, -t)] * counts[f"only_b_{kind}"]
    for system in "ab":
        right = counts.get("both_correct", 0) + counts[f"only_{system}_correct"]
        wrong = counts.get("both_spurious", 0) + counts[f"only_{system}_spurious"]
        vector = (right, right + wrong, counts["gold"])
        sums += [weigh(above, vector), weigh(below, vector)]
    return steps, tuple(sums)


def many_documents(n=2000, seed=1, ahead=0.0):
    rng = np.random.default_rng(seed)
    gold = rng.poisson(12, n) + 1
    units = []
    for rate in (0.6 + ahead, 0.6):
        tp = rng.binomial(gold, rate)
        units += [2 * tp, tp + rng.poisson(4, n) + gold]
    steps = np.stack([units[0] - units[2], units[1] - units[3]], axis=1)
    return steps, tuple(int(u.sum()) for u in units)
