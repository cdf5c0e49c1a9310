#include "inversion.h"

#include <math.h>

#include "pairs.h"

/* Frequencies, and rows, that are computed together. */
enum { BLOCK = 32, ROWS = 64 };

typedef struct {
    pair re, im;
} complex_pair;

static inline complex_pair complex_times(complex_pair a, complex_pair b) {
    pair minus = {-a.im.high, -a.im.low};
    complex_pair r;
    r.re = pair_add(pair_times(a.re, b.re), pair_times(minus, b.im));
    r.im = pair_add(pair_times(a.re, b.im), pair_times(a.im, b.re));
    return r;
}

typedef struct {
    double re[BLOCK], re_low[BLOCK], im[BLOCK], im_low[BLOCK];
} block;

typedef struct {
    void (*times)(block *restrict r, const block *restrict z);
    void (*square)(block *restrict z);
    void (*mix)(block *restrict z, pair stay, pair go);
    void (*horner)(double *sum_re, double *sum_im, const double *z_re, const double *z_im,
                   const double *re, const double *im, int64_t n);
} kernel;

#define TEMPLATE "inversion_template.h"
#include "each_isa.h"

static const pair PI = {3.141592653589793116, 1.224646799147353207e-16};

/* cos and sin of x in 0 .. pi / 4, by their series: the last term is below 2^-110. */
static complex_pair series(pair x) {
    const pair one = {1, 0};
    complex_pair r = {one, x};
    pair square = pair_times(x, x), even = one, odd = x;
    square.high = -square.high, square.low = -square.low;
    for (int n = 1; n <= 14; n++) {
        pair below = {(2.0 * n - 1) * (2.0 * n), 0}, above = {(2.0 * n) * (2.0 * n + 1), 0};
        even = pair_over(pair_times(even, square), below);
        odd = pair_over(pair_times(odd, square), above);
        r.re = pair_add(r.re, even);
        r.im = pair_add(r.im, odd);
    }
    return r;
}

/* exp(2 pi i j / period), 0 <= j < period */
static complex_pair root(int64_t j, int64_t period) {
    int64_t quarter = 4 * j / period, rest = 4 * j - quarter * period;
    int swapped = 2 * rest > period;
    pair part = {(double)(swapped ? period - rest : rest), 0}, whole = {(double)(2 * period), 0};
    complex_pair r = series(pair_over(pair_times(PI, part), whole)), t;
    if (swapped) t.re = r.im, t.im = r.re, r = t;
    for (; quarter > 0; quarter--) { /* times i */
        t.re.high = -r.im.high, t.re.low = -r.im.low, t.im = r.re;
        r = t;
    }
    return r;
}

static void store(complex_pair z, double *to) {
    to[0] = z.re.high, to[1] = z.re.low, to[2] = z.im.high, to[3] = z.im.low;
}

static complex_pair load(const double *from) {
    complex_pair z = {{from[0], from[1]}, {from[2], from[3]}};
    return z;
}

void csig_roots_fill(int64_t period, int shift, double *coarse, double *fine) {
    for (int64_t i = 0; i <= (period - 1) >> shift; i++) {
        store(root(i << shift, period), coarse + 4 * i);
    }
    for (int64_t j = 0; j < (int64_t)1 << shift; j++) store(root(j % period, period), fine + 4 * j);
}

/* j modulo the period, not negative */
static inline int64_t residue(int64_t j, int64_t period) {
    j %= period;
    return j < 0 ? j + period : j;
}

static complex_pair root_of(const csig_roots *r, int64_t j) {
    return complex_times(load(r->coarse + 4 * (j >> r->shift)),
                         load(r->fine + 4 * (j & (((int64_t)1 << r->shift) - 1))));
}

