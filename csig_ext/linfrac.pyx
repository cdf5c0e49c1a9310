"""A linear-fractional metric over two classes, and which trials reach its threshold."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from "linfrac.h" nogil:
    enum:
        CSIG_GREATER
        CSIG_LESS
        CSIG_TWO_SIDED

    uint64_t csig_linfrac_hits_table(const csig_linfrac *m, const uint64_t *histogram)
    uint64_t csig_linfrac_hits_pairs(
        const csig_linfrac *m, const uint32_t *x, const uint32_t *y, int64_t n
    )
    uint64_t csig_linfrac_hits_sums(
        const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride, int64_t k,
        const int64_t *wx, const int64_t *wy, int64_t n
    )
    void csig_linfrac_differences(
        const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride, int64_t k,
        const int64_t *wx, const int64_t *wy, int64_t n, double *out
    )

_ALTERNATIVES = {"greater": CSIG_GREATER, "less": CSIG_LESS, "two-sided": CSIG_TWO_SIDED}


cdef class Ratio:
    """A metric as the kernels take it, with the question that they ask of it; see linfrac.h.

    `numerator` is (n0, n1, n2, N) and `denominator` (d0, d1, d2, D), below 2^62 in absolute value; so
    must be all sums of them that trials meet, which is not checked here. `sizes` are x and y when
    everything was given to A. `threshold` is what score_A - score_B must reach: the observed
    difference, its negative for "less", or its absolute value for "two-sided"; numerator and
    denominator below 2^128.
    """

    def __init__(
        self, tuple numerator not None, tuple denominator not None, int zero_division,
        tuple sizes not None, threshold, str alternative not None="greater"
    ):
        u, v = threshold.numerator, threshold.denominator
        if max(map(abs, numerator + denominator + sizes)) >= 1 << 62:
            raise ValueError("a number of the metric reaches 2^62")
        if max(abs(u), v) >= 1 << 128:
            raise ValueError("the threshold's numerator or denominator reaches 2^128")
        if zero_division not in (0, 1):
            raise ValueError(f"zero_division must be 0 or 1, found {zero_division}")
        self.numerator, self.denominator, self.sizes = numerator, denominator, sizes
        self.threshold, self.alternative = threshold, alternative
        self.c.n0, self.c.n1, self.c.n2, self.c.n_total = numerator
        self.c.d0, self.c.d1, self.c.d2, self.c.d_total = denominator
        self.c.zero_division = zero_division
        self.c.n_first, self.c.n_second = sizes
        self.c.alternative = _ALTERNATIVES[alternative]
        self.c.u_sign = (u > 0) - (u < 0)
        self.c.threshold = u / v
        self.c.u.hi, self.c.u.lo = divmod(abs(u), 1 << 64)
        self.c.v.hi, self.c.v.lo = divmod(v, 1 << 64)

    @property
    def zero_division(self):
        """The score where a denominator is 0."""
        return self.c.zero_division

    def __reduce__(self):
        metric = self.numerator, self.denominator, self.c.zero_division, self.sizes
        return Ratio, (*metric, self.threshold, self.alternative)

    def at(self, threshold, alternative="greater"):
        """The same metric, asked another question."""
        _, (*metric, _, _) = self.__reduce__()
        return Ratio(*metric, threshold, alternative)

    def hits_of_table(self, const uint64_t[::1] histogram not None):
        """Trials of a histogram over (x, y) that are at least as extreme as the threshold."""
        cdef uint64_t hits
        if histogram.shape[0] < (self.c.n_first + 1) * (self.c.n_second + 1):
            raise ValueError("histogram too small")
        with nogil:
            hits = csig_linfrac_hits_table(&self.c, &histogram[0])
        return hits

    def hits_of_pairs(
        self, const uint32_t[::1] first not None, const uint32_t[::1] second not None
    ):
        """The same for trials given one by one."""
        cdef uint64_t hits
        if first.shape[0] != second.shape[0]:
            raise ValueError("arrays differ in length")
        if first.shape[0] == 0:
            return 0
        with nogil:
            hits = csig_linfrac_hits_pairs(&self.c, &first[0], &second[0], first.shape[0])
        return hits

    def hits_of_sums(
        self, const int64_t[:, ::1] sums not None, const int64_t[::1] wx not None,
        const int64_t[::1] wy not None, int64_t n_trials, int isa
    ):
        """The same for the first n_trials trials of a block: the sums of columns, and what
        makes x and y of them.
        """
        cdef uint64_t hits
        _check_block(sums, wx, wy, n_trials)
        if n_trials == 0:
            return 0
        with nogil:
            hits = csig_linfrac_hits_sums(
                &self.c, isa, &sums[0, 0], sums.shape[1], sums.shape[0], &wx[0], &wy[0], n_trials
            )
        return hits

    def differences(
        self, const int64_t[:, ::1] sums not None, const int64_t[::1] wx not None,
        const int64_t[::1] wy not None, double[::1] out not None, int isa
    ):
        """score_A - score_B of the same trials into out; on the threshold, which must not be
        negative, exactly.
        """
        cdef int64_t n = out.shape[0]
        _check_block(sums, wx, wy, n)
        if n and sums.shape[0]:
            with nogil:
                csig_linfrac_differences(
                    &self.c, isa, &sums[0, 0], sums.shape[1], sums.shape[0], &wx[0], &wy[0], n,
                    &out[0]
                )


cdef int _check_block(
    const int64_t[:, ::1] sums, const int64_t[::1] wx, const int64_t[::1] wy, int64_t n
) except -1:
    if wx.shape[0] != sums.shape[0] or wy.shape[0] != sums.shape[0] or sums.shape[1] < n:
        raise ValueError("arrays differ in length")
    return 0
