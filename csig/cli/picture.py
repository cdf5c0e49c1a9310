"""``--plot``: the picture of a comparison, as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from csig.cli.options import path_option
from csig.cli.sink import OutputFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PLOT", "picture_at", "plot_option"]

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


def plot_option(what: str) -> Callable[[_F], _F]:
    """Where the picture goes."""
    return path_option(
        "--plot", "plot_path", help=f"Draw {what}: a file that ends in .png, .svg or .pdf."
    )


PLOT = plot_option(
    "the differences with their intervals, and where each lies among those of the shuffles"
)


@contextmanager
def picture_at(
    path: str | None, inputs: Iterable[str], figure_of: Callable[[Any], Figure] | None = None
) -> Iterator[Callable[[_T], _T]]:
    """Give a function that draws what was found (a page of a comparison) and gives it back.

    The kind of file, that it can be written, and that matplotlib is there is checked before the
    work.
    """
    if path is None:
        yield lambda found: found
        return
    from csig.pictures import bytes_of, kind_of, need_matplotlib

    kind = kind_of(path)
    need_matplotlib()
    with OutputFile(path, inputs, "picture") as file:

        def draw(found: _T) -> _T:
            if figure_of is None:
                from csig.report.plots.pages import page

                drawn = page(found)  # type: ignore[arg-type]
            else:
                drawn = figure_of(found)
            file.write(bytes_of(drawn, kind))
            return found

        yield draw