/* A lower bound of -log |phi| over a box; a look at a factor is a visit. */
static double decay(csig_inversion_search *s, const csig_inversion_box *box, double enough) {
    const double kx = 0.5 * (double)(box->kx0 + box->kx1), ky = 0.5 * (double)(box->ky0 + box->ky1);
    const double dk = 0.5 * (double)(box->kx1 - box->kx0), dl = 0.5 * (double)(box->ky1 - box->ky0);
    double sum = 0;
    int64_t c = 0;
    while (c < s->classes && sum < enough) {
        const double across = s->x[c] * kx, up = s->y[c] * ky, turns = across + up;
        double reach = fabs(s->x[c]) * dk + fabs(s->y[c]) * dl;
        /* The least distance to a whole turn, less what was rounded: `across` and `up` may cancel,
         * their roundings do not. */
        double d =
            fabs(turns - rint(turns)) - reach - 1e-15 * (fabs(across) + fabs(up) + reach + 1);
        if (d > 0) {
            /* sin x >= x - x^3 / 6 + x^5 / 120 - x^7 / 5040 for these x. */
            double x = 3.14159265358979 * d, y = x * x;
            double sine = x * (1 - y / 6 * (1 - y / 20 * (1 - y / 42)));
            double z = s->v[c] * sine * sine;
            sum += s->half[c] * z * (1 + z * (0.5 + z / 3));
        }
        c++;
    }
    s->visits += c;
    return sum * (1 - 1e-9);
}

/* At least exp(-x), x >= 0. */
static double at_least_exp(double x) {
    double bits = floor(x * 1.4426950408889);
    return bits > 1000 ? 1e-300 : ldexp(1, -(int)bits);
}

static void push(csig_inversion_search *s, csig_inversion_box box) { s->stack[s->depth++] = box; }

int csig_inversion_find(csig_inversion_search *s, int64_t budget) {
    const int64_t stop_at = s->visits + budget;
    while (s->depth > 0) {
        if (s->visits >= stop_at) return 0;
        if (s->found == s->capacity) return 2;
        csig_inversion_box box = s->stack[--s->depth], other = box;
        const double size = (double)(box.kx1 - box.kx0 + 1) * (double)(box.ky1 - box.ky0 + 1);
        int bits;
        frexp(size, &bits);
        const double enough = s->cut + 0.6931471806 * (bits + 1);
        const double rate = decay(s, &box, enough);
        if (rate >= enough) {
            s->lost += 2 * size * at_least_exp(rate);
        } else if (size == 1) {
            s->kx[s->found] = box.kx0;
            s->ky[s->found++] = box.ky0;
        } else {
            int across = s->spread_x * (double)(box.kx1 - box.kx0) >=
                         s->spread_y * (double)(box.ky1 - box.ky0);
            if (box.kx0 == box.kx1) across = 0;
            if (box.ky0 == box.ky1) across = 1;
            int64_t *end = across ? &box.kx1 : &box.ky1, *start = across ? &other.kx0 : &other.ky0;
            int64_t low = across ? box.kx0 : box.ky0, high = *end;
            *end = low + (high - low) / 2;
            *start = *end + 1;
            push(s, other);
            push(s, box);
        }
    }
    return 1;
}

void csig_inversion_odds(double r_x, double r_y, const int64_t *a, const int64_t *b, int64_t n,
                         double *odds) {
    for (int64_t c = 0; c < n; c++) {
        pair q = csig_odds(r_x, r_y, a[c], b[c]);
        odds[2 * c] = q.high, odds[2 * c + 1] = q.low;
    }
}

static void put(block *to, int i, complex_pair z) {
    to->re[i] = z.re.high, to->re_low[i] = z.re.low;
    to->im[i] = z.im.high, to->im_low[i] = z.im.low;
}

