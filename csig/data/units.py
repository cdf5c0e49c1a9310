"""Units that can be swapped, with their statistics: aligned by id, reduced to differences.

A comparison of n units has two matrices of n rows and k columns, one of each system.
Swapping unit i moves both systems' sums by its difference, a_i - b_i, and leaves
everything else alone; so the tests need the sums and the differences only. Units whose
difference is zero in every column never matter and are dropped.

Tables may be numpy arrays, lists, or the frames and series of pandas, polars and others;
these are known by what they can do, so that csig needs none of them.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.validation import as_integer
from csig.base.wording import first_few, perhaps
from csig.data.strings import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Sums of absolute values stay below this, so that nothing can overflow 64 bits.
LARGEST_SUM = 2**61

#: Columns up to which numpy looks at one after the other in less time than at all.
NARROW = 8

#: Scores stay below this, so that no sum of them is infinite.
LARGEST_SCORE = 1e300


@dataclass(frozen=True, eq=False)
class Units:
    """The units that differ."""

    #: A's statistics minus B's, in the order in which units take random words.
    differences: NDArray[np.int64]
    n_total: int  #: Units with and without a difference.
    #: What identifies each unit that differs, in the same order: its id, its cluster's label, the
    #: least text in a conflict group. None where rows came without ids.
    ids: Sequence[Hashable] | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Units):
            return NotImplemented
        return (self.n_total, self.ids) == (other.n_total, other.ids) and np.array_equal(
            self.differences, other.differences
        )

    def __hash__(self) -> int:
        return hash((self.n_total, self.differences.tobytes()))

    @cached_property
    def moving(self) -> list[int]:
        """The columns in which any unit differs."""
        if self.differences.shape[1] > NARROW:
            return list(np.flatnonzero(self.differences.any(axis=0)).tolist())
        return [c for c, column in enumerate(self.differences.T) if column.any()]


class Rows(NamedTuple):
    """The statistics of every unit, those without a difference too."""

    #: a, b: the units in the order in which they take random words; where they have ids, that of
    #: the ids' texts. Columns as in the comparison, in units of its `scale`.
    a: NDArray[np.int64]
    b: NDArray[np.int64]

    @property
    def n(self) -> int:
        """How many units there are."""
        return len(self.a)


def rows_that_differ(table: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows have anything but zeros."""
    if not 0 < table.shape[1] <= NARROW:
        return np.asarray(table.any(axis=1))
    differing: NDArray[np.bool_] = table[:, 0] != 0
    for column in table.T[1:]:
        differing |= column != 0
    return differing


def units_that_differ(
    differences: NDArray[np.int64], ids: Sequence[Hashable] | None = None
) -> Units:
    """All units, in their order, without those whose difference is zero in every column."""
    differing = rows_that_differ(differences)
    kept = None if ids is None else _taken(ids, np.flatnonzero(differing))
    if isinstance(kept, list):
        kept = tuple(kept)
    return Units(np.ascontiguousarray(differences[differing]), len(differences), kept)


