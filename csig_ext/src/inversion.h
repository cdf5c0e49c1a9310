/* The probability that two integer sums of coins lie beyond a boundary, by inversion of their
 * characteristic function.
 *
 * docs/theory.md, "Inversion", has the formulas of phi, A_k and S, and says which of the T U frequencies
 * t = 2 pi kx / T, s = 2 pi ky / U count. Class c has m_c units with the odds q_c, its factor of phi is
 * ((1 + q_c exp(i (t a_c + s b_c))) / (1 + q_c))^m_c, and v_c = 4 q_c / (1 + q_c)^2. Row y takes the cells
 * x = L(y), L(y) + 1, .. before `end`, with the weights r^(x - L(y)).
 *
 * phi and the roots of unity are computed in pairs of doubles (pairs.h), the rest in doubles whose
 * order does not depend on the instruction set or on threads: all paths give the same bits.
 */
#pragma once

#include "platform.h"

/* exp(2 pi i j / period) is coarse[j >> shift] fine[j mod 2^shift], each of four doubles: the real
 * part as a pair, then the imaginary one. */
typedef struct {
    int64_t period;
    int shift;
    const double *coarse, *fine;
} csig_roots;

/* Both tables, of (period - 1 >> shift) + 1 and of 2^shift entries; period below 2^31. */
void csig_roots_fill(int64_t period, int shift, double *coarse, double *fine);

typedef struct {
    int64_t kx0, kx1, ky0, ky1; /* both ends are in it */
} csig_inversion_box;

enum { CSIG_INVERSION_STACK = 160 };

typedef struct {
    int64_t classes;
    const double *x, *y; /* a / T and b / U: turns for one step of kx or ky */
    const double *half;  /* m / 2 */
    const double *v;
    double spread_x, spread_y; /* which side of a box is the longer one */
    double cut;                /* boxes go whose sum of |phi| is below exp(-cut) */
    int64_t depth;
    csig_inversion_box stack[CSIG_INVERSION_STACK];
    int64_t found, capacity;
    int64_t *kx, *ky;
    double lost;    /* bounds the sum of |phi| over what went, mirror images included */
    int64_t visits; /* factors looked at */
} csig_inversion_search;

/* The frequencies 0 <= kx <= (T - 1) / 2 that count, with ky >= 0 where kx = 0: the others are their
 * mirror images. Returns 1 when the stack is empty, 0 when `budget` visits are done, 2 when kx and ky
 * are full. */
int csig_inversion_find(csig_inversion_search *search, int64_t budget);

typedef struct {
    csig_roots x, y;
    int64_t classes;
    const int64_t *a, *b, *m;
    const double *odds; /* pairs */
} csig_inversion_classes;

/* q_c for n classes, as pairs. */
void csig_inversion_odds(double r_x, double r_y, const int64_t *a, const int64_t *b, int64_t n,
                         double *odds);

/* phi at n frequencies. */
int csig_inversion_factors(const csig_inversion_classes *classes, int isa, int64_t n,
                           const int64_t *kx, const int64_t *ky, double *re, double *im,
                           volatile const int *stop);

/* Column c is frequency kx[c], with runs first_run[c] .. first_run[c + 1] - 1 of consecutive ky. Run u
 * starts at ky[u] and goes `step[u]` (1 or -1) at a time; its phi lie in `re` and `im` from at[u] to
 * at[u + 1] - 1, its start last. */
typedef struct {
    csig_roots x;
    int64_t period_y;
    const double *root_re, *root_im; /* exp(-2 pi i y / U), y = 0 .. U - 1 */
    int64_t columns;
    const int64_t *kx, *first_run;
    const double *factor_re,
        *factor_im; /* of a column: 1 / (1 - r exp(-i t)), twice that from kx = 1 on */
    const int64_t *ky, *step, *at;
    const double *re, *im;
    double r;
    int64_t end, first; /* past the last x; y of the first row */
    const int64_t *heights;
    const double *weights, *beyond; /* of a row; r^(end - L) */
} csig_inversion_rows;

/* weights[i] = r_x^(heights[i] - height) r_y^(lag + i), beyond[i] = r_x^(end - heights[i]). */
void csig_inversion_weights(double r_x, double r_y, int64_t n, const int64_t *heights,
                            int64_t height, int64_t lag, int64_t end, double *weights,
                            double *beyond);

/* 1 / (1 - r exp(-2 pi i kx / T)), for kx of n columns; r = 1 and kx = 0 together give 1. */
void csig_inversion_columns(const csig_roots *x, double r, int64_t n, const int64_t *kx, double *re,
                            double *im);

/* T U times the sum over rows from .. to - 1 of weights S: `sum` and what its roundings lost. */
int csig_inversion_rows_sum(const csig_inversion_rows *rows, int isa, int64_t from, int64_t to,
                            double *sum, double *rest, volatile const int *stop);
