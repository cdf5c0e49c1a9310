"""The lattice engine: exact distributions of two sums, and their tails."""

import math

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from csig_ext.linfrac cimport Ratio, csig_linfrac

cdef extern from "lattice.h" nogil:
    enum:
        CSIG_LATTICE_PAD

    ctypedef struct csig_scaled:
        double value
        int64_t exponent

    ctypedef struct csig_lattice:
        int64_t first, rows
        int64_t *low
        int64_t *high
        int64_t *at
        double *mass
        double *cells

    ctypedef struct csig_lattice_pass:
        const csig_lattice *in_ "in"
        csig_lattice *out
        int64_t a, b, first, terms
        const double *weights
        double cut
        int64_t row, used
        double lost
        int64_t updates

    ctypedef struct csig_lattice_meeting:
        const csig_lattice *one
        const csig_lattice *two
        const double *tails_one
        const double *tails_two
        const int64_t *thresholds
        const double *scale
        const double *powers
        double skip
        double *sum
        double *rest
        int64_t tile, row_one
        double lost
        int64_t updates

    int64_t csig_lattice_weights_bound(int64_t m, double drop)
    int64_t csig_lattice_weights(
        double r_x, double r_y, int64_t a, int64_t b, int64_t m, double drop, double *weights,
        int64_t *first, double *lost
    )
    void csig_lattice_constant(
        double r_x, double r_y, const int64_t *a, const int64_t *b, const int64_t *m, int64_t n,
        csig_scaled *constant
    )
    int64_t csig_lattice_reach(csig_lattice_pass *p)
    int csig_lattice_convolve(csig_lattice_pass *p, int isa, int64_t budget)
    void csig_lattice_tails(const csig_lattice *rows, double r_x, int backwards, double *out)
    void csig_lattice_thresholds(
        const csig_linfrac *metric, int64_t first, int64_t rows, int64_t x_min, int64_t x_max,
        int64_t *thresholds
    )
    int64_t csig_lattice_clamp(
        const csig_lattice *one, const csig_lattice *two, int64_t *thresholds
    )
    void csig_lattice_powers(double r, int64_t n, double *powers)
    int csig_lattice_meet(csig_lattice_meeting *m, int isa, int64_t budget)
    csig_scaled csig_lattice_total(
        csig_scaled constant, double r_x, double r_y, int64_t first, int64_t rows,
        const int64_t *thresholds, const double *sum, const double *rest
    )
    int64_t csig_lattice_next(const csig_linfrac *metric, int64_t start, int64_t to)
    double csig_lattice_reaching(
        const csig_linfrac *metric, const double *cells, int64_t start, int64_t to, double r,
        int64_t origin
    )

# Cell updates between two looks at Ctrl-C: about 2 ms.
cdef enum:
    SLICE = 1 << 22


cdef class _Rows:
    """The memory of one csig_lattice."""

    cdef csig_lattice rows
    cdef int64_t[:, ::1] places
    cdef double[::1] mass, cells

    def __cinit__(self):
        self.places, self.mass = np.empty((3, 1), dtype=np.int64), np.empty(1)
        self.cells = np.zeros(1 + CSIG_LATTICE_PAD)
        self.hold_rows(1)
        self.hold_cells(1)

    cdef int hold_rows(self, int64_t rows) except -1:
        if rows > self.places.shape[1]:
            self.places, self.mass = np.empty((3, 2 * rows), dtype=np.int64), np.empty(2 * rows)
        self.rows.low, self.rows.high = &self.places[0, 0], &self.places[1, 0]
        self.rows.at, self.rows.mass = &self.places[2, 0], &self.mass[0]
        return 0

    cdef int hold_cells(self, int64_t cells) except -1:
        if self.cells is None or cells > self.cells.shape[0]:
            self.cells = None  # the old cells go before the new ones come
            self.cells = np.empty(2 * cells)  # pages not touched take no memory
        self.rows.cells = &self.cells[0]
        return 0


