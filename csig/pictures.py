"""What every picture needs of matplotlib, the extra ``plot``: one house style, in SVG, PNG and PDF.

Pictures are the same everywhere, whatever the user's settings are. Colours keep apart for people
who see no red or no green, and in grey; nothing is said by colour alone.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

from csig.errors import InputError
from csig.wording import clean, listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

__all__ = [
    "COLOURS",
    "FAINT",
    "INK",
    "KINDS",
    "LINES",
    "MUTED",
    "PAGE",
    "SMALL",
    "axes_for",
    "bytes_of",
    "check_axes",
    "drawing",
    "kind_of",
    "name_rows",
    "need_matplotlib",
    "new_figure",
    "plain",
    "short",
    "styled",
    "svg_of",
]

#: Of lines and letters; of what is said beside; of grids and zero lines.
INK, MUTED, FAINT = "#222222", "#666666", "#c8c8c8"

#: Colours of systems, in turn. The lightness of every one differs from the others', so that they
#: keep apart in grey, and blue against orange and yellow for those who see no red or no green.
COLOURS = ("#1f3b73", "#d97b29", "#74b3e3", "#7a4a6d", "#e9cf5a", "#3b7d6a")

#: Lines of systems, in turn with the colours.
LINES = ("solid", "dashed", "dashdot", "dotted", (0, (6, 1, 1, 1, 1, 1)), (0, (2, 1)))

#: The width of a page's picture, in inches; the size of small letters, in points.
PAGE, SMALL = 6.4, 8.0

#: What a picture can be written as.
KINDS = ("png", "svg", "pdf")

#: Dots per inch of a PNG, and of what is too much for lines in an SVG or a PDF.
DPI = 200

#: Characters of a name.
LENGTH = 40

#: matplotlib's own font, which every copy of it has.
FONT = "DejaVu Sans"

#: Fonts that have what it lacks, where one of them is installed.
OTHERS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Droid Sans Fallback", "Microsoft YaHei", "SimHei", "PingFang SC",
    "Hiragino Sans", "Yu Gothic", "Malgun Gothic", "Apple SD Gothic Neo", "NanumGothic",
    "Noto Sans", "Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai",
    "Nirmala UI", "Leelawadee UI", "Arial Unicode MS", "FreeSans", "Noto Emoji", "Symbola",
    "Segoe UI Emoji", "Unifont",
)  # fmt: skip


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


def kind_of(path: str) -> str:
    """What a picture is written as, by the suffix of its file.

    >>> kind_of("figure.PDF")
    'pdf'
    """
    suffix = os.path.splitext(path)[1].lower().removeprefix(".")
    if suffix not in KINDS:
        found = f"found .{clean(suffix)}" if suffix else "found none"
        known = listed([f".{own}" for own in KINDS], "or")
        raise InputError(f"{clean(path)}: a picture is written as {known}, by its suffix; {found}")
    return suffix


# ---- words -------------------------------------------------------------------------------------


def short(name: object, length: int = LENGTH) -> str:
    r"""A name on one line, the middle of a long one left out.

    >>> short("runs/2024/model-a/checkpoint-10000", 20), short("a\nb")
    ('runs/2024/…int-10000', 'a\\nb')
    """
    text = clean(str(name))
    if len(text) <= length:
        return text
    end = length // 2 - 1
    return f"{text[: length - end - 1]}…{text[-end:]}"


@cache
def _characters(font: str) -> frozenset[int]:
    """What a font can show; nothing where it is not installed."""
    from matplotlib.font_manager import findfont, get_font

    try:
        path = findfont(font, fallback_to_default=False)
    except ValueError:
        return frozenset()
    return frozenset(get_font(path).get_charmap())


@cache
def _installed() -> frozenset[str]:
    from matplotlib.font_manager import fontManager

    return frozenset(entry.name for entry in fontManager.ttflist)


@cache
def _fonts_for(character: str) -> tuple[str, ...]:
    """The font that has a character which matplotlib's own lacks; none where none is known."""
    for font in OTHERS:
        if font in _installed() and ord(character) in _characters(font):
            return (font,)
    return ()


