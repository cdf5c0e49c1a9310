/* The vector part of nested lists, included once for each instruction set. Parameters: NAME(x), and
 * LANES, the doubles of a vector. */

#if defined(TEMPLATE_AVX512) || defined(TEMPLATE_AVX2)

#if defined(TEMPLATE_AVX512)
#define INTEGERS __m512i
#define HALF __m256i
#define LOWER(x) _mm512_castsi512_si256(x)
#define UPPER(x) _mm512_extracti64x4_epi64(x, 1)
#else
#define INTEGERS __m256i
#define HALF __m128i
#define LOWER(x) _mm256_castsi256_si128(x)
#define UPPER(x) _mm256_extracti128_si256(x, 1)
#endif

/* Vectors of 32-bit numbers, and of doubles, in a block. */
enum { NAME(integers) = BLOCK / (2 * LANES), NAME(doubles) = BLOCK / LANES };

/* Adds an event to the sums of the trials that negate its candidate. */
static inline void NAME(add)(const csig_nested_event *e, uint32_t word, INTEGERS *right,
                             INTEGERS *wrong) {
#if defined(TEMPLATE_AVX512)
    const INTEGERS r = _mm512_set1_epi32(e->right), w = _mm512_set1_epi32(e->wrong);
    for (int i = 0; i < NAME(integers); i++) {
        const __mmask16 negated = (__mmask16)(word >> 16 * i);
        right[i] = _mm512_mask_add_epi32(right[i], negated, right[i], r);
        wrong[i] = _mm512_mask_add_epi32(wrong[i], negated, wrong[i], w);
    }
#else
    const INTEGERS r = _mm256_set1_epi32(e->right), w = _mm256_set1_epi32(e->wrong);
    const INTEGERS bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    for (int i = 0; i < NAME(integers); i++) {
        const INTEGERS own = _mm256_and_si256(_mm256_set1_epi32((int)(word >> 8 * i)), bits);
        const INTEGERS negated = _mm256_cmpeq_epi32(own, bits);
        right[i] = _mm256_add_epi32(right[i], _mm256_and_si256(negated, r));
        wrong[i] = _mm256_add_epi32(wrong[i], _mm256_and_si256(negated, w));
    }
#endif
}

static int NAME(walk)(const csig_nested *f, const uint64_t *words, int64_t stride, int shift,
                      double *sizes, volatile const int *stop) {
    INTEGERS right[NAME(integers)], wrong[NAME(integers)];
    const csig_nested_event *e = f->events;
    const DOUBLES sign = OF(set1_pd)(-0.0);
    for (int i = 0; i < NAME(integers); i++) {
#if defined(TEMPLATE_AVX512)
        right[i] = wrong[i] = _mm512_setzero_si512();
#else
        right[i] = wrong[i] = _mm256_setzero_si256();
#endif
    }
    for (int64_t n = 0; n < f->n_lengths; n++) {
        const csig_nested_event *end = f->events + f->ends[n];
        while (e < end) {
            const csig_nested_event *some = end - e < EVENTS ? end : e + EVENTS;
            for (; e < some; e += 2) {
                NAME(add)(e, (uint32_t)(words[stride * e[0].row] >> shift), right, wrong);
                NAME(add)(e + 1, (uint32_t)(words[stride * e[1].row] >> shift), right, wrong);
            }
            if (*stop) return 0;
        }
        const DOUBLES total = OF(set1_pd)(f->totals[n]), w = OF(set1_pd)(f->weights[n]);
        const DOUBLES twice_f = OF(set1_pd)(-2 * f->f[n]), twice_t = OF(set1_pd)(2 * f->t[n]);
        double *out = sizes + BLOCK * f->places[n];
        for (int i = 0; i < NAME(doubles); i++) {
            const INTEGERS r = right[i / 2], x = wrong[i / 2];
            const DOUBLES of_r =
                OF(mul_pd)(OF(cvtepi32_pd)(i % 2 ? (HALF)UPPER(r) : (HALF)LOWER(r)), twice_f);
            const DOUBLES of_w =
                OF(mul_pd)(OF(cvtepi32_pd)(i % 2 ? (HALF)UPPER(x) : (HALF)LOWER(x)), twice_t);
            const DOUBLES sum = OF(add_pd)(OF(add_pd)(of_r, of_w), total);
            OF(storeu_pd)(out + LANES * i, OF(mul_pd)(OF(andnot_pd)(sign, sum), w));
        }
    }
    return !*stop;
}

static void NAME(step_down)(const csig_nested *f, const double *sizes, int64_t *hits,
                            int64_t *single) {
    DOUBLES most[NAME(doubles)];
    for (int i = 0; i < NAME(doubles); i++) most[i] = OF(setzero_pd)();
    for (int64_t p = f->n_lengths - 1; p >= 0; p--) {
        const DOUBLES least = OF(set1_pd)(f->least[p]);
        uint32_t reached = 0, alone = 0;
        for (int i = 0; i < NAME(doubles); i++) {
            const DOUBLES size = OF(loadu_pd)(sizes + BLOCK * p + LANES * i);
            most[i] = OF(max_pd)(most[i], size);
            reached |= REACHES(most[i], least) << LANES * i;
            alone |= REACHES(size, least) << LANES * i;
        }
        hits[p] += __builtin_popcount(reached);
        single[p] += __builtin_popcount(alone);
    }
}

#undef INTEGERS
#undef HALF
#undef LOWER
#undef UPPER

#else

static int NAME(walk)(const csig_nested *f, const uint64_t *words, int64_t stride, int shift,
                      double *restrict sizes, volatile const int *stop) {
    int32_t right[BLOCK] = {0}, wrong[BLOCK] = {0};
    uint32_t bits[BLOCK];
    const csig_nested_event *e = f->events;
    for (int t = 0; t < BLOCK; t++) bits[t] = (uint32_t)1 << t;
    for (int64_t n = 0; n < f->n_lengths; n++) {
        const csig_nested_event *end = f->events + f->ends[n];
        while (e < end) {
            const csig_nested_event *some = end - e < EVENTS ? end : e + EVENTS;
            for (; e < some; e++) {
                const uint32_t word = (uint32_t)(words[stride * e->row] >> shift);
                const int32_t r = e->right, w = e->wrong;
                for (int t = 0; t < BLOCK; t++) {
                    const int32_t negated = -(int32_t)((word & bits[t]) == bits[t]);
                    right[t] += negated & r;
                    wrong[t] += negated & w;
                }
            }
            if (*stop) return 0;
        }
        const double total = f->totals[n], weight = f->weights[n];
        const double twice_f = -2 * f->f[n], twice_t = 2 * f->t[n];
        double *restrict out = sizes + BLOCK * f->places[n];
        for (int t = 0; t < BLOCK; t++) {
            const double sum = right[t] * twice_f + wrong[t] * twice_t + total;
            out[t] = (sum < 0 ? -sum : sum) * weight;
        }
    }
    return !*stop;
}

static void NAME(step_down)(const csig_nested *f, const double *sizes, int64_t *hits,
                            int64_t *single) {
    double most[BLOCK] = {0};
    for (int64_t p = f->n_lengths - 1; p >= 0; p--) {
        const double *own = sizes + BLOCK * p, least = f->least[p];
        int64_t reached = 0, alone = 0;
        for (int t = 0; t < BLOCK; t++) {
            most[t] = own[t] > most[t] ? own[t] : most[t];
            reached += most[t] >= least;
            alone += own[t] >= least;
        }
        hits[p] += reached;
        single[p] += alone;
    }
}

#endif

static const kernel NAME(kernel) = {NAME(walk), NAME(step_down)};
