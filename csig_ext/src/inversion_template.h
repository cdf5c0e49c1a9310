/* Nothing here may depend on the width of a vector: a frequency and a row are computed by themselves. */
/* r = r z */
static void NAME(times)(block *restrict r, const block *restrict z) {
    for (int i = 0; i < BLOCK; i++) {
        complex_pair a = {{r->re[i], r->re_low[i]}, {r->im[i], r->im_low[i]}};
        complex_pair b = {{z->re[i], z->re_low[i]}, {z->im[i], z->im_low[i]}};
        a = complex_times(a, b);
        r->re[i] = a.re.high, r->re_low[i] = a.re.low;
        r->im[i] = a.im.high, r->im_low[i] = a.im.low;
    }
}

/* z = z^2 */
static void NAME(square)(block *restrict z) {
    for (int i = 0; i < BLOCK; i++) {
        complex_pair a = {{z->re[i], z->re_low[i]}, {z->im[i], z->im_low[i]}};
        a = complex_times(a, a);
        z->re[i] = a.re.high, z->re_low[i] = a.re.low;
        z->im[i] = a.im.high, z->im_low[i] = a.im.low;
    }
}

/* z = (1 + q z) / (1 + q) */
static void NAME(mix)(block *restrict z, pair stay, pair go) {
    for (int i = 0; i < BLOCK; i++) {
        pair re = {z->re[i], z->re_low[i]}, im = {z->im[i], z->im_low[i]};
        re = pair_add(pair_times(re, go), stay);
        im = pair_times(im, go);
        z->re[i] = re.high, z->re_low[i] = re.low;
        z->im[i] = im.high, z->im_low[i] = im.low;
    }
}

/* Horner's rule for ROWS polynomials with the same coefficients, the highest first. */
static void NAME(horner)(double *sum_re, double *sum_im, const double *z_re, const double *z_im,
                         const double *re, const double *im, int64_t n) {
#if defined(CSIG_PORTABLE)
    typedef double vector;
#else
    typedef double vector __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif
    enum { WIDTH = 4 };
    for (int i = 0; i < ROWS; i += WIDTH * LANES) {
        vector a[WIDTH], b[WIDTH], c[WIDTH], d[WIDTH];
        for (int v = 0; v < WIDTH; v++) {
            a[v] = *(const vector *)(z_re + i + v * LANES) * 0 + re[0];
            b[v] = *(const vector *)(z_re + i + v * LANES) * 0 + im[0];
            c[v] = *(const vector *)(z_re + i + v * LANES);
            d[v] = *(const vector *)(z_im + i + v * LANES);
        }
        for (int64_t j = 1; j < n; j++) {
            for (int v = 0; v < WIDTH; v++) {
                vector t = (a[v] * c[v] - b[v] * d[v]) + re[j];
                b[v] = (a[v] * d[v] + b[v] * c[v]) + im[j];
                a[v] = t;
            }
        }
        for (int v = 0; v < WIDTH; v++) {
            *(vector *)(sum_re + i + v * LANES) = a[v];
            *(vector *)(sum_im + i + v * LANES) = b[v];
        }
    }
}

static const kernel NAME(kernel) = {NAME(times), NAME(square), NAME(mix), NAME(horner)};
