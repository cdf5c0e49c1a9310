#include "lattice.h"

#include <math.h>
#include <string.h>

#include "pairs.h"

typedef struct {
    void (*add_one)(double *restrict out, const double *restrict in, double w, int64_t n);
    void (*add_two)(double *restrict out, const double *const in[4], const double w[4], int64_t n);
    void (*add_four)(double *restrict out, const double *const in[4], const double w[4], int64_t n);
    double (*dot)(const double *x, const double *y, int64_t n);
    double (*total)(const double *x, int64_t n);
} kernel;

#define TEMPLATE "lattice_template.h"
#include "each_isa.h"

int64_t csig_lattice_weights_bound(int64_t m, double drop) {
    /* The largest weight is at least 1 / (m + 1), and one at a distance d from the mean is at
     * most exp(-2 d^2 / m) (Hoeffding 1963). */
    if (drop <= 0) return m + 1;
    double d = sqrt(0.5 * (double)m * log(((double)m + 1) / drop));
    return 2 * d + 8 < (double)m ? (int64_t)(2 * d) + 8 : m + 1;
}

/* What the weight next to j is, as a share of that of j. */
static double next_share(double q, int64_t m, int64_t j, int down) {
    return down ? (double)j / ((double)(m - j + 1) * q) : (double)(m - j) * q / (double)(j + 1);
}

int64_t csig_lattice_weights(double r_x, double r_y, int64_t a, int64_t b, int64_t m, double drop,
                             double *weights, int64_t *first, double *lost) {
    const int64_t places = csig_lattice_weights_bound(m, drop);
    const int64_t side = places > m ? m + 1 : places / 2;
    const pair one = {1, 0}, q = csig_odds(r_x, r_y, a, b);
    pair total = one;
    double missing = 0;
    int64_t mode = (int64_t)((double)(m + 1) * (q.high / (1 + q.high)));
    if (mode > m) mode = m;
    /* Twice the same walks from the mode, where c = 1: for the sum, then for the weights. Each
     * side ends before the bound does, because the mode is within 1 of the mean. */
    int64_t end[2] = {mode, mode}; /* the last weight upwards, and downwards */
    for (int step = 0; step < 4; step++) {
        const int writing = step / 2, down = step % 2 == 0;
        const int64_t last = writing ? end[down] : down ? 0 : m;
        pair c = one;
        if (writing) weights[mode - end[1]] = pair_over(c, total).high;
        for (int64_t j = mode; j != last;) {
            const pair behind = {(double)(down ? j : j + 1), 0};
            const pair odds = pair_scale(q, (double)(down ? m - j + 1 : m - j));
            c = pair_over(pair_times(c, down ? behind : odds), down ? odds : behind);
            j += down ? -1 : 1;
            if (writing) {
                weights[j - end[1]] = pair_over(c, total).high;
            } else if (c.high < drop || (down ? mode - j : j - mode) >= side) {
                const double ratio = next_share(q.high, m, j, down);
                missing += c.high / (1 - (ratio < 1 ? ratio : 0.5));
                break;
            } else {
                total = pair_add(total, c);
                end[down] = j;
            }
        }
    }
    *lost += missing / total.high;
    *first = end[1];
    return end[0] - end[1] + 1;
}

void csig_lattice_constant(double r_x, double r_y, const int64_t *a, const int64_t *b,
                           const int64_t *m, int64_t n, csig_scaled *constant) {
    const pair one = {1, 0};
    scaled_pair product = normal(one, 0);
    for (int64_t c = 0; c < n; c++) {
        pair sum = pair_add(one, csig_odds(r_x, r_y, a[c], b[c]));
        product = scaled_times(product, power(normal(sum, -1), m[c]));
    }
    constant->value = product.value.high;
    constant->exponent = product.exponent;
}

/* The j (from 0) whose source row exists for output row i. */
static void sources(const csig_lattice_pass *p, int64_t i, int64_t *from, int64_t *to) {
    *from = 0;
    *to = p->terms;
    if (p->b == 0) return;
    int64_t behind = i - (p->in->rows - 1);
    if (behind > 0) *from = (behind + p->b - 1) / p->b;
    if (i / p->b + 1 < *to) *to = i / p->b + 1;
}

static int worth(const csig_lattice_pass *p, int64_t j, int64_t source) {
    return p->in->low[source] < p->in->high[source] &&
           p->weights[j] * p->in->mass[source] >= p->cut;
}

