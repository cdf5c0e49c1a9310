/* The vector part of the shuffle engine, included once for each instruction set.
 *
 * Parameters: NAME(x)   the function name for this instruction set
 *             LANES     64-bit lanes of a vector: 1, 2, 4 or 8
 * One of TEMPLATE_AVX512, TEMPLATE_AVX2 may be defined for the two steps that need
 * instructions of their own.
 */
#if !defined(NAME) || !defined(LANES)
#error "shuffle_template.h needs NAME and LANES"
#endif

#if LANES == 1
typedef uint64_t NAME(vec);
#else
typedef uint64_t NAME(vec) __attribute__((vector_size(8 * LANES)));
#endif
#define VEC NAME(vec)

/* Sum and carry of three bits in every position. */
static inline void NAME(full_add)(VEC *sum, VEC *carry, VEC x, VEC y, VEC z) {
#if defined(TEMPLATE_AVX512)
    *carry = (VEC)_mm512_ternarylogic_epi64((__m512i)x, (__m512i)y, (__m512i)z, 0xe8);
    *sum = (VEC)_mm512_ternarylogic_epi64((__m512i)x, (__m512i)y, (__m512i)z, 0x96);
#else
    VEC either = x ^ y;
    *carry = (x & y) | (either & z);
    *sum = either ^ z;
#endif
}

/* A bit-sliced counter: three planes take part in the adder tree and live in registers,
 * a carry of eight ripples through the rest. */
typedef struct {
    VEC ones, twos, fours, high[MAX_PLANES - 3];
} NAME(counter);

/* Counts `count` vectors that lie `stride` words apart. */
static inline void NAME(count_vectors)(NAME(counter) *c, const uint64_t *p, int64_t stride,
                                       int64_t count, int planes) {
    VEC ones = c->ones, twos = c->twos, fours = c->fours;
    for (int64_t i = 0; i < count; i += 8, p += 8 * stride) {
        VEC w[8], twos_a, twos_b, fours_a, fours_b, eights;
        if (count - i >= 8) {
            for (int k = 0; k < 8; k++) memcpy(&w[k], p + stride * k, 8 * LANES);
        } else {
            for (int k = 0; k < 8; k++) w[k] = ones ^ ones;
            for (int k = 0; k < count - i; k++) memcpy(&w[k], p + stride * k, 8 * LANES);
        }
        NAME(full_add)(&ones, &twos_a, ones, w[0], w[1]);
        NAME(full_add)(&ones, &twos_b, ones, w[2], w[3]);
        NAME(full_add)(&twos, &fours_a, twos, twos_a, twos_b);
        NAME(full_add)(&ones, &twos_a, ones, w[4], w[5]);
        NAME(full_add)(&ones, &twos_b, ones, w[6], w[7]);
        NAME(full_add)(&twos, &fours_b, twos, twos_a, twos_b);
        NAME(full_add)(&fours, &eights, fours, fours_a, fours_b);
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

/* Plane k of the counter to out[stride k], or from there. */
static inline void NAME(store)(const NAME(counter) *c, int planes, uint64_t *out, int stride) {
    memcpy(out, &c->ones, 8 * LANES);
    memcpy(out + stride, &c->twos, 8 * LANES);
    memcpy(out + 2 * stride, &c->fours, 8 * LANES);
    for (int k = 3; k < planes; k++) memcpy(out + stride * k, &c->high[k - 3], 8 * LANES);
}

/* Few responses: eight groups side by side, word i of group g at words[8 i + g]. Counts
 * `count` words of each; out[8 k + g] is plane k of group g. */
static void NAME(count_groups)(const uint64_t *words, int64_t count, int planes, uint64_t *out) {
    for (int g = 0; g < CSIG_GROUPS; g += LANES) {
        NAME(counter) c;
        memset(&c, 0, sizeof(VEC) * (size_t)planes);
        NAME(count_vectors)(&c, words + g, CSIG_GROUPS, count, planes);
        NAME(store)(&c, planes, out + g, CSIG_GROUPS);
    }
}

/* Many responses: `count` consecutive words of one group, added to the counter that
 * `state` holds (one vector a plane). */
static void NAME(count_run)(const uint64_t *words, int64_t count, int planes, uint64_t *state) {
    NAME(counter) c;
    const int64_t whole = count / LANES;
    memcpy(&c, state, sizeof(VEC) * (size_t)planes);
    NAME(count_vectors)(&c, words, LANES, whole, planes);
    if (whole * LANES < count) { /* a last vector that is not full */
        uint64_t rest[LANES] = {0};
        memcpy(rest, words + whole * LANES, (size_t)(count - whole * LANES) * 8);
        NAME(count_vectors)(&c, rest, LANES, 1, planes);
    }
    NAME(store)(&c, planes, state, LANES);
}

/* One byte a trial from up to eight planes of one group (plane k at plane[8 k]). */
static inline void NAME(to_bytes)(const uint64_t *plane, int planes, uint8_t out[64]) {
#if defined(TEMPLATE_AVX512)
    __m512i sum = _mm512_setzero_si512();
    for (int k = 0; k < planes; k++) {
        sum = _mm512_mask_add_epi8(sum, plane[CSIG_GROUPS * k], sum, _mm512_set1_epi8((char)(1 << k)));
    }
    _mm512_storeu_si512(out, sum);
#elif defined(TEMPLATE_AVX2)
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,
                                            2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    for (int half = 0; half < 2; half++) {
        __m256i sum = _mm256_setzero_si256();
        for (int k = 0; k < planes; k++) {
            __m256i x = _mm256_set1_epi32((int)(uint32_t)(plane[CSIG_GROUPS * k] >> (32 * half)));
            x = _mm256_and_si256(_mm256_shuffle_epi8(x, spread), bit);
            x = _mm256_and_si256(_mm256_cmpeq_epi8(x, bit), _mm256_set1_epi8((char)(1 << k)));
            sum = _mm256_or_si256(sum, x);
        }
        _mm256_storeu_si256((__m256i *)(out + 32 * half), sum);
    }
#else
    /* Eight 8 x 8 bit matrices: row k of matrix j is byte j of plane k. */
    for (int j = 0; j < 8; j++) {
        uint64_t m = 0, t;
        for (int k = 0; k < planes; k++) m |= ((plane[CSIG_GROUPS * k] >> (8 * j)) & 0xff) << (8 * k);
        t = (m ^ (m >> 7)) & 0x00aa00aa00aa00aau;
        m ^= t ^ (t << 7);
        t = (m ^ (m >> 14)) & 0x0000cccc0000ccccu;
        m ^= t ^ (t << 14);
        t = (m ^ (m >> 28)) & 0x00000000f0f0f0f0u;
        m ^= t ^ (t << 28);
        for (int k = 0; k < 8; k++) out[8 * j + k] = (uint8_t)(m >> (8 * k));
    }
#endif
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
            histogram[cell[t]]++;
            histogram[cell[t + 1]]++;
            histogram[cell[t + 2]]++;
            histogram[cell[t + 3]]++;
            histogram[cell[t + 4]]++;
            histogram[cell[t + 5]]++;
            histogram[cell[t + 6]]++;
            histogram[cell[t + 7]]++;
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

#undef VEC
#undef NAME
#undef LANES