@dataclass(frozen=True, eq=False)
class Classes:
    """Interchangeable units."""

    # Turning a unit's coin round turns its difference into the negative one and adds a constant,
    # so opposite units are of one class. The number of swapped units out of m is Binomial(m, 1/2).

    #: What one swapped unit takes from the summed statistics; its first number that is not zero is
    #: positive.
    steps: NDArray[np.int64]
    sizes: NDArray[np.int64]  #: Units in each class.
    #: What the units that were turned round take when no unit of any class is counted.
    start: NDArray[np.int64]

    @classmethod
    def of(cls, differences: NDArray[np.int64]) -> Classes:
        """Of units with these differences, in ascending order; those without any do not matter."""
        differences = differences[differences.any(axis=1)]
        n, columns = differences.shape
        if not n:
            return cls(differences, *(np.zeros(k, dtype=np.int64) for k in (0, columns)))
        turned = differences[np.arange(n), np.argmax(differences != 0, axis=1)] < 0
        start = differences[turned].sum(axis=0)
        rows = np.where(turned[:, None], -differences, differences)
        low = rows.min(axis=0)
        spans = [int(m) - int(n) + 1 for m, n in zip(rows.max(axis=0), low, strict=True)]
        if math.prod(spans) >= 2**62:
            steps, sizes = np.unique(rows, axis=0, return_counts=True)
            return cls(steps, sizes.astype(np.int64), start)
        # One number per row is sorted many times faster.
        keys = np.zeros(len(rows), dtype=np.int64)
        for column, span in enumerate(spans):
            keys = keys * span + (rows[:, column] - low[column])
        keys, sizes = np.unique(keys, return_counts=True)
        steps = np.empty((len(keys), len(spans)), dtype=np.int64)
        for column, span in reversed(list(enumerate(spans))):
            keys, steps[:, column] = np.divmod(keys, span)
        return cls(steps + low, sizes.astype(np.int64), start)

    def in_order(self, order: NDArray[np.intp]) -> Classes:
        """The same classes in another order."""
        return Classes(self.steps[order], self.sizes[order], self.start)

    @property
    def outcomes(self) -> int:
        """Different numbers of swapped units, over all classes."""
        return math.prod(m + 1 for m in self.sizes.tolist())

    @property
    def n_units(self) -> int:
        """Units of all classes."""
        return int(self.sizes.sum())


def is_missing(label: object) -> bool:
    """None, NaN, infinity, and what pandas has for nothing."""
    if label is None or (isinstance(label, float) and not math.isfinite(label)):
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # pandas.NA; an array
        return True


def labels_of(name: str, values: object, n: int) -> Sequence[Hashable]:
    """One hashable label per unit."""
    # The keys of a mapping, the members of a set and the columns of a frame have no place
    # among the rows.
    if (
        isinstance(values, (str, bytes, Mapping, Set))
        or not isinstance(values, Iterable)
        or hasattr(values, "columns")
    ):
        raise InputError(f"{name} must be a sequence of labels, found {type(values).__name__}")
    if isinstance(values, Texts) and len(values) == n:
        return values
    labels = values.tolist() if hasattr(values, "tolist") else list(values)
    if not isinstance(labels, list):  # an array without axes
        raise InputError(f"{name} must be a sequence of labels, found {labels!r}")
    if len(labels) != n:
        raise InputError(f"{name}: {len(labels)} labels for {n} units")
    if set(map(type, labels)) <= {str, int}:
        return labels
    for index, label in enumerate(labels):
        if type(label) is str or type(label) is int:
            continue
        if not isinstance(label, Hashable):
            raise InputError(f"{name}[{index}]: {type(label).__name__} is not hashable")
        if is_missing(label):
            raise InputError(f"{name}[{index}]: {label!r} is not a label")
    return labels


def text(label: Hashable) -> str:
    """The text that orders units: the same in every process, whatever the type."""
    if isinstance(label, str):
        return label
    if type(label) is int:
        return str(label)
    if isinstance(label, tuple):  # a response of a file is its line
        return "\t".join(map(text, label))
    if isinstance(label, frozenset):  # its own text depends on the order of hashes
        return f"{{{chr(9).join(sorted(map(text, label)))}}}"
    kind = type(label)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise InputError(
            f"{label!r} cannot be ordered: its text is its address in memory; use a string, a "
            "number or a tuple, or define __str__"
        )
    return str(label)


def _plain_order(labels: Sequence[Hashable]) -> NDArray[np.intp] | None:
    """The order of texts, integers, or tuples of texts; None for others, and for doubled ones."""
    if isinstance(labels, Texts):
        return labels.order()
    kinds = set(map(type, labels))
    if kinds == {tuple} and all(set(map(type, label)) == {str} for label in labels):  # type: ignore[call-overload]
        texts = ["\t".join(label) for label in labels]  # type: ignore[arg-type]
    elif kinds == {str} or kinds == {int}:
        texts = list(map(str, labels))
    else:
        return None
    try:  # a sixth of the time that sorting Python strings takes
        return Texts.of(texts).order()
    except UnicodeEncodeError:  # half a surrogate pair
        return None


