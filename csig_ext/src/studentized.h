/* How the studentised difference of two ratios compares with the observed one, trial by trial.
 *
 * With the sums of a trial as doubles, S / S_0 = r, M_A / M = p and Q_A M^2 / W_0 = q are linear, and
 *
 *     W / W_0 = q + p (every p - both - 2 q).
 *
 * A trial is beyond the observed difference where r^2 > W / W_0. What doubles cannot tell, by bounds
 * on their error that the caller gives, is left to the caller's integers. */
#pragma once

#include "platform.h"

typedef struct {
    const double *rows; /* of r, p and q, n_columns + 1 each: the constant, then the weights */
    int64_t n_columns;
    double every, both;
    double residual_error, share_error, spread_error; /* how far r, p and W / W_0 may be off */
    int apart; /* whether a difference was observed; if not S_0 is 1, and r^2 > 0 is beyond it */
    int empty; /* whether a trial can leave a system without a denominator */
} csig_studentized;

enum { CSIG_OPEN = 3 };

/* codes[t] is the sign of r, twice where the trial is beyond the observed difference, and CSIG_OPEN
 * where doubles cannot tell. Returns how many trials are beyond it; *near is how many are open. */
int64_t csig_studentized_codes(const csig_studentized *s, int isa, const int64_t *sums,
                               int64_t stride, int64_t n, int8_t *codes, int64_t *near);
