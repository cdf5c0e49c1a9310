/* Vectors of doubles. Leaves DOUBLES and WIDTH, the doubles of a vector, defined. */
#if defined(CSIG_X86)
typedef double NAME(doubles) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#else
typedef double NAME(doubles);
#endif
#define DOUBLES NAME(doubles)
enum { NAME(width) = sizeof(DOUBLES) / 8 };
#define WIDTH NAME(width)

static inline DOUBLES NAME(all)(double x) {
    const DOUBLES zero = {0};
    return zero + x;
}

static inline DOUBLES NAME(larger)(DOUBLES x, DOUBLES y) {
#if defined(TEMPLATE_AVX512)
    return _mm512_max_pd(x, y);
#elif defined(TEMPLATE_AVX2)
    return _mm256_max_pd(x, y);
#elif defined(CSIG_X86)
    return _mm_max_pd(x, y);
#else
    return x > y ? x : y;
#endif
}

/* A bit for each x >= y. */
static inline uint32_t NAME(reaches)(DOUBLES x, DOUBLES y) {
#if defined(TEMPLATE_AVX512)
    return _mm512_cmp_pd_mask(x, y, _CMP_GE_OQ);
#elif defined(TEMPLATE_AVX2)
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(x, y, _CMP_GE_OQ));
#elif defined(CSIG_X86)
    return (uint32_t)_mm_movemask_pd(_mm_cmpge_pd(x, y));
#else
    return x >= y;
#endif
}

static inline int64_t NAME(ones)(uint32_t bits) {
#if defined(CSIG_PORTABLE)
    int64_t n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
#else
    return __builtin_popcount(bits);
#endif
}
