/* Compares every known answer of a generator that the kernels run themselves with its words, on
 * every instruction set of this processor. Prints how many words were compared; fails at the first
 * that differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "generators.h"

enum { WORDS = 1000 };

static int kind_of(const char *name) {
    if (strcmp(name, "PCG64DXSM") == 0) return CSIG_PCG64DXSM;
    if (strcmp(name, "PCG64") == 0) return CSIG_PCG64;
    if (strcmp(name, "Philox") == 0) return CSIG_PHILOX;
    return CSIG_FOREIGN;
}

int main(int count, char **arguments) {
    char line[400], name[32], seed[32], expected[32];
    uint64_t words[WORDS];
    int number, begin, length, compared = 0;
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file) return fprintf(stderr, "usage: known_answers FILE\n"), 2;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%31s %31s%n", name, seed, &begin) != 2) return 2;
        if (kind_of(name) == CSIG_FOREIGN) continue;
        for (; sscanf(line + begin, "%d %31s%n", &number, expected, &length) == 2;
             begin += length) {
            for (int isa = 0; isa < csig_isa_available(); isa++) {
                csig_stream stream;
                csig_stream_seed(&stream, kind_of(name), NULL, 0, (uint32_t)strtoul(seed, NULL, 0));
                csig_stream_fill(&stream, isa, words, WORDS);
                if (number < 0 || number >= WORDS || words[number] != strtoull(expected, NULL, 0)) {
                    printf("%s: word %d on %s is not %s\n", name, number, csig_isa_names[isa],
                           expected);
                    return 1;
                }
                compared++;
            }
        }
    }
    fclose(file);
    printf("%d words\n", compared);
    return 0;
}
