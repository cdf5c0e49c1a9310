"""Critical-difference diagrams as TikZ: the layout's numbers, and names that are only text."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hostile import NAMES
from written import refusal

from csig.report.plots.diagrams import arranged
from csig.report.plots.tikz import critical_difference_tikz
from csig.report.rendering.latex import escaped

DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}

SYSTEM = re.compile(
    r"  \\draw \(([\d.]+),0\) \|- \(([\d.]+),([\d.]+)\) node\[(left|right)\] \{(.*)\};"
)
BAR = re.compile(r"  \\draw\[line width=2.2pt\] \(([\d.]+),([\d.]+)\) -- \(([\d.]+),\2\);")

#: Names without what a file of text cannot hold, each once.
PLAIN = tuple(dict.fromkeys(name for name in NAMES if name.strip() and len(name) < 60))


@pytest.mark.parametrize("best", ["left", "right"])
def test_the_numbers_are_those_of_the_layout(best):
    text = critical_difference_tikz(DEMSAR, cd=1.12, best=best, width=9)
    diagram = arranged(DEMSAR, critical=1.12, best=best)
    found = SYSTEM.findall(text)
    depths = {}
    for own, (x, end, y, side, name) in zip(diagram.labels, found, strict=True):
        assert float(x) == pytest.approx(9 * diagram.place(own.rank), abs=1e-3)
        assert float(end) == (0 if own.side == "left" else 9)
        assert side == own.side
        assert name == f"{escaped(own.name)} ({own.rank:.2f})"
        depths[own.depth] = float(y)
    bars = BAR.findall(text)
    for bar, (low, y, high) in zip(diagram.bars, bars, strict=True):
        ends = sorted(9 * diagram.place(rank) for rank in (bar.low, bar.high))
        assert [float(low), float(high)] == pytest.approx(ends, abs=1e-3)
        depths[bar.depth] = float(y)
    shares = [y / depth for depth, y in depths.items()]
    assert shares == pytest.approx([shares[0]] * len(shares), abs=2e-3)
    (cd,) = re.findall(r"\[\|-\|, line width=0.7pt\] \(([\d.]+),\S+\) -- \(([\d.]+),", text)
    assert abs(float(cd[1]) - float(cd[0])) == pytest.approx(9 * 1.12 / 3, abs=1e-3)
    assert [int(tick) for tick in re.findall(r"node \{(\d+)\};", text)] == [1, 2, 3, 4]


def test_what_is_too_long_for_the_axis_has_one_end():
    text = critical_difference_tikz({"a": 1.5, "b": 1.5, "c": 3}, cd=7)
    assert r"\draw[|-, line width=0.7pt] (0," in text
    assert "node {CD = 7}" in text


def test_a_baseline():
    text = critical_difference_tikz(DEMSAR, cd=1.17, baseline="C4.5")
    assert r"{\textbf{C4.5} (3.14)}" in text
    assert "gray" in text
    assert not BAR.findall(text)


def test_names_are_text():
    ranks = {name: i + 1.0 for i, name in enumerate(PLAIN)}
    text = critical_difference_tikz(ranks, cd=1.5)
    body = [line for line in text.splitlines() if not line.startswith("%")]
    assert all(line.isascii() or "csigchar" in line for line in body)
    found = SYSTEM.findall(text)
    assert len(found) == len(PLAIN)
    for *_, name in found:  # braces are in pairs, and nothing starts a comment
        own = re.sub(r"\\[{}%]", "", name)
        assert own.count("{") == own.count("}")
        assert not re.search(r"(?<!\\)[%#&$]", name)
    head = [line for line in text.splitlines() if line.startswith("%")]
    assert len(head) == 2
    assert all(line.isascii() for line in head)
    assert r"\providecommand{\csigchar}" in text
    assert "csigchar" not in critical_difference_tikz(DEMSAR, cd=1.25)


def test_a_long_name_is_cut_in_the_middle():
    text = critical_difference_tikz({"x" * 300 + "_1": 1, "b": 2}, cd=0.5)
    assert re.search(r"x{20,60}\\ldots\{\}x{20,60}\\_1 \(1\.00\)", text)


@pytest.mark.parametrize("width", [0, -1.0, float("nan"), float("inf")])
def test_a_width_that_is_none(width):
    assert "expected a positive number of cent" in refusal(
        critical_difference_tikz, DEMSAR, cd=1.0, width=width
    )


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_it_compiles_with_nothing_but_tikz(engine, tmp_path):
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    pictures = [
        critical_difference_tikz(DEMSAR, cd=1.25),
        critical_difference_tikz(DEMSAR, cd=1.17, baseline="C4.5", best="right"),
        critical_difference_tikz({name: i + 1.0 for i, name in enumerate(PLAIN)}, cd=1.5),
    ]
    body = "\n\n".join(pictures)
    page = rf"\documentclass{{article}}\usepackage{{tikz}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "paper.tex").write_text(page, encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    assert (tmp_path / "paper.pdf").exists()
