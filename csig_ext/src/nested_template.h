#include "doubles_template.h"

/* 32-bit numbers, twice as many as doubles in a vector; as doubles, half of them. */
#if defined(CSIG_X86)
typedef int32_t NAME(integers) __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef int32_t NAME(half) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#else
typedef int32_t NAME(integers);
#endif
#if defined(TEMPLATE_AVX512)
#define TO_DOUBLES(x) _mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)(x)))
#elif defined(CSIG_X86)
#define TO_DOUBLES(x) __builtin_convertvector(*(const NAME(half) *)(x), DOUBLES)
#else
#define TO_DOUBLES(x) (double)*(x)
#endif
#define ALL_BITS(equal) \
    (sizeof(INTEGERS) > 4 ? (equal) : -(equal)) /* vectors have them, numbers 1 */
#define INTEGERS NAME(integers)
enum { NAME(n_integers) = sizeof(INTEGERS) / 4 };

/* Adds an event to the sums of the trials that negate its candidate. */
static inline void NAME(add)(const csig_nested_event *e, uint32_t word, INTEGERS *right,
                             INTEGERS *wrong) {
#if defined(TEMPLATE_AVX512)
    const __m512i r = _mm512_set1_epi32(e->right), w = _mm512_set1_epi32(e->wrong);
    for (int i = 0; i < BLOCK / NAME(n_integers); i++) {
        const __mmask16 negated = (__mmask16)(word >> 16 * i);
        right[i] =
            (INTEGERS)_mm512_mask_add_epi32((__m512i)right[i], negated, (__m512i)right[i], r);
        wrong[i] =
            (INTEGERS)_mm512_mask_add_epi32((__m512i)wrong[i], negated, (__m512i)wrong[i], w);
    }
#else
    static const int32_t powers[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const INTEGERS bits = *(const INTEGERS *)powers, none = {0};
    for (int i = 0; i < BLOCK / NAME(n_integers); i++) {
        const INTEGERS own = (none + (int32_t)(word >> NAME(n_integers) * i)) & bits;
        const INTEGERS negated = ALL_BITS(own == bits);
        right[i] += negated & e->right;
        wrong[i] += negated & e->wrong;
    }
#endif
}

static int NAME(walk)(const csig_nested *f, const uint64_t *words, int64_t stride, int shift,
                      double *sizes, volatile const int *stop) {
    const INTEGERS none = {0};
    INTEGERS right[BLOCK / NAME(n_integers)], wrong[BLOCK / NAME(n_integers)];
    const csig_nested_event *e = f->events;
    for (int i = 0; i < BLOCK / NAME(n_integers); i++) right[i] = wrong[i] = none;
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
        const double twice_f = -2 * f->f[n], twice_t = 2 * f->t[n];
        const double total = f->totals[n], weight = f->weights[n];
        double *out = sizes + BLOCK * f->places[n];
        int32_t r[BLOCK], w[BLOCK];
        for (int i = 0; i < BLOCK / NAME(n_integers); i++) {
            *(INTEGERS *)(r + NAME(n_integers) * i) = right[i];
            *(INTEGERS *)(w + NAME(n_integers) * i) = wrong[i];
        }
        for (int i = 0; i < BLOCK; i += WIDTH) {
            const DOUBLES sum = (TO_DOUBLES(r + i) * twice_f + TO_DOUBLES(w + i) * twice_t) + total;
            *(DOUBLES *)(out + i) = NAME(larger)(sum, -sum) * weight;
        }
    }
    return !*stop;
}

static void NAME(step_down)(const csig_nested *f, const double *sizes, int64_t *hits,
                            int64_t *single) {
    DOUBLES most[BLOCK / WIDTH];
    for (int i = 0; i < BLOCK / WIDTH; i++) most[i] = NAME(all)(0);
    for (int64_t p = f->n_lengths - 1; p >= 0; p--) {
        const DOUBLES least = NAME(all)(f->least[p]);
        uint32_t reached = 0, alone = 0;
        for (int i = 0; i < BLOCK / WIDTH; i++) {
            const DOUBLES size = *(const DOUBLES *)(sizes + BLOCK * p + WIDTH * i);
            most[i] = NAME(larger)(most[i], size);
            reached |= NAME(reaches)(most[i], least) << WIDTH * i;
            alone |= NAME(reaches)(size, least) << WIDTH * i;
        }
        hits[p] += NAME(ones)(reached);
        single[p] += NAME(ones)(alone);
    }
}

static const kernel NAME(kernel) = {NAME(walk), NAME(step_down)};

#undef INTEGERS
#undef TO_DOUBLES
#undef ALL_BITS
