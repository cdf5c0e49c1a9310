"""What every picture needs of matplotlib, the extra ``plot``: the same lines everywhere, as SVG."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from csig.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["drawing", "need_matplotlib", "svg_of"]


def need_matplotlib() -> None:
    """Refuse at once, not after the work, where matplotlib is missing."""
    # Which windows matplotlib would open is nothing to these pictures, and a name there that it
    # does not know would end its import.
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'csig-stats[plot]'") from None
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


#: matplotlib's own font, which every copy of it has.
FONT = "DejaVu Sans"


def _drawable(words: str) -> bool:
    """Whether the font has all characters."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont(FONT)).get_charmap()
    return all(ord(character) in known for character in words)


@contextmanager
def drawing(words: str) -> Iterator[None]:
    """Draw the same picture everywhere, whatever the settings here are, and these words in it.

    Letters become outlines, so that the picture needs nothing from outside. Words with characters
    that the font lacks stay text, which the reader's browser shows in a font that has them.
    """
    from matplotlib import style

    drawable = _drawable(words)
    settings = {
        "svg.hashsalt": "csig",
        "svg.fonttype": "path" if drawable else "none",
        "font.family": [FONT, "sans-serif"],
        "font.sans-serif": [FONT],
        "font.size": 9.0,
    }
    with style.context(["default", settings]), warnings.catch_warnings():
        if not drawable:  # of which there is nothing to say
            warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from")
        yield


def svg_of(figure: Figure) -> str:
    """A figure as SVG, without an address of a vocabulary or a date."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    canvas.print_svg(buffer, metadata=none)
    svg = buffer.getvalue()
    return svg[svg.index("<svg") :]
