#include "linfrac.h"

#include <math.h>

/* a b, in two's complement. */
static csig_u128 product(int64_t a, int64_t b) {
    csig_u128 r = csig_mul64((uint64_t)a, (uint64_t)b);
    r.hi -= (a < 0 ? (uint64_t)b : 0) + (b < 0 ? (uint64_t)a : 0);
    return r;
}

static csig_u128 negative(csig_u128 a) {
    const csig_u128 one = {0, 1}, r = {~a.hi, ~a.lo};
    return csig_add128(r, one);
}

/* a b of numbers without signs: 256 bits, the highest first. */
static void full_product(csig_u128 a, csig_u128 b, uint64_t out[4]) {
    const csig_u128 low = csig_mul64(a.lo, b.lo),
                    across[2] = {csig_mul64(a.hi, b.lo), csig_mul64(a.lo, b.hi)};
    csig_u128 high = csig_mul64(a.hi, b.hi);
    out[2] = low.hi, out[3] = low.lo;
    for (int i = 0; i < 2; i++) {
        out[2] += across[i].lo;
        const csig_u128 carry = {0, out[2] < across[i].lo}, more = {0, across[i].hi};
        high = csig_add128(high, csig_add128(more, carry));
    }
    out[0] = high.hi, out[1] = high.lo;
}

/* Both systems' scores, na / da and nb / db with positive denominators. */
typedef struct {
    int64_t na, da, nb, db;
} scores;

static inline scores scores_of(const csig_linfrac *m, int64_t na, int64_t da) {
    scores s = {na, da, m->n_total - na, m->d_total - da};
    if (s.da == 0) s.na = m->zero_division, s.da = 1;
    if (s.db == 0) s.nb = m->zero_division, s.db = 1;
    return s;
}

static inline scores traded(scores s) {
    const scores r = {s.nb, s.db, s.na, s.da};
    return r;
}

/* The sign of (na db - nb da) v - u da db. */
static int compare_exactly(const csig_linfrac *m, scores s) {
    csig_u128 numerator = csig_add128(product(s.na, s.db), negative(product(s.nb, s.da)));
    const int sign = numerator.hi >> 63 ? -1 : (numerator.hi | numerator.lo) != 0;
    uint64_t have[4], want[4];
    if (sign != m->u_sign) return sign > m->u_sign ? 1 : -1;
    full_product(sign < 0 ? negative(numerator) : numerator, m->v, have);
    full_product(m->u, product(s.da, s.db), want);
    for (int i = 0; i < 4; i++) {
        if (have[i] != want[i]) return have[i] > want[i] ? sign : -sign;
    }
    return 0;
}

static inline int reaches(const csig_linfrac *m, scores s) {
    double a = (double)s.na / (double)s.da, b = (double)s.nb / (double)s.db;
    double margin = (a - b) - m->threshold;
    /* Each score carries three roundings, the difference and the threshold one each and
     * the margin one: together below 8 * 2^-53 of the absolute sum. */
    double size =
        (a < 0 ? -a : a) + (b < 0 ? -b : b) + (m->threshold < 0 ? -m->threshold : m->threshold);
    double bound = 0x1p-49 * size;
    if (margin > bound) return 1;
    if (margin < -bound) return 0;
    return compare_exactly(m, s) >= 0;
}

int csig_linfrac_reaches(const csig_linfrac *m, int64_t x, int64_t y) {
    return reaches(m, scores_of(m, m->n0 + m->n1 * x + m->n2 * y, m->d0 + m->d1 * x + m->d2 * y));
}

uint64_t csig_linfrac_hits_table(const csig_linfrac *m, const uint64_t *histogram) {
    uint64_t hits = 0;
    for (int64_t x = 0; x <= m->n_first; x++) {
        for (int64_t y = 0; y <= m->n_second; y++, histogram++) {
            if (*histogram && csig_linfrac_extreme(m, x, y)) hits += *histogram;
        }
    }
    return hits;
}

