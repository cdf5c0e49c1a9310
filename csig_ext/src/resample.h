/* The resample engine: n of n units drawn with replacement (Efron 1979), and the sums of k columns,
 * which are all that a metric reads.
 *
 * Draws: words are cut into pieces of 16 bits where n <= 2^16, else 32, lowest bits first. A piece
 * x gives the unit floor(x n / 2^bits), unless x n mod 2^bits < 2^bits mod n: then it is rejected
 * (docs/theory.md, "Resamples"). Resample t of a chunk takes the accepted pieces t n ... t n + n - 1
 * of the chunk's stream; resamples do not begin on word boundaries.
 *
 * A row is packed into few 64-bit words, whose fields hold the columns less their minima, and are
 * unpacked after `flush` draws. n max|value| is below 2^61. */
#pragma once

#include "generators.h"

typedef struct {
    int64_t n_units, n_columns, n_fields;
    uint32_t reject;       /* 2^bits mod n */
    int64_t row_words;     /* 1, 2, 4 or a multiple of 8; what no field takes is 0 */
    int64_t flush;         /* draws that no field can overflow in */
    const uint64_t *rows;  /* n_units x row_words */
    const int32_t *column; /* field -> its column, at most one field each */
    const int32_t *word;   /* field -> where it lies in a row */
    const int32_t *shift;
    const uint64_t *mask;
    const int64_t *least; /* column -> n times its minimum */
} csig_resample;

/* A walk through the resamples of one stream, in as many calls as the caller likes. */
enum { CSIG_RESAMPLE_WORDS = 512, CSIG_RESAMPLE_UNITS = 4 * CSIG_RESAMPLE_WORDS + 64 };
enum { CSIG_RESAMPLE_LANES = 16 };

typedef struct {
    csig_stream stream;
    int isa;
    int woven;      /* the kernel draws for itself, from these states */
    csig_jump jump; /* by CSIG_RESAMPLE_LANES words */
    uint64_t hi[CSIG_RESAMPLE_LANES], lo[CSIG_RESAMPLE_LANES];
    int64_t drawn;      /* words */
    int64_t first, end; /* of the units that wait for their resample */
    uint64_t words[CSIG_RESAMPLE_WORDS];
    uint32_t units[CSIG_RESAMPLE_UNITS];
} csig_resample_walk;

/* The caller has seeded walk->stream. */
void csig_resample_start(csig_resample_walk *walk, int isa, const csig_resample *table);

/* The next n_resamples resamples: sums[c * stride + t] receives column c of resample t; `packed`
 * has row_words words. */
int csig_resample_next(csig_resample_walk *walk, const csig_resample *table, int64_t n_resamples,
                       uint64_t *packed, int64_t *sums, int64_t stride, volatile const int *stop);

/* Scores of n resamples: sum_c above[c] column_c over sum_c below[c] column_c, both below 2^63, where
 * column c of resample t is sums[c * stride + t]; each is rounded to a double once, and so is their
 * quotient. Returns how many lower sums were 0, where the score is zero_division. */
int64_t csig_resample_scores(int isa, const int64_t *sums, int64_t stride, int64_t k,
                             const int64_t *above, const int64_t *below, double zero_division,
                             int64_t n, double *out);
