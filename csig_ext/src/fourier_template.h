/* Nothing here depends on the width of a vector: item i of a chunk belongs to lane i mod WIDTH, and a
 * lane never meets another one. A chunk has ROWS rows of WIDTH items. */
#if defined(CSIG_PORTABLE)
typedef double NAME(vector);
#else
typedef double NAME(vector) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
#define VEC NAME(vector)

#include "fourier_functions.h"

/* Vectors of a row that are in registers together. */
enum { NAME(some) = 2 };
#define SOME NAME(some)

static inline VEC NAME(load)(const double *from) { return *(const VEC *)from; }
static inline void NAME(store)(double *to, VEC x) { *(VEC *)to = x; }

/* exp(i pi c d) - 1 of every item of a chunk. */
static void NAME(turns)(const double *d, double c, double *re, double *im) {
    for (int i = 0; i < CHUNK; i += LANES) {
        VEC b;
        NAME(store)(re + i, NAME(turn)(NAME(load)(d + i), c, &b));
        NAME(store)(im + i, b);
    }
}

/* 1 + r = (1 + a) (1 + b) */
static inline void NAME(join)(VEC a_re, VEC a_im, VEC b_re, VEC b_im, VEC *re, VEC *im) {
    *re = (a_re + b_re) + (a_re * b_re - a_im * b_im);
    *im = (a_im + b_im) + (a_re * b_im + a_im * b_re);
}

/* to = from by, each of them less one, for every item of a chunk. */
static void NAME(joins)(const turned *from, const turned *by, turned *to) {
    for (int i = 0; i < CHUNK; i += LANES) {
        VEC re, im;
        NAME(join)(NAME(load)(from->re + i), NAME(load)(from->im + i), NAME(load)(by->re + i),
                   NAME(load)(by->im + i), &re, &im);
        NAME(store)(to->re + i, re);
        NAME(store)(to->im + i, im);
    }
}

/* product = product (1 + re + i h im) */
static inline void NAME(factor)(VEC *product_re, VEC *product_im, VEC h, VEC re, VEC im) {
    const VEC a = *product_re, b = *product_im, rest = h * im;
    *product_re = a + (a * re - b * rest);
    *product_im = b + (a * rest + b * re);
}

static void NAME(factors)(const double *h, const turned *at, product *p) {
    for (int lane = 0; lane < WIDTH; lane += SOME * LANES) {
        VEC re[SOME], im[SOME];
        for (int v = 0; v < SOME; v++) {
            re[v] = NAME(load)(p->re + lane + v * LANES);
            im[v] = NAME(load)(p->im + lane + v * LANES);
        }
        for (int i = lane; i < CHUNK; i += WIDTH) {
            for (int v = 0; v < SOME; v++) {
                const int j = i + v * LANES;
                NAME(factor)(re + v, im + v, NAME(load)(h + j), NAME(load)(at->re + j),
                             NAME(load)(at->im + j));
            }
        }
        for (int v = 0; v < SOME; v++) {
            NAME(store)(p->re + lane + v * LANES, re[v]);
            NAME(store)(p->im + lane + v * LANES, im[v]);
        }
    }
}

/* The factors at the frequencies before and behind the one in `at`, `by` away. */
static void NAME(both)(const double *h, const turned *at, const turned *by, product *before,
                       product *behind) {
    for (int lane = 0; lane < WIDTH; lane += LANES) {
        VEC re = NAME(load)(behind->re + lane), im = NAME(load)(behind->im + lane);
        VEC back_re = NAME(load)(before->re + lane), back_im = NAME(load)(before->im + lane);
        for (int i = lane; i < CHUNK; i += WIDTH) {
            const VEC a = NAME(load)(at->re + i), b = NAME(load)(at->im + i);
            const VEC c = NAME(load)(by->re + i), d = NAME(load)(by->im + i);
            const VEC own = NAME(load)(h + i), ac = a * c, bd = b * d, ad = a * d, bc = b * c;
            NAME(factor)(&re, &im, own, (a + c) + (ac - bd), (b + d) + (ad + bc));
            NAME(factor)(&back_re, &back_im, own, (a + c) + (ac + bd), (b - d) + (bc - ad));
        }
        NAME(store)(behind->re + lane, re);
        NAME(store)(behind->im + lane, im);
        NAME(store)(before->re + lane, back_re);
        NAME(store)(before->im + lane, back_im);
    }
}

