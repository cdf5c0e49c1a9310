"""``--cite``: the methods sentence and the references, in every format."""

from __future__ import annotations

import pytest
from commands import run, words, write


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("command", ["compare", "interval"])
def test_cite(command: str):
    plain, cited = (words(command, "--counts", "yeh.toml", *own) for own in ((), ("--cite",)))
    assert cited.startswith(plain)
    assert "@article{liang1986," in cited
    assert ("@inproceedings{yeh2000," in cited) == (command == "compare")
    assert "Computed with csig" in cited
    assert "Computed with csig" not in plain


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "json"])
def test_every_format_has_the_references(form: str):
    found = run("compare", "--counts", "yeh.toml", "--cite", "-f", form)
    assert "10.3115/992730.992783" in found


def test_many_systems():
    lines = (f"q{i},{i % 2},{i % 3 % 2},{i % 5 % 2}" for i in range(30))
    write("t.csv", "id,a,b,c", *lines)
    plain, cited = (words("systems", "t.csv", *own) for own in ((), ("--cite",)))
    assert cited.startswith(plain)
    assert "All 3 pairs of 3 systems were compared in accuracy by randomization" in cited
    assert "@article{mogstad2024," in cited
