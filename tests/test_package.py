"""The package itself: what it imports, shows and ships."""

import ast
import importlib
import inspect
import json
import os
import tomllib
from pathlib import Path

import pytest
from children import python
from places import ROOT

import csig
from csig_ext import dispatch

HERE = Path(csig.__file__).parent

TEST = """
c = csig.Comparison.from_counts(gold=40, only_a_correct=20, only_b_correct=9)
csig.randomization_test(c, 'recall', method='yeh2000', rng=1).pvalue_interval
"""
#: The file by itself, without the package around it.
REPLAY = f"""
import importlib.util
spec = importlib.util.spec_from_file_location('replay', {str(HERE / "replay.py")!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert len(module.chunk_words(5, entropy=1)) == 5
"""
RESULT = """
import csig
c = csig.Comparison.from_scores([1, 2, 3], [2, 4, 5])
result = csig.randomization_test(c, ["mean"])
repr(result), result == result
"""
LIBRARIES = "scipy click rich matplotlib pandas polars pyarrow concurrent.futures logging asyncio"
VERBS = "csig.cli.compare csig.cli.files csig.cli.systems csig.cli.audits"
SLOW = "numpy scipy csig_ext csig.data.comparison csig.readers.data"


#: What a process runs, step by step, and what is not loaded after each.
STEPS = [
    [
        (REPLAY, "csig csig_ext"),
        (RESULT, "csig.report csig.report.shown csig.report.document"),
        ("str(result)\nassert 'csig.report.shown' in sys.modules", "rich"),
    ],
    [
        ("import csig.base.defaults", "numpy scipy click"),
        ("import csig", f"numpy {LIBRARIES}"),
        # Before its handler of signals is there.
        ("import csig.cli", "numpy click scipy"),
        ("from csig import *", LIBRARIES),
        ("import csig.answers.answer", "click"),
        (TEST, "scipy.stats scipy.optimize click rich"),
    ],
    [
        ("main('--help')", f"numpy matplotlib csig_ext.shuffle {LIBRARIES[:5]} {VERBS}"),
        *((f"main('{verb}', '--help')", SLOW) for verb in ("compare", "interval", "convert")),
        # Counts, which have an exact test and an interval.
        (f"main('compare', '--counts', {str(ROOT / 'examples' / 'yeh2000.toml')!r})",
         "scipy matplotlib pandas polars pyarrow rich logging asyncio csig.comparing.runs "
         "csig.readers.tables.reader csig.readers.tags.read csig.report.style"),
    ],
]  # fmt: skip
RUNNING = """
import json, sys
def main(*words):
    from csig.cli import main
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
for code, heavy in json.loads(sys.argv[1]):
    exec(code)
    assert not sys.modules.keys() & {*heavy.split()}, (code, sys.modules.keys() & {*heavy.split()})
"""


@pytest.mark.parametrize("steps", STEPS)
def test_nothing_is_imported_that_is_not_needed(steps: list[tuple[str, str]]):
    done = python(RUNNING, json.dumps(steps))
    assert done.returncode == 0, done.stderr


def test_show_config(capsys):
    csig.show_config()
    shown = capsys.readouterr().out
    for text in (csig.__version__, dispatch.compiler, dispatch.chosen, "PCG64DXSM", "Philox"):
        assert text in shown


@pytest.mark.parametrize("isa", [*dispatch.built, "mmx"])
def test_an_instruction_set_can_be_forced(isa):
    done = python("import csig; csig.show_config()", env={"CSIG_ISA": isa})
    if isa in dispatch.available:
        line = next(x for x in done.stdout.splitlines() if "instruction set used" in x)
        assert line.split()[-1] == isa
    else:
        assert done.returncode == 1
        assert f"CSIG_ISA={isa}: not available here" in done.stderr


def test_the_types_are_shipped():
    assert (HERE / "py.typed").exists()
    assert "py.typed" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


SPACES = "advice claims classical datasets effects intervals metrics planning plots rankings"
SPACES += " replay training"


@pytest.mark.parametrize("module", ["csig", "csig.readers", *map("csig.{}".format, SPACES.split())])
def test_dir_shows_the_public_names_and_nothing_else(module):
    """However much of the package has been imported."""
    importlib.import_module("csig.cli.app")
    found = importlib.import_module(module)
    assert dir(found) == sorted(found.__all__)
    assert not [name for name in dir(found) if name.startswith("_") and name != "__version__"]


@pytest.mark.parametrize("space", sorted({"", *SPACES.split()} - {"replay"}))
def test_every_function_names_itself_and_the_argument_that_it_does_not_have(space):
    module = importlib.import_module(f"csig.{space}".rstrip("."))
    for name in module.__all__:
        function = getattr(module, name)
        if not inspect.isfunction(function) or function is csig.plots.plot:  # for any picture
            continue
        # What checks its keywords itself looks at the comparison first.
        itself = "options" in inspect.signature(function).parameters
        first = [csig.Comparison.from_scores([1, 0], [0, 1]), "mean"] if itself else []
        with pytest.raises(TypeError, match=rf"^csig\.(\w+\.)?{name}\(\) has no argument 'frob'$"):
            function(*first, frob=1)


def test_type_checkers_see_the_names_where_they_live():
    tree = ast.parse((HERE / "__init__.pyi").read_text(encoding="utf-8"))
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
    assert len(csig.__all__) <= 31
    for name in csig.__all__:  # the page that help(csig) shows has each of them
        if name != "__version__":
            assert f"`{name}`" in csig.__doc__ or f"csig.{name}(" in csig.__doc__, name


def test_the_source_folder_without_its_compiled_part_says_so(tmp_path):
    package = tmp_path / "csig_ext"
    package.mkdir()
    source = os.path.join(os.path.dirname(dispatch.__file__), "__init__.py")
    (package / "__init__.py").write_text(Path(source).read_text(encoding="utf-8"))
    # Without site, and so without an installed csig.
    done = python("import csig_ext", flags=["-S"], env={"PYTHONPATH": str(tmp_path)})
    assert "install with: python -m pip install -e ." in done.stderr


def test_the_floors_are_those_that_are_tried():
    """tests/floors.txt has every package that is needed, in the oldest version that is allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [own for e in ("cli", "dask", "parquet", "plot", "text") for own in extras[e]]
    lines = (ROOT / "tests" / "floors.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    floors = dict(own.split(">=") for own in project["dependencies"] + wanted)
    assert pinned.keys() == floors.keys()
    for name, version in pinned.items():
        assert version.startswith(f"{floors[name]}."), name
        assert set(version.removeprefix(floors[name])) <= {".", "0"}, name


def test_no_module_has_the_name_of_what_its_folder_offers():
    """Whoever imports a module by its path would find it in the place of the function."""
    for path in Path(csig.__file__).parent.glob("*/__init__.py"):
        folder = importlib.import_module(f"csig.{path.parent.name}")
        modules = {own.stem for own in path.parent.glob("*.py")}
        assert not modules.intersection(getattr(folder, "__all__", ()))