def ordered(labels: Sequence[Hashable], name: str) -> NDArray[np.intp]:
    """The order of units by id; two ids with the same text are refused."""
    plain = _plain_order(labels)
    if plain is not None:
        return plain
    texts = [text(label) for label in labels]
    order = sorted(range(len(labels)), key=texts.__getitem__)
    same = [(labels[i], labels[j]) for i, j in itertools.pairwise(order) if texts[i] == texts[j]]
    # Of 1 and 1.0, or 1 and True, the texts differ.
    if equal := [one for one, other in same if one == other] or doubled(labels):
        raise InputError(f"{name}: given more than once: {first_few(dict.fromkeys(equal))}")
    if same:
        one, other = same[0]
        raise InputError(
            f"{name}: {one!r} and {other!r} have the same text, by which units are ordered"
        )
    return np.array(order, dtype=np.intp)


def _taken(labels: Sequence[Hashable], order: NDArray[np.intp]) -> Sequence[Hashable]:
    if isinstance(labels, Texts):
        return labels.take(order)
    return [labels[i] for i in order.tolist()]


def refuse_missing(
    said: str, keys: Iterable[Hashable], there: Container[Hashable], after: str = ""
) -> None:
    """Refuse keys that are not there, with what is said before and after the first few."""
    if missing := [key for key in keys if key not in there]:
        raise InputError(f"{said} {first_few(missing)}{after}")


def in_order(
    labels: Mapping[Hashable, object], keys: Sequence[Hashable], what: str = "unit"
) -> list[object]:
    """The labels of a mapping {id: label} for these ids."""
    refuse_missing(f"cluster: no label for {what}", keys, labels)
    refuse_missing(f"cluster: labels for {what}s that do not exist:", labels, set(keys))
    return [labels[key] for key in keys]


def numbered(labels: Sequence[Hashable]) -> tuple[NDArray[np.intp], list[Hashable]]:
    """The cluster of every unit by its number, and the labels of the clusters in their order."""
    if isinstance(labels, Texts):
        codes, different = labels.codes()
        return codes, list(different)
    unordered = list(dict.fromkeys(labels))
    names = [unordered[i] for i in ordered(unordered, "cluster").tolist()]
    number = {name: rank for rank, name in enumerate(names)}
    return np.array([number[label] for label in labels], dtype=np.intp), names


def all_shares(scores: Iterable[NDArray[Any]]) -> bool:
    """Whether all scores lie from 0 to 1."""
    return all(bool(((row >= 0) & (row <= 1)).all()) for row in scores)


def summed(table: NDArray[np.int64], numbers: NDArray[np.intp]) -> NDArray[np.int64]:
    """The sums of clusters, whose numbers the units have."""
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, table.shape[1]), dtype=np.int64)
    for total, column in zip(sums.T, table.T, strict=True):
        np.add.at(total, numbers, column)
    return sums


# An index of pandas that is not the default range 0, 1, 2, ... says what each row is about: it is
# the ids. Two series with the same labels in another order belong together by label, not by
# position; an array beside them has positions only. What can be read in two ways is refused.


class Unordered(InputError):
    """An index that does not say which rows belong together: what was found, and what to do."""

    def __init__(self, found: str) -> None:
        super().__init__(f"{found} give id=, or drop the index with reset_index(drop=True)")
        self.found = found


def _has_index(values: object) -> bool:
    """A list has a method of that name."""
    index = getattr(values, "index", None)
    return index is not None and not callable(index) and hasattr(values, "to_numpy")


def index_labels(values: Any) -> list[Hashable] | None:
    """The labels of rows; None for the default range, and where there are none."""
    if not _has_index(values) or not len(values.index):
        return None
    index = values.index
    if getattr(index, "nlevels", 1) == 1 and getattr(index.dtype, "kind", "O") in "iuf":
        labels = index.to_numpy()
        if np.array_equal(labels, np.arange(len(labels))):
            return None
    return list(index.tolist())