/* One class at the frequencies of a block: product *= ((1 + q e) / (1 + q))^m. */
static void one_class(const csig_inversion_classes *s, const kernel *p, int64_t c, int n,
                      const int64_t *kx, const int64_t *ky, block *product) {
    const pair one = {1, 0}, q = {s->odds[2 * c], s->odds[2 * c + 1]};
    const pair stay = pair_over(one, pair_add(one, q)), go = pair_times(q, stay);
    const int64_t t = s->x.period, u = s->y.period, a = s->a[c] % t, b = s->b[c] % u;
    block z;
    for (int i = 0; i < BLOCK; i++) {
        int j = i < n ? i : 0;
        put(&z, i,
            complex_times(root_of(&s->x, residue(a * kx[j], t)),
                          root_of(&s->y, residue(b * ky[j], u))));
    }
    p->mix(&z, stay, go);
    for (int64_t m = s->m[c]; m > 0; m >>= 1) {
        if (m & 1) p->times(product, &z);
        if (m > 1) p->square(&z);
    }
}

int csig_inversion_factors(const csig_inversion_classes *s, int isa, int64_t n, const int64_t *kx,
                           const int64_t *ky, double *re, double *im, volatile const int *stop) {
    const complex_pair one = {{1, 0}, {0, 0}};
    for (int64_t from = 0; from < n; from += BLOCK) {
        const int here = n - from < BLOCK ? (int)(n - from) : BLOCK;
        block product;
        for (int i = 0; i < BLOCK; i++) put(&product, i, one);
        for (int64_t c = 0; c < s->classes; c++) {
            if (*stop) return CSIG_STOPPED;
            one_class(s, kernels[isa], c, here, kx + from, ky + from, &product);
        }
        for (int i = 0; i < here; i++) re[from + i] = product.re[i], im[from + i] = product.im[i];
    }
    return CSIG_OK;
}

/* base^(2^i), as far as an exponent of 2^60; no power that is asked for is larger. */
static void squares(double base, scaled_pair *to) {
    const int64_t most = (int64_t)1 << 60;
    pair b = {base, 0};
    to[0] = normal(b, 0);
    for (int i = 1; i < 63; i++) {
        int more = to[i - 1].exponent < most && to[i - 1].exponent > -most;
        to[i] = more ? scaled_times(to[i - 1], to[i - 1]) : to[i - 1];
    }
}

static scaled_pair power_by(const scaled_pair *squares_of_base, int64_t kx) {
    const pair one = {1, 0};
    scaled_pair r = normal(one, 0);
    uint64_t n = kx < 0 ? 0u - (uint64_t)kx : (uint64_t)kx;
    for (int i = 0; n; n >>= 1, i++) {
        if (n & 1) r = scaled_times(r, squares_of_base[i]);
    }
    return kx < 0 ? normal(pair_over(one, r.value), -r.exponent) : r;
}

static double as_double(scaled_pair p) {
    int64_t e = p.exponent;
    return ldexp(p.value.high, e < -2000 ? -2000 : e > 2000 ? 2000 : (int)e);
}

void csig_inversion_weights(double r_x, double r_y, int64_t n, const int64_t *heights,
                            int64_t height, int64_t lag, int64_t end, double *weights,
                            double *beyond) {
    scaled_pair x[63], y[63];
    squares(r_x, x);
    squares(r_y, y);
    for (int64_t i = 0; i < n; i++) {
        weights[i] = beyond[i] = 1;
        if (r_x == 1 && r_y == 1) continue;
        weights[i] =
            as_double(scaled_times(power_by(x, heights[i] - height), power_by(y, lag + i)));
        beyond[i] = as_double(power_by(x, end - heights[i]));
    }
}

void csig_inversion_columns(const csig_roots *x, double r, int64_t n, const int64_t *kx, double *re,
                            double *im) {
    for (int64_t c = 0; c < n; c++) {
        const pair one = {1, 0};
        complex_pair z = root_of(x, residue(-kx[c], x->period));
        re[c] = 1, im[c] = 0;
        if (kx[c] == 0 && r == 1) continue;
        z.re = pair_scale(z.re, -r), z.im = pair_scale(z.im, -r);
        z.re = pair_add(one, z.re);
        pair size = pair_add(pair_times(z.re, z.re), pair_times(z.im, z.im));
        re[c] = pair_over(z.re, size).high;
        im[c] = -pair_over(z.im, size).high;
    }
}

