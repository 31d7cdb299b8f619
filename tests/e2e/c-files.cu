// A C file among the sources; a C++ standard has no effect on it and does not stop it.
// RUN: lockstep run -std=c++17 %s %S/support/c-part.c
// OUT: ^6$
// ERR: c-part\.c: warning: -std=c\+\+17 is for C\+\+
#include <cstdio>

extern "C" int add_in_c(int x);

int main() { std::printf("%d\n", add_in_c(5)); }
