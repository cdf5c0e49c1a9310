/* The binomial distribution with p = 1/2 as a walk from k = 0 upwards, with a range of exponents that
 * a double does not have. Every 16 steps the probability is computed afresh by Loader's saddle-point expansion (Loader 2000),
 * whose error is a few ulp of the logarithm; between them it is multiplied by (n - k) / (k + 1). A
 * plain recurrence from one end would lose 1e-10 over millions of steps, a difference of lgamma 6e-9.
 */
#pragma once

#include "platform.h"

/* value * 2^exponent */
typedef struct {
    double value;
    int64_t exponent;
} csig_scaled;

/* P(k) for the current k, as a mantissa that varies within one anchor interval. */
typedef struct {
    int64_t n, k;
    csig_scaled probability;
} csig_binomial_walk;

void csig_binomial_start(csig_binomial_walk *walk, int64_t n);
void csig_binomial_next(csig_binomial_walk *walk);

/* A sum of positive scaled numbers, compensated (Neumaier). Zero has value 0. */
typedef struct {
    double value, lost;
    int64_t exponent;
    int64_t seen;  /* exponent of the last addend, ... */
    double factor; /* ... and the power of two that brings it to `exponent` */
} csig_scaled_sum;

void csig_sum_start(csig_scaled_sum *sum);
void csig_sum_add(csig_scaled_sum *sum, double value, int64_t exponent);
csig_scaled csig_sum_total(const csig_scaled_sum *sum);
