#include "shuffle.h"

#include <string.h>

/* Counts below 2^32, and a plane for a carry that stays zero. */
enum { MAX_PLANES = 33 };

/* Up to FEW responses 32 groups are drawn into one buffer (256 KiB at most, which stays in
 * the second-level cache) and a vector holds the same response of several groups; beyond
 * it one group is drawn piece by piece and a vector holds several of its responses. */
enum { FEW = 1024, PIECE = 8192 };

/* One entry a step for each instruction set. */
typedef struct {
    int lanes;
    void (*count_groups)(const uint64_t *words, int64_t count, int planes, uint64_t *out);
    void (*count_run)(const uint64_t *words, int64_t count, int planes, uint64_t *state);
    void (*tally)(const uint64_t *first, int planes_first, const uint64_t *second,
                  int planes_second, uint16_t row, int n_trials, uint64_t *histogram);
    void (*to_counts)(const uint64_t *plane, int planes, uint32_t out[64]);
} kernel;

#define TEMPLATE "shuffle_template.h"
#include "each_isa.h"

/* Planes that hold every number up to `count`; at least the three of the adder tree. */
static int planes_for(int64_t count) {
    int k = 3;
    while (count >> k) k++;
    return k;
}

int64_t csig_shuffle_workspace(int64_t n_first, int64_t n_second) {
    int64_t n = n_first + n_second;
    return n <= FEW ? 2 * CSIG_LANES * n + 1 : PIECE;
}

/* The planes of LANES counters that count disjoint responses of one group, added into
 * one: a bit-sliced ripple-carry addition a lane. */
static void add_lanes(const uint64_t *state, int lanes, int planes, uint64_t *out) {
    for (int k = 0; k < planes; k++) out[CSIG_GROUPS * k] = state[lanes * k];
    for (int j = 1; j < lanes; j++) {
        uint64_t carry = 0;
        for (int k = 0; k < planes; k++) {
            uint64_t x = out[CSIG_GROUPS * k], y = state[lanes * k + j];
            out[CSIG_GROUPS * k] = x ^ y ^ carry;
            carry = (x & y) | (carry & (x ^ y));
        }
    }
}

typedef struct {
    const kernel *k;
    csig_groups groups;
    int64_t n_first, n_second, n_trials;
    int planes_first, planes_second;
    int bytes; /* both counts fit a byte */
    uint64_t *words, *histogram;
    uint32_t *first, *second;
    volatile const int *stop;
} run;

/* Hands the counted trials of a group, 64 or what is left, to the histogram or the arrays. */
static inline void put(const run *r, const uint64_t *planes_first, const uint64_t *planes_second,
                       int64_t group) {
    const int64_t trial = 64 * group, left = r->n_trials - trial;
    const int n = left < 64 ? (int)left : 64;
    uint32_t x[64], y[64];
    if (r->bytes) {
        r->k->tally(planes_first, r->planes_first, planes_second, r->planes_second,
                    (uint16_t)(r->n_second + 1), n, r->histogram);
        return;
    }
    r->k->to_counts(planes_first, r->planes_first, x);
    r->k->to_counts(planes_second, r->planes_second, y);
    if (r->histogram) {
        uint64_t row = (uint64_t)(r->n_second + 1);
        for (int t = 0; t < n; t++) r->histogram[x[t] * row + y[t]]++;
    } else {
        memcpy(r->first + trial, x, 4 * (size_t)n);
        memcpy(r->second + trial, y, 4 * (size_t)n);
    }
}

static int run_few(run *r, int64_t groups) {
    const kernel *k = r->k;
    const int64_t n_first = r->n_first, n_second = r->n_second, n = n_first + n_second;
    uint64_t planes_first[CSIG_GROUPS * 16], planes_second[CSIG_GROUPS * 16];
    csig_groups_start(&r->groups, r->groups.isa, n, CSIG_LANES);
    for (int64_t start = 0; start < groups; start += CSIG_LANES) {
        const int here = groups - start < CSIG_LANES ? (int)(groups - start) : CSIG_LANES;
        if (!csig_groups_draw(&r->groups, start, here, 0, n, r->words, CSIG_GROUPS * n,
                              r->words + CSIG_LANES * n, r->stop)) {
            return CSIG_STOPPED;
        }
        for (int g = 0; g < here; g++) {
            if (g % CSIG_GROUPS == 0) {
                const uint64_t *batch = r->words + g * n;
                k->count_groups(batch, n_first, r->planes_first, planes_first);
                k->count_groups(batch + CSIG_GROUPS * n_first, n_second, r->planes_second,
                                planes_second);
            }
            put(r, planes_first + g % CSIG_GROUPS, planes_second + g % CSIG_GROUPS, start + g);
        }
    }
    return CSIG_OK;
}

/* Counts one class of one group, drawing its words in pieces; 0 if the run is to stop. */
static int count_class(run *r, int64_t count, int planes, uint64_t *out) {
    uint64_t state[8 * MAX_PLANES];
    memset(state, 0, sizeof state);
    for (int64_t i = 0; i < count; i += PIECE) {
        int64_t here = count - i < PIECE ? count - i : PIECE;
        csig_stream_fill(&r->groups.stream, r->groups.isa, r->words, here);
        r->k->count_run(r->words, here, planes, state);
        if (*r->stop) return 0;
    }
    add_lanes(state, r->k->lanes, planes, out);
    return 1;
}

static int run_many(run *r, int64_t groups) {
    uint64_t planes_first[CSIG_GROUPS * MAX_PLANES], planes_second[CSIG_GROUPS * MAX_PLANES];
    for (int64_t g = 0; g < groups; g++) {
        if (!count_class(r, r->n_first, r->planes_first, planes_first) ||
            !count_class(r, r->n_second, r->planes_second, planes_second)) {
            return CSIG_STOPPED;
        }
        put(r, planes_first, planes_second, g);
    }
    return CSIG_OK;
}

int csig_shuffle_classes(const csig_stream *stream, int isa, int64_t n_first, int64_t n_second,
                         int64_t n_trials, uint64_t *workspace, uint64_t *histogram,
                         uint32_t *first, uint32_t *second, volatile const int *stop) {
    const int first_planes = planes_for(n_first), second_planes = planes_for(n_second);
    const int bytes = histogram && n_first < 256 && n_second < 256;
    run r = {kernels[isa],  {.stream = *stream, .isa = isa},
             n_first,       n_second,
             n_trials,      first_planes,
             second_planes, bytes,
             workspace,     histogram,
             first,         second,
             stop};
    if (*stop) return CSIG_STOPPED;
    return (n_first + n_second <= FEW ? run_few : run_many)(&r, (n_trials + 63) / 64);
}
