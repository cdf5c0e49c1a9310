#include "flips.h"

#include <string.h>

enum {
    SPAN = CSIG_FLIPS_SPAN,
    PIECE = CSIG_FLIPS_PIECE,
    BLOCK = CSIG_FLIPS_BLOCK,
    TRIALS = CSIG_FLIPS_TRIALS
};

/* One entry a step for each instruction set. */
typedef struct {
    int lanes;
    void (*to_indices)(const uint64_t *words, int64_t rows, int groups, uint8_t *index);
    void (*make_table)(const uint64_t *rows, uint64_t *table);
    void (*add)(uint64_t *sums, const uint8_t *index, const uint64_t *tables, int trials);
    double (*extremes)(const csig_flips *f, const double *sums, double *opposite);
    void (*step_down)(const csig_flips *f, const double *sums, const double *before, int64_t first,
                      int64_t *hits, int64_t *single);
} kernel;

#define TEMPLATE "flips_template.h"
#include "each_isa.h"

int csig_flips_lanes(int isa) { return kernels[isa]->lanes; }

static int64_t padded(int64_t rows) { return (rows + SPAN - 1) / SPAN * SPAN; }

/* The parts of the workspace. */
typedef struct {
    uint64_t *words;  /* of a piece: batch after batch, row after row, eight groups */
    uint64_t *tables; /* two */
    uint64_t *sums;   /* slice after slice, trial after trial */
    uint64_t *buffer; /* of a stream that cannot jump */
    uint8_t *index;   /* eight rows after eight rows, trial after trial */
} places;

static int64_t lay_out(const csig_flips *f, int isa, int jumps, uint64_t *at, places *p) {
    const int64_t lanes = kernels[isa]->lanes;
    const int64_t sizes[5] = {CSIG_LANES * PIECE, 2 * 256 * lanes, TRIALS / 8 * (PIECE / 8),
                              f->n_slices * TRIALS * lanes,
                              csig_groups_buffer(f->n_rows, CSIG_LANES, jumps, PIECE)};
    int64_t starts[6] = {0};
    for (int i = 0; i < 5; i++) starts[i + 1] = starts[i] + sizes[i];
    if (p) {
        p->words = at;
        p->tables = at + starts[1];
        p->index = (uint8_t *)(at + starts[2]);
        p->sums = at + starts[3];
        p->buffer = at + starts[4];
    }
    return starts[5];
}

int64_t csig_flips_workspace(const csig_flips *f, int isa, int jumps) {
    return lay_out(f, isa, jumps, NULL, NULL);
}

/* The number in a lane. */
static inline double number(const char *lane, int width) {
    if (width == 16) {
        uint16_t found;
        memcpy(&found, lane, 2);
        return found;
    }
    if (width == 32) {
        uint32_t found;
        memcpy(&found, lane, 4);
        return found;
    }
    int64_t found;
    memcpy(&found, lane, 8);
    return (double)found;
}

/* What the negated rows take from the sums of some trials; the lanes are empty then. */
static void spill(const csig_flips *f, int lanes, uint64_t *from, int trials, double *sums) {
    const int64_t systems = lanes * 64 / f->width;
    for (int64_t slice = 0; slice < f->n_slices; slice++, from += (int64_t)TRIALS * lanes) {
        const int64_t first = slice * systems;
        const int64_t used = f->n_systems - first < systems ? f->n_systems - first : systems;
        for (int start = 0; start < trials; start += BLOCK) {
            double *out = sums + (size_t)start * f->n_systems + BLOCK * first;
            uint64_t *in = from + (size_t)start * lanes;
            for (int64_t c = 0; c < used; c++, out += BLOCK) {
                const char *lane = (const char *)in + f->width / 8 * c;
                for (int t = 0; t < BLOCK; t++, lane += 8 * lanes) {
                    out[t] -= 2 * number(lane, f->width);
                }
            }
        }
        memset(from, 0, 8 * (size_t)lanes * (size_t)trials);
    }
}

/* Sums of all systems where no row is negated. */
static void begin(const csig_flips *f, double *sums, int trials) {
    for (int start = 0; start < trials; start += BLOCK) {
        for (int64_t c = 0; c < f->n_systems; c++, sums += BLOCK) {
            for (int t = 0; t < BLOCK; t++) sums[t] = f->totals[c];
        }
    }
}

