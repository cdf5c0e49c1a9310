#include "sums.h"

#include <string.h>

enum { PIECE = CSIG_SUMS_PIECE, CONSTANTS = 2 };

typedef struct {
    void (*count_classes)(uint64_t *rows, int64_t plane, const uint16_t *class, const uint16_t *end,
                          const uint16_t *member);
    void (*add_lists)(uint64_t *total, int width, const uint64_t *rows, const uint16_t *entries,
                      const int64_t *starts, int levels, uint64_t *ring, int64_t room);
    void (*to_sums)(const uint64_t *plane, int width, int64_t shift, int64_t out[64]);
} kernel;

#define TEMPLATE "sums_template.h"
#include "each_isa.h"

/* Units of the longest piece. */
static int64_t piece_units(const csig_sums *u) { return u->n_units < PIECE ? u->n_units : PIECE; }

/* Planes of a batch's sums. */
static int64_t total_planes(const csig_sums *u) {
    int64_t planes = 0;
    for (int64_t c = 0; c < u->n_columns; c++) planes += u->width[c];
    return planes;
}

/* The most carries that wait for one bit: an eighth of its lists and of its carries, and two. */
static int64_t ring_room(const csig_sums *u) { return u->longest / 7 + 16; }

/* Groups that are drawn at once: more are no faster, and need more room. */
static int most(int jumps) { return (jumps ? 2 : 1) * CSIG_GROUPS; }

static int64_t batches(const csig_sums *u, int jumps) {
    return (csig_groups_at_once(u->n_units, most(jumps), jumps) + CSIG_GROUPS - 1) / CSIG_GROUPS;
}

int64_t csig_sums_workspace(const csig_sums *u, int jumps) {
    const int64_t planes = batches(u, jumps) * (u->rows + total_planes(u)) + 4 * ring_room(u);
    return CSIG_GROUPS * planes + csig_groups_buffer(u->n_units, most(jumps), jumps, PIECE);
}

/* The sums before the first unit. */
static void begin(const csig_sums *u, uint64_t *total) {
    for (int64_t c = 0; c < u->n_columns; c++) {
        for (int b = 0; b < u->width[c]; b++, total += CSIG_GROUPS) {
            memset(total, u->first[c] >> b & 1 ? 0xff : 0, 8 * CSIG_GROUPS);
        }
    }
}

/* Adds a piece whose words are drawn to the sums of eight groups; 0 if the run is to stop. */
static int add_piece(const csig_sums *u, const kernel *k, int64_t piece, uint64_t *rows,
                     uint64_t *total, uint64_t *ring, volatile const int *stop) {
    const int64_t *starts = u->starts + piece * u->n_lists;
    k->count_classes(rows, piece_units(u) + CONSTANTS, u->classes + 3 * u->class_starts[piece],
                     u->classes + 3 * u->class_starts[piece + 1],
                     u->members + u->member_starts[piece]);
    for (int64_t c = 0; c < u->n_columns; c++) {
        if (*stop) return 0;
        k->add_lists(total, u->width[c], rows, u->entries, starts, u->levels[c], ring,
                     ring_room(u));
        total += CSIG_GROUPS * u->width[c];
        starts += 2 * u->levels[c];
    }
    return 1;
}

/* The planes of up to eight groups to their sums. */
static void finish(const csig_sums *u, const kernel *k, const uint64_t *total, int64_t trial,
                   int64_t n_trials, int64_t *sums, int64_t stride) {
    for (int64_t c = 0; c < u->n_columns; total += CSIG_GROUPS * u->width[c++]) {
        int64_t values[64];
        for (int g = 0; g < CSIG_GROUPS && trial + 64 * g < n_trials; g++) {
            int64_t left = n_trials - (trial + 64 * g);
            int64_t *out = sums + c * stride + trial + 64 * g;
            k->to_sums(total + g, u->width[c], u->shift[c], left < 64 ? values : out);
            if (left < 64) memcpy(out, values, 8 * (size_t)left);
        }
    }
}

void csig_sums_start(csig_groups *walk, int isa, const csig_sums *u) {
    csig_groups_start(walk, isa, u->n_units, most(csig_jumps(walk->stream.kind)));
}

int csig_sums_next(csig_groups *walk, const csig_sums *u, int64_t n_trials, uint64_t *workspace,
                   int64_t *sums, int64_t stride, volatile const int *stop) {
    const kernel *k = kernels[walk->isa];
    const int64_t n = u->n_units, groups = (n_trials + 63) / 64;
    const int64_t n_batches = batches(u, csig_jumps(walk->stream.kind));
    const int64_t per_batch = CSIG_GROUPS * u->rows, planes = CSIG_GROUPS * total_planes(u);
    uint64_t *rows = workspace, *total = rows + n_batches * per_batch;
    uint64_t *ring = total + n_batches * planes, *buffer = ring + 4 * CSIG_GROUPS * ring_room(u);
    for (int b = 0; b < n_batches; b++) {
        uint64_t *zeros = rows + b * per_batch + CSIG_GROUPS * piece_units(u);
        memset(zeros, 0, 8 * CSIG_GROUPS);
        memset(zeros + CSIG_GROUPS, 0xff, 8 * CSIG_GROUPS);
    }
    for (int64_t start = 0; start < groups; start += walk->at_once) {
        const int here = groups - start < walk->at_once ? (int)(groups - start) : walk->at_once;
        const int used = (here + CSIG_GROUPS - 1) / CSIG_GROUPS;
        if (*stop) return CSIG_STOPPED;
        for (int b = 0; b < used; b++) begin(u, total + b * planes);
        for (int64_t unit = 0; unit < n; unit += PIECE) {
            if (!csig_groups_draw(walk, start, here, unit, n - unit < PIECE ? n - unit : PIECE,
                                  rows, per_batch, buffer, stop)) {
                return CSIG_STOPPED;
            }
            for (int b = 0; b < used; b++) {
                if (!add_piece(u, k, unit / PIECE, rows + b * per_batch, total + b * planes, ring,
                               stop)) {
                    return CSIG_STOPPED;
                }
            }
        }
        for (int b = 0; b < used; b++) {
            finish(u, k, total + b * planes, 64 * (start + b * CSIG_GROUPS), n_trials, sums,
                   stride);
        }
    }
    return CSIG_OK;
}
