/* Which instruction sets were compiled, and which this processor runs. */
#pragma once

#include "platform.h"

static inline const char *csig_isa_name(int isa) {
    static const char *const names[CSIG_ISA_COUNT] = {"base", "avx2", "avx512"};
    return names[isa];
}

/* Whether the path was compiled into this build. */
static inline int csig_isa_built(int isa) {
#if defined(CSIG_X86)
    return isa >= 0 && isa < CSIG_ISA_COUNT;
#else
    return isa == CSIG_ISA_BASE;
#endif
}

/* Whether it can run here. The builtin asks the operating system too (XGETBV). */
static inline int csig_isa_available(int isa) {
#if defined(CSIG_X86)
    __builtin_cpu_init();
    switch (isa) {
    case CSIG_ISA_BASE:
        return 1;
    case CSIG_ISA_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case CSIG_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    default:
        return 0;
    }
#else
    return isa == CSIG_ISA_BASE;
#endif
}

static inline const char *csig_compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc";
#else
    return "unknown";
#endif
}

static inline int csig_is_portable(void) {
#if defined(CSIG_PORTABLE)
    return 1;
#else
    return 0;
#endif
}