def doubled(labels: Sequence[Hashable]) -> list[Hashable]:
    """Those that are equal to one before them, each once."""
    if len(set(labels)) == len(labels):
        return []
    known: set[Hashable] = set()
    repeated = (x for x in labels if x in known or known.add(x))  # type: ignore[func-returns-value]
    return list(dict.fromkeys(repeated))


def _check_doubled(name: str, labels: Sequence[Hashable]) -> None:
    if repeated := doubled(labels):
        raise Unordered(f"{name}: its index has labels more than once: {first_few(repeated)};")


def _is_range(labels: Sequence[Hashable]) -> bool:
    """Whether these are 0, 1, 2, ... in another order."""
    return set(labels) == set(range(len(labels)))


def _check_readings(ranges: Sequence[str], other: str, labels: Sequence[Hashable]) -> None:
    """Refuse the default range, which one that lost rows may have by chance, beside numbers."""
    conflict = "the same numbers in another order"
    if not _is_range(labels):
        if not all(isinstance(label, numbers.Real) for label in labels):
            return
        conflict = "other numbers"
    if ranges:
        raise Unordered(
            f"{ranges[0]} has the default index, and {other} {conflict}: do rows belong together "
            "by label or by position?"
        )


def cluster_mapping(clusters: object, name: str = "cluster") -> object:
    """A series with an index as {id: label}; anything else as it is."""
    labels = index_labels(clusters)
    if labels is None or hasattr(clusters, "columns"):  # a frame is refused by its name
        return clusters
    _check_doubled(name, labels)
    values: Any = clusters
    return dict(zip(labels, values.tolist(), strict=True))


def beside_ids(name: str, values: object, what: str) -> object:
    """Labels beside rows by id, whose order is nobody's: {id: label}, or a series with ids."""
    values = cluster_mapping(values, name)
    if values is None or isinstance(values, Mapping):
        return values
    raise InputError(f"{name}: found {type(values).__name__}, but {what}; give {{id: label}}")


def by_label(
    rows: Mapping[str, object], ids: object, clusters: object
) -> tuple[dict[str, Any], object, object]:
    """Rows, by name, that belong together by their index, in the order of the first that has one,
    with what identifies them and their clusters; ids decide instead of any index.
    """
    given = dict(rows)
    if any(isinstance(values, Mapping) for values in given.values()):
        return given, ids, cluster_mapping(clusters)
    cluster_labels = index_labels(clusters)
    if ids is not None:  # clusters by label if their index is the ids, else by position
        try:
            same = cluster_labels is not None and set(cluster_labels) == set(ids)  # type: ignore[call-overload]
        except TypeError:  # reported where ids are looked at
            same = False
        return given, ids, cluster_mapping(clusters) if same else clusters
    indexed = {name: labels for name, v in given.items() if (labels := index_labels(v)) is not None}
    if not indexed:
        if cluster_labels is not None:
            ranges = [name for name, values in given.items() if _has_index(values)]
            _check_readings(ranges, "cluster", cluster_labels)
            if _is_range(cluster_labels):
                raise Unordered(
                    "cluster: its index has the numbers of the units in another order: do they "
                    "belong together by label or by position?"
                )
        return given, None, clusters
    first, labels = next(iter(indexed.items()))
    for name, others in indexed.items():
        _check_doubled(name, others)
        for here, there, lacking, holder in (
            (labels, others, name, first),
            (others, labels, first, name),
        ):
            known = set(there)
            if missing := [label for label in here if label not in known]:
                raise Unordered(
                    f"{lacking}: no row labelled {first_few(missing)}, as {holder} has in its "
                    "index; both need the same;"
                )
    moved = [name for name, others in indexed.items() if others != labels]
    # What has no index goes by position, where there is one order to go by.
    plain = [name for name in given if name not in indexed]
    if cluster_labels is None and clusters is not None and not isinstance(clusters, Mapping):
        plain.append("cluster")
    if moved and plain:
        raise Unordered(
            f"{plain[0]} has no index, and {first} and {moved[0]} have theirs in different orders;"
        )
    everything = {**given, "cluster": clusters}
    _check_readings([name for name in plain if _has_index(everything[name])], first, labels)
    for name in moved:
        place = {label: row for row, label in enumerate(indexed[name])}
        values: Any = given[name]
        given[name] = values.iloc[[place[label] for label in labels]]
    return given, labels, cluster_mapping(clusters)


