"""Tails of two integer sums, by inversion of their characteristic function."""

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t

cdef extern from "inversion.h":
    enum:
        CSIG_INVERSION_STACK

    ctypedef struct csig_roots:
        int64_t period
        int shift
        const double *coarse
        const double *fine

    void csig_roots_fill(
        int64_t period, int shift, double *coarse, double *fine
    ) noexcept nogil

    ctypedef struct csig_inversion_box:
        int64_t kx0, kx1, ky0, ky1

    ctypedef struct csig_inversion_search:
        int64_t classes
        const double *x
        const double *y
        const double *half
        const double *v
        double spread_x, spread_y, cut
        int64_t depth
        csig_inversion_box *stack
        int64_t found, capacity
        int64_t *kx
        int64_t *ky
        double lost
        int64_t visits

    int csig_inversion_find(csig_inversion_search *search, int64_t budget) noexcept nogil

    ctypedef struct csig_inversion_classes:
        csig_roots x, y
        int64_t classes
        const int64_t *a
        const int64_t *b
        const int64_t *m
        const double *odds

    void csig_inversion_odds(
        double r_x, double r_y, const int64_t *a, const int64_t *b, int64_t n, double *odds
    ) noexcept nogil
    int csig_inversion_factors(
        const csig_inversion_classes *classes, int isa, int64_t n, const int64_t *kx,
        const int64_t *ky, double *re, double *im, volatile const int *stop
    ) noexcept nogil

    ctypedef struct csig_inversion_rows:
        csig_roots x
        int64_t period_y
        const double *root_re
        const double *root_im
        int64_t columns
        const int64_t *kx
        const int64_t *first_run
        const double *factor_re
        const double *factor_im
        const int64_t *ky
        const int64_t *step
        const int64_t *at
        const double *re
        const double *im
        double r
        int64_t end, first
        const int64_t *heights
        const double *weights
        const double *beyond

    void csig_inversion_weights(
        double r_x, double r_y, int64_t n, const int64_t *heights, int64_t height, int64_t lag,
        int64_t end, double *weights, double *beyond
    ) noexcept nogil
    void csig_inversion_columns(
        const csig_roots *x, double r, int64_t n, const int64_t *kx, double *re, double *im
    ) noexcept nogil
    int csig_inversion_rows_sum(
        const csig_inversion_rows *rows, int isa, int64_t start, int64_t to, double *sum,
        double *rest, volatile const int *stop
    ) noexcept nogil

# Looks at factors between two looks at Ctrl-C.
cdef enum:
    SLICE = 1 << 20
    PIECE = 1 << 16  # rows

# Frequencies that a double still tells apart in a phase, with a margin.
cdef int64_t MOST_PERIOD = <int64_t>1 << 40


cdef class Roots:
    """The roots of unity of one period, in pairs of doubles."""

    cdef csig_roots c
    cdef double[:, ::1] coarse, fine

    def __init__(self, int64_t period):
        if not 0 < period < 1 << 31:
            raise ValueError("the period must be from 1 to 2^31 - 1")
        self.c.period = period
        self.c.shift = (int(period).bit_length() + 1) // 2
        self.coarse = np.empty((((period - 1) >> self.c.shift) + 1, 4))
        self.fine = np.empty((1 << self.c.shift, 4))
        self.c.coarse, self.c.fine = &self.coarse[0, 0], &self.fine[0, 0]
        csig_roots_fill(period, self.c.shift, &self.coarse[0, 0], &self.fine[0, 0])

    @property
    def period(self):
        """T of exp(2 pi i j / T)."""
        return self.c.period

    def backwards(self):
        """exp(-2 pi i j / T) for all j, as doubles: the real parts, and the imaginary ones."""
        (a, _, b, _), (c, _, d, _) = np.asarray(self.coarse).T, np.asarray(self.fine).T
        both = np.empty((2, len(a), len(c)))
        np.subtract(np.outer(a, c), np.outer(b, d), out=both[0])
        np.subtract(np.outer(-a, d), np.outer(b, c), out=both[1])
        return np.ascontiguousarray(both.reshape(2, -1)[:, :self.c.period])


