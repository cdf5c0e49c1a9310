"""What tables of units have in common, whatever their format."""

from __future__ import annotations

from collections.abc import Sequence

from csig.errors import InputError
from csig.readers.base import Reader, names_of, same_files
from csig.readers.data import Data, TableData
from csig.readers.request import OptionError, Request, shown
from csig.readers.source import Input, TableInput
from csig.readers.tables.matching import Table
from csig.readers.tags.roles import check_roles
from csig.wording import first_few, perhaps

__all__ = ["OF_TABLES", "OfTables", "of_table", "refuse_filter"]

#: What options of tables are for, in messages.
OF_TABLES = "tables of scores, counts or labels"


class OfTables(Reader):
    """A format of tables."""

    shared = ("allow_missing",)

    @property
    def kind(self) -> str:
        """That of all tables."""
        return OF_TABLES

    def given(self, request: Request) -> list[str]:
        """Their options, and names of fields if these are not those of spans."""
        return request.of_tables + ([] if request.names_spans else request.given("field"))


def refuse_filter(request: Request) -> None:
    """Only samples of a harness have filters."""
    if request.filter is not None:
        raise OptionError("--filter is for samples of lm-evaluation-harness")


def of_table(request: Request, table: Table, files: Sequence[str]) -> Data:
    """The data of a table, with the systems that were asked for."""
    chosen = request.columns
    systems = list(chosen or table.systems)
    if len(files) == 1 and request.statistics is None:  # columns may be given by their number
        called = dict(zip(dict.fromkeys(chosen), table.systems, strict=False))
        systems = [called.get(name, name) for name in systems]
    missing = [name for name in systems if name not in table.systems]
    if missing:
        raise InputError(
            f"{first_few(map(shown, files))}: no system {first_few(missing)}"
            f"{perhaps(missing[0], table.systems)}; there are {first_few(table.systems, 12)}"
        )
    names = names_of(request, systems)
    if table.format == "labels" and table.gold_column is not None and len(files) == 1:
        columns = [(files[0], name) for name in systems]
        check_roles((files[0], table.gold_column), columns)
    notes = list(table.notes)
    same = same_files(files)
    if len(systems) == 2 and systems[0] == systems[1]:
        same.append("A and B are the same column.")
    unused = [name for name in table.others if name not in (request.by, *request.ignore)]
    if unused and not chosen and request.statistics is None:
        notes.append(f"Columns that were not used: {', '.join(map(repr, unused))}.")
    if request.positive is not None and table.format != "labels":
        raise OptionError("--positive is for tables of labels")
    source = Input(
        table.format,
        {},
        table=TableInput(
            tuple(map(shown, files)),
            tuple(map(shown, systems)),
            table.n_units,
            None if table.clusters is None else len(set(table.clusters)),
            table.id_column,
            table.cluster_column,
            table.gold_column,
            table.run_column,
            len(table.runs) if table.run_column is not None else None,
            request.positive,
        ),
        notes=tuple(notes),
        cautions=(*same, *table.cautions, *_different_items(table)),
    )
    # A column may be asked for twice, as A and as B.
    return TableData(source, names, table, request.positive, table.units_are, order=tuple(systems))


def _different_items(table: Table) -> tuple[str, ...]:
    """Counts that say the systems were asked different things; another gold is refused."""
    if table.format != "counts" or "items" not in table.columns:
        return ()
    column = table.columns.index("items")
    items = {name: values[:, column] for name, values in table.systems.items()}  # type: ignore[call-overload]
    (first, base), *others = items.items()
    return tuple(
        f"{shown(name)} and {shown(first)} differ in items in {count} of "
        f"{table.n_units} units. Is it the same test data?"
        for name, own in others
        if (count := int((own != base).sum()))
    )
