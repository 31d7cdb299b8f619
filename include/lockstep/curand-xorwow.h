// XORWOW: Marsaglia's xorshift of five words, plus a counter (Journal of Statistical Software 8, 14, 2003).
// Period 2^192 - 2^32.
#pragma once

#include <lockstep/curand-common.h>
#include <lockstep/curand-jumps.h>

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

QUALIFIERS void lockstep_xorwow_step(unsigned int* v) {
    const unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] ^= (v[4] << 4) ^ t ^ (t << 1);
}

// The state after as many strides as `count` says: a hexadecimal digit of it after another, each a polynomial
// in the step, by Horner's rule (scripts/curand-jumps.py). Unrolled it would be most of the code of a kernel.
QUALIFIERS void lockstep_xorwow_jump(unsigned long long count, const unsigned int* table, unsigned int* v) {
    for (; count != 0; count >>= 4, table += 15 * 5) {
        const unsigned int digit = static_cast<unsigned int>(count & 15);
        if (digit == 0) continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
#ifdef __clang__
#pragma unroll 1
#endif
        for (int word = 4; word >= 0; --word) {
            unsigned int coefficients = table[5 * (digit - 1) + word];
#ifdef __clang__
#pragma unroll 1
#endif
            for (int bit = 0; bit < 32; ++bit, coefficients <<= 1) {
                const unsigned int mask = 0u - (coefficients >> 31);
                lockstep_xorwow_step(sum);
                sum[0] ^= v[0] & mask;
                sum[1] ^= v[1] & mask;
                sum[2] ^= v[2] & mask;
                sum[3] ^= v[3] & mask;
                sum[4] ^= v[4] & mask;
            }
        }
        for (int i = 0; i < 5; ++i) v[i] = sum[i];
    }
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    lockstep_xorwow_jump(n, lockstep_xorwow_offset, state->v);
    state->d += 362437u * static_cast<unsigned int>(n);
}

// A sequence is 2^67 values long, in which the counter comes round.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    lockstep_xorwow_jump(n, lockstep_xorwow_sequence, state->v);
}

// The words that the paper starts from, with the seed's halves mixed in.
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t* state) {
    const unsigned int low = 0x4182bed5u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
    const unsigned int high = 0x9a7cab1bu * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t* state) {
    lockstep_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}
