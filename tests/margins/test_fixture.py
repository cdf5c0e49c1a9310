"""The fixture ``csig_gate``: in tests of others, whose pytest loads it."""

import pytest
from places import ROOT

TESTS = """
import pytest
import csig

BASE = [1] * 300 + [0] * 100


def test_equal(csig_gate):
    found = csig_gate(BASE, BASE[5:] + [1] * 5, margin=5)
    assert found.verdict == "PASS"


def test_worse(csig_gate):
    csig_gate(BASE, [0] * 30 + BASE[30:], margin=1)


def test_unknown(csig_gate):
    csig_gate(BASE[::40], BASE[::40], margin=1)


def test_unknown_is_allowed(csig_gate):
    with pytest.warns(csig.DataWarning, match="blind"):
        csig_gate(BASE[::40], BASE[::40], margin=10, inconclusive=True)


def test_files(csig_gate, tmp_path):
    for name, shift in (("base", 0), ("new", 5)):
        rows = "".join(f"q{i},{own}\\n" for i, own in enumerate(BASE[shift:] + [1] * shift))
        (tmp_path / f"{name}.csv").write_text(f"id,right\\n{rows}")
    found = csig_gate(tmp_path / "base.csv", tmp_path / "new.csv", margin=5)
    assert found.test.names == ("new", "base")


def test_what_goes_wrong_is_said_of_the_fixture(csig_gate):
    with pytest.raises(csig.InputError, match="takes two files, or the scores of two systems"):
        csig_gate("base.csv", BASE, margin=1)
    with pytest.raises(TypeError, match="csig_gate.. missing .* 'margin'"):
        csig_gate(BASE, BASE)
"""


def test_the_fixture_fails_what_the_gate_does_not_pass(tmp_path, monkeypatch, capsys):
    (tmp_path / "test_gates.py").write_text(TESTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    given = "-q -p csig.margins.fixture -p no:cacheprovider --basetemp t --rootdir . ."
    status = pytest.main(given.split())
    said = capsys.readouterr().out
    assert (status, "2 failed, 4 passed" in said) == (1, True), said
    assert "FAIL: worse (p = " in said
    assert "INCONCLUSIVE: " in said
    assert "This gate is blind." in said


def test_the_entry_point_is_the_fixture():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"csig": "csig.margins.fixture"}
    assert "pytest" in project["optional-dependencies"]
