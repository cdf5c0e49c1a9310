"""Training samples of a corpus: bootstrap, k-fold and subsamples, of whole sentences.

Krymolowski (2001, "Using the distribution of performance for studying statistical NLP systems
and corpora") draws sentences with replacement until a sample holds at least n0 instances, base
noun phrases in the paper, and splits the corpus into k parts at random. docs/streams.md says
which random words decide what (engine 3); :mod:`csig.replay` is the same in pure numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np

from csig import streams
from csig.base.errors import InputError
from csig.base.validation import as_integer, one_of, positive, public
from csig.base.wording import count, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How training samples are drawn.
Resampling = Literal["bootstrap", "kfold", "subsample"]
RESAMPLINGS: tuple[Resampling, ...] = get_args(Resampling)

#: Samples that are drawn if nobody says how many.
SAMPLES = 100

#: Two subsamples of a corpus without a sentence in common, as WSJ20a and WSJ20b of the paper.
DISJOINT_SAMPLES = 2

#: A bootstrap sample of more sentences is refused, unless the corpus has as many: its indices take
#: 0.5 GB, and about 2 GB while they are drawn.
MOST_DRAWS = 2**26

#: A bootstrap sample of more sentences is refused for any corpus: 16 GB of indices.
MOST_INDICES = 2**31

#: How often words are drawn for one sample: once or twice, but of a generator that repeats itself.
TRIES = 100


@dataclass(frozen=True, eq=False)
class TrainingSample:
    """One training sample."""

    number: int  #: From 0.
    #: The units in it, from 0: of a bootstrap sample in the order in which they were drawn, each as
    #: often as it was; else in the order of the corpus.
    indices: NDArray[np.int64]
    n_instances: int  #: The instances in it.
    n_units: int  #: The units of the corpus.

    @cached_property
    def held_out(self) -> NDArray[np.int64]:
        """The units that are not in it: of k-fold samples the part that is left out."""
        out = np.ones(self.n_units, dtype=np.bool_)
        out[self.indices] = False
        return np.flatnonzero(out)


@dataclass(frozen=True, eq=False)
class TrainingSamples(Sequence[TrainingSample]):
    """Training samples, drawn when they are asked for; each can be drawn alone."""

    n_units: int  #: The units of the corpus.
    method: Resampling  #: How they are drawn.
    n_samples: int  #: How many there are.
    size: int | None  #: The instances that each has at least; None for k-fold.
    k: int | None  #: The parts of a k-fold split.
    disjoint: bool  #: Whether no two subsamples have a unit in common.
    instances: NDArray[np.int64] | None  #: The instances of every unit; None if each unit is one.
    source: streams.Source  #: The seeded generator.
    _orders: dict[int, NDArray[np.intp]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return self.n_samples

    @overload
    def __getitem__(self, index: int) -> TrainingSample: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TrainingSample, ...]: ...
    def __getitem__(self, index: int | slice) -> TrainingSample | tuple[TrainingSample, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self.n_samples)))
        number = range(self.n_samples)[index]
        if self.method == "bootstrap":
            indices = self._bootstrap(number)
        elif self.method == "kfold":  # all but one part
            assert self.k is not None
            repeat, part = divmod(number, self.k)
            size, longer = divmod(self.n_units, self.k)
            start = part * size + min(part, longer)
            kept = np.ones(self.n_units, dtype=np.bool_)
            kept[self.order(repeat)[start : start + size + (part < longer)]] = False
            indices = np.flatnonzero(kept)
        else:
            chunk, part = (0, number) if self.disjoint else (number, 0)
            ends = [0, *self.cuts(chunk)]
            indices = np.sort(self.order(chunk)[ends[part] : ends[part + 1]])
        held = len(indices) if self.instances is None else int(self.instances[indices].sum())
        return TrainingSample(number, indices, held, self.n_units)

    @property
    def total(self) -> int:
        """The instances of the corpus."""
        return self.n_units if self.instances is None else int(self.instances.sum())

    @property
    def independent(self) -> bool:
        """Whether the samples are independent, given the corpus.

        Those of k-fold share most of their units, and those without a common unit depend on
        each other too.
        """
        return self.method == "bootstrap" or (self.method == "subsample" and not self.disjoint)

    def _stream(self, chunk: int) -> streams.Stream:
        return self.source.stream("training", 0, chunk)

    def _bootstrap(self, number: int) -> NDArray[np.int64]:
        """Units drawn with replacement until the instances suffice."""
        assert self.size is not None
        stream, left = self._stream(number), self.size
        mean = self.total / self.n_units
        found: list[NDArray[np.int64]] = []
        for _ in range(TRIES):
            if left <= 0:
                return np.concatenate(found)
            drawn = _indices(stream, self.n_units, int(left / mean * 1.01) + 64)
            if self.instances is None:
                drawn = drawn[:left]
                left -= len(drawn)
            else:
                sums = np.cumsum(self.instances[drawn])
                drawn = drawn[: int(np.searchsorted(sums, left)) + 1]
                left -= int(sums[len(drawn) - 1]) if len(drawn) else 0
            found.append(drawn)
        raise InputError(
            f"rng: the generator does not reach {count(self.size)} instances; use another one"
        )

    def order(self, chunk: int) -> NDArray[np.intp]:
        """All units in the random order of a chunk."""
        found = self._orders.get(chunk)
        if found is not None:
            return found
        stream = self._stream(chunk)
        for _ in range(TRIES):  # by their words; if two are equal, all are drawn again
            words = streams.draw(stream, self.n_units)
            order = np.argsort(words)
            by_size = words[order]
            if not (by_size[1:] == by_size[:-1]).any():
                self._orders.clear()  # one at a time: a million units take 8 MB
                self._orders[chunk] = order
                return order
        raise InputError(
            f"rng: the generator gives equal words among {self.n_units:,} again and again, so it "
            "puts nothing in a random order; use another one"
        )

    def cuts(self, chunk: int) -> list[int]:
        """Where the subsamples of a chunk's order end, each with as many instances as asked."""
        assert self.size is not None
        if self.instances is None:
            return list(range(self.size, self.n_units + 1, self.size))
        sums = np.cumsum(self.instances[self.order(chunk)])
        found: list[int] = []
        before = 0
        most = self.n_samples if self.disjoint else 1
        while before + self.size <= sums[-1] and len(found) < most:
            end = int(np.searchsorted(sums, before + self.size)) + 1
            found.append(end)
            before = int(sums[end - 1])
        return found


