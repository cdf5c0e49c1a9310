/* Sign flips of whole rows, and step-down maxT over pairs of systems.
 *
 * A row has one integer for every system. A trial negates some rows. For every system the kernel
 * adds those rows, a_j; the trial's sum is s_j = total_j - 2 a_j. The statistic of the pair (j, k),
 * where j is ahead, is T = (s_j - s_k) w, one product of doubles: all sums are below 2^53, so the
 * difference is exact. Romano and Wolf (2005), algorithm 4.1, with the flips of Hemerik and Goeman
 * (2018). A set bit of word i of group g negates row i in a trial of 64 g .. 64 g + 63.
 *
 * Method: the bits of eight rows are an index into a table of the 256 sums of these rows. An entry
 * holds a slice of the systems side by side, in lanes of 16, 32 or 64 bits, and is added to the
 * sums of its trial as a whole. Narrow lanes never carry into each other: their numbers are not
 * negative, as the lowest score of a row has been taken from all of it, and `spill` empties them in
 * time. Lanes of 64 bits have signs. Two tables stay in the first-level cache while up to 2,048
 * trials pass by; their random words are drawn once for all slices.
 *
 * All pairs then pass by BLOCK trials at a time: once for the largest -T of every trial, which each
 * step must be larger than, too, and for the largest |T| of all, which no step exceeds; and once for
 * the steps, down to those pairs that no trial can reach. */
#pragma once

#include "generators.h"

/* Rows are a multiple of SPAN, filled up with zeros, and drawn in pieces. */
enum {
    CSIG_FLIPS_SPAN = 16,
    CSIG_FLIPS_PIECE = 512,
    CSIG_FLIPS_BLOCK = 32,
    CSIG_FLIPS_TRIALS = 64 * CSIG_LANES /* at once */
};

typedef struct {
    int64_t n_rows; /* that take words; in memory there are more, see above */
    int64_t n_systems;
    int64_t n_slices;      /* of csig_flips_lanes(isa) words each */
    int width;             /* bits of a lane: 16, 32 or 64 */
    const uint64_t *rows;  /* slice after slice, row after row */
    const uint8_t *spill;  /* piece -> whether the lanes are emptied after it */
    const double *totals;  /* system -> its sum where no row is negated */
    int64_t n_pairs;       /* in the order of the steps, the largest first */
    const int32_t *larger; /* pair -> the system that is ahead */
    const int32_t *other;  /* pair -> the other one */
    const double *weights; /* pair -> w */
    const double *least;   /* pair -> what a hit reaches */
    int two_sided;         /* 1: a hit is a max of |T|; 0: all -T are claims, too */
} csig_flips;

/* Words of a slice of one row. */
int csig_flips_lanes(int isa);

/* Words of workspace for one thread; `jumps` as csig_jumps. It begins at a multiple of 64 bytes.
 * `sums` have n_systems * CSIG_FLIPS_TRIALS places. */
int64_t csig_flips_workspace(const csig_flips *f, int isa, int jumps);

/* Adds n_trials trials of a stream, from where it stands: to hits[r] those that the steps count for
 * pair r, to single[r] those in which |T| of the pair alone reaches it. Pairs with least = 0 get
 * any number. */
int csig_flips_count(csig_stream *stream, int isa, const csig_flips *f, int64_t n_trials,
                     uint64_t *workspace, double *sums, int64_t *hits, int64_t *single,
                     volatile const int *stop);
