/* What all files of cooperative groups share: qualifiers, the namespace, a few traits. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_INFO_H
#define LOCKSTEP_COOPERATIVE_GROUPS_INFO_H
#include "cuda_runtime.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
#error cooperative groups need a GPU of compute capability 3.0 or newer
#elif defined(__CUDA__) && defined(__cplusplus)
#define LOCKSTEP_CG_AVAILABLE 1

#include <stddef.h>
#include <stdint.h>

#include <type_traits>
#include <utility>

#define LOCKSTEP_CG __device__ __forceinline__
#define LOCKSTEP_CG_STATIC static __device__ __forceinline__
/* Without debug information of their own, these functions take the line of whoever calls them: the user's. */
/* A pragma is one string. */
/* clang-format off */
#define LOCKSTEP_CG_BEGIN                                                                                \
    _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")         \
    namespace cooperative_groups {
/* clang-format on */
#define LOCKSTEP_CG_END \
    }                   \
    _Pragma("clang attribute pop")

LOCKSTEP_CG_BEGIN
namespace details {

/* What thread_group::get_type() answers. */
enum : unsigned int {
    coalesced_group_id = 1,
    grid_group_id = 3,
    thread_block_id = 4,
    multi_tile_group_id = 5,
    cluster_group_id = 6
};

template <class T>
using remove_qual = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

/* std::declval is the host's. */
template <class T>
__host__ __device__ T&& some();

/* What a function of these arguments gives, with no reference. */
template <class Function, class... Arguments>
using result_of = remove_qual<decltype(some<Function>()(some<Arguments>()...))>;

}  // namespace details
LOCKSTEP_CG_END

#endif
#endif
