"""Readers of files: one module for files of one kind, and what they share.

Of a script :func:`csig.read` is the way in; the functions here read one form each. ``forms`` says
which form files have and lists the readers, ``request`` what can be asked for, ``reading`` makes
comparisons; ``data`` and ``describe`` are what was read. ``tables.names`` and
``tables.rules`` are the rules for columns.

Every mistake in a file raises :class:`csig.base.errors.InputError`: what was found, where, and what
was expected; or :class:`csig.base.errors.Refusal`, with the options that read it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csig.readers.limits import max_size
    from csig.readers.reading import read_table
    from csig.readers.responses import read_spans
    from csig.readers.tables.matching import Table
    from csig.readers.tags.read import TagFiles, read_tags

__all__ = ["Table", "TagFiles", "max_size", "read_spans", "read_table", "read_tags"]

#: The modules of names that do not say it; each is imported when a name of it is asked for. Claims,
#: which 0.1.0 had here, are above the readers, which they use.
_HOMES = {
    "Table": "tables.matching", "TagFiles": "tags.read", "max_size": "limits",
    "read_claims": ".claims.file", "read_spans": "responses", "read_table": "reading",
    "read_tags": "tags.read",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'csig.readers' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
