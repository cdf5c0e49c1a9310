#include "fourier.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2 || __FLT_EVAL_METHOD__ < 0)
#error "the proofs need doubles that are rounded after every operation (-msse2 -mfpmath=sse)"
#endif
#if defined(_MSC_VER)
#pragma fp_contract(off)
#endif

enum {
    BLOCK = CSIG_FOURIER_BLOCK,
    GROUP = CSIG_FOURIER_GROUP,
    SUMS = CSIG_FOURIER_SUMS,
    STEP = CSIG_FOURIER_STEP,
    WIDTH = 16, /* lanes, whatever a vector holds */
    ROWS = 16,
    CHUNK = ROWS * WIDTH,
    TILE = 4,    /* groups of frequencies that pass by together */
    BATCH = 256, /* and cells */
    AROUND = 2 * STEP + 1
};

static const double PI = 0x1.921fb54442d18p+1, ONE_OVER_PI = 0x1.45f306dc9c883p-2;
static const double TO_WHOLE = 6755399441055744.0; /* 1.5 2^52 */
static const double LOG2_E = 0x1.71547652b82fep+0, LN2 = 0x1.62e42fefa39efp-1;
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c76730p-45; /* 42 bits */
static const double LARGE = 0.7; /* from here on log cosh x = x - log 2 + log(1 + exp(-2x)) */

/* Polynomials through the values at Chebyshev points, the last one less its largest error:
 * tests/reference/fourier_polynomials.py. */

/* (sin x - x) / x^3 of z = x^2 <= (pi/2)^2 */
enum { SINE_DEGREE = 7, VERSINE_DEGREE = 7, GROWTH_DEGREE = 10, ARTANH_DEGREE = 5 };
static const double SINE[] = {
    -0x1.5555555555555p-3,  0x1.1111111111107p-7,  -0x1.a01a01a018aadp-13, 0x1.71de3a5456716p-19,
    -0x1.ae6455a1d7087p-26, 0x1.6124015b5ee3ap-33, -0x1.ae5138c1216aep-41, 0x1.89a4866f52735p-49};
/* (1 - cos x) / x^2 of z = x^2 <= (pi/2)^2 */
static const double VERSINE[] = {
    0x1.0000000000000p-1,  -0x1.5555555555526p-5,  0x1.6c16c16c13953p-10, -0x1.a01a019d87525p-16,
    0x1.27e4fa7121209p-22, -0x1.1eed1d662880ap-29, 0x1.9360bf069a33ep-37, -0x1.a0d2f174dfa31p-45};
/* (exp x - 1 - x) / x^2 of |x| <= log(2) / 2 */
static const double GROWTH[] = {0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,
                                0x1.11111111100dfp-7,  0x1.6c16c16c162d6p-10, 0x1.a01a01abe62ddp-13,
                                0x1.a01a01a6d7808p-16, 0x1.71de023756534p-19, 0x1.27e4db67b42e3p-22,
                                0x1.af4ddd848f7dfp-26, 0x1.1f72fc730f7c5p-29};
/* (artanh v - v) / v^3 of y = v^2 <= 0.0129 */
static const double ARTANH[] = {0x1.5555555555553p-2, 0x1.99999999a1387p-3, 0x1.24924909ac115p-3,
                                0x1.c71cb72ad8e25p-4, 0x1.7434b2ee8c9acp-4, 0x1.45dfc735ae059p-4};
/* below sin(pi r) / r of r^2 <= 1/4, by at least 2^-26 */
static const double BELOW_SINE[] = {0x1.920d7df1a9e6ep+1, -0x1.49734c197cb1fp+2,
                                    0x1.2abd85971c2edp+1};

int csig_fourier_polynomial(int which, const char **name, const double **coefficients) {
    static const char *const names[] = {"sine", "versine", "growth", "artanh", "below_sine"};
    const double *const all[] = {SINE, VERSINE, GROWTH, ARTANH, BELOW_SINE};
    static const int degrees[] = {SINE_DEGREE, VERSINE_DEGREE, GROWTH_DEGREE, ARTANH_DEGREE, 2};
    *name = names[which], *coefficients = all[which];
    return degrees[which] + 1;
}

