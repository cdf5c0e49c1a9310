"""A user's script, as a type checker sees it: what is misspelt is an error, and nothing else."""

import shutil
import subprocess
import sys

import pytest
from places import ROOT


@pytest.mark.slow
def test_a_users_script(tmp_path):
    """Strictly, and by no settings of csig's own."""
    pytest.importorskip("mypy")
    shutil.copy(ROOT / "tests" / "public_types.py", tmp_path / "script.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "script.py"]
    found = subprocess.run(
        command, cwd=tmp_path, env={"MYPYPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert "checked 1 source file" in found.stdout
    assert "script.py:" not in found.stdout, found.stdout
