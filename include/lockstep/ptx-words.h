/* What cuda::ptx's functions take for the words after an instruction's name: a type and a value for each. */
#ifndef LOCKSTEP_PTX_WORDS_H
#define LOCKSTEP_PTX_WORDS_H
#include "cuda/std/cstdint"

namespace cuda {
namespace ptx {

using std::int32_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

enum class dot_space { global, cluster, shared };
enum class dot_sem { acq_rel, acquire, relaxed, release, sc };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op };

template <dot_space Word>
struct space_t {};
template <dot_sem Word>
struct sem_t {};
template <dot_scope Word>
struct scope_t {};
template <dot_op Word>
struct op_t {};

using space_global_t = space_t<dot_space::global>;
using space_cluster_t = space_t<dot_space::cluster>;
using space_shared_t = space_t<dot_space::shared>;
using sem_acq_rel_t = sem_t<dot_sem::acq_rel>;
using sem_acquire_t = sem_t<dot_sem::acquire>;
using sem_relaxed_t = sem_t<dot_sem::relaxed>;
using sem_release_t = sem_t<dot_sem::release>;
using sem_sc_t = sem_t<dot_sem::sc>;
using scope_cta_t = scope_t<dot_scope::cta>;
using scope_cluster_t = scope_t<dot_scope::cluster>;
using scope_gpu_t = scope_t<dot_scope::gpu>;
using scope_sys_t = scope_t<dot_scope::sys>;
using op_add_t = op_t<dot_op::add>;
using op_dec_t = op_t<dot_op::dec>;
using op_inc_t = op_t<dot_op::inc>;
using op_max_t = op_t<dot_op::max>;
using op_min_t = op_t<dot_op::min>;
using op_and_op_t = op_t<dot_op::and_op>;
using op_or_op_t = op_t<dot_op::or_op>;
using op_xor_op_t = op_t<dot_op::xor_op>;

static constexpr space_global_t space_global{};
static constexpr space_cluster_t space_cluster{};
static constexpr space_shared_t space_shared{};
static constexpr sem_acq_rel_t sem_acq_rel{};
static constexpr sem_acquire_t sem_acquire{};
static constexpr sem_relaxed_t sem_relaxed{};
static constexpr sem_release_t sem_release{};
static constexpr sem_sc_t sem_sc{};
static constexpr scope_cta_t scope_cta{};
static constexpr scope_cluster_t scope_cluster{};
static constexpr scope_gpu_t scope_gpu{};
static constexpr scope_sys_t scope_sys{};
static constexpr op_add_t op_add{};
static constexpr op_dec_t op_dec{};
static constexpr op_inc_t op_inc{};
static constexpr op_max_t op_max{};
static constexpr op_min_t op_min{};
static constexpr op_and_op_t op_and_op{};
static constexpr op_or_op_t op_or_op{};
static constexpr op_xor_op_t op_xor_op{};

template <int N>
struct n32_t {
    static constexpr int value = N;
};

}  // namespace ptx
}  // namespace cuda

/* Functions that are one instruction. */
#define LOCKSTEP_PTX static __device__ __forceinline__

#ifdef __CUDA__
namespace cuda {
namespace ptx {
namespace lockstep {
LOCKSTEP_PTX uint32_t shared(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
/* Of whatever block of the cluster. */
LOCKSTEP_PTX uint32_t cluster(const void* p) {
    uint64_t address;
    asm("cvta.to.shared::cluster.u64 %0, %1;" : "=l"(address) : "l"(p));
    return (uint32_t)address;
}
LOCKSTEP_PTX uint64_t global(const void* p) { return (uint64_t)__cvta_generic_to_global(p); }
}  // namespace lockstep
}  // namespace ptx
}  // namespace cuda
#endif

#endif