/* exp(i t d) - 1 of a chunk. */
typedef struct {
    double re[CHUNK], im[CHUNK];
} turned;

/* Lane by lane. */
typedef struct {
    double re[WIDTH], im[WIDTH];
} product;

typedef struct {
    void (*turns)(const double *d, double c, double *re, double *im);
    void (*joins)(const turned *from, const turned *by, turned *to);
    void (*factors)(const double *h, const turned *at, product *p);
    void (*both)(const double *h, const turned *at, const turned *by, product *before,
                 product *behind);
    void (*beside)(const double *h, const turned *at, const turned *by, double side, product *p);
    void (*tilt)(const double *d, double theta, double *h, double *q);
    void (*log_coshs)(const double *d, double theta, double *out);
    void (*sum)(const double *d, double theta, double sums[SUMS][WIDTH]);
    void (*shrink)(const double *turn, const double *q, int items, int cells, const double *centre,
                   const double *half, double *square);
} kernel;

#define TEMPLATE "fourier_template.h"
#include "each_isa.h"

/* The items of a chunk: themselves, or with zeros behind them in `copy`, which change no sum and no
 * product. */
static const double *chunk_of(const double *from, int64_t n, double *copy) {
    if (n >= CHUNK) return from;
    memset(copy, 0, CHUNK * sizeof(double));
    memcpy(copy, from, (size_t)n * sizeof(double));
    return copy;
}

static void reset(product *p, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        for (int i = 0; i < WIDTH; i++) p[k].re[i] = 1, p[k].im[i] = 0;
    }
}

/* The product of all lanes. */
static void together(const product *p, double *re, double *im) {
    double a = p->re[0], b = p->im[0];
    for (int i = 1; i < WIDTH; i++) {
        const double c = a * p->re[i] - b * p->im[i];
        b = a * p->im[i] + b * p->re[i];
        a = c;
    }
    *re = a, *im = b;
}

/* Frequencies below 9 are group 0; then there are groups of 9. */
static int64_t group_of(int64_t k) { return k / AROUND; }

/* One group, of a chunk: frequencies AROUND group + (from .. to) are asked for, others may get any
 * number. `powers` has the turns at 1 .. STEP. */
static void around(const kernel *p, const double *d, const double *h, double delta, int64_t group,
                   int from, int to, const turned *powers, turned *centre, product *products) {
    if (group == 0) {
        for (int j = 1; j <= STEP; j++) {
            const turned *by = powers + j - 1;
            if (from <= j && j <= to) p->factors(h, by, products + j);
            if (from <= j + STEP && j + STEP <= to) {
                p->beside(h, powers + STEP - 1, by, 1, products + j + STEP);
            }
        }
        return;
    }
    p->turns(d, (double)(AROUND * group + STEP) * delta * ONE_OVER_PI, centre->re, centre->im);
    if (from <= STEP && STEP <= to) p->factors(h, centre, products + STEP);
    for (int j = 1; j <= STEP; j++) {
        const int before = STEP - j, behind = STEP + j;
        const int back = from <= before && before <= to, forth = from <= behind && behind <= to;
        const turned *by = powers + j - 1;
        if (back && forth) {
            p->both(h, centre, by, products + before, products + behind);
        } else if (back || forth) {
            p->beside(h, centre, by, back ? -1 : 1, products + (back ? before : behind));
        }
    }
}

static void powers_of(const kernel *p, const double *d, double delta, turned *powers) {
    p->turns(d, delta * ONE_OVER_PI, powers[0].re, powers[0].im);
    p->joins(powers, powers, powers + 1);
    p->joins(powers + 1, powers, powers + 2);
    p->joins(powers + 1, powers + 1, powers + 3);
}

