#include "nested.h"

enum { BLOCK = CSIG_NESTED_BLOCK };

/* Eight groups are drawn at once where their words are no more than this (2 MiB). */
enum { BUFFERED = 1 << 18 };

/* Events between two looks at the stop flag; an even number. */
enum { EVENTS = 1 << 16 };

/* One entry a step for each instruction set. */
typedef struct {
    int (*walk)(const csig_nested *f, const uint64_t *words, int64_t stride, int shift,
                double *sizes, volatile const int *stop);
    void (*step_down)(const csig_nested *f, const double *sizes, int64_t *hits, int64_t *single);
} kernel;

#define TEMPLATE "nested_template.h"
#include "each_isa.h"

static int groups_at_once(const csig_nested *f, int jumps) {
    return jumps && f->n_rows <= BUFFERED / CSIG_GROUPS ? CSIG_GROUPS : 1;
}

int64_t csig_nested_workspace(const csig_nested *f, int jumps) {
    return groups_at_once(f, jumps) * f->n_rows;
}

int csig_nested_count(csig_stream *stream, int isa, const csig_nested *f, int64_t n_trials,
                      uint64_t *words, double *sizes, int64_t *hits, int64_t *single,
                      volatile const int *stop) {
    const kernel *k = kernels[isa];
    const int at_once = groups_at_once(f, csig_jumps(stream->kind));
    csig_groups groups = {.stream = *stream};
    csig_groups_start(&groups, isa, f->n_rows, at_once);
    for (int64_t trial = 0; trial < n_trials; trial += BLOCK) {
        const int64_t group = trial / 64, left = n_trials - trial;
        if (trial % (64 * at_once) == 0 &&
            !csig_groups_draw(&groups, group, at_once, 0, f->n_rows, words, 0, NULL, stop)) {
            return CSIG_STOPPED;
        }
        if (!k->walk(f, words + group % at_once, at_once, (int)(trial % 64), sizes, stop)) {
            return CSIG_STOPPED;
        }
        for (int64_t p = 0; left < BLOCK && p < f->n_lengths; p++) {
            for (int64_t i = left; i < BLOCK; i++) sizes[BLOCK * p + i] = -1; /* no hits */
        }
        k->step_down(f, sizes, hits, single);
    }
    return CSIG_OK;
}
