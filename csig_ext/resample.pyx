"""The resample engine: units drawn with replacement, their rows summed column by column."""

import numpy as np
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from csig_ext.generators cimport aligned, begin, csig_stream, held

cdef extern from "resample.h" nogil:
    ctypedef struct csig_resample:
        int64_t n_units, n_columns, n_fields
        uint32_t reject
        int64_t row_words
        int64_t flush
        const uint64_t *rows
        const int32_t *column
        const int32_t *word
        const int32_t *shift
        const uint64_t *mask
        const int64_t *least

    ctypedef struct csig_resample_walk:
        csig_stream stream

    void csig_resample_start(csig_resample_walk *walk, int isa, const csig_resample *table)
    int csig_resample_next(
        csig_resample_walk *walk, const csig_resample *table, int64_t n_resamples, uint64_t *packed,
        int64_t *sums, int64_t stride, volatile const int *stop
    )
    int64_t csig_resample_scores(
        int isa, const int64_t *sums, int64_t stride, int64_t k, const int64_t *above,
        const int64_t *below, double zero_division, int64_t n, double *out
    )

#: Draws between two times of unpacking, at least: what unpacking takes is then little beside them.
_DRAWS = 256


def _fields(spans, draws):
    """Words of (column, bits) where columns with these spans have room for so many draws."""
    words = []
    widest = sorted(((span * draws).bit_length(), c) for c, span in enumerate(spans) if span)
    for bits, c in reversed(widest):
        for word in words:
            if sum(taken for _, taken in word) + bits <= 64:
                word.append((c, bits))
                break
        else:
            words.append([(c, bits)])
    return words


def _layout(spans, n):
    """Fields in as few words as unpacking every so often allows, and then as wide as they can be;
    and the draws after which they must be unpacked.
    """
    draws = min(n, _DRAWS)
    words = _fields(spans, draws)
    while draws < n and len(_fields(spans, 2 * draws)) == len(words):
        draws *= 2
        words = _fields(spans, draws)
    for word in words:  # what is left of a word goes where room is scarcest
        for _ in range(64 - sum(bits for _, bits in word)):
            scarce = min(range(len(word)), key=lambda i: ((1 << word[i][1]) - 1) // spans[word[i][0]])
            c, bits = word[scarce]
            word[scarce] = c, bits + 1
    room = min([((1 << bits) - 1) // spans[c] for word in words for c, bits in word], default=n)
    # Rows are added in blocks of 64.
    return words, n if room >= n else room // 64 * 64


cdef class Rows:
    """The rows of all units, packed: made once, shared by threads.

    `values` is (units, columns), row-major; the number of units times every absolute value must
    be below 2^61.
    """

    cdef csig_resample c
    cdef readonly int n_columns
    cdef object _arrays

    def __init__(self, const int64_t[:, ::1] values):
        cdef int64_t n = values.shape[0]
        if not 1 <= n <= 2**32:
            raise ValueError(f"units must be 1 to 2^32, found {n}")
        table = np.asarray(values)
        least, most = table.min(axis=0), table.max(axis=0)
        if n * max([abs(int(x)) for x in [*least, *most]], default=0) >= 1 << 61:
            raise ValueError("units times the largest value reach 2^61")
        words, flush = _layout([int(m) - int(low) for low, m in zip(least, most)], n)
        width = max(1, len(words))
        width = 1 << (width - 1).bit_length() if width <= 8 else -(-width // 8) * 8
        # Rows that are as wide as a cache line begin with one.
        packed = aligned(n * width).reshape(n, width)
        fields = []  # column, word, shift, mask
        for w, word in enumerate(words):
            shift = 0
            for c, bits in word:
                packed[:, w] |= (table[:, c] - least[c]).astype(np.uint64) << np.uint64(shift)
                fields.append((c, w, shift, (1 << bits) - 1))
                shift += bits
        columns, places, shifts, masks = zip(*fields) if fields else ((),) * 4
        arrays = self._arrays = []
        self.c.n_units = n
        self.c.reject = ((<int64_t> 1) << (16 if n <= 1 << 16 else 32)) % n
        self.c.n_columns = self.n_columns = table.shape[1]
        self.c.n_fields = len(fields)
        self.c.row_words = width
        self.c.flush = flush
        self.c.rows = <const uint64_t *> held(arrays, packed, np.uint64)
        self.c.column = <const int32_t *> held(arrays, columns, np.int32)
        self.c.word = <const int32_t *> held(arrays, places, np.int32)
        self.c.shift = <const int32_t *> held(arrays, shifts, np.int32)
        self.c.mask = <const uint64_t *> held(arrays, masks, np.uint64)
        self.c.least = <const int64_t *> held(arrays, n * least, np.int64)

    @property
    def layout(self):
        """The words of a packed row, and the draws after which it is unpacked."""
        return self.c.row_words, self.c.flush


cdef class Walk:
    """The resamples of one chunk from its first one on, in pieces."""

    cdef Rows rows
    cdef csig_resample_walk state
    cdef object source, lock
    cdef uint64_t[::1] packed

    def __init__(
        self, Rows rows not None, source, const uint32_t[::1] entropy, int64_t chunk, int isa
    ):
        self.rows, self.source = rows, source
        self.lock = begin(&self.state.stream, source, entropy, <uint32_t> chunk, 0)
        self.packed = np.empty(rows.c.row_words, dtype=np.uint64)
        csig_resample_start(&self.state, isa, &rows.c)

    def next(
        self, int64_t n_resamples, int64_t[:, ::1] sums not None, const int[::1] stop not None
    ):
        """Sums of the next resamples into sums[column, resample].

        Returns False if the stop flag was seen.
        """
        cdef int code = 0
        if sums.shape[0] < self.rows.n_columns or sums.shape[1] < n_resamples:
            raise ValueError("buffer too small")
        if n_resamples == 0:
            return True
        with self.lock, nogil:
            code = csig_resample_next(
                &self.state, &self.rows.c, n_resamples, &self.packed[0], &sums[0, 0],
                sums.shape[1], &stop[0]
            )
        return code == 0


def scores(
    const int64_t[:, ::1] sums not None, const int64_t[::1] above not None,
    const int64_t[::1] below not None, double zero_division, double[::1] out not None, int isa
):
    """Scores of the first resamples of a block, as many as `out` has places.

    The weighted sums must be below 2^63 in absolute value, which is not checked here. Returns how
    many lower sums were 0; there the score is zero_division.
    """
    cdef int64_t n = out.shape[0], zeros
    if above.shape[0] != sums.shape[0] or below.shape[0] != sums.shape[0] or sums.shape[1] < n:
        raise ValueError("arrays differ in length")
    if n == 0 or sums.shape[0] == 0:
        raise ValueError("nothing to score")
    with nogil:
        zeros = csig_resample_scores(
            isa, &sums[0, 0], sums.shape[1], sums.shape[0], &above[0], &below[0], zero_division, n,
            &out[0]
        )
    return zeros