def _lacking(words: str) -> list[str]:
    """The characters that matplotlib's font lacks."""
    known = _characters(FONT)
    return [c for c in dict.fromkeys(words) if ord(c) not in known and c != "\n"]


def plain(text: Any) -> Text:
    """A text as it is: a dollar sign is one, and letters come from fonts that have them."""
    found: Text = text
    found.set_parse_math(False)
    found.set_usetex(False)
    lacking = _lacking(found.get_text())
    if lacking:
        own = list(found.get_fontfamily())
        others = dict.fromkeys(font for c in lacking for font in _fonts_for(c))
        found.set_fontfamily(list(dict.fromkeys([*own, FONT, *others])))
    return found


@contextmanager
def drawing(words: str) -> Iterator[None]:
    """Draw the same picture everywhere, whatever the settings here are, and these words in it.

    Letters become outlines, so that an SVG needs nothing from outside. Words with characters
    that the font lacks stay text, which the reader's browser shows in a font that has them.
    """
    from matplotlib import style

    # Right-to-left letters are put in their order by browsers, and by few matplotlibs.
    drawable = not _lacking(words) and not any(bidirectional(c) in ("R", "AL") for c in words)
    settings = {
        "svg.hashsalt": "csig",
        "svg.fonttype": "path" if drawable else "none",
        "pdf.fonttype": 42,  # letters that can be searched and copied
        "font.family": [FONT, "sans-serif"],
        "font.sans-serif": [FONT],
        "font.size": 9.0,
        "axes.titlesize": 9.0,
        "axes.labelsize": 9.0,
        "axes.edgecolor": MUTED,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "hatch.linewidth": 0.6,
    }
    with style.context(["default", settings]), warnings.catch_warnings():
        # Where names leave no room for a picture there is no more to say.
        warnings.filterwarnings("ignore", "constrained_layout not applied")
        if not drawable:
            warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from")
        yield


# ---- figures -----------------------------------------------------------------------------------


def new_figure(width: float = PAGE, height: float = 2.6) -> Figure:
    """A figure that pyplot knows nothing of, in inches."""
    need_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


@cache
def _shown_axes() -> type[Axes]:
    from matplotlib.axes import Axes

    class ShownAxes(Axes):  # type: ignore[misc,unused-ignore]  # Any without matplotlib
        """Axes that a notebook shows where a cell ends with them."""

        def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
            figure: Any = self.figure
            width, height = (int(96 * inches) for inches in figure.get_size_inches())
            return bytes_of(figure, "png"), {"width": width, "height": height}

    return ShownAxes


def check_axes(ax: Any) -> Axes:
    """What can be drawn on."""
    if not hasattr(ax, "set_xlabel") or not hasattr(ax, "figure"):
        raise InputError(f"ax must be matplotlib's Axes, found {type(ax).__name__}")
    found: Axes = ax
    return found


@contextmanager
def axes_for(
    ax: Axes | None, words: Sequence[str], width: float = PAGE, height: float = 2.6
) -> Iterator[Axes]:
    """The axes that are given; else new ones in the house style, on a figure of their own.

    Parameters
    ----------
    ax : Axes or None
        What to draw on. What is not drawn by csig keeps the settings that it has.
    words : sequence of str
        What will be written on new ones.
    width, height : float
        Of a new figure, in inches.
    """
    need_matplotlib()
    if ax is not None:
        yield check_axes(ax)
        return
    with drawing("".join(words)):
        axes = new_figure(width, height).add_subplot(axes_class=_shown_axes())
        yield axes
        # Ticks are made when they are drawn, by the settings of that time.
        axes.tick_params(labelsize=SMALL, labelcolor=INK, color=MUTED, labelfontfamily=FONT)


def name_rows(axes: Axes, places: Sequence[float], labels: Sequence[str]) -> None:
    """Labels of rows, at the left."""
    from matplotlib.ticker import FixedFormatter, FixedLocator

    axes.yaxis.set_major_locator(FixedLocator(places))
    axes.yaxis.set_major_formatter(FixedFormatter(labels))
    for text in (*axes.get_yticklabels(), *(tick.label2 for tick in axes.yaxis.get_major_ticks())):
        plain(text)
    axes.tick_params(axis="y", length=0)


