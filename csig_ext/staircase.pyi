import numpy as np
from numpy.typing import NDArray

from csig_ext.linfrac import Ratio

def tail(
    metric: Ratio, turns: tuple[bool, bool] | None, steps: NDArray[np.int64] | None = None
) -> tuple[float, int]: ...
def binomial(n: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
