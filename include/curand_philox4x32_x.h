// Philox4x32-10: a bijection of a 128-bit counter, ten rounds with a key (Salmon, Moraes, Dror, Shaw:
// Parallel random numbers: as easy as 1, 2, 3; SC 2011). The seed is the key, the counter's upper half the
// subsequence.
#pragma once

#include <lockstep/curand-common.h>

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;  // which of the four values in `output` is the next
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

QUALIFIERS uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long first = 0xd2511f53ull * counter.x;
        const unsigned long long second = 0xcd9e8d57ull * counter.z;
        counter.x = static_cast<unsigned int>(second >> 32) ^ counter.y ^ key.x;
        counter.y = static_cast<unsigned int>(second);
        counter.z = static_cast<unsigned int>(first >> 32) ^ counter.w ^ key.y;
        counter.w = static_cast<unsigned int>(first);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    const unsigned long long low = (static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x) + n;
    state->ctr.x = static_cast<unsigned int>(low);
    state->ctr.y = static_cast<unsigned int>(low >> 32);
    if (low < n && ++state->ctr.z == 0) ++state->ctr.w;
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t* state) { Philox_State_Incr(state, 1); }

QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    const unsigned long long high = (static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z) + n;
    state->ctr.z = static_cast<unsigned int>(high);
    state->ctr.w = static_cast<unsigned int>(high >> 32);
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    const unsigned int within = state->STATE + static_cast<unsigned int>(n & 3);
    state->STATE = within & 3;
    Philox_State_Incr(state, (n >> 2) + (within >> 2));
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

// A sequence is 2^66 values long, 2^64 of the counter's.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    Philox_State_Incr_hi(state, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t* state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    Philox_State_Incr_hi(state, subsequence);
    skipahead(offset, state);
}

// The four values of the stream that come next, wherever it stands.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const uint4 now = state->output;
    Philox_State_Incr(state);
    const uint4 next = curand_Philox4x32_10(state->ctr, state->key);
    state->output = next;
    switch (state->STATE) {
        case 1: return make_uint4(now.y, now.z, now.w, next.x);
        case 2: return make_uint4(now.z, now.w, next.x, next.y);
        case 3: return make_uint4(now.w, next.x, next.y, next.z);
        default: return now;
    }
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t* state) {
    const uint4 now = state->output;
    const unsigned int at = state->STATE;
    if (at == 3) {
        Philox_State_Incr(state);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
    }
    state->STATE = (at + 1) & 3;
    return at == 0 ? now.x : at == 1 ? now.y : at == 2 ? now.z : now.w;
}