cdef class Lattice:
    """The distribution of (x, y) for the classes convolved so far; at first, that of none.

    `lost` bounds the probability that was cut away, `updates` counts the cell updates, `terms`
    the weights of all classes, which bounds the roundings of a cell. `limit` is the largest
    number of cells held at a time.
    """

    cdef _Rows now, spare
    cdef readonly double lost
    cdef int64_t limit
    cdef readonly int64_t updates, terms

    def __init__(self, int64_t limit):
        self.limit = limit
        self.now, self.spare = _Rows(), _Rows()
        cdef csig_lattice *rows = &self.now.rows
        rows.first, rows.rows = 0, 1
        rows.low[0], rows.high[0], rows.at[0] = 0, 1, 0
        rows.mass[0] = rows.cells[0] = 1

    @property
    def first(self):
        """y of the first row."""
        return self.now.rows.first

    @property
    def rows(self):
        """The number of rows."""
        return self.now.rows.rows

    def convolve(
        self, double r_x, double r_y, int64_t a, int64_t b, int64_t m, double cut, int isa
    ):
        """Add a class of m units with step (a, b), b >= 0."""
        if b < 0 or m < 0:
            raise ValueError("negative step in y, or negative size")
        if not (0 < r_x < math.inf and 0 < r_y < math.inf):
            raise ValueError(f"expected odds above 0, found {r_x} and {r_y}")
        cdef csig_lattice_pass p
        cdef double[::1] weights = np.empty(csig_lattice_weights_bound(m, cut))
        p.lost = 0
        p.terms = csig_lattice_weights(
            r_x, r_y, a, b, m, cut, &weights[0], &p.first, &p.lost
        )
        p.weights = &weights[0]
        p.a, p.b, p.cut, p.updates = a, b, cut, 0
        self.spare.hold_rows(self.now.rows.rows + (p.terms - 1) * b)
        p.in_ = &self.now.rows
        p.out = &self.spare.rows
        cdef int64_t cells = csig_lattice_reach(&p)
        if cells > self.limit:
            raise MemoryError(f"the lattice needs {cells} cells, more than {self.limit}")
        self.spare.hold_cells(cells)
        cdef int done = 0
        while not done:
            with nogil:
                done = csig_lattice_convolve(&p, isa, SLICE)
            PyErr_CheckSignals()
        self.lost += p.lost
        self.updates += p.updates
        self.terms += p.terms
        self.now, self.spare = self.spare, self.now

    def copy(self):
        """The same distribution in memory of its own; nothing lost or updated yet."""
        cdef Lattice other = Lattice(self.limit)
        cdef csig_lattice *rows = &self.now.rows
        cdef int64_t used = 1, last = rows.rows - 1
        if rows.rows:
            used = rows.at[last] + rows.high[last] - rows.low[last] + CSIG_LATTICE_PAD
        other.now.places, other.now.mass = np.array(self.now.places), np.array(self.now.mass)
        other.now.cells = np.array(self.now.cells[:used])
        other.now.rows.first, other.now.rows.rows = rows.first, rows.rows
        other.now.hold_rows(rows.rows)
        other.now.hold_cells(used)
        return other

    def release(self):
        """Free the memory that only convolve needs."""
        self.spare = _Rows()


def constant(
    double r_x, double r_y, const int64_t[::1] a not None, const int64_t[::1] b not None,
    const int64_t[::1] m not None
):
    """What tilted probabilities are multiplied by, as (mantissa, exponent of two)."""
    cdef csig_scaled c
    if not a.shape[0] == b.shape[0] == m.shape[0]:
        raise ValueError("arrays differ in length")
    if not a.shape[0]:
        return 0.5, 1
    csig_lattice_constant(r_x, r_y, &a[0], &b[0], &m[0], a.shape[0], &c)
    return c.value, c.exponent


