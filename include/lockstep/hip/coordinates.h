/* threadIdx, blockIdx, blockDim, gridDim and warpSize. */
#ifndef LOCKSTEP_HIP_COORDINATES_H
#define LOCKSTEP_HIP_COORDINATES_H
#include "hip/hip_vector_types.h"
#include "lockstep/hip/dim3.h"

#define LOCKSTEP_HIP_DEVICE static __device__ inline __attribute__((always_inline, nodebug))

/* How many blocks there are stands first of what the runtime library adds to a kernel's arguments. */
#ifdef __HIP_DEVICE_COMPILE__
#define LOCKSTEP_HIP_BLOCKS(i) \
    ((const __attribute__((address_space(4))) unsigned int*)__builtin_amdgcn_implicitarg_ptr())[i]
#define LOCKSTEP_HIP_NUMBER(device) device
#else
#define LOCKSTEP_HIP_NUMBER(device) 0
#endif

#define LOCKSTEP_HIP_COORDINATE(name, vx, vy, vz)                                      \
    struct __lockstep_##name##_t {                                                     \
        __declspec(property(get = get_x)) unsigned int x;                              \
        __declspec(property(get = get_y)) unsigned int y;                              \
        __declspec(property(get = get_z)) unsigned int z;                              \
        LOCKSTEP_HIP_DEVICE unsigned int get_x() { return LOCKSTEP_HIP_NUMBER(vx); }   \
        LOCKSTEP_HIP_DEVICE unsigned int get_y() { return LOCKSTEP_HIP_NUMBER(vy); }   \
        LOCKSTEP_HIP_DEVICE unsigned int get_z() { return LOCKSTEP_HIP_NUMBER(vz); }   \
        __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
        __device__ operator uint3() const { return uint3(get_x(), get_y(), get_z()); } \
        __lockstep_##name##_t(const __lockstep_##name##_t&) = delete;                  \
        void operator=(const __lockstep_##name##_t&) const = delete;                   \
                                                                                       \
      private:                                                                         \
        __lockstep_##name##_t() = default;                                             \
    };                                                                                 \
    extern const __device__ __attribute__((weak)) __lockstep_##name##_t name;
LOCKSTEP_HIP_COORDINATE(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                        __builtin_amdgcn_workitem_id_z())
LOCKSTEP_HIP_COORDINATE(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                        __builtin_amdgcn_workgroup_id_z())
LOCKSTEP_HIP_COORDINATE(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                        __builtin_amdgcn_workgroup_size_z())
LOCKSTEP_HIP_COORDINATE(gridDim, LOCKSTEP_HIP_BLOCKS(0), LOCKSTEP_HIP_BLOCKS(1), LOCKSTEP_HIP_BLOCKS(2))
#undef LOCKSTEP_HIP_COORDINATE

/* The lanes of a wavefront. clang tells host code, too, which it is. */
static constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#undef LOCKSTEP_HIP_DEVICE
#endif
