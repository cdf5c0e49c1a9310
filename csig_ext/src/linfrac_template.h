/* Written so that compilers turn the loops into vectors. */

/* A's numerators and denominators of up to BLOCK trials; with wrapping products, whose sums are right
 * because they fit. */
static void NAME(quotients)(block *d, const csig_linfrac *m, const int64_t *sums, int64_t stride,
                            int64_t k, const int64_t *wx, const int64_t *wy, int n) {
    for (int i = 0; i < n; i++) d->na[i] = (uint64_t)m->n0, d->da[i] = (uint64_t)m->d0;
    for (int64_t c = 0; c < k; c++) {
        const int64_t *column = sums + c * stride;
        const uint64_t x = (uint64_t)wx[c], y = (uint64_t)wy[c];
        const uint64_t u = (uint64_t)m->n1 * x + (uint64_t)m->n2 * y;
        const uint64_t v = (uint64_t)m->d1 * x + (uint64_t)m->d2 * y;
        if (u) {
            for (int i = 0; i < n; i++) d->na[i] += u * (uint64_t)column[i];
        }
        if (v) {
            for (int i = 0; i < n; i++) d->da[i] += v * (uint64_t)column[i];
        }
    }
}

/* The difference of each of these trials, with the bound of its error. */
static void NAME(differ)(block *d, const csig_linfrac *m, int n) {
    const double size = fabs(m->threshold), zero_division = m->zero_division;
    for (int i = 0; i < n; i++) {
        const int64_t na = (int64_t)d->na[i], da = (int64_t)d->da[i];
        const int64_t nb = m->n_total - na, db = m->d_total - da;
        /* Divided by 1 rather than 0: no branch. */
        double a = (double)na / (double)(da + (da == 0)), b = (double)nb / (double)(db + (db == 0));
        a = da == 0 ? zero_division : a;
        b = db == 0 ? zero_division : b;
        d->difference[i] = a - b;
        d->bound[i] = 0x1p-49 * (fabs(a) + fabs(b) + size);
    }
}

/* Hits that are beyond doubt; d->open tells which trials may be more, *open how many. */
static int64_t NAME(decide)(block *d, const csig_linfrac *m, int64_t up, int64_t down, int n,
                            int64_t *open) {
    const double threshold = m->threshold;
    int64_t hits = 0, unsettled = 0;
    for (int i = 0; i < n; i++) {
        int64_t na = (int64_t)d->na[i], da = (int64_t)d->da[i];
        int64_t nb = m->n_total - na, db = m->d_total - da;
        double a = (double)na * (double)db, b = (double)nb * (double)da;
        double least = threshold * ((double)da * (double)db), difference = a - b;
        double bound = 0x1p-49 * (fabs(a) + fabs(b) + fabs(least));
        double above = difference - least, below = -difference - least;
        int64_t positive = (da > 0) & (db > 0);
        int64_t sure = positive & ((up & (above > bound)) | (down & (below > bound)));
        int64_t near = (up & (above >= -bound)) | (down & (below >= -bound)) | !positive;
        d->open[i] = near & ~sure;
        hits += sure;
        unsettled += near & ~sure;
    }
    *open = unsettled;
    return hits;
}

static const kernel NAME(kernel) = {NAME(quotients), NAME(differ), NAME(decide)};
