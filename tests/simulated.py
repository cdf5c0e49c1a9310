"""The simulations of benchmarks/ by their paths: a checkout must not hide what is installed."""

import importlib
import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

from places import BENCHMARKS, DOCS


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


def shown(tables: Mapping[str, Sequence[str]], page: str = "type-one-error.md") -> list[str]:
    """Rows of a page of the docs, which has some rows of each table, that are not in these."""
    text = (DOCS / page).read_text(encoding="utf-8")
    pages = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    wrong = []
    for lines in tables.values():
        table = next(own for own in pages if own[:2] == lines[:2])
        pages.remove(table)
        assert len(table) > 3
        wrong += [row for row in table if row not in lines]
    return wrong
