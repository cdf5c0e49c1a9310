"""What all pictures share: a clear word where matplotlib is missing; and one text per figure.

tests/report/test_plots.py looks at whole pictures.
"""

from __future__ import annotations

import builtins

import pytest
from written import refusal

from csig import pictures


def test_matplotlib_is_an_extra(monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    message = refusal(pictures.need_matplotlib)
    assert message == "pictures need matplotlib: pip install 'csig-stats[plot]'"


def test_a_figure_is_the_same_text_twice():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    def drawn():
        with pictures.drawing("数 a"):
            figure = Figure()
            figure.add_subplot().set_title("数 a")
            return pictures.svg_of(figure)

    assert drawn() == drawn()
    assert drawn().startswith("<svg")
    assert "数 a" in drawn()
    assert "<dc:date>" not in drawn()
