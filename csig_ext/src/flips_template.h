/* The vector part of the flips, included once for each instruction set; the parameters are those of
 * bitslice_template.h. Lanes of every width are added as words, because none carries over. */
#include "bitslice_template.h"

/* The bits of eight rows as one index a trial: of group g of a batch, row i at words[8 i + g]. */
static void NAME(to_indices)(const uint64_t *words, int64_t rows, int groups, uint8_t *index) {
    for (int64_t i = 0; i < rows; i += 8, words += 8 * CSIG_GROUPS, index += TRIALS) {
        for (int g = 0; g < groups; g++) NAME(to_bytes)(words + g, 8, index + 64 * g);
    }
}

/* The sums of all subsets of eight rows. */
static void NAME(make_table)(const uint64_t *rows, uint64_t *table) {
    const VEC none = {0};
    NAME(store)(table, none);
    for (int b = 0; b < 8; b++) {
        const VEC row = NAME(load)(rows + LANES * b);
        uint64_t *with = table + LANES * ((size_t)1 << b);
        for (int m = 0; m < 1 << b; m++) {
            NAME(store)(with + LANES * m, NAME(load)(table + LANES * m) + row);
        }
    }
}

/* Two tables' entries to the sums of each trial. */
static void NAME(add)(uint64_t *sums, const uint8_t *index, const uint64_t *tables, int trials) {
    const uint64_t *second = tables + 256 * LANES;
    for (int t = 0; t < trials; t++) {
        VEC found = NAME(load)(tables + LANES * (size_t)index[t]) +
                    NAME(load)(second + LANES * (size_t)index[t + TRIALS]);
        NAME(store)(sums + LANES * t, NAME(load)(sums + LANES * t) + found);
    }
}

#if defined(TEMPLATE_AVX512) || defined(TEMPLATE_AVX2)

/* Four vectors of doubles, in registers while all pairs pass by. */
enum { NAME(part) = 4 * LANES };

static double NAME(extremes)(const csig_flips *f, const double *sums, double *opposite) {
    double furthest = 0;
    for (int part = 0; part < BLOCK; part += NAME(part)) {
        DOUBLES low[4], high[4];
        for (int k = 0; k < 4; k++) low[k] = high[k] = OF(setzero_pd)();
        for (int64_t r = 0; r < f->n_pairs; r++) {
            const double *x = sums + BLOCK * (size_t)f->larger[r] + part;
            const double *y = sums + BLOCK * (size_t)f->other[r] + part;
            const DOUBLES w = OF(set1_pd)(f->weights[r]);
            for (int k = 0; k < 4; k++) {
                DOUBLES found = OF(mul_pd)(
                    OF(sub_pd)(OF(loadu_pd)(x + LANES * k), OF(loadu_pd)(y + LANES * k)), w);
                low[k] = OF(min_pd)(low[k], found);
                high[k] = OF(max_pd)(high[k], found);
            }
        }
        for (int k = 0; k < 4; k++) {
            double least[LANES], most[LANES];
            OF(storeu_pd)(least, low[k]);
            OF(storeu_pd)(most, high[k]);
            for (int t = 0; t < LANES; t++) {
                opposite[part + LANES * k + t] = -least[t];
                if (most[t] > furthest) furthest = most[t];
                if (-least[t] > furthest) furthest = -least[t];
            }
        }
    }
    return furthest;
}

static inline void NAME(steps)(const csig_flips *f, const double *sums, const double *before,
                               int64_t first, int64_t *hits, int64_t *single, const int two_sided) {
    DOUBLES most[4];
    for (int k = 0; k < 4; k++) most[k] = OF(loadu_pd)(before + LANES * k);
    for (int64_t r = f->n_pairs - 1; r >= first; r--) {
        const double *x = sums + BLOCK * (size_t)f->larger[r];
        const double *y = sums + BLOCK * (size_t)f->other[r];
        const DOUBLES w = OF(set1_pd)(f->weights[r]), least = OF(set1_pd)(f->least[r]);
        const DOUBLES sign = OF(set1_pd)(-0.0);
        uint32_t reached = 0, alone = 0;
        for (int k = 0; k < 4; k++) {
            DOUBLES found =
                OF(mul_pd)(OF(sub_pd)(OF(loadu_pd)(x + LANES * k), OF(loadu_pd)(y + LANES * k)), w);
            const DOUBLES size = OF(andnot_pd)(sign, found);
            most[k] = OF(max_pd)(most[k], two_sided ? size : found);
            reached |= REACHES(most[k], least) << LANES * k;
            alone |= REACHES(size, least) << LANES * k;
        }
        hits[r] += __builtin_popcount(reached);
        single[r] += __builtin_popcount(alone);
    }
}

static void NAME(step_down)(const csig_flips *f, const double *sums, const double *before,
                            int64_t first, int64_t *hits, int64_t *single) {
    for (int part = 0; part < BLOCK; part += NAME(part)) {
        if (f->two_sided) {
            NAME(steps)(f, sums + part, before + part, first, hits, single, 1);
        } else {
            NAME(steps)(f, sums + part, before + part, first, hits, single, 0);
        }
    }
}

#else

/* The largest -T of each trial of a block, and the largest |T| of all of them. */
static double NAME(extremes)(const csig_flips *f, const double *sums, double *restrict opposite) {
    double high[BLOCK] = {0}, furthest = 0;
    for (int t = 0; t < BLOCK; t++) opposite[t] = 0;
    for (int64_t r = 0; r < f->n_pairs; r++) {
        const double *x = sums + BLOCK * (size_t)f->larger[r];
        const double *y = sums + BLOCK * (size_t)f->other[r], w = f->weights[r];
        for (int t = 0; t < BLOCK; t++) {
            const double found = (x[t] - y[t]) * w;
            opposite[t] = -found > opposite[t] ? -found : opposite[t];
            high[t] = found > high[t] ? found : high[t];
        }
    }
    for (int t = 0; t < BLOCK; t++) {
        if (high[t] > furthest) furthest = high[t];
        if (opposite[t] > furthest) furthest = opposite[t];
    }
    return furthest;
}

/* The steps, from the last pair to `first`: `before` is what each trial has before them. */
static void NAME(step_down)(const csig_flips *f, const double *sums, const double *before,
                            int64_t first, int64_t *hits, int64_t *single) {
    double most[BLOCK];
    for (int t = 0; t < BLOCK; t++) most[t] = before[t];
    for (int64_t r = f->n_pairs - 1; r >= first; r--) {
        const double *x = sums + BLOCK * (size_t)f->larger[r];
        const double *y = sums + BLOCK * (size_t)f->other[r];
        const double w = f->weights[r], least = f->least[r];
        int64_t reached = 0, alone = 0;
        for (int t = 0; t < BLOCK; t++) {
            const double found = (x[t] - y[t]) * w;
            const double size = found < 0 ? -found : found;
            const double step = f->two_sided ? size : found;
            most[t] = step > most[t] ? step : most[t];
            reached += most[t] >= least;
            alone += size >= least;
        }
        hits[r] += reached;
        single[r] += alone;
    }
}

#endif

static const kernel NAME(kernel) = {LANES,     NAME(to_indices), NAME(make_table),
                                    NAME(add), NAME(extremes),   NAME(step_down)};
