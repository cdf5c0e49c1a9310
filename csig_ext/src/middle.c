#include "middle.h"

/* Walks that take turns: each waits for its own last step only, so that four take hardly longer
 * than one. */
enum { WALKS = 4 };

/* Of the k largest sums of the lists sums + v and sums - v, how many are of the first. */
static int64_t of_first(const int64_t *sums, int64_t m, int64_t v, int64_t k) {
    int64_t low = k / 2, high = k; /* a sum with + comes before the same one with - */
    while (low < high) {
        int64_t x = low + (high - low) / 2;
        if (sums[m - 1 - x] + v >= sums[m - k + x] - v) {
            low = x + 1;
        } else {
            high = x;
        }
    }
    return low;
}

void csig_middle_double(const int64_t *sums, int64_t m, int64_t v, int64_t *more) {
    /* The upper half of what is merged is written downwards, and mirrored. Of its m sums at least
     * as many are of sums + v as of sums - v at any time, so that neither list ends before. */
    const int64_t walks = m < 16 * WALKS ? 1 : WALKS, length = m / walks; /* powers of two */
    int64_t x[WALKS] = {m - 1}, y[WALKS] = {m - 1};
    for (int64_t w = 1; w < walks; w++) {
        int64_t taken = of_first(sums, m, v, w * length);
        x[w] = m - 1 - taken;
        y[w] = m - 1 - (w * length - taken);
    }
    for (int64_t k = 0; k < length; k++) {
        for (int w = 0; w < WALKS; w++) {
            if (w < walks) {
                int64_t with = sums[x[w]] + v, without = sums[y[w]] - v, next = w * length + k;
                int64_t first = with >= without, largest = first ? with : without;
                more[2 * m - 1 - next] = largest;
                more[next] = -largest;
                x[w] -= first;
                y[w] -= 1 - first;
            }
        }
    }
}

/* One step of a walk: from one[i] down, or from two[j] up. */
static inline int64_t walk(const int64_t *one, const int64_t *two, int64_t n, int64_t least,
                           int64_t *i, int64_t *j) {
    const int64_t reached = one[*i] + two[*j] >= least, hits = (n - *j) & -reached;
    *i -= reached;
    *j += 1 - reached;
    return hits;
}

int64_t csig_middle_pairs(const int64_t *one, int64_t m, const int64_t *two, int64_t n,
                          int64_t least, int64_t first, int64_t count) {
    int64_t i[WALKS], end[WALKS], j[WALKS], hits = 0, length = (count + WALKS - 1) / WALKS;
    for (int w = 0; w < WALKS; w++) {
        int64_t from = w * length < count ? w * length : count, low = 0;
        i[w] = m - 1 - first - from;
        end[w] = i[w] - (count - from < length ? count - from : length);
        j[w] = n;
        while (i[w] > end[w] && low < j[w]) { /* the first of `two` that is large enough */
            int64_t middle = low + (j[w] - low) / 2;
            if (two[middle] >= least - one[i[w]]) {
                j[w] = middle;
            } else {
                low = middle + 1;
            }
        }
    }
    for (;;) {
        /* So many steps no walk that goes on can end in: each moves i or j. */
        int64_t steps = INT64_MAX, left[WALKS], going = 0;
        for (int w = 0; w < WALKS; w++) {
            left[w] = i[w] - end[w] < n - j[w] ? i[w] - end[w] : n - j[w];
            if (left[w] > 0 && left[w] < steps) steps = left[w];
            going += left[w] > 0;
        }
        if (!going) return hits;
        if (going == WALKS) {
            for (int64_t k = 0; k < steps; k++) {
                for (int w = 0; w < WALKS; w++) hits += walk(one, two, n, least, &i[w], &j[w]);
            }
            continue;
        }
        for (int w = 0; w < WALKS; w++) {
            for (int64_t k = 0; left[w] > 0 && k < steps; k++) {
                hits += walk(one, two, n, least, &i[w], &j[w]);
            }
        }
    }
}
