/* Whether a shuffle is at least as extreme as a threshold, for a linear-fractional metric over two
 * classes of responses. Decided exactly, ties included.
 *
 * When x responses of the first class and y of the second are A's, what A does not get, B gets:
 *
 *     score_A = (n0 + n1 x + n2 y) / (d0 + d1 x + d2 y)
 *     score_B = (N - numerator_A)  / (D - denominator_A)
 *
 * A zero denominator gives the score zero_division. The question is always "score_A - score_B >=
 * u / v"; the other alternatives ask it of the mirrored shuffle (count - x, count - y).
 *
 * Method: the difference in double decides unless it lies within its own rounding error of the
 * threshold; then integers of 256 bits do. All sums are below 2^62 in absolute value. */
#pragma once

#include "u128.h"

typedef struct {
    int64_t n0, n1, n2, n_total;
    int64_t d0, d1, d2, d_total;
    int zero_division; /* 0 or 1 */
    int64_t n_first, n_second;
    int alternative;  /* one of the three below */
    int u_sign;       /* -1, 0 or 1 */
    csig_u128 u, v;   /* magnitudes; v > 0 */
    double threshold; /* u / v correctly rounded */
} csig_linfrac;

enum { CSIG_GREATER = 0, CSIG_LESS = 1, CSIG_TWO_SIDED = 2 };

/* score_A - score_B >= u / v after x and y responses went to A. */
int csig_linfrac_reaches(const csig_linfrac *m, int64_t x, int64_t y);

/* At least as extreme under the alternative. */
static inline int csig_linfrac_extreme(const csig_linfrac *m, int64_t x, int64_t y) {
    if (m->alternative != CSIG_LESS && csig_linfrac_reaches(m, x, y)) return 1;
    if (m->alternative == CSIG_GREATER) return 0;
    return csig_linfrac_reaches(m, m->n_first - x, m->n_second - y);
}

/* Hits of a histogram over (x, y), or of n pairs. */
uint64_t csig_linfrac_hits_table(const csig_linfrac *m, const uint64_t *histogram);
uint64_t csig_linfrac_hits_pairs(const csig_linfrac *m, const uint32_t *x, const uint32_t *y,
                                 int64_t n);

/* Hits of n trials given by the sums of k columns: trial t has column c at
 * sums[c * stride + t], x = sum_c wx[c] * column and y = sum_c wy[c] * column. Here n_first and
 * n_second are x and y after every unit is swapped, which may be negative. */
uint64_t csig_linfrac_hits_sums(const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride,
                                int64_t k, const int64_t *wx, const int64_t *wy, int64_t n);

/* The differences score_A - score_B of the same trials, for a threshold u / v >= 0. A difference
 * that equals it, or its negative, is written as exactly that double, and no other one
 * is: comparisons of the results with the threshold are as exact as those above. */
void csig_linfrac_differences(const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride,
                              int64_t k, const int64_t *wx, const int64_t *wy, int64_t n,
                              double *out);
