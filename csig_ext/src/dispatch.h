/* Which instruction sets were compiled, and which this processor runs. */
#pragma once

#include "platform.h"

static const char *const csig_isa_names[CSIG_ISA_COUNT] = {"base", "avx2", "avx512"};

#if defined(CSIG_X86)
enum { CSIG_ISA_BUILT = CSIG_ISA_COUNT };
#else
enum { CSIG_ISA_BUILT = 1 };
#endif

/* Of those built, how many can run here. The builtin asks the operating system too (XGETBV). */
static inline int csig_isa_available(void) {
#if defined(CSIG_X86)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return CSIG_ISA_AVX2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
        return CSIG_ISA_AVX512;
    }
#endif
    return CSIG_ISA_BUILT;
}

#if defined(__clang__)
#define CSIG_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define CSIG_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define CSIG_COMPILER "msvc"
#else
#define CSIG_COMPILER "unknown"
#endif

#if defined(CSIG_PORTABLE)
enum { CSIG_IS_PORTABLE = 1 };
#else
enum { CSIG_IS_PORTABLE = 0 };
#endif
