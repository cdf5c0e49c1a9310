"""The characteristic function of a sum of signed numbers under an exponential tilt, with bounds on
all errors; docs/theory-fourier-lemmas.md has the proofs.

Arrays are contiguous doubles, and what they hold is finite; 0 <= d, and no d^4 overflows. In functions that end in
``_part`` items start .. to - 1 of whole blocks of `BLOCK` pass by, so that threads can share them.
All hear Ctrl-C in the main thread, and look at the stop flag. Where the stop flag was seen results are incomplete: nan, or a bound of 1.
"""

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t

cdef extern from "fourier.h":
    enum:
        CSIG_FOURIER_BLOCK, CSIG_FOURIER_GROUP, CSIG_FOURIER_SUMS, CSIG_FOURIER_STEP
        CSIG_FOURIER_POLYNOMIALS
        CSIG_TURN_SLOPE, CSIG_TURN_ANGLE, CSIG_TURN_FLAT
        CSIG_NEAR_SLOPE, CSIG_NEAR_FLAT, CSIG_AT_SLOPE, CSIG_AT_FLAT, CSIG_ANGLE
        CSIG_TANH_ERROR, CSIG_SECH2_ERROR, CSIG_LOG_COSH_ERROR, CSIG_SUM_ERROR

    void csig_fourier_near(
        int isa, int64_t n, const double *d, const double *h, double delta, int64_t first,
        int64_t count, double *re, double *im
    ) noexcept nogil
    void csig_fourier_at(
        int isa, int64_t n, const double *d, const double *h, double delta, int64_t count,
        const int64_t *k, double *re, double *im
    ) noexcept nogil
    void csig_fourier_sizes(int64_t n, const double *d, double *out) noexcept nogil
    void csig_fourier_sums(
        int isa, int64_t n, const double *d, double theta, double *out
    ) noexcept nogil
    void csig_fourier_tilt(
        int isa, int64_t n, const double *d, double theta, double *h, double *q
    ) noexcept nogil
    int csig_fourier_cells(
        int isa, int64_t n, const double *d, const double *q, int64_t cells, const double *centre,
        const double *half, double below, double *bound, int64_t *used, volatile const int *stop
    ) noexcept nogil
    void csig_fourier_turns(
        int isa, int64_t n, const double *d, double t, double *re, double *im
    ) noexcept nogil
    void csig_fourier_log_cosh(
        int isa, int64_t n, const double *d, double theta, double *out
    ) noexcept nogil
    int csig_fourier_polynomial(
        int which, const char **name, const double **coefficients
    ) noexcept nogil

#: Items that a thread takes at a time, or a multiple of it.
BLOCK = CSIG_FOURIER_BLOCK
#: Items of a cell that are multiplied between two looks at its bound.
GROUP = CSIG_FOURIER_GROUP
#: From frequency 9 on, 9 of them share one sine and cosine, that of the one in their midst.
AROUND = 2 * CSIG_FOURIER_STEP + 1

_U = 2.0**-53
#: Relative errors of tanh and of 1 - tanh^2 (where it is at least 1e-300) and of log cosh.
TANH_ERROR = CSIG_TANH_ERROR * _U
SECH2_ERROR = CSIG_SECH2_ERROR * _U
LOG_COSH_ERROR = CSIG_LOG_COSH_ERROR * _U
#: Relative error of a sum of positive numbers, besides that of its terms.
SUM_ERROR = CSIG_SUM_ERROR * _U
#: exp(i t d) - 1 has an error of min(slope t d, angle t d + flat).
TURN = (CSIG_TURN_SLOPE * _U, CSIG_TURN_ANGLE * _U, CSIG_TURN_FLAT * _U)
#: Of what only underflow can lose, in any result.
TINY = 1e-290

#: Work between two looks at Ctrl-C: factors of a block and so many frequencies, a multiple of those
#: that pass by together; items of a single pass; factors of cells.
cdef enum:
    FREQUENCIES = 28 * 36
    PASS = 1 << 18
    FACTORS = 1 << 24


def polynomials():
    """The coefficients that the lemmas are about, by name, the constant ones first."""
    cdef const char *name
    cdef const double *values
    cdef int i, j, n
    found = {}
    for i in range(CSIG_FOURIER_POLYNOMIALS):
        n = csig_fourier_polynomial(i, &name, &values)
        found[name.decode()] = tuple([values[j] for j in range(n)])
    return found


