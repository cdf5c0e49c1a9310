#include "resample.h"

#include <string.h>

enum { PIECE = 512 }; /* resamples whose scores are made at once */

typedef struct {
    int64_t (*draw_16)(uint32_t *out, const uint64_t *words, int64_t n_words, uint32_t n,
                       uint32_t reject);
    int64_t (*draw_32)(uint32_t *out, const uint64_t *words, int64_t n_words, uint64_t n,
                       uint32_t reject);
    void (*add)(uint64_t *total, const uint64_t *rows, int64_t row_words, const uint32_t *unit,
                int64_t count);
    void (*weigh)(int64_t *total, const int64_t *column, int64_t weight, int64_t n);
    int64_t (*divide)(const int64_t *above, const int64_t *below, double zero_division, int64_t n,
                      double *out);
} kernel;

#define TEMPLATE "resample_template.h"
#include "each_isa.h"

void csig_resample_start(csig_resample_walk *walk) { walk->first = walk->end = 0; }

/* More units behind those that wait; returns how many words were drawn. */
static int64_t refill(csig_resample_walk *walk, int isa, int64_t n) {
    const kernel *k = kernels[isa];
    const int64_t words = CSIG_RESAMPLE_WORDS;
    csig_stream_fill(&walk->stream, isa, walk->words, words);
    walk->first = 0;
    if (n <= 1 << 16) {
        const uint32_t reject = (uint32_t)((1 << 16) % n);
        walk->end = k->draw_16(walk->units, walk->words, words, (uint32_t)n, reject);
    } else {
        const uint32_t reject = (uint32_t)(((int64_t)1 << 32) % n);
        walk->end = k->draw_32(walk->units, walk->words, words, (uint64_t)n, reject);
    }
    return words;
}

/* Takes the fields of a packed row to the sums of their columns. */
static void unpack(const csig_resample *table, uint64_t *packed, int64_t *sums, int64_t stride) {
    for (int64_t f = 0; f < table->n_fields; f++) {
        uint64_t field = (packed[table->word[f]] >> table->shift[f]) & table->mask[f];
        sums[table->column[f] * stride] += (int64_t)field;
    }
}

int csig_resample_next(csig_resample_walk *walk, int isa, const csig_resample *table,
                       int64_t n_resamples, uint64_t *packed, int64_t *sums, int64_t stride,
                       volatile const int *stop) {
    const kernel *k = kernels[isa];
    const int64_t n = table->n_units, flush = table->flush, bytes = 8 * table->row_words;
    int64_t since_stop = 0;
    if (*stop) return CSIG_STOPPED;
    for (int64_t t = 0; t < n_resamples; t++) {
        for (int64_t c = 0; c < table->n_columns; c++) sums[c * stride + t] = table->least[c];
        for (int64_t left = n, span; left > 0; left -= span) {
            span = left < flush ? left : flush;
            memset(packed, 0, (size_t)bytes);
            for (int64_t more = span, here; more > 0; more -= here) {
                if (walk->first == walk->end) {
                    since_stop += refill(walk, isa, n);
                    if (since_stop >= CSIG_STOP_INTERVAL) {
                        if (*stop) return CSIG_STOPPED;
                        since_stop = 0;
                    }
                }
                here = walk->end - walk->first < more ? walk->end - walk->first : more;
                k->add(packed, table->rows, table->row_words, walk->units + walk->first, here);
                walk->first += here;
            }
            unpack(table, packed, sums + t, stride);
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
