"""The package itself: what it imports, shows and ships."""

import ast
import importlib
import inspect
import os
import tomllib
from pathlib import Path

import pytest
from children import python
from places import ROOT

import csig
from csig_ext import dispatch


def run(code, *flags, **environment):
    return python(code, flags=flags, env=environment)


def imported(code):
    done = run(code + "\nimport sys; print(*sorted(sys.modules))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_importing_csig_is_light():
    heavy = {"scipy", "click", "rich", "matplotlib", "pandas", "concurrent.futures", "logging"}
    assert not imported("from csig import *") & heavy
    assert "numpy" not in imported("import csig")  # nothing before it is used


def test_a_comparison_needs_scipy_special_only():
    modules = imported(
        "import csig\n"
        "c = csig.Comparison.from_counts(gold=40, only_a_correct=20, only_b_correct=9)\n"
        "r = csig.randomization_test(c, 'recall', method='yeh2000', rng=1)\n"
        "r.pvalue_interval"
    )
    assert "scipy.special" in modules
    assert not modules & {"scipy.stats", "scipy.optimize", "click", "rich"}


def test_the_replay_is_independent_of_the_compiled_part():
    """The file by itself, without the package around it."""
    modules = imported(
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('replay', {csig_file('replay.py')!r})\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "assert len(module.chunk_words(5, entropy=1)) == 5"
    )
    assert not any(name.startswith("csig") for name in modules)


def csig_file(name):
    return os.path.join(os.path.dirname(csig.__file__), name)


def test_show_config(capsys):
    csig.show_config()
    shown = capsys.readouterr().out
    for text in (csig.__version__, dispatch.compiler, dispatch.chosen, "PCG64DXSM", "Philox"):
        assert text in shown


@pytest.mark.parametrize("isa", dispatch.built)
def test_an_instruction_set_can_be_forced(isa):
    done = run("import csig; csig.show_config()", CSIG_ISA=isa)
    if isa in dispatch.available:
        line = next(x for x in done.stdout.splitlines() if "instruction set used" in x)
        assert line.split()[-1] == isa
    else:
        assert f"CSIG_ISA={isa}: not available here" in done.stderr


def test_an_unknown_instruction_set_is_refused():
    done = run("import csig; csig.show_config()", CSIG_ISA="mmx")
    assert done.returncode == 1
    assert "CSIG_ISA=mmx: not available here" in done.stderr


def test_the_types_are_shipped():
    assert os.path.exists(csig_file("py.typed"))


def test_every_public_name_is_there():
    for name in csig.__all__:
        assert getattr(csig, name) is not None


@pytest.mark.parametrize(
    "module",
    [
        *("csig", "csig.advice", "csig.claims", "csig.classical"),
        *("csig.datasets", "csig.effects", "csig.intervals", "csig.metrics", "csig.plots"),
        *("csig.rankings", "csig.readers", "csig.replay", "csig.training"),
    ],
)
def test_dir_shows_the_public_names_and_nothing_else(module):
    """However much of the package has been imported."""
    importlib.import_module("csig.cli.app")
    found = importlib.import_module(module)
    assert dir(found) == sorted(found.__all__)
    assert not [name for name in dir(found) if name.startswith("_") and name != "__version__"]


def test_type_checkers_see_the_names_where_they_live():
    tree = ast.parse(Path(csig_file("__init__.pyi")).read_text(encoding="utf-8"))
    seen = {
        alias.asname: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(seen) == csig.__all__
    spaces = {name for name, module in seen.items() if module == "csig"}
    assert {name for name in csig.__all__ if inspect.ismodule(getattr(csig, name))} == spaces
    homes = {name: own for name, own in seen.items() if own != "csig" and name != "__version__"}
    assert homes == csig._HOMES
    for name, module in homes.items():
        assert getattr(csig, name) is getattr(importlib.import_module(module), name)


def test_the_top_level_is_a_table_of_contents():
    assert len(csig.__all__) <= 28
    for name in csig.__all__:  # the page that help(csig) shows has each of them
        if name != "__version__":
            assert f"`{name}`" in csig.__doc__ or f"csig.{name}(" in csig.__doc__, name


def test_the_source_folder_without_its_compiled_part_says_so(tmp_path):
    package = tmp_path / "csig_ext"
    package.mkdir()
    source = os.path.join(os.path.dirname(dispatch.__file__), "__init__.py")
    (package / "__init__.py").write_text(Path(source).read_text(encoding="utf-8"))
    done = run("import csig_ext", "-S", PYTHONPATH=str(tmp_path))  # no site: no installed csig
    assert "install with: python -m pip install -e ." in done.stderr


def test_the_floors_are_those_that_are_tried():
    """tests/floors.txt has every package that is needed, in the oldest version that is allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"]
    extras = project["optional-dependencies"]
    wanted += [own for e in ("cli", "dask", "parquet", "plot") for own in extras[e]]
    lines = (ROOT / "tests" / "floors.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    floors = dict(own.split(">=") for own in wanted)
    assert pinned.keys() == floors.keys()
    for name, version in pinned.items():
        assert version.startswith(f"{floors[name]}."), name
        assert set(version.removeprefix(floors[name])) <= {".", "0"}, name
