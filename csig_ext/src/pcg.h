/* PCG64DXSM and PCG64 step by step, for what draws from them in its own loop. */
#pragma once

#include "generators.h"

static inline uint64_t output_dxsm(csig_u128 s) {
    uint64_t hi = s.hi, lo = s.lo | 1;
    hi ^= hi >> 32;
    hi *= 0xda942042e4dd58b5u;
    hi ^= hi >> 48;
    return hi * lo;
}

static inline uint64_t output_xsl_rr(csig_u128 s) {
    uint64_t x = s.hi ^ s.lo;
    unsigned r = (unsigned)(s.hi >> 58);
    return (x >> r) | (x << ((64 - r) & 63));
}

static inline csig_u128 pcg_step(csig_u128 s, csig_jump by) {
    return csig_add128(csig_mul128(s, by.a), by.c);
}

/* The jump over 2^doublings times as many states. */
static inline csig_jump pcg_double(csig_jump by, int doublings) {
    for (; doublings > 0; doublings--) {
        by.c = pcg_step(by.c, by);
        by.a = csig_mul128(by.a, by.a);
    }
    return by;
}

#if defined(CSIG_X86)
CSIG_TARGET_AVX512

typedef __m512i vec;

/* Both halves of eight 64 x 64-bit products, from four 32-bit ones each. */
static inline void mul_both(vec a, vec b, vec *hi, vec *lo) {
    const vec low = _mm512_set1_epi64(0xffffffff);
    vec ah = _mm512_srli_epi64(a, 32), bh = _mm512_srli_epi64(b, 32);
    vec ll = _mm512_mul_epu32(a, b), hl = _mm512_mul_epu32(ah, b);
    vec lh = _mm512_mul_epu32(a, bh), hh = _mm512_mul_epu32(ah, bh);
    vec mid = _mm512_add_epi64(hl, _mm512_srli_epi64(ll, 32));
    vec mid2 = _mm512_add_epi64(lh, _mm512_and_si512(mid, low));
    *hi = _mm512_add_epi64(_mm512_add_epi64(hh, _mm512_srli_epi64(mid, 32)),
                           _mm512_srli_epi64(mid2, 32));
    *lo = _mm512_or_si512(_mm512_slli_epi64(mid2, 32), _mm512_and_si512(ll, low));
}

static inline vec vector_output_dxsm(vec hi, vec lo) {
    const vec m = _mm512_set1_epi64((long long)0xda942042e4dd58b5u);
    lo = _mm512_or_si512(lo, _mm512_set1_epi64(1));
    hi = _mm512_xor_si512(hi, _mm512_srli_epi64(hi, 32));
    hi = _mm512_mullo_epi64(hi, m);
    hi = _mm512_xor_si512(hi, _mm512_srli_epi64(hi, 48));
    return _mm512_mullo_epi64(hi, lo);
}

static inline vec vector_output_xsl_rr(vec hi, vec lo) {
    return _mm512_rorv_epi64(_mm512_xor_si512(hi, lo), _mm512_srli_epi64(hi, 58));
}

/* A jump with every part in all lanes, which stays in registers during a loop. */
typedef struct {
    vec al, ah, cl, ch;
} vector_jump;

static inline vector_jump to_vectors(const csig_jump *by) {
    const vector_jump j = {
        _mm512_set1_epi64((long long)by->a.lo), _mm512_set1_epi64((long long)by->a.hi),
        _mm512_set1_epi64((long long)by->c.lo), _mm512_set1_epi64((long long)by->c.hi)};
    return j;
}

/* One jump of eight states. `narrow`: the multiplier has no high half. */
static inline void vector_step(vec *hi, vec *lo, const vector_jump *by, int narrow) {
    vec cross = _mm512_mullo_epi64(*hi, by->al), high, low;
    if (!narrow) cross = _mm512_add_epi64(cross, _mm512_mullo_epi64(*lo, by->ah));
    mul_both(*lo, by->al, &high, &low);
    high = _mm512_add_epi64(high, _mm512_add_epi64(cross, by->ch));
    low = _mm512_mullo_epi64(*lo, by->al); /* faster than from the four products */
    *lo = _mm512_add_epi64(low, by->cl);
    const __mmask8 carry = _mm512_cmplt_epu64_mask(*lo, by->cl);
    *hi = _mm512_mask_add_epi64(high, carry, high, _mm512_set1_epi64(1));
}

CSIG_TARGET_END
#endif
