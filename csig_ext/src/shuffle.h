/* The shuffle engine over classes of responses.
 *
 * Counts, trial by trial, how many of the unique correct responses (first class) and of the unique
 * spurious ones (second class) a shuffle assigns to A: Yeh (2000), section 3.3. Word i of group g of
 * the chunk's stream holds response i, the first class first, of the trials 64 g .. 64 g + 63. */
#pragma once

#include "generators.h"

/* Words of workspace for one run. */
int64_t csig_shuffle_workspace(int64_t n_first, int64_t n_second);

/* Runs the first n_trials trials of the stream.
 *
 * With `histogram` (cells (n_first + 1) x (n_second + 1), row-major), adds one to the
 * cell of every trial. Otherwise writes both counts of trial t to first[t], second[t]. */
int csig_shuffle_classes(const csig_stream *stream, int isa, int64_t n_first, int64_t n_second,
                         int64_t n_trials, uint64_t *workspace, uint64_t *histogram,
                         uint32_t *first, uint32_t *second, volatile const int *stop);
