/* The kernels of csig_ext for a page in a browser: exact p-values, shuffles and null distributions of
 * one metric at a time. All memory is static; kernels.js fills what is asked for and reads results. */
#include <math.h>

#include "shuffle.h"
#include "staircase.h"

enum { CHUNK = 1 << 16, UNITS = 1 << 16, CLASS = 1 << 20, SEED = 4096, BINS = 128 };

static csig_linfrac metric;
static int64_t numbers[16];        /* of a metric, in the order of ask() */
static uint32_t entropy[SEED];     /* what seeds a stream, without the chunk */
static int64_t steps[2][UNITS];    /* what a unit takes from numerator and denominator */
static int64_t x[CHUNK], y[CHUNK]; /* of the trials of a chunk, as metric takes them */
static double bins[2][BINS];       /* of a null distribution: trials that are no hits; hits */
static double choices[CLASS + 1];  /* the probabilities of y */
static uint32_t first[CHUNK], second[CHUNK];
static uint64_t words[UNITS + 64];
static double exponent;

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(numbers) int64_t *numbers_at(void) { return numbers; }
EXPORT(entropy) uint32_t *entropy_at(void) { return entropy; }
EXPORT(steps) int64_t *steps_at(void) { return steps[0]; }
EXPORT(bins) double *bins_at(void) { return bins[0]; }
EXPORT(exponent) double exponent_of(void) { return exponent; }

/* What the other functions are asked of: `numbers` as a metric, and its threshold as a double. */
EXPORT(ask) void ask(double threshold, int alternative) {
    const int64_t *n = numbers;
    metric = (csig_linfrac){.n0 = n[0],
                            .n1 = n[1],
                            .n2 = n[2],
                            .n_total = n[3],
                            .d0 = n[4],
                            .d1 = n[5],
                            .d2 = n[6],
                            .d_total = n[7],
                            .zero_division = (int)n[8],
                            .n_first = n[9],
                            .n_second = n[10],
                            .alternative = alternative,
                            .u_sign = (int)n[11],
                            .u = {(uint64_t)n[12], (uint64_t)n[13]},
                            .v = {(uint64_t)n[14], (uint64_t)n[15]},
                            .threshold = threshold};
}

/* The probability that the difference of responses reaches the threshold: returns a mantissa, to be
 * multiplied by two to the power of exponent(). */
EXPORT(exact) double exact(int monotone, int turn_first, int turn_second) {
    csig_staircase s;
    csig_staircase_start(&s, &metric, monotone && turn_first, monotone && turn_second);
    while (!s.done) {
        if (monotone) {
            csig_staircase_walk(&s, CHUNK, NULL);
        } else {
            csig_cells_walk(&s, CHUNK);
        }
    }
    const csig_scaled p = csig_sum_total(&s.total);
    exponent = (double)p.exponent;
    return p.value;
}

/* Trials of a chunk that swap the metric's responses. */
EXPORT(responses) void responses(int kind, int n_entropy, int chunk, int trials) {
    csig_stream stream;
    volatile int stop = 0;
    csig_stream_seed(&stream, kind, entropy, n_entropy, (uint32_t)chunk);
    csig_shuffle_classes(&stream, 0, metric.n_first, metric.n_second, trials, words, NULL, first,
                         second, &stop);
    for (int t = 0; t < trials; t++) x[t] = first[t], y[t] = second[t];
}

/* The sums of a group's 64 trials over the swapped units, bit-sliced: plane k holds bit k of all. A
 * unit of a negative step is counted when it is not swapped. */
static void add_units(const int64_t *step, int n, int64_t *out, int trials) {
    uint64_t planes[64] = {0};
    int64_t negative = 0;
    for (int i = 0; i < n; i++) {
        const int turned = step[i] < 0;
        uint64_t size = (uint64_t)(turned ? -step[i] : step[i]);
        const uint64_t word = turned ? ~words[i] : words[i];
        if (turned) negative += step[i];
        for (int bit = 0; size; bit++, size >>= 1) {
            uint64_t carry = size & 1 ? word : 0;
            for (int k = bit; carry; k++) {
                const uint64_t both = planes[k] & carry;
                planes[k] ^= carry;
                carry = both;
            }
        }
    }
    for (int t = 0; t < trials; t++) {
        uint64_t sum = 0;
        for (int k = 0; k < 64; k++) sum |= (planes[k] >> t & 1) << k;
        out[t] = (int64_t)sum + negative;
    }
}

/* Trials of a chunk that swap n units. */
EXPORT(units) void units(int kind, int n_entropy, int chunk, int trials, int n) {
    csig_stream stream;
    csig_stream_seed(&stream, kind, entropy, n_entropy, (uint32_t)chunk);
    for (int t = 0; t < trials; t += 64) {
        const int here = trials - t < 64 ? trials - t : 64;
        csig_stream_fill(&stream, 0, words, n);
        add_units(steps[0], n, x + t, here);
        add_units(steps[1], n, y + t, here);
    }
}

EXPORT(hits) int hits(int trials) {
    int found = 0;
    for (int t = 0; t < trials; t++) found += csig_linfrac_extreme(&metric, x[t], y[t]);
    return found;
}

static double difference(int64_t at_x, int64_t at_y) {
    const csig_linfrac *m = &metric;
    const double na = (double)(m->n0 + m->n1 * at_x + m->n2 * at_y),
                 da = (double)(m->d0 + m->d1 * at_x + m->d2 * at_y), nb = (double)m->n_total - na,
                 db = (double)m->d_total - da;
    return (da != 0 ? na / da : m->zero_division) - (db != 0 ? nb / db : m->zero_division);
}

static void put(int64_t at_x, int64_t at_y, double low, double width, double share) {
    const double place = floor((difference(at_x, at_y) - low) / width);
    if (place >= 0 && place < BINS) {
        bins[csig_linfrac_extreme(&metric, at_x, at_y)][(int)place] += share;
    }
}

static void clear(void) {
    for (int i = 0; i < BINS; i++) bins[0][i] = bins[1][i] = 0;
}

/* The last trials into bins. */
EXPORT(picture) void picture(int trials, double low, double width) {
    clear();
    for (int t = 0; t < trials; t++) put(x[t], y[t], low, width, 1);
}

/* The null distribution of responses into bins; of width 0, its variance. What is too rare to be seen
 * is left out. */
EXPORT(null) double null(double low, double width) {
    const double rare = 1e-9;
    csig_binomial_walk walk;
    int64_t least = -1, most = -1;
    double variance = 0;
    clear();
    csig_binomial_start(&walk, metric.n_second);
    for (int64_t j = 0; j <= metric.n_second; j++) {
        choices[j] = ldexp(walk.probability.value, (int)walk.probability.exponent);
        if (choices[j] > rare) {
            if (least < 0) least = j;
            most = j;
        }
        if (j < metric.n_second) csig_binomial_next(&walk);
    }
    csig_binomial_start(&walk, metric.n_first);
    for (int64_t i = 0; i <= metric.n_first; i++) {
        const double share = ldexp(walk.probability.value, (int)walk.probability.exponent);
        for (int64_t j = least; share > rare && j <= most; j++) {
            if (width > 0) {
                put(i, j, low, width, share * choices[j]);
            } else {
                const double d = difference(i, j);
                variance += share * choices[j] * d * d;
            }
        }
        if (i < metric.n_first) csig_binomial_next(&walk);
    }
    return variance;
}
