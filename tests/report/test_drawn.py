"""Pictures of results in documents: where somebody asks for more, in formats that have some."""

from __future__ import annotations

import base64
import re

import pytest

import csig
from csig.report import drawn
from csig.report.document import Picture
from csig.report.drawn import picture_of
from csig.report.shown import document_of
from csig.shown import FORMATS

TABLE = {"true": [1, 0, 1, 0, 1, 0] * 5, "x<": range(30), "y": [3, 1, 2, 5, 0, 4] * 5}

RESULTS = {
    "precision": csig.nbest_precision(TABLE, ["x<", "y"]),
    "difference": csig.compare_ranking_curves(TABLE, "x<", "y", n_resamples=99, rng=1),
    "histogram": csig.validate_binomial([(3, 9), (2, 9)]),
}


@pytest.fixture(params=RESULTS)
def result(request):
    """A result of ranking methods."""
    return RESULTS[request.param]


def test_an_explained_page_has_the_picture(result):
    pytest.importorskip("matplotlib")
    page = result.summary("html", explain=True)
    (data,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)
    assert base64.b64decode(data).startswith(b"<svg")
    (alt,) = re.findall(r'alt="([^"]+)"', page)
    assert alt.endswith(".")
    assert "<" not in alt
    assert "image/svg" not in result.summary("html")


@pytest.mark.parametrize("format", [own for own in FORMATS if own != "html"])
def test_other_formats_have_none(result, format):
    assert result.summary(format, explain=True) == result.summary(format)


def test_nothing_without_matplotlib(monkeypatch):
    monkeypatch.setattr(drawn, "find_spec", lambda _: None)
    assert picture_of(RESULTS["precision"], "precision", "Lines.") == []


def test_words_and_numbers_for_those_who_do_not_see_it():
    pytest.importorskip("matplotlib")
    for name, own in RESULTS.items():
        (picture,) = document_of(own).explanation
        assert isinstance(picture, Picture)
        assert picture.name == name
        assert "  " not in picture.alt
    (picture,) = document_of(RESULTS["precision"]).explanation
    assert picture.alt == "Precision of the n best over n, up to 30: x<, y."
