#include "sums.h"

#include <string.h>

enum { PIECE = CSIG_SUMS_PIECE, MAX_WIDTH = 64, BATCHES = CSIG_LANES / CSIG_GROUPS };

/* Groups of a generator that cannot jump are buffered whole, eight at a time, up to this
 * many units (32 MiB); beyond it they are drawn one by one. */
enum { BUFFERED = 1 << 19 };

typedef struct {
    void (*count_list)(uint64_t *state, const uint64_t *words, const uint16_t *unit, int64_t count,
                       uint64_t flip, int planes);
    void (*add_counter)(uint64_t *total, int width, const uint64_t *state, int planes, int level);
    void (*to_sums)(const uint64_t *plane, int width, int64_t shift, int64_t out[64]);
} kernel;

#define TEMPLATE "sums_template.h"
#include "each_isa.h"

/* Words of one batch's counters. */
static int64_t state_words(const csig_sums *u) {
    int64_t planes = 0;
    for (int64_t c = 0; c < u->n_counters; c++) planes += u->planes[c];
    return CSIG_GROUPS * planes;
}

/* How a stream is drawn: 32 groups side by side, eight of them from a buffer, or one. */
static int groups_at_once(const csig_sums *u, int jumps) {
    if (jumps) return CSIG_LANES;
    return u->n_units <= BUFFERED ? CSIG_GROUPS : 1;
}

int64_t csig_sums_workspace(const csig_sums *u, int jumps) {
    const int at_once = groups_at_once(u, jumps);
    const int batches = at_once == CSIG_LANES ? BATCHES : 1;
    const int64_t in_order = at_once == CSIG_GROUPS ? CSIG_GROUPS * u->n_units : PIECE;
    return batches * (state_words(u) + CSIG_GROUPS * PIECE) + in_order;
}

/* Eight groups of a buffer, or the one that is being drawn, put side by side. */
static void side_by_side(uint64_t *out, const uint64_t *in, int64_t stride, int groups,
                         int64_t rows) {
    for (int64_t i = 0; i < rows; i++, out += CSIG_GROUPS) {
        for (int g = 0; g < CSIG_GROUPS; g++) out[g] = g < groups ? in[g * stride + i] : 0;
    }
}

static void count_piece(const csig_sums *u, const kernel *k, const int64_t *starts,
                        const uint64_t *words, uint64_t *state) {
    for (int64_t c = 0; c < u->n_counters; c++, starts += 2) {
        for (int sign = 0; sign < 2; sign++) {
            k->count_list(state, words, u->units + starts[sign], starts[sign + 1] - starts[sign],
                          sign ? UINT64_MAX : 0, u->planes[c]);
        }
        state += CSIG_GROUPS * u->planes[c];
    }
}

/* The counters of up to eight groups to their sums. */
static void finish(const csig_sums *u, const kernel *k, const uint64_t *state, int64_t trial,
                   int64_t n_trials, int64_t *sums, int64_t stride) {
    for (int64_t c = 0; c < u->n_columns; c++) {
        uint64_t total[CSIG_GROUPS * MAX_WIDTH];
        int64_t values[64];
        memset(total, 0, CSIG_GROUPS * 8 * (size_t)u->width[c]);
        for (int64_t i = u->counters[c]; i < u->counters[c + 1]; i++) {
            k->add_counter(total, u->width[c], state, u->planes[i], u->level[i]);
            state += CSIG_GROUPS * u->planes[i];
        }
        for (int g = 0; g < CSIG_GROUPS && trial + 64 * g < n_trials; g++) {
            int64_t left = n_trials - (trial + 64 * g);
            k->to_sums(total + g, u->width[c], u->shift[c], values);
            memcpy(sums + c * stride + trial + 64 * g, values, 8 * (size_t)(left < 64 ? left : 64));
        }
    }
}

void csig_sums_start(csig_sums_walk *walk, const csig_sums *u) {
    if (csig_jumps(walk->stream.kind)) {
        csig_lanes_start(&walk->lanes, &walk->stream, u->n_units);
    }
}

int csig_sums_next(csig_sums_walk *walk, int isa, const csig_sums *u, int64_t n_trials,
                   uint64_t *workspace, int64_t *sums, int64_t stride, volatile const int *stop) {
    const kernel *k = kernels[isa];
    csig_stream *stream = &walk->stream;
    const int jumps = csig_jumps(stream->kind);
    const int at_once = groups_at_once(u, jumps), batches = at_once == CSIG_LANES ? BATCHES : 1;
    const int64_t n = u->n_units, groups = (n_trials + 63) / 64, per_batch = state_words(u);
    uint64_t *state = workspace, *words = state + batches * per_batch;
    uint64_t *in_order = words + batches * CSIG_GROUPS * PIECE;
    int64_t since_stop = 0;
    if (*stop) return CSIG_STOPPED;
    for (int64_t start = 0; start < groups; start += at_once) {
        const int64_t *starts = u->starts;
        const int here = groups - start < at_once ? (int)(groups - start) : at_once;
        memset(state, 0, 8 * (size_t)(batches * per_batch));
        if (at_once == CSIG_GROUPS) {
            for (int g = 0; g < here; g++) {
                for (int64_t i = 0; i < n; i += CSIG_STOP_INTERVAL) {
                    int64_t some = n - i < CSIG_STOP_INTERVAL ? n - i : CSIG_STOP_INTERVAL;
                    csig_stream_fill(stream, isa, in_order + g * n + i, some);
                    if (*stop) return CSIG_STOPPED;
                }
            }
        }
        for (int64_t unit = 0; unit < n; unit += PIECE, starts += 2 * u->n_counters) {
            const int64_t rows = n - unit < PIECE ? n - unit : PIECE;
            if (jumps) {
                csig_lanes_fill(&walk->lanes, isa, words, rows, unit + rows == n);
            } else if (at_once == CSIG_GROUPS) {
                side_by_side(words, in_order + unit, n, here, rows);
            } else {
                csig_stream_fill(stream, isa, in_order, rows);
                side_by_side(words, in_order, 0, 1, rows);
            }
            for (int b = 0; b < batches && b * CSIG_GROUPS < here; b++) {
                count_piece(u, k, starts, words + b * CSIG_GROUPS * rows, state + b * per_batch);
            }
            since_stop += at_once * (rows + 64) * (1 + u->n_counters / 8);
            if (since_stop >= CSIG_STOP_INTERVAL) {
                if (*stop) return CSIG_STOPPED;
                since_stop = 0;
            }
        }
        for (int b = 0; b < batches && b * CSIG_GROUPS < here; b++) {
            finish(u, k, state + b * per_batch, 64 * (start + b * CSIG_GROUPS), n_trials, sums,
                   stride);
        }
    }
    return CSIG_OK;
}
