/* The shuffle engine over units: integer sums of k columns over the swapped units.
 *
 * For every trial and column the kernel gives sum_i z_i d_i, where z_i is the bit of unit
 * i in that trial and d_i an integer of up to 63 bits: Yeh (2000), section 4. Word i of group g of
 * the chunk's stream holds unit i of the trials 64 g .. 64 g + 63.
 *
 * Method: everything is added in bit-sliced form (bitslice_template.h), 512 trials at a
 * time with vectors of 512 bits. Addends are rows: the words of one unit, or a plane of a
 * count. Units are taken in pieces; in each piece
 *
 * 1. Units whose steps d are equal or opposite in all columns are one class, where that
 *    saves additions: its m words are counted once, m additions, and its count, in about
 *    log2 m planes, takes their place; plane j has the steps 2^j d. A unit of the opposite
 *    step is counted when it is *not* swapped: z (-d) = (1 - z) d - d.
 * 2. A column is a sum of rows times steps. A step is written with digits 1 and -1 so that
 *    as few as possible are not zero (15 = 16 - 1; the non-adjacent form), and each bit of
 *    the sum has a list of the rows that have a 1 there and one of those that have a -1.
 *    The latter are complemented: -p = (1 - p) - 1. All rows of bit 0 are added, their
 *    carries join the lists of the bits above, and so on up to the column's last bit. An
 *    addition takes three rows to two, so each list costs as many as it has rows.
 *
 * What complements leave behind is in the sum before the first piece; it is kept modulo 2^width. */
#pragma once

#include "generators.h"

/* Units of a piece: what is drawn of it at once stays in the second-level cache. */
enum { CSIG_SUMS_PIECE = 2048 };

/* Rows of a piece: its units, a row of zeros and one of ones, the planes of its classes. */
typedef struct {
    int64_t n_units, n_columns;
    int64_t rows;    /* in the longest piece */
    int64_t longest; /* of the pairs of lists of one bit: how many rows */
    /* Classes of all pieces: positive members and opposite ones, each filled up to a multiple
     * of four, and planes; then the members' rows. A piece's classes are class_starts[piece]
     * to class_starts[piece + 1], their members begin at member_starts[piece]. */
    const uint16_t *classes;
    const int64_t *class_starts;
    const uint16_t *members;
    const int64_t *member_starts;
    const int32_t *width;  /* column -> planes of its sums */
    const int32_t *levels; /* column -> bits that have lists */
    const int64_t *shift;  /* column -> sum of |d| over its negative units */
    const uint64_t *first; /* column -> the sum before the first unit */
    /* Lists of rows, each filled up to a multiple of eight: for each piece, each column, each
     * bit, first those that are added, then those whose complements are. */
    const uint16_t *entries;
    const int64_t *starts;
    int64_t n_lists; /* of a piece */
} csig_sums;

/* Words of workspace for one run; `jumps` as csig_jumps. It is to begin at a multiple of 64
 * bytes, or vectors of 512 bits are fetched in halves. */
int64_t csig_sums_workspace(const csig_sums *u, int jumps);

/* A walk through the trials of one stream, in as many pieces as the caller likes: trials of a piece
 * that is not the last. */
enum { CSIG_SUMS_STEP = 64 * CSIG_LANES };

/* The caller has seeded walk->stream. */
void csig_sums_start(csig_groups *walk, int isa, const csig_sums *u);

/* The next n_trials trials, a multiple of CSIG_SUMS_STEP unless they are the last ones.
 * sums[c * stride + t] receives column c of trial t. */
int csig_sums_next(csig_groups *walk, const csig_sums *u, int64_t n_trials, uint64_t *workspace,
                   int64_t *sums, int64_t stride, volatile const int *stop);
