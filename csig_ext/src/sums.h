/* The shuffle engine over units: integer sums of k columns over the swapped units.
 *
 * For every trial and column the kernel gives sum_i z_i d_i, where z_i is the bit of unit
 * i in that trial and d_i an integer of up to 63 bits. Yeh (2000), section 4, with
 * documents or sentences as units.
 *
 * Draws: word g * n + i of the chunk's stream holds unit i of the trials 64 g .. 64 g + 63,
 * one bit per trial.
 *
 * Method: a column is cut into the bits of |d_i|. For each bit b one bit-sliced counter
 * (bitslice_template.h) counts, in all trials at once, the swapped units that have bit b;
 * the sum is sum_b 2^b count_b. Negative units are counted when they are *not*
 * swapped, which adds a constant: z (-|d|) = (1 - z) |d| - |d|. So a unit costs as many
 * adders as |d| has bits set, for 512 trials at a time with vectors of 512 bits, and
 * no lane can overflow: a counter has as many planes as its units can fill.
 *
 * Buffers: the caller owns all memory. The columns (struct csig_sums) are cut into bits once.
 */
#ifndef CSIG_SUMS_H
#define CSIG_SUMS_H

#include "generators.h"

/* Units are drawn and counted in pieces of this many: 32 groups of them stay in the
 * second-level cache, and eight groups in the first. */
enum { CSIG_SUMS_PIECE = 512 };

typedef struct {
    int64_t n_units, n_columns, n_counters;
    const int32_t *level;    /* counter -> its bit */
    const int32_t *planes;   /* counter -> planes it needs */
    const int64_t *counters; /* column -> its first counter; n_columns + 1 of them */
    const int32_t *width;    /* column -> planes of its sums */
    const int64_t *shift;    /* column -> sum of |d| over its negative units */
    /* Lists of units within a piece: for each piece, each counter, first the positive
     * units that have its bit, then the negative ones; 2 n_counters n_pieces + 1 starts. */
    const uint16_t *units;
    const int64_t *starts;
} csig_sums;

/* Words of workspace for one run; `jumps` as csig_jumps. */
int64_t csig_sums_workspace(const csig_sums *u, int jumps);

/* A walk through the trials of one stream, in as many pieces as the caller likes. */
enum { CSIG_SUMS_STEP = 64 * CSIG_LANES };

typedef struct {
    csig_stream stream;
    csig_lanes lanes;
} csig_sums_walk;

/* The caller has seeded walk->stream. */
void csig_sums_start(csig_sums_walk *walk, const csig_sums *u);

/* The next n_trials trials, a multiple of CSIG_SUMS_STEP unless they are the last ones.
 * sums[c * stride + t] receives column c of trial t. Looks at *stop at least every
 * CSIG_STOP_INTERVAL words. Returns CSIG_OK or CSIG_STOPPED (the sums are then
 * incomplete). */
int csig_sums_next(csig_sums_walk *walk, int isa, const csig_sums *u, int64_t n_trials,
                   uint64_t *workspace, int64_t *sums, int64_t stride, volatile const int *stop);

#endif
