"""The formats: to add one, write its reader and name it here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csig.readers.base import Reader


__all__ = ["FORMATS", "HOMES", "Home", "kinds", "readers"]


@dataclass(frozen=True)
class Home:
    """Where a reader lives, which is imported when a file may be its own."""

    module: str
    name: str

    def reader(self) -> Reader:
        """One of them."""
        found: Reader = getattr(import_module(f"csig.readers.{self.module}"), self.name)()
        return found


#: All formats, in the order in which they are asked whether files are theirs: the more a format
#: wants of a file, the earlier. The last takes what is left.
HOMES = (
    Home("counts", "CountsReader"),
    Home("statistics", "StatisticsReader"),
    Home("spans", "SpanReader"),
    Home("harness", "SampleReader"),
    Home("tags.reader", "TagReader"),
    Home("labels", "LabelReader"),
    Home("tables.reader", "TableReader"),
    Home("responses", "ResponseReader"),
)

#: What ``--format`` takes: the same as one looks for them, the plainest first, tables after the
#: others.
FORMATS = ("responses", "tags", "spans", "statistics", "scores", "counts", "labels", "lm-eval")


@cache
def readers() -> tuple[Reader, ...]:
    """All of them."""
    return tuple(home.reader() for home in HOMES)


def _named() -> Iterator[Reader]:
    """As one looks for them."""
    from csig.readers.tables.base import OF_TABLES

    found = readers()[::-1]
    yield from (reader for reader in found if reader.kind != OF_TABLES)
    yield from (reader for reader in found if reader.kind == OF_TABLES)


def kinds() -> tuple[str, ...]:
    """What options are for."""
    return tuple(dict.fromkeys(reader.kind for reader in _named()))
