"""The counts that carry the whole test of single responses, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from csig.base.errors import InputError
from csig.base.validation import as_integer
from csig.data.responses import UnitClass, unit_classes
from csig.data.rows import Rows, shared_rows, unique_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

Sums = tuple[int, int, int]


def _count(name: str, value: object) -> int:
    """A count from anything that is an integer, numpy's included."""
    number = as_integer(value)
    if number is None:
        raise InputError(f"{name} must be an integer, found {value!r}")
    if number < 0:
        raise InputError(f"{name} must not be negative, found {number}")
    return number


def counted(
    *,
    gold: int,
    both_correct: int,
    only_a_correct: int,
    only_b_correct: int,
    both_spurious: int,
    only_a_spurious: int,
    only_b_spurious: int,
) -> tuple[tuple[UnitClass, UnitClass], Sums, Sums]:
    """The unique responses, and both systems' (tp, predicted, gold)."""
    gold = _count("gold", gold)
    both_correct = _count("both_correct", both_correct)
    both_spurious = _count("both_spurious", both_spurious)
    correct, spurious = unit_classes(
        only_a_correct=_count("only_a_correct", only_a_correct),
        only_b_correct=_count("only_b_correct", only_b_correct),
        only_a_spurious=_count("only_a_spurious", only_a_spurious),
        only_b_spurious=_count("only_b_spurious", only_b_spurious),
    )
    if gold >= 2**60:
        raise InputError(f"gold is {gold}; at most 2^60 is possible")
    found = both_correct + correct.size
    if found > gold:
        raise InputError(
            f"gold is {gold}, but the systems found {found} different correct responses"
        )
    for group in (correct, spurious):
        if group.size >= 2**31:
            raise InputError(
                f"{group.size} unique {group.name} responses; at most 2^31 - 1 are possible"
            )
    sums_a = (
        both_correct + correct.only_a,
        both_correct + correct.only_a + both_spurious + spurious.only_a,
        gold,
    )
    sums_b = (
        both_correct + correct.only_b,
        both_correct + correct.only_b + both_spurious + spurious.only_b,
        gold,
    )
    return (correct, spurious), sums_a, sums_b


def counted_rows(classes: tuple[UnitClass, UnitClass], sums_a: tuple[int, ...]) -> Rows:
    """One row per response of the gold and per spurious one, in this order: of one system only
    (correct ones first), found by both, missed by both, spurious of both.
    """
    correct, spurious = classes
    tp, predicted, gold = sums_a
    both_correct, both_spurious = tp - correct.only_a, predicted - tp - spurious.only_a
    own = unique_rows(correct.only_a, correct.only_b, spurious.only_a, spurious.only_b)
    rest = shared_rows(both_correct, gold - both_correct - correct.size, both_spurious)
    return Rows(*(np.concatenate(pair) for pair in zip(own, rest, strict=True)))


def counted_kinds(
    classes: tuple[UnitClass, UnitClass], sums_a: tuple[int, ...]
) -> tuple[Rows, NDArray[np.int64]]:
    """The same rows, each kind once, and how many there are of it."""
    correct, spurious = classes
    tp, predicted, gold = sums_a
    both_correct, both_spurious = tp - correct.only_a, predicted - tp - spurious.only_a
    own, rest = unique_rows(1, 1, 1, 1), shared_rows(1, 1, 1)
    times = [correct.only_a, correct.only_b, spurious.only_a, spurious.only_b]
    times += [both_correct, gold - both_correct - correct.size, both_spurious]
    kinds = Rows(*(np.concatenate(pair) for pair in zip(own, rest, strict=True)))
    return kinds, np.array(times, dtype=np.int64)
