"""Lists the compiled modules; everything else is in pyproject.toml."""

import os
import sys
from glob import glob

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

# -ffp-contract=off: a fused multiply-add would change the last bit of a p-value
# from one machine to the next. -g0: Python's own flags ask for debugging information, which
# takes as long to write as the code and is several times as large.
FLAGS = (
    ["/O2", "/std:c11"]
    if sys.platform == "win32"
    else ["-O3", "-std=c11", "-ffp-contract=off", "-g0", "-Wall", "-Wextra"]
)
MACROS = []
if os.environ.get("CSIG_PORTABLE") == "1":  # plain C11: no vector types, no 128-bit integers
    MACROS.append(("CSIG_PORTABLE", "1"))
SANITIZERS = []
if os.environ.get("CSIG_SANITIZE") == "1":  # for tests: the first bad access ends the process
    if sys.platform == "win32":
        raise SystemExit("CSIG_SANITIZE=1 needs gcc or clang")
    # Turning a double into an integer that cannot hold it is not part of "undefined". Python's own
    # flags often have -fwrapv, under which signed overflow is defined and not reported.
    SANITIZERS = [
        "-fsanitize=address,undefined,float-cast-overflow",
        "-fno-sanitize-recover=undefined,float-cast-overflow",
        "-fno-wrapv",
        "-fno-omit-frame-pointer",
        "-g1",  # lines in reports; variables would take a third more time to compile
        "-O1",
    ]

MODULES = {
    "dispatch": [],
    "randu": [],
    "generators": ["generators"],
    "linfrac": ["linfrac"],
    "resample": ["resample", "generators"],
    "shuffle": ["shuffle", "generators"],
    "staircase": ["staircase", "linfrac", "binomial"],
    "sums": ["sums", "generators"],
    "lattice": ["lattice", "linfrac", "binomial"],
    "inversion": ["inversion"],
    "flips": ["flips", "generators"],
}

extensions = [
    Extension(
        f"csig_ext.{name}",
        [f"csig_ext/{name}.pyx", *(f"csig_ext/src/{source}.c" for source in sources)],
        depends=glob("csig_ext/src/*.h") + glob("csig_ext/*.pxd"),
        include_dirs=["csig_ext/src", numpy.get_include()],
        define_macros=MACROS,
        extra_compile_args=FLAGS + SANITIZERS,
        extra_link_args=SANITIZERS,
    )
    for name, sources in MODULES.items()
]

# What Cython needs for memory views is one module, not a copy in each: builds take three fifths of
# the time, and the modules three fifths of the room.
SHARED = "csig_ext._cyutility"
extensions.append(
    Extension(
        SHARED,
        ["csig_ext/_cyutility.c"],
        extra_compile_args=FLAGS + SANITIZERS,
        extra_link_args=SANITIZERS,
    )
)

# Without the methods and names Cython adds of its own, which the stubs would have to list.
DIRECTIVES = {"language_level": 3, "autotestdict": False, "auto_pickle": False}

setup(
    ext_modules=cythonize(
        extensions, compiler_directives=DIRECTIVES, shared_utility_qualified_name=SHARED
    )
)
