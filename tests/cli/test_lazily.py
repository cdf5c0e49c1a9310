"""What is imported when it is needed."""

from __future__ import annotations

import gc

import pytest

from csig.cli.lazily import imported
from csig.errors import InputError


def test_a_name_of_a_module() -> None:
    assert imported("csig.errors", "InputError") is InputError
    assert gc.isenabled()


def test_what_cannot_be_imported_is_one_line() -> None:
    with pytest.raises(InputError, match=r"No module named 'csig\.nothing'"):
        imported("csig.nothing", "x")
    assert gc.isenabled()
