/* The exact randomization test over two classes of responses: with X ~ Binomial(n_first, 1/2) and
 * Y ~ Binomial(n_second, 1/2) independent,
 *
 *     p = sum over x of P(X = x) P((x, Y) reaches the threshold).
 *
 * Where the metric is monotone (after turning an axis round) the y that reach the threshold at x are
 * 0 .. L(x) with L never falling: a staircase (docs/theory.md), walked in n_first + n_second steps.
 * Others take csig_cells_walk: every cell. All terms are positive and carry their own exponents:
 * nothing cancels and nothing underflows. */
#pragma once

#include "binomial.h"
#include "linfrac.h"

typedef struct {
    const csig_linfrac *metric;
    int turn_first, turn_second; /* count x, y from the other end */
    int64_t x, last;             /* current x; L(x) so far, -1 for none */
    csig_binomial_walk first, second;
    csig_scaled_sum inner, total;
    csig_scaled below; /* P(Y <= L) */
    int done;
} csig_staircase;

void csig_staircase_start(csig_staircase *s, const csig_linfrac *metric, int turn_first,
                          int turn_second);

/* Does about `budget` steps. `steps`, if not NULL, receives L(x) for every x. */
void csig_staircase_walk(csig_staircase *s, int64_t budget, int64_t *steps);

/* The same sum over all cells, for metrics that are not monotone. Does about `budget`
 * cells; `last` is the column to go on with. */
void csig_cells_walk(csig_staircase *s, int64_t budget);