void csig_fourier_near(int isa, int64_t n, const double *d, const double *h, double delta,
                       int64_t first, int64_t count, double *re, double *im) {
    const int64_t last = first + count - 1;
    double copy[2][CHUNK];
    turned powers[STEP], centre;
    product products[TILE * AROUND];
    for (int64_t tile = group_of(first); tile <= group_of(last); tile += TILE) {
        reset(products, TILE * AROUND);
        for (int64_t at = 0; at < n; at += CHUNK) {
            const double *own = chunk_of(d + at, n - at, copy[0]);
            const double *tilt = chunk_of(h + at, n - at, copy[1]);
            powers_of(kernels[isa], own, delta, powers);
            for (int64_t g = tile; g < tile + TILE && g <= group_of(last); g++) {
                const int64_t from = first - g * AROUND, to = last - g * AROUND;
                around(kernels[isa], own, tilt, delta, g, from < 0 ? 0 : (int)from,
                       to < AROUND ? (int)to : AROUND - 1, powers, &centre,
                       products + (g - tile) * AROUND);
            }
        }
        for (int64_t k = 0; k < TILE * AROUND; k++) {
            const int64_t i = tile * AROUND + k - first;
            if (i >= 0 && i < count) together(products + k, re + i, im + i);
        }
    }
}

void csig_fourier_at(int isa, int64_t n, const double *d, const double *h, double delta,
                     int64_t count, const int64_t *k, double *re, double *im) {
    double copy[2][CHUNK];
    turned turns;
    product products[TILE * AROUND];
    for (int64_t start = 0; start < count; start += TILE * AROUND) {
        const int64_t here = count - start < TILE * AROUND ? count - start : TILE * AROUND;
        reset(products, here);
        for (int64_t at = 0; at < n; at += CHUNK) {
            const double *own = chunk_of(d + at, n - at, copy[0]);
            const double *tilt = chunk_of(h + at, n - at, copy[1]);
            for (int64_t i = 0; i < here; i++) {
                kernels[isa]->turns(own, (double)k[start + i] * delta * ONE_OVER_PI, turns.re,
                                    turns.im);
                kernels[isa]->factors(tilt, &turns, products + i);
            }
        }
        for (int64_t i = 0; i < here; i++) together(products + i, re + start + i, im + start + i);
    }
}

/* Adds to a sum and to what it lost. */
static void add(double *sum, double *lost, double value) { /* Knuth's two-sum */
    const double total = *sum + value, part = total - *sum;
    *lost += (*sum - (total - part)) + (value - part);
    *sum = total;
}

void csig_fourier_sums(int isa, int64_t n, const double *d, double theta,
                       double out[2 * CSIG_FOURIER_SUMS]) {
    double copy[CHUNK], lanes[SUMS][WIDTH];
    memset(out, 0, 2 * SUMS * sizeof(double));
    for (int64_t at = 0; at < n; at += CHUNK) {
        kernels[isa]->sum(chunk_of(d + at, n - at, copy), theta, lanes);
        for (int s = 0; s < SUMS; s++) {
            double total = lanes[s][0];
            for (int i = 1; i < WIDTH; i++) total += lanes[s][i];
            add(out + 2 * s, out + 2 * s + 1, total);
        }
    }
}

void csig_fourier_sizes(int64_t n, const double *d, double out[2]) {
    double copy[CHUNK], sum[WIDTH] = {0}, most[WIDTH] = {0};
    for (int64_t at = 0; at < n; at += CHUNK) {
        const double *own = chunk_of(d + at, n - at, copy);
        for (int i = 0; i < CHUNK; i += WIDTH) {
            for (int j = 0; j < WIDTH; j++) {
                sum[j] += own[i + j];
                most[j] = own[i + j] > most[j] ? own[i + j] : most[j];
            }
        }
    }
    out[0] = out[1] = 0;
    for (int j = 0; j < WIDTH; j++) {
        out[0] += sum[j];
        out[1] = most[j] > out[1] ? most[j] : out[1];
    }
}

void csig_fourier_tilt(int isa, int64_t n, const double *d, double theta, double *h, double *q) {
    double copy[CHUNK], first[CHUNK], second[CHUNK];
    for (int64_t at = 0; at < n; at += CHUNK) {
        if (n - at >= CHUNK) {
            kernels[isa]->tilt(d + at, theta, h + at, q + at);
            continue;
        }
        kernels[isa]->tilt(chunk_of(d + at, n - at, copy), theta, first, second);
        memcpy(h + at, first, (size_t)(n - at) * sizeof(double));
        memcpy(q + at, second, (size_t)(n - at) * sizeof(double));
    }
}

