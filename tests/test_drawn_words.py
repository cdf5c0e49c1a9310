"""No word of a picture lies outside its figure, nor over another."""

import drawn
import pytest
from drawings import collisions

pytest.importorskip("matplotlib")

from benchmarks import pictures

#: Of a hundred systems the long names in narrow pictures; the others with ``--all``.
DRAWN = [
    (name, width)
    for name in pictures.KINDS
    for width in pictures.WIDTHS
    if (width > 4 or "page" not in name)
    and ("of 100" not in name or (width < 4 and "long" in name) or drawn.everything)
]


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize(("name", "width"), DRAWN)
def test_all_words_can_be_read(name, width):
    assert collisions(pictures.KINDS[name](width)) == []
