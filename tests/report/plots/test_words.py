"""The words of axes."""

from __future__ import annotations

import pytest
from written import refusal

from csig.comparing import pictures_words as words


def test_names():
    assert words.names_of(None) == ("A", "B")
    assert words.names_of(["x\ny", "z" * 50], 10) == ("x\\ny", "zzzzz…zzzz")
    assert "names must be two" in refusal(words.names_of, "ab")
    assert "names must be two" in refusal(words.names_of, ["a"])


def test_percent_for_shares_only():
    assert words.per_cent((0.2, 1.0)) == 100
    assert words.per_cent((0.2, 1.1)) == 1
    assert words.difference(("a", "b"), 1.0) == "a - b"


def test_the_room_for_names():
    pytest.importorskip("matplotlib")
    from csig.report.style import new_figure

    assert words.room(None, 3.3) < words.room(None, 6.4)
    narrow, wide = (new_figure(w).add_subplot() for w in (2.0, 6.4))
    assert words.space(narrow, 9) < words.space(wide, 9)
    assert 8 <= words.room(narrow, 9) <= words.room(wide, 9) <= 24
