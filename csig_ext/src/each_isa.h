/* Includes TEMPLATE once for each instruction set of this build. The pragmas compile one region of
 * this translation unit for other instructions than the rest, so no compiler flag is needed.
 *
 * Parameters of a template: NAME(x)   the function name for this instruction set
 *                           LANES     64-bit lanes of a vector: 1, 2, 4 or 8
 *                           VEC       its own to define, its own vector
 * One of TEMPLATE_AVX512, TEMPLATE_AVX2 may be defined for steps that need instructions of their
 * own: of vectors of doubles, DOUBLES, OF(x) and REACHES(x, y), a bit for each x >= y. */
#ifndef TEMPLATE
#error "each_isa.h needs TEMPLATE"
#endif

#define NAME(x) base_##x
#if defined(CSIG_PORTABLE)
#define LANES 1
#else
#define LANES 2
#endif
#include TEMPLATE
#undef NAME
#undef LANES
#undef VEC

#if defined(CSIG_X86)
CSIG_TARGET_AVX2
#define NAME(x) avx2_##x
#define LANES 4
#define DOUBLES __m256d
#define OF(x) _mm256_##x
#define REACHES(x, y) (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(x, y, _CMP_GE_OQ))
#define TEMPLATE_AVX2
#include TEMPLATE
#undef TEMPLATE_AVX2
#undef REACHES
#undef OF
#undef DOUBLES
#undef VEC
#undef LANES
#undef NAME
CSIG_TARGET_END

CSIG_TARGET_AVX512
#define NAME(x) avx512_##x
#define LANES 8
#define DOUBLES __m512d
#define OF(x) _mm512_##x
#define REACHES(x, y) (uint32_t)_mm512_cmp_pd_mask(x, y, _CMP_GE_OQ)
#define TEMPLATE_AVX512
#include TEMPLATE
#undef TEMPLATE_AVX512
#undef REACHES
#undef OF
#undef DOUBLES
#undef VEC
#undef LANES
#undef NAME
CSIG_TARGET_END

static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &avx2_kernel, &avx512_kernel};
#else
static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &base_kernel, &base_kernel};
#endif
