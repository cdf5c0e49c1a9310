"""The house itself: no private names in tests, no circles, topics that can be taken out."""

import ast
import re
import shutil
from pathlib import Path

from children import command_line
from places import ROOT

#: Private names that tests take, and why there is no other way.
PRIVATE = {
    ("tests/test_package.py", "csig._HOMES"): "where lazy names come from is compared with a list",
}

#: What looks private, but is how a named tuple is changed, and what notebooks ask for.
PUBLIC = {"_asdict", "_replace", "_repr_html_", "_repr_png_"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def private_names(path: Path) -> set[str]:
    """What a test takes from csig although its name begins with an underscore."""
    found: set[str] = set()
    modules: dict[str, str] = {}
    text = path.read_text("utf-8")
    if not re.search(r"[\s.,(]_[A-Za-z]", text):
        return found
    nodes = [*ast.walk(ast.parse(text))]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0].startswith(
            "csig"
        ):
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                if alias.name.startswith("_"):
                    found.add(f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Import):
            modules |= {a.asname or a.name: a.name for a in node.names if a.name.startswith("csig")}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and node.attr[1] != "_":
            owner = ast.unparse(node.value)
            if owner not in {"self", "cls"} and node.attr not in PUBLIC:
                found.add(f"{modules.get(owner, owner)}.{node.attr}")
        elif isinstance(node, ast.Constant) and re.fullmatch(r"csig[\w.]*\._\w+", str(node.value)):
            found.add(node.value)
    return found


def test_tests_take_no_private_names_and_do_not_sleep() -> None:
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    assert {(name(path), own) for path in tests for own in private_names(path)} == set(PRIVATE)
    assert [path for path in tests if "sleep(" in path.read_text("utf-8")] == []


def imports(path: Path, modules: set[str]) -> set[str]:
    """The modules of csig that one imports, in functions and for type checkers too."""
    text = path.read_text("utf-8")
    found = set(re.findall(r"(?m)^ *import (csig[\w.]*)", text))
    for module, several, one in re.findall(
        r"(?m)^ *from (csig[\w.]*) import (?:\(([^)]*)\)|(.*))", text
    ):
        listed = re.findall(r"(\w+)(?: as \w+)?", re.sub("#.*", "", several or one))
        names = {f"{module}.{own}" for own in listed}
        found |= names if names and names <= modules else {*names, module}
    return found & modules


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Every module alone; import-linter looks at packages as a whole."""
    paths = {
        name(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__"): path
        for path in (ROOT / "csig").rglob("*.py")
    }
    waits = {module: imports(path, set(paths)) - {module} for module, path in paths.items()}
    assert sum(map(len, waits.values())) > 500
    while ready := {module for module, others in waits.items() if not others}:
        waits = {m: others - ready for m, others in waits.items() if m not in ready}
    assert waits == {}


#: What code says of a topic on which no other is built, beside its folder and its verb.
TOPICS = {
    "rankings": {
        "__init__.py": ['    "rankings": ("rank_methods",),'],
        "__init__.pyi": [
            "from csig import rankings as rankings",
            "from csig.rankings import rank_methods as rank_methods",
        ],
        "plots.py": ["from csig.rankings.pictures import *  # noqa: F403"],
        "cli/app.py": ['    "rank": "Compare ranking methods by their n best.",'],
    },
    "planning": {
        "__init__.py": ['    "planning": ("plan",),'],
        "__init__.pyi": [
            "from csig import planning as planning",
            "from csig.planning import plan as plan",
        ],
        "cli/app.py": ['    "plan": "Power, or the items that an evaluation needs.",'],
    },
    "training": {
        "__init__.py": ['    "training": (),'],
        "__init__.pyi": ["from csig import training as training"],
        "cli/app.py": ['    "train": "How much scores depend on the training data.",'],
    },
}

#: Every public name is there, and is described to type checkers, but those of the topics.
WITHOUT = """
import ast, csig, csig.plots
from pathlib import Path
assert csig.__file__.startswith({copy!r}), csig.__file__
assert not {topics!r} & {{*csig.__all__}}
for name in csig.__all__:
    getattr(csig, name)
for name in csig.plots.__all__:
    getattr(csig.plots, name)
from csig.cli.app import COMMANDS
assert not {verbs!r} & {{*COMMANDS}}
stub = ast.parse(Path(csig.__file__ + "i").read_text("utf-8"))
assert sorted(alias.asname for node in stub.body for alias in node.names) == csig.__all__
"""


def test_a_topic_goes_with_its_folder_its_verb_and_five_lines(tmp_path: Path) -> None:
    """No file names one but its own; what is left when all are gone runs."""
    copy = tmp_path / "csig"
    shutil.copytree(ROOT / "csig", copy, ignore=shutil.ignore_patterns("__pycache__"))
    verbs = set()
    for files in TOPICS.values():
        assert sum(map(len, files.values())) <= 5
        for file, lines in files.items():
            text = (copy / file).read_text("utf-8").split("\n")
            for line in lines:
                text.remove(line)
            (copy / file).write_text("\n".join(text), "utf-8")
        (command,) = files["cli/app.py"]
        verbs.add(command.split('"')[1])
    commands = {Path("cli", f"{verb}.py") for verb in verbs}
    for path in copy.rglob("*.py*"):
        inside = path.relative_to(copy)
        for topic in re.findall(r"\bcsig\.(\w+)", path.read_text("utf-8")):
            assert topic not in TOPICS or topic in inside.parts or inside in commands, path
    for topic in TOPICS:
        shutil.rmtree(copy / topic)
    for file in commands:
        (copy / file).unlink()
    rows = "".join(f"{i},{i % 2},{i % 3 == 0:d}\n" for i in range(12))
    (tmp_path / "scores.csv").write_text(f"id,new,base\n{rows}", "utf-8")
    code = WITHOUT.format(copy=str(tmp_path), topics={*TOPICS}, verbs=verbs)
    ran = command_line(code, "compare", "scores.csv", cwd=tmp_path, paths=[str(tmp_path)])
    assert ran.returncode == 0, ran.stderr
    assert "No evidence of a difference" in ran.stdout
