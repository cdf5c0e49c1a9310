import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Rows:
    layout: tuple[int, int]
    n_columns: int
    def __init__(self, values: NDArray[np.int64]) -> None: ...

@disjoint_base
class Walk:
    def __init__(
        self,
        rows: Rows,
        source: str | BitGenerator,
        entropy: NDArray[np.uint32] | None,
        chunk: int,
        isa: int,
    ) -> None: ...
    def next(self, n_resamples: int, sums: NDArray[np.int64], stop: NDArray[np.int32]) -> bool: ...

def scores(
    sums: NDArray[np.int64],
    above: NDArray[np.int64],
    below: NDArray[np.int64],
    zero_division: float,
    out: NDArray[np.float64],
    isa: int,
) -> int: ...
