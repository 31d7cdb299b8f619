// Sobol' sequences in the order of a Gray code: one direction vector a step (Antonov, Saleev 1979). The
// scrambled kinds differ by where they start, and by the vectors that they are given.
#pragma once

#include <lockstep/curand-common.h>

struct curandStateSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};

struct curandStateScrambledSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};

struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

struct curandStateScrambledSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};

typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// How values are counted, by the type of a pointer to the state: other generators have skip-ahead functions
// of their own.
template <typename Pointer>
struct lockstep_sobol;
template <>
struct lockstep_sobol<curandStateSobol32_t*> {
    typedef unsigned int index;
};
template <>
struct lockstep_sobol<curandStateScrambledSobol32_t*> {
    typedef unsigned int index;
};
template <>
struct lockstep_sobol<curandStateSobol64_t*> {
    typedef unsigned long long index;
};
template <>
struct lockstep_sobol<curandStateScrambledSobol64_t*> {
    typedef unsigned long long index;
};

template <typename Pointer>
QUALIFIERS void skipahead(typename lockstep_sobol<Pointer>::index n, Pointer state) {
    state->i += n;
    state->x = state->c;
    typename lockstep_sobol<Pointer>::index gray = state->i ^ (state->i >> 1);
    for (int bit = 0; gray != 0; ++bit, gray >>= 1)
        if ((gray & 1) != 0) state->x ^= state->direction_vectors[bit];
}

template <typename Index, typename State>
QUALIFIERS void lockstep_sobol_init(const Index* vectors, Index start, Index offset, State* state) {
    state->i = 0;
    state->c = start;
    for (unsigned int bit = 0; bit < 8 * sizeof(Index); ++bit) state->direction_vectors[bit] = vectors[bit];
    skipahead(offset, state);
}

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t* state) {
    lockstep_sobol_init(direction_vectors, 0u, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int scramble_c,
                            unsigned int offset, curandStateScrambledSobol32_t* state) {
    lockstep_sobol_init(direction_vectors, scramble_c, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                            curandStateSobol64_t* state) {
    lockstep_sobol_init(direction_vectors, 0ull, offset, state);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                            unsigned long long offset, curandStateScrambledSobol64_t* state) {
    lockstep_sobol_init(direction_vectors, scramble_c, offset, state);
}

// The Gray code's next bit to change is the lowest zero of the index; after the last index the highest.
template <typename State>
QUALIFIERS typename lockstep_sobol<State*>::index lockstep_sobol_step(State* state) {
    typedef typename lockstep_sobol<State*>::index Index;
    const Index result = state->x;
    const int last = 8 * static_cast<int>(sizeof(Index)) - 1;
    const Index ones = state->i++;
    int bit = last;
    if (ones != ~Index(0)) {
#ifdef __CUDA_ARCH__
        bit = __ffsll(static_cast<long long>(~ones)) - 1;
#else
        bit = __builtin_ctzll(~ones);
#endif
    }
    state->x ^= state->direction_vectors[bit];
    return result;
}

QUALIFIERS unsigned int curand(curandStateSobol32_t* state) { return lockstep_sobol_step(state); }
QUALIFIERS unsigned int curand(curandStateScrambledSobol32_t* state) { return lockstep_sobol_step(state); }
QUALIFIERS unsigned long long curand(curandStateSobol64_t* state) { return lockstep_sobol_step(state); }
QUALIFIERS unsigned long long curand(curandStateScrambledSobol64_t* state) {
    return lockstep_sobol_step(state);
}
