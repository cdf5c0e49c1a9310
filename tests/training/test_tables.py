"""Small tables: aligned, and with names that mean nothing to Markdown or LaTeX."""

from __future__ import annotations

import re

import pytest

from csig.training.tables import FORMATS, Table, as_latex, as_markdown, as_text, latex, markdown

NASTY = "a|b_c & 50% $x$ {y} <z> \\input{/etc/passwd} \x1b[31m #1 ~^*\n"


def test_text_is_aligned():
    table = Table("T", ("Name", "Number"), [("数据", "+1.5"), ("e\u0301", "22.25")], left=1)
    lines = as_text([table], ["a word " * 30]).splitlines()
    assert lines[2:6] == ["Name  Number", "------------", "数据    +1.5", "e\u0301      22.25"]
    assert all(len(line) <= 100 for line in lines)
    assert lines[-1].startswith("      ")


def test_nasty_names_are_text():
    table = Table(NASTY, (NASTY, "n"), [(NASTY, "-1.0")], left=1)
    page = as_markdown([table], [NASTY])
    row = page.splitlines()[-3]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert "<z>" not in page
    tex = as_latex([table], [NASTY])
    assert r"\textbackslash{}input\{/etc/passwd\}" in tex
    assert "$-1.0$" in tex
    body = [line for line in tex.splitlines() if line.endswith(r" \\")]
    assert len(body) == 2
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == 1
        assert not re.search(r"(?<!\\)[%#_]", line)
    assert "\x1b" not in tex + page + as_text([table], [NASTY])


@pytest.mark.parametrize(("name", "cell"), [("[x]", "{[}x]"), ("*", "{*}"), ('"a"', "''a''")])
def test_what_latex_would_take_for_options(name, cell):
    assert latex(name) == cell


def test_markdown_marks():
    assert markdown("*a* `b` [c](d)") == r"\*a\* \`b\` \[c\](d)"


def test_all_formats_have_every_cell():
    table = Table("Title", ("Name", "Mean"), [("one", "1.25"), ("two", "2.5")], left=1)
    for write in FORMATS.values():
        text = write([table], ["Words."])
        for word in ("Title", "Name", "Mean", "one", "1.25", "two", "2.5", "Words."):
            assert word in text
