"""What was read, and as what."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

#: What a file may be, in the order in which JSON has them.
_ROLES = ("counts", "gold", "a", "b", "columns", "statistics")


@dataclass(frozen=True)
class Columns:
    """Which columns of a file with tags were read; `sentence` is None if not asked for."""

    gold: str
    a: str
    b: str
    sentence: str | None = None


@dataclass(frozen=True)
class TableInput:
    """What a table of units holds: its files, systems, and the columns that are none."""

    files: tuple[str, ...]
    systems: tuple[str, ...]
    n_units: int
    n_clusters: int | None = None
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None
    run_column: str | None = None
    n_runs: int | None = None
    positive: str | None = None


@dataclass(frozen=True)
class Input:
    """What was read, and as what."""

    #: "counts", "responses", "tags", "spans" or "statistics"; of tables "scores", "counts",
    #: "labels" or "lm-eval".
    format: str
    #: Paths by role: "counts"; "gold", "a" and "b"; "columns", the file that has all; or
    #: "statistics". Of tables none.
    files: Mapping[str, str]
    #: For one file with columns.
    columns: Columns | None = None
    #: The systems' files, or their file as often as there are systems; of statistics their names
    #: there; of counts and tables none.
    systems: tuple[str, ...] = ()
    #: Whether the first field of a response is a document id.
    documents: bool = False
    #: For tags; documents for responses and spans as well, where they are known.
    n_sentences: int | None = None
    n_tokens: int | None = None
    n_documents: int | None = None
    #: By which entities are found, for tags.
    rules: str | None = None
    scheme: str | None = None
    table: TableInput | None = None
    #: What reading the files brought to light.
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The object ``input`` of every JSON document; ``docs/json.md`` lists the fields."""
        plain = ("documents", "n_sentences", "n_tokens", "n_documents", "rules", "scheme")
        table = self.table
        return {
            "format": self.format,
            "files": {role: self.files.get(role) for role in _ROLES},
            "systems": list(self.systems),
            "columns": self.columns and asdict(self.columns),
            **{name: getattr(self, name) for name in plain},
            "table": table and {
                "files": list(table.files), "systems": list(table.systems),
                "id": table.id_column, "cluster": table.cluster_column, "gold": table.gold_column,
                "n_units": table.n_units, "n_clusters": table.n_clusters,
                "run": table.run_column, "n_runs": table.n_runs,
            },
        }  # fmt: skip


#: The responses of one side, by key.
ByKey = Mapping[Hashable, Sequence[Hashable]]


@dataclass(frozen=True, eq=False)
class ResponseTable:
    """The responses of the gold and of systems, by key where there are keys."""

    #: Without keys, all responses are under the key None.
    gold: ByKey
    #: By system, with the same keys.
    systems: Mapping[str, ByKey]
    #: By key.
    clusters: Mapping[Hashable, Hashable] | None = None
    #: What keys and clusters are: "sentence", "document"; None where there are none.
    key_name: str | None = None
    cluster_name: str | None = None
    #: Whether responses are :class:`csig.metrics.Span`, which exclude each other where they
    #: overlap; else they are tuples of texts, the fields of a line.
    spans: bool = False
