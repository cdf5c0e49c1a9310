import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray

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