def find(
    const double[::1] x not None, const double[::1] y not None, const double[::1] half not None,
    const double[::1] v not None, int64_t period_x, int64_t period_y, double cut, int64_t most
):
    """The frequencies (kx, ky) whose |phi| may be above exp(-cut), a bound on the sum of |phi|
    over the others, and the factors that were looked at, no more than `most`.

    Class c turns by x[c] for each step of kx and by y[c] for each of ky; both periods are odd.
    """
    cdef csig_inversion_search s
    cdef int64_t[::1] kx = np.empty(1024, dtype=np.int64), ky = np.empty(1024, dtype=np.int64)
    cdef int64_t n = x.shape[0]
    cdef int state = 0
    cdef int64_t across = (period_x - 1) // 2, up = (period_y - 1) // 2
    if not n == y.shape[0] == half.shape[0] == v.shape[0] or not n:
        raise ValueError("arrays differ in length, or are empty")
    if not (period_x % 2 and period_y % 2):
        raise ValueError("the periods must be odd")
    if not 0 < min(period_x, period_y) <= max(period_x, period_y) <= MOST_PERIOD:
        raise ValueError(f"expected periods up to {MOST_PERIOD}, found {period_x} and {period_y}")
    strength = np.asarray(half) * np.asarray(v)
    s.classes = n
    s.x, s.y, s.half, s.v = &x[0], &y[0], &half[0], &v[0]
    s.spread_x = float(np.sqrt((strength * np.square(x)).sum()))
    s.spread_y = float(np.sqrt((strength * np.square(y)).sum()))
    s.cut = cut
    s.lost, s.found, s.visits, s.capacity = 0, 0, 0, kx.shape[0]
    s.depth = 0
    _push(&s, 0, 0, 0, up)
    if across:
        _push(&s, 1, across, -up, up)
    while state != 1:
        s.kx, s.ky = &kx[0], &ky[0]
        with nogil:
            state = csig_inversion_find(&s, SLICE)
        PyErr_CheckSignals()
        if state == 2:
            kx = np.concatenate([kx, np.empty_like(kx)])
            ky = np.concatenate([ky, np.empty_like(ky)])
            s.capacity = kx.shape[0]
        if s.visits > most:
            raise MemoryError("the characteristic function has too many frequencies")
    return np.asarray(kx)[:s.found], np.asarray(ky)[:s.found], s.lost, s.visits


cdef void _push(
    csig_inversion_search *s, int64_t kx0, int64_t kx1, int64_t ky0, int64_t ky1
) noexcept:
    s.stack[s.depth].kx0, s.stack[s.depth].kx1 = kx0, kx1
    s.stack[s.depth].ky0, s.stack[s.depth].ky1 = ky0, ky1
    s.depth += 1


cdef class Factors:
    """The characteristic function of classes: m units, steps (a, b), odds r_x^-a r_y^-b."""

    cdef csig_inversion_classes c
    cdef Roots x, y
    cdef const int64_t[::1] a, b, m
    cdef double[:, ::1] odds

    def __init__(
        self, Roots x not None, Roots y not None, double r_x, double r_y,
        const int64_t[::1] a not None, const int64_t[::1] b not None,
        const int64_t[::1] m not None
    ):
        cdef int64_t n = a.shape[0]
        if not n == b.shape[0] == m.shape[0] or not n:
            raise ValueError("arrays differ in length, or are empty")
        self.x, self.y, self.a, self.b, self.m = x, y, a, b, m
        self.odds = np.empty((n, 2))
        csig_inversion_odds(r_x, r_y, &a[0], &b[0], n, &self.odds[0, 0])
        self.c.x, self.c.y, self.c.classes = x.c, y.c, n
        self.c.a, self.c.b, self.c.m, self.c.odds = &a[0], &b[0], &m[0], &self.odds[0, 0]

    def at(
        self, const int64_t[::1] kx not None, const int64_t[::1] ky not None,
        double[::1] re not None, double[::1] im not None, int64_t start, int64_t to, int isa,
        const int32_t[::1] stop not None
    ):
        """The values at the frequencies start .. to - 1 into re and im."""
        cdef int64_t n = kx.shape[0]
        if not n == ky.shape[0] == re.shape[0] == im.shape[0] or not 0 <= start < to <= n:
            raise ValueError("arrays differ in length, or the range is not in them")
        with nogil:
            csig_inversion_factors(
                &self.c, isa, to - start, &kx[start], &ky[start], &re[start], &im[start],
                <volatile const int *>&stop[0]
            )


