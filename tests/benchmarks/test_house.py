"""What a room may cost, and small wrong changes of a project."""

from pathlib import Path

import pytest
from simulated import simulation

house, mutants = simulation("house"), simulation("mutants")


def test_every_room_has_a_budget() -> None:
    rooms = {path.parent.name for path in (house.ROOT / "csig").glob("*/__init__.py")}
    assert set(house.budget(house.ROOT)) == rooms
    assert house.words(house.ROOT)["json.md"] > 100


def test_changes_are_of_what_is_computed_and_found_by_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    path = tmp_path / "a.py"
    path.write_text('"""A line.\n\nMore.\n"""\n\n\ndef f(x):\n    return x + 1 if x else -x\n')
    found = {change.new.strip() for change in mutants.mutants(path)}
    assert found == {
        "return (x) - (1) if x else -x",
        "return x + 2 if x else -x",
        "return x + 1 if x else (x)",
        "return (-x if x else x + 1)",
    }
    change = mutants.Change("a.py", "    return x + 1 if x else -x", 0, "    return 2")
    text = mutants.changed(tmp_path, change)
    assert text is not None
    assert text.endswith("def f(x):\n    return 2\n")
    assert mutants.changed(tmp_path, change._replace(nth=1)) is None
    assert mutants.changed(tmp_path, change._replace(file="gone.py")) is None
