"""What all pictures share: colours, names, files; and a clear word where matplotlib is missing."""

import builtins
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from drawings import light
from written import refusal

from csig.report import style as pictures


def test_matplotlib_is_an_extra(monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    message = refusal(pictures.need_matplotlib)
    assert message == "pictures need matplotlib: pip install 'csig-stats[plot]'"


# ---- colours -----------------------------------------------------------------------------------


def lightness(seen):
    """CIE 1976 L* of linear light, from 0 to 100."""
    return 116 * np.cbrt(seen @ np.array([0.2126, 0.7152, 0.0722])) - 16


def lab(seen):
    """CIE L*a*b* of linear light (sRGB's primaries, D65)."""
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(matrix @ seen / (matrix @ np.ones(3)))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


#: What those without the cones for red, and for green, see of linear light: Vienot, Brettel and
#: Mollon (1999), Digital video colourmaps for checking the legibility of displays by dichromats.
DICHROMATS = (
    np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
)


def test_colours_keep_apart_in_grey():
    values = sorted(lightness(light(own)) for own in pictures.COLOURS)
    assert np.diff(values).min() > 8
    better, worse = (lightness(light(own)) for own in pictures.COLOURS[:2])
    assert abs(better - worse) > 30
    assert values[-1] < 90  # still seen on white


@pytest.mark.parametrize("seen", [np.eye(3), *DICHROMATS])
def test_colours_keep_apart_for_all(seen):
    found = [lab(np.clip(seen @ light(own), 0, 1)) for own in pictures.COLOURS]
    apart = [np.linalg.norm(one - other) for one, other in itertools.combinations(found, 2)]
    assert min(apart) > 10


# ---- words -------------------------------------------------------------------------------------


def test_names_are_short_and_on_one_line():
    for name, shown in (
        ("a" * 40, "a" * 40), ("a" * 30 + "b" * 30, "a" * 20 + "…" + "b" * 19),
        ("a\x1b[1m\u202e", "a\\x1b[1m\\u202e"), (7, "7"),
    ):  # fmt: skip
        assert pictures.short(name) == shown


def test_files_are_of_three_kinds():
    for path, kind in (("a.png", "png"), ("b.x.SVG", "svg"), ("/c/.d.pdf", "pdf")):
        assert pictures.kind_of(path) == kind
    for path, kind in (("a.jpg", ".jpg"), ("a.tex", ".tex"), ("a", "none"), (".png", "none")):
        assert refusal(pictures.kind_of, path) == (
            f"{path}: a picture is written as .png, .svg or .pdf, by its suffix; found {kind}"
        )


def figure_of(words):
    with pictures.drawing(words):
        axes = pictures.new_figure(3, 2).add_subplot()
        pictures.plain(axes.set_title(words, loc="left"))
        pictures.name_rows(axes, [0.5], [words])
    return axes.figure


@pytest.mark.parametrize(("words", "kind"), [
    ("plain", "png"), ("$x^2$ a_{b", "svg"), ("\u05e9\u05dc\u05d5\u05dd", "svg"),
    ("\u05e9\u05dc\u05d5\u05dd", "pdf"),
])  # fmt: skip
def test_files_are_the_same_twice_and_have_no_date(words, kind):
    pytest.importorskip("matplotlib")
    figure = figure_of(words)
    one = pictures.bytes_of(figure, kind)
    assert pictures.bytes_of(figure_of(words), kind) == one
    assert not any(word in one for word in (b"CreationDate", b"Software", b"dc:date"))
    assert kind != "svg" or (one.startswith(b"<svg") and (b"<text" in one) != words.isascii())
    assert figure.axes[0].get_title("left") == words
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [words]


def test_what_no_font_has_is_written_by_its_number(monkeypatch, tmp_path):
    """Where a file cannot leave the letters to the reader's fonts."""
    pytest.importorskip("matplotlib")
    from matplotlib.text import Text

    monkeypatch.chdir(tmp_path)
    shown = []
    original = Text.draw

    def draw(self, renderer):
        shown.append(self.get_text())
        original(self, renderer)

    monkeypatch.setattr(Text, "draw", draw)
    monkeypatch.setattr(pictures, "font_for", lambda _: None)
    words = "a\U0001f98a"
    with pytest.warns(UserWarning, match="no font here has \U0001f98a: the picture shows") as said:
        figure_of(words).savefig("f.pdf")
    assert len(said) == 1
    assert "a\\U0001f98a" in shown
    assert words not in shown  # in the title and in the label of the row
    assert words.encode() in pictures.bytes_of(figure_of(words), "svg")
    figure_of(words).savefig("f.svg")
    assert words.encode() in Path("f.svg").read_bytes()


def test_letters_come_from_any_font_that_is_installed(monkeypatch, tmp_path):
    """Also from one that matplotlib has not listed yet, and in files that the user writes."""
    pytest.importorskip("matplotlib")
    from matplotlib import font_manager

    letter = "\u6570"
    name = pictures.font_for(letter)
    if name is None:
        pytest.skip("no font here has Chinese letters")
    others = [own for own in font_manager.fontManager.ttflist if own.name != name]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", others)
    for cached in (pictures.installed, pictures.font_for):
        cached.cache_clear()
    assert pictures.font_for(letter) is not None
    assert not any(name.startswith("Last Resort") for name in pictures.installed())
    figure_of(letter).savefig(tmp_path / "f.png")  # without a warning, which would be an error
    for cached in (pictures.installed, pictures.font_for):
        cached.cache_clear()


def test_a_long_title_gets_smaller_letters():
    pytest.importorskip("matplotlib")
    figure = figure_of("w" * 60)
    sizes = []
    title = next(
        own for own in figure.axes[0].get_children() if getattr(own, "get_text", str)() == "w" * 60
    )
    original = title.set_fontsize
    title.set_fontsize = lambda size: (sizes.append(size), original(size))
    pictures.bytes_of(figure, "pdf")
    assert sizes[0] < 9 <= sizes[-1]


def test_a_legend_stands_above_the_axes():
    pytest.importorskip("matplotlib")
    axes = pictures.new_figure().add_subplot()
    legend = pictures.legend(axes, [(line, "_$x$") for line in axes.plot([0, 1])])
    axes.figure.draw_without_rendering()
    assert [text.get_text() for text in legend.get_texts()] == ["_$x$"]
    assert abs(legend.get_window_extent().y0 - axes.bbox.y1) < 1


def test_an_svg_has_the_same_points_in_fewer_bytes():
    """Every corner of the bars, to a hundredth of a point."""
    pytest.importorskip("matplotlib")
    axes = pictures.new_figure().add_subplot()
    bars = axes.stairs([1, 3, 2])
    svg = pictures.bytes_of(axes.figure, "svg").decode()
    corners = bars.get_transform().transform(bars.get_path().vertices) * 72 / axes.figure.dpi
    corners[:, 1] = 72 * axes.figure.get_figheight() - corners[:, 1]
    drawn = []
    for path in re.findall(r' d="(M[^"]*)"', svg):
        x, y, points = 0.0, 0.0, []
        for command, numbers in re.findall(r"([MLHV])([^A-Za-z]*)", path):
            given = [*map(float, numbers.split())]
            x, y = (given[0], y) if command == "H" else (x, given[0]) if command == "V" else given
            points.append((x, y))
        drawn.append(points)
    assert any(len(own) == 8 and np.abs(corners - own).max() <= 0.0051 for own in drawn)
