/* Nothing here may depend on the width of a vector: a cell is computed by itself, and a dot product has
 * 32 partial sums everywhere. */
static void NAME(add_one)(double *restrict out, const double *restrict in, double w, int64_t n) {
    for (int64_t i = 0; i < n; i++) out[i] += w * in[i];
}

/* Two and four at once: the output is loaded and stored less often. */
static void NAME(add_two)(double *restrict out, const double *const in[4], const double w[4],
                          int64_t n) {
    const double *restrict p0 = in[0], *restrict p1 = in[1];
    const double w0 = w[0], w1 = w[1];
    for (int64_t i = 0; i < n; i++) {
        double cell = out[i] + w0 * p0[i];
        out[i] = cell + w1 * p1[i];
    }
}

static void NAME(add_four)(double *restrict out, const double *const in[4], const double w[4],
                           int64_t n) {
    const double *restrict p0 = in[0], *restrict p1 = in[1];
    const double *restrict p2 = in[2], *restrict p3 = in[3];
    const double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    for (int64_t i = 0; i < n; i++) {
        double cell = out[i] + w0 * p0[i];
        cell += w1 * p1[i];
        cell += w2 * p2[i];
        out[i] = cell + w3 * p3[i];
    }
}

/* The dot product of x and y in blocks of 32: one of them is zero from n up to the next
 * multiple. Product i goes to sum i mod 32, whatever a vector holds. */
static double NAME(dot)(const double *x, const double *y, int64_t n) {
    double s[8];
#if defined(CSIG_PORTABLE)
    double v[32] = {0};
    for (int64_t i = 0; i < n; i += 32) {
        for (int k = 0; k < 32; k++) v[k] += x[i + k] * y[i + k];
    }
    for (int k = 0; k < 8; k++) s[k] = (v[k] + v[8 + k]) + (v[16 + k] + v[24 + k]);
#else
    enum { EIGHT = 8 / LANES }; /* vectors of eight doubles */
    typedef double vector __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
    vector v[4 * EIGHT] = {{0}};
    for (int64_t i = 0; i < n; i += 32) {
        const vector *a = (const vector *)(x + i), *b = (const vector *)(y + i);
        for (int k = 0; k < 4 * EIGHT; k++) v[k] += a[k] * b[k];
    }
    for (int k = 0; k < EIGHT; k++) {
        v[k] = (v[k] + v[EIGHT + k]) + (v[2 * EIGHT + k] + v[3 * EIGHT + k]);
    }
    memcpy(s, v, sizeof s);
#endif
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/* The sum, in 16 sums. */
static double NAME(total)(const double *x, int64_t n) {
    double s[16] = {0};
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        for (int k = 0; k < 16; k++) s[k] += x[i + k];
    }
    for (int k = 0; i < n; i++, k++) s[k] += x[i];
    for (int k = 0; k < 8; k++) s[k] += s[8 + k];
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

static const kernel NAME(kernel) = {NAME(add_one), NAME(add_two), NAME(add_four), NAME(dot),
                                    NAME(total)};
