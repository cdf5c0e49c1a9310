#include "resample.h"

#include <string.h>

#include "pcg.h"

enum { PIECE = 512 };          /* resamples whose scores are made at once */
enum { MOST_UNITS = 1 << 20 }; /* added between two looks at the stop flag, at most */

typedef struct {
    int64_t (*draw)(uint32_t *out, const uint64_t *words, int64_t n_words, uint64_t n,
                    uint32_t reject);
    void (*add)(uint64_t *total, const uint64_t *rows, int64_t row_words, const uint32_t *unit,
                int64_t count);
    int64_t (*weave)(csig_resample_walk *walk, const csig_resample *table, uint64_t *total,
                     int64_t wanted);
    void (*weigh)(int64_t *total, const int64_t *column, int64_t weight, int64_t n);
    int64_t (*divide)(const int64_t *above, const int64_t *below, double zero_division, int64_t n,
                      double *out);
} kernel;

#define TEMPLATE "resample_template.h"
#include "each_isa.h"

void csig_resample_start(csig_resample_walk *walk, int isa, const csig_resample *table) {
    const csig_stream *stream = &walk->stream;
    const int64_t n = table->n_units;
    walk->isa = isa;
    walk->first = walk->end = walk->drawn = 0;
    /* Where n is a whole power of 2^16 it is too large for a piece. */
    walk->woven = kernels[isa]->weave != NULL && csig_jumps(stream->kind) &&
                  table->row_words <= 8 && n != 1 << 16 && n < (int64_t)1 << 32;
    if (!walk->woven) return;
    csig_u128 state = stream->state;
    for (int i = 0; i < CSIG_RESAMPLE_LANES; i++) {
        walk->hi[i] = state.hi;
        walk->lo[i] = state.lo;
        state = pcg_step(state, stream->step);
    }
    walk->jump = pcg_double(stream->flight, 2);
}

/* Takes the fields of a packed row to the sums of their columns. */
static void unpack(const csig_resample *table, uint64_t *packed, int64_t *sums, int64_t stride) {
    for (int64_t f = 0; f < table->n_fields; f++) {
        uint64_t field = (packed[table->word[f]] >> table->shift[f]) & table->mask[f];
        sums[table->column[f] * stride] += (int64_t)field;
    }
}

/* Adds the rows of the next units to a packed sum. */
static void add_units(csig_resample_walk *walk, const csig_resample *table, uint64_t *packed,
                      int64_t units) {
    const kernel *k = kernels[walk->isa];
    int64_t left = walk->woven ? k->weave(walk, table, packed, units) : units;
    while (left > 0) {
        if (walk->first == walk->end) {
            csig_stream_fill(&walk->stream, walk->isa, walk->words, CSIG_RESAMPLE_WORDS);
            walk->drawn += CSIG_RESAMPLE_WORDS;
            walk->first = 0;
            walk->end = k->draw(walk->units, walk->words, CSIG_RESAMPLE_WORDS,
                                (uint64_t)table->n_units, table->reject);
        }
        int64_t here = walk->end - walk->first < left ? walk->end - walk->first : left;
        k->add(packed, table->rows, table->row_words, walk->units + walk->first, here);
        walk->first += here;
        left -= here;
    }
}

int csig_resample_next(csig_resample_walk *walk, const csig_resample *table, int64_t n_resamples,
                       uint64_t *packed, int64_t *sums, int64_t stride, volatile const int *stop) {
    const int64_t most = table->flush < MOST_UNITS ? table->flush : MOST_UNITS;
    int64_t looked = walk->drawn;
    if (*stop) return CSIG_STOPPED;
    for (int64_t t = 0; t < n_resamples; t++) {
        for (int64_t c = 0; c < table->n_columns; c++) sums[c * stride + t] = table->least[c];
        for (int64_t left = table->n_units, here; left > 0; left -= here) {
            here = left < most ? left : most;
            memset(packed, 0, 8 * (size_t)table->row_words);
            add_units(walk, table, packed, here);
            unpack(table, packed, sums + t, stride);
            if (walk->drawn - looked >= CSIG_STOP_INTERVAL) {
                if (*stop) return CSIG_STOPPED;
                looked = walk->drawn;
            }
        }
    }
    return CSIG_OK;
}

int64_t csig_resample_scores(int isa, const int64_t *sums, int64_t stride, int64_t k,
                             const int64_t *above, const int64_t *below, double zero_division,
                             int64_t n, double *out) {
    int64_t zeros = 0;
    for (int64_t first = 0; first < n; first += PIECE) {
        const int64_t here = n - first < PIECE ? n - first : PIECE;
        int64_t upper[PIECE] = {0}, lower[PIECE] = {0};
        for (int64_t c = 0; c < k; c++) {
            const int64_t *column = sums + c * stride + first;
            if (above[c]) kernels[isa]->weigh(upper, column, above[c], here);
            if (below[c]) kernels[isa]->weigh(lower, column, below[c], here);
        }
        zeros += kernels[isa]->divide(upper, lower, zero_division, here, out + first);
    }
    return zeros;
}
