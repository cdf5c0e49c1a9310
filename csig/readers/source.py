"""What was read, and as what."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["ByKey", "Columns", "Input", "ResponseTable", "TableInput"]

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
    """What was read, and as what.

    Attributes
    ----------
    format : str
        "counts", "responses", "tags", "spans" or "statistics"; of tables "scores", "counts",
        "labels" or "lm-eval".
    files : mapping {role: path}
        The roles are "counts"; "gold", "a" and "b"; "columns", the file that has all; or
        "statistics". Of tables none.
    systems : tuple of str
        The systems' files, or their file as often as there are systems; of statistics their
        names there; of counts and tables none.
    columns : Columns or None
        For one file with columns.
    documents : bool
        Whether the first field of a response is a document id.
    n_sentences, n_tokens, n_documents : int or None
        For tags; documents for responses and spans as well, where they are known.
    rules, scheme : str or None
        By which entities are found, for tags.
    table : TableInput or None
        For tables of units.
    notes, cautions : tuple of str
        What reading the files brought to light.
    """

    format: str
    files: Mapping[str, str]
    columns: Columns | None = None
    systems: tuple[str, ...] = ()
    documents: bool = False
    n_sentences: int | None = None
    n_tokens: int | None = None
    n_documents: int | None = None
    rules: str | None = None
    scheme: str | None = None
    table: TableInput | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The object ``input`` of every JSON document; ``docs/json.md`` lists the fields."""
        table = self.table
        return {
            "format": self.format,
            "files": {role: self.files.get(role) for role in _ROLES},
            "systems": list(self.systems),
            "columns": None if self.columns is None else asdict(self.columns),
            "documents": self.documents,
            "n_sentences": self.n_sentences,
            "n_tokens": self.n_tokens,
            "n_documents": self.n_documents,
            "rules": self.rules,
            "scheme": self.scheme,
            "table": None
            if table is None
            else {
                "files": list(table.files),
                "systems": list(table.systems),
                "id": table.id_column,
                "cluster": table.cluster_column,
                "gold": table.gold_column,
                "n_units": table.n_units,
                "n_clusters": table.n_clusters,
                "run": table.run_column,
                "n_runs": table.n_runs,
            },
        }


#: The responses of one side, by key.
ByKey = Mapping[Hashable, Sequence[Hashable]]


@dataclass(frozen=True, eq=False)
class ResponseTable:
    """The responses of the gold and of systems, by key where there are keys.

    Attributes
    ----------
    gold : mapping {key: responses}
        Without keys, all responses are under the key None.
    systems : mapping {system: {key: responses}}
        With the same keys.
    clusters : mapping {key: label}, or None
    key_name, cluster_name : str or None
        What keys and clusters are: "sentence", "document"; None where there are none.
    spans : bool
        Whether responses are :class:`csig.Span`, which exclude each other where they
        overlap; else they are tuples of texts, the fields of a line.
    """

    gold: ByKey
    systems: Mapping[str, ByKey]
    clusters: Mapping[Hashable, Hashable] | None = None
    key_name: str | None = None
    cluster_name: str | None = None
    spans: bool = False
