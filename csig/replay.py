"""The streams contract in pure numpy: an independent replay of the compiled loops.

Nothing here imports csig or its compiled part. It is slow and obvious on purpose:
tests and audits compare the fast loops with it, hit for hit.

Examples
--------
The first shuffles of Yeh's example (34 correct and 52 spurious unique responses) with
seed 1: how many of each went to A.

>>> correct, spurious = class_counts(34, 52, 4, entropy=1)
>>> correct.tolist(), spurious.tolist()
([14, 16, 16, 14], [27, 25, 24, 33])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Required, TypedDict, Unpack

import numpy as np
from numpy.random import PCG64DXSM, BitGenerator, Generator, SeedSequence
from numpy.typing import NDArray

if TYPE_CHECKING:
    from csig.base.validation import Alternative

__all__ = [
    "Stream",
    "chunk_words",
    "class_counts",
    "class_hits",
    "flips_hits",
    "resample_chunk",
    "resample_indices",
    "resample_sums",
    "studentized_hits",
    "training_bootstrap",
    "training_order",
    "unit_hits",
    "unit_sums",
]

CHUNK = 2**16

#: Bits of a digit of an integer of any length.
DIGIT = 30


def chunk_words(
    n: int,
    *,
    entropy: int | tuple[int, ...],
    spawn_key: tuple[int, ...] = (),
    bit_generator: Callable[[SeedSequence], BitGenerator] = PCG64DXSM,
    engine: int = 0,
    run: int = 0,
    chunk: int = 0,
) -> NDArray[np.uint64]:
    """The first n words of a chunk's stream."""
    key = (*spawn_key, 0x63736967, engine, run, chunk)
    seed = SeedSequence(entropy, spawn_key=key)
    # integers over the full range is one next_uint64 per number; random_raw is not, for
    # generators of 32-bit words.
    return Generator(bit_generator(seed)).integers(0, 2**64, size=n, dtype=np.uint64)


class Stream(TypedDict, total=False):
    """The arguments of :func:`chunk_words`, except the engine and the chunk."""

    entropy: Required[int | tuple[int, ...]]  #: The seed; always required.
    spawn_key: tuple[int, ...]  #: The rest of the seed.
    #: Makes a BitGenerator from a SeedSequence.
    bit_generator: Callable[[SeedSequence], BitGenerator]
    run: int  #: The run number.


