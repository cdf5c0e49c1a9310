"""``--plot``: the picture of a comparison, as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from csig.cli.options import path_option
from csig.cli.sink import OutputFile

if TYPE_CHECKING:
    from csig.report.summary import Summary
    from csig.report.systems import Systems

    Draw: TypeAlias = Callable[[Summary | Systems], Summary | Systems]

__all__ = ["PLOT", "picture_at"]

#: Where the picture goes.
PLOT = path_option(
    "--plot",
    "plot_path",
    help="Draw the differences with their intervals, and where each lies among those of the "
    "shuffles: a file that ends in .png, .svg or .pdf.",
)


@contextmanager
def picture_at(path: str | None, inputs: Iterable[str]) -> Iterator[Draw]:
    """Give a function that draws what was found and gives it back; none without a path.

    Parameters
    ----------
    path : str or None
        The file; what it is written as, that it can be written, and that matplotlib is there is
        checked before the work.
    inputs : iterable of str
        Files that must not be overwritten.

    Raises
    ------
    InputError
        For another suffix, without matplotlib, or where the file cannot be written.
    """
    if path is None:
        yield lambda found: found
        return
    from csig.pictures import bytes_of, kind_of, need_matplotlib

    kind = kind_of(path)
    need_matplotlib()
    with OutputFile(path, inputs, "picture") as file:

        def draw(found: Summary | Systems) -> Summary | Systems:
            from csig.report.plots.pages import page

            file.write(bytes_of(page(found), kind))
            return found

        yield draw
