"""What to read, which the commands with data have as options and :func:`csig.read` as keywords;
and what was read: as what, from which files, and which of them may be mistaken for the gold.

Two systems that learnt from the same data often agree with each other more than with the gold, and
a good system lies between the gold and a poor one. So there is a doubt only where the numbers leave
little else: nothing in common with the gold, or a system between the two others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations, count
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

from csig.base import wording
from csig.base.defaults import MATCHES
from csig.base.errors import InputError, argument
from csig.base.wording import coded
from csig.readers.limits import check_systems

if TYPE_CHECKING:
    from csig.data.comparison import Comparison

#: A file and its column, or the last one.
Source = tuple[str | os.PathLike[str], str | int | None]

#: What --field calls the fields of spans; other names are columns of tables.
FIELDS = {"document": "document", "start": "start", "end": "end", "label": "label"}

#: What --unit takes; which of them there are depends on the input.
UNITS = ("response", "conflict", "token", "sentence", "document", "unit", "cluster")

#: What may stand between cells, as ``--delimiter`` calls it; of blanks any number.
Delimiter = Literal["tab", "comma", "semicolon", "space"]
DELIMITERS: dict[str, str] = dict(zip(get_args(Delimiter), "\t,; ", strict=True))

#: Those that say by themselves that there are cells.
SIGNS = "".join(DELIMITERS.values()).rstrip(" ")

#: To compare every two systems on the units that both have.
PAIRWISE = "pairwise"

#: What other options take.
CHOICES = {
    "unit": UNITS,
    "allow_missing": ("intersection", PAIRWISE),
    "quoting": ("none", "csv"),
    "decimal": (".", ","),
    "delimiter": tuple(DELIMITERS),
    "rules": ("conlleval", "strict"),
    "match": MATCHES,
}


class OptionError(InputError):
    """Options that cannot be combined, or that do not fit what the files hold."""


def shown(path: str) -> str:
    """A path as text that every encoding and JSON can hold."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def option(name: str, *values: str) -> tuple[str, ...]:
    """An option for each of some values."""
    return tuple(word for value in values for word in (f"--{name}", value))


@dataclass(frozen=True)
class Request:
    """The options that say what to read; their names are the options'."""

    files: tuple[str, ...] = ()
    counts: str | None = None
    statistics: str | None = None
    format: str = "auto"
    documents: bool = False
    spans: bool = False
    field: tuple[str, ...] = ()
    gold_column: str | None = None
    system: tuple[str, ...] = ()
    system_column: str | None = None
    score_column: tuple[str, ...] = ()
    id: str | None = None
    cluster: str | None = None
    filter: str | None = None
    allow_missing: str | None = None
    ignore: tuple[str, ...] = ()
    drop_row: tuple[str, ...] = ()
    keep_row: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()
    run: str | None = None
    answer_column: str | None = None
    positive: str | None = None
    quoting: str | None = None
    decimal: str = "."
    delimiter: str | None = None
    header: bool | None = None
    sentence_column: str | None = None
    document_column: str | None = None
    document_file: str | None = None
    qrels: str | None = None
    instances: str | None = None
    rules: str | None = None
    scheme: str | None = None
    match: str | None = None
    name_a: str | None = None
    name_b: str | None = None
    by: str | None = None

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Request:
        """A request from a command's options, which are taken out of them."""
        return cls(**{f.name: options.pop(f.name) for f in fields(cls) if f.name in options})

    def given(self, *names: str) -> list[str]:
        """Those of some options that were given, as messages name them."""
        plain = Request()
        return [
            argument(f"no_{name}" if getattr(self, name) is False else name)
            for name in names
            if getattr(self, name) != getattr(plain, name)
        ]

    def check_unread(self, what: str, **more: object) -> None:
        """Refuse options of reading, and others like these, where no files are."""
        odd = self.given(*vars(self)) + [argument(n) for n, own in more.items() if own is not None]
        if odd:
            raise OptionError(f"{odd[0]} goes with {what}")

    def words(self) -> list[str]:
        """The request as it is written on a command line."""
        found = list(self.files)
        for name in list(vars(self))[1:]:
            value = getattr(self, name)
            for option in self.given(name):
                for word in value if isinstance(value, tuple) else (value,):
                    found += (option,) if isinstance(word, bool) else (option, word)
        return found

    @property
    def fields(self) -> Mapping[str, str]:
        """The names of JSON's fields."""
        found = {}
        for text in self.field:
            name, sign, own = text.partition("=")
            if not sign or not name or not own:
                raise OptionError(
                    f"{argument('field')}: expected NAME=PATH, a column's name and where it is "
                    f"in the file, found {text!r}"
                )
            if name in found:
                raise OptionError(f"{argument('field')}: {name} is given twice")
            found[name] = own
        return found

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        more = (self.counts, self.statistics, self.document_file, self.qrels, self.instances)
        return [*self.files, *(path for path in more if path is not None)]


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
    called: tuple[str, str] = ("unit", "cluster")  #: What units and clusters are.


