/* A line per kernel: an FNV-1a hash of the bits that it computes from numbers of a small generator.
 * Fails where two instruction sets of this processor differ. What begins with libm rests on the
 * platform's log, and need not be the same elsewhere; hashes.txt has the lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "binomial.h"
#include "dispatch.h"
#include "fourier.h"
#include "generators.h"
#include "inversion.h"
#include "lattice.h"
#include "shuffle.h"

enum { N = 4001, WORDS = 20011, CELLS = 300, SPACE = 1 << 16, FIRST = 40, SECOND = 50 };

static double d[N], h[N], q[N], one[4 * N], two[4 * N];
static uint64_t words[WORDS], space[SPACE], histogram[(FIRST + 1) * (SECOND + 1)];
static volatile const int stop = 0;

static uint64_t state = 12345;
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static uint64_t hash_words(uint64_t hash, const uint64_t *from, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        for (int shift = 0; shift < 64; shift += 8)
            hash = (hash ^ (from[i] >> shift & 255)) * 1099511628211u;
    return hash;
}

static uint64_t hash_doubles(uint64_t hash, const double *from, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, from + i, sizeof bits);
        hash = hash_words(hash, &bits, 1);
    }
    return hash;
}

static uint64_t stream(uint64_t hash, int isa, int kind) {
    static const uint32_t seed[4] = {7, 0, 3, 1};
    csig_stream own;
    csig_stream_seed(&own, kind, seed, 4, 5);
    csig_stream_fill(&own, isa, words, WORDS);
    hash = hash_words(hash, words, WORDS);
    csig_stream_skip(&own, ((uint64_t)1 << 40) + 5);
    csig_stream_fill(&own, isa, words, 777);
    hash = hash_words(hash, words, 777);
    if (csig_shuffle_workspace(FIRST, SECOND) > SPACE) return 0;
    memset(histogram, 0, sizeof histogram);
    csig_shuffle_classes(&own, isa, FIRST, SECOND, 4000, space, histogram, NULL, NULL, &stop);
    return hash_words(hash, histogram, (FIRST + 1) * (SECOND + 1));
}

static uint64_t pcg64dxsm(uint64_t hash, int isa) { return stream(hash, isa, CSIG_PCG64DXSM); }
static uint64_t pcg64(uint64_t hash, int isa) { return stream(hash, isa, CSIG_PCG64); }
static uint64_t philox(uint64_t hash, int isa) { return stream(hash, isa, CSIG_PHILOX); }

static uint64_t turns(uint64_t hash, int isa) {
    csig_fourier_turns(isa, N, d, 12.375, one, two);
    return hash_doubles(hash_doubles(hash, one, N), two, N);
}

static uint64_t log_cosh(uint64_t hash, int isa) {
    csig_fourier_log_cosh(isa, N, d, 0.83, one);
    return hash_doubles(hash, one, N);
}

static uint64_t tilt(uint64_t hash, int isa) {
    csig_fourier_tilt(isa, N, d, 0.011, one, two);
    return hash_doubles(hash_doubles(hash, one, N), two, N);
}

static uint64_t sums(uint64_t hash, int isa) {
    csig_fourier_sums(isa, N, d, 0.011, one);
    return hash_doubles(hash, one, 2 * CSIG_FOURIER_SUMS);
}

static uint64_t near(uint64_t hash, int isa) {
    csig_fourier_near(isa, N, d, h, 0.0007, 1, 512, one, two);
    return hash_doubles(hash_doubles(hash, one, 512), two, 512);
}

static uint64_t cells(uint64_t hash, int isa) {
    double centre[CELLS], half[CELLS], bound[CELLS];
    int64_t used[CELLS];
    for (int i = 0; i < CELLS; i++) centre[i] = 0.01 * i + 0.02, half[i] = 0.005;
    csig_fourier_cells(isa, N, d, q, CELLS, centre, half, 1e-6, bound, used, &stop);
    hash = hash_doubles(hash, bound, CELLS);
    for (int i = 0; i < CELLS; i++) words[i] = (uint64_t)used[i];
    return hash_words(hash, words, CELLS);
}

static uint64_t roots(uint64_t hash, int isa) {
    (void)isa;
    csig_roots_fill(1000003, 10, one, two);
    return hash_doubles(hash_doubles(hash, one, 4 * 977), two, 4 * 1000);
}

static uint64_t odds(uint64_t hash, int isa) {
    (void)isa;
    for (int i = 0; i < 100; i++) words[i] = (uint64_t)i;
    csig_inversion_odds(1.0625, 0.9375, (const int64_t *)words, (const int64_t *)words + 3, 90,
                        one);
    return hash_doubles(hash, one, 180);
}

static uint64_t weights(uint64_t hash, int isa) {
    int64_t first;
    double lost = 0;
    (void)isa;
    if (csig_lattice_weights_bound(900, 1e-20) > 4 * N) return 0;
    hash = hash_doubles(
        hash, one, csig_lattice_weights(1.03125, 0.9375, 2, 1, 900, 1e-20, one, &first, &lost));
    csig_lattice_powers(0.9375, 1000, two);
    return hash_doubles(hash_doubles(hash, two, 1000), &lost, 1);
}

static uint64_t binomial(uint64_t hash, int isa) {
    csig_binomial_walk walk;
    (void)isa;
    csig_binomial_start(&walk, 100000);
    for (int i = 0; i < N; i++, csig_binomial_next(&walk)) one[i] = walk.probability.value;
    return hash_doubles(hash, one, N);
}

static const struct {
    const char *name;
    uint64_t (*of)(uint64_t hash, int isa);
} kernels[] = {
    {"PCG64DXSM", pcg64dxsm},
    {"PCG64", pcg64},
    {"Philox", philox},
    {"turns", turns},
    {"log_cosh", log_cosh},
    {"tilt", tilt},
    {"sums", sums},
    {"near", near},
    {"cells", cells},
    {"roots", roots},
    {"odds", odds},
    {"weights", weights},
    {"libm binomial", binomial},
};

int main(void) {
    const uint64_t start = 14695981039346656037u;
    for (int i = 0; i < N; i++) {
        d[i] = 2 * uniform() + 0x1p-20;
        h[i] = uniform() / 2;
        q[i] = 1 - h[i] * h[i];
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const uint64_t hash = kernels[i].of(start, CSIG_ISA_BASE);
        for (int isa = CSIG_ISA_BASE + 1; isa < csig_isa_available(); isa++) {
            if (kernels[i].of(start, isa) == hash) continue;
            printf("%s: %s differs from base\n", kernels[i].name, csig_isa_names[isa]);
            return 1;
        }
        printf("%s %016" PRIx64 "\n", kernels[i].name, hash);
    }
    return 0;
}
