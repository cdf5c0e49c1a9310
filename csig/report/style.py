"""What every picture needs of matplotlib, the extra ``plot``: one house style, in SVG, PNG and PDF.

Pictures are the same everywhere, whatever the user's settings are. Colours keep apart for people
who see no red or no green, and in grey; nothing is said by colour alone.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional, east_asian_width

from csig.base.errors import InputError, warn
from csig.base.wording import clean, figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

#: Of lines and letters; of what is said beside; of grids and zero lines.
INK, MUTED, FAINT = "#222222", "#666666", "#c8c8c8"

#: Colours of systems, in turn. The lightness of every one differs from the others', so that they
#: keep apart in grey, and blue against orange and yellow for those who see no red or no green.
COLOURS = ("#1f3b73", "#d97b29", "#74b3e3", "#7a4a6d", "#e9cf5a", "#3b7d6a")

#: Lines and marks of systems, in turn with the colours.
LINES = ("solid", "dashed", "dashdot", "dotted", (0, (6, 1, 1, 1, 1, 1)), (0, (2, 1)))
MARKS = ("o", "s", "^", "D", "v", "P")

#: The width of a page's picture, in inches; the size of small letters, in points.
PAGE, SMALL = 6.4, 8.0

#: Dots per inch of a PNG, and of what is too much for lines in an SVG or a PDF.
DPI = 200

#: Letters are not made smaller than this to fit, in points.
SMALLEST = 4.0

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
    """What a picture is written as, by the suffix of its file."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in (".png", ".svg", ".pdf"):
        raise InputError(
            f"{clean(path)}: a picture is written as .png, .svg or .pdf, by its suffix; found "
            f"{clean(suffix) or 'none'}"
        )
    return suffix[1:]


def short(name: object, length: int = 40) -> str:
    r"""A name on one line, the middle of a long one left out."""
    text = clean(str(name))
    if len(text) <= length:
        return text
    end = length // 2 - 1
    return f"{text[: length - end - 1]}…{text[-end:]}"


@cache
def _characters(path: str) -> frozenset[int]:
    """What the font in a file can show; nothing where it cannot be drawn in every size."""
    from matplotlib.font_manager import get_font

    try:
        font = get_font(path)
        return frozenset(font.get_charmap()) if font.scalable else frozenset()
    except (OSError, RuntimeError):
        return frozenset()


@cache
def installed() -> dict[str, str]:
    """The files of all upright fonts by their names, matplotlib's own and good ones first."""
    need_matplotlib()
    from matplotlib.font_manager import findSystemFonts, fontManager

    # matplotlib keeps a list of fonts, which lacks those that were installed after it was made.
    for path in sorted(set(findSystemFonts()) - {own.fname for own in fontManager.ttflist}):
        with suppress(OSError, RuntimeError):
            fontManager.addfont(path)
    known = {own.name: own.fname for own in reversed(fontManager.ttflist)
             if own.style == "normal" and own.weight in (400, "normal", "regular")
             and not own.name.startswith("Last Resort")}  # fmt: skip
    return {name: known[name] for name in (FONT, *OTHERS, *sorted(known)) if name in known}


@cache
def font_for(character: str) -> str | None:
    """An installed font that has a character which matplotlib's own lacks."""
    known = installed().items()
    return next((font for font, path in known if ord(character) in _characters(path)), None)


def _lacking(words: str) -> list[str]:
    """The characters that matplotlib's font lacks."""
    if words.isascii():
        return []
    known = _characters(installed()[FONT])
    return [c for c in dict.fromkeys(words) if ord(c) not in known and c != "\n"]


def plain(text: Any) -> Text:
    """A text as it is: a dollar sign is one, and letters come from fonts that have them."""
    result: Text = text
    result.set_parse_math(False)
    result.set_usetex(False)
    lacking = _lacking(result.get_text())
    if lacking:
        fonts = [*result.get_fontfamily(), FONT, *filter(None, map(font_for, lacking))]
        result.set_fontfamily(list(dict.fromkeys(fonts)))
    return result


@contextmanager
def drawing(words: str) -> Iterator[None]:
    """Draw the same picture everywhere, whatever the settings here are, and these words in it."""
    from matplotlib import style

    # Letters become outlines, so that an SVG needs nothing from outside; words with characters that
    # the font lacks stay text, for a font of the reader's browser, and so do right-to-left letters,
    # which browsers put in their order, and few matplotlibs.
    drawable = not _lacking(words) and not any(bidirectional(c) in ("R", "AL") for c in words)
    settings = {
        "svg.hashsalt": "csig",
        "svg.fonttype": "path" if drawable else "none",
        "pdf.fonttype": 42,  # letters that can be searched and copied
        "font.family": [FONT, "sans-serif"],
        "font.sans-serif": [FONT],
        "hatch.linewidth": 0.6,
        **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 9.0),
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), SMALL),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), MUTED),
        **dict.fromkeys(("text.color", "axes.labelcolor"), INK),
        **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), INK),
    }
    with style.context(["default", settings]), warnings.catch_warnings():
        # Where names leave no room for a picture there is no more to say.
        warnings.filterwarnings("ignore", "constrained_layout not applied")
        if not drawable:
            warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from")
        yield