def thresholds(Ratio metric not None, int64_t first, int64_t rows, int64_t x_min, int64_t x_max):
    """For each row the least x that reaches the threshold, x_max + 1 when none does."""
    cdef int64_t[::1] out = np.empty(rows, dtype=np.int64)
    cdef int64_t done = 0, here
    while done < rows:
        here = min(rows - done, 1 << 17)
        with nogil:
            csig_lattice_thresholds(&metric.c, first + done, here, x_min, x_max, &out[done])
        done += here
        PyErr_CheckSignals()
    return np.asarray(out)


def meet(
    Lattice one not None, Lattice two not None, double r_x, double r_y,
    const int64_t[::1] thresholds not None, const double[::1] scale not None, tuple constant,
    double skip, int isa
):
    """The probability that the sum of both parts reaches the thresholds, as (mantissa,
    exponent of two), and what was skipped. `two` is used up.

    `thresholds` and `scale` have a place for each row of the sum.
    """
    cdef csig_lattice_meeting s
    cdef csig_scaled c, total
    cdef int64_t rows = one.now.rows.rows + two.now.rows.rows - 1
    if thresholds.shape[0] != rows or scale.shape[0] != rows:
        raise ValueError("one threshold and one scale a row of the sum")
    if one is two:
        raise ValueError("the parts share memory")
    cdef int64_t[::1] raised = np.array(thresholds)  # to the least x that is there
    cdef double[::1] tails = np.empty(one.now.cells.shape[0])
    cdef double[:, ::1] sums = np.zeros((2, rows))
    cdef double[::1] powers = np.empty(
        max(2, csig_lattice_clamp(&one.now.rows, &two.now.rows, &raised[0]))
    )
    cdef int done = 0
    with nogil:
        csig_lattice_powers(r_x, powers.shape[0], &powers[0])
        csig_lattice_tails(&one.now.rows, r_x, 0, &tails[0])
        csig_lattice_tails(&two.now.rows, r_x, 1, two.now.rows.cells)
    s.one = &one.now.rows
    s.two = &two.now.rows
    s.tails_one = &tails[0]
    s.tails_two = two.now.rows.cells
    s.thresholds = &raised[0]
    s.scale = &scale[0]
    s.powers = &powers[0]
    s.skip = skip
    s.sum = &sums[0, 0]
    s.rest = &sums[1, 0]
    s.tile = s.row_one = s.updates = 0
    s.lost = 0
    while not done:
        with nogil:
            done = csig_lattice_meet(&s, isa, SLICE)
        PyErr_CheckSignals()
    one.updates += s.updates
    c.value, c.exponent = constant
    total = csig_lattice_total(
        c, r_x, r_y, one.now.rows.first + two.now.rows.first, rows, s.thresholds, s.sum, s.rest
    )
    return total.value, total.exponent, s.lost


def find(Ratio metric not None, int64_t start, int64_t to):
    """On one row: the least x in start .. to - 1 that reaches the threshold, else `to`."""
    cdef int64_t found = start, end
    while found < to:
        end = min(to, found + SLICE)
        with nogil:
            found = csig_lattice_next(&metric.c, found, end)
        PyErr_CheckSignals()
        if found < end:
            break
    return found


def reaching(Lattice lattice not None, Ratio metric not None, double r, int64_t start):
    """On one row: the tilted sum over the x >= start that reach the threshold, relative to
    r^start.
    """
    cdef csig_lattice *rows = &lattice.now.rows
    cdef int64_t low
    cdef double value
    if rows.rows != 1:
        raise ValueError("several rows")
    low = max(rows.low[0], start)
    if low >= rows.high[0]:
        return 0.0
    with nogil:
        value = csig_lattice_reaching(
            &metric.c, rows.cells + rows.at[0] + (low - rows.low[0]), low, rows.high[0], r, start
        )
    lattice.updates += rows.high[0] - low
    return value


def power(double r, int64_t k):
    """r^k as (mantissa, exponent of two)."""
    cdef csig_scaled one, result
    cdef double sum = 1, rest = 0
    one.value, one.exponent = 0.5, 1
    result = csig_lattice_total(one, r, 1, 0, 1, &k, &sum, &rest)
    return result.value, result.exponent
