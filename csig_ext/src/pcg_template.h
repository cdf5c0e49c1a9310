/* Filling buffers from a PCG, included once for each output function: NAME(output) makes a word of a
 * state, NAME(vector_output) eight words of eight. NARROW is 1 if the multiplier of a single step has
 * no high half, else 0. */

#if defined(CSIG_X86)
CSIG_TARGET_AVX512

/* Each step jumps all 32 states at once, so the words come out in the stream's order,
 * eight per store. Writes a multiple of 32 words and returns how many; below 64 words
 * the start does not pay. */
static int64_t NAME(vector_fill)(csig_stream *stream, uint64_t *out, int64_t n) {
    uint64_t hi[WIDE], lo[WIDE];
    vec h[VECTORS], l[VECTORS];
    csig_u128 s[FLIGHT];
    const vector_jump wide = to_vectors(&stream->wide);
    int64_t i = 0;
    if (n < 2 * WIDE) return 0;
    s[0] = stream->state;
    for (int k = 1; k < FLIGHT; k++) s[k] = pcg_step(s[k - 1], stream->step);
    for (int k = 0; k < WIDE; k++) {
        hi[k] = s[k % FLIGHT].hi;
        lo[k] = s[k % FLIGHT].lo;
        s[k % FLIGHT] = pcg_step(s[k % FLIGHT], stream->flight);
    }
    for (int k = 0; k < VECTORS; k++) {
        h[k] = _mm512_loadu_si512(hi + 8 * k);
        l[k] = _mm512_loadu_si512(lo + 8 * k);
    }
    for (; i + WIDE <= n; i += WIDE) {
        for (int k = 0; k < VECTORS; k++) {
            _mm512_storeu_si512(out + i + 8 * k, NAME(vector_output)(h[k], l[k]));
            vector_step(&h[k], &l[k], &wide, 0);
        }
    }
    _mm512_storeu_si512(hi, h[0]);
    _mm512_storeu_si512(lo, l[0]);
    stream->state.hi = hi[0];
    stream->state.lo = lo[0];
    return i;
}

/* `vectors` batches in flight: a constant, so that they stay in registers. */
static inline void NAME(vector_batches)(csig_lanes *lanes, int first, const int vectors,
                                        uint64_t *out, int64_t stride, int64_t n, int last) {
    vec h[VECTORS], l[VECTORS];
    uint64_t *hi = lanes->hi + 8 * first, *lo = lanes->lo + 8 * first;
    const vector_jump step = to_vectors(&lanes->step), skip = to_vectors(&lanes->skip);
    for (int k = 0; k < vectors; k++) {
        h[k] = _mm512_loadu_si512(hi + 8 * k);
        l[k] = _mm512_loadu_si512(lo + 8 * k);
    }
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < vectors; k++) {
            _mm512_storeu_si512(out + stride * k + 8 * i, NAME(vector_output)(h[k], l[k]));
            vector_step(&h[k], &l[k], &step, NARROW);
        }
    }
    for (int k = 0; k < vectors; k++) {
        if (last) vector_step(&h[k], &l[k], &skip, 0);
        _mm512_storeu_si512(hi + 8 * k, h[k]);
        _mm512_storeu_si512(lo + 8 * k, l[k]);
    }
}

static void NAME(vector_lanes)(csig_lanes *lanes, int first, int batches, uint64_t *out,
                               int64_t stride, int64_t n, int last) {
    for (int here; batches > 0; batches -= here, first += here, out += here * stride) {
        here = batches >= VECTORS ? VECTORS : batches >= 2 ? 2 : 1;
        if (here == VECTORS) NAME(vector_batches)(lanes, first, VECTORS, out, stride, n, last);
        if (here == 2) NAME(vector_batches)(lanes, first, 2, out, stride, n, last);
        if (here == 1) NAME(vector_batches)(lanes, first, 1, out, stride, n, last);
    }
}

CSIG_TARGET_END
#endif

static void NAME(fill)(csig_stream *stream, int isa, uint64_t *out, int64_t n) {
    csig_u128 s[FLIGHT];
    int64_t i = 0;
    (void)isa;
#if defined(CSIG_X86)
    if (isa == CSIG_ISA_AVX512) i = NAME(vector_fill)(stream, out, n);
#endif
    s[0] = stream->state;
    if (n - i >= 4 * FLIGHT) {
        for (int k = 1; k < FLIGHT; k++) s[k] = pcg_step(s[k - 1], stream->step);
        for (; i + FLIGHT <= n; i += FLIGHT) {
            for (int k = 0; k < FLIGHT; k++) {
                out[i + k] = NAME(output)(s[k]);
                s[k] = pcg_step(s[k], stream->flight);
            }
        }
    }
    for (; i < n; i++) {
        out[i] = NAME(output)(s[0]);
        s[0] = pcg_step(s[0], stream->step);
    }
    stream->state = s[0];
}

static void NAME(lanes)(csig_lanes *lanes, int isa, int first, int batches, uint64_t *out,
                        int64_t stride, int64_t n, int last) {
    (void)isa;
#if defined(CSIG_X86)
    if (isa == CSIG_ISA_AVX512) {
        NAME(vector_lanes)(lanes, first, batches, out, stride, n, last);
        return;
    }
#endif
    for (int batch = 0; batch < batches; batch++) {
        csig_u128 s[CSIG_GROUPS];
        uint64_t *hi = lanes->hi + CSIG_GROUPS * (first + batch);
        uint64_t *lo = lanes->lo + CSIG_GROUPS * (first + batch), *word = out + batch * stride;
        for (int g = 0; g < CSIG_GROUPS; g++) s[g].hi = hi[g], s[g].lo = lo[g];
        for (int64_t i = 0; i < n; i++, word += CSIG_GROUPS) {
            for (int g = 0; g < CSIG_GROUPS; g++) {
                word[g] = NAME(output)(s[g]);
                s[g] = pcg_step(s[g], lanes->step);
            }
        }
        for (int g = 0; g < CSIG_GROUPS; g++) {
            if (last) s[g] = pcg_step(s[g], lanes->skip);
            hi[g] = s[g].hi;
            lo[g] = s[g].lo;
        }
    }
}

#undef NAME
#undef NARROW
