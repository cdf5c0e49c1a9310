"""The distribution of scores over training samples (Krymolowski 2001).

A system is trained on many samples of a corpus, and every model is scored on the same test sets.
How much the scores vary says what chance in the training data does; how often one system is ahead
of another says how much their order depends on it. The test sets are the same throughout: what
chance in *them* does, :func:`csig.randomization_test` tests.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from csig.base.defaults import RESAMPLINGS
from csig.base.errors import InputError
from csig.base.shown import Format, Shown
from csig.base.validation import between
from csig.base.wording import counted, first_few, perhaps
from csig.readers.lines import StrPath
from csig.results.randomization import Seed
from csig.training import summaries, words
from csig.training.pictures import one, picture
from csig.training.reading import read_cells
from csig.training.sampling import Resampling
from csig.training.summaries import (
    AcrossTestSets,
    TrainingDifference,
    TrainingFailure,
    TrainingScore,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How samples of a method depend on each other, given the corpus; subsamples may or may not.
_INDEPENDENT: dict[str | None, bool | None] = {"bootstrap": True, "kfold": False}


@dataclass(frozen=True, eq=False, repr=False)
class TrainingDistribution(Shown):
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
            object.__setattr__(self, name, _checked_names(name, getattr(self, name), scores, axis))
        if self.method is not None and self.method not in RESAMPLINGS:
            raise InputError(
                f"method must be one of {', '.join(RESAMPLINGS)}, or None, found {self.method!r}"
                f"{perhaps(self.method, RESAMPLINGS)}"
            )
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
        s = _place("system", system, self.systems)
        t = _place("test set", test_set, self.test_sets)
        found: list[float] = self.scores[:, s, t].tolist()
        return found

    def score(self, system: str, test_set: str) -> TrainingScore:
        """Mean, standard deviation and extremes of a system's scores on a test set."""
        return summaries.summary(system, test_set, self.values(system, test_set))

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
        independent = self.independent is not False
        return summaries.difference((a, b), test_set, one, other, confidence_level, independent)

    def across(self, system: str, first: str, second: str) -> AcrossTestSets:
        """A system on two test sets: correlation and standard deviations.

        Test sets of different size vary differently whatever is in them. To compare the spread,
        draw subsets of the larger one that are as large as the smaller one, as the paper's WSJ20a
        and WSJ20b: ``resample_training(n, size, "subsample", instances=...)``.
        """
        one, other = self.values(system, first), self.values(system, second)
        independent = self.independent is not False
        return summaries.across(system, (first, second), one, other, independent)

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
                f"found {given} without {missing}; give both (--a and --b), or one system that all "
                "others are compared with (--baseline)"
            )
        if a is not None and b is not None:
            if baseline is not None:
                raise InputError("baseline: two systems are given already")
            for name in (a, b):
                _place("system", name, self.systems)
            if a == b:
                raise InputError(f"a and b are both {a!r}, expected two systems")
            return [(a, b)]
        against = self.systems[0] if baseline is None else baseline
        _place("system", against, self.systems)
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
        """
        return self._rendered(
            format, width=width, a=a, b=b, baseline=baseline, confidence_level=confidence_level
        )

    def _line(self) -> str:
        numbers = [
            counted(len(own), what)
            for own, what in ((self.systems, "system"), (self.test_sets, "test set"))
        ]
        samples = counted(self.n_samples, "sample")
        return f"{samples} of {' on '.join(numbers)}"

    def as_dict(
        self,
        *,
        a: str | None = None,
        b: str | None = None,
        baseline: str | None = None,
        confidence_level: float = 0.95,
    ) -> dict[str, Any]:
        """The same for JSON; docs/json.md lists the fields."""
        differences = self._differences(self.pairs(a, b, baseline), confidence_level)
        across = self._across()
        n_asked = self.n_samples + len(self.failures)
        doubts = words.doubts_of(self.independent, self.failures, n_asked)
        notes = words.notes_of(self.method, self.independent, differences, across)
        return {
            "schema": "csig.train",
            "schema_version": 2,
            "method": self.method,
            "independent": self.independent,
            "n_samples": self.n_samples,
            "systems": list(self.systems),
            "test_sets": list(self.test_sets),
            "scores": [asdict(own) for own in self._summaries()],
            "differences": [_difference(own) for own in differences],
            "across": [asdict(own) for own in across],
            "failures": [asdict(own) for own in self.failures],
            "notes": [*doubts, *notes, *self.notes],
        }

    def plot(
        self,
        kind: str | None = None,
        *,
        ax: Any = None,
        test_set: str | None = None,
        a: str | None = None,
        b: str | None = None,
        baseline: str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the scores on one test set.

        Parameters
        ----------
        kind : {"histogram", "pairs"}, optional
            Histograms of all systems' scores, by default; or a point for every sample, A's score
            against B's: above the diagonal B is ahead.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        test_set : str, optional
            By default the first.
        a, b, baseline : str, optional
            For "pairs", the two systems: the first of :meth:`pairs`.
        **options
            ``width=``: of a new figure, in inches.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed (the extra ``plot``), or for another kind.
        """
        place = _place("test set", test_set or self.test_sets[0], self.test_sets)
        pairs = self.pairs(a, b, baseline)
        pair = pairs[0] if pairs else None
        scores = self.scores[:, :, place]
        return one(scores, self.systems, self.test_sets[place], pair, kind, ax, **options)

    def svg(
        self, *, a: str | None = None, b: str | None = None, baseline: str | None = None
    ) -> str:
        """Histograms of the scores, and the pairs of two systems' scores, as SVG.

        One row per test set. Points above the diagonal are samples on which B is ahead.

        Parameters
        ----------
        a, b, baseline : str, optional
            The systems of the pairs: the first of :meth:`pairs`.

        Raises
        ------
        InputError
            If matplotlib is not installed (the extra ``plot``).
        """
        pairs = self.pairs(a, b, baseline)
        return picture(self.scores, self.systems, self.test_sets, pairs[0] if pairs else None)

    def to_csv(self) -> str:
        """The matrix as CSV, which :meth:`from_table` reads: every score with all its digits."""
        rows = ["replicate,system,test_set,score"]
        for r, s, t in itertools.product(*map(range, self.scores.shape)):
            names = (self.samples[r], self.systems[s], self.test_sets[t])
            rows.append(f"{','.join(map(_cell, names))},{float(self.scores[r, s, t])!r}")
        return "\n".join(rows) + "\n"

    def _summaries(self) -> list[TrainingScore]:
        return [self.score(system, own) for own in self.test_sets for system in self.systems]

    def _differences(
        self, pairs: Sequence[tuple[str, str]], confidence_level: float
    ) -> list[TrainingDifference]:
        return [
            self.difference(a, b, own, confidence_level=confidence_level)
            for own in self.test_sets
            for a, b in pairs
        ]

    def _across(self) -> list[AcrossTestSets]:
        return [
            self.across(system, first, second)
            for system in self.systems
            for first, second in itertools.combinations(self.test_sets, 2)
        ]

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


def _difference(found: TrainingDifference) -> dict[str, Any]:
    """A difference for JSON, where A is the system and B the baseline."""
    own = {name: value for name, value in asdict(found).items() if name not in ("a", "b")}
    interval = None if found.interval is None else list(found.interval)
    return {"system": found.a, "baseline": found.b, **own, "interval": interval}


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


def _checked_names(
    what: str, names: object, scores: NDArray[np.float64], axis: int
) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise InputError(f"{what} must be a sequence of names, found {names!r}")
    found = tuple(names)
    if any(not isinstance(name, str) or not name.strip() for name in found):
        raise InputError(f"{what} must be names, found {first_few(found)}")
    if len(set(found)) < len(found):
        raise InputError(f"{what}: found a name twice in {first_few(found)}")
    if len(found) != scores.shape[axis]:
        raise InputError(f"{what}: found {len(found)} names for {scores.shape[axis]} of the scores")
    return found


def _place(what: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise InputError(
            f"there is no {what} {name!r}{perhaps(name, names)}, found {first_few(names)}"
        )
    return names.index(name)
