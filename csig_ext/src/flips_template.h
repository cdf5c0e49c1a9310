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

/* The most negative statistic of each trial of a block, negated. */
static void NAME(opposite)(const csig_flips *f, const double *sums, double *restrict most) {
    for (int t = 0; t < BLOCK; t++) most[t] = 0;
    for (int64_t r = 0; r < f->n_pairs; r++) {
        const double *x = sums + BLOCK * (size_t)f->larger[r];
        const double *y = sums + BLOCK * (size_t)f->other[r], w = f->weights[r];
        for (int t = 0; t < BLOCK; t++) {
            const double found = (y[t] - x[t]) * w;
            most[t] = found > most[t] ? found : most[t];
        }
    }
}

/* The steps, from the last pair on. */
static void NAME(step_down)(const csig_flips *f, const double *sums, double *restrict most,
                            int64_t *hits, int64_t *single) {
    for (int64_t r = f->n_pairs - 1; r >= 0; r--) {
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

static const kernel NAME(kernel) = {LANES,     NAME(to_indices), NAME(make_table),
                                    NAME(add), NAME(opposite),   NAME(step_down)};

#undef VEC
#undef NAME
#undef LANES