def unit_text(keys: Sequence[Hashable] | None, row: int) -> str:
    """A unit in a message: by its id, else by its place from 0."""
    return f"unit {row if keys is None else repr(keys[row])}"


def _array(rows: object, system: str) -> NDArray[Any]:
    """Anything that holds numbers, as an array."""
    if isinstance(rows, (str, bytes, Set)):  # a set has no order
        raise InputError(f"{system}: expected one row per unit, found {type(rows).__name__}")
    if isinstance(rows, np.ma.MaskedArray) and np.ma.is_masked(rows):
        raise InputError(f"{system}: some of its values are masked")
    if not hasattr(rows, "__array__"):
        if hasattr(rows, "to_numpy"):
            rows = rows.to_numpy()
        elif isinstance(rows, Iterable):
            rows = list(rows)
    try:
        return np.asarray(rows)
    except ValueError:
        raise InputError(f"{system}: the rows have different lengths") from None


def _whole(value: Any) -> int | None:
    """The value of what is a whole number, of whatever type; None for the rest."""
    number = as_integer(value)
    if number is not None:
        return number
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if not isinstance(value, (numbers.Real, Decimal)):
        return None
    try:
        return int(value) if value == math.trunc(value) else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):  # NaN, infinity
        return None


def _check_size(system: str, largest: float) -> None:
    if largest >= LARGEST_SUM:
        raise InputError(f"{system}: numbers of 2^61 or more cannot be summed safely")


def _integers(values: NDArray[Any], system: str, place: Callable[[int], str]) -> NDArray[np.int64]:
    """A column as integers. Numbers like 3.0 are integers; 2.5 is not."""
    kind = values.dtype.kind
    if kind == "O":
        integers = [_whole(value) for value in values.tolist()]
        bad = next((i for i, value in enumerate(integers) if value is None), None)
        if bad is not None:
            raise InputError(f"{place(bad)}: expected an integer, found {values[bad]!r}")
        _check_size(system, max((abs(value) for value in integers if value is not None), default=0))
        return np.array(integers, dtype=np.int64)
    if kind not in "biuf":
        raise InputError(f"{system}: expected numbers, found {values.dtype}")
    if kind == "f":
        wrong = np.flatnonzero(~np.isfinite(values) | (values != np.rint(values)))
        if len(wrong):
            row = int(wrong[0])
            raise InputError(f"{place(row)}: expected an integer, found {values[row]}")
    _check_size(system, float(np.abs(values.astype(np.float64)).max(initial=0)))
    return values.astype(np.int64)


def integer_table(
    rows: object, system: str, keys: Sequence[Hashable] | None = None, *, columns: Sequence[str]
) -> NDArray[np.int64]:
    """Statistics as a table of integers, one row per unit; errors name system, id and column."""
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        frame: Any = rows
        names = list(frame.columns)
        wanted = list(columns)
        if not any(isinstance(name, str) for name in names) and len(names) == len(columns):
            wanted = names  # a frame without names goes by position
        if missing := [name for name in wanted if name not in names]:
            raise InputError(
                f"{system}: no column {first_few(missing)}{perhaps(missing[0], names)}; the frame "
                f"has {first_few(names)}"
            )
        if several := [name for name in wanted if names.count(name) > 1]:
            raise InputError(f"{system}: the frame has column {first_few(several)} more than once")
        parts = [_array(frame[name], system) for name in wanted]
    else:
        table = _array(rows, system)
        if table.ndim == 1 and len(columns) == 1:
            table = table[:, None]
        if table.shape[:1] == (0,):
            return np.zeros((0, len(columns)), dtype=np.int64)
        if table.ndim == 3:
            raise InputError(
                f"{system}: found several rows per unit; runs of a system are an array (runs, "
                f"units, columns), or {{run: {{id: row}}}}"
            )
        if table.ndim != 2 or table.shape[1] != len(columns):
            raise InputError(
                f"{system}: expected (units, {len(columns)}) for columns {first_few(columns)}, "
                f"found shape {table.shape}"
            )
        parts = list(table.T)

    def place(column: str, row: int) -> str:
        return f"{system}: {unit_text(keys, row)}, column {column!r}"

    integers = [
        _integers(part, system, partial(place, column))
        for part, column in zip(parts, columns, strict=True)
    ]
    return np.stack(integers, axis=1)


