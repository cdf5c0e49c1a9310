import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Stop = NDArray[np.int32]

BLOCK: int
GROUP: int
AROUND: int
TANH_ERROR: float
SECH2_ERROR: float
LOG_COSH_ERROR: float
SUM_ERROR: float
TURN: tuple[float, float, float]
TINY: float

def polynomials() -> dict[str, tuple[float, ...]]: ...
def blocks(n: int) -> int: ...
def cumulants_part(
    d: _Floats, theta: float, start: int, to: int, isa: int, stop: _Stop, out: _Floats
) -> None: ...
def cumulants(parts: _Floats) -> tuple[float, float, float, float, float, float]: ...
def tilted(d: _Floats, theta: float, isa: int) -> tuple[_Floats, _Floats]: ...
def products_part(
    d: _Floats,
    h: _Floats,
    delta: float,
    k: _Integers,
    each: bool,
    start: int,
    to: int,
    isa: int,
    stop: _Stop,
    out: _Floats,
) -> None: ...
def sizes(d: _Floats) -> tuple[float, float]: ...
def reach(k: _Integers, each: bool) -> _Floats: ...
def products(
    parts: _Floats,
    k: _Integers,
    delta: float,
    n: int,
    total: float,
    largest: float,
    each: bool,
) -> tuple[_Floats, _Floats, _Floats]: ...
def cells(
    d: _Floats,
    q: _Floats,
    centre: _Floats,
    half: _Floats,
    below: float,
    isa: int,
    stop: _Stop | None = None,
) -> tuple[_Floats, _Integers]: ...
def turns(d: _Floats, t: float, isa: int) -> tuple[_Floats, _Floats]: ...
def log_cosh(d: _Floats, theta: float, isa: int) -> _Floats: ...