@dataclass(frozen=True)
class Input:
    """What was read, and as what."""

    #: "counts", "responses", "tags", "spans" or "statistics"; of tables "scores", "counts",
    #: "labels", or a form of `csig.readers.forms.FORMS`.
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


def names_of(request: Request, systems: Sequence[str]) -> tuple[str, ...]:
    """Names of the systems in the output, made different."""
    given = [request.name_a, request.name_b]
    if len(systems) == 2:
        names = zip(systems, given, strict=True)
        a, b = (shown(name if new is None else new) for name, new in names)
        return (a, b) if a != b else (f"A ({a})", f"B ({b})")
    if given != [None, None]:
        raise OptionError(f"{argument('name_a')} and {argument('name_b')} are for two systems")
    result: list[str] = []
    for name in map(shown, systems):
        ways = (f"{name} ({i})" if i > 1 else name for i in count(1))
        result.append(next(own for own in ways if own not in result))
    return tuple(result)


def same_files(files: Sequence[str]) -> list[str]:
    """A doubt where a file came twice."""
    for one, two in combinations(files, 2):
        there = os.path.exists(one) and os.path.exists(two)
        if one == two or (there and os.path.samefile(one, two)):
            twice = f"{shown(one)} was given twice."
            same = f"{shown(one)} and {shown(two)} are the same file."
            return coded("same-file", [twice if shown(one) == shown(two) else same])
    return []


def looks_gold(source: Source) -> bool:
    """Whether a file, or its column if one is named, calls itself gold."""
    path, column = source
    name = str(PurePath(path).stem if column is None else column)
    return not {"gold", "goldstandard", "truth"}.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def text_of(source: Source) -> str:
    path, column = source
    return str(path) if column is None else f"{path}, column {column}"


def check_roles(gold: Source, systems: Sequence[Source]) -> None:
    """Refuse too many systems, and one that calls itself gold where the gold does not."""
    check_systems(gold[0], len(systems))
    for system in systems:
        if looks_gold(system) and not looks_gold(gold):
            raise InputError(
                f"systems: found {text_of(system)!r} as a system and {text_of(gold)!r} as the "
                "gold; are they swapped?"
            )


def gold_and_systems(request: Request, name: str) -> tuple[str, tuple[str, ...]]:
    """The gold's file, and the systems'."""
    gold, *systems = request.files
    if not systems:
        raise OptionError(f"{name} need a file for the gold and one for every system: GOLD A B")
    check_roles((gold, None), [(path, None) for path in systems])
    return gold, tuple(systems)


def beside_gold(form: str, gold: str, systems: Sequence[str], **others: Any) -> Input:
    """What was read of a file for the gold and one for every system."""
    roles = ("gold", "a", "b") if len(systems) == 2 else ("gold",)
    files = dict(zip(roles, map(shown, (gold, *systems)), strict=False))
    return Input(form, files, systems=tuple(map(shown, systems)), **others)


#: A system is between the other two files if each of those is alone this many times as often...
_TIMES = 4
#: ... and so often at least. In 27 comparisons of real taggers and models, with the true gold, the
#: first was at most 3.1. (It was 11.6 for a model that solves nearly all that a small one does,
#: where an answer is right or wrong and wrong ones are all alike.)
_LEAST = 20


