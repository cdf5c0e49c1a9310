"""The house itself: no private names in tests, no circles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from places import ROOT

TESTS = ROOT / "tests"
PACKAGES = ("csig", "csig_ext", "tests", "benchmarks")
MODULES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()
)
PYTHON = [path for path in MODULES if path.suffix == ".py"]

#: Private names that tests take, and why there is no other way.
PRIVATE = {
    ("tests/test_package.py", "csig._HOMES"): "where lazy names come from is compared with a list",
}

#: What looks private, but is how a named tuple is changed, and what notebooks ask for.
PUBLIC = {"_asdict", "_replace", "_repr_html_", "_repr_png_"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All that are in a node, at any depth: functions and imports among them."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        inside = getattr(node, field, ())
        for statement in inside if isinstance(inside, list) else ():
            yield statement
            yield from statements(statement)


def private_names(path: Path) -> set[str]:
    """What a test takes from csig although its name begins with an underscore."""
    found = set()
    modules: dict[str, str] = {}
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0].startswith(
            "csig"
        ):
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                if alias.name.startswith("_"):
                    found.add(f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Import):
            modules |= {a.asname or a.name: a.name for a in node.names if a.name.startswith("csig")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and node.attr[1] != "_":
            owner = ast.unparse(node.value)
            if owner not in {"self", "cls"} and node.attr not in PUBLIC:
                found.add(f"{modules.get(owner, owner)}.{node.attr}")
        elif isinstance(node, ast.Constant) and re.fullmatch(r"csig[\w.]*\._\w+", str(node.value)):
            found.add(node.value)
    return found


def test_tests_take_no_private_names() -> None:
    taken = {
        (name(path), private)
        for path in PYTHON
        if path.is_relative_to(TESTS) and path != Path(__file__)
        for private in private_names(path)
    }
    assert taken == set(PRIVATE)


def test_no_test_sleeps() -> None:
    for path in PYTHON:
        if path.is_relative_to(TESTS) and path != Path(__file__):
            assert "sleep(" not in path.read_text("utf-8"), name(path)


def imports(path: Path, modules: set[str]) -> set[str]:
    """The modules of csig that one imports, in functions and for type checkers too."""
    found = set()
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if names <= modules else {*names, node.module}
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
