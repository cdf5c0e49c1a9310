"""The simulations of benchmarks/, which lie outside the packages.

They are loaded by their paths: with the whole checkout on the path, its uncompiled sources would
stand before an installed csig.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

from places import BENCHMARKS


def simulation(name: str) -> ModuleType:
    """A module of benchmarks/, which may import its neighbours."""
    if "benchmarks" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "benchmarks", BENCHMARKS / "__init__.py", submodule_search_locations=[str(BENCHMARKS)]
        )
        assert spec is not None
        assert spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules["benchmarks"] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"benchmarks.{name}")
