"""Records of a form that names its columns: each file's become a sheet, and are read as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from csig.readers.data import Data
from csig.readers.lines import StrPath
from csig.readers.request import Request
from csig.readers.tables.matching import MEAN
from csig.readers.tables.reader import data_of, dialect_of, of_sheets, table_alone
from csig.readers.tables.sheets import Sheet


def sheet_of(
    request: Request,
    path: StrPath,
    columns: Mapping[str, Sequence[Any]],
    where: Callable[[int], str],
    notes: tuple[str, ...] = (),
    cautions: tuple[str, ...] = (),
) -> Sheet:
    """A sheet with these columns, and notes or cautions."""
    cells = {name: list(own) for name, own in columns.items()}
    return Sheet.of(path, cells, "JSON", where, dialect_of(request), notes=notes, cautions=cautions)


def read_sheets(
    request: Request,
    metrics: Sequence[str],
    form: str,
    sheets: Sequence[Sheet],
    *,
    scores: Sequence[str] = (),
    lower: bool | None = None,
    **declared: Any,
) -> Data:
    """The data of sheets with one system each, or of one whose rows name their systems."""
    plain = replace(
        request, format="scores" if scores else "counts", score_column=tuple(scores), **declared
    )
    if plain.system_column is None:
        table = of_sheets(plain, sheets, metrics)
    else:
        table = table_alone(sheets[0], plain, metrics)
    if len(scores) == 1:
        table = replace(table, metric=MEAN + scores[0], less_is_better=lower)
    data = data_of(request, table, request.files)
    return replace(data, source=replace(data.source, format=form))
