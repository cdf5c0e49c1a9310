import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

_Integers = NDArray[np.int64]
_Floats = NDArray[np.float64]

@disjoint_base
class Roots:
    period: int
    def __init__(self, period: int) -> None: ...
    def backwards(self) -> _Floats: ...

def find(
    x: _Floats,
    y: _Floats,
    half: _Floats,
    v: _Floats,
    period_x: int,
    period_y: int,
    cut: float,
    most: int,
) -> tuple[_Integers, _Integers, float, int]: ...

@disjoint_base
class Factors:
    def __init__(
        self,
        x: Roots,
        y: Roots,
        r_x: float,
        r_y: float,
        a: _Integers,
        b: _Integers,
        m: _Integers,
    ) -> None: ...
    def at(
        self,
        kx: _Integers,
        ky: _Integers,
        re: _Floats,
        im: _Floats,
        start: int,
        to: int,
        isa: int,
        stop: NDArray[np.int32],
    ) -> None: ...

@disjoint_base
class Rows:
    weights: _Floats
    factors: _Floats
    def __init__(
        self,
        x: Roots,
        y: Roots,
        r_x: float,
        r_y: float,
        heights: _Integers,
        first: int,
        end: int,
        reference: tuple[int, int],
        kx: _Integers,
        first_run: _Integers,
        ky: _Integers,
        step: _Integers,
        at: _Integers,
        re: _Floats,
        im: _Floats,
    ) -> None: ...
    def sum(
        self, start: int, to: int, isa: int, stop: NDArray[np.int32]
    ) -> tuple[float, float]: ...
