"""What the project takes to read, and small wrong changes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from simulated import simulation

house, mutants = simulation("house"), simulation("mutants")

ARCHITECTURE = """
## What a room may cost

| room | lines |
|---|---|
| `one/` | 5 |
| `two/` | 1,000 |

## More

| `three/` | 7 |
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "csig/__init__.py": '"""What it is."""\n',
        "csig/__init__.pyi": "from csig import one as one, two as two\n",
        "csig/one/__init__.py": "",
        "csig/one/a.py": '"""A line.\n\nMore.\n"""\n\n\ndef f(x):\n    return x + 1 if x else -x\n',
        "csig/two/__init__.py": "y = 1\n",
        "csig_ext/k.pyx": "cdef int f\n",
        "csig_ext/k.c": "written by Cython\n",
        "csig_ext/src/k.c": "int f;\nint g;\n",
        "tests/test_one.py": "a = 1\n",
        "benchmarks/b.py": "",
        "docs/architecture.md": ARCHITECTURE,
        "docs/json.md": "three words here\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_parts_budgets_and_words(project: Path) -> None:
    assert house.parts(project) == {
        "one": house.Part(lines=8, docstrings=4, modules=2),
        "two": house.Part(1, 0, 1),
        "(top)": house.Part(1, 1, 1),
        "csig_ext": house.Part(3, 0, 0),
        "tests": house.Part(1, 0, 1),
        "benchmarks": house.Part(0, 0, 1),
    }
    assert house.budget(project) == {"one": 5, "two": 1000}
    report = house.report(project)
    rows = {line.split()[0]: line for line in report.splitlines()}
    assert rows["one"].endswith("over")
    assert not rows["two"].endswith("over")
    assert rows["csig"].split()[1:] == ["10", "5", "4"]
    assert "2 names at the top" in report
    assert house.words(project)["json.md"] == 3


def test_every_room_has_a_budget() -> None:
    rooms = {path.parent.name for path in (house.ROOT / "csig").glob("*/__init__.py")}
    assert set(house.budget(house.ROOT)) == rooms


def test_changes_are_of_what_is_computed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", project)
    found = {change.new.strip() for change in mutants.mutants(project / "csig/one/a.py")}
    assert found == {
        "return (x) - (1) if x else -x",
        "return x + 2 if x else -x",
        "return x + 1 if x else (x)",
        "return (-x if x else x + 1)",
    }


def test_a_change_is_found_by_its_line(project: Path) -> None:
    change = mutants.Change("csig/one/a.py", "    return x + 1 if x else -x", 0, "    return 2")
    text = mutants.changed(project, change)
    assert text is not None
    assert text.endswith("def f(x):\n    return 2\n")
    assert mutants.changed(project, change._replace(nth=1)) is None
    assert mutants.changed(project, change._replace(file="csig/gone.py")) is None
