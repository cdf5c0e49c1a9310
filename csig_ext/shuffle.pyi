import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray

_Terms = tuple[
    tuple[int, int, int, int],
    tuple[int, int, int, int],
    int,
    tuple[int, int],
    int,
    int,
]

def workspace(n_first: int, n_second: int) -> NDArray[np.uint64]: ...
def classes(
    source: str | BitGenerator,
    entropy: NDArray[np.uint32] | None,
    n_first: int,
    n_second: int,
    first_chunk: int,
    n_trials: int,
    workspace: NDArray[np.uint64],
    histogram: NDArray[np.uint64] | None,
    first: NDArray[np.uint32] | None,
    second: NDArray[np.uint32] | None,
    stop: NDArray[np.int32],
    isa: int,
) -> bool: ...
def hits_of_table(metric: _Terms, alternative: int, histogram: NDArray[np.uint64]) -> int: ...
def hits_of_pairs(
    metric: _Terms,
    alternative: int,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
) -> int: ...
