"""The formats: to add one, write its reader and name it here."""

from __future__ import annotations

from csig.readers.base import Reader
from csig.readers.counts import CountsReader
from csig.readers.harness import SampleReader
from csig.readers.labels import LabelReader
from csig.readers.responses import ResponseReader
from csig.readers.spans import SpanReader
from csig.readers.statistics import StatisticsReader
from csig.readers.tables.reader import OF_TABLES, TableReader
from csig.readers.tags.reader import TagReader

__all__ = ["FORMATS", "KINDS", "READERS"]

#: All formats, in the order in which they are asked whether files are theirs: the more a format
#: wants of a file, the earlier. The last takes what is left.
READERS: tuple[Reader, ...] = (
    CountsReader(),
    StatisticsReader(),
    SpanReader(),
    SampleReader(),
    TagReader(),
    LabelReader(),
    TableReader(),
    ResponseReader(),
)

#: The same as one looks for them: the plainest first, tables after the others.
_NAMED = [reader for reader in READERS[::-1] if reader.kind != OF_TABLES]
_NAMED += [reader for reader in READERS[::-1] if reader.kind == OF_TABLES]

#: What ``--format`` takes.
FORMATS = tuple(dict.fromkeys(name for reader in _NAMED for name in reader.formats))

#: What options are for.
KINDS = tuple(dict.fromkeys(reader.kind for reader in _NAMED))
