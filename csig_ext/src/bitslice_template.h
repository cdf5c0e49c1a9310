/* Counting bits in bit-sliced form; leaves VEC defined. A carry-save adder takes three words to two, so counting n words takes about n
 * adders of five logic operations (two with three-input instructions). The planes, bit k of every
 * count, become one number per trial at the end. */

/* A vector, and the same at any address: memcpy of 32 bytes is compiled to two halves, and
 * reading them back as one waits for both stores. */
#if LANES == 1
typedef uint64_t NAME(vec);
typedef uint64_t NAME(loose);
#else
typedef uint64_t NAME(vec) __attribute__((vector_size(8 * LANES)));
typedef uint64_t NAME(loose) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
#define VEC NAME(vec)

static inline VEC NAME(load)(const uint64_t *p) { return *(const NAME(loose) *)p; }

static inline void NAME(store)(uint64_t *p, VEC v) { *(NAME(loose) *)p = v; }

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

/* Sum and carry of x and of what y and z lack: the bits of x, ~y and ~z. */
static inline void NAME(full_add_not)(VEC *sum, VEC *carry, VEC x, VEC y, VEC z) {
#if defined(TEMPLATE_AVX512)
    *carry = (VEC)_mm512_ternarylogic_epi64((__m512i)x, (__m512i)y, (__m512i)z, 0x71);
    *sum = (VEC)_mm512_ternarylogic_epi64((__m512i)x, (__m512i)y, (__m512i)z, 0x96);
#else
    VEC either = y ^ z;
    *carry = ~(y | z) | (either & x);
    *sum = either ^ x;
#endif
}

/* Eight words into three planes; what carries over is in *eights. */
static inline void NAME(add_eight)(VEC *ones, VEC *twos, VEC *fours, VEC *eights, const VEC w[8]) {
    VEC twos_a, twos_b, fours_a, fours_b;
    NAME(full_add)(ones, &twos_a, *ones, w[0], w[1]);
    NAME(full_add)(ones, &twos_b, *ones, w[2], w[3]);
    NAME(full_add)(twos, &fours_a, *twos, twos_a, twos_b);
    NAME(full_add)(ones, &twos_a, *ones, w[4], w[5]);
    NAME(full_add)(ones, &twos_b, *ones, w[6], w[7]);
    NAME(full_add)(twos, &fours_b, *twos, twos_a, twos_b);
    NAME(full_add)(fours, eights, *fours, fours_a, fours_b);
}

/* One byte a trial from up to eight planes of one group (plane k at plane[8 k]). */
static inline void NAME(to_bytes)(const uint64_t *plane, int planes, uint8_t out[64]) {
#if defined(TEMPLATE_AVX512)
    __m512i sum = _mm512_setzero_si512();
    for (int k = 0; k < planes; k++) {
        sum = _mm512_mask_add_epi8(sum, plane[CSIG_GROUPS * k], sum,
                                   _mm512_set1_epi8((char)(1 << k)));
    }
    _mm512_storeu_si512(out, sum);
#elif defined(TEMPLATE_AVX2)
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                            2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
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
        for (int k = 0; k < planes; k++)
            m |= ((plane[CSIG_GROUPS * k] >> (8 * j)) & 0xff) << (8 * k);
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
