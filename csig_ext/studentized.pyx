"""How studentised differences compare with the observed one, as far as doubles can tell."""

import numpy as np
from libc.stdint cimport int8_t, int64_t

cdef extern from "studentized.h" nogil:
    enum:
        CSIG_OPEN

    ctypedef struct csig_studentized:
        const double *rows
        int64_t n_columns
        double every, both
        double residual_error, share_error, spread_error
        int apart, empty

    int64_t csig_studentized_codes(
        const csig_studentized *s, int isa, const int64_t *sums, int64_t stride, int64_t n,
        int8_t *codes, int64_t *near
    )

OPEN = CSIG_OPEN


cdef class Doubles:
    """What decides most trials; studentized.h says what it is.

    `rows`, (3, columns + 1), give S / S_0, M_A / M and Q_A M^2 / W_0 of a block of sums: a constant,
    then weights.
    """

    cdef csig_studentized c
    cdef object _rows
    cdef tuple given

    def __init__(
        self, const double[:, ::1] rows not None, double every, double both,
        double residual_error, double share_error, double spread_error, bint apart, bint empty
    ):
        if rows.shape[0] != 3 or rows.shape[1] < 2:
            raise ValueError("rows are three, with a constant and a weight for each column")
        self._rows = rows
        self.given = (
            np.asarray(rows), every, both, residual_error, share_error, spread_error, apart, empty
        )
        self.c.rows = &rows[0, 0]
        self.c.n_columns = rows.shape[1] - 1
        self.c.every, self.c.both = every, both
        self.c.residual_error, self.c.share_error = residual_error, share_error
        self.c.spread_error = spread_error
        self.c.apart, self.c.empty = apart, empty

    def __reduce__(self):
        return Doubles, self.given

    def codes(self, const int64_t[:, ::1] sums not None, int8_t[::1] out not None, int isa):
        """How trials compare: the sign of S, twice where they are beyond the observed difference,
        and OPEN where doubles cannot tell. Returns how many are beyond it, and how many are open.
        """
        cdef int64_t n = out.shape[0], beyond, near = 0
        if sums.shape[0] != self.c.n_columns or sums.shape[1] < n:
            raise ValueError("arrays differ in length")
        if n == 0:
            return 0, 0
        with nogil:
            beyond = csig_studentized_codes(
                &self.c, isa, &sums[0, 0], sums.shape[1], n, &out[0], &near
            )
        return beyond, near
