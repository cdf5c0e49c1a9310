/* Unsigned arithmetic modulo 2^128, with the compiler's own type where there is one. */
#pragma once

#include "platform.h"

typedef struct {
    uint64_t hi, lo;
} csig_u128;

/* The full product of two 64-bit numbers. */
static inline csig_u128 csig_mul64(uint64_t a, uint64_t b) {
    csig_u128 r;
#if defined(__SIZEOF_INT128__) && !defined(CSIG_PORTABLE)
    unsigned __int128 p = (unsigned __int128)a * b;
    r.hi = (uint64_t)(p >> 64);
    r.lo = (uint64_t)p;
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t ll = al * bl;
    uint64_t mid = ah * bl + (ll >> 32);
    uint64_t mid2 = al * bh + (uint32_t)mid;
    r.hi = ah * bh + (mid >> 32) + (mid2 >> 32);
    r.lo = (mid2 << 32) | (uint32_t)ll;
#endif
    return r;
}

static inline csig_u128 csig_add128(csig_u128 a, csig_u128 b) {
    const uint64_t lo = a.lo + b.lo;
    const csig_u128 r = {a.hi + b.hi + (lo < a.lo), lo};
    return r;
}

static inline csig_u128 csig_mul128(csig_u128 a, csig_u128 b) {
    csig_u128 r = csig_mul64(a.lo, b.lo);
    r.hi += a.hi * b.lo + a.lo * b.hi;
    return r;
}