def new_figure(width: float = PAGE, height: float = 2.6) -> Figure:
    """A figure that pyplot knows nothing of, in inches."""
    need_matplotlib()
    return _shown_figure()(figsize=(width, height), layout="constrained")


@cache
def _shown_figure() -> type[Figure]:
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    class ShownFigure(Figure):  # type: ignore[misc,unused-ignore]  # Any without matplotlib
        """A figure whose words can be read in every file, whoever writes it."""

        def savefig(self, fname: Any, **options: Any) -> None:
            suffix = os.path.splitext(fname)[1][1:] if isinstance(fname, (str, os.PathLike)) else ""
            kind = options.get("format") or suffix or rcParams["savefig.format"]
            _save(self, kind.lower(), lambda: super(ShownFigure, self).savefig(fname, **options))

    return ShownFigure


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
    axes: Axes = ax
    return axes


@contextmanager
def axes_for(
    ax: Axes | None, words: Sequence[str], width: float = PAGE, height: float = 2.6
) -> Iterator[Axes]:
    """The axes that are given, with the settings that they have; else new ones for these words."""
    need_matplotlib()
    if ax is not None:
        yield check_axes(ax)
        return
    with drawing("".join(words)):
        axes = new_figure(width, height).add_subplot(axes_class=_shown_axes())
        # Ticks are made when they are drawn, by the settings of that time.
        axes.tick_params(labelsize=SMALL, labelcolor=INK, color=MUTED, labelfontfamily=FONT)
        yield axes


def name_rows(axes: Axes, places: Sequence[float], labels: Sequence[str]) -> None:
    """Labels of rows, at the left."""
    from matplotlib.ticker import FixedFormatter, FixedLocator

    axes.yaxis.set_major_locator(FixedLocator(places))
    axes.yaxis.set_major_formatter(FixedFormatter(labels))
    for text in (*axes.get_yticklabels(), *(tick.label2 for tick in axes.yaxis.get_major_ticks())):
        plain(text)
    axes.tick_params(axis="y", length=0)


def width_of(text: str, size: float) -> float:
    """About the width of a text in points, rather too large than too small."""
    total = 0.0
    for c in text if text.isascii() else _by_number(text):
        if east_asian_width(c) in "WF":
            total += 1.05
        elif c in "il|.,:;'!()[]{} jftr1-":
            total += 0.42
        else:
            total += 0.95 if c in "mwMW@%…" else 0.75 if c.isupper() else 0.65
    return total * size


@cache
def _apart() -> Callable[[], tuple[Any, Any]]:
    """Makes what places and what prints the numbers of an axis."""
    import numpy as np
    from matplotlib.ticker import Formatter, MaxNLocator

    class Printed(Formatter):  # type: ignore[misc,unused-ignore]  # Any without matplotlib
        """Numbers as tables have them."""

        def format_ticks(self, values: Sequence[float]) -> list[str]:
            own = figures([value for value in values if value])
            texts = [re.sub(r"\.?0+e", "e", own.score(value)) for value in values]
            return [text.replace("-", "\N{MINUS SIGN}") for text in texts]

        def __call__(self, x: float, _: int | None = None) -> str:
            return figures([x]).score(x)

    class Apart(MaxNLocator):  # type: ignore[misc,unused-ignore]
        """As many round numbers as stand apart."""

        def tick_values(self, vmin: float, vmax: float) -> Any:
            axes: Any = self.axis.axes  # type: ignore[union-attr,unused-ignore]
            room = 72 * axes.bbox.width / axes.figure.dpi
            for most in range(7, 0, -1):
                self.set_params(nbins=most)
                ticks = np.asarray(super().tick_values(vmin, vmax))
                seen = ticks[(ticks >= vmin) & (ticks <= vmax)]
                widths = [
                    width_of(text, SMALL) + 4 for text in Printed().format_ticks(seen.tolist())
                ]
                if len(seen) < 2 or max(widths) <= (seen[1] - seen[0]) / (vmax - vmin) * room:
                    return ticks
            return seen[:1]

    return lambda: (Apart(steps=[1, 2, 2.5, 5, 10]), Printed())


def numbered(axes: Axes) -> None:
    """Numbers below axes that do not run together, with the digits of tables."""
    locator, formatter = _apart()()
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(formatter)


