/* Written so that compilers turn the loops into vectors. */

/* r, p and q of up to BLOCK trials. */
static void NAME(load)(block *d, const csig_studentized *s, const int64_t *sums, int64_t stride,
                       int n) {
    const double *r = s->rows, *p = r + s->n_columns + 1, *q = p + s->n_columns + 1;
    for (int i = 0; i < n; i++) d->r[i] = r[0], d->p[i] = p[0], d->q[i] = q[0];
    for (int64_t c = 0; c < s->n_columns; c++) {
        const int64_t *column = sums + c * stride;
        const double of_r = r[c + 1], of_p = p[c + 1], of_q = q[c + 1];
        if (of_r != 0 || of_p != 0) {
            for (int i = 0; i < n; i++) {
                const double x = (double)column[i];
                d->r[i] += of_r * x;
                d->p[i] += of_p * x;
                d->q[i] += of_q * x;
            }
        } else {
            for (int i = 0; i < n; i++) d->q[i] += of_q * (double)column[i];
        }
    }
}

/* The codes of these trials; returns how many are beyond the observed difference. */
static int64_t NAME(decide)(block *d, const csig_studentized *s, int n, int64_t *near) {
    const double every = s->every, both = s->both, error = s->residual_error;
    const double spread_error = s->spread_error, square_error = error * error + spread_error;
    const double apart = s->apart ? 1 : 0;
    /* Where nothing was observed, a spread that may be 0; a share of 0 or 1, if there may be any. */
    const double least = s->apart ? -INFINITY : spread_error;
    const double most = s->empty ? 0.5 - s->share_error : INFINITY;
    int64_t beyond = 0, open = 0;
    for (int i = 0; i < n; i++) {
        const double r = d->r[i], p = d->p[i], q = d->q[i];
        const double spread = q + p * (every * p - (both + 2 * q));
        const double gap = r * r - apart * spread;
        const double tolerance = 2 * error * fabs(r) + square_error;
        const int64_t above = r > 0, below = r < 0;
        const int64_t unsure =
            (fabs(gap) <= tolerance) | (spread <= least) | (fabs(p - 0.5) >= most);
        const int64_t far = (gap > 0) & (unsure ^ 1);
        const int64_t code = above - below + (above & far) - (below & far);
        d->code[i] = (code & (unsure - 1)) | (CSIG_OPEN & -unsure);
        beyond += far;
        open += unsure;
    }
    *near += open;
    return beyond;
}

static const kernel NAME(kernel) = {NAME(load), NAME(decide)};
