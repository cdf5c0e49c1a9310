"""What simulations found is kept in benchmarks/results; the docs print it, and it comes again."""

import json

import pytest
from simulated import shown, simulation

many, repeats, skewed, type_one, volumes = map(
    simulation, ("many_systems", "repeats", "skewed", "type_one", "volumes")
)

#: Each with its tables, how many rows are kept, and cells that are kept.
KEPT = {
    "many systems": (
        many, many.tables, len(list(many.cells())) + 1,  # clusters have two rows
        [(many.Cell("sd 3:1", 5, 50),), (many.Cell("clones", 5, 50, True),)],
    ),
    "repeats": (
        repeats, repeats.tables, len(list(repeats.cells())), [(own,) for own in repeats.cells()],
    ),
    "skewed": (
        skewed, lambda kept: {"skewed": skewed.table(kept)},
        len(skewed.SIGMAS) * len(skewed.SIZES), [],
    ),
    "type one": (
        type_one, type_one.tables, len(list(type_one.cells())) + 3,
        [(type_one.Cell("normal", 50, 0.35),)],
    ),
    "volumes": (volumes, volumes.tables, len(volumes.CELLS), [(volumes.CELLS[3],)]),
}  # fmt: skip


def kept_by(module):
    return json.loads(module.RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KEPT)
def test_the_docs_have_rows_of_what_is_kept_and_the_command_prints_them(name, capsys):
    module, tables, n, *_ = KEPT[name]
    found = tables(kept_by(module))
    assert shown(found, *["repeats.md"] * (name == "repeats")) == []
    assert len(kept_by(module)) == n
    module.main(["--tables"])
    printed = capsys.readouterr().out
    for lines in found.values():
        assert "\n".join(lines) in printed
    assert name != "type one" or "10,000 data sets a cell" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cell"), [(name, cell) for name, own in KEPT.items() for cell in own[3]]
)
def test_cells_that_are_kept_come_again(name, cell):
    module = KEPT[name][0]
    again = module.row(*cell)
    assert (again if isinstance(again, dict) else again[0]) in kept_by(module)