/* A_k of the rows of a block. */
static void column(const csig_inversion_rows *s, const kernel *p, int64_t c, const int64_t *y,
                   const double *z_re, const double *z_im, double *re, double *im) {
    double minus[ROWS];
    for (int i = 0; i < ROWS; i++) minus[i] = -z_im[i], re[i] = im[i] = 0;
    for (int64_t u = s->first_run[c]; u < s->first_run[c + 1]; u++) {
        const int64_t at = s->at[u], ky = s->ky[u], period = s->period_y;
        double run_re[ROWS], run_im[ROWS];
        p->horner(run_re, run_im, z_re, s->step[u] < 0 ? minus : z_im, s->re + at, s->im + at,
                  s->at[u + 1] - at);
        for (int i = 0; i < ROWS; i++) {
            int64_t j = ky == 0 ? 0 : residue(ky * y[i], period);
            double a = s->root_re[j], b = s->root_im[j];
            re[i] += run_re[i] * a - run_im[i] * b;
            im[i] += run_re[i] * b + run_im[i] * a;
        }
    }
}

/* exp(-2 pi i kx x / T) */
static void phase(const csig_roots *r, int64_t kx, int64_t x, double *re, double *im) {
    int64_t j = residue(-kx * residue(x, r->period), r->period);
    const double *a = r->coarse + 4 * (j >> r->shift);
    const double *b = r->fine + 4 * (j & (((int64_t)1 << r->shift) - 1));
    *re = a[0] * b[0] - a[2] * b[2];
    *im = a[0] * b[2] + a[2] * b[0];
}

static void add(double *sum, double *rest, double value) { /* Neumaier (1974) */
    double total = *sum + value;
    *rest += fabs(*sum) >= fabs(value) ? (*sum - total) + value : (value - total) + *sum;
    *sum = total;
}

int csig_inversion_rows_sum(const csig_inversion_rows *s, int isa, int64_t from, int64_t to,
                            double *sum, double *rest, volatile const int *stop) {
    double z_re[ROWS], z_im[ROWS], re[ROWS], im[ROWS], row[ROWS];
    int64_t y[ROWS];
    *sum = *rest = 0;
    for (; from < to; from += ROWS) {
        const int n = to - from < ROWS ? (int)(to - from) : ROWS;
        for (int i = 0; i < ROWS; i++) {
            y[i] = residue(s->first + from + (i < n ? i : 0), s->period_y);
            z_re[i] = s->root_re[y[i]], z_im[i] = s->root_im[y[i]];
            row[i] = 0;
        }
        for (int64_t c = 0; c < s->columns; c++) {
            if (*stop) return CSIG_STOPPED;
            double end_re, end_im;
            column(s, kernels[isa], c, y, z_re, z_im, re, im);
            phase(&s->x, s->kx[c], s->end, &end_re, &end_im);
            for (int i = 0; i < n; i++) {
                double a, b, far = s->beyond[from + i];
                if (s->kx[c] == 0 && s->r == 1) {
                    row[i] += re[i] * (double)(s->end - s->heights[from + i]);
                    continue;
                }
                phase(&s->x, s->kx[c], s->heights[from + i], &a, &b);
                a -= far * end_re, b -= far * end_im;
                double g_re = a * s->factor_re[c] - b * s->factor_im[c];
                double g_im = a * s->factor_im[c] + b * s->factor_re[c];
                row[i] += re[i] * g_re - im[i] * g_im;
            }
        }
        for (int i = 0; i < n; i++) add(sum, rest, row[i] * s->weights[from + i]);
    }
    return CSIG_OK;
}