/* The same for one alone: behind with side = 1, before with side = -1. */
static void NAME(beside)(const double *h, const turned *at, const turned *by, double side,
                         product *p) {
    for (int lane = 0; lane < WIDTH; lane += SOME * LANES) {
        VEC re[SOME], im[SOME];
        for (int v = 0; v < SOME; v++) {
            re[v] = NAME(load)(p->re + lane + v * LANES);
            im[v] = NAME(load)(p->im + lane + v * LANES);
        }
        for (int i = lane; i < CHUNK; i += WIDTH) {
            for (int v = 0; v < SOME; v++) {
                const int j = i + v * LANES;
                VEC a, b;
                NAME(join)(NAME(load)(at->re + j), NAME(load)(at->im + j), NAME(load)(by->re + j),
                           NAME(load)(by->im + j) * side, &a, &b);
                NAME(factor)(re + v, im + v, NAME(load)(h + j), a, b);
            }
        }
        for (int v = 0; v < SOME; v++) {
            NAME(store)(p->re + lane + v * LANES, re[v]);
            NAME(store)(p->im + lane + v * LANES, im[v]);
        }
    }
}

/* exp(-theta d) of a chunk, less one and as it is: by itself, as a processor looks no further ahead. */
static void NAME(decays)(const double *d, double theta, double *less, double *power) {
    for (int i = 0; i < CHUNK; i += LANES) {
        VEC b;
        NAME(store)(less + i, NAME(decay)(NAME(load)(d + i) * theta, &b));
        NAME(store)(power + i, b);
    }
}

/* tanh(theta d) and the square of 1 / cosh(theta d) of a chunk. */
static void NAME(tilt)(const double *d, double theta, double *h, double *q) {
    double e[CHUNK], b[CHUNK];
    NAME(decays)(d, theta, e, b);
    for (int i = 0; i < CHUNK; i += LANES) {
        VEC rest;
        NAME(store)(h + i, NAME(tangent)(NAME(load)(e + i), NAME(load)(b + i), &rest));
        NAME(store)(q + i, rest);
    }
}

static void NAME(log_coshs)(const double *d, double theta, double *out) {
    double e[CHUNK], b[CHUNK];
    NAME(decays)(d, theta, e, b);
    for (int i = 0; i < CHUNK; i += LANES) {
        const VEC x = NAME(load)(d + i) * theta;
        NAME(store)(out + i, NAME(log_cosh)(x, NAME(load)(e + i), NAME(load)(b + i)));
    }
}

/* The sums of a chunk, lane by lane: log cosh, d tanh, q d^2, q d^4 and d. */
static void NAME(sum)(const double *d, double theta, double sums[SUMS][WIDTH]) {
    double e[CHUNK], b[CHUNK];
    NAME(decays)(d, theta, e, b);
    for (int lane = 0; lane < WIDTH; lane += LANES) {
        VEC sum[SUMS];
        for (int s = 0; s < SUMS; s++) sum[s] = NAME(all)(0);
        for (int i = lane; i < CHUNK; i += WIDTH) {
            const VEC x = NAME(load)(d + i), less = NAME(load)(e + i), power = NAME(load)(b + i);
            VEC rest;
            sum[0] += NAME(log_cosh)(x * theta, less, power);
            sum[1] += x * NAME(tangent)(less, power, &rest);
            const VEC square = x * x, part = rest * square;
            sum[2] += part;
            sum[3] += part * square;
            sum[4] += x;
        }
        for (int s = 0; s < SUMS; s++) NAME(store)(sums[s] + lane, sum[s]);
    }
}

/* Squares of |phi| over cells, times bounds on those of GROUP items; a multiple of WIDTH cells.
 * Lemma 6. */
static void NAME(shrink)(const double *turn, const double *q, int items, int cells,
                         const double *centre, const double *half, double *square) {
    for (int c = 0; c < cells; c += SOME * LANES) {
        VEC at[SOME], wide[SOME], found[SOME];
        for (int v = 0; v < SOME; v++) {
            at[v] = NAME(load)(centre + c + v * LANES);
            wide[v] = NAME(load)(half + c + v * LANES);
            found[v] = NAME(load)(square + c + v * LANES);
        }
        for (int i = 0; i < items; i++) {
            for (int v = 0; v < SOME; v++) {
                const VEC y = at[v] * turn[i], r = y - ((y + TO_WHOLE) - TO_WHOLE);
                const VEC away = NAME(of_bits)(NAME(bits)(r) & ~((uint64_t)1 << 63));
                const VEC left = away - wide[v] * turn[i];
                const VEC least = NAME(of_bits)(NAME(bits)(left) & NAME(above)(left, NAME(all)(0)));
                const VEC z = least * least;
                const VEC sine = least * (BELOW_SINE[0] + z * (BELOW_SINE[1] + z * BELOW_SINE[2]));
                found[v] = found[v] * (1.0 - q[i] * (sine * sine));
            }
        }
        for (int v = 0; v < SOME; v++) NAME(store)(square + c + v * LANES, found[v]);
    }
}

static const kernel NAME(kernel) = {NAME(turns),     NAME(joins),  NAME(factors),
                                    NAME(both),      NAME(beside), NAME(tilt),
                                    NAME(log_coshs), NAME(sum),    NAME(shrink)};

#undef WORD
#undef SOME
