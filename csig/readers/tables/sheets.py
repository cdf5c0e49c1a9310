"""A table: named columns of cells, whatever they are from, and the numbers in them; data frames.

No library is needed for its own frames: columns are taken by name and looked at as numpy arrays or
lists. Other objects come by the Arrow PyCapsule interface or the dataframe interchange protocol,
which pyarrow or polars read. A frame is then read as a file with the same cells is.
"""

from __future__ import annotations

import datetime
import math
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.base.validation import one_of
from csig.base.wording import first_few
from csig.data.strings import Texts
from csig.data.units import doubled, is_missing
from csig.readers.limits import check_columns
from csig.readers.lines import StrPath
from csig.readers.request import CHOICES, Delimiter

Column = Texts | NDArray[Any] | list[Any]


#: Cells that are made into Python's own at a time: a million strings would be 60 MB.
CHUNK = 2**13

#: What stands for no number, as it is written.
MISSING = ("", "NA", "N/A", "NaN", "nan", "None", "null", "-")

#: From here on a double has no room for every integer.
EXACT_DOUBLES = 2.0**53

_NUMBER = re.compile(r"[-+]?([0-9]++\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,9})?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
#: The bytes that numbers begin with.
_FIRST = np.zeros(256, dtype=np.bool_)
_FIRST[list(b"0123456789+-.,")] = True

# Also those that are refused: percentages, thousands, intervals.
_WRITTEN = re.compile(
    r"true|false|[-+(]?[.,' ]*[0-9][0-9.,' ]*+(e[-+]?[0-9]+)?\s*+%?\s*+([±(/][-0-9.,% ]*\)?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Dialect:
    """How a table is to be read, as far as the caller says."""

    #: Whether cells may be in quotation marks; by default in CSV, not in TSV.
    quoting: Literal["none", "csv"] | None = None
    #: What stands before the decimals.
    decimal: Literal[".", ","] = "."
    #: Whether the first row has the names of the columns. By default it must; True takes numbers
    #: for names, False numbers the columns from 1.
    header: bool | None = None
    #: What separates cells; by default what cuts all rows into as many cells as the header.
    delimiter: Delimiter | None = None
    #: Of JSON: the paths of columns that have other names there.
    fields: Mapping[str, str] = field(default_factory=dict)
    #: What stands for no number besides `MISSING`; a number stands for all that equal it.
    missing: tuple[str, ...] = ()
    #: The columns whose numbers are percentages.
    percent: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("quoting", "decimal", "delimiter"):
            if getattr(self, name) != getattr(type(self), name):
                one_of(name, getattr(self, name), CHOICES[name])


PLAIN = Dialect()


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as numbers."""

    #: int64 where all are whole numbers that a double holds, else of the type that the source has;
    #: 0 in rows without a number.
    values: NDArray[Any]
    #: The rows where a number is missing; None if it is nowhere.
    missing: NDArray[np.bool_] | None = None
    #: The rows that have something else; None if there are none.
    odd: NDArray[np.bool_] | None = None

    @classmethod
    def of(
        cls, values: NDArray[Any], missing: NDArray[np.bool_], odd: NDArray[np.bool_]
    ) -> Numbers:
        """With whole numbers as integers, and without masks that say nothing."""
        none = missing | odd
        if none.any():
            values = np.where(none, values.dtype.type(0), values)
        if (
            values.dtype.kind == "f"
            and bool((values[:1000] == np.rint(values[:1000])).all())  # most columns end here
            and bool((values == np.rint(values)).all())
            and float(np.abs(values).max(initial=0)) < EXACT_DOUBLES
        ):
            values = values.astype(np.int64)
        return cls(values, missing if missing.any() else None, odd if odd.any() else None)

    def take(self, rows: NDArray[np.intp]) -> Numbers:
        """The same of these rows."""
        none = np.zeros(len(rows), dtype=np.bool_)
        masks = [none if mask is None else mask[rows] for mask in (self.missing, self.odd)]
        return Numbers.of(self.values[rows], *masks)


class Parser:
    """What cells stand for, in one dialect."""

    def __init__(self, dialect: Dialect, percent: bool = False) -> None:
        self.comma, self.percent = dialect.decimal == ",", percent
        self.missing: frozenset[str] = frozenset()
        words = [word.strip() for word in dialect.missing]
        self.sentinels = [value for value in map(self.value, words) if math.isfinite(value)]
        self.missing = frozenset((*MISSING, *words))
        #: The bytes that words begin with which are read, and the longest of these.
        read = [word.encode() for word in (*self.missing, *"tTfF") if word]
        self.words = np.zeros(256, dtype=np.bool_)
        self.words[[word[0] for word in read]] = True
        self.longest = max(len("false"), *map(len, read))

    def value(self, cell: str) -> float:
        """A number, NaN for what is missing, infinity for anything else."""
        if cell in self.missing:
            return math.nan
        if cell.lower() in ("true", "false"):
            return float(cell.lower() == "true")
        if self.percent:
            cell = cell.removesuffix("%").rstrip()
        if self.comma:
            cell = "" if "." in cell else cell.replace(",", ".")
        if _NUMBER.fullmatch(cell) is None:
            return math.inf
        if self.percent:
            digits, _, power = cell.lower().partition("e")
            return float(f"{digits}e{int(power or 0) - 2}")
        number = float(cell)
        large = math.inf > abs(number) >= EXACT_DOUBLES and _WHOLE.fullmatch(cell) is not None
        return math.inf if large and int(cell) != int(number) else number

    def is_missing(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which numbers are none: NaN, and those that the dialect names."""
        missing: NDArray[np.bool_] = np.isnan(values)
        for sentinel in self.sentinels:
            missing |= values == np.array(sentinel, np.result_type(values, np.float16))
        return missing

    def column(self, texts: Texts) -> NDArray[np.float64]:
        """Numbers, NaN for what is missing, infinity for anything else."""
        values = np.full(len(texts), math.inf)
        sizes = texts.sizes
        some = sizes == 0
        first, _ = texts.edges(np.flatnonzero(sizes))
        some[~some] = _FIRST[first] | (self.words[first] & (sizes[~some] <= self.longest))
        rows = slice(None) if some.all() else np.flatnonzero(some)
        kept = texts if isinstance(rows, slice) else texts.take(rows)
        parts = [self.chunk(kept[i : i + CHUNK].tolist()) for i in range(0, len(kept), CHUNK)]
        values[rows] = np.concatenate(parts) if parts else 0
        return values

    def chunk(self, cells: list[str]) -> NDArray[np.float64]:
        """The same of some cells."""
        together = "".join(cells)
        if not (self.comma or self.percent) and together.isascii() and "_" not in together:
            try:
                values = np.array(list(map(float, cells)))
            except ValueError:
                pass
            else:
                for row in np.flatnonzero(~(np.abs(values) < EXACT_DOUBLES)).tolist():
                    values[row] = self.value(cells[row])
                return values
        known = {cell: self.value(cell) for cell in set(cells)}
        return np.array([known[cell] for cell in cells])


def _plain(column: NDArray[Any] | list[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]] | None:
    """Numbers of one type and where none are, without a look at each; None for other columns."""
    if isinstance(column, np.ndarray):
        kind, none = column.dtype.kind, np.zeros(len(column), dtype=np.bool_)
        if kind == "f":
            return column if column.itemsize <= 8 else column.astype(np.float64), none
        if kind in "bi" or (kind == "u" and int(column.max(initial=0)) < 2**63):
            return column.astype(np.int64), none
        return None
    kinds = set(map(type, column))
    if not kinds <= {bool, int, float, type(None)}:
        return None
    missing = np.array([cell is None for cell in column], dtype=np.bool_)
    cells = [0 if cell is None else cell for cell in column]
    try:
        values = np.array(cells, dtype=np.float64 if float in kinds else np.int64)
    except OverflowError:
        return None
    if float in kinds and int in kinds and bool((np.abs(values) >= EXACT_DOUBLES).any()):
        return None
    return values, missing


def _text(cell: Any) -> str:
    """As a CSV file would have it: nothing for what is missing, 1 and 0 for true and false."""
    if isinstance(cell, (bool, np.bool_)):
        return str(int(cell))
    infinite = isinstance(cell, float) and math.isinf(cell)
    return "" if is_missing(cell) and not infinite else str(cell)


def enclosed(cell: str) -> bool:
    """Whether a cell begins and ends with a quotation mark."""
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number; NaN and infinities are, and are refused later."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def is_like_number(cell: str) -> bool:
    """Whether a cell is a number in any way of writing, and so hardly a name."""
    return is_number(cell) or _WRITTEN.fullmatch(cell) is not None


def check_percents(cells: Sequence[str], where: Callable[[int], str]) -> None:
    """Refuse shares among cells with a percent sign: which are divided by 100, nobody knows."""
    for row, cell in enumerate(cells if any(own.endswith("%") for own in cells) else ()):
        if is_number(cell) and abs(float(cell)) <= 1:
            raise InputError(
                f"{where(row)}: found {cell!r} among percentages; is it a share, or is the sign "
                "missing?"
            )


@dataclass(frozen=True, eq=False)
class Sheet:
    """The rows of a file or frame, by the names of its columns."""

    path: StrPath
    #: Of the columns that hold texts or numbers; all different, and empty at most the first.
    names: list[str]
    #: "CSV", "TSV", "table aligned by spaces", "Markdown table", "one cell per line", "JSON",
    #: "Parquet" or "data frame".
    form: str
    #: The rows of the file.
    n_rows: int
    #: A column by its place: texts, an array of numbers, or a list of anything.
    load: Callable[[int], Column]
    #: The place of a row of the file, for messages; -1 is the header.
    where: Callable[[int], str]
    dialect: Dialect = PLAIN
    #: The columns that hold neither texts nor numbers, and what they hold.
    unusable: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    #: The rows of the file, but the first, before which lines are blank.
    blank: Callable[[], list[int]] = list
    #: The rows of the file that are rows here; by default all.
    kept: NDArray[np.intp] | None = None
    #: What was made of all rows of a column, by what it is; and the numbers of the rows here.
    _cache: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)
    _kept: dict[str, Numbers] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.kept is not None:  # else they are known
            return
        names = [name.strip() for name in self.names]
        object.__setattr__(self, "names", names)
        check_columns(self.path, len(names))
        if twice := doubled(names):
            raise InputError(
                f"{self.header}: column names given more than once: {first_few(twice)}"
            )
        if "" in names[1:]:
            raise InputError(f"{self.header}: column {names.index('', 1) + 1} has no name")
        if not self.n_rows:
            raise InputError(f"{self.path}: found a header and no rows")

    @classmethod
    def of(
        cls, path: StrPath, columns: Mapping[str, Column], form: str,
        where: Callable[[int], str], dialect: Dialect, **more: Any,
    ) -> Sheet:  # fmt: skip
        """These columns, with as many cells in each."""
        cells = list(columns.values())
        return cls(
            path, list(columns), form, len(cells[0]), cells.__getitem__, where, dialect, **more
        )

    def __len__(self) -> int:
        return self.n_rows if self.kept is None else len(self.kept)

    def only(self, rows: NDArray[np.intp]) -> Sheet:
        """These rows."""
        return replace(self, kept=rows if self.kept is None else self.kept[rows], _kept={})

    def in_percent(self, names: Sequence[str]) -> Sheet:
        """The same with the numbers of these columns as percentages."""
        dialect = replace(self.dialect, percent=tuple(names))
        cache = {key: value for key, value in self._cache.items() if key[0] != "numbers"}
        return replace(self, dialect=dialect, _cache=cache, _kept={})

    def place(self, row: int) -> str:
        """On which line a row begins; a quoted cell may hold line ends."""
        return self.where(row if self.kept is None or row < 0 else int(self.kept[row]))

    def at(self, row: int) -> str:
        """Where a row is, for messages."""
        return f"{self.path} {self.place(row)}"

    @property
    def header(self) -> str:
        """Where the names of the columns are, for messages."""
        return self.at(-1)

    def gaps(self) -> list[int]:
        """The rows, but the first, before which lines are blank."""
        if self.kept is None:
            return self.blank()
        before = np.searchsorted(self.blank(), self.kept, side="right")
        gaps: list[int] = (np.flatnonzero(np.diff(before)) + 1).tolist()
        return gaps

    def texts(self, name: str, *, stripped: bool = True) -> Texts:
        """A column as it is written; by default without white space at the ends of cells."""
        texts: Texts = self._whole("stripped" if stripped else "texts", name)
        return texts if self.kept is None else texts.take(self.kept)

    def numbers(self, name: str) -> Numbers:
        """A column as numbers."""
        numbers: Numbers = self._whole("numbers", name)
        if self.kept is None:
            return numbers
        if name not in self._kept:
            self._kept[name] = numbers.take(self.kept)
        return self._kept[name]

    def _whole(self, what: str, name: str) -> Any:
        """Something of all rows of the file, which is made once."""
        if (what, name) not in self._cache:
            make = {
                "column": lambda own: self.load(self.names.index(own)),
                "texts": self._texts,
                "stripped": lambda own: self._whole("texts", own).stripped(),
                "numbers": self._numbers,
            }
            self._cache[what, name] = make[what](name)
        return self._cache[what, name]

    def _texts(self, name: str) -> Texts:
        column = self._whole("column", name)
        if isinstance(column, Texts):
            return column
        if isinstance(column, np.ndarray) and column.dtype != np.float32:
            column = column.tolist()  # the same digits, and faster
        try:
            return Texts.of([cell if type(cell) is str else _text(cell) for cell in column])
        except ValueError:  # half of a surrogate pair, or an integer of more than 4,300 digits
            for row, cell in enumerate(column):
                try:
                    Texts.of([_text(cell)])
                except ValueError as error:
                    where = f"{self.path} {self.where(row)}, column {name!r}"
                    raise InputError(f"{where}: a cell that no text has: {error}") from None
            raise

    def _numbers(self, name: str) -> Numbers:
        percent, column = name in self.dialect.percent, self._whole("column", name)
        parser = Parser(self.dialect, percent)
        plain = None if isinstance(column, Texts) else _plain(column)
        if plain is not None and not percent:
            values, missing = plain
        else:
            values = parser.column(self._whole("stripped", name))
            missing = np.zeros(len(values), dtype=np.bool_)
            if isinstance(column, list) and Decimal in set(map(type, column)):
                for row, cell in enumerate(column):  # with more digits than a double tells apart
                    if (
                        isinstance(cell, Decimal)
                        and cell.is_finite()
                        and Decimal(repr(float(cell))) != cell
                    ):
                        values[row] = math.inf
            if plain is not None and plain[0].dtype.kind == "f":
                values = values.astype(plain[0].dtype)
        return Numbers.of(values, missing | parser.is_missing(values), np.isinf(values))


#: What messages call a frame.
FRAME = "data frame"


def is_frame(value: object) -> bool:
    """Whether this is a data frame: named columns of one length."""
    if isinstance(value, (str, bytes, Mapping, np.ndarray)):
        return False
    return (
        any(hasattr(value, name) for name in ("to_native", "__dataframe__", "column_names"))
        or (hasattr(value, "columns") and hasattr(value, "__getitem__"))
        or (hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__"))
    )


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
    plain = (str, numbers.Real, Decimal, np.bool_, datetime.date, datetime.time, np.datetime64)
    nested = (bytes, Mapping, Sequence, np.ndarray, complex)
    for cell in cells:
        if not isinstance(cell, plain) and (isinstance(cell, nested) or not is_missing(cell)):
            return type(cell).__name__
    return cells


def _by_protocol(frame: Any) -> Any:
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
        return _columns(_by_protocol(frame))
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
    """The columns of a data frame, as those of a file."""
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
    if len(set(map(len, found.values()))) > 1:
        raise InputError(f"{FRAME}: its columns have different lengths")
    return Sheet.of(
        FRAME, found, FRAME, lambda row: "columns" if row < 0 else f"row {row} (from 0)", dialect,
        unusable=unusable,
    )  # fmt: skip
