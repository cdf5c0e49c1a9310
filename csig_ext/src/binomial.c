#include "binomial.h"

#include <math.h>

/* Between anchors a probability grows by at most n^16 < 2^496 for n < 2^31. */
enum { ANCHOR = 16 };

static const double log_2pi = 1.837877066409345483560659472811;
static const double ln2 = 0.693147180559945309417232121458;
/* ln 2 in two parts: the first has zeros at its end, so that multiples are exact. */
static const double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;

/* log(n!) - log(sqrt(2 pi n) (n/e)^n): the error of Stirling's formula. */
static double stirling_error(double n) {
    /* clang-format off */
    static const double small[15] = { /* from n = 1 on */
        0.081061466795327258219670264, 0.041340695955409294093822081, 0.0276779256849983391487892927,
        0.020790672103765093111522771, 0.0166446911898211921631948653, 0.013876128823070747998745727,
        0.0118967099458917700950557241, 0.010411265261972096497478567, 0.0092554621827127329177286366,
        0.008330563433362871256469318, 0.0075736754879518407949720242, 0.006942840107209529865664152,
        0.0064089941880042070684396310, 0.005951370112758847735624416, 0.0055547335519628013710386899,
    };
    if (n < 16) return small[(int)n - 1];
    double r = 1 / n, s = r * r;
    return r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 -
           s * (1.0 / 1188 - s * (691.0 / 360360 - s * (1.0 / 156)))))));
    /* clang-format on */
}

/* x log(x / m) + m - x without cancellation near x = m. */
static double deviance(double x, double m) {
    double d = x - m, v = d / (x + m);
    if (fabs(v) < 0.1) {
        double s = d * v, term = 2 * x * v, last;
        v *= v;
        for (int j = 1; j < 1000; j++) {
            term *= v;
            last = s;
            s += term / (2 * j + 1);
            if (s == last) break;
        }
        return s;
    }
    return x * log(x / m) + m - x;
}

/* log P(k), k > 0. */
static double logarithm(int64_t n, int64_t k) {
    if (k == n) return -(double)n * ln2;
    double x = (double)k, y = (double)(n - k), m = 0.5 * (double)n;
    double correction = stirling_error((double)n) - stirling_error(x) - stirling_error(y);
    double exponent = correction - deviance(x, m) - deviance(y, m);
    return exponent - 0.5 * (log_2pi + log(x) + log(y / (double)n));
}

static void anchor(csig_binomial_walk *walk) {
    const double of_p = logarithm(walk->n, walk->k), e = floor(of_p / ln2);
    walk->probability.exponent = (int64_t)e;
    walk->probability.value = exp((of_p - e * ln2_high) - e * ln2_low);
}

void csig_binomial_start(csig_binomial_walk *walk, int64_t n) {
    walk->n = n;
    walk->k = 0;
    walk->probability.value = 1; /* 2^-n exactly */
    walk->probability.exponent = -n;
}

void csig_binomial_next(csig_binomial_walk *walk) {
    int64_t k = walk->k++;
    if (walk->k % ANCHOR == 0 && walk->n >= 64) {
        anchor(walk); /* small n: the exact quotients need no help */
    } else {
        walk->probability.value *= (double)(walk->n - k) / (double)(k + 1);
    }
}

/* 2^e, zero far below; e <= 1000. */
static double power_of_two(int64_t e) { return e < -1000 ? 0 : ldexp(1, (int)e); }

void csig_sum_start(csig_scaled_sum *sum) {
    sum->value = sum->lost = sum->factor = 0;
    sum->exponent = 0;
    sum->seen = INT64_MIN;
}

void csig_sum_add(csig_scaled_sum *sum, double value, int64_t exponent) {
    if (exponent != sum->seen) {
        if (sum->value == 0) {
            sum->exponent = exponent;
        } else if (exponent > sum->exponent) { /* carry the sum at the larger exponent */
            double down = power_of_two(sum->exponent - exponent);
            sum->value *= down;
            sum->lost *= down;
            sum->exponent = exponent;
        }
        sum->seen = exponent;
        sum->factor = power_of_two(exponent - sum->exponent);
    }
    double addend = value * sum->factor, total = sum->value + addend;
    sum->lost += fabs(sum->value) >= fabs(addend) ? (sum->value - total) + addend
                                                  : (addend - total) + sum->value;
    sum->value = total;
    if (total > 0x1p500) { /* bring the value back; the exponents were of smaller numbers */
        sum->value = total * 0x1p-500;
        sum->lost *= 0x1p-500;
        sum->exponent += 500;
        sum->seen = INT64_MIN;
    }
}

csig_scaled csig_sum_total(const csig_scaled_sum *sum) {
    csig_scaled r;
    int e;
    r.value = frexp(sum->value + sum->lost, &e);
    r.exponent = sum->exponent + e;
    return r;
}
