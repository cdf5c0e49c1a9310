#include "bitslice_template.h"

/* A bit-sliced counter: three planes take part in the adder tree and live in registers,
 * a carry of eight ripples through the rest. */
typedef struct {
    VEC ones, twos, fours, high[MAX_PLANES - 3];
} NAME(counter);
#define COUNTER NAME(counter)

/* Counts `count` vectors that lie `stride` words apart. */
static inline void NAME(count_vectors)(COUNTER *c, const uint64_t *p, int64_t stride, int64_t count,
                                       int planes) {
    VEC ones = c->ones, twos = c->twos, fours = c->fours, eights, w[8];
    for (; count > 0; count -= 8, p += 8 * stride) {
        if (count >= 8) {
            for (int k = 0; k < 8; k++) w[k] = NAME(load)(p + stride * k);
        } else {
            for (int k = 0; k < 8; k++) w[k] = k < count ? NAME(load)(p + stride * k) : ones ^ ones;
        }
        NAME(add_eight)(&ones, &twos, &fours, &eights, w);
        for (int k = 0; k < planes - 3; k++) {
            VEC carry = c->high[k] & eights;
            c->high[k] ^= eights;
            eights = carry;
        }
    }
    c->ones = ones;
    c->twos = twos;
    c->fours = fours;
}

/* Plane k of the counter to out[stride k]. */
static inline void NAME(put_planes)(const COUNTER *c, int planes, uint64_t *out, int stride) {
    NAME(store)(out, c->ones);
    NAME(store)(out + stride, c->twos);
    NAME(store)(out + 2 * stride, c->fours);
    for (int k = 3; k < planes; k++) NAME(store)(out + stride * k, c->high[k - 3]);
}

/* Few responses: eight groups side by side, word i of group g at words[8 i + g]. Counts
 * `count` words of each; out[8 k + g] is plane k of group g. */
static void NAME(count_groups)(const uint64_t *words, int64_t count, int planes, uint64_t *out) {
    for (int g = 0; g < CSIG_GROUPS; g += LANES) {
        COUNTER c;
        memset(&c, 0, sizeof(VEC) * (size_t)planes);
        NAME(count_vectors)(&c, words + g, CSIG_GROUPS, count, planes);
        NAME(put_planes)(&c, planes, out + g, CSIG_GROUPS);
    }
}

/* Many responses: `count` consecutive words of one group, added to the counter that
 * `state` holds (one vector a plane). */
static void NAME(count_run)(const uint64_t *words, int64_t count, int planes, uint64_t *state) {
    COUNTER c;
    const int64_t whole = count / LANES;
    memcpy(&c, state, sizeof(VEC) * (size_t)planes);
    NAME(count_vectors)(&c, words, LANES, whole, planes);
    if (whole * LANES < count) { /* a last vector that is not full */
        uint64_t rest[LANES] = {0};
        memcpy(rest, words + whole * LANES, (size_t)(count - whole * LANES) * 8);
        NAME(count_vectors)(&c, rest, LANES, 1, planes);
    }
    NAME(put_planes)(&c, planes, state, LANES);
}

/* Bytes of both classes to the cells of 64 trials. */
static void NAME(tally)(const uint64_t *first, int planes_first, const uint64_t *second,
                        int planes_second, uint16_t row, int n_trials, uint64_t *histogram) {
    uint8_t x[64], y[64];
    uint16_t cell[64];
    NAME(to_bytes)(first, planes_first, x);
    NAME(to_bytes)(second, planes_second, y);
    for (int t = 0; t < 64; t++) cell[t] = (uint16_t)(x[t] * row + y[t]); /* below 2^16 */
    if (n_trials == 64) {
        for (int t = 0; t < 64; t += 8) { /* unrolled: one increment a cycle is the limit */
            for (int k = 0; k < 8; k++) histogram[cell[t + k]]++;
        }
    } else {
        for (int t = 0; t < n_trials; t++) histogram[cell[t]]++;
    }
}

/* Counts of any size: the bytes of up to four groups of eight planes. */
static void NAME(to_counts)(const uint64_t *plane, int planes, uint32_t out[64]) {
    uint8_t bytes[64];
    for (int t = 0; t < 64; t++) out[t] = 0;
    for (int k = 0; k < planes; k += 8) {
        int here = planes - k < 8 ? planes - k : 8;
        NAME(to_bytes)(plane + CSIG_GROUPS * k, here, bytes);
        for (int t = 0; t < 64; t++) out[t] |= (uint32_t)bytes[t] << k;
    }
}

static const kernel NAME(kernel) = {LANES, NAME(count_groups), NAME(count_run), NAME(tally),
                                    NAME(to_counts)};

#undef COUNTER
