/* Includes TEMPLATE once for each instruction set of this build, with NAME(x) and LANES as
 * bitslice_template.h explains. The pragmas compile one region of this translation unit for
 * other instructions than the rest, so no compiler flag is needed. */
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

#if defined(CSIG_X86)
CSIG_TARGET_AVX2
#define NAME(x) avx2_##x
#define LANES 4
#define TEMPLATE_AVX2
#include TEMPLATE
#undef TEMPLATE_AVX2
CSIG_TARGET_END

CSIG_TARGET_AVX512
#define NAME(x) avx512_##x
#define LANES 8
#define TEMPLATE_AVX512
#include TEMPLATE
#undef TEMPLATE_AVX512
CSIG_TARGET_END

static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &avx2_kernel, &avx512_kernel};
#else
static const kernel *const kernels[CSIG_ISA_COUNT] = {&base_kernel, &base_kernel, &base_kernel};
#endif
