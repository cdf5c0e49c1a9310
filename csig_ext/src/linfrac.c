#include "linfrac.h"

#include <math.h>

/* ---- exact arithmetic: integers of eight 32-bit limbs, modulo 2^256 ------------- */

enum { LIMBS = 8 };

typedef struct {
    uint32_t limb[LIMBS];
} wide;

static wide from_int(int64_t a) {
    const uint32_t sign = a < 0 ? UINT32_MAX : 0;
    wide r = {{(uint32_t)a, (uint32_t)((uint64_t)a >> 32), sign, sign, sign, sign, sign, sign}};
    return r;
}

static wide from_limbs(const uint32_t a[4]) {
    wide r = {{a[0], a[1], a[2], a[3]}};
    return r;
}

static int sign_of(const wide *a) {
    uint32_t any = 0;
    for (int i = 0; i < LIMBS; i++) any |= a->limb[i];
    return a->limb[LIMBS - 1] >> 31 ? -1 : any != 0;
}

static wide multiply(const wide *a, const wide *b) {
    wide r = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        if (a->limb[i] == 0) continue;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += r.limb[i + j] + (uint64_t)a->limb[i] * b->limb[j];
            r.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return r;
}

static wide subtract(const wide *a, const wide *b) {
    wide r;
    int64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        borrow += (int64_t)a->limb[i] - b->limb[i];
        r.limb[i] = (uint32_t)borrow;
        borrow >>= 32; /* arithmetic shift: 0 or -1 on every compiler csig builds with */
    }
    return r;
}

static wide product(int64_t a, int64_t b) {
    const wide x = from_int(a), y = from_int(b);
    return multiply(&x, &y);
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

/* The sign of (na db - nb da) v - u da db, which is below 2^255. */
static int compare_exactly(const csig_linfrac *m, scores s) {
    const wide zero = {{0}}, left = product(s.na, s.db), right = product(s.nb, s.da);
    wide numerator = subtract(&left, &right);
    const int sign = sign_of(&numerator);
    if (sign != m->u_sign) return sign > m->u_sign ? 1 : -1;
    if (sign < 0) numerator = subtract(&zero, &numerator); /* and u is a magnitude */
    const wide v = from_limbs(m->v), u = from_limbs(m->u), denominator = product(s.da, s.db);
    const wide have = multiply(&numerator, &v), want = multiply(&u, &denominator);
    const wide rest = subtract(&have, &want);
    return sign_of(&rest) * sign;
}

/* ---- the comparison ------------------------------------------------------------ */

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
