/* Streams of 64-bit words: numpy's PCG64DXSM, PCG64 and Philox, and any foreign
 * generator behind numpy's bitgen_t.
 *
 * Seeding is numpy's SeedSequence; the words are numpy's next_uint64, in numpy's
 * order. The word order is part of the streams contract: a fill may keep several
 * steps of one generator in flight, but word i of the buffer is word i of the
 * stream on every path.
 *
 * O'Neill (2014), "PCG: A family of simple fast space-efficient statistically good
 * algorithms for random number generation"; Salmon et al. (2011), "Parallel random
 * numbers: as easy as 1, 2, 3".
 */
#ifndef CSIG_GENERATORS_H
#define CSIG_GENERATORS_H

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

/* The same, looking at *stop at least every CSIG_STOP_INTERVAL words; 0 if it was set. */
int csig_stream_buffer(csig_stream *stream, int isa, uint64_t *out, int64_t n,
                       volatile const int *stop);

/* 32 groups of n words of one stream side by side: word i of group g is word g n + i of the
 * stream. A vector then holds the same response of eight
 * groups, as the counting kernels want it. A PCG jumps n states from group to group, so
 * its lanes are 32 independent chains of single steps: no shuffling of words, and cheaper
 * than one chain that jumps four or 32 states a step, whose multiplier is wider. */
enum { CSIG_GROUPS = 8, CSIG_LANES = 32, CSIG_BATCHES = CSIG_LANES / CSIG_GROUPS };

typedef struct {
    uint64_t hi[CSIG_LANES], lo[CSIG_LANES]; /* every group's next state */
    csig_jump step, skip;                    /* by 1, and from a group's end to its next start */
    int kind;
} csig_lanes;

/* Groups as a stream gives them, group g from in + stride g on, put side by side like that: batches of
 * eight, `apart` words from each other, the last one filled up with zeros. */
void csig_side_by_side(uint64_t *out, int64_t apart, const uint64_t *in, int64_t stride, int groups,
                       int64_t rows);

/* Whether a kind of generator can jump. */
static inline int csig_jumps(int kind) { return kind == CSIG_PCG64DXSM || kind == CSIG_PCG64; }

void csig_lanes_start(csig_lanes *lanes, const csig_stream *stream, int64_t n);

/* The next `rows` words of each group of some batches, eight groups each: word i of group g
 * of batch first + b at out[stride b + 8 i + g]. After the last of a group's n words, `last`
 * moves on to the next 32 groups. */
void csig_lanes_fill(csig_lanes *lanes, int isa, int first, int batches, uint64_t *out,
                     int64_t stride, int64_t rows, int last);

#endif
