"""Pictures: the same everywhere, of any names, and without a word from matplotlib."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from children import python
from places import EXAMPLES

import csig

matplotlib = pytest.importorskip("matplotlib")

from csig.report import plots  # noqa: E402

TEXT = "{http://www.w3.org/2000/svg}text"


def picture(a, b="base"):
    comparison = csig.Comparison.from_counts(
        gold=40, both_correct=5, only_a_correct=20, only_b_correct=9, names=(a, b)
    )
    audit = csig.audit(comparison, "recall", n_resamples=1024, rng=1)
    return plots.null_picture(audit, audit.options["metrics"][0])


def words(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(TEXT)]


def test_words_are_outlines():
    svg = picture("Zoë $x$ <b>", "ნ")
    assert words(svg) == []
    assert "<script" not in svg


@pytest.mark.parametrize("name", ["数据", "모델 <1> & $x$", "🦊", "Zoë 数"])
def test_words_that_the_font_lacks_are_text(name):
    """Warnings are errors here, and matplotlib would draw a box for each letter."""
    svg = picture(name)
    assert f"Recall: {name} - base (points)" in words(svg)
    assert "<1>" not in svg


def test_settings_of_the_user_play_no_part(monkeypatch):
    plain = picture("one")
    with matplotlib.rc_context(
        {
            "font.family": "serif", "font.size": 30, "axes.grid": True, "svg.fonttype": "none",
            "axes.facecolor": "black", "text.usetex": True,
        }
    ):  # fmt: skip
        assert picture("one") == plain
        assert matplotlib.rcParams["font.size"] == 30
    assert picture("数") != plain
    assert picture("one") == plain


@pytest.mark.parametrize("backend", ["bogus", pytest.param("qtagg", marks=pytest.mark.slow)])
def test_the_backend_plays_no_part(backend, tmp_path):
    """Nor is any window's code imported."""
    code = (
        "import os, sys\n"
        "from csig import pictures\n"
        "pictures.need_matplotlib()\n"
        f"assert os.environ['MPLBACKEND'] == {backend!r}\n"
        "sys.argv = ['csig', 'audit', '--counts', sys.argv[1], '--resamples', '256', '--html',"
        " 'p.html', '--metric', 'f1']\n"
        "from csig.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "assert 'matplotlib.figure' in sys.modules\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = python(
        code, EXAMPLES / "yeh2000.toml", flags=["-W", "error::UserWarning"],
        env={"MPLBACKEND": backend}, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "p.html").read_text(encoding="utf-8").count("data:image/svg+xml") == 1
