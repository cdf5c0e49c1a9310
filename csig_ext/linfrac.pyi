from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

_Integers = NDArray[np.int64]
_Counts = NDArray[np.uint32]

@disjoint_base
class Ratio:
    numerator: tuple[int, int, int, int]
    denominator: tuple[int, int, int, int]
    zero_division: int
    sizes: tuple[int, int]
    threshold: int | Fraction
    alternative: str
    def __init__(
        self,
        numerator: tuple[int, int, int, int],
        denominator: tuple[int, int, int, int],
        zero_division: int,
        sizes: tuple[int, int],
        threshold: int | Fraction,
        alternative: str = "greater",
    ) -> None: ...
    def __reduce__(self) -> tuple[type[Ratio], tuple[object, ...]]: ...
    def at(self, threshold: int | Fraction, alternative: str = "greater") -> Ratio: ...
    def hits_of_table(self, histogram: NDArray[np.uint64]) -> int: ...
    def hits_of_pairs(self, first: _Counts, second: _Counts) -> int: ...
    def hits_of_sums(
        self, sums: _Integers, wx: _Integers, wy: _Integers, n_trials: int, isa: int
    ) -> int: ...
    def differences(
        self, sums: _Integers, wx: _Integers, wy: _Integers, out: NDArray[np.float64], isa: int
    ) -> None: ...
