#include "generators.h"

#include "pcg.h"

enum { POOL = 4 };

static inline uint32_t hashmix(uint32_t value, uint32_t *hash_const) {
    value ^= *hash_const;
    *hash_const *= 0x931e8875u;
    value *= *hash_const;
    return value ^ (value >> 16);
}

static inline uint32_t mix(uint32_t x, uint32_t y) {
    uint32_t r = 0xca01f9ddu * x - 0x4973f715u * y;
    return r ^ (r >> 16);
}

/* Writes n 64-bit words. A pool is filled up with zeros. */
static void seed_sequence(const uint32_t *entropy, int64_t n_entropy, uint32_t chunk, uint64_t *out,
                          int n) {
    uint32_t pool[POOL];
    uint32_t hash_const = 0x43b0d7e5u;
    for (int i = 0; i < POOL; i++) {
        uint32_t word = i < n_entropy ? entropy[i] : i == n_entropy ? chunk : 0;
        pool[i] = hashmix(word, &hash_const);
    }
    for (int src = 0; src < POOL; src++) {
        for (int dst = 0; dst < POOL; dst++) {
            if (src != dst) pool[dst] = mix(pool[dst], hashmix(pool[src], &hash_const));
        }
    }
    for (int64_t src = POOL; src <= n_entropy; src++) {
        uint32_t word = src < n_entropy ? entropy[src] : chunk;
        for (int dst = 0; dst < POOL; dst++) {
            pool[dst] = mix(pool[dst], hashmix(word, &hash_const));
        }
    }
    hash_const = 0x8b51f9ddu;
    for (int i = 0; i < n; i++) {
        uint64_t word = 0;
        for (int half = 0; half < 2; half++) { /* low half first, as numpy's '<u8' view */
            uint32_t value = pool[(2 * i + half) % POOL] ^ hash_const;
            hash_const *= 0x58f38dedu;
            value *= hash_const;
            value ^= value >> 16;
            word |= (uint64_t)value << (32 * half);
        }
        out[i] = word;
    }
}

static const csig_u128 pcg64_multiplier = {0x2360ed051fc65da4u, 0x4385df649fccf645u};
static const csig_u128 cheap_multiplier = {0, 0xda942042e4dd58b5u};

/* Steps in flight, as each waits about ten cycles for the one before it: with AVX-512 four vectors of
 * eight. */
enum { FLIGHT = 4, VECTORS = 4, WIDE = 8 * VECTORS };

#define NAME(x) x##_dxsm
#define NARROW 1
#include "pcg_template.h"

#define NAME(x) x##_xsl_rr
#define NARROW 0
#include "pcg_template.h"

/* The jump over n states, by squaring. */
static csig_jump jump_over(csig_jump step, uint64_t n) {
    csig_jump by_n = {{0, 1}, {0, 0}};
    for (; n > 0; n >>= 1) {
        if (n & 1) {
            by_n.c = pcg_step(by_n.c, step);
            by_n.a = csig_mul128(by_n.a, step.a);
        }
        step = pcg_double(step, 1);
    }
    return by_n;
}

static void lanes_start(csig_lanes *lanes, const csig_stream *stream, int64_t n) {
    const csig_jump by_n = jump_over(stream->step, (uint64_t)n);
    csig_u128 s = stream->state;
    for (int g = 0; g < CSIG_LANES; g++) {
        lanes->hi[g] = s.hi;
        lanes->lo[g] = s.lo;
        s = pcg_step(s, by_n);
    }
    /* A group's words bring its lane n on; 31 n more is where the next 32 groups go on. */
    lanes->skip = by_n;
    for (int g = 1; g < CSIG_LANES - 1; g++) {
        lanes->skip.c = pcg_step(lanes->skip.c, by_n);
        lanes->skip.a = csig_mul128(lanes->skip.a, by_n.a);
    }
    lanes->step = stream->step;
}

#define PHILOX_M0 0xD2E7470EE14C6C93u
#define PHILOX_M1 0xCA5A826395121157u
#define PHILOX_W0 0x9E3779B97F4A7C15u
#define PHILOX_W1 0xBB67AE8584CAA73Bu

