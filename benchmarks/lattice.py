"""The exact test over documents and items, beside a 2-D FFT in numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import APART, CLOSE, documents, items
from benchmarks.timing import Row, pairs
from csig.engines.lattice import Base, tail

Case = tuple[NDArray[np.int64], Base, Fraction]


def micro_f1(seed: int, ahead: float) -> Case:
    """Steps of (2 tp, predicted + gold), both sums, and the observed difference."""
    a, b = documents(seed, ahead=ahead)
    weights = np.array([[2, 0], [0, 1], [0, 1]])
    n_a, m_a, n_b, m_b = (int(v) for x in (a, b) for v in (x @ weights).sum(axis=0))
    threshold = abs(Fraction(n_a, m_a) - Fraction(n_b, m_b))
    return (a - b) @ weights, (n_a, m_a, n_b, m_b), threshold


def accuracy(seed: int) -> Case:
    """0/1 scores of 100,000 items."""
    a, b = items(seed)
    n, x, y = len(a), int(a.sum()), int(b.sum())
    return np.stack([a - b, np.zeros_like(a)], axis=1), (x, n, y, n), abs(Fraction(x - y, n))


def exact(case: Case) -> Callable[[], float]:
    """The logarithm to base 10 of csig's tail, from the steps on."""

    def run() -> float:
        p = tail(*case)
        return math.log10(p.mantissa) + p.exponent * math.log10(2)

    return run


def fast_length(n: float) -> int:
    """The next number without prime factors above 5."""
    k = math.ceil(n)
    while True:
        rest = k
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return k
        k += 1


def power(x: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    """By squaring: several times faster than numpy's power."""
    result = None
    while m:
        if m & 1:
            result = x.copy() if result is None else np.multiply(result, x, out=result)
        x, m = x * x, m >> 1
    assert result is not None
    return result


def fft(case: Case) -> Callable[[], float]:
    """The best program with numpy's FFT: the generating function of both sums, class by
    class, on a grid of nine standard deviations each way; one inverse FFT; all cells
    compared at once. Differences of symmetric coins make each class a real factor, a
    cosine of a sum of angles, from two small tables.
    """
    steps, (n_a, m_a, n_b, m_b), threshold = case

    def run() -> float:
        scale = np.gcd.reduce(steps, axis=0)
        moves, count = np.unique(steps // scale, axis=0, return_counts=True)
        spread = 18 * np.sqrt((count[:, None] * moves**2).sum(axis=0)) / 2
        shape = fast_length(spread[0] + 1), fast_length(spread[1] + 1)
        angles = (
            np.pi * np.fft.fftfreq(shape[0])[:, None],
            np.pi * np.fft.rfftfreq(shape[1]),
        )
        transform = np.ones((shape[0], shape[1] // 2 + 1))
        for (s, t), m in zip(moves.tolist(), count.tolist(), strict=True):
            factor = np.cos(s * angles[0]) * np.cos(t * angles[1])
            factor -= np.sin(s * angles[0]) * np.sin(t * angles[1])
            transform *= power(factor, m)
        total = (count[:, None] * moves).sum(axis=0)
        phase = np.exp(-1j * total[0] * angles[0]) * np.exp(-1j * total[1] * angles[1])
        cells = np.fft.irfft2(transform * phase, s=shape)
        corner = [int(sum_ / 2 - size / 2) for sum_, size in zip(total, shape, strict=True)]
        n, m = (
            (low + (np.arange(size) - low) % size) * int(unit)
            for low, size, unit in zip(corner, shape, scale, strict=True)
        )
        n = n[:, None]
        differences = (n_a - n) / (m_a - m) - (n_b + n) / (m_b + m)
        p = float(cells[differences >= float(threshold) - 1e-13].sum())
        return math.log10(p) if p > 0 else -math.inf

    return run


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    close, apart = micro_f1(1, CLOSE), micro_f1(1, APART)
    assert abs(fft(close)() - exact(close)()) < 1e-9
    assert -2 < exact(close)() < -0.5
    assert exact(apart)() < -100
    yield pairs(
        "exact micro-F1, 2,000 documents, p near 0.1", "2-D FFT in numpy",
        fft(close), exact(close), rounds=9, wanted="6",
    )  # fmt: skip
    yield pairs(
        "exact micro-F1, 2,000 documents, p below 1e-100", "csig, p near 0.1",
        exact(close), exact(apart), rounds=9, wanted="0.5",
    )  # fmt: skip
    yield pairs(
        "exact accuracy, 100,000 0/1 items", "csig, micro-F1 of 2,000 documents",
        exact(close), exact(accuracy(1)), rounds=9,
    )  # fmt: skip