def legend(axes: Axes | Figure, entries: Sequence[tuple[Any, str]], **options: Any) -> Legend:
    """A legend without a frame; by default above the axes, whose data it must not hide."""
    place = {} if "loc" in options else {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    # Labels that begin with an underscore would be left out.
    unnamed = {"handles": [drawn for drawn, _ in entries], "labels": [" "] * len(entries)}
    result: Legend = axes.legend(
        **{"frameon": False, "borderaxespad": 0, **place, **unnamed, **options}
    )
    for text, (_, name) in zip(result.get_texts(), entries, strict=True):
        text.set_text(name)
        plain(text)
    return result


def styled(axes: Axes, *, left: bool = True) -> Axes:
    """Axes without a box around them."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines["left"].set_visible(left)
    return axes


def _by_number(words: str) -> str:
    """What no font here has is written by its number: boxes would all look the same."""

    def numbers(run: re.Match[str]) -> str:
        codes = [c.encode("unicode_escape").decode("ascii") for c in run[0]]
        return "".join(codes) if len(codes) < 4 else f"{codes[0]}…{codes[-1]}"

    lacking = "".join(c for c in _lacking(words) if font_for(c) is None)
    return re.sub(f"[{re.escape(lacking)}]+", numbers, words) if lacking else words


def bytes_of(figure: Figure, kind: str) -> bytes:
    """A figure as "png", "svg" or "pdf": the same bytes for the same figure, without a date."""
    from matplotlib.figure import Figure

    unsaid = {
        "png": ["Software"],
        "pdf": ["Creator", "Producer", "CreationDate"],
        "svg": ["Date", "Creator", "Format", "Type"],
    }[kind]
    buffer = io.BytesIO()
    options: Any = {"format": kind, "dpi": DPI, "metadata": dict.fromkeys(unsaid)}
    _save(figure, kind, lambda: Figure.savefig(figure, buffer, **options))
    data = buffer.getvalue()
    # Without the declaration, and the address of a vocabulary.
    return _thinned(data[data.index(b"<svg") :]) if kind == "svg" else data


def _save(figure: Figure, kind: str, write: Callable[[], object]) -> None:
    """Write a figure with words that fit it, and that the fonts here can show, if they must."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter

    texts: list[Any] = figure.findobj(Text)
    words = "".join(text.get_text() for text in texts)
    before: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
    with drawing(words):
        if kind != "svg":  # words that the fonts here can show
            for axis in (own for axes in figure.axes for own in (axes.xaxis, axes.yaxis)):
                ticks: Any = axis.get_major_formatter()
                if isinstance(ticks, FixedFormatter):
                    shown = [_by_number(str(label)) for label in ticks.seq]
                    if shown != list(ticks.seq) and figure.get_figwidth() < 5:  # longer words
                        lengths = (max(map(len, own), default=1) for own in (ticks.seq, shown))
                        size: Any = axis.get_major_ticks()[0].label1.get_fontsize()
                        before.append((partial(axis.set_tick_params, labelsize=size), ()))
                        fitted = size * max(0.6, next(lengths) / next(lengths))
                        axis.set_tick_params(labelsize=fitted)
                    before.append((setattr, (ticks, "seq", ticks.seq)))
                    ticks.seq = shown
            for text in texts:
                own = text.get_text()
                if _by_number(own) != own:
                    before.append((text.set_text, (own,)))
                    text.set_text(_by_number(own))
        figure.draw_without_rendering()  # which lays it out
        whole: Any = figure.bbox
        for axes in figure.axes:  # titles and labels that fit the figure
            titles: list[Any] = [own for own in axes.get_children() if type(own) is Text]
            for text in (axes.xaxis.label, axes.yaxis.label, *titles):
                if not text.get_text():
                    continue
                box = text.get_window_extent()
                over = max(box.x1 - whole.x1, whole.x0 - box.x0)
                up = max(box.y1 - whole.y1, whole.y0 - box.y0)
                ends = 1 if text.get_ha() == "left" else 2  # at which letters can give way
                across = 1 - ends * over / box.width if over > 1 else 1.0
                along = 1 - 2 * up / box.height if up > 1 else 1.0
                if min(across, along) < 1:
                    size = text.get_fontsize()
                    before.append((text.set_fontsize, (size,)))
                    text.set_fontsize(max(SMALLEST, 0.98 * size * min(across, along)))
        write()
        for put, values in reversed(before):
            put(*values)
    missing = [c for c in _lacking(words) if font_for(c) is None]
    if missing and kind != "svg":  # which leaves them to the fonts of its reader
        warn(
            f"no font here has {''.join(missing[:8])}{'…' * (len(missing) > 8)}: the picture shows "
            "their numbers; install one that has them, such as Noto Sans",
            UserWarning,
        )


def _thinned(svg: bytes) -> bytes:
    """The same picture in fewer bytes, where no word in it is text."""
    if b"<text" in svg:
        return svg
    text = re.sub("^ +", "", svg.decode(), flags=re.MULTILINE)
    text = re.sub(r'transform="translate\((\S+?) 0\)"/>', r'x="\1"/>', text)  # of letters
    text = text.replace('"#DejaVuSans-', '"#D-').replace('id="DejaVuSans-', 'id="D-')

    def path(match: re.Match[str]) -> str:
        (x, y), parts = ("", ""), []
        for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", match[1]):
            points = [f"{float(own):.2f}".rstrip("0").rstrip(".") for own in numbers.split()]
            if command == "L" and points[0] == x:
                parts.append(f"V{points[1]}")
            elif command == "L" and points[1] == y:
                parts.append(f"H{points[0]}")
            else:
                parts.append(command + " ".join(points))
            *_, x, y = points or ("", "")
        return f' d="{"".join(parts)}"'

    return re.sub(r' d="([^"]*)"', path, text).encode()
