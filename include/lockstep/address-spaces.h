/* Which state space an address lies in, and conversions between generic addresses and those of one space. */
#ifndef LOCKSTEP_ADDRESS_SPACES_H
#define LOCKSTEP_ADDRESS_SPACES_H

#define LOCKSTEP_IS_SPACE(name, builtin)                                                        \
    static __device__ __forceinline__ __attribute__((const)) unsigned int name(const void* p) { \
        return builtin(p);                                                                      \
    }
LOCKSTEP_IS_SPACE(__isGlobal, __nvvm_isspacep_global)
LOCKSTEP_IS_SPACE(__isShared, __nvvm_isspacep_shared)
LOCKSTEP_IS_SPACE(__isConstant, __nvvm_isspacep_const)
LOCKSTEP_IS_SPACE(__isLocal, __nvvm_isspacep_local)
#undef LOCKSTEP_IS_SPACE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ unsigned int __isGridConstant(const void* p) {
    unsigned int is;
    asm("{ .reg .pred is;\n isspacep.param is, %1;\n selp.u32 %0, 1, 0, is; }" : "=r"(is) : "l"(p));
    return is;
}
#endif

#define LOCKSTEP_CVTA(name, space)                                                     \
    static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void* p) { \
        return (size_t)(const __attribute__((address_space(space))) void*)p;           \
    }                                                                                  \
    static __device__ __forceinline__ void* __cvta_##name##_to_generic(size_t p) {     \
        return (void*)(__attribute__((address_space(space))) void*)p;                  \
    }
LOCKSTEP_CVTA(global, 1)
LOCKSTEP_CVTA(shared, 3)
LOCKSTEP_CVTA(constant, 4)
LOCKSTEP_CVTA(local, 5)
#undef LOCKSTEP_CVTA

#endif