static inline void philox_block(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4]) {
    uint64_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint64_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        csig_u128 p0 = csig_mul64(PHILOX_M0, c0), p1 = csig_mul64(PHILOX_M1, c2);
        c0 = p1.hi ^ c1 ^ k0;
        c1 = p1.lo;
        c2 = p0.hi ^ c3 ^ k1;
        c3 = p0.lo;
        k0 += PHILOX_W0;
        k1 += PHILOX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* numpy counts first and computes the block afterwards. */
static inline void philox_advance(uint64_t counter[4]) {
    for (int i = 0; i < 4; i++) {
        if (++counter[i] != 0) break;
    }
}

#if defined(CSIG_X86)
CSIG_TARGET_AVX512

/* Blocks in groups of 16: two vectors of eight counters hide each other's latency. */
static int64_t vector_philox_blocks(csig_stream *s, uint64_t *out, int64_t n_blocks) {
    const vec m0 = _mm512_set1_epi64((long long)PHILOX_M0);
    const vec m1 = _mm512_set1_epi64((long long)PHILOX_M1);
    const vec even = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const vec odd = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    int64_t done = 0;
    while (n_blocks - done >= 16 && s->counter[0] <= UINT64_MAX - 16) {
        vec c0[2], c1[2], c2[2], c3[2];
        for (int v = 0; v < 2; v++) {
            c0[v] =
                _mm512_add_epi64(_mm512_set1_epi64((long long)(s->counter[0] + 8u * (unsigned)v)),
                                 _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8));
            c1[v] = _mm512_set1_epi64((long long)s->counter[1]);
            c2[v] = _mm512_set1_epi64((long long)s->counter[2]);
            c3[v] = _mm512_set1_epi64((long long)s->counter[3]);
        }
        uint64_t k0 = s->key[0], k1 = s->key[1];
        for (int round = 0; round < 10; round++) {
            vec v0 = _mm512_set1_epi64((long long)k0), v1 = _mm512_set1_epi64((long long)k1);
            for (int v = 0; v < 2; v++) {
                vec hi0, lo0, hi1, lo1;
                mul_both(c0[v], m0, &hi0, &lo0);
                mul_both(c2[v], m1, &hi1, &lo1);
                c0[v] = _mm512_xor_si512(_mm512_xor_si512(hi1, c1[v]), v0);
                c1[v] = lo1;
                c2[v] = _mm512_xor_si512(_mm512_xor_si512(hi0, c3[v]), v1);
                c3[v] = lo0;
            }
            k0 += PHILOX_W0;
            k1 += PHILOX_W1;
        }
        for (int v = 0; v < 2; v++) { /* lanes are blocks: back to the order of the stream */
            uint64_t *o = out + 4 * done + 32 * v;
            vec t0 = _mm512_unpacklo_epi64(c0[v], c1[v]), t1 = _mm512_unpackhi_epi64(c0[v], c1[v]);
            vec t2 = _mm512_unpacklo_epi64(c2[v], c3[v]), t3 = _mm512_unpackhi_epi64(c2[v], c3[v]);
            vec p = _mm512_permutex2var_epi64(t0, even, t2); /* blocks 0 and 2 */
            vec q = _mm512_permutex2var_epi64(t1, even, t3); /* 1 and 3 */
            vec r = _mm512_permutex2var_epi64(t0, odd, t2);  /* 4 and 6 */
            vec u = _mm512_permutex2var_epi64(t1, odd, t3);  /* 5 and 7 */
            _mm512_storeu_si512(o, _mm512_shuffle_i64x2(p, q, 0x44));
            _mm512_storeu_si512(o + 8, _mm512_shuffle_i64x2(p, q, 0xee));
            _mm512_storeu_si512(o + 16, _mm512_shuffle_i64x2(r, u, 0x44));
            _mm512_storeu_si512(o + 24, _mm512_shuffle_i64x2(r, u, 0xee));
        }
        s->counter[0] += 16;
        done += 16;
    }
    return done;
}

CSIG_TARGET_END
#endif

static void fill_philox(csig_stream *s, int isa, uint64_t *out, int64_t n) {
    int64_t i = 0;
    (void)isa;
    while (i < n && s->used < 4) out[i++] = s->block[s->used++];
#if defined(CSIG_X86)
    if (isa == CSIG_ISA_AVX512) i += 4 * vector_philox_blocks(s, out + i, (n - i) / 4);
#endif
    for (; i + 4 <= n; i += 4) {
        philox_advance(s->counter);
        philox_block(s->counter, s->key, out + i);
    }
    if (i < n) {
        philox_advance(s->counter);
        philox_block(s->counter, s->key, s->block);
        s->used = 0;
        while (i < n) out[i++] = s->block[s->used++];
    }
}

/* Whole blocks are counted, not computed. */
static void skip_philox(csig_stream *s, uint64_t n) {
    const uint64_t left = (uint64_t)(4 - s->used);
    if (n <= left) {
        s->used += (int)n;
        return;
    }
    n -= left;
    const uint64_t blocks = (n - 1) / 4, before = s->counter[0];
    s->counter[0] += blocks;
    for (int i = 1, carry = s->counter[0] < before; carry && i < 4; i++) {
        carry = ++s->counter[i] == 0;
    }
    philox_advance(s->counter);
    philox_block(s->counter, s->key, s->block);
    s->used = (int)(n - 4 * blocks);
}

