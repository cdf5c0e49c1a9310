"""Instruction sets: which were compiled, which can run here, which is used.

``CSIG_ISA=base|avx2|avx512`` in the environment forces one at import.
"""

import os

cdef extern from "dispatch.h":
    const char *csig_isa_name(int isa)
    int csig_isa_built(int isa)
    int csig_isa_available(int isa)
    const char *csig_compiler()
    int csig_is_portable()
    enum:
        CSIG_ISA_COUNT

compiler = csig_compiler().decode()
portable = bool(csig_is_portable())
built = tuple(
    [csig_isa_name(i).decode() for i in range(CSIG_ISA_COUNT) if csig_isa_built(i)]
)
available = tuple(
    [
        csig_isa_name(i).decode()
        for i in range(CSIG_ISA_COUNT)
        if csig_isa_built(i) and csig_isa_available(i)
    ]
)


def _choose():
    forced = os.environ.get("CSIG_ISA")
    if not forced:
        return available[-1]
    if forced not in available:
        raise ImportError(
            f"CSIG_ISA={forced}: not available here; this build on this processor "
            f"has {', '.join(available)}"
        )
    return forced


chosen = _choose()


def number(isa=None):
    """The number by which the kernels know an instruction set (default: the chosen one)."""
    return available.index(chosen if isa is None else isa)
