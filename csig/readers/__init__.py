"""Readers of files: one module per format, a registry of them, and what they share.

Of a script :func:`csig.read` is the way in; the functions here read one format each.
``registry`` lists the formats, ``base`` has what a format is, ``request`` what can be asked
for, ``recognise`` finds the format, ``reading`` makes comparisons; ``data``, ``source`` and
``description`` are what was read.

Every mistake in a file raises :class:`csig.errors.InputError` with one line that names the
file, the line, what was found there and what was expected.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csig.readers.counts import CountsFile, read_counts
    from csig.readers.harness import looks_like_samples, read_samples
    from csig.readers.labels import looks_like_labels, read_labels
    from csig.readers.limits import max_size
    from csig.readers.lines import looks_like_parquet
    from csig.readers.responses import read_responses
    from csig.readers.spans import looks_like_spans, read_span_files, read_spans
    from csig.readers.tables.read import (
        NotATableError,
        Table,
        looks_like_tables,
        looks_like_tag_column,
        read_table,
        read_tables,
    )
    from csig.readers.tables.records import looks_like_records
    from csig.readers.tags.read import (
        TagFiles,
        looks_like_tags,
        read_tag_columns,
        read_tag_files,
        read_tags,
    )

__all__ = [
    "CountsFile",
    "NotATableError",
    "Table",
    "TagFiles",
    "looks_like_labels",
    "looks_like_parquet",
    "looks_like_records",
    "looks_like_samples",
    "looks_like_spans",
    "looks_like_tables",
    "looks_like_tag_column",
    "looks_like_tags",
    "max_size",
    "read_counts",
    "read_labels",
    "read_responses",
    "read_samples",
    "read_span_files",
    "read_spans",
    "read_table",
    "read_tables",
    "read_tag_columns",
    "read_tag_files",
    "read_tags",
]


#: Where each name lives; the module is imported when the name is first asked for. Claims, which
#: 0.1.0 had here, are above the readers, which they use.
_HOMES = {
    "csig.claims.file": ("read_claims",),
    "csig.readers.counts": ("CountsFile", "read_counts"),
    "csig.readers.harness": ("looks_like_samples", "read_samples"),
    "csig.readers.labels": ("looks_like_labels", "read_labels"),
    "csig.readers.limits": ("max_size",),
    "csig.readers.lines": ("looks_like_parquet",),
    "csig.readers.responses": ("read_responses",),
    "csig.readers.spans": ("looks_like_spans", "read_span_files", "read_spans"),
    "csig.readers.tables.read": (
        "NotATableError",
        "Table",
        "looks_like_tables",
        "looks_like_tag_column",
        "read_table",
        "read_tables",
    ),
    "csig.readers.tables.records": ("looks_like_records",),
    "csig.readers.tags.read": (
        "TagFiles",
        "looks_like_tags",
        "read_tag_columns",
        "read_tag_files",
        "read_tags",
    ),
}

_MODULES = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'csig.readers' has no attribute {name!r}")
    found = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
