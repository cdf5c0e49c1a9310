"""No word of a picture lies outside its figure, nor over another."""

from __future__ import annotations

from functools import partial

import pytest
from drawings import collisions

pytest.importorskip("matplotlib")

from benchmarks import pictures
from csig.report.style import bytes_of


@pytest.mark.parametrize(
    ("name", "width"),
    [(name, w) for name in pictures.KINDS for w in pictures.WIDTHS if w > 4 or "page" not in name],
)
def test_all_words_can_be_read(name, width):
    figure = pictures.KINDS[name](width)
    # Of characters that no font here has a file has the numbers, and a figure a warning.
    draw = partial(bytes_of, figure, "png") if "odd" in name else figure.draw_without_rendering
    assert collisions(figure, draw) == []