int64_t csig_lattice_reach(csig_lattice_pass *p) {
    const csig_lattice *in = p->in;
    csig_lattice *out = p->out;
    int64_t cells = 0;
    out->first = in->first + p->first * p->b;
    out->rows = in->rows + (p->terms - 1) * p->b;
    for (int64_t i = 0; i < out->rows; i++) {
        int64_t from, to, low = INT64_MAX, high = INT64_MIN;
        sources(p, i, &from, &to);
        for (int64_t j = from; j < to; j++) {
            int64_t source = i - j * p->b, shift = (p->first + j) * p->a;
            if (!worth(p, j, source)) {
                p->lost += p->weights[j] * in->mass[source];
                continue;
            }
            if (in->low[source] + shift < low) low = in->low[source] + shift;
            if (in->high[source] + shift > high) high = in->high[source] + shift;
        }
        out->low[i] = low < high ? low : 0;
        out->high[i] = low < high ? high : 0;
        cells += out->high[i] - out->low[i] + CSIG_LATTICE_PAD;
    }
    p->row = p->used = 0;
    return cells;
}

/* A source of an output row: its cells, and the x of the first and past the last. */
typedef struct {
    const double *cells;
    double weight;
    int64_t low, high;
} source_row;

static void add_range(const kernel *k, double *row, int64_t row_low, const source_row *s,
                      int64_t low, int64_t high) {
    if (low < s->low) low = s->low;
    if (high > s->high) high = s->high;
    if (low < high)
        k->add_one(row + (low - row_low), s->cells + (low - s->low), s->weight, high - low);
}

/* Each cell takes its sources in their order, in whatever groups they come. */
static void add_sources(const kernel *k, double *row, int64_t row_low, const source_row *s, int n) {
    while (n > 0) {
        const int here = n >= 4 ? 4 : n >= 2 ? 2 : 1;
        int64_t low = s[0].low, high = s[0].high;
        for (int i = 1; i < here; i++) {
            if (s[i].low > low) low = s[i].low;
            if (s[i].high < high) high = s[i].high;
        }
        if (here > 1 && low < high) {
            const double *cells[4];
            double weights[4];
            for (int i = 0; i < here; i++) {
                add_range(k, row, row_low, &s[i], INT64_MIN, low);
                add_range(k, row, row_low, &s[i], high, INT64_MAX);
                cells[i] = s[i].cells + (low - s[i].low);
                weights[i] = s[i].weight;
            }
            (here == 4 ? k->add_four : k->add_two)(row + (low - row_low), cells, weights,
                                                   high - low);
        } else {
            for (int i = 0; i < here; i++) {
                add_range(k, row, row_low, &s[i], INT64_MIN, INT64_MAX);
            }
        }
        s += here;
        n -= here;
    }
}

int csig_lattice_convolve(csig_lattice_pass *p, int isa, int64_t budget) {
    const kernel *k = kernels[isa];
    const csig_lattice *in = p->in;
    csig_lattice *out = p->out;
    int64_t stop_at = p->updates + budget;
    for (; p->row < out->rows; p->row++) {
        if (p->updates >= stop_at) return 0;
        const int64_t i = p->row;
        int64_t low = out->low[i], high = out->high[i], from, to;
        double *row = out->cells + p->used;
        source_row group[4];
        int n = 0;
        memset(row, 0, (size_t)(high - low) * sizeof *row);
        sources(p, i, &from, &to);
        for (int64_t j = from; j < to; j++) {
            int64_t source = i - j * p->b, shift = (p->first + j) * p->a;
            if (!worth(p, j, source)) continue;
            group[n].cells = in->cells + in->at[source];
            group[n].weight = p->weights[j];
            group[n].low = in->low[source] + shift;
            group[n].high = in->high[source] + shift;
            p->updates += in->high[source] - in->low[source];
            if (++n == 4) add_sources(k, row, low, group, n), n = 0;
        }
        add_sources(k, row, low, group, n);
        int64_t left = 0, right = high - low;
        while (left < right && row[left] < p->cut) p->lost += row[left++];
        while (left < right && row[right - 1] < p->cut) p->lost += row[--right];
        out->low[i] = low + left;
        out->high[i] = low + right;
        out->at[i] = p->used + left;
        p->used += right + CSIG_LATTICE_PAD;
        memset(row + right, 0, CSIG_LATTICE_PAD * sizeof *row);
        out->mass[i] = k->total(row + left, right - left);
    }
    /* Empty rows at the ends go. */
    int64_t empty = 0;
    while (empty < out->rows && out->low[empty] == out->high[empty]) empty++;
    out->first += empty;
    out->rows -= empty;
    while (out->rows > 0 && out->low[empty + out->rows - 1] == out->high[empty + out->rows - 1])
        out->rows--;
    if (empty > 0 && out->rows > 0) {
        size_t n = (size_t)out->rows;
        memmove(out->low, out->low + empty, n * sizeof *out->low);
        memmove(out->high, out->high + empty, n * sizeof *out->high);
        memmove(out->at, out->at + empty, n * sizeof *out->at);
        memmove(out->mass, out->mass + empty, n * sizeof *out->mass);
    }
    return 1;
}

