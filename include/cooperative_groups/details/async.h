/* Copies that all threads of a group do together. From global to shared memory they go on meanwhile
 * (cp.async, from 8.0 on); until wait() or wait_prior() nobody may look at them. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_ASYNC_H
#define LOCKSTEP_COOPERATIVE_GROUPS_ASYNC_H
#include "../../cooperative_groups.h"
#include "../../cuda_pipeline.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

template <unsigned int Bytes>
struct alignas(Bytes) copy_unit {
    unsigned char bytes[Bytes];
};

template <unsigned int Unit, class Group>
LOCKSTEP_CG void copy_units(const Group& group, char* to, const char* from, size_t count, bool async) {
    const size_t threads = group.num_threads();
    for (size_t i = group.thread_rank(); i < count; i += threads) {
        if (Unit >= 4 && async)
            __pipeline_memcpy_async(to + i * Unit, from + i * Unit, Unit < 4 ? 4 : Unit);
        else
            reinterpret_cast<copy_unit<Unit>*>(to)[i] = reinterpret_cast<const copy_unit<Unit>*>(from)[i];
    }
}

/* In units of `Align` bytes, which both addresses are known to be multiples of; of what is known to be less,
 * in words where that turns out to be possible. What is left over is less than a unit. */
template <unsigned int Align, class Group>
LOCKSTEP_CG void copy_aligned(const Group& group, void* dst, const void* src, size_t bytes) {
    constexpr unsigned int unit = Align >= 16 ? 16 : Align >= 4 ? Align : 4;
    char* to = static_cast<char*>(dst);
    const char* from = static_cast<const char*>(src);
    size_t done = 0;
    if (Align >= 4 || (((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        const bool async = LOCKSTEP_ARCH >= 800 && __isShared(dst) && __isGlobal(src);
        copy_units<unit>(group, to, from, bytes / unit, async);
        done = bytes / unit * unit;
    }
    copy_units<1>(group, to + done, from + done, bytes - done, false);
}

/* What a count of bytes or elements says of the addresses: cuda::aligned_size_t<N> promises multiples of N.
 */
template <class Count>
struct promised_alignment : std::integral_constant<size_t, 1> {};
template <template <size_t> class Count, size_t Align>
struct promised_alignment<Count<Align>> : std::integral_constant<size_t, Align> {};
template <class T>
struct alignment_of : std::integral_constant<size_t, alignof(T)> {};
template <>
struct alignment_of<void> : std::integral_constant<size_t, 1> {};

template <class T, class Count, class Group>
LOCKSTEP_CG void copy(const Group& group, T* dst, const T* src, size_t bytes) {
    constexpr size_t promised = promised_alignment<Count>::value, own = alignment_of<T>::value;
    copy_aligned<(unsigned int)(promised > own ? promised : own)>(group, dst, src, bytes);
}

}  // namespace details

/* `count` bytes. */
template <class Group, class T, class Count>
LOCKSTEP_CG void memcpy_async(const Group& group, T* __restrict__ dst, const T* __restrict__ src,
                              const Count& count) {
    details::copy<T, Count>(group, dst, src, (size_t)count);
    __pipeline_commit();
}
/* As many elements as both sides have. */
template <class Group, class T, class DstCount, class SrcCount>
LOCKSTEP_CG void memcpy_async(const Group& group, T* __restrict__ dst, const DstCount& dst_count,
                              const T* __restrict__ src, const SrcCount& src_count) {
    const size_t to = (size_t)dst_count, from = (size_t)src_count;
    details::copy<T, DstCount>(group, dst, src, (to < from ? to : from) * sizeof(T));
    __pipeline_commit();
}
template <unsigned int Stage, class Group>
LOCKSTEP_CG void wait_prior(const Group& group) {
    __pipeline_wait_prior(Stage);
    group.sync();
}
template <class Group>
LOCKSTEP_CG void wait(const Group& group) {
    __pipeline_wait_prior(0);
    group.sync();
}

/* With a pipeline of its own, as CUDA 11 had it. */
template <class Group, class T>
LOCKSTEP_CG void memcpy_async(Group& group, T* dst, size_t dst_count, const T* src, size_t src_count,
                              nvcuda::experimental::pipeline& pipe) {
    details::copy<T, size_t>(group, dst, src, (dst_count < src_count ? dst_count : src_count) * sizeof(T));
    pipe.commit();
}
template <unsigned int Stage, class Group>
LOCKSTEP_CG void wait_prior(Group& group, nvcuda::experimental::pipeline& pipe) {
    pipe.wait_prior<Stage>();
    group.sync();
}
template <class Group>
LOCKSTEP_CG void wait(Group& group, nvcuda::experimental::pipeline& pipe, size_t stage) {
    pipe.wait(stage);
    group.sync();
}

LOCKSTEP_CG_END

#endif
#endif
