"""A user's training function on many samples: here or in workers, with or without a ledger.

A ledger is lines of JSON in a file that a stopped run goes on with. The first line says what was
asked, with its SHA-256; a ledger of another question is refused. Every line is on the disk before
the next piece of work begins. A process that is killed leaves half a line at most, which is cut off
and computed again. One process at a time writes a ledger: the file is locked, by the system, so
that nothing is left behind by one that was killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import numbers
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.random import SeedSequence

from csig import streams
from csig._version import __version__
from csig.base.disk import BUSY, lock, sync_folder
from csig.base.errors import InputError, shortened, warn
from csig.base.progress import shown
from csig.base.validation import as_integer, check_executor, public
from csig.base.wording import clean, count, first_few
from csig.results.randomization import Seed
from csig.training.distribution import TrainingDistribution, TrainingFailure, mean, names_of
from csig.training.sampling import Resampling, TrainingSample, TrainingSamples, resample_training

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from csig.engines.pool import Progress
    from csig.readers.lines import StrPath

#: What the first line says that it is, and in which version.
SCHEMA, SCHEMA_VERSION = "csig.training.ledger", 1

#: A ledger is read whole.
MOST_BYTES = 2**31

#: Descriptors of the ledgers that this process writes; locks tell processes apart, not threads.
_open: set[int] = set()

#: Held while a ledger is opened or closed: whoever closes any descriptor of a file ends the locks
#: that the process has on it.
_guard = threading.Lock()


def question_digest(question: Mapping[str, Any]) -> str:
    """The SHA-256 of a question."""
    text = json.dumps(question, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Ledger:
    """A file of results, any objects of JSON, open for more, that nobody else writes meanwhile.

    The file is made if it is not there. `ask` is called with the question in it, or None if it is
    new, and gives the question of this run, which must be the same. A file that cannot be written,
    is none of csig's or one of another question, or is written by another process, is refused and
    left as it is.
    """

    def __init__(
        self, path: object, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]
    ) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)) or not os.fspath(path):
            raise InputError(f"ledger must be the path of a file, found {path!r}")
        self.path = os.fsdecode(path)
        if "\0" in self.path:
            raise InputError(f"{self.path}: the ledger cannot be written (embedded null byte)")
        if os.path.isdir(self.path):
            raise InputError(f"ledger: found a directory at {self.path}, expected a file")
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            # A device may be read for ever.
            raise InputError(f"ledger: {self.path} is no regular file")
        self.entries: list[dict[str, Any]] = []  #: The results that are in the file.
        self._target = os.path.realpath(self.path)
        with _guard:
            self._file = self._opened()
            _open.add(self._file)
        try:
            self._begin(ask)
        except BaseException:
            self._end(refused=True)
            raise

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put a result on the disk."""
        self.keep()
        self._put(entry)

    def keep(self) -> None:
        """Leave the file there from now on, also if the call is refused."""
        self._new = False

    def close(self) -> None:
        """Let others write it."""
        self._end(refused=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._end(refused=isinstance(error, InputError))

    def _opened(self) -> int:
        """A descriptor of the file, locked where the file system has locks."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        attempts = 9  # some file systems have no lasting numbers of files
        while True:
            attempts -= 1
            if any(_is_at(file, self._target) for file in _open):
                raise InputError(f"{self.path}: this process writes this ledger already")
            new = not os.path.exists(self._target)
            try:
                file = os.open(self.path, flags, 0o666)
            except OSError as error:
                raise self._unusable("written", error) from None
            locked = True
            try:
                lock(file)
            except OSError as error:
                if error.errno in BUSY:
                    os.close(file)
                    raise InputError(
                        f"{self.path}: another process writes this ledger; wait for it, or end it"
                    ) from None
                locked = False
            if sys.platform == "win32" or not attempts or _is_at(file, self._target):
                #: Whether a refusal may take the file away: it was made here, and has no results.
                self._new = new and locked and not os.fstat(file).st_size
                return file
            os.close(file)  # taken away meanwhile, by one who was refused

    def _end(self, refused: bool) -> None:
        """Unlock it; a new file is taken away by a refused call, which put nothing into it."""
        with _guard:
            if self._file < 0:
                return
            gone = refused and self._new
            if gone and sys.platform != "win32":  # before others can lock it
                with contextlib.suppress(OSError):
                    os.unlink(self._target)
            _open.discard(self._file)
            os.close(self._file)  # which unlocks it
            self._file = -1
            if gone and sys.platform == "win32":  # what is open stays there
                with contextlib.suppress(OSError):
                    os.unlink(self._target)

    def _begin(self, ask: Callable[[Mapping[str, Any] | None], Mapping[str, Any]]) -> None:
        size = os.fstat(self._file).st_size
        if size > MOST_BYTES:
            raise InputError(
                f"{self.path}: a ledger of {size:,} bytes, expected at most {MOST_BYTES:,}"
            )
        data = b""
        try:
            while len(data) < size and (piece := read_at(self._file, size - len(data), len(data))):
                data += piece
        except OSError as error:
            raise self._unusable("read", error) from None
        start = json.dumps({"schema": SCHEMA}).encode().removesuffix(b"}")
        if not (data.startswith(start) or start.startswith(data)):
            raise InputError(
                f"{self.path}: not a ledger of {SCHEMA}; give a file that is not there yet"
            )
        first, *lines = data.split(b"\n")
        if not lines:  # nothing was done yet
            question = ask(None)
            self._cut(0)
            head = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION}
            self._put({**head, "digest": question_digest(question), "question": question})
            sync_folder(os.path.dirname(self._target))
            return
        header = _object(first) or {}
        version = header.get("schema_version", SCHEMA_VERSION)
        if version != SCHEMA_VERSION:
            raise InputError(
                f"{self.path}: found version {version!r} of ledgers, this csig ({__version__}) "
                f"knows version {SCHEMA_VERSION}"
            )
        if not {"schema_version", "digest", "question"} <= {*header}:
            raise InputError(f"{self.path} line 1: this is no first line of a ledger")
        known = header["question"]
        if not isinstance(known, dict) or question_digest(known) != header["digest"]:
            raise InputError(f"{self.path} line 1: the question was changed after it was written")
        asked = json.loads(json.dumps(dict(ask(known))))
        if question_digest(asked) != header["digest"]:
            difference = "it has parts that this csig does not know"
            for name in {**asked, **known}:
                if known.get(name) != asked.get(name):
                    difference = f"{name} is {known.get(name)!r} there, {asked.get(name)!r} here"
                    break
            raise InputError(
                f"{self.path}: a ledger of another question: {difference}; give another file"
            )
        torn = lines.pop()
        end = len(data) - len(torn)
        if lines and not torn and _object(lines[-1]) is None:
            end -= len(lines.pop()) + 1  # what a crash left of the last line
        for number, line in enumerate(lines, start=2):
            entry = _object(line)
            if entry is None:
                raise InputError(f"{self.path} line {number}: not what csig wrote there")
            self.entries.append(entry)
        if end < len(data):
            self._cut(end)

    def _put(self, line: Mapping[str, Any]) -> None:
        left = memoryview(json.dumps(line, allow_nan=False).encode() + b"\n")
        try:
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise self._unusable("written", error) from None

    def _cut(self, end: int) -> None:
        try:
            os.ftruncate(self._file, end)
        except OSError as error:
            raise self._unusable("written", error) from None

    def _unusable(self, what: str, error: OSError) -> InputError:
        return InputError(f"{self.path}: the ledger cannot be {what} ({error.strerror})")


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except OSError:
        return False


def _number(text: str) -> float:
    """A number of JSON, which has no NaN and nothing infinite, as 1e999 is."""
    if not math.isfinite(found := float(text)):
        raise ValueError(f"{text} is no number")
    return found


def _object(line: bytes) -> dict[str, Any] | None:
    """The object of a line of JSON, or None."""
    try:
        found = json.loads(line, parse_constant=_number, parse_float=_number)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


if sys.platform == "win32":

    def read_at(file: int, size: int, place: int) -> bytes:
        """Some bytes from there on."""
        os.lseek(file, place, os.SEEK_SET)
        return os.read(file, size)
else:
    read_at = os.pread


#: Called with a sample's training data and {test set: data}; gives {system: {test set: score}}.
TrainAndScore = Callable[[Any, dict[str, Any]], Mapping[str, Mapping[str, Any]]]

#: Scores by system and test set, or why there are none.
Reply = tuple[list[list[float]] | None, str]


def reply_of(
    train_and_score: TrainAndScore,
    training: Any,
    tests: dict[str, Any],
    systems: Sequence[str],
) -> Reply:
    """Call the function, here or in a worker; whatever it does is a reply, but for Ctrl-C."""
    try:
        found = train_and_score(training, tests)
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is the call above
        line = type(error).__name__
        if words := " ".join(str(error).split()):
            line += f": {words}"
        if frames:
            line += f" ({os.path.basename(frames[-1].filename)} line {frames[-1].lineno})"
        return None, clean(shortened(line))
    try:
        return scores_of(found, systems, tuple(tests)), ""
    except InputError as error:
        return None, str(error)


def scores_of(found: object, systems: Sequence[str], test_sets: Sequence[str]) -> list[list[float]]:
    """The scores by system and test set: numbers, or means of one number per item.

    >>> scores_of({"b": {"t": 1}, "a": {"t": [0, 0.5]}}, ["a", "b"], ["t"])
    [[0.25], [1.0]]
    """
    scores = []
    rows = _named(found, systems, "train_and_score must return {system: {test set: score}}")
    for system, row in zip(systems, rows, strict=True):
        cells = _named(row, test_sets, f"system {system!r} must have {{test set: score}}")
        scores.append(
            [
                _score(cell, f"system {system!r} on test set {name!r}")
                for name, cell in zip(test_sets, cells, strict=True)
            ]
        )
    return scores


def _named(found: object, names: Sequence[str], expected: str) -> list[Any]:
    if not isinstance(found, Mapping):
        kind = "None" if found is None else f"{type(found).__name__}"
        raise InputError(f"{expected}, found {kind}")
    if set(found) != set(names):
        raise InputError(f"{expected} for {first_few(names)}, found {first_few(found)}")
    return [found[name] for name in names]


def _score(value: object, what: str) -> float:
    if isinstance(value, numbers.Real):
        score = float(value)
    else:
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what}: expected a number, found {shortened(repr(value))}") from None
        if not array.size:
            raise InputError(f"{what}: found no score of any item")
        if not np.isfinite(array).all():
            raise InputError(f"{what}: found a score that is not finite")
        score = mean(array.ravel().tolist())
    if not np.isfinite(score):
        raise InputError(f"{what}: found {score}, expected a finite number")
    return score


#: Samples under way where an executor does not say how many workers it has.
WORKERS = 32


@dataclass(frozen=True)
class _Work:
    """What is to be done on every sample."""

    train_and_score: TrainAndScore
    corpus: Any
    test_sets: Mapping[str, Any]
    systems: tuple[str, ...]
    held_out: str | None

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of all test sets."""
        return (*self.test_sets, *([] if self.held_out is None else [self.held_out]))

    def arguments(self, sample: TrainingSample) -> tuple[Any, ...]:
        """What one call is made with."""
        tests = dict(self.test_sets)
        if self.held_out is not None:
            tests[self.held_out] = _taken(self.corpus, sample.held_out)
        training = _taken(self.corpus, sample.indices)
        return self.train_and_score, training, tests, self.systems


def _taken(corpus: Any, indices: NDArray[np.int64]) -> Any:
    """These units of the corpus."""
    if isinstance(corpus, int):
        return indices
    if hasattr(corpus, "iloc"):  # a frame or series of pandas
        return corpus.iloc[indices]
    if hasattr(corpus, "shape"):
        return corpus[indices]
    return [corpus[i] for i in indices.tolist()]


@public("csig.training")
def training_distribution(
    train_and_score: TrainAndScore,
    corpus: int | Sequence[Any] | NDArray[Any],
    test_sets: Mapping[str, Any] | Sequence[str],
    *,
    systems: Sequence[str],
    method: Resampling = "bootstrap",
    size: int | None = None,
    k: int | None = None,
    instances: Sequence[int] | NDArray[np.integer] | None = None,
    n_samples: int | None = None,
    disjoint: bool = True,
    held_out: str | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    executor: Executor | None = None,
    ledger: StrPath | None = None,
    note: str = "",
    progress: Progress | bool | None = None,
) -> TrainingDistribution:
    """Train systems on many samples of a corpus, and score each model on the same test sets.

    Parameters
    ----------
    train_and_score : callable
        Called as ``train_and_score(training, tests)``: the units of one training sample, and
        {test set: data}. It returns {system: {test set: score}}, for all systems and test sets;
        a score is a number, or an array of one number per item, which are averaged. If it fails
        (raises, returns None, NaN or other systems) that is recorded, and the rest goes on.
    corpus : int, array or sequence
        What to train on, one entry per sentence (or other unit that is drawn whole). Arrays,
        sparse matrices and frames are indexed, other sequences become lists. A number of units
        gives the function their indices: it takes its own data, which then need not be sent
        to other processes.
    test_sets : mapping {name: data}, or sequence of names
        Handed to the function as they are; names alone come with None.
    systems : sequence of str
        The names of the systems, the baseline first.
    method, size, k, instances, n_samples, disjoint, rng, bit_generator
        As in :func:`csig.training.resample_training`.
    held_out : str, optional
        The name of one more test set: the units that are not in the sample (of k-fold, the part
        that was left out). It differs from sample to sample.
    executor : concurrent.futures.Executor, optional
        Where the calls are made: a pool of processes or threads, dask, mpi4py, loky. Processes
        need a function that is defined at the top of a module. No result depends on it.
    ledger : str or path-like, optional
        A file to which every result is appended as it comes, on the disk before the next one
        begins. A run that was stopped, or killed, goes on from there, and samples that failed are
        tried again. A ledger of another question is refused; more samples of the same question
        go on with it. What the function does and what the data are it cannot know: say it in
        `note`. If `rng` is None the seed in the ledger is used.
    note : str, optional
        Part of the question: the version of the data or of the systems, say.
    progress : bool or callable, optional
        True shows a bar; a function is called as ``progress(done, total)``.

    Returns
    -------
    TrainingDistribution
        Of the samples that did not fail; `failures` has the others, and a warning says so.

    Raises
    ------
    InputError
        If fewer than two samples have scores, or something is wrong with an argument or the ledger.

    References
    ----------
    Y. Krymolowski (2001), "Using the distribution of performance for studying statistical NLP
    systems and corpora", ACL workshop on evaluation for language and dialogue systems.

    Examples
    --------
    Two estimates of a mean, from samples of ten numbers:

    >>> def train_and_score(training, tests):
    ...     training = sorted(training)
    ...     models = {"mean": sum(training) / len(training), "median": training[len(training) // 2]}
    ...     return {name: {test: [abs(x - model) < 2 for x in data] for test, data in tests.items()}
    ...             for name, model in models.items()}
    >>> found = training_distribution(
    ...     train_and_score, [1, 2, 3, 4, 5, 6, 7, 8, 9, 30], {"near": [4, 5, 6, 7]},
    ...     systems=["mean", "median"], n_samples=50, rng=1)
    >>> pair = found.difference("median", "mean", "near")
    >>> pair.n_ahead, pair.n_ties, pair.n_behind
    (26, 14, 10)
    """
    if not callable(train_and_score):
        raise InputError(f"train_and_score must be callable, found {train_and_score!r}")
    check_executor(executor)
    if n_samples == 1:
        raise InputError("n_samples: one sample has no distribution, expected at least 2")
    names = names_of("systems", systems)
    if not names:
        raise InputError(f"systems must be a sequence of names, found {systems!r}")
    if isinstance(test_sets, Mapping):
        tests = {name: test_sets[name] for name in names_of("test_sets", list(test_sets))}
    else:
        tests = dict.fromkeys(names_of("test_sets", test_sets))
    if held_out is not None and (not isinstance(held_out, str) or held_out in tests):
        raise InputError(f"held_out must be the name of another test set, found {held_out!r}")
    if not tests and held_out is None:
        raise InputError("test_sets: found none, expected at least one, or held_out")
    number = as_integer(corpus)
    work = _Work(train_and_score, corpus if number is None else number, tests, names, held_out)

    def drawn(source: streams.Seed) -> TrainingSamples:
        return resample_training(
            corpus, size, method, k=k, instances=instances, n_samples=n_samples,
            disjoint=disjoint, rng=source, bit_generator=bit_generator,
        )  # fmt: skip

    with ExitStack() as stack:
        book = None
        if ledger is None:
            samples = drawn(rng)
        else:
            samples, book = _opened(ledger, drawn, rng, work, note)
            stack.enter_context(book)
        replies = {} if book is None else _kept(book, samples, work)
        report = stack.enter_context(shown(progress, "Training"))
        if book is not None:
            book.keep()  # what fails from here on may be gone on with
        _run(work, samples, replies, executor, book, report)
    scores = {number: own for number, (own, _) in sorted(replies.items()) if own is not None}
    failures = tuple(
        TrainingFailure(sample=number, error=error)
        for number, (own, error) in sorted(replies.items())
        if own is None
    )
    if failures:
        many = f"{count(len(failures))} of {count(len(samples))} training samples failed"
        first = f"sample {failures[0].sample}: {failures[0].error}"
        if len(scores) < 2:
            raise InputError(f"{many}; {first}")
        warn(f"{many} and are left out; {first}", RuntimeWarning)
    source = samples.source
    return TrainingDistribution(
        np.array(list(scores.values())),
        work.systems,
        work.tests,
        samples.method,
        samples.independent,
        samples=tuple(map(str, scores)),
        failures=failures,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
    )


# ---- the ledger --------------------------------------------------------------------------------


def _opened(
    path: StrPath, drawn: Any, rng: streams.Seed, work: _Work, note: str
) -> tuple[TrainingSamples, Ledger]:
    """The samples, and the ledger of their question; without a seed those of the ledger."""
    found: list[TrainingSamples] = []
    if not isinstance(note, str):
        raise InputError(f"note must be a text, found {note!r}")

    def ask(known: Mapping[str, Any] | None) -> Mapping[str, Any]:
        seed = rng
        if rng is None and known is not None:
            parts = [int(part) for part in known["entropy"]]
            entropy = parts[0] if len(parts) == 1 else parts
            seed = SeedSequence(entropy, spawn_key=known["spawn_key"])
        samples = drawn(seed)
        found.append(samples)
        source, held = samples.source, samples.instances
        if held is not None:
            held = hashlib.sha256(held.astype("<i8").tobytes()).hexdigest()
        words = (source.entropy,) if isinstance(source.entropy, int) else source.entropy
        return {  # all that decides what the samples are, and which scores they get
            "n_units": samples.n_units,
            "instances": held,
            "method": samples.method,
            "size": samples.size,
            "k": samples.k,
            "disjoint": samples.disjoint if samples.method == "subsample" else None,
            "systems": list(work.systems),
            "test_sets": list(work.tests),
            "held_out": work.held_out,
            "bit_generator": source.name,
            "entropy": [str(part) for part in words],
            "spawn_key": list(source.spawn_key),
            "note": note,
        }

    book = Ledger(path, ask)
    return found[0], book


def _kept(book: Ledger, samples: TrainingSamples, work: _Work) -> dict[int, Reply]:
    """The scores that the ledger has; failures are tried again."""
    replies: dict[int, Reply] = {}
    lines: dict[int, int] = {}
    shape = [len(work.tests)] * len(work.systems)
    for line, entry in enumerate(book.entries, start=2):
        number, scores = entry.get("sample"), entry.get("scores")
        sound = scores is None and isinstance(entry.get("error"), str)
        if isinstance(scores, list):
            sound = (
                [len(row) if isinstance(row, list) else -1 for row in scores] == shape
                and all(type(cell) is float for row in scores for cell in row)
                and bool(np.isfinite(scores).all())
            )
        if type(number) is not int or number < 0 or not sound:
            raise InputError(f"{book.path} line {line}: not what csig wrote there")
        if scores is None:
            continue
        if lines.setdefault(number, line) != line:
            raise InputError(
                f"{book.path} line {line}: second scores of sample {number}, whose first are on "
                f"line {lines[number]}; take one of the lines out, or give another file"
            )
        if number < len(samples):
            replies[number] = scores, ""
    return replies


# ---- the run -----------------------------------------------------------------------------------


def _run(
    work: _Work,
    samples: TrainingSamples,
    replies: dict[int, Reply],
    executor: Executor | None,
    book: Ledger | None,
    report: Any,
) -> None:
    """Call the function for every sample that is left; `replies` gets what it gives."""
    left = [i for i in range(len(samples)) if i not in replies]
    done = len(samples) - len(left)

    def keep(number: int, reply: Reply) -> None:
        nonlocal done
        scores, error = reply
        if book is not None:
            own = {"error": error} if scores is None else {"scores": scores}
            book.append({"sample": number, **own})
        replies[number] = reply
        done += 1
        if report is not None:
            report(done, len(samples))

    if executor is None:
        for number in left:
            keep(number, reply_of(*work.arguments(samples[number])))
        return
    import pickle

    from csig.engines.remote import as_they_end, is_lost, named  # for those who have an executor

    # A few more samples than workers are under way.
    room = 2 * int(getattr(executor, "_max_workers", None) or WORKERS)
    calls = ((number, (reply_of, *work.arguments(samples[number]))) for number in left)
    with closing(as_they_end(executor, calls, room)) as ended:
        for number, future in filter(None, ended):
            try:
                reply = future.result()
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                # Errors of the function itself are replies.
                raise InputError(
                    f"train_and_score cannot be sent to the executor's processes ({error}); define "
                    "it, and what it needs, at the top of a module"
                ) from error
            except Exception as error:
                if not is_lost(error):
                    raise
                kept = "with ledger=FILE they would be kept"
                if book is not None:
                    kept = f"they are in {book.path}, and the same call goes on from there"
                raise InputError(
                    f"executor: it failed after {done:,} of {len(samples):,} samples "
                    f"({named(error)}); {kept}"
                ) from error
            keep(number, reply)
