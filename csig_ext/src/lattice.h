/* The exact distribution of two integer sums of fair coins, and its probability beyond
 * the boundary of a linear-fractional metric.
 *
 * Class c holds m_c units; each, when swapped, adds (a_c, b_c) to (x, y), b_c >= 0. The
 * distribution of (x, y) is the convolution of the classes' binomials. It is kept as rows
 * of constant y, each an interval of x, and convolved class by class:
 *
 *     out(x, y) = sum over j of w_j in(x - j a, y - j b)
 *
 * docs/theory.md, "The lattice", says how the odds are tilted by r_x and r_y, what is trimmed, and
 * how the two parts meet. r_x and r_y are doubles taken as exact; the odds, the constant, the
 * weights and the powers are computed in pairs of doubles (pairs.h), so that what is rounded is each
 * weight once. What is dropped, cells at the ends of a row that are below `cut`, and products of a
 * weight with a whole row below it, is added to `lost`, in tilted probability.
 *
 * Functions that work for long take a state with a place to go on from, and a budget of cell updates. */
#pragma once

#include "binomial.h"
#include "linfrac.h"

/* Rows first .. first + rows - 1; row i holds x in [low[i], high[i]) from cells[at[i]] on,
 * with zeros in the CSIG_LATTICE_PAD places after it, and their sum in mass[i]. */
enum { CSIG_LATTICE_PAD = 32 };

typedef struct {
    int64_t first, rows;
    int64_t *low, *high, *at;
    double *mass, *cells;
} csig_lattice;

/* Places that csig_lattice_weights may need. */
int64_t csig_lattice_weights_bound(int64_t m, double drop);

/* The weights w_j of a class of m units, j = *first .. *first + the number returned - 1.
 * Those below drop times the largest are left out and their sum's bound is added to *lost. */
int64_t csig_lattice_weights(double r_x, double r_y, int64_t a, int64_t b, int64_t m, double drop,
                             double *weights, int64_t *first, double *lost);

/* The constant C of n classes. */
void csig_lattice_constant(double r_x, double r_y, const int64_t *a, const int64_t *b,
                           const int64_t *m, int64_t n, csig_scaled *constant);

typedef struct {
    const csig_lattice *in;
    csig_lattice *out;
    int64_t a, b, first, terms; /* j = first .. first + terms - 1 */
    const double *weights;
    double cut;
    int64_t row, used; /* progress */
    double lost;
    int64_t updates;
} csig_lattice_pass;

/* Fills out->first, rows, low and high (whose arrays have in->rows + (terms - 1) b places)
 * with what the pass can reach, and returns the number of cells it needs, zeros included. */
int64_t csig_lattice_reach(csig_lattice_pass *pass);

/* Does rows until the budget is used up; returns 1 when the last is done. */
int csig_lattice_convolve(csig_lattice_pass *pass, int isa, int64_t budget);

/* T for every row: out[at[i] + x - low[i]], or, reversed, out[at[i] + high[i] - 1 - x]. out
 * may be the cells themselves. */
void csig_lattice_tails(const csig_lattice *in, double r_x, int reversed, double *out);

/* L(y) for y = first .. first + rows - 1: the least x in x_min .. x_max that reaches the
 * threshold, x_max + 1 when none does. */
void csig_lattice_thresholds(const csig_linfrac *metric, int64_t first, int64_t rows, int64_t x_min,
                             int64_t x_max, int64_t *thresholds);

/* Raises L(y), for the rows of the two parts' sum, to the least x that both parts reach
 * there. Returns the number of powers that the sum needs. */
int64_t csig_lattice_clamp(const csig_lattice *one, const csig_lattice *two, int64_t *thresholds);

/* r^0 .. r^(n - 1). */
void csig_lattice_powers(double r, int64_t n, double *powers);

typedef struct {
    const csig_lattice *one, *two;
    const double *tails_one; /* laid out like one->cells */
    const double *tails_two; /* reversed */
    const int64_t *thresholds;
    const double *scale; /* of a row in the result, relative; for skipping */
    const double *powers;
    double skip;        /* pairs of rows below it are skipped and added to lost */
    double *sum, *rest; /* by row: a compensated sum; zeros at first */
    int64_t tile, row_one;
    double lost;
    int64_t updates;
} csig_lattice_meeting;

int csig_lattice_meet(csig_lattice_meeting *meeting, int isa, int64_t budget);

/* C times the sum over rows of r_x^L(y) r_y^y (sum + rest). */
csig_scaled csig_lattice_total(csig_scaled constant, double r_x, double r_y, int64_t first,
                               int64_t rows, const int64_t *thresholds, const double *sum,
                               const double *rest);

/* The least x in from .. to - 1 that reaches the threshold, else `to`. */
int64_t csig_lattice_next(const csig_linfrac *metric, int64_t from, int64_t to);

/* The sum over x in from .. to - 1 that reach the threshold of cells[x - from] r^(x - start). */
double csig_lattice_reaching(const csig_linfrac *metric, const double *cells, int64_t from,
                             int64_t to, double r, int64_t start);
