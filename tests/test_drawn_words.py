"""No word of a picture lies outside its figure, nor over another."""

from functools import partial

import drawn
import pytest
from drawings import collisions

pytest.importorskip("matplotlib")

from benchmarks import pictures
from csig.report.style import bytes_of

#: Of a hundred systems the long names in narrow pictures; the others with ``--all``.
DRAWN = [
    (name, width)
    for name in pictures.KINDS
    for width in pictures.WIDTHS
    if (width > 4 or "page" not in name)
    and ("of 100" not in name or (width < 4 and "long" in name) or drawn.everything)
]


@pytest.mark.filterwarnings("ignore:no font here has")
@pytest.mark.parametrize(("name", "width"), DRAWN)
def test_all_words_can_be_read(name, width):
    figure = pictures.KINDS[name](width)
    # Of characters that no font here has a file has the numbers, and a figure a warning.
    draw = partial(bytes_of, figure, "png") if "odd" in name else figure.draw_without_rendering
    assert collisions(figure, draw) == []