void csig_fourier_turns(int isa, int64_t n, const double *d, double t, double *re, double *im) {
    double copy[CHUNK], first[CHUNK], second[CHUNK];
    for (int64_t at = 0; at < n; at += CHUNK) {
        const size_t bytes = (size_t)(n - at < CHUNK ? n - at : CHUNK) * sizeof(double);
        kernels[isa]->turns(chunk_of(d + at, n - at, copy), t * ONE_OVER_PI, first, second);
        memcpy(re + at, first, bytes);
        memcpy(im + at, second, bytes);
    }
}

void csig_fourier_log_cosh(int isa, int64_t n, const double *d, double theta, double *out) {
    double copy[CHUNK], own[CHUNK];
    for (int64_t at = 0; at < n; at += CHUNK) {
        const size_t bytes = (size_t)(n - at < CHUNK ? n - at : CHUNK) * sizeof(double);
        kernels[isa]->log_coshs(chunk_of(d + at, n - at, copy), theta, own);
        memcpy(out + at, own, bytes);
    }
}

/* Cells that are still above the limit: of the batch, the first `left`. */
typedef struct {
    double centre[BATCH], half[BATCH], square[BATCH];
    int which[BATCH];
    int left;
} batch;

static void begin(batch *b, int cells, const double *centre, const double *half) {
    b->left = cells;
    for (int c = 0; c < BATCH; c++) {
        const int from = c < cells ? c : 0; /* vectors are full */
        b->centre[c] = centre[from];
        b->half[c] = (half[from] + centre[from] * (16 * DBL_EPSILON)) * (1 + 8 * DBL_EPSILON);
        b->square[c] = 1;
        b->which[c] = c;
    }
}

/* The cells that are done after so many items get their bounds; the others move to the front. */
static void settle(batch *b, int64_t items, int last, double limit, double *bound, int64_t *used) {
    const double rounded = 1 + 4 * DBL_EPSILON * (double)items;
    int kept = 0;
    for (int c = 0; c < b->left; c++) {
        const double square = b->square[c] * rounded;
        if (last || square < limit) {
            const double root = sqrt(square) * (1 + 4 * DBL_EPSILON);
            bound[b->which[c]] = root < 1 ? root : 1;
            used[b->which[c]] = items;
            continue;
        }
        b->centre[kept] = b->centre[c], b->half[kept] = b->half[c];
        b->square[kept] = b->square[c], b->which[kept] = b->which[c];
        kept++;
    }
    b->left = kept;
    for (int c = kept; c < BATCH && c % WIDTH; c++)
        b->square[c] = 1; /* no numbers below the normal */
}

int csig_fourier_cells(int isa, int64_t n, const double *d, const double *q, int64_t cells,
                       const double *centre, const double *half, double below, double *bound,
                       int64_t *used, volatile const int *stop) {
    const double least = 1e-150, wanted = below * below * (1 - 64 * DBL_EPSILON);
    const double limit = wanted > least ? wanted : least;
    batch b;
    for (int64_t from = 0; from < cells; from += BATCH) {
        begin(&b, cells - from < BATCH ? (int)(cells - from) : BATCH, centre + from, half + from);
        for (int64_t at = 0; b.left; at += GROUP) {
            const int items = n - at < GROUP ? (int)(n - at) : GROUP;
            double turn[GROUP];
            if (*stop) return CSIG_STOPPED;
            for (int i = 0; i < items; i++) turn[i] = d[at + i] * ONE_OVER_PI;
            kernels[isa]->shrink(turn, q + at, items, (b.left + WIDTH - 1) / WIDTH * WIDTH,
                                 b.centre, b.half, b.square);
            settle(&b, at + items, at + items == n, limit, bound + from, used + from);
        }
    }
    return CSIG_OK;
}