def _indices(stream: streams.Stream, n: int, at_least: int) -> NDArray[np.int64]:
    """The next indices of a stream below n, about as many as asked for or more."""
    bits = 16 if n <= 2**16 else 32
    rejected = 2**bits % n
    words = streams.draw(stream, int(at_least * bits / 64 / (1 - rejected / 2**bits)) + 8)
    pieces = words.astype("<u8", copy=False).view(f"<u{bits // 8}").astype(np.uint64)
    pieces *= np.uint64(n)
    if rejected:
        pieces = pieces[(pieces & np.uint64(2**bits - 1)) >= rejected]
    return (pieces >> np.uint64(bits)).astype(np.int64)


@public("csig.training")
def resample_training(
    units: int | Sequence[Any] | NDArray[Any],
    size: int | None = None,
    method: Resampling = "bootstrap",
    *,
    k: int | None = None,
    instances: Sequence[int] | NDArray[np.integer] | None = None,
    n_samples: int | None = None,
    disjoint: bool = True,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
) -> TrainingSamples:
    """Draw training samples of whole sentences from a corpus (Krymolowski 2001).

    Parameters
    ----------
    units : int or sequence
        The sentences of the corpus, or how many there are. Whatever must stay together is one
        unit: documents, if sentences of a document depend on each other.
    size : int, optional
        Instances that a sample holds at least (the paper's n0); with one sentence fewer it
        would hold fewer. By default, and for the bootstrap only, as many as the corpus has.
        A bootstrap sample can have 2^26 sentences, or as many as the corpus if that has more:
        drawing 2^26 takes about 2 GB.
    method : {"bootstrap", "kfold", "subsample"}
        "bootstrap" draws sentences with replacement until `size` is reached. "kfold" splits
        the corpus into `k` parts at random, whose numbers of sentences differ by one at most,
        and every sample is all parts but one. "subsample" takes sentences without replacement
        until `size` is reached, so that samples are as equal in size as whole sentences allow:
        they differ by less than the instances of one sentence.
    k : int, optional
        The parts, from 2; for "kfold" only, where it is needed.
    instances : sequence of int, optional
        The instances in every sentence (base noun phrases, say), 0 or more. By default every
        sentence is one.
    n_samples : int, optional
        How many samples: by default 100; k for "kfold", where it is a multiple of k, and every
        k samples are another split; 2 for disjoint subsamples, or what the corpus gives.
    disjoint : bool, default True
        Whether no two subsamples have a sentence in common, as WSJ20a and WSJ20b in the paper.
        Otherwise each is drawn from the whole corpus.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed.
    bit_generator : str, class or callable, optional
        As in :func:`csig.randomization_test`.

    Returns
    -------
    TrainingSamples
        A sequence. Every sample has `indices`, the sentences in it, and `held_out`, those that
        are not: the test part of a k-fold split.

    Raises
    ------
    InputError
        If the corpus is empty or has too few instances, or an argument does not go with the
        method.

    Examples
    --------
    Five sentences with one to three base noun phrases, and samples of at least eight of these:

    >>> samples = resample_training(5, 8, instances=[1, 3, 2, 1, 2], n_samples=3, rng=1)
    >>> [(sample.indices.tolist(), sample.n_instances) for sample in samples]
    [([4, 1, 0, 0, 4], 9), ([4, 2, 4, 3, 0], 8), ([0, 3, 4, 1, 3], 8)]
    >>> for sample in resample_training(5, method="kfold", k=2, rng=1):
    ...     print(sample.indices.tolist(), sample.held_out.tolist())
    [1, 2] [0, 3, 4]
    [0, 3, 4] [1, 2]
    """
    one_of("method", method, RESAMPLINGS)
    number = as_integer(units)
    if number is None:
        shape = getattr(units, "shape", ())  # sparse matrices have no length
        if (not hasattr(units, "__len__") or isinstance(units, (str, bytes))) and not shape:
            raise InputError(
                f"units must be a number of sentences, or a sequence of them, found {units!r}"
            )
        number = int(shape[0]) if shape else len(units)  # type: ignore[arg-type]
        if not number:
            raise InputError("units: an empty corpus has nothing to draw")
    n = positive("units", number, 2**32)
    held = None
    if instances is not None:
        held = np.asarray(instances)
        if held.shape != (n,):
            raise InputError(
                f"instances must be one number per sentence, found {held.shape} for {n:,} sentences"
            )
        if held.dtype.kind not in "iu":
            raise InputError(f"instances must be integers, found {held.dtype}")
        wrong = np.flatnonzero((held < 0) | (held > 2**31))
        if len(wrong):
            i = int(wrong[0])
            raise InputError(f"instances[{i}] must be from 0 to 2^31, found {held[i]}")
        if not held.any():
            raise InputError("instances: no sentence has any, so no sample can hold one")
        held = held.astype(np.int64)
    total = n if held is None else int(held.sum())
    if method == "kfold":
        if size is not None:
            raise InputError("size: k-fold samples are all parts but one; leave it out, or give k")
        if k is None:
            raise InputError('k: method "kfold" needs the number of parts')
        k = positive("k", k, n)
        if k < 2:
            raise InputError("k must be at least 2: with one part nothing is left to train on")
    elif k is not None:
        raise InputError(f'k goes with method "kfold", found {method!r}')
    else:
        if size is None and method == "subsample":
            raise InputError('size: method "subsample" needs the instances of a sample')
        size = total if size is None else positive("size", size)
        if method == "subsample" and size > total:
            raise InputError(
                f"size must be at most what the corpus holds without replacement, "
                f"{counted(total, 'instance')}, found {count(size)}"
            )
        drawn, most = -(-size * n // total), min(max(MOST_DRAWS, n), MOST_INDICES)
        if method == "bootstrap" and drawn > most:  # no memory holds it
            raise InputError(
                f"size: {count(size)} instances take about {count(drawn)} sentences, drawn from "
                f"{count(n)}; a sample of this corpus can have at most {most:,}"
            )
    default = {"bootstrap": SAMPLES, "kfold": k, "subsample": DISJOINT_SAMPLES}[method]
    if method == "subsample" and not disjoint:
        default = SAMPLES
    number = positive("n_samples", default if n_samples is None else n_samples, 2**32 - 1)
    if k is not None and number % k:
        raise InputError(f"n_samples must be a multiple of k, found {number} and {k}")
    source = streams.make_source(rng, bit_generator)
    samples = TrainingSamples(n, method, number, size, k, bool(disjoint), held, source)
    if method == "subsample" and disjoint and (room := len(samples.cuts(0))) < number:
        raise InputError(
            f"n_samples: the corpus has room for {counted(room, 'disjoint sample')} of at least "
            f"{counted(size or 0, 'instance')}, found {number}; "
            "disjoint=False draws each from the whole corpus"
        )
    return samples
