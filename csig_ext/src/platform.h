/* What this compiler and processor offer, decided once.
 *
 * CSIG_PORTABLE    defined by the build (or here, for compilers without the
 *                  extensions): plain C11, no vector types, no 128-bit integers.
 * CSIG_X86         the AVX2 and AVX-512 paths can be compiled.
 *
 * For all kernels: the caller owns all memory, and each function says what it needs; what is laid out
 * once is shared by threads. No header of Python is included.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A fused multiply-add would change the last bit of a p-value from one machine to the next. gcc does
 * not know the pragma, and has -ffp-contract=off of setup.py. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#if !defined(CSIG_PORTABLE) && !(defined(__GNUC__) || defined(__clang__))
#define CSIG_PORTABLE 1
#endif

#if !defined(CSIG_PORTABLE) && defined(__x86_64__)
#define CSIG_X86 1
#include <immintrin.h>
#endif

/* Begin and end a region compiled for an instruction set; see each_isa.h. */
#if defined(CSIG_X86)
#define CSIG_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define CSIG_TARGET(set) \
    CSIG_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define CSIG_TARGET_END CSIG_PRAGMA(clang attribute pop)
#else
#define CSIG_TARGET(set) CSIG_PRAGMA(GCC push_options) CSIG_PRAGMA(GCC target(set))
#define CSIG_TARGET_END CSIG_PRAGMA(GCC pop_options)
#endif
#define CSIG_TARGET_AVX2 CSIG_TARGET("avx2")
#define CSIG_TARGET_AVX512 CSIG_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#endif

/* The instruction sets in order of preference. */
enum { CSIG_ISA_BASE = 0, CSIG_ISA_AVX2 = 1, CSIG_ISA_AVX512 = 2, CSIG_ISA_COUNT = 3 };

/* A kernel that takes `stop` looks at *stop after at most so many words, and returns CSIG_OK, or
 * CSIG_STOPPED where it was set: what was made is then incomplete. */
#define CSIG_STOP_INTERVAL ((int64_t)1 << 21)
enum { CSIG_OK = 0, CSIG_STOPPED = 1 };
