"""What this installation of csig is made of."""

from __future__ import annotations

from csig._version import __version__
from csig.base.validation import public
from csig_ext import dispatch
from csig_ext.generators import NATIVE


def config() -> dict[str, str]:
    """Version, compiler, instruction sets and generators, as text."""
    import platform

    import numpy
    import scipy

    return {
        "csig": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "platform": platform.platform(),
        "compiler": dispatch.compiler,
        "build": "portable C11" if dispatch.portable else "vector types, 128-bit integers",
        "instruction sets built": ", ".join(dispatch.built),
        "instruction sets here": ", ".join(dispatch.available),
        "instruction set used": dispatch.chosen,
        "native generators": ", ".join(NATIVE),
    }


@public("csig")
def show_config() -> None:
    """Print what this installation is made of: to be pasted into a bug report.

    The environment variable ``CSIG_ISA`` (base, avx2, avx512) forces an instruction set
    at import.
    """
    items = config()
    width = max(map(len, items))
    for name, value in items.items():
        print(f"{name:{width}}  {value}")