typedef struct {
    const csig_flips *f;
    const kernel *k;
    csig_groups groups;
    places p;
    volatile const int *stop;
} run;

/* Draws a piece of some groups, and makes indices of it; 0 if the run is to stop. */
static int draw(run *r, int64_t start, int groups, int64_t row, int64_t rows) {
    if (!csig_groups_draw(&r->groups, start, groups, row, rows, r->p.words, CSIG_GROUPS * PIECE,
                          r->p.buffer, r->stop)) {
        return 0;
    }
    for (int g = 0; g < groups; g += CSIG_GROUPS) {
        uint64_t *words = r->p.words + (int64_t)g * PIECE;
        for (int64_t i = CSIG_GROUPS * rows; i < CSIG_GROUPS * padded(rows); i++) words[i] = 0;
        r->k->to_indices(words, padded(rows), groups - g < CSIG_GROUPS ? groups - g : CSIG_GROUPS,
                         r->p.index + 64 * g);
    }
    return 1;
}

/* The sums of some groups; 0 if the run is to stop. */
static int add_rows(run *r, int64_t start, int groups, double *sums) {
    const csig_flips *f = r->f;
    const int lanes = r->k->lanes, trials = 64 * groups;
    const int64_t all = padded(f->n_rows);
    for (int64_t row = 0; row < f->n_rows; row += PIECE) {
        const int64_t rows = f->n_rows - row < PIECE ? f->n_rows - row : PIECE;
        if (!draw(r, start, groups, row, rows)) return 0;
        for (int64_t slice = 0; slice < f->n_slices; slice++) {
            const uint64_t *own = f->rows + (slice * all + row) * lanes;
            uint64_t *to = r->p.sums + slice * TRIALS * lanes;
            for (int64_t i = 0; i < rows; i += SPAN, own += SPAN * lanes) {
                r->k->make_table(own, r->p.tables);
                r->k->make_table(own + 8 * lanes, r->p.tables + 256 * lanes);
                r->k->add(to, r->p.index + i / 8 * TRIALS, r->p.tables, trials);
            }
            if (*r->stop) return 0;
        }
        if (f->spill[row / PIECE]) spill(f, lanes, r->p.sums, trials, sums);
    }
    return 1;
}

/* The pairs of a block of trials. What no statistic of the block reaches has no hits: with systems
 * of all kinds that is most of the pairs. */
static void compare(const run *r, const double *sums, int64_t *hits, int64_t *single) {
    const csig_flips *f = r->f;
    double before[BLOCK] = {0};
    int64_t first = 0;
    if (!f->two_sided) {
        const double furthest = r->k->extremes(f, sums, before);
        while (first < f->n_pairs && f->least[first] > furthest) first++;
    }
    r->k->step_down(f, sums, before, first, hits, single);
}

int csig_flips_count(csig_stream *stream, int isa, const csig_flips *f, int64_t n_trials,
                     uint64_t *workspace, double *sums, int64_t *hits, int64_t *single,
                     volatile const int *stop) {
    run r = {f, kernels[isa], {.stream = *stream}, .stop = stop};
    const int64_t groups = (n_trials + 63) / 64;
    lay_out(f, isa, csig_jumps(stream->kind), workspace, &r.p);
    memset(r.p.sums, 0, 8 * (size_t)(f->n_slices * TRIALS * r.k->lanes));
    csig_groups_start(&r.groups, isa, f->n_rows, CSIG_LANES);
    for (int64_t start = 0; start < groups; start += r.groups.at_once) {
        const int at_once = r.groups.at_once;
        const int here = groups - start < at_once ? (int)(groups - start) : at_once;
        const int64_t left = n_trials - 64 * start;
        begin(f, sums, 64 * here);
        if (*stop || !add_rows(&r, start, here, sums)) return CSIG_STOPPED;
        for (int t = 0; t < 64 * here && t < left; t += BLOCK) {
            double *own = sums + (size_t)t * f->n_systems;
            for (int64_t c = 0; left - t < BLOCK && c < f->n_systems; c++) {
                for (int64_t i = left - t; i < BLOCK; i++) own[BLOCK * c + i] = 0;
            }
            if (*stop) return CSIG_STOPPED;
            compare(&r, own, hits, single);
        }
    }
    return CSIG_OK;
}
