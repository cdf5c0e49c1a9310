/* Sign flips of candidates in two nested lists, and step-down maxT over the lengths of the lists.
 *
 * A candidate that only one of two lists accepts gives f to the statistic of this length if it is
 * true, and -t if not, with the sign of the list; t true and f false ones are accepted by one list
 * only. A trial negates some candidates, at all lengths. Lists only grow: a candidate begins to
 * count at one length, and ceases to at another. Hence for two events a candidate the sum of a
 * trial is known at all lengths:
 *
 *     s = total - 2 (f r - t w)
 *
 * with r the sum of the signs of negated true candidates, and w that of false ones. All of these
 * are below 2^52, so doubles hold them; |T| = |s| weight is one product of doubles. The hits are
 * those that flips.h counts of the same statistics in a table (candidates that take words, lengths)
 * with two_sided = 1, and so are the draws.
 *
 * Method: BLOCK trials side by side go through the events in the order of lengths, and the statistics
 * of each length are stored at its place among the steps; and a second time through these. */
#pragma once

#include "generators.h"

/* Trials side by side: half a group. */
enum { CSIG_NESTED_BLOCK = 32 };

/* What is added to r, and to w, if the candidate is negated: one of them 1 or -1, or both 0. */
typedef struct {
    uint32_t row;
    int16_t right, wrong;
} csig_nested_event;

typedef struct {
    int64_t n_rows; /* candidates that take words, below 2^32 */
    int64_t n_lengths;
    const csig_nested_event *events; /* an even number for each length, in the order of lengths */
    const int64_t *ends;             /* length -> the end of its events */
    const double *t;                 /* length -> its true candidates of one list only */
    const double *f;                 /* length -> its false ones */
    const double *totals;            /* length -> its sum where no candidate is negated */
    const double *weights;           /* length -> what the sum is multiplied by */
    const int64_t *places;           /* length -> its place among the steps, the largest first */
    const double *least;             /* place -> what a hit reaches */
} csig_nested;

/* Words of workspace for one thread; `jumps` as csig_jumps. `sizes` have n_lengths * CSIG_NESTED_BLOCK
 * places. */
int64_t csig_nested_workspace(const csig_nested *f, int jumps);

/* Adds n_trials trials of a stream, from where it stands: to hits[p] those that the steps count for
 * place p, to single[p] those in which |T| of its length alone reaches it. Places with least = 0
 * get any number. */
int csig_nested_count(csig_stream *stream, int isa, const csig_nested *f, int64_t n_trials,
                      uint64_t *words, double *sizes, int64_t *hits, int64_t *single,
                      volatile const int *stop);