/* A tail of r forgets its roundings after 1 / (1 - r) cells: up to here, after 16. */
static const double SHORT_TAIL = 0.9375;

void csig_lattice_tails(const csig_lattice *in, double r_x, int reversed, double *out) {
    for (int64_t i = 0; i < in->rows; i++) {
        const int64_t n = in->high[i] - in->low[i];
        const double *row = in->cells + in->at[i];
        double *to = out + in->at[i];
        if (r_x <= SHORT_TAIL) {
            double tail = 0;
            for (int64_t x = n - 1; x >= 0; x--) to[x] = tail = row[x] + r_x * tail;
        } else if (r_x == 1) {
            double tail = 0, rest = 0;
            for (int64_t x = n - 1; x >= 0; x--) {
                pair sum = two_sum(tail, row[x]);
                tail = sum.high;
                rest += sum.low;
                to[x] = tail + rest;
            }
        } else {
            pair tail = {0, 0};
            for (int64_t x = n - 1; x >= 0; x--) {
                pair cell = {row[x], 0};
                tail = pair_add(pair_scale(tail, r_x), cell);
                to[x] = tail.high;
            }
        }
        if (!reversed) continue;
        for (int64_t x = 0; x < n - 1 - x; x++) {
            double swap = to[x];
            to[x] = to[n - 1 - x];
            to[n - 1 - x] = swap;
        }
    }
}

void csig_lattice_thresholds(const csig_linfrac *metric, int64_t first, int64_t rows, int64_t x_min,
                             int64_t x_max, int64_t *thresholds) {
    int64_t guess = x_min;
    for (int64_t i = 0; i < rows; i++) {
        /* The last row's threshold is near: steps that double find a bracket, which is halved.
         * Everything below `low` fails, everything from `high` on reaches. */
        int64_t low = x_min, high = x_max + 1, y = first + i, step = 1;
        int64_t at = guess < x_max ? guess : x_max;
        int downwards = -1;
        while (low < high) {
            const int reached = csig_linfrac_reaches(metric, at, y);
            if (reached) high = at;
            if (!reached) low = at + 1;
            if (downwards < 0) downwards = reached;
            at = reached ? high - step : low + step - 1;
            if (step <= (x_max - x_min) / 2) step *= 2;
            if (reached != downwards || at < low || at >= high) at = low + (high - low) / 2;
        }
        thresholds[i] = guess = low;
    }
}

int64_t csig_lattice_clamp(const csig_lattice *one, const csig_lattice *two, int64_t *thresholds) {
    int64_t longest = 0;
    for (int64_t y = 0; y < one->rows + two->rows - 1; y++) {
        int64_t low = INT64_MAX, last = INT64_MIN;
        int64_t from = y - (two->rows - 1) > 0 ? y - (two->rows - 1) : 0;
        for (int64_t i = from; i < one->rows && i <= y; i++) {
            if (one->low[i] == one->high[i] || two->low[y - i] == two->high[y - i]) continue;
            int64_t sum = one->low[i] + two->low[y - i];
            if (sum < low) low = sum;
            if (sum > last) last = sum;
        }
        if (last == INT64_MIN) continue;
        if (thresholds[y] < low) thresholds[y] = low;
        if (last - thresholds[y] > longest) longest = last - thresholds[y];
    }
    return longest + 1;
}

void csig_lattice_powers(double r, int64_t n, double *powers) {
    pair p = {1, 0};
    for (int64_t k = 0; k < n; k++) {
        powers[k] = p.high;
        /* Far below anything that counts, and before the splitting of two_product fails. */
        if (p.high < 1e-250) p.high = p.low = 0;
        p = pair_scale(p, r);
    }
}

/* A tile of rows of `two` stays in the second-level cache while all of `one` goes by, a few
 * of whose rows stay in the first-level cache. */
enum { TILE_CELLS = 1 << 15, FEW_ROWS = 4, DOT_BLOCK = 8192 };

static void add_compensated(double *sum, double *rest, double value) {
    double total = *sum + value;
    *rest += *sum >= value ? (*sum - total) + value : (value - total) + *sum;
    *sum = total;
}

