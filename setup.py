"""Lists the compiled modules; everything else is in pyproject.toml."""

import os
import runpy
import subprocess
import sys
from glob import glob

import Cython
import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

if sys.maxsize < 2**32:
    raise SystemExit("csig needs a 64-bit Python: sums of 32 bits would overflow without a word")

# By the type of the compiler. -ffp-contract=off: see platform.h. -g0: Python's own flags ask for
# debugging information, which takes as long to write as the code and is several times as large.
FLAGS_OF_MSVC = ["/O2", "/std:c11"]
FLAGS = ["-O3", "-std=c11", "-ffp-contract=off", "-g0", "-Wall", "-Wextra"]
# What Cython writes looks at arguments and calls what it is written around; all that takes long is
# in csig_ext/src. With -O1 it takes half the time to compile.
AROUND = ["-O1"]
MACROS = []
if os.environ.get("CSIG_PORTABLE") == "1":  # plain C11: no vector types, no 128-bit integers
    MACROS.append(("CSIG_PORTABLE", "1"))
# One wheel a platform, for Python 3.11 and every later one: wheels that are published are built so.
ABI3 = os.environ.get("CSIG_ABI3") == "1"
if ABI3:
    MACROS.append(("Py_LIMITED_API", "0x030B0000"))
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
    AROUND = ["-O0"]  # a third of the time

MODULES = {
    "dispatch": [],
    "randu": [],
    "generators": ["generators"],
    "linfrac": ["linfrac"],
    "resample": ["resample", "generators"],
    "shuffle": ["shuffle", "generators"],
    "staircase": ["staircase", "linfrac", "binomial"],
    "studentized": ["studentized"],
    "sums": ["sums", "generators"],
    "lattice": ["lattice", "linfrac", "binomial"],
    "inversion": ["inversion"],
    "flips": ["flips", "generators"],
    "fourier": ["fourier"],
    "nested": ["nested", "generators"],
    "middle": ["middle"],
}

extensions = [
    Extension(
        f"csig_ext.{name}",
        [f"csig_ext/{name}.pyx", *(f"csig_ext/src/{source}.c" for source in sources)],
        depends=glob("csig_ext/src/*.h") + glob("csig_ext/*.pxd"),
        include_dirs=["csig_ext/src", numpy.get_include()],
        define_macros=MACROS,
        extra_compile_args=SANITIZERS,
        extra_link_args=SANITIZERS,
        py_limited_api=ABI3,
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
        define_macros=MACROS,
        extra_compile_args=SANITIZERS,
        extra_link_args=SANITIZERS,
        py_limited_api=ABI3,
    )
)


class EachOnce(build_ext):
    """Compiles a source once, of however many modules it is part."""

    def build_extensions(self):
        compiled, compile_anew = {}, self.compiler.compile
        msvc = self.compiler.compiler_type == "msvc"
        flags = FLAGS_OF_MSVC if msvc else FLAGS

        def compile_once(sources, *, extra_postargs, **options):
            for source in sources:
                if source not in compiled:
                    around = AROUND if os.path.dirname(source) == "csig_ext" and not msvc else []
                    compiled[source] = compile_anew(
                        [source], extra_postargs=[*flags, *extra_postargs, *around], **options
                    )
            return [made for source in sources for made in compiled[source]]

        self.compiler.compile = compile_once
        super().build_extensions()


# Without the methods and names Cython adds of its own, which the stubs would have to list.
DIRECTIVES = {"language_level": 3, "autotestdict": False, "auto_pickle": False}


def translated():
    """Whether this version of Cython wrote the C files, after the last change of their sources.

    Cython looks at its own files too, which are new in every environment for a build: all would be
    built anew with every pip install.
    """
    sources = ["setup.py", *glob("csig_ext/*.pyx"), *glob("csig_ext/*.pxd")]
    changed = max(map(os.path.getmtime, sources))
    for name in [*MODULES, "_cyutility"]:
        path = f"csig_ext/{name}.c"
        if not os.path.exists(path) or os.path.getmtime(path) <= changed:
            return False
        with open(path, encoding="utf-8") as file:
            if file.readline() != f"/* Generated by Cython {Cython.__version__} */\n":
                return False
    return True


# The script of audits' pages, in WebAssembly; an sdist brings it along for those without clang.
try:
    runpy.run_path("docs/web/build.py")["refresh"]()
except (OSError, subprocess.CalledProcessError) as error:
    print(f"docs/web/build.py: {error}; audits' pages will not recompute themselves")

if translated():
    for extension in extensions:
        extension.sources = [source.replace(".pyx", ".c") for source in extension.sources]
else:
    extensions = cythonize(
        extensions, compiler_directives=DIRECTIVES, shared_utility_qualified_name=SHARED
    )

setup(
    cmdclass={"build_ext": EachOnce},
    ext_modules=extensions,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
