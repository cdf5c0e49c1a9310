"""The shuffle engine: random shuffles of classes of responses, counted."""

import numpy as np
from libc.stdint cimport int64_t, uint32_t, uint64_t

from csig_ext.generators cimport begin, csig_stream, csig_stream_seed

cdef extern from "shuffle.h" nogil:
    int64_t csig_shuffle_workspace(int64_t n_first, int64_t n_second)
    int csig_shuffle_classes(
        const csig_stream *stream, int isa, int64_t n_first, int64_t n_second, int64_t n_trials,
        uint64_t *workspace, uint64_t *histogram, uint32_t *first, uint32_t *second,
        volatile const int *stop
    )

cdef enum:
    CHUNK = 65536


def workspace(int64_t n_first, int64_t n_second):
    """The buffer a run needs, to be reused from call to call by one thread."""
    return np.empty(csig_shuffle_workspace(n_first, n_second), dtype=np.uint64)


def classes(
    source, const uint32_t[::1] entropy, int64_t n_first, int64_t n_second, int64_t first_chunk,
    int64_t n_trials, uint64_t[::1] workspace not None, uint64_t[::1] histogram,
    uint32_t[::1] first, uint32_t[::1] second, const int[::1] stop not None, int isa
):
    """Run n_trials trials from the start of chunk `first_chunk` on, over several chunks
    for a native generator, within one for a BitGenerator.

    The trials are added to `histogram`, or, where that is None, written to `first` and
    `second`. Returns False if the stop flag was seen.
    """
    cdef csig_stream stream
    cdef uint64_t *table = &histogram[0] if histogram is not None else NULL
    cdef uint32_t *x = &first[0] if first is not None else NULL
    cdef uint32_t *y = &second[0] if second is not None else NULL
    cdef int64_t here, done = 0
    cdef int code = 0
    if (
        (table != NULL and histogram.shape[0] < (n_first + 1) * (n_second + 1))
        or (table == NULL and (first.shape[0] < n_trials or second.shape[0] < n_trials))
        or workspace.shape[0] < csig_shuffle_workspace(n_first, n_second)
    ):
        raise ValueError("buffer too small")
    if n_trials > CHUNK and not isinstance(source, str):
        raise ValueError("a BitGenerator serves one chunk")
    lock = begin(&stream, source, entropy, <uint32_t> first_chunk, 0)
    with lock, nogil:
        while done < n_trials and code == 0:
            here = min(n_trials - done, CHUNK)
            if done:
                csig_stream_seed(
                    &stream, stream.kind, &entropy[0], entropy.shape[0] - 1,
                    <uint32_t> (first_chunk + done // CHUNK)
                )
            code = csig_shuffle_classes(
                &stream, isa, n_first, n_second, here, &workspace[0], table,
                x + done if x != NULL else NULL, y + done if y != NULL else NULL, &stop[0]
            )
            done += here
    return code == 0
