"""What every public result shows of itself: in a session, in a notebook, in a script.

A result is a frozen record, far below the reports. `Shown` gives it a line for ``repr``, the text
of the terminal for ``str``, and every format of the reports. It reaches the reports by one import
at run time, of `csig.report.shown`, when they are asked for: no module here knows them, and a
script that prints no result does not load them.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import ModuleType
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from csig.base.errors import InputError
from csig.base.validation import one_of
from csig.base.wording import clean

#: What a result can be rendered as, as the command line's -f.
Format: TypeAlias = Literal["text", "markdown", "latex", "csv", "json", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)

#: What makes data frames.
Library: TypeAlias = Literal["pandas", "polars"]
LIBRARIES: tuple[Library, ...] = get_args(Library)

#: Columns of the line that ``repr`` gives, at most.
WIDTH = 100


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, of whatever arrays they are made; NaN is NaN."""
    if type(one) is not type(other):
        return False
    if hasattr(one, "dtype"):
        import numpy as np  # which whoever has arrays has imported

        return one.dtype == other.dtype and bool(
            np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
        )
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    return bool(one == other or (one != one and other != other))


class Shown:
    """A result that can show itself; its classes say in `_line` what the line of ``repr`` is.

    The builder of its document is registered in the module ``report`` of the folder of its class,
    or in the one that the class names, ``class Breakdown(Shown, report="csig.comparing.report")``.
    What can be drawn of it says the table ``KINDS`` in the module ``pictures`` beside that.
    """

    __slots__ = ()

    #: The module in which the builder of its document is registered.
    _report_in: ClassVar[str] = ""
    #: The pictures that `plot` of the class draws itself.
    _pictures: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, report: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        folder = cls.__module__.rpartition(".")[0]
        if report or folder.startswith("csig."):
            cls._report_in = report or f"{folder}.report"

    def _line(self) -> str:
        """What ``repr`` says behind the name of the class: what, the number, p."""
        raise NotImplementedError

    def __repr__(self) -> str:
        text = f"<{type(self).__name__} {clean(self._line())}>"
        return text if len(text) <= WIDTH else f"{text[: WIDTH - 4]}...>"

    def __str__(self) -> str:
        return self._rendered("text").rstrip("\n")

    def _repr_html_(self) -> str:
        page: str = _report().notebook(self)
        return page

    def summary(
        self,
        format: Format = "text",
        *,
        explain: bool = False,
        cite: bool = False,
        width: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """The result as the command line prints it.

        Parameters
        ----------
        format : {"text", "markdown", "latex", "csv", "json", "html"}
            As ``-f`` of the command line.
        explain : bool
            Whether to say what the numbers mean, as ``--explain``.
        cite : bool
            Whether to add a methods sentence and the references, as ``--cite``;
            what :func:`csig.compare` returns has them.
        width : int, optional
            Columns of the text; by default 90, wherever it is printed.
        caption, label : str, optional
            Of the first table in LaTeX; by default the title and ``tab:csig-...``.

        Returns
        -------
        str
            Ending in a newline.

        Raises
        ------
        InputError
            For another format, a width that is no number of columns, or a label that LaTeX
            does not take.

        Examples
        --------
        >>> import csig
        >>> c = csig.Comparison.from_scores([1, 1, 1, 0], [0, 1, 0, 0])
        >>> result = csig.randomization_test(c, "mean")
        >>> result
        <RandomizationResult mean: A - B = +50.00 points, p = 0.500 (exact, 2 items)>
        """
        return self._rendered(
            format, explain=explain, cite=cite, width=width, caption=caption, label=label
        )

    def _rendered(self, format: Format, **choice: Any) -> str:
        """The result in a format; of `choice` the builder of its document has what is its own."""
        one_of("format", format, FORMATS)
        text: str = _report().rendered(self, format, **choice)
        return text

    def to_dict(self) -> dict[str, Any]:
        """The record that ``summary("json")`` writes, as Python objects."""
        return dict(_report().document_of(self).record())

    def to_frame(self, library: Library | None = None) -> Any:
        """The results as a data frame, one row each.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            What makes the frame; by default the one that the program has imported already, else
            the one that is installed, pandas first.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            With the columns of ``summary("csv")``.

        Raises
        ------
        InputError
            If neither is installed, or not the one that was asked for.
        """
        return as_frame(_report().document_of(self).rows, library)

    def plot(self, kind: str | None = None, *, ax: Any = None, **options: Any) -> Any:
        """Draw the result.

        Parameters
        ----------
        kind : str, optional
            Which picture, where there are several; by default the one that says most.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        **options
            What the picture takes: docs/python.md.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If there is no such picture of this result, or matplotlib (the extra ``plot``) is not
            installed.
        """
        return _report().plotted(self, kind, ax=ax, **options)


class ShownArrays(Shown):
    """A result with arrays: equal to one of its class whose fields and elements are."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.compare
        )

    def __hash__(self) -> int:
        return hash(repr(self))


class ShownRows(Shown):
    """What is shown as the rows that programs have of it: a pair, a check, what was compared."""

    __slots__ = ()

    def _line(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self._rows()[0].items())

    def _called(self) -> str:
        return type(self).__name__

    def _rows(self) -> list[dict[str, Any]]:
        """By default one, of all public fields; with arrays one for each of their elements."""
        return [{own.name: getattr(self, own.name) for own in fields(self)  # type: ignore[arg-type]
                 if not own.name.startswith("_")}]  # fmt: skip


R = TypeVar("R", bound=Shown)


class ShownTuple(ShownRows, tuple[R, ...]):
    """Results of one kind, such as all pairs of systems: a tuple that shows itself as their rows.

    Examples
    --------
    >>> import csig
    >>> found = csig.compare_systems({"a": [1] * 9, "b": [1] * 8 + [0], "c": [0] * 9})
    >>> len(found.pairs), found.pairs[0].better, found.pairs[1].better
    (3, None, 'a')
    """

    __slots__ = ()

    def _line(self) -> str:
        return f"{self._called()}: {self[0]._line()}" if self else "empty"

    def _called(self) -> str:
        """In words, for a caption: System pair (15)."""
        kind = type(self[0]).__name__ if self else "result"
        words = re.sub("(?<=[a-z])(?=[A-Z])", " ", kind).capitalize()
        return f"{words} ({len(self):,})"

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(row) for own in self for row in _report().document_of(own).rows]


def _report() -> ModuleType:
    return importlib.import_module("csig.report.shown")


def as_frame(rows: Sequence[Mapping[str, Any]], library: Library | None = None) -> Any:
    """A data frame of rows with the same keys; see `Shown.to_frame`."""
    if library is not None:
        one_of("library", library, LIBRARIES)
    wanted = [library] if library else sorted(LIBRARIES, key=lambda name: name not in sys.modules)
    for name in wanted:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        # polars looks at the first rows only, unless it is told.
        options = {"infer_schema_length": None} if name == "polars" else {}
        return module.DataFrame(list(rows), **options)
    what = library or " or ".join(LIBRARIES)
    raise InputError(f"a data frame needs {what}: pip install {library or LIBRARIES[0]}")
