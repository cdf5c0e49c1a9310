"""A table with one row per data set, or unit of one: its systems, and the names of the rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from csig.errors import InputError
from csig.readers.tables.cells import Grid, is_number
from csig.readers.tables.columns import ID_NAMES
from csig.readers.tables.kinds import known_property
from csig.wording import first_few, perhaps

__all__ = ["dataset_columns"]


def dataset_columns(
    grid: Grid, datasets: object = None, labels: Collection[object] = (), *, what: str = "datasets="
) -> tuple[dict[str, Any], Any]:
    """The scores of every system, and the name of every row's data set.

    Parameters
    ----------
    grid : Grid
        One row per data set, or per unit of a data set.
    datasets : str or sequence, optional
        The column with the names; or the names. By default the only column of texts, else that of
        ids.
    labels : collection of str
        Columns that are no systems: the index of a data frame.
    what : str
        What names that column, for messages.

    Returns
    -------
    tuple of dict and sequence
        As :func:`csig.data.dataset_table.dataset_table` takes them. Without names the second is
        None.

    Raises
    ------
    InputError
        If a cell is missing or no number, if several columns may have the names, or if a column of
        numbers seems to be no system.
    """
    names = list(grid.names)
    index = {"" if name is None else str(name) for name in labels}
    if isinstance(datasets, str) and datasets not in names:
        raise InputError(
            f"{grid.path}: {what} no column {datasets!r}{perhaps(datasets, names)}; there are "
            f"{first_few(names, 12)}"
        )
    texts = [name for name in names if name in index or not _has_numbers(grid, name)]
    ids = [name for name in names if name not in texts and name.lower() in ID_NAMES]
    if isinstance(datasets, str):
        label: str | None = datasets
    elif datasets is not None:
        label = None
    else:
        if len(texts) > 1:
            raise InputError(
                f"{grid.path}: columns {first_few(texts)} have texts: {what} must say which of "
                "them names the data sets"
            )
        label = next(iter(texts or ids), None)
    systems = [name for name in names if name != label and name not in (*texts, *ids)]
    doubtful = [name for name in systems if known_property(name)]
    if doubtful:
        raise InputError(
            f"{grid.path}: column {first_few(doubtful)} has numbers, but the name of no system; "
            "drop it, or rename it if it is one"
        )
    found = {name: _numbers(grid, name) for name in systems}
    return found, datasets if label is None else grid.cells.texts(names.index(label)).tolist()


def _has_numbers(grid: Grid, name: str) -> bool:
    """Whether a cell of a column is a number."""
    column = grid.names.index(name)
    if grid.cells.numbers(column, None) is not None:
        return True
    cells = grid.cells.texts(column).tolist()
    return any(is_number(cell, grid.decimal) for cell in cells)


def _numbers(grid: Grid, name: str) -> Any:
    """A column whose cells must all be numbers."""
    column = grid.names.index(name)
    found = grid.cells.numbers(column, None)
    if found is not None:
        return found
    for row, cell in enumerate(grid.cells.texts(column).tolist()):
        finite = is_number(cell, grid.decimal) and cell.strip().lower().strip("+-") not in (
            "nan", "inf", "infinity",
        )  # fmt: skip
        if not finite:
            said = f"found {cell!r}" if cell else "found an empty cell"
            raise InputError(
                f"{grid.path}: {grid.cells.place(row)}: {name}: expected a number, {said}; every "
                "system needs a score on every data set"
            )
    raise InputError(f"{grid.path}: {name}: expected numbers")
