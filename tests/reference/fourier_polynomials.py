"""The polynomials of ``csig_ext/src/fourier.c``: ``python fourier_polynomials.py``.

Each goes through its function's values at Chebyshev points of an interval, computed with 60 digits,
and its coefficients are rounded to doubles. The last one is then lowered by its largest error at
2,001 places, and a little more: it must lie below its function. None of this is a proof; what is
proved of the doubles is in tests/ext/test_fourier.py.
"""

from __future__ import annotations

from collections.abc import Callable

from mpmath import cos, factorial, linspace, log, lu_solve, matrix, mp, mpf, pi, polyval, sin, sqrt

mp.dps = 60

Function = Callable[[mpf], mpf]


def series(term: Callable[[int], mpf]) -> Function:
    """The power series with these coefficients, as far as it counts."""
    coefficients = [term(j) for j in range(40)][::-1]
    return lambda x: polyval(coefficients, x)


def through(f: Function, low: mpf, high: mpf, degree: int) -> list[float]:
    """The polynomial of a degree with the values of f at Chebyshev points from low to high."""
    n = degree + 1
    at = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    powers = matrix(n, n)
    for i, x in enumerate(at):
        for j in range(n):
            powers[i, j] = x**j
    return [float(c) for c in lu_solve(powers, matrix([f(x) for x in at]))]


def main() -> None:
    """Print them as they stand in C."""
    square = (pi / 2) ** 2 * (1 + mpf(2) ** -40)
    half = log(2) / 2 * (1 + mpf(2) ** -30)
    sine = series(lambda j: (-1) ** (j + 1) / factorial(2 * j + 3))
    versine = series(lambda j: (-1) ** j / factorial(2 * j + 2))
    growth = series(lambda j: 1 / factorial(j + 2))
    artanh = series(lambda j: mpf(1) / (2 * j + 3))

    def below(z: mpf) -> mpf:
        return sin(pi * sqrt(z)) / sqrt(z) if z else pi

    found = {
        "sine": through(sine, mpf(0), square, 7),
        "versine": through(versine, mpf(0), square, 7),
        "growth": through(growth, -half, half, 10),
        "artanh": through(artanh, mpf(0), mpf("0.0129"), 5),
        "below_sine": through(below, mpf(0), mpf(1) / 4, 2),
    }
    last = found["below_sine"]
    error = max(abs(polyval(last[::-1], z) - below(z)) for z in linspace(0, mpf(1) / 4, 2001))
    last[0] = float(last[0] - error * mpf("1.0001"))
    for name, coefficients in found.items():
        print(name, *(c.hex() for c in coefficients))


if __name__ == "__main__":
    main()
