"""No word of a picture lies outside its figure, nor over another."""

from __future__ import annotations

import pytest
from drawings import collisions

pytest.importorskip("matplotlib")

from benchmarks import pictures


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize(
    ("name", "width"),
    [(name, w) for name in pictures.KINDS for w in pictures.WIDTHS if w > 4 or "page" not in name],
)
def test_all_words_can_be_read(name, width):
    assert collisions(pictures.KINDS[name](width)) == []
