/* Pairs of doubles, value = high + low with |low| <= ulp(high) / 2 (Dekker 1971), and pairs with an
 * exponent of their own. Every operation has a relative error of a few 2^-104. Only additions,
 * multiplications and divisions, none of which may be contracted: the same bits on every machine. */
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct {
    double high, low;
} pair;

static inline pair quick_sum(double a, double b) { /* |a| >= |b| */
    pair r;
    r.high = a + b;
    r.low = b - (r.high - a);
    return r;
}

static inline pair two_sum(double a, double b) {
    pair r;
    r.high = a + b;
    double t = r.high - a;
    r.low = (a - (r.high - t)) + (b - t);
    return r;
}

static inline pair two_product(double a, double b) {
    const double split = 134217729; /* 2^27 + 1 */
    double t = split * a, ah = t - (t - a), al = a - ah;
    t = split * b;
    double bh = t - (t - b), bl = b - bh;
    pair r;
    r.high = a * b;
    r.low = ((ah * bh - r.high) + ah * bl + al * bh) + al * bl;
    return r;
}

static inline pair pair_add(pair a, pair b) {
    pair s = two_sum(a.high, b.high);
    return quick_sum(s.high, s.low + (a.low + b.low));
}

static inline pair pair_times(pair a, pair b) {
    pair p = two_product(a.high, b.high);
    return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline pair pair_scale(pair a, double b) {
    pair p = two_product(a.high, b);
    return quick_sum(p.high, p.low + a.low * b);
}

static inline pair pair_over(pair a, pair b) {
    double q = a.high / b.high;
    pair t = pair_scale(b, q);
    double rest = ((a.high - t.high) - t.low) + a.low;
    pair r = quick_sum(q, rest / b.high);
    t = pair_times(b, r);
    rest = ((a.high - t.high) - t.low) + a.low; /* once more, for the last bits */
    return quick_sum(r.high, r.low + rest / b.high);
}

/* value * 2^exponent with value.high in [1/2, 1) */
typedef struct {
    pair value;
    int64_t exponent;
} scaled_pair;

static inline scaled_pair normal(pair value, int64_t exponent) {
    int e;
    scaled_pair r;
    r.value.high = frexp(value.high, &e);
    r.value.low = ldexp(value.low, -e);
    r.exponent = exponent + e;
    return r;
}

static inline scaled_pair scaled_times(scaled_pair a, scaled_pair b) {
    return normal(pair_times(a.value, b.value), a.exponent + b.exponent);
}

/* base^k; the error is about k 2^-104. */
static inline scaled_pair power(scaled_pair base, int64_t k) {
    pair one = {1, 0};
    scaled_pair r = normal(one, 0);
    uint64_t n = k < 0 ? 0u - (uint64_t)k : (uint64_t)k;
    for (; n; n >>= 1) {
        if (n & 1) r = scaled_times(r, base);
        if (n > 1) base = scaled_times(base, base);
    }
    return k < 0 ? normal(pair_over(one, r.value), -r.exponent) : r;
}

static inline scaled_pair power_of_double(double base, int64_t k) {
    pair b = {base, 0};
    return power(normal(b, 0), k);
}

/* q = r_x^-a r_y^-b; the caller keeps it between e^-100 and e^100. */
static inline pair csig_odds(double r_x, double r_y, int64_t a, int64_t b) {
    scaled_pair q = scaled_times(power_of_double(r_x, -a), power_of_double(r_y, -b));
    pair r = {ldexp(q.value.high, (int)q.exponent), ldexp(q.value.low, (int)q.exponent)};
    return r;
}
