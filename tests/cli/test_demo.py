"""``csig demo``: the first command after an installation, which needs no file."""

import sys
from pathlib import Path

from commands import run
from places import ROOT

from csig.cli.files import FILES

DIGITS = ROOT / "examples" / "digits"


def test_what_is_printed_is_what_the_command_prints_that_it_names():
    out = run("demo")
    paths = [f"csig-demo/{name}" for name in FILES]
    assert [Path(path).read_bytes() for path in paths] == [
        (DIGITS / name).read_bytes() for name in FILES
    ]
    picture = "csig-demo/comparison.svg"
    command = f"$ csig compare {' '.join(paths)} --plot {picture}"
    assert out == f"{command}\n\n{run('compare', *paths)}\nThe picture is {picture}.\n"
    assert Path(picture).read_text(encoding="utf-8").startswith("<svg")
    assert run("demo") == out


def test_nothing_is_overwritten():
    Path("own").mkdir()
    Path("own/gold.tsv").write_text("mine\n")
    assert run("demo", "own", status=2).count("is another file already") == 1
    assert Path("own/gold.tsv").read_text() == "mine\n"
    Path("other").mkdir()
    Path("other/comparison.svg").write_text("mine\n")
    assert "other/comparison.svg: is another file already" in run("demo", "other", status=2)
    assert [path.name for path in Path("other").iterdir()] == ["comparison.svg"]
    Path("file").write_text("")
    assert "file: cannot be written" in run("demo", "file", status=2)


def test_any_folder():
    folder = "-x ünï"
    assert "logistic-regression beats nearest-centroid" in run("demo", "--", folder)
    assert (Path(folder) / "comparison.svg").exists()


def test_without_matplotlib_it_says_what_would_draw(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run("demo").endswith('(pip install "csig-stats[plot]") csig demo draws it, too.\n')
    assert not Path("csig-demo/comparison.svg").exists()
