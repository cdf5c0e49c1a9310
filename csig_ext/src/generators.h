/* Streams of 64-bit words: numpy's PCG64DXSM, PCG64 (O'Neill 2014) and Philox (Salmon et al. 2011),
 * and any foreign generator behind numpy's bitgen_t.
 *
 * Seeding is numpy's SeedSequence; the words are numpy's next_uint64, and word i of a buffer is word
 * i of the stream on every path: that is part of the streams contract. */
#pragma once

#include "u128.h"

enum { CSIG_PCG64DXSM = 0, CSIG_PCG64 = 1, CSIG_PHILOX = 2, CSIG_FOREIGN = 3 };

/* s -> a s + c (mod 2^128): one or several steps of a PCG. */
typedef struct {
    csig_u128 a, c;
} csig_jump;

typedef struct {
    int kind;
    csig_u128 state;                       /* PCG64DXSM, PCG64 */
    csig_jump step, flight, wide;          /* by 1, 4 and 32 states */
    uint64_t counter[4], key[2], block[4]; /* Philox */
    int used;                              /* Philox: words of `block` given out */
    void *foreign;                         /* foreign: numpy's bitgen_t fields */
    uint64_t (*next_uint64)(void *);
} csig_stream;

/* Puts the stream in the state numpy's own constructor gives it, from the assembled entropy of
 * a numpy.random.SeedSequence: run entropy, then the spawn key. The spawn key's last word is the
 * number of the chunk, which stands by itself: the n_entropy words before it serve every chunk. */
void csig_stream_seed(csig_stream *stream, int kind, const uint32_t *entropy, int64_t n_entropy,
                      uint32_t chunk);

/* Leaves out the next n words; of the native generators only. */
void csig_stream_skip(csig_stream *stream, uint64_t n);

/* Writes the next n words of the stream to `out`. */
void csig_stream_fill(csig_stream *stream, int isa, uint64_t *out, int64_t n);

/* Whether a kind of generator can jump. */
static inline int csig_jumps(int kind) { return kind == CSIG_PCG64DXSM || kind == CSIG_PCG64; }

/* Groups of n words: word i of group g is word g n + i of the stream. A batch are eight of them side
 * by side, as the counting kernels want them: a vector holds the same word of several groups. A PCG
 * jumps n states from group to group, so its lanes are 32 independent chains of single steps: no
 * shuffling of words, and cheaper than one chain whose steps are longer and multipliers wider. */
enum { CSIG_GROUPS = 8, CSIG_LANES = 32, CSIG_BATCHES = CSIG_LANES / CSIG_GROUPS };

typedef struct {
    uint64_t hi[CSIG_LANES], lo[CSIG_LANES]; /* every group's next state */
    csig_jump step, skip;                    /* by 1, and from a group's end to its next start */
} csig_lanes;

/* Of a generator that cannot jump some groups are buffered as they come, up to 32 MiB; of longer groups
 * one is drawn at a time, piece by piece. */
typedef struct {
    csig_stream stream;
    csig_lanes lanes;
    int64_t n;
    int isa, most, at_once; /* groups */
} csig_groups;

/* Groups that are drawn at once: `most`, which divides 32, a multiple of eight below it, or one. Where
 * `most` is one its words are not put beside others. */
int csig_groups_at_once(int64_t n, int most, int jumps);

/* Words of a buffer for them, where at most `piece` words of a group are drawn at a time. */
int64_t csig_groups_buffer(int64_t n, int most, int jumps, int64_t piece);

/* The caller has seeded groups->stream. */
void csig_groups_start(csig_groups *groups, int isa, int64_t n, int most);

/* Words row .. row + rows - 1 of groups start .. start + used - 1, `start` a multiple of at_once, and
 * used no more; the last batch is filled up. Pieces come in their order. Looks at *stop at least every
 * 2^21 words; returns 0 if it was set. */
int csig_groups_draw(csig_groups *groups, int64_t start, int used, int64_t row, int64_t rows,
                     uint64_t *out, int64_t apart, uint64_t *buffer, volatile const int *stop);
