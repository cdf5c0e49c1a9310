"""No word of a picture lies outside its figure, nor over another."""

import re
from functools import partial

import drawn
import pytest
from drawings import collisions

pytest.importorskip("matplotlib")

from benchmarks import pictures
from csig.report.style import bytes_of

#: Every kind in every width; pages have one. Without ``--all`` pictures are narrow, names long or
#: odd, systems few where many take seconds, and of sizes that are drawn alike there is one.
DRAWN = [
    (name, width)
    for name in pictures.KINDS
    for width in (pictures.WIDTHS[1:] if "page" in name else pictures.WIDTHS)
]
FEW = [
    (name, width)
    for name, width in DRAWN
    if ("page" in name or width < 4)
    and f"{name}, long names" not in pictures.KINDS
    and not re.match(
        r".*of (100\b|20, 5)|page of (20 systems|(1|3) metrics, l|intervals of 20)|"
        r"(leaderboard|diagram|scores|curves) of 2,|(leaderboard|diagram) of 3, b|forest of 1 m|"
        r"(forest|scores), all 1 |scores, all 0|(leaderboard|diagram|forest) of 3( systems)?, long|"
        r"scores of 3, (all pairs, )?long|null, two-sided",
        name,
    )
]


@pytest.mark.filterwarnings("ignore:no font here has")
@pytest.mark.parametrize(("name", "width"), DRAWN if drawn.everything else FEW)
def test_all_words_can_be_read(name, width):
    figure = pictures.KINDS[name](width)
    # Of characters that no font here has a file has the numbers, and a figure a warning.
    draw = partial(bytes_of, figure, "png") if "odd" in name else figure.draw_without_rendering
    assert collisions(figure, draw) == []
