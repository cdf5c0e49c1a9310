/* Sums of numbers with signs, by meeting in the middle (Horowitz and Sahni 1974).
 *
 * A list has the 2^n sums of n numbers with all signs, ascending: its own mirror image. All sums of
 * absolute values must fit 63 bits. */
#pragma once

#include "platform.h"

/* The list with one more number, v > 0: 2 m sums into `more`, from m sums. */
void csig_middle_double(const int64_t *sums, int64_t m, int64_t v, int64_t *more);

/* Pairs of one sum of each list, of which the first has m and the second n, with a sum of at least
 * `least`, among the sums from `first` on, `count` of them, counted from the largest. */
int64_t csig_middle_pairs(const int64_t *one, int64_t m, const int64_t *two, int64_t n,
                          int64_t least, int64_t first, int64_t count);
