import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from csig_ext.linfrac import Ratio

@disjoint_base
class Lattice:
    first: int
    rows: int
    lost: float
    updates: int
    terms: int
    def __init__(self, limit: int) -> None: ...
    def convolve(
        self, r_x: float, r_y: float, a: int, b: int, m: int, cut: float, isa: int
    ) -> None: ...
    def copy(self) -> Lattice: ...
    def release(self) -> None: ...

def constant(
    r_x: float, r_y: float, a: NDArray[np.int64], b: NDArray[np.int64], m: NDArray[np.int64]
) -> tuple[float, int]: ...
def thresholds(
    metric: Ratio, first: int, rows: int, x_min: int, x_max: int
) -> NDArray[np.int64]: ...
def meet(
    one: Lattice,
    two: Lattice,
    r_x: float,
    r_y: float,
    thresholds: NDArray[np.int64],
    scale: NDArray[np.float64],
    constant: tuple[float, int],
    skip: float,
    isa: int,
) -> tuple[float, int, float]: ...
def find(metric: Ratio, start: int, to: int) -> int: ...
def reaching(lattice: Lattice, metric: Ratio, r: float, start: int) -> float: ...
def power(r: float, k: int) -> tuple[float, int]: ...
