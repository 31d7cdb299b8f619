/* Functions over a wavefront: votes and shuffles, of 64 lanes (or 32, where the GPU's wavefronts have those).
 */
#ifndef LOCKSTEP_HIP_WARP_H
#define LOCKSTEP_HIP_WARP_H
#include "hip/hip_common.h"
#include "lockstep/hip/coordinates.h"

#define LOCKSTEP_D static __device__ inline __attribute__((always_inline, nodebug, convergent))

LOCKSTEP_D unsigned int __lane_id() {
#if __AMDGCN_WAVEFRONT_SIZE == 32
    return __builtin_amdgcn_mbcnt_lo(~0u, 0);
#else
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
#endif
}

/* Votes: a bit a lane, 0 for lanes that are not active. */
LOCKSTEP_D unsigned long long __ballot(int predicate) {
#if __AMDGCN_WAVEFRONT_SIZE == 32
    return __builtin_amdgcn_ballot_w32(predicate != 0);
#else
    return __builtin_amdgcn_ballot_w64(predicate != 0);
#endif
}
LOCKSTEP_D unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
LOCKSTEP_D unsigned long long __activemask() { return __ballot(1); }
LOCKSTEP_D int __all(int predicate) { return __ballot(!predicate) == 0; }
LOCKSTEP_D int __any(int predicate) { return __ballot(predicate) != 0; }
/* The lanes below this one that have a bit in the mask */
LOCKSTEP_D unsigned int __mbcnt_lo(unsigned int mask, unsigned int add) {
    return __builtin_amdgcn_mbcnt_lo(mask, add);
}
LOCKSTEP_D unsigned int __mbcnt_hi(unsigned int mask, unsigned int add) {
    return __builtin_amdgcn_mbcnt_hi(mask, add);
}
LOCKSTEP_D unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
LOCKSTEP_D unsigned long long __lanemask_gt() { return ~1ull << __lane_id(); }
LOCKSTEP_D unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }

/* Shuffles: word by word, from the lane whose number this one gives. */
template <class T>
LOCKSTEP_D T __lockstep_from_lane(T value, int lane) {
    constexpr int count = (sizeof(T) + 3) / 4;
    int words[count] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (int i = 0; i < count; ++i) words[i] = __builtin_amdgcn_ds_bpermute(lane << 2, words[i]);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}
template <class T>
LOCKSTEP_D T __shfl(T value, int source, int width = warpSize) {
    const int self = (int)__lane_id();
    return __lockstep_from_lane(value, (source & (width - 1)) + (self & ~(width - 1)));
}
template <class T>
LOCKSTEP_D T __shfl_up(T value, unsigned int delta, int width = warpSize) {
    const int self = (int)__lane_id(), lane = self - (int)delta;
    return __lockstep_from_lane(value, lane < (self & ~(width - 1)) ? self : lane);
}
template <class T>
LOCKSTEP_D T __shfl_down(T value, unsigned int delta, int width = warpSize) {
    const int self = (int)__lane_id(), lane = self + (int)delta;
    return __lockstep_from_lane(value, (self & (width - 1)) + (int)delta >= width ? self : lane);
}
template <class T>
LOCKSTEP_D T __shfl_xor(T value, int mask, int width = warpSize) {
    const int self = (int)__lane_id(), lane = self ^ mask;
    return __lockstep_from_lane(value, lane >= ((self + width) & ~(width - 1)) ? self : lane);
}

/* With a mask, as CUDA has them. A mask of 32 bits says nothing of half of the lanes. */
#define LOCKSTEP_MASK(type)                                                                                  \
    static_assert(sizeof(type) == 8,                                                                         \
                  "the mask must have 64 bits: a wavefront of an AMD GPU has up to 64 lanes (0xffffffff is " \
                  "half of them; write ~0ull)")
template <class Mask, class T>
LOCKSTEP_D T __shfl_sync(Mask, T value, int source, int width = warpSize) {
    LOCKSTEP_MASK(Mask);
    return __shfl(value, source, width);
}
template <class Mask, class T>
LOCKSTEP_D T __shfl_up_sync(Mask, T value, unsigned int delta, int width = warpSize) {
    LOCKSTEP_MASK(Mask);
    return __shfl_up(value, delta, width);
}
template <class Mask, class T>
LOCKSTEP_D T __shfl_down_sync(Mask, T value, unsigned int delta, int width = warpSize) {
    LOCKSTEP_MASK(Mask);
    return __shfl_down(value, delta, width);
}
template <class Mask, class T>
LOCKSTEP_D T __shfl_xor_sync(Mask, T value, int lanes, int width = warpSize) {
    LOCKSTEP_MASK(Mask);
    return __shfl_xor(value, lanes, width);
}
template <class Mask>
LOCKSTEP_D unsigned long long __ballot_sync(Mask mask, int predicate) {
    LOCKSTEP_MASK(Mask);
    return __ballot(predicate) & mask;
}
template <class Mask>
LOCKSTEP_D int __any_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
template <class Mask>
LOCKSTEP_D int __all_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) == mask;
}
/* The lanes of the mask that have this lane's value: one value after the other. */
template <class Mask, class T>
LOCKSTEP_D unsigned long long __match_any_sync(Mask mask, T value) {
    LOCKSTEP_MASK(Mask);
    unsigned long long left = __activemask() & mask, same = 0;
    while (left) {
        const T first = __lockstep_from_lane(value, __builtin_ctzll(left));
        const unsigned long long lanes = __ballot(first == value) & mask;
        if (first == value) same = lanes;
        left &= ~lanes;
    }
    return same;
}
template <class Mask, class T>
LOCKSTEP_D unsigned long long __match_all_sync(Mask mask, T value, int* all) {
    LOCKSTEP_MASK(Mask);
    const unsigned long long lanes = __activemask() & mask;
    const T first = __lockstep_from_lane(value, __builtin_ctzll(lanes));
    *all = (__ballot(first == value) & lanes) == lanes;
    return *all ? lanes : 0;
}
#undef LOCKSTEP_MASK
#undef LOCKSTEP_D
#endif
