"""What ``docs/site/check.py`` finds wrong with a built site; building it is a step of .ci/run."""

import runpy
from pathlib import Path

import pytest
from places import DOCS

GOOD = (
    '<h1 id="top">One</h1><h2>Two</h2><a href="#top">up</a><a href="https://example.org">out</a>'
    '<link rel="next" href="https://example.org"><img src="a.svg" alt="a">'
)

WRONG = {
    "<h1>Another</h1>": "2 headings h1",
    "<h4>Four</h4>": "h4 after h2",
    '<a href="gone.html">x</a>': "no gone.html",
    '<a href="index.html#gone">x</a>': "no anchor index.html#gone",
    '<a href="#gone%20x">x</a>': "no anchor #gone%20x",
    '<img src="a.svg">': "a picture without words: a.svg",
    '<img src="a.svg" alt=" ">': "a picture without words: a.svg",
    '<img src="//example.org/a.svg" alt="a">': "loads //example.org/a.svg",
    '<script src="https://example.org/a.js"></script>': "loads https://example.org/a.js",
    '<link rel="stylesheet" href="https://example.org/a.css">': "loads https://example.org/a.css",
    '<script src="gone.js?v=1"></script>': "no gone.js?v=1",
}


@pytest.mark.parametrize("added", ["", *WRONG])
def test_what_is_wrong_with_a_page(added: str, tmp_path: Path) -> None:
    (tmp_path / "a.svg").touch()
    (tmp_path / "index.html").write_text(GOOD + added, "utf-8")
    problems = runpy.run_path(str(DOCS / "site" / "check.py"))["problems"]
    assert problems(tmp_path) == ([f"index.html: {WRONG[added]}"] if added else [])


def test_what_a_style_loads(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(GOOD.replace("a.svg", "a.css"), "utf-8")
    style = '@import "b.css"; a { b: url(c.woff) } d { e: url("https://example.org/f.woff") }'
    (tmp_path / "a.css").write_text(style, "utf-8")
    problems = runpy.run_path(str(DOCS / "site" / "check.py"))["problems"]
    assert problems(tmp_path) == ["a.css: loads https://example.org/f.woff"]
