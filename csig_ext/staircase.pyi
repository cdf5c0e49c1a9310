import numpy as np
from numpy.typing import NDArray

from csig_ext.linfrac import Ratio

def tail(
    metric: Ratio, turns: tuple[bool, bool] | None, steps: NDArray[np.int64] | None = None
) -> tuple[float, int]: ...
def log_probability(n: int, k: int) -> float: ...
def binomial(n: int, values: NDArray[np.float64], exponents: NDArray[np.int64]) -> None: ...