def score_array(
    values: object, system: str, keys: Sequence[Hashable] | None = None
) -> NDArray[Any]:
    """One finite number per unit: int64 if all are integers, else at most float64."""
    array = _array(values, system)
    if hasattr(values, "columns") or array.ndim != 1:
        raise InputError(f"{system}: expected one number per unit, found shape {array.shape}")

    def place(row: int) -> str:
        return f"{system}: {unit_text(keys, row)}"

    if array.dtype.kind == "O":
        objects = array.tolist()
        if all(as_integer(v) is not None or isinstance(v, (bool, np.bool_)) for v in objects):
            return _integers(array, system, place)
        for row, value in enumerate(objects):
            if not isinstance(value, (numbers.Real, Decimal, np.bool_)):
                raise InputError(f"{place(row)}: expected a number, found {value!r}")
        array = np.empty(len(objects))
        for row, value in enumerate(objects):
            try:
                array[row] = float(value)
            except (ValueError, OverflowError):  # a signalling NaN; too large for a double
                shown = str(value)[:40]
                raise InputError(f"{place(row)}: expected a finite number, found {shown}") from None
    if array.dtype.kind != "f":
        return _integers(array, system, place)
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(f"{place(row)}: expected a finite number, found {array[row]}")
    if float(np.abs(array).max(initial=0)) >= LARGEST_SCORE:
        raise InputError(f"{system}: numbers of 1e300 or more cannot be summed safely")
    # float32 stays what it is, because a score is known to one ulp of its own type only.
    return array if array.dtype.itemsize < 8 else array.astype(np.float64)


class Aligned(NamedTuple):
    """Both systems' units in the order in which they take random words."""

    a: NDArray[Any]
    b: NDArray[Any]
    ids: Sequence[Hashable] | None
    clusters: Sequence[Hashable] | None  # one label per unit


def align(
    a: object,
    b: object,
    ids: object,
    clusters: object,
    convert: Callable[[object, str, Sequence[Hashable] | None], NDArray[Any]],
) -> Aligned:
    """Both systems' units by id, from arrays or mappings {id: row}."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise InputError("a and b: give both as arrays, or both as {id: row}")
    rows, ids, clusters = by_label({"a": a, "b": b}, ids, clusters)
    a, b = rows["a"], rows["b"]
    keys: Sequence[Hashable] | None = None
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if ids is not None:
            raise InputError("id: the keys of a and b are the ids already")
        if clusters is not None and not isinstance(clusters, Mapping):
            raise InputError(
                f"cluster must be {{id: label}}, as a and b are {{id: row}}, "
                f"found {type(clusters).__name__}"
            )
        for one, other, name in ((a, b, "b"), (b, a, "a")):
            refuse_missing(f"{name}: no unit", one, other, "; both systems need the same")
        keys = labels_of("id", list(a), len(a))
        keys = list(_taken(keys, ordered(keys, "id")))
        a, b = [a[key] for key in keys], [b[key] for key in keys]
    rows_a, rows_b = convert(a, "a", keys), convert(b, "b", keys)
    n = len(rows_a)
    if n != len(rows_b):
        raise InputError(f"a has {n} units, b has {len(rows_b)}")
    if ids is not None:
        given = labels_of("id", ids, n)
        order = ordered(given, "id")
        keys = _taken(given, order)
        rows_a, rows_b = rows_a[order], rows_b[order]
        if clusters is not None and not isinstance(clusters, Mapping):
            clusters = _taken(labels_of("cluster", clusters, n), order)
    if isinstance(clusters, Mapping) and keys is not None:
        clusters = in_order(clusters, keys)
    if clusters is not None:
        clusters = labels_of("cluster", clusters, n)
    return Aligned(rows_a, rows_b, keys, clusters)


def check_sums(tables: Iterable[NDArray[np.int64]]) -> None:
    """Refuse what could overflow; in Python's integers, after a look in doubles."""
    for table in tables:
        if len(table) and np.abs(table.astype(np.float64)).sum(axis=0).max() >= LARGEST_SUM:
            raise InputError("the sums of the statistics reach 2^61")


