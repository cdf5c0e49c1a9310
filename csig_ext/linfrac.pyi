from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Ratio:
    def __init__(
        self,
        numerator: tuple[int, int, int, int],
        denominator: tuple[int, int, int, int],
        zero_division: int,
        sizes: tuple[int, int],
        threshold: int | Fraction,
        alternative: str = "greater",
    ) -> None: ...
    @property
    def numerator(self) -> tuple[int, int, int, int]: ...
    @property
    def denominator(self) -> tuple[int, int, int, int]: ...
    @property
    def zero_division(self) -> int: ...
    @property
    def sizes(self) -> tuple[int, int]: ...
    @property
    def threshold(self) -> int | Fraction: ...
    @property
    def alternative(self) -> str: ...
    def __reduce__(self) -> tuple[type[Ratio], tuple[object, ...]]: ...
    def at(self, threshold: int | Fraction, alternative: str = "greater") -> Ratio: ...
    def hits_of_table(self, histogram: NDArray[np.uint64]) -> int: ...
    def hits_of_pairs(self, first: NDArray[np.uint32], second: NDArray[np.uint32]) -> int: ...
    def hits_of_sums(
        self,
        sums: NDArray[np.int64],
        wx: NDArray[np.int64],
        wy: NDArray[np.int64],
        n_trials: int,
        isa: int,
    ) -> int: ...
    def differences(
        self,
        sums: NDArray[np.int64],
        wx: NDArray[np.int64],
        wy: NDArray[np.int64],
        out: NDArray[np.float64],
        isa: int,
    ) -> None: ...
