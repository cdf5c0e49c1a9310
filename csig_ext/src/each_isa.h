/* Includes TEMPLATE once for each instruction set of this build. The pragmas compile one region of
 * this translation unit for other instructions than the rest, so no compiler flag is needed.
 *
 * Parameters of a template are NAME(x), the function name for this instruction set, and LANES, 64-bit
 * lanes of a vector: 1, 2, 4 or 8. TEMPLATE_AVX512 or TEMPLATE_AVX2 is defined for steps that need
 * instructions of their own. VEC, DOUBLES and WIDTH are the template's to define. */

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
#undef DOUBLES
#undef WIDTH

#if defined(CSIG_X86)
CSIG_TARGET_AVX2
#define NAME(x) avx2_##x
#define LANES 4
#define TEMPLATE_AVX2
#include TEMPLATE
#undef TEMPLATE_AVX2
#undef VEC
#undef DOUBLES
#undef WIDTH
#undef LANES
#undef NAME
CSIG_TARGET_END

CSIG_TARGET_AVX512
#define NAME(x) avx512_##x
#define LANES 8
#define TEMPLATE_AVX512
#include TEMPLATE
#undef TEMPLATE_AVX512
#undef VEC
#undef DOUBLES
#undef WIDTH
#undef LANES
#undef NAME
CSIG_TARGET_END

static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &avx2_kernel, &avx512_kernel};
#else
static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &base_kernel, &base_kernel};
#endif
