"""Instruction sets: which were compiled, which can run here, which is used.

``CSIG_ISA=base|avx2|avx512`` in the environment forces one at import.
"""

import os

cdef extern from "dispatch.h":
    const char *CSIG_COMPILER
    const char **csig_isa_names
    int csig_isa_available()
    enum:
        CSIG_ISA_BUILT
        CSIG_IS_PORTABLE

compiler = CSIG_COMPILER.decode()
portable = bool(CSIG_IS_PORTABLE)
built = tuple([csig_isa_names[i].decode() for i in range(CSIG_ISA_BUILT)])
available = built[: csig_isa_available()]

chosen = os.environ.get("CSIG_ISA") or available[-1]
if chosen not in available:
    raise ImportError(
        f"CSIG_ISA={chosen}: not available here; this build on this processor has "
        f"{', '.join(available)}"
    )


def number(isa=None):
    """The number by which the kernels know an instruction set (default: the chosen one)."""
    return available.index(chosen if isa is None else isa)
