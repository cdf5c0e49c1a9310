/* Lanes of every width are added as words, because none carries over. */
#include "bitslice_template.h"
#include "doubles_template.h"

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

/* Vectors of doubles that are in registers while all pairs pass by. */
enum { NAME(part) = 4 * WIDTH };

/* The difference of the pair r in some trials, times its weight. */
static inline DOUBLES NAME(statistic)(const csig_flips *f, int64_t r, const double *sums) {
    return (*(const DOUBLES *)(sums + BLOCK * (size_t)f->larger[r]) -
            *(const DOUBLES *)(sums + BLOCK * (size_t)f->other[r])) *
           f->weights[r];
}

/* The largest -T of each trial of a block, and the largest |T| of all of them. */
static double NAME(extremes)(const csig_flips *f, const double *sums, double *opposite) {
    double furthest = 0;
    for (int part = 0; part < BLOCK; part += NAME(part)) {
        DOUBLES low[4], high[4];
        for (int k = 0; k < 4; k++) low[k] = high[k] = NAME(all)(0);
        for (int64_t r = 0; r < f->n_pairs; r++) {
            for (int k = 0; k < 4; k++) {
                const DOUBLES found = NAME(statistic)(f, r, sums + part + WIDTH * k);
                low[k] = NAME(larger)(low[k], -found);
                high[k] = NAME(larger)(high[k], found);
            }
        }
        for (int k = 0; k < 4; k++) {
            double most[WIDTH];
            *(DOUBLES *)most = NAME(larger)(low[k], high[k]);
            *(DOUBLES *)(opposite + part + WIDTH * k) = low[k];
            for (int t = 0; t < WIDTH; t++) furthest = most[t] > furthest ? most[t] : furthest;
        }
    }
    return furthest;
}

static inline void NAME(steps)(const csig_flips *f, const double *sums, const double *before,
                               int64_t first, int64_t *hits, int64_t *single, const int two_sided) {
    DOUBLES most[4];
    for (int k = 0; k < 4; k++) most[k] = *(const DOUBLES *)(before + WIDTH * k);
    for (int64_t r = f->n_pairs - 1; r >= first; r--) {
        const DOUBLES least = NAME(all)(f->least[r]);
        uint32_t reached = 0, alone = 0;
        for (int k = 0; k < 4; k++) {
            const DOUBLES found = NAME(statistic)(f, r, sums + WIDTH * k);
            const DOUBLES size = NAME(larger)(found, -found);
            most[k] = NAME(larger)(most[k], two_sided ? size : found);
            reached |= NAME(reaches)(most[k], least) << WIDTH * k;
            alone |= NAME(reaches)(size, least) << WIDTH * k;
        }
        hits[r] += NAME(ones)(reached);
        single[r] += NAME(ones)(alone);
    }
}

/* The steps, from the last pair to `first`: `before` is what each trial has before them. */
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

static const kernel NAME(kernel) = {LANES,     NAME(to_indices), NAME(make_table),
                                    NAME(add), NAME(extremes),   NAME(step_down)};
