/* Where a thread stands, and values that go from lane to lane. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_HELPERS_H
#define LOCKSTEP_COOPERATIVE_GROUPS_HELPERS_H
#include "info.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

LOCKSTEP_CG_STATIC unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
LOCKSTEP_CG_STATIC unsigned int lanes_below() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
LOCKSTEP_CG_STATIC unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
LOCKSTEP_CG_STATIC unsigned int thread_of_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
LOCKSTEP_CG_STATIC unsigned long long blocks_of_grid() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
LOCKSTEP_CG_STATIC unsigned long long block_of_grid() {
    return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}

/* Values of any size are moved a word at a time. */
template <class T, class Move>
LOCKSTEP_CG T by_words(const T& value, Move move) {
    static_assert(std::is_trivially_copyable<T>::value,
                  "values that go between threads are trivially copyable");
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned int buffer[words] = {};
    __builtin_memcpy(buffer, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) buffer[i] = move(buffer[i]);
    alignas(T) unsigned char result[sizeof(T)];
    __builtin_memcpy(result, buffer, sizeof(T));
    return *reinterpret_cast<T*>(result);
}
template <class T>
LOCKSTEP_CG T shuffle(unsigned int mask, const T& value, int lane, int width = 32) {
    return by_words(value, [=](unsigned int word) { return __shfl_sync(mask, word, lane, width); });
}
template <class T>
LOCKSTEP_CG T shuffle_up(unsigned int mask, const T& value, unsigned int delta, int width = 32) {
    return by_words(value, [=](unsigned int word) { return __shfl_up_sync(mask, word, delta, width); });
}
template <class T>
LOCKSTEP_CG T shuffle_down(unsigned int mask, const T& value, unsigned int delta, int width = 32) {
    return by_words(value, [=](unsigned int word) { return __shfl_down_sync(mask, word, delta, width); });
}
template <class T>
LOCKSTEP_CG T shuffle_xor(unsigned int mask, const T& value, unsigned int lanes, int width = 32) {
    return by_words(value, [=](unsigned int word) { return __shfl_xor_sync(mask, word, (int)lanes, width); });
}

#if LOCKSTEP_ARCH >= 700
/* Values are the same when their bits are, as with __match_any_sync. */
template <class T>
LOCKSTEP_CG unsigned long long bits_of(T value) {
    static_assert(std::is_arithmetic<T>::value || std::is_pointer<T>::value || std::is_enum<T>::value,
                  "only numbers and pointers can be matched");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T>
LOCKSTEP_CG unsigned int match_any(unsigned int mask, T value) {
    return sizeof(T) <= 4 ? __match32_any_sync(mask, (unsigned int)bits_of(value))
                          : __match64_any_sync(mask, bits_of(value));
}
template <class T>
LOCKSTEP_CG unsigned int match_all(unsigned int mask, T value, int* predicate) {
    return sizeof(T) <= 4 ? __match32_all_sync(mask, (unsigned int)bits_of(value), predicate)
                          : __match64_all_sync(mask, bits_of(value), predicate);
}
#endif

/* The members of `mask` that `lanes` names, by their ranks. */
LOCKSTEP_CG_STATIC unsigned int packed(unsigned int lanes, unsigned int mask) {
    if (mask == 0xffffffffu) return lanes;
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++rank)
        result |= (lanes >> (__ffs((int)rest) - 1) & 1u) << rank;
    return result;
}

}  // namespace details
LOCKSTEP_CG_END

#endif
#endif
