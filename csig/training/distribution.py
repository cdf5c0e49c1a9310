"""The distribution of scores over training samples (Krymolowski 2001).

A system is trained on many samples of a corpus, and every model is scored on the same test sets.
How much the scores vary says what chance in the training data does; how often one system is ahead
of another says how much their order depends on it. The test sets are the same throughout: what
chance in *them* does, :func:`csig.randomization_test` tests.

Means, deviations and correlations are rounded once, so that they are the same everywhere.

Scores that somebody else made are read from one row per sample, system and test set, or one for
each of the items too, whose scores are then averaged.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from csig.base.errors import InputError, Refusal, argument
from csig.base.shown import Format, ShownArrays
from csig.base.validation import between, one_of
from csig.base.wording import counted, first_few, perhaps
from csig.probability.alike import alike
from csig.probability.binomial import clopper_pearson
from csig.readers.lines import StrPath
from csig.readers.tables import rules
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import SCORE_NAMES, SYSTEM_NAMES
from csig.readers.tables.sheets import Dialect, Sheet
from csig.results.randomization import Seed
from csig.training.sampling import RESAMPLINGS, Resampling

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How samples of a method depend on each other, given the corpus; subsamples may or may not.
_INDEPENDENT: dict[str | None, bool | None] = {"bootstrap": True, "kfold": False}


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _apart(values: Sequence[float]) -> list[float]:
    """The distances from the mean; none where all values are the same."""
    if min(values) == max(values):
        return [0.0] * len(values)
    middle = mean(values)
    return [value - middle for value in values]


def sd(values: Sequence[float]) -> float:
    """The standard deviation, with n - 1; exactly 0 where all values are the same."""
    apart = _apart(values)
    _, power = math.frexp(max(map(abs, apart)))  # so that no square overflows or underflows
    square = math.fsum(math.ldexp(d, -power) ** 2 for d in apart) / (len(values) - 1)
    return math.ldexp(math.sqrt(square), power)


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None where one of the two does not vary."""
    x, y = _apart(one), _apart(other)
    scale_x, scale_y = max(map(abs, x)), max(map(abs, y))
    if not scale_x or not scale_y:
        return None
    x, y = [d / scale_x for d in x], [d / scale_y for d in y]  # no square underflows
    both = math.fsum(a * b for a, b in zip(x, y, strict=True))
    found = both / math.sqrt(math.fsum(a * a for a in x) * math.fsum(b * b for b in y))
    return max(-1.0, min(1.0, found))


