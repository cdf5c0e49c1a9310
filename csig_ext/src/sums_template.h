/* Row r of eight groups is at rows[8 r .. 8 r + 7]. */
#include "bitslice_template.h"

/* The planes of a count that take part in every addition. */
typedef struct {
    VEC ones, twos, fours, eights;
} NAME(low);
#define LOW NAME(low)

/* Adds two rows, or their complements. */
static inline void NAME(add_two)(VEC *ones, VEC *twos, const uint64_t *rows, const uint16_t *row,
                                 const int negated) {
    VEC y = NAME(load)(rows + CSIG_GROUPS * (size_t)row[0]);
    VEC z = NAME(load)(rows + CSIG_GROUPS * (size_t)row[1]);
    if (negated) {
        NAME(full_add_not)(ones, twos, *ones, y, z);
    } else {
        NAME(full_add)(ones, twos, *ones, y, z);
    }
}

static inline void NAME(add_four)(LOW *c, VEC *fours, const uint64_t *rows, const uint16_t *row,
                                  const int negated) {
    VEC twos_a, twos_b;
    NAME(add_two)(&c->ones, &twos_a, rows, row, negated);
    NAME(add_two)(&c->ones, &twos_b, rows, row + 2, negated);
    NAME(full_add)(&c->twos, fours, c->twos, twos_a, twos_b);
}

static inline void NAME(add_rows)(LOW *c, VEC *eights, const uint64_t *rows, const uint16_t *row,
                                  const int negated) {
    VEC fours_a, fours_b;
    NAME(add_four)(c, &fours_a, rows, row, negated);
    NAME(add_four)(c, &fours_b, rows, row + 4, negated);
    NAME(full_add)(&c->fours, eights, c->fours, fours_a, fours_b);
}

/* Adds a carry of eight to a count whose planes from 4 on are in memory. */
static inline void NAME(ripple)(LOW *c, VEC carry, uint64_t *state, int planes) {
    VEC both = c->eights & carry;
    c->eights ^= carry;
    for (int k = 4; k < planes; k++) {
        VEC plane = NAME(load)(state + CSIG_GROUPS * k);
        NAME(store)(state + CSIG_GROUPS * k, plane ^ both);
        both &= plane;
    }
}

/* Counts some members of a class, a multiple of four; returns those after them. */
static inline const uint16_t *NAME(count_members)(LOW *c, uint64_t *state, int planes,
                                                  const uint64_t *rows, const uint16_t *row,
                                                  int count, const int negated) {
    VEC carry;
    for (; count >= 8; count -= 8, row += 8) {
        NAME(add_rows)(c, &carry, rows, row, negated);
        NAME(ripple)(c, carry, state, planes);
    }
    if (count) {
        NAME(add_four)(c, &carry, rows, row, negated);
        VEC both = c->fours & carry;
        c->fours ^= carry;
        NAME(ripple)(c, both, state, planes);
        row += 4;
    }
    return row;
}

/* The counts of a piece's classes: plane after plane, class after class, into the rows from
 * `plane` on. */
static void NAME(count_classes)(uint64_t *rows, int64_t plane, const uint16_t *class,
                                const uint16_t *end, const uint16_t *member) {
    const VEC none = {0};
    for (; class < end; class += 3) {
        const int planes = class[2];
        const uint16_t *row = member;
        for (int g = 0; g < CSIG_GROUPS; g += LANES) {
            uint64_t *state = rows + CSIG_GROUPS * plane + g;
            LOW c = {none, none, none, none};
            for (int k = 4; k < planes; k++) NAME(store)(state + CSIG_GROUPS * k, none);
            row = NAME(count_members)(&c, state, planes, rows + g, member, class[0], 0);
            row = NAME(count_members)(&c, state, planes, rows + g, row, class[1], 1);
            NAME(store)(state, c.ones);
            NAME(store)(state + CSIG_GROUPS, c.twos);
            if (planes > 2) NAME(store)(state + CSIG_GROUPS * 2, c.fours);
            if (planes > 3) NAME(store)(state + CSIG_GROUPS * 3, c.eights);
        }
        member = row;
        plane += planes;
    }
}