void csig_stream_seed(csig_stream *s, int kind, const uint32_t *entropy, int64_t n_entropy,
                      uint32_t chunk) {
    uint64_t words[4];
    s->kind = kind;
    s->foreign = NULL;
    s->next_uint64 = NULL;
    if (kind == CSIG_PHILOX) {
        seed_sequence(entropy, n_entropy, chunk, words, 2);
        for (int i = 0; i < 4; i++) s->counter[i] = s->block[i] = 0;
        s->key[0] = words[0];
        s->key[1] = words[1];
        s->used = 4;
        return;
    }
    seed_sequence(entropy, n_entropy, chunk, words, 4);
    csig_u128 seed = {words[0], words[1]};
    csig_u128 inc = {(words[2] << 1) | (words[3] >> 63), (words[3] << 1) | 1};
    /* Both PCGs are seeded with the full multiplier: state 0, step, add, step. */
    csig_jump full = {pcg64_multiplier, inc};
    s->state = pcg_step(csig_add128(inc, seed), full);
    if (kind == CSIG_PCG64) { /* PCG64 steps before its output: hold the next state */
        s->state = pcg_step(s->state, full);
    }
    s->step = full;
    if (kind == CSIG_PCG64DXSM) s->step.a = cheap_multiplier;
    s->flight = pcg_double(s->step, 2);
    s->wide = pcg_double(s->flight, 3);
}

void csig_stream_skip(csig_stream *s, uint64_t n) {
    if (s->kind == CSIG_PHILOX) {
        skip_philox(s, n);
    } else {
        s->state = pcg_step(s->state, jump_over(s->step, n));
    }
}

void csig_stream_fill(csig_stream *s, int isa, uint64_t *out, int64_t n) {
    switch (s->kind) {
    case CSIG_PCG64DXSM:
        fill_dxsm(s, isa, out, n);
        break;
    case CSIG_PCG64:
        fill_xsl_rr(s, isa, out, n);
        break;
    case CSIG_PHILOX:
        fill_philox(s, isa, out, n);
        break;
    default:
        for (int64_t i = 0; i < n; i++) out[i] = s->next_uint64(s->foreign);
    }
}

enum { BUFFERED = 1 << 22 }; /* words */

int csig_groups_at_once(int64_t n, int most, int jumps) {
    if (jumps || n <= BUFFERED / most) return most;
    return n <= BUFFERED / CSIG_GROUPS ? (int)(BUFFERED / CSIG_GROUPS / n) * CSIG_GROUPS : 1;
}

int64_t csig_groups_buffer(int64_t n, int most, int jumps, int64_t piece) {
    const int at_once = csig_groups_at_once(n, most, jumps);
    return jumps ? 0 : at_once > 1 ? at_once * n : piece;
}

void csig_groups_start(csig_groups *groups, int isa, int64_t n, int most) {
    const int jumps = csig_jumps(groups->stream.kind);
    groups->n = n;
    groups->isa = isa;
    groups->most = most;
    groups->at_once = csig_groups_at_once(n, most, jumps);
    if (jumps && most > 1) lanes_start(&groups->lanes, &groups->stream, n);
}

/* Groups as a stream gives them, group g from in + stride g on, in batches. */
static void side_by_side(uint64_t *out, int64_t apart, const uint64_t *in, int64_t stride,
                         int groups, int64_t rows) {
    for (; groups > 0; groups -= CSIG_GROUPS, in += CSIG_GROUPS * stride, out += apart) {
        for (int64_t i = 0; i < rows; i++) {
            for (int g = 0; g < CSIG_GROUPS; g++) {
                out[CSIG_GROUPS * i + g] = g < groups ? in[g * stride + i] : 0;
            }
        }
    }
}

int csig_groups_draw(csig_groups *groups, int64_t start, int used, int64_t row, int64_t rows,
                     uint64_t *out, int64_t apart, uint64_t *buffer, volatile const int *stop) {
    const int64_t n = groups->n, most = CSIG_STOP_INTERVAL;
    const int kind = groups->stream.kind, whole = groups->at_once > 1;
    if (csig_jumps(kind) && groups->most > 1) {
        (kind == CSIG_PCG64 ? lanes_xsl_rr : lanes_dxsm)(
            &groups->lanes, groups->isa, (int)(start / CSIG_GROUPS % CSIG_BATCHES),
            (used + CSIG_GROUPS - 1) / CSIG_GROUPS, out, apart, rows, row + rows == n);
        return !*stop;
    }
    uint64_t *to = groups->most > 1 ? buffer : out;
    const int64_t words = !whole ? rows : row == 0 ? used * n : 0;
    for (int64_t i = 0; i < words; i += most) {
        csig_stream_fill(&groups->stream, groups->isa, to + i, words - i < most ? words - i : most);
        if (*stop) return 0;
    }
    if (groups->most > 1) side_by_side(out, apart, buffer + (whole ? row : 0), n, used, rows);
    return !*stop;
}