def spreads_pvalue(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Two-sided test that two paired series vary equally (Pitman 1939, Morgan 1939).

    They do if their sums and their differences are not correlated. None where one of these does
    not vary, or for fewer than three pairs.
    """
    from scipy.special import stdtr

    freedom = len(one) - 2
    sums = [a + b for a, b in zip(one, other, strict=True)]
    r = correlation(sums, [a - b for a, b in zip(one, other, strict=True)])
    if r is None or freedom < 1:
        return None
    if abs(r) >= 1:
        return 0.0
    return alike(float(2 * stdtr(freedom, -abs(r) * math.sqrt(freedom / (1 - r * r)))))


@dataclass(frozen=True, kw_only=True)
class TrainingScore:
    """A system's scores on a test set."""

    system: str  #: system, test_set: whose they are, and on what.
    test_set: str
    mean: float  #: mean, sd: mean and standard deviation (with n - 1) over the training samples.
    sd: float
    lowest: float  #: lowest, highest: the extremes.
    highest: float


@dataclass(frozen=True, kw_only=True)
class TrainingDifference:
    """The scores of system A minus those of system B, both trained on the same samples."""

    a: str  #: a, b, test_set: the systems, and on what.
    b: str
    test_set: str
    mean: float  #: The mean difference.
    sd: float  #: Its standard deviation: sqrt(s_a^2 + s_b^2 - 2 s_a s_b r).
    correlation: float | None  #: Of the two systems' scores, r; None if one of them does not vary.
    #: n_ahead, n_ties, n_behind: samples on which A has the higher score, the same, the lower.
    n_ahead: int
    n_ties: int
    n_behind: int
    probability: float  #: P(a > b): the share of samples on which A is ahead. Ties are not.
    #: The exact binomial interval (Clopper and Pearson 1934) for the share of all samples that
    #: could be drawn of this corpus; None if the samples depend on each other.
    interval: tuple[float, float] | None
    confidence_level: float  #: Of the interval.


@dataclass(frozen=True, kw_only=True)
class AcrossTestSets:
    """A system's scores on two test sets, of the same models."""

    system: str  #: system, first, second: the system and the test sets.
    first: str
    second: str
    #: Whether a training sample that is good for one is good for the other; None if one of the two
    #: does not vary.
    correlation: float | None
    #: sd_first, sd_second: the standard deviations. They depend on the size of a test set: only
    #: those of sets of equal size say something of what is in them.
    sd_first: float
    sd_second: float
    #: That both vary equally, two-sided (Pitman 1939, Morgan 1939), for normal scores; None if it
    #: is not defined or the samples depend on each other.
    pvalue: float | None

    @property
    def sd_ratio(self) -> float | None:
        """The second deviation divided by the first; None if that is 0."""
        return self.sd_second / self.sd_first if self.sd_first else None


@dataclass(frozen=True, kw_only=True)
class TrainingFailure:
    """A training sample without scores."""

    sample: int  #: Its number, from 0.
    error: str  #: What went wrong, in one line.


@dataclass(frozen=True, eq=False, repr=False)
class TrainingDistribution(ShownArrays):
    """The scores of systems that were trained on the same samples of a corpus.

    Notes
    -----
    With s_a and s_b the standard deviations of two systems on a test set and r their correlation,
    the difference has the standard deviation sqrt(s_a^2 + s_b^2 - 2 s_a s_b r): systems that
    profit from the same samples (large r) can be told apart where their scores vary much.

    k-fold samples, k parts but one each, share most of their sentences. Nothing that takes them as
    independent is computed.

    References
    ----------
    Y. Krymolowski (2001), "Using the distribution of performance for studying statistical NLP
    systems and corpora", ACL workshop on evaluation for language and dialogue systems, section 5.

    Examples
    --------
    >>> scores = [[[0.90], [0.92]], [[0.88], [0.91]], [[0.91], [0.91]], [[0.89], [0.92]]]
    >>> found = TrainingDistribution(scores, ("short", "long"), ("news",), "bootstrap")
    >>> found.score("long", "news").mean
    0.915
    >>> pair = found.difference("long", "short", "news")
    >>> pair.probability, pair.n_ties, round(pair.sd, 4), round(pair.correlation, 4)
    (0.75, 1, 0.0141, 0.0)
    """

    scores: NDArray[np.float64]  #: At least two samples.
    systems: tuple[str, ...]  #: systems, test_sets: their names.
    test_sets: tuple[str, ...]
    method: Resampling | None = None  #: How the samples were drawn; None if that is not known.
    #: Whether the samples are independent given the corpus: by default True for "bootstrap", False
    #: for "kfold", else None. P(a > b) has an interval unless it is False: with None it is right
    #: for independent samples only. Give False for disjoint samples of one corpus.
    independent: bool | None = None
    samples: tuple[str, ...] = ()  #: What the samples are called; by default their numbers from 0.
    #: Samples without scores, which are not among the others.
    failures: tuple[TrainingFailure, ...] = ()
    notes: tuple[str, ...] = ()  #: What is to be said of the data, beside the notes of the tables.
    seed: Seed | None = None  #: What draws the samples again.

    def __post_init__(self) -> None:
        scores = _checked_scores(self.scores)
        for name, axis in (("systems", 1), ("test_sets", 2)):
            names = names_of(name, getattr(self, name))
            if len(names) != scores.shape[axis]:
                raise InputError(
                    f"{name}: found {len(names)} names for {scores.shape[axis]} of the scores"
                )
            object.__setattr__(self, name, names)
        if self.method is not None:
            one_of("method", self.method, RESAMPLINGS)
        samples = self.samples or tuple(map(str, range(len(scores))))
        if len(samples) != len(scores):
            raise InputError(f"samples: found {len(samples)} names for {len(scores)} samples")
        if self.independent is None:
            object.__setattr__(self, "independent", _INDEPENDENT.get(self.method))
        object.__setattr__(self, "samples", tuple(map(str, samples)))
        object.__setattr__(self, "scores", scores)

    # ---- numbers -------------------------------------------------------------------------------

    @property
    def n_samples(self) -> int:
        """The training samples with scores."""
        return len(self.scores)

    def values(self, system: str, test_set: str) -> list[float]:
        """A system's scores on a test set, one per sample."""
        s = place_of("system", system, self.systems)
        t = place_of("test set", test_set, self.test_sets)
        found: list[float] = self.scores[:, s, t].tolist()
        return found

    def score(self, system: str, test_set: str) -> TrainingScore:
        """Mean, standard deviation and extremes of a system's scores on a test set."""
        own = self.values(system, test_set)
        return TrainingScore(
            system=system, test_set=test_set, mean=mean(own), sd=sd(own),
            lowest=min(own), highest=max(own),
        )  # fmt: skip

    def difference(
        self, a: str, b: str, test_set: str, *, confidence_level: float = 0.95
    ) -> TrainingDifference:
        """System A against system B on a test set: how much, and how often ahead.

        Parameters
        ----------
        a, b : str
            The systems.
        test_set : str
            The test set.
        confidence_level : float
            Of the interval of P(a > b).
        """
        between("confidence_level", confidence_level)
        one, other = self.values(a, test_set), self.values(b, test_set)
        apart = [x - y for x, y in zip(one, other, strict=True)]
        ahead, ties = sum(d > 0 for d in apart), sum(d == 0 for d in apart)
        interval = None
        if self.independent is not False:
            interval = clopper_pearson(ahead, len(apart), confidence_level)
        return TrainingDifference(
            a=a, b=b, test_set=test_set, mean=mean(apart), sd=sd(apart),
            correlation=correlation(one, other), n_ahead=ahead, n_ties=ties,
            n_behind=len(apart) - ahead - ties, probability=ahead / len(apart),
            interval=interval, confidence_level=confidence_level,
        )  # fmt: skip

    def across(self, system: str, first: str, second: str) -> AcrossTestSets:
        """A system on two test sets: correlation and standard deviations.

        Test sets of different size vary differently whatever is in them. To compare the spread,
        draw subsets of the larger one that are as large as the smaller one, as the paper's WSJ20a
        and WSJ20b: ``resample_training(n, size, "subsample", instances=...)``.
        """
        one, other = self.values(system, first), self.values(system, second)
        return AcrossTestSets(
            system=system, first=first, second=second,
            correlation=correlation(one, other), sd_first=sd(one), sd_second=sd(other),
            pvalue=spreads_pvalue(one, other) if self.independent is not False else None,
        )  # fmt: skip

    def pairs(
        self, a: str | None = None, b: str | None = None, baseline: str | None = None
    ) -> list[tuple[str, str]]:
        """The pairs of systems that are compared: A and B, or every system and the baseline.

        Parameters
        ----------
        a, b : str, optional
            Two systems; both or neither.
        baseline : str, optional
            What every other system is compared with; by default the first.
        """
        if (a is None) != (b is None):
            given, missing = ("a", "b") if b is None else ("b", "a")
            raise InputError(
                f"found {given} without {missing}; give both ({argument('a')} and "
                f"{argument('b')}), or one system that all others are compared with "
                f"({argument('baseline')})"
            )
        if a is not None and b is not None:
            if baseline is not None:
                raise InputError("baseline: two systems are given already")
            for name in (a, b):
                place_of("system", name, self.systems)
            if a == b:
                raise InputError(f"a and b are both {a!r}, expected two systems")
            return [(a, b)]
        against = self.systems[0] if baseline is None else baseline
        place_of("system", against, self.systems)
        return [(name, against) for name in self.systems if name != against]

    # ---- tables and pictures -------------------------------------------------------------------

    def table(
        self,
        format: Format = "text",
        *,
        a: str | None = None,
        b: str | None = None,
        baseline: str | None = None,
        confidence_level: float = 0.95,
        width: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """The tables of the paper, with notes on how to read them.

        Parameters
        ----------
        format : {"text", "markdown", "latex", "csv", "json", "html"}
            Names of systems are escaped.
        a, b, baseline
            As in :meth:`pairs`.
        confidence_level : float
            Of the intervals of P(a > b).
        width : int, optional
            Columns of text; by default 90.
        caption, label : str, optional
            Of the first table in LaTeX.
        """
        return self._rendered(
            format, width=width, caption=caption, label=label, a=a, b=b, baseline=baseline,
            confidence_level=confidence_level,
        )  # fmt: skip

    def _line(self) -> str:
        numbers = [
            counted(len(own), what)
            for own, what in ((self.systems, "system"), (self.test_sets, "test set"))
        ]
        samples = counted(self.n_samples, "sample")
        return f"{samples} of {' on '.join(numbers)}"

    def to_csv(self) -> str:
        """The matrix as CSV, which :meth:`from_table` reads: every score with all its digits."""
        rows = ["replicate,system,test_set,score"]
        for r, s, t in itertools.product(*map(range, self.scores.shape)):
            names = (self.samples[r], self.systems[s], self.test_sets[t])
            rows.append(f"{','.join(map(_cell, names))},{float(self.scores[r, s, t])!r}")
        return "\n".join(rows) + "\n"

    @classmethod
    def from_table(
        cls,
        path: StrPath,
        *,
        method: Resampling | None = None,
        replicate: str | None = None,
        system: str | None = None,
        test_set: str | None = None,
        item: str | None = None,
        score: str | None = None,
        quoting: Literal["none", "csv"] | None = None,
        decimal: Literal[".", ","] = ".",
    ) -> TrainingDistribution:
        r"""Read a finished matrix of scores.

        Parameters
        ----------
        path : str or path-like
            CSV, TSV, JSON or Parquet with one row per replicate (training sample), system and
            test set; or per replicate, system, test set and item, whose scores are averaged.
        method : {"bootstrap", "kfold", "subsample"}, optional
            How the samples were drawn, which no table says.
        replicate, system, test_set, item, score : str, optional
            The names of the columns; by default the usual ones are recognised. There need be no
            test sets and no items.
        quoting, decimal
            As in :func:`csig.read`.

        Raises
        ------
        InputError
            In one line: a score that is missing, there twice or no finite number; systems with
            different replicates; test sets with different items.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "scores.csv")
        ...     _ = file.write_text("replicate,system,score\n1,x,2\n1,y,3\n2,x,4\n2,y,3\n")
        ...     found = TrainingDistribution.from_table(file, method="bootstrap")
        >>> found.difference("x", "y", "test").probability
        0.5
        """
        cells = read_cells(
            path, replicate=replicate, system=system, test_set=test_set, item=item, score=score,
            quoting=quoting, decimal=decimal,
        )  # fmt: skip
        if len(cells.replicates) < 2:
            raise InputError(
                f"{path}: found one replicate, {cells.replicates[0]!r}, expected at least two"
            )
        return cls(
            cells.scores, cells.systems, cells.test_sets, method,
            samples=cells.replicates, notes=cells.notes,
        )  # fmt: skip


def _cell(text: str) -> str:
    """A cell of CSV."""
    if any(c in text for c in ',"\r\n\t;') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def _checked_scores(scores: object) -> NDArray[np.float64]:
    try:
        array = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"scores must be numbers, (samples, systems, test sets): {error}"
        ) from None
    if array.ndim != 3 or 0 in array.shape:
        raise InputError(
            f"scores must have the shape (samples, systems, test sets), found {array.shape}"
        )
    if len(array) < 2:
        raise InputError("scores: found one training sample, expected at least two")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        r, s, t = bad[0].tolist()
        raise InputError(
            f"scores[{r}, {s}, {t}] is {array[r, s, t]}, expected a finite number for every sample"
        )
    array.flags.writeable = False
    return array


def names_of(what: str, names: object) -> tuple[str, ...]:
    """Names of systems or of test sets, checked."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise InputError(f"{what} must be a sequence of names, found {names!r}")
    if any(not isinstance(name, str) or not name.strip() for name in names):
        raise InputError(f"{what} must be names, found {first_few(names)}")
    if len(set(names)) < len(names):
        raise InputError(f"{what}: found a name twice in {first_few(names)}")
    return tuple(names)


def place_of(what: str, name: str, names: Sequence[str]) -> int:
    """The place of a system or a test set among those that there are."""
    if name not in names:
        raise InputError(
            f"there is no {what} {name!r}{perhaps(name, names)}, found {first_few(names)}"
        )
    return names.index(name)


#: What the test set is called where a table has no column of them.
ONLY_TEST_SET = "test"

#: What may help where a score is there twice.
NO_ITEMS = "; if these are scores of items, --item-column names the column of the items"

#: Cells of the matrix, with items: 2 GB.
MOST_CELLS = 2**28

#: The names that columns are known by; of several the first.
NAMES = {
    "replicate": (
        "replicate", "sample", "training_sample", "resample", "repetition", "fold", "run", "seed",
    ),
    "system": (*SYSTEM_NAMES, "learner", "classifier"),
    "test_set": ("test_set", "testset", "test", "test_data", "dataset", "data_set", "corpus"),
    "item": (
        "item", "item_id", "sentence", "sentence_id", "question", "question_id", "example",
        "example_id", "id",
    ),
    "score": (*SCORE_NAMES, "recall", "precision", "f1", "accuracy"),
}  # fmt: skip


class Cells(NamedTuple):
    """What a table holds."""

    scores: NDArray[np.float64]  #: Means over the items, if there are items.
    replicates: tuple[str, ...]  #: In their order, by number if they are numbers.
    systems: tuple[str, ...]  #: systems, test_sets: in the order in which they occur.
    test_sets: tuple[str, ...]
    notes: tuple[str, ...] = ()  #: What is to be said of the table.


class _Key(NamedTuple):
    """A column of names, by number."""

    codes: NDArray[np.intp]
    names: tuple[str, ...]


def read_cells(
    path: StrPath,
    *,
    quoting: Literal["none", "csv"] | None = None,
    decimal: Literal[".", ","] = ".",
    **columns: str | None,
) -> Cells:
    """Read scores from a table; :meth:`TrainingDistribution.from_table` says what is what."""
    given = {role: columns.get(role) for role in NAMES}
    sheet = read_sheet(path, Dialect(quoting=quoting, decimal=decimal))
    found = {role: _column(sheet, role, name) for role, name in given.items()}
    roles: dict[str, str] = {}
    for role, name in found.items():
        if name in roles:  # a column that would be two things
            pair = (roles[name], role)
            taken = [other for other in pair if given[other] is None]
            way = f"--{(taken or [role])[0].replace('_', '-')}-column names another one"
            if taken and taken[0] in ("test_set", "item"):
                way += ", or give the column another name"
            raise InputError(
                f"{sheet.header}: column {name!r} would have two roles, "
                f"{' and '.join(pair).replace('_', ' ')}; {way}"
            )
        if name is not None:
            roles[name] = role
    keys = {
        role: _key(sheet, found[role], in_order=role == "replicate")
        for role in ("replicate", "system", "test_set", "item")
    }
    try:
        values = np.asarray(rules.scores(sheet, found["score"] or ""), dtype=np.float64)
    except Refusal as error:  # no row of a training may be left out
        what = error.found.removesuffix(", expected a finite number")
        raise InputError(f"{what}, expected a finite number") from None
    scores = _matrix(sheet, keys, values)
    unused = [name for name in sheet.names if name not in roles]
    notes = (f"Columns that are not used: {first_few(unused)}.",) if unused else ()
    return Cells(
        scores, keys["replicate"].names, keys["system"].names, keys["test_set"].names, notes
    )


def _column(sheet: Sheet, role: str, given: str | None) -> str | None:
    """The column that has this role."""
    if given is not None:
        if given not in sheet.names:
            raise InputError(
                f"{sheet.header}: there is no column {given!r}{perhaps(given, sheet.names)}, found "
                f"{first_few(sheet.names, 9)}"
            )
        return given
    plain = {re.sub(r"[\s_-]+", "_", name.lower()): name for name in reversed(sheet.names)}
    known = [plain[name] for name in NAMES[role] if name in plain]
    if role == "score" and len(known) > 1:
        raise InputError(
            f"{sheet.header}: found {first_few(known)}, expected one column of scores; "
            "--score-column names it"
        )
    found = known[0] if known else None
    if found is None and role not in ("test_set", "item"):
        raise InputError(
            f"{sheet.header}: no column with the {role}s, such as {NAMES[role][0]!r}, found "
            f"{first_few(sheet.names, 9)}; --{role}-column names it"
        )
    return found


def _key(sheet: Sheet, name: str | None, in_order: bool) -> _Key:
    """The names in a column, in the order in which they occur or by their numbers."""
    if name is None:
        return _Key(np.zeros(len(sheet), dtype=np.intp), (ONLY_TEST_SET,))
    codes, texts = sheet.texts(name).codes()
    different = texts.tolist()
    if "" in different:
        row = int(np.flatnonzero(codes == different.index(""))[0])
        raise rules.bad_cell(sheet, name, row, "a name")
    if in_order and all(re.fullmatch(r"[0-9]{1,18}", text) for text in different):
        order = np.array(sorted(range(len(different)), key=lambda i: int(different[i])))
    elif in_order:
        order = np.arange(len(different))
    else:
        _, first = np.unique(codes, return_index=True)
        order = np.argsort(first)
    place = np.empty(len(different), dtype=np.intp)
    place[order] = np.arange(len(different))
    return _Key(place[codes], tuple(different[i] for i in order))


def _matrix(
    sheet: Sheet, keys: dict[str, _Key], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The scores by replicate, system and test set."""
    replicate, system, test_set, item = keys.values()
    n_systems, n_sets = len(system.names), len(test_set.names)
    if len(replicate.names) * n_systems * n_sets > MOST_CELLS:
        raise InputError(
            f"{sheet.path}: {len(replicate.names):,} replicates of {n_systems:,} systems on "
            f"{n_sets:,} test sets are more than {MOST_CELLS:,} scores"
        )
    cells = (replicate.codes * n_systems + system.codes) * len(test_set.names) + test_set.codes
    order = np.lexsort((item.codes, cells))
    cells, items = cells[order], item.codes[order]
    again = np.flatnonzero((cells[1:] == cells[:-1]) & (items[1:] == items[:-1]))
    if len(again):
        first, second = sorted(order[int(again[0]) : int(again[0]) + 2].tolist())
        what = _in_words(keys, int(cells[again[0]]))
        of_item = f" and item {item.names[items[again[0]]]!r}" if len(item.names) > 1 else ""
        raise InputError(
            f"{sheet.at(second)}: a second score for {what}{of_item}; the first is on "
            f"{sheet.place(first)}{'' if len(item.names) > 1 else NO_ITEMS}"
        )
    shape = len(replicate.names), n_systems, n_sets
    held = np.bincount(cells, minlength=int(np.prod(shape)))
    matrix = held.reshape(shape)
    names = system.names
    there = (matrix > 0).any(axis=2).sum(axis=0).tolist()
    if len(set(there)) > 1:
        most, least = there.index(max(there)), there.index(min(there))
        lost = np.flatnonzero((matrix[:, least] == 0).all(axis=1)).tolist()
        lacking = first_few([replicate.names[r] for r in lost], 3)
        raise InputError(
            f"{sheet.path}: system {names[most]!r} has {counted(there[most], 'replicate')}, "
            f"{names[least]!r} has {there[least]:,}; it lacks {lacking}. Every system needs a "
            "score for every training sample"
        )
    missing = np.flatnonzero(held == 0)
    if len(missing):
        more = f" ({len(missing):,} scores are missing)" if len(missing) > 1 else ""
        raise InputError(f"{sheet.path}: no score for {_in_words(keys, int(missing[0]))}{more}")
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
    if len(item.names) > 1:
        _refuse_other_items(sheet, keys, cells, items, held)
        pieces = np.split(values[order], starts[1:])
        return np.array([math.fsum(piece) / len(piece) for piece in pieces]).reshape(shape)
    return values[order].reshape(shape)


def _in_words(keys: dict[str, _Key], cell: int) -> str:
    """Which cell of the matrix it is, in words."""
    rest, t = divmod(cell, len(keys["test_set"].names))
    r, s = divmod(rest, len(keys["system"].names))
    of_set = (
        f" on test set {keys['test_set'].names[t]!r}" if len(keys["test_set"].names) > 1 else ""
    )
    return f"replicate {keys['replicate'].names[r]!r} of system {keys['system'].names[s]!r}{of_set}"


def _refuse_other_items(
    sheet: Sheet,
    keys: dict[str, _Key],
    cells: NDArray[np.intp],
    items: NDArray[np.intp],
    held: NDArray[np.intp],
) -> None:
    """Refuse scores that are means over other items than those of the first replicate."""
    n_sets = len(keys["test_set"].names)
    ends = np.cumsum(held)
    first: list[NDArray[np.intp]] = [items[ends[t] - held[t] : ends[t]] for t in range(n_sets)]
    for cell, (end, n) in enumerate(zip(ends.tolist(), held.tolist(), strict=True)):
        expected, own = first[cell % n_sets], items[end - n : end]
        if n != len(expected) or not np.array_equal(own, expected):
            names, lacks = keys["item"].names, np.setdiff1d(expected, own)
            other = f"lacks item {names[int(lacks[0])]!r} of" if len(lacks) else ""
            if not other:
                more = names[int(np.setdiff1d(own, expected)[0])]
                other = f"has item {more!r}, which is not one of"
            raise InputError(
                f"{sheet.path}: {_in_words(keys, cell)} {other} "
                f"{_in_words(keys, cell % n_sets)}; all need the same items"
            )
