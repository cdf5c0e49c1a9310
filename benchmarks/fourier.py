"""``python -m benchmarks.fourier``: the passes and cells that certified p-values are made of.

Beside the same in numpy, in processor time, and then with every instruction set: nanoseconds for an
item and frequency, for an item and cell, and for an item.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, pairs, seconds, table
from csig.engines.fourier import Passes
from csig_ext import dispatch, fourier

Floats = NDArray[np.float64]

#: Items, frequencies near zero that they are asked for, and cells, each of so many items.
ITEMS, NEAR, CELLS, OF_CELL = 10**6, 8, 4096, 192
BLOCK = 2**14


def data() -> tuple[Floats, float, float]:
    """Items, a tilt that makes p about 0.001, and the step of frequencies."""
    d = np.random.default_rng(1).random(ITEMS)
    d /= d.max()
    spread = float(np.sqrt(np.square(d).sum()))
    return d, 3 / spread, 1 / spread


def cells() -> tuple[Floats, Floats, Floats, Floats]:
    """Items of cells, their 1 - tanh^2, and the cells: middles and half widths."""
    d, theta, _ = data()
    d = d[:OF_CELL].copy()
    centre = np.linspace(100, 200, CELLS)
    return d, 1 / np.cosh(theta * d) ** 2, centre, np.full(CELLS, 1e-3)


def sums(isa: int) -> Callable[[], object]:
    """The logarithm of the moment generating function, and what a step of Newton's method takes."""
    d, theta, _ = data()
    passes = Passes(d)
    passes.isa = isa
    return lambda: passes.cumulants(theta)


def numpy_sums() -> Callable[[], object]:
    """The same: log cosh x = x + log(1 + exp(-2x)) - log 2, and tanh from the same exp."""
    d, theta, _ = data()

    def run() -> object:
        found = np.zeros(4)
        for i in range(0, ITEMS, BLOCK):
            own = d[i : i + BLOCK]
            x = theta * own
            a = np.exp(-2 * x)
            h = (1 - a) / (1 + a)
            square = own * own
            part = (1 - h * h) * square
            log = (x + np.log1p(a)).sum() - len(x) * np.log(2)
            found += log, (own * h).sum(), part.sum(), (part * square).sum()
        return found

    return run


def near(isa: int) -> Callable[[], object]:
    """The characteristic function at the first frequencies, with bounds on its errors."""
    d, theta, step = data()
    passes = Passes(d)
    passes.isa = isa
    h, _ = passes.tilted(theta)
    return lambda: passes.at(h, step, np.arange(1, NEAR + 1))


def numpy_near() -> Callable[[], object]:
    """One sine and cosine an item, then products of complex numbers."""
    d, theta, step = data()
    h = np.tanh(theta * d)

    def run() -> object:
        found = np.ones(NEAR, complex)
        for i in range(0, ITEMS, BLOCK):
            turn = np.exp(1j * step * d[i : i + BLOCK])
            at, own = turn.copy(), h[i : i + BLOCK]
            for k in range(NEAR):
                found[k] *= np.multiply.reduce(at.real + 1j * (own * at.imag))
                at *= turn
        return found

    return run


def bounds(isa: int) -> Callable[[], object]:
    """Bounds over cells, from all items of each."""
    d, q, centre, half = cells()
    return lambda: fourier.cells(d, q, centre, half, 0.0, isa)


def numpy_bounds() -> Callable[[], object]:
    """The same with sines."""
    d, q, centre, half = cells()

    def run() -> object:
        found = np.empty(CELLS)
        for i in range(0, CELLS, 64):
            here = slice(i, i + 64)
            y = np.multiply.outer(centre[here], d / np.pi)
            y -= np.rint(y)
            np.abs(y, out=y)
            y -= np.multiply.outer(half[here], d / np.pi)
            sine = np.sin(np.pi * np.maximum(y, 0, out=y))
            found[here] = np.sqrt(np.prod(1 - q * (sine * sine), axis=1))
        return found

    return run


def rows() -> Iterator[Row]:
    """All measurements beside numpy; in processor time."""
    best = dispatch.number()
    for what, slow, fast in (
        (f"{NEAR} frequencies of 10^6 items", numpy_near(), near(best)),
        (f"{CELLS:,} cells of {OF_CELL} items", numpy_bounds(), bounds(best)),
        ("log cosh, tanh and their sums, 10^6 items", numpy_sums(), sums(best)),
    ):
        yield pairs(what, "numpy", slow, fast, rounds=9, clock=time.process_time)


def by_instructions() -> str:
    """Nanoseconds with every instruction set, the best of nine, as a Markdown table."""
    lines = ["| | frequency and item | cell and item | sums, item |", "|---|---|---|---|"]
    for isa, name in enumerate(dispatch.available):
        work = (
            (near(isa), NEAR * ITEMS),
            (bounds(isa), CELLS * OF_CELL),
            (sums(isa), ITEMS),
        )
        found = [
            min(seconds(run, time.process_time) for _ in range(9)) / size * 1e9
            for run, size in work
        ]
        lines.append(f"| {name} | " + " | ".join(f"{own:.2f}" for own in found) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(list(rows())))
    print()
    print(by_instructions())
