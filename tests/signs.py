"""Sums of signed numbers of every kind, and exact counts of their tails, for tests of bounds."""

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from csig.engines import fourier

Integers = NDArray[np.int64]

#: What the kinds are called; a case of each is drawn in turn.
KINDS: dict[str, Callable[[Generator, int], NDArray[np.float64]]] = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "heavy": lambda rng, n: rng.standard_t(1.2, n),
    "very heavy": lambda rng, n: rng.standard_t(0.3, n),
    "thirds": lambda rng, n: rng.integers(-3, 4, n) / 3,
    "sevenths": lambda rng, n: rng.integers(0, 22, n) / 21,
    "one value": lambda rng, n: np.full(n, math.pi),
    "two values": lambda rng, n: rng.choice([math.e, math.sqrt(2)], n),
    "three values": lambda rng, n: rng.choice([math.e, math.sqrt(2), math.pi], n),
    "four values": lambda rng, n: rng.choice(np.sqrt([2, 3, 5, 7]), n),
    "outlier": lambda rng, n: np.append(rng.random(n - 1), 10.0 ** rng.integers(1, 9)),
    "ties": lambda rng, n: rng.choice(rng.standard_normal(max(1, n // 3)), n),
    "ulp noise": lambda rng, n: rng.integers(1, 5, n) / 4 * (1 + rng.integers(-2, 3, n) * 2.0**-52),
    "powers": lambda rng, n: 2.0 ** rng.integers(-20, 20, n),
    "halves": lambda rng, n: 2.0 ** -np.arange(n),
    "clusters": lambda rng, n: np.add.reduceat(
        rng.standard_normal(4 * n), np.sort(rng.choice(4 * n, n, replace=False))
    ),
    "decimals": lambda rng, n: rng.integers(0, 10_001, n) / 10_000,
    "scores": lambda rng, n: rng.integers(0, 9, n) / rng.integers(1, 9, n),
    "tiny and huge": lambda rng, n: 10.0 ** rng.uniform(-300, 300, n),
}


@contextmanager
def chosen(
    *,
    tilt: float | None = None,
    form: str | None = None,
    far: float = fourier.FAR,
    alias: float = fourier.ALIAS,
    gap: float = fourier.GAP,
    period: float = 1.0,
) -> Iterator[None]:
    """Bounds by what is chosen here: all are valid. The tilt is times 1 / sqrt(sum of squares)."""
    plan, turn, parts = fourier.make_plan, fourier.Run.tilt, fourier.parts

    def planned(sketch: fourier.Sketch, s: float, *shares: float) -> fourier.Plan:
        root = math.sqrt(float(sketch.counts @ (sketch.d * sketch.d)))
        least = fourier.LEAST_TILT / root
        ratio = (tilt or 1.0) / root / max(sketch.saddle(s), least)
        with patch.object(fourier, "TILTS", fourier.TILTS if tilt is None else (ratio,)):
            return plan(sketch, s, *shares)

    def tilted(run: fourier.Run, *goal: float) -> None:
        turn(run, *goal)
        run.period *= period

    def whole(data: fourier.Signed) -> tuple[Fraction, Any]:
        return parts(data) if data.s > data.total else (Fraction(0), [(Fraction(1), data)])

    changes = {"FAR": far, "ALIAS": alias, "GAP": gap, "make_plan": planned}
    if form is not None:
        changes |= {"parts": whole, "counted": lambda data, few, budget: None, "LATTICE_SHARE": 1.0}
    with ExitStack() as stack:
        for name, change in changes.items():
            stack.enter_context(patch.object(fourier, name, change))
        stack.enter_context(patch.object(fourier.Run, "tilt", tilted))
        if form is not None:
            stack.enter_context(
                patch.object(
                    fourier.Run,
                    "choice",
                    property(lambda run: (form if run.data.exact else "kernels", 0.0)),
                )
            )
        yield


def fixed(values: NDArray[np.float64], bits: int) -> Integers:
    """As integers whose absolute values sum to less than 2^bits."""
    values = values / np.abs(values).max(initial=1e-308)
    _, exponent = math.frexp(float(np.abs(values).sum()) * (1 + 1e-9))
    return np.array([round(math.ldexp(v, bits - 1 - exponent)) for v in values.tolist()])


def listed(values: Integers) -> Integers:
    """All sums of the values with signs."""
    sums = np.zeros(1, dtype=np.int64)
    for v in values.tolist():
        sums = np.concatenate([sums - v, sums + v])
    return sums


def count(values: Integers, s: int) -> int:
    """Of the 2^n sums those of at least s, in 2^(n/2) steps; below 2^62."""
    one, two = np.sort(listed(values[::2])), np.sort(listed(values[1::2]))
    return len(one) * len(two) - int(np.searchsorted(two, s - one, side="left").sum())


def polynomial(values: Integers, s: int) -> int:
    """The same for any number of small integers: products of 1 + x^v, in one Python integer."""
    sizes = np.abs(values).tolist()
    left, bits = (sum(sizes) - s) // 2, len(sizes) + 1
    if left < 0:
        return 0
    ways, kept = 1, (1 << bits * (left + 1)) - 1
    for v in sizes:
        ways = (ways + (ways << bits * v)) & kept
    terms = left + 1
    while terms > 1:  # the upper half of the coefficients is added to the lower one
        lower = terms - terms // 2
        ways = (ways >> bits * lower) + (ways & ((1 << bits * lower) - 1))
        terms = lower
    return ways


def threshold(rng: Generator, values: Integers) -> int:
    """Anywhere from the middle to the very end, on a sum, beside it, or between."""
    total = int(np.abs(values).sum())
    way = rng.integers(6)
    if way == 0:  # few negative ones
        few = rng.permutation(np.abs(values))[: rng.integers(0, 4)]
        s = total - 2 * sum(few.tolist())
    elif way == 1:
        s = int(rng.integers(0, total + 1))
    else:  # normal deviates, tilted
        z = rng.uniform(0, 5) if way > 3 else 0.0
        lean = np.abs(values) * (z / max(math.sqrt(float(values @ values.astype(float))), 1e-300))
        signs = np.where(rng.random(len(values)) < 1 / (1 + np.exp(-2 * lean)), 1, -1)
        s = sum((signs * np.abs(values)).tolist())
    return min(max(abs(s) + int(rng.choice([-1, 0, 0, 0, 1])), 1), total + 1)


def case(rng: Generator, kind: str, n: int) -> tuple[Integers, int]:
    """Values of a kind, in fixed point, some as small as the integers of decimals, and s."""
    drawn = KINDS[kind](rng, n)
    if kind == "decimals":
        values = np.rint(drawn * 10_000).astype(np.int64)
    elif kind in {"thirds", "sevenths"} and rng.random() < 0.5:
        values = np.rint(drawn * 21).astype(np.int64)
    else:
        values = fixed(drawn, int(rng.choice([62, 61, 53, 40, 25])))
    if not values.any():
        values[0] = 1
    if rng.random() < 0.1:
        values = values * (2**61 // int(np.abs(values).sum()) or 1)  # a huge divisor
    return values, threshold(rng, values)
