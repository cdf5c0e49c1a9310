/* The units that the pieces of some words give, behind each other; returns how many. `bits` is a
 * constant. One more place is written to. */
static inline int64_t NAME(cut)(uint32_t *out, const uint64_t *words, int64_t n_words, uint64_t n,
                                uint32_t reject, const int bits) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    int64_t kept = 0;
    for (int64_t i = 0; i < n_words; i++) {
        for (int shift = 0; shift < 64; shift += bits) {
            const uint64_t product = (words[i] >> shift & mask) * n;
            out[kept] = (uint32_t)(product >> bits);
            kept += (product & mask) >= reject;
        }
    }
    return kept;
}

static int64_t NAME(draw)(uint32_t *out, const uint64_t *words, int64_t n_words, uint64_t n,
                          uint32_t reject) {
    return n <= 1 << 16 ? NAME(cut)(out, words, n_words, n, reject, 16)
                        : NAME(cut)(out, words, n_words, n, reject, 32);
}

/* Adds up the rows of some units: rows of one word, four sums side by side. */
static void NAME(add_1)(uint64_t *total, const uint64_t *rows, const uint32_t *unit,
                        int64_t count) {
    uint64_t a = 0, b = 0, c = 0, d = 0;
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a += rows[unit[i]];
        b += rows[unit[i + 1]];
        c += rows[unit[i + 2]];
        d += rows[unit[i + 3]];
    }
    for (; i < count; i++) a += rows[unit[i]];
    total[0] += a + b + c + d;
}

/* The same for `width` words of rows that lie `stride` apart. */
static inline void NAME(add_some)(uint64_t *total, const uint64_t *rows, int64_t stride,
                                  const uint32_t *unit, int64_t count, int width) {
    uint64_t sum[8] = {0};
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *row = rows + (size_t)stride * unit[i];
        for (int w = 0; w < width; w++) sum[w] += row[w];
    }
    for (int w = 0; w < width; w++) total[w] += sum[w];
}

static void NAME(add)(uint64_t *total, const uint64_t *rows, int64_t row_words,
                      const uint32_t *unit, int64_t count) {
    switch (row_words) {
    case 1:
        NAME(add_1)(total, rows, unit, count);
        break;
    case 2:
        NAME(add_some)(total, rows, 2, unit, count, 2);
        break;
    case 4:
        NAME(add_some)(total, rows, 4, unit, count, 4);
        break;
    default:
        for (int64_t w = 0; w < row_words; w += 8) {
            NAME(add_some)(total + w, rows + w, row_words, unit, count, 8);
        }
    }
}

/* Quotients of the weighted sums of one piece of resamples. */
static int64_t NAME(divide)(const int64_t *above, const int64_t *below, double zero_division,
                            int64_t n, double *out) {
    int64_t zeros = 0;
    for (int64_t t = 0; t < n; t++) {
        zeros += below[t] == 0;
        double quotient = (double)above[t] / (double)(below[t] == 0 ? 1 : below[t]);
        out[t] = below[t] == 0 ? zero_division : quotient;
    }
    return zeros;
}

static void NAME(weigh)(int64_t *total, const int64_t *column, int64_t weight, int64_t n) {
    if (weight == 1) {
        for (int64_t t = 0; t < n; t++) total[t] += column[t];
    } else {
        for (int64_t t = 0; t < n; t++) total[t] += weight * column[t];
    }
}

#if defined(TEMPLATE_AVX512)
#include "resample_avx512.h"
static const kernel NAME(kernel) = {vector_draw, NAME(add), weave, NAME(weigh), NAME(divide)};
#else
static const kernel NAME(kernel) = {NAME(draw), NAME(add), NULL, NAME(weigh), NAME(divide)};
#endif