#: The units that can be swapped, finest first, and what a comparison needs for them.
LEVELS = {
    "response": "",
    "conflict": "conflict=, a function from a response to its place, or csig.metrics.spans for "
    "(start, end, label)",
    "key": "gold, a and b as {key: responses}",
    "cluster": "cluster={key: label}",
}

#: Units with a fixed meaning; others can have any name.
RESERVED = frozenset((*LEVELS, "unit"))

#: Columns that count something.
COUNTS = frozenset(("tp", "fp", "fn", "tn", "predicted", "gold", "correct", "items", "words"))


def checked_names(names: object) -> tuple[str, str]:
    """The names of two systems."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be a pair of names, found {names!r}")
    one, other = map(str, names)  # which may be the same: records of earlier versions have such
    return one, other


def checked_level_names(**names: object) -> None:
    """Names of units must differ from those of other units."""
    for argument, name in names.items():
        level = argument.removesuffix("_name")
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{argument} must be a name, found {name!r}")
        if name in RESERVED and name != level:
            raise InputError(f"{argument}: {name!r} is the name of another unit")
    if len(set(names.values())) < len(names):
        raise InputError(f"{' and '.join(names)} must differ")


def checked_columns(columns: object) -> tuple[str, ...]:
    """Names of columns, each once."""
    if isinstance(columns, str):
        columns = (columns,)
    if not isinstance(columns, Iterable):
        raise InputError(f"columns must be names, found {columns!r}")
    names = tuple(columns)
    for index, name in enumerate(names):
        if not isinstance(name, str):
            raise InputError(f"columns[{index}]: expected a name, found {name!r}")
    if not names or len(set(names)) != len(names):
        raise InputError("columns: each needs a name of its own")
    return names


def check_order(
    system: str,
    columns: tuple[str, ...],
    table: NDArray[np.int64],
    ids: Sequence[Hashable] | None,
) -> None:
    """No count is negative, no part more than its whole: columns in the wrong order show here."""
    for column, values in zip(columns, table.T, strict=True):
        if column in COUNTS and len(values) and values.min() < 0:
            row = int(np.argmin(values))
            raise InputError(
                f"{system}: {unit_text(ids, row)}: {column} must not be negative, "
                f"found {values[row]}"
            )
    for part, total in (("tp", "predicted"), ("tp", "gold"), ("correct", "items")):
        if part not in columns or total not in columns:
            continue
        some, most = (table[:, columns.index(column)] for column in (part, total))
        wrong = np.flatnonzero(some > most)
        if len(wrong):
            row = int(wrong[0])
            raise InputError(
                f"{system}: {unit_text(ids, row)}: {part} is {some[row]}, more than {total}, "
                f"{most[row]}; are the columns in the right order?"
            )


def check_same(
    columns: tuple[str, ...],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    ids: Sequence[Hashable] | None,
) -> None:
    """The gold belongs to the test data: it is the same for both systems."""
    if "gold" not in columns:
        return
    mine, other = (table[:, columns.index("gold")] for table in (a, b))
    wrong = np.flatnonzero(mine != other)
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{unit_text(ids, row)}: gold is {mine[row]} for a and {other[row]} for b, but both "
            f"were tested on the same data; are the rows in the same order?"
        )
