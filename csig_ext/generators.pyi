from typing import Final

import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray
from typing_extensions import disjoint_base

NATIVE: Final[dict[str, int]]
__pyx_capi__: Final[dict[str, object]]  # what other kernels call

@disjoint_base
class Stream:
    def __init__(
        self, source: str | BitGenerator, entropy: NDArray[np.uint32] | None = None
    ) -> None: ...
    def skip(self, n: int) -> None: ...
    def fill(self, out: NDArray[np.uint64], isa: int) -> None: ...

def raw(bit_generator: BitGenerator, out: NDArray[np.uint64]) -> bool: ...
