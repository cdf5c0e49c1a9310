"""What all readers share: names of systems, roles of files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.readers.request import (
    OptionError,
    Request,
    gold_and_systems,
    names_of,
    roles_of,
    same_files,
)

NAMES = st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "c\ud800"]), min_size=1, max_size=6)


@given(NAMES)
def test_systems_have_different_names_that_can_be_written(systems):
    found = names_of(Request(), systems)
    assert len(found) == len({*found}) == len(systems)
    for name, own in zip(found, systems, strict=True):
        name.encode()
        assert own.startswith("c") or own in name


def test_names_that_were_given():
    assert names_of(Request(name_b="new"), ["x", "y"]) == ("x", "new")
    assert names_of(Request(name_a="y"), ["x", "y"]) == ("A (y)", "B (y)")
    with pytest.raises(OptionError, match="for two systems"):
        names_of(Request(name_a="y"), ["x", "y", "z"])


def test_files(tmp_path):
    files = ("gold.txt", "a.txt", "b.txt")
    assert gold_and_systems(Request(files), "tags") == ("gold.txt", ("a.txt", "b.txt"))
    assert roles_of(files[0], files[1:]) == dict(zip(("gold", "a", "b"), files, strict=True))
    assert roles_of(files[0], ("a.txt",)) == {"gold": "gold.txt"}
    with pytest.raises(OptionError, match="tags need a file for the gold"):
        gold_and_systems(Request(files[:1]), "tags")
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("x")
    other.symlink_to(one)
    assert same_files([str(one), str(other)]) == ["A and B are the same file."]
    assert same_files(["x", "y", "x"]) == ["x and x are the same file."]
    assert same_files(["x", "y"]) == []
