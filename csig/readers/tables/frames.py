"""Data frames as tables: those of pandas, polars, pyarrow and others, by what they can do.

No library is needed for its own frames: columns are taken by name and looked at as numpy arrays or
lists. Other objects come by the Arrow PyCapsule interface or the dataframe interchange protocol,
which pyarrow or polars read. A frame is then read as a file with the same cells is.
"""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import first_few
from csig.data.units import doubled, is_missing
from csig.readers.limits import check_columns
from csig.readers.tables.sheets import PLAIN, Dialect, Sheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.readers.tables.sheets import Column

#: What messages call a frame.
FRAME = "data frame"


def is_frame(value: object) -> bool:
    """Whether this is a data frame: named columns of one length.

    A series has one name, and an array and a mapping have none.
    """
    if isinstance(value, (str, bytes, Mapping, np.ndarray)):
        return False
    return (
        any(hasattr(value, name) for name in ("to_native", "__dataframe__", "column_names"))
        or (hasattr(value, "columns") and hasattr(value, "__getitem__"))
        or (hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__"))
    )


def _plain(cell: object) -> bool:
    """Whether a cell is a text, a number, a date, or nothing."""
    dates = (datetime.date, datetime.time, np.datetime64)
    if isinstance(cell, (str, numbers.Real, Decimal, np.bool_, *dates)):
        return True
    nested = isinstance(cell, (bytes, Mapping, Sequence, np.ndarray, complex))
    return not nested and is_missing(cell)


def _cells(values: Any) -> NDArray[Any] | list[Any] | str:
    """Numbers without gaps as an array, all else as a list; or the type of a cell that is odd."""
    nulls = getattr(values, "null_count", 0)  # an attribute of pyarrow's, a method of polars'
    kind = str(getattr(values, "dtype", getattr(values, "type", ""))).lower()
    # A decimal would lose digits, and Python's numbers take their time.
    numeric = kind.startswith(("int", "uint", "float", "double", "half", "bool"))
    if numeric and hasattr(values, "to_numpy") and not (nulls() if callable(nulls) else nulls):
        array = np.asarray(values.to_numpy())
        if array.dtype.kind in "biuf":
            return array
    listed = getattr(values, "to_pylist", None) or getattr(values, "to_list", None)
    cells = list(values) if listed is None else listed()
    odd = next((cell for cell in cells if not _plain(cell)), None)
    return cells if odd is None else type(odd).__name__


def _read(frame: Any) -> Any:
    """A frame by a protocol, with pyarrow or polars, whichever is there."""
    for protocol, home, make in (
        ("__arrow_c_stream__", "pyarrow", "table"),
        ("__arrow_c_stream__", "polars", "DataFrame"),
        ("__dataframe__", "pyarrow.interchange", "from_dataframe"),
        ("__dataframe__", "polars", "from_dataframe"),
    ):
        if hasattr(frame, protocol):
            with suppress(ImportError):
                return getattr(import_module(home), make)(frame)
    kind = type(frame).__name__
    raise InputError(f"{FRAME}: a {kind} needs pyarrow or polars to be read: pip install pyarrow")


def _columns(frame: Any) -> dict[str, Any]:
    """The columns by name, and before them the index of pandas, but for the default range."""
    if hasattr(frame, "to_native"):  # narwhals'
        frame = frame.to_native()
    if hasattr(frame, "collect") and hasattr(frame, "collect_schema"):
        raise InputError(f"{FRAME}: found a lazy frame; give frame.collect()")
    of_arrow = hasattr(frame, "column_names") and hasattr(frame, "column")
    names = frame.column_names if of_arrow else getattr(frame, "columns", None)
    if names is None or callable(names) or not hasattr(frame, "__getitem__"):
        return _columns(_read(frame))
    names = list(names)
    check_columns(FRAME, len(names))
    if twice := doubled(names):
        raise InputError(f"{FRAME}: column names given more than once: {first_few(twice)}")
    if any(isinstance(name, tuple) for name in names):
        raise InputError(
            f"{FRAME}: found columns with several levels of names, such as {first_few(names, 1)}; "
            "join them by frame.columns = map('_'.join, frame.columns)"
        )
    columns = {str(name): frame[name] for name in names}
    if len(columns) < len(names):
        raise InputError(f"{FRAME}: two names of columns have the same text")
    index: Any = getattr(frame, "index", None)
    if not hasattr(index, "get_level_values"):
        return columns
    levels: dict[str, Any] = {}
    if list(index.names) == [None] and index.dtype.kind in "iuf":
        labels = np.asarray(index.to_numpy())
        if np.array_equal(labels, np.arange(len(labels))):
            return columns
    for i, name in enumerate(index.names):
        if name is None and index.nlevels > 1:
            raise InputError(
                f"{FRAME}: its index has {index.nlevels} levels, and one without a name; name "
                "them, or make them columns with reset_index()"
            )
        levels["" if name is None else str(name)] = index.get_level_values(i)
    # Of one name the column says the same, or the caller means the column.
    return {name: own for name, own in levels.items() if name not in columns} | columns


def frame_sheet(frame: object, dialect: Dialect = PLAIN) -> Sheet:
    """The columns of a data frame, as those of a file.

    The frame is of pandas, polars, pyarrow or narwhals, or has ``__arrow_c_stream__`` or
    ``__dataframe__``. The index of pandas is a column, unless it is the default range.

    >>> class Frame:
    ...     columns = ["id", "base", "new"]
    ...     def __getitem__(self, name):
    ...         return {"id": ["x", "y"], "base": [1, 0], "new": [0.5, None]}[name]
    >>> sheet = frame_sheet(Frame())
    >>> sheet.names, sheet.numbers("base").values.tolist(), sheet.texts("new")
    (['id', 'base', 'new'], [1, 0], ['0.5', ''])
    """
    found: dict[str, Column] = {}
    unusable = {}
    for name, values in _columns(frame).items():
        column = _cells(values)
        if isinstance(column, str):
            unusable[name] = column
        else:
            found[name] = column
    if not found:
        raise InputError(f"{FRAME}: found no columns of text or numbers")
    loaded = list(found.values())
    if len(set(map(len, loaded))) > 1:
        raise InputError(f"{FRAME}: its columns have different lengths")
    return Sheet(
        FRAME,
        list(found),
        FRAME,
        len(loaded[0]),
        loaded.__getitem__,
        lambda row: "columns" if row < 0 else f"row {row} (from 0)",
        dialect,
        unusable=unusable,
    )
