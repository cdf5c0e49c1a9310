"""Data frames as tables: those of pandas, polars, pyarrow and others, by what they can do.

No library is needed for its own frames: columns are taken by name and looked at as numpy arrays or
lists. Other objects come by the Arrow PyCapsule interface or the dataframe interchange protocol,
which pyarrow or polars read. A frame is then read as a file with the same cells is.
"""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.units import is_missing
from csig.errors import InputError
from csig.readers.limits import check_columns
from csig.readers.tables.sheets import PLAIN, Dialect, Sheet
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.readers.tables.sheets import Column

__all__ = ["FRAME", "frame_sheet", "is_frame"]

#: What messages call a frame.
FRAME = "data frame"

#: What cells of a column may be, besides texts, numbers and nothing.
_DATES = (datetime.date, datetime.time, np.datetime64)


def is_frame(value: object) -> bool:
    """Whether this is a data frame: named columns of one length.

    A series has one name, and an array and a mapping have none.
    """
    if isinstance(value, (str, bytes, Mapping, np.ndarray)):
        return False
    if hasattr(value, "to_native") or hasattr(value, "__dataframe__"):
        return True
    if hasattr(value, "columns") and hasattr(value, "__getitem__"):
        return True
    if hasattr(value, "column_names"):
        return True
    return hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__")


# ---- columns -----------------------------------------------------------------------------------


def _column(values: Any) -> NDArray[Any] | list[Any] | str:
    """One column: numbers without gaps as an array, all else as a list; or the type that it has."""
    array = _numeric(values)
    if array is not None:
        return array
    made = getattr(values, "to_pylist", None) or getattr(values, "to_list", None)
    cells = list(values) if made is None else made()
    odd = next((cell for cell in cells if not _plain(cell)), None)
    return cells if odd is None else type(odd).__name__


def _numeric(values: Any) -> NDArray[Any] | None:
    """Numbers without gaps at once; a decimal would lose digits, and Python's take their time."""
    nulls = getattr(values, "null_count", 0)  # an attribute of pyarrow's, a method of polars'
    if (nulls() if callable(nulls) else nulls) or not hasattr(values, "to_numpy"):
        return None
    kind = str(getattr(values, "dtype", getattr(values, "type", ""))).lower()
    if not kind.startswith(("int", "uint", "float", "double", "half", "bool")):
        return None
    array = np.asarray(values.to_numpy())
    return array if array.dtype.kind in "biuf" else None


def _plain(cell: object) -> bool:
    """Whether a cell is a text, a number, a date, or nothing."""
    if isinstance(cell, (str, numbers.Real, Decimal, np.bool_, *_DATES)):
        return True
    return not isinstance(cell, (bytes, Mapping, Sequence, np.ndarray, complex)) and is_missing(
        cell
    )


def _native(frame: Any) -> Any:
    """What can be looked at by name: narwhals' frames as those they are of, others read."""
    if hasattr(frame, "to_native"):
        frame = frame.to_native()
    if hasattr(frame, "collect") and hasattr(frame, "collect_schema"):
        raise InputError(f"{FRAME}: found a lazy frame; give frame.collect()")
    if hasattr(frame, "column_names") and hasattr(frame, "column"):  # pyarrow's
        return {name: frame.column(i) for i, name in enumerate(frame.column_names)}, None
    names = getattr(frame, "columns", None)
    if names is not None and hasattr(frame, "__getitem__") and not callable(names):
        return _by_name(frame, list(names))
    return _native(_read(frame))


def _by_name(frame: Any, names: list[Any]) -> Any:
    """The columns of a frame of pandas or polars, and the index of pandas."""
    doubled = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if doubled:
        raise InputError(f"{FRAME}: column names given more than once: {first_few(doubled)}")
    if any(isinstance(name, tuple) for name in names):
        raise InputError(
            f"{FRAME}: found columns with several levels of names, such as {first_few(names, 1)}; "
            "join them by frame.columns = map('_'.join, frame.columns)"
        )
    columns = {str(name): frame[name] for name in names}
    if len(columns) < len(names):
        raise InputError(f"{FRAME}: two names of columns have the same text")
    index = getattr(frame, "index", None)
    return columns, None if index is None or callable(index) else index


def _read(frame: Any) -> Any:
    """A frame by a protocol, with pyarrow or polars, whichever is there."""
    if hasattr(frame, "__arrow_c_stream__"):
        for name, make in (("pyarrow", "table"), ("polars", "DataFrame")):
            try:
                return getattr(import_module(name), make)(frame)
            except ImportError:
                continue
    if hasattr(frame, "__dataframe__"):
        for name in ("pyarrow.interchange", "polars"):
            try:
                return import_module(name).from_dataframe(frame)
            except ImportError:
                continue
    kind = type(frame).__name__
    raise InputError(f"{FRAME}: a {kind} needs pyarrow or polars to be read: pip install pyarrow")


def _index(index: Any, taken: Iterable[str]) -> dict[str, Any]:
    """The index of a pandas frame as columns; none of the default range."""
    levels = getattr(index, "nlevels", 1)
    if levels == 1 and getattr(getattr(index, "dtype", None), "kind", "O") in "iuf":
        labels = np.asarray(index.to_numpy())
        if index.name is None and np.array_equal(labels, np.arange(len(labels))):
            return {}
    found = {}
    for i in range(levels):
        name = index.names[i]
        if name is None and levels > 1:
            raise InputError(
                f"{FRAME}: its index has {levels} levels, and one without a name; name them, or "
                "make them columns with reset_index()"
            )
        values = index.get_level_values(i)
        text = "" if name is None else str(name)
        if text in taken:  # the column says the same, or the caller means the column
            continue
        found[text] = values
    return found


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
    columns, index = _native(frame)
    check_columns(FRAME, len(columns))
    every = {**({} if index is None else _index(index, columns)), **columns}
    found: dict[str, Column] = {}
    unusable = {}
    for name, values in every.items():
        column = _column(values)
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