def blocks(int64_t n):
    """How many blocks hold n items: at least one."""
    return max(1, -(-n // CSIG_FOURIER_BLOCK))


cdef int _check(int64_t n, int64_t start, int64_t to) except -1:
    if not (0 <= start <= to <= n and start % CSIG_FOURIER_BLOCK == 0 and (
        to == n or to % CSIG_FOURIER_BLOCK == 0
    )):
        raise ValueError("not whole blocks of the items")
    return 0


cdef inline const double *_at(const double[::1] a, int64_t i) noexcept nogil:
    return &a[i] if a.shape[0] > i else NULL


def cumulants_part(
    const double[::1] d not None, double theta, int64_t start, int64_t to, int isa,
    const int32_t[::1] stop not None, double[:, ::1] out not None
):
    """Sums over the blocks of items start .. to - 1, each into its row of `out` (blocks, 10)."""
    cdef int64_t i, k, last = -(-to // CSIG_FOURIER_BLOCK)
    _check(d.shape[0], start, to)
    if out.shape[0] < blocks(d.shape[0]) or out.shape[1] != 2 * CSIG_FOURIER_SUMS:
        raise ValueError("no room for the sums of all blocks")
    for k in range(start // CSIG_FOURIER_BLOCK, last, PASS // CSIG_FOURIER_BLOCK):
        if stop[0]:
            return
        with nogil:
            for i in range(k, min(k + PASS // CSIG_FOURIER_BLOCK, last)):
                csig_fourier_sums(
                    isa, min(to - i * CSIG_FOURIER_BLOCK, CSIG_FOURIER_BLOCK),
                    &d[i * CSIG_FOURIER_BLOCK], theta, &out[i, 0]
                )
        PyErr_CheckSignals()


def cumulants(const double[:, ::1] parts not None):
    """(K, K_error, K1, V2, V4, total) of the sums of all blocks: K is the sum of log cosh(theta d), the
    next ones are those of d tanh(theta d), q d^2 and q d^4, and of d.

    q = 1 - tanh^2; the relative errors of K1, and of V2 and V4, are at most TANH_ERROR + SUM_ERROR and
    SECH2_ERROR + SUM_ERROR, and TINY comes to them by underflow.
    """
    cdef double sums[CSIG_FOURIER_SUMS]
    cdef double lost, high, value, t
    cdef int s
    cdef int64_t i
    for s in range(CSIG_FOURIER_SUMS):
        high, lost = 0, 0
        for i in range(parts.shape[0]):
            value = parts[i, 2 * s]
            t = high + value
            lost += ((high - (t - (t - high))) + (value - (t - high))) + parts[i, 2 * s + 1]
            high = t
        sums[s] = high + lost
    error = (CSIG_LOG_COSH_ERROR + CSIG_SUM_ERROR) * _U * sums[0] * 1.0000001 + TINY
    return sums[0], error, sums[1], sums[2], sums[3], sums[4]


def tilted(const double[::1] d not None, double theta, int isa):
    """h = tanh(theta d) and q = 1 - h^2, each with a relative error: TANH_ERROR, SECH2_ERROR.

    A value does not depend on the others: threads may take parts of d.
    """
    cdef int64_t i, n = d.shape[0], piece = PASS
    cdef double[::1] h = np.empty(n), q = np.empty(n)
    for i in range(0, n, piece):
        with nogil:
            csig_fourier_tilt(isa, min(n - i, piece), &d[i], theta, &h[i], &q[i])
        PyErr_CheckSignals()
    return np.asarray(h), np.asarray(q)


def products_part(
    const double[::1] d not None, const double[::1] h not None, double delta,
    const int64_t[::1] k not None, bint each, int64_t start, int64_t to, int isa,
    const int32_t[::1] stop not None, double[:, :, ::1] out not None
):
    """The products of cos(k delta d) + i h sin(k delta d) over the blocks of items start .. to - 1, each
    into its row of `out` (blocks, 2, len(k)): real and imaginary parts.

    Frequencies in a row are computed together, or `each` by itself: any ones, more exactly where
    angles are large, and more slowly. A value does not depend on the other frequencies.
    """
    cdef int64_t i, j, here, block, last = -(-to // CSIG_FOURIER_BLOCK), count = k.shape[0]
    cdef double *re
    cdef double *im
    _check(d.shape[0], start, to)
    if h.shape[0] != d.shape[0]:
        raise ValueError("arrays differ in length")
    if out.shape[0] < blocks(d.shape[0]) or out.shape[1] != 2 or out.shape[2] != count or not count:
        raise ValueError("no room for the products of all blocks, or no frequencies")
    if not each and (k[0] < 0 or k[count - 1] != k[0] + count - 1):
        raise ValueError("frequencies below zero, or not in a row")
    for block in range(start // CSIG_FOURIER_BLOCK, last):
        i = block * CSIG_FOURIER_BLOCK
        for j in range(0, count, FREQUENCIES):
            if stop[0]:
                return
            here = min(count - j, FREQUENCIES)
            re, im = &out[block, 0, j], &out[block, 1, j]
            with nogil:
                if each:
                    csig_fourier_at(
                        isa, min(to - i, CSIG_FOURIER_BLOCK), &d[i], &h[i], delta, here, &k[j], re, im
                    )
                else:
                    csig_fourier_near(
                        isa, min(to - i, CSIG_FOURIER_BLOCK), &d[i], &h[i], delta, k[j], here, re, im
                    )
            PyErr_CheckSignals()


def reach(k, bint each):
    """The angle, in steps of delta, from which frequency k is computed: k, or from 9 on that of the
    middle of its group plus the way back or forth."""
    k = np.abs(np.asarray(k, dtype=np.float64))
    if each:
        return k
    middle = np.floor(k / AROUND) * AROUND + CSIG_FOURIER_STEP
    return np.where(k < AROUND, k, middle + np.abs(k - middle))


def products(parts, k, double delta, int64_t n, double total, double largest, bint each):
    """(re, im, error) at frequencies k of the products of all blocks.

    `total` is the sum of all n items and `largest` their largest, both to 1e-6 or above the truth;
    `each` is as of `products_part`. The errors are those of the product with
    h = tanh(theta d) exactly, if the h that was given has an error of TANH_ERROR, or is exact.
    Where the angles are too large for any accuracy the value is 0 and the error 1.
    """
    slope, flat = (CSIG_AT_SLOPE, CSIG_AT_FLAT) if each else (CSIG_NEAR_SLOPE, CSIG_NEAR_FLAT)
    re, im = np.ones((2, len(k)))
    im[:] = 0
    with np.errstate(all="ignore"):  # nan and overflow are for the last lines
        for a, b in np.asarray(parts):
            re, im = re * a - im * b, re * b + im * a
        angle = reach(k, each) * (abs(delta) * 1.00001)
        turned = angle * total
        own = 1.0001 * (n + 36 * len(parts)) + np.minimum(
            slope * turned, CSIG_ANGLE * turned + float(flat) * n
        )
        error = 1.02 * _U * own
        # factors of which none is below cos(1): errors relative to the product
        smooth = angle * largest <= 1
        relative = 1.02 * _U * (1.0001 * (n + 36 * len(parts)) + 1.87 * slope * turned)
        size = np.sqrt(re * re + im * im)
        error = np.where(smooth & (relative < 0.01), np.minimum(error, 1.02 * size * relative), error)
        sound = (1.02 * _U * own < 0.01) & np.isfinite(size) & (angle * largest < 2.0**45)
        sound &= (angle == 0) | (angle > 1e-290)  # a step of pi has no digits below that
    return (
        np.where(sound, re, 0), np.where(sound, im, 0), np.where(sound, error + TINY, 1.0)
    )


def sizes(const double[::1] d not None):
    """The sum of d, in an order of its own, and the largest: what `products` asks for."""
    cdef double found[2]
    with nogil:
        csig_fourier_sizes(d.shape[0], _at(d, 0), found)
    return found[0], found[1]


def cells(
    const double[::1] d not None, const double[::1] q not None, const double[::1] centre not None,
    const double[::1] half not None, double below, int isa, const int32_t[::1] stop=None
):
    """Upper bounds of |phi| over the cells [centre - half, centre + half] of frequencies, and how many
    items, in their order, were used for each: no more groups of `GROUP` than make the bound smaller
    than `below`.

    Centres that are off by 16 units of 2^-53 of themselves do no harm, nor does a q of `tilted`.
    """
    cdef int64_t i, here, n = d.shape[0], m = centre.shape[0]
    cdef int64_t piece = max(16, FACTORS // max(n, 1))
    cdef int code = 0
    if q.shape[0] != n or half.shape[0] != m:
        raise ValueError("arrays differ in length")
    cdef double[::1] bound = np.ones(m)
    cdef int64_t[::1] used = np.zeros(m, dtype=np.int64)
    if stop is None:
        stop = np.zeros(1, dtype=np.int32)
    for i in range(0, m, piece):
        here = min(piece, m - i)
        with nogil:
            code = csig_fourier_cells(
                isa, n, _at(d, 0), _at(q, 0), here, &centre[i], &half[i], below, &bound[i],
                &used[i], <volatile const int *>&stop[0]
            )
        PyErr_CheckSignals()
        if code:
            break
    return np.asarray(bound), np.asarray(used)


def turns(const double[::1] d not None, double t, int isa):
    """exp(i t d) - 1, real and imaginary parts, with the error `TURN`; t d is below 2^50."""
    cdef int64_t n = d.shape[0]
    cdef double[::1] re = np.empty(n), im = np.empty(n)
    if n:
        csig_fourier_turns(isa, n, &d[0], t, &re[0], &im[0])
    return np.asarray(re), np.asarray(im)


def log_cosh(const double[::1] d not None, double theta, int isa):
    """log cosh(theta d), with a relative error of LOG_COSH_ERROR."""
    cdef int64_t n = d.shape[0]
    cdef double[::1] out = np.empty(n)
    if n:
        csig_fourier_log_cosh(isa, n, &d[0], theta, &out[0])
    return np.asarray(out)
