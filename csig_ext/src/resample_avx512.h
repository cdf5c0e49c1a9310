/* Pieces are cut in vectors; and for PCGs drawing and adding are woven into each other: while the vector
 * units multiply states, the rows of units that were drawn before are read and added. */

/* The pieces of eight words cut into units, which are written behind each other; returns how
 * many. `n` and `reject` are in every lane. Sixteen more places are written to. */
static inline int64_t cut_16(uint32_t *out, vec pieces, vec n, vec reject) {
    const vec unit = _mm512_mulhi_epu16(pieces, n), rest = _mm512_mullo_epi16(pieces, n);
    const uint32_t kept = _mm512_cmpge_epu16_mask(rest, reject);
    const vec low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(unit));
    const vec high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(unit, 1));
    const int first = __builtin_popcount(kept & 0xffff);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)kept, low));
    _mm512_storeu_si512(out + first, _mm512_maskz_compress_epi32((__mmask16)(kept >> 16), high));
    return first + __builtin_popcount(kept >> 16);
}

static inline int64_t cut_32(uint32_t *out, vec pieces, vec n, vec reject) {
    const vec even = _mm512_mul_epu32(pieces, n);
    const vec odd = _mm512_mul_epu32(_mm512_srli_epi64(pieces, 32), n);
    const vec unit = _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
    const vec rest = _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
    const __mmask16 kept = _mm512_cmpge_epu32_mask(rest, reject);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(kept, unit));
    return __builtin_popcount(kept);
}

/* The number of units as cut_16 or cut_32 takes it, and what is rejected. */
static inline vec lanes_of(uint64_t n, int bits) {
    return bits == 16 ? _mm512_set1_epi16((short)n) : _mm512_set1_epi64((long long)n);
}

static inline vec rejects_of(uint32_t reject, int bits) {
    return bits == 16 ? _mm512_set1_epi16((short)reject) : _mm512_set1_epi32((int)reject);
}

static int64_t vector_draw(uint32_t *out, const uint64_t *words, int64_t n_words, uint64_t n,
                           uint32_t reject) {
    const int bits = n < 1 << 16 ? 16 : 32;
    const vec lanes = lanes_of(n, bits), rejects = rejects_of(reject, bits);
    int64_t kept = 0;
    if (n == 1 << 16 || n > UINT32_MAX) return avx512_draw(out, words, n_words, n, reject);
    for (int64_t i = 0; i < n_words; i += 8) {
        const vec pieces = _mm512_loadu_si512(words + i);
        kept += (bits == 16 ? cut_16 : cut_32)(out + kept, pieces, lanes, rejects);
    }
    return kept;
}

#define ALWAYS static inline __attribute__((always_inline))

/* Sums of rows of one, two, four or eight words; those of another width are not used. */
typedef struct {
    uint64_t one;
    __m128i two;
    __m256i four;
    vec eight;
} woven_sum;

ALWAYS void add_row(woven_sum *sum, const uint64_t *row, int words) {
    if (words == 1) {
        sum->one += *row;
        __asm__("" : "+r"(sum->one)); /* else gcc makes one long chain of both parts */
    }
    if (words == 2) sum->two = _mm_add_epi64(sum->two, _mm_loadu_si128((const __m128i *)row));
    if (words == 4) {
        sum->four = _mm256_add_epi64(sum->four, _mm256_loadu_si256((const __m256i *)row));
    }
    if (words == 8) sum->eight = _mm512_add_epi64(sum->eight, _mm512_loadu_si512(row));
}

ALWAYS void take_sum(const woven_sum *sum, uint64_t *total, int words) {
    uint64_t parts[8] = {sum->one};
    if (words == 2) _mm_storeu_si128((__m128i *)parts, sum->two);
    if (words == 4) _mm256_storeu_si256((__m256i *)parts, sum->four);
    if (words == 8) _mm512_storeu_si512(parts, sum->eight);
    for (int w = 0; w < words; w++) total[w] += parts[w];
}

/* Adds the rows of 32 units, in two parts whose additions do not wait for each other. */
ALWAYS void add_32(woven_sum *even, woven_sum *odd, const uint64_t *rows, const uint32_t *unit,
                   int words) {
    for (int i = 0; i < 32; i += 2) {
        uint64_t pair;
        memcpy(&pair, unit + i, 8); /* one load for both */
        add_row(even, rows + (size_t)words * (uint32_t)pair, words);
        add_row(odd, rows + (size_t)words * (pair >> 32), words);
    }
}

