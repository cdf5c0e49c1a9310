from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef extern from "linfrac.h":
    ctypedef struct csig_linfrac:
        int64_t n0, n1, n2, n_total
        int64_t d0, d1, d2, d_total
        int zero_division
        int64_t n_first, n_second
        int u_sign
        uint32_t u[4]
        uint32_t v[4]
        double threshold

    uint64_t csig_linfrac_hits_table(
        const csig_linfrac *m, int alternative, const uint64_t *histogram
    ) noexcept nogil
    uint64_t csig_linfrac_hits_pairs(
        const csig_linfrac *m, int alternative, const uint32_t *x, const uint32_t *y, int64_t n
    ) noexcept nogil
    uint64_t csig_linfrac_hits_sums(
        const csig_linfrac *m, int isa, int alternative, const int64_t *sums, int64_t stride,
        int64_t k, const int64_t *wx, const int64_t *wy, int64_t n
    ) noexcept nogil
    void csig_linfrac_differences(
        const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride, int64_t k,
        const int64_t *wx, const int64_t *wy, int64_t n, double *out
    ) noexcept nogil


cdef inline void load_metric(csig_linfrac *m, tuple terms) except *:
    """Fill the struct from the tuple that csig.randomization makes."""
    numerator, denominator, zero_division, sizes, u, v = terms
    m.n0, m.n1, m.n2, m.n_total = numerator
    m.d0, m.d1, m.d2, m.d_total = denominator
    m.zero_division = zero_division
    m.n_first, m.n_second = sizes
    m.u_sign = (u > 0) - (u < 0)
    m.threshold = u / v
    cdef int i
    cdef object magnitude = abs(u)
    for i in range(4):
        m.u[i] = (magnitude >> (32 * i)) & 0xFFFFFFFF
        m.v[i] = (v >> (32 * i)) & 0xFFFFFFFF
