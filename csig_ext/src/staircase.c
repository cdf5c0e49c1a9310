#include "staircase.h"

void csig_staircase_start(csig_staircase *s, const csig_linfrac *metric, int turn_first,
                          int turn_second) {
    s->metric = metric;
    s->turn_first = turn_first;
    s->turn_second = turn_second;
    s->x = 0;
    s->last = -1;
    csig_binomial_start(&s->first, metric->n_first);
    csig_binomial_start(&s->second, metric->n_second);
    csig_sum_start(&s->inner);
    csig_sum_start(&s->total);
    s->below.value = 0;
    s->below.exponent = 0;
    s->done = 0;
}

static int reaches(const csig_staircase *s, int64_t x, int64_t y) {
    const csig_linfrac *m = s->metric;
    return csig_linfrac_reaches(m, s->turn_first ? m->n_first - x : x,
                                s->turn_second ? m->n_second - y : y);
}

void csig_staircase_walk(csig_staircase *s, int64_t budget, int64_t *steps) {
    const int64_t n_first = s->metric->n_first, n_second = s->metric->n_second;
    while (!s->done && budget > 0) {
        int grown = 0;
        budget--;
        while (s->last < n_second && budget > 0 && reaches(s, s->x, s->last + 1)) {
            if (++s->last > 0) csig_binomial_next(&s->second);
            csig_sum_add(&s->inner, s->second.probability.value, s->second.probability.exponent);
            grown = 1;
            budget--;
        }
        if (grown) s->below = csig_sum_total(&s->inner);
        /* Out of budget inside the climb: come back to this x. */
        if (budget <= 0 && s->last < n_second && reaches(s, s->x, s->last + 1)) return;
        if (steps) steps[s->x] = s->last;
        if (s->last >= 0) {
            csig_sum_add(&s->total, s->first.probability.value * s->below.value,
                         s->first.probability.exponent + s->below.exponent);
        }
        if (s->x == n_first) {
            s->done = 1;
        } else {
            s->x++;
            csig_binomial_next(&s->first);
        }
    }
}

void csig_cells_walk(csig_staircase *s, int64_t budget) {
    const int64_t n_first = s->metric->n_first, n_second = s->metric->n_second;
    while (!s->done && budget > 0) {
        if (s->last < 0) { /* a new row */
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
        if (s->below.value > 0) {
            csig_sum_add(&s->total, s->first.probability.value * s->below.value,
                         s->first.probability.exponent + s->below.exponent);
        }
        s->last = -1;
        if (s->x == n_first) {
            s->done = 1;
        } else {
            s->x++;
            csig_binomial_next(&s->first);
        }
    }
}
