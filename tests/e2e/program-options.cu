// Options of the compiler pass through, and so do the program's own arguments, input, output and status.
// RUN: lockstep run -O0 -DVALUE=7 -I%S/support/include %s -- one 'two words' --three
// OUT: ^value 7, header 31, standard 17$
// OUT: ^1 \[one\]$
// OUT: ^2 \[two words\]$
// OUT: ^3 \[--three\]$
// EXIT: 0
// RUN: lockstep run -O3 -std=c++20 -DVALUE=8 -I %S/support/include -lineinfo %s
// OUT: ^value 8, header 31, standard 20$
// RUN: echo 'some input' | lockstep run -g -DVALUE=9 -I%S/support/include %s -- --read
// OUT: ^value 9
// OUT: ^read some input$
// RUN: lockstep run -DVALUE=9 -I%S/support/include %s -- --status
// EXIT: 9
// ERR: ^to stderr$
#include <included.h>

#include <cstdio>
#include <cstring>

#include "support/check.h"

__global__ void set(int* out) { *out = VALUE; }

int main(int argc, char** argv) {
    int* out = device_zeros<int>(1);
    set<<<1, 1>>>(out);
    int value = to_host(out, 1)[0];
    std::printf("value %d, header %d, standard %ld\n", value, FROM_HEADER, __cplusplus / 100 % 100);
    if (argc > 1 && std::strcmp(argv[1], "--read") == 0) {
        char line[100] = "";
        if (std::fgets(line, sizeof line, stdin)) std::printf("read %s", line);
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--status") == 0) {
        std::fprintf(stderr, "to stderr\n");
        return value;
    }
    for (int i = 1; i < argc; ++i) std::printf("%d [%s]\n", i, argv[i]);
    return 0;
}