cdef class Rows:
    """Rows of cells, each from its own x on, and the frequencies by columns of equal kx.

    `kx` has the columns; their runs are first_run[c] .. first_run[c + 1] - 1; a run starts at ky,
    goes on by `step`, and has its values in `re` and `im` from `at` on, its start last.
    """

    cdef csig_inversion_rows c
    cdef Roots x
    cdef object _arrays
    cdef readonly object weights, factors

    def __init__(
        self, Roots x not None, Roots y not None, double r_x, double r_y,
        const int64_t[::1] heights not None, int64_t first, int64_t end, tuple reference,
        const int64_t[::1] kx not None, const int64_t[::1] first_run not None,
        const int64_t[::1] ky not None, const int64_t[::1] step not None,
        const int64_t[::1] at not None, const double[::1] re not None,
        const double[::1] im not None
    ):
        cdef int64_t n = heights.shape[0], columns = kx.shape[0], i
        cdef int64_t height = reference[0], lag = first - reference[1]
        if not (n and columns) or first_run.shape[0] != columns + 1:
            raise ValueError("no rows, no columns, or not one end of runs for each column")
        if ky.shape[0] != step.shape[0] or at.shape[0] != ky.shape[0] + 1:
            raise ValueError("arrays differ in length")
        if first_run[columns] != ky.shape[0] or not at[ky.shape[0]] == re.shape[0] == im.shape[0]:
            raise ValueError("runs without values")
        cdef double[:, ::1] by_row = np.empty((2, n)), factors = np.empty((2, columns))
        cdef const double[:, ::1] roots = y.backwards()
        for i in range(0, n, PIECE):
            csig_inversion_weights(
                r_x, r_y, min(n - i, PIECE), &heights[i], height, lag + i, end,
                &by_row[0, i], &by_row[1, i]
            )
            PyErr_CheckSignals()
        csig_inversion_columns(&x.c, r_x, columns, &kx[0], &factors[0, 0], &factors[1, 0])
        self.weights = np.asarray(by_row[0])
        self.factors = np.asarray(factors)
        self.factors[:, np.asarray(kx) > 0] *= 2  # the mirror images
        self.x = x
        self._arrays = (heights, kx, first_run, ky, step, at, re, im, by_row, factors, roots)
        self.c.x, self.c.period_y = x.c, y.c.period
        self.c.root_re, self.c.root_im = &roots[0, 0], &roots[1, 0]
        self.c.columns, self.c.kx, self.c.first_run = columns, &kx[0], &first_run[0]
        self.c.factor_re, self.c.factor_im = &factors[0, 0], &factors[1, 0]
        self.c.ky, self.c.step, self.c.at = &ky[0], &step[0], &at[0]
        self.c.re, self.c.im = &re[0], &im[0]
        self.c.r, self.c.end, self.c.first = r_x, end, first
        self.c.heights = &heights[0]
        self.c.weights, self.c.beyond = &by_row[0, 0], &by_row[1, 0]

    def sum(self, int64_t start, int64_t to, int isa, const int32_t[::1] stop not None):
        """What rows start .. to - 1 add, times both periods: a double and what it lost."""
        cdef double value = 0, rest = 0
        if not 0 <= start <= to <= self.weights.shape[0]:
            raise ValueError("there are no such rows")
        with nogil:
            csig_inversion_rows_sum(
                &self.c, isa, start, to, &value, &rest, <volatile const int *>&stop[0]
            )
        return value, rest