/* The rows i and t of both parts, as far as they reach the threshold of their sum. */
static void meet_rows(csig_lattice_meeting *s, const kernel *k, int64_t i, int64_t t) {
    const csig_lattice *one = s->one, *two = s->two;
    const int64_t low_one = one->low[i], high_one = one->high[i];
    const int64_t low_two = two->low[t], high_two = two->high[t];
    const int64_t threshold = s->thresholds[i + t];
    if (low_one == high_one || low_two == high_two || high_one + high_two - 2 < threshold) return;
    double bound = one->mass[i] * two->mass[t] * s->scale[i + t];
    s->updates++;
    if (bound < s->skip) {
        s->lost += bound;
        return;
    }
    const double *row = one->cells + one->at[i], *tails = s->tails_one + one->at[i];
    const double *tails_two = s->tails_two + two->at[t];
    /* x1 from `past` on take row t whole, from its first cell. */
    int64_t past = threshold - low_two + 1, from = threshold - high_two + 1;
    int64_t to = past < high_one ? past : high_one;
    double sum = 0, rest = 0;
    if (from < low_one) from = low_one;
    /* x1 meets T at threshold - x1, reversed: high_two - 1 - that. Past `to` lie the zeros
     * after one row or the other. */
    const double *x = row + (from - low_one), *y = tails_two + (high_two - 1 - threshold + from);
    int64_t n = to - from;
    if (n > 0) {
        s->updates += n;
        for (; n > DOT_BLOCK; n -= DOT_BLOCK, x += DOT_BLOCK, y += DOT_BLOCK) {
            add_compensated(&sum, &rest, k->dot(x, y, DOT_BLOCK));
        }
        sum += k->dot(x, y, n) + rest;
    }
    if (past < high_one) {
        double whole = tails_two[high_two - 1 - low_two];
        double factor = past > low_one ? s->powers[1] * tails[past - low_one]
                                       : s->powers[low_one + low_two - threshold] * tails[0];
        sum += whole * factor;
    }
    add_compensated(&s->sum[i + t], &s->rest[i + t], sum);
}

int csig_lattice_meet(csig_lattice_meeting *s, int isa, int64_t budget) {
    const kernel *k = kernels[isa];
    const csig_lattice *one = s->one, *two = s->two;
    int64_t stop_at = s->updates + budget;
    while (s->tile < two->rows) {
        int64_t end = s->tile, cells = 0;
        while (end < two->rows && (end == s->tile || cells < TILE_CELLS)) {
            cells += two->high[end] - two->low[end] + 1;
            end++;
        }
        while (s->row_one < one->rows) {
            int64_t last = s->row_one + FEW_ROWS < one->rows ? s->row_one + FEW_ROWS : one->rows;
            for (int64_t t = s->tile; t < end; t++) {
                for (int64_t i = s->row_one; i < last; i++) meet_rows(s, k, i, t);
            }
            s->row_one = last;
            if (s->updates >= stop_at) return 0;
        }
        s->row_one = 0;
        s->tile = end;
    }
    return 1;
}

csig_scaled csig_lattice_total(csig_scaled constant, double r_x, double r_y, int64_t first,
                               int64_t rows, const int64_t *thresholds, const double *sum,
                               const double *rest) {
    csig_scaled_sum total;
    csig_sum_start(&total);
    for (int64_t i = 0; i < rows; i++) {
        double here = sum[i] + rest[i];
        if (here <= 0) continue;
        scaled_pair weight =
            scaled_times(power_of_double(r_x, thresholds[i]), power_of_double(r_y, first + i));
        int e;
        double value = frexp(here, &e) * weight.value.high * constant.value;
        csig_sum_add(&total, value, weight.exponent + constant.exponent + e);
    }
    return csig_sum_total(&total);
}

int64_t csig_lattice_next(const csig_linfrac *metric, int64_t from, int64_t to) {
    while (from < to && !csig_linfrac_reaches(metric, from, 0)) from++;
    return from;
}

double csig_lattice_reaching(const csig_linfrac *metric, const double *cells, int64_t from,
                             int64_t to, double r, int64_t start) {
    scaled_pair weight = power_of_double(r, from - start);
    pair w = {0, 0};
    double sum = 0, rest = 0;
    if (weight.exponent > -900) {
        w.high = ldexp(weight.value.high, (int)weight.exponent);
        w.low = ldexp(weight.value.low, (int)weight.exponent);
    }
    for (int64_t x = from; x < to; x++) {
        if (w.high < 1e-250) break;
        if (csig_linfrac_reaches(metric, x, 0)) {
            add_compensated(&sum, &rest, cells[x - from] * w.high);
        }
        w = pair_scale(w, r);
    }
    return sum + rest;
}