/* Adds the rows of two lists for each bit to a sum of eight groups; plane k of group g of the
 * sum at total[8 k + g]. Bit b's carries are in the ring's place b % 4, which has room for
 * `room` vectors; what goes beyond the last plane is dropped. */
static void NAME(add_lists)(uint64_t *total, int width, const uint64_t *rows,
                            const uint16_t *entries, const int64_t *starts, int levels,
                            uint64_t *ring, int64_t room) {
    for (int g = 0; g < CSIG_GROUPS; g += LANES, rows += LANES, total += LANES) {
        const VEC none = {0};
        int64_t waiting[4] = {0, 0, 0, 0};
        for (int b = 0; b < width; b++) {
            LOW c = {NAME(load)(total + CSIG_GROUPS * b), none, none, none};
            VEC w[8];
            uint64_t *in = ring + room * LANES * (b % 4),
                     *twos = ring + room * LANES * ((b + 1) % 4);
            uint64_t *fours = ring + room * LANES * ((b + 2) % 4);
            uint64_t *eights = ring + room * LANES * ((b + 3) % 4), *out = eights;
            if (b < levels) {
                const uint16_t *row = entries + starts[2 * b],
                               *middle = entries + starts[2 * b + 1];
                const uint16_t *end = entries + starts[2 * b + 2];
                for (; row < middle; row += 8, out += LANES) {
                    NAME(add_rows)(&c, &c.eights, rows, row, 0);
                    NAME(store)(out, c.eights);
                }
                for (; row < end; row += 8, out += LANES) {
                    NAME(add_rows)(&c, &c.eights, rows, row, 1);
                    NAME(store)(out, c.eights);
                }
            }
            int64_t left = waiting[b % 4];
            for (; left % 8; left++) NAME(store)(in + LANES * left, none);
            for (; left > 0; left -= 8, in += 8 * LANES, out += LANES) {
                for (int k = 0; k < 8; k++) w[k] = NAME(load)(in + LANES * k);
                NAME(add_eight)(&c.ones, &c.twos, &c.fours, &c.eights, w);
                NAME(store)(out, c.eights);
            }
            NAME(store)(total + CSIG_GROUPS * b, c.ones);
            NAME(store)(twos + LANES * waiting[(b + 1) % 4]++, c.twos);
            NAME(store)(fours + LANES * waiting[(b + 2) % 4]++, c.fours);
            waiting[(b + 3) % 4] = (out - eights) / LANES;
            waiting[b % 4] = 0;
        }
    }
}

/* The sums of 64 trials of one group, minus `shift`: sixteen planes at a time. */
static void NAME(to_sums)(const uint64_t *plane, int width, int64_t shift, int64_t out[64]) {
    for (int k = 0; k < width; k += 16) {
        uint8_t low[64], high[64] = {0};
        uint16_t both[64];
        const int left = width - k;
        NAME(to_bytes)(plane + CSIG_GROUPS * k, left < 8 ? left : 8, low);
        if (left > 8) {
            NAME(to_bytes)(plane + CSIG_GROUPS * (k + 8), left < 16 ? left - 8 : 8, high);
        }
        for (int t = 0; t < 64; t++) both[t] = (uint16_t)(low[t] | high[t] << 8);
        if (k == 0) {
            for (int t = 0; t < 64; t++) out[t] = both[t] - shift;
        } else {
            for (int t = 0; t < 64; t++) out[t] += (int64_t)((uint64_t)both[t] << k);
        }
    }
}

static const kernel NAME(kernel) = {NAME(count_classes), NAME(add_lists), NAME(to_sums)};

#undef LOW
