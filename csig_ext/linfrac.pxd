from libc.stdint cimport int64_t, uint64_t


cdef extern from "linfrac.h":
    ctypedef struct csig_u128:
        uint64_t hi, lo

    ctypedef struct csig_linfrac:
        int64_t n0, n1, n2, n_total
        int64_t d0, d1, d2, d_total
        int zero_division
        int64_t n_first, n_second
        int alternative
        int u_sign
        csig_u128 u, v
        double threshold


cdef class Ratio:
    cdef csig_linfrac c
    cdef readonly tuple numerator, denominator, sizes
    cdef readonly object threshold
    cdef readonly str alternative
