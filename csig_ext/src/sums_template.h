/* The vector part of the shuffle engine over units, included once for each instruction
 * set; the parameters are those of bitslice_template.h. */
#include "bitslice_template.h"

/* Adds a carry of 2^first to the planes first, first + 1, ... of a counter. */
static inline void NAME(ripple)(uint64_t *state, VEC carry, int first, int planes) {
    for (int k = first; k < planes; k++) {
        VEC plane = NAME(load)(state + CSIG_GROUPS * k), both = plane & carry;
        NAME(store)(state + CSIG_GROUPS * k, plane ^ carry);
        carry = both;
    }
}

/* The words of eight units from `i` on; after the `left` ones that are there, zeros. */
static inline void NAME(gather)(VEC w[8], const uint64_t *words, const uint16_t *unit, int64_t i,
                                int64_t left, VEC mask) {
    const VEC none = {0};
    for (int k = 0; k < 8; k++) {
        w[k] = k < left ? NAME(load)(words + CSIG_GROUPS * (size_t)unit[i + k]) ^ mask : none;
    }
}

/* Adds the words of some units, each xor `flip`, to a counter of eight groups: plane k of
 * group g at state[8 k + g], word of unit i and group g at words[8 i + g]. */
static void NAME(count_list)(uint64_t *state, const uint64_t *words, const uint16_t *unit,
                             int64_t count, uint64_t flip, int planes) {
    for (int g = 0; g < CSIG_GROUPS; g += LANES, state += LANES, words += LANES) {
        const VEC none = {0}, mask = flip ? ~none : none;
        VEC ones = NAME(load)(state), twos = NAME(load)(state + CSIG_GROUPS);
        VEC fours = NAME(load)(state + 2 * CSIG_GROUPS);
        VEC eights = NAME(load)(state + 3 * CSIG_GROUPS), carry_a, carry_b, w[8];
        for (int64_t i = 0; i < count; i += 16) {
            if (count - i >= 16) {
                NAME(gather)(w, words, unit, i, 8, mask);
                NAME(add_eight)(&ones, &twos, &fours, &carry_a, w);
                NAME(gather)(w, words, unit, i + 8, 8, mask);
            } else {
                NAME(gather)(w, words, unit, i, count - i, mask);
                NAME(add_eight)(&ones, &twos, &fours, &carry_a, w);
                NAME(gather)(w, words, unit, i + 8, count - i - 8, mask);
            }
            NAME(add_eight)(&ones, &twos, &fours, &carry_b, w);
            NAME(full_add)(&eights, &carry_a, eights, carry_a, carry_b);
            NAME(ripple)(state, carry_a, 4, planes);
        }
        NAME(store)(state, ones);
        NAME(store)(state + CSIG_GROUPS, twos);
        NAME(store)(state + 2 * CSIG_GROUPS, fours);
        NAME(store)(state + 3 * CSIG_GROUPS, eights);
    }
}

/* total += counter * 2^level, for eight groups; both bit-sliced, total has `width` planes. */
static void NAME(add_counter)(uint64_t *total, int width, const uint64_t *state, int planes,
                              int level) {
    for (int g = 0; g < CSIG_GROUPS; g += LANES, total += LANES, state += LANES) {
        VEC carry = {0}, sum;
        for (int k = 0; level + k < width; k++) {
            VEC y = {0};
            if (k < planes) y = NAME(load)(state + CSIG_GROUPS * k);
            uint64_t *place = total + CSIG_GROUPS * (level + k);
            NAME(full_add)(&sum, &carry, NAME(load)(place), y, carry);
            NAME(store)(place, sum);
        }
    }
}

/* The sums of 64 trials of one group, minus `shift`. */
static void NAME(to_sums)(const uint64_t *plane, int width, int64_t shift, int64_t out[64]) {
    uint8_t bytes[64];
    for (int t = 0; t < 64; t++) out[t] = -shift;
    for (int k = 0; k < width; k += 8) {
        int here = width - k < 8 ? width - k : 8;
        NAME(to_bytes)(plane + CSIG_GROUPS * k, here, bytes);
        for (int t = 0; t < 64; t++) out[t] += (int64_t)((uint64_t)bytes[t] << k);
    }
}

static const kernel NAME(kernel) = {NAME(count_list), NAME(add_counter), NAME(to_sums)};

#undef VEC
#undef NAME
#undef LANES
