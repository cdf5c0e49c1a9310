"""The words of axes."""

from __future__ import annotations

import pytest
from written import refusal

from csig.comparing.pictures import difference, names_of, per_cent, room, space


def test_names():
    assert names_of(None) == ("A", "B")
    assert names_of(["x\ny", "z" * 50], 10) == ("x\\ny", "zzzzz…zzzz")
    assert "names must be two" in refusal(names_of, "ab")
    assert "names must be two" in refusal(names_of, ["a"])


def test_percent_for_shares_only():
    assert per_cent((0.2, 1.0)) == 100
    assert per_cent((0.2, 1.1)) == 1
    assert difference(("a", "b"), 1.0) == "a - b"


def test_the_room_for_names():
    pytest.importorskip("matplotlib")
    from csig.report.style import new_figure

    assert room(None, 3.3) < room(None, 6.4)
    narrow, wide = (new_figure(w).add_subplot() for w in (2.0, 6.4))
    assert space(narrow, 9) < space(wide, 9)
    assert 8 <= room(narrow, 9) <= room(wide, 9) <= 24
