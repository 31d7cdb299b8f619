// MRG32k3a: the difference of two multiple recursive generators of order three (L'Ecuyer: Good parameters and
// implementations for combined multiple recursive random number generators; Operations Research 47, 1999).
// Period 2^191.
#pragma once

#include <lockstep/curand-common.h>
#include <lockstep/curand-jumps.h>

struct curandStateMRG32k3a {
    unsigned int s1[3];
    unsigned int s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

// The moduli are a little less than 2^32: what is above 32 bits comes back, multiplied by what they lack.
#define LOCKSTEP_MRG32K3A_M1 4294967087u
#define LOCKSTEP_MRG32K3A_M2 4294944443u

QUALIFIERS unsigned int lockstep_mrg32k3a_reduce(unsigned long long x, unsigned int modulus) {
    const unsigned int lack = 0u - modulus;
    x = (x >> 32) * lack + static_cast<unsigned int>(x);
    x = (x >> 32) * lack + static_cast<unsigned int>(x);
    return static_cast<unsigned int>(x >= modulus ? x - modulus : x);
}

// A product, reduced so far that a few of them can be added.
QUALIFIERS unsigned long long lockstep_mrg32k3a_product(unsigned int a, unsigned int b,
                                                        unsigned int modulus) {
    const unsigned long long x = static_cast<unsigned long long>(a) * b;
    return (x >> 32) * (0u - modulus) + static_cast<unsigned int>(x);
}

// x3 = 1403580 x1 - 810728 x0
QUALIFIERS unsigned int lockstep_mrg32k3a_next1(unsigned int x0, unsigned int x1) {
    return lockstep_mrg32k3a_reduce(1403580ull * x1 + 810728ull * (LOCKSTEP_MRG32K3A_M1 - x0),
                                    LOCKSTEP_MRG32K3A_M1);
}

// x3 = 527612 x2 - 1370589 x0
QUALIFIERS unsigned int lockstep_mrg32k3a_next2(unsigned int x0, unsigned int x2) {
    return lockstep_mrg32k3a_reduce(527612ull * x2 + 1370589ull * (LOCKSTEP_MRG32K3A_M2 - x0),
                                    LOCKSTEP_MRG32K3A_M2);
}

// The next number of the combined generator, from 1 to the first modulus.
QUALIFIERS unsigned int lockstep_mrg32k3a_step(curandStateMRG32k3a_t* state) {
    const unsigned int first = lockstep_mrg32k3a_next1(state->s1[0], state->s1[1]);
    const unsigned int second = lockstep_mrg32k3a_next2(state->s2[0], state->s2[2]);
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = first;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = second;
    return first - second + (first <= second ? LOCKSTEP_MRG32K3A_M1 : 0u);
}

QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t* state) { return lockstep_mrg32k3a_step(state); }

// Stretched to all of 32 bits.
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t* state) {
    return static_cast<unsigned int>(curand_MRG32k3a(state) * 1.000000048662);
}

// Three numbers and the two that follow give, with the three coefficients of a jump, the three after it.
QUALIFIERS void lockstep_mrg32k3a_combine(const unsigned int* coefficients, const unsigned int* x,
                                          unsigned int modulus, unsigned int* s) {
    for (int i = 0; i < 3; ++i) {
        const unsigned long long sum = lockstep_mrg32k3a_product(coefficients[0], x[i], modulus) +
                                       lockstep_mrg32k3a_product(coefficients[1], x[i + 1], modulus) +
                                       lockstep_mrg32k3a_product(coefficients[2], x[i + 2], modulus);
        s[i] = lockstep_mrg32k3a_reduce(sum, modulus);
    }
}

QUALIFIERS void lockstep_mrg32k3a_jump(unsigned long long count, const unsigned int* table,
                                       curandStateMRG32k3a_t* state) {
    for (; count != 0; count >>= 1, table += 6) {
        if ((count & 1) == 0) continue;
        unsigned int x[5] = {state->s1[0], state->s1[1], state->s1[2], 0, 0};
        x[3] = lockstep_mrg32k3a_next1(x[0], x[1]);
        x[4] = lockstep_mrg32k3a_next1(x[1], x[2]);
        lockstep_mrg32k3a_combine(table, x, LOCKSTEP_MRG32K3A_M1, state->s1);
        unsigned int y[5] = {state->s2[0], state->s2[1], state->s2[2], 0, 0};
        y[3] = lockstep_mrg32k3a_next2(y[0], y[2]);
        y[4] = lockstep_mrg32k3a_next2(y[1], y[3]);
        lockstep_mrg32k3a_combine(table + 3, y, LOCKSTEP_MRG32K3A_M2, state->s2);
    }
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_mrg32k3a_jump(n, lockstep_mrg32k3a_offset, state);
}

// 2^76 values
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_mrg32k3a_jump(n, lockstep_mrg32k3a_subsequence, state);
}

// 2^127 values
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_mrg32k3a_jump(n, lockstep_mrg32k3a_sequence, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t* state) {
    const unsigned int low = seed == 0 ? 1u : static_cast<unsigned int>(seed) ^ 0x55555555u;
    const unsigned int high = seed == 0 ? 1u : static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
        state->s1[i] = lockstep_mrg32k3a_reduce(12345ull * (i == 1 ? high : low), LOCKSTEP_MRG32K3A_M1);
        state->s2[i] = lockstep_mrg32k3a_reduce(12345ull * (i == 1 ? low : high), LOCKSTEP_MRG32K3A_M2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
