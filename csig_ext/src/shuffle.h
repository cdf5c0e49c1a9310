/* The shuffle engine over classes of responses.
 *
 * Counts, trial by trial, how many of the unique correct responses (first class) and
 * of the unique spurious ones (second class) a shuffle assigns to A: Yeh (2000),
 * section 3.3. Every response is reassigned by one random bit.
 *
 * Draws: word g * n + i of the chunk's stream holds response i of the trials
 * 64 g .. 64 g + 63, one bit a trial; the first class comes first. n is the number
 * of responses in both classes.
 *
 * Buffers: the caller owns all memory; csig_shuffle_workspace says how many words
 * of 8 bytes a run needs, whatever the number of trials.
 *
 * Method: bits are counted in bit-sliced form (bitslice_template.h). On vector paths a lane holds one
 * of eight groups of 64 trials (few responses) or every W-th response of one group (many).
 */
#pragma once

#include "generators.h"

/* Words of workspace for one run. */
int64_t csig_shuffle_workspace(int64_t n_first, int64_t n_second);

/* Runs the first n_trials trials of the stream.
 *
 * With `histogram` (cells (n_first + 1) x (n_second + 1), row-major), adds one to the
 * cell of every trial. Otherwise writes both counts of trial t to first[t], second[t].
 * Looks at *stop at least every CSIG_STOP_INTERVAL words.
 * Returns CSIG_OK or CSIG_STOPPED (the output is then incomplete). */
int csig_shuffle_classes(const csig_stream *stream, int isa, int64_t n_first, int64_t n_second,
                         int64_t n_trials, uint64_t *workspace, uint64_t *histogram,
                         uint32_t *first, uint32_t *second, volatile const int *stop);
