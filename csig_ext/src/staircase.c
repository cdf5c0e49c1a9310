#include "staircase.h"

void csig_staircase_start(csig_staircase *s, const csig_linfrac *metric, int turn_first,
                          int turn_second) {
    const csig_staircase begin = {
        .metric = metric, .turn_first = turn_first, .turn_second = turn_second, .last = -1};
    *s = begin;
    csig_binomial_start(&s->first, metric->n_first);
    csig_binomial_start(&s->second, metric->n_second);
    csig_sum_start(&s->inner);
    csig_sum_start(&s->total);
}

static int reaches(const csig_staircase *s, int64_t x, int64_t y) {
    const csig_linfrac *m = s->metric;
    return csig_linfrac_reaches(m, s->turn_first ? m->n_first - x : x,
                                s->turn_second ? m->n_second - y : y);
}

/* Adds P(x) P(Y reaches it), and goes on to the next x. */
static void finish(csig_staircase *s) {
    if (s->below.value > 0) {
        csig_sum_add(&s->total, s->first.probability.value * s->below.value,
                     s->first.probability.exponent + s->below.exponent);
    }
    s->done = s->x == s->metric->n_first;
    if (!s->done) csig_binomial_next(&s->first), s->x++;
}

void csig_staircase_walk(csig_staircase *s, int64_t budget, int64_t *steps) {
    const int64_t n_second = s->metric->n_second;
    while (!s->done && budget-- > 0) {
        int grown = 0;
        for (; s->last < n_second && reaches(s, s->x, s->last + 1); grown = 1) {
            if (budget-- <= 0) return; /* inside the climb: come back to this x */
            if (++s->last > 0) csig_binomial_next(&s->second);
            csig_sum_add(&s->inner, s->second.probability.value, s->second.probability.exponent);
        }
        if (grown) s->below = csig_sum_total(&s->inner);
        if (steps) steps[s->x] = s->last;
        finish(s);
    }
}

void csig_cells_walk(csig_staircase *s, int64_t budget) {
    const int64_t n_second = s->metric->n_second;
    while (!s->done && budget > 0) {
        if (s->last < 0) { /* a new column */
            s->last = 0;
            csig_binomial_start(&s->second, n_second);
            csig_sum_start(&s->inner);
        }
        for (; s->last <= n_second && budget > 0; s->last++, budget--) {
            if (reaches(s, s->x, s->last)) {
                csig_sum_add(&s->inner, s->second.probability.value,
                             s->second.probability.exponent);
            }
            if (s->last < n_second) csig_binomial_next(&s->second);
        }
        if (s->last <= n_second) return;
        s->below = csig_sum_total(&s->inner);
        s->last = -1;
        finish(s);
    }
}
