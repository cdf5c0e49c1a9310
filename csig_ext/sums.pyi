from collections.abc import Sequence

import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray
from typing_extensions import disjoint_base

STEP: int

@disjoint_base
class Columns:
    n_columns: int
    additions: int
    def __init__(self, differences: NDArray[np.int64], alone: Sequence[int] = ()) -> None: ...
    def workspace(self, source: str | BitGenerator) -> NDArray[np.uint64]: ...

@disjoint_base
class Walk:
    def __init__(
        self,
        columns: Columns,
        source: str | BitGenerator,
        entropy: NDArray[np.uint32] | None,
        chunk: int,
        isa: int,
    ) -> None: ...
    def next(
        self,
        n_trials: int,
        workspace: NDArray[np.uint64],
        sums: NDArray[np.int64],
        stop: NDArray[np.int32],
    ) -> bool: ...
