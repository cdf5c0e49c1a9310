r"""Critical-difference diagrams as TikZ: text for a paper in LaTeX, without matplotlib.

Nothing but ``\usepackage{tikz}`` is needed, for pdflatex, xelatex and lualatex. Names stand in it
as text: no character of theirs means anything to LaTeX.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from csig.errors import InputError
from csig.pictures import short
from csig.report.plots.diagrams import Best, Diagram
from csig.report.plots.ranked import diagram_of
from csig.report.rendering.latex import FALLBACK, escaped

if TYPE_CHECKING:
    from csig.datasets import DatasetsResult

__all__ = ["critical_difference_tikz"]

#: Centimetres from one line of text to the next; of the gap before a name.
LINE, GAP = 0.42, 0.1

#: Characters of a name.
LONGEST = 60

#: Heights above the axis, in lines: the numbers, the bar of the critical difference, its text.
NUMBER, BAR, TEXT = -0.85, -1.9, -2.5


def critical_difference_tikz(
    ranks: DatasetsResult | Mapping[str, float],
    *,
    by: str | None = None,
    cd: float | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    baseline: str | None = None,
    best: Best = "left",
    width: float = 7.0,
) -> str:
    r"""What :func:`csig.plots.critical_difference` draws, as TikZ.

    Parameters
    ----------
    ranks, by, cd, groups, baseline, best
        As there.
    width : float
        Of the axis, in centimetres; the names stand to both sides of it.

    Returns
    -------
    str
        A ``tikzpicture``, and before it in comments what its marks mean.

    Raises
    ------
    InputError
        As there; a width that is no positive number.

    Examples
    --------
    >>> import csig
    >>> text = csig.plots.critical_difference_tikz({"a_1": 1.1, "b": 1.9, "c": 3.0}, cd=1.0)
    >>> text.splitlines()[0]
    '% In the preamble: \\usepackage{tikz}'
    >>> [line for line in text.splitlines() if "a\\_1" in line]
    ['  \\draw (0.350,0) |- (0,0.651) node[left] {a\\_1 (1.10)};']
    """
    if not (math.isfinite(width) and width > 0):
        raise InputError(f"width: found {width!r:.40}, expected a positive number of centimetres")
    diagram, key = diagram_of(ranks, by=by, cd=cd, groups=groups, baseline=baseline, best=best)
    lines = [
        rf"\begin{{tikzpicture}}[y=-1cm, font=\small, inner sep={_plain(GAP)}cm]",
        *(f"  {own}" for own in _axis(diagram, width)),
        *(f"  {own}" for own in _systems(diagram, width)),
        r"\end{tikzpicture}",
    ]
    head = [r"% In the preamble: \usepackage{tikz}", f"% {_ascii(key)}"]
    if any(r"\csigchar{" in line for line in lines):
        head.append(FALLBACK)
    return "\n".join([*head, *lines]) + "\n"


def _ascii(text: str) -> str:
    """A comment, which every engine reads."""
    return " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())


def _plain(number: float) -> str:
    """A number without an exponent, as TikZ reads it, and without a minus before zero.

    >>> _plain(0.25), _plain(-0.00001), _plain(3)
    ('0.250', '0', '3')
    """
    text = f"{number:.3f}" if number != int(number) else str(int(number))
    return "0" if not float(text) else text


def _axis(diagram: Diagram, width: float) -> list[str]:
    """The ranks, and what differs by less than is needed."""
    found = []
    if diagram.interval is not None:
        ends = sorted(diagram.place(own) for own in diagram.interval)
        low, high = (_plain(width * own) for own in ends)
        found.append(rf"\draw[line width=5pt, gray!50] ({low},0) -- ({high},0);")
    found.append(rf"\draw (0,0) -- ({_plain(width)},0);")
    for tick in diagram.ticks:
        x = _plain(width * diagram.place(tick))
        found.append(
            rf"\draw ({x},0) -- ({x},{_plain(-0.3 * LINE)}) "
            rf"({x},{_plain(NUMBER * LINE)}) node {{{tick}}};"
        )
    for half in diagram.halves:
        x = _plain(width * diagram.place(half))
        found.append(rf"\draw ({x},0) -- ({x},{_plain(-0.17 * LINE)});")
    if diagram.critical is not None:
        found += _critical(diagram, width)
    return found


def _critical(diagram: Diagram, width: float) -> list[str]:
    """The length of the critical difference, from the best rank on; cut at the axis' end."""
    assert diagram.critical is not None
    share = diagram.critical / (diagram.ticks[-1] - 1)
    from_left = diagram.best == "left"
    ends = (0.0, min(share, 1.0)) if from_left else (1.0, 1 - min(share, 1.0))
    low, high = (_plain(width * own) for own in ends)
    y, middle = _plain(BAR * LINE), _plain(width * sum(ends) / 2)
    style = "|-|" if share <= 1 else "|-"
    return [
        rf"\draw[{style}, line width=0.7pt] ({low},{y}) -- ({high},{y});",
        rf"\draw ({middle},{_plain(TEXT * LINE)}) node {{CD = {diagram.critical:.3g}}};",
    ]


def _name(diagram: Diagram, name: str) -> str:
    """A name as text; bold that of a control, with a star what differs from it."""
    text = r"\ldots{}".join(escaped(own) for own in short(name, LONGEST).split("…"))
    text = rf"\textbf{{{text}}}" if name == diagram.control else text
    return text + "{*}" if name in diagram.marked else text


def _systems(diagram: Diagram, width: float) -> list[str]:
    """The line of every system with its name, and the bars over them."""
    found = []
    for own in diagram.labels:
        end = "0" if own.side == "left" else _plain(width)
        y, x = _plain(own.depth * LINE), _plain(width * diagram.place(own.rank))
        text = f"{_name(diagram, own.name)} ({own.rank:.2f})"
        found.append(rf"\draw ({x},0) |- ({end},{y}) node[{own.side}] {{{text}}};")
    for bar in diagram.bars:
        ends = sorted(diagram.place(own) for own in (bar.low, bar.high))
        low, high = (_plain(width * own) for own in ends)
        y = _plain(bar.depth * LINE)
        found.append(rf"\draw[line width=2.2pt] ({low},{y}) -- ({high},{y});")
    return found