/* The next eight words of a lane, cut into units. */
ALWAYS int64_t draw_8(uint32_t *out, vec *hi, vec *lo, const vector_jump *jump, vec n, vec reject,
                      int kind, int bits) {
    const vec pieces =
        kind == CSIG_PCG64 ? vector_output_xsl_rr(*hi, *lo) : vector_output_dxsm(*hi, *lo);
    vector_step(hi, lo, jump, 0);
    return bits == 16 ? cut_16(out, pieces, n, reject) : cut_32(out, pieces, n, reject);
}

/* Adds blocks of 64 units to `total` as long as `wanted` has so many, and draws as much. Returns how
 * many are left to be added; so many wait. */
ALWAYS int64_t weave_of(csig_resample_walk *walk, const csig_resample *table, uint64_t *total,
                        int64_t wanted, int kind, int bits, int words) {
    const vec n = lanes_of((uint64_t)table->n_units, bits),
              reject = rejects_of(table->reject, bits);
    const vector_jump jump = to_vectors(&walk->jump);
    const uint64_t *rows = table->rows;
    uint32_t *units = walk->units;
    int64_t first = walk->first, end = walk->end, left = wanted;
    const woven_sum none = {0, _mm_setzero_si128(), _mm256_setzero_si256(), _mm512_setzero_si512()};
    woven_sum even = none, odd = none;
    vec hi = _mm512_loadu_si512(walk->hi), lo = _mm512_loadu_si512(walk->lo);
    vec hi2 = _mm512_loadu_si512(walk->hi + 8), lo2 = _mm512_loadu_si512(walk->lo + 8);
    for (;;) {
        if (end > CSIG_RESAMPLE_UNITS - 96) {
            memmove(units, units + first, 4 * (size_t)(end - first));
            end -= first;
            first = 0;
        }
        if (left >= 64 && end - first >= 64) {
            walk->drawn += CSIG_RESAMPLE_LANES;
            end += draw_8(units + end, &hi, &lo, &jump, n, reject, kind, bits);
            add_32(&even, &odd, rows, units + first, words);
            end += draw_8(units + end, &hi2, &lo2, &jump, n, reject, kind, bits);
            add_32(&even, &odd, rows, units + first + 32, words);
            first += 64;
            left -= 64;
        } else if (left > end - first || left >= 64) {
            walk->drawn += CSIG_RESAMPLE_LANES;
            end += draw_8(units + end, &hi, &lo, &jump, n, reject, kind, bits);
            end += draw_8(units + end, &hi2, &lo2, &jump, n, reject, kind, bits);
        } else {
            break;
        }
    }
    _mm512_storeu_si512(walk->hi, hi);
    _mm512_storeu_si512(walk->lo, lo);
    _mm512_storeu_si512(walk->hi + 8, hi2);
    _mm512_storeu_si512(walk->lo + 8, lo2);
    walk->first = first;
    walk->end = end;
    take_sum(&even, total, words);
    take_sum(&odd, total, words);
    return left;
}

ALWAYS int64_t weave_words(csig_resample_walk *walk, const csig_resample *table, uint64_t *total,
                           int64_t wanted, int words) {
    const int small = table->n_units < 1 << 16;
    if (walk->stream.kind == CSIG_PCG64) {
        return small ? weave_of(walk, table, total, wanted, CSIG_PCG64, 16, words)
                     : weave_of(walk, table, total, wanted, CSIG_PCG64, 32, words);
    }
    return small ? weave_of(walk, table, total, wanted, CSIG_PCG64DXSM, 16, words)
                 : weave_of(walk, table, total, wanted, CSIG_PCG64DXSM, 32, words);
}

/* Rows of at most eight words are woven. */
static int64_t weave(csig_resample_walk *walk, const csig_resample *table, uint64_t *total,
                     int64_t wanted) {
    if (table->row_words == 1) return weave_words(walk, table, total, wanted, 1);
    if (table->row_words == 2) return weave_words(walk, table, total, wanted, 2);
    if (table->row_words == 4) return weave_words(walk, table, total, wanted, 4);
    return weave_words(walk, table, total, wanted, 8);
}

#undef ALWAYS
