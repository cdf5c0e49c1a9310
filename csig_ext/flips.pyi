import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Steps:
    n_rows: int
    n_pairs: int
    cost: int
    def workspace(
        self, source: str | BitGenerator
    ) -> tuple[NDArray[np.uint64], NDArray[np.float64]]: ...
    def count(
        self,
        source: str | BitGenerator,
        entropy: NDArray[np.uint32] | None,
        chunk: int,
        first: int,
        n_trials: int,
        workspace: tuple[NDArray[np.uint64], NDArray[np.float64]],
        hits: NDArray[np.int64],
        single: NDArray[np.int64],
        stop: NDArray[np.int32],
    ) -> bool: ...

@disjoint_base
class Flips(Steps):
    width: int
    def __init__(
        self,
        values: NDArray[np.int64],
        larger: NDArray[np.int32],
        other: NDArray[np.int32],
        weights: NDArray[np.float64],
        least: NDArray[np.float64],
        two_sided: bool,
        isa: int,
    ) -> None: ...
