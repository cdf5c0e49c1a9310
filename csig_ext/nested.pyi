import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from csig_ext.flips import Steps

@disjoint_base
class Nested(Steps):
    def __init__(
        self,
        events: NDArray[np.int64],
        n_rows: int,
        true: NDArray[np.float64],
        false: NDArray[np.float64],
        totals: NDArray[np.float64],
        weights: NDArray[np.float64],
        places: NDArray[np.int64],
        least: NDArray[np.float64],
        isa: int,
    ) -> None: ...
