import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

OPEN: int

@disjoint_base
class Doubles:
    def __init__(
        self,
        rows: NDArray[np.float64],
        every: float,
        both: float,
        residual_error: float,
        share_error: float,
        spread_error: float,
        apart: bool,
        empty: bool,
    ) -> None: ...
    def __reduce__(self) -> tuple[type[Doubles], tuple[object, ...]]: ...
    def codes(
        self, sums: NDArray[np.int64], out: NDArray[np.int8], isa: int
    ) -> tuple[int, int]: ...
