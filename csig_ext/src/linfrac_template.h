/* The vector part of judging trials, included once for each instruction set; written so that
 * compilers turn the loops into vectors. No parameter of its own: NAME(x) as in
 * bitslice_template.h. A fused multiply-add would change a last bit; the build forbids it.
 */
#if !defined(NAME)
#error "linfrac_template.h needs NAME"
#endif

/* x, y and the difference of each of up to BLOCK trials, with the bound of its error. */
static void NAME(load)(block *d, const csig_linfrac *m, const int64_t *sums, int64_t stride,
                       int64_t k, const int64_t *wx, const int64_t *wy, int n) {
    const double size = m->threshold < 0 ? -m->threshold : m->threshold;
    const double zero_division = m->zero_division;
    for (int i = 0; i < n; i++) d->x[i] = d->y[i] = 0;
    for (int64_t c = 0; c < k; c++) {
        const int64_t *column = sums + c * stride, u = wx[c], v = wy[c];
        if (u) {
            for (int i = 0; i < n; i++) d->x[i] += u * column[i];
        }
        if (v) {
            for (int i = 0; i < n; i++) d->y[i] += v * column[i];
        }
    }
    for (int i = 0; i < n; i++) {
        int64_t na = m->n0 + m->n1 * d->x[i] + m->n2 * d->y[i];
        int64_t da = m->d0 + m->d1 * d->x[i] + m->d2 * d->y[i];
        int64_t nb = m->n_total - na, db = m->d_total - da;
        /* Divided by 1 rather than 0: no branch. */
        double a = (double)na / (double)(da + (da == 0)), b = (double)nb / (double)(db + (db == 0));
        a = da == 0 ? zero_division : a;
        b = db == 0 ? zero_division : b;
        d->difference[i] = a - b;
        d->bound[i] = 0x1p-49 * (fabs(a) + fabs(b) + size);
    }
}

/* Hits that are beyond doubt; *open tells whether there are trials that may be more. */
static int64_t NAME(count)(const block *d, double threshold, int64_t up, int64_t down, int n,
                           int64_t *open) {
    int64_t hits = 0, unsettled = 0;
    for (int i = 0; i < n; i++) {
        double above = d->difference[i] - threshold, below = -d->difference[i] - threshold;
        int64_t sure = (up & (above > d->bound[i])) | (down & (below > d->bound[i]));
        int64_t near = (up & (above >= -d->bound[i])) | (down & (below >= -d->bound[i]));
        hits += sure;
        unsettled += near & ~sure;
    }
    *open = unsettled;
    return hits;
}

static const kernel NAME(kernel) = {NAME(load), NAME(count)};

#undef NAME
#undef LANES
