/* The characteristic function of a sum of signed numbers under an exponential tilt, with proven errors.
 *
 * S = sum of eps_i d_i with signs eps_i = +-1 of mean h_i = tanh(theta d_i), d_i >= 0, has
 *
 *     phi(t) = product over i of (cos t d_i + i h_i sin t d_i),    |phi(t)|^2 = product of 1 - q_i sin^2 t d_i,
 *
 * q_i = 1 - h_i^2. Wanted are phi itself at frequencies t = k delta near zero, bounds on |phi| over cells of
 * other frequencies, and sums of log cosh(theta d), d tanh(theta d), q d^2, q d^4.
 *
 * Every function states its error; docs/theory-fourier-lemmas.md has the proofs. They
 * hold in IEEE double precision, rounding to nearest, where no product and sum are contracted into one
 * operation. All instruction sets give the same bits: an item belongs to a lane by its place alone, and
 * lanes, chunks and blocks are joined in one order.
 *
 * Items come in blocks of CSIG_FOURIER_BLOCK, the last of which may be shorter, for threads.
 */
#pragma once

#include "platform.h"

enum { CSIG_FOURIER_BLOCK = 4096, CSIG_FOURIER_GROUP = 16, CSIG_FOURIER_SUMS = 5 };

/* Errors in units of u = 2^-53. That of exp(i x) - 1 is at most SLOPE x, and at most ANGLE x + FLAT. In a
 * product over items an item has 1 + the smaller one of SLOPE x and ANGLE x + FLAT, x = T d, where T is
 * the angle from which its frequency is computed. */
enum {
    CSIG_TURN_SLOPE = 12,
    CSIG_TURN_FLAT = 13,
    CSIG_TURN_ANGLE = 4,
    CSIG_NEAR_SLOPE = 42,
    CSIG_NEAR_FLAT = 229,
    CSIG_AT_SLOPE = 30,
    CSIG_AT_FLAT = 33,
    CSIG_ANGLE = 4
};

/* Those of tanh, 1 / cosh^2 and log cosh are relative. */
enum {
    CSIG_TANH_ERROR = 14,
    CSIG_SECH2_ERROR = 800, /* where 1 / cosh^2 is at least 1e-300 */
    CSIG_LOG_COSH_ERROR = 20,
    CSIG_SUM_ERROR = 40 /* of a sum of positive numbers, besides that of its terms */
};

/* Frequencies 1 .. STEP^2 - 1 are products of powers of exp(i delta d); from there on each 2 STEP + 1
 * lie around one whose sine and cosine are computed. */
enum { CSIG_FOURIER_STEP = 4 };

/* Of the block's n items: the products at frequencies first, .., first + count - 1, times delta.
 * delta and all d are finite, and (first + count + STEP) delta d is below 2^50. Lemma 5. */
void csig_fourier_near(int isa, int64_t n, const double *d, const double *h, double delta,
                       int64_t first, int64_t count, double *re, double *im);

/* The same at frequencies k[0] .. k[count - 1], times delta, each by itself. Lemma 4. */
void csig_fourier_at(int isa, int64_t n, const double *d, const double *h, double delta,
                     int64_t count, const int64_t *k, double *re, double *im);

/* Sums over the block's n items, each as a double and what it lost: log cosh(theta d), d tanh(theta d),
 * q d^2, q d^4, d. Lemma 3. */
void csig_fourier_sums(int isa, int64_t n, const double *d, double theta,
                       double out[2 * CSIG_FOURIER_SUMS]);

/* The sum of n items, and the largest (0 of none). */
void csig_fourier_sizes(int64_t n, const double *d, double out[2]);

/* tanh(theta d) and 1 / cosh(theta d)^2 of n items. Lemma 3. */
void csig_fourier_tilt(int isa, int64_t n, const double *d, double theta, double *h, double *q);

/* Upper bounds of |phi| over [centre - half, centre + half], centre >= half >= 0, for each of some
 * cells. Items are multiplied GROUP by GROUP until the bound is below `below`: used says how many. Lemma 6. */
int csig_fourier_cells(int isa, int64_t n, const double *d, const double *q, int64_t cells,
                       const double *centre, const double *half, double below, double *bound,
                       int64_t *used, volatile const int *stop);

/* For tests: exp(i t d) - 1 and log cosh(theta d) of n items. Lemmas 1 and 3. */
void csig_fourier_turns(int isa, int64_t n, const double *d, double t, double *re, double *im);
void csig_fourier_log_cosh(int isa, int64_t n, const double *d, double theta, double *out);

/* The polynomials, for tests of what is proved of them. */
enum { CSIG_FOURIER_POLYNOMIALS = 5 };
int csig_fourier_polynomial(int which, const char **name, const double **coefficients);