uint64_t csig_linfrac_hits_pairs(const csig_linfrac *m, const uint32_t *x, const uint32_t *y,
                                 int64_t n) {
    uint64_t hits = 0;
    for (int64_t i = 0; i < n; i++) hits += (uint64_t)csig_linfrac_extreme(m, x[i], y[i]);
    return hits;
}

/* In blocks; only trials on the threshold take the exact way. Giving everything to the other system
 * negates the difference, so one difference answers both tails.
 *
 * Verdicts need no division: with positive denominators score_A - score_B >= t if and only if
 * na db - nb da >= t da db. In double the two products carry three roundings each, t da db
 * five, and the differences one each: together below 8 * 2^-53 of the sum of the three sizes. */
enum { BLOCK = 256 };

typedef struct {
    uint64_t na[BLOCK], da[BLOCK];
    int64_t open[BLOCK];
    double difference[BLOCK], bound[BLOCK];
} block;

typedef struct {
    void (*quotients)(block *d, const csig_linfrac *m, const int64_t *sums, int64_t stride,
                      int64_t k, const int64_t *wx, const int64_t *wy, int n);
    void (*differ)(block *d, const csig_linfrac *m, int n);
    int64_t (*decide)(block *d, const csig_linfrac *m, int64_t up, int64_t down, int n,
                      int64_t *open);
} kernel;

#define TEMPLATE "linfrac_template.h"
#include "each_isa.h"

uint64_t csig_linfrac_hits_sums(const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride,
                                int64_t k, const int64_t *wx, const int64_t *wy, int64_t n) {
    const int up = m->alternative != CSIG_LESS, down = m->alternative != CSIG_GREATER;
    uint64_t hits = 0;
    block d;
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int here = n - start < BLOCK ? (int)(n - start) : BLOCK;
        int64_t open;
        kernels[isa]->quotients(&d, m, sums + start, stride, k, wx, wy, here);
        hits += (uint64_t)kernels[isa]->decide(&d, m, up, down, here, &open);
        for (int i = 0; open > 0 && i < here; i++) {
            if (!d.open[i]) continue;
            const scores s = scores_of(m, (int64_t)d.na[i], (int64_t)d.da[i]);
            hits += (up && reaches(m, s)) || (down && reaches(m, traded(s)));
            open--;
        }
    }
    return hits;
}

/* The difference of a trial near the threshold, on its right side. */
static double settled(const csig_linfrac *m, scores s, double difference) {
    const int order = compare_exactly(m, s);
    if (order == 0) return m->threshold;
    if (order > 0 && difference <= m->threshold) return nextafter(m->threshold, INFINITY);
    if (order < 0 && difference >= m->threshold) return nextafter(m->threshold, -INFINITY);
    return difference;
}

void csig_linfrac_differences(const csig_linfrac *m, int isa, const int64_t *sums, int64_t stride,
                              int64_t k, const int64_t *wx, const int64_t *wy, int64_t n,
                              double *out) {
    block d;
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int here = n - start < BLOCK ? (int)(n - start) : BLOCK;
        kernels[isa]->quotients(&d, m, sums + start, stride, k, wx, wy, here);
        kernels[isa]->differ(&d, m, here);
        for (int i = 0; i < here; i++) {
            double difference = d.difference[i];
            if (fabs(difference - m->threshold) <= d.bound[i]) {
                difference =
                    settled(m, scores_of(m, (int64_t)d.na[i], (int64_t)d.da[i]), difference);
            }
            /* The same trial with the systems traded. */
            if (fabs(-difference - m->threshold) <= d.bound[i] && m->threshold > 0) {
                difference = -settled(m, traded(scores_of(m, (int64_t)d.na[i], (int64_t)d.da[i])),
                                      -difference);
            }
            out[start + i] = difference;
        }
    }
}
