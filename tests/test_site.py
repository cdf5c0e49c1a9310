"""What ``docs/site/check.py`` finds wrong with a built site; building it is a step of .ci/run.

And what the site's pages say that scripts with other packages print. ``python tests/test_site.py``
writes it anew, where these are installed.
"""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from places import DOCS, ROOT

SITE = DOCS / "site"
SCRIPTS = sorted(SITE.glob("[dw]*/*.py"))

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
    problems = runpy.run_path(str(SITE / "check.py"))["problems"]
    assert problems(tmp_path) == ([f"index.html: {WRONG[added]}"] if added else [])


def test_what_a_style_loads(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(GOOD.replace("a.svg", "a.css"), "utf-8")
    style = '@import "b.css"; a { b: url(c.woff) } d { e: url("https://example.org/f.woff") }'
    (tmp_path / "a.css").write_text(style, "utf-8")
    problems = runpy.run_path(str(SITE / "check.py"))["problems"]
    assert problems(tmp_path) == ["a.css: loads https://example.org/f.woff"]


#: Runs scripts one after the other, as they import the same packages.
RUN = """
import contextlib, io, json, runpy, sys, warnings
found = []
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as said, warnings.catch_warnings():
        runpy.run_path(path, run_name="__main__")
    found.append(said.getvalue())
json.dump(found, sys.stdout)
"""


def printed_by(scripts: Sequence[Path], data: str) -> list[str]:
    """What scripts print, run in one process."""
    environment = os.environ | {"CSIG_TEST_DATA": data}
    words = [sys.executable, "-P", "-c", RUN, *map(str, scripts)]
    done = subprocess.run(
        words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


def recorded(script: Path) -> tuple[str, str]:
    """What a script printed, and the package that its first line names."""
    text = script.with_suffix(".txt").read_text("utf-8")
    return text, text.split("\n")[0]


OF_DATA, OF_PACKAGES = (
    [script for script in SCRIPTS if recorded(script)[1].startswith("SCTK ") is own]
    for own in (True, False)
)


def test_what_scripts_with_numbers_of_sctk_print(shared_data) -> None:
    expected = [recorded(script)[0] for script in OF_DATA]
    assert printed_by(OF_DATA, str(shared_data("asr_sctk").parent)) == expected


@pytest.mark.slow
def test_what_scripts_with_another_package_print() -> None:
    scripts, lacking = [], set()
    for script in OF_PACKAGES:
        name, wanted = recorded(script)[1].split()
        try:
            here = version(name)
        except PackageNotFoundError:
            here = "none"
        if here == wanted:
            scripts.append(script)
        else:
            lacking.add(f"recorded with {name} {wanted}, here is {here}")
    assert printed_by(scripts, str(ROOT)) == [recorded(script)[0] for script in scripts]
    if lacking:
        pytest.skip("; ".join(sorted(lacking)))


def test_the_table_of_what_goes_wrong_has_the_numbers_of_the_scripts() -> None:
    page = (SITE / "wrong.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(.+)]\(#.+ \| (\S+) \| (\S+) \|$", page, re.MULTILINE)
    printed = {
        head.lower(): text
        for path in (SITE / "wrong").glob("*.txt")
        for head, text in [path.read_text("utf-8").split("\n", 1)]
    }
    assert len(rows) == len(printed) == len(list((SITE / "wrong").glob("*.py")))
    for package, *numbers in rows:
        (text,) = (own for head, own in printed.items() if head.startswith(package.lower()))
        found = [float(Fraction(own)) for own in re.findall(r"\d+/\d+|\d[\d.e-]*\d|\d", text)]
        for number in numbers:
            digits = len(number.partition(".")[2])
            assert any(round(own, digits) == float(number) for own in found), (package, number)


# ---- notebooks ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The notebooks."""
    folder = tmp_path_factory.mktemp("notebooks")
    runpy.run_path(str(SITE / "notebooks.py"))["write_all"](folder)
    return folder


def test_every_page_that_runs_has_a_notebook(made: Path) -> None:
    howto = re.findall(r"<\.\./(\w[\w-]*)>", (SITE / "howto.md").read_text("utf-8"))
    assert {path.stem for path in made.iterdir()} == {*howto} - {"cautions", "many-machines"}
    for path in made.iterdir():
        cells = json.loads(path.read_text("utf-8"))["cells"]
        assert "".join(cells[0]["source"]).startswith('%pip install "csig-stats[')
        page = (DOCS / f"{path.stem}.md").read_text("utf-8")
        text = "".join("".join(own["source"]) + "\n" for own in cells[1:])
        assert set(re.findall("(?m)^#+ .+", page)) <= set(re.findall("(?m)^#+ .+", text))


RUNS = ["runs", "guide", "python", "formats", "tags", "systems", "datasets", "ranking", "training",
        "classical"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNS)
def test_a_notebook_runs(
    page: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in "nbclient", "ipykernel":
        pytest.importorskip(package, reason=f"{package}, of the extra docs, is not installed")
    import nbclient
    import nbformat

    shim = tmp_path / "bin" / "csig"  # as pip would install it
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m csig.cli "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    notebook = nbformat.read(made / f"{page}.ipynb", as_version=4)
    del notebook.cells[0]  # it installs the published package
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}
    ).execute()
    printed = [own for cell in notebook.cells for own in cell.get("outputs", ())]
    text = "".join(own.get("text", "") for own in printed)
    assert printed
    assert not re.search(r"(?m)^csig: |^Usage: |not found", text), text


if __name__ == "__main__":
    for own, text in zip(SCRIPTS, printed_by(SCRIPTS, os.environ["CSIG_TEST_DATA"]), strict=True):
        own.with_suffix(".txt").write_text(text, "utf-8")
