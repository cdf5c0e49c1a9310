/* Elementary functions of vectors for one instruction set: exp(i x) - 1, expm1, log cosh, tanh. To be
 * included by fourier_template.h, after VEC.
 *
 * Only additions, subtractions, multiplications, divisions and operations on bits, each rounded once
 * to the nearest double: the same bits under every instruction set. docs/theory-fourier-lemmas.md has
 * the lemmas, in units of u = 2^-53 and called as here.
 */

#if defined(CSIG_PORTABLE)
typedef uint64_t NAME(word);
#else
typedef uint64_t NAME(word) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
#define WORD NAME(word)

static inline VEC NAME(all)(double x) {
    const VEC zero = {0};
    return zero + x;
}

static inline WORD NAME(bits)(VEC x) {
#if defined(CSIG_PORTABLE)
    uint64_t r;
    memcpy(&r, &x, 8);
    return r;
#else
    return (WORD)x;
#endif
}

static inline VEC NAME(of_bits)(WORD x) {
#if defined(CSIG_PORTABLE)
    double r;
    memcpy(&r, &x, 8);
    return r;
#else
    return (VEC)x;
#endif
}

/* All bits where x > y, else none. */
static inline WORD NAME(above)(VEC x, VEC y) {
#if defined(CSIG_PORTABLE)
    return x > y ? ~(uint64_t)0 : 0;
#else
    return (WORD)(x > y);
#endif
}

static inline VEC NAME(either)(WORD which, VEC x, VEC y) {
    return NAME(of_bits)((NAME(bits)(x) & which) | (NAME(bits)(y) & ~which));
}

/* c[0] + c[1] x + ... + c[n] x^n, even and odd powers by themselves: Horner's rule for all of them
 * would have to wait for itself. */
static inline VEC NAME(polynomial)(const double *c, int n, VEC x) {
    const VEC square = x * x;
    VEC r[2] = {NAME(all)(c[n - n % 2]), NAME(all)(c[n - 1 + n % 2])}; /* even, odd */
    for (int j = n - 2; j >= 0; j--) r[j & 1] = r[j & 1] * square + c[j];
    return r[0] + x * r[1];
}

/* exp(i pi c d) - 1: the real part, and *im. Lemma 1, for c d below 2^50. */
static inline VEC NAME(turn)(VEC d, double c, VEC *im) {
    const VEC y = d * c, big = y + TO_WHOLE;
    const WORD odd = NAME(bits)(big) << 63;
    const VEC x = (y - (big - TO_WHOLE)) * PI, z = x * x;
    const VEC sine = x + x * (z * NAME(polynomial)(SINE, SINE_DEGREE, z));
    const VEC versine = z * NAME(polynomial)(VERSINE, VERSINE_DEGREE, z);
    *im = NAME(of_bits)(NAME(bits)(sine) ^ odd);
    return (NAME(of_bits)(NAME(bits)(NAME(all)(1)) | odd) - 1.0) -
           NAME(of_bits)(NAME(bits)(versine) ^ odd);
}

/* exp(-x) - 1 and, in *power, exp(-x), for x >= 0; beyond 700 those of 700. Lemma 2. */
static inline VEC NAME(decay)(VEC x, VEC *power) {
    const VEC most = NAME(all)(700), at = NAME(either)(NAME(above)(x, most), most, x);
    const VEC big = at * LOG2_E + TO_WHOLE, k = big - TO_WHOLE;
    const VEC r = k * LN2_LOW - (at - k * LN2_HIGH);
    const VEC m = r + r * (r * NAME(polynomial)(GROWTH, GROWTH_DEGREE, r));
    const VEC scale = NAME(of_bits)(NAME(bits)(NAME(all)(1)) - (NAME(bits)(big) << 52));
    *power = scale + scale * m;
    return scale * m + (scale - 1.0);
}

/* From those, e and b, tanh x and 1 - tanh^2 x. Lemma 3. */
static inline VEC NAME(tangent)(VEC e, VEC b, VEC *rest) {
    const VEC share = 1.0 / (1.0 + b * b), half = (b + b) * share;
    *rest = half * half;
    return (-e) * (1.0 + b) * share;
}

/* And log cosh x. Lemma 3. */
static inline VEC NAME(log_cosh)(VEC x, VEC e, VEC b) {
    const WORD large = NAME(above)(x, NAME(all)(LARGE));
    const VEC a = b * b;
    const VEC ratio = NAME(either)(large, a, -e) / (2.0 + NAME(either)(large, a, e));
    const VEC v = NAME(either)(large, ratio, ratio * ratio), y = v * v, twice = v + v;
    const VEC series = twice + twice * (y * NAME(polynomial)(ARTANH, ARTANH_DEGREE, y));
    return series + NAME(of_bits)(NAME(bits)(x - LN2) & large);
}