def _coins(
    n: int, n_trials: int, first_chunk: int, stream: Stream
) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """The coins of some trials, (trials, n), and which of all trials these are."""
    for chunk, start in enumerate(range(0, n_trials, CHUNK), start=first_chunk):
        trials = min(CHUNK, n_trials - start)
        groups = -(-trials // 64)
        words = chunk_words(groups * n, chunk=chunk, **stream).reshape(groups, n)  # group, unit
        for bit in range(min(64, trials)):
            here = len(range(trials)[bit::64])  # groups that have this bit's trial
            coins = (words[:here] >> np.uint64(bit)) & np.uint64(1)
            yield slice(start + bit, start + trials, 64), coins.astype(np.int64)


def class_counts(
    n_correct: int,
    n_spurious: int,
    n_trials: int,
    *,
    first_chunk: int = 0,
    **stream: Unpack[Stream],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many unique correct and spurious responses every trial gives to A.

    The trials are those from the beginning of `first_chunk` on, of a :class:`Stream`.
    """
    correct, spurious = np.empty(n_trials, np.int64), np.empty(n_trials, np.int64)
    for where, given in _coins(n_correct + n_spurious, n_trials, first_chunk, stream):
        correct[where] = given[:, :n_correct].sum(axis=1)
        spurious[where] = given[:, n_correct:].sum(axis=1)
    return correct, spurious


def _is_hit(
    difference: Fraction, observed: Fraction, alternative: Alternative, band: Fraction | int = 0
) -> bool:
    """At least as extreme; differences closer than the band are ties."""
    return {
        "two-sided": abs(difference) >= abs(observed) - band,
        "greater": difference >= observed - band,
        "less": difference <= observed + band,
    }[alternative]


def class_hits(
    counts: Mapping[str, int],
    numerator: Mapping[str, int | Fraction],
    denominator: Mapping[str, int | Fraction],
    n_trials: int,
    *,
    alternative: Alternative = "two-sided",
    zero_division: int = 0,
    **stream: Unpack[Stream],
) -> int:
    """The hits of a run, from the counts of a comparison and a metric's weights.

    Parameters
    ----------
    counts : mapping
        The arguments of ``Comparison.from_counts``.
    numerator, denominator : mapping {column: weight}
        The metric, over ``tp``, ``predicted`` and ``gold``.
    n_trials : int
        Trials of the run.
    alternative : {"two-sided", "greater", "less"}
        What counts as a hit.
    zero_division : {0, 1}
        The score where the denominator is zero.
    **stream
        A :class:`Stream`.
    """
    correct = counts["only_a_correct"] + counts["only_b_correct"]
    spurious = counts.get("only_a_spurious", 0) + counts.get("only_b_spurious", 0)

    def score(tp: int, wrong: int) -> Fraction:
        sums = {"tp": tp, "predicted": tp + wrong, "gold": counts["gold"]}
        below = sum((w * sums[c] for c, w in denominator.items()), Fraction(0))
        above = sum((w * sums[c] for c, w in numerator.items()), Fraction(0))
        return Fraction(above) / below if below else Fraction(zero_division)

    def difference(x: int, y: int) -> Fraction:
        right, wrong = counts.get("both_correct", 0), counts.get("both_spurious", 0)
        a = score(right + x, wrong + y)
        return a - score(right + correct - x, wrong + spurious - y)

    observed = difference(counts["only_a_correct"], counts.get("only_a_spurious", 0))
    trials = np.stack(class_counts(correct, spurious, n_trials, **stream))
    pairs, times = np.unique(trials, axis=1, return_counts=True)
    return sum(
        n
        for x, y, n in zip(*pairs.tolist(), times.tolist(), strict=True)
        if _is_hit(difference(x, y), observed, alternative)
    )


def unit_sums(
    differences: NDArray[np.int64],
    n_trials: int,
    *,
    first_chunk: int = 0,
    **stream: Unpack[Stream],
) -> NDArray[np.int64]:
    """The sums over the swapped units of every trial, (trials, columns).

    A set bit swaps a unit; ``differences`` are the rows of the units that differ, in the
    order of their ids. The trials are those from the beginning of `first_chunk` on.

    >>> unit_sums(np.array([[1], [10], [100]]), 3, entropy=1).tolist()
    [[11], [1], [100]]
    """
    n, k = differences.shape
    sums = np.empty((n_trials, k), np.int64)
    for where, swapped in _coins(n, n_trials, first_chunk, stream):
        sums[where] = swapped @ differences
    return sums


def unit_hits(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    numerator: Sequence[int | Fraction],
    denominator: Sequence[int | Fraction],
    n_trials: int,
    *,
    alternative: Alternative = "two-sided",
    zero_division: int = 0,
    band: Fraction | int = 0,
    **stream: Unpack[Stream],
) -> int:
    """The hits of a run over units, from both systems' statistics and a metric's weights.

    Parameters
    ----------
    a, b : array of int, (units, columns)
        The statistics, rows in the order of their ids.
    numerator, denominator : sequence
        The metric's weights, one per column.
    n_trials : int
        Trials of the run.
    alternative, zero_division, **stream
        As in :func:`class_hits`.
    band : Fraction
        Differences closer than this to the observed one are ties: for scores in fixed
        point 2 tau scale / n, with the fields of the comparison.
    """
    differences = a - b
    differences = differences[differences.any(axis=1)]
    sums_a, sums_b = a.sum(axis=0), b.sum(axis=0)

    def score(sums: NDArray[np.int64]) -> Fraction:
        below = sum((w * int(s) for w, s in zip(denominator, sums, strict=True)), Fraction(0))
        above = sum((w * int(s) for w, s in zip(numerator, sums, strict=True)), Fraction(0))
        return Fraction(above) / below if below else Fraction(zero_division)

    observed = score(sums_a) - score(sums_b)
    trials = unit_sums(differences, n_trials, **stream)
    return sum(
        int(n)
        for moved, n in zip(*np.unique(trials, axis=0, return_counts=True), strict=True)
        if _is_hit(score(sums_a - moved) - score(sums_b + moved), observed, alternative, band)
    )


def studentized_hits(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    numerator: Sequence[int],
    denominator: Sequence[int],
    n_trials: int,
    *,
    alternative: Alternative = "two-sided",
    **stream: Unpack[Stream],
) -> int:
    """The hits of a run over units whose statistic is the studentised difference of a ratio.

    Parameters
    ----------
    a, b : array of int, (units, columns)
        The statistics of all units, those without a difference too, in the order of their ids.
    numerator, denominator : sequence of int
        The metric's weights, one per column; the weighted sums must fit 64 bits.
    n_trials, alternative, **stream
        As in :func:`unit_hits`.

    Examples
    --------
    Four documents, correct and all responses:

    >>> a = np.array([[3, 9], [2, 7], [1, 8], [3, 9]])
    >>> b = np.array([[1, 2], [1, 1], [0, 2], [1, 1]])
    >>> studentized_hits(a, b, [1, 0], [0, 1], 1000, entropy=1)
    371
    """
    # Python's integers, of any length.
    n_a, m_a, n_b, m_b = (
        (rows @ np.array(w)).astype(object) for rows in (a, b) for w in (numerator, denominator)
    )
    n, m = sum(n_a) + sum(n_b), sum(m_a) + sum(m_b)
    r_a, r_b = m * n_a - n * m_a, m * n_b - n * m_b
    everything = np.stack([r_a - r_b, m_a - m_b, r_a**2 - r_b**2], axis=1)
    digits = _digits(everything[(a != b).any(axis=1)])
    trials = unit_sums(digits, n_trials, **stream)
    start = [sum(column) for column in (r_a, m_a, r_a**2)]
    squares, products = sum(r_a**2 + r_b**2), sum(r_a * r_b)

    def statistic(moved: Sequence[int]) -> Fraction | None:
        """Its square with its sign; None where it is not defined."""
        residual, below, squares_a = (
            x - sum(digit << DIGIT * place for place, digit in enumerate(moved[k::3]))
            for k, x in enumerate(start)
        )
        other = m - below
        if not below or not other:
            return None
        spread = (
            squares_a * other**2 + (squares - squares_a) * below**2 - 2 * products * below * other
        )
        return Fraction(residual * abs(residual) * m**2, spread) if spread else None

    observed = statistic([0] * digits.shape[1])
    hits = 0
    for moved, times in zip(*np.unique(trials, axis=0, return_counts=True), strict=True):
        drawn = statistic(moved.tolist())
        if observed is None or drawn is None or _is_hit(drawn, observed, alternative, 0):
            hits += int(times)
    return hits


def _digits(columns: NDArray[np.object_]) -> NDArray[np.int64]:
    """Columns of integers of any length in digits of 30 bits: the last of all, then the next."""
    digits: list[NDArray[np.int64]] = []
    while not digits or columns.any():
        rest = np.sign(columns) * (np.abs(columns) >> DIGIT)
        digits.append((columns - (rest << DIGIT)).astype(np.int64))
        columns = rest
    return np.hstack(digits)


def resample_chunk(n: int) -> int:
    """Resamples of n units in a chunk: the largest power of two with at most 2^24 draws.

    >>> resample_chunk(10), resample_chunk(2000), resample_chunk(10**8)
    (65536, 8192, 1)
    """
    size = 1
    while size < 2**16 and 2 * size * n <= 2**24:
        size *= 2
    return size


def _drawn_units(n: int, count: int, chunk: int, stream: Stream) -> NDArray[np.int64]:
    """The first units that a chunk of engine 1 draws."""
    bits = 16 if n <= 2**16 else 32
    n_words = count * bits // 64 + 64
    while True:
        words = chunk_words(n_words, engine=1, chunk=chunk, **stream)
        pieces = words.astype("<u8").view(f"<u{bits // 8}").astype(np.uint64)
        products = pieces * np.uint64(n)
        kept = products[products % 2**bits >= 2**bits % n] >> np.uint64(bits)
        if len(kept) >= count:
            units: NDArray[np.int64] = kept[:count].astype(np.int64)
            return units
        n_words += n_words // 4


def resample_indices(
    n: int, n_resamples: int, *, first_chunk: int = 0, **stream: Unpack[Stream]
) -> Iterator[NDArray[np.int64]]:
    """The units of every resample of n units (engine 1), chunk by chunk.

    The resamples are those from the beginning of `first_chunk` on, of a :class:`Stream`.

    Yields
    ------
    array of int64, (resamples, n)
        Of one chunk.

    Examples
    --------
    >>> next(resample_indices(10, 2, entropy=1)).tolist()
    [[8, 1, 3, 6, 4, 2, 9, 7, 6, 5], [0, 4, 5, 0, 0, 4, 9, 1, 1, 0]]
    """
    size = resample_chunk(n)
    for chunk, start in enumerate(range(0, n_resamples, size), start=first_chunk):
        here = min(size, n_resamples - start)
        yield _drawn_units(n, here * n, chunk, stream).reshape(here, n)


def resample_sums(
    rows: NDArray[np.int64],
    n_resamples: int,
    *,
    first_chunk: int = 0,
    **stream: Unpack[Stream],
) -> NDArray[np.int64]:
    """The sums of every resample of the rows of all units, (resamples, columns).

    Parameters
    ----------
    rows : array of int64, (units, columns)
        In the order of the contract.
    n_resamples : int
        Resamples to draw.
    first_chunk : int
        The chunk with whose beginning they begin.
    **stream
        A :class:`Stream`.

    Examples
    --------
    >>> rows = np.arange(20).reshape(10, 2)
    >>> resample_sums(rows, 3, entropy=1).tolist()
    [[102, 112], [48, 58], [94, 104]]
    """
    n, k = rows.shape
    sums, done = np.empty((n_resamples, k), np.int64), 0
    together = max(1, 2**22 // (n * k))  # so that few rows are laid out at once
    for chunk in resample_indices(n, n_resamples, first_chunk=first_chunk, **stream):
        for start in range(0, len(chunk), together):
            units = chunk[start : start + together]
            sums[done : done + len(units)] = rows[units].sum(axis=1)
            done += len(units)
    return sums


def training_bootstrap(
    instances: Sequence[int], size: int, *, sample: int = 0, **stream: Unpack[Stream]
) -> list[int]:
    """The units of a bootstrap sample for training (engine 3), in the order in which they come.

    Parameters
    ----------
    instances : sequence of int
        Those of every unit.
    size : int
        The sample ends with the unit that brings it to so many instances.
    sample : int
        Its number, which is that of the chunk.
    **stream
        A :class:`Stream`.

    Examples
    --------
    >>> training_bootstrap([1, 3, 2, 1, 2], 8, entropy=1)
    [4, 1, 0, 0, 4]
    """
    n = len(instances)
    bits = 16 if n <= 2**16 else 32
    drawn: list[int] = []
    held, n_words, used = 0, 64, 0
    while held < size:
        words = chunk_words(n_words, engine=3, chunk=sample, **stream)
        for word in words[used:].tolist():
            for shift in range(0, 64, bits):
                product = (word >> shift) % 2**bits * n
                if product % 2**bits >= 2**bits % n and held < size:
                    drawn.append(product >> bits)
                    held += instances[drawn[-1]]
        used, n_words = n_words, 2 * n_words
    return drawn


def training_order(n: int, *, chunk: int = 0, **stream: Unpack[Stream]) -> list[int]:
    """All units in the random order of a chunk of engine 3, for k-fold splits and subsamples.

    >>> training_order(5, entropy=1)
    [3, 0, 4, 1, 2]
    """
    n_words = n
    while True:
        words = chunk_words(n_words, engine=3, chunk=chunk, **stream)[-n:].tolist()
        if len(set(words)) == n:
            return sorted(range(n), key=words.__getitem__)
        n_words += n


def flips_hits(
    values: Sequence[Sequence[int]],
    n_trials: int,
    *,
    two_sided: bool = False,
    studentized: bool = True,
    alone: bool = False,
    first_chunk: int = 0,
    engine: int = 2,
    **stream: Unpack[Stream],
) -> dict[tuple[int, int], int]:
    """The hits of step-down maxT on shared sign flips, for all pairs of systems.

    Parameters
    ----------
    values : sequence of sequence of int, (units, systems)
        In the order in which units take words.
    n_trials : int
        From the beginning of `first_chunk` on.
    two_sided : bool
        Whether the two directions of a pair are one hypothesis.
    studentized : bool
        Whether differences are divided by the root of their sum of squares.
    alone : bool
        Each pair by itself, two-sided and without steps: what all pairs share where exact tests
        would take too long.
    first_chunk : int
        The chunk in which the trials begin.
    engine : int
        2; 0 gives two systems the words of the shuffle engine.
    **stream
        A :class:`Stream`.

    Examples
    --------
    >>> flips_hits([[1, 0, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [1, 0, 0]], 63, entropy=1)
    {(0, 1): 28, (0, 2): 63, (1, 2): 63}
    """
    table = np.array([row for row in values if len(set(row)) > 1], dtype=np.int64)
    n_systems = len(values[0])
    table = table.reshape(-1, n_systems)
    j, k = np.triu_indices(n_systems, 1)
    d = table[:, j] - table[:, k]
    if float(np.abs(d).max(initial=0)) ** 2 * len(d) < 2**62:
        q = (d * d).sum(axis=0)
    else:  # beyond 64 bits
        q = (d.astype(object) ** 2).sum(axis=0)
    squares = q if studentized else np.ones(len(j))
    w = np.array([1 / np.sqrt(float(q)) if q else 0.0 for q in squares])
    size = np.abs(d.sum(axis=0)) * w
    order = sorted(range(len(j)), key=lambda r: (-size[r], j[r], k[r]))
    j, k, w, size = j[order], k[order], w[order], size[order]
    sign = np.where(d.sum(axis=0) < 0, -1, 1)[order]
    obs = size * (1 - 2.0**-40)
    hits = np.zeros(len(j), dtype=np.int64)
    for chunk, start in enumerate(range(0, n_trials, CHUNK), start=first_chunk):
        trials = min(CHUNK, n_trials - start)
        groups = -(-trials // 64)
        words = chunk_words(groups * len(table), engine=engine, chunk=chunk, **stream)
        for g, group in enumerate(words.reshape(groups, len(table))):
            bits = group >> np.arange(64, dtype=np.uint64)[:, None] & np.uint64(1)
            s = ((1 - 2 * bits.astype(np.int64)) @ table)[: trials - 64 * g]
            t = sign * (s[:, j] - s[:, k]) * w
            m = np.abs(t) if two_sided or alone else t
            if not alone:
                m = np.maximum.accumulate(m[:, ::-1], 1)[:, ::-1]
            if not two_sided and not alone:
                m = np.maximum(m, (-t).max(1)[:, None])
            hits += (m >= obs).sum(0)
    hits[size == 0] = n_trials
    return {(int(a), int(b)): int(h) for a, b, h in sorted(zip(j, k, hits, strict=True))}


def __dir__() -> list[str]:
    return sorted(__all__)