def styled(axes: Axes, *, left: bool = True) -> Axes:
    """Axes without a box around them."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines["left"].set_visible(left)
    return axes


# ---- files -------------------------------------------------------------------------------------


def svg_of(figure: Figure) -> str:
    """A figure as SVG, without an address of a vocabulary or a date."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    canvas.print_svg(buffer, metadata=none)
    svg = buffer.getvalue()
    return svg[svg.index("<svg") :]


#: Letters are not made smaller than this to fit, in points.
SMALLEST = 4.0


@contextmanager
def _fitting(figure: Figure) -> Iterator[None]:
    """Titles and labels of axes with letters that are small enough for the figure."""
    from matplotlib.text import Text

    figure.draw_without_rendering()  # which lays it out
    whole: Any = figure.bbox
    before = []
    for axes in figure.axes:
        titles = [own for own in axes.get_children() if type(own) is Text]
        for own in (axes.xaxis.label, axes.yaxis.label, *titles):
            text: Any = own
            if not text.get_text():
                continue
            box = text.get_window_extent()
            over = max(box.x1 - whole.x1, whole.x0 - box.x0, 0)
            up = max(box.y1 - whole.y1, whole.y0 - box.y0, 0)
            ends = 1 if text.get_ha() == "left" else 2  # at which letters can give way
            across = 1 - ends * over / box.width if over > 1 else 1.0
            along = 1 - 2 * up / box.height if up > 1 else 1.0
            size = text.get_fontsize()
            if min(across, along) < 1:
                before.append((text, size))
                text.set_fontsize(max(SMALLEST, 0.98 * size * min(across, along)))
    yield
    for text, size in before:
        text.set_fontsize(size)


def _by_number(words: str) -> str:
    """What no font here has is written by its number: boxes would all look the same."""
    lacking = "".join(c for c in _lacking(words) if not _fonts_for(c))
    return re.sub(f"[{re.escape(lacking)}]+", _numbers, words) if lacking else words


def _numbers(run: re.Match[str]) -> str:
    """The numbers of some letters: of many the first and the last."""
    codes = [c.encode("unicode_escape").decode("ascii") for c in run[0]]
    return "".join(codes) if len(codes) < 4 else f"{codes[0]}…{codes[-1]}"


@contextmanager
def _spelt(figure: Figure, texts: Sequence[Any]) -> Iterator[None]:
    """All words of a figure, such as the fonts here can show."""
    from matplotlib.ticker import FixedFormatter

    before = [(text, text.get_text()) for text in texts]
    formatters = [
        own.get_major_formatter() for axes in figure.axes for own in (axes.xaxis, axes.yaxis)
    ]
    ticks = [(own, own.seq) for own in formatters if isinstance(own, FixedFormatter)]
    for own, labels in ticks:
        own.seq = [_by_number(str(label)) for label in labels]
    for text, words in before:
        if (spelt := _by_number(words)) != words:
            text.set_text(spelt)
    yield
    for own, labels in ticks:
        own.seq = labels
    for text, words in before:
        if text.get_text() != words:
            text.set_text(words)


def bytes_of(figure: Figure, kind: str) -> bytes:
    """A figure as a file: the same bytes for the same figure, without a date.

    Parameters
    ----------
    figure : Figure
        Drawn within :func:`drawing`.
    kind : {"png", "svg", "pdf"}
        What it is written as.
    """
    from matplotlib.text import Text

    texts: list[Any] = figure.findobj(Text)
    with drawing("".join(text.get_text() for text in texts)):
        if kind == "svg":
            with _fitting(figure):
                return svg_of(figure).encode()
        none = {"png": ["Software"], "pdf": ["Creator", "Producer", "CreationDate"]}[kind]
        buffer = io.BytesIO()
        with _spelt(figure, texts), _fitting(figure):
            figure.savefig(buffer, format=kind, dpi=DPI, metadata=dict.fromkeys(none))
        return buffer.getvalue()