def role_cautions(comparison: Comparison) -> list[str]:
    """What makes it doubtful that the gold is the gold, and the systems are systems."""
    names = wording.clean(comparison.names[0]), wording.clean(comparison.names[1])
    found = []
    if {"tp", "predicted", "gold"} <= {*comparison.columns}:
        if not comparison.sums("a")["gold"]:
            found.append("The gold is empty: no response can be correct.")
        for name, side in zip(names, "ab", strict=True):
            sums = comparison.sums(side)
            if not sums["predicted"]:
                found.append(f"{name} has no responses. Is the file complete?")
            elif "response" in comparison.levels and sums["gold"] and not sums["tp"]:
                found.append(
                    f"None of the responses of {name} is in the gold. Is it the right file?"
                )
            elif sums["tp"] == sums["predicted"] == sums["gold"]:
                found.append(
                    f"The responses of {name} are exactly the gold: all are correct, none is "
                    "missing. Is it a system?"
                )
    three = _three(comparison)
    return found if three is None else found + _doubts(names, *three)


def _three(comparison: Comparison) -> tuple[str, list[int], list[int]] | None:
    """What a response or item is called; how many the gold, A and B have, and each two of them."""
    a, b = (comparison.sums(system) for system in "ab")
    if "response" in comparison.levels:
        unique = comparison.at("response").n_units
        both = (a["predicted"] + b["predicted"] - unique) // 2
        return "response", [a["gold"], a["predicted"], b["predicted"]], [a["tp"], b["tp"], both]
    if any(column.startswith("tp[") for column in comparison.columns):
        right, items = [a["correct"], b["correct"]], a["items"]
    elif comparison.columns == ("tp", "fp", "fn", "tn"):
        right, items = [a["tp"] + a["tn"], b["tp"] + b["tn"]], sum(a.values())
    else:
        return None
    # Each has all items, and two have those to which they give the same label.
    finest = comparison.at(comparison.levels[0])
    if finest.units is None or items != finest.units.n_total:  # a unit holds several
        return None
    return finest.unit, [items] * 3, [*right, items - finest.n_units]


def _doubts(names: tuple[str, str], noun: str, sizes: list[int], common: list[int]) -> list[str]:
    """No label of either system is the gold's, or a system lies between the other two files."""
    labels = noun != "response"
    if labels and not any(common[:2]):
        return [
            f"No label of {names[0]} or {names[1]} is that of the gold, on "
            f"{wording.counted(sizes[0], noun)}: is it the right gold, written in the same way and "
            "in the same order?"
        ]
    if not min(common):
        return []
    # What one of the three has alone against the other two is half of its differences from both
    # less those between them. The gold is alone where both systems make the same mistake, a system
    # where it alone is right or wrong.
    both = [sum(pair) for pair in combinations(sizes, 2)]
    to_a, to_b, between = (n - 2 * own for n, own in zip(both, common, strict=True))
    # An item on which two differ is a difference of two labels, one of each.
    halves = 4 if labels else 2
    gold = (to_a + to_b - between) / halves
    systems = [(to_a + between - to_b) / halves, (to_b + between - to_a) / halves]
    shares = [f"{200 * own / n:.1f}%" for n, own in zip(both, common, strict=True)]
    return [
        f"Is {names[i]} the gold? It agrees with the gold ({'' if labels else 'F1 '}{shares[i]}) "
        f"and with {names[other]} ({shares[2]}) far more than these two with each other "
        f"({shares[other]}); the gold is alone against the other two in {gold:,.0f} "
        f"{wording.noun(noun, 2)}, {names[other]} in {systems[other]:,.0f}, {names[i]} in only "
        f"{systems[i]:,.0f}."
        for i, other in ((0, 1), (1, 0))
        if min(gold, systems[other]) >= max(_TIMES * systems[i], _LEAST)
    ]


def silent_systems(table: ResponseTable) -> list[str]:
    """Systems that are silent in half the documents in which there is something to find."""
    if table.key_name is None:
        return []
    label_of = table.clusters or {key: key for key in table.gold}
    wanted = dict.fromkeys(label_of[key] for key, right in table.gold.items() if right)
    noun = wording.noun(table.cluster_name or table.key_name, len(wanted))
    found = []
    for name, own in table.systems.items():
        heard = {label_of[key] for key, said in own.items() if said}
        silent = [label for label in wanted if label not in heard]
        if len(wanted) > 1 and 2 * len(silent) >= len(wanted):
            found.append(
                f"{wording.clean(name)} has no responses in {wording.count(len(silent))} of the "
                f"{wording.count(len(wanted))} {noun} in which the gold has some: "
                f"{wording.first_few(silent)}. Is the file complete?"
            )
    return found
