#include "studentized.h"

#include <math.h>

enum { BLOCK = 256 };

typedef struct {
    double r[BLOCK], p[BLOCK], q[BLOCK];
    int64_t code[BLOCK];
} block;

typedef struct {
    void (*load)(block *d, const csig_studentized *s, const int64_t *sums, int64_t stride, int n);
    int64_t (*decide)(block *d, const csig_studentized *s, int n, int64_t *near);
} kernel;

#define TEMPLATE "studentized_template.h"
#include "each_isa.h"

int64_t csig_studentized_codes(const csig_studentized *s, int isa, const int64_t *sums,
                               int64_t stride, int64_t n, int8_t *codes, int64_t *near) {
    int64_t beyond = 0;
    block d;
    *near = 0;
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int here = n - start < BLOCK ? (int)(n - start) : BLOCK;
        kernels[isa]->load(&d, s, sums + start, stride, here);
        beyond += kernels[isa]->decide(&d, s, here, near);
        for (int i = 0; i < here; i++) codes[start + i] = (int8_t)d.code[i];
    }
    return beyond;
}
